"""Angle chasing: the theorems on angles of Euclid's "Elements", books I and III, one on another."""

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
from palaestra.verifiers.reading.values import rational

CHAINS = 50
"""How many chains of facts are drawn for one whose last size is not easy to guess."""

Given = tuple[tuple[int, int], ...]
Terms = dict[int, Fraction]
"""A sum of angles, each taken so many times."""
Linear = tuple[Terms, Fraction]
"""Such a sum and a number of degrees."""


class PolygonAngles(Puzzle):
    """Find the size of an angle by a chain of theorems on lines, polygons and circles."""

    version = 2
    tags = {"geometry", "deduction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        steps: int = ladder(3, 4, 4, 5, 6, 8, 11, high=14)
        theorems: int = ladder(0, 0, 1, 1, 2, 3)
        extra: int = ladder(0, 0, 0, 1, 2, 4, 6, high=8)  # facts that lead elsewhere

    facts: tuple[Fact, ...]
    given: Given
    """Angles by their numbers, with their sizes in degrees."""

    asked: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Chains of facts are drawn until the last size does not give itself away."""
        for _ in range(CHAINS):
            facts, given, sizes = chain(rng, knobs.steps, knobs.extra, LEVELS[knobs.theorems])
            asked = facts[knobs.steps - 1].angles[-1]
            if sizes[asked - 1] not in easy(list(given.values())):
                break
        return cls._mixed(rng, facts, given, asked, len(sizes))

    @classmethod
    def _mixed(
        cls, rng: Random, facts: list[Fact], given: dict[int, int], asked: int, number: int
    ) -> Self:
        """The same with the angles numbered at random and the facts in any order."""
        name = dict(zip(range(1, number + 1), rng.sample(range(1, number + 1), number)))
        made = [f._replace(angles=tuple(name[a] for a in f.angles)) for f in facts]
        rng.shuffle(made)
        statements = tuple(sorted((name[angle], size) for angle, size in given.items()))
        return cls(facts=tuple(made), given=statements, asked=name[asked])

    def is_valid(self) -> bool:
        size = settled(self.facts, self.given).get(self.asked)
        return size is not None and size not in easy([size for _, size in self.given])

    def canonical(self) -> str:
        """Every angle stands for itself by its size, whatever its number is."""
        sizes = settled(self.facts, self.given)
        facts = [
            # The two ways to say which angle two equal sides enclose say the same.
            (f.kind.replace("base", "apex"), f.number, sorted(str(sizes.get(a)) for a in f.angles))
            for f in self.facts
        ]
        given = sorted(size for _, size in self.given)
        return f"{sorted(facts)} {given} {sizes.get(self.asked)}"

    def prompt(self) -> str:
        ask = self.phrase(
            f"The following is known about some numbered angles. How large is angle {self.asked}?",
            f"Find the size of angle {self.asked} from the following facts about numbered angles.",
        )
        facts = "\n".join(f"- {fact.as_text()}" for fact in self.facts)
        given = "\n".join(f"- Angle {angle} is {size} degrees." for angle, size in self.given)
        return (
            f"{ask} All angles are in one plane, and larger than 0 and smaller than 180 degrees."
            f"\n\n{given}\n{facts}\n\nAnswer with the number of degrees alone, such as '137'."
        )

    def size(self) -> Fraction | int:
        """What is asked for."""
        return settled(self.facts, self.given)[self.asked]

    def answer(self) -> str:
        return str(self.size())

    def verify(self, answer: str) -> Score:
        bare = answer.casefold().removesuffix("°").removesuffix("^\\circ").removesuffix("degrees")
        right = rational(bare, "a number of degrees") == self.size()
        return Score(1) if right else Score(0, "the angle has another size")

    def difficulty(self) -> float:
        return float(sum(len(fact.angles) for fact in self.facts) + len(self.facts))

    def shortcuts(self) -> list[str]:
        return list(map(str, sums([size for _, size in self.given])))


def sums(sizes: list[int]) -> list[int]:
    """The supplements and sums that are guessed from the sizes that are given."""
    pairs = [a + b for n, a in enumerate(sizes) for b in sizes[n + 1 :]]
    return [*[180 - size for size in sizes + pairs], *pairs][:40]


def easy(sizes: list[int]) -> list[int]:
    """Sizes that are guessed without any fact, from those that are given."""
    return [30, 45, 60, 90, 120, *sizes, *sums(sizes)]


def chain(
    rng: Random, steps: int, extra: int, pool: Sequence[Kind]
) -> tuple[list[Fact], dict[int, int], list[int]]:
    """Facts of which each settles a new angle, the angles that are given, and all sizes.

    After so many steps come facts that lead elsewhere, some from a new angle of their own.
    """
    sizes = [rng.randint(20, 110)]
    given = {1: sizes[0]}
    facts: list[Fact] = []
    for n in range(steps + extra):
        if n == steps or (n > steps and rng.random() < 0.5):
            sizes.append(rng.randint(20, 110))
            given[len(sizes)] = sizes[-1]
        more: list[int] = []
        while not more:
            fact, more = continued(rng, rng.choice(pool), sizes, 1)
        if fact.kind in ("triangle", "exterior", "four"):
            given |= {len(sizes) + k: size for k, size in enumerate(more[:-1], 1)}
        facts.append(fact)
        sizes += more
    return facts, given, sizes


@lru_cache(maxsize=256)
def settled(facts: tuple[Fact, ...], given: Given) -> dict[int, Fraction | int]:
    """The sizes that the facts settle: one after another, and by elimination where that stops."""
    sizes: dict[int, Fraction | int] = dict(given)
    pending = [equation for fact in facts for equation in equations(fact)]
    while pending:
        rest = [equation for equation in pending if not _followed(equation, sizes)]
        if len(rest) == len(pending):
            return sizes | _eliminated(rest, sizes)
        pending = rest
    return sizes


def _followed(equation: Equation, sizes: dict[int, Fraction | int]) -> bool:
    """Adds the size of the only angle of an equation that has none; whether there are not more."""
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
    """The sizes that equations of several unknown angles settle together."""
    solved: dict[int, Linear] = {angle: ({}, Fraction(size)) for angle, size in sizes.items()}
    for equation in several:
        left, rest = _substituted(equation, solved)
        if not left:
            continue
        first, lead = next(iter(left.items()))
        rule = {a: -share / lead for a, share in left.items() if a != first}
        for angle, (terms, size) in list(solved.items()):
            if share := terms.pop(first, Fraction(0)):
                solved[angle] = _sum(terms, rule, share), size + share * rest / lead
        solved[first] = rule, rest / lead
    return {angle: size for angle, (terms, size) in solved.items() if not terms}


def _substituted(equation: Equation, solved: dict[int, Linear]) -> Linear:
    """What an equation says of the angles that are not solved for, and the total for these."""
    left: Terms = {}
    rest = Fraction(equation.total)
    for angle, times in equation.terms:
        terms, size = solved.get(angle, ({angle: Fraction(1)}, Fraction(0)))
        left = _sum(left, terms, times)
        rest -= times * size
    return left, rest


def _sum(terms: Terms, more: Terms, times: Fraction | int) -> Terms:
    """A sum of multiples of angles, and some times another one."""
    made = dict(terms)
    for angle, share in more.items():
        made[angle] = made.get(angle, Fraction(0)) + times * share
    return {angle: share for angle, share in made.items() if share}
