"""What a request passes before it is read: the limit on its size, and who may ask.

Plain ASGI, for Starlette's ``BaseHTTPMiddleware`` costs half a millisecond a request.
"""

from hmac import compare_digest

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palaestra.server.problems import respond

OPEN = ("/livez",)
"""Paths that need no token."""


class TooLarge(Exception):
    """A body that goes on beyond the limit."""


class BodyLimit:
    """Refuses bodies of more than so many bytes, whatever their headers claim."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.most:
                raise TooLarge
            return message

        async def unless_refused(message: Message) -> None:
            if read <= self.most:  # the framework takes `TooLarge` for a body it cannot parse
                await send(message)

        claimed = dict(scope["headers"]).get(b"content-length", b"0")
        try:
            if claimed.isdigit() and int(claimed) > self.most:
                raise TooLarge
            await self.app(scope, counted, unless_refused)
        except TooLarge:
            read = self.most + 1
        if read > self.most:
            detail = f"a body has at most {self.most} bytes"
            response = respond(Request(scope), "too-large", 413, detail)
            await response(scope, receive, send)


class Tokens:
    """Asks every request for one of the tokens, as a bearer or in ``X-API-Key``."""

    def __init__(self, app: ASGIApp, tokens: frozenset[str]) -> None:
        self.app = app
        self.tokens = [token.encode() for token in tokens]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in OPEN and not self._known(scope):
            detail = "this service asks for a token, as 'Authorization: Bearer …' or 'X-API-Key: …'"
            response = respond(Request(scope), "unauthorised", 401, detail)
            response.headers["www-authenticate"] = "Bearer"
            await response(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _known(self, scope: Scope) -> bool:
        headers = dict(scope["headers"])
        shown = headers.get(b"authorization", b"").removeprefix(b"Bearer ")
        shown = shown or headers.get(b"x-api-key", b"")
        # All are compared, so that the time tells nothing of which came near.
        return sum(compare_digest(shown, token) for token in self.tokens) > 0
