"""What all engines have in common."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol

import torch
from torch import nn

from palaestra.trainers.models.decoder import Decoder


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
        """The limit of each of so many prompts; ``ValueError`` for another number of them."""
        limit = self.max_tokens
        limits = [limit] * prompts if isinstance(limit, int) else list(limit)
        if len(limits) != prompts or min(limits, default=1) < 1:
            raise ValueError(f"{prompts} prompts want as many limits of at least one token")
        return limits


class Engine(Protocol):
    """What samples."""

    own_probabilities: bool
    """Whether it computes with other numbers than the trainer, so that importance is corrected."""

    def sync(self) -> None:
        """Takes the policy's weights over as they are now, and forgets what it read before."""

    def sleep(self) -> None:
        """Gives back memory that only sampling needs, before learning; :meth:`sync` wakes it."""

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: Sampling, generator: torch.Generator
    ) -> list[Completion]:
        """Samples after each prompt."""


class Replica:
    """The policy itself where it has the ``dtype`` that is sampled with, or else a copy of it."""

    def __init__(self, policy: Any, dtype: str) -> None:
        same = next(policy.parameters()).dtype == getattr(torch, dtype)
        self.policy = policy
        self.model = policy if same else deepcopy(policy).to(getattr(torch, dtype))

    @torch.no_grad()
    def sync(self) -> None:
        """Copies the weights where they are not the same; graphs go on reading from there."""
        if self.model is not self.policy:
            for mine, theirs in zip(self.model.parameters(), self.policy.parameters(), strict=True):
                mine.copy_(theirs)


def default_engine(device: str, model: nn.Module) -> str:
    """The engine by name: on a GPU vLLM where it is installed and the paged one otherwise, static
    on a CPU and for our own decoder.
    """
    if not device.startswith("cuda") or isinstance(model, Decoder):
        return "static"
    return "vllm" if find_spec("vllm") else "paged"
