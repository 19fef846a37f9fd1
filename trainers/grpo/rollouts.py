"""Rollouts: episodes that a policy plays, with token ids in and out.

Sampled ids are appended as they are, and only new observations are tokenised. The trainer therefore
trains on exactly the ids that the policy sampled.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum, isnan
from statistics import fmean
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
    """A finished or truncated episode.

    ``ids`` are all tokens, ``sampled`` marks those of the policy, and ``logprobs`` are their
    log-probabilities by the engine, 0 elsewhere. ``turns`` are the spans of the ``replies`` in
    ``ids``, ``rewards`` the rewards of the replies, which add up to the score, and ``states`` the
    canonical states before them.
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
    """Whether a reply is truncated, or the episode ended at a limit."""

    seat: int | None = None
    """The seat in a match whose seats are all played by the policy; else None."""

    @property
    def value(self) -> float | None:
        """The score, or None if there is none."""
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
        """Number of sampled tokens."""
        return sum(self.sampled)

    @property
    def max_reply_length(self) -> int:
        """Number of tokens of the longest reply."""
        return max((end - start for start, end in self.turns), default=0)

    def append(self, ids: Sequence[int], logprobs: Sequence[float] | None = None) -> None:
        """Append sampled tokens with their ``logprobs``, or tokens of a prompt without."""
        self.ids += ids
        self.sampled += [logprobs is not None] * len(ids)
        self.logprobs += [0.0] * len(ids) if logprobs is None else logprobs


@dataclass(slots=True)
class Group:
    """Rollouts of one task and their rewards, which are NaN where there is no score."""

    rollouts: list[Rollout]
    rewards: list[float]

    @property
    def score(self) -> float | None:
        """The mean of the scores, None if there is none."""
        scores = [one.value for one in self.rollouts if one.value is not None]
        return fmean(scores) if scores else None

    @property
    def spread(self) -> float:
        """The largest difference of two rewards."""
        rewards = [reward for reward in self.rewards if not isnan(reward)]
        return max(rewards) - min(rewards) if rewards else 0.0


Played = tuple[Episode, Rollout]


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum tokens of a reply and of an episode with its prompt, and maximum turns."""

    reply: int = 32
    episode: int = 256
    turns: int = 16


class Player:
    """Plays episodes with an engine."""

    def __init__(  # noqa: PLR0913, PLR0917
        self, engine: Engine, tokenizer: Tokenizer, answer_format: AnswerFormat, limits: Limits,
        cohorts: int = 1, threads: int = 1,
    ) -> None:  # fmt: skip
        self.engine, self.tokenizer = engine, tokenizer
        self.answer_format, self.limits = answer_format, limits
        self.cohorts, self.threads = cohorts, threads
        self.environments = ThreadPoolExecutor(cohorts, "environments")
        self.judge_s = 0.0
        """Seconds of judging, summed over cohorts."""

    @cached_property
    def judges(self) -> ThreadPoolExecutor:
        """Threads for expensive tasks, as many as the sandbox can use.

        A program that sleeps occupies its thread, but not its slot in the sandbox.
        """
        return ThreadPoolExecutor(max(self.threads, sandbox().callers), "judges")

    def play(
        self, addresses: Sequence[Address], temperature: float, generator: torch.Generator
    ) -> list[Rollout]:
        """Play an episode for each address.

        The episodes of a cohort take their turns together. While one cohort is judged, the next
        one samples, so that judging costs little time.
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
        """Pass replies to their episodes; those of expensive tasks are judged in parallel."""
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
        """Append a reply and the next observation."""
        if not self._step(episode, rollout, completion) or episode.scores is not None:
            return
        observation = self.tokenizer.encode_observation(episode.observation, completion.ids)
        if len(rollout.ids) + len(observation) < self.limits.episode:
            rollout.append(observation)
        else:
            rollout.truncated = True
            _finish(episode, rollout)

    def _step(self, episode: Episode, rollout: Rollout, completion: Completion) -> bool:
        """Append a reply and pass it to its episode; whether the judge did not fail."""
        start, ids = len(rollout.ids), completion.ids
        rollout.truncated = not completion.finished
        rollout.replies.append(self.tokenizer.decode(ids))
        rollout.states.append(episode.turn.state or f"turn {len(rollout.turns)}")
        rollout.turns.append((start, start + len(ids)))
        rollout.append(ids, completion.logprobs)
        try:
            rollout.rewards.append(episode.step(rollout.reply))
        except Exception as fault:  # noqa: BLE001  an error of ours is no reward of 0
            rollout.score = (
                fault if isinstance(fault, JudgeError) else JudgeError(repr(fault)[:200])
            )
            rollout.rewards.append(0.0)
            return False
        return True


def _finish(episode: Episode, rollout: Rollout) -> None:
    """Set the score, and add its difference to the sum of the rewards to the last reply.

    The score of a truncated episode may be above or below that sum.
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
    """Rollouts as tensors, (batch, length), padded at the right.

    ``mask`` is 1 at sampled tokens, ``attention_mask`` at all tokens.
    """

    ids: torch.Tensor
    attention_mask: torch.Tensor
    mask: torch.Tensor
    logprobs: torch.Tensor

    @classmethod
    def of(cls, rollouts: Sequence[Rollout], pad_id: int, device: Any = "cpu") -> "Batch":
        """Return the tensors of some rollouts."""
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
        """Divide some rows into parts, each with the length of its longest row.

        A part has at most ``tokens`` tokens with padding, or one row. The longest rows come first,
        so that a shortage of memory shows at once.
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
