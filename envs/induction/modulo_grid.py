"""Grids marked by a rule about remainders, whose arithmetic is Gauss's (1801)."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from itertools import product
from random import Random
from typing import Literal, Self

from palaestra.generators.induction.hidden_rules import HiddenRule
from palaestra.generators.induction.modulo_grid import Family, fitting, grid_text, masks
from palaestra.scenes import Cell, Grid, cells_of
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.grids import grid

RULES = {
    "rows and columns": "n = a*r, or n = b*c",
    "lines": "n = a*r + b*c",
    "products": "n = a*r + b*c + d*r*c",
}

SIGNS = {"x": Cell(fill="dark"), "o": Cell(), "?": Cell("?", "muted")}
ENTERED = {"x": Cell(mark="square", tone="accent"), "o": Cell(mark="dot", tone="accent")}
"""How the signs of the grid are drawn, and those that an answer has for hidden ones."""


class ModuloGrid(HiddenRule):
    """Find the rule of remainders that marks some cells of a grid, and fill in the hidden ones."""

    tags = HiddenRule.tags | {"grid"}

    class Knobs(HiddenRule.Knobs):
        size: int = ladder(6, 7, 8, 9, 10, 11, 12, low=5, high=14)
        hidden: int = ladder(7, 10, 15, 24, 35, 50, 70, low=5, high=80)
        modulus: int = ladder(4, 5, 6, 7, 8, 7, 8, low=3, high=8)
        rules: Literal["rows and columns", "lines", "products"] = ladder(
            "lines", "lines", "lines", "lines", "lines", "products"
        )

    rows: int
    columns: int
    marked: int
    """A mask with a bit for each cell, row by row."""
    hidden_cells: tuple[int, ...]
    modulus: int
    rules: Family

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rows, columns = knobs.size, knobs.size + rng.randint(0, 1)
        options = every(knobs.rules, knobs.modulus, rows, columns)
        cells = range(rows * columns)
        hidden = rng.sample(cells, min(knobs.hidden, rows * columns * 2 // 3))
        return cls(
            rows=rows,
            columns=columns,
            marked=rng.choice(options),
            hidden_cells=tuple(sorted(hidden)),
            modulus=knobs.modulus,
            rules=knobs.rules,
        )

    def is_valid(self) -> bool:
        """Whether all rules that fit agree, and the hidden cells are not mostly alike."""
        marks = (self.marked & self.hidden_mask()).bit_count()
        return 2 <= marks <= len(self.hidden_cells) - 2 and super().is_valid()

    def hidden_mask(self) -> int:
        """The hidden cells as a mask."""
        return sum(1 << cell for cell in self.hidden_cells)

    def outcomes(self) -> list[int]:
        """The marks of all rules that fit the cells shown, as masks."""
        shown = ~self.hidden_mask()
        options = masks(self.rules, self.modulus, self.rows, self.columns)
        return fitting(options, shown, self.marked & shown)

    def canonical(self) -> str:
        shown = self.marked & ~self.hidden_mask()
        return repr((self.rows, self.columns, shown, self.hidden_cells, self.modulus, self.rules))

    def prompt(self) -> str:
        opening = self.phrase(
            "Some cells of this grid are marked (x) and others are not (o), by a rule:",
            "A rule says which cells of this grid are marked (x) and which are not (o):",
        )
        ask = self.phrase(
            "Fill in the cells that are hidden (?).", "Which signs do the cells marked '?' hide?"
        )
        return (
            f"{opening}\n\n{self.shown()}\n\nRows r are counted from 1 at the top, columns c from "
            f"1 at the left. The rule computes the number {RULES[self.rules]}, whose coefficients "
            "are whole numbers fixed for the whole grid, and marks the cell if and only if n "
            f"leaves a fixed remainder on division by m, where m is from 2 to {self.modulus}. All "
            f"rules of this kind that fit the cells shown agree on the others. {ask} Write the "
            f"whole grid, in {self.rows} lines of {self.columns} signs x and o, without any '?'. "
            f"A line looks like '{('xoo' * self.columns)[: self.columns]}'."
        )

    def shown(self) -> str:
        """The grid with its hidden cells."""
        return grid_text(self.marked, self.hidden_cells, self.rows, self.columns)

    def as_text(self, outcome: int) -> str:
        return grid_text(outcome, (), self.rows, self.columns)

    def scene(self) -> Grid:
        return Grid(cells_of(self.shown().splitlines(), SIGNS), coordinates=True)

    def solved_scene(self, answer: str) -> Grid:
        signs = self.read(answer)
        rows = tuple(
            tuple(
                ENTERED[signs[r * self.columns + c]] if cell.text == "?" else cell
                for c, cell in enumerate(row)
            )
            for r, row in enumerate(self.scene().cells)
        )
        return Grid(rows, coordinates=True)

    def read(self, answer: str) -> list[str]:
        """The signs of an answer, row by row."""
        return [sign for row in grid(answer, self.rows, self.columns, "xo") for sign in row]

    def verify(self, answer: str) -> Score:
        squares = self.read(answer)
        mask = sum(1 << n for n, sign in enumerate(squares) if sign == "x")
        wrong = mask ^ self.outcome()
        if wrong & ~self.hidden_mask():
            return Score(0, "a cell that is shown was changed")
        if wrong:
            return Score(0, f"{wrong.bit_count()} of the hidden cells are wrong")
        return Score(1)

    def difficulty(self) -> float:
        rules = len(masks(self.rules, self.modulus, self.rows, self.columns))
        return float(rules * len(self.hidden_cells))

    def shortcuts(self) -> Iterable[str]:
        """All hidden cells marked, none, or each like its left or its upper neighbour."""
        shown = self.shown()
        for sign in "xo":
            yield shown.replace("?", sign)
        for back in (1, self.columns):
            signs = list(shown.replace("\n", ""))
            for n, sign in enumerate(signs):
                signs[n] = sign if sign != "?" else signs[n - back].replace("?", "o")
            rows = range(0, len(signs), self.columns)
            yield "\n".join("".join(signs[start : start + self.columns]) for start in rows)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=5, hidden=7)

    def candidates(self) -> Iterable[str]:
        parts = self.shown().split("?")
        for signs in product("xo", repeat=len(self.hidden_cells)):
            yield "".join(a + b for a, b in zip(parts, (*signs, "")))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Each hidden cell gets the sign of most cells: all, its row, its column, or near ones."""
        cells = [n for n in range(self.rows * self.columns) if n not in self.hidden_cells]

        def majority(cell: int, near: Callable[[int], bool]) -> bool:
            some = [n for n in cells if near(n)] or cells
            return 2 * sum(self.marked >> n & 1 for n in some) > len(some)

        def outcome(near: Callable[[int, int], bool]) -> str:
            mask = self.marked & ~self.hidden_mask()
            for cell in self.hidden_cells:
                mask |= majority(cell, partial(near, cell)) << cell
            return self.as_text(mask)

        wide = self.columns
        return {
            "majority of the grid": outcome(lambda cell, n: True),
            "majority of the row": outcome(lambda cell, n: cell // wide == n // wide),
            "majority of the column": outcome(lambda cell, n: cell % wide == n % wide),
            "majority of the neighbours": outcome(
                lambda cell, n: max(abs(cell // wide - n // wide), abs(cell % wide - n % wide)) == 1
            ),
        }


@lru_cache(maxsize=32)
def every(rules: Family, modulus: int, rows: int, columns: int) -> tuple[int, ...]:
    """The masks of all rules that mark neither nearly no cell nor nearly all cells."""
    cells = rows * columns
    return tuple(
        mask
        for mask in masks(rules, modulus, rows, columns)
        if cells // 10 <= mask.bit_count() <= cells * 9 // 10
    )
