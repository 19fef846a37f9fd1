"""Who may ask: tokens, what each is good for, and how often.

A token file has a token a line, and after it, if its owner is not to have the usual scopes, what it
is good for: ``TOKEN scopes=score,sessions name=trainer per_minute=6000 cpu_per_minute=120``.
"""

from base64 import b64decode
from collections.abc import Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from ipaddress import ip_address
from math import ceil
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palaestra.server.problems import Forbidden, TooManyRequests, Unauthorised, refusal, respond

SCOPES = ("read", "score", "sessions", "programs", "answers", "admin")
DEFAULT_SCOPES = frozenset({"read", "score", "sessions", "programs"})
"""What a token is good for unless its line says otherwise: everything but answers."""

PUBLIC_PATHS = ("/livez", "/readyz", "/version", "/play")
"""Paths that need no token; those of the playground are a page that asks for one itself."""

READ_METHODS = ("GET", "HEAD")
"""What may be done with them."""


class TokenBucket:
    """So much a minute of something, which fills up again all the time; 0 is without a limit."""

    def __init__(self, per_minute: float) -> None:
        self.per_minute = self.left = float(per_minute)
        self.seen = monotonic()

    def fill(self) -> float:
        """How much there is now."""
        now = monotonic()
        gained = (now - self.seen) * self.per_minute / 60
        self.left, self.seen = min(self.per_minute, self.left + gained), now
        return self.left

    def spend(self, amount: float) -> None:
        """Take so much, also where there is less: what is owed is filled up first."""
        if self.per_minute:
            self.left = self.fill() - amount

    def wait_s(self, amount: float) -> float:
        """The seconds until there is so much; 0 where there is."""
        if not self.per_minute:
            return 0.0
        return max(0.0, (amount - self.fill()) * 60 / self.per_minute)


@dataclass
class Key:
    """What a token is good for: scopes, how many requests may come in a minute, and how many
    seconds of worker processes they may take in one; 0 for any number.
    """

    name: str
    scopes: frozenset[str] = DEFAULT_SCOPES
    per_minute: int = 0
    cpu_per_minute: float = 0.0
    requests: TokenBucket = field(init=False, repr=False, compare=False)
    cpu: TokenBucket = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.requests, self.cpu = TokenBucket(self.per_minute), TokenBucket(self.cpu_per_minute)

    def spend(self) -> None:
        """Count one request. Raises :class:`TooManyRequests` where the quota is used up."""
        if not self.per_minute:
            return
        if wait_s := self.requests.wait_s(1):
            raise TooManyRequests(f"{self.name} may ask {self.per_minute} times a minute", wait_s)
        self.requests.spend(1)

    def demand_time(self) -> None:
        """Raises :class:`TooManyRequests` where all time of processors is spent."""
        if wait_s := self.cpu.wait_s(LEAST_S):
            reason = f"{self.name} may take {self.cpu_per_minute:g} s of processor time a minute"
            raise TooManyRequests(reason, wait_s)


LEAST_S = 0.001
"""Seconds of processor time that there have to be before something slow is begun."""

ANONYMOUS = Key("", DEFAULT_SCOPES)
"""Whoever asks a service without tokens."""

NEIGHBOUR = Key("", DEFAULT_SCOPES | {"answers"})
"""Whoever asks a service without tokens that this machine alone can reach, from this machine."""

CURRENT_KEY: ContextVar[Key] = ContextVar("palaestra.key", default=ANONYMOUS)
"""Whose request is being answered."""


class Keys:
    """The tokens of a service."""

    def __init__(self, tokens: Iterable[tuple[str, Key]] = ()) -> None:
        self.tokens = [(token.encode(), key) for token, key in tokens]

    def __bool__(self) -> bool:
        return bool(self.tokens)

    def are_several(self) -> bool:
        """Whether they have several owners."""
        return len({key.name for _, key in self.tokens}) > 1

    def find(self, shown: bytes) -> Key | None:
        """Whose token was shown. All are compared, so that the time tells nothing of which came
        near.
        """
        match = None
        for token, key in self.tokens:
            if compare_digest(shown, token):
                match = key
        return match


def parsed(line: str) -> tuple[str, Key]:
    """A token and its key, from a line of a token file.

    Raises ``ValueError`` for a line that says what nobody understands.

    >>> parsed("sesame scopes=read,score name=me")[1].name
    'me'
    """
    token, *words = line.split()
    digest = sha256(token.encode()).hexdigest()
    fields: dict[str, Any] = {"name": f"key-{digest[:12]}"}  # tells nothing of the token
    for word in words:
        name, equals, value = word.partition("=")
        if name == "scopes" and equals:
            scopes = frozenset(value.split(","))
            if unknown := sorted(scopes - {*SCOPES}):
                raise ValueError(f"no scope {', '.join(unknown)}; there are {', '.join(SCOPES)}")
            fields["scopes"] = scopes
        elif name == "name" and value:
            fields["name"] = value[:80]
        elif name in {"per_minute", "cpu_per_minute"} and value.isdecimal() and len(value) < 10:
            fields[name] = int(value)
        else:
            known = "scopes=, name=, per_minute= and cpu_per_minute="
            raise ValueError(f"after a token come {known}, not {word[:40]!r}")
    return token, Key(**fields)


def key_of(scope: Scope) -> Key:
    """Who asks."""
    key: Key = scope.get("key", ANONYMOUS)
    return key


def require_scope(scope: Scope, wanted: str) -> Key:
    """Who asks, who has to have a scope. Raises :class:`Forbidden` otherwise."""
    key = key_of(scope)
    if wanted not in key.scopes and "admin" not in key.scopes:
        raise Forbidden(f"this asks for the scope {wanted!r}, which the token does not have")
    return key


class AuthMiddleware:
    """Asks every request for a token, and counts them. It is shown as a bearer, in ``X-API-Key`` or
    as the password of a URL.
    """

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self.app, self.keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        if is_public(scope["path"]):
            await self._opened(scope, receive, send)
            return
        if not self.keys:
            await self.app(scope, receive, send)
            return
        key = self.keys.find(_credentials(scope))
        try:
            if key is None:
                raise Unauthorised(NO_TOKEN)
            key.spend()
        except (Unauthorised, TooManyRequests) as fault:
            await _refused(scope, receive, _limited(send, key), fault)
            return
        scope["key"] = key
        CURRENT_KEY.set(key)
        await self.app(scope, receive, _limited(send, key))

    async def _opened(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What needs no token is to be looked at, and no body of such a request is read."""
        if scope["type"] == "websocket" or scope["method"] in READ_METHODS:
            await self.app(scope, receive, send)
            return
        response = respond(Request(scope), "http", 405, "Method Not Allowed")
        response.headers["allow"] = ", ".join(READ_METHODS)
        await response(scope, receive, send)


NO_TOKEN = "this service asks for a token, as 'Authorization: Bearer …' or 'X-API-Key: …'"


async def _refused(scope: Scope, receive: Receive, send: Send, fault: Exception) -> None:
    """Say why a request or a socket is not heard."""
    is_known = not isinstance(fault, Unauthorised)
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4429 if is_known else 4401})
        return
    response = refusal(Request(scope), fault)
    if not is_known:
        response.headers["www-authenticate"] = "Bearer"
    await response(scope, receive, send)


def _limited(send: Send, key: Key | None) -> Send:
    """A ``send`` that tells a key how many requests it has left in this minute, where there is a
    number (the fields ``RateLimit`` and ``RateLimit-Policy`` of the IETF's draft
    ``draft-ietf-httpapi-ratelimit-headers``).
    """
    if key is None or not key.per_minute:
        return send

    async def send_with_limits(message: Message) -> None:
        if message["type"] == "http.response.start":
            left = max(0, int(key.requests.fill()))
            reset_s = ceil(key.requests.wait_s(key.per_minute))
            message["headers"] = [
                *message["headers"],
                (b"ratelimit-policy", f'"requests";q={key.per_minute};w=60'.encode()),
                (b"ratelimit", f'"requests";r={left};t={reset_s}'.encode()),
            ]
        await send(message)

    return send_with_limits


class LocalOnlyMiddleware:
    """Hears this machine alone, for a service without tokens: not even a page of elsewhere that is
    open in a browser here, also where its name was made to lead here (DNS rebinding).

    Browsers tell by which name they ask, in ``Host``, and from which page, in ``Origin``.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in {"http", "websocket"} and not _is_local(dict(scope["headers"])):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 4403})
                return
            refused = Forbidden(
                "a service without tokens answers to this machine alone, by its own name and not "
                "to pages of others; start it with --token-file, or with --insecure-no-auth"
            )
            await refusal(Request(scope), refused)(scope, receive, send)
            return
        if scope["type"] == "http" and _is_neighbour(scope):
            scope["key"] = NEIGHBOUR
        await self.app(scope, receive, send)


def _is_local(headers: Mapping[bytes, bytes]) -> bool:
    host = headers.get(b"host", b"")  # which old clients that are no browsers leave out
    origin = headers.get(b"origin")
    by_name = not host or _is_ours(host.decode("latin-1"))
    return by_name and (origin is None or origin.partition(b"://")[2] == host)


@lru_cache(maxsize=64)
def _is_ours(host: str) -> bool:
    """Whether a host, with its port or without, is a name that nobody can make lead elsewhere, as
    those below ``localhost`` are (RFC 6761).

    >>> [_is_ours(host) for host in ("localhost:8000", "[::1]", "127.0.0.1.example.org")]
    [True, True, False]
    >>> _is_ours("sessions.localhost:8000")
    True
    """
    with suppress(ValueError):
        name = urlsplit(f"//{host}").hostname or ""
        return f".{name}".endswith(".localhost") or bool(ip_address(name))
    return False


def _is_neighbour(scope: Scope) -> bool:
    """Whether a request comes from this machine and names it so, which one that a proxy on this
    machine passes on from elsewhere does not.
    """
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    return _is_loopback((scope.get("client") or ("",))[0]) and _names_loopback(host)


@lru_cache(maxsize=64)
def _names_loopback(host: str) -> bool:
    """Whether a host, with its port or without, is ``localhost`` or a loopback address.

    >>> [_names_loopback(host) for host in ("localhost:8000", "[::1]:80", "203.0.113.5", "")]
    [True, True, False, False]
    """
    with suppress(ValueError):
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or _is_loopback(name)
    return False


def _is_loopback(address: str) -> bool:
    """Whether an address is one of this machine alone."""
    with suppress(ValueError):
        return ip_address(address).is_loopback
    return False


def is_public(path: str) -> bool:
    """Whether a path needs no token."""
    return path in PUBLIC_PATHS or path.startswith("/play/")


def _credentials(scope: Scope) -> bytes:
    headers = dict(scope["headers"])
    shown: bytes = headers.get(b"authorization", b"")
    if shown[:6].lower() == b"basic ":
        return _password(shown[6:])
    bearer = shown[7:] if shown[:7].lower() == b"bearer " else b""
    return bearer or headers.get(b"x-api-key", b"")


def _password(credentials: bytes) -> bytes:
    """What clients make of ``http://any:token@host``, that can be given nothing but a URL."""
    with suppress(ValueError):
        return b64decode(credentials, validate=True).partition(b":")[2]
    return b""
