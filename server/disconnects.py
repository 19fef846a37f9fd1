"""Clients that hang up: what they asked for is given up, and with it the processes that do it."""

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any, TypeVar

from starlette.types import Receive

from palaestra.server.problems import ClientDisconnected

T = TypeVar("T")

CURRENT_RECEIVE: ContextVar[Receive | None] = ContextVar("palaestra.listening", default=None)
"""Where the request that is being answered tells of its end; nothing where somebody listens."""


async def cancel_on_disconnect(work: Coroutine[Any, Any, T], receive: Receive) -> T:
    """Await work. When the client disconnects, cancel it and raise :class:`ClientDisconnected`."""
    before = CURRENT_RECEIVE.set(None)  # for the work, which need not listen as well
    try:
        task = asyncio.create_task(work)
    finally:
        CURRENT_RECEIVE.reset(before)
    leaving = asyncio.create_task(left(receive))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnected
        return task.result()
    finally:
        leaving.cancel()
        task.cancel()


async def cancel_with_request(work: Coroutine[Any, Any, T]) -> T:
    """The same for whichever request is being answered, if it is one."""
    receive = CURRENT_RECEIVE.get()
    return await (work if receive is None else cancel_on_disconnect(work, receive))


async def left(receive: Receive) -> None:
    """Waits until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
