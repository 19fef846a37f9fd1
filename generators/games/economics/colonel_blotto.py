"""The rules of a Colonel Blotto game of several battles against a known mixed strategy."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

NOTHING_YET = ()

_BETWEEN_DIGITS = re.compile(r"(?<=\d)[-/|](?=\d)", re.ASCII)

Allocation = tuple[int, ...]
"""The troops on each field."""


class State(NamedTuple):
    """The values of the fields in each battle to come, the troops left, the allocation in the
    battle in progress, or nothing, and the points so far.
    """

    battles: tuple[tuple[int, ...], ...]
    troops: int
    sent: Allocation
    points: int


@lru_cache(maxsize=64)
def allocations(troops: int, fields: int) -> tuple[Allocation, ...]:
    """All ways to send at most so many troops to so many fields.

    >>> allocations(1, 2)
    ((0, 0), (0, 1), (1, 0))
    """
    if not fields:
        return ((),)
    return tuple(
        (first, *rest)
        for first in range(troops + 1)
        for rest in allocations(troops - first, fields - 1)
    )


@dataclass(frozen=True)
class ColonelBlotto(ChanceRules[State, Allocation]):
    """Send troops to fields in several battles.

    A chance event is the allocation of the opponent.
    """

    table: tuple[tuple[Allocation, int], ...]
    """The allocations of the opponent, each with its probability in percent."""
    state_type = State

    def legal(self, state: State) -> Sequence[Allocation]:
        if state.sent or not state.battles:
            return ()
        return allocations(state.troops, len(state.battles[0]))

    def chances(self, state: State) -> Sequence[tuple[Allocation, float]]:
        return [(row, weight / 100) for row, weight in self.table] if state.sent else ()

    def apply(self, state: State, move: Allocation) -> State:
        battles, troops, sent, points = state
        if not sent:
            return State(battles, troops, move, points)
        values = battles[0]
        won = [value for value, mine, other in zip(values, sent, move) if mine > other]
        return State(battles[1:], troops - sum(sent) + len(won), NOTHING_YET, points + sum(won))

    def payoff(self, state: State) -> float:
        return float(state.points + state.troops)

    def solved(self, state: State) -> float:
        solver = _solver(self)
        if state.sent:
            return state.points + solver.after(state.battles, state.troops, state.sent)
        return state.points + solver.value(state.battles, state.troops)

    def name(self, state: State, move: Allocation) -> str:
        return f"send {' '.join(map(str, move))}"

    def read(self, state: State, text: str) -> Allocation:
        fields = len(state.battles[0])
        words = _BETWEEN_DIGITS.sub(" ", phrase(text)).replace(" and ", " ").split()
        if words and words[0] in {"send", "allocate", "put"}:
            del words[0]
        if len(words) == 2 * fields and words[::2] == [letter(n).lower() for n in range(fields)]:
            words = words[1::2]
        if len(words) != fields or not all(
            word.isascii() and word.isdecimal() and len(word) < 7 for word in words
        ):
            raise InvalidAnswer(f"expected 'send' and {fields} numbers, one for each field")
        sent = tuple(map(int, words))
        if sum(sent) > state.troops:
            raise InvalidAnswer(f"{sum(sent)} troops are more than the {state.troops} left")
        return sent

    def show(self, state: State) -> str:
        battles = "\n".join(
            f"{'Next battle' if n == 0 else 'Later battle'}: {_fields(values)}"
            for n, values in enumerate(state.battles)
        )
        return f"{battles}\nTroops left: {state.troops}\nPoints so far: {state.points}"

    def news(self, state: State, event: Allocation) -> str:
        won = [
            letter(n)
            for n, (mine, other) in enumerate(zip(state.sent, event, strict=True))
            if mine > other
        ]
        fields = ", ".join(won) or "none"
        return f"The opponent sends {' '.join(map(str, event))}. You win these fields: {fields}."

    def end(self, state: State) -> str:
        return (
            f"You have {state.points} points from fields and {state.troops} troops left, together "
            f"{state.points + state.troops}."
        )

    def scene(self, state: State) -> Table:
        rows = tuple(tuple(Cell(str(value)) for value in values) for values in state.battles)
        fields = len(self.table[0][0])
        troops = (Cell(str(state.troops)), *[Cell()] * (fields - 1))
        names = tuple(f"Battle {n}" for n in range(1, len(rows) + 1))
        top = tuple(f"Field {letter(n)}" for n in range(fields))
        return Table((*rows, troops), top=top, left=(*names, "Troops"))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Allocation]]:
        likely = max(self.table, key=lambda row: row[1])[0]
        fields = len(likely)
        mean = [sum(row[n] * weight for row, weight in self.table) / 100 for n in range(fields)]
        most = [max(row[n] for row, _ in self.table) for n in range(fields)]
        return {
            "an equal number on each field": lambda state, rng: (
                (state.troops // len(state.battles) // fields,) * fields
            ),
            "in proportion to the values": lambda state, rng: _shares(state),
            "against the likeliest allocation": lambda state, rng: _above(state, likely),
            "more than the opponent on average": lambda state, rng: _above(state, mean),
            "more than the opponent ever sends": lambda state, rng: _above(state, most),
            "the best for this battle alone": lambda state, rng: _solver(self).best(
                state.battles[:1], state.troops
            ),
        }


def letter(number: int) -> str:
    """The name of a field.

    >>> letter(1)
    'B'
    """
    return "ABCDEFGH"[number]


def _fields(values: Sequence[int]) -> str:
    return ", ".join(f"field {letter(n)} {value}" for n, value in enumerate(values))


def _shares(state: State) -> Allocation:
    """This battle's share of the troops, in proportion to the values of its fields."""
    values, troops = state.battles[0], state.troops // len(state.battles)
    return tuple(troops * value // sum(values) for value in values)


def _above(state: State, numbers: Sequence[float]) -> Allocation:
    """One more than so many troops on each field that is worth it, the best ratio first."""
    values, left = state.battles[0], state.troops
    sent = [0] * len(values)
    for field in sorted(range(len(values)), key=lambda n: numbers[n] / values[n]):
        need = int(numbers[field]) + 1
        if need <= left and need <= values[field]:
            sent[field] = need
            left -= need
    return tuple(sent)


class Solver:
    """The greatest expected points in the battles to come, with the troops left at the end."""

    def __init__(self, rules: ColonelBlotto) -> None:
        self.table = rules.table
        self._values: dict[tuple[tuple[tuple[int, ...], ...], int], float] = {}
        # More troops than one above a number that the opponent sends are wasted.
        fields = range(len(rules.table[0][0]))
        self._useful = [{0, *(row[n] + 1 for row, _ in rules.table)} for n in fields]

    def value(self, battles: tuple[tuple[int, ...], ...], troops: int) -> float:
        """The expected points of the best allocations."""
        if not battles:
            return float(troops)
        key = battles, troops
        if key not in self._values:
            self._values[key] = max(
                self.after(battles, troops, sent) for sent in self._candidates(troops)
            )
        return self._values[key]

    def after(self, battles: tuple[tuple[int, ...], ...], troops: int, sent: Allocation) -> float:
        """The expected points of an allocation, with the best ones afterwards."""
        total, left = 0.0, troops - sum(sent)
        for row, weight in self.table:
            won = [value for value, a, b in zip(battles[0], sent, row) if a > b]
            total += weight * (sum(won) + self.value(battles[1:], left + len(won)))
        return total / 100

    def best(self, battles: tuple[tuple[int, ...], ...], troops: int) -> Allocation:
        """The first of the best allocations."""
        return max(self._candidates(troops), key=lambda sent: self.after(battles, troops, sent))

    def _candidates(self, troops: int) -> Iterator[Allocation]:
        chosen: list[Allocation] = [()]
        for numbers in self._useful:
            chosen = [
                (*each, number)
                for each in chosen
                for number in sorted(numbers)
                if sum(each) + number <= troops
            ]
        return iter(chosen)


@lru_cache(maxsize=16)
def _solver(rules: ColonelBlotto) -> Solver:
    return Solver(rules)
