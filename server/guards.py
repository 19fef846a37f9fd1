"""What a request passes before it is read: limits on its size and its time, and its compression.

Plain ASGI, for Starlette's ``BaseHTTPMiddleware`` costs half a millisecond a request.
"""

import asyncio
import zlib
from collections.abc import Callable
from typing import Protocol

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palaestra.server.problems import respond

BODY_S = 30.0
"""How long a body may take to come."""


class TooLarge(Exception):
    """A body that goes on beyond the limit."""


class Broken(Exception):
    """A body that is not compressed as it claims to be."""


class Slow(Exception):
    """A body that does not come."""


class Bodies:
    """Refuses bodies of more than so many bytes, whatever their headers claim, also once they are
    decompressed, and those that take too long to come.
    """

    def __init__(self, app: ASGIApp, most: int, patience_s: float = BODY_S) -> None:
        self.app, self.most, self.patience_s = app, most, patience_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "DELETE"}:
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        claimed = headers.get(b"content-length", b"0")
        encoding = headers.get(b"content-encoding", b"").strip().lower()
        try:
            if claimed.isdigit() and int(claimed[:20]) > self.most:
                raise TooLarge
            opened = _DECODERS[encoding](self.most)
            body = await asyncio.wait_for(self._read(receive, opened), self.patience_s)
        except TooLarge:
            fault = ("too-large", 413, f"a body has at most {self.most} bytes")
        except Broken:
            fault = ("malformed", 400, f"the body is not {encoding.decode()} from end to end")
        except KeyError:
            fault = ("unsupported-encoding", 415, "a body is plain, or in gzip or zstd")
        except (Slow, TimeoutError):
            fault = ("slow-body", 408, f"a body comes within {self.patience_s:g} s")
        else:
            if body is None:  # the client is gone
                return
            if encoding:
                kept = [h for h in scope["headers"] if h[0] not in _ABOUT_LENGTH]
                scope = {**scope, "headers": kept}
            await self.app(scope, _replayed(body, receive), send)
            return
        await respond(Request(scope), *fault)(scope, receive, send)

    async def _read(self, receive: Receive, opened: "Decoder") -> bytes | None:
        pieces, size = [], 0
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            piece = opened.feed(message.get("body", b""))
            size += len(piece)
            if size > self.most:
                raise TooLarge
            pieces.append(piece)
            more = message.get("more_body", False)
        opened.end()
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


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
