"""The Open Reward Standard: tasks by split and number, played by calls of tools.

Its clients look for a server's root, so it has a port of its own (``palaestra serve --protocol
ors``). An environment has as many tasks in a split as there are seeds, and a split for each level,
so that tasks are asked for by number and never listed; the hub has splits that are listed, see
:mod:`palaestra.server.compat.ors_tasks`. A call is answered as server-sent events, which a client
that was cut off asks for again by their ``task_id``; that is the number of the step, so asking
again is asking the same.

Clients add up the rewards of an episode, or take the last one. Either is the score, as all calls
but the one that ends an episode have the reward 0; what a call earned is in its metadata.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any

from fastapi import FastAPI, Header, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from palaestra.address import Address
from palaestra.catalog import environments
from palaestra.server.auth import require_scope
from palaestra.server.clock import time
from palaestra.server.compat.episodes import ANSWERS, DONE, compact, sentence, tools_of, world_of
from palaestra.server.compat.names import Name, parse_environment
from palaestra.server.compat.ors_tasks import (
    HUB,
    STYLE,
    BarePaths,
    EnvironmentTasks,
    Source,
    Sources,
    is_name,
)
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
from palaestra.server.structs import SessionState

MOST = 10_000
"""The most tasks of one request."""

CHUNK = 4_096
"""How many characters an event has."""

GRACE_S, BEAT_S = 5.0, 10.0
"""How long an answer may take before its stream begins, and between signs of life after that. What
fails before it begins is an error of HTTP, which clients try again.
"""

Session = Annotated[str, Header(alias="X-Session-ID", pattern=r"^\s*[A-Za-z0-9_-]{1,64}\s*$")]

HUB_ANSWERS = f"{ANSWERS} In a task with other tools, the text '{DONE}' ends it."
"""What the tool of the hub is for, in whose tasks others may be offered beside it."""

SPLIT = 500
"""How many characters the name of a split has at most; a selection is one."""


class EnvironmentRequest(BaseModel):
    """A wish for the tasks of a split."""

    split: Annotated[str, Field(max_length=SPLIT)]


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
    split: Annotated[str, Field(max_length=SPLIT)] | None = None
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
    """The tools of an environment; of the hub, the one that all tasks have."""
    require_scope(request.scope, "read")
    source = _source(name, request)
    if isinstance(source, EnvironmentTasks):
        return await _tools(request, source.spec.env)
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    return _specified([{"name": "answer", "description": HUB_ANSWERS, "parameters": schema}])


def _source(name: str, request: Request) -> Source:
    sources: Sources = request.app.state.ors_sources
    return sources.named(name)


async def _tools(request: Request, env: str) -> Any:
    return _specified(tools_of(await world_of(service_of(request), env)))


def _specified(tools: Sequence[Mapping[str, Any]]) -> Any:
    return {
        "tools": [
            {"name": t["name"], "description": t["description"], "input_schema": t["parameters"]}
            for t in tools
        ]
    }


def splits(name: Name, request: Request) -> list[dict[str, str]]:
    """The splits: of an environment, its seeds at each level; of the hub, suites and selections."""
    require_scope(request.scope, "read")
    return _source(name, request).splits()


def _specification(address: Address) -> dict[str, Any]:
    """What a client is given of a task: where it lives, and nothing that would tell its answer."""
    return {"address": str(address)}


def tasks(name: Name, wish: EnvironmentRequest, request: Request) -> Any:
    """List the tasks of a split, unless there are billions."""
    require_scope(request.scope, "read")
    source = _source(name, request)
    chosen = source.tasks(wish.split)
    if chosen.number > MOST:
        raise InvalidRequest(
            f"there are {chosen.number} tasks; ask for them with num_tasks, task and task_range"
        )
    listed = [_specification(chosen.one(n)) for n in range(chosen.number)]
    return {"tasks": listed, "env_name": source.name}


def num_tasks(name: Name, wish: EnvironmentRequest, request: Request) -> dict[str, int]:
    """How many tasks a split has."""
    require_scope(request.scope, "read")
    return {"num_tasks": _source(name, request).tasks(wish.split).number}


def task(name: Name, wish: TaskRequest, request: Request) -> Any:
    """One task, by its number; one below 0 counts from the end."""
    require_scope(request.scope, "read")
    source = _source(name, request)
    chosen = source.tasks(wish.split)
    index = wish.index + chosen.number if wish.index < 0 else wish.index
    return {"task": _specification(chosen.one(index)), "env_name": source.name}


def task_range(name: Name, wish: TaskRangeRequest, request: Request) -> Any:
    """The tasks of a range."""
    require_scope(request.scope, "read")
    source = _source(name, request)
    tasks_of_split = source.tasks(wish.split)
    chosen = range(tasks_of_split.number)[slice(wish.start, wish.stop)]
    if len(chosen) > MOST:
        raise InvalidRequest(f"at most {MOST} tasks per request, got {len(chosen)}", "/stop")
    listed = [_specification(tasks_of_split.one(n)) for n in chosen]
    return {"tasks": listed, "env_name": source.name}


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
    address, answer_format = _wanted(wish, request)
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


def _wanted(wish: Creation, request: Request) -> tuple[Address, str]:
    """The task of a session and its answer format. A task that is sent decides the environment; a
    name that goes with it has to be the same, unless it names none, as the word ``env`` does.
    """
    if wish.task_spec is None:
        if wish.split is None or wish.index is None:
            raise InvalidRequest("a session is of a 'task_spec', or of a 'split' and an 'index'")
        sources: Sources = request.app.state.ors_sources
        source = (
            sources.default(request.headers)
            if wish.env_name is None
            else sources.named(wish.env_name)
        )
        return source.tasks(wish.split).one(wish.index), source.answer_format
    text = wish.task_spec.get("address")
    if not isinstance(text, str):
        raise InvalidRequest("a task has an 'address'", "/task_spec/address")
    address = Address.parse(text)
    if wish.env_name is None or not is_name(wish.env_name):
        return address, STYLE
    wanted = parse_environment(wish.env_name, STYLE)
    if wanted.env != address.env:
        raise InvalidRequest(
            f"the task is of {address.env}, not of {wanted.env}", "/task_spec/address"
        )
    return address, wanted.answer_format


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


async def _standing(session: str, request: Request, name: str = HUB) -> SessionState:
    """Where a session stands. Raises :class:`InvalidRequest` where it is of another environment;
    those of all belong to the hub.
    """
    owner = require_scope(request.scope, "sessions").name
    state = await service_of(request).sessions.get(session.strip(), owner)
    if name != HUB and parse_environment(name, STYLE).env != _env_of(state):
        raise InvalidRequest(f"the session is of {_env_of(state)}")
    return state


def _env_of(state: SessionState) -> str:
    return Address.parse(state.address).env


async def prompt(name: Name, session: Session, request: Request) -> Any:
    """What the player reads first."""
    state = await _standing(session, request, name)
    assert isinstance(state.messages, list)
    return [_text(state.messages[0]["content"] if state.messages else state.observation)]


async def task_tools(name: Name, session: Session, request: Request) -> Any:
    """The tools of a session, which are those of its environment."""
    state = await _standing(session, request, name)
    return await _tools(request, _env_of(state))


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
    work = asyncio.create_task(_called(_env_of(state), body, session, request, step))
    _running.add(work)
    work.add_done_callback(_running.discard)
    work.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.wait({work}, timeout=GRACE_S)
    if work.done():
        work.result()  # an error is one of HTTP, as long as nothing was sent
    return StreamingResponse(_events(str(step), work), **_STREAM)


async def _called(env: str, body: Call, session: str, request: Request, step: int) -> str:
    """What a call gives, as its client reads it."""
    owner = require_scope(request.scope, "sessions").name
    service = service_of(request)
    try:
        answer_format = await service.sessions.answer_format(session.strip(), owner)
        reply = move(await world_of(service, env), body.name, body.input, answer_format)
        state = await service.sessions.step(session.strip(), step, reply, owner)
    except (InvalidRequest, StepConflict) as error:
        return compact({"ok": False, "error": str(error)})
    output = {
        "blocks": [_text(state.observation)],
        "metadata": _metadata(state),
        "reward": _reward(state),
        "finished": state.done,
    }
    return compact({"ok": True, "output": output})


def _reward(state: SessionState) -> float | None:
    """The reward of a call, of which both the sum and the last one are the score of an episode;
    None where that could not be judged.
    """
    return 0.0 if state.score is None else state.score.value


def _metadata(state: SessionState) -> dict[str, Any]:
    about: dict[str, Any] = {"step": state.step, "address": state.address, "earned": state.reward}
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
    """Adds the routes, at the root, with those that name no environment.

    Raises ``ValueError`` or ``LookupError`` where the settings name tasks that there are not.
    """
    sources = Sources.of(app.state.service.settings.served)
    app.state.ors_sources = sources
    app.add_middleware(BarePaths, sources=sources)
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
