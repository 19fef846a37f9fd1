"""Answers that are lists of whole numbers and fractions, each with a name from the prompt."""

from collections.abc import Sequence
from fractions import Fraction

from palaestra.task import Score
from palaestra.verifiers.reading.numbers import rationals


def compared(text: str, names: Sequence[str], right: Sequence[Fraction]) -> Score:
    """The score of a list: 1 if all numbers are right, else 0 with the first wrong one.

    >>> compared("2, 3", "ab", [Fraction(2), Fraction(1, 3)]).reason
    'wrong: b'
    """
    values = rationals(text, len(right), names=names[: len(right)])
    wrong = [name for name, one, other in zip(names, values, right) if one != other]
    parts = {"progress": 1 - len(wrong) / len(right)}
    return Score(0, f"wrong: {wrong[0]}", parts) if wrong else Score(1, "", parts)
