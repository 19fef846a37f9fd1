"""The figures of an evaluation: shares with their intervals, pass@k, endings, tokens.

Attempts that could not be scored are counted, and are left out of everything else.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from palaestra.trainers.evaluation.attempts import Attempt
from palaestra.trainers.evaluation.intervals import estimate
from palaestra.trainers.evaluation.parts import calibration, rates
from palaestra.verifiers.groups import pass_at_k

ENDINGS = (
    *("solved", "partial", "wrong"),
    *("no_answer", "malformed", "limit", "timeout"),
    "unscored",
)
"""How an attempt can end, from best to worst; the last one is nobody's doing."""

METHOD = {
    "interval": "Clopper and Pearson's interval at 95 %, as Gaffke has it for values between 0 and "
    "1, by the mean and variance between tasks: attempts at one task count together.",
    "success": "The share of scored attempts with a score of 1, averaged over tasks; the same as "
    "pass@1.",
    "pass@k": "The chance that one of k attempts at a task succeeds: the unbiased estimator of "
    "Chen et al. 2021 for each task, averaged over the tasks with k scored attempts at least.",
    "mean score": "The mean of the scores, in which partial credit counts, averaged over tasks.",
    "unscored": "Attempts without a score (the endpoint or the judge failed); they are left out.",
    "no skill": "What the best of several players without skill earns, or a blind guess; from the "
    "catalog.",
}


def figures(attempts: Sequence[Attempt], ks: Sequence[int] = (1,)) -> dict[str, Any]:
    """The figures of some attempts, as plain values; None where nothing was scored."""
    by_task: dict[tuple[str, ...], list[Attempt]] = defaultdict(list)
    for each in attempts:
        by_task[each.env, each.cell, each.problem].append(each)
    tasks = [[each.score for each in own] for own in by_task.values()]
    wins = [[float(score == 1) for score in task if score is not None] for task in tasks]
    values = [[score for score in task if score is not None] for task in tasks]
    scored = [each for each in attempts if each.score is not None]
    return {
        "tasks": len(tasks),
        "attempts": len(attempts),
        "scored": len(scored),
        "unscored": len(attempts) - len(scored),
        "success": _by_task(wins),
        "success_if_unscored": [
            round(fmean(fmean(filled(score) for score in task) for task in tasks), 6)
            for filled in (lambda score: score == 1, lambda score: score in {1, None})
        ]
        if len(scored) < len(attempts)
        else None,
        "score": _by_task(values),
        "pass_at_k": {str(k): _passing(wins, k) for k in ks},
        "endings": dict(endings(attempts)),
        "truncated": sum("length" in each.finish_reasons for each in attempts),
        "turns": round(fmean(each.turns for each in scored), 2) if scored else None,
        "tokens": _tokens(scored),
        "seconds": _spread([each.seconds for each in scored]),
        "calibration": calibration(attempts),
        "constrained": rates(attempts),
    }


def ending(attempt: Attempt) -> str:
    """How an attempt ended."""
    if attempt.score is None:
        return "unscored"
    if attempt.status != "scored":
        return attempt.status
    return "solved" if attempt.score == 1 else "partial" if attempt.score > 0 else "wrong"


def endings(attempts: Iterable[Attempt]) -> Mapping[str, int]:
    """How many attempts ended in each way."""
    counts = Counter(map(ending, attempts))
    return {name: counts[name] for name in ENDINGS if counts[name]}


def ks_of(samples: int) -> tuple[int, ...]:
    """The powers of two up to a number of attempts, and that number.

    >>> ks_of(6)
    (1, 2, 4, 6)
    """
    powers = [2**n for n in range(samples.bit_length()) if 2**n <= samples]
    return tuple(sorted({*powers, samples}))


def _passing(wins: Sequence[Sequence[float]], k: int) -> dict[str, Any] | None:
    enough = [group for group in wins if len(group) >= k]
    passing = estimate([pass_at_k(len(group), int(sum(group)), k) for group in enough])
    return None if passing is None else {**passing, "tasks": len(enough)}


def _by_task(groups: Sequence[Sequence[float]]) -> dict[str, float] | None:
    """The mean over tasks of their means; tasks without a value are left out."""
    return estimate([fmean(group) for group in groups if group])


def _tokens(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """What was read and written, where the endpoint says so."""
    counted = [each for each in attempts if each.completion_tokens or each.prompt_tokens]
    kinds: Mapping[str, Callable[[Attempt], bool]] = {
        "solved": lambda each: each.score == 1,
        "unsolved": lambda each: each.score != 1,
    }
    counts: dict[str, Any] = {
        "counted": len(counted),
        "prompt": sum(each.prompt_tokens for each in counted),
        "completion": sum(each.completion_tokens for each in counted),
        "reasoning": sum(each.reasoning_tokens for each in counted),
        "per_attempt": _spread([each.completion_tokens for each in counted]),
    }
    for name, belongs in kinds.items():
        some = [each.completion_tokens for each in counted if belongs(each)]
        counts[f"per_{name}"] = round(fmean(some), 1) if some else None
    return counts


def _spread(values: Sequence[float]) -> dict[str, float] | None:
    """The mean of some values, and those that half and nine tenths of them do not exceed."""
    if not values:
        return None
    ninth = sorted(values)[math.ceil(0.9 * len(values)) - 1]
    return {
        "mean": round(fmean(values), 3),
        "median": round(median(values), 3),
        "p90": round(ninth, 3),
    }
