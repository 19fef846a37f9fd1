"""The Open Reward Standard: tasks by split and number, played by calls of tools.

Its clients look for a server's root, so it has a port of its own (``palaestra serve --protocol
ors``). There are as many tasks in a split as there are seeds, and a split for each level, so that
tasks are asked for by number and never listed. A call is answered as server-sent events, which a
client that was cut off asks for again by their ``task_id``; that is the number of the step, so
asking again is asking the same.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Header, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from palaestra.address import SEEDS, Address, Split
from palaestra.catalog import environments
from palaestra.server.auth import require_scope
from palaestra.server.clock import time
from palaestra.server.compat.episodes import compact, sentence, tools_of, world_of
from palaestra.server.compat.names import EnvironmentSpec, Name, parse_environment
from palaestra.server.mcp_routes import move
from palaestra.server.models import Int
from palaestra.server.problems import (
    InvalidRequest,
    StepConflict,
    UnknownSession,
    refusals,
)
from palaestra.server.service import service_of
from palaestra.server.store import SessionRecord
from palaestra.server.structs import AnswerFormat, SessionState

STYLE: AnswerFormat = "bare"
"""An answer is the argument of a tool, so that it needs no marks."""

MOST = 10_000
"""The most tasks of one request."""

CHUNK = 4_096
"""How many characters an event has."""

GRACE_S, BEAT_S = 5.0, 10.0
"""How long an answer may take before its stream begins, and between signs of life after that. What
fails before it begins is an error of HTTP, which clients try again.
"""

Session = Annotated[str, Header(alias="X-Session-ID", pattern=r"^\s*[A-Za-z0-9_-]{1,64}\s*$")]

TYPES: dict[Split, Literal["train", "test"]] = {"train": "train", "eval": "test"}
"""What the splits of seeds are called here."""


class EnvironmentRequest(BaseModel):
    """A wish for the tasks of a split."""

    split: Annotated[str, Field(max_length=40)]


class TaskRequest(EnvironmentRequest):
    """A wish for one of them."""

    index: Int


class TaskRangeRequest(EnvironmentRequest):
    """A wish for those of a range, as Python counts them."""

    start: Int | None = None
    stop: Int | None = None


class Creation(BaseModel):
    """A wish for a session: of a task that was given, or of one by its number."""

    env_name: Annotated[str, Field(max_length=500)] | None = None
    task_spec: dict[str, Any] | None = None
    split: Annotated[str, Field(max_length=40)] | None = None
    index: Int | None = None


class Call(BaseModel):
    """A call of a tool; with ``task_id``, one that was begun before."""

    name: Annotated[str, Field(max_length=200)]
    input: dict[str, Any] = {}
    task_id: Annotated[str, Field(pattern="^[0-9]{1,6}$")] | None = None


# ------------------------------------------------------------------ tasks


def health() -> dict[str, str]:
    """Whether the process responds."""
    return {"status": "ok"}


def listed(request: Request) -> list[str]:
    """The names of the environments."""
    require_scope(request.scope, "read")
    return [card["slug"] for card in environments()]


async def env_tools(name: Name, request: Request) -> Any:
    """The tools of an environment."""
    require_scope(request.scope, "read")
    return await _tools(request, parse_environment(name, STYLE))


async def _tools(request: Request, wanted: EnvironmentSpec) -> Any:
    known = tools_of(await world_of(service_of(request), wanted.env))
    return {
        "tools": [
            {"name": t["name"], "description": t["description"], "input_schema": t["parameters"]}
            for t in known
        ]
    }


def splits(name: Name, request: Request) -> list[dict[str, str]]:
    """The splits: seeds for training and for evaluation, of the level of the name and of each."""
    require_scope(request.scope, "read")
    wanted = parse_environment(name, STYLE)
    levels = ["", *(f"-{level}" for level in range(wanted.task_type.Knobs.levels()))]
    return [
        {"name": f"{type_}{level}", "type": type_} for level in levels for type_ in TYPES.values()
    ]


def _address(wanted: EnvironmentSpec, split: str, index: int) -> Address:
    """The task of that number. Raises :class:`InvalidRequest` where there is none."""
    type_, dash, level = split.partition("-")
    ours: dict[str, Split] = {theirs: each for each, theirs in TYPES.items()}
    if type_ not in ours or (dash and not (level.isascii() and level.isdecimal())):
        raise InvalidRequest(f"there is no split {split!r}; see /splits", "/split")
    if not 0 <= index < len(SEEDS[ours[type_]]):
        raise InvalidRequest(f"there is no task {index}", "/index")
    return wanted.address(index, int(level) if dash else None, ours[type_])


def _specification(address: Address) -> dict[str, Any]:
    """What a client is given of a task: where it lives, and nothing that would tell its answer."""
    return {"address": str(address)}


def tasks(name: Name, wish: EnvironmentRequest, request: Request) -> Any:
    """Refuse to list billions of tasks."""
    require_scope(request.scope, "read")
    _address(parse_environment(name, STYLE), wish.split, 0)
    number = len(SEEDS["train"])
    raise InvalidRequest(
        f"there are {number} tasks; ask for them with num_tasks, task and task_range"
    )


def num_tasks(name: Name, wish: EnvironmentRequest, request: Request) -> dict[str, int]:
    """How many tasks a split has."""
    require_scope(request.scope, "read")
    _address(parse_environment(name, STYLE), wish.split, 0)
    return {"num_tasks": len(SEEDS["train"])}


def task(name: Name, wish: TaskRequest, request: Request) -> Any:
    """One task, by its number; one below 0 counts from the end."""
    require_scope(request.scope, "read")
    index = wish.index + len(SEEDS["train"]) if wish.index < 0 else wish.index
    return {"task": _specification(_address(parse_environment(name, STYLE), wish.split, index))}


def task_range(name: Name, wish: TaskRangeRequest, request: Request) -> Any:
    """The tasks of a range."""
    require_scope(request.scope, "read")
    wanted = parse_environment(name, STYLE)
    _address(wanted, wish.split, 0)
    chosen = range(len(SEEDS["train"]))[slice(wish.start, wish.stop)]
    if len(chosen) > MOST:
        raise InvalidRequest(f"at most {MOST} tasks per request, got {len(chosen)}", "/stop")
    return {"tasks": [_specification(_address(wanted, wish.split, n)) for n in chosen]}


# ------------------------------------------------------------------ sessions


async def create_session(request: Request) -> StreamingResponse:
    """Give a name that a session can be created under."""
    require_scope(request.scope, "sessions")
    name = secrets.token_urlsafe(18)
    return StreamingResponse(iter([_event("task_id", name) + _event("end", "")]), **_STREAM)


def delete_session(session: Session, request: Request) -> dict[str, str]:
    """Nothing: a name without a session costs nothing."""
    require_scope(request.scope, "sessions")
    return {"sid": session.strip()}


async def create(wish: Creation, session: Session, request: Request) -> dict[str, str]:
    """Create a session of a task."""
    owner = require_scope(request.scope, "sessions").name
    service, name = service_of(request), session.strip()
    address, answer_format = _wanted(wish)
    if await service.store.load(name) is not None:
        raise StepConflict("there is a session of that name")
    await service.store.create(
        [SessionRecord(name, owner, str(address), answer_format, None, time())]
    )
    try:
        await service.sessions.get(name, owner)
    except BaseException:  # a task that cannot be drawn has no session
        await service.store.delete(name)
        raise
    return {"sid": name}


def _wanted(wish: Creation) -> tuple[Address, str]:
    wanted = None if wish.env_name is None else parse_environment(wish.env_name, STYLE)
    if wish.task_spec is None:
        if wish.split is None or wish.index is None:
            raise InvalidRequest("a session is of a 'task_spec', or of a 'split' and an 'index'")
        if wanted is None:
            raise InvalidRequest(
                "this server has several environments: choose one with 'env_name'", "/env_name"
            )
        return _address(wanted, wish.split, wish.index), wanted.answer_format
    text = wish.task_spec.get("address")
    if not isinstance(text, str):
        raise InvalidRequest("a task has an 'address'", "/task_spec/address")
    address = Address.parse(text)
    if wanted is not None and wanted.env != address.env:
        raise InvalidRequest(
            f"the task is of {address.env}, not of {wanted.env}", "/task_spec/address"
        )
    return address, wanted.answer_format if wanted else STYLE


async def delete(session: Session, request: Request) -> dict[str, str]:
    """Forget a session, if there is one."""
    owner = require_scope(request.scope, "sessions").name
    try:
        await service_of(request).sessions.delete(session.strip(), owner)
    except UnknownSession:
        return {"sid": session.strip()}
    return {"sid": session.strip()}


async def ping(session: Session, request: Request) -> dict[str, str]:
    """Whether a session is there."""
    await _standing(session, request)
    return {"status": "ok"}


async def _standing(session: str, request: Request, name: str | None = None) -> SessionState:
    """Where a session stands. Raises :class:`InvalidRequest` where it is of another environment."""
    owner = require_scope(request.scope, "sessions").name
    state = await service_of(request).sessions.get(session.strip(), owner)
    env = Address.parse(state.address).env
    if name is not None and parse_environment(name, STYLE).env != env:
        raise InvalidRequest(f"the session is of {env}")
    return state


async def prompt(name: Name, session: Session, request: Request) -> Any:
    """What the player reads first."""
    state = await _standing(session, request, name)
    assert isinstance(state.messages, list)
    return [_text(state.messages[0]["content"] if state.messages else state.observation)]


async def task_tools(name: Name, session: Session, request: Request) -> Any:
    """The tools of a session, which are those of its environment."""
    await _standing(session, request, name)
    return await _tools(request, parse_environment(name, STYLE))


# ------------------------------------------------------------------ calls

_STREAM: dict[str, Any] = {
    "media_type": "text/event-stream",
    "headers": {"cache-control": "no-cache", "x-accel-buffering": "no"},
}
_running: set[asyncio.Task[str]] = set()
"""Calls go on when their client is cut off; they are held here until they are done."""


async def call(name: Name, body: Call, session: Session, request: Request) -> StreamingResponse:
    """Call a tool, which is a move. The answer comes as events."""
    state = await _standing(session, request, name)
    step = state.step if body.task_id is None else int(body.task_id)
    work = asyncio.create_task(_called(name, body, session, request, step))
    _running.add(work)
    work.add_done_callback(_running.discard)
    work.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.wait({work}, timeout=GRACE_S)
    if work.done():
        work.result()  # an error is one of HTTP, as long as nothing was sent
    return StreamingResponse(_events(str(step), work), **_STREAM)


async def _called(name: str, body: Call, session: str, request: Request, step: int) -> str:
    """What a call gives, as its client reads it."""
    owner = require_scope(request.scope, "sessions").name
    service, wanted = service_of(request), parse_environment(name, STYLE)
    try:
        answer_format = await service.sessions.answer_format(session.strip(), owner)
        reply = move(await world_of(service, wanted.env), body.name, body.input, answer_format)
        state = await service.sessions.step(session.strip(), step, reply, owner)
    except (InvalidRequest, StepConflict) as error:
        return compact({"ok": False, "error": str(error)})
    output = {
        "blocks": [_text(state.observation)],
        "metadata": _metadata(state),
        "reward": state.reward,
        "finished": state.done,
    }
    return compact({"ok": True, "output": output})


def _metadata(state: SessionState) -> dict[str, Any]:
    about: dict[str, Any] = {"step": state.step, "address": state.address}
    if (score := state.score) is not None:
        about |= {"score": score.value, "correct": score.correct, "status": score.status}
        about |= {"reason": score.reason, "parts": score.parts}
    return about


async def _events(task: str, work: "asyncio.Task[str]") -> AsyncIterator[str]:
    yield _event("task_id", task)
    while not work.done():
        await asyncio.wait({work}, timeout=BEAT_S)
        if not work.done():
            yield ": still at it\r\n\r\n"
    if (fault := work.exception()) is not None:
        yield _event("error", sentence(fault))
        return
    pieces = list(_cut(work.result()))
    for piece in pieces[:-1]:
        yield _event("chunk", piece)
    yield _event("end", pieces[-1])


def _cut(text: str, size: int = CHUNK) -> list[str]:
    """A text in pieces of which none begins with a blank, since clients drop those.

    >>> _cut("ab  cd", 3)
    ['ab  ', 'cd']
    """
    pieces, start = [], 0
    while True:
        end = start + size
        while text[end : end + 1] == " ":
            end += 1
        pieces.append(text[start:end])
        if end >= len(text):
            return pieces
        start = end


def _event(event: str, data: str) -> str:
    return f"event: {event}\r\ndata: {' '.join(data.splitlines())}\r\n\r\n"


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "detail": None}


def route(app: FastAPI) -> None:
    """Adds the routes, at the root."""
    wrong = refusals()
    options: dict[str, Any] = {"responses": wrong, "tags": ["open reward standard"]}
    streamed = options | {"response_class": StreamingResponse}
    app.get("/health", **options)(health)
    app.get("/list_environments", **options)(listed)
    app.post("/ping", **options)(ping)
    app.post("/create", **options)(create)
    app.post("/delete", **options)(delete)
    app.post("/create_session", **streamed)(create_session)
    app.post("/delete_session", **options)(delete_session)
    app.get("/{name}/tools", **options)(env_tools)
    app.get("/{name}/splits", **options)(splits)
    app.get("/{name}/prompt", **options)(prompt)
    app.get("/{name}/task_tools", **options)(task_tools)
    app.post("/{name}/tasks", **options)(tasks)
    app.post("/{name}/num_tasks", **options)(num_tasks)
    app.post("/{name}/task", **options)(task)
    app.post("/{name}/task_range", **options)(task_range)
    app.post("/{name}/call", **streamed)(call)
