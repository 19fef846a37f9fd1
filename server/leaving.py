"""Clients that hang up: what they asked for is given up, and with it the processes that do it."""

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any, TypeVar

from starlette.types import Receive

from palaestra.server.problems import Gone

T = TypeVar("T")

LISTENING: ContextVar[Receive | None] = ContextVar("palaestra.listening", default=None)
"""Where the request that is being answered tells of its end; nothing where somebody listens."""


async def unless_gone(work: Coroutine[Any, Any, T], receive: Receive) -> T:
    """What some work gives. Raises :class:`Gone` and gives it up when the client leaves."""
    before = LISTENING.set(None)  # for the work, which need not listen as well
    try:
        task = asyncio.create_task(work)
    finally:
        LISTENING.reset(before)
    leaving = asyncio.create_task(left(receive))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Gone
        return task.result()
    finally:
        leaving.cancel()
        task.cancel()


async def while_wanted(work: Coroutine[Any, Any, T]) -> T:
    """The same for whichever request is being answered, if it is one."""
    receive = LISTENING.get()
    return await (work if receive is None else unless_gone(work, receive))


async def left(receive: Receive) -> None:
    """Waits until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
