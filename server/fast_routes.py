"""The routes that trainers call all the time, before the framework sees them.

FastAPI takes four times as long to read such a request as msgspec does. These routes share its
application, its errors and its OpenAPI document, to which they add what they really read.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from itertools import islice
from time import perf_counter
from typing import Any, Literal, TypeVar

import msgspec
from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from palaestra.server import metrics, verification
from palaestra.server.auth import require_scope
from palaestra.server.disconnects import cancel_on_disconnect
from palaestra.server.fast_requests import (
    JSON,
    LINE,
    MSGPACK,
    NDJSON,
    Decoders,
    FastRequest,
    content,
)
from palaestra.server.judging import Judge, failed
from palaestra.server.problems import (
    ClientDisconnected,
    InvalidRequest,
    MalformedBody,
    StepConflict,
    refusal,
    refusals,
    respond,
    slug_of,
)
from palaestra.server.sessions import Sessions
from palaestra.server.structs import (
    BATCH,
    BatchRequest,
    OpenedSessions,
    Result,
    Results,
    ScoreRequest,
    SessionState,
    SessionStates,
    SessionStep,
    StepBatch,
    StepRequest,
)

YIELD_AFTER_S = 0.002
"""After so long with cheap verdicts, others get their turn."""

Answer = msgspec.Struct | AsyncGenerator[Any, None]
T = TypeVar("T")
Handler = Callable[["FastRoutes", "FastRequest"], Awaitable[Answer]]

_STEP = re.compile(r"/v1/sessions/([A-Za-z0-9_-]{1,64})/step")
_encode, _pack = msgspec.json.Encoder(), msgspec.msgpack.Encoder()


_SCORING, _BATCH, _MOVE, _STEPS = map(
    Decoders, (ScoreRequest, BatchRequest, StepRequest, StepBatch)
)


class FastRoutes:
    """Answers the hot routes, and leaves all others to the application."""

    def __init__(self, app: ASGIApp, judge: Judge, sessions: Sessions) -> None:
        self.app, self.judge, self.sessions = app, judge, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = _found(scope) if scope["type"] == "http" else None
        if route is None:
            await self.app(scope, receive, send)
            return
        scope["hot"], handler = route
        if scope["method"] != "POST":
            response = respond(Request(scope), "http", 405, "Method Not Allowed")
            response.headers["allow"] = "POST"
            await response(scope, receive, send)
            return
        body = (await receive()).get("body", b"")  # whole, for the guard has read it
        try:
            request = FastRequest(scope, receive, body)
            answer = await handler(self, request)
        except Exception as fault:  # noqa: BLE001  it becomes a problem document
            await refusal(Request(scope), fault)(scope, receive, send)
            return
        await _send(request, answer, send)

    # ------------------------------------------------------------------ scoring

    async def score(self, request: FastRequest) -> Answer:
        """Score one episode."""
        owner = require_scope(request.scope, "score").name
        item = request.read(_SCORING)
        done = self.judge.score_inline(item)
        if done is None:
            work = self.judge.judged(item, request.deadline, owner)
            done = await cancel_on_disconnect(work, request.receive)
        elif self.judge.record is not None:
            await self.judge.keep([item], [done], owner)
        metrics.scored([done])
        return done

    async def batch(self, request: FastRequest) -> Answer:
        """Score a batch of episodes. A failing item never fails the others."""
        owner = require_scope(request.scope, "score").name
        items, order = self._items(request)
        if NDJSON in request.accept:
            return self._streamed(items, order, request, owner)
        done = await cancel_on_disconnect(self._judged(items, request, owner), request.receive)
        metrics.scored(done)
        return Results(done)

    def _items(self, request: FastRequest) -> tuple[list[ScoreRequest | Result], str]:
        """What is to be scored; in lines, those that cannot be read are results already."""
        if request.media_type != NDJSON:
            batch = request.read(_BATCH)
            return batch.items, batch.order
        matches = islice(LINE.finditer(request.body), BATCH + 1)
        lines = [line[0] for line in matches]
        if len(lines) > BATCH:
            raise InvalidRequest(f"a batch has at most {BATCH} items", "/items")
        return [_line(line) for line in lines], "index"

    async def _judged(
        self, items: list[ScoreRequest | Result], request: FastRequest, owner: str
    ) -> list[Result]:
        """The results, in the order of the items."""
        cheap: list[Result | None] = []
        breath = perf_counter() + YIELD_AFTER_S
        for item in items:
            cheap.append(self._at_once(item))
            if perf_counter() > breath:
                await asyncio.sleep(0)
                breath = perf_counter() + YIELD_AFTER_S
        slow = [index for index, one in enumerate(cheap) if one is None]
        if slow:
            self.judge.check_capacity(len(slow))
        if self.judge.record is not None:
            known = [(item, one) for item, one in zip(items, cheap) if one is not None]
            await self.judge.keep([item for item, _ in known], [one for _, one in known], owner)
        waited = [self._waited(items[index], request, owner) for index in slow]
        late = iter(await asyncio.gather(*waited) if waited else ())
        done = [next(late) if one is None else one for one in cheap]
        for index, one in enumerate(done):
            one.index = index
        return done

    def _at_once(self, item: ScoreRequest | Result) -> Result | None:
        if isinstance(item, Result):
            return item
        try:
            return self.judge.score_inline(item)
        except Exception as fault:  # noqa: BLE001  one item never fails a batch
            return failed(fault, item.address)

    async def _waited(
        self, item: ScoreRequest | Result, request: FastRequest, owner: str
    ) -> Result:
        assert isinstance(item, ScoreRequest)
        return await self.judge.attempted(item, request.deadline, owner)

    async def _streamed(
        self, items: list[ScoreRequest | Result], order: str, request: FastRequest, owner: str
    ) -> AsyncGenerator[Result, None]:
        """The results as they are done, or in their order."""
        cheap: dict[int, Result] = {}
        slow: dict[int, asyncio.Task[Result]] = {}

        async def waited(index: int) -> Result:
            return _counted(await self._waited(items[index], request, owner), index)

        start = perf_counter()
        try:
            for index, item in enumerate(items):
                result = self._at_once(item)
                if result is None:
                    slow[index] = asyncio.create_task(waited(index))
                    continue
                await self.judge.keep([item], [result], owner)
                cheap[index] = _counted(result, index)
                if order == "completion":
                    yield cheap[index]
                if perf_counter() - start > YIELD_AFTER_S:
                    await asyncio.sleep(0)
                    start = perf_counter()
            if order == "completion":
                for next_ in asyncio.as_completed(slow.values()):
                    yield await next_
            else:
                for index in range(len(items)):
                    yield cheap[index] if index in cheap else await slow[index]
        finally:
            for task in slow.values():
                task.cancel()

    async def verify(self, request: FastRequest) -> Answer:
        """Judge replies by named verifiers. A failing item never fails the others."""
        return await verification.verify(self.judge, request)

    # ------------------------------------------------------------------ steps

    async def step(self, request: FastRequest) -> Answer:
        """Make a move in a session."""
        owner = require_scope(request.scope, "sessions").name
        session = request.scope["path"].split("/")[3]
        move = request.read(_MOVE)
        return await self.sessions.step(
            session, move.step, move.move, owner, request.deadline, move.transcript
        )

    async def steps(self, request: FastRequest) -> Answer:
        """Make a move in each of several sessions. A failing one never fails the others."""
        owner = require_scope(request.scope, "sessions").name
        items: list[SessionStep] = request.read(_STEPS).items
        # A session that is named twice is played once; what the other move was to follow is unsaid.
        last = {item.session: index for index, item in enumerate(items)}
        return SessionStates(
            await asyncio.gather(
                *(
                    self._stepped(item, owner, request.deadline, last[item.session] != index)
                    for index, item in enumerate(items)
                )
            )
        )

    async def _stepped(
        self, item: SessionStep, owner: str, deadline: float | None, again: bool
    ) -> SessionState:
        try:
            if again:
                raise StepConflict("the session is named once more in the same request")
            return await self.sessions.step(
                item.session, item.step, item.move, owner, deadline, item.transcript
            )
        except Exception as fault:  # noqa: BLE001  one move never fails the others
            slug = slug_of(fault)
            detail = "the service failed" if slug == "internal" else str(fault)
            return SessionState(
                session=item.session, address="", step=item.step, done=False, player=0,
                observation="", reward=0.0, earned=0.0, error=slug, detail=detail,
            )  # fmt: skip


def _counted(result: Result, index: int) -> Result:
    """A result of a batch, which says which item it is of."""
    result.index = index
    metrics.scored([result])
    return result


_ROUTES: dict[str, tuple[str, Handler]] = {
    path: (path, handler)
    for path, handler in (
        ("/v1/score", FastRoutes.score),
        ("/v1/score/batch", FastRoutes.batch),
        ("/v1/verify", FastRoutes.verify),
        ("/v1/sessions/step", FastRoutes.steps),
    )
}


def _found(scope: Scope) -> tuple[str, Handler] | None:
    path = scope["path"]
    if path in _ROUTES:
        return _ROUTES[path]
    if path.endswith("/step") and _STEP.fullmatch(path):
        return "/v1/sessions/{session}/step", FastRoutes.step
    return None


def _line(line: bytes) -> ScoreRequest | Result:
    try:
        item: ScoreRequest = _SCORING.read(line)
    except (MalformedBody, InvalidRequest) as error:
        return failed(error, "")
    return item


async def _send(request: FastRequest, answer: Answer, send: Send) -> None:
    """Sends an answer, whole or line by line, in what the client reads."""
    if isinstance(answer, msgspec.Struct):
        packed = MSGPACK in request.accept
        body = (_pack if packed else _encode).encode(answer)
        await _start(send, MSGPACK if packed else JSON, len(body))
        await send({"type": "http.response.body", "body": body})
        return
    with suppress(ClientDisconnected):
        await cancel_on_disconnect(_stream(answer, send), request.receive)


async def _stream(lines: AsyncGenerator[Any, None], send: Send) -> None:
    async with aclosing(lines):
        await _start(send, NDJSON)
        async for line in lines:
            body = _encode.encode(line) + b"\n"
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _start(send: Send, media_type: bytes, length: int | None = None) -> None:
    headers = [(b"content-type", media_type)]
    if length is not None:
        headers.append((b"content-length", str(length).encode()))
    await send({"type": "http.response.start", "status": 200, "headers": headers})


# ------------------------------------------------------------------ in the OpenAPI document

_DOCUMENTED: dict[str, tuple[str, Any, Any, Literal["scoring", "sessions"], str]] = {
    "/v1/score": ("score", ScoreRequest, Result, "scoring", FastRoutes.score.__doc__ or ""),
    "/v1/score/batch": ("batch", BatchRequest, Results, "scoring", FastRoutes.batch.__doc__ or ""),
    "/v1/verify": (
        "verify",
        verification.VerifyRequest,
        verification.VerifyResults,
        "scoring",
        FastRoutes.verify.__doc__ or "",
    ),
    "/v1/sessions/step": (
        "steps",
        StepBatch,
        SessionStates,
        "sessions",
        FastRoutes.steps.__doc__ or "",
    ),
    "/v1/sessions/{session}/step": (
        "step_session",
        StepRequest,
        SessionState,
        "sessions",
        FastRoutes.step.__doc__ or "",
    ),
}


def describe(document: dict[str, Any]) -> None:
    """Adds the hot routes to an OpenAPI document, from the types that read them."""
    kinds = [OpenedSessions, *(type_ for _, *pair, _, _ in _DOCUMENTED.values() for type_ in pair)]
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    known = document.setdefault("components", {}).setdefault("schemas", {})
    assert not known.keys() & parts.keys(), "two schemas of one name"
    known.update(parts)
    for path, (name, request_type, answer, tag, docstring) in _DOCUMENTED.items():
        lines = (
            {NDJSON.decode(): {"schema": {"type": "string"}}} if name in {"batch", "verify"} else {}
        )
        response = {"description": "OK", "content": content(answer, JSON, MSGPACK) | lines}
        operation: dict[str, Any] = {
            "tags": [tag],
            "summary": docstring.partition(".")[0],
            "operationId": name,
            "requestBody": {
                "required": True,
                "content": content(request_type, JSON, MSGPACK) | lines,
            },
            "responses": {"200": response, **_wrong()},
        }
        if "{session}" in path:
            operation["parameters"] = [
                {"name": "session", "in": "path", "required": True,
                 "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}}
            ]  # fmt: skip
        document["paths"][path] = {"post": operation}


def _wrong() -> dict[str, Any]:
    responses = refusals()
    return {str(status): response for status, response in responses.items()}
