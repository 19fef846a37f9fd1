"""The client for tasks of an event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx2 as httpx

from palaestra.client import asking, batches
from palaestra.client.batches import QUICK, SLOW, STEPS, Costs, Lane, Queue
from palaestra.client.effects import Ask, Effects, Wait, left_s
from palaestra.client.errors import CLOSED, ServiceError, is_general
from palaestra.client.shared import Played, Shared
from palaestra.client.tickets import Batch, Ticket
from palaestra.client.wire import Told

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

    return asking.dressed(called, ask)


class TaskQueue(Queue):
    """A queue that tasks of one event loop put items in, and that tasks of its own send."""

    def __init__(
        self,
        lane: Lane,
        patience_s: float,
        costs: Costs,
        run: Callable[[Effects[None]], Coroutine[Any, Any, None]],
    ) -> None:
        super().__init__(lane, patience_s, costs)
        self.run = run
        self.timer: asyncio.TimerHandle | None = None
        self.tasks: set[asyncio.Task[None]] = set()
        self.closed = False

    def put(self, tickets: list[Ticket]) -> None:
        """Takes items in."""
        if self.closed:
            raise ServiceError(CLOSED)
        self.waiting += tickets
        if len(self.waiting) >= self.lane.most:
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
        while self.waiting and self.busy < self.lane.at_once:
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


class AsyncSession(Played):
    """The same as :class:`~palaestra.client.Session` for asynchronous callers."""

    _client: "AsyncClient"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.delete()

    hear = method(asking.hear)
    refresh = method(asking.refresh)
    messages = method(asking.messages)
    fork = method(asking.fork)
    fork_many = method(asking.fork_many)
    rewind = method(asking.rewind)
    delete = method(asking.delete)

    async def _run(self, effects: Effects[T]) -> T:
        return await self._client._run(effects)


class AsyncClient(Shared[AsyncSession]):
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
        self._quick, self._slow, self._steps = self._queues = [
            TaskQueue(lane, patience_s, self._costs, self._run) for lane in (QUICK, SLOW, STEPS)
        ]
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        for queue in self._queues:
            await queue.close()
        await self._http.aclose()

    environments = method(asking.environments)
    environment = method(asking.environment)
    tasks = method(asking.tasks)
    oracle = method(asking.oracle)
    score = method(asking.score)
    score_many = method(asking.score_many)
    score_group = method(asking.score_group)
    open = method(asking.open_)
    open_many = method(asking.open_many)
    session = method(asking.session)
    hear_many = method(asking.hear_many)
    run = method(asking.run)
    judge_io = method(asking.judge_io)
    judge_calls = method(asking.judge_calls)
    judge_asserts = method(asking.judge_asserts)

    # -------------------------------------------------------------- carrying it out

    def _future(self) -> "asyncio.Future[Told]":
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
                wish = effects.send(result) if fault is None else effects.throw(fault)
            except StopIteration as end:
                done: T = end.value
                return done
            result, fault = None, None
            try:
                result = await self._carried_out(wish)
            except httpx.TransportError as caught:
                fault = caught

    async def _carried_out(self, wish: Ask | Wait | float) -> Any:
        if isinstance(wish, Wait):
            return await self._waited(wish)
        if isinstance(wish, Ask):
            return await self._responded(wish)
        return await asyncio.sleep(wish)

    async def _waited(self, wait: Wait) -> list[Any]:
        """The answers or errors of items."""
        try:
            async with asyncio.timeout(left_s(wait.until)):
                for ticket in wait.tickets:
                    with suppress(Exception):  # it is looked at below
                        await ticket.future
                    fault = ticket.future.exception()
                    if wait.general and fault is not None and is_general(fault):
                        raise fault
        except TimeoutError:
            pass  # what is not answered is seen below
        finally:
            for ticket in wait.tickets:
                ticket.leave()
        return [ticket.outcome() for ticket in wait.tickets]

    async def _responded(self, ask: Ask) -> httpx.Response:
        request = self._request(ask)
        response: httpx.Response = await self._http.send(request, stream=ask.hear is not None)
        if ask.hear is None:
            return response
        try:
            if not response.is_success:
                await response.aread()
            else:
                async for piece in response.aiter_bytes():
                    ask.hear(piece)
        finally:
            await response.aclose()
        return response
