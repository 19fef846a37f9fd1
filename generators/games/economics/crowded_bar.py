"""The El Farol bar problem with visitors of stated rules: an evening is good if few are there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from palaestra.generators.games.economics.stated_players import (
    LETTERS,
    Moves,
    Rule,
    State,
    StatedPlayers,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import action

STAY, GO = 0, 1
NAMES = ("stay", "go")
SYNONYMS = {
    "go": ("going", "go there", "go out", "go to the bar", "visit", "visit the bar", "attend"),
    "stay": ("staying", "stay home", "stay at home", "stay away", "home", "not go", "don t go"),
}

Goes = Callable[[int, int, Moves, Moves], bool]
"""Whether a visitor goes by a rule with a number, who sits at a seat, after the round before the
previous one and the previous one.
"""

GOES: Mapping[str, Goes] = {
    "few": lambda number, seat, early, last: sum(last) <= number,
    "many": lambda number, seat, early, last: sum(last) >= number,
    "few before": lambda number, seat, early, last: sum(early) <= number,
    "few in both": lambda number, seat, early, last: sum(early) + sum(last) <= number,
    "fewer": lambda number, seat, early, last: sum(last) < sum(early),
    "more": lambda number, seat, early, last: sum(last) > sum(early),
    "copy": lambda number, seat, early, last: last[0] == GO,
    "late copy": lambda number, seat, early, last: early[0] == GO,
    "opposite": lambda number, seat, early, last: last[0] == STAY,
    "alternate": lambda number, seat, early, last: last[seat] == STAY,
    "habit": lambda number, seat, early, last: (last[seat] == GO) == (sum(last) <= number),
    "rest": lambda number, seat, early, last: not last[seat] and not early[seat],
    "follow": lambda number, seat, early, last: last[seat - 1] == GO,
    "avoid": lambda number, seat, early, last: last[seat - 1] == STAY,
}
"""The rules that visitors follow, by name."""

NUMBERED = ("few", "many", "few before", "few in both", "habit")
"""The rules with a number of people."""


@dataclass(frozen=True)
class CrowdedBar(StatedPlayers):
    """Go to the bar, or stay at home."""

    seats: int
    """How many people may be there for a good evening."""
    good: int
    crowded: int
    home: tuple[int, ...]
    """The points of an evening at a bar that is not crowded, at one that is, and at home in each
    week.
    """

    memory = 2
    round_name = "week"

    def choices(self) -> range:
        return range(2)

    def reply(self, rule: Rule, seat: int, recent: Sequence[Moves]) -> int:
        name, number = rule
        early, last = recent
        return int(GOES[name](number, seat, early, last))

    def gain(self, left: int, moves: Moves) -> int:
        if moves[0] == STAY:
            return self.home[-left]
        return self.good if sum(moves) <= self.seats else self.crowded

    def name(self, state: State, move: int) -> str:
        return NAMES[move]

    def read(self, state: State, text: str) -> int:
        try:
            return NAMES.index(action(text, SYNONYMS))
        except InvalidAnswer:
            raise InvalidAnswer("expected 'go' or 'stay'") from None

    def in_words(self, moves: Moves) -> str:
        there = [name for name, move in zip(("you", *LETTERS), moves) if move]
        return f"{', '.join(there) or 'nobody'} at the bar ({len(there)} of {len(moves)})"
