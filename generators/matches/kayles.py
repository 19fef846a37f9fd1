"""The rules of Kayles, with pins as bits, row by row from the top left.

The values of rows are those of Richard Guy and Cedric Smith, "The G-values of various games"
(1956).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from itertools import groupby
from operator import xor
from typing import NamedTuple

from palaestra.generators.matches.impartial import Impartial
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    name_of,
)
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.kayles import pins

PIN = {"I": Cell(mark="disc", tone="c3"), ".": Cell()}


class State(NamedTuple):
    """The pins that stand, and whose turn it is."""

    pins: int
    turn: int


@dataclass(frozen=True)
class Kayles(Impartial[State, int]):
    """Kayles with rows of pins. A move is the mask of one pin, or of two next to each other."""

    rows: int
    columns: int
    state_type = State

    def start(self) -> State:
        return State((1 << self.rows * self.columns) - 1, 0)

    def legal(self, state: State) -> Sequence[int]:
        pairs = state.pins & state.pins >> 1 & _inner(self.rows, self.columns)
        return [*(3 << pin for pin in bits(pairs)), *(1 << pin for pin in bits(state.pins))]

    def choices(self, state: State) -> int:
        pairs = state.pins & state.pins >> 1 & _inner(self.rows, self.columns)
        return pairs.bit_count() + state.pins.bit_count()

    def apply(self, state: State, move: int) -> State:
        return State(state.pins ^ move, 1 - state.turn)

    def over(self, state: State) -> bool:
        return not state.pins

    def wins(self, state: State) -> bool:
        return reduce(xor, map(_value, self._lines(state))) != 0

    def winning(self, state: State) -> Sequence[int]:
        lines = self._lines(state)
        total = reduce(xor, map(_value, lines))
        won = [
            move << row * self.columns
            for row, line in enumerate(lines)
            for move in _moves(line).get(total ^ _value(line), ())
        ]
        return sorted(won, key=lambda move: (move.bit_count() == 1, move)) if total else []

    def _lines(self, state: State) -> list[int]:
        """The pins of each row."""
        whole = (1 << self.columns) - 1
        return [state.pins >> row * self.columns & whole for row in range(self.rows)]

    def runs(self, state: State) -> list[int]:
        """The numbers of pins that stand next to each other, the smallest first."""
        return sorted(run for line in self._lines(state) for run in _runs(line))

    def name(self, state: State, move: int) -> str:
        return ", ".join(name_of(pin, self.columns) for pin in bits(move))

    def read(self, state: State, text: str) -> int:
        numbers = [row * self.columns + pin for row, pin in pins(text, self.rows, self.columns)]
        move = sum(1 << number for number in numbers)
        if move not in self.legal(state):
            names = " and ".join(name_of(number, self.columns) for number in numbers)
            raise InvalidAnswer(f"{names} cannot be knocked down in one move")
        return move

    def show(self, state: State) -> str:
        return board_text(self._signs(state))

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.rows, self.columns, {"I": state.pins})

    def scene(self, state: State, last: int | None) -> Grid:
        return board_scene(self._signs(state), bits(last or 0), PIN)

    def judgement(self, state: State, player: int) -> float:
        """Runs that stand in equal pairs, and few others, after an own move."""
        left = reduce(xor, map(_unpaired, self._lines(state))).bit_count()
        return float(left if state.turn == player else -left)


@lru_cache(maxsize=16)
def _inner(rows: int, columns: int) -> int:
    """The cells that have another one to the right."""
    return sum(1 << cell for cell in range(rows * columns) if (cell + 1) % columns)


@lru_cache(maxsize=1 << 12)
def _runs(line: int) -> tuple[int, ...]:
    """The numbers of set bits next to each other in a row."""
    return tuple(len([*run]) for bit, run in groupby(f"{line:b}") if bit == "1")


@lru_cache(maxsize=1 << 14)
def _unpaired(line: int) -> int:
    """A mask of the lengths of runs that a row has an odd number of."""
    mask = 0
    for run in _runs(line):
        mask ^= 1 << run
    return mask


@cache
def value_of_run(pins: int) -> int:
    """The Grundy value of pins in a row without a gap: the least one that no move leads to.

    >>> [value_of_run(pins) for pins in range(10)]
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]
    """
    after: set[int] = {
        value_of_run(left) ^ value_of_run(pins - taken - left)
        for taken in (1, 2)
        for left in range(pins - taken + 1)
    }
    least: int = min({*range(len(after) + 1)} - after)
    return least


@lru_cache(maxsize=1 << 14)
def _value(line: int) -> int:
    value: int = reduce(xor, map(value_of_run, _runs(line)), 0)
    return value


@lru_cache(maxsize=1 << 12)
def _moves(line: int) -> Mapping[int, Sequence[int]]:
    """The moves in a row, by the value of the row after them."""
    by_value: dict[int, list[int]] = {}
    for move in [*(3 << pin for pin in bits(line & line >> 1)), *(1 << pin for pin in bits(line))]:
        by_value.setdefault(_value(line ^ move), []).append(move)
    return by_value
