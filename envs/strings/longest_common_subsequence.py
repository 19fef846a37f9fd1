"""Longest common subsequences, by the table of Robert Wagner and Michael Fischer (1974)."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.strings.alignments import (
    blocks_common,
    common,
    greedy_common,
    is_subsequence,
    nearest_common,
)
from palaestra.generators.strings.renaming import renaming
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.reading.words import letters


class LongestCommonSubsequence(Puzzle):
    """Find a longest common subsequence of two texts."""

    version = 2
    tags = {"strings", "optimisation", "dynamic-programming"}

    class Knobs(Puzzle.Knobs):
        length: int = ladder(9, 12, 18, 48, 60, 80, 100, low=8)
        letters: int = ladder(4, 4, 4, 4, 5, 5, 6, low=3, high=8)

    first: str
    second: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        alphabet = rng.sample("abcdefghijklmnopqrstuvwxyz", knobs.letters)
        first, second = ("".join(rng.choices(alphabet, k=knobs.length)) for _ in range(2))
        return cls(first=first, second=second)

    def is_valid(self) -> bool:
        return self.baseline() + 1 < len(common(self.first, self.second))

    def baseline(self) -> int:
        """The length of the best greedy answer."""
        return max(map(len, self.shortcuts()))

    def canonical(self) -> str:
        forms = []
        for way in (1, -1):
            for pair in ((self.first, self.second), (self.second, self.first)):
                text = " ".join(part[::way] for part in pair)
                forms.append(text.translate(renaming(text)))
        return min(forms)

    def prompt(self) -> str:
        task = self.phrase(
            "Find a text, as long as possible, that can be made from each of these two by deleting "
            "letters, without changing the order of the letters that stay.",
            "What is the longest common subsequence of these two texts? It is a sequence of "
            "letters that occur in both texts in the same order, not necessarily side by side.",
        )
        return (
            f"{task}\n\n{self.first}\n{self.second}\n\nIf there are several of the same length, "
            "any of them is accepted. Answer with the text alone, such as "
            f"'{self.second[:1] + self.first[:1]}'."
        )

    def answer(self) -> str:
        return common(self.first, self.second)

    def verify(self, answer: str) -> Score:
        row = letters(answer, set(self.first + self.second))
        for which, text in (("first", self.first), ("second", self.second)):
            if not is_subsequence(row, text):
                return Score(0, f"its letters are not in the {which} text in this order")
        best = len(self.answer())
        parts = {"progress": gap(len(row), self.baseline(), best)}
        if len(row) < best:
            reason = f"a common subsequence of more than {len(row)} letters exists"
            return Score(0, reason, parts)
        return Score(1, parts=parts)

    def audit(self, answer: str) -> bool:
        """Compute the greatest length from the least end in the second text for each length."""
        row = answer.strip().casefold()
        ends: list[int] = []
        for sign in self.first:
            starts = [0, *(end + 1 for end in ends)]
            indices = [self.second.find(sign, start) for start in starts]
            for length, index in enumerate(indices):
                if index >= 0 and length == len(ends):
                    ends.append(index)
                elif index >= 0:
                    ends[length] = min(ends[length], index)
        rests = {text: [*text] for text in (self.first, self.second)}
        for rest in rests.values():
            for sign in row:
                if sign not in rest:
                    return False
                del rest[: rest.index(sign) + 1]
        return len(row) == len(ends)

    def difficulty(self) -> float:
        return float(len(self.first) * len(self.second))

    def shortcuts(self) -> Iterable[str]:
        yield greedy_common(self.first, self.second)
        yield greedy_common(self.second, self.first)
        yield greedy_common(self.first[::-1], self.second[::-1])[::-1]
        yield greedy_common(self.second[::-1], self.first[::-1])[::-1]
        yield max(
            (s * min(self.first.count(s), self.second.count(s)) for s in sorted(set(self.first))),
            key=len,
        )

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The nearest common letter each time, from either end, and the longest common block."""
        one, other = self.first, self.second
        return {
            "nearest common letter from the left": nearest_common(one, other),
            "nearest common letter from the right": nearest_common(one[::-1], other[::-1])[::-1],
            "longest common block first": blocks_common(one, other),
        }

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=9, letters=4)

    def candidates(self) -> Iterable[str]:
        sizes = range(1, len(self.first) + 1)
        parts = (combinations(self.first, size) for size in sizes)
        return sorted({"".join(part) for every in parts for part in every})
