"""Every operation of the service, written once for both clients.

Each function is a method of :class:`~palaestra.client.Client` and of
:class:`~palaestra.client.AsyncClient`, or of their sessions: what it yields is carried out by
either in its own way, and what it returns is what callers get.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeVar, get_args
from urllib.parse import quote

from palaestra.address import Address, Split
from palaestra.client import programs
from palaestra.client.base import BaseClient, BaseSession, S
from palaestra.client.effects import (
    Effects,
    PendingItems,
    RetryPolicy,
    fetch,
    until,
)
from palaestra.client.errors import BUSY, ServiceError, UnknownSession
from palaestra.client.structs import (
    Call,
    OpenedSessions,
    Parts,
    Results,
    SessionState,
    address_of,
    env_of,
    post,
    score_or_not,
    scored,
    unscored,
    verified,
    verified_or_not,
)
from palaestra.episode import TAGS, AnswerFormat, answer_format_of
from palaestra.observations import SIZE, Observation, View
from palaestra.scoring import Group, Item, TaskOpening
from palaestra.task import JudgeError, Score
from palaestra.verification import Verification

if TYPE_CHECKING:
    from palaestra.verifiers.sandbox import Limits, Outcome, Verdict
    from palaestra.verifiers.sandbox.judging import Case, IoTest

DRAWN = 256
"""How many tasks one request draws at most."""

Method = TypeVar("Method", bound=Callable[..., Any])


def as_method(method: Method, operation: Callable[..., Effects[Any]]) -> Method:
    """A method under the name, the words and the arguments of what it asks."""
    parameters_of = signature(operation)
    first, *others = parameters_of.parameters.values()
    method.__signature__ = parameters_of.replace(  # type: ignore[attr-defined]
        parameters=[first.replace(name="self", annotation=Parameter.empty), *others],
        return_annotation=get_args(operation.__annotations__["return"])[-1],
    )
    method.__name__ = method.__qualname__ = operation.__name__.rstrip("_")
    method.__doc__, method.__module__ = operation.__doc__, operation.__module__
    return method


# ------------------------------------------------------------------ tasks


def environments(client: BaseClient[S], /, **query: str) -> Effects[list[dict[str, Any]]]:
    """The cards of the catalog, of a ``category``, ``tag`` or ``kind``, or found by ``q``."""
    cards: list[dict[str, Any]] = []
    cursor: str | None = ""
    patience = client._patience()
    while cursor is not None:
        call = Call("GET", "/v1/environments", query={**query, "cursor": cursor})
        page = yield from fetch(call, patience, dict[str, Any])
        cards += page["environments"]
        cursor = page["next"]
    return cards


def environment(client: BaseClient[S], env: str) -> Effects[dict[str, Any]]:
    """The card of one environment, with its knobs as a JSON Schema."""
    return (yield from fetch(Call("GET", _card(env)), client._patience(), dict[str, Any]))


def _card(env: str) -> str:
    return f"/v1/environments/{quote(env.replace('/', '.', 1), safe='@')}"


def tasks(
    client: BaseClient[S],
    /,
    env: str,
    seeds: Iterable[int] = range(1),
    level: int = 0,
    split: Split = "train",
    answer_format: AnswerFormat | str = TAGS,
    *,
    observation: Observation = "text",
    image_size: int = SIZE,
    deadline_s: float | None = None,
    **knobs: Any,
) -> Effects[list[TaskOpening]]:
    """Draw tasks, as messages to put to a model; with an ``observation`` of ``"image"`` or
    ``"both"``, messages have parts with an image.
    """
    patience = client._patience(deadline_s)
    body = {"env": env, "level": level, "split": split, "knobs": knobs}
    body["answer_format"] = answer_format_of(answer_format).name
    body |= _viewed(observation, image_size)
    openings: list[TaskOpening] = []
    wanted = [int(seed) for seed in seeds]
    for start in range(0, len(wanted), DRAWN):
        call = post("/v1/tasks", {**body, "seeds": wanted[start : start + DRAWN]})
        answer = yield from fetch(call, patience, dict[str, Any])
        openings += (
            TaskOpening(task["address"], tuple(task["messages"]), tuple(task["tools"]))
            for task in answer["tasks"]
        )
    return openings


def _viewed(observation: Observation, image_size: int) -> dict[str, Any]:
    """The fields of a request for images; none for text, which older services take as well."""
    view = View(observation, image_size)
    return {"observation": observation, "image_size": image_size} if view.has_image else {}


def oracle(client: BaseClient[S], task: Address | str) -> Effects[list[str]]:
    """The moves of a perfect player, for a token that may see answers."""
    address = address_of(task)
    call = Call("GET", f"{_card(env_of(address))}/oracle", query={"address": address})
    answer = yield from fetch(call, client._patience(), dict[str, Any])
    moves: list[str] = answer["moves"]
    return moves


# ------------------------------------------------------------------ scores


def score(
    client: BaseClient[S],
    task: Address | str,
    replies: str | Iterable[str],
    answer_format: AnswerFormat | str = TAGS,
    *,
    deadline_s: float | None = None,
) -> Effects[Score]:
    """The score of a whole episode. Other callers' at the same time go in one request."""
    moment = until(deadline_s)
    tickets = client._scorings([(task, replies, answer_format)], moment, attempt=False)
    (result,) = yield PendingItems(tickets, moment)
    if isinstance(result, Exception):
        raise result
    return scored(result)


def score_many(
    client: BaseClient[S], items: Iterable[Item | Parts], *, deadline_s: float | None = None
) -> Effects[list[Score | JudgeError]]:
    """The scores of many episodes, in their order; a failing one never fails the others."""
    moment = until(deadline_s)
    results = yield PendingItems(client._scorings(items, moment), moment, general=True)
    return [unscored(one) if isinstance(one, Exception) else score_or_not(one) for one in results]


def score_group(
    client: BaseClient[S],
    task: Address | str,
    responses: Sequence[str | Sequence[str]],
    answer_format: AnswerFormat | str = TAGS,
    transforms: Iterable[str] = (),
    *,
    deadline_s: float | None = None,
) -> Effects[Group]:
    """The scores of several responses to one task, with the transforms asked for."""
    replies = [one if isinstance(one, str) else list(one) for one in responses]
    body = {
        "address": address_of(task),
        "responses": replies,
        "answer_format": answer_format_of(answer_format).name,
    }
    call = post("/v1/score/group", body | {"transforms": list(transforms)})
    patience = client._patience(deadline_s)
    while True:
        response = yield from fetch(call, patience, Results)
        busy = next((one.reason for one in response.results if one.error in BUSY), None)
        if busy is None:
            return Group(tuple(map(score_or_not, response.results)), response.transforms)
        yield patience.pause(None, ServiceError(busy, 503))


# ------------------------------------------------------------------ named verifiers


def verifiers(client: BaseClient[S]) -> Effects[list[dict[str, Any]]]:
    """The named verifiers, with the JSON Schemas of their golds and options."""
    call = Call("GET", "/v1/verifiers")
    answer = yield from fetch(call, client._patience(), dict[str, Any])
    listed: list[dict[str, Any]] = answer["verifiers"]
    return listed


def verify(  # they are those of palaestra.verification.verify
    client: BaseClient[S],
    verifier: str,
    gold: Any,
    reply: str,
    options: Mapping[str, Any] | None = None,
    answer_format: str | None = None,
    *,
    deadline_s: float | None = None,
) -> Effects[Score]:
    """The verdict of a named verifier on a reply. Other callers' at the same time go in one
    request.
    """
    moment = until(deadline_s)
    item = Verification(verifier, gold, reply, options, answer_format)
    (result,) = yield PendingItems(client._verifications([item], moment, attempt=False), moment)
    if isinstance(result, Exception):
        raise result
    return verified(result)


def verify_many(
    client: BaseClient[S],
    items: Iterable[Verification | Sequence[Any]],
    *,
    deadline_s: float | None = None,
) -> Effects[list[Score | JudgeError]]:
    """The verdicts of named verifiers on many replies, in their order; a failing one never fails
    the others.
    """
    moment = until(deadline_s)
    wanted = [Verification(*item) for item in items]
    results = yield PendingItems(client._verifications(wanted, moment), moment, general=True)
    return [
        unscored(one) if isinstance(one, Exception) else verified_or_not(one) for one in results
    ]


# ------------------------------------------------------------------ sessions


def open_many(
    client: BaseClient[S],
    task: Address | str,
    n: int,
    answer_format: AnswerFormat | str = TAGS,
    seats: Iterable[int] | None = None,
    *,
    observation: Observation = "text",
    image_size: int = SIZE,
    key: str | None = None,
) -> Effects[list[S]]:
    """Several sessions of one task. The same ``key`` gives the same ones again."""
    body = {
        "address": address_of(task),
        "n": n,
        "answer_format": answer_format_of(answer_format).name,
    }
    body |= {} if seats is None else {"seats": sorted(seats)}
    body |= _viewed(observation, image_size)
    call = post("/v1/sessions", body)._replace(key=key or secrets.token_hex(16))
    opened = yield from fetch(call, client._patience(), OpenedSessions)
    return [client._kind(client, one) for one in opened.sessions]


def open_(
    client: BaseClient[S],
    task: Address | str,
    answer_format: AnswerFormat | str = TAGS,
    seats: Iterable[int] | None = None,
    *,
    observation: Observation = "text",
    image_size: int = SIZE,
    key: str | None = None,
) -> Effects[S]:
    """Open a session: an episode that the service keeps.

    With an ``observation`` of ``"image"`` or ``"both"``, its messages have parts with images.
    """
    options: dict[str, Any] = {"observation": observation, "image_size": image_size, "key": key}
    (opened,) = yield from open_many(client, task, 1, answer_format, seats, **options)
    return opened


def session(client: BaseClient[S], name: str) -> Effects[S]:
    """A session that was opened before, by its ``id``."""
    return client._kind(client, (yield from _seen(name, client._patience())))


def step_many(
    client: BaseClient[S], moves: Iterable[tuple[S, str]], *, deadline_s: float | None = None
) -> Effects[list[float | Exception]]:
    """Send a reply in each of many sessions: what each earned, or the error in its place."""
    moment = until(deadline_s)
    pending = client._moves(moves, moment)
    results = yield PendingItems([ticket for _, ticket in pending], moment)
    return [session._outcome(one) for (session, _), one in zip(pending, results)]


def _path(session: str, part: str = "") -> str:
    return f"/v1/sessions/{quote(session, safe='')}{part}"


def _seen(session: str, patience: RetryPolicy) -> Effects[SessionState]:
    return (yield from fetch(Call("GET", _path(session)), patience, SessionState))


# ------------------------------------------------------------------ of one session


def step(session: S, reply: str, *, deadline_s: float | None = None) -> Effects[float]:
    """Send the player's next reply, and tell what it earned."""
    (result,) = yield from step_many(session._client, [(session, reply)], deadline_s=deadline_s)
    if isinstance(result, Exception):
        raise result
    return result


def refresh(session: S) -> Effects[S]:
    """See where it stands, where others may have played on."""
    session._now = yield from _seen(session.id, session._client._patience())
    return session


def messages(session: BaseSession) -> Effects[list[dict[str, Any]]]:
    """The transcript as chat messages."""
    return (yield from refresh(session))._now.messages


def fork_many(session: S, n: int) -> Effects[list[S]]:
    """Several sessions that stand where this one does, and go on by themselves."""
    call = post(_path(session.id, "/fork"), {"n": n})
    opened = yield from fetch(call, session._client._patience(), OpenedSessions)
    return [type(session)(session._client, one) for one in opened.sessions]


def fork(session: S) -> Effects[S]:
    """A second session that stands where this one does, and goes on by itself."""
    (forked,) = yield from fork_many(session, 1)
    return forked


def rewind(session: S, step: int) -> Effects[S]:
    """Take replies back until there are ``step`` of them."""
    call = post(_path(session.id, "/rewind"), {"step": step})
    session._now = yield from fetch(call, session._client._patience(), SessionState)
    return session


def delete(session: BaseSession) -> Effects[None]:
    """Let the service forget it."""
    call = Call("DELETE", _path(session.id))
    with suppress(UnknownSession):  # it was forgotten by itself, or by a try without an answer
        yield from fetch(call, session._client._patience(), dict[str, Any])


# ------------------------------------------------------------------ programs


def run(
    client: BaseClient[S],
    source: str,
    *,
    language: str = "python",
    stdin: str = "",
    limits: "Limits | None" = None,
) -> Effects["Outcome"]:
    """Run a program in the sandbox of the service."""
    call = programs.call(source, limits, language=language, stdin=stdin)
    return (yield from programs.ran(call, client._patience()))


def judge_io(
    client: BaseClient[S],
    source: str,
    tests: "Iterable[IoTest | tuple[str, str]]",
    *,
    language: str = "python",
    limits: "Limits | None" = None,
) -> Effects["Verdict"]:
    """Judge a program by what it prints."""
    call = programs.call(source, limits, language=language, outputs=programs.outputs(tests))
    return (yield from programs.judged(call, client._patience()))


def judge_calls(
    client: BaseClient[S],
    source: str,
    entry: str,
    cases: "Iterable[Case | tuple[Sequence[Any], Any]]",
    *,
    limits: "Limits | None" = None,
) -> Effects["Verdict"]:
    """Judge a Python function by the values that it gives."""
    body = {"entry": entry, "cases": programs.cases(cases)}
    call = programs.call(source, limits, calls=body)
    return (yield from programs.judged(call, client._patience()))


def judge_asserts(
    client: BaseClient[S], source: str, tests: str, *, limits: "Limits | None" = None
) -> Effects["Verdict"]:
    """Judge a Python program by a suite of tests."""
    call = programs.call(source, limits, suite=tests)
    return (yield from programs.judged(call, client._patience()))
