"""What a request passes before it is read: limits on its size, time and depth, and compression.

Plain ASGI, for Starlette's ``BaseHTTPMiddleware`` costs half a millisecond a request.
"""

import asyncio
import re
import zlib
from collections.abc import Callable
from itertools import accumulate
from typing import Protocol

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palaestra.server.problems import respond

BODY_S = 30.0
"""How long a body may take to come."""

HELD = 512 << 20
"""How many bytes of all bodies that come in pieces may be held at a time."""


class TooLarge(Exception):
    """A body that goes on beyond the limit."""


class Crowded(Exception):
    """A body for which there is no room beside the others."""


class Broken(Exception):
    """A body that is not compressed as it claims to be."""


class Slow(Exception):
    """A body that does not come."""


class Bodies:
    """Refuses bodies of more than so many bytes, whatever their headers claim, also once they are
    decompressed, those that take too long to come, and those for which there is no room.
    """

    def __init__(self, app: ASGIApp, most: int, patience_s: float = BODY_S) -> None:
        self.app, self.most, self.patience_s = app, most, patience_s
        self.held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "DELETE"}:
            await self.app(scope, receive, send)
            return
        headers = headers_of(scope)
        encoding = headers.get(b"content-encoding", b"").strip().lower()
        try:
            claimed = headers.get(b"content-length", b"0")
            if claimed.isdigit() and int(claimed[:20]) > self.most:
                raise TooLarge
            body, held = await self._read(receive, encoding)
        except TooLarge:
            fault = ("too-large", 413, f"a body has at most {self.most} bytes")
        except Crowded:
            fault = ("overloaded", 503, "there is no room for another body now; try again")
        except Broken:
            fault = ("malformed", 400, f"the body is not {encoding.decode()} from end to end")
        except KeyError:
            fault = ("unsupported-encoding", 415, "a body is plain, or in gzip or zstd")
        except Slow:
            fault = ("slow-body", 408, f"a body comes within {self.patience_s:g} s")
        else:
            if body is None:  # the client is gone
                return
            if encoding:
                kept = [h for h in scope["headers"] if h[0] not in _ABOUT_LENGTH]
                scope = {**scope, "headers": kept, BY_NAME: dict(kept)}
            try:
                await self.app(scope, _replayed(body, receive), send)
            finally:
                self.held -= held
            return
        await respond(Request(scope), *fault)(scope, receive, send)

    async def _read(self, receive: Receive, encoding: bytes) -> tuple[bytes | None, int]:
        """A body, and how much of it counts for what is held."""
        decoder = _DECODERS[encoding]
        patience = Patience(self.patience_s)
        try:
            message = await receive()
            whole: bytes = message.get("body", b"")
            if decoder is Plain and not message.get("more_body") and len(whole) <= self.most:
                return None if message["type"] == "http.disconnect" else whole, 0
            return await self._pieces(message, receive, decoder(self.most))
        except asyncio.CancelledError:
            if patience.is_over():
                raise Slow from None
            raise
        finally:
            patience.end()

    async def _pieces(
        self, message: Message, receive: Receive, opened: "Decoder"
    ) -> tuple[bytes | None, int]:
        pieces: list[bytes] = []
        size, is_whole = 0, False
        try:
            while message["type"] != "http.disconnect":
                piece = message.get("body", b"")
                if not isinstance(opened, Plain):  # which takes its time
                    piece = await asyncio.to_thread(opened.feed, piece)
                size += len(piece)
                self.held += len(piece)
                if size > self.most:
                    raise TooLarge
                if self.held > HELD:
                    raise Crowded
                pieces.append(piece)
                if not message.get("more_body", False):
                    opened.end()
                    is_whole = True
                    return b"".join(pieces), size
                message = await receive()
            return None, 0
        finally:
            if not is_whole:
                self.held -= size


class Patience:
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


BY_NAME = "palaestra.headers"


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """The headers of a request by their names, which are read more than once."""
    found: dict[bytes, bytes] | None = scope.get(BY_NAME)
    if found is None:
        found = scope[BY_NAME] = dict(scope["headers"])
    return found


class Nesting:
    """Refuses JSON that nests deeper than anything here does, and replaces halves of surrogate
    pairs in it, which no answer of ours could repeat; for the routes of the framework, as the types
    of the hot ones say how deep they go.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "DELETE"}:
            await self.app(scope, receive, send)
            return
        message = await receive()  # the whole body, for `Bodies` has read it
        body = message.get("body", b"")
        if is_too_deep(body):
            detail = f"JSON nests at most {DEPTH} deep here, and has at most {BRACKETS} brackets"
            await respond(Request(scope), "malformed", 400, detail)(scope, receive, send)
            return
        whole = mended(body)
        if whole is not body:
            kept = [h for h in scope["headers"] if h[0] not in _ABOUT_LENGTH]
            scope = {**scope, "headers": kept, BY_NAME: dict(kept)}
        await self.app(scope, _replayed(whole, receive), send)


DEPTH, BRACKETS = 64, 200_000

_STRINGS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_ESCAPES = re.compile(
    rb"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)",
    re.DOTALL,
)


def is_too_deep(body: bytes) -> bool:
    """Whether a text nests too deep for JSON of ours, or has no end of brackets.

    >>> is_too_deep(b"[" * 65), is_too_deep(b"[" * 64), is_too_deep(b'"' + b"[" * 65 + b'"')
    (True, False, False)
    """
    if body.count(b"[") + body.count(b"{") <= DEPTH:
        return False
    brackets = _STRINGS.sub(b"", body).translate(None, _NO_BRACKETS)
    if len(brackets) > BRACKETS:
        return True
    return max(accumulate(1 if each in b"[{" else -1 for each in brackets), default=0) > DEPTH


def mended(body: bytes) -> bytes:
    r"""JSON whose escapes of half a surrogate pair are replaced by the sign for what is unreadable.

    >>> mended(rb'"\ud800 \ud83d\ude00 \\ud800"')
    b'"\\ufffd \\ud83d\\ude00 \\\\ud800"'
    """
    if b"\\ud" not in body and b"\\uD" not in body:
        return body
    return _ESCAPES.sub(lambda told: rb"\ufffd" if len(told[0]) == 6 else told[0], body)


_ABOUT_LENGTH = {b"content-encoding", b"content-length"}


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives a whole body, and then what comes after it."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
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
            raise Broken from fault
        if self.stream.unused_data:
            raise Broken
        self.left -= len(opened)
        if self.left < 0 or self.stream.unconsumed_tail:
            raise TooLarge
        return opened

    def end(self) -> None:
        if not self.stream.eof:
            raise Broken


class Zstd:
    """The same in Zstandard."""

    def __init__(self, most: int) -> None:
        import zstandard

        self.left = most
        self.fault = zstandard.ZstdError
        self.stream = zstandard.ZstdDecompressor(max_window_size=8 << 20).decompressobj(
            write_size=1 << 16
        )

    def feed(self, piece: bytes) -> bytes:
        # The library has no bound on what comes out, so little is let in at a time: a block of
        # Zstandard opens to 128 kB at most, from no fewer than four bytes.
        opened = []
        for start in range(0, len(piece), 512):
            try:
                opened.append(self.stream.decompress(piece[start : start + 512]))
            except self.fault as fault:
                raise Broken from fault
            self.left -= len(opened[-1])
            if self.left < 0:
                raise TooLarge
        if self.stream.unused_data:
            raise Broken
        return b"".join(opened)

    def end(self) -> None:
        if not self.stream.eof:
            raise Broken


_DECODERS: dict[bytes, Callable[[int], Decoder]] = {
    b"": Plain,
    b"identity": Plain,
    b"gzip": Gzip,
    b"x-gzip": Gzip,
    b"zstd": Zstd,
}
