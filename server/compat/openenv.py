"""OpenEnv: environments that are reset, stepped and closed, over a socket or request by request.

Its clients take a base URL, ``…/openenv/games.mastermind@1:level=2``, and do the rest over
``/ws``. Its own server builds a new environment for every ``/reset`` and ``/step`` over HTTP, so
that no episode has two steps there; here both go on where the client is, by a cookie or by the
``session_id`` that ``/reset`` tells.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from secrets import randbelow
from typing import Annotated, Any, Literal, TypeVar

from fastapi import FastAPI, Query, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from palaestra import __version__
from palaestra.address import SEEDS, Address
from palaestra.registry import summary
from palaestra.server.auth import key_of, require_scope
from palaestra.server.compat.episodes import (
    EpisodeSlot,
    close_slot,
    find_slot,
    open_slot,
    sentence,
    start_episode,
    tools_of,
    world_of,
)
from palaestra.server.compat.names import EnvironmentSpec, Name, parse_environment
from palaestra.server.mcp_routes import InvalidCall, move
from palaestra.server.models import WHOLE, Int
from palaestra.server.problems import InvalidRequest, TooManyRequests, UnknownSession, refusals
from palaestra.server.service import Service, service_of
from palaestra.server.sockets import SOCKETS
from palaestra.server.structs import REPLY_CHARACTERS, SessionState

PROTOCOL = "1.0.0"
"""Of which OpenEnv's validator wants to read."""

FIRST = "there is no episode yet; reset first"

Wish = TypeVar("Wish", bound=BaseModel)


# ------------------------------------------------------------------ what is said and read


class Action(BaseModel):
    """A reply as the player wrote it, or the call of a tool."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["reply", "call_tool", "list_tools"] = "reply"
    reply: Annotated[str, Field(max_length=REPLY_CHARACTERS)] | None = None
    tool_name: Annotated[str, Field(max_length=200)] | None = None
    arguments: dict[str, Any] = {}
    metadata: dict[str, Any] = {}


class Verdict(BaseModel):
    """The score of an episode that is over."""

    value: float
    correct: bool
    status: str
    reason: str
    parts: dict[str, float] = {}


class Observation(BaseModel):
    """What the player reads, and where the episode stands."""

    text: str = ""
    address: str = ""
    step: int = 0
    player: int = 0
    legal_moves: list[str] | None = None
    state: str | None = None
    score: Verdict | None = None
    tool_name: str | None = None
    result: str | None = None
    tools: list[dict[str, Any]] | None = None
    done: bool = False
    reward: float | None = None
    metadata: dict[str, Any] = {}


class State(BaseModel):
    """Which episode is played, and how far it is."""

    episode_id: str | None = None
    step_count: int = 0
    session_id: str | None = None
    address: str | None = None
    done: bool = False


class Reset(BaseModel):
    """A wish for an episode: of a seed, of an address, or of any seed for training."""

    seed: Annotated[int, Field(ge=0), WHOLE] | None = None
    episode_id: Annotated[str, Field(max_length=255)] | None = None
    address: Annotated[str, Field(max_length=2_000)] | None = None
    session_id: Annotated[str, Field(max_length=64)] | None = None


class Step(BaseModel):
    """An action over HTTP."""

    action: Action
    session_id: Annotated[str, Field(max_length=64)] | None = None


class Outcome(BaseModel):
    """What came of a reset or a step."""

    observation: dict[str, Any]
    reward: float | None = None
    done: bool = False
    metadata: dict[str, Any] = {}


class Health(BaseModel):
    """Whether the environment can be reached."""

    status: Literal["healthy"] = "healthy"


class Metadata(BaseModel):
    """Describe the environment."""

    name: str
    description: str
    version: str
    author: str = "palaestra"


class Schemas(BaseModel):
    """Schemas of actions, observations and states."""

    action: dict[str, Any]
    observation: dict[str, Any]
    reset_observation: dict[str, Any]
    state: dict[str, Any]


# ------------------------------------------------------------------ playing


class ClientEnvironment:
    """An environment with one client at it: what a socket and single requests have in common."""

    seated = 0
    """How many sockets are open in this process."""

    def __init__(self, service: Service, wanted: EnvironmentSpec, about: str, owner: str) -> None:
        self.service, self.wanted, self.about, self.owner = service, wanted, about, owner
        self.slot: EpisodeSlot | None = None

    async def sit(self, name: str) -> None:
        """Takes the place of that name. Raises :class:`UnknownSession` where there is none."""
        self.slot = await find_slot(self.service, name, self.owner, self.about)

    async def taken(self) -> EpisodeSlot:
        """The place, a new one where none was taken."""
        self.slot = self.slot or await open_slot(self.service, self.owner, self.about)
        return self.slot

    def beside(self) -> "ClientEnvironment":
        """The same once more, whose place may be changed without changing it here."""
        other = ClientEnvironment(self.service, self.wanted, self.about, self.owner)
        other.slot = self.slot
        return other

    async def rise(self) -> None:
        """Gives the place up, and its episode."""
        if self.slot is not None:
            await close_slot(self.service, self.slot)
            self.slot = None

    async def reset(self, wish: Reset) -> Outcome:
        """Begins an episode."""
        address = self._address(wish)
        slot = await self.taken()
        called = wish.episode_id or ""
        self.slot, state = await start_episode(
            self.service, slot, address, self.wanted.answer_format, called
        )
        outcome = self._outcome(state, self._seen(state))
        outcome.reward = None
        known = tools_of(await self.world())
        outcome.metadata |= {
            "session": state.session,
            "episode_id": self._episode(),
            "tools": known,
        }
        return outcome

    async def step(self, action: Action) -> Outcome:
        """Makes a move; a wish to know the tools is none."""
        world = await self.world()
        if action.type == "list_tools":
            seen = Observation(tools=[_listed(tool) for tool in tools_of(world)])
            return Outcome(observation=_dumped(seen))
        state = await self._moved(self._reply(action, world))
        seen = self._seen(state)
        if action.tool_name is not None:
            seen.tool_name, seen.result = action.tool_name, state.observation
        return self._outcome(state, seen)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> SessionState:
        """Makes a move by a tool."""
        return await self._moved(
            move(await self.world(), tool, arguments, self.wanted.answer_format)
        )

    async def world(self) -> SessionState:
        """The environment as far as its tools go."""
        return await world_of(self.service, self.wanted.env)

    async def state(self) -> State:
        """Where the episode stands."""
        if self.slot is None or not self.slot.session:
            return State(session_id=self.slot.id if self.slot else None)
        state = await self.service.sessions.get(self.slot.session, self.owner)
        return State(
            episode_id=self._episode(), step_count=state.step, session_id=self.slot.id,
            address=state.address, done=state.done,
        )  # fmt: skip

    def _address(self, wish: Reset) -> Address:
        if wish.address is None:
            seed = randbelow(len(SEEDS["train"])) if wish.seed is None else wish.seed
            return self.wanted.address(seed)
        if wish.seed is not None:
            raise InvalidRequest("the address contains a seed; leave out 'seed'", "/seed")
        address = Address.parse(wish.address)
        if address.env != self.wanted.env:
            raise InvalidRequest(
                f"the address is of {address.env}, not of {self.wanted.env}", "/address"
            )
        return address

    def _reply(self, action: Action, world: SessionState) -> str:
        if (action.reply is None) == (action.tool_name is None):
            raise InvalidRequest("an action is a 'reply', or a 'tool_name' with its 'arguments'")
        if action.tool_name is None:
            assert action.reply is not None
            return action.reply
        return move(world, action.tool_name, action.arguments, self.wanted.answer_format)

    async def _moved(self, reply: str) -> SessionState:
        if self.slot is None or not self.slot.session:
            raise InvalidRequest(FIRST)
        return await self.service.sessions.step(self.slot.session, None, reply, self.owner)

    def _episode(self) -> str | None:
        return None if self.slot is None else self.slot.called or self.slot.session

    def _seen(self, state: SessionState) -> Observation:
        score = state.score
        return Observation(
            text=state.observation, address=state.address, step=state.step, player=state.player,
            legal_moves=state.legal_moves, state=state.state or None,
            score=None if score is None or score.value is None else Verdict(
                value=score.value, correct=bool(score.correct), status=score.status,
                reason=score.reason, parts=score.parts,
            ),
        )  # fmt: skip

    def _outcome(self, state: SessionState, seen: Observation) -> Outcome:
        """An outcome, with where the client goes on."""
        about = {"session_id": self.slot.id} if self.slot else {}
        return Outcome(
            observation=_dumped(seen), reward=state.reward, done=state.done, metadata=about
        )


def _dumped(seen: Observation) -> dict[str, Any]:
    return seen.model_dump(exclude={"done", "reward"}, exclude_none=True)


def _listed(tool: Mapping[str, Any]) -> dict[str, Any]:
    """A tool as it stands in lists of the Model Context Protocol."""
    schema = tool["parameters"]
    return {"name": tool["name"], "description": tool["description"], "inputSchema": schema}


# ------------------------------------------------------------------ over HTTP


def _cookie(name: str) -> str:
    """The cookie that says where a client plays: one for each environment."""
    return f"openenv-{sha256(name.encode()).hexdigest()[:12]}"


async def _table(request: Request, name: str, session: str | None) -> ClientEnvironment:
    """The client's place at an environment: the one that it names, or that its cookie does."""
    owner = require_scope(request.scope, "sessions").name
    table = ClientEnvironment(
        service_of(request), parse_environment(name), f"openenv:{name}", owner
    )
    if session is not None:
        await table.sit(session)
    elif cookie := request.cookies.get(_cookie(name)):
        with suppress(UnknownSession):  # it may be an old one
            await table.sit(cookie)
    return table


async def health(name: Name, request: Request) -> Health:
    """Whether the environment exists and the service is ready."""
    require_scope(request.scope, "read")
    parse_environment(name)
    return Health()


async def metadata(name: Name, request: Request) -> Metadata:
    """Describe the environment."""
    require_scope(request.scope, "read")
    wanted = parse_environment(name)
    return Metadata(
        name=wanted.env,
        description=summary(wanted.task_type),
        version=str(wanted.task_type.version),
    )


async def schema(name: Name, request: Request) -> Schemas:
    """Schemas of actions, observations and states."""
    require_scope(request.scope, "read")
    parse_environment(name)
    seen = Observation.model_json_schema()
    return Schemas(
        action=Action.model_json_schema(), observation=seen, reset_observation=seen,
        state=State.model_json_schema(),
    )  # fmt: skip


async def reset(
    name: Name, request: Request, response: Response, wish: Reset | None = None
) -> Outcome:
    """Begin an episode, which replaces the client's present one."""
    wish = wish or Reset()
    table = await _table(request, name, wish.session_id)
    outcome = await table.reset(wish)
    slot = await table.taken()
    response.set_cookie(_cookie(name), slot.id, httponly=True, samesite="strict")
    return outcome


async def step(name: Name, body: Step, request: Request) -> Outcome:
    """Make a move in the client's episode."""
    return await (await _table(request, name, body.session_id)).step(body.action)


async def state(
    name: Name, request: Request, session_id: Annotated[str | None, Query(max_length=64)] = None
) -> State:
    """Get the state of the client's episode."""
    return await (await _table(request, name, session_id)).state()


async def openapi(name: Name, request: Request) -> Any:
    """The part of the OpenAPI document that is about this environment, as if it stood alone."""
    require_scope(request.scope, "read")
    parse_environment(name)
    whole = request.app.openapi()
    root = "/openenv/{name}"
    paths = {
        path.removeprefix(root): {
            method: operation
            | {"parameters": [p for p in operation["parameters"] if p["name"] != "name"]}
            for method, operation in methods.items()
        }
        for path, methods in whole["paths"].items()
        if path.startswith(root)
    }
    info = {"title": f"OpenEnv {name}", "version": PROTOCOL, "x-palaestra": __version__}
    return {**whole, "info": info, "paths": paths}


# ------------------------------------------------------------------ tools by JSON-RPC


class Call(BaseModel):
    """A request of JSON-RPC 2.0."""

    jsonrpc: Literal["2.0"]
    method: str
    params: dict[str, Any] = {}
    id: str | Int | None = None


PARSE, REQUEST, METHOD, PARAMS, SERVER = -32700, -32600, -32601, -32602, -32000


async def mcp(name: Name, request: Request) -> Any:
    """Tools by JSON-RPC, for OpenEnv's tool clients; the status is always 200."""
    owner = require_scope(request.scope, "sessions").name
    table = ClientEnvironment(
        service_of(request), parse_environment(name), f"openenv:{name}", owner
    )
    try:
        message = json.loads(await request.body())
    except (ValueError, RecursionError):
        return _refused(None, PARSE, "the body is no JSON")
    return await _answered(table, message)


async def _answered(table: ClientEnvironment, message: Any) -> dict[str, Any]:
    try:
        request = Call.model_validate(message)
    except ValidationError:
        return _refused(None, REQUEST, "this is no request of JSON-RPC 2.0")
    try:
        if (session := request.params.get("session_id")) is not None:
            await table.sit(str(session))
        result = await _done(table, request)
    except (InvalidRequest, UnknownSession) as error:
        return _refused(request.id, PARAMS, str(error))
    except NotImplementedError:
        return _refused(request.id, METHOD, f"there is no method {request.method[:80]!r}")
    except Exception as fault:  # noqa: BLE001  the protocol has its own way to say so
        return _refused(request.id, SERVER, sentence(fault))
    return {"jsonrpc": "2.0", "id": request.id, "result": result}


async def _done(table: ClientEnvironment, request: Call) -> Any:
    match request.method:
        case "openenv/session/create":
            return {"session_id": (await table.taken()).id}
        case "openenv/session/close":
            if table.slot is None:
                raise InvalidRequest("'session_id' is missing")
            name = table.slot.id
            await table.rise()
            return {"session_id": name, "closed": True}
        case "tools/list":
            return {"tools": [_listed(tool) for tool in tools_of(await table.world())]}
        case "tools/call":
            tool, arguments = request.params.get("name"), request.params.get("arguments") or {}
            if not isinstance(tool, str) or not isinstance(arguments, dict):
                raise InvalidRequest("a call has a 'name' and an object of 'arguments'")
            result = await table.call(tool, arguments)
            return {
                "content": [{"type": "text", "text": result.observation}],
                "data": result.observation, "isError": False, "done": result.done,
            }  # fmt: skip
        case _:
            raise NotImplementedError


def _refused(name: str | int | None, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": name, "error": {"code": code, "message": message}}


# ------------------------------------------------------------------ over a socket


async def socket(ws: WebSocket, name: str) -> None:
    """Plays with one client for as long as it stays; then its episode is forgotten."""
    await ws.accept()
    if ClientEnvironment.seated >= SOCKETS:
        await ws.send_text(_error("CAPACITY_REACHED", "too many sockets are open; try again"))
        await ws.close(1013)
        return
    ClientEnvironment.seated += 1
    try:
        await _served(ws, name)
    finally:
        ClientEnvironment.seated -= 1


async def _served(ws: WebSocket, name: str) -> None:
    try:
        owner = require_scope(ws.scope, "sessions").name
        table = ClientEnvironment(service_of(ws), parse_environment(name), f"openenv:{name}", owner)
        attached = ws.query_params.get("session_id")
        if attached is not None:
            await table.sit(attached)
    except Exception as fault:  # noqa: BLE001  it is told, as whatever goes wrong later is
        await ws.send_text(_error("SESSION_ERROR", sentence(fault)))
        await ws.close(4400)
        return
    try:
        while (message := await _received(ws)) is not None:
            try:
                key_of(ws.scope).spend()
                answer = await _heard(table, message)
            except TooManyRequests as fault:
                answer = _error("EXECUTION_ERROR", str(fault))
            if answer is None:
                break
            await ws.send_text(answer)
        await ws.close()
    except (WebSocketDisconnect, RuntimeError):  # it left while it was being answered
        pass
    finally:
        if attached is None:  # what others hold by its name stays
            with suppress(LookupError, RuntimeError):  # it is swept later, if not now
                await table.rise()


async def _received(ws: WebSocket) -> str | bytes | None:
    """What the client says next; nothing where it has left."""
    message = await ws.receive()
    if message["type"] == "websocket.disconnect":
        return None
    payload: str | bytes = message.get("text") or message.get("bytes") or b""
    return payload


async def _heard(table: ClientEnvironment, message: str | bytes) -> str | None:
    """The answer to a message; nothing to the wish to part."""
    try:
        message_body = json.loads(message)
    except (ValueError, RecursionError):
        return _error("INVALID_JSON", "the message is no JSON")
    if not isinstance(message_body, dict):
        return _error("VALIDATION_ERROR", "a message is an object with a 'type'")
    type_, data = message_body.get("type"), message_body.get("data", {})
    try:
        match type_:
            case "reset":
                return _said("observation", await table.reset(Reset.model_validate(data)))
            case "step":
                return _said("observation", await table.step(Action.model_validate(data)))
            case "state":
                return _said("state", await table.state())
            case "mcp":
                message_body = await _answered(table.beside(), data)
                return json.dumps({"type": "mcp", "data": message_body})
            case "close":
                return None
    except ValidationError as invalid:
        message_body = "; ".join(
            f"{'.'.join(map(str, f['loc']))}: {f['msg']}" for f in invalid.errors()[:3]
        )
        return _error("VALIDATION_ERROR", message_body)
    except InvalidCall as refused:
        return _error("VALIDATION_ERROR", str(refused))
    except Exception as fault:  # noqa: BLE001  an episode that failed is told of, and never scored
        return _error("EXECUTION_ERROR", sentence(fault))
    return _error("UNKNOWN_TYPE", f"there is no message of type {str(type_)[:40]!r}")


def _said(type_: str, data: BaseModel) -> str:
    return json.dumps({"type": type_, "data": data.model_dump()})


def _error(code: str, message: str) -> str:
    return json.dumps({"type": "error", "data": {"message": message, "code": code}})


def route(app: FastAPI) -> None:
    """Adds the routes of OpenEnv."""
    wrong = refusals()
    options: dict[str, Any] = {"responses": wrong, "tags": ["compatibility"]}
    app.get("/openenv/{name}/health", **options)(health)
    app.get("/openenv/{name}/metadata", **options)(metadata)
    app.get("/openenv/{name}/schema", **options)(schema)
    app.get("/openenv/{name}/state", **options)(state)
    app.post("/openenv/{name}/reset", **options)(reset)
    app.post("/openenv/{name}/step", **options)(step)
    app.post("/openenv/{name}/mcp", **options)(mcp)
    app.get("/openenv/{name}/openapi.json", include_in_schema=False)(openapi)
    app.websocket("/openenv/{name}/ws")(socket)
