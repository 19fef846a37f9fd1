"""Sessions as servers of the Model Context Protocol, for agents that know tools and nothing else.

Any session can be reached at ``/v1/sessions/{id}/mcp``. The tools of its world are the tools of the
server, its brief is what the server says of itself, and each call is a step of the session. Nothing
is kept besides the session, so a client may come to any of several servers, call by call.

It needs ``palaestra[mcp]``.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from fastapi import FastAPI, HTTPException
from msgspec import to_builtins
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from palaestra import __version__
from palaestra.episode import ANSWER_FORMATS
from palaestra.observations import text_of
from palaestra.server.auth import require_scope
from palaestra.server.fast_requests import deadline_of
from palaestra.server.problems import InvalidRequest, problem_of, request_id_of
from palaestra.server.sessions import Sessions
from palaestra.server.structs import SessionState
from palaestra.toolbox import call

ANSWER = "answer"
STANDING = "palaestra/standing"
"""Where a result tells the program, but not its model, what was earned."""

_SAYS = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "What is said, such as: done"}},
    "required": ["text"],
    "additionalProperties": False,
}


class InvalidCall(InvalidRequest):
    """A call that no tool can take: it makes no move, in whichever protocol it is sent."""


Outcome = tuple[str, dict[str, Any] | None]
"""What a tool returns, and what is beside it for the program that called it."""

Play = Callable[[str, Mapping[str, Any]], Awaitable[Outcome]]
Detail = Callable[[Exception], str]

_TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class McpServers:
    """Answers the requests that come to a session by the protocol."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of the protocol; there is nothing to be listened to, nor to be ended."""
        if scope["method"] != "POST":
            raise HTTPException(405, "this server speaks only when it is asked", {"allow": "POST"})
        try:
            import mcp  # noqa: F401
        except ImportError:
            raise HTTPException(501, "this service runs without palaestra[mcp]") from None
        owner = require_scope(scope, "sessions").name
        session = scope["path_params"]["session"]
        stands = await self.sessions.get(session, owner)
        await respond(self._server(session, owner, stands, scope), scope, receive, send)

    def _server(self, session: str, owner: str, stands: SessionState, scope: Scope) -> Any:
        kept, request_id, deadline = self.sessions, request_id_of(scope), deadline_of(scope)

        async def play(tool: str, arguments: Mapping[str, Any]) -> Outcome:
            answer_format = await kept.answer_format(session, owner)
            text = move(stands, tool, arguments, answer_format)
            state = await kept.step(session, None, text, owner, deadline)
            return state.observation, {STANDING: _told(state)}

        name = f"palaestra {stands.address.partition('?')[0]}"
        return protocol_server(
            name, stands, play, lambda fault: problem_of(fault, request_id).detail
        )


def protocol_server(name: str, stands: SessionState, play: Play, detail: Detail) -> Any:
    """A server of the protocol, of the ``mcp`` SDK, whose tools are those of a session.

    ``play`` makes the move of a call. It raises :class:`InvalidCall` for a call that is no move,
    and anything else for one that fails, of which the agent reads what ``detail`` makes of it.
    """
    from mcp import MCPError, types
    from mcp.server import Server

    async def listed(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=one["name"],
                    description=one.get("description", ""),
                    input_schema=one.get("parameters", {"type": "object"}),
                )
                for one in tools(stands)
            ]
        )

    async def called(_: Any, wish: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            text, meta = await play(wish.name, wish.arguments or {})
        except InvalidCall as fault:
            raise MCPError(types.INVALID_PARAMS, str(fault)) from None
        except Exception as fault:  # noqa: BLE001  what the agent may know of it is told
            content = [types.TextContent(type="text", text=detail(fault))]
            return types.CallToolResult(content=content, is_error=True)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)],
            is_error=text.startswith("Error:"),
            _meta=meta,
        )

    return Server(
        name,
        version=__version__,
        instructions=_brief(stands),
        on_list_tools=listed,
        on_call_tool=called,
    )


async def respond(server: Any, scope: Scope, receive: Receive, send: Send) -> None:
    """Have a server of the protocol answer one request, of which nothing is kept."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    async with manager.run():
        await manager.handle_request({**scope, "root_path": ""}, receive, send)


def _brief(stands: SessionState) -> str:
    messages = stands.messages or []
    return text_of(messages[0]["content"]) if messages else stands.observation


def _told(stands: SessionState) -> dict[str, Any]:
    fields: dict[str, Any] = to_builtins(stands)
    return {name: fields[name] for name in ("step", "done", "reward", "earned", "score")}


def tools(stands: SessionState) -> list[Mapping[str, Any]]:
    """The tools of a session: those of its world, and one to say something in plain words."""
    own = [tool["function"] for tool in stands.tools or []]
    plain = "Say that you are finished, or what else is to be said without a tool."
    if not own:
        plain = "Send your next answer or move; the result is what you observe after it."
    says = {"name": ANSWER, "description": plain, "parameters": _SAYS}
    return own if ANSWER in {tool["name"] for tool in own} else [*own, says]


def move(stands: SessionState, tool: str, arguments: Mapping[str, Any], answer_format: str) -> str:
    """The reply that a call makes. Raises :class:`InvalidCall` for a tool that there is not, for
    arguments that are missing or that the tool does not have, and for an answer that is no text.

    The values of a world's own tools are left to the world, which reads them as it does for
    players that write their calls, and answers with what is wrong with them.
    """
    schemas = {each["name"]: each.get("parameters", {}) for each in tools(stands)}
    if tool not in schemas:
        raise InvalidCall(f"there is no tool {tool[:80]!r}; there is {', '.join(schemas)}")
    schema = schemas[tool]
    missing = [name for name in schema.get("required", ()) if name not in arguments]
    if missing:
        raise InvalidCall(f"the tool {tool!r} needs {_listed(missing)}")
    known = schema.get("properties", {})
    unknown = [name for name in arguments if name not in known]
    if unknown and schema.get("additionalProperties", True) is False:
        takes = _listed(known) if known else "nothing"
        raise InvalidCall(f"the tool {tool!r} takes {takes}, not {_listed(unknown)}")
    if schema is _SAYS and not isinstance(arguments["text"], str):
        raise InvalidCall(f"the argument 'text' of the tool {tool!r} is a text")
    return reply(stands, tool, arguments, answer_format)


def _listed(arguments: Iterable[str]) -> str:
    return ", ".join(repr(name[:80]) for name in list(arguments)[:5])


def reply(stands: SessionState, tool: str, arguments: Mapping[str, Any], answer_format: str) -> str:
    """How a call is written as a reply in the answer format of a session."""
    write = ANSWER_FORMATS[answer_format].write
    own = {each["function"]["name"] for each in stands.tools or []}
    if tool == ANSWER and ANSWER not in own:
        return write(arguments["text"])
    return write(_TEXTS.sub(_unmarked, call(tool, **arguments)))


def _unmarked(text: re.Match[str]) -> str:
    """A text in JSON without the signs that would end the mark around a move."""
    return text[0].translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>{}"})


def install(app: FastAPI, sessions: Sessions) -> None:
    """Has an application answer by the protocol."""
    app.router.routes.append(Route("/v1/sessions/{session}/mcp", McpServers(sessions)))
