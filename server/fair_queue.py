"""Whose turn it is: slow work is begun in the order of keys in a circle, not of requests.

One key with a thousand slow requests waits for itself: another's first one is next. What is drawn
at a level goes before what is drawn with knobs set by hand, whose cost nobody has measured, and one
place is kept free of the latter, so that it cannot hold up everything else at once.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from palaestra.server.problems import DeadlineExceeded, Overloaded

EXPIRED = "the deadline passed before this was begun"
TOO_MANY_WAITING = "too many verdicts are waiting; try again"

MEMORY = 0.9
"""How much of the usual length of a turn is that of the turns before the last one."""

LONGEST_S = 60.0
"""The longest time after which a client is asked to come back."""


def check_deadline(deadline: float | None) -> None:
    """Raises :class:`DeadlineExceeded` after a deadline."""
    if deadline is not None and deadline <= monotonic():
        raise DeadlineExceeded(EXPIRED)


class RoundRobin:
    """Those who wait, by key; keys take turns, and of one key the first goes first."""

    def __init__(self) -> None:
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def join(self, name: str, turn: asyncio.Future[None]) -> None:
        """Wait behind the others of the same key."""
        self.waiting.setdefault(name, deque()).append(turn)

    def next(self) -> asyncio.Future[None] | None:
        """Whose turn it is; nothing where nobody waits any more."""
        while self.waiting:
            name, line = next(iter(self.waiting.items()))
            turn = line.popleft()
            if line:
                self.waiting.move_to_end(name)
            else:
                del self.waiting[name]
            if not turn.done():  # it may have been given up
                return turn
        return None


class FairQueue:
    """So many places for slow work.

    ``most`` requests may wait; where several keys share the lane, each as many as there is still
    room for others.
    """

    def __init__(self, size: int, most: int, is_shared: bool = False) -> None:
        self.size, self.most, self.is_shared = size, most, is_shared
        self.busy = self.by_hand = 0
        self.waiting: Counter[str] = Counter()
        self.levels, self.knobs = RoundRobin(), RoundRobin()
        self.usual_s = 0.0

    @property
    def by_hand_most(self) -> int:
        """How many places may be taken by what is drawn with knobs set by hand."""
        return max(1, self.size - 1)

    def check_capacity(self, name: str, number: int = 1) -> None:
        """Raises :class:`Overloaded` where so many more of a key may not wait."""
        free = self.most - self.waiting.total() - number
        if free < (self.waiting[name] + number if self.is_shared else 0):
            rounds = self.waiting.total() / self.size
            raise Overloaded(TOO_MANY_WAITING, min(rounds * self.usual_s, LONGEST_S))

    @asynccontextmanager
    async def turn(
        self, name: str, by_hand: bool = False, deadline: float | None = None
    ) -> AsyncIterator[None]:
        """A turn of a key.

        Raises :class:`Overloaded` where too many wait, and :class:`DeadlineExceeded` where the
        deadline passes first.
        """
        check_deadline(deadline)
        await self._taken(name, by_hand, deadline)
        start = monotonic()
        try:
            yield
        finally:
            self.usual_s = MEMORY * self.usual_s + (1 - MEMORY) * (monotonic() - start)
            self._left(by_hand)

    async def _taken(self, name: str, by_hand: bool, deadline: float | None) -> None:
        is_next = not self.levels.waiting and not (by_hand and self.knobs.waiting)
        if is_next and self._is_free(by_hand):
            self._take(by_hand)
            return
        self.check_capacity(name)
        turn = asyncio.get_running_loop().create_future()
        (self.knobs if by_hand else self.levels).join(name, turn)
        self.waiting[name] += 1
        try:
            async with asyncio.timeout_at(_on_loop(deadline)):
                await turn
        except BaseException as fault:
            if turn.done() and not turn.cancelled():  # it came, and nobody is there to take it
                self._left(by_hand)
            if isinstance(fault, TimeoutError):
                raise DeadlineExceeded(EXPIRED) from None
            raise
        finally:
            self.waiting[name] -= 1
            if not self.waiting[name]:
                del self.waiting[name]

    def _is_free(self, by_hand: bool) -> bool:
        return self.busy < self.size and not (by_hand and self.by_hand >= self.by_hand_most)

    def _take(self, by_hand: bool) -> None:
        self.busy += 1
        self.by_hand += by_hand

    def _left(self, by_hand: bool) -> None:
        self.busy -= 1
        self.by_hand -= by_hand
        for circle, hand in ((self.levels, False), (self.knobs, True)):
            while self._is_free(hand) and (turn := circle.next()) is not None:
                self._take(hand)
                turn.set_result(None)


def _on_loop(deadline: float | None) -> float | None:
    """A deadline by the clock of the event loop."""
    if deadline is None:
        return None
    return asyncio.get_running_loop().time() + max(0.0, deadline - monotonic())
