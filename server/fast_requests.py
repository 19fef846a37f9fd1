"""Requests on the hot routes: how their bodies are read, and what is wrong with them.

FastAPI takes four times as long to read such a request as msgspec does.
"""

import re
from time import monotonic
from typing import Any

import msgspec
from starlette.types import Receive, Scope

from palaestra.server.problems import InvalidRequest, MalformedBody
from palaestra.server.request_bodies import headers_of, without_lone_surrogates

NDJSON, MSGPACK, JSON = b"application/x-ndjson", b"application/msgpack", b"application/json"

LINE = re.compile(rb"[^\s][^\n]*+")
"""A line of a body in NDJSON that is not blank."""

POINTER_CHARACTERS = 2_000
"""Characters of the name of a place in a request that are told of it."""


class FastRequest:
    """A request that is being answered."""

    def __init__(self, scope: Scope, receive: Receive, body: bytes) -> None:
        self.scope, self.receive, self.body = scope, receive, body
        headers = headers_of(scope)
        media_type = headers.get(b"content-type", JSON)
        self.media_type = JSON if media_type == JSON else _plain(media_type)
        self.accept = headers.get(b"accept", b"")
        self.deadline = deadline_of(scope)

    def read(self, decoders: "Decoders") -> Any:
        """What the body says. Raises :class:`MalformedBody` or :class:`InvalidRequest`."""
        return decoders.read(self.body, packed=self.media_type == MSGPACK)


def _plain(media_type: bytes) -> bytes:
    """A media type without its parameters."""
    return media_type.partition(b";")[0].strip().lower()


class Decoders:
    """Reads requests of one kind, in JSON or in MessagePack."""

    def __init__(self, type_: Any) -> None:
        self.type = type_
        self.json = msgspec.json.Decoder(type_)
        self.packed = msgspec.msgpack.Decoder(type_)

    def read(self, body: bytes | memoryview, packed: bool = False) -> Any:
        """The request in a body. Raises :class:`MalformedBody` or :class:`InvalidRequest`."""
        try:
            return (self.packed if packed else self.json).decode(body)
        except msgspec.ValidationError as error:
            if str(error).partition(" - at ")[0].endswith(FLOAT):
                return self._read_loosely(body, packed)
            raise invalid(str(error)) from None
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            whole = body if packed else without_lone_surrogates(bytes(body))
            if whole != body:  # it had half a surrogate pair, as texts of models may
                return self.read(whole)
            raise MalformedBody(f"the body cannot be read: {str(error)[:200]}") from None

    def _read_loosely(self, body: bytes | memoryview, packed: bool) -> Any:
        """The same where a whole number is written like 5.0, as JSON Schema allows."""
        try:
            plain = msgspec.msgpack.decode(body) if packed else msgspec.json.decode(body)
            return msgspec.convert(_whole(plain), self.type)
        except msgspec.ValidationError as error:
            raise invalid(str(error)) from None
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise MalformedBody(f"the body cannot be read: {str(error)[:200]}") from None


FLOAT = "got `float`"


def _whole(value: Any) -> Any:
    """Plain values with whole numbers as such."""
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


def invalid(message: str) -> InvalidRequest:
    """What msgspec says of a request, with its place as a JSON pointer.

    >>> invalid("Expected `str`, got `int` - at `$.items[3].address`").pointer
    '/items/3/address'
    >>> invalid("Object missing required field `replies`").pointer
    '/replies'
    """
    detail, _, location = message.rpartition(" - at `$")
    if not detail:
        detail, location = message, ""
    parts = re.findall(r"[^.\[\]$]+", location.removesuffix("`")[:POINTER_CHARACTERS])
    named = re.search(r"(?:required|unknown) field `([^`]{1,80})`", detail[:POINTER_CHARACTERS])
    parts += [named[1]] if named else []
    return InvalidRequest(detail[:300], "".join(f"/{part}" for part in parts))


def deadline_of(scope: Scope) -> float | None:
    """When a request is not wanted any more, on our clock. Raises :class:`InvalidRequest`."""
    header = headers_of(scope).get(b"x-deadline-ms")
    if header is None:
        return None
    if not header.isdigit() or len(header) > 9:
        raise InvalidRequest("X-Deadline-Ms is a number of milliseconds")
    return monotonic() + int(header) / 1000


def content(type_: Any, *types: bytes) -> dict[str, Any]:
    """A body in the OpenAPI document, of one of the types of :mod:`palaestra.server.structs`."""
    schema = {"$ref": f"#/components/schemas/{type_.__name__}"}
    return {each.decode(): {"schema": schema} for each in types or (JSON,)}
