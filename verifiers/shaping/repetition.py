"""Saying the same again and again, measured on tokens."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from palaestra.task import Score
from palaestra.verifiers.shaping.recipe import Gate, Recipe, Span
from palaestra.verifiers.shaping.transcript import RecipeError, Transcript

LONGEST_GRAM = 64


def repeated_share(tokens: Sequence[Hashable], n: int) -> float:
    """The share of n-grams that have occurred before, from 0 to below 1.

    0 where there are fewer than n tokens. Time and memory are linear in tokens times n.

    >>> repeated_share("abab", 2), repeated_share("abcd", 2), repeated_share("a", 2)
    (0.3333333333333333, 0.0, 0.0)
    """
    total = len(tokens) - n + 1
    if total < 1:
        return 0.0
    distinct = len(set(zip(*(tokens[start:] for start in range(n)))))
    return (total - distinct) / total


@dataclass(frozen=True, slots=True)
class NGramRepetition(Recipe):
    """A penalty for repeated n-grams of tokens, of ``-most`` to 0 (after Yeo et al. 2025).

    In proportion to :func:`repeated_share`, as far as that is above ``spare``: working something
    out repeats a few words by nature, the more the smaller ``n`` is.

    >>> NGramRepetition(n=2)(Score(1), Transcript("", tokens=[7, 7, 7, 7, 7]))
    -0.75
    """

    n: int
    most: float = 1.0
    spare: float = 0.0

    def check(self) -> None:
        if not (1 <= self.n <= LONGEST_GRAM and self.most > 0 and 0 <= self.spare < 1):
            raise RecipeError(f"n is 1 to {LONGEST_GRAM}, most is above 0, and 0 <= spare < 1")

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        return Span(-self.most, 0.0)

    def value(self, score: Score, transcript: Transcript) -> float:
        share = repeated_share(transcript.ids, self.n)
        return -self.most * max(share - self.spare, 0.0) / (1 - self.spare)
