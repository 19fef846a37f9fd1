"""The rules of quantum tic-tac-toe.

The pairs of marks are the edges of a graph whose nodes are the cells. It is a forest until a pair
closes a cycle; then the choice of one mark's cell decides all pairs that are connected with it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import cell_in, move_in, name_of
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cells import cell_pair

SIZE = 3
CELLS = SIZE * SIZE
MIDDLE = CELLS // 2
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip

_FIRST_CELL = re.compile(
    r"(?<![a-z])(?:r(?:ow)? ?\d|c(?:ol(?:umn)?)? ?\d|[(\[])", re.IGNORECASE | re.ASCII
)
_MARK = re.compile(r"([xo]?)(\d{0,2})", re.IGNORECASE | re.ASCII)
_WORDS_BEFORE = frozenset((
    "i", "will", "place", "places", "put", "puts", "play", "plays", "choose", "chooses", "goes",
    "ends", "up", "my", "the", "a", "an", "new", "quantum", "mark", "marks", "pair", "both",
    "between", "cell", "cells", "in", "into", "on", "at", "to",
))  # fmt: skip
"""Words that may stand before the cells of a move and do not change it."""

MOST_WORDS = 10
"""How many words may stand before the cells of a move."""

_JOINTS = re.compile(r"[&+]|\bwith\b", re.IGNORECASE)

Move = tuple[int, ...]
"""The two cells of a pair of marks; or a single cell, for a choice and for the last free cell."""


class Pair(NamedTuple):
    """A mark that is in one of two cells, of which the first has the lower number."""

    number: int
    first: int
    second: int


class State(NamedTuple):
    """For each cell the number of the mark that it has for good, or 0; the pairs, whose numbers
    rise; and whose turn it is. Marks of X have odd numbers, those of O even ones.
    """

    marks: tuple[int, ...]
    pairs: tuple[Pair, ...]
    turn: int


@dataclass(frozen=True)
class QuantumTicTacToe(Rules[State, Move]):
    """Place marks in two cells each until three of them are in a line for good."""

    state_type = State

    def start(self) -> State:
        return State((0,) * CELLS, (), 0)

    def decode(self, text: str) -> State:
        marks, pairs, turn = super().decode(text)
        return State(marks, tuple([Pair(*each) for each in pairs]), turn)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        return _legal(state.marks, state.pairs)

    def apply(self, state: State, move: Move) -> State:
        marks, pairs, turn = state
        number = len(pairs) + CELLS - marks.count(0) + 1
        if len(move) == 2:
            return State(marks, (*pairs, Pair(number, *move)), 1 - turn)
        if not pairs:
            return State((*marks[: move[0]], number, *marks[move[0] + 1 :]), (), 1 - turn)
        return State(*_measured(marks, pairs, move[0]), turn)

    def outcome(self, state: State) -> int | None:
        return _outcome(state.marks)

    def is_choice(self, state: State) -> bool:
        """Whether the last pair closed a cycle, so that the player to move chooses its cell."""
        return _closes_cycle(state.pairs)

    def wins_at_once(self, state: State) -> bool:
        """Whether the player to move can place a mark such that the game is won whatever the other
        player chooses then.
        """
        win = LOSS if state.turn else WIN
        return any(self._ends_with(self.apply(state, move), win) for move in self.legal(state))

    def _ends_with(self, state: State, outcome: int) -> bool:
        """Whether a game is over with an outcome, or is after either cell of a choice."""
        if self.is_choice(state):
            choices = [self.apply(state, cell) for cell in self.legal(state)]
            return all(self.outcome(each) == outcome for each in choices)
        return self.outcome(state) == outcome

    def name(self, state: State, move: Move) -> str:
        return " and ".join([name_of(cell, SIZE) for cell in move])

    def read(self, state: State, text: str) -> Move:
        legal = self.legal(state)
        body = self._cells_of(state, move_in(text))
        if len(legal[0]) == 1:
            move: Move = (cell_in(body, SIZE, SIZE, "r2c3"),)
        else:
            ends = cell_pair(_JOINTS.sub(" and ", body), SIZE, SIZE, "r1c1 and r2c3")
            move = tuple(sorted(row * SIZE + column for row, column in ends))
        if move not in legal:
            raise InvalidAnswer(self._why_illegal(state, move))
        return move

    def _cells_of(self, state: State, text: str) -> str:
        """What stands behind the words, the mark or the player before the cells of a move, or the
        whole text where anything else stands there.

        Raises :class:`InvalidAnswer` for another mark and for the other player.
        """
        first = _FIRST_CELL.search(text)
        before = text[: first.start()].split() if first else []
        words = [word.strip(":,*`\"'") for word in before]
        marks = [word for word in words if word.casefold() not in _WORDS_BEFORE]
        named = [_MARK.fullmatch(mark) for mark in marks]
        if not first or len(words) > MOST_WORDS or not all(named):
            return text
        number = self._number(state)
        signs = {_sign(number)} | ({self.mover(state)} if self.is_choice(state) else set())
        for mark in named:
            sign, digits = mark.groups() if mark else ("", "")
            allowed = {_sign(number)} if digits else signs
            if (digits and int(digits) != number) or (sign and sign.upper() not in allowed):
                raise InvalidAnswer(f"the mark to place is {_sign(number).lower()}{number}")
        return text[first.start() :]

    def _number(self, state: State) -> int:
        """The number of the mark that is placed: in a choice, that of the last pair."""
        used = len(state.pairs) + CELLS - state.marks.count(0)
        return used if self.is_choice(state) else used + 1

    def _why_illegal(self, state: State, move: Move) -> str:
        if self.is_choice(state):
            first, second = (name_of(cell, SIZE) for cell in state.pairs[-1][1:])
            return f"the choice is between {first} and {second}"
        if len({*move}) < len(move):
            return "a mark is placed in two different cells"
        taken = next(cell for cell in move if state.marks[cell])
        return f"{name_of(taken, SIZE)} has a mark for good"

    def show(self, state: State) -> str:
        texts = _texts(state)
        columns = [max(map(len, texts[n::SIZE])) for n in range(SIZE)]
        rows = [[str(n + 1) for n in range(SIZE)]]
        rows += [texts[row : row + SIZE] for row in range(0, CELLS, SIZE)]
        lines = [
            f"{row or ' '}  {'  '.join(text.ljust(width) for text, width in zip(each, columns))}"
            for row, each in enumerate(rows)
        ]
        text = "\n".join(line.rstrip() for line in lines)
        if not self.is_choice(state):
            return text
        number, *ends = state.pairs[-1]
        names = " or ".join(name_of(cell, SIZE) for cell in ends)
        return (
            f"{text}\n\n{_sign(number).lower()}{number} closed a cycle. Choose its cell: {names}."
        )

    def scene(self, state: State, last: Move | None) -> Grid:
        """Each cell as nine parts, the n-th of them for mark n of a pair; a mark that the cell has
        for good stands in the middle of all.
        """
        parts = range(SIZE * SIZE)
        cells = [[Cell() for _ in parts] for _ in parts]
        for number, *ends in state.pairs:
            for end in ends:
                row, column = _part(end, number - 1)
                cells[row][column] = Cell(f"{_sign(number).lower()}{number}")
        for cell, mark in enumerate(state.marks):
            if mark:
                fill = "t3" if mark % 2 else "t6"
                for row, column in (_part(cell, part) for part in range(CELLS)):
                    cells[row][column] = Cell(fill=fill)
                row, column = _part(cell, MIDDLE)
                cells[row][column] = Cell(f"{_sign(mark)}{mark}", fill)
        names = tuple((str(n // SIZE + 1) if n % SIZE == 1 else "",) for n in parts)
        return Grid(
            tuple(map(tuple, cells)),
            top=names,
            left=names,
            regions=tuple(tuple(r // SIZE * SIZE + c // SIZE for c in parts) for r in parts),
            last=tuple(
                _part(cell, MIDDLE if state.marks[cell] else state.pairs[-1].number - 1)
                for cell in last or ()
            ),
        )

    def judgement(self, state: State, player: int) -> float:
        """The squares of the marks in the lines that are open to a player, less those of the other
        player. Marks of pairs count half.
        """
        value = 0.0
        for line in LINES:
            odd = {mark % 2 for cell in line if (mark := state.marks[cell])}
            if 0 not in odd:
                value += _marks_in(state, line, 1) ** 2
            if 1 not in odd:
                value -= _marks_in(state, line, 0) ** 2
        return value if player == 0 else -value


def _marks_in(state: State, line: Sequence[int], odd: int) -> float:
    """How many odd or even marks are in the cells of a line; those of pairs count half."""
    sure = sum(state.marks[cell] > 0 and state.marks[cell] % 2 == odd for cell in line)
    ends = [cell for each in state.pairs if each.number % 2 == odd for cell in each[1:]]
    return sure + sum(cell in line for cell in ends) / 2


def _part(cell: int, part: int) -> tuple[int, int]:
    """The row and the column of a part of a cell in the scene."""
    row, column = divmod(cell, SIZE)
    below, right = divmod(part, SIZE)
    return row * SIZE + below, column * SIZE + right


def _sign(number: int) -> str:
    return "X" if number % 2 else "O"


def _texts(state: State) -> list[str]:
    """Each cell as text: a capital letter for a mark that it has, small ones for those of pairs."""
    texts = [f"{_sign(mark)}{mark}" if mark else "" for mark in state.marks]
    for number, *ends in state.pairs:
        for cell in ends:
            texts[cell] += f"{',' if texts[cell] else ''}{_sign(number).lower()}{number}"
    return [text or "." for text in texts]


@lru_cache(maxsize=1 << 14)
def _legal(marks: tuple[int, ...], pairs: tuple[Pair, ...]) -> tuple[Move, ...]:
    """The cells of a choice; else the last free cell; else pairs of free cells."""
    if _closes_cycle(pairs):
        return (pairs[-1].first,), (pairs[-1].second,)
    free = [cell for cell, mark in enumerate(marks) if not mark]
    return ((free[0],),) if len(free) == 1 else tuple(combinations(free, 2))


@lru_cache(maxsize=1 << 14)
def _closes_cycle(pairs: tuple[Pair, ...]) -> bool:
    """Whether the cells of the last pair are connected by the others."""
    if not pairs:
        return False
    *others, (_, start, end) = pairs
    reached, left = {start}, list(others)
    while near := [each for each in left if each.first in reached or each.second in reached]:
        reached.update(cell for each in near for cell in each[1:])
        left = [each for each in left if each not in near]
    return end in reached


def _measured(
    marks: tuple[int, ...], pairs: tuple[Pair, ...], cell: int
) -> tuple[tuple[int, ...], tuple[Pair, ...]]:
    """The marks and pairs after the last pair's mark is put into one of its cells.

    A cell takes a single mark, so each other pair with this cell has its mark in its other cell,
    and so on.
    """
    board, left = list(marks), list(pairs[:-1])
    board[cell] = pairs[-1].number
    while decided := [each for each in left if board[each.first] or board[each.second]]:
        for each in decided:
            board[each.second if board[each.first] else each.first] = each.number
            left.remove(each)
    return tuple(board), tuple(left)


@lru_cache(maxsize=1 << 14)
def _outcome(marks: tuple[int, ...]) -> int | None:
    """Of two complete lines, that whose last mark is older wins."""
    complete = [
        max(marks[cell] for cell in line)
        for line in LINES
        if all(marks[cell] for cell in line) and len({marks[cell] % 2 for cell in line}) == 1
    ]
    if complete:
        return WIN if min(complete) % 2 else LOSS
    return None if 0 in marks else DRAW
