"""Scoring on another machine: the functions of :mod:`palaestra.scoring` as methods, over HTTP.

>>> from palaestra.client import Client
>>> client = Client("http://127.0.0.1:8000")  # doctest: +SKIP
>>> client.score(address, reply)  # doctest: +SKIP
Score(value=1, reason='', parts={}, status='scored')

What goes wrong comes as the same errors as in process, so that switching changes one line. Episodes
are played in a :class:`Session` as in an :class:`~palaestra.episode.Episode`, and programs are run
by the methods of a :class:`~palaestra.verifiers.sandbox.Sandbox`.

A request costs the client as much as a hundred verdicts, so what is asked for at the same time, by
any number of threads or tasks, goes together in one; see :class:`_Queue`. What has to be asked, and
when again, is said once, by generators that yield requests and pauses (:data:`_Effects`); each of
the two clients carries them out in its own way.
"""

import asyncio
import random
import secrets
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from dataclasses import asdict
from email.utils import parsedate_to_datetime
from functools import partial
from ipaddress import ip_address
from math import isfinite
from threading import Condition
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, TypeVar
from urllib.parse import quote

import httpx
import msgspec
import zstandard

from palaestra.address import Address, BadAddress, Split, StaleVersion
from palaestra.episode import TAGS, EpisodeOver, Style, style_of
from palaestra.registry import UnknownEnvironment
from palaestra.scoring import Drawn, Group, Item
from palaestra.task import KnobError, NoFairTask, Score, Turn, Unscored
from palaestra.verifiers.groups import UnknownTransform

if TYPE_CHECKING:
    from palaestra.verifiers.sandbox import Limits, Outcome, Verdict
    from palaestra.verifiers.sandbox.judging import Case, IoTest

CONNECTIONS = 16

GATHERING_S = 0.002
"""How long the first of several items waits for others to go along, while requests are under way;
where none is, it waits for nobody."""

BATCH_BYTES = 8 << 20
"""How much text goes in one request, unless a single item has more."""

DRAWN = 256
"""How many tasks are asked for at a time."""

ANSWER_S = 300.0
"""How long an answer may take to begin, and to go on, where there is no deadline."""

LONGEST_S = 5.0
"""The longest pause before another try, but for what a service asks for."""

QUICK_US = 2_000
"""Environments whose verdicts have taken longer do not hold up the others."""

CLOSED = "the client was closed"

COMPRESSED = 16 << 10
"""From how many bytes on a body is compressed, on its way to another machine."""

JSON, NDJSON, MSGPACK = "application/json", "application/x-ndjson", "application/msgpack"

RETRIED = {429, 503, 504}
BUSY = {"deadline-passed", "overloaded", "store-unavailable", "too-many-requests", "worker-lost"}
"""What may go better when it is asked again: statuses of answers, and errors of items."""

LOST, LOSSES = "worker-lost", 3
"""An item that so many workers died of is not sent to another one."""

FLAWED = {400, 413, 422}
"""Statuses with which a batch is refused for one of its items."""

ERRORS: Mapping[str, type[Exception]] = {
    "unknown-environment": UnknownEnvironment,
    "stale-version": StaleVersion,
    "bad-knobs": KnobError,
    "bad-address": BadAddress,
    "episode-over": EpisodeOver,
    "unknown-transform": UnknownTransform,
    "no-fair-task": NoFairTask,
    "unscored": Unscored,
    "internal": Unscored,
    LOST: Unscored,
}
"""The errors in process, by how they are called over HTTP."""

OURS = {"unscored", "internal", LOST}
"""Those of them that are no fault of the request."""

T = TypeVar("T")

_Parts = tuple[Any, ...]
"""An :class:`Item`, or a tuple of what it is made of."""


class ServiceError(RuntimeError):
    """The service refused a request, or could not be reached; ``slug`` is what it calls that."""

    def __init__(self, message: str, status: int | None = None, slug: str = "") -> None:
        super().__init__(message)
        self.status, self.slug = status, slug


class DeadlinePassed(ServiceError, TimeoutError):
    """There was no answer before the deadline of the caller."""


class InvalidRequest(ServiceError, ValueError):
    """A request that the service does not understand, or finds too large."""


class UnknownSession(ServiceError, LookupError):
    """There is no such session, or it is over its time, or it is somebody else's."""


class StepConflict(ServiceError):
    """A session does not stand where its player thinks: somebody else has played on."""


REFUSALS: Mapping[str, type[ServiceError]] = {
    "deadline-passed": DeadlinePassed,
    "invalid-request": InvalidRequest,
    "malformed": InvalidRequest,
    "too-large": InvalidRequest,
    "step-conflict": StepConflict,
    "unknown-session": UnknownSession,
}


def _fault(slug: str, detail: str, status: int | None = None) -> Exception:
    """The error that the service tells of."""
    if slug in ERRORS:
        return ERRORS[slug](detail)
    return REFUSALS.get(slug, ServiceError)(detail, status, slug)


# ------------------------------------------------------------------ what goes over the wire


class _Result(msgspec.Struct):
    """A score."""

    value: float | None
    status: str = "scored"
    reason: str = ""
    parts: dict[str, float] = {}
    error: str | None = None
    micros: int = 0
    index: int = 0


class _Standing(msgspec.Struct):
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
    score: _Result | None = None
    messages: list[dict[str, str]] = []
    tools: list[dict[str, Any]] = []
    error: str | None = None
    detail: str | None = None

    @property
    def reason(self) -> str:
        """Why a move was not made."""
        return self.detail or ""


class _Results(msgspec.Struct):
    results: list[_Result]
    transforms: dict[str, Any] = {}


class _Standings(msgspec.Struct):
    results: list[_Standing]


class _Opened(msgspec.Struct):
    sessions: list[_Standing]


_Told = _Result | _Standing
_line = msgspec.json.Decoder(_Result)


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


def _post(path: str, wish: Any) -> Call:
    return Call("POST", path, _written(wish, msgspec.json.encode))


def _written(wish: Any, encode: Callable[[Any], bytes]) -> bytes:
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


def _item(item: Item | _Parts) -> dict[str, Any]:
    task, replies, style = item if len(item) == 3 else (*item, TAGS)
    said = replies if isinstance(replies, str) else list(replies)
    return {"address": _named(task), "replies": said, "style": style_of(style).name}


def _named(task: Any) -> str:
    if not isinstance(task, Address | str):
        raise TypeError("over HTTP a task goes by its address")
    return str(task)


def _env(address: str) -> str:
    return address.partition("?")[0].partition("@")[0]


def _decoded(response: httpx.Response, kind: type[T]) -> T:
    if MSGPACK in response.headers.get("content-type", ""):
        return _read(lambda told: msgspec.msgpack.decode(told, type=kind), response.content)
    return _read(lambda told: msgspec.json.decode(told, type=kind), response.content)


def _read(decode: Callable[[bytes], T], told: bytes) -> T:
    """What was told. Anything but an answer of ours, such as a page of some proxy, is an error."""
    try:
        return decode(told)
    except (msgspec.MsgspecError, UnicodeError) as flaw:
        raise ServiceError(f"the answer cannot be read: {flaw}") from flaw


def _problem(response: httpx.Response) -> tuple[str, str]:
    """How the service calls what is wrong, and what it says of it."""
    try:
        problem = response.json()
        return problem["type"].rpartition(":")[2], problem["detail"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", response.text[:200]


def _refusal(response: httpx.Response) -> Exception:
    """The error that a response stands for."""
    slug, detail = _problem(response)
    if slug not in ERRORS:
        detail = f"{response.status_code}: {detail}"
    return _fault(slug, detail, response.status_code)


def _score(told: _Result) -> Score | Unscored:
    """A score, or why there is none, as :func:`palaestra.scoring.score_many` has it."""
    if told.value is not None:
        return Score(told.value, told.reason, told.parts, told.status)  # type: ignore[arg-type]
    if told.error and told.error in ERRORS and told.error not in OURS:
        return Unscored(f"{ERRORS[told.error].__name__}: {told.reason}"[:500])
    return Unscored(told.reason, "gold_error" if told.status == "gold_error" else "infra_error")


def _scored(told: _Result) -> Score:
    """A score. Raises what :func:`palaestra.scoring.score` does."""
    if told.error and told.error not in OURS:
        raise _fault(told.error, told.reason)
    score = _score(told)
    if isinstance(score, Unscored):
        raise score
    return score


def _unscored(fault: Exception) -> Unscored:
    """An error in the place of a score."""
    if isinstance(fault, Unscored):
        return fault
    return Unscored(f"{type(fault).__name__}: {fault}"[:500])


# ------------------------------------------------------------------ trying again


class _Patience:
    """How long to go on trying: until a deadline, or for so many seconds since it last went well.

    Pauses are drawn at random, from a longer span the more often it failed, so that of many clients
    that were sent away not all come back at once.
    """

    def __init__(self, seconds: float, until: float | None = None) -> None:
        self.seconds, self.until = seconds, until
        self.renew()

    def renew(self) -> None:
        """It goes well."""
        self.tries, self.losses, self.end = 0, 0, self.until

    @property
    def left_s(self) -> float | None:
        """Seconds to the deadline, where there is one. Raises :class:`DeadlinePassed` after it."""
        if self.until is None:
            return None
        left = self.until - monotonic()
        if left <= 0:
            raise DeadlinePassed("the deadline passed before there was an answer", 504)
        return left

    def pause(self, response: httpx.Response | None, fault: Exception | None) -> float:
        """How long to wait before the next try. Raises where there is to be none."""
        if response is not None and _problem(response)[0] == LOST:
            self.losses += 1
            if self.losses >= LOSSES:
                raise _refusal(response)
        asked = _asked_for(response)
        pause = asked + random.uniform(0, min(LONGEST_S, 0.1 * 2**self.tries))
        self.tries += 1
        if self.end is None:
            self.end = monotonic() + self.seconds
        if monotonic() + pause > self.end:
            why = f"it answers {response.status_code}" if response is not None else str(fault)
            status = getattr(fault, "status", None) if response is None else response.status_code
            kind = ServiceError if self.until is None else DeadlinePassed
            raise kind(f"gave up after {self.tries} tries: {why}", status) from fault
        return pause


def _asked_for(response: httpx.Response | None) -> float:
    """The seconds that a ``Retry-After`` asks for, or says the moment of."""
    told = response.headers.get("retry-after", "").strip() if response is not None else ""
    if told.isdecimal():
        return float(told[:9])
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time())
    except ValueError:
        return 0.0


class _Ask(NamedTuple):
    """A request that is to be made now; of an answer in lines, ``hear`` is given the pieces."""

    call: Call
    patience: _Patience
    hear: Callable[[bytes], None] | None = None


_Effects: TypeAlias = Generator[_Ask | float, Any, T]
"""What has to be asked, one request or pause in seconds after the other, and what comes of it. Sent
back are responses; what hinders them is thrown."""


def _tried(ask: _Ask) -> _Effects[httpx.Response | None]:
    """The response to a request, or nothing after the pause before another try."""
    response: httpx.Response | None = None
    fault: httpx.TransportError | None = None
    try:
        response = yield ask
    except httpx.TransportError as caught:
        fault = caught
    if response is None or response.status_code in RETRIED:
        yield ask.patience.pause(response, fault)
        return None
    if not response.is_success:
        raise _refusal(response)
    return response


def _answered(call: Call, patience: _Patience, kind: type[T]) -> _Effects[T]:
    """What a call is answered, asked as often as it takes."""
    response = None
    while response is None:
        response = yield from _tried(_Ask(call, patience))
    if response.status_code == 204:
        return kind()
    return _decoded(response, kind)


# ------------------------------------------------------------------ what can be asked


def _cards(query: Mapping[str, str], patience: _Patience) -> _Effects[list[dict[str, Any]]]:
    cards: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        asked = {**query, "cursor": cursor}
        call = Call("GET", "/v1/environments", query=asked)
        page = yield from _answered(call, patience, dict[str, Any])
        cards += page["environments"]
        cursor = page["next"]
    return cards


def _card_call(env: str) -> Call:
    return Call("GET", f"/v1/environments/{quote(env.replace('/', '.', 1), safe='@')}")


def _drawn(wish: Mapping[str, Any], patience: _Patience) -> _Effects[list[Drawn]]:
    drawn: list[Drawn] = []
    seeds = [int(seed) for seed in wish["seeds"]]
    for start in range(0, len(seeds), DRAWN):
        call = _post("/v1/tasks", {**wish, "seeds": seeds[start : start + DRAWN]})
        answer = yield from _answered(call, patience, dict[str, Any])
        drawn += (
            Drawn(task["address"], tuple(task["messages"]), tuple(task["tools"]))
            for task in answer["tasks"]
        )
    return drawn


def _grouped(call: Call, patience: _Patience) -> _Effects[Group]:
    while True:
        told = yield from _answered(call, patience, _Results)
        busy = next((one.reason for one in told.results if one.error in BUSY), None)
        if busy is None:
            return Group(tuple(map(_score, told.results)), told.transforms)
        yield patience.pause(None, ServiceError(busy, 503))


def _group_call(
    task: Address | str,
    responses: Sequence[str | Sequence[str]],
    style: Style | str,
    transforms: Iterable[str],
) -> Call:
    said = [one if isinstance(one, str) else list(one) for one in responses]
    wish = {"address": _named(task), "responses": said, "style": style_of(style).name}
    return _post("/v1/score/group", wish | {"transforms": list(transforms)})


def _solved(task: Address | str, patience: _Patience) -> _Effects[list[str]]:
    address = _named(task)
    path = f"{_card_call(_env(address)).path}/oracle"
    call = Call("GET", path, query={"address": address})
    answer = yield from _answered(call, patience, dict[str, Any])
    moves: list[str] = answer["moves"]
    return moves


def _opening_call(
    task: Address | str, n: int, style: Style | str, seats: Iterable[int] | None, key: str | None
) -> Call:
    wish = {"address": _named(task), "n": n, "style": style_of(style).name}
    wish |= {} if seats is None else {"seats": sorted(seats)}
    return _post("/v1/sessions", wish)._replace(key=key or secrets.token_hex(16))


def _session_path(session: str, part: str = "") -> str:
    return f"/v1/sessions/{quote(session, safe='')}{part}"


def _opened(call: Call, patience: _Patience) -> _Effects[list[_Standing]]:
    answer = yield from _answered(call, patience, _Opened)
    return answer.sessions


def _forgotten(session: str, patience: _Patience) -> _Effects[None]:
    with suppress(UnknownSession):  # it was forgotten by itself, or by a try without an answer
        yield from _answered(Call("DELETE", _session_path(session)), patience, dict[str, Any])


# ------------------------------------------------------------------ programs


def _program_call(source: str, limits: "Limits | None", **wish: Any) -> Call:
    return _post("/v1/programs", {"source": source, **wish, **_bounds(limits)})


def _bounds(limits: "Limits | None") -> dict[str, Any]:
    if limits is None:
        return {}
    told, usual = asdict(limits), asdict(type(limits)())
    for name in ("file_mb", "stack_mb"):
        if told.pop(name) != usual[name]:
            raise ValueError(f"over HTTP there is no limit {name}")
    return {"limits": told}


def _ran(call: Call, patience: _Patience) -> _Effects["Outcome"]:
    from palaestra.verifiers.sandbox import Outcome

    told = yield from _answered(call, patience, dict[str, Any])
    streams = {name: told.pop(name).encode() for name in ("stdout", "stderr")}
    return Outcome(**told, **streams)


def _judged(call: Call, patience: _Patience) -> _Effects["Verdict"]:
    from palaestra.verifiers.sandbox import Test, Verdict

    told = yield from _answered(call, patience, dict[str, Any])
    return Verdict(per_test=tuple(Test(**test) for test in told.pop("tests")), **told)


def _outputs(tests: "Iterable[IoTest | tuple[str, str]]") -> list[dict[str, Any]]:
    from palaestra.verifiers.sandbox.judging import IoTest

    io = [test if isinstance(test, IoTest) else IoTest(*test) for test in tests]
    if any(test.args for test in io):
        raise ValueError("over HTTP a program has no arguments")
    return [{"stdin": test.stdin, "stdout": test.stdout, "weight": test.weight} for test in io]


def _cases(cases: "Iterable[Case | tuple[Sequence[Any], Any]]") -> list[dict[str, Any]]:
    from palaestra.verifiers.sandbox.judging import Case

    told = []
    for case in (each if isinstance(each, Case) else Case(*each) for each in cases):
        args, kwargs = list(case.args), dict(case.kwargs)
        _plain([args, kwargs, case.value])
        told.append({"args": args, "kwargs": kwargs, "value": case.value, "weight": case.weight})
    return told


def _plain(value: Any) -> None:
    """Raises ``TypeError`` for a value that would be another one after its way through JSON."""
    if type(value) is dict and all(type(name) is str for name in value):
        value = [*value.values()]
    if type(value) is list:
        for part in value:
            _plain(part)
    elif type(value) not in {str, int, float, bool, type(None)} or not _finite(value):
        raise TypeError(f"over HTTP, calls have values that JSON knows, not {str(value)[:80]}")


def _finite(value: Any) -> bool:
    return type(value) is not float or isfinite(value)


# ------------------------------------------------------------------ together in one request


class _Lane(NamedTuple):
    """Where items of a kind go, how many in a batch, and how many batches at once."""

    path: str
    most: int
    at_once: int
    answer: Any
    """What a whole answer is read as."""
    alone: str | None = None
    """Where an item goes that is the only one."""
    streamed: bool = False
    """Whether answers come one by one, as they are done."""


_QUICK = _Lane("/v1/score/batch", 256, 4, _Results, "/v1/score")
_SLOW = _Lane("/v1/score/batch", 256, 8, _Results, "/v1/score", streamed=True)
_STEPS = _Lane("/v1/sessions/step", 64, 3, _Standings)
"""Together they leave one of the :data:`CONNECTIONS` to everything else."""


class _Ticket:
    """An item that somebody waits for."""

    __slots__ = ("batch", "env", "future", "item", "losses", "until")

    def __init__(self, future: Any, env: str, item: bytes, until: float | None) -> None:
        self.future, self.env, self.item, self.until = future, env, item, until
        self.batch: _Batch | None = None
        self.losses = 0

    def is_final(self, told: _Told) -> bool:
        """Whether an answer is one, and not that it has to be asked again."""
        self.losses += told.error == LOST
        return told.error not in BUSY or self.losses >= LOSSES

    def give(self, told: _Told) -> None:
        """Its answer has come."""
        with suppress(InvalidStateError, asyncio.InvalidStateError):  # nobody waits any more
            self.future.set_result(told)

    def fail(self, fault: BaseException) -> None:
        """It has none, unless it has one already. Each who waits gets an error of his own."""
        own = copy(fault) if isinstance(fault, ServiceError) else fault
        own.__cause__ = fault.__cause__
        with suppress(InvalidStateError, asyncio.InvalidStateError):
            self.future.set_exception(own)

    def leave(self) -> None:
        """Nobody waits for it any more."""
        self.future.cancel()
        if not self.future.cancelled():
            self.future.exception()  # it has been seen
        elif self.batch is not None:
            self.batch.left()

    def outcome(self) -> Any:
        """Its answer, or the error in place of it."""
        if self.future.cancelled() or not self.future.done():
            return DeadlinePassed("the deadline passed before there was an answer", 504)
        return self.future.exception() or self.future.result()


class _Batch(list[_Ticket]):
    """Items in one request, which is given up when nobody waits for any of them."""

    task: "asyncio.Task[None] | None" = None

    def left(self) -> None:
        if self.task is not None and all(ticket.future.done() for ticket in self):
            self.task.cancel()


class _Costs:
    """What verdicts of each environment have cost, so that slow ones do not hold up quick ones."""

    def __init__(self) -> None:
        self.micros: dict[str, float] = {}

    def quick(self, env: str) -> bool:
        """Whether verdicts are quick; of what is not known, they are not."""
        return self.micros.get(env, QUICK_US) < QUICK_US

    def learn(self, env: str, micros: int) -> None:
        """The dearer, the longer it is remembered."""
        self.micros[env] = max(micros, 0.8 * self.micros.get(env, 0.0))


class _Queue:
    """Items that are sent together.

    The first one is sent as soon as its thread or its task lets go. While requests are under way,
    the next ones wait for each other, for :data:`GATHERING_S` or until a batch is full. Every item
    is answered by itself: it fails, is given up and waits for its deadline alone.
    """

    def __init__(self, lane: _Lane, patience_s: float, costs: _Costs) -> None:
        self.lane, self.patience_s, self.costs = lane, patience_s, costs
        self.waiting: deque[_Ticket] = deque()
        self.busy = 0

    def put(self, tickets: list[_Ticket]) -> None:
        """Takes items in, to be sent soon."""
        raise NotImplementedError

    def fail_all(self) -> None:
        """Turns away whoever waits, for the client is closed."""
        while self.waiting:
            self.waiting.popleft().fail(ServiceError(CLOSED))

    def taken(self) -> _Batch:
        """The next batch, without those that nobody waits for any more."""
        batch, size = _Batch(), 0
        while self.waiting and len(batch) < self.lane.most:
            ticket = self.waiting[0]
            if batch and size + len(ticket.item) > BATCH_BYTES:
                break
            self.waiting.popleft()
            if not ticket.future.done():
                ticket.batch = batch
                batch.append(ticket)
                size += len(ticket.item)
        return batch

    def sent(self, batch: _Batch) -> _Effects[None]:
        """Sends a batch until every item has its answer. Raises what hinders all of them."""
        moments = [ticket.until for ticket in batch]
        until = None if None in moments else max(moments, default=None)  # type: ignore[type-var]
        yield from self._sent(batch, _Patience(self.patience_s, until))

    def _sent(self, batch: list[_Ticket], patience: _Patience) -> _Effects[None]:
        while left := [ticket for ticket in batch if not ticket.future.done()]:
            answers = _Answers(self.lane, left, self.costs, patience)
            try:
                response = yield from _tried(answers.ask())
            except ServiceError as refused:
                if refused.status not in FLAWED or len(left) == 1:
                    raise
                yield from self._halved(left, patience)
                return
            if response is not None:
                answers.read(response)
                if not all(ticket.future.done() for ticket in left):
                    yield patience.pause(None, ServiceError(answers.busy, 503))

    def _halved(self, batch: list[_Ticket], patience: _Patience) -> _Effects[None]:
        """Finds out which item it is that a batch is refused for."""
        half = len(batch) // 2
        for part in (batch[:half], batch[half:]):
            try:
                yield from self._sent(part, patience)
            except Exception as fault:  # noqa: BLE001  it is theirs, and not the others'
                for ticket in part:
                    ticket.fail(fault)


class _Answers:
    """Some items in a request, and what they are answered."""

    def __init__(
        self, lane: _Lane, tickets: list[_Ticket], costs: _Costs, patience: _Patience
    ) -> None:
        self.lane, self.tickets, self.costs, self.patience = lane, tickets, costs, patience
        self.alone = lane.alone if len(tickets) == 1 else None
        self.rest = b""
        self.busy = "it leaves out answers"

    def ask(self) -> _Ask:
        """The request."""
        if self.alone:
            call = Call("POST", self.alone, self.tickets[0].item, MSGPACK, MSGPACK)
            return _Ask(call, self.patience)
        wish: dict[str, Any] = {"items": [msgspec.Raw(ticket.item) for ticket in self.tickets]}
        wish |= {"order": "completion"} if self.lane.streamed else {}
        accept = NDJSON if self.lane.streamed else MSGPACK
        call = Call("POST", self.lane.path, msgspec.msgpack.encode(wish), MSGPACK, accept)
        return _Ask(call, self.patience, self.hear if self.lane.streamed else None)

    def hear(self, piece: bytes) -> None:
        """Takes a piece of an answer in lines."""
        *lines, self.rest = (self.rest + piece).split(b"\n")
        for line in lines:
            told = _read(_line.decode, line)
            self._give(told.index, told)

    def read(self, response: httpx.Response) -> None:
        """Takes an answer as a whole, or the end of one in lines."""
        if self.alone:
            self._give(0, _decoded(response, _Result))
        elif self.lane.streamed:
            self.hear(b"\n" if self.rest.strip() else b"")
        else:
            results: list[_Told] = _decoded(response, self.lane.answer).results
            for place, told in enumerate(results):
                self._give(place, told)

    def _give(self, place: int, told: _Told) -> None:
        if not 0 <= place < len(self.tickets):
            return
        ticket = self.tickets[place]
        if not ticket.is_final(told):
            self.busy = told.reason
            return
        if isinstance(told, _Result) and told.micros:
            self.costs.learn(ticket.env, told.micros)
        ticket.give(told)
        self.patience.renew()


def _is_general(fault: Exception) -> bool:
    """Whether an error says that others will not fare better."""
    flawed = isinstance(fault, DeadlinePassed) or getattr(fault, "status", None) in FLAWED
    return isinstance(fault, ServiceError) and not flawed


# ------------------------------------------------------------------ what both clients have


class _Options:
    """What both clients are made with."""

    _http: Any
    _quick: _Queue
    _slow: _Queue
    _steps: _Queue

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience_s: float = 30.0,
        *,
        compress: bool | None = None,
    ) -> None:
        """``url`` of the service, a ``token`` if it asks for one.

        Requests that are refused for load, or find nobody listening, are tried again for
        ``patience_s`` seconds, or until the deadline of a call that has one; asking twice does no
        harm. Large bodies are compressed unless the service is on this machine; ``compress`` says
        otherwise.
        """
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"a service has a URL such as http://host:8000, not {url[:80]!r}")
        self._patience_s = patience_s
        self._compress = not _is_here(httpx.URL(url).host) if compress is None else compress
        self._costs = _Costs()
        self._settings: dict[str, Any] = {
            "base_url": url,
            "headers": {"authorization": f"Bearer {token}"} if token else {},
            # Connections are given up before the service does, which keeps idle ones for 5 s.
            "limits": httpx.Limits(max_connections=CONNECTIONS, keepalive_expiry=4.0),
        }

    def _request(self, ask: _Ask) -> httpx.Request:
        """A request as it is sent."""
        call, left_s = ask.call, ask.patience.left_s
        wait_s = ANSWER_S if left_s is None else left_s
        headers = {"accept": call.accept}
        if left_s is not None:
            headers["x-deadline-ms"] = str(min(999_999_999, max(1, round(left_s * 1000))))
        if call.key is not None:
            headers["idempotency-key"] = call.key
        body = call.body
        if body is not None:
            headers["content-type"] = call.kind
        if body is not None and self._compress and len(body) >= COMPRESSED:
            headers["content-encoding"], body = "zstd", zstandard.compress(body, 1)
        request: httpx.Request = self._http.build_request(
            call.method, call.path, content=body, params=call.query, headers=headers,
            timeout=httpx.Timeout(wait_s, connect=min(5.0, wait_s)),
        )  # fmt: skip
        return request

    def _patience(self, deadline_s: float | None) -> _Patience:
        return _Patience(self._patience_s, _until(deadline_s))

    def _future(self) -> Any:
        raise NotImplementedError

    def _scorings(
        self, items: Iterable[Item | _Parts], until: float | None, *, attempt: bool = True
    ) -> list[_Ticket]:
        """Items to be scored, waiting for it. With ``attempt``, one that cannot be sent has its
        error already, and does not hinder the others.
        """
        quick: list[_Ticket] = []
        slow: list[_Ticket] = []
        tickets = []
        for item in items:
            ticket = _Ticket(self._future(), "", b"", until)
            tickets.append(ticket)
            try:
                told = _item(item)
                ticket.item = _written(told, msgspec.msgpack.encode)
            except ValueError as fault:
                if not attempt:
                    raise
                ticket.fail(fault)
                continue
            ticket.env = _env(told["address"])
            (quick if self._costs.quick(ticket.env) else slow).append(ticket)
        for queue, some in ((self._quick, quick), (self._slow, slow)):
            if some:
                queue.put(some)
        return tickets

    def _moves(
        self, pairs: Iterable[tuple["_Played", str]], until: float | None
    ) -> list[tuple["_Played", _Ticket]]:
        """Moves to be made in sessions, waiting for it."""
        moves = list(pairs)
        if len({session.id for session, _ in moves}) < len(moves):
            raise ValueError("a session makes one move at a time")
        made = []
        for session, reply in moves:
            ticket = _Ticket(self._future(), "", b"", until)
            made.append((session, ticket))
            try:
                ticket.item = session._move(reply)
            except EpisodeOver as fault:
                ticket.fail(fault)
        if some := [ticket for _, ticket in made if not ticket.future.done()]:
            self._steps.put(some)
        return made


def _until(deadline_s: float | None) -> float | None:
    return None if deadline_s is None else monotonic() + deadline_s


def _left_s(until: float | None) -> float | None:
    return None if until is None else max(0.0, until - monotonic())


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Played:
    """Where a session stands, as an :class:`~palaestra.episode.Episode` would say it."""

    def __init__(self, standing: _Standing) -> None:
        self._now = standing
        self.id = standing.session
        """What it is called by :meth:`Client.session`."""
        self.address = standing.address
        self.tools = tuple(standing.tools)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self.address!r}, step={self.step})"

    @property
    def step(self) -> int:
        """How many replies there were."""
        return self._now.step

    @property
    def says(self) -> str:
        """What the player to move reads; in the end, the reason for the score."""
        return self._now.says

    @property
    def turn(self) -> Turn:
        """The turn with its legal moves and its state, where it tells them."""
        now = self._now
        return Turn(now.says, now.reward, now.moves, now.state or "", now.player)

    @property
    def player(self) -> int:
        """Whose turn it is, or was last."""
        return self._now.player

    @property
    def earned(self) -> float:
        """What all replies earned together."""
        return self._now.earned

    @property
    def score(self) -> Score | None:
        """The score, once the episode is over."""
        return None if self._now.score is None else _scored(self._now.score)

    def result(self) -> Score:
        """The score, which is 0 as long as the episode is not over."""
        unfinished = "the replies stop before the episode is over"
        return self.score or Score(0, unfinished, status="no_answer")

    def _move(self, reply: str) -> bytes:
        """A reply as an item of a batch."""
        if self._now.done:
            raise EpisodeOver(f"the episode was over after {self.step} replies")
        move = {"session": self.id, "step": self.step, "move": reply}
        return _written(move, msgspec.msgpack.encode)

    def _heard(self, told: _Standing) -> float:
        """What a reply earned."""
        if told.error:
            raise _fault(told.error, told.reason)
        self._now = told
        return told.reward

    def _outcome(self, told: Any) -> float | Exception:
        """What a reply earned, or the error in place of it."""
        try:
            return told if isinstance(told, Exception) else self._heard(told)
        except Exception as fault:  # noqa: BLE001  it is told in its place
            return fault

    def _rewinding(self, step: int) -> Call:
        return _post(_session_path(self.id, "/rewind"), {"step": step})

    def _forking(self, n: int) -> Call:
        return _post(_session_path(self.id, "/fork"), {"n": n})


# ------------------------------------------------------------------ for threads


class _ThreadQueue(_Queue):
    """A queue that threads put items in and that a few of its own send."""

    def __init__(
        self, lane: _Lane, patience_s: float, costs: _Costs, run: Callable[[_Effects[None]], None]
    ) -> None:
        super().__init__(lane, patience_s, costs)
        self.run = run
        self.changed = Condition()
        self.threads = ThreadPoolExecutor(lane.at_once, "palaestra")
        self.called = self.closed = False
        """Whether one of them is about to send what waits."""

    def put(self, tickets: list[_Ticket]) -> None:
        """Takes items in; one that comes while nothing happens is sent by its own thread."""
        with self.changed:
            if self.closed:
                raise ServiceError(CLOSED)
            alone = len(tickets) == 1 and not (self.busy or self.waiting)
            if alone:
                self.busy += 1
            else:
                self.waiting += tickets
                self.changed.notify()
                self._call()
        if alone:
            self._deliver(_Batch(tickets))

    def close(self) -> None:
        """Ends the threads."""
        with self.changed:
            self.closed = True
            self.threads.shutdown(wait=False, cancel_futures=True)
            self.fail_all()

    def _call(self) -> None:
        if self.waiting and not self.called:
            self.threads.submit(self._go)
            self.called = True

    def _go(self) -> None:
        with self.changed:
            self.changed.wait_for(lambda: len(self.waiting) >= self.lane.most, GATHERING_S)
            batch = self.taken()
            self.called = False
            self._call()
            self.busy += 1
        self._deliver(batch)

    def _deliver(self, batch: _Batch) -> None:
        try:
            self.run(self.sent(batch))
        except BaseException as fault:
            for ticket in batch:
                ticket.fail(fault)
            if not isinstance(fault, Exception):
                raise
        finally:
            with self.changed:
                self.busy -= 1


class Session(_Played):
    """An episode that the service keeps, played as one in process is.

    It is known by its ``id`` for as long as the service keeps it. A reply that was sent is never
    heard twice, however often it had to be sent. As a context manager, it is forgotten at the end.
    """

    def __init__(self, client: "Client", standing: _Standing) -> None:
        super().__init__(standing)
        self._client = client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()

    def hear(self, reply: str, *, deadline_s: float | None = None) -> float:
        """Send the player's next reply, and tell what it earned."""
        (told,) = self._client.hear_many([(self, reply)], deadline_s=deadline_s)
        if isinstance(told, Exception):
            raise told
        return told

    def refresh(self) -> Self:
        """See where it stands, where others may have played on."""
        self._now = self._client._ask(Call("GET", _session_path(self.id)), _Standing)
        return self

    def messages(self) -> list[dict[str, str]]:
        """The transcript as chat messages."""
        return self.refresh()._now.messages

    def fork(self) -> Self:
        """A second session that stands where this one does, and goes on by itself."""
        return self.fork_many(1)[0]

    def fork_many(self, n: int) -> list[Self]:
        """Several of them."""
        opened = self._client._ask(self._forking(n), _Opened).sessions
        return [type(self)(self._client, one) for one in opened]

    def rewind(self, step: int) -> Self:
        """Take replies back until there are ``step`` of them."""
        self._now = self._client._ask(self._rewinding(step), _Standing)
        return self

    def delete(self) -> None:
        """Let the service forget it."""
        self._client._run(_forgotten(self.id, self._client._patience(None)))


class Client(_Options):
    """The reward service, called like the functions of :mod:`palaestra.scoring`.

    Many threads may use one, and should: what they ask for at the same time goes together. Every
    ``deadline_s`` is the seconds within which an answer is of any use.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience_s: float = 30.0,
        *,
        compress: bool | None = None,
    ) -> None:
        super().__init__(url, token, patience_s, compress=compress)
        self._http = httpx.Client(**self._settings)
        self._quick, self._slow, self._steps = self._queues = [
            _ThreadQueue(lane, patience_s, self._costs, self._run)
            for lane in (_QUICK, _SLOW, _STEPS)
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        for queue in self._queues:
            queue.close()
        self._http.close()

    # -------------------------------------------------------------- tasks

    def environments(self, **query: str) -> list[dict[str, Any]]:
        """The cards of the catalog, of a ``category``, ``tag`` or ``kind``, or found by ``q``."""
        return self._run(_cards(query, self._patience(None)))

    def environment(self, env: str) -> dict[str, Any]:
        """The card of one environment, with its knobs as a JSON Schema."""
        return self._ask(_card_call(env), dict[str, Any])

    def tasks(
        self,
        env: str,
        seeds: Iterable[int] = range(1),
        level: int = 0,
        split: Split = "train",
        style: Style | str = TAGS,
        *,
        deadline_s: float | None = None,
        **knobs: Any,
    ) -> list[Drawn]:
        """Draw tasks, as messages to put to a model."""
        wish = {"env": env, "seeds": seeds, "level": level, "split": split, "knobs": knobs}
        wish["style"] = style_of(style).name
        return self._run(_drawn(wish, self._patience(deadline_s)))

    def oracle(self, task: Address | str) -> list[str]:
        """The moves of a perfect player, for a token that may see answers."""
        return self._run(_solved(task, self._patience(None)))

    # -------------------------------------------------------------- scores

    def score(
        self,
        task: Address | str,
        replies: str | Iterable[str],
        style: Style | str = TAGS,
        *,
        deadline_s: float | None = None,
    ) -> Score:
        """The score of a whole episode. Other threads' at the same time go in one request."""
        until = _until(deadline_s)
        tickets = self._scorings([(task, replies, style)], until, attempt=False)
        (told,) = self._told(tickets, until)
        if isinstance(told, Exception):
            raise told
        return _scored(told)

    def score_many(
        self, items: Iterable[Item | _Parts], *, deadline_s: float | None = None
    ) -> list[Score | Unscored]:
        """The scores of many episodes, in their order; a failing one never fails the others."""
        until = _until(deadline_s)
        told = self._told(self._scorings(items, until), until, general=True)
        return [_unscored(one) if isinstance(one, Exception) else _score(one) for one in told]

    def score_group(
        self,
        task: Address | str,
        responses: Sequence[str | Sequence[str]],
        style: Style | str = TAGS,
        transforms: Iterable[str] = (),
        *,
        deadline_s: float | None = None,
    ) -> Group:
        """The scores of several responses to one task, with the transforms asked for."""
        call = _group_call(task, responses, style, transforms)
        return self._run(_grouped(call, self._patience(deadline_s)))

    # -------------------------------------------------------------- sessions

    def open(
        self,
        task: Address | str,
        style: Style | str = TAGS,
        seats: Iterable[int] | None = None,
        *,
        key: str | None = None,
    ) -> Session:
        """Open a session: an episode that the service keeps."""
        return self.open_many(task, 1, style, seats, key=key)[0]

    def open_many(
        self,
        task: Address | str,
        n: int,
        style: Style | str = TAGS,
        seats: Iterable[int] | None = None,
        *,
        key: str | None = None,
    ) -> list[Session]:
        """Several sessions of one task. The same ``key`` gives the same ones again."""
        call = _opening_call(task, n, style, seats, key)
        return [Session(self, one) for one in self._run(_opened(call, self._patience(None)))]

    def session(self, name: str) -> Session:
        """A session that was opened before, by its ``id``."""
        return Session(self, self._ask(Call("GET", _session_path(name)), _Standing))

    def hear_many(
        self, moves: Iterable[tuple[Session, str]], *, deadline_s: float | None = None
    ) -> list[float | Exception]:
        """Send a reply in each of many sessions: what each earned, or the error in its place."""
        until = _until(deadline_s)
        made = self._moves(moves, until)
        told = self._told([ticket for _, ticket in made], until)
        return [session._outcome(one) for (session, _), one in zip(made, told)]

    # -------------------------------------------------------------- programs

    def run(
        self,
        source: str,
        *,
        language: str = "python",
        stdin: str = "",
        limits: "Limits | None" = None,
    ) -> "Outcome":
        """Run a program in the sandbox of the service."""
        call = _program_call(source, limits, language=language, stdin=stdin)
        return self._run(_ran(call, self._patience(None)))

    def judge_io(
        self,
        source: str,
        tests: "Iterable[IoTest | tuple[str, str]]",
        *,
        language: str = "python",
        limits: "Limits | None" = None,
    ) -> "Verdict":
        """Judge a program by what it prints."""
        call = _program_call(source, limits, language=language, outputs=_outputs(tests))
        return self._run(_judged(call, self._patience(None)))

    def judge_calls(
        self,
        source: str,
        entry: str,
        cases: "Iterable[Case | tuple[Sequence[Any], Any]]",
        *,
        limits: "Limits | None" = None,
    ) -> "Verdict":
        """Judge a Python function by the values that it gives."""
        call = _program_call(source, limits, calls={"entry": entry, "cases": _cases(cases)})
        return self._run(_judged(call, self._patience(None)))

    def judge_asserts(
        self, source: str, tests: str, *, limits: "Limits | None" = None
    ) -> "Verdict":
        """Judge a Python program by a suite of tests."""
        call = _program_call(source, limits, suite=tests)
        return self._run(_judged(call, self._patience(None)))

    # -------------------------------------------------------------- carrying it out

    def _future(self) -> "Future[_Told]":
        return Future()

    def _told(
        self, tickets: list[_Ticket], until: float | None, *, general: bool = False
    ) -> list[Any]:
        """The answers or errors of items. With ``general``, an error that all of them will meet
        is raised.
        """
        try:
            for ticket in tickets:
                try:
                    fault = ticket.future.exception(_left_s(until))
                except TimeoutError:
                    break
                if general and fault is not None and _is_general(fault):
                    raise fault
        finally:
            for ticket in tickets:
                ticket.leave()
        return [ticket.outcome() for ticket in tickets]

    def _ask(self, call: Call, kind: type[T]) -> T:
        return self._run(_answered(call, self._patience(None), kind))

    def _run(self, effects: _Effects[T]) -> T:
        told: httpx.Response | None = None
        fault: httpx.TransportError | None = None
        while True:
            try:
                wish = effects.send(told) if fault is None else effects.throw(fault)
            except StopIteration as end:
                done: T = end.value
                return done
            told, fault = None, None
            if isinstance(wish, float):
                sleep(wish)
                continue
            try:
                told = self._responded(wish)
            except httpx.TransportError as caught:
                fault = caught

    def _responded(self, ask: _Ask) -> httpx.Response:
        request = self._request(ask)
        response: httpx.Response = self._http.send(request, stream=ask.hear is not None)
        if ask.hear is None:
            return response
        try:
            if not response.is_success:
                response.read()
            else:
                for piece in response.iter_bytes():
                    ask.hear(piece)
        finally:
            response.close()
        return response


# ------------------------------------------------------------------ for asynchronous callers


class _AsyncQueue(_Queue):
    """A queue that tasks of one event loop put items in, and that tasks of its own send."""

    def __init__(
        self,
        lane: _Lane,
        patience_s: float,
        costs: _Costs,
        run: Callable[[_Effects[None]], Coroutine[Any, Any, None]],
    ) -> None:
        super().__init__(lane, patience_s, costs)
        self.run = run
        self.timer: asyncio.TimerHandle | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    def put(self, tickets: list[_Ticket]) -> None:
        """Takes items in."""
        self.waiting += tickets
        if len(self.waiting) >= self.lane.most:
            self._go()
        elif self.timer is None:
            loop = asyncio.get_running_loop()
            self.timer = loop.call_later(GATHERING_S if self.busy else 0, self._go)

    async def close(self) -> None:
        """Gives up what is under way."""
        self.fail_all()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def _go(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        while self.waiting and self.busy < self.lane.at_once:
            if batch := self.taken():
                self.busy += 1
                batch.task = asyncio.get_running_loop().create_task(self.run(self.sent(batch)))
                batch.task.add_done_callback(partial(self._freed, batch))
                self.tasks.add(batch.task)

    def _freed(self, batch: _Batch, task: "asyncio.Task[None]") -> None:
        """A batch is answered, has failed or was given up."""
        self.busy -= 1
        self.tasks.discard(task)
        fault = ServiceError(CLOSED) if task.cancelled() else task.exception()
        if fault is not None:
            for ticket in batch:
                ticket.fail(fault)
        if self.waiting:
            self._go()


class AsyncSession(_Played):
    """The same as :class:`Session` for asynchronous callers."""

    def __init__(self, client: "AsyncClient", standing: _Standing) -> None:
        super().__init__(standing)
        self._client = client

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.delete()

    async def hear(self, reply: str, *, deadline_s: float | None = None) -> float:
        """Send the player's next reply, and tell what it earned."""
        (told,) = await self._client.hear_many([(self, reply)], deadline_s=deadline_s)
        if isinstance(told, Exception):
            raise told
        return told

    async def refresh(self) -> Self:
        """See where it stands, where others may have played on."""
        self._now = await self._client._ask(Call("GET", _session_path(self.id)), _Standing)
        return self

    async def messages(self) -> list[dict[str, str]]:
        """The transcript as chat messages."""
        return (await self.refresh())._now.messages

    async def fork(self) -> Self:
        """A second session that stands where this one does, and goes on by itself."""
        return (await self.fork_many(1))[0]

    async def fork_many(self, n: int) -> list[Self]:
        """Several of them."""
        opened = await self._client._ask(self._forking(n), _Opened)
        return [type(self)(self._client, one) for one in opened.sessions]

    async def rewind(self, step: int) -> Self:
        """Take replies back until there are ``step`` of them."""
        self._now = await self._client._ask(self._rewinding(step), _Standing)
        return self

    async def delete(self) -> None:
        """Let the service forget it."""
        await self._client._run(_forgotten(self.id, self._client._patience(None)))


class AsyncClient(_Options):
    """The same as :class:`Client` for asynchronous callers, all in one event loop.

    Any number of them may wait at the same time: thousands of scores take a few requests.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience_s: float = 30.0,
        *,
        compress: bool | None = None,
    ) -> None:
        super().__init__(url, token, patience_s, compress=compress)
        self._http = httpx.AsyncClient(**self._settings)
        self._quick, self._slow, self._steps = self._queues = [
            _AsyncQueue(lane, patience_s, self._costs, self._run)
            for lane in (_QUICK, _SLOW, _STEPS)
        ]
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        for queue in self._queues:
            await queue.close()
        await self._http.aclose()

    # -------------------------------------------------------------- tasks

    async def environments(self, **query: str) -> list[dict[str, Any]]:
        """The cards of the catalog, of a ``category``, ``tag`` or ``kind``, or found by ``q``."""
        return await self._run(_cards(query, self._patience(None)))

    async def environment(self, env: str) -> dict[str, Any]:
        """The card of one environment, with its knobs as a JSON Schema."""
        return await self._ask(_card_call(env), dict[str, Any])

    async def tasks(
        self,
        env: str,
        seeds: Iterable[int] = range(1),
        level: int = 0,
        split: Split = "train",
        style: Style | str = TAGS,
        *,
        deadline_s: float | None = None,
        **knobs: Any,
    ) -> list[Drawn]:
        """Draw tasks, as messages to put to a model."""
        wish = {"env": env, "seeds": seeds, "level": level, "split": split, "knobs": knobs}
        wish["style"] = style_of(style).name
        return await self._run(_drawn(wish, self._patience(deadline_s)))

    async def oracle(self, task: Address | str) -> list[str]:
        """The moves of a perfect player, for a token that may see answers."""
        return await self._run(_solved(task, self._patience(None)))

    # -------------------------------------------------------------- scores

    async def score(
        self,
        task: Address | str,
        replies: str | Iterable[str],
        style: Style | str = TAGS,
        *,
        deadline_s: float | None = None,
    ) -> Score:
        """The score of a whole episode. Other callers' at the same time go in one request."""
        until = _until(deadline_s)
        tickets = self._scorings([(task, replies, style)], until, attempt=False)
        (told,) = await self._told(tickets, until)
        if isinstance(told, Exception):
            raise told
        return _scored(told)

    async def score_many(
        self, items: Iterable[Item | _Parts], *, deadline_s: float | None = None
    ) -> list[Score | Unscored]:
        """The scores of many episodes, in their order; a failing one never fails the others."""
        until = _until(deadline_s)
        told = await self._told(self._scorings(items, until), until, general=True)
        return [_unscored(one) if isinstance(one, Exception) else _score(one) for one in told]

    async def score_group(
        self,
        task: Address | str,
        responses: Sequence[str | Sequence[str]],
        style: Style | str = TAGS,
        transforms: Iterable[str] = (),
        *,
        deadline_s: float | None = None,
    ) -> Group:
        """The scores of several responses to one task, with the transforms asked for."""
        call = _group_call(task, responses, style, transforms)
        return await self._run(_grouped(call, self._patience(deadline_s)))

    # -------------------------------------------------------------- sessions

    async def open(
        self,
        task: Address | str,
        style: Style | str = TAGS,
        seats: Iterable[int] | None = None,
        *,
        key: str | None = None,
    ) -> AsyncSession:
        """Open a session: an episode that the service keeps."""
        return (await self.open_many(task, 1, style, seats, key=key))[0]

    async def open_many(
        self,
        task: Address | str,
        n: int,
        style: Style | str = TAGS,
        seats: Iterable[int] | None = None,
        *,
        key: str | None = None,
    ) -> list[AsyncSession]:
        """Several sessions of one task. The same ``key`` gives the same ones again."""
        call = _opening_call(task, n, style, seats, key)
        opened = await self._run(_opened(call, self._patience(None)))
        return [AsyncSession(self, one) for one in opened]

    async def session(self, name: str) -> AsyncSession:
        """A session that was opened before, by its ``id``."""
        return AsyncSession(self, await self._ask(Call("GET", _session_path(name)), _Standing))

    async def hear_many(
        self, moves: Iterable[tuple[AsyncSession, str]], *, deadline_s: float | None = None
    ) -> list[float | Exception]:
        """Send a reply in each of many sessions: what each earned, or the error in its place."""
        until = _until(deadline_s)
        made = self._moves(moves, until)
        told = await self._told([ticket for _, ticket in made], until)
        return [session._outcome(one) for (session, _), one in zip(made, told)]

    # -------------------------------------------------------------- programs

    async def run(
        self,
        source: str,
        *,
        language: str = "python",
        stdin: str = "",
        limits: "Limits | None" = None,
    ) -> "Outcome":
        """Run a program in the sandbox of the service."""
        call = _program_call(source, limits, language=language, stdin=stdin)
        return await self._run(_ran(call, self._patience(None)))

    async def judge_io(
        self,
        source: str,
        tests: "Iterable[IoTest | tuple[str, str]]",
        *,
        language: str = "python",
        limits: "Limits | None" = None,
    ) -> "Verdict":
        """Judge a program by what it prints."""
        call = _program_call(source, limits, language=language, outputs=_outputs(tests))
        return await self._run(_judged(call, self._patience(None)))

    async def judge_calls(
        self,
        source: str,
        entry: str,
        cases: "Iterable[Case | tuple[Sequence[Any], Any]]",
        *,
        limits: "Limits | None" = None,
    ) -> "Verdict":
        """Judge a Python function by the values that it gives."""
        call = _program_call(source, limits, calls={"entry": entry, "cases": _cases(cases)})
        return await self._run(_judged(call, self._patience(None)))

    async def judge_asserts(
        self, source: str, tests: str, *, limits: "Limits | None" = None
    ) -> "Verdict":
        """Judge a Python program by a suite of tests."""
        call = _program_call(source, limits, suite=tests)
        return await self._run(_judged(call, self._patience(None)))

    # -------------------------------------------------------------- carrying it out

    def _future(self) -> "asyncio.Future[_Told]":
        return self._here().create_future()

    def _here(self) -> asyncio.AbstractEventLoop:
        """The event loop, which is always the same: connections and timers are bound to it."""
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        elif self._loop is not loop:
            raise RuntimeError("an AsyncClient belongs to one event loop; make one for each")
        return loop

    async def _told(
        self, tickets: list[_Ticket], until: float | None, *, general: bool = False
    ) -> list[Any]:
        """The answers or errors of items. With ``general``, an error that all of them will meet
        is raised.
        """
        try:
            async with asyncio.timeout(_left_s(until)):
                for ticket in tickets:
                    with suppress(Exception):  # it is looked at below
                        await ticket.future
                    fault = ticket.future.exception()
                    if general and fault is not None and _is_general(fault):
                        raise fault
        except TimeoutError:
            pass  # what is not answered is seen below
        finally:
            for ticket in tickets:
                ticket.leave()
        return [ticket.outcome() for ticket in tickets]

    async def _ask(self, call: Call, kind: type[T]) -> T:
        return await self._run(_answered(call, self._patience(None), kind))

    async def _run(self, effects: _Effects[T]) -> T:
        self._here()
        told: httpx.Response | None = None
        fault: httpx.TransportError | None = None
        while True:
            try:
                wish = effects.send(told) if fault is None else effects.throw(fault)
            except StopIteration as end:
                done: T = end.value
                return done
            told, fault = None, None
            if isinstance(wish, float):
                await asyncio.sleep(wish)
                continue
            try:
                told = await self._responded(wish)
            except httpx.TransportError as caught:
                fault = caught

    async def _responded(self, ask: _Ask) -> httpx.Response:
        request = self._request(ask)
        response: httpx.Response = await self._http.send(request, stream=ask.hear is not None)
        if ask.hear is None:
            return response
        try:
            if not response.is_success:
                await response.aread()
            else:
                async for piece in response.aiter_bytes():
                    ask.hear(piece)
        finally:
            await response.aclose()
        return response
