"""Angle chasing with the theorems of Euclid's "Elements", books I and III."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.geometry.polygon_angles import (
    LEVELS,
    Equation,
    Fact,
    Kind,
    continued,
    equations,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import rational

CHAINS = 50
"""The most chains of facts to try for one whose last size is not easy to guess."""

Sizes = tuple[tuple[int, int], ...]
Terms = dict[int, Fraction]
"""A sum of multiples of angles, by angle."""
Linear = tuple[Terms, Fraction]
"""A sum of multiples of angles, and a number of degrees."""

DEGREES = ("°", "degree", "degrees")
_CIRCLE = re.compile(r"\^\\circ|\^\{\\circ\}")


class PolygonAngles(Puzzle):
    """Find the size of an angle by a chain of theorems on lines, polygons and circles."""

    version = 4
    tags = {"geometry", "deduction", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        steps: int = ladder(3, 4, 6, 7, 8, 9, 11, high=14)
        theorems: int = ladder(0, 0, 1, 1, 2, 3)
        extra: int = ladder(0, 0, 0, 1, 2, 4, 6, high=8)  # facts that are not needed

    facts: tuple[Fact, ...]
    sizes: Sizes
    """Pairs of an angle's number and its size in degrees."""

    target: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Draw chains of facts until the last size is not easy to guess."""
        for _ in range(CHAINS):
            facts, known, sizes = chain(rng, knobs.steps, knobs.extra, LEVELS[knobs.theorems])
            target = facts[knobs.steps - 1].angles[-1]
            if sizes[target - 1] not in easy(list(known.values())):
                break
        return cls._mixed(rng, facts, known, target, len(sizes))

    @classmethod
    def _mixed(
        cls, rng: Random, facts: list[Fact], known: dict[int, int], target: int, number: int
    ) -> Self:
        """The task with the angles numbered at random and the facts in random order."""
        name = dict(zip(range(1, number + 1), rng.sample(range(1, number + 1), number)))
        renamed = [f._replace(angles=tuple(name[a] for a in f.angles)) for f in facts]
        rng.shuffle(renamed)
        statements = tuple(sorted((name[angle], size) for angle, size in known.items()))
        return cls(facts=tuple(renamed), sizes=statements, target=name[target])

    def is_valid(self) -> bool:
        size = settled(self.facts, self.sizes).get(self.target)
        return size is not None and size not in easy([size for _, size in self.sizes])

    def canonical(self) -> str:
        """The facts with sizes in place of numbers of angles."""
        sizes = settled(self.facts, self.sizes)
        facts = [
            # "base" and "apex" are the same fact with the angles in another order.
            (
                f.relation.replace("base", "apex"),
                f.number,
                sorted(str(sizes.get(a)) for a in f.angles),
            )
            for f in self.facts
        ]
        known = sorted(size for _, size in self.sizes)
        return f"{sorted(facts)} {known} {sizes.get(self.target)}"

    def prompt(self) -> str:
        ask = self.phrase(
            f"The following is known about some numbered angles. How large is angle {self.target}?",
            f"Find the size of angle {self.target} from the following facts about numbered angles.",
        )
        facts = "\n".join(f"- {fact.as_text()}" for fact in self.facts)
        known = "\n".join(f"- Angle {angle} is {size} degrees." for angle, size in self.sizes)
        return (
            f"{ask} All angles are in one plane, and larger than 0 and smaller than 180 degrees."
            f"\n\n{known}\n{facts}\n\nAnswer with the number of degrees alone, such as '137'."
        )

    def size(self) -> Fraction | int:
        """The size to find."""
        return settled(self.facts, self.sizes)[self.target]

    def answer(self) -> str:
        return str(self.size())

    def verify(self, answer: str) -> Score:
        right = rational(_CIRCLE.sub("°", answer), "a number of degrees", DEGREES) == self.size()
        return Score(1) if right else Score(0, "the angle has another size")

    def difficulty(self) -> float:
        return float(sum(len(fact.angles) for fact in self.facts) + len(self.facts))

    def shortcuts(self) -> list[str]:
        return list(map(str, sums([size for _, size in self.sizes])))


def sums(sizes: list[int]) -> list[int]:
    """Supplements and sums of the known sizes, which a guess may try."""
    pairs = [a + b for n, a in enumerate(sizes) for b in sizes[n + 1 :]]
    return [*[180 - size for size in sizes + pairs], *pairs][:40]


def easy(sizes: list[int]) -> list[int]:
    """Sizes that a guess may try without using the facts."""
    return [30, 45, 60, 90, 120, *sizes, *sums(sizes)]


def chain(
    rng: Random, steps: int, extra: int, pool: Sequence[Kind]
) -> tuple[list[Fact], dict[int, int], list[int]]:
    """Facts that each determine a new angle, the known angles with their sizes, and all sizes.

    After ``steps`` facts, ``extra`` others follow, some of them about a new known angle.
    """
    sizes = [rng.randint(20, 110)]
    known = {1: sizes[0]}
    facts: list[Fact] = []
    for n in range(steps + extra):
        if n == steps or (n > steps and rng.random() < 0.5):
            sizes.append(rng.randint(20, 110))
            known[len(sizes)] = sizes[-1]
        more: list[int] = []
        while not more:
            fact, more = continued(rng, rng.choice(pool), sizes, 1)
        if fact.relation in ("triangle", "exterior", "four"):
            known |= {len(sizes) + k: size for k, size in enumerate(more[:-1], 1)}
        facts.append(fact)
        sizes += more
    return facts, known, sizes


@lru_cache(maxsize=256)
def settled(facts: tuple[Fact, ...], known: Sizes) -> dict[int, Fraction | int]:
    """The sizes that the facts determine, one by one as far as possible, then by elimination."""
    sizes: dict[int, Fraction | int] = dict(known)
    pending = [equation for fact in facts for equation in equations(fact)]
    while pending:
        rest = [equation for equation in pending if not _propagated(equation, sizes)]
        if len(rest) == len(pending):
            return sizes | _eliminated(rest, sizes)
        pending = rest
    return sizes


def _propagated(equation: Equation, sizes: dict[int, Fraction | int]) -> bool:
    """Add the size of the only unknown angle of an equation; False if there are several."""
    rest: Fraction | int = equation.total
    unknown: list[tuple[int, int]] = []
    for angle, times in equation.terms:
        if angle in sizes:
            rest -= times * sizes[angle]
        else:
            unknown.append((angle, times))
    if len(unknown) == 1:
        ((angle, times),) = unknown
        sizes[angle] = Fraction(rest, times) if rest % times else rest // times
    return len(unknown) < 2


def _eliminated(
    several: Sequence[Equation], sizes: dict[int, Fraction | int]
) -> dict[int, Fraction | int]:
    """The sizes that equations with several unknown angles determine together."""
    solved: dict[int, Linear] = {angle: ({}, Fraction(size)) for angle, size in sizes.items()}
    for equation in several:
        terms_left, rest = _substituted(equation, solved)
        if not terms_left:
            continue
        first, lead = next(iter(terms_left.items()))
        rule = {a: -share / lead for a, share in terms_left.items() if a != first}
        for angle, (terms, size) in list(solved.items()):
            if share := terms.pop(first, Fraction(0)):
                solved[angle] = _sum(terms, rule, share), size + share * rest / lead
        solved[first] = rule, rest / lead
    return {angle: size for angle, (terms, size) in solved.items() if not terms}


def _substituted(equation: Equation, solved: dict[int, Linear]) -> Linear:
    """An equation after substitution: the terms of the unsolved angles, and their total."""
    unsolved: Terms = {}
    rest = Fraction(equation.total)
    for angle, times in equation.terms:
        terms, size = solved.get(angle, ({angle: Fraction(1)}, Fraction(0)))
        unsolved = _sum(unsolved, terms, times)
        rest -= times * size
    return unsolved, rest


def _sum(terms: Terms, more: Terms, times: Fraction | int) -> Terms:
    """A sum of multiples of angles, plus a multiple of another one."""
    total = dict(terms)
    for angle, share in more.items():
        total[angle] = total.get(angle, Fraction(0)) + times * share
    return {angle: share for angle, share in total.items() if share}
