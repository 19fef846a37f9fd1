"""What every verifier must stand up to."""

import math
import pickle
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor

from palaestra.task import Score
from palaestra.testing import hostile
from palaestra.verifiers.verifier import Verifier

LUCKY = 3
"""How many of the lazy replies may be right; a gold answer can be written in a few ways."""


def check_verifier(
    verifier: Verifier,
    right: Iterable[str],
    wrong: Iterable[str],
    hostile: Iterable[str] = (),
    luck: float = 0.0,
) -> None:
    """Right answers score 1, wrong ones less, and whatever else is said earns nothing.

    ``hostile`` are further replies that must earn 0 beside :mod:`palaestra.testing.hostile`. One
    of these that happens to be an answer belongs into ``right`` or ``wrong``; only of the lazy
    ones a few may be right unasked. Where partial credit cannot be quite 0 for a text that has a
    word in common with the gold one, ``luck`` is the most that a reply of no thought may earn.
    Raises ``AssertionError`` on the first fault.
    """
    right, wrong = list(right), list(wrong)
    for answer in right:
        score = _sound(verifier, answer)
        assert score.correct, f"{answer!r} is refused: {score.reason}"
    for answer in wrong:
        score = _sound(verifier, answer)
        assert not score.correct, f"{answer!r} is accepted"
        assert score.reason, f"{answer!r} is wrong without a reason"
    _check_hostile(verifier, {*right, *wrong}, hostile, luck)
    _check_portable(verifier, [*right, *wrong])


def _check_hostile(
    verifier: Verifier, known: Collection[str], further: Iterable[str], luck: float
) -> None:
    """Replies that are no attempt earn nothing, and are told why."""
    more = (hostile.Reply(ascii(text), "further", text) for text in further)
    lucky = []
    for name, category, text in (*more, *hostile.replies()):
        if text in known:
            continue
        score = _sound(verifier, text)
        context = f"the {category} reply {name[:60]!r}"
        if category == "shortcuts" and score.correct:
            lucky.append(text)
            assert len(lucky) <= LUCKY, f"these lazy replies are all accepted: {lucky}"
            continue
        assert score.value <= luck, f"{context} earns something: {score.value}"
        assert score.reason, f"{context} is wrong without a reason"


def _sound(verifier: Verifier, answer: str) -> Score:
    score = verifier(answer)
    assert isinstance(score, Score), f"{answer[:60]!r} gives {type(score).__name__}"
    assert math.isfinite(score.value)
    return score


def _check_portable(verifier: Verifier, answers: list[str]) -> None:
    """A copy and 16 threads say the same."""
    copy = pickle.loads(pickle.dumps(verifier))  # our own
    assert copy == verifier, "a copy is not equal to it"
    results = [verifier(answer) for answer in answers]
    assert [copy(answer) for answer in answers] == results, "a copy judges otherwise"
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(verifier, answers)) == results, "threads judge otherwise"
