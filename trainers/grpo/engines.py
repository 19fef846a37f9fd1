"""Sampling: token ids in, token ids and their log-probabilities out.

:class:`Static` serves our decoder and any Hugging Face model: it reads the prompts at once, then a
token at a time, with a cache of fixed size; on a GPU a step is recorded once as a CUDA graph and
replayed. :class:`Paged` leaves it to the continuous batching of transformers, :class:`Vllm` to
vLLM.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from palaestra.trainers.grpo.model import Cache, Decoder, logprobs_of

KEPT = 4
"""Sizes of batch whose buffers and graphs are kept."""

ROUND = 64
"""On a GPU, lengths are rounded up to multiples of this, so that few sizes come up."""

LOOKS = 16
"""On a GPU, tokens after which it is looked whether all are done; each look waits for the GPU."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What was sampled after a prompt: its ids, with the end where there was one, and the
    log-probability of each under the policy at the temperature of sampling.
    """

    ids: list[int]
    logprobs: list[float]
    ended: bool


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample: ``tokens`` at most; a temperature of 0 takes the likeliest token."""

    tokens: int = 32
    temperature: float = 1.0


class Engine(Protocol):
    """What samples."""

    def sync(self) -> None:
        """Takes the policy's weights over as they are now."""

    def generate(
        self, prompts: Sequence[Sequence[int]], how: Sampling, chance: torch.Generator
    ) -> list[Sampled]:
        """Samples after each prompt."""


Step = Callable[[], Tensor]
"""One decoding step on the buffers of a :class:`Stepper`: the logits (batch, vocabulary)."""


def cuda_graph(step: Step) -> Step:
    """Records a step as a CUDA graph, and gives its replay, whose result is always the same tensor.

    The step is run once beforehand, so that kernels are chosen and memory is allocated outside of
    the recording.
    """
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        logits = step()

    def replay() -> Tensor:
        graph.replay()
        return logits

    return replay


class Stepper:
    """A model in the middle of reading: buffers for so many rows of such a length, and a cache.

    Nothing of a step depends on its place but the numbers in the buffers, so that ``capture`` may
    record it; it is given the step and gives what takes its place.
    """

    def __init__(
        self, model: nn.Module, batch: int, length: int, capture: Callable[[Step], Step] | None
    ) -> None:
        self.model, self.batch, self.length = model, batch, length
        device = next(model.parameters()).device
        self.seen = torch.zeros(batch, length, dtype=torch.long, device=device)
        self.ids = torch.zeros(batch, dtype=torch.long, device=device)
        self.place = torch.zeros(1, dtype=torch.long, device=device)
        self.cache = self._cache()
        self._decode: Step = self._step
        if capture is not None and self._is_static():
            # Recording runs a step, which moves the cache on. So it comes before the first prompt
            # is read, and `read` starts the cache anew.
            self.seen[:, 0] = 1
            self._decode = capture(self._step)

    def _cache(self) -> Any:
        if isinstance(self.model, Decoder):
            return Cache(self.model.shape, self.batch, self.length, self.model.embed.weight)
        from transformers import StaticCache

        model: Any = self.model
        return StaticCache(config=model.config, max_cache_len=self.length)

    def _is_static(self) -> bool:
        """Whether a step does the same at any length: a sliding window that is shorter than the
        buffers is moved by numbers of Python's, which no graph would see again.
        """
        return isinstance(self.model, Decoder) or all(
            layer.max_cache_len >= self.length for layer in self.cache.layers
        )

    def read(self, ids: Tensor, seen: Tensor) -> Tensor:
        """The logits (batch, vocabulary) after prompts (batch, length), padded at the left."""
        self.seen.zero_()
        self.seen[:, : ids.shape[1]] = seen
        self.place.fill_(ids.shape[1])
        if isinstance(self.model, Decoder):
            return self.model(ids, seen, self.cache)[:, -1]
        self.cache.reset()
        positions = (seen.cumsum(-1) - 1).clamp(min=0)
        return self._pretrained(ids, positions, torch.arange(ids.shape[1], device=ids.device))

    def step(self, ids: Tensor, alive: Tensor) -> Tensor:
        """The logits after one more token of each row; rows that are not alive do not see it."""
        self.ids.copy_(ids)
        self.seen.index_copy_(1, self.place, alive[:, None].long())
        logits = self._decode()
        self.place += 1
        return logits

    def _step(self) -> Tensor:
        if isinstance(self.model, Decoder):
            return self.model.step(self.ids, self.seen, self.place, self.cache)
        positions = (self.seen.sum(-1, keepdim=True) - 1).clamp(min=0)
        return self._pretrained(self.ids[:, None], positions, self.place)

    def _pretrained(self, ids: Tensor, positions: Tensor, places: Tensor) -> Tensor:
        model: Any = self.model
        out = model(
            input_ids=ids, attention_mask=self.seen, position_ids=positions,
            cache_position=places, past_key_values=self.cache, use_cache=True, logits_to_keep=1,
        )  # fmt: skip
        return out.logits[:, -1]


class Static:
    """Samples with the policy itself, a batch at a time, or with a copy of it in other numbers.

    ``capture`` records a decoding step; by default as a CUDA graph where the model is on a GPU.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self, model: nn.Module, pad: int, end: int, batch: int = 256, dtype: str = "float32",
        capture: Callable[[Step], Step] | None = None,
    ) -> None:  # fmt: skip
        self.policy, self.pad, self.end, self.batch = model, pad, end, batch
        self.dtype = getattr(torch, dtype)
        kept = next(model.parameters()).dtype
        self.model = model if kept == self.dtype else deepcopy(model).to(self.dtype)
        self.capture = capture
        self.steppers: OrderedDict[tuple[int, int], Stepper] = OrderedDict()

    @torch.no_grad()
    def sync(self) -> None:
        """Copies the weights where they are not the same; graphs go on reading from there."""
        if self.model is not self.policy:
            for mine, theirs in zip(self.model.parameters(), self.policy.parameters(), strict=True):
                mine.copy_(theirs)

    @torch.no_grad()
    def generate(
        self, prompts: Sequence[Sequence[int]], how: Sampling, chance: torch.Generator
    ) -> list[Sampled]:
        """Samples after each prompt; the longest are sampled together."""
        was = self.model.training
        self.model.eval()
        order = sorted(range(len(prompts)), key=lambda n: -len(prompts[n]))
        found: dict[int, Sampled] = {}
        for start in range(0, len(order), self.batch):
            places = order[start : start + self.batch]
            found.update(zip(places, self._batch([prompts[n] for n in places], how, chance)))
        self.model.train(was)
        return [found[n] for n in range(len(prompts))]

    def _batch(
        self, prompts: Sequence[Sequence[int]], how: Sampling, chance: torch.Generator
    ) -> list[Sampled]:
        longest = max(map(len, prompts))
        stepper = self._stepper(len(prompts), longest + how.tokens)
        device, rows = stepper.seen.device, stepper.batch
        ids = torch.full((rows, longest), self.pad)
        seen = torch.zeros(rows, longest, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, longest - len(prompt) :] = torch.tensor(prompt)
            seen[row, longest - len(prompt) :] = 1
        seen[len(prompts) :, -1] = 1  # rows that only fill the batch see something, too
        alive = (torch.arange(rows) < len(prompts)).to(device)
        logits = stepper.read(ids.to(device), seen.to(device))
        chosen, told = [], []
        looks = LOOKS if device.type == "cuda" else 1
        for n in range(1, how.tokens + 1):
            token, logprob = sampled_tokens(logits, how.temperature, chance)
            token = token.masked_fill(~alive, self.pad)
            chosen.append(token)
            told.append(logprob)
            after = alive & (token != self.end)
            if n == how.tokens or (n % looks == 0 and not bool(after.any())):
                break
            logits = stepper.step(token, alive)
            alive = after
        number = len(prompts)
        return self._cut(torch.stack(chosen, 1)[:number], torch.stack(told, 1)[:number])

    def _stepper(self, batch: int, length: int) -> Stepper:
        """Buffers of that size or, on a GPU, of the next of a few sizes."""
        capture = self.capture
        if next(self.model.parameters()).is_cuda:
            capture = capture or cuda_graph
            batch, length = 1 << (batch - 1).bit_length(), -(-length // ROUND) * ROUND
        size = batch, length
        if size not in self.steppers:
            self.steppers[size] = Stepper(self.model, batch, length, capture)
        self.steppers.move_to_end(size)
        if len(self.steppers) > KEPT:
            self.steppers.popitem(last=False)
        return self.steppers[size]

    def _cut(self, ids: Tensor, logprobs: Tensor) -> list[Sampled]:
        rows = []
        for row, told in zip(ids.tolist(), logprobs.tolist()):
            ended = self.end in row
            length = row.index(self.end) + 1 if ended else len(row)
            rows.append(Sampled(row[:length], told[:length], ended))
        return rows


def sampled_tokens(
    logits: Tensor, temperature: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """A token of each row of logits (batch, vocabulary), and its log-probability at that
    temperature: both (batch,). At a temperature of 0 the likeliest token, at temperature 1.

    The race of exponential clocks, which is what ``torch.multinomial`` does for one draw, without
    the checks for which it waits for the GPU.
    """
    scaled = logits.float() / (temperature or 1.0)
    if temperature == 0:
        tokens = scaled.argmax(-1)
    else:
        clocks = torch.empty_like(scaled).exponential_(generator=generator)
        tokens = (scaled - clocks.log_()).argmax(-1)
    return tokens, scaled.gather(-1, tokens[:, None]).squeeze(-1) - scaled.logsumexp(-1)


AT_ONCE = 512
"""Tokens that go through the model at a time where pages are sampled on a CPU."""


class Paged:
    """Samples by the continuous batching of transformers, whose cache is in pages. It draws from
    torch's own generator, and tells no log-probabilities: these are worked out after it.
    """

    def __init__(self, model: Any, pad: int, end: int) -> None:
        self.model, self.pad, self.end = model, pad, end

    def sync(self) -> None:
        """It is the policy itself."""

    @torch.no_grad()
    def generate(
        self, prompts: Sequence[Sequence[int]], how: Sampling, chance: torch.Generator
    ) -> list[Sampled]:
        """Samples after each prompt."""
        from transformers import GenerationConfig

        torch.manual_seed(int(torch.randint(2**31, (1,), generator=chance, device=chance.device)))
        hot = {"temperature": how.temperature} if how.temperature else {}
        told = self.model.generate_batch(
            inputs=[list(prompt) for prompt in prompts],
            generation_config=GenerationConfig(
                max_new_tokens=how.tokens, do_sample=bool(hot), eos_token_id=self.end,
                pad_token_id=self.pad, **hot,
            ),
            continuous_batching_config=self._pages(prompts, how.tokens),
            progress_bar=False,
        )  # fmt: skip
        said = [told[name].generated_tokens[: how.tokens] for name in sorted(told, key=_number)]
        return [self._judged(*pair, how) for pair in zip(prompts, said, strict=True)]

    def _pages(self, prompts: Sequence[Sequence[int]], tokens: int) -> Any:
        """On a CPU, as many pages as these prompts can need: by itself the library takes nearly all
        memory that there is, which others want there, too.
        """
        from transformers.generation.configuration_utils import ContinuousBatchingConfig

        if self.model.device.type != "cpu":
            return None
        pages = ContinuousBatchingConfig()
        pages.num_blocks = sum((len(each) + tokens) // pages.page_size + 2 for each in prompts)
        pages.max_batch_tokens = max([AT_ONCE, *map(len, prompts)])
        return pages

    def _judged(self, prompt: Sequence[int], said: list[int], how: Sampling) -> Sampled:
        ids = torch.tensor([[*prompt, *said]], device=self.model.device)
        told, _ = logprobs_of(self.model, ids, torch.ones_like(ids), how.temperature or 1.0)
        return Sampled(list(said), told[0, len(prompt) - 1 :].tolist(), said[-1:] == [self.end])


def _number(name: str) -> int:
    """The place of a request by its name, which ends in it."""
    return int(name.rpartition("_")[2])


class Vllm:
    """Samples by vLLM on the same GPU; its weights are overwritten in place.

    Wants ``VLLM_ENABLE_V1_MULTIPROCESSING=0``, so that the model is in this process.
    """

    def __init__(self, model: Any, path: str, end: int, share: float = 0.4) -> None:
        from vllm import LLM

        self.model, self.end = model, end
        self.inner = LLM(path, gpu_memory_utilization=share, logprobs_mode="processed_logprobs")

    def sync(self) -> None:
        """Hands the weights over."""
        runner = self.inner.llm_engine.model_executor.driver_worker.model_runner
        runner.model.load_weights(self.model.state_dict().items())

    def generate(
        self, prompts: Sequence[Sequence[int]], how: Sampling, chance: torch.Generator
    ) -> list[Sampled]:
        """Samples after each prompt."""
        from vllm import SamplingParams

        # Each has a seed of its own, or the rollouts of a group would all be the same.
        seeds = torch.randint(2**31, (len(prompts),), generator=chance, device=chance.device)
        params = [
            SamplingParams(
                max_tokens=how.tokens, temperature=how.temperature, logprobs=0, seed=seed,
                stop_token_ids=[self.end], detokenize=False,
            )
            for seed in seeds.tolist()
        ]  # fmt: skip
        asked = [{"prompt_token_ids": list(prompt)} for prompt in prompts]
        told = [one.outputs[0] for one in self.inner.generate(asked, params, use_tqdm=False)]
        return [
            Sampled(
                list(one.token_ids),
                [at[token].logprob for at, token in zip(one.logprobs, one.token_ids)],
                one.token_ids[-1] == self.end,
            )
            for one in told
        ]
