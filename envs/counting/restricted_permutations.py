"""Permutations under restrictions, after Richard Stanley, "Enumerative Combinatorics" (1986)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import permutations
from math import comb, factorial
from random import Random
from typing import Self, get_args

from palaestra.generators.counting.puzzle import CountingPuzzle, read_count
from palaestra.generators.counting.restricted_permutations import (
    Restriction,
    Rule,
    random_restriction,
)
from palaestra.task import ladder

RULES: tuple[Rule, ...] = get_args(Rule)

LONG = 12
"""From this size on, remainders are asked for."""

BY_HAND = 7
"""The greatest size whose permutations the second opinion goes through."""


@lru_cache(maxsize=64)
def by_hand(restriction: Restriction) -> int:
    """The number of permutations that satisfy a restriction, from a look at all of them."""
    rows = permutations(range(1, restriction.size + 1))
    return sum(map(restriction.holds, rows))


class RestrictedPermutations(CountingPuzzle):
    """Count the permutations with given rises, inversions, cycles, neighbours or positions."""

    tags = {"counting", "permutations", "unique-solution"}

    class Knobs(CountingPuzzle.Knobs):
        size: int = ladder(7, 8, 9, 11, 14, 18, 25, low=5, high=40)

    restriction: Restriction

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size + rng.randint(0, 1 + knobs.size // 6)
        restriction = random_restriction(rng, rng.choice(RULES), size)
        modulus = cls.random_modulus(rng) if restriction.size >= LONG else 0
        return cls(restriction=restriction, modulus=modulus)

    def is_valid(self) -> bool:
        """Whether there are many, and the usual guesses are wrong."""
        number = self.count()
        if number < 20 or (self.modulus and number < 10 * self.modulus):
            return False
        return self.reduced(number) not in map(self.reduced, self.guesses().values())

    def canonical(self) -> str:
        return repr((self.restriction, self.modulus))

    def prompt(self) -> str:
        n = self.restriction.size
        ask = self.phrase(
            f"In how many ways can the numbers from 1 to {n} be written in a row, each of them "
            "once, so that the following holds?",
            f"A row contains each of the numbers from 1 to {n} exactly once. Count the rows for "
            "which the following holds.",
        )
        return f"{ask}\n\n{self.restriction.text()}\n\n{self.ending()}"

    def count(self) -> int:
        return self.restriction.number()

    def audit(self, answer: str) -> bool | None:
        """Go through all permutations; None if there are too many."""
        if self.restriction.size > BY_HAND:
            return None
        return read_count(answer, self.modulus) == self.reduced(by_hand(self.restriction))

    def difficulty(self) -> float:
        """The entries of a table for the size and a statistic."""
        return float(self.restriction.size**2)

    def guesses(self) -> dict[str, int]:
        """Numbers of permutations that are well known."""
        n = self.restriction.size
        moved = [1, 0]
        for size in range(2, n + 1):
            moved.append((size - 1) * (moved[-1] + moved[-2]))
        return {
            "all permutations": factorial(n),
            "one number fixed": factorial(n - 1),
            "no fixed point": moved[n],
            "half of all": factorial(n) // 2,
            "Catalan number": comb(2 * n, n) // (n + 1),
            "subsets": 2 ** (n - 1),
            "all choices of two": comb(n, 2),
        }

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Well-known numbers of permutations, and an equal share of them for each rise or fall."""
        n = self.restriction.size
        shares = {
            "a half for each comparison": factorial(n - 1) // 2 ** len(self.restriction.signs),
            "most frequent number": factorial(n) // n**2,
        }
        guesses = self.guesses() | shares
        return {player: str(self.reduced(guess)) for player, guess in guesses.items()}

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=5)

    def candidates(self) -> Iterable[str]:
        return map(str, range(factorial(self.restriction.size) + 1))
