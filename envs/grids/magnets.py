"""Magnets: a grid of dominoes, magnetic or not, known from World Puzzle Championships."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.bitsets import bits
from palaestra.generators.cells import example_line, images, in_rows, lines, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.marks import Count, Marks, Sheet, exactly
from palaestra.generators.grids.pencil import Pencil, SearchResult, line_violation
from palaestra.generators.grids.shapes import LETTERS, Pair, gathered, renamed, sides, tiling
from palaestra.scenes import Cell, Grid
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.grids import grid

PLUS, MINUS, PLAIN = "+", "-", "o"

LOOKS = {
    PLUS: Cell(fill="t3", mark="plus"),
    MINUS: Cell(fill="t0", mark="minus"),
    PLAIN: Cell(fill="muted"),
}
"""How the signs of an answer are drawn."""


class Magnets(Pencil):
    """Turn dominoes into magnets or leave them plain, by the poles in each row and column."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        half: int = ladder(2, 2, 3, 3, 3, 4, 4)  # of the number of rows
        columns: int = ladder(5, 6, 5, 6, 7, 6, 8, low=3)
        silent: int = ladder(0, 1, 2, 4, 7, 9, 11, high=12)  # counts left out if possible

    slates: tuple[str, ...]
    poles: tuple[tuple[int, ...], tuple[int, ...]]
    """Plus poles, then minus poles, in each row and then in each column; -1 if unknown."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rows, columns = 2 * knobs.half, knobs.columns
        while True:
            pairs = tiling(rng, rows, columns)
            cells = charged(rng, pairs, rows, columns)
            region = [0] * (rows * columns)
            for number, pair in enumerate(pairs):
                for cell in pair:
                    region[cell] = number
            signs = "".join(LETTERS[number] for number in renamed(region))
            slates = tuple(in_rows(signs, columns))
            poles = [
                [sum(cells[n] == pole for n in line) for line in lines(rows, columns)]
                for pole in (PLUS, MINUS)
            ]
            task = cls(slates=slates, poles=(tuple(poles[0]), tuple(poles[1])))
            if task.is_valid():
                break
        every = [*product((0, 1), range(rows + columns))]
        for pole, line in rng.sample(every, min(knobs.silent, rows + columns)):
            less = [[*some] for some in task.poles]
            less[pole][line] = -1
            without = cls(slates=slates, poles=(tuple(less[0]), tuple(less[1])))
            task = without if without.is_valid() else task
        return task

    def solved(self) -> SearchResult[int]:
        rows, columns = len(self.slates), len(self.slates[0])
        size = rows * columns
        signs = [LETTERS.index(sign) for row in self.slates for sign in row]
        mate = {a: b for one, other in gathered(signs) for a, b in ((one, other), (other, one))}
        if_on: dict[int, Marks] = {}
        if_off: dict[int, Marks] = {}
        for cell, near in enumerate(sides(rows, columns)):
            other = mate[cell]
            minus = [size + n for n in near]
            if_on[cell] = (1 << size + other, bits(near) | 1 << size + cell)
            if_on[size + cell] = (1 << other, bits(minus) | 1 << cell)
            if_off[cell] = (0, 1 << size + other)
            if_off[size + cell] = (0, 1 << other)
        counts: list[Count] = []
        for pole, totals in enumerate(self.poles):
            for line, many in zip(lines(rows, columns), totals):
                if many >= 0:
                    counts.append(exactly([pole * size + cell for cell in line], many))
        return Sheet(2 * size, tuple(counts), if_on, if_off).solve()

    def canonical(self) -> str:
        """The same for swapped poles and for mirror images."""
        rows = len(self.slates)
        classes = []
        for plus, minus in (self.poles, self.poles[::-1]):
            vertical = [*zip(plus, minus)]
            edge = [(-2, -2, -2), *((-2, *pair) for pair in vertical[rows:]), (-2, -2, -2)]
            signs = [[(LETTERS.index(sign), 0, 0) for sign in row] for row in self.slates]
            middle = [[(-2, *a), *row, (-2, *a)] for a, row in zip(vertical[:rows], signs)]
            classes += [named(image) for image in images([edge, *middle, edge], turned=False)]
        return str(min(classes))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """The numbers of equal poles in two rows or in two columns change places."""
        flat, number = [*self.poles[0], *self.poles[1]], len(self.poles[0])

        def group(position: int) -> tuple[int, bool] | None:
            pole, line = divmod(position, number)
            return None if flat[position] < 0 else (pole, line < len(self.slates))

        for counts in exchanges(flat, rng, group):
            plus, minus = tuple(counts[:number]), tuple(counts[number:])
            yield self.model_copy(update={"poles": (plus, minus)})

    def prompt(self) -> str:
        rows, columns = len(self.slates), len(self.slates[0])
        rules = self.phrase(
            f"This grid of {rows} rows and {columns} columns is filled with dominoes: the two "
            "cells with the same letter are one domino (capital and small letters differ). Each "
            "domino is either plain or a magnet. "
            f"One half of a magnet is its plus pole ('{PLUS}'), the other half its minus pole "
            f"('{MINUS}'); both halves of a plain domino are '{PLAIN}'. Two plus poles never share "
            "a side, and neither do two minus poles.",
            f"Decide for each domino of this {rows} by {columns} board (equal letters, capital or "
            "small, mark the two halves of a domino) whether it is a magnet, with "
            f"'{PLUS}' on one half and '{MINUS}' on the other, or not magnetic, with '{PLAIN}' on "
            "both. Equal poles must not be direct neighbours across or down anywhere on the board.",
        )
        views = [
            f"{name} poles in the {direction}: {' '.join('?' if n < 0 else str(n) for n in some)}"
            for direction, part in (("rows", slice(rows)), ("columns", slice(rows, None)))
            for name, numbers in zip(("Plus", "Minus"), self.poles)
            for some in (numbers[part],)
        ]
        example = example_line(PLUS + MINUS + PLAIN * 2, columns)
        return (
            f"{rules} The numbers of poles are given below, for rows from top to bottom and for "
            "columns from left to right, where '?' is an unknown number. There is exactly one way "
            f"to do it.\n\n{text(self.slates)}\n\n{chr(10).join(views)}\n\nAnswer with the whole "
            f"grid: {rows} lines of {columns} signs separated by spaces, each '{PLUS}', '{MINUS}' "
            f"or '{PLAIN}' (the small letter o). A line looks like '{example}'."
        )

    def answer(self) -> str:
        rows, columns = len(self.slates), len(self.slates[0])
        size = rows * columns
        (on,) = self.solved().solutions
        signs = [
            PLUS if on >> cell & 1 else MINUS if on >> size + cell & 1 else PLAIN
            for cell in range(size)
        ]
        return text(in_rows(signs, columns))

    def read(self, answer: str) -> list[list[str]]:
        """The signs of the cells."""
        return grid(answer, len(self.slates), len(self.slates[0]), [*LOOKS])

    def scene(self) -> Grid:
        return self.picture([[Cell()] * len(self.slates[0])] * len(self.slates))

    def solved_scene(self, answer: str) -> Grid:
        return self.picture([[LOOKS[sign] for sign in row] for row in self.read(answer)])

    def picture(self, cells: Sequence[Sequence[Cell]]) -> Grid:
        """The scene of the dominoes, with their plus poles on the left and on top."""
        rows = len(self.slates)
        plus, minus = (
            tuple((f"{sign}{'?' if many < 0 else many}",) for many in numbers)
            for sign, numbers in zip((PLUS, MINUS), self.poles)
        )
        return Grid(
            tuple(map(tuple, cells)),
            left=plus[:rows],
            top=plus[rows:],
            right=minus[:rows],
            bottom=minus[rows:],
            regions=tuple(tuple(map(LETTERS.index, row)) for row in self.slates),
        )

    def verify(self, answer: str) -> Score:
        rows, columns = len(self.slates), len(self.slates[0])
        cells = [sign for row in self.read(answer) for sign in row]
        signs = [LETTERS.index(sign) for row in self.slates for sign in row]
        for number, pair in enumerate(gathered(signs)):
            if {cells[cell] for cell in pair} not in ({PLAIN}, {PLUS, MINUS}):
                return Score(0, f"domino {LETTERS[number]} is neither a magnet nor plain")
        for cell, near in enumerate(sides(rows, columns)):
            if cells[cell] != PLAIN and any(cells[other] == cells[cell] for other in near):
                name = f"row {cell // columns + 1}, column {cell % columns + 1}"
                return Score(0, f"the pole in {name} is beside an equal one")
        for pole, counts in zip((PLUS, MINUS), self.poles):
            on = [sign == pole for sign in cells]
            described = f"{{}} of the poles {pole}".format
            if violation := line_violation(on, (rows, columns), counts, sum, described):
                return Score(0, violation)
        return Score(1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(half=2, columns=3, silent=0)

    def candidates(self) -> Iterable[str]:
        pairs = gathered([LETTERS.index(sign) for row in self.slates for sign in row])
        for poles in product((PLUS + MINUS, MINUS + PLUS, PLAIN * 2), repeat=len(pairs)):
            cells = [""] * (2 * len(pairs))
            for pair, signs in zip(pairs, poles):
                for cell, sign in zip(pair, signs):
                    cells[cell] = sign
            yield text(in_rows(cells, 3))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Make domino by domino a magnet where the counts and the poles beside it allow one."""
        rows, columns = len(self.slates), len(self.slates[0])
        dominoes = gathered([LETTERS.index(sign) for row in self.slates for sign in row])
        near, all_lines = sides(rows, columns), lines(rows, columns)

        def allowed(cells: Sequence[int], poles: str, placed: Mapping[int, str]) -> bool:
            signs = dict(zip(cells, poles))
            for number, other in placed.items():
                signs |= dict(zip(dominoes[number], other))
            if any(signs.get(other) == signs[cell] for cell in cells for other in near[cell]):
                return False
            return all(
                total < 0 or sum(signs.get(cell) == pole for cell in line) <= total
                for pole, totals in zip((PLUS, MINUS), self.poles)
                for line, total in zip(all_lines, totals)
            )

        def options(domino: int, placed: Mapping[int, str]) -> list[str]:
            magnets = [PLUS + MINUS, MINUS + PLUS]
            return [each for each in magnets if allowed(dominoes[domino], each, placed)]

        def written(placed: Mapping[int, str]) -> str:
            signs = dict.fromkeys(range(rows * columns), PLAIN)
            for number, poles in placed.items():
                signs |= dict(zip(dominoes[number], poles))
            return text(in_rows([*signs.values()], columns))

        players = fillings(range(len(dominoes)), options, rng)
        return {player: written(placed) for player, placed in players.items()}


def charged(rng: Random, pairs: Sequence[Pair], rows: int, columns: int) -> list[str]:
    """Magnets at random, one after the other where they fit, except for a few.

    At least two dominoes in ten stay plain, since a chessboard of poles is too easy to guess.
    """
    near = sides(rows, columns)
    cells = [PLAIN] * (rows * columns)
    for pair in rng.sample(pairs, len(pairs) * 4 // 5):
        poles = rng.sample((PLUS, MINUS), 2)
        for some in (poles, poles[::-1]):
            free = all(cells[n] != pole for cell, pole in zip(pair, some) for n in near[cell])
            if free and rng.random() < 0.9:
                for cell, pole in zip(pair, some):
                    cells[cell] = pole
                break
    return cells


def named(image: Sequence[Sequence[tuple[int, int, int]]]) -> list[list[tuple[int, int, int]]]:
    """A grid with its dominoes renamed in the order in which they appear.

    >>> named([[(-2, 1, 0), (7, 0, 0)]])
    [[(-2, 1, 0), (0, 0, 0)]]
    """
    names = {-2: -2}
    return [[(names.setdefault(a, len(names) - 1), b, c) for a, b, c in row] for row in image]
