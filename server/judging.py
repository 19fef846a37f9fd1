"""Judging without holding anybody up: at once what is cheap, elsewhere what is not.

Most verdicts take less than handing them over would, and are made on the event loop. What is heavy,
drawn with knobs set by hand, at levels or of a length that nobody has measured goes to worker
processes, which can be killed; programs go to the sandbox's own jails, which threads wait for.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from os import cpu_count
from time import monotonic, perf_counter
from typing import Any, Literal, TypeVar

from palaestra.address import Address, BadAddress, StaleVersion
from palaestra.catalog import catalog
from palaestra.episode import STYLES, EpisodeOver
from palaestra.registry import load
from palaestra.scoring import Drawn, Item, judged_at, opening, score_many
from palaestra.server import recipes
from palaestra.server.problems import Expired, Invalid, NoPictures, Overloaded, WorkerLost, slug_of
from palaestra.server.store import Rollout, Store
from palaestra.server.wire import Result, Scoring
from palaestra.task import KnobError, NoFairTask, Task, Unreadable, Unscored
from palaestra.verifiers.workers import Failed, Late, WorkerFault, Workers
from palaestra.verifiers.workers import workers as shared_workers

Place = Literal["loop", "worker", "thread", "elsewhere"]
"""On the event loop; in a worker process; in a thread, which waits for the sandbox's jails; or, for
environments of other distributions, wherever :func:`palaestra.scoring.score_many` does it."""

QUICK_DRAW_US, QUICK_VERDICT_US = 1_500, 400
"""What may be drawn and judged on the event loop, by the catalog's figures at the middle level."""

SHORT = 4_096
"""Characters of replies, or of the moves in them, that are judged on the event loop."""

LONG = {"tags": 32_768, "bare": 32_768, "boxed": SHORT}
"""Characters of replies that are read there, to see whether the moves in them are that short."""

TRANSCRIPT = 4 << 20
"""How many characters the replies of an episode may have together. In JSON they are up to twelve
times as many bytes, which have to go over to a worker.
"""

WAITING = 4_096
"""How many verdicts may wait for a worker or a jail before further ones are refused."""

DRAWING_S = 10.0
"""How long a task may take to be drawn in a worker process, and a move to be made there."""

TOLD: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        *(EpisodeOver, NoFairTask, KnobError, BadAddress, StaleVersion, Invalid, Unscored),
        NoPictures,
    )
}
"""Errors of ours that a worker process may tell of."""

EXPIRED = "the deadline passed before this was begun"

SOLVING_S = 30.0
"""How long a perfect player may think."""

T = TypeVar("T")


@lru_cache(maxsize=8_192)
def plan(text: str) -> tuple[Address, Place]:
    """The address that a text is, and where its task is drawn and judged.

    Raises what :meth:`Address.parse` does.
    """
    address = Address.parse(text)
    kind = load(address.env)
    row = catalog().get(address.env)
    if row is None:
        return address, "elsewhere"
    if "sandboxed" in kind.tags:
        return address, "thread"
    if kind.heavy:
        return address, "worker"
    card, level = row["measured"], address.level
    if level is None or level > (row["levels"] - 1) // 2 + 1:
        return address, "worker"
    quick = card["draw_us"] <= QUICK_DRAW_US and card["verify_us"] <= QUICK_VERDICT_US
    return address, "loop" if quick else "worker"


def place_of(text: str, replies: str | list[str], style: str) -> Place:
    """Where an episode is judged. Raises :class:`Invalid` where its replies are too long."""
    _, place = plan(text)
    length = len(replies) if isinstance(replies, str) else sum(map(len, replies))
    if length > TRANSCRIPT:
        raise Invalid(f"the replies have at most {TRANSCRIPT} characters together", "/replies")
    if place != "loop":
        return place
    if length <= SHORT or (length <= LONG[style] and _moves_are_short(replies, style)):
        return "loop"
    return "worker"


def _moves_are_short(replies: str | list[str], style: str) -> bool:
    """Whether little is left of long replies once they are read; thoughts cost nothing to judge."""
    read, length = STYLES[style].read, 0
    for reply in [replies] if isinstance(replies, str) else replies:
        with suppress(Unreadable):
            length += len(read(reply))
    return length <= SHORT


@lru_cache(maxsize=8_192)
def _of(text: str) -> tuple[str, str | None]:
    """An address in its canonical form, and the fingerprint of its environment."""
    address, _ = plan(text)
    fingerprint: str | None = catalog().get(address.env, {}).get("fingerprint")
    return str(address), fingerprint


@lru_cache(maxsize=2_048)
def _drawn(text: str) -> tuple[Task, str, str | None]:
    """The task at an address, and what :func:`_of` says of that; by its text, which is quick to
    compare.
    """
    return plan(text)[0].task(), *_of(text)


@lru_cache(maxsize=8_192)
def is_remote(text: str) -> bool:
    """Whether even single moves of an episode are made in a worker process: where nobody has
    measured how long they take.
    """
    address, place = plan(text)
    return place == "worker" and (address.level is None or load(address.env).heavy)


class Judge:
    """Judges episodes for one server process; with a store, what is scored is recorded there."""

    def __init__(
        self,
        workers: Workers | None = None,
        threads: int | None = None,
        record: Store | None = None,
    ) -> None:
        self.own = workers
        self.threads = ThreadPoolExecutor(threads or 2 * (cpu_count() or 1), "judge")
        self.record = record
        self.waiting = 0
        self.at_once = asyncio.Semaphore(4 * self.workers.size)

    @property
    def workers(self) -> Workers:
        """The pool of worker processes; where others have closed the shared one, the next."""
        return self.own or shared_workers()

    def close(self) -> None:
        """Ends the threads; workers are shared, and stay."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------ verdicts

    def at_once_or_never(self, item: Scoring) -> Result | None:
        """The verdict where it is cheap, or nothing where it is to be waited for.

        It is the caller's to have :meth:`keep` record it.
        """
        return None if item.recipe is not None else self._cheap(item)

    def _cheap(self, item: Scoring) -> Result | None:
        if place_of(item.address, item.replies, item.style) != "loop":
            return None
        task, canonical, fingerprint = _drawn(item.address)
        told = judged_at(task, item.replies, item.style)
        return Result(address=canonical, fingerprint=fingerprint, **told)

    async def judged(self, item: Scoring, deadline: float | None = None, owner: str = "") -> Result:
        """The verdict, wherever it is made, and the reward that a recipe makes of it. Raises what
        is wrong with the request.
        """
        if item.recipe is not None:
            plan(item.address)
            recipes.read(item.recipe)  # what is wrong with it is said before anything is judged
        done = self._cheap(item) or await self._sent_away(item, deadline)
        if item.recipe is not None:
            done.reward = await self.in_thread(recipes.rewarded, item, done)
        await self.keep([item], [done], owner)
        return done

    async def keep(
        self, items: Sequence[Scoring | Result], done: Sequence[Result], owner: str = ""
    ) -> None:
        """Records scores, where they are recorded; they are to be told to nobody before."""
        if self.record is None:
            return
        told = [
            Rollout(
                owner, "", one.address, item.style, None,
                (item.replies,) if isinstance(item.replies, str) else tuple(item.replies),
                one.value, one.status, one.fingerprint or "",
            )
            for item, one in zip(items, done)
            if isinstance(item, Scoring) and one.value is not None
        ]  # fmt: skip
        if told:
            await self.record.record(told)

    async def _sent_away(self, item: Scoring, deadline: float | None) -> Result:
        """The verdict, made in a worker process or waited for in a thread."""
        address, place = plan(item.address)
        told = (str(address), item.replies, item.style)
        wall_s = item.timeout_ms / 1000
        start = perf_counter()
        try:
            async with self.turn(deadline):
                if place in {"thread", "elsewhere"}:
                    work = judged_at if place == "thread" else _judged_elsewhere
                    done = await asyncio.wait_for(self.in_thread(work, *told), wall_s)
                else:
                    done = await self.in_worker("palaestra.scoring:judged_at", *told, wall_s=wall_s)
        except (Late, TimeoutError):
            fault = Unscored(f"judging took longer than {wall_s:g} s")
            return failed(fault, str(address), perf_counter() - start)
        except WorkerLost as lost:
            return failed(lost, str(address), perf_counter() - start)
        return result(done, item.address)

    async def attempted(
        self, item: Scoring, deadline: float | None = None, owner: str = ""
    ) -> Result:
        """The same, with an error as the result of this one item."""
        try:
            return await self.judged(item, deadline, owner)
        except Exception as fault:  # noqa: BLE001  one item never fails a batch, nor becomes a 0
            return failed(fault, item.address)

    # ------------------------------------------------------------------ tasks

    async def opened(self, address: Address, style: str, deadline: float | None = None) -> Drawn:
        """A task as its player meets it.

        Raises :class:`Unscored` where drawing it takes too long.
        """
        _, place = plan(str(address))
        if place == "loop":
            return opening(address, style)
        if place == "elsewhere":
            return await self.in_thread(opening, address, style)
        try:
            async with self.turn(deadline):
                told = await self.in_worker(
                    "palaestra.scoring:opened_at", str(address), style, wall_s=DRAWING_S
                )
        except Late:
            raise Unscored(f"drawing {address} took longer than {DRAWING_S:g} s") from None
        return Drawn(told["address"], tuple(told["messages"]), tuple(told["tools"]))

    async def solved(self, address: Address, deadline: float | None = None) -> list[str]:
        """The moves of the perfect player.

        Raises :class:`Unscored` where it thinks for too long.
        """
        try:
            async with self.turn(deadline):
                if plan(str(address))[1] == "elsewhere":
                    return await self.in_thread(solved_at, str(address))
                moves: list[str] = await self.in_worker(
                    "palaestra.server.judging:solved_at", str(address), wall_s=SOLVING_S
                )
                return moves
        except Late:
            raise Unscored(f"solving {address} took longer than {SOLVING_S:g} s") from None

    # ------------------------------------------------------------------ elsewhere

    async def in_worker(self, work: str, *arguments: Any, wall_s: float) -> Any:
        """What some work gives, done in a worker process.

        Raises what the work raises where that is one of our errors, :class:`Late` where it takes
        too long, and :class:`WorkerLost` where the process dies.
        """
        try:
            return await self.workers.acall(work, *arguments, wall_s=wall_s)
        except Failed as raised:
            if raised.type in TOLD:
                raise TOLD[raised.type](raised.message) from None
            raise RuntimeError(str(raised)) from raised
        except Late:
            raise
        except WorkerFault as lost:
            raise WorkerLost(f"the worker that did this was lost ({lost}); try again") from None

    async def in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        """What some work gives, done in a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, work, *arguments)

    @asynccontextmanager
    async def turn(self, deadline: float | None) -> AsyncIterator[None]:
        """A turn at what is slow.

        Raises :class:`Overloaded` where too many wait for theirs, and :class:`Expired` where the
        deadline passes before it comes.
        """
        if self.waiting >= WAITING:
            raise Overloaded("too many verdicts are waiting; try again")
        in_time(deadline)
        self.waiting += 1
        try:
            async with asyncio.timeout(deadline and max(0.0, deadline - monotonic())):
                await self.at_once.acquire()
        except TimeoutError:
            raise Expired(EXPIRED) from None
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self.at_once.release()


def in_time(deadline: float | None) -> None:
    """Raises :class:`Expired` after a deadline."""
    if deadline is not None and deadline <= monotonic():
        raise Expired(EXPIRED)


def solved_at(address: str) -> list[str]:
    """The moves of the perfect player, as worker processes are asked for them."""
    return [*Address.parse(address).task().solve()]


def _judged_elsewhere(address: str, replies: str | list[str], style: str) -> dict[str, Any]:
    start = perf_counter()
    (score,) = score_many([Item(address, replies, style)])
    return {
        "value": score.value, "correct": score.correct, "status": score.status,
        "reason": score.reason, "parts": dict(score.parts),
        "micros": round((perf_counter() - start) * 1e6),
        "error": slug_of(score) if isinstance(score, Unscored) else None,
    }  # fmt: skip


# ------------------------------------------------------------------ results


def result(told: dict[str, Any], address: str) -> Result:
    """What :func:`palaestra.scoring.judged_at` told, as it goes over the wire."""
    canonical, fingerprint = _of(address)
    return Result(address=canonical, fingerprint=fingerprint, **told)


def failed(fault: Exception, address: str, seconds: float = 0.0) -> Result:
    """A result without a value: it is our fault that there is none."""
    slug = slug_of(fault)
    told = f"the judge failed ({type(fault).__name__})" if slug == "internal" else str(fault)
    status = fault.status if isinstance(fault, Unscored) else "infra_error"
    row = catalog().get(address.partition("@")[0], {})
    return Result(
        value=None, correct=None, status=status, reason=told, address=address[:2_000],
        fingerprint=row.get("fingerprint"), micros=round(seconds * 1e6), error=slug,
    )  # fmt: skip
