"""Layer 4: Math-Verify and SymPy, in a worker process that is killed when it takes too long.

It is asked only where the gold is unreadable to our own reader, or where the answer uses a command
that is known and not worked out here; never because an answer is odd.
"""

from typing import Any

from palaestra.extras import needs
from palaestra.task import InvalidAnswer, JudgeError
from palaestra.workers.pool import Failed, Late, Lost, workers

WALL_S = 8.0
LONGEST = 400
"""Longer answers are not passed on."""


def readable(gold: str) -> bool:
    """Whether the computer algebra system can read a gold."""
    return bool(_ask("read", gold))


def same(gold: str, answer: str) -> bool:
    """Whether the computer algebra system takes two answers for equal.

    Raises :class:`InvalidAnswer` with status ``limit`` or ``timeout`` where it did not get to an
    end, and :class:`~palaestra.task.JudgeError` where it is not there.
    """
    if len(answer) > LONGEST:
        raise InvalidAnswer(
            f"longer than {LONGEST} characters, with mathematics to work out", "limit"
        )
    return bool(_ask("compared", gold, answer))


def _ask(function: str, *texts: str) -> Any:
    try:
        return workers().call(f"{__name__}:{function}", *texts, wall_s=WALL_S)
    except Late:
        raise InvalidAnswer(f"not worked out within {WALL_S:.0f} seconds", "timeout") from None
    except Lost:
        raise InvalidAnswer("too much to work out", "limit") from None
    except Failed as fault:
        raise JudgeError(f"the computer algebra system failed: {fault}"[:300]) from fault


# ------------------------------------------------------------------ in the worker


def read(gold: str) -> bool:
    """In the worker: whether Math-Verify reads a gold."""
    return any(not isinstance(reading, str) for reading in _parsed(gold))


def compared(gold: str, answer: str) -> bool:
    """In the worker: Math-Verify's verdict."""
    with needs("maths", "Math-Verify"):
        from math_verify import verify

    # Its own time-outs use signals; here the process is killed instead.
    return bool(verify(_parsed(gold), _parsed(answer), timeout_seconds=None))


def _parsed(text: str) -> Any:
    import logging

    with needs("maths", "Math-Verify"):
        from math_verify import LatexExtractionConfig, parse

    logging.disable(logging.CRITICAL)
    # Only as LaTeX: its other configuration takes any number that stands anywhere in the text.
    return parse(
        f"${text}$",
        extraction_config=[LatexExtractionConfig()],
        fallback_mode="no_fallback",
        parsing_timeout=None,
    )
