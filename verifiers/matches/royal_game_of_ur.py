"""Moves along a path by a roll, of which the text names the start, the end or both."""

import re
from collections.abc import Collection

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.values import plain

_ARROW = re.compile(r"[-=]{1,2}>|[\u2192\u21d2/]|\\to\b|\\rightarrow\b|(?<=\w) ?-+ ?(?=\w)")
_SIGN = re.compile(r"([xo])(?: ?: ?| (?:plays?|moves?) )(?=.)", re.IGNORECASE)
_FILLER = re.compile(r"\b(?:the|my|a|one|squares?|position|board|of|is)\b ?")
_CAPTURE = re.compile(r"(?<=\d) ?(?:x|takes|captures) ?(?=\d)")
_CAPTURING = re.compile(r" (?:capturing|and captures?)(?: [xo](?: s)?)?(?: piece)?$")
_VERB = r"(?:(?:move|play|take|advance|go) )?"
_PIECE = r"(?:(?:piece|counter|man|checker|stone) )?"
_START = r"(?:\d{1,2}|start)"
_MOVE = re.compile(
    rf"{_VERB}{_PIECE}(?:(?:from|on|at) )?(?P<start>{_START})(?: to (?P<end>\d{{1,2}}|off))?"
    rf"|{_VERB}{_PIECE}(?:to|onto) (?P<to>\d{{1,2}})"
    r"|(?:(?:enter|introduce)(?: (?:new )?piece)?|(?:(?:move|play|bring|put|place|add) )?new piece)"
    r"(?: from start)?(?: (?:on|onto|at|to|in) (?P<enter>\d{1,2})| on| onto| in)?"
    r"|(?:put|place|bring) piece (?:on|onto|at|to) (?P<put>\d{1,2})"
    r"|capture (?:on|at) (?P<capture>\d{1,2})"
    rf"|(?:bear|move|take) {_PIECE}off(?: {_PIECE}(?:(?:from|on|at) )?(?P<off>\d{{1,2}}))?"
    rf"|{_VERB}{_PIECE}off"
)


def read_start(text: str, roll: int, off: int, sign: str, legal: Collection[int]) -> int:
    """The square that a move by a roll leaves, 0 for the start, where ``off`` is the end.

    ``sign`` is the player, and ``legal`` are the squares from which the roll can be played. A lone
    number may be the square that is left, or the one that is entered if only that is legal. Raises
    :class:`~palaestra.task.InvalidAnswer` for other texts and for moves that are not legal.

    >>> [read_start(text, 2, 15, "X", [0, 3]) for text in ("3-5", "start to 2", "enter", "to 5")]
    [3, 0, 0, 3]
    """
    body = plain(text)
    if player := _SIGN.match(body):
        if player[1].upper() != sign:
            raise InvalidAnswer(f"the player to move is {sign}")
        body = body[player.end() :]
    body = " ".join(_FILLER.sub("", phrase(_ARROW.sub(" to ", body))).split())
    body = _CAPTURING.sub("", _CAPTURE.sub(" to ", body))
    named = _MOVE.fullmatch(body)
    if not named:
        raise InvalidAnswer(
            "expected the squares that a piece leaves and enters, such as '3-5'; they may be "
            "'start' and 'off'"
        )
    start = _start(named, roll, off, legal)
    if start not in legal:
        raise InvalidAnswer(f"{text[:40]!r} is not a legal move for a roll of {roll}")
    return start


def _start(named: re.Match[str], roll: int, off: int, legal: Collection[int]) -> int:
    """The square that a move leaves; -1 where the roll does not lead to the end that it names."""
    if named["start"]:
        start = 0 if named["start"] == "start" else int(named["start"])
        if named["end"]:
            end = off if named["end"] == "off" else int(named["end"])
            return start if start + roll == end else -1
        # No piece can enter the square of another one, so that a lone number is never both.
        return start - roll if start and start not in legal else start
    if entered := named["to"] or named["capture"]:
        return int(entered) - roll
    if "off" in named[0]:
        start = int(named["off"] or off - roll)
        return start if start + roll == off else -1
    return 0 if int(named["enter"] or named["put"] or roll) == roll else -1
