"""Angle chasing: the theorems on angles of Euclid's "Elements", books I and III, one on another."""

from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.geometry.polygon_angles import (
    LEVELS,
    Equation,
    Fact,
    continued,
    equations,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.values import rational

Given = tuple[tuple[int, int], ...]
Terms = dict[int, Fraction]
"""A sum of angles, each taken so many times."""
Linear = tuple[Terms, Fraction]
"""Such a sum and a number of degrees."""


class PolygonAngles(Puzzle):
    """Find the size of an angle by a chain of theorems on lines, polygons and circles."""

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
        pool = LEVELS[knobs.theorems]
        sizes = [rng.randint(20, 110)]
        given = {1: sizes[0]}
        facts: list[Fact] = []
        for n in range(knobs.steps + knobs.extra):
            # What leads elsewhere starts from a new angle of its own.
            if n == knobs.steps or (n > knobs.steps and rng.random() < 0.5):
                sizes.append(rng.randint(20, 110))
                given[len(sizes)] = sizes[-1]
            fact, more = continued(rng, rng.choice(pool), sizes, 1)
            while not more:
                fact, more = continued(rng, rng.choice(pool), sizes, 1)
            if fact.kind in ("triangle", "exterior", "four"):
                given |= {len(sizes) + k: size for k, size in enumerate(more[:-1], 1)}
            facts.append(fact)
            sizes += more
            if n == knobs.steps - 1:
                asked = len(sizes)
        return cls._mixed(rng, facts, given, asked, len(sizes))

    @classmethod
    def _mixed(
        cls, rng: Random, facts: list[Fact], given: dict[int, int], asked: int, number: int
    ) -> Self:
        """The same with the angles numbered at random and the facts in any order."""
        name = dict(zip(range(1, number + 1), rng.sample(range(1, number + 1), number)))
        made = [f._replace(angles=tuple(name[a] for a in f.angles)) for f in facts]
        rng.shuffle(made)
        told = tuple(sorted((name[angle], size) for angle, size in given.items()))
        return cls(facts=tuple(made), given=told, asked=name[asked])

    def fair(self) -> bool:
        size = settled(self.facts, self.given).get(self.asked)
        if size is None or size in (30, 45, 60, 90, 120, *(size for _, size in self.given)):
            return False
        return str(size) not in self.lazy()

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
            f"The following is known of some numbered angles. How large is angle {self.asked}?",
            f"Find the size of angle {self.asked} from what is known of some numbered angles.",
        )
        facts = "\n".join(f"- {fact.told()}" for fact in self.facts)
        given = "\n".join(f"- Angle {angle} is {size} degrees." for angle, size in self.given)
        return (
            f"{ask} All of them are in one plane, and larger than 0 and smaller than 180 degrees."
            f"\n\n{given}\n{facts}\n\nAnswer with the number of degrees alone, such as '137'."
        )

    def size(self) -> Fraction:
        """What is asked for."""
        return settled(self.facts, self.given)[self.asked]

    def answer(self) -> str:
        return str(self.size())

    def verify(self, answer: str) -> Score:
        bare = answer.casefold().removesuffix("°").removesuffix("^\\circ").removesuffix("degrees")
        right = rational(bare, "a number of degrees") == self.size()
        return Score(1) if right else Score(0, "the angle has another size")

    def effort(self) -> float:
        return float(sum(len(fact.angles) for fact in self.facts) + len(self.facts))

    def lazy(self) -> list[str]:
        sizes = [size for _, size in self.given]
        pairs = [a + b for n, a in enumerate(sizes) for b in sizes[n + 1 :]]
        return [str(n) for n in (*(180 - size for size in [*sizes, *pairs]), *pairs)][:40]


@lru_cache(maxsize=256)
def settled(facts: tuple[Fact, ...], given: Given) -> dict[int, Fraction]:
    """The sizes that the facts settle, by elimination among all their equations."""
    known = [Equation(((angle, 1),), size) for angle, size in given]
    solved: dict[int, Linear] = {}
    for equation in known + [e for fact in facts for e in equations(fact)]:
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
