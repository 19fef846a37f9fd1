"""Heads and legs: the pheasants and rabbits of "Sunzi Suanjing" (about 400), with new animals."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.linear import Row, determinant, holds, solved
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numbers import integer

CREATURES = (
    "brindle", "corvane", "dulop", "fenwick", "gromble", "hassit", "ilmark", "jorrel", "kestin",
    "lumfish", "mordle", "nubbin", "ostrel", "pellow", "quimble", "rundle", "snorrel", "tamsit",
)  # fmt: skip
PARTS = ("legs", "eyes", "wings", "horns", "tails", "spots", "claws")


class LegCounting(Puzzle):
    """Find the number of creatures of each kind from the totals of their legs, eyes and wings."""

    tags = {"equations", "word-problem", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        kinds: int = ladder(2, 2, 3, 3, 4, 5, 6, low=2, high=8)
        most: int = ladder(20, 40, 20, 40, 60, 80, 99, low=12, high=999)
        compared: bool = ladder(False, False, False, True)  # some totals are stated as differences

    kinds: tuple[str, ...]
    anatomy: tuple[tuple[int, ...], ...]
    """For each kind of creature, how many of each part it has."""

    facts: tuple[Row, ...]
    """Equations: the number of creatures, then each part's total, or how much it exceeds the total
    of the part before."""

    compared: tuple[bool, ...]
    """For each part, whether its fact is the difference from the total of the part before."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = knobs.kinds
        anatomy = [tuple(rng.randint(0, 9) for _ in range(number - 1)) for _ in range(number)]
        counts = [rng.randint(1, knobs.most) for _ in range(number)]
        compared = [bool(n and knobs.compared and rng.random() < 0.5) for n in range(number - 1)]
        rows: list[tuple[int, ...]] = [(1,) * number]
        columns = list(zip(*anatomy))
        for n, column in enumerate(columns):
            before = columns[n - 1] if compared[n] else (0,) * number
            rows.append(tuple(a - b for a, b in zip(column, before)))
        facts = tuple((*row, sum(a * b for a, b in zip(row, counts))) for row in rows)
        return cls(
            kinds=tuple(rng.sample(CREATURES, number)),
            anatomy=tuple(anatomy),
            facts=facts,
            compared=tuple(compared),
        )

    def is_valid(self) -> bool:
        different = len(set(self.anatomy)) == len(self.anatomy)
        many = self.facts[0][-1] > 15  # so that a guess is rarely right
        return many and different and determinant([row[:-1] for row in self.facts]) != 0

    def canonical(self) -> str:
        kinds = sorted(zip(*(row[:-1] for row in self.facts)))
        return f"{kinds} {[row[-1] for row in self.facts]}"

    def prompt(self) -> str:
        lines = [
            f"Each {creature} has {self._body(counts)}."
            for creature, counts in zip(self.kinds, self.anatomy)
        ]
        opening = self.phrase("On a meadow there are", "In a valley live")
        facts = [f"{opening} {self.facts[0][-1]} creatures of these kinds, and no others."]
        for n, (row, compared) in enumerate(zip(self.facts[1:], self.compared)):
            part, total = PARTS[n], row[-1]
            if not compared:
                facts.append(f"Together they have {total} {part}.")
            elif total:
                more, fewer = (part, PARTS[n - 1]) if total > 0 else (PARTS[n - 1], part)
                facts.append(f"Together they have {abs(total)} more {more} than {fewer}.")
            else:
                facts.append(f"Together they have as many {part} as {PARTS[n - 1]}.")
        listing = "\n".join([*lines, "", " ".join(facts)])
        return (
            f"{listing}\n\nHow many are there of each kind? Write one line for each kind, such as "
            f"'{self.kinds[0]}: 1000'."
        )

    def _body(self, counts: tuple[int, ...]) -> str:
        parts = [f"{n or 'no'} {part[:-1] if n == 1 else part}" for n, part in zip(counts, PARTS)]
        return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))

    def answer(self) -> str:
        return self.as_text(solved(self.facts))

    def as_text(self, counts: Iterable[object]) -> str:
        """The answer that states these numbers."""
        return "\n".join(f"{creature}: {count}" for creature, count in zip(self.kinds, counts))

    def verify(self, answer: str) -> Score:
        read = pairs(answer, names=self.kinds)
        counts = [Fraction(integer(read[creature])) for creature in self.kinds]
        if not holds(self.facts[0], counts):
            return Score(0, "the total number of creatures is wrong")
        for part, row in zip(PARTS, self.facts[1:]):
            if not holds(row, counts):
                return Score(0, f"the statement about the {part} does not hold")
        return Score(1)

    def difficulty(self) -> float:
        """The number of multiplications of an elimination, weighted by the length of the facts."""
        return len(self.kinds) ** 3 * len(str(self.facts))

    def random_baseline(self) -> float:
        return float(self.facts[0][-1]) ** (1 - len(self.kinds))  # their sum fixes the last

    def shortcuts(self) -> Iterable[str]:
        total = self.facts[0][-1]
        yield self.as_text([total // len(self.kinds)] * len(self.kinds))
        yield self.as_text([total - 1, *(1 for _ in self.kinds[2:]), 1])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(kinds=2, most=12)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, product(range(1, 13), repeat=2))
