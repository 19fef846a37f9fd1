"""Matches in which the policy plays all seats: a rollout for each seat of each match."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import torch

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.task import JudgeError, Match, Score
from palaestra.trainers.engines import Completion
from palaestra.trainers.grpo.rollouts import Player, Rollout
from palaestra.trainers.self_play import chat


@dataclass(slots=True)
class Table:
    """A match in progress, with the rollout of each seat."""

    episode: Episode
    rollouts: list[Rollout]
    full: bool = False
    """Whether the match ended at a limit of tokens or turns."""

    @property
    def active(self) -> bool:
        """Whether a seat is to move."""
        failed = any(isinstance(one.score, JudgeError) for one in self.rollouts)
        return self.episode.scores is None and not self.full and not failed

    @property
    def mover(self) -> Rollout:
        """The rollout of the seat to move."""
        return self.rollouts[self.episode.player]


class SelfPlayer(Player):
    """Plays matches with an engine that moves for all seats.

    The seats of a match see their own observations and replies alone. A match ends at the limits of
    any of its seats.
    """

    def play(
        self, addresses: Sequence[Address], temperature: float, generator: torch.Generator
    ) -> list[Rollout]:
        """Play a match for each address; the rollouts of its seats follow one another.

        Raises ``ValueError`` for a task that is no match.
        """
        tables = [self._table(address) for address in addresses]
        active = self._continued(tables)
        while active:
            movers = [(table.episode, table.mover) for table in active]
            completions = self._sample(movers, temperature, generator)
            self._answer(movers, completions)
            active = self._continued(active)
        for table in tables:
            self._finish(table)
        return [rollout for table in tables for rollout in table.rollouts]

    def _table(self, address: Address) -> Table:
        task = address.task()
        if not isinstance(task, Match):
            raise ValueError(f"{address.env} is no match; self_play is for matches")  # noqa: TRY004
        episode = Episode(task, self.answer_format, seats=range(task.players))
        return Table(episode, [Rollout(address, [], [], [], seat=n) for n in range(task.players)])

    def _continued(self, tables: Sequence[Table]) -> list[Table]:
        """The matches that go on, after their movers have read their observations."""
        active = [table for table in tables if table.active]
        for table in active:
            table.full = not self._observe(table)
        return [table for table in active if table.active]

    def _observe(self, table: Table) -> bool:
        """Append the observation of the seat to move; whether there is room for a reply."""
        mover = table.mover
        opening = chat(table.episode, table.episode.player)
        if mover.ids:
            start, end = mover.turns[-1]
            text = opening[-1]["content"]
            observation = self.tokenizer.encode_observation(text, mover.ids[start:end])
        else:
            observation = self.tokenizer.encode_prompt(opening)
        if len(mover.ids) + len(observation) >= self.limits.episode:
            return False
        mover.append(observation)
        return len(mover.turns) < self.limits.turns

    def _reply(self, episode: Episode, rollout: Rollout, completion: Completion) -> None:
        """Append a reply; the next observation is read when the seat is to move again."""
        self._step(episode, rollout, completion)

    def _finish(self, table: Table) -> None:
        """Set the score of each seat, whose rewards add up to it. A seat that never moved has an
        empty prompt and its score.
        """
        for rollout in table.rollouts:
            if not rollout.ids:
                rollout.append(self.tokenizer.encode_prompt([{"role": "user", "content": ""}]))
            rollout.truncated = rollout.truncated or table.full
            rollout.score = _score_of(table, rollout)
            if rollout.rewards and isinstance(rollout.score, Score):
                rollout.rewards[-1] += rollout.score.value - fsum(rollout.rewards)


def _score_of(table: Table, rollout: Rollout) -> Score | JudgeError:
    """The score of a seat. If the judge failed, no seat has one."""
    for each in table.rollouts:
        if isinstance(each.score, JudgeError):
            return each.score
    if table.episode.scores is None or rollout.seat is None:
        return Score(0, "the match was stopped before its end", status="no_answer")
    return table.episode.scores[rollout.seat]
