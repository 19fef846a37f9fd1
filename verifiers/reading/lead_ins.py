r"""Moves that stand behind a label, the name of the player or a bullet, or before a reason.

Only what says nothing about the move is taken off: what is left is read by the reader of the game,
which refuses all other texts.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import TypeVar

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.layout import bare
from palaestra.verifiers.reading.values import plain

Move = TypeVar("Move")

LONGEST = 200
"""The most characters of a move; longer texts are left as they are."""

_BULLET = re.compile(r"(?:[-*+\u2022] +|\d{1,3}[.)] +)(?=\S)", re.ASCII)
_LABEL = re.compile(
    r"(?:\*\*)?(?:(?:my|the) )?(?:(?:next|best|first|final) )?"
    r"(?:move|action|answer|decision|choice|throw|step)(?:\*\*)?"
    r"(?: is ?:?| ?[:=])(?:\*\*)? ?(?=\S)",
    re.IGNORECASE,
)
_SAYING = re.compile(r"i(?: will|'ll| would|'d| want to| am going to)? (?=\S)", re.IGNORECASE)
_CHOOSING = re.compile(
    r"(?:play|choose|select|pick|go with|opt for|make the move|move)(?: to)? (?=\S)", re.IGNORECASE
)
_REASON = re.compile(
    r"[ ,]*\((?:because|since|as|so that|in order to|the|my|this|it|best|winning) [^()]*\)[.!]?",
    re.IGNORECASE,
)
_ANYBODY = frozenset(("i", "me", "you", "player"))
_ROUNDS = 6
"""How many things may stand around each other, such as a bullet before a label before bold."""


def without_lead_in(text: str, names: Collection[str] = ()) -> str:
    r"""A move without the bullet, the label or the name of the player before it, and without the
    bold around it and the reason in brackets behind it.

    ``names`` are those that the player to move has. JSON objects of the forms
    ``{"move": "..."}`` and ``{"from": "...", "to": "..."}`` become ``...`` and ``...-...``.

    >>> without_lead_in("1. **Next move:** left"), without_lead_in("X: left", ["X"])
    ('left', 'left')
    >>> without_lead_in("left (because the wall is near)"), without_lead_in("O: left", ["X"])
    ('left', 'O: left')
    """
    if len(text) > LONGEST:
        return text
    return (plain(text), *_without_labels(text, names))[-1]


def read_move(read: Callable[[str], Move], text: str, names: Collection[str] = ()) -> Move:
    """A move as a game reads it, also behind a lead-in such as "I play" or "Next move:".

    The text is read as it is first, and what stands around the move is taken off only as far as
    the game refuses it. ``names`` are those that the player to move has. Raises
    :class:`~palaestra.task.InvalidAnswer` with what is wrong with the shortest text.

    >>> def read(text: str) -> str:
    ...     if text in ("left", "play dead"):
    ...         return text
    ...     raise InvalidAnswer(f"there is no {text}")
    >>> read_move(read, "I will play dead (the best move)"), read_move(read, "2. **Move:** left")
    ('play dead', 'left')
    """
    try:
        return read(text)
    except InvalidAnswer as error:
        refusal = error
    for shorter in _shorter_forms(text, names):
        try:
            return read(shorter)
        except InvalidAnswer as error:
            refusal = error
    raise refusal


def _shorter_forms(text: str, names: Collection[str]) -> Iterator[str]:
    """What is left of a move, the longest text first."""
    body = text
    for body in _without_labels(text, names):
        yield body
    for lead in (_SAYING, _CHOOSING):
        if len(text) <= LONGEST and (saying := lead.match(body)):
            body = bare(body[saying.end() :])
            yield body


def _without_labels(text: str, names: Collection[str]) -> Iterator[str]:
    """What is left of a text each time that what is outermost is taken off."""
    if len(text) > LONGEST:
        return
    body = plain(text)
    for _ in range(_ROUNDS):
        shorter = _shorter(body, names)
        if shorter == body:
            return
        body = shorter
        yield body


def _shorter(body: str, names: Collection[str]) -> str:
    """A text without what is outermost."""
    body = _from_json(bare(body))
    if "\n" in body:
        return body
    for lead in (_BULLET.match(body), _LABEL.match(body)):
        if lead:
            return body[lead.end() :]
    known = _ANYBODY | {each.casefold() for each in names}
    name, colon, rest = body.partition(":")
    if colon and rest.strip() and name.strip("* ").casefold() in known:
        return rest.removeprefix("**").strip()
    opening = body.rfind("(")
    reason = _REASON.fullmatch(body, opening) if opening > 0 else None
    return body[:opening].rstrip(" ,") if reason else body


def _each_once(members: list[tuple[str, object]]) -> dict[str, object]:
    """The members of an object. Raises ``ValueError`` if one is repeated."""
    named = dict(members)
    if len(named) < len(members):
        raise ValueError("a member is repeated")
    return named


def _from_json(body: str) -> str:
    """The move of an object, or the text itself where it is none."""
    if not (body.startswith("{") and body.endswith("}")):
        return body
    try:
        read = json.loads(body, object_pairs_hook=_each_once)
    except (ValueError, RecursionError):
        return body
    if not all(isinstance(value, str) for value in read.values()):
        return body
    if read.keys() == {"move"}:
        return str(read["move"])
    return f"{read['from']}-{read['to']}" if read.keys() == {"from", "to"} else body
