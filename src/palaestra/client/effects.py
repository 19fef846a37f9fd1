"""Requests and their retries, described once for the synchronous and the asynchronous client.

Generators yield what is to be done next: a request (:class:`PlannedRequest`), a pause in seconds,
or a wait for items of batches (:class:`PendingItems`). Each client carries that out in its own way.
"""

from collections.abc import Callable, Generator, Sequence
from time import monotonic
from typing import Any, NamedTuple, TypeAlias, TypeVar

import httpx2 as httpx

from palaestra.backoff import Backoff, retry_after
from palaestra.client.errors import (
    LATE,
    LOSSES,
    LOST,
    RETRIED,
    DeadlinePassed,
    ServiceError,
    problem,
    refusal,
)
from palaestra.client.structs import Call, decoded
from palaestra.client.tickets import Ticket

BACKOFF = Backoff(first_s=0.1, longest_s=5.0)

T = TypeVar("T")


def until(deadline_s: float | None) -> float | None:
    """When a call is over its time, on our clock."""
    return None if deadline_s is None else monotonic() + deadline_s


def left_s(moment: float | None) -> float | None:
    """How many seconds there are until then."""
    return None if moment is None else max(0.0, moment - monotonic())


class RetryPolicy:
    """How long to go on trying: until a deadline, or for so many seconds since it last went well.

    Pauses are those of :data:`BACKOFF`.
    """

    def __init__(self, seconds: float, until: float | None = None) -> None:
        self.seconds, self.until = seconds, until
        self.renew()

    def renew(self) -> None:
        """It goes well."""
        self.tries, self.losses, self.end = 0, 0, self.until

    @property
    def left_s(self) -> float | None:
        """Seconds to the deadline, where there is one. Raises :class:`DeadlinePassed` after it."""
        if self.until is None:
            return None
        left = self.until - monotonic()
        if left <= 0:
            raise DeadlinePassed(LATE, 504)
        return left

    def pause(self, response: httpx.Response | None, fault: Exception | None) -> float:
        """How long to wait before the next try. Raises where there is to be none."""
        if response is not None and problem(response)[0] == LOST:
            self.losses += 1
            if self.losses >= LOSSES:
                raise refusal(response)
        header = response.headers.get("retry-after", "") if response is not None else ""
        pause = BACKOFF.pause(self.tries, retry_after(header.strip()))
        self.tries += 1
        if self.end is None:
            self.end = monotonic() + self.seconds
        if monotonic() + pause > self.end:
            why = f"it answers {response.status_code}" if response is not None else str(fault)
            status = getattr(fault, "status", None) if response is None else response.status_code
            error_type = ServiceError if self.until is None else DeadlinePassed
            raise error_type(f"gave up after {self.tries} tries: {why}", status) from fault
        return pause


class PlannedRequest(NamedTuple):
    """A request that is to be made now; of an answer in lines, ``on_chunk`` gets the pieces."""

    call: Call
    patience: RetryPolicy
    on_chunk: Callable[[bytes], None] | None = None


class PendingItems(NamedTuple):
    """Items that are under way and to be waited for; what comes back is their outcomes. With
    ``general``, an error that all of them will meet is raised.
    """

    tickets: Sequence[Ticket]
    until: float | None
    general: bool = False


Effects: TypeAlias = Generator[PlannedRequest | PendingItems | float, Any, T]
"""What has to be done, one thing after the other, and what comes of it. Sent back are responses and
outcomes; what hinders requests is thrown."""


def attempt(planned: PlannedRequest) -> Effects[httpx.Response | None]:
    """The response to a request, or nothing after the pause before another try."""
    response: httpx.Response | None = None
    fault: httpx.TransportError | None = None
    try:
        response = yield planned
    except httpx.TransportError as caught:
        fault = caught
    if response is None or response.status_code in RETRIED:
        yield planned.patience.pause(response, fault)
        return None
    if not response.is_success:
        raise refusal(response)
    return response


def fetch(call: Call, patience: RetryPolicy, type_: type[T]) -> Effects[T]:
    """The decoded response to a call, which is retried as long as its policy allows."""
    response = None
    while response is None:
        response = yield from attempt(PlannedRequest(call, patience))
    if response.status_code == 204:
        return type_()
    return decoded(response, type_)
