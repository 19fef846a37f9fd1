"""The base classes of both clients and of their sessions."""

import zlib
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any, Generic, TypeVar

import httpx2 as httpx
import msgspec

from palaestra.client.batches import CONNECTIONS, LatencyTracker, Queue
from palaestra.client.effects import PlannedRequest, RetryPolicy, until
from palaestra.client.errors import fault
from palaestra.client.structs import (
    Parts,
    SessionState,
    encoded,
    env_of,
    scored,
    scoring,
    verification,
)
from palaestra.client.tickets import Ticket
from palaestra.episode import EpisodeOver
from palaestra.extras import MissingExtra
from palaestra.scoring import Item
from palaestra.task import Score, Turn
from palaestra.verification import Verification

ANSWER_S = 300.0
"""How long an answer may take to begin, and to go on, where there is no deadline."""

COMPRESSED = 16 << 10
"""From how many bytes on a body is compressed, on its way to another machine."""


class BaseSession:
    """The state of a session, under the names of :class:`~palaestra.episode.Episode`."""

    def __init__(self, client: "BaseClient[Any]", state: SessionState) -> None:
        self._client, self._now = client, state
        self.id = state.session
        """What it is called by :meth:`Client.session`."""
        self.address = state.address
        self.tools = tuple(state.tools)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self.address!r}, step={self.steps})"

    @property
    def steps(self) -> int:
        """How many replies there were."""
        return self._now.step

    @property
    def observation(self) -> str:
        """What the player to move reads; in the end, the reason for the score."""
        return self._now.observation

    @property
    def turn(self) -> Turn:
        """The turn with its legal moves and its state, where it tells them."""
        now = self._now
        return Turn(now.observation, now.reward, now.legal_moves, now.state or "", now.player)

    @property
    def player(self) -> int:
        """Whose turn it is, or was last."""
        return self._now.player

    @property
    def earned(self) -> float:
        """What all replies earned together."""
        return self._now.earned

    @property
    def score(self) -> Score | None:
        """The score, once the episode is over."""
        return None if self._now.score is None else scored(self._now.score)

    def result(self) -> Score:
        """The score, which is 0 as long as the episode is not over."""
        unfinished = "the replies stop before the episode is over"
        return self.score or Score(0, unfinished, status="no_answer")

    def _move(self, reply: str) -> bytes:
        """A reply as an item of a batch."""
        if self._now.done:
            raise EpisodeOver(f"the episode was over after {self.steps} replies")
        move = {"session": self.id, "step": self.steps, "move": reply}
        return encoded(move, msgspec.msgpack.encode)

    def _outcome(self, result: Any) -> float | Exception:
        """What a reply earned, or the error in place of it."""
        if isinstance(result, Exception):
            return result
        if result.error:
            return fault(result.error, result.reason)
        self._now = result
        earned: float = result.reward
        return earned


S = TypeVar("S", bound=BaseSession)


class BaseClient(Generic[S]):
    """What is the same for both clients. Each says how its sessions, its connections and its queues
    are made, and how it carries out what :mod:`palaestra.client.operations` says.
    """

    _kind: type[S]
    _http: Any
    _quick: Queue
    _slow: Queue
    _steps: Queue
    _verdicts: Queue

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience_s: float = 30.0,
        *,
        compress: bool | None = None,
    ) -> None:
        """``url`` of the service, a ``token`` if it asks for one.

        Requests that are refused for load, or find nobody listening, are tried again for
        ``patience_s`` seconds, or until the deadline of a call that has one; asking twice does no
        harm. Large bodies are compressed unless the service is on this machine; ``compress`` says
        otherwise.
        """
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"a service has a URL such as http://host:8000, not {url[:80]!r}")
        self._patience_s = patience_s
        self._compress = not _is_here(httpx.URL(url).host) if compress is None else compress
        self._latencies = LatencyTracker()
        self._settings: dict[str, Any] = {
            "base_url": url,
            "headers": {"authorization": f"Bearer {token}"} if token else {},
            # Connections are given up before the service does, which keeps idle ones for 5 s.
            "limits": httpx.Limits(max_connections=CONNECTIONS, keepalive_expiry=4.0),
        }

    def _request(self, planned: PlannedRequest) -> httpx.Request:
        """A request as it is sent."""
        call, left_s = planned.call, planned.patience.left_s
        wait_s = ANSWER_S if left_s is None else left_s
        headers = {"accept": call.accept}
        if left_s is not None:
            headers["x-deadline-ms"] = str(min(999_999_999, max(1, round(left_s * 1000))))
        if call.key is not None:
            headers["idempotency-key"] = call.key
        body = call.body
        if body is not None:
            headers["content-type"] = call.content_type
        if body is not None and self._compress and len(body) >= COMPRESSED:
            headers["content-encoding"], body = compressed(body)
        request: httpx.Request = self._http.build_request(
            call.method, call.path, content=body, params=call.query, headers=headers,
            timeout=httpx.Timeout(wait_s, connect=min(5.0, wait_s)),
        )  # fmt: skip
        return request

    def _patience(self, deadline_s: float | None = None) -> RetryPolicy:
        return RetryPolicy(self._patience_s, until(deadline_s))

    def _future(self) -> Any:
        raise NotImplementedError

    def _scorings(
        self, items: Iterable[Item | Parts], until: float | None, *, attempt: bool = True
    ) -> list[Ticket]:
        """Items to be scored, waiting for it. With ``attempt``, one that cannot be sent has its
        error already, and does not hinder the others.
        """
        quick: list[Ticket] = []
        slow: list[Ticket] = []
        tickets = []
        for item in items:
            ticket = Ticket(self._future(), "", b"", until)
            tickets.append(ticket)
            try:
                request = scoring(item)
                ticket.item = encoded(request, msgspec.msgpack.encode)
            except ValueError as error:
                if not attempt:
                    raise
                ticket.fail(error)
                continue
            ticket.env = env_of(request["address"])
            (quick if self._latencies.quick(ticket.env) else slow).append(ticket)
        for queue, some in ((self._quick, quick), (self._slow, slow)):
            if some:
                queue.put(some)
        return tickets

    def _verifications(
        self, items: Iterable[Verification], until: float | None, *, attempt: bool = True
    ) -> list[Ticket]:
        """Replies to be judged by named verifiers, waiting for it, as :meth:`_scorings` has it."""
        tickets = []
        for item in items:
            ticket = Ticket(self._future(), "", b"", until)
            tickets.append(ticket)
            try:
                ticket.item = verification(item)
            except ValueError as error:
                if not attempt:
                    raise
                ticket.fail(error)
        if some := [ticket for ticket in tickets if not ticket.future.done()]:
            self._verdicts.put(some)
        return tickets

    def _moves(self, pairs: Iterable[tuple[S, str]], until: float | None) -> list[tuple[S, Ticket]]:
        """Moves to be made in sessions, waiting for it."""
        moves = list(pairs)
        if len({session.id for session, _ in moves}) < len(moves):
            raise ValueError("a session makes one move at a time")
        pending = []
        for session, reply in moves:
            ticket = Ticket(self._future(), "", b"", until)
            pending.append((session, ticket))
            try:
                ticket.item = session._move(reply)
            except EpisodeOver as over:
                ticket.fail(over)
        if some := [ticket for _, ticket in pending if not ticket.future.done()]:
            self._steps.put(some)
        return pending


def compressed(body: bytes) -> tuple[str, bytes]:
    """A body for the way, and its content coding: Zstandard where it is installed, else gzip."""
    try:
        from palaestra.zstd import compress
    except MissingExtra:
        return "gzip", zlib.compress(body, 1, wbits=31)
    return "zstd", compress(body, 1)


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
