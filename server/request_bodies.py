"""What a request passes before it is read: limits on its size, time and depth, and compression.

Plain ASGI, for Starlette's ``BaseHTTPMiddleware`` costs half a millisecond a request.
"""

import asyncio
import re
import zlib
from collections import Counter
from collections.abc import Callable
from itertools import accumulate
from typing import Protocol

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palaestra.server.auth import key_of
from palaestra.server.problems import respond

BODY_S = 30.0
"""How long a body may take to come."""

HELD = 512 << 20
"""How many bytes of all bodies that come in pieces may be held at a time."""

UNREAD = frozenset({"GET", "HEAD", "DELETE"})
"""Methods whose bodies nobody reads."""


class TooLarge(Exception):
    """A body that goes on beyond the limit."""


class BudgetExceeded(Exception):
    """A body for which there is no room beside the others."""


class CorruptBody(Exception):
    """A body that is not compressed as it claims to be."""


class BodyTimedOut(Exception):
    """A body that does not come."""


class MemoryBudget:
    """The bytes of bodies that are held at a time, and by which key.

    Where several keys share it, each may hold as much as is still free: one alone half of all, two
    a third each, and so on. So whatever others hold, there is room left for one that holds nothing.
    """

    def __init__(self, is_shared: bool = False) -> None:
        self.is_shared = is_shared
        self.held: Counter[str] = Counter()

    def take(self, name: str, size: int) -> None:
        """Hold more for a key. Raises :class:`BudgetExceeded` where there is no room for it."""
        free = HELD - self.held.total() - size
        if free < (self.held[name] + size if self.is_shared else 0):
            raise BudgetExceeded
        self.held[name] += size

    def give(self, name: str, size: int) -> None:
        """Hold so much less for a key."""
        self.held[name] -= size
        if not self.held[name]:
            del self.held[name]


class BodyLimitMiddleware:
    """Refuses bodies of more than so many bytes, whatever their headers claim, also once they are
    decompressed, those that take too long to come, and those for which there is no room.
    """

    def __init__(
        self, app: ASGIApp, most: int, patience_s: float = BODY_S, is_shared: bool = False
    ) -> None:
        self.app, self.most, self.patience_s = app, most, patience_s
        self.room = MemoryBudget(is_shared)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in UNREAD:
            await self.app(scope, receive, send)
            return
        headers, name = headers_of(scope), key_of(scope).name
        encoding = headers.get(b"content-encoding", b"").strip().lower()
        try:
            claimed = headers.get(b"content-length", b"0")
            if claimed.isdigit() and int(claimed[:20]) > self.most:
                raise TooLarge
            body, held = await self._read(receive, encoding, name)
        except TooLarge:
            fault = ("too-large", 413, f"a body has at most {self.most} bytes")
        except BudgetExceeded:
            fault = ("overloaded", 503, "there is no room for another body now; try again")
        except CorruptBody:
            fault = ("malformed", 400, f"the body is not {encoding.decode()} from end to end")
        except KeyError:
            fault = ("unsupported-encoding", 415, "a body is plain, or in gzip or zstd")
        except BodyTimedOut:
            fault = ("slow-body", 408, f"a body comes within {self.patience_s:g} s")
        else:
            if body is None:  # the client is gone
                return
            if encoding:
                kept = [h for h in scope["headers"] if h[0] not in _ABOUT_LENGTH]
                scope = {**scope, "headers": kept, HEADERS_BY_NAME: dict(kept)}
            try:
                await self.app(scope, _replayed(body, receive), send)
            finally:
                if held:
                    self.room.give(name, held)
            return
        await respond(Request(scope), *fault)(scope, receive, send)

    async def _read(self, receive: Receive, encoding: bytes, name: str) -> tuple[bytes | None, int]:
        """A body, and how much of it counts for what is held."""
        decoder = _DECODERS[encoding]
        patience = BodyTimeout(self.patience_s)
        try:
            message = await receive()
            whole: bytes = message.get("body", b"")
            if decoder is Plain and not message.get("more_body") and len(whole) <= self.most:
                return None if message["type"] == "http.disconnect" else whole, 0
            return await self._pieces(message, receive, decoder(self.most), name)
        except asyncio.CancelledError:
            if patience.is_over():
                raise BodyTimedOut from None
            raise
        finally:
            patience.end()

    async def _pieces(
        self, message: Message, receive: Receive, opened: "Decoder", name: str
    ) -> tuple[bytes | None, int]:
        pieces: list[bytes] = []
        size, held, is_whole = 0, 0, False
        try:
            while message["type"] != "http.disconnect":
                piece = message.get("body", b"")
                if not isinstance(opened, Plain):  # which takes its time
                    piece = await asyncio.to_thread(opened.feed, piece)
                size += len(piece)
                if size > self.most:
                    raise TooLarge
                self.room.take(name, len(piece))
                held = size
                pieces.append(piece)
                if not message.get("more_body", False):
                    opened.end()
                    is_whole = True
                    return b"".join(pieces), size
                message = await receive()
            return None, 0
        finally:
            if held and not is_whole:
                self.room.give(name, held)


class BodyTimeout:
    """Ends what the current task waits for after some seconds. :func:`asyncio.timeout` does the
    same at three times the cost, which every request would pay.
    """

    def __init__(self, seconds: float) -> None:
        self.task = asyncio.current_task()
        self.timer = asyncio.get_running_loop().call_later(seconds, self._over)
        self.over = False

    def _over(self) -> None:
        self.over = True
        if self.task is not None:
            self.task.cancel()

    def is_over(self) -> bool:
        """Whether the task was ended by this, and by nobody else; it may go on then."""
        return self.over and self.task is not None and self.task.uncancel() == 0

    def end(self) -> None:
        """What was waited for is there."""
        self.timer.cancel()


HEADERS_BY_NAME = "palaestra.headers"


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """The headers of a request by their names, which are read more than once."""
    headers: dict[bytes, bytes] | None = scope.get(HEADERS_BY_NAME)
    if headers is None:
        headers = scope[HEADERS_BY_NAME] = dict(scope["headers"])
    return headers


class JsonLimitMiddleware:
    """Refuses JSON that nests deeper than anything here does, and replaces halves of surrogate
    pairs in it, which no answer of ours could repeat; for the routes of the framework, as the types
    of the hot ones say how deep they go.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in UNREAD:
            await self.app(scope, receive, send)
            return
        message = await receive()  # the whole body, for `BodyLimitMiddleware` has read it
        body = message.get("body", b"")
        if is_too_deep(body):
            detail = f"JSON nests at most {DEPTH} deep here, and has at most {BRACKETS} brackets"
            await respond(Request(scope), "malformed", 400, detail)(scope, receive, send)
            return
        whole = without_lone_surrogates(body)
        if whole is not body:
            kept = [h for h in scope["headers"] if h[0] not in _ABOUT_LENGTH]
            scope = {**scope, "headers": kept, HEADERS_BY_NAME: dict(kept)}
        await self.app(scope, _replayed(whole, receive), send)


DEPTH, BRACKETS = 64, 200_000

_NEITHER = bytes(set(range(256)) - set(b'"[]{}'))
_LONE_HALF = re.compile(
    rb"\\u[dD](?:[89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F][\da-fA-F]{2})"
    rb"|(?<!\\u[dD][89abAB][\da-fA-F]{2}\\u[dD])[c-fC-F][\da-fA-F]{2})"
)


def is_too_deep(body: bytes) -> bool:
    """Whether a text nests too deep for JSON of ours, or has no end of brackets.

    It takes time in proportion to the length, whatever stands there: escapes are taken out from the
    left, then all but quotes and brackets, then quotes side by side, which change nothing of what
    is inside a string. So between two of the quotes that are left there is a bracket, and no more
    strings are looked at than brackets are allowed.

    >>> is_too_deep(b"[" * 65), is_too_deep(b"[" * 64), is_too_deep(b'"' + b"[" * 65 + b'"')
    (True, False, False)
    """
    if body.count(b"[") + body.count(b"{") <= DEPTH:
        return False
    plain = body.replace(rb"\\", b"").replace(rb"\"", b"")
    marks = plain.translate(None, _NEITHER).replace(b'""', b"")
    brackets = b"".join(marks.split(b'"', 2 * BRACKETS + 2)[::2])
    if len(brackets) > BRACKETS:
        return True
    return max(accumulate(1 if each in b"[{" else -1 for each in brackets), default=0) > DEPTH


def without_lone_surrogates(body: bytes) -> bytes:
    r"""JSON whose escapes of half a surrogate pair are replaced by the sign for what is unreadable.

    >>> without_lone_surrogates(rb'"\ud800 \ud83d\ude00 \\ud800"')
    b'"\\ufffd \\ud83d\\ude00 \\\\ud800"'
    """
    if (b"\\ud" not in body and b"\\uD" not in body) or b"\0" in body:  # which is no JSON
        return body
    # With pairs of backslashes out of the way, each that is left begins an escape.
    plain = body.replace(rb"\\", b"\0\0")
    whole, lone = _LONE_HALF.subn(rb"\\ufffd", plain)
    return whole.replace(b"\0\0", rb"\\") if lone else body


_ABOUT_LENGTH = {b"content-encoding", b"content-length"}


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives a whole body, and then what comes after it."""
    sent = False

    async def replay() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


class Decoder(Protocol):
    """Takes a body piece by piece."""

    def feed(self, piece: bytes) -> bytes: ...

    def end(self) -> None: ...


class Plain:
    """A body as it is."""

    def __init__(self, most: int) -> None:
        """There is nothing to bound."""

    def feed(self, piece: bytes) -> bytes:
        return piece

    def end(self) -> None:
        """There is nothing to miss."""


class Gzip:
    """A body in gzip, never more of it than is allowed."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.stream = zlib.decompressobj(31)

    def feed(self, piece: bytes) -> bytes:
        try:
            opened = self.stream.decompress(piece, self.left + 1)
        except zlib.error as fault:
            raise CorruptBody from fault
        if self.stream.unused_data:
            raise CorruptBody
        self.left -= len(opened)
        if self.left < 0 or self.stream.unconsumed_tail:
            raise TooLarge
        return opened

    def end(self) -> None:
        if not self.stream.eof:
            raise CorruptBody


WINDOW_LOG = 23
"""The largest window of Zstandard that is accepted, as a power of 2: 8 MiB of memory."""


class Zstd:
    """The same in Zstandard."""

    def __init__(self, most: int) -> None:
        from palaestra.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

        self.left = most
        self.fault = ZstdError
        self.stream = ZstdDecompressor(options={DecompressionParameter.window_log_max: WINDOW_LOG})

    def feed(self, piece: bytes) -> bytes:
        try:
            opened = self.stream.decompress(piece, self.left + 1)
        except (self.fault, EOFError) as fault:  # EOFError: there is more after the end
            raise CorruptBody from fault
        self.left -= len(opened)
        if self.left < 0:
            raise TooLarge
        if self.stream.unused_data:
            raise CorruptBody
        return opened

    def end(self) -> None:
        if not self.stream.eof:
            raise CorruptBody


_DECODERS: dict[bytes, Callable[[int], Decoder]] = {
    b"": Plain,
    b"identity": Plain,
    b"gzip": Gzip,
    b"x-gzip": Gzip,
    b"zstd": Zstd,
}
