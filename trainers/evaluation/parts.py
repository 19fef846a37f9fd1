"""Figures from the parts of scores: how well confidences are calibrated, and rates of rules.

The combinators ``confidence`` and ``constrain`` give their scores these parts. Attempts that could
not be scored are left out.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from statistics import fmean
from typing import Any

from palaestra.trainers.evaluation.attempts import Attempt
from palaestra.trainers.evaluation.intervals import estimate

BINS = 10
"""How many bins of equal width the confidences from 0 to 1 are in."""

RATES = ("answer", "text", "rules", "both")
"""The rates of constrained answers: right answers, texts that follow all rules, rules that are
followed, and right answers with such a text."""

METHOD_OF_CALIBRATION = {
    "confidence": "The stated probability of being right. Attempts that state none are counted, "
    "and are in none of the figures of calibration.",
    "Brier score": "The mean square of the difference between the confidence and 1 for a right "
    "answer or 0 for a wrong one, averaged over tasks; 25 % is what a confidence of 50 % has.",
    "calibration error": "The distance between the mean confidence and the share of right answers, "
    f"averaged over {BINS} bins of equal width by their numbers of attempts (Naeini et al. 2015).",
}
"""What the figures of calibration mean."""

METHOD_OF_RATES = {
    "answer, text, rules, both": "Of answers with a text that has to follow rules: the shares of "
    "right answers, of texts that follow all rules, of rules that are followed, and of attempts in "
    "which the answer is right and the text follows all rules, averaged over tasks.",
}
"""What the rates of constrained answers mean."""


def calibration(attempts: Sequence[Attempt]) -> dict[str, Any] | None:
    """How well confidences are calibrated; None where none was stated.

    ``bins`` has, for each bin with attempts, its bounds, the number of attempts, their mean
    confidence, and the share of right answers.
    """
    expected = _with_parts(attempts, {"confidence", "correct", "brier"})
    stated = [each for each in expected if "confidence" in each.parts]
    if not stated:
        return None
    bins: dict[int, list[Attempt]] = defaultdict(list)
    for each in stated:
        bins[min(int(each.parts["confidence"] * BINS), BINS - 1)].append(each)
    rows = [_bin(number, bins[number]) for number in sorted(bins)]
    gaps = (
        len(some) * abs(_share(some, "confidence") - _share(some, "correct"))
        for some in bins.values()
    )
    return {
        "stated": len(stated),
        "unstated": len(expected) - len(stated),
        "confidence": round(_share(stated, "confidence"), 6),
        "correct": _by_task(stated, "correct"),
        "brier": _by_task(stated, "brier"),
        "error": round(sum(gaps) / len(stated), 6),
        "bins": rows,
    }


def rates(attempts: Sequence[Attempt]) -> dict[str, Any] | None:
    """The rates of constrained answers; None where nothing was constrained.

    An attempt that has no text, or no answer below it, counts as 0 in all of them.
    """
    constrained = _with_parts(attempts, {"answer", "text", "rules"})
    if not constrained:
        return None
    by_name = {name: _by_task(constrained, name) for name in RATES}
    return {"attempts": len(constrained), **by_name}


def _with_parts(attempts: Iterable[Attempt], names: Set[str]) -> list[Attempt]:
    """The scored attempts at environments whose scores have parts of these names."""
    scored = [each for each in attempts if each.score is not None]
    environments = {each.env for each in scored if names <= each.parts.keys()}
    return [each for each in scored if each.env in environments]


def _bin(number: int, attempts: Sequence[Attempt]) -> dict[str, Any]:
    return {
        "low": number / BINS,
        "high": (number + 1) / BINS,
        "attempts": len(attempts),
        "confidence": round(_share(attempts, "confidence"), 6),
        "correct": _by_task(attempts, "correct"),
    }


def _share(attempts: Iterable[Attempt], name: str) -> float:
    return fmean(_part(each, name) for each in attempts)


def _by_task(attempts: Iterable[Attempt], name: str) -> dict[str, float] | None:
    """The mean of a part over tasks, with its interval."""
    by_task: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for each in attempts:
        by_task[each.env, each.cell, each.problem].append(_part(each, name))
    return estimate([fmean(values) for values in by_task.values()])


def _part(attempt: Attempt, name: str) -> float:
    if name == "both":
        return _part(attempt, "text") * (attempt.parts.get("answer") == 1)
    return attempt.parts.get(name, 0.0)
