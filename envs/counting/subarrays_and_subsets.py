"""Counting windows, choices, pairs and rectangles of numbers that satisfy conditions.

Such counts are usual exercises in competitive programming, with two pointers and tables; Jon
Bentley's "Programming Pearls" (1986) made sums of windows and rectangles known.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Literal, Self, get_args

from palaestra.generators.counting.puzzle import CountingPuzzle, read_count
from palaestra.generators.counting.subarrays_and_subsets import (
    Condition,
    Measure,
    Parts,
    count,
    fitting_condition,
    parts,
    total,
)
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.values import joined

ALL_PARTS: tuple[Parts, ...] = get_args(Parts)
MEASURES: tuple[Measure, ...] = get_args(Measure)

MOST_PARTS = 5_000
"""The most parts that the second opinion goes through."""


class SubarraysAndSubsets(CountingPuzzle):
    """Count the windows, choices, pairs or rectangles of numbers that satisfy conditions."""

    tags = {"counting", "arithmetic", "bits", "unique-solution"}

    class Knobs(CountingPuzzle.Knobs):
        size: int = ladder(10, 12, 14, 17, 20, 25, 32, low=8, high=40)  # of a row
        conditions: int = ladder(1, 1, 2, 2, 2, 3, 3)
        greatest: int = ladder(9, 15, 20, 31, 40, 63, 99, low=6, high=99)
        parts: Literal["windows", "subsets", "pairs", "rectangles", "any"] = ladder("any")

    parts: Parts
    rows: tuple[tuple[int, ...], ...]
    conditions: tuple[Condition, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        which = rng.choice(ALL_PARTS) if knobs.parts == "any" else knobs.parts
        width, height = knobs.size, 1
        if which == "subsets":
            width = min(12, knobs.size // 3 + 3)  # all choices are counted by their measures
        elif which == "rectangles":
            width, height = knobs.size // 4 + 2, 3 + knobs.size // 10
        rows = tuple(
            tuple(rng.randint(1, knobs.greatest) for _ in range(width)) for _ in range(height)
        )
        measures: list[Measure] = rng.sample(MEASURES, knobs.conditions)
        samples = [random_part(rng, which, rows) for _ in range(60)]
        share = 0.4 ** (1 / knobs.conditions)
        conditions = [fitting_condition(rng, each, samples, share) for each in measures]
        return cls(parts=which, rows=rows, conditions=tuple(conditions))

    def is_valid(self) -> bool:
        """Whether a good share of all parts satisfies the conditions, and none of them is idle."""
        whole, number = total(self.parts, self.rows), self.count()
        if not 0.1 * whole <= number <= 0.8 * whole or number in sum(self.rows, ()):
            return False
        return len(self.conditions) < 2 or all(
            number < count(self.parts, self.rows, self.conditions[:n] + self.conditions[n + 1 :])
            for n in range(len(self.conditions))
        )

    def canonical(self) -> str:
        rows = sorted(self.rows[0]) if self.parts in {"subsets", "pairs"} else self.rows
        return repr((self.parts, rows, sorted(self.conditions)))

    def prompt(self) -> str:
        listed = "\n".join(map(joined, self.rows))
        whole = "table" if self.parts == "rectangles" else "list"
        what = {
            "windows": "A window is one or more neighbouring numbers of the list; it is given by "
            "where it starts and ends, so that equal numbers elsewhere make another window.",
            "subsets": "A choice is one or more of the positions of the list, which need not be "
            "neighbours; its numbers are those at these positions.",
            "pairs": "A pair is two different positions of the list, in no order; its numbers are "
            "those at these positions.",
            "rectangles": "A rectangle is one or more neighbouring rows, and one or more "
            "neighbouring columns; its numbers are those where they cross.",
        }[self.parts]
        noun = "choices" if self.parts == "subsets" else self.parts
        rules = "\n".join(f"- {each.text()}" for each in self.conditions)
        ask = self.phrase(
            f"How many {noun} satisfy the following?", f"Count the {noun} for which this holds:"
        )
        return (
            f"Here is a {whole} of numbers:\n{listed}\n\n{what}\n\n{ask}\n{rules}\n\n"
            f"{self.ending()}"
        )

    def scene(self) -> Grid:
        return Grid(tuple(tuple(Cell(str(number)) for number in row) for row in self.rows))

    def count(self) -> int:
        return count(self.parts, self.rows, self.conditions)

    def audit(self, answer: str) -> bool | None:
        """Go through all parts; None if there are too many."""
        if total(self.parts, self.rows) > MOST_PARTS:
            return None
        every = parts(self.parts, self.rows)
        number = sum(all(c.holds(part) for c in self.conditions) for part in every)
        return read_count(answer, self.modulus) == number

    def difficulty(self) -> float:
        """The numbers and the conditions that each row or position is checked for."""
        return float(sum(map(len, self.rows)) ** 2 * len(self.conditions))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """All parts, usual shares of them, and what single numbers suggest."""
        whole = total(self.parts, self.rows)
        singles = [
            [number for row in self.rows for number in row if c.holds([number])]
            for c in self.conditions
        ]
        fewest = min(map(len, singles))
        modulus = max(c.modulus for c in self.conditions) or 2
        guesses = {
            "all": whole,
            "half": whole // 2,
            "two fifths": round(0.4 * whole),
            "an equal share": round(whole / modulus),
            "single numbers": fewest,
            "parts of single numbers": fewest * (fewest + 1) // 2,
            "choices of single numbers": 2**fewest - 1,
        }
        return {player: str(guess) for player, guess in guesses.items()}

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=8, conditions=2, greatest=9)

    def candidates(self) -> Iterable[str]:
        return map(str, range(total(self.parts, self.rows) + 1))


def random_part(rng: Random, which: Parts, rows: tuple[tuple[int, ...], ...]) -> list[int]:
    """The numbers of a random part."""
    width, height = len(rows[0]), len(rows)
    if which == "pairs":
        return rng.sample(rows[0], 2)
    if which == "subsets":
        return [n for n in rows[0] if rng.random() < 0.5] or [rows[0][0]]
    top, bottom = sorted((rng.randrange(height), rng.randrange(height)))
    left, right = sorted((rng.randrange(width), rng.randrange(width)))
    return [n for row in rows[top : bottom + 1] for n in row[left : right + 1]]
