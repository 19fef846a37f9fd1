"""Classic sorting methods by hand, after Knuth, "Sorting and Searching" (1973).

Shell's method is of 1959, quicksort of C. A. R. Hoare (1961), heapsort of J. W. J. Williams
(1964), and the partition is Nico Lomuto's, after Jon Bentley.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations, product, takewhile
from random import Random
from typing import Literal, Self

from palaestra.generators.algorithms.sorting_trace import METHODS, trace
from palaestra.generators.simulations import Simulation
from palaestra.generators.tiles import MOST, across, entered, tiles, wrapped
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, Score, ladder
from palaestra.verifiers.reading.matrices import rows_of_integers


class SortingTrace(Simulation):
    """Carry out a sorting method and write down the list after each of its passes."""

    version = 2
    tags = {"sorting", "simulation", "unique-solution"}
    calculation = True

    class Knobs(Simulation.Knobs):
        method: Literal[
            "insertion", "selection", "bubble", "shell", "merge", "quick", "heap", "any"
        ] = ladder("insertion", "selection", "bubble", "any")
        size: int = ladder(4, 5, 6, 8, 10, 13, 17, 25, 40, low=4, high=60)
        span: int = ladder(9, 20, 50, 99, 99, 999, 999)

    method: str
    numbers: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        method = rng.choice(list(METHODS)) if knobs.method == "any" else knobs.method
        numbers = tuple(rng.randint(0, knobs.span) for _ in range(knobs.size))
        return cls(method=method, numbers=numbers)

    def is_valid(self) -> bool:
        first, *_ = rows = self.result()
        return len(rows) > 1 and first != rows[-1]

    def result(self) -> list[tuple[int, ...]]:
        return trace(self.method, self.numbers)

    def prompt(self) -> str:
        start = " ".join(map(str, self.numbers))
        ask = self.phrase(
            "This method sorts a list from the smallest number to the largest. Places count from "
            "1 at the left.",
            "Carry out this method by hand on the list below; it puts the smallest number first. "
            "The leftmost place is place 1.",
        )
        return (
            f"{ask}\n\n{METHODS[self.method].rule}\n\nThe list: {start}\n\n"
            "Write the whole list as it is after each pass, one line per pass, in order, even if a "
            "pass changes nothing; do not write the list at the start. A line looks like "
            f"'{' '.join('1' * len(self.numbers))}'."
        )

    def scene(self) -> Grid:
        """The list at the start, with the number of each place."""
        cells = [Cell(str(number), corner=str(n)) for n, number in enumerate(self.numbers, 1)]
        return wrapped(cells, across(len(cells)))

    def solved_scene(self, answer: str) -> Grid:
        """The list after each pass, with a mark on what the pass has changed."""
        passes = self.read(answer)[:MOST]
        rows = [self.numbers, *passes]
        return Grid(
            (tuple(tiles(self.numbers)), *(tuple(entered(row)) for row in passes)),
            left=tuple(("start",) if not n else (str(n),) for n in range(len(rows))),
            last=tuple(
                (n, column)
                for n, (before, after) in enumerate(pairwise(rows), 1)
                for column, (one, other) in enumerate(zip(before, after))
                if one != other
            ),
        )

    def read(self, answer: str) -> list[tuple[int, ...]]:
        rows = [tuple(row) for row in rows_of_integers(answer)]
        for number, row in enumerate(rows, 1):
            if len(row) != len(self.numbers):
                raise InvalidAnswer(f"line {number} does not have {len(self.numbers)} numbers")
        return rows

    def as_text(self, values: Sequence[tuple[int, ...]]) -> str:
        return "\n".join(" ".join(map(str, row)) for row in values)

    def verify(self, answer: str) -> Score:
        rows, result = self.read(answer), self.result()
        if rows == result:
            return Score(1, "", {"progress": 1.0})
        right = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(rows, result)))
        reason = f"line {right + 1} is the first wrong one"
        if right == len(rows):
            reason = f"passes are missing after line {right}"
        elif right == len(result):
            reason = f"there are more lines than passes, from line {right + 1} on"
        return Score(0, reason, {"progress": right / len(result)})

    def difficulty(self) -> float:
        return float(len(self.result()) * len(self.numbers))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(method="selection", size=4, span=9)

    def candidates(self) -> Iterable[str]:
        lines = sorted({" ".join(map(str, row)) for row in permutations(self.numbers)})
        return map("\n".join, product(lines, repeat=len(self.numbers) - 1))
