"""Combinatorial designs to be completed: Steiner systems, orthogonal arrays and their like.

Charles Colbourn and Jeffrey Dinitz, "Handbook of Combinatorial Designs" (2007); Thomas Kirkman
(1850) asks for groups of fifteen.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.counting.combinatorial_design import (
    FAMILIES,
    MISSING,
    STAGES,
    Design,
    Search,
    broken,
    counted,
    known_table,
    masked,
    options,
    shuffled_table,
)
from palaestra.generators.solutions import Feasibility, SearchResult, search_result
from palaestra.scenes import Cell, Grid, Panels
from palaestra.scenes.entries import CellsEntry
from palaestra.task import ladder
from palaestra.verifiers.reading.number_tables import table as number_table

STEPS = 600
"""The most steps of a search; tables that take more are discarded."""

Rows = tuple[tuple[int, ...], ...]


class CombinatorialDesign(Feasibility):
    """Complete a table in which all pairs, or all differences, occur exactly once."""

    tags = {"counting", "combinatorics", "constraints", "search"}

    class Knobs(Feasibility.Knobs):
        stage: int = ladder(1, 2, 3, 4, 5, 6, 7)  # of the sizes, and of the share that is shown
        more: int = ladder(0, low=0, high=30)  # percent of the entries that are shown in addition
        family: Literal["any", "blocks", "array", "mate", "groups", "differences"] = ladder("any")

    design: Design
    table: Rows
    """The entries that are shown, and -1 for each other one."""

    square: Rows = ()
    """The Latin square that a mate belongs to."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        family = rng.choice(FAMILIES) if knobs.family == "any" else knobs.family
        size, width, shown = STAGES[family][knobs.stage - 1]
        design = Design(family, size, width)
        full, square = shuffled_table(rng, design)
        table = masked(rng, design, full, min(0.95, shown + knobs.more / 100))
        return cls(design=design, table=table, square=square)

    def is_valid(self) -> bool:
        """Whether the search ends early enough, and no formula fits."""
        return bool(search_result(self).solution) and super().is_valid()

    def prompt(self) -> str:
        intro = self.phrase(
            f"Complete this table of {len(self.table)} rows and {len(self.table[0])} columns, in "
            "which '.' stands for a missing number:",
            f"Some numbers of a table of {len(self.table)} rows and {len(self.table[0])} columns "
            "are missing and shown as '.':",
        )
        ask = self.phrase(
            "The full table satisfies the following:", "Fill in the missing numbers such that:"
        )
        body = [f"{intro}\n{self.laid_out(self.table)}"]
        if self.square:
            body.append(f"It belongs to this square:\n{self.laid_out(self.square)}")
        rules = "\n".join(f"- {rule}" for rule in self.rules())
        body.append(f"{ask}\n{rules}")
        low = self.design.lowest()
        example = " ".join(str(low + n % 2) for n in range(len(self.table[0])))
        body.append(
            "If there are several ways to complete it, any of them will do. Write all "
            f"{len(self.table)} rows of the full table, each on a line of its own, with spaces "
            f"between the numbers, such as '{example}' for a row."
        )
        return "\n\n".join(body)

    def rules(self) -> list[str]:
        """What a full table satisfies, as sentences."""
        family, size, width = self.design
        whole = f"All numbers are from {self.design.lowest()} to {self.design.highest()}."
        shown = "The numbers that are shown stay where they are."
        match family:
            case "blocks":
                own = [
                    f"The {width} numbers of a row are different; their order does not matter.",
                    f"Any two different numbers from 1 to {size} are together in exactly one row.",
                ]
            case "array":
                own = [
                    (
                        f"For any two columns, each of the {size**2} pairs of a number from 1 to "
                        f"{size} in the one column and a number from 1 to {size} in the other "
                        "occurs in exactly one row."
                    )
                ]
            case "mate":
                own = [
                    f"Each row and each column has every number from 1 to {size} exactly once.",
                    (
                        "If the table is laid on the square, each pair of a number of the square "
                        "and a number of the table occurs in exactly one cell."
                    ),
                ]
            case "groups":
                last = f"{size - width + 1} to {size}"
                own = [
                    f"Each row has every number from 1 to {size} exactly once.",
                    (
                        f"The numbers in columns 1 to {width} of a row are a group, those in the "
                        f"next {width} columns another one, and so on, up to columns {last}."
                    ),
                    (
                        f"Any two different numbers from 1 to {size} are together in exactly one "
                        "group of the whole table."
                    ),
                ]
            case _:
                own = [
                    f"The {width} numbers of a row are different; their order does not matter.",
                    (
                        f"For each d from 1 to {size - 1} there is exactly one way to choose a row "
                        "and two numbers a and b of it, in this order, such that a - b is d or d - "
                        f"{size}."
                    ),
                ]
        return [whole, *own, shown]

    @staticmethod
    def laid_out(rows: Rows) -> str:
        """Rows with their columns below one another."""
        width = max(len(str(n)) for row in rows for n in row if n != MISSING)
        return "\n".join(
            " ".join(("." if n == MISSING else str(n)).rjust(width) for n in row) for row in rows
        )

    def scene(self) -> Grid | Panels:
        return self.view(self.table)

    def solved_scene(self, answer: str) -> Grid | Panels:
        return self.view(self.read(answer))

    def view(self, rows: Sequence[Sequence[int]]) -> Grid | Panels:
        """The table, beside the square that it belongs to; what is shown is fixed."""
        cells = tuple(
            tuple(
                Cell("" if n == MISSING else str(n)[:4], "muted" if shown != MISSING else "paper",
                     fixed=shown != MISSING)
                for n, shown in zip(row, fixed)
            )
            for row, fixed in zip(rows, self.table)
        )  # fmt: skip
        width = self.design.width if self.design.family == "groups" else 0
        regions = (
            tuple(
                tuple(r * 100 + c // width for c in range(len(row))) for r, row in enumerate(cells)
            )
            if width
            else ()
        )
        board = Grid(cells, regions=regions)
        if not self.square:
            return board
        square = Grid(tuple(tuple(Cell(str(n), fixed=True) for n in row) for row in self.square))
        return Panels((square, board), ("square", "table"))

    def entry(self) -> CellsEntry | None:
        if self.square:
            return None
        numbers = range(self.design.lowest(), self.design.highest() + 1)
        start = tuple(tuple("" if n == MISSING else str(n) for n in row) for row in self.table)
        return CellsEntry(tuple(map(str, numbers)), start)

    def read(self, answer: str) -> Rows:
        rows = number_table(answer, len(self.table), len(self.table[0]))
        return tuple(map(tuple, rows))

    def as_text(self, solution: Any) -> str:
        low = self.design.lowest()
        return "\n".join(" ".join(str(max(n, low)) for n in row) for row in solution)

    def violation(self, solution: Any) -> str:
        for r, (row, shown) in enumerate(zip(solution, self.table), 1):
            for c, (number, fixed) in enumerate(zip(row, shown), 1):
                if fixed not in {MISSING, number}:
                    return f"row {r} has another number than the one shown in column {c}"
        return broken(self.design, solution, self.square)

    def search(self) -> SearchResult:
        search = search_of(self)
        chosen = search.solution()
        solution = () if chosen is None else search.filled(self.table, chosen)
        return SearchResult(solution, search.steps)

    def naive_solutions(self) -> list[Any]:
        """The standard design, with and without what is shown, and equal numbers."""
        standard, _ = known_table(self.design)
        mixed = [
            [fixed if fixed != MISSING else number for number, fixed in zip(row, shown)]
            for row, shown in zip(standard, self.table)
        ]
        low = self.design.lowest()
        equal = [[low if n == MISSING else n for n in row] for row in self.table]
        return [standard, mixed, equal]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Options at random that fit what is there, of which none is taken back; the standard
        design around what is shown; random numbers.
        """
        search = search_of(self)
        low, high = self.design.lowest(), self.design.highest()
        players: dict[str, Any] = {
            name: search.filled(self.table, search.greedy(rng, tightest))
            for name, tightest in (("most constrained first", True), ("random order", False))
        }
        players["standard design"] = self.naive_solutions()[1]
        players["random numbers"] = [
            [rng.randint(low, high) if n == MISSING else n for n in row] for row in self.table
        ]
        return players

    def audit(self, answer: str) -> bool:
        """Whether each thing occurs exactly once, by counting."""
        rows = self.read(answer)
        kept = all(
            fixed in {MISSING, number}
            for row, shown in zip(rows, self.table)
            for number, fixed in zip(row, shown)
        )
        return kept and counted(self.design, rows, self.square)


@lru_cache(maxsize=32)
def search_of(task: CombinatorialDesign) -> Search:
    """The search for a completion of a table."""
    choices, things = options(task.design, task.table, task.square)
    return Search(choices, things, STEPS)
