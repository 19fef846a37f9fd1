"""NeMo Gym: a resources server, to which agents bring rows of a dataset.

Its agents look for a server's root, so it has a port of its own (``palaestra serve --protocol
nemo-gym``). A row has the address of its task, so that one server stands for all environments, in
``address`` or in ``verifier_metadata.address``. A rollout is known by a cookie, which is sent with
every answer, since agents keep those of the last answer only.

:mod:`palaestra.trainers.nemo_gym` has rows for its command, and for a server of its own.

Its verdicts have a number and nothing else, so what could not be scored is an error of HTTP.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from statistics import fmean, median, stdev
from typing import Annotated, Any

from fastapi import FastAPI, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, model_validator

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS
from palaestra.scoring import opening
from palaestra.server import metrics
from palaestra.server.auth import require_scope
from palaestra.server.compat.episodes import (
    DONE,
    as_world,
    texts,
    tools_of,
    world_of,
)
from palaestra.server.compat.names import of_one_reply
from palaestra.server.mcp_routes import ANSWER, move
from palaestra.server.problems import (
    InvalidRequest,
    StepConflict,
    UnknownSession,
    refusal,
    refusals,
)
from palaestra.server.service import Service, service_of
from palaestra.server.structs import AnswerFormat, Result, ScoreRequest, SessionState
from palaestra.server.targets import resolved
from palaestra.task import JudgeError

COOKIE = "palaestra_session"
TASK, ROLLOUT = "_ng_task_index", "_ng_rollout_index"
"""By what a row and its repetitions are counted."""

Tool = Annotated[str, Path(max_length=200)]
Number = int | float


class Row(BaseModel):
    """A row of a dataset, of which more is known to others."""

    model_config = ConfigDict(extra="allow")

    address: Annotated[str, Field(max_length=2_000)] | None = None
    verifier_metadata: dict[str, Any] | None = None
    responses_create_params: dict[str, Any] = {}
    answer_format: AnswerFormat = "tags"
    """Read from ``verifier_metadata`` where the row has it there."""

    @model_validator(mode="before")
    @classmethod
    def _as_exported(cls, fields: Any) -> Any:
        if not isinstance(fields, dict) or "answer_format" in fields:
            return fields
        metadata = fields.get("verifier_metadata")
        if not isinstance(metadata, dict) or "answer_format" not in metadata:
            return fields
        return {**fields, "answer_format": metadata["answer_format"]}

    def task(self) -> Address:
        """The address of its task. Raises :class:`InvalidRequest` where it has none."""
        address = self.address or (self.verifier_metadata or {}).get("address")
        if not isinstance(address, str):
            raise InvalidRequest(
                "a row has its task in 'address' or 'verifier_metadata'", "/address"
            )
        return resolved(address).address


class Answered(Row):
    """The same with a response of the Responses API to it."""

    response: dict[str, Any]

    def output(self) -> list[Mapping[str, Any]]:
        """The items of the response."""
        output = self.response.get("output")
        return (
            [item for item in output if isinstance(item, Mapping)]
            if isinstance(output, list)
            else []
        )


class Verdicts(BaseModel):
    """The verdicts of many rollouts."""

    verify_responses: Annotated[list[dict[str, Any]], Field(max_length=1_000_000)]


def row(address: Address | str, answer_format: AnswerFormat = "tags") -> dict[str, Any]:
    """A row of a dataset for an agent of NeMo Gym: the task, and what its player reads and may use.

    Environments of several replies get the tools that this server has for them.
    """
    parsed = address if isinstance(address, Address) else Address.parse(address)
    task = opening(parsed, answer_format)
    request: dict[str, Any] = {"input": [dict(message) for message in task.messages]}
    if not of_one_reply(parsed.env):
        known = tools_of(as_world(task))
        request["tools"] = [{"type": "function", "strict": False, **tool} for tool in known]
        request["parallel_tool_calls"] = False
    return {
        "address": task.address,
        "answer_format": answer_format,
        "responses_create_params": request,
    }


# ------------------------------------------------------------------ what a response says


def assistant_texts(output: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the assistant wrote, message by message."""
    return [
        texts(item.get("content"))
        for item in output
        if item.get("type", "message") == "message" and item.get("role", "assistant") == "assistant"
    ]


def called(output: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, dict[str, Any]]]:
    """The calls of tools: an id, the tool and its arguments."""
    calls = []
    for item in output:
        if item.get("type") != "function_call":
            continue
        try:
            arguments = json.loads(item.get("arguments") or "{}")
        except (ValueError, TypeError, RecursionError):
            arguments = None
        values = arguments if isinstance(arguments, dict) else {"": "no object"}
        calls.append((str(item.get("call_id", "")), str(item.get("name", "")), values))
    return calls


# ------------------------------------------------------------------ rollouts


def _remember(response: Response, session: str) -> None:
    response.set_cookie(COOKIE, session, httponly=True, samesite="strict")


async def seed_session(row: Row, request: Request) -> JSONResponse:
    """Begin a rollout. Tasks of one reply have nothing to remember."""
    owner = require_scope(request.scope, "sessions").name
    service, address = service_of(request), row.task()
    response = JSONResponse({})
    if not of_one_reply(address.env):
        (state,) = await service.sessions.open(
            address, owner=owner, answer_format=row.answer_format
        )
        _remember(response, state.session)
    return response


async def use(tool: Tool, request: Request) -> Response:
    """Call a tool of the rollout's task. What is wrong with a call is told to the player."""
    owner = require_scope(request.scope, "sessions").name
    session = request.cookies.get(COOKIE, "")
    if not session:
        raise InvalidRequest("seed a session first, and send its cookie")
    response: Response
    try:
        fields = await _used(service_of(request), session, owner, tool, await _arguments(request))
        response = JSONResponse(fields)
    except Exception as fault:  # noqa: BLE001  the rollout goes on, so its cookie has to
        response = refusal(request, fault)
    _remember(response, session)
    return response


async def _arguments(request: Request) -> dict[str, Any]:
    try:
        arguments = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        raise InvalidRequest("the arguments of a tool are JSON") from None
    if not isinstance(arguments, dict):
        raise InvalidRequest("the arguments of a tool are an object")
    return arguments


async def _used(
    service: Service, session: str, owner: str, tool: str, arguments: dict[str, Any]
) -> dict[str, Any]:
    answer_format, world = await _played_as(service, session, owner)
    try:
        reply = move(world, tool, arguments, answer_format)
        state = await service.sessions.step(session, None, reply, owner)
    except (InvalidRequest, StepConflict) as error:
        return {"observation": f"Error: {error}", "done": False}
    return {"observation": state.observation, "done": state.done}


async def _played_as(service: Service, session: str, owner: str) -> tuple[str, SessionState]:
    """In which answer format a rollout is played, and in which world."""
    state = await service.sessions.get(session, owner)
    answer_format = await service.sessions.answer_format(session, owner)
    return answer_format, await world_of(service, Address.parse(state.address).env)


async def verify(row: Answered, request: Request) -> dict[str, Any]:
    """Score a rollout: as it was played with tools, or else as it is written in the response."""
    owner = require_scope(request.scope, "score").name
    service, address = service_of(request), row.task()
    if of_one_reply(address.env):
        item = ScoreRequest(
            str(address), "\n".join(assistant_texts(row.output())), row.answer_format
        )
        done = await service.judge.judged(item, owner=owner)
    else:
        session = request.cookies.get(COOKIE, "")
        if session:  # which is played on to its end
            require_scope(request.scope, "sessions")
        done = await _ended(service, address, row, owner, session)
    metrics.scored([done])
    if done.value is None:
        raise JudgeError(done.reason)
    named = {"reward": done.value, "extracted": done.extracted, "address": str(address)}
    return row.model_dump(exclude_unset=True) | named | _verdict(done)


def _verdict(score: Result) -> dict[str, Any]:
    """What a score says beside its value."""
    return {
        "reward_components": score.parts,
        "correct": bool(score.correct),
        "status": score.status,
        "reason": score.reason,
    }


async def _ended(
    service: Service, address: Address, row: Answered, owner: str, session: str
) -> Result:
    """The score of an episode of several replies."""
    world = await world_of(service, address.env)
    over = [ANSWER_FORMATS[row.answer_format].write(DONE)] if world.tools else []
    if ANSWER in {tool["function"]["name"] for tool in world.tools or []}:
        over = assistant_texts(row.output())[-1:]  # what is not given by the tool is written
    state = await _played(service, session, owner)
    if state is not None and state.address == str(address):
        # A player that stops calling tools is done; one that never called any has written.
        left = over or ([] if state.step else assistant_texts(row.output()))
        return await _to_the_end(service, state, left, owner)
    (state,) = await service.sessions.open(address, owner=owner, answer_format=row.answer_format)
    calls = []
    for _, tool, arguments in called(row.output()):
        with suppress(InvalidRequest):  # which was no move when it was played
            calls.append(move(world, tool, arguments, row.answer_format))
    try:
        left = [*calls, *over] if calls or over else assistant_texts(row.output())
        return await _to_the_end(service, state, left, owner)
    finally:
        await service.sessions.delete(state.session, owner)


async def _played(service: Service, session: str, owner: str) -> SessionState | None:
    """Where a rollout stands; nothing where it is not known, or not any more."""
    if not session:
        return None
    try:
        return await service.sessions.get(session, owner)
    except UnknownSession:
        return None


async def _to_the_end(
    service: Service, state: SessionState, replies: list[str], owner: str
) -> Result:
    for reply in replies:
        if state.done:
            break
        state = await service.sessions.step(state.session, None, reply, owner)
    return state.score or Result(
        value=0.0, correct=False, status="no_answer", address=state.address,
        reason="the replies stop before the episode is over",
    )  # fmt: skip


# ------------------------------------------------------------------ turn by turn


async def reset(row: Row, request: Request) -> JSONResponse:
    """Begin an episode that is played turn by turn, for the agent of Gymnasium's shape."""
    owner = require_scope(request.scope, "sessions").name
    (state,) = await service_of(request).sessions.open(
        row.task(), owner=owner, answer_format=row.answer_format
    )
    is_asked = bool(row.responses_create_params.get("input"))
    response = JSONResponse({"observation": None if is_asked else state.observation, "info": {}})
    _remember(response, state.session)
    return response


async def step(row: Answered, request: Request) -> JSONResponse:
    """Take what the model said: its calls of tools, or else its text."""
    owner = require_scope(request.scope, "sessions").name
    service, session = service_of(request), request.cookies.get(COOKIE, "")
    if not session:
        raise InvalidRequest("reset first, and send the cookie of that")
    answer_format, world = await _played_as(service, session, owner)
    earned, outputs, state = 0.0, [], None
    for id_, tool, arguments in called(row.output()):
        try:
            reply = move(world, tool, arguments, answer_format)
            state = await service.sessions.step(session, None, reply, owner)
        except (InvalidRequest, StepConflict) as error:
            outputs.append({"call_id": id_, "output": f"Error: {error}"})
            continue
        earned += state.reward
        outputs.append({"call_id": id_, "output": state.observation})
    if not outputs:
        reply = "\n".join(assistant_texts(row.output()))
        state = await service.sessions.step(session, None, reply, owner)
        earned = state.reward
    response = JSONResponse(_stepped(state, earned, outputs))
    _remember(response, session)
    return response


def _stepped(
    state: SessionState | None, earned: float, outputs: list[dict[str, str]]
) -> dict[str, Any]:
    is_over = state is not None and state.done
    info: dict[str, Any] = {"tool_outputs": outputs} if outputs else {}
    if state is not None and state.score is not None:
        info |= _verdict(state.score) | {"address": state.address}
    silent = is_over or outputs or state is None
    return {
        "observation": None if silent else state.observation,  # type: ignore[union-attr]
        "reward": earned, "terminated": is_over, "truncated": False, "info": info,
    }  # fmt: skip


# ------------------------------------------------------------------ figures


def aggregate_metrics(body: Verdicts, request: Request) -> dict[str, Any]:
    """Figures of many verdicts, for each task and for all. Masked ones are left out."""
    require_scope(request.scope, "score")
    known = [one for one in body.verify_responses if not one.get("mask_sample")]
    groups: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for one in known:
        task = one.get(TASK, 0)
        groups[task if isinstance(task, int) else 0].append(one)
    whole = _figures(known)
    return {
        "group_level_metrics": [_figures(groups[n]) | {TASK: n} for n in sorted(groups)],
        "agent_metrics": whole,
        "key_metrics": {name: value for name, value in whole.items() if name.startswith("mean/")},
    }


def _figures(verdicts: list[dict[str, Any]]) -> dict[str, float]:
    columns: dict[str, list[float]] = defaultdict(list)
    for one in verdicts:
        response = one.get("response")
        usage = response.get("usage") if isinstance(response, dict) else None
        for name, value in (one | (usage if isinstance(usage, dict) else {})).items():
            if isinstance(value, Number) and name not in {TASK, ROLLOUT}:
                columns[name].append(float(value))
    return {
        f"{figure}/{name}": of(numbers)
        for name, numbers in columns.items()
        for figure, of in _FIGURES.items()
    }


def _spread(numbers: list[float]) -> float:
    return stdev(numbers) if len(numbers) > 1 else 0.0


_FIGURES: dict[str, Callable[[list[float]], float]] = {
    "mean": fmean,
    "max": max,
    "min": min,
    "median": median,
    "std": _spread,
}


def reverify_mode() -> str:
    """Verdicts can be had again from what was written."""
    return "stateless"


def route(app: FastAPI) -> None:
    """Adds the routes, at the root; tools come last, for they may be called anything."""
    wrong = refusals()
    options: dict[str, Any] = {"responses": wrong, "tags": ["nemo gym"]}
    app.post("/seed_session", **options)(seed_session)
    app.post("/verify", **options)(verify)
    app.post("/aggregate_metrics", **options)(aggregate_metrics)
    app.post("/reset", **options)(reset)
    app.post("/step", **options)(step)
    app.get("/reverify_mode", **options)(reverify_mode)
    app.post("/{tool}", **options)(use)
