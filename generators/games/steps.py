"""Readers of steps on a grid, for games that are played a step at a time."""

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.moves import direction

WAIT = "wait"

_WAITS = frozenset(("wait", "stay", "stand still", "stand", "do nothing", "pass", "stay put",
                    "wait here", "no step", "skip", "hold"))  # fmt: skip
_FILLERS = frozenset(("a", "one", "cell", "step", "now", "to", "towards", "the", "by"))
"""Words around a way that say nothing."""


def step(text: str) -> str:
    """Read one of the ways up, down, left and right.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text.

    >>> step("Go one cell down."), step("I step to the left"), step("up (one cell)")
    ('down', 'left', 'up')
    """
    words = [word for word in phrase(text).split() if word not in _FILLERS]
    return direction(" ".join(words))


def step_or_wait(text: str) -> str:
    """Read one of the ways up, down, left and right, or that the player waits.

    >>> step_or_wait("I'll wait."), step_or_wait("move right"), step_or_wait("no step")
    ('wait', 'right', 'wait')
    """
    if phrase(text) in _WAITS:
        return WAIT
    try:
        return step(text)
    except InvalidAnswer:
        raise InvalidAnswer("expected up, down, left, right or wait") from None
