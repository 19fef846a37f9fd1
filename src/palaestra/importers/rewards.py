"""Scores from the numbers that other packages return."""

from math import isfinite

from palaestra.task import JudgeError, Score


def bounded(value: float, source: str) -> Score:
    """The score of a number, from 0 to 1. ``source`` is what returned it, as in "the rubric".

    Raises :class:`~palaestra.task.JudgeError` for one that is not finite.

    >>> bounded(1.5, "the rubric").value, bounded(0.25, "the rubric").reason
    (1.0, 'the reward of the rubric is 0.25')
    """
    if not isfinite(value):
        raise JudgeError(f"{source} returned no number as a reward")
    value = min(max(value, 0.0), 1.0)
    return Score(value, "" if value == 1 else f"the reward of {source} is {value:.3g}")
