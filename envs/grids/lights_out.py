"""Lights out (Tiger Electronics, 1995), after XL-25 by László Mérő (Vulcan Electronics, 1983).

Pressing twice undoes itself and the order does not matter, so that what to press is the solution
of linear equations over the field of two elements.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import example_line, images, in_rows, picture, text
from palaestra.generators.grids.shapes import sides
from palaestra.scenes import Cell, Grid
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.grids import grid

LIT, DARK = "#", "-"
PRESS, LEAVE = "x", "-"


class LightsOut(Puzzle):
    """Press lamps, each of which switches itself and its neighbours, until all of them are dark."""

    tags = {"grid", "linear-algebra"}

    class Knobs(Puzzle.Knobs):
        rows: int = ladder(3, 3, 4, 4, 5, 6, 8)
        columns: int = ladder(4, 5, 5, 6, 6, 7, 8, low=3)

    lamps: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rows, columns = knobs.rows, knobs.columns
        pressed = rng.randrange(1, 1 << rows * columns)
        lamps = picture(switched(pressed, rows, columns), rows, columns, LIT + DARK)
        return cls(lamps=tuple(lamps.replace(" ", "").splitlines()))

    def is_valid(self) -> bool:
        return LIT in "".join(self.lamps)

    def lit(self) -> int:
        """The lamps that are lit."""
        return bits(n for n, sign in enumerate("".join(self.lamps)) if sign == LIT)

    def canonical(self) -> str:
        square = len(self.lamps) == len(self.lamps[0])
        return min("\n".join(map("".join, image)) for image in images(self.lamps, turned=square))

    def prompt(self) -> str:
        rows, columns = len(self.lamps), len(self.lamps[0])
        rules = self.phrase(
            f"A panel has {rows} rows and {columns} columns of lamps that are also buttons; "
            f"'{LIT}' is lit and '{DARK}' is dark. Pressing a lamp switches it and the lamps "
            "directly above, below, left and right of it, where they exist: lit ones go dark and "
            "dark ones light up. Find the lamps to press so that in the end all lamps are dark.",
            f"Here is a board of {rows} by {columns} lights, where '{LIT}' is on and '{DARK}' is "
            "off. A press on a light changes the state of that light and of the up to four lights "
            "that share a side with it. State which lights to press in order to turn everything "
            "off.",
        )
        example = example_line(PRESS + LEAVE * 2, columns)
        return (
            f"{rules} Each lamp is pressed once or not at all, and the order does not matter. If "
            f"there are several ways, any one will do.\n\n{text(self.lamps)}\n\nAnswer with {rows} "
            f"lines of {columns} signs separated by spaces, '{PRESS}' (the small letter x) for a "
            f"lamp to press and '{LEAVE}' for any other. A line looks like '{example}'."
        )

    def answer(self) -> str:
        rows, columns = len(self.lamps), len(self.lamps[0])
        return picture(presses(self.lit(), rows, columns), rows, columns, PRESS + LEAVE)

    def read(self, answer: str) -> list[str]:
        """The sign of each lamp, in reading order."""
        rows = grid(answer, len(self.lamps), len(self.lamps[0]), PRESS + LEAVE)
        return [sign for row in rows for sign in row]

    def scene(self) -> Grid:
        return self.panel([LEAVE] * (len(self.lamps) * len(self.lamps[0])))

    def solved_scene(self, answer: str) -> Grid:
        return self.panel(self.read(answer))

    def panel(self, signs: Sequence[str]) -> Grid:
        """The scene of the lamps, with an x on those to press."""
        cells = [
            Cell(
                PRESS if sign == PRESS else "",
                "t6" if lamp == LIT else "paper",
                "disc",
                "c6" if lamp == LIT else "shade",
            )
            for lamp, sign in zip("".join(self.lamps), signs)
        ]
        return Grid(tuple(map(tuple, in_rows(cells, len(self.lamps[0])))))

    def verify(self, answer: str) -> Score:
        rows, columns = len(self.lamps), len(self.lamps[0])
        signs = self.read(answer)
        pressed = bits(n for n, sign in enumerate(signs) if sign == PRESS)
        left = switched(pressed, rows, columns) ^ self.lit()
        if not left:
            return Score(1)
        return Score(0, f"{left.bit_count()} of the lamps stay lit")

    def audit(self, answer: str) -> bool:
        """Press one lamp after the other."""
        rows, columns = len(self.lamps), len(self.lamps[0])
        lit = [sign == LIT for sign in "".join(self.lamps)]
        for cell, sign in enumerate("".join(answer.split())):
            for other in (cell, *sides(rows, columns)[cell]) if sign == PRESS else ():
                lit[other] = not lit[other]
        return not any(lit)

    def difficulty(self) -> float:
        rows, columns = len(self.lamps), len(self.lamps[0])
        return float(rows * columns * presses(self.lit(), rows, columns).bit_count())

    def random_baseline(self) -> float:
        """Each board that can be reached is reached by the same number of ways to press."""
        return 0.5 ** len(eliminated(len(self.lamps), len(self.lamps[0])))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(rows=3, columns=3)

    def candidates(self) -> Iterable[str]:
        for cells in product((0, 1), repeat=9):
            yield picture(bits(n for n, on in enumerate(cells) if on), 3, 3, PRESS + LEAVE)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Press what is lit, at once or row by row, where the row above is lit (chasing lights)."""
        rows, columns = len(self.lamps), len(self.lamps[0])

        def chased(first: int) -> int:
            pressed = first
            for row in range(1, rows):
                left = switched(pressed, rows, columns) ^ self.lit()
                above = left >> (row - 1) * columns & (1 << columns) - 1
                pressed |= above << row * columns
            return pressed

        players = {
            "all lit lamps": self.lit(),
            "lights chased from the top": chased(0),
            "lights chased from a random row": chased(rng.randrange(1 << columns)),
        }
        return {
            player: picture(pressed, rows, columns, PRESS + LEAVE)
            for player, pressed in players.items()
        }


def switched(pressed: int, rows: int, columns: int) -> int:
    """The lamps that presses switch; sets of lamps are integers.

    >>> bin(switched(0b1, 2, 2))
    '0b111'
    """
    switches = 0
    for cell in ones(pressed):
        switches ^= 1 << cell | bits(sides(rows, columns)[cell])
    return switches


@lru_cache(maxsize=64)
def eliminated(rows: int, columns: int) -> dict[int, tuple[int, int]]:
    """For each highest lamp, a combined switching with its presses (Gaussian elimination)."""
    table: dict[int, tuple[int, int]] = {}
    for cell in range(rows * columns):
        effect, pressed = switched(1 << cell, rows, columns), 1 << cell
        while effect:
            top = effect.bit_length() - 1
            if top not in table:
                table[top] = effect, pressed
                break
            effect, pressed = effect ^ table[top][0], pressed ^ table[top][1]
    return table


def presses(lit: int, rows: int, columns: int) -> int:
    """Lamps to press to switch exactly those that are lit, where that can be done."""
    table, solution = eliminated(rows, columns), 0
    while lit:
        effect, pressed = table[lit.bit_length() - 1]
        lit, solution = lit ^ effect, solution ^ pressed
    return solution
