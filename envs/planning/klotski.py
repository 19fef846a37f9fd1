"""Klotski, the sliding blocks of the nineteenth century (a patent of Henry Walton, 1893).

In general it is PSPACE-complete (Robert Hearn and Erik Demaine, "PSPACE-completeness of
sliding-block puzzles", 2005).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.planning.klotski import DIRECTIONS, Shape, Tray, filled
from palaestra.generators.planning.pictures import PicturedPlan, outline
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.moves import orders

KEY = "K"
LETTERS = "KABCDEFGHIJLMNOPQRSTUVWXYZ"

Position = tuple[int, int]
Step = tuple[str, str]


@lru_cache(maxsize=256)
def plans(tray: Tray, start: tuple[Position, ...]) -> dict[Position, tuple[tuple[int, str], ...]]:
    """A shortest plan to each position of the first block that the search reaches."""
    return tray.ways_of_the_first(start, BUDGET)


BUDGET = 700
"""How many states of the tray the search visits."""


class Klotski(PicturedPlan):
    """Slide the blocks of a crowded tray until the key block covers its target."""

    version = 2
    tags = {"planning", "search", "grid"}
    answer_type = "moves"
    units = "steps"

    class Knobs(PicturedPlan.Knobs):
        rows: int = ladder(3, 3, 4, 4, 4, 5, 6, low=3, high=6)
        columns: int = ladder(3, 4, 4, 4, 5, 5, 5, low=3, high=6)
        free: int = ladder(2, 2, 3, 3, 3, 4, 4, low=2, high=6)  # cells without a block
        least: int = ladder(4, 5, 7, 10, 13, 15, 18, low=2)  # steps that a shortest plan has
        spare: int = ladder(4, 4, 3, 3, 2, 1, 0)  # steps that there may be beyond a shortest plan

    tray: Tray
    start: tuple[Position, ...]
    target: Position
    spare: int
    least: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Fill a tray; the target is the position of the key that takes longest to reach."""
        tray, start = filled(rng, knobs.rows, knobs.columns, knobs.free)
        solutions = plans(tray, start)
        target = max(solutions, key=lambda position: (len(solutions[position]), position))
        # Crowded trays rarely have long plans, and neither have nearly empty ones.
        covered_cells = knobs.rows * knobs.columns - knobs.free
        least = min(knobs.least, 4 * knobs.free, covered_cells + 2)
        return cls(tray=tray, start=start, target=target, spare=knobs.spare, least=least)

    def is_valid(self) -> bool:
        return len(self.plan()) >= self.least and len({block for block, _ in self.plan()}) > 1

    def search(self) -> list[Step]:
        return [(LETTERS[block], way) for block, way in plans(self.tray, self.start)[self.target]]

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def canonical(self) -> str:
        blocks = sorted(zip(self.tray.shapes[1:], self.start[1:]))
        return repr((self.tray[:2], self.tray.shapes[0], self.start[0], blocks, self.target))

    def board(self, positions: Sequence[Position]) -> str:
        """The tray as text."""
        signs = {
            cell: letter
            for letter, shape, position in zip(LETTERS, self.tray.shapes, positions)
            for cell in covered(shape, position)
        }
        lines = range(self.tray.rows), range(self.tray.columns)
        return "\n".join(" ".join(signs.get((r, c), "-") for c in lines[1]) for r in lines[0])

    def prompt(self) -> str:
        wanted = ", ".join(cell_name(*c) for c in covered(self.tray.shapes[0], self.target))
        task = self.phrase(
            f"The blocks in this tray can be slid. Bring block {KEY}, the key, to the place where "
            f"it covers exactly {wanted}.",
            f"Free the key, block {KEY}, from among the other blocks of this tray: slide them "
            f"until it covers exactly {wanted}.",
        )
        return (
            f"{task}\n\n{self.board(self.start)}\n\nAll cells with the same letter are one block, "
            "which keeps its shape and is never turned or lifted; - is a free cell. Rows are "
            "counted from 1 at the top and columns from 1 at the left; r1c2 is the cell in row 1, "
            "column 2. One step slides one block by one cell up, down, left or right, onto cells "
            "that are free or its own; the edge of the tray is never crossed. Use at most "
            f"{self.move_limit()} steps. Where the other blocks are in the end does not matter. "
            "Write one step per line, such as 'A left'."
        )

    def picture(self, state: Sequence[Position]) -> Grid:
        cells = [[Cell()] * self.tray.columns for _ in range(self.tray.rows)]
        regions = [[-1] * self.tray.columns for _ in range(self.tray.rows)]
        for n, (shape, position) in enumerate(zip(self.tray.shapes, state)):
            for r, c in covered(shape, position):
                letter = LETTERS[n] if (r, c) == position else ""
                cells[r][c] = Cell(letter, f"t{2 + n % 10}" if n else "c1", fixed=not n)
                regions[r][c] = n
        return Grid(
            tuple(map(tuple, cells)),
            regions=tuple(map(tuple, regions)),
            borders=outline(covered(self.tray.shapes[0], self.target)),
            coordinates=True,
        )

    def read(self, answer: str) -> list[Step]:
        letters = LETTERS[: len(self.start)]
        lines = orders(answer, letters, DIRECTIONS, what="steps such as 'A left'")
        return [(letter, way) for letter, way in lines]

    def as_text(self, moves: Sequence[Step]) -> str:
        return "\n".join(map(" ".join, moves))

    def initial(self) -> tuple[Position, ...]:
        return self.start

    def after(self, state: tuple[Position, ...], move: Step) -> tuple[Position, ...]:
        letter, way = move
        block = LETTERS.index(letter)
        row, column = state[block][0] + DIRECTIONS[way][0], state[block][1] + DIRECTIONS[way][1]
        cells = covered(self.tray.shapes[block], (row, column))
        if any(not (0 <= r < self.tray.rows and 0 <= c < self.tray.columns) for r, c in cells):
            raise Illegal(f"block {letter} would leave the tray")
        for other, (shape, position) in enumerate(zip(self.tray.shapes, state)):
            if other != block and cells & covered(shape, position):
                raise Illegal(f"block {letter} would run into block {LETTERS[other]}")
        return (*state[:block], (row, column), *state[block + 1 :])

    def moves_from(self, state: tuple[Position, ...]) -> Iterable[Step]:
        return product(LETTERS[: len(state)], DIRECTIONS)

    def distance(self, state: tuple[Position, ...]) -> float:
        """The cells between the key and its target."""
        return sum(abs(a - b) for a, b in zip(state[0], self.target))

    def violation(self, state: tuple[Position, ...]) -> str:
        return "" if state[0] == self.target else f"in the end block {KEY} lies elsewhere"

    def audit(self, answer: str) -> bool:
        """Moves the letters of the board, without a list of blocks."""
        signs = {
            (r, c): sign
            for r, line in enumerate(self.board(self.start).splitlines())
            for c, sign in enumerate(line.split())
        }
        pairs = self.read(answer)
        for letter, way in pairs:
            down, right = DIRECTIONS[way]
            mine = [cell for cell, sign in signs.items() if sign == letter]
            new = {(r + down, c + right) for r, c in mine}
            if not mine or any(signs.get(cell) not in ("-", letter) for cell in new):
                return False
            signs = {
                cell: letter if cell in new else "-" if sign == letter else sign
                for cell, sign in signs.items()
            }
        wanted = covered(self.tray.shapes[0], self.target)
        return len(pairs) <= self.move_limit() and all(signs[cell] == KEY for cell in wanted)

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.start))

    def shortcuts(self) -> Iterable[str]:
        """The key pushed straight on in each direction."""
        return ["\n".join([f"{KEY} {way}"] * times) for way in DIRECTIONS for times in (1, 2, 3)]


def covered(shape: Shape, position: Position) -> set[Position]:
    """The cells that a block covers.

    >>> sorted(covered(((0, 0), (0, 1)), (2, 1)))
    [(2, 1), (2, 2)]
    """
    return {(position[0] + row, position[1] + column) for row, column in shape}
