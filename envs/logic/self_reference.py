"""Self-referential statements, as in Jim Propp's self-referential aptitude test (2005)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Literal, Self

from palaestra.generators.exchanges import exchanges
from palaestra.generators.logic.self_reference import (
    Claim,
    Kind,
    as_text,
    consistent,
    holds,
    random_claim,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined

KINDS: dict[str, tuple[Kind, ...]] = {
    "counts": ("exactly", "at least", "at most", "is true", "is false"),
    "pairs": ("exactly", "at least", "at most", "is false", "alike", "differ", "either", "both"),
    "all": ("exactly", "at least", "at most", "is false", "alike", "differ", "either", "even",
            "among first", "next false", "more odd"),
}  # fmt: skip


class SelfReference(Puzzle):
    """Find the only consistent truth values of statements about one another."""

    version = 2
    tags = {"deduction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        statements: int = ladder(6, 7, 8, 9, 10, 12, 13, low=5, high=14)
        kinds: Literal["counts", "pairs", "all"] = ladder("counts", "counts", "pairs", "all")

    claims: tuple[Claim, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number, kinds = knobs.statements, KINDS[knobs.kinds]
        return cls(
            claims=tuple(random_claim(rng, rng.choice(kinds), number) for _ in range(number))
        )

    def is_valid(self) -> bool:
        worlds = consistent(self.claims)
        return worlds.bit_count() == 1 and worlds != 1

    def canonical(self) -> str:
        return repr(self.claims)

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two statements change places."""
        for claims in exchanges(self.claims, rng):
            yield self.model_copy(update={"claims": tuple(claims)})

    def refutation(self, altered: Self) -> float | None:
        """The number of all assignments of truth values. It takes a glance to see that a statement
        contradicts itself, or that two of them contradict each other.
        """
        if consistent(altered.claims):
            return None
        numbers = range(1, len(self.claims) + 1)
        obvious = not all(
            consistent(altered.claims, some) for k in (1, 2) for some in combinations(numbers, k)
        )
        return 0.0 if obvious else 2.0 ** len(self.claims)

    def prompt(self) -> str:
        number = len(self.claims)
        lines = "\n".join(f"{n}. {as_text(claim)}" for n, claim in enumerate(self.claims, 1))
        ask = self.phrase("Which of the statements are true?", "List the true statements.")
        opening = self.phrase(
            f"Each of these {number} statements is either true or false:",
            f"Here are {number} statements, each of them true or false:",
        )
        sample = joined([2, 3, number])
        return (
            f"{opening}\n\n{lines}\n\n'These statements' means all {number}, including the one "
            "that uses these words. There is exactly one assignment of truth values such that "
            "what the true statements claim holds and what the false ones claim does not, and in "
            f"it at least one is true. {ask} Write their numbers, such as '{sample}'."
        )

    def answer(self) -> str:
        world = consistent(self.claims).bit_length() - 1
        return joined([n for n in range(1, len(self.claims) + 1) if world >> n - 1 & 1])

    def verify(self, answer: str) -> Score:
        numbers = integers(answer)
        number = len(self.claims)
        if (
            not numbers
            or len(set(numbers)) < len(numbers)
            or not set(numbers) <= set(range(1, number + 1))
        ):
            raise InvalidAnswer(f"not different numbers from 1 to {number}")
        for n, claim in enumerate(self.claims, 1):
            if holds(claim, frozenset(numbers), number) != (n in numbers):
                return Score(0, "a statement contradicts its truth value")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Look the world up among all consistent ones."""
        numbers = [int(number) for number in re.findall(r"\d+", answer)]
        world = sum(1 << number - 1 for number in set(numbers))
        return len(set(numbers)) == len(numbers) and bool(consistent(self.claims) >> world & 1)

    def difficulty(self) -> float:
        return len(self.claims) * 2.0 ** len(self.claims)

    def random_baseline(self) -> float:
        return 1.0 / int(2 ** len(self.claims) - 1)

    def shortcuts(self) -> Iterable[str]:
        yield joined(range(1, len(self.claims) + 1))
        yield joined(range(1, len(self.claims) + 1, 2))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(statements=6, kinds="all")

    def candidates(self) -> Iterable[str]:
        numbers = range(1, len(self.claims) + 1)
        for size in numbers:
            yield from map(joined, combinations(numbers, size))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Random statements, and those that hold if all are true, or if the ones before are."""
        numbers = range(1, len(self.claims) + 1)
        true, after = {*numbers}, {*numbers}
        for n, claim in enumerate(self.claims, 1):
            if not holds(claim, frozenset(after), len(numbers)):
                after.remove(n)
            if not holds(claim, frozenset(numbers), len(numbers)):
                true.remove(n)
        players = {
            "random statements": {n for n in numbers if rng.random() < 0.5},
            "what holds if all are true": true,
            "statements checked once, one by one": after,
        }
        return {player: joined(sorted(some) or [1]) for player, some in players.items()}
