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

STOP_CHECK = 16
"""On a GPU, tokens between two checks whether all rows have stopped; a check waits for the GPU."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What was sampled after a prompt: its ids, with the stop id where there was one, and the
    log-probability of each, in nats, under the policy at the temperature of sampling.
    """

    ids: list[int]
    logprobs: list[float]
    finished: bool
    """Whether a stop id ended it, and not the limit."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample: ``max_tokens`` at most, one limit for all prompts or one for each; a
    temperature of 0 takes the likeliest token.
    """

    max_tokens: int | Sequence[int] = 32
    temperature: float = 1.0

    def limits(self, prompts: int) -> list[int]:
        """The limit of each of so many prompts."""
        limits = self.max_tokens
        return [limits] * prompts if isinstance(limits, int) else list(limits)


class Engine(Protocol):
    """What samples."""

    own_probabilities: bool
    """Whether it computes with other numbers than the trainer, so that importance is corrected."""

    def sync(self) -> None:
        """Takes the policy's weights over as they are now."""

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
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

    Nothing of a step depends on its position but the numbers in the buffers, so that ``capture``
    may record it; it is given the step and gives what takes its place.
    """

    def __init__(
        self, model: nn.Module, batch: int, length: int, capture: Callable[[Step], Step] | None
    ) -> None:
        self.model, self.batch, self.length = model, batch, length
        device = next(model.parameters()).device
        self.seen = torch.zeros(batch, length, dtype=torch.long, device=device)
        self.ids = torch.zeros(batch, dtype=torch.long, device=device)
        self.position = torch.zeros(1, dtype=torch.long, device=device)
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
        self.position.fill_(ids.shape[1])
        if isinstance(self.model, Decoder):
            return self.model(ids, seen, self.cache)[:, -1]
        self.cache.reset()
        positions = (seen.cumsum(-1) - 1).clamp(min=0)
        return self._pretrained(ids, positions, torch.arange(ids.shape[1], device=ids.device))

    def step(self, ids: Tensor, alive: Tensor) -> Tensor:
        """The logits after one more token of each row; rows that are not alive do not see it."""
        self.ids.copy_(ids)
        self.seen.index_copy_(1, self.position, alive[:, None].long())
        logits = self._decode()
        self.position += 1
        return logits

    def _step(self) -> Tensor:
        if isinstance(self.model, Decoder):
            return self.model.step(self.ids, self.seen, self.position, self.cache)
        positions = (self.seen.sum(-1, keepdim=True) - 1).clamp(min=0)
        return self._pretrained(self.ids[:, None], positions, self.position)

    def _pretrained(self, ids: Tensor, positions: Tensor, rows: Tensor) -> Tensor:
        model: Any = self.model
        out = model(
            input_ids=ids, attention_mask=self.seen, position_ids=positions,
            cache_position=rows, past_key_values=self.cache, use_cache=True, logits_to_keep=1,
        )  # fmt: skip
        return out.logits[:, -1]


class Static:
    """Samples with the policy itself, a batch at a time, or with a copy of it in other numbers.

    ``capture`` records a decoding step; by default as a CUDA graph where the model is on a GPU.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self, model: nn.Module, pad_id: int, stop_ids: Sequence[int], batch: int = 256,
        dtype: str = "float32", capture: Callable[[Step], Step] | None = None,
    ) -> None:  # fmt: skip
        self.policy, self.pad_id, self.stop_ids, self.batch = model, pad_id, stop_ids, batch
        self.dtype = getattr(torch, dtype)
        same = next(model.parameters()).dtype == self.dtype
        self.model = model if same else deepcopy(model).to(self.dtype)
        self.own_probabilities = not same
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
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
        """Samples after each prompt; the longest are sampled together."""
        was = self.model.training
        self.model.eval()
        order = sorted(range(len(prompts)), key=lambda n: -len(prompts[n]))
        limits, found = sampling.limits(len(prompts)), dict[int, Completion]()
        for start in range(0, len(order), self.batch):
            rows = order[start : start + self.batch]
            batch = self._batch(
                [prompts[n] for n in rows], [limits[n] for n in rows], sampling.temperature,
                generator,
            )  # fmt: skip
            found.update(zip(rows, batch))
        self.model.train(was)
        return [found[n] for n in range(len(prompts))]

    def _batch(
        self, prompts: Sequence[Sequence[int]], limits: Sequence[int], temperature: float,
        generator: torch.Generator,
    ) -> list[Completion]:  # fmt: skip
        longest, most = max(map(len, prompts)), max(limits)
        stepper = self._stepper(len(prompts), longest + most)
        device, rows = stepper.seen.device, stepper.batch
        ids = torch.full((rows, longest), self.pad_id)
        seen = torch.zeros(rows, longest, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, longest - len(prompt) :] = torch.tensor(prompt)
            seen[row, longest - len(prompt) :] = 1
        seen[len(prompts) :, -1] = 1  # rows that only fill the batch see something, too
        left = torch.tensor([*limits, *[0] * (rows - len(prompts))], device=device)
        stops = torch.tensor(list(self.stop_ids), dtype=torch.long, device=device)
        alive = left > 0
        logits = stepper.read(ids.to(device), seen.to(device))
        chosen, logprobs = [], []
        every = STOP_CHECK if device.type == "cuda" else 1
        for n in range(1, most + 1):
            token, logprob = sampled_tokens(logits, temperature, generator)
            token = token.masked_fill(~alive, self.pad_id)
            chosen.append(token)
            logprobs.append(logprob)
            after = alive & (left > n) & (token[:, None] != stops).all(-1)
            if n == most or (n % every == 0 and not bool(after.any())):
                break
            logits = stepper.step(token, alive)
            alive = after
        return [
            self._cut(row[:limit], values)
            for row, values, limit in zip(
                torch.stack(chosen, 1).tolist(), torch.stack(logprobs, 1).tolist(), limits
            )
        ]

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

    def _cut(self, ids: list[int], logprobs: list[float]) -> Completion:
        """What was sampled up to the first stop id."""
        end = next((n for n, token in enumerate(ids, 1) if token in self.stop_ids), None)
        return Completion(ids[:end], logprobs[: end or len(ids)], end is not None)


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
    torch's own generator; log-probabilities are worked out afterwards, by the policy itself.
    """

    own_probabilities = False

    def __init__(self, model: Any, pad_id: int, stop_ids: Sequence[int]) -> None:
        self.model, self.pad_id, self.stop_ids = model, pad_id, stop_ids

    def sync(self) -> None:
        """It is the policy itself."""

    @torch.no_grad()
    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
        """Samples after each prompt."""
        from transformers import GenerationConfig

        seed = torch.randint(2**31, (1,), generator=generator, device=generator.device)
        torch.manual_seed(int(seed))
        limits, temperature = sampling.limits(len(prompts)), sampling.temperature
        drawn = {"temperature": temperature} if temperature else {}
        outputs = self.model.generate_batch(
            inputs=[list(prompt) for prompt in prompts],
            generation_config=GenerationConfig(
                max_new_tokens=max(limits), do_sample=bool(drawn),
                eos_token_id=list(self.stop_ids), pad_token_id=self.pad_id, **drawn,
            ),
            continuous_batching_config=self._pages(prompts, max(limits)),
            progress_bar=False,
        )  # fmt: skip
        return [
            self._judged(prompt, outputs[name].generated_tokens[:limit], temperature)
            for prompt, limit, name in zip(
                prompts, limits, sorted(outputs, key=_number), strict=True
            )
        ]

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

    def _judged(self, prompt: Sequence[int], tokens: list[int], temperature: float) -> Completion:
        ids = torch.tensor([[*prompt, *tokens]], device=self.model.device)
        logprobs, _ = logprobs_of(self.model, ids, torch.ones_like(ids), temperature or 1.0)
        finished = tokens[-1:] != [] and tokens[-1] in self.stop_ids
        return Completion(list(tokens), logprobs[0, len(prompt) - 1 :].tolist(), finished)


def _number(name: str) -> int:
    """The number of a request, in which its name ends."""
    return int(name.rpartition("_")[2])


class Vllm:
    """Samples by vLLM on the same GPU; its weights are overwritten in place.

    Wants ``VLLM_ENABLE_V1_MULTIPROCESSING=0``, so that the model is in this process.
    """

    own_probabilities = True

    def __init__(
        self, model: Any, path: str, stop_ids: Sequence[int], memory_share: float = 0.4
    ) -> None:
        from vllm import LLM

        self.model, self.stop_ids = model, stop_ids
        self.inner = LLM(
            path, gpu_memory_utilization=memory_share, logprobs_mode="processed_logprobs"
        )

    def sync(self) -> None:
        """Hands the weights over."""
        runner = self.inner.llm_engine.model_executor.driver_worker.model_runner
        runner.model.load_weights(self.model.state_dict().items())

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
        """Samples after each prompt."""
        from vllm import SamplingParams

        # Each has a seed of its own, or the rollouts of a group would all be the same.
        seeds = torch.randint(2**31, (len(prompts),), generator=generator, device=generator.device)
        params = [
            SamplingParams(
                max_tokens=limit, temperature=sampling.temperature, logprobs=0, seed=seed,
                stop_token_ids=list(self.stop_ids), detokenize=False,
            )
            for seed, limit in zip(seeds.tolist(), sampling.limits(len(prompts)))
        ]  # fmt: skip
        inputs = [{"prompt_token_ids": list(prompt)} for prompt in prompts]
        outputs = [one.outputs[0] for one in self.inner.generate(inputs, params, use_tqdm=False)]
        return [
            Completion(
                list(one.token_ids),
                [at[token].logprob for at, token in zip(one.logprobs, one.token_ids)],
                one.token_ids[-1] in self.stop_ids,
            )
            for one in outputs
        ]
