"""Exact probabilities as answers."""

from fractions import Fraction

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
