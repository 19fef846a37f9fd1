"""Requests and responses of the service, and how they become scores and errors."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import httpx2 as httpx
import msgspec

from palaestra.address import Address
from palaestra.client.errors import ERRORS, OURS, ServiceError, fault
from palaestra.episode import TAGS, answer_format_of
from palaestra.scoring import Item
from palaestra.task import JudgeError, Score
from palaestra.verification import Verification, as_json
from palaestra.verifiers.named import BadField

JSON, NDJSON, MSGPACK = "application/json", "application/x-ndjson", "application/msgpack"

T = TypeVar("T")

Parts = tuple[Any, ...]
"""The parts of an :class:`Item`, as a plain tuple."""


class Result(msgspec.Struct):
    """A score."""

    value: float | None
    status: str = "scored"
    reason: str = ""
    parts: dict[str, float] = {}
    error: str | None = None
    micros: int = 0
    index: int = 0
    pointer: str | None = None
    """What in a request for a verdict is at fault, where something is."""


class SessionState(msgspec.Struct):
    """The state of a session."""

    session: str
    address: str
    step: int
    done: bool
    player: int
    observation: str
    reward: float
    earned: float
    legal_moves: list[str] | None = None
    state: str | None = None
    score: Result | None = None
    messages: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] = []
    error: str | None = None
    detail: str | None = None

    @property
    def reason(self) -> str:
        """Why a move failed."""
        return self.detail or ""


class Results(msgspec.Struct):
    """Scores of a batch or of a group."""

    results: list[Result]
    transforms: dict[str, Any] = {}


class SessionStates(msgspec.Struct):
    """The results of a batch of moves."""

    results: list[SessionState]


class OpenedSessions(msgspec.Struct):
    """Sessions that were opened."""

    sessions: list[SessionState]


ItemResult = Result | SessionState
LINE = msgspec.json.Decoder(Result)


class Call(NamedTuple):
    """A request to be made."""

    method: str
    path: str
    body: bytes | None = None
    content_type: str = JSON
    """The media type of the body."""
    accept: str = JSON
    query: Mapping[str, Any] | None = None
    key: str | None = None
    """The idempotency key, with which a repeated request does no more than the first."""


def post(path: str, body: Any) -> Call:
    """A request with a body of JSON."""
    return Call("POST", path, encoded(body, msgspec.json.encode))


def encoded(body: Any, encode: Callable[[Any], bytes]) -> bytes:
    """A body as it is sent."""
    try:
        return encode(body)
    except UnicodeEncodeError:
        return encode(_without_lone_surrogates(body))


def _without_lone_surrogates(body: Any) -> Any:
    """The same with the sign for what is unreadable in the place of halves of surrogate pairs,
    which models may write and nobody can send.
    """
    if isinstance(body, str):
        return body.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(body, dict):
        return {name: _without_lone_surrogates(part) for name, part in body.items()}
    return [*map(_without_lone_surrogates, body)] if isinstance(body, list) else body


def scoring(item: Item | Parts) -> dict[str, Any]:
    """An item to be scored."""
    task, replies, answer_format = item if len(item) == 3 else (*item, TAGS)
    replies_ = replies if isinstance(replies, str) else list(replies)
    return {
        "address": address_of(task),
        "replies": replies_,
        "answer_format": answer_format_of(answer_format).name,
    }


def verification(item: Verification) -> bytes:
    """A reply to be judged by a named verifier, as JSON.

    Raises :class:`BadField` for a gold or options that JSON has not.
    """
    body = {"verifier": item.verifier, "replies": item.reply}
    if item.answer_format is not None:
        body["answer_format"] = item.answer_format
    # With half a surrogate pair escaped, the service reads the rest.
    plain = json.dumps(body)[1:-1]
    options = f', "options": {as_json(item.options)}' if item.options else ""
    return f'{{{plain}, "gold": {as_json(item.gold, "/gold")}{options}}}'.encode()


def address_of(task: Any) -> str:
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
    """A decoded body. Anything else, such as the page of a proxy, is an error."""
    try:
        return decode(body)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise ServiceError(f"the answer cannot be read: {error}") from error


# ------------------------------------------------------------------ scores


def score_or_not(result: Result) -> Score | JudgeError:
    """A score, or why there is none, as :func:`palaestra.scoring.score_many` has it."""
    if result.value is not None:
        return Score(result.value, result.reason, result.parts, result.status)  # type: ignore[arg-type]
    if result.error and result.error in ERRORS and result.error not in OURS:
        return JudgeError(f"{ERRORS[result.error].__name__}: {result.reason}"[:500])
    return JudgeError(
        result.reason, "gold_error" if result.status == "gold_error" else "infra_error"
    )


def scored(result: Result) -> Score:
    """A score. Raises what :func:`palaestra.scoring.score` does."""
    if result.error and result.error not in OURS:
        raise fault(result.error, result.reason)
    score = score_or_not(result)
    if isinstance(score, JudgeError):
        raise score
    return score


def verified(result: Result) -> Score:
    """A verdict. Raises what :func:`palaestra.verification.verify` does."""
    if result.error == "bad-gold":
        path = (result.pointer or "").split("/", 3)[3:]  # without the position of the item
        raise BadField(result.reason, "".join(f"/{part}" for part in path))
    return scored(result)


def verified_or_not(result: Result) -> Score | JudgeError:
    """A verdict, or why there is none, as :func:`palaestra.verification.verify_many` has it."""
    try:
        return verified(result)
    except BadField as error:
        return JudgeError(f"{error.pointer}: {error}", "gold_error")
    except Exception as error:  # noqa: BLE001  whatever it was stands in the place of a verdict
        return unscored(error)


def unscored(error: Exception) -> JudgeError:
    """An error in the place of a score."""
    if isinstance(error, JudgeError):
        return error
    return JudgeError(f"{type(error).__name__}: {error}"[:500])
