"""Sampling: token ids in, token ids and their log-probabilities out.

One loop serves every model: it reads the prompts at once and then a token at a time, with a static
cache. On a GPU the step is recorded once as a CUDA graph and replayed. Where vLLM is installed, it
can take its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from palaestra.trainers.grpo.model import Cache, Decoder


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

    def generate(
        self, prompts: Sequence[Sequence[int]], how: Sampling, chance: torch.Generator
    ) -> list[Sampled]:
        """Samples after each prompt."""


class Stepper(Protocol):
    """A model in the middle of reading: gives the logits (batch, vocabulary) after the last ids."""

    def read(self, ids: Tensor, seen: Tensor) -> Tensor:
        """Reads the prompts, which are padded at the left."""

    def step(self, ids: Tensor, seen: Tensor) -> Tensor:
        """Reads one more token of each."""


class OwnStepper:
    """Our decoder with its cache."""

    def __init__(self, model: Decoder, batch: int, length: int) -> None:
        self.model = model
        self.cache = Cache(model.shape, batch, length, model.embed.weight)

    def read(self, ids: Tensor, seen: Tensor) -> Tensor:
        """The logits after the prompts."""
        return self.model(ids, seen, self.cache)[:, -1]

    def step(self, ids: Tensor, seen: Tensor) -> Tensor:
        """The logits after one more token."""
        return self.model(ids[:, None], seen, self.cache)[:, -1]


class PretrainedStepper:
    """A Hugging Face model with a static cache; on a GPU its step is a CUDA graph."""

    def __init__(self, model: Any, batch: int, length: int) -> None:
        from transformers import StaticCache

        self.model, self.device = model, next(model.parameters()).device
        self.cache = StaticCache(config=model.config, max_cache_len=length)
        self.length, self.batch = length, batch
        self.graph: Any = None

    def read(self, ids: Tensor, seen: Tensor) -> Tensor:
        """The logits after the prompts."""
        self.at = ids.shape[1]
        self.seen = ids.new_zeros(self.batch, self.length)
        self.seen[:, : self.at] = seen
        positions = (seen.cumsum(-1) - 1).clamp(min=0)
        places = torch.arange(self.at, device=self.device)
        return self._logits(ids, positions, places)

    def step(self, ids: Tensor, seen: Tensor) -> Tensor:
        """The logits after one more token."""
        self.seen[:, self.at] = seen[:, -1]
        positions = (self.seen.sum(-1, keepdim=True) - 1).clamp(min=0)
        places = torch.full((1,), self.at, device=self.device)
        self.at += 1
        if self.device.type != "cuda":
            return self._logits(ids[:, None], positions, places)
        return self._replayed(ids[:, None], positions, places)

    def _logits(self, ids: Tensor, positions: Tensor, places: Tensor) -> Tensor:
        told = self.model(
            input_ids=ids, attention_mask=self.seen, position_ids=positions,
            cache_position=places, past_key_values=self.cache, use_cache=True, logits_to_keep=1,
        )  # fmt: skip
        return told.logits[:, -1].float()

    def _replayed(self, ids: Tensor, positions: Tensor, places: Tensor) -> Tensor:
        """Recorded on the first step, and replayed with other numbers in the same places."""
        if self.graph is None:
            self.given = (ids.clone(), positions.clone(), places.clone())
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                self._logits(*self.given)
            torch.cuda.current_stream().wait_stream(side)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.out = self._logits(*self.given)
        for held, new in zip(self.given, (ids, positions, places), strict=True):
            held.copy_(new)
        self.graph.replay()
        return self.out


class Plain:
    """Samples with the policy itself, a batch at a time."""

    def __init__(self, model: nn.Module, pad: int, end: int, batch: int = 256) -> None:
        self.model, self.pad, self.end, self.batch = model, pad, end, batch

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
        device = next(self.model.parameters()).device
        longest, number = max(map(len, prompts)), len(prompts)
        ids = torch.full((number, longest), self.pad)
        seen = torch.zeros(number, longest + how.tokens, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, longest - len(prompt) :] = torch.tensor(prompt)
            seen[row, longest - len(prompt) : longest] = 1
        ids, seen = ids.to(device), seen.to(device)
        stepper = self._stepper(number, longest + how.tokens)
        logits = stepper.read(ids, seen[:, :longest])
        chosen, told = [], []
        done = torch.zeros(number, dtype=torch.bool, device=device)
        for n in range(how.tokens):
            token, logprob = picked(logits, how.temperature, chance)
            token = token.masked_fill(done, self.pad)
            chosen.append(token)
            told.append(logprob)
            seen[:, longest + n] = ~done
            done = done | (token == self.end)
            if n + 1 == how.tokens or bool(done.all()):
                break
            logits = stepper.step(token, seen[:, : longest + n + 1])
        return self._cut(torch.stack(chosen, 1), torch.stack(told, 1))

    def _stepper(self, batch: int, length: int) -> Stepper:
        if isinstance(self.model, Decoder):
            return OwnStepper(self.model, batch, length)
        return PretrainedStepper(self.model, batch, length)

    def _cut(self, ids: Tensor, logprobs: Tensor) -> list[Sampled]:
        rows = []
        for row, told in zip(ids.tolist(), logprobs.tolist()):
            ended = self.end in row
            length = row.index(self.end) + 1 if ended else len(row)
            rows.append(Sampled(row[:length], told[:length], ended))
        return rows


def picked(logits: Tensor, temperature: float, chance: torch.Generator) -> tuple[Tensor, Tensor]:
    """A token of each row, and its log-probability at that temperature."""
    if temperature == 0:
        told = logits.float().log_softmax(-1)
        token = told.argmax(-1)
    else:
        told = (logits.float() / temperature).log_softmax(-1)
        token = torch.multinomial(told.exp(), 1, generator=chance).squeeze(-1)
    return token, told.gather(-1, token[:, None]).squeeze(-1)
