"""Traces of sudokus: numbers that are the only ones for a cell, or whose cell is the only one in a
row, column or box; where there are none, a number is supposed, and taken back if it contradicts.
"""

import re
from collections.abc import Iterator, Sequence

from palaestra.envs.grids.sudoku import Sudoku
from palaestra.trainers.traces.steps import Answer, BadTrace, Unfinished

Cell = tuple[int, int]

_SUPPOSE = re.compile(r"suppose r(\d+)c(\d+) is (\d+)", re.ASCII)
_PLACE = re.compile(r"r(\d+)c(\d+) is (\d+): (.+)", re.ASCII)
_TAKE_BACK = re.compile(r"(.+), so r(\d+)c(\d+) is not (\d+)", re.ASCII)
_FULL = "every cell has a number"


class Notes:
    """The numbers that each cell can still have."""

    def __init__(self, task: Sudoku) -> None:
        self.size = size = task.height * task.width
        self.houses = _houses(task)
        self.peers = {
            (row, column): {
                each for _, house in self.houses if (row, column) in house for each in house
            }
            - {(row, column)}
            for row in range(size)
            for column in range(size)
        }
        self.placed: dict[Cell, int] = {}
        self.possible = {cell: {*range(1, size + 1)} for cell in self.peers}
        for row, numbers in enumerate(task.givens):
            for column, number in enumerate(numbers):
                if number:
                    self.put((row, column), number)

    def put(self, cell: Cell, number: int) -> None:
        """Put a number into a cell; no other cell of its row, column and box can have it."""
        self.placed[cell] = number
        self.possible[cell] = {number}
        for peer in self.peers[cell]:
            if peer not in self.placed:
                self.possible[peer].discard(number)

    def saved(self) -> tuple[dict[Cell, int], dict[Cell, set[int]]]:
        """What there is to return to."""
        return dict(self.placed), {cell: {*numbers} for cell, numbers in self.possible.items()}

    def restore(self, saved: tuple[dict[Cell, int], dict[Cell, set[int]]]) -> None:
        """Return to what was saved."""
        self.placed, self.possible = saved

    def empty(self) -> list[Cell]:
        """The cells without a number, row by row."""
        return [cell for cell in self.possible if cell not in self.placed]

    def contradiction(self) -> str:
        """Why this cannot be completed, as far as one cell or one house shows it; else ""."""
        for cell in self.empty():
            if not self.possible[cell]:
                return f"{_name(cell)} can have no number"
        for name, house in self.houses:
            for number in range(1, self.size + 1):
                if not any(number in self.possible[cell] for cell in house):
                    return f"{name} has no cell for {number}"
        return ""

    def single(self) -> tuple[Cell, int, str] | None:
        """A cell with its only number and the reason, if there is one."""
        for cell in self.empty():
            if len(self.possible[cell]) == 1:
                return cell, min(self.possible[cell]), "it can have no other number"
        for name, house in self.houses:
            for number in range(1, self.size + 1):
                cells = [cell for cell in house if number in self.possible[cell]]
                if len(cells) == 1 and cells[0] not in self.placed:
                    return cells[0], number, f"no other cell of {name} can be {number}"
        return None


def _houses(task: Sudoku) -> list[tuple[str, tuple[Cell, ...]]]:
    size, height, width = task.height * task.width, task.height, task.width
    rows = [
        (f"row {row + 1}", tuple((row, column) for column in range(size))) for row in range(size)
    ]
    columns = [
        (f"column {column + 1}", tuple((row, column) for row in range(size)))
        for column in range(size)
    ]
    boxes = [
        (
            f"the box of {_name((top, left))}",
            tuple((top + n // width, left + n % width) for n in range(size)),
        )
        for top in range(0, size, height)
        for left in range(0, size, width)
    ]
    return rows + columns + boxes


def _name(cell: Cell) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def search(task: Sudoku) -> Iterator[str]:
    """Yield the deductions and suppositions, and in the end the grid."""
    notes = Notes(task)
    saved = list[tuple[Cell, int, tuple[dict[Cell, int], dict[Cell, set[int]]]]]()
    while True:
        if reason := notes.contradiction():
            cell, number, before = saved.pop()
            notes.restore(before)
            notes.possible[cell].discard(number)
            yield f"{reason}, so {_name(cell)} is not {number}"
        elif single := notes.single():
            cell, number, reason = single
            notes.put(cell, number)
            yield f"{_name(cell)} is {number}: {reason}"
        elif empty := notes.empty():
            cell = min(empty, key=lambda each: (len(notes.possible[each]), each))
            number = min(notes.possible[cell])
            saved.append((cell, number, notes.saved()))
            notes.put(cell, number)
            yield f"suppose {_name(cell)} is {number}"
        else:
            yield _FULL
            yield Answer(_grid(notes))
            return


def _grid(notes: Notes) -> str:
    rows = range(notes.size)
    return "\n".join(" ".join(str(notes.placed[row, column]) for column in rows) for row in rows)


def check(task: Sudoku, lines: Sequence[str]) -> str:
    """Return the grid that a trace leads to. Every reason has to hold where it is stated."""
    notes = Notes(task)
    saved = list[tuple[Cell, int, tuple[dict[Cell, int], dict[Cell, set[int]]]]]()
    for n, line in enumerate(lines):
        if match := _SUPPOSE.fullmatch(line):
            cell, number = _stated(notes, match.groups(), n, line)
            saved.append((cell, number, notes.saved()))
            notes.put(cell, number)
        elif match := _PLACE.fullmatch(line):
            cell, number = _stated(notes, match.groups()[:3], n, line)
            if not _follows(notes, cell, number, match[4]):
                raise BadTrace(n, line, "this does not follow")
            notes.put(cell, number)
        elif match := _TAKE_BACK.fullmatch(line):
            cell, number, before = saved.pop() if saved else ((-1, -1), 0, notes.saved())
            if (_name(cell), str(number)) != (f"r{match[2]}c{match[3]}", match[4]):
                raise BadTrace(n, line, "something else was supposed last")
            if not _contradicts(notes, match[1]):
                raise BadTrace(n, line, "there is no such contradiction")
            notes.restore(before)
            notes.possible[cell].discard(number)
        elif line == _FULL and n == len(lines) - 1 and not notes.empty():
            if reason := notes.contradiction():
                raise BadTrace(n, line, reason)
            return _grid(notes)
        else:
            raise BadTrace(n, line, "this is no step of the search")
    raise Unfinished


def _stated(notes: Notes, groups: Sequence[str | None], n: int, line: str) -> tuple[Cell, int]:
    """A cell and a number that it can have, as a line states them."""
    row, column, number = (int((group or "0")[:4]) for group in groups)
    cell = row - 1, column - 1
    if cell not in notes.possible or cell in notes.placed or number not in notes.possible[cell]:
        raise BadTrace(n, line, "the cell cannot have the number")
    return cell, number


def _follows(notes: Notes, cell: Cell, number: int, reason: str) -> bool:
    """Whether a number is the only one for a cell, by the reason that is stated."""
    if reason == "it can have no other number":
        return notes.possible[cell] == {number}
    for name, house in notes.houses:
        if reason == f"no other cell of {name} can be {number}":
            return [each for each in house if number in notes.possible[each]] == [cell]
    return False


def _contradicts(notes: Notes, reason: str) -> bool:
    """Whether a contradiction is there."""
    if any(reason == f"{_name(cell)} can have no number" for cell in notes.empty()):
        return any(
            reason == f"{_name(cell)} can have no number" and not notes.possible[cell]
            for cell in notes.empty()
        )
    return any(
        reason == f"{name} has no cell for {number}"
        and not any(number in notes.possible[cell] for cell in house)
        for name, house in notes.houses
        for number in range(1, notes.size + 1)
    )
