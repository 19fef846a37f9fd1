"""Items that go together in one request, which costs a client as much as a hundred verdicts."""

from collections import deque
from typing import Any, NamedTuple

import httpx2 as httpx
import msgspec

from palaestra.client.effects import Effects, PlannedRequest, RetryPolicy, attempt
from palaestra.client.errors import (
    CLOSED,
    FLAWED,
    ServiceError,
)
from palaestra.client.structs import (
    JSON,
    LINE,
    MSGPACK,
    NDJSON,
    Call,
    ItemResult,
    Result,
    Results,
    SessionStates,
    decoded,
    read,
)
from palaestra.client.tickets import Batch, Ticket

CONNECTIONS = 16

GATHERING_S = 0.002
"""How long the first of several items waits for others to go along, while requests are under way;
where none is, it waits for nobody."""

BATCH_BYTES = 8 << 20
"""How much text goes in one request, unless a single item has more."""

QUICK_US = 2_000
"""Environments whose verdicts have taken longer do not hold up the others."""


class BatchRoute(NamedTuple):
    """Where items of a kind go, how many in a batch, and how many batches at once."""

    path: str
    most: int
    at_once: int
    answer: Any
    """What a whole answer is read as."""
    alone: str | None = None
    """Where an item goes that is the only one."""
    streamed: bool = False
    """Whether answers come one by one, as they are done."""
    packed: bool = True
    """Whether items are sent in MessagePack, which has no integers beyond 64 bits, or in JSON."""


QUICK = BatchRoute("/v1/score/batch", 256, 4, Results, "/v1/score")
SLOW = BatchRoute("/v1/score/batch", 256, 6, Results, "/v1/score", streamed=True)
VERDICTS = BatchRoute("/v1/verify", 256, 2, Results, streamed=True, packed=False)
STEPS = BatchRoute("/v1/sessions/step", 64, 3, SessionStates)
"""Together they leave one of the :data:`CONNECTIONS` to everything else."""


class LatencyTracker:
    """What verdicts of each environment have cost, so that slow ones do not hold up quick ones."""

    def __init__(self) -> None:
        self.micros: dict[str, float] = {}

    def quick(self, env: str) -> bool:
        """Whether verdicts are quick; of what is not known, they are not."""
        return self.micros.get(env, QUICK_US) < QUICK_US

    def learn(self, env: str, micros: int) -> None:
        """The dearer, the longer it is remembered."""
        self.micros[env] = max(micros, 0.8 * self.micros.get(env, 0.0))


class Queue:
    """Items that are sent together.

    The first one is sent as soon as its thread or its task lets go. While requests are under way,
    the next ones wait for each other, for :data:`GATHERING_S` or until a batch is full. Every item
    is answered by itself: it fails, is given up and waits for its deadline alone.
    """

    def __init__(self, route: BatchRoute, patience_s: float, latencies: LatencyTracker) -> None:
        self.route, self.patience_s, self.latencies = route, patience_s, latencies
        self.waiting: deque[Ticket] = deque()
        self.busy = 0

    def put(self, tickets: list[Ticket]) -> None:
        """Takes items in, to be sent soon."""
        raise NotImplementedError

    def fail_all(self) -> None:
        """Turns away whoever waits, for the client is closed."""
        while self.waiting:
            self.waiting.popleft().fail(ServiceError(CLOSED))

    def taken(self) -> Batch:
        """The next batch, without those that nobody waits for any more."""
        batch, size = Batch(), 0
        while self.waiting and len(batch) < self.route.most:
            ticket = self.waiting[0]
            if batch and size + len(ticket.item) > BATCH_BYTES:
                break
            self.waiting.popleft()
            if not ticket.future.done():
                ticket.batch = batch
                batch.append(ticket)
                size += len(ticket.item)
        return batch

    def sent(self, batch: Batch) -> Effects[None]:
        """Sends a batch until every item has its answer. Raises what hinders all of them."""
        moments = [ticket.until for ticket in batch]
        until = None if None in moments else max(moments, default=None)  # type: ignore[type-var]
        yield from self._sent(batch, RetryPolicy(self.patience_s, until))

    def _sent(self, batch: list[Ticket], patience: RetryPolicy) -> Effects[None]:
        while left := [ticket for ticket in batch if not ticket.future.done()]:
            answers = BatchExchange(self.route, left, self.latencies, patience)
            try:
                response = yield from attempt(answers.ask())
            except ServiceError as refused:
                if refused.status not in FLAWED or len(left) == 1:
                    raise
                yield from self._halved(left, patience)
                return
            if response is not None:
                answers.read(response)
                if not all(ticket.future.done() for ticket in left):
                    yield patience.pause(None, ServiceError(answers.busy, 503))

    def _halved(self, batch: list[Ticket], patience: RetryPolicy) -> Effects[None]:
        """Finds out which item it is that a batch is refused for."""
        half = len(batch) // 2
        for part in (batch[:half], batch[half:]):
            try:
                yield from self._sent(part, patience)
            except Exception as fault:  # noqa: BLE001  it is theirs, and not the others'
                for ticket in part:
                    ticket.fail(fault)


class BatchExchange:
    """Some items in a request, and what they are answered."""

    def __init__(
        self,
        route: BatchRoute,
        tickets: list[Ticket],
        latencies: LatencyTracker,
        patience: RetryPolicy,
    ) -> None:
        self.route, self.tickets, self.latencies, self.patience = (
            route,
            tickets,
            latencies,
            patience,
        )
        self.alone = route.alone if len(tickets) == 1 else None
        self.rest = b""
        self.busy = "it leaves out answers"

    def ask(self) -> PlannedRequest:
        """The request."""
        if self.alone:
            call = Call("POST", self.alone, self.tickets[0].item, MSGPACK, MSGPACK)
            return PlannedRequest(call, self.patience)
        body: dict[str, Any] = {"items": [msgspec.Raw(ticket.item) for ticket in self.tickets]}
        body |= {"order": "completion"} if self.route.streamed else {}
        accept = NDJSON if self.route.streamed else MSGPACK
        if self.route.packed:
            call = Call("POST", self.route.path, msgspec.msgpack.encode(body), MSGPACK, accept)
        else:
            call = Call("POST", self.route.path, msgspec.json.encode(body), JSON, accept)
        return PlannedRequest(call, self.patience, self.feed if self.route.streamed else None)

    def feed(self, piece: bytes) -> None:
        """Takes a piece of an answer in lines."""
        *lines, self.rest = (self.rest + piece).split(b"\n")
        for line in lines:
            result = read(LINE.decode, line)
            self._give(result.index, result)

    def read(self, response: httpx.Response) -> None:
        """Takes an answer as a whole, or the end of one in lines."""
        if self.alone:
            self._give(0, decoded(response, Result))
        elif self.route.streamed:
            self.feed(b"\n" if self.rest.strip() else b"")
        else:
            results: list[ItemResult] = decoded(response, self.route.answer).results
            for index, result in enumerate(results):
                self._give(index, result)

    def _give(self, index: int, result: ItemResult) -> None:
        if not 0 <= index < len(self.tickets):
            return
        ticket = self.tickets[index]
        if not ticket.is_final(result):
            self.busy = result.reason
            return
        if isinstance(result, Result) and result.micros:
            self.latencies.learn(ticket.env, result.micros)
        ticket.give(result)
        self.patience.renew()
