"""Rollouts: episodes of the core played by a policy, token in and token out.

What was sampled is appended as it is; of what the task says only what is new is tokenised. So the
ids that are trained on are the ids that were chosen, at whatever boundaries.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import torch

from palaestra.address import Address
from palaestra.episode import Episode, Style
from palaestra.task import Score, Unscored
from palaestra.trainers.grpo.engines import Completion, Engine, Sampling
from palaestra.trainers.grpo.tokens import Tokenizer


@dataclass(slots=True)
class Rollout:
    """An episode as it was played.

    ``ids`` are all tokens, ``sampled`` tells which of them the policy chose, and ``logprobs`` are
    theirs by the engine, 0 elsewhere. ``turns`` are the places in ``ids`` where its replies begin
    and end, ``rewards`` what each reply earned, ``states`` what the policy knew before it.
    """

    address: Address
    ids: list[int]
    sampled: list[bool]
    logprobs: list[float]
    turns: list[tuple[int, int]] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    score: Score | Unscored | None = None
    truncated: bool = False
    """Whether a reply or the whole was cut where the room was at its end."""

    reply: str = ""

    @property
    def value(self) -> float | None:
        """What was earned, or None where it could not be judged."""
        return self.score.value if self.score is not None else 0.0

    @property
    def parts(self) -> Mapping[str, float]:
        """The parts of the score, if it has any."""
        return self.score.parts if isinstance(self.score, Score) else {}

    @property
    def length(self) -> int:
        """How many tokens were sampled."""
        return sum(self.sampled)


Played = tuple[Episode, Rollout]


@dataclass(frozen=True, slots=True)
class Room:
    """How long a reply and a whole episode may get, in tokens, and how many replies it may have."""

    reply: int = 32
    episode: int = 256
    replies: int = 16


class Player:
    """Plays episodes with an engine."""

    def __init__(  # noqa: PLR0913, PLR0917
        self, engine: Engine, tokenizer: Tokenizer, style: Style, room: Room, cohorts: int = 1,
        threads: int = 1,
    ) -> None:  # fmt: skip
        self.engine, self.tokenizer, self.style, self.room = engine, tokenizer, style, room
        self.cohorts = cohorts
        self.listening = ThreadPoolExecutor(cohorts, "listening")
        self.judging = ThreadPoolExecutor(threads, "judging") if threads > 1 else None
        self.judge_s = 0.0
        """What judging has taken, on the clock, summed up over cohorts."""

    def play(
        self, addresses: Sequence[Address], temperature: float, chance: torch.Generator
    ) -> list[Rollout]:
        """An episode for each address. A cohort's episodes are in step; while one cohort is
        judged, the next one samples, so that the environments' time is hidden behind the model's.
        """
        played = [self._opened(address) for address in addresses]
        cohorts = [played[n :: self.cohorts] for n in range(self.cohorts)]
        queue: deque[tuple[list[Played], Future[None] | None]] = deque((c, None) for c in cohorts)
        while queue:
            cohort, heard = queue.popleft()
            if heard is not None:
                heard.result()
            waiting = [one for one in cohort if self._goes_on(*one)]
            if waiting:
                said = self._said(waiting, temperature, chance)
                queue.append((waiting, self.listening.submit(self._hear_all, waiting, said)))
        for episode, rollout in played:
            if rollout.score is None:
                rollout.score = self._result(episode)
        return [rollout for _, rollout in played]

    def _said(
        self, waiting: Sequence[Played], temperature: float, chance: torch.Generator
    ) -> list[Completion]:
        """What the policy says in each episode, cut where there is no room for it."""
        room = [self._room(rollout) for _, rollout in waiting]
        sampling = Sampling(max(room), temperature)
        said = self.engine.generate([rollout.ids for _, rollout in waiting], sampling, chance)
        return [
            Completion(one.ids[:most], one.logprobs[:most], one.finished)
            for one, most in zip(said, room)
        ]

    def _hear_all(self, waiting: Sequence[Played], said: Sequence[Completion]) -> None:
        """Tells the episodes what was said, those of heavy tasks side by side."""
        start = perf_counter()
        futures = []
        for (episode, rollout), reply in zip(waiting, said, strict=True):
            if self.judging is not None and episode.task.heavy:
                futures.append(self.judging.submit(self._hear, episode, rollout, reply))
            else:
                self._hear(episode, rollout, reply)
        for future in futures:
            future.result()
        self.judge_s += perf_counter() - start

    def _opened(self, address: Address) -> tuple[Episode, Rollout]:
        episode = Episode(address.task(), self.style)
        ids = self.tokenizer.opening(episode.messages())
        return episode, Rollout(address, ids, [False] * len(ids), [0.0] * len(ids))

    def _room(self, rollout: Rollout) -> int:
        return min(self.room.reply, self.room.episode - len(rollout.ids))

    def _goes_on(self, episode: Episode, rollout: Rollout) -> bool:
        over = episode.scores is not None or rollout.score is not None
        full = self._room(rollout) < 1 or len(rollout.turns) >= self.room.replies
        rollout.truncated = rollout.truncated or (full and not over)
        return not (over or full)

    def _hear(self, episode: Episode, rollout: Rollout, said: Completion) -> None:
        """Takes a reply in, and what the task says to it."""
        start, ids = len(rollout.ids), said.ids
        rollout.truncated = ids[-1] != self.tokenizer.end
        rollout.reply = self.tokenizer.decode(ids)
        rollout.states.append(episode.turn.state or f"turn {len(rollout.turns)}")
        rollout.turns.append((start, start + len(ids)))
        _append(rollout, ids, True, said.logprobs)
        try:
            rollout.rewards.append(episode.hear(rollout.reply))
        except Exception as fault:  # noqa: BLE001  what could not be judged is no reward of 0
            rollout.score = fault if isinstance(fault, Unscored) else Unscored(repr(fault)[:200])
            rollout.rewards.append(0.0)
            return
        if episode.scores is None:
            told = self.tokenizer.answer(episode.says)
            if len(rollout.ids) + len(told) < self.room.episode:
                _append(rollout, told, False, [0.0] * len(told))
            else:
                rollout.truncated, rollout.score = True, self._result(episode)

    def _result(self, episode: Episode) -> Score | Unscored:
        """The score; heavy tasks are judged in worker processes by those who play them."""
        try:
            return episode.result()
        except Unscored as fault:
            return fault


def _append(rollout: Rollout, ids: list[int], sampled: bool, logprobs: list[float]) -> None:
    rollout.ids += ids
    rollout.sampled += [sampled] * len(ids)
    rollout.logprobs += logprobs


@dataclass(slots=True)
class Batch:
    """Rollouts as tensors of (batch, length), padded at the right: ``mask`` is 1 where a token was
    sampled, ``seen`` where there is one.
    """

    ids: torch.Tensor
    seen: torch.Tensor
    mask: torch.Tensor
    logprobs: torch.Tensor

    @classmethod
    def of(cls, rollouts: Sequence[Rollout], pad: int, device: Any = "cpu") -> "Batch":
        """The tensors of some rollouts."""
        longest = max(len(one.ids) for one in rollouts)
        shape = (len(rollouts), longest)
        ids = torch.full(shape, pad)
        seen, mask = torch.zeros(shape, dtype=torch.long), torch.zeros(shape)
        logprobs = torch.zeros(shape)
        for row, one in enumerate(rollouts):
            size = len(one.ids)
            ids[row, :size] = torch.tensor(one.ids)
            seen[row, :size] = 1
            mask[row, :size] = torch.tensor(one.sampled, dtype=torch.float)
            logprobs[row, :size] = torch.tensor(one.logprobs)
        return cls(*(each.to(device) for each in (ids, seen, mask, logprobs)))
