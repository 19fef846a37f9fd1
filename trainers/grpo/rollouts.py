"""Rollouts: episodes of the core played by a policy, tokens in and tokens out.

What was sampled is appended as it is; of what the task says only what is new is tokenised. So the
ids that are trained on are the ids that were chosen, at whatever boundaries.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from time import perf_counter
from typing import Any

import torch

from palaestra.address import Address
from palaestra.episode import AnswerFormat, Episode
from palaestra.task import JudgeError, Score
from palaestra.trainers.engines import Completion, Engine, Sampling
from palaestra.trainers.models.tokens import Tokenizer
from palaestra.verifiers.sandbox import sandbox


@dataclass(slots=True)
class Rollout:
    """An episode as it was played.

    ``ids`` are all tokens, ``sampled`` tells which of them the policy chose, and ``logprobs`` are
    theirs by the engine, 0 elsewhere. ``turns`` are the spans in ``ids`` of its ``replies``,
    ``rewards`` what each reply earned, which add up to the score, and ``states`` what the policy
    knew before it.
    """

    address: Address
    ids: list[int]
    sampled: list[bool]
    logprobs: list[float]
    turns: list[tuple[int, int]] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    score: Score | JudgeError | None = None
    truncated: bool = False
    """Whether a reply was cut, or the episode before it was over."""

    @property
    def value(self) -> float | None:
        """The score, or None where it could not be judged."""
        return self.score.value if self.score is not None else 0.0

    @property
    def parts(self) -> Mapping[str, float]:
        """The parts of the score, if it has any."""
        return self.score.parts if isinstance(self.score, Score) else {}

    @property
    def reply(self) -> str:
        """The last reply."""
        return self.replies[-1] if self.replies else ""

    @property
    def length(self) -> int:
        """How many tokens were sampled."""
        return sum(self.sampled)

    @property
    def max_reply_length(self) -> int:
        """How many tokens its longest reply has."""
        return max((end - start for start, end in self.turns), default=0)

    def append(self, ids: Sequence[int], logprobs: Sequence[float] | None = None) -> None:
        """Adds tokens: sampled ones with their ``logprobs``, or those of a prompt."""
        self.ids += ids
        self.sampled += [logprobs is not None] * len(ids)
        self.logprobs += [0.0] * len(ids) if logprobs is None else logprobs


Played = tuple[Episode, Rollout]


@dataclass(frozen=True, slots=True)
class Limits:
    """The longest reply and the longest episode, prompt included, in tokens; the most turns."""

    reply: int = 32
    episode: int = 256
    turns: int = 16


class Player:
    """Plays episodes with an engine."""

    def __init__(  # noqa: PLR0913, PLR0917
        self, engine: Engine, tokenizer: Tokenizer, answer_format: AnswerFormat, limits: Limits,
        cohorts: int = 1, threads: int = 1,
    ) -> None:  # fmt: skip
        self.engine, self.tokenizer, self.answer_format, self.limits = (
            engine,
            tokenizer,
            answer_format,
            limits,
        )
        self.cohorts = cohorts
        self.environments = ThreadPoolExecutor(cohorts, "environments")
        self.threads = threads
        self.judge_s = 0.0
        """Seconds that judging has taken, summed up over cohorts."""

    @cached_property
    def judges(self) -> ThreadPoolExecutor:
        """Threads for heavy tasks: as many as the sandbox has use for, since a program that sleeps
        holds its thread and not its place there.
        """
        return ThreadPoolExecutor(max(self.threads, sandbox().callers), "judges")

    def play(
        self, addresses: Sequence[Address], temperature: float, generator: torch.Generator
    ) -> list[Rollout]:
        """An episode for each address. A cohort's episodes are in step; while one cohort is
        judged, the next one samples, so that the environments' time is hidden behind the model's.
        """
        played = [self._opened(address) for address in addresses]
        queue: deque[tuple[list[Played], Future[None] | None]] = deque(
            (played[n :: self.cohorts], None) for n in range(self.cohorts)
        )
        while queue:
            cohort, judged = queue.popleft()
            if judged is not None:
                judged.result()
            active = [one for one in cohort if self._continues(*one)]
            if active:
                completions = self._sample(active, temperature, generator)
                queue.append((active, self.environments.submit(self._answer, active, completions)))
        for episode, rollout in played:
            _finish(episode, rollout)
        return [rollout for _, rollout in played]

    def _opened(self, address: Address) -> Played:
        episode = Episode(address.task(), self.answer_format)
        rollout = Rollout(address, [], [], [])
        rollout.append(self.tokenizer.encode_prompt(episode.messages()))
        return episode, rollout

    def _tokens_left(self, rollout: Rollout) -> int:
        return min(self.limits.reply, self.limits.episode - len(rollout.ids))

    def _continues(self, episode: Episode, rollout: Rollout) -> bool:
        over = episode.scores is not None or rollout.score is not None
        full = self._tokens_left(rollout) < 1 or len(rollout.turns) >= self.limits.turns
        rollout.truncated = rollout.truncated or (full and not over)
        return not (over or full)

    def _sample(
        self, active: Sequence[Played], temperature: float, generator: torch.Generator
    ) -> list[Completion]:
        limits = [self._tokens_left(rollout) for _, rollout in active]
        prompts = [rollout.ids for _, rollout in active]
        return self.engine.generate(prompts, Sampling(limits, temperature), generator)

    def _answer(self, active: Sequence[Played], completions: Sequence[Completion]) -> None:
        """Hands replies to their episodes: first those of heavy tasks, which are judged side by
        side while the others are.
        """
        start = perf_counter()
        turns = [(*one, reply) for one, reply in zip(active, completions, strict=True)]
        futures = [self.judges.submit(self._reply, *one) for one in turns if one[0].task.expensive]
        for one in turns:
            if not one[0].task.expensive:
                self._reply(*one)
        for future in futures:
            future.result()
        self.judge_s += perf_counter() - start

    def _reply(self, episode: Episode, rollout: Rollout, completion: Completion) -> None:
        """Takes a reply, and what the task says to it."""
        start, ids = len(rollout.ids), completion.ids
        rollout.truncated = not completion.finished
        rollout.replies.append(self.tokenizer.decode(ids))
        rollout.states.append(episode.turn.state or f"turn {len(rollout.turns)}")
        rollout.turns.append((start, start + len(ids)))
        rollout.append(ids, completion.logprobs)
        try:
            rollout.rewards.append(episode.step(rollout.reply))
        except Exception as fault:  # noqa: BLE001  what could not be judged is no reward of 0
            rollout.score = (
                fault if isinstance(fault, JudgeError) else JudgeError(repr(fault)[:200])
            )
            rollout.rewards.append(0.0)
            return
        if episode.scores is None:
            observation = self.tokenizer.encode_observation(episode.observation, ids)
            if len(rollout.ids) + len(observation) < self.limits.episode:
                rollout.append(observation)
            else:
                rollout.truncated = True
                _finish(episode, rollout)


def _finish(episode: Episode, rollout: Rollout) -> None:
    """Sets the score, and gives the last reply what the score is above the rewards so far: an
    episode that is cut may be worth more or less than its turns were.
    """
    if rollout.score is not None:
        return
    try:
        rollout.score = episode.result()
    except JudgeError as fault:
        rollout.score = fault
        return
    if rollout.rewards:
        rollout.rewards[-1] += rollout.score.value - fsum(rollout.rewards)


@dataclass(slots=True)
class Batch:
    """Rollouts as tensors of (batch, length), padded at the right: ``mask`` is 1 where a token was
    sampled, ``attention_mask`` where there is one.
    """

    ids: torch.Tensor
    attention_mask: torch.Tensor
    mask: torch.Tensor
    logprobs: torch.Tensor

    @classmethod
    def of(cls, rollouts: Sequence[Rollout], pad_id: int, device: Any = "cpu") -> "Batch":
        """The tensors of some rollouts."""
        shape = (len(rollouts), max(len(one.ids) for one in rollouts))
        ids = torch.full(shape, pad_id)
        attention_mask, mask = torch.zeros(shape, dtype=torch.long), torch.zeros(shape)
        logprobs = torch.zeros(shape)
        for row, one in enumerate(rollouts):
            size = len(one.ids)
            ids[row, :size] = torch.tensor(one.ids)
            attention_mask[row, :size] = 1
            mask[row, :size] = torch.tensor(one.sampled, dtype=torch.float)
            logprobs[row, :size] = torch.tensor(one.logprobs)
        return cls(*(each.to(device) for each in (ids, attention_mask, mask, logprobs)))

    def microbatches(self, rows: Sequence[int], tokens: int) -> Iterator[tuple[list[int], int]]:
        """Parts of some rows, each with the length of its longest one: at most ``tokens`` of them
        with padding, or one row. The longest come first, so that memory runs out at once or never.
        """
        lengths = self.attention_mask.sum(-1).tolist()
        part: list[int] = []
        for row in sorted(rows, key=lambda row: -lengths[row]):
            if part and (len(part) + 1) * lengths[part[0]] > tokens:
                yield part, lengths[part[0]]
                part = []
            part.append(row)
        if part:
            yield part, lengths[part[0]]
