"""Items that callers wait for, one by one or together in a request."""

import asyncio
from concurrent.futures import InvalidStateError
from contextlib import suppress
from copy import copy
from typing import Any

from palaestra.client.errors import BUSY, LATE, LOSSES, LOST, DeadlinePassed, ServiceError
from palaestra.client.structs import ItemResult


class Ticket:
    """An item that a caller waits for."""

    __slots__ = ("batch", "env", "future", "item", "losses", "until")

    def __init__(self, future: Any, env: str, item: bytes, until: float | None) -> None:
        self.future, self.env, self.item, self.until = future, env, item, until
        self.batch: Batch | None = None
        self.losses = 0

    def is_final(self, result: ItemResult) -> bool:
        """Whether a result is final, and not a reason to send the item again."""
        self.losses += result.error == LOST
        return result.error not in BUSY or self.losses >= LOSSES

    def give(self, result: ItemResult) -> None:
        """Deliver its result."""
        with suppress(InvalidStateError, asyncio.InvalidStateError):  # nobody waits any more
            self.future.set_result(result)

    def fail(self, fault: BaseException) -> None:
        """It has none, unless it has one already. Each who waits gets an error of his own."""
        own = copy(fault) if isinstance(fault, ServiceError) else fault
        own.__cause__ = fault.__cause__
        with suppress(InvalidStateError, asyncio.InvalidStateError):
            self.future.set_exception(own)

    def leave(self) -> None:
        """Give it up: no caller waits for it any more."""
        self.future.cancel()
        if not self.future.cancelled():
            self.future.exception()  # it has been seen
        elif self.batch is not None:
            self.batch.left()

    def outcome(self) -> Any:
        """Its answer, or the error in place of it."""
        if self.future.cancelled() or not self.future.done():
            return DeadlinePassed(LATE, 504)
        return self.future.exception() or self.future.result()


class Batch(list[Ticket]):
    """The items of one request, which is cancelled when no caller waits for any of them."""

    task: "asyncio.Task[None] | None" = None

    def left(self) -> None:
        """One of those who wait has gone."""
        if self.task is not None and all(ticket.future.done() for ticket in self):
            self.task.cancel()
