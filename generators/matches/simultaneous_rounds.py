"""Matches of rounds in which both players move at the same time, in turns of one move each.

The protocol asks one player after the other: player 0 first. What player 0 has chosen stays hidden
until player 1 has moved as well.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from palaestra.generators.matches.hidden_information import HiddenRules


class SimultaneousRounds:
    """A match in progress. The player at a seat has its number in every round."""

    def __init__(
        self,
        rules: HiddenRules[Any, Any],
        starts: Sequence[Any],
        luck: Sequence[int],
        name: str,
        report: str = "You chose: {}. Your opponent chose: {}.",
    ) -> None:
        self.rules = rules
        self.starts = starts
        self.luck = luck
        self.name = name
        """What a round is called."""
        self.report = report
        """The sentence after a turn, with slots for the reader's move and the other one."""
        self.number = 0
        self.turn = 0
        self.result = 0.0
        """What player 0 has won so far, in all rounds that are over."""
        self.news: list[list[str]] = [[], []]
        """Sentences for each seat that it has not read yet."""
        self.state: Any = None
        self._first: Any = None
        self._begin()

    @property
    def over(self) -> bool:
        """Whether all rounds have been played."""
        return self.number == len(self.starts)

    @property
    def mover(self) -> int:
        """The seat of the player to move."""
        return self.rules.player(self.state)

    def source(self) -> Random:
        """The source of a player's choice, which does not depend on the moves of this turn."""
        return Random(f"{self.luck[self.number]} {self.turn}")

    def move(self, move: Any) -> None:
        """Make a legal move; after that of player 1, report both, and play on."""
        if self.mover == 0:
            self._first = self.rules.name(self.state, move)
        else:
            second = self.rules.name(self.state, move)
            self._report(0, self._first, second)
            self._report(1, second, self._first)
            self.turn += 1
        self.state = self.rules.apply(self.state, move)
        self._settle()

    def _report(self, seat: int, mine: str, theirs: str) -> None:
        self.news[seat].append(self.report.format(mine, theirs))

    def _begin(self) -> None:
        self.state, self.turn = self.starts[self.number], 0
        if len(self.starts) > 1:
            for news in self.news:
                news.append(f"{self.name.capitalize()} {self.number + 1} of {len(self.starts)}.")

    def _settle(self) -> None:
        outcome = self.rules.outcome(self.state)
        if outcome is None:
            return
        self.result += outcome
        for seat, news in enumerate(self.news):
            news.append(self.rules.end(self.state, seat))
        self.number += 1
        if not self.over:
            self._begin()
