"""The client for threads."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition, Lock
from time import sleep
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx2 as httpx

from palaestra.client import batches, operations
from palaestra.client.base import BaseClient, BaseSession
from palaestra.client.batches import QUICK, SLOW, STEPS, VERDICTS, BatchRoute, LatencyTracker, Queue
from palaestra.client.effects import Effects, PendingItems, PlannedRequest, left_s
from palaestra.client.errors import CLOSED, ServiceError, is_general
from palaestra.client.structs import ItemResult
from palaestra.client.tickets import Batch, Ticket

A = TypeVar("A")
T = TypeVar("T")
P = ParamSpec("P")


def method(ask: Callable[Concatenate[A, P], Effects[T]]) -> Callable[Concatenate[A, P], T]:
    """A method that asks and waits for what comes of it."""

    def called(asker: A, /, *args: P.args, **named: P.kwargs) -> T:
        client: Any = asker
        done: T = client._run(ask(asker, *args, **named))
        return done

    return operations.as_method(called, ask)


class ThreadQueue(Queue):
    """A queue that threads put items in and that a few of its own send."""

    def __init__(
        self,
        route: BatchRoute,
        patience_s: float,
        latencies: LatencyTracker,
        run: Callable[[Effects[None]], None],
    ) -> None:
        super().__init__(route, patience_s, latencies)
        self.run = run
        self.changed = Condition()
        self.threads = ThreadPoolExecutor(route.at_once, "palaestra")
        self.called = self.closed = False
        """Whether one of them is about to send what waits."""

    def put(self, tickets: list[Ticket]) -> None:
        """Takes items in; one that comes while nothing happens is sent by its own thread."""
        with self.changed:
            if self.closed:
                raise ServiceError(CLOSED)
            alone = len(tickets) == 1 and not (self.busy or self.waiting)
            if alone:
                self.busy += 1
            else:
                self.waiting += tickets
                self.changed.notify()
                self._call()
        if alone:
            self._deliver(Batch(tickets))

    def close(self) -> None:
        """Ends the threads."""
        with self.changed:
            self.closed = True
            self.threads.shutdown(wait=False, cancel_futures=True)
            self.fail_all()

    def _call(self) -> None:
        if self.waiting and not self.called:
            self.threads.submit(self._go)
            self.called = True

    def _go(self) -> None:
        with self.changed:
            is_full = lambda: len(self.waiting) >= self.route.most  # noqa: E731
            self.changed.wait_for(is_full, batches.GATHERING_S)
            batch = self.taken()
            self.called = False
            self._call()
            self.busy += 1
        self._deliver(batch)

    def _deliver(self, batch: Batch) -> None:
        try:
            self.run(self.sent(batch))
        except BaseException as fault:
            for ticket in batch:
                ticket.fail(fault)
            if not isinstance(fault, Exception):
                raise
        finally:
            with self.changed:
                self.busy -= 1


class Session(BaseSession):
    """An episode that the service keeps, played as one in process is.

    It is known by its ``id`` for as long as the service keeps it. A reply that was sent is never
    heard twice, however often it had to be sent. As a context manager, it is forgotten at the end.
    """

    _client: "Client"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()

    step = method(operations.step)
    refresh = method(operations.refresh)
    messages = method(operations.messages)
    fork = method(operations.fork)
    fork_many = method(operations.fork_many)
    rewind = method(operations.rewind)
    delete = method(operations.delete)

    def _run(self, effects: Effects[T]) -> T:
        return self._client._run(effects)


class Client(BaseClient[Session]):
    """The reward service, called like the functions of :mod:`palaestra.scoring`.

    Many threads may use one, and should: what they ask for at the same time goes together. Every
    ``deadline_s`` is the seconds within which an answer is of any use.
    """

    _kind = Session

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience_s: float = 30.0,
        *,
        compress: bool | None = None,
    ) -> None:
        super().__init__(url, token, patience_s, compress=compress)
        self._http = httpx.Client(**self._settings)
        self._lock, self._in_flight, self._closed = Lock(), 0, False
        self._quick, self._slow, self._steps, self._verdicts = self._queues = [
            ThreadQueue(route, patience_s, self._latencies, self._run)
            for route in (QUICK, SLOW, STEPS, VERDICTS)
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the client; calls that need another request raise :class:`ServiceError`.

        Connections are closed at once, or when the last request in flight ends: a pool that is
        closed before would not close the connections that are still being opened.
        """
        for queue in self._queues:
            queue.close()
        with self._lock:
            self._closed = True
            idle = not self._in_flight
        if idle:
            self._http.close()

    environments = method(operations.environments)
    environment = method(operations.environment)
    tasks = method(operations.tasks)
    oracle = method(operations.oracle)
    score = method(operations.score)
    score_many = method(operations.score_many)
    score_group = method(operations.score_group)
    verifiers = method(operations.verifiers)
    verify = method(operations.verify)
    verify_many = method(operations.verify_many)
    open = method(operations.open_)
    open_many = method(operations.open_many)
    session = method(operations.session)
    step_many = method(operations.step_many)
    run = method(operations.run)
    judge_io = method(operations.judge_io)
    judge_calls = method(operations.judge_calls)
    judge_asserts = method(operations.judge_asserts)

    # -------------------------------------------------------------- carrying it out

    def _future(self) -> "Future[ItemResult]":
        return Future()

    def _run(self, effects: Effects[T]) -> T:
        result: Any = None
        fault: httpx.TransportError | None = None
        while True:
            try:
                effect = effects.send(result) if fault is None else effects.throw(fault)
            except StopIteration as end:
                done: T = end.value
                return done
            result, fault = None, None
            try:
                result = self._carried_out(effect)
            except httpx.TransportError as caught:
                fault = caught

    def _carried_out(self, effect: PlannedRequest | PendingItems | float) -> Any:
        if isinstance(effect, PendingItems):
            return self._waited(effect)
        if isinstance(effect, PlannedRequest):
            return self._responded(effect)
        return sleep(effect)

    def _waited(self, pending: PendingItems) -> list[Any]:
        """The answers or errors of items."""
        try:
            for ticket in pending.tickets:
                try:
                    fault = ticket.future.exception(left_s(pending.until))
                except TimeoutError:
                    break
                if pending.general and fault is not None and is_general(fault):
                    raise fault
        finally:
            for ticket in pending.tickets:
                ticket.leave()
        return [ticket.outcome() for ticket in pending.tickets]

    def _responded(self, planned: PlannedRequest) -> httpx.Response:
        with self._lock:
            if self._closed:
                raise ServiceError(CLOSED)
            self._in_flight += 1
        try:
            return self._sent(planned)
        finally:
            with self._lock:
                self._in_flight -= 1
                last = self._closed and not self._in_flight
            if last:
                self._http.close()

    def _sent(self, planned: PlannedRequest) -> httpx.Response:
        request = self._request(planned)
        response: httpx.Response = self._http.send(request, stream=planned.on_chunk is not None)
        if planned.on_chunk is None:
            return response
        try:
            if not response.is_success:
                response.read()
            else:
                for piece in response.iter_bytes():
                    planned.on_chunk(piece)
        finally:
            response.close()
        return response
