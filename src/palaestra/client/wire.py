"""What goes over the wire, and what is made of it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import httpx2 as httpx
import msgspec

from palaestra.address import Address
from palaestra.client.errors import ERRORS, OURS, ServiceError, fault
from palaestra.episode import TAGS, style_of
from palaestra.scoring import Item
from palaestra.task import Score, Unscored

JSON, NDJSON, MSGPACK = "application/json", "application/x-ndjson", "application/msgpack"

T = TypeVar("T")

Parts = tuple[Any, ...]
"""An :class:`Item`, or a tuple of what it is made of."""


class Result(msgspec.Struct):
    """A score."""

    value: float | None
    status: str = "scored"
    reason: str = ""
    parts: dict[str, float] = {}
    error: str | None = None
    micros: int = 0
    index: int = 0


class Standing(msgspec.Struct):
    """Where a session stands."""

    session: str
    address: str
    step: int
    done: bool
    player: int
    says: str
    reward: float
    earned: float
    moves: list[str] | None = None
    state: str | None = None
    score: Result | None = None
    messages: list[dict[str, str]] = []
    tools: list[dict[str, Any]] = []
    error: str | None = None
    detail: str | None = None

    @property
    def reason(self) -> str:
        """Why a move was not made."""
        return self.detail or ""


class Results(msgspec.Struct):
    """Scores of a batch or of a group."""

    results: list[Result]
    transforms: dict[str, Any] = {}


class Standings(msgspec.Struct):
    """What came of many moves."""

    results: list[Standing]


class Opened(msgspec.Struct):
    """Sessions that were opened."""

    sessions: list[Standing]


Told = Result | Standing
LINE = msgspec.json.Decoder(Result)


class Call(NamedTuple):
    """A request to be made."""

    method: str
    path: str
    body: bytes | None = None
    kind: str = JSON
    """What the body is written in."""
    accept: str = JSON
    query: Mapping[str, Any] | None = None
    key: str | None = None
    """What makes asking twice the same as asking once."""


def post(path: str, wish: Any) -> Call:
    """A request with a body of JSON."""
    return Call("POST", path, written(wish, msgspec.json.encode))


def written(wish: Any, encode: Callable[[Any], bytes]) -> bytes:
    """A wish as it is sent."""
    try:
        return encode(wish)
    except UnicodeEncodeError:
        return encode(_mended(wish))


def _mended(wish: Any) -> Any:
    """The same with the sign for what is unreadable in the place of halves of surrogate pairs,
    which models may write and nobody can send.
    """
    if isinstance(wish, str):
        return wish.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(wish, dict):
        return {name: _mended(part) for name, part in wish.items()}
    return [*map(_mended, wish)] if isinstance(wish, list) else wish


def scoring(item: Item | Parts) -> dict[str, Any]:
    """An item to be scored."""
    task, replies, style = item if len(item) == 3 else (*item, TAGS)
    replies_ = replies if isinstance(replies, str) else list(replies)
    return {"address": named(task), "replies": replies_, "style": style_of(style).name}


def named(task: Any) -> str:
    """What a task goes by."""
    if not isinstance(task, Address | str):
        raise TypeError("over HTTP a task goes by its address")
    return str(task)


def env_of(address: str) -> str:
    """The environment of an address."""
    return address.partition("?")[0].partition("@")[0]


def decoded(response: httpx.Response, type_: type[T]) -> T:
    """An answer."""
    if MSGPACK in response.headers.get("content-type", ""):
        return read(lambda body: msgspec.msgpack.decode(body, type=type_), response.content)
    return read(lambda body: msgspec.json.decode(body, type=type_), response.content)


def read(decode: Callable[[bytes], T], body: bytes) -> T:
    """What was told. Anything but an answer of ours, such as a page of some proxy, is an error."""
    try:
        return decode(body)
    except (msgspec.MsgspecError, UnicodeError) as flaw:
        raise ServiceError(f"the answer cannot be read: {flaw}") from flaw


# ------------------------------------------------------------------ scores


def score_or_not(result: Result) -> Score | Unscored:
    """A score, or why there is none, as :func:`palaestra.scoring.score_many` has it."""
    if result.value is not None:
        return Score(result.value, result.reason, result.parts, result.status)  # type: ignore[arg-type]
    if result.error and result.error in ERRORS and result.error not in OURS:
        return Unscored(f"{ERRORS[result.error].__name__}: {result.reason}"[:500])
    return Unscored(result.reason, "gold_error" if result.status == "gold_error" else "infra_error")


def scored(result: Result) -> Score:
    """A score. Raises what :func:`palaestra.scoring.score` does."""
    if result.error and result.error not in OURS:
        raise fault(result.error, result.reason)
    score = score_or_not(result)
    if isinstance(score, Unscored):
        raise score
    return score


def unscored(error: Exception) -> Unscored:
    """An error in the place of a score."""
    if isinstance(error, Unscored):
        return error
    return Unscored(f"{type(error).__name__}: {error}"[:500])
