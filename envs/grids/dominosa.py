"""Dominosa, by O. S. Adler (1893): a full set of dominoes, found in a grid of its numbers.

A random arrangement of dominoes is seldom the only one with its numbers; wherever another one
differs, a domino is shown, until the solution is unique.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from random import Random
from typing import Self

from palaestra.generators.baselines import maximal, natural_orders, stepwise
from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import COUNTED, example_line, images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.marks import Sheet, exactly
from palaestra.generators.grids.pencil import Pencil, SearchResult
from palaestra.generators.grids.shapes import Pair, tiling, ways
from palaestra.scenes import Cell, Grid, Line
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.grids import grid

RIGHT, LEFT, DOWN, UP = ">", "<", "v", "^"
STEPS = {RIGHT: (0, 1), LEFT: (0, -1), DOWN: (1, 0), UP: (-1, 0)}


class Dominosa(Pencil):
    """Find how a full set of dominoes lies in a grid of which only the numbers are left."""

    version = 2
    tags = {"grid", "constraint-satisfaction", "exact-cover", "unique-solution"}
    baseline_note = (
        "a domino with one position left is laid without a choice, and such steps lead "
        "through most boards of the middle level and through a third of the largest"
    )

    class Knobs(Pencil.Knobs):
        highest: int = ladder(3, 3, 4, 5, 6, 7, 9, low=2)
        spare: int = ladder(
            3, 1, 2, 1, 0, high=6
        )  # known dominoes beyond those that make it unique

    numbers: tuple[tuple[int, ...], ...]
    known: tuple[Pair, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rows, columns = knobs.highest + 1, knobs.highest + 2
        dominoes = [*combinations_with_replacement(range(rows), 2)]
        pairs = tiling(rng, rows, columns)
        numbers = [0] * (rows * columns)
        for pair, domino in zip(pairs, rng.sample(dominoes, len(dominoes))):
            for cell, number in zip(pair, rng.sample(domino, 2)):
                numbers[cell] = number
        every = ways(rows, columns)
        rules, truth = sheet(numbers, every), bits(map(every.index, pairs))
        known = 0
        while not (solution := rules.solve(on=known)).unique:
            doubts = {n for some in solution.solutions for n in ones(truth & ~some)}
            known |= 1 << rng.choice(sorted(doubts) or ones(truth & ~known))
        others = ones(truth & ~known)
        known |= bits(rng.sample(others, min(knobs.spare, len(others) - 1)))
        table = map(tuple, in_rows(numbers, columns))
        return cls(numbers=tuple(table), known=tuple(every[n] for n in ones(known)))

    def solved(self) -> SearchResult[int]:
        every = ways(len(self.numbers), len(self.numbers[0]))
        rules = sheet([number for row in self.numbers for number in row], every)
        return rules.solve(on=bits(map(every.index, self.known)))

    def canonical(self) -> str:
        """The numbers are names; rows are shorter than columns, so that four images are enough."""
        mate = {cell: n for n, pair in enumerate(self.known) for cell in pair}
        wide = len(self.numbers[0])
        signs = [
            [(number, mate.get(r * wide + c, -1)) for c, number in enumerate(row)]
            for r, row in enumerate(self.numbers)
        ]
        return str(min(map(relabelled, images(signs, turned=False))))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two numbers change places, neither of them on a domino that is known."""
        wide, known = len(self.numbers[0]), {cell for pair in self.known for cell in pair}
        flat = [number for row in self.numbers for number in row]
        for numbers in exchanges(flat, rng, lambda cell: None if cell in known else True):
            rows = tuple(map(tuple, in_rows(numbers, wide)))
            yield self.model_copy(update={"numbers": rows})

    def prompt(self) -> str:
        rows, wide = len(self.numbers), len(self.numbers[0])
        highest = rows - 1
        rules = self.phrase(
            f"A set of dominoes, one for every pair of numbers from 0 to {highest} (doubles such "
            "as 0-0 included), was laid out to fill a grid, each domino covering two cells that "
            "share a side. Then the outlines were rubbed out. Find the position of every domino: "
            "every cell belongs to one domino, and every domino of the set occurs exactly once.",
            f"Divide this grid of {rows} rows and {wide} columns into dominoes, blocks of two "
            f"cells side by side or one above the other. Each pair of numbers from 0 to {highest}, "
            "equal ones such as 0-0 too, must be on exactly one domino; the order of the two "
            "numbers does not matter.",
        )
        known = ", ".join("-".join(cell_name(*divmod(c, wide)) for c in p) for p in self.known)
        table = [[*row] for row in self.numbers]
        example = example_line(RIGHT + LEFT + DOWN, wide)
        return (
            f"{rules} There is exactly one way to do it. {COUNTED}: r1c2 is the cell in row 1, "
            f"column 2.\n\n{text(table)}\n\nDominoes already known: {known or 'none'}\n\nAnswer "
            f"with {rows} lines of {wide} signs separated by spaces. The sign of a cell points to "
            f"the other half of its domino: '{RIGHT}' right, '{LEFT}' left, '{DOWN}' down (the "
            f"small letter v), '{UP}' up. A line looks like '{example}'."
        )

    def answer(self) -> str:
        (lying,) = self.solved().solutions
        return pointed(lying, len(self.numbers), len(self.numbers[0]))

    def read(self, answer: str) -> list[list[str]]:
        """The signs of the cells."""
        return grid(answer, len(self.numbers), len(self.numbers[0]), [*STEPS])

    def scene(self) -> Grid:
        return self.picture(self.known)

    def solved_scene(self, answer: str) -> Grid:
        """The dominoes of an answer, and an arrow where no domino can lie as a cell points."""
        wide, signs = len(self.numbers[0]), self.read(answer)
        ends = {
            (r, c): (r + STEPS[sign][0], c + STEPS[sign][1])
            for r, row in enumerate(signs)
            for c, sign in enumerate(row)
        }
        pairs, lines = [], []
        for cell, end in ends.items():
            if ends.get(end) != cell:
                lines.append(Line((cell, half(cell, end)), "bad", arrow=True))
            elif cell < end:
                pairs.append((cell[0] * wide + cell[1], end[0] * wide + end[1]))
        return self.picture(pairs, lines)

    def picture(self, pairs: Sequence[Pair], lines: Sequence[Line] = ()) -> Grid:
        """The scene of the grid on which dominoes lie on these pairs of cells."""
        wide, known = len(self.numbers[0]), {cell for pair in self.known for cell in pair}
        domino = {cell: number for number, pair in enumerate(pairs, 1) for cell in pair}

        def look(cell: int, number: int) -> Cell:
            fill = "paper" if cell not in domino else "muted" if cell in known else "t5"
            return Cell(str(number), fill)

        return Grid(
            tuple(
                tuple(look(r * wide + c, number) for c, number in enumerate(row))
                for r, row in enumerate(self.numbers)
            ),
            regions=tuple(
                tuple(domino.get(r * wide + c, 0) for c in range(wide))
                for r in range(len(self.numbers))
            ),
            lines=tuple(lines),
            coordinates=True,
        )

    def verify(self, answer: str) -> Score:
        rows, wide = len(self.numbers), len(self.numbers[0])
        signs = self.read(answer)
        mates: dict[int, int] = {}
        for row, column in product(range(rows), range(wide)):
            down, across = STEPS[signs[row][column]]
            if not (0 <= row + down < rows and 0 <= column + across < wide):
                return Score(0, f"{cell_name(row, column)} points out of the grid")
            mates[row * wide + column] = (row + down) * wide + column + across
        flat = [number for row in self.numbers for number in row]
        seen: set[tuple[int, ...]] = set()
        for one, other in mates.items():
            if mates[other] != one:
                name = cell_name(*divmod(one, wide))
                return Score(0, f"{name} points to a cell that does not point back")
            domino = tuple(sorted((flat[one], flat[other])))
            if one < other and domino in seen:
                return Score(0, f"the domino {domino[0]}-{domino[1]} appears twice")
            seen.add(domino)
        if any(mates[one] != other for one, other in self.known):
            return Score(0, "a domino that is already known is missing")
        return Score(1)

    def blanks(self) -> int:
        return len(self.numbers) * len(self.numbers[0]) // 2 - len(self.known)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(highest=2, spare=0)

    def candidates(self) -> Iterable[str]:
        every = ways(3, 4)
        for lying in Sheet(len(every), covering(every, 12)).solve(limit=100).solutions:
            yield pointed(lying, 3, 4)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Lay a domino where there are cells for it, the rarest first or in a natural order."""
        rows, columns = len(self.numbers), len(self.numbers[0])
        flat = [number for row in self.numbers for number in row]
        every = ways(rows, columns)

        domino = {pair: tuple(sorted(flat[cell] for cell in pair)) for pair in every}
        positions: dict[tuple[int, ...], list[Pair]] = {}
        for pair in every:
            positions.setdefault(domino[pair], []).append(pair)

        def free(lying: Iterable[Pair], pair: Pair) -> bool:
            return all({*pair}.isdisjoint(p) and domino[p] != domino[pair] for p in lying)

        def rarest(pair: Pair, lying: list[Pair]) -> int | None:
            before = [*self.known, *lying]
            if not free(before, pair):
                return None
            covered = {cell for other in before for cell in other}
            return sum(covered.isdisjoint(other) for other in positions[domino[pair]])

        players = {
            player: [*maximal(order, free, self.known)]
            for player, order in natural_orders(every, rng, {}).items()
        }
        players["rarest domino first"] = [*self.known, *stepwise(every, rng, rarest)]
        return {
            player: pointed(bits(map(every.index, lying)), rows, columns)
            for player, lying in players.items()
        }


def half(start: tuple[int, int], end: tuple[int, int]) -> tuple[float, float]:
    """The point half-way between two cells.

    >>> half((0, 0), (0, 1))
    (0.0, 0.5)
    """
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def pointed(lying: int, rows: int, columns: int) -> str:
    """The positions of dominoes as an answer."""
    signs = [RIGHT] * (rows * columns)  # also where no domino lies
    every = ways(rows, columns)
    for one, other in (every[n] for n in ones(lying)):
        signs[one], signs[other] = (RIGHT, LEFT) if other == one + 1 else (DOWN, UP)
    return text(in_rows(signs, columns))


def covering(every: Sequence[Pair], size: int) -> tuple[tuple[int, int], ...]:
    """Each cell belongs to one domino."""
    of_cell: list[list[int]] = [[] for _ in range(size)]
    for number, pair in enumerate(every):
        for cell in pair:
            of_cell[cell].append(number)
    return tuple(exactly(some, 1) for some in of_cell)


def sheet(numbers: Sequence[int], every: Sequence[Pair]) -> Sheet:
    """The rules; the variables, which are on or off, are the positions of dominoes."""
    by_domino: dict[tuple[int, ...], list[int]] = {}
    for number, pair in enumerate(every):
        by_domino.setdefault(tuple(sorted(numbers[cell] for cell in pair)), []).append(number)
    each = tuple(exactly(some, 1) for some in by_domino.values())
    return Sheet(len(every), covering(every, len(numbers)) + each)


def relabelled(signs: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Numbers, and known dominoes, renamed in the order in which they appear.

    >>> relabelled([[(3, -1), (3, 1), (0, 1)]])
    [[(1, 0), (1, 1), (2, 1)]]
    """
    numbers: dict[int, int] = {}
    known = {-1: 0}
    return [
        [
            (numbers.setdefault(number, len(numbers) + 1), known.setdefault(mate, len(known)))
            for number, mate in row
        ]
        for row in signs
    ]
