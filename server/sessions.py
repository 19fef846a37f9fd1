"""Sessions: episodes that a server keeps for its clients, and that outlive it.

An episode is its address and its replies, so a session is a name for those. Each server holds some
of them in play, and what it holds is only a shortcut: the store knows better, for another server
may have gone on with a session, or this one may have been started again.
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from time import time
from typing import Any

from msgspec import UNSET

from palaestra.address import Address
from palaestra.catalog import catalog
from palaestra.episode import Episode
from palaestra.server.judging import SHORT, Judge, plan
from palaestra.server.problems import (
    IdempotencyConflict,
    Invalid,
    Overloaded,
    StepConflict,
    UnknownSession,
)
from palaestra.server.store import Kept, Reply, Store
from palaestra.server.wire import REPLIES, Result, Standing
from palaestra.task import Match

IDLE_S, ABSOLUTE_S = 3_600.0, 86_400.0
"""How long sessions live that nobody uses, and how long at all."""

IN_PLAY = 4_096
"""How many sessions are held in play."""

MOST = 512
"""How many sessions one request may open."""


@dataclass(slots=True)
class Live:
    """A session in play."""

    kept: Kept
    episode: Episode
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Sessions:
    """The sessions of one server."""

    def __init__(
        self, store: Store, judge: Judge, idle_s: float = IDLE_S, absolute_s: float = ABSOLUTE_S
    ) -> None:
        self.store, self.judge = store, judge
        self.idle_s, self.absolute_s = idle_s, absolute_s
        self.live: OrderedDict[str, Live] = OrderedDict()

    # ------------------------------------------------------------------ opening

    async def open(  # noqa: PLR0913
        self,
        address: Address,
        *,
        owner: str = "",
        number: int = 1,
        style: str = "tags",
        seats: Sequence[int] | None = None,
        key: str | None = None,
    ) -> list[Standing]:
        """Opens sessions of one task; with a key, the same ones for the same request."""
        if not 1 <= number <= MOST:
            raise Invalid(f"sessions are opened from 1 to {MOST} at a time", "/n")
        episode = await self._played(address, style, seats, ())
        made = [
            Kept(_name(), owner, str(address), style, tuple(seats) if seats else None, time())
            for _ in range(number)
        ]
        names = await self._create(made, owner, key, f"{address}\n{number}\n{style}\n{seats}")
        if names != tuple(one.id for one in made):  # they were opened before
            return [await self.get(name, owner) for name in names]
        standings = []
        for one in made:
            live = self._hold(Live(one, episode if len(made) == 1 else episode.fork()))
            standings.append(standing(live, whole=True))
        return standings

    async def _create(
        self, made: Sequence[Kept], owner: str, key: str | None, request: str
    ) -> tuple[str, ...]:
        if key is None:
            names = await self.store.create(made)
        else:
            digest = sha256(request.encode()).hexdigest()
            names = await self.store.create(made, (owner, key[:200], digest))
        if names is None:
            raise IdempotencyConflict("this key was used for another request")
        return names

    # ------------------------------------------------------------------ playing

    async def step(self, session: str, step: int, move: str, owner: str = "") -> Standing:
        """Makes a move. The same step with the same move again is answered as it was then.

        Raises :class:`StepConflict` where it was made with another move, or is not the next.
        """
        live = await self._found(session, owner)
        async with live.lock:
            if step > len(live.episode.replies):
                live = await self._reloaded(live)  # another server may have gone on with it
            for _ in range(2):
                if step != len(live.episode.replies):
                    return await self._again(live, step, move)
                if live.episode.scores is not None:
                    raise StepConflict("the episode is over")
                if step >= REPLIES:
                    raise StepConflict(f"an episode has at most {REPLIES} replies")
                if await self.store.append(Reply(session, live.kept.generation, step, move)):
                    await self._heard(live, move)
                    return standing(live)
                live = await self._reloaded(live)
            raise StepConflict("others play this session at the same time")

    async def _heard(self, live: Live, move: str) -> None:
        """Plays on."""
        _, place = plan(live.kept.address)
        try:
            if place == "loop" and len(move) <= SHORT:
                live.episode.hear(move)
            else:
                async with self.judge.turn(None):
                    await self.judge.in_thread(live.episode.hear, move)
        except BaseException:
            self.live.pop(live.kept.id, None)  # it is kept, and played anew when it is asked for
            raise

    async def _again(self, live: Live, step: int, move: str) -> Standing:
        """What was answered to a step that was made before."""
        replies = live.episode.replies
        if step > len(replies):
            raise StepConflict(f"step {step} is not the next; that is {len(replies)}")
        if replies[step] != move:
            raise StepConflict(f"step {step} was made with another move")
        then = await self._played(
            Address.parse(live.kept.address), live.kept.style, live.kept.seats, replies[: step + 1]
        )
        return standing(Live(live.kept, then))

    # ------------------------------------------------------------------ the rest

    async def get(self, session: str, owner: str = "") -> Standing:
        """Where a session stands, with its transcript."""
        live = await self._found(session, owner)
        async with live.lock:
            if self.store.shared:
                live = await self._reloaded(live)
            return standing(live, whole=True)

    async def fork(self, session: str, number: int, owner: str = "") -> list[Standing]:
        """Opens sessions that stand where this one does."""
        if not 1 <= number <= MOST:
            raise Invalid(f"sessions are forked from 1 to {MOST} at a time", "/n")
        live = await self._found(session, owner)
        async with live.lock:
            replies = tuple(live.episode.replies)
            made = [
                replace(live.kept, id=_name(), generation=0, replies=replies, created=time())
                for _ in range(number)
            ]
            await self.store.create(made)
            forks = [Live(one, live.episode.fork()) for one in made]
        return [standing(self._hold(fork), whole=True) for fork in forks]

    async def rewind(self, session: str, step: int, owner: str = "") -> Standing:
        """Takes replies back, until there are ``step`` of them."""
        live = await self._found(session, owner)
        async with live.lock:
            if not 0 <= step <= len(live.episode.replies):
                told = f"there are {len(live.episode.replies)} steps to go back to, not {step}"
                raise Invalid(told, "/step")
            if not await self.store.rewind(session, live.kept.generation, step):
                await self._reloaded(live)
                raise StepConflict("others play this session at the same time")
            return standing(await self._reloaded(live), whole=True)

    async def delete(self, session: str, owner: str = "") -> None:
        """Forgets a session."""
        await self._found(session, owner)
        await self.store.delete(session)
        self.live.pop(session, None)

    async def sweep(self) -> int:
        """Forgets sessions that are over their time."""
        forgotten = await self.store.sweep(self.idle_s, self.absolute_s)
        if forgotten:
            self.live.clear()
        return forgotten

    # ------------------------------------------------------------------ in play

    async def _found(self, session: str, owner: str) -> Live:
        live = self.live.get(session)
        if live is None:
            kept = await self.store.load(session)
            if kept is None or kept.owner != owner:
                raise UnknownSession("there is no such session, or it is over its time")
            self._in_time(kept)
            live = self.live.get(session) or self._hold(Live(kept, await self._episode(kept)))
        elif live.kept.owner != owner:
            raise UnknownSession("there is no such session, or it is over its time")
        self.live.move_to_end(session)
        return live

    def _in_time(self, kept: Kept) -> None:
        now = time()
        if now - kept.touched > self.idle_s or now - kept.created > self.absolute_s:
            raise UnknownSession("there is no such session, or it is over its time")

    async def _reloaded(self, live: Live) -> Live:
        """The same as the store knows it."""
        kept = await self.store.load(live.kept.id)
        if kept is None:
            self.live.pop(live.kept.id, None)
            raise UnknownSession("there is no such session, or it is over its time")
        known = tuple(live.episode.replies)
        if kept.generation != live.kept.generation or kept.replies != known:
            live.episode = await self._episode(kept)
        live.kept = replace(kept, replies=())
        return live

    async def _episode(self, kept: Kept) -> Episode:
        return await self._played(
            Address.parse(kept.address), kept.style, kept.seats, kept.replies
        )  # fmt: skip

    async def _played(
        self, address: Address, style: str, seats: Sequence[int] | None, replies: Sequence[str]
    ) -> Episode:
        """An episode, played as far as the replies go."""
        _, place = plan(str(address))
        if place == "loop" and not replies:
            return _episode(address, style, seats, replies)
        async with self.judge.turn(None):
            return await self.judge.in_thread(_episode, address, style, seats, replies)

    def _hold(self, live: Live) -> Live:
        self.live[live.kept.id] = live
        while len(self.live) > IN_PLAY:
            oldest = next(iter(self.live.values()))
            if oldest.lock.locked():
                raise Overloaded("too many sessions are in play; try again")
            del self.live[oldest.kept.id]
        return live


def _name() -> str:
    return secrets.token_urlsafe(18)


def _episode(
    address: Address, style: str, seats: Sequence[int] | None, replies: Sequence[str]
) -> Episode:
    task = address.task()
    players = task.players if isinstance(task, Match) else 1
    if seats is not None and not (seats and {*seats} <= {*range(players)}):
        raise Invalid(f"seats are some of 0 to {players - 1}", "/seats")
    return Episode(task, style, replies, seats)


def standing(live: Live, whole: bool = False) -> Standing:
    """Where a session stands, as it goes over the wire."""
    episode, turn = live.episode, live.episode.turn
    told: dict[str, Any] = {}
    if whole:
        told = {"messages": episode.messages(), "tools": [*episode.task.tools()]}
    over = episode.scores is not None
    return Standing(
        session=live.kept.id,
        address=live.kept.address,
        step=len(episode.replies),
        done=over,
        player=episode.player,
        says=episode.says,
        reward=episode.rewards[-1] if episode.rewards else 0.0,
        earned=sum(episode.rewards),
        moves=None if over or turn.moves is None else [*turn.moves],
        state=None if over else turn.state,
        score=_scored(live) if over else None,
        messages=told.get("messages", UNSET),
        tools=told.get("tools", UNSET),
    )


def _scored(live: Live) -> Result:
    score = live.episode.result()
    row = catalog().get(live.kept.address.partition("@")[0], {})
    moves = live.episode.moves
    return Result(
        value=score.value, correct=score.correct, status=score.status, reason=score.reason,
        address=live.kept.address, parts=dict(score.parts),
        extracted=moves[-1][:2_000] if moves else None, fingerprint=row.get("fingerprint"),
    )  # fmt: skip
