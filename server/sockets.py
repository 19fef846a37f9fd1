"""Many sessions over one socket, which saves a client the cost of a request for each move.

Text frames carry JSON: ``{"id": 7, "op": "step", "session": "…", "step": 0, "move": "…"}`` is
answered, whenever it is done, by ``{"id": 7, "result": {…}}`` or ``{"id": 7, "problem": {…}}``. So
many may be under way at a time; a client that wants its moves in order waits for the answer to one
before it sends the next of the same session. Sessions outlive the socket.
"""

import asyncio
from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from fastapi import WebSocket, WebSocketDisconnect
from msgspec import Meta, Struct

from palaestra.address import Address
from palaestra.observations import LARGEST, SIZE, SMALLEST, View
from palaestra.server import metrics
from palaestra.server.auth import Key, require_scope
from palaestra.server.fast_requests import Decoders
from palaestra.server.problems import (
    InvalidRequest,
    MalformedBody,
    problem_of,
    request_id_of,
)
from palaestra.server.sessions import MOST, address_from
from palaestra.server.structs import (
    REPLIES,
    TIMEOUT_MS,
    AnswerFormat,
    OpenedSessions,
    Recipe,
    Reply,
    ScoreRequest,
    SessionState,
    Text,
    TranscriptInfo,
)

AT_ONCE = 64
"""How many frames of one socket are answered at a time; further ones are left in the line."""

SOCKETS = 1_024
"""How many sockets one process holds open."""

HELD = 1 << 20
"""How many characters of frames may be under way on a socket before the next one is read."""

Name = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=80)] | None
Session = Annotated[str, Meta(max_length=64)]
Number = Annotated[int, Meta(ge=1, le=MOST)]


class Frame(Struct, tag_field="op", forbid_unknown_fields=True, kw_only=True):
    """What a client wants; ``id`` is its own name for that."""

    id: Name = None


class Open(Frame, tag="open"):
    """Open sessions: of the task at an address, or of an environment, level and seed."""

    address: Text | None = None
    env: Text | None = None
    level: Annotated[int, Meta(ge=0, le=1_000)] = 0
    knobs: dict[Text, int | float | bool | Text] = {}
    seed: Annotated[int, Meta(ge=0)] = 0
    split: Literal["train", "eval"] = "train"
    answer_format: AnswerFormat = "tags"
    n: Number = 1
    seats: Annotated[list[int], Meta(min_length=1, max_length=16)] | None = None
    key: Annotated[str, Meta(max_length=200)] | None = None
    recipe: Recipe | None = None
    observation: Literal["text", "image", "both"] = "text"
    image_size: Annotated[int, Meta(ge=SMALLEST, le=LARGEST)] = SIZE


class Step(Frame, tag="step"):
    """Make a move."""

    session: Session
    step: Annotated[int, Meta(ge=0, le=REPLIES)]
    move: Reply
    transcript: TranscriptInfo | None = None


class Get(Frame, tag="get"):
    """See where a session stands."""

    session: Session


class Fork(Frame, tag="fork"):
    """Open sessions that stand where one does."""

    session: Session
    n: Number = 1


class Rewind(Frame, tag="rewind"):
    """Take replies back."""

    session: Session
    step: Annotated[int, Meta(ge=0, le=REPLIES)]


class Delete(Frame, tag="delete"):
    """Delete a session."""

    session: Session


class Score(Frame, tag="score"):
    """Score an episode."""

    address: Text
    replies: Reply | Annotated[list[Reply], Meta(max_length=REPLIES)]
    answer_format: AnswerFormat = "tags"
    timeout_ms: Annotated[int, Meta(ge=1, le=TIMEOUT_MS)] = TIMEOUT_MS
    recipe: Recipe | None = None
    transcript: TranscriptInfo | None = None


class FrameId(Struct):
    """As much of a frame as an answer to it needs."""

    id: Name = None


class FrameResult(Struct):
    """What became of a frame."""

    id: Name
    result: Any


_FRAMES = Decoders(Open | Step | Get | Fork | Rewind | Delete | Score)
_NAMES = Decoders(FrameId)
_encode = msgspec.json.Encoder()


class Socket:
    """A socket, and what is under way on it."""

    open = 0
    """How many there are in this process."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.service = socket.app.state.service
        self.slots = asyncio.Semaphore(AT_ONCE)
        self.tasks: set[asyncio.Task[None]] = set()
        self.sending = asyncio.Lock()
        self.held = 0

    async def serve(self) -> None:
        """Answers frames until the client leaves, and then gives up what is under way."""
        try:
            while True:
                await self.slots.acquire()
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                text = message.get("text")
                if text is None:
                    await self.socket.close(1003, "frames are text")
                    return
                task = asyncio.create_task(self._answer(text.encode("utf-8", "replace")))
                self.tasks.add(task)
                self.held += len(text)
                task.add_done_callback(partial(self._over, len(text)))
                while self.held > HELD:
                    await asyncio.wait(self.tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)

    def _over(self, size: int, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        self.held -= size
        self.slots.release()

    async def _answer(self, message: bytes) -> None:
        name: Name = None
        try:
            name = _name(message)
            self._spend()
            frame = _FRAMES.read(message)
            answer: Struct = FrameResult(name, await self._done(frame))
            text, status = _encode.encode(answer).decode(), 200
        except Exception as fault:  # noqa: BLE001  it becomes a problem
            problem = problem_of(fault, request_id_of(self.socket.scope))
            text = _encode.encode({"id": name, "problem": problem.model_dump()}).decode()
            status = problem.status
        metrics.frame(status)
        try:
            async with self.sending:
                await self.socket.send_text(text)
        except (RuntimeError, WebSocketDisconnect):
            return  # the client has left

    def _spend(self) -> None:
        """Every frame counts like a request, but the opening of the socket itself."""
        key: Key | None = self.socket.scope.get("key")
        if key is not None:
            key.spend()

    async def _done(self, frame: Frame) -> Any:
        scope, sessions = self.socket.scope, self.service.sessions
        if isinstance(frame, Score):
            owner = require_scope(scope, "score").name
            item = ScoreRequest(
                frame.address, frame.replies, frame.answer_format, frame.timeout_ms, frame.recipe,
                frame.transcript,
            )  # fmt: skip
            done = await self.service.judge.judged(item, None, owner)
            metrics.scored([done])
            return done
        owner = require_scope(scope, "sessions").name
        match frame:
            case Open():
                return OpenedSessions(await self._opened(frame, owner))
            case Step():
                return await sessions.step(
                    frame.session, frame.step, frame.move, owner, transcript=frame.transcript
                )
            case Get():
                return await sessions.get(frame.session, owner)
            case Fork():
                return OpenedSessions(await sessions.fork(frame.session, frame.n, owner))
            case Rewind():
                return await sessions.rewind(frame.session, frame.step, owner)
            case Delete():
                return await sessions.delete(frame.session, owner)
        raise AssertionError(frame)

    async def _opened(self, frame: Open, owner: str) -> list[SessionState]:
        address: Address = address_from(
            frame.address, frame.env, frame.seed, frame.level, frame.split, frame.knobs
        )
        opened: list[SessionState] = await self.service.sessions.open(
            address, owner=owner, number=frame.n, answer_format=frame.answer_format,
            seats=frame.seats, key=frame.key, recipe=frame.recipe,
            view=View(frame.observation, frame.image_size),
        )  # fmt: skip
        return opened


def _name(text: bytes) -> Name:
    """What a client calls a frame, where that can be made out."""
    try:
        name: Name = _NAMES.read(text).id
    except (MalformedBody, InvalidRequest):
        return None
    return name


async def serve(socket: WebSocket) -> None:
    """Sessions and scores over one socket."""
    origin = socket.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != socket.headers.get("host"):
        await socket.close(4403, "a page of another site asks")  # as browsers would let it
        return
    if Socket.open >= SOCKETS:
        await socket.close(1013, "too many sockets are open; try again")
        return
    Socket.open += 1
    try:
        await socket.accept()
        await Socket(socket).serve()
    finally:
        Socket.open -= 1
