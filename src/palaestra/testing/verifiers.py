"""What every verifier must stand up to."""

import math
import pickle
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from palaestra.task import Score
from palaestra.verifiers.verifier import Verifier


def check_verifier(
    verifier: Verifier, right: Iterable[str], wrong: Iterable[str], hostile: Iterable[str] = ()
) -> None:
    """Right answers score 1, wrong ones less, and whatever else is said earns nothing.

    ``hostile`` are further replies that must earn 0 beside the corpus of
    :mod:`palaestra.testing.hostile`. Raises ``AssertionError`` on the first fault.
    """
    from palaestra.testing import HOSTILE, MONSTERS

    right, wrong = list(right), list(wrong)
    for answer in right:
        score = _sound(verifier, answer)
        assert score.correct, f"{answer!r} is refused: {score.reason}"
    for answer in wrong:
        score = _sound(verifier, answer)
        assert not score.correct, f"{answer!r} is accepted"
        assert score.reason, f"{answer!r} is wrong without a reason"
    for answer in (*hostile, *HOSTILE, *MONSTERS):
        if answer not in right and answer not in wrong:
            assert _sound(verifier, answer).value == 0, f"{answer[:60]!r} earns something"
    _check_portable(verifier, [*right, *wrong])


def _sound(verifier: Verifier, answer: str) -> Score:
    score = verifier(answer)
    assert isinstance(score, Score), f"{answer[:60]!r} gives {type(score).__name__}"
    assert math.isfinite(score.value)
    return score


def _check_portable(verifier: Verifier, answers: list[str]) -> None:
    """A copy and 16 threads say the same."""
    copy = pickle.loads(pickle.dumps(verifier))  # noqa: S301  # our own
    assert copy == verifier, "a copy is not equal to it"
    told = [verifier(answer) for answer in answers]
    assert [copy(answer) for answer in answers] == told, "a copy judges otherwise"
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(verifier, answers)) == told, "threads judge otherwise"
