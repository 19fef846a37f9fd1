"""Exact probabilities as answers."""

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

from palaestra.task import Score
from palaestra.verifiers.reading.probabilities import probability


def judged(answer: str, right: Fraction) -> Score:
    """The score of an answer that states a probability in any equal form.

    >>> judged("2/6", Fraction(1, 3)).correct, judged("4/3", Fraction(1, 3)).reason
    (True, 'a probability is from 0 to 1')
    """
    value = probability(answer)
    if not 0 <= value <= 1:
        return Score(0, "a probability is from 0 to 1")
    return Score(1) if value == right else Score(0, "the probability is wrong")


def fractions(denominator: int) -> Iterator[Fraction]:
    """All probabilities with denominators up to a number, each once.

    >>> [str(each) for each in fractions(3)]
    ['0', '1', '1/2', '1/3', '2/3']
    """
    yield from (Fraction(0), Fraction(1))
    for below in range(2, denominator + 1):
        yield from (Fraction(above, below) for above in range(1, below) if gcd(above, below) == 1)
