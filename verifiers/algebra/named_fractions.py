"""Answers that are lists of whole numbers and fractions, each with a name from the prompt."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.numbers import rational
from palaestra.verifiers.reading.values import items, joined


def fractions(text: str) -> list[Fraction]:
    """A list of whole numbers and fractions; there may be spaces beside a slash.

    >>> [str(value) for value in fractions("2, -31 / 7, 4/2")]
    ['2', '-31/7', '2']
    """
    close = "/".join(part.strip() for part in text.split("/"))
    return [rational(item) for item in items(close, "a list of numbers", most=100)]


def compared(text: str, names: Iterable[str], right: Sequence[Fraction]) -> Score:
    """The score of a list: 1 if all numbers are right, otherwise 0 with the names of wrong ones.

    >>> compared("2, 3", "ab", [Fraction(2), Fraction(1, 3)]).reason
    'wrong: b'
    """
    values = fractions(text)
    if len(values) != len(right):
        raise InvalidAnswer(f"{len(values)} numbers instead of {len(right)}")
    wrong = [name for name, one, other in zip(names, values, right) if one != other]
    parts = {"numbers": 1 - len(wrong) / len(right)}
    return Score(0, f"wrong: {joined(wrong)}", parts) if wrong else Score(1, "", parts)
