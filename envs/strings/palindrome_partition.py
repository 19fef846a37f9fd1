"""Cutting a text into the fewest palindromes, a classic of dynamic programming (Bellman, 1957)."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.strings.renaming import renaming
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.reading.words import word_list


@lru_cache(maxsize=256)
def cut(text: str) -> tuple[str, ...]:
    """A division of a text into the fewest palindromes.

    >>> cut("abaabac")
    ('abaaba', 'c')
    """
    best: list[tuple[str, ...]] = [()]
    for end in range(1, len(text) + 1):
        ways = (
            (*best[start], text[start:end])
            for start in range(end)
            if text[start:end] == text[start:end][::-1]
        )
        best.append(min(ways, key=len))
    return best[-1]


def greedy(text: str) -> list[str]:
    """Palindromes cut off from the left, each as long as possible.

    >>> greedy("aabaab")
    ['aabaa', 'b']
    """
    parts = []
    while text:
        end = next(end for end in range(len(text), 0, -1) if text[:end] == text[:end][::-1])
        parts.append(text[:end])
        text = text[end:]
    return parts


def inside(text: str, best: Callable[[list[str]], str]) -> list[str]:
    """The palindrome in a text that is best, and such ones on either side of it.

    >>> inside("abcbdd", lambda palindromes: max(palindromes, key=len))
    ['a', 'bcb', 'dd']
    """
    if not text:
        return []
    ends = [(start, end) for end in range(1, len(text) + 1) for start in range(end)]
    parts = (text[start:end] for start, end in ends)
    part = best([each for each in parts if each == each[::-1]])
    start = text.index(part)
    return [*inside(text[:start], best), part, *inside(text[start + len(part) :], best)]


class PalindromePartition(Puzzle):
    """Divide a text into as few palindromes as possible; greedy division needs more."""

    version = 2
    tags = {"strings", "optimisation", "dynamic-programming"}

    class Knobs(Puzzle.Knobs):
        length: int = ladder(12, 16, 24, 40, 66, 74, 82, 90, 100, low=11)
        letters: int = ladder(3, high=4)

    text: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        text = ""
        while len(text) < knobs.length:
            half = "".join(rng.choices("abcd"[: knobs.letters], k=rng.randint(1, 4)))
            text += half + half[::-1][rng.randrange(2) :]
        return cls(text=text[: knobs.length])

    def is_valid(self) -> bool:
        return all(len(parts) > len(cut(self.text)) > 1 for parts in self.greedy_cuts())

    def greedy_cuts(self) -> list[list[str]]:
        """The results of cutting off the longest palindrome, from the left and from the right."""
        return [greedy(self.text), greedy(self.text[::-1])[::-1]]

    def canonical(self) -> str:
        return min(text.translate(renaming(text)) for text in (self.text, self.text[::-1]))

    def prompt(self) -> str:
        task = self.phrase(
            "Divide this text into as few pieces as possible, each of which is a palindrome",
            "Divide this text into palindromes, as few as possible",
        )
        return (
            f"{task}. A palindrome reads the same from left to right and from right to left. A "
            f"single letter is a palindrome, too.\n\n{self.text}\n\nEvery letter of the text "
            "belongs to exactly one piece, and their order does not change. If several divisions "
            "are equally good, any of them is accepted. Answer with the pieces, separated by "
            "commas, such as 'xyx, z, zz'."
        )

    def answer(self) -> str:
        return joined(cut(self.text))

    def verify(self, answer: str) -> Score:
        parts = word_list(answer, what="pieces of the text, separated by commas")
        if "".join(parts) != self.text:
            return Score(0, "the pieces do not add up to the text")
        for number, part in enumerate(parts, 1):
            if part != part[::-1]:
                return Score(0, f"piece {number} is not a palindrome")
        if len(parts) > len(cut(self.text)):
            return Score(0, f"fewer than {len(parts)} pieces are enough")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Find the least number of pieces by breadth-first search over end positions."""
        parts = word_list(answer)
        reached, pieces, size = {0}, 0, len(self.text)
        while size not in reached:
            pieces += 1
            reached = {
                end
                for start in reached
                for end in range(start + 1, size + 1)
                if all(self.text[start + n] == self.text[end - 1 - n] for n in range(end - start))
            }
        whole = "".join(parts) == self.text
        return whole and all(p == p[::-1] for p in parts) and len(parts) == pieces

    def difficulty(self) -> float:
        return float(len(self.text) ** 2)

    def shortcuts(self) -> Iterable[str]:
        yield self.text
        yield joined(list(self.text))
        yield from map(joined, self.greedy_cuts())

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The longest palindrome anywhere, or any of two letters or more, then the rest alike."""

        def longest(palindromes: list[str]) -> str:
            length = max(map(len, palindromes))
            return rng.choice([each for each in palindromes if len(each) == length])

        def any_of_several(palindromes: list[str]) -> str:
            return rng.choice([each for each in palindromes if len(each) > 1] or palindromes)

        return {
            "longest palindrome first": joined(inside(self.text, longest)),
            "random maximal choice": joined(inside(self.text, any_of_several)),
        }

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=11, letters=3)

    def candidates(self) -> Iterable[str]:
        for cuts in product((", ", ""), repeat=len(self.text) - 1):
            yield "".join(a + b for a, b in zip(self.text, (*cuts, "")))
