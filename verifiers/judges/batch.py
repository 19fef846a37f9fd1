"""Judging a batch of answers, with the canaries asked once for all of them."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from palaestra.task import JudgeError, Score
from palaestra.verifiers.judges.canaries import CANARIES, polled
from palaestra.verifiers.judges.rubric import Equivalent, Rubric


def judge_all(
    judge: Rubric | Equivalent, answers: Iterable[str], workers: int = 8
) -> list[Score | JudgeError]:
    """The scores of a batch of answers, in their order, with every canary asked once.

    Where one passes, each place holds the same :class:`CanaryAlarm`. An answer whose judging fails
    has its :class:`~palaestra.task.JudgeError` in its place and never fails the others. ``workers``
    answers are judged at a time.
    """
    answers = list(answers)
    try:
        polled(judge.endpoint, (), 1, judge.probes(CANARIES, right=True))
    except JudgeError as fault:
        return [fault] * len(answers)
    quiet = replace(judge, canaries=0)  # they have been asked
    with ThreadPoolExecutor(max(1, workers)) as pool:
        return list(pool.map(partial(_settled, quiet), answers))


def _settled(judge: Callable[[str], Score], answer: str) -> Score | JudgeError:
    try:
        return judge(answer)
    except JudgeError as fault:
        return fault
