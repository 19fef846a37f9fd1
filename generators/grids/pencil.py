"""Bases of pencil puzzles: grids to be filled with numbers, and grids of cells that are on or off.

A pencil puzzle has one solution, which a search proves when the puzzle is sampled. The searches
are in :mod:`~palaestra.generators.grids.constraints` (cells with few values),
:mod:`~palaestra.generators.grids.marks` (cells that are on or off),
:mod:`~palaestra.generators.grids.line_solver` (whole rows and columns) and
:mod:`~palaestra.generators.grids.latin_squares`.
"""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from palaestra.generators.baselines import Key, fillings, maximal, natural_orders
from palaestra.generators.bitsets import bits
from palaestra.generators.cells import example_line, images, in_rows, line_names, lines, text
from palaestra.generators.exchanges import exchanges
from palaestra.scenes import Cell, Scene
from palaestra.scenes import Grid as GridScene
from palaestra.scenes.elements import changed
from palaestra.scenes.entries import CellsEntry, Entry
from palaestra.task import Puzzle, Score
from palaestra.verifiers.reading.grids import alike, altered, grid
from palaestra.verifiers.reading.number_tables import table

Clue = TypeVar("Clue")
Solution = TypeVar("Solution")

Grid = tuple[tuple[int, ...], ...]
"""Numbers in rows, with 0 for an empty cell."""

MAX_NODES = 4_000
"""Default limit of the nodes of a search."""

UNKNOWN = "."
"""How a cell is written that the player has to fill."""


@dataclass(frozen=True)
class SearchResult(Generic[Solution]):
    """The solutions that a search ended with, and its cost: nodes visited, and rules applied."""

    solutions: list[Solution]
    nodes: int
    steps: int
    complete: bool
    """Whether it visited all nodes, or reached the number of solutions that it was to look for."""

    applied: int = 0
    """The rules applied, those before a contradiction included, where ``steps`` leave them out."""

    @property
    def unique(self) -> bool:
        """Whether there is one solution and no other."""
        return self.complete and len(self.solutions) == 1


class Pencil(Puzzle):
    """A puzzle with one solution, which a search proves when the puzzle is sampled."""

    @abstractmethod
    def solved(self) -> SearchResult[Any]:
        """Up to two solutions."""

    def is_valid(self) -> bool:
        return self.solved().unique

    def audit(self, answer: str) -> bool | None:
        return alike(answer, self.answer())

    def refutation(self, altered: Self) -> float | None:
        """The steps of an exhaustive search that ends without a solution.

        An alteration that the rules refute without any search is refuted at a glance unless it
        takes at least half as many steps as the solution of the puzzle itself.
        """
        result, own = altered.solved(), self.solved()
        if result.solutions or not result.complete:
            return None
        steps = result.applied or result.steps
        hidden = result.nodes > 1 or 2 * steps >= (own.applied or own.steps)
        return float(steps + result.nodes) if hidden else 0.0

    def difficulty(self) -> float | None:
        # The root is taken so that one long search does not hide the rest.
        return self.blanks() * sqrt(self.solved().steps)

    def blanks(self) -> int:
        """The number of cells to fill, where some are known; else 1."""
        return 1


# ------------------------------------------------------------------------------------ number grids


class NumberGrid(Pencil):
    """A grid to be filled with whole numbers, some of which are given.

    A new environment defines its fields, one of them ``givens``; ``generate``; ``solved``, whose
    solutions list the number of each cell in reading order; ``violation``, which names the rule
    that a filled grid breaks; and ``prompt``, with the help of :meth:`board` and
    :meth:`answer_format`. If it has more clues than numbers, :meth:`picture` draws them. See also
    the subclasses :class:`PermutationGrid` and
    :class:`~palaestra.generators.grids.latin_squares.LatinSquare`.
    """

    if TYPE_CHECKING:  # each class declares it itself, as the order of fields is part of its tasks
        givens: Grid

    @abstractmethod
    def violation(self, rows: list[list[int]]) -> str:
        """The rule that a grid breaks, as a sentence; empty for a solution."""

    def highest(self) -> int:
        """The highest number that a cell may hold; the lowest is 1."""
        return len(self.givens)

    def read(self, answer: str) -> list[list[int]]:
        """An answer as rows of numbers. Raises ``InvalidAnswer`` for one of another shape."""
        signs = [str(number) for number in range(1, self.highest() + 1)]
        rows = grid(answer, len(self.givens), len(self.givens[0]), signs)
        return [[*map(int, row)] for row in rows]

    def verify(self, answer: str) -> Score:
        rows = self.read(answer)
        violation = altered(self.givens, rows, blank=0) or self.violation(rows)
        return Score(0, violation) if violation else Score(1)

    def answer(self) -> str:
        (solution,) = self.solved().solutions
        return text(in_rows(solution, len(self.givens[0])))

    def board(self) -> str:
        """The given numbers as text, with a dot for each empty cell."""
        return text([[cell or UNKNOWN for cell in row] for row in self.givens])

    def answer_format(self, example: Iterable[int] | None = None) -> str:
        """The last sentences of a prompt, with an example of a line: by default a countdown."""
        rows, columns, highest = len(self.givens), len(self.givens[0]), self.highest()
        line = range(highest, highest - columns, -1) if example is None else example
        return (
            f"Answer with the whole grid, given numbers included: {rows} lines of {columns} "
            f"numbers separated by spaces. A line looks like '{' '.join(map(str, line))}'."
        )

    def scene(self) -> Scene:
        return self.picture(self.givens)

    def solved_scene(self, answer: str) -> Scene:
        return self.picture(self.read(answer))

    def entry(self) -> Entry:
        numbers = tuple(map(str, range(1, self.highest() + 1)))
        start = tuple(tuple(str(clue or "") for clue in row) for row in self.givens)
        return CellsEntry(numbers, start)

    def picture(self, rows: Sequence[Sequence[int]]) -> GridScene:
        """The scene of the grid with these numbers in its cells, and with 0 for an empty cell."""
        return GridScene(
            tuple(
                tuple(number_cell(number, clue) for number, clue in zip(row, givens))
                for row, givens in zip(rows, self.givens)
            )
        )

    def blanks(self) -> int:
        return sum(row.count(0) for row in self.givens)

    def candidates(self) -> Iterable[str]:
        """The given numbers with all numbers in all empty cells."""
        return self.fillings(product(range(1, self.highest() + 1), repeat=self.blanks()))

    def fillings(self, numbers: Iterable[Sequence[int]]) -> Iterator[str]:
        """Answers in which these numbers, in reading order, are in the empty cells."""
        for some in numbers:
            rest = iter(some)
            yield text([[cell or next(rest) for cell in row] for row in self.givens])


class PermutationGrid(NumberGrid):
    """A grid that holds each of as many consecutive numbers as it has cells exactly once.

    A new environment defines what :class:`NumberGrid` lists. Its ``violation`` begins with the one
    of this class: ``return super().violation(rows) or ...``. ``lowest`` is 1 unless overridden.
    """

    def lowest(self) -> int:
        """The first of the consecutive numbers."""
        return 1

    def highest(self) -> int:
        return self.lowest() + len(self.givens) * len(self.givens[0]) - 1

    def read(self, answer: str) -> list[list[int]]:
        return table(answer, len(self.givens), len(self.givens[0]))

    def violation(self, rows: list[list[int]]) -> str:
        lowest, highest = self.lowest(), self.highest()
        if sorted(number for row in rows for number in row) == [*range(lowest, highest + 1)]:
            return ""
        return f"the grid does not hold each number from {lowest} to {highest} exactly once"

    def audit(self, answer: str) -> bool:
        return answer.replace(",", " ").split() == self.answer().split()

    def missing(self) -> list[int]:
        """The numbers that are not given, from the least to the greatest."""
        present = {number for row in self.givens for number in row}
        return [n for n in range(self.lowest(), self.highest() + 1) if n not in present]

    def options(self, cell: int, numbers: Mapping[int, int]) -> list[int]:
        """The missing numbers that a cell may hold beside the numbers of other cells."""
        used = {*numbers.values()}
        return [number for number in self.missing() if number not in used]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Put a missing number that its lines allow into cell by cell; none is moved again."""
        clues, rest = by_cell(self.givens), self.missing()
        cells = [n for n in range(len(self.givens) * len(self.givens[0])) if n not in clues]

        def options(cell: int, numbers: Mapping[int, int]) -> list[int]:
            return self.options(cell, {**clues, **numbers})

        players = {"missing numbers in order": dict(zip(cells, rest))}
        for player, numbers in fillings(cells, options, rng).items():
            unused = iter([number for number in rest if number not in numbers.values()])
            players[player] = {n: numbers[n] if n in numbers else next(unused) for n in cells}
        return {
            player: text(in_rows([v for _, v in sorted({**clues, **numbers}.items())], columns))
            for player, numbers in players.items()
            for columns in [len(self.givens[0])]
        }

    def candidates(self) -> Iterable[str]:
        """The given numbers with the missing ones in all orders."""
        return self.fillings(permutations(self.missing()))


def number_cell(number: int | str, clue: int | str) -> Cell:
    """A cell with a number that is given, or entered; ``bad`` where it replaces another one.

    Both are 0 or empty where there is none.

    >>> number_cell(5, 5).fixed, number_cell(5, 0).tone, number_cell(5, 4).tone
    (True, 'accent', 'bad')
    """
    if not number:
        return Cell()
    if number == clue:
        return Cell(str(number), fixed=True)
    return Cell(str(number), tone="bad" if clue else "accent")


def by_cell(grid: Sequence[Sequence[int]]) -> dict[int, int]:
    """The numbers of a grid by cell, in reading order; empty cells, which hold 0, are left out.

    >>> by_cell([[0, 5], [0, 0]])
    {1: 5}
    """
    numbers = enumerate(number for row in grid for number in row)
    return {cell: number for cell, number in numbers if number}


def as_grid(numbers: Mapping[int, int], rows: int, columns: int) -> Grid:
    """Numbers by cell as a grid, with 0 for an empty cell.

    >>> as_grid({1: 5}, rows=2, columns=2)
    ((0, 5), (0, 0))
    """
    return tuple(
        tuple(numbers.get(cell, 0) for cell in range(start, start + columns))
        for start in range(0, rows * columns, columns)
    )


# ------------------------------------------------------------------------------------ binary grids


class BinaryGrid(Pencil):
    """A grid each of whose cells is on or off: shaded, filled, occupied by a ship or a star.

    A new environment defines its fields; ``signs``, how a cell that is on and one that is off are
    written; ``shape``; ``generate``; ``solved``, whose solutions are the cells that are on, as
    bits; ``violation``, which names the rule that a filled grid breaks; and ``prompt``, with the
    help of :meth:`answer_format`. If some cells are known, it overrides ``known``; if some have
    another sign that has to stay, such as a wall, it overrides ``fixed``, ``fixed_cells_name``
    and ``fixed_cells``. Its scene shows cells as ``look`` states, and ``picture`` adds other clues.
    See also the subclasses :class:`LineClues` and :class:`LineCounts`.
    """

    signs: ClassVar[str] = "#-"
    """The sign of a cell that is on, and that of a cell that is off."""

    fixed: ClassVar[str] = ""
    """The sign of the cells that are neither, such as a wall."""

    fixed_cells_name: ClassVar[str] = "walls"
    """What those cells are, in the plural."""

    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""

    @abstractmethod
    def violation(self, on: Sequence[bool]) -> str:
        """The rule that is broken where these cells are on, as a sentence; empty for a solution."""

    def known(self) -> Sequence[str]:
        """The rows of cells that are known, with a dot for each other one; empty if none is."""
        return ()

    def fixed_cells(self) -> Collection[int]:
        """The cells that have the sign ``fixed``."""
        return ()

    def scene(self) -> Scene:
        return self.picture(self._clues())

    def solved_scene(self, answer: str) -> Scene:
        rows = grid(answer, *self.shape(), self.signs + self.fixed)
        return self.picture([sign for row in rows for sign in row])

    def entry(self) -> Entry:
        columns = self.shape()[1]
        start = in_rows([clue.strip(UNKNOWN) for clue in self._clues()], columns)
        looks = tuple(self.look(0, sign, known=False) for sign in self.signs)
        return CellsEntry(tuple(self.signs), tuple(map(tuple, start)), looks=looks)

    def picture(self, signs: Sequence[str]) -> GridScene:
        """The scene of the grid with these signs in its cells, in reading order; a dot is unknown.

        It consists of :meth:`look` for each cell. An environment whose clues stand elsewhere too
        adds them with ``changed(super().picture(signs), ...)``.
        """
        cells = [
            self.look(cell, sign, known=sign == clue != UNKNOWN)
            for cell, (sign, clue) in enumerate(zip(signs, self._clues()))
        ]
        return GridScene(tuple(map(tuple, in_rows(cells, self.shape()[1]))))

    def look(self, cell: int, sign: str, known: bool) -> Cell:
        """How a cell with a sign is drawn; what is ``known`` is part of the task."""
        if sign == UNKNOWN:
            return Cell()
        if sign == self.signs[1]:
            return Cell(mark="dot", tone="shade" if known else "muted")
        return Cell(fill="dark" if known else "accent")

    def _clues(self) -> list[str]:
        """The sign of each cell that is known, and a dot for each other one."""
        rows, columns = self.shape()
        signs = [*("".join(self.known()) or UNKNOWN * (rows * columns))]
        for cell in self.fixed_cells():
            signs[cell] = self.fixed
        return signs

    def verify(self, answer: str) -> Score:
        rows = grid(answer, *self.shape(), self.signs + self.fixed)
        cells = [sign for row in rows for sign in row]
        if self.fixed and not self._keeps_fixed(cells):
            return Score(0, f"the {self.fixed_cells_name} are not where they are in the grid")
        mark = self.signs[0]
        on = [sign == mark for sign in cells]
        known = self.known()
        violation = altered(known, rows, UNKNOWN) if known else ""
        violation = violation or self.violation(on)
        return Score(0, violation) if violation else Score(1)

    def _keeps_fixed(self, cells: Sequence[str]) -> bool:
        fixed = {*self.fixed_cells()}
        return all((sign == self.fixed) == (n in fixed) for n, sign in enumerate(cells))

    def answer(self) -> str:
        (on,) = self.solved().solutions
        return self.written(on)

    def written(self, on: int) -> str:
        """The grid in which these cells, as bits, are on."""
        rows, columns = self.shape()
        cells = [self.signs[not on >> cell & 1] for cell in range(rows * columns)]
        for cell in self.fixed_cells():
            cells[cell] = self.fixed
        return text(in_rows(cells, columns))

    def answer_format(self, on: str, off: str, example: str = "") -> str:
        """The last sentences of a prompt, with what the signs mean and an example of a line.

        The signs of the example are repeated along the line; by default they alternate.
        """
        rows, columns = self.shape()
        return (
            f"Answer with the whole grid: {rows} lines of {columns} cells separated by spaces, "
            f"'{self.signs[0]}' for {on} and '{self.signs[1]}' for {off}. A line looks like "
            f"'{example_line(example or self.signs, columns)}'."
        )

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether the cells nearby, of which these are on, leave a cell free to be on as well."""
        return True

    def keys(self) -> Mapping[str, Key[int]]:
        """Numbers by which a player may order the cells."""
        return {}

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Turn cell by cell on, in a natural order, while the rules about nearby cells allow it."""
        rows, columns = self.shape()
        signs = "".join(self.known()) or UNKNOWN * (rows * columns)
        fixed = {*self.fixed_cells()}
        free = [n for n, sign in enumerate(signs) if sign == UNKNOWN and n not in fixed]
        known = [n for n, sign in enumerate(signs) if sign == self.signs[0]]
        orders = natural_orders(free, rng, self.keys())
        return {
            player: self.written(bits(maximal(order, self.allows, known)))
            for player, order in orders.items()
        }

    def candidates(self) -> Iterable[str]:
        """All ways to choose the cells that are on among those that are not fixed."""
        rows, columns = self.shape()
        fixed = {*self.fixed_cells()}
        free = [cell for cell in range(rows * columns) if cell not in fixed]
        for chosen in product((0, 1), repeat=len(free)):
            yield self.written(bits(cell for cell, on in zip(free, chosen) if on))


class LineClues(BinaryGrid):
    """A grid whose rows and columns have clues, such as a sum or the lengths of their runs.

    A new environment defines what :class:`BinaryGrid` lists except ``violation``, and in addition
    ``line_clues``; ``measure``, which gives the clue of a line that is filled; and ``described``,
    how a reason states it. If it has more rules, its ``violation`` is ``super().violation(on) or
    ...``.
    """

    @abstractmethod
    def line_clues(self) -> Sequence[Any]:
        """The clues of the rows and then of the columns; -1 for an unknown one."""

    @abstractmethod
    def measure(self, line: Sequence[bool]) -> Any:
        """The clue of a line whose cells are on or off like this."""

    @abstractmethod
    def described(self, clue: Any) -> str:
        """A clue as the end of the sentence "row 1 has ..."."""

    def violation(self, on: Sequence[bool]) -> str:
        clues = self.line_clues()
        return line_violation(on, self.shape(), clues, self.measure, self.described)

    def picture(self, signs: Sequence[str]) -> GridScene:
        """The scene of the grid, with the clues of rows on its left and those of columns on top."""
        rows, _ = self.shape()
        clues = [*map(labels, self.line_clues())]
        board = super().picture(signs)
        return changed(board, left=tuple(clues[:rows]), top=tuple(clues[rows:]))

    def allows(self, on: Collection[int], cell: int) -> bool:
        """Whether the cell makes the clue of neither of its lines too large; -1 is unknown."""
        clues, all_lines = self.line_clues(), lines(*self.shape())
        return all(
            clues[number] == -1
            or self.measure([n == cell or n in on for n in all_lines[number]]) <= clues[number]
            for number in self.numbers_of_lines(cell)
        )

    def numbers_of_lines(self, cell: int) -> tuple[int, int]:
        """The numbers of the row and of the column of a cell, as the clues are numbered."""
        rows, columns = self.shape()
        return cell // columns, rows + cell % columns

    def keys(self) -> Mapping[str, Key[int]]:
        clues = self.line_clues()
        return {"clues": lambda cell: sum(clues[n] for n in self.numbers_of_lines(cell))}


class LineCounts(LineClues):
    """A grid of which is known how many cells are on in each row and column.

    A new environment defines what :class:`BinaryGrid` lists except ``violation``, a field
    ``counts`` and ``counted``. If it has more rules, its ``violation`` is ``super().violation(on)
    or ...``.
    """

    counted: ClassVar[str]
    """What is counted, such as ``wet cells``."""

    if TYPE_CHECKING:  # each class declares it itself, as the order of fields is part of its tasks
        counts: tuple[int, ...]

    def line_clues(self) -> Sequence[int]:
        return self.counts

    def measure(self, line: Sequence[bool]) -> int:
        return sum(line)

    def described(self, clue: int) -> str:
        return f"{clue} {self.counted}"

    def exchanged_counts(self, rng: Random) -> Iterator[Self]:
        """Alterations in which the counts of two rows or of two columns change places."""
        rows, _ = self.shape()

        def group(line: int) -> bool | None:
            return None if self.counts[line] < 0 else line < rows

        for counts in exchanges(self.counts, rng, group):
            yield self.model_copy(update={"counts": tuple(counts)})

    def without_counts(self, numbers: Iterable[int]) -> Self:
        """The puzzle without the counts of these lines, except for those that it needs."""
        task = self
        for number in numbers:
            counts = (*task.counts[:number], -1, *task.counts[number + 1 :])
            fewer = task.model_copy(update={"counts": counts})
            task = fewer if fewer.is_valid() else task
        return task


def line_violation(
    on: Sequence[bool],
    shape: tuple[int, int],
    clues: Iterable[Any],
    measure: Callable[[Sequence[bool]], Any],
    described: Callable[[Any], str],
) -> str:
    """The first row or column that does not have its clue, if any; -1 is an unknown clue.

    >>> line_violation([True, False], (1, 2), [1, -1, 1], sum, "{} cells".format)
    'column 2 has 0 cells'
    """
    for name, line, clue in zip(line_names(*shape), lines(*shape), clues):
        value = measure([on[cell] for cell in line])
        if clue not in (-1, value):
            return f"{name} has {described(value)}"
    return ""


def labels(clue: int | Sequence[int]) -> tuple[str, ...]:
    """The labels of a line on the rim of a scene: its clue, or its clues; -1 is an unknown one.

    >>> labels(3), labels([2, -1])
    (('3',), ('2', '?'))
    """
    numbers = clue if isinstance(clue, Sequence) else (clue,)
    return tuple("?" if number < 0 else str(number) for number in numbers)


def margins(label: str, totals: Sequence[int], rows: int) -> str:
    r"""The totals of so many rows and of the columns after them, as two lines of a prompt.

    >>> margins("Sums of", [3, -1, 4], rows=2)
    'Sums of the rows, from top to bottom: 3 ?\nSums of the columns, from left to right: 4'
    """
    signs = ["?" if total < 0 else str(total) for total in totals]
    return (
        f"{label} the rows, from top to bottom: {' '.join(signs[:rows])}\n"
        f"{label} the columns, from left to right: {' '.join(signs[rows:])}"
    )


def margin_images(board: Sequence[Sequence[str]], totals: Sequence[int]) -> list[list[list[str]]]:
    """A square board in a frame of the totals of its rows and columns, turned and mirrored."""
    edge = ["", *map(str, totals[len(board) :]), ""]
    rows = [[str(total), *row, str(total)] for total, row in zip(totals, board)]
    return images([edge, *rows, edge])


# ------------------------------------------------------------------------------------------- clues


def revealed(
    solved: Callable[[dict[int, int]], SearchResult[tuple[int, ...]]],
    truth: Sequence[int],
    known: dict[int, int],
    rng: Random,
) -> dict[int, int]:
    """The known cells, and more of them until the solution is the only one.

    Each time a cell is added in which another solution differs, or any cell if there is no other.
    """
    known = {**known}
    while True:
        solution = solved(known)
        if solution.unique:
            return known
        doubts = [
            cell
            for other in solution.solutions
            for cell, value in enumerate(truth)
            if other[cell] != value
        ]
        cell = rng.choice(doubts or [c for c in range(len(truth)) if c not in known])
        known[cell] = truth[cell]


def spared(
    clues: Sequence[Clue], enough: Callable[[list[Clue]], bool], rng: Random, most: int = 1_000
) -> list[Clue]:
    """The clues without those that are not needed; ``most`` of them are tried."""
    kept = [*clues]
    for clue in rng.sample(kept, min(most, len(kept))):
        without = [other for other in kept if other != clue]
        if enough(without):
            kept = without
    return kept


def thinned(
    clues: Sequence[Clue],
    enough: Callable[[list[Clue]], bool],
    rng: Random,
    fewest: int = 0,
    tries: int = 1_000,
) -> list[Clue]:
    """The clues without some that are not needed, until only so many are left or tried enough.

    Several clues are dropped at once, more of them after each success and fewer after each
    failure, so that a large board takes few tries.
    """
    order, kept = rng.sample(clues, len(clues)), [*clues]
    position, width = 0, max(1, len(clues) // 4)
    while position < len(order) and tries and len(kept) > fewest:
        group = order[position : position + min(width, len(kept) - fewest)]
        rest = [clue for clue in kept if clue not in group]
        tries -= 1
        if enough(rest):
            kept = rest
            width *= 2
        elif len(group) > 1:
            width = len(group) // 2
            continue
        position += len(group)
    return kept
