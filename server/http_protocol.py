"""Connections whose clients are not trusted to say what they want, or to stop saying it."""

import json
from asyncio import AbstractEventLoop, BaseTransport, TimerHandle, Transport
from typing import Any, cast

from palaestra.extras import needs

with needs("server", "the HTTP service"):
    from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from palaestra.server.problems import RETRYABLE, new_id

HEAD_BYTES, HEADERS = 64 << 10, 128
"""How long the head of a request may be, and how many headers it may have."""

HEAD_S = 15.0
"""How long a connection may take to bring one."""

LINGERING_S = 15.0
"""How long what is left of a body may take to come once its request is answered. Hanging up at once
would cost its client the answer.
"""

FRAMING = 16
"""How many bytes a body in chunks may take to come for each of its own."""


class BufferedTransport:
    """A transport that sends what is written in one go, the head of a response with its body. Each
    sending by itself costs as much as all else that uvicorn does for a request.
    """

    def __init__(self, transport: Transport, loop: AbstractEventLoop) -> None:
        self.transport, self.loop = transport, loop
        self.pieces: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)

    def write(self, piece: bytes) -> None:
        """Send something, with what comes right after it."""
        if not self.pieces:
            self.loop.call_soon(self.flush)  # where no end of the response comes before
        self.pieces.append(piece)

    def flush(self) -> None:
        """Send what there is."""
        pieces, self.pieces = self.pieces, []
        if len(pieces) == 1:
            self.transport.write(pieces[0])
        elif pieces:
            self.transport.writelines(pieces)

    def close(self) -> None:
        """Send what there is, and hang up."""
        self.flush()
        self.transport.close()


class LimitedHttpProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which by itself waits for ever for a request to begin, and reads headers
    without end.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.most, self.limit_concurrency = (
            self.limit_concurrency,
            None,
        )  # it would say so in plain text
        self.head_left = HEAD_BYTES
        self.head_timer: TimerHandle | None = None
        self.lingering: TimerHandle | None = None
        self.framing_left = 0
        self.in_head = self.in_body = self.completed = self.refused = False

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin to wait for a request."""
        self.bare = cast(Transport, transport)
        super().connection_made(self.bare)
        self.joining = BufferedTransport(self.bare, self.loop)
        self.transport = cast(Transport, self.joining)
        self._wait()

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to sockets, which send whole frames anyway."""
        self.transport = self.bare
        super().handle_websocket_upgrade()

    def on_response_complete(self) -> None:
        """Send what there is of a response, which is now whole."""
        self.joining.flush()
        super().on_response_complete()
        if self.in_body and self.lingering is None:
            self.lingering = self.loop.call_later(LINGERING_S, self.bare.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._waited()
        self._lingered()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what comes, as long as there is an end of heads in sight."""
        if self.refused:
            return
        self.completed = False
        if self.in_body:
            self.framing_left -= len(data)
        super().data_received(data)
        if self.in_body and self.framing_left < 0:
            self._refuse(431, "there is too much around the body")
        if self.in_body or self.completed or self.refused:
            return
        if self.head_timer is None:
            self._wait()
        if self.in_head:
            self.head_left -= len(data)
            if self.head_left < 0:
                self._refuse(431, f"the head of a request has at most {HEAD_BYTES} bytes")

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self.in_head, self.head_left = True, HEAD_BYTES

    def on_headers_complete(self) -> None:
        """It is there; what it asks for is done if it is no flood."""
        self._waited()
        self.in_head, self.in_body, self.framing_left = False, True, HEAD_BYTES
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if len(self.headers) > HEADERS or size > HEAD_BYTES:
            reason = f"a request has at most {HEADERS} headers, of {HEAD_BYTES} bytes together"
            self._refuse(431, reason)
        if self.most is not None and max(len(self.connections), len(self.tasks)) >= self.most:
            self._refuse(503, "too many ask at the same time; try again", "overloaded")
        if not self.refused:
            super().on_headers_complete()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, but none that comes after a body."""
        if not self.in_body:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, but not of a request that is refused."""
        self.framing_left += FRAMING * len(body)
        if not self.refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is there; another may follow."""
        self.in_body, self.completed = False, True
        self._lingered()
        if not self.refused:
            super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request at all."""
        self._refuse(400, msg, "malformed")

    def _wait(self) -> None:
        self.head_timer = self.loop.call_later(HEAD_S, self._late)

    def _waited(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None

    def _lingered(self) -> None:
        if self.lingering is not None:
            self.lingering.cancel()
            self.lingering = None

    def _late(self) -> None:
        self.head_timer = None
        if self.cycle is not None and not self.cycle.response_complete:
            return  # it waits for us, not we for it
        self._refuse(408, f"the head of a request comes within {HEAD_S:g} s")

    def _refuse(self, status: int, detail: str, slug: str = "http") -> None:
        """Says what is wrong, in the words of a problem document, and hangs up."""
        self._waited()
        if self.refused or self.transport.is_closing():
            return
        self.refused, again, request_id = True, status in RETRYABLE, new_id()
        body = json.dumps(
            {"type": f"urn:palaestra:problem:{slug}", "title": slug, "status": status,
             "detail": detail, "request_id": request_id, "retryable": again, "errors": []}
        ).encode()  # fmt: skip
        head = (
            b"content-type: application/problem+json\r\nconnection: close\r\n%s"
            b"x-request-id: %s\r\ncontent-length: %d\r\n\r\n"
            % (b"retry-after: 1\r\n" if again else b"", request_id.encode(), len(body))
        )
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(STATUS_LINE[status] + head + body)
        self.transport.close()
