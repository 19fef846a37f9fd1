"""Rewards by their recipes over HTTP: a recipe is written as it is in Python."""

from typing import Protocol

from palaestra.server.structs import Result, ScoreRequest, TranscriptInfo
from palaestra.task import Score
from palaestra.verifiers.shaping import Transcript
from palaestra.verifiers.shaping.reading import KNOWN, read

__all__ = ["KNOWN", "checked", "paid", "read", "rewarded"]


def checked(text: str | None) -> str | None:
    """A recipe as it is, where there is one. Raises :class:`RecipeError` for one that cannot be."""
    if text is not None:
        read(text)
    return text


def rewarded(item: ScoreRequest, done: Result) -> float | None:
    """What a recipe makes of a score and of how the last reply was given; None without a score."""
    assert item.recipe is not None
    replies = [item.replies] if isinstance(item.replies, str) else item.replies
    return paid(item.recipe, replies[-1] if replies else "", item.transcript, done)


class Verdict(Protocol):
    """A score as it goes over the wire."""

    value: float | None
    reason: str
    parts: dict[str, float]
    status: str


def paid(recipe: str, reply: str, info: TranscriptInfo | None, done: Verdict) -> float | None:
    """What a recipe makes of the score of a reply and of how that was given; None without one."""
    reward = read(recipe)
    if done.value is None:
        return None
    info = info or TranscriptInfo()
    transcript = Transcript(reply, info.tokens, info.limit, info.target, info.confidence)
    score = Score(done.value, done.reason, done.parts, done.status)  # type: ignore[arg-type]
    return reward(score, transcript)
