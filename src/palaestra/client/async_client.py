"""The client for tasks of an event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
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


def method(
    ask: Callable[Concatenate[A, P], Effects[T]],
) -> Callable[Concatenate[A, P], Coroutine[Any, Any, T]]:
    """A method that asks, and whose caller awaits what comes of it."""

    async def called(asker: A, /, *args: P.args, **named: P.kwargs) -> T:
        client: Any = asker
        done: T = await client._run(ask(asker, *args, **named))
        return done

    return operations.as_method(called, ask)


class TaskQueue(Queue):
    """A queue that tasks of one event loop put items in, and that tasks of its own send."""

    def __init__(
        self,
        route: BatchRoute,
        patience_s: float,
        latencies: LatencyTracker,
        run: Callable[[Effects[None]], Coroutine[Any, Any, None]],
    ) -> None:
        super().__init__(route, patience_s, latencies)
        self.run = run
        self.timer: asyncio.TimerHandle | None = None
        self.tasks: set[asyncio.Task[None]] = set()
        self.closed = False

    def put(self, tickets: list[Ticket]) -> None:
        """Takes items in."""
        if self.closed:
            raise ServiceError(CLOSED)
        self.waiting += tickets
        if len(self.waiting) >= self.route.most:
            self._go()
        elif self.timer is None:
            loop = asyncio.get_running_loop()
            self.timer = loop.call_later(batches.GATHERING_S if self.busy else 0, self._go)

    async def close(self) -> None:
        """Gives up what is under way."""
        self.closed = True
        self.fail_all()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def _go(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        while self.waiting and self.busy < self.route.at_once:
            if batch := self.taken():
                self.busy += 1
                batch.task = asyncio.get_running_loop().create_task(self.run(self.sent(batch)))
                batch.task.add_done_callback(partial(self._freed, batch))
                self.tasks.add(batch.task)

    def _freed(self, batch: Batch, task: "asyncio.Task[None]") -> None:
        """A batch is answered, has failed or was given up."""
        self.busy -= 1
        self.tasks.discard(task)
        fault = ServiceError(CLOSED) if task.cancelled() else task.exception()
        if fault is not None:
            for ticket in batch:
                ticket.fail(fault)
        if self.waiting:
            self._go()


class AsyncSession(BaseSession):
    """The same as :class:`~palaestra.client.Session` for asynchronous callers."""

    _client: "AsyncClient"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.delete()

    step = method(operations.step)
    refresh = method(operations.refresh)
    messages = method(operations.messages)
    fork = method(operations.fork)
    fork_many = method(operations.fork_many)
    rewind = method(operations.rewind)
    delete = method(operations.delete)

    async def _run(self, effects: Effects[T]) -> T:
        return await self._client._run(effects)


class AsyncClient(BaseClient[AsyncSession]):
    """The same as :class:`~palaestra.client.Client` for asynchronous callers, all in one event
    loop.

    Any number of them may wait at the same time: thousands of scores take a few requests.
    """

    _kind = AsyncSession

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience_s: float = 30.0,
        *,
        compress: bool | None = None,
    ) -> None:
        super().__init__(url, token, patience_s, compress=compress)
        self._http = httpx.AsyncClient(**self._settings)
        self._in_flight, self._closed = 0, False
        self._quick, self._slow, self._steps, self._verdicts = self._queues = [
            TaskQueue(route, patience_s, self._latencies, self._run)
            for route in (QUICK, SLOW, STEPS, VERDICTS)
        ]
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the client; calls that need another request raise :class:`ServiceError`.

        Connections are closed at once, or when the last request in flight ends: a pool that is
        closed before would not close the connections that are still being opened.
        """
        for queue in self._queues:
            await queue.close()
        self._closed = True
        if not self._in_flight:
            await self._http.aclose()

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

    def _future(self) -> "asyncio.Future[ItemResult]":
        return self._here().create_future()

    def _here(self) -> asyncio.AbstractEventLoop:
        """The event loop, which is always the same: connections and timers are bound to it."""
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        elif self._loop is not loop:
            raise RuntimeError("an AsyncClient belongs to one event loop; make one for each")
        return loop

    async def _run(self, effects: Effects[T]) -> T:
        self._here()
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
                result = await self._carried_out(effect)
            except httpx.TransportError as caught:
                fault = caught

    async def _carried_out(self, effect: PlannedRequest | PendingItems | float) -> Any:
        if isinstance(effect, PendingItems):
            return await self._waited(effect)
        if isinstance(effect, PlannedRequest):
            return await self._responded(effect)
        return await asyncio.sleep(effect)

    async def _waited(self, pending: PendingItems) -> list[Any]:
        """The answers or errors of items."""
        try:
            async with asyncio.timeout(left_s(pending.until)):
                for ticket in pending.tickets:
                    with suppress(Exception):  # it is looked at below
                        await ticket.future
                    fault = ticket.future.exception()
                    if pending.general and fault is not None and is_general(fault):
                        raise fault
        except TimeoutError:
            pass  # what is not answered is seen below
        finally:
            for ticket in pending.tickets:
                ticket.leave()
        return [ticket.outcome() for ticket in pending.tickets]

    async def _responded(self, planned: PlannedRequest) -> httpx.Response:
        if self._closed:
            raise ServiceError(CLOSED)
        self._in_flight += 1
        try:
            return await self._sent(planned)
        finally:
            self._in_flight -= 1
            if self._closed and not self._in_flight:
                await self._http.aclose()

    async def _sent(self, planned: PlannedRequest) -> httpx.Response:
        request = self._request(planned)
        response: httpx.Response = await self._http.send(
            request, stream=planned.on_chunk is not None
        )
        if planned.on_chunk is None:
            return response
        try:
            if not response.is_success:
                await response.aread()
            else:
                async for piece in response.aiter_bytes():
                    planned.on_chunk(piece)
        finally:
            await response.aclose()
        return response
