"""What the store keeps, as those who keep it and ask for it see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple

from palaestra.observations import TEXT, View
from palaestra.trainers.spoken_users import Words


@dataclass(frozen=True, slots=True)
class Rollout:
    """An episode that was scored. ``value`` is None where it was our fault that there is none."""

    owner: str
    session: str
    address: str
    answer_format: str
    seats: tuple[int, ...] | None
    replies: tuple[str, ...]
    value: float | None
    status: str
    fingerprint: str
    at: float = 0.0


class ReplyRecord(NamedTuple):
    """A reply that is to be kept, the rollout that it ends, and what a user says after it in the
    words of an endpoint.
    """

    session: str
    generation: int
    step: int
    reply: str
    rollout: Rollout | None = None
    words: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session as it is kept. ``generation`` counts how often it was rewound, and ``words`` are
    those that an endpoint has put a user's into.
    """

    id: str
    owner: str
    address: str
    answer_format: str
    seats: tuple[int, ...] | None
    created: float
    generation: int = 0
    replies: tuple[str, ...] = ()
    touched: float = 0.0
    recipe: str | None = None
    view: View = TEXT
    words: tuple[Words, ...] = ()


class IdempotencyRecord(NamedTuple):
    """A key that its owner gives a request, so that it does no more when it is sent again."""

    owner: str
    key: str
    request: str
    """A digest of the request."""


class NewSessions(NamedTuple):
    """Sessions that are to be kept, and the key that they were asked for with."""

    created: Sequence[SessionRecord]
    promise: IdempotencyRecord | None = None


@dataclass(frozen=True, slots=True)
class WriteBatch:
    """What is committed together."""

    replies: Sequence[ReplyRecord]
    rollouts: Sequence[Rollout]
    sessions: Sequence[NewSessions]


class WriteResult(NamedTuple):
    """What came of it: whether each reply was the first of its step, and what each wish for new
    sessions is answered with.
    """

    first: Sequence[bool]
    names: Sequence[tuple[str, ...] | None]


@dataclass(frozen=True, slots=True)
class CurriculumRecord:
    """A curriculum as it is kept. ``generation`` counts how often its state changed."""

    id: str
    owner: str
    strategy: str
    state: dict[str, Any]
    generation: int = 0


# Text of a model may hold what databases do not take: half a surrogate pair, a null character.


def escaped(reply: str) -> str:
    """A text that every database takes, for any text."""
    return encode_basestring_ascii(reply)
