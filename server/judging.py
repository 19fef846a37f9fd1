"""Judging without holding anybody up: at once what is cheap, elsewhere what is not.

Most verdicts take less than handing them over would, and are made on the event loop. What is heavy,
drawn with knobs set by hand, at levels or of a length that nobody has measured goes to worker
processes, which can be killed. So does what is judged by running programs, to worker processes of
its own, which wait for the jails of their sandbox.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from os import cpu_count
from threading import Lock
from time import monotonic, perf_counter
from typing import Any, TypeVar

from palaestra.address import Address, BadAddress, StaleVersion
from palaestra.catalog import recorded_fingerprint
from palaestra.episode import EpisodeOver
from palaestra.observations import TEXT, View
from palaestra.scoring import Item, TaskOpening, judged_at, opening, score_many
from palaestra.server import recipes
from palaestra.server.auth import CURRENT_KEY
from palaestra.server.disconnects import cancel_with_request
from palaestra.server.fair_queue import FairQueue
from palaestra.server.problems import (
    ImagesUnavailable,
    InvalidRequest,
    NoMemory,
    WorkerLost,
    slug_of,
)
from palaestra.server.store import Rollout, Store
from palaestra.server.structs import Result, ScoreRequest
from palaestra.server.targets import Target, resolved
from palaestra.task import JudgeError, KnobError, NoValidTask
from palaestra.workers.pool import Failed, Late, OutOfMemory, WorkerFault, Workers
from palaestra.workers.pool import workers as shared_workers

WAITING = 4_096
"""How many verdicts may wait for a worker before further ones are refused."""

SANDBOXED_MB = 16_384
"""The address space of a worker that has a sandbox. Its jails have limits of their own, but none
above this; engines of other languages reserve much more than they use.
"""

DRAWING_S = 10.0
"""How long a task may take to be drawn in a worker process, and a move to be made there."""

REPORTED_ERRORS: dict[str, type[Exception]] = {
    wish_type.__name__: wish_type
    for wish_type in (
        *(
            EpisodeOver,
            NoValidTask,
            KnobError,
            BadAddress,
            StaleVersion,
            InvalidRequest,
            JudgeError,
        ),
        ImagesUnavailable,
    )
}
"""Errors of ours that a worker process may tell of."""

SOLVING_S = 30.0
"""How long a perfect player may think."""

T = TypeVar("T")


class _Sandboxed:
    """The pool of worker processes with a sandbox, and who may make it."""

    lock = Lock()
    pool: Workers | None = None


def sandboxed_workers() -> Workers:
    """The pool of worker processes of this process that run programs, each in jails of its own.

    It has as many workers as the pool for everything else, and none before the first program.
    """
    with _Sandboxed.lock:
        if _Sandboxed.pool is None or _Sandboxed.pool.closed:
            _Sandboxed.pool = Workers(
                shared_workers().size, memory_mb=SANDBOXED_MB, warm=["palaestra.server.programs"]
            )
        return _Sandboxed.pool


class Judge:
    """Judges episodes for one server process; with a store, what is scored is recorded there.

    Where it ``is_shared`` by several keys, none may fill the lanes in which slow work waits.
    """

    def __init__(
        self,
        workers: Workers | None = None,
        threads: int | None = None,
        record: Store | None = None,
        is_shared: bool = False,
    ) -> None:
        self.own = workers
        number = threads or 2 * (cpu_count() or 1)
        self.threads = ThreadPoolExecutor(number, "judge")
        self.record = record
        lane = partial(FairQueue, most=WAITING, is_shared=is_shared)
        size = self.workers.size
        self.lanes = {"worker": lane(size), "sandbox": lane(size), "thread": lane(number)}

    @property
    def workers(self) -> Workers:
        """The pool of worker processes; where others have closed the shared one, the next."""
        return self.own or shared_workers()

    @property
    def waiting(self) -> int:
        """How many wait for their turn at what is slow."""
        return sum(lane.waiting.total() for lane in self.lanes.values())

    def check_capacity(self, number: int) -> None:
        """Raises :class:`Overloaded` where so many more verdicts of who asks may not wait."""
        name = CURRENT_KEY.get().name
        for lane in self.lanes.values():
            lane.check_capacity(name, number)

    def close(self) -> None:
        """Ends the threads; workers are shared, and stay."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------ verdicts

    def score_inline(self, item: ScoreRequest) -> Result | None:
        """The verdict where it is cheap, or nothing where it is to be waited for.

        It is the caller's to have :meth:`keep` record it.
        """
        return None if item.recipe is not None else _on_loop(resolved(item.address), item)

    async def judged(
        self, item: ScoreRequest, deadline: float | None = None, owner: str = ""
    ) -> Result:
        """The verdict, wherever it is made, and the reward that a recipe makes of it. Raises what
        is wrong with the request.
        """
        target = resolved(item.address)
        if item.recipe is not None:
            recipes.read(item.recipe)  # what is wrong with it is said before anything is judged
        done = _on_loop(target, item) or await self._sent_away(target, item, deadline)
        if item.recipe is not None:
            done.reward = await self.in_thread(recipes.rewarded, item, done)
        await self.keep([item], [done], owner)
        return done

    async def keep(
        self, items: Sequence[ScoreRequest | Result], done: Sequence[Result], owner: str = ""
    ) -> None:
        """Records scores, where they are recorded; they are to be told to nobody before."""
        if self.record is None:
            return
        rollouts = [
            Rollout(
                owner, "", one.address, item.answer_format, None,
                (item.replies,) if isinstance(item.replies, str) else tuple(item.replies),
                one.value, one.status, one.fingerprint or "",
            )
            for item, one in zip(items, done)
            if isinstance(item, ScoreRequest) and one.value is not None
        ]  # fmt: skip
        if rollouts:
            await self.record.record(rollouts)

    async def _sent_away(
        self, target: Target, item: ScoreRequest, deadline: float | None
    ) -> Result:
        """The verdict, made in a worker process or waited for in a thread."""
        arguments = (target.text, item.replies, item.answer_format)
        wall_s = item.timeout_ms / 1000
        start = perf_counter()
        try:
            if target.executor == "thread":
                async with self.turn(deadline):
                    work = self.in_thread(_judged_in_thread, *arguments)
                    done = await asyncio.wait_for(work, wall_s)
            else:
                done = await self.away(
                    target,
                    "palaestra.scoring:judged_at",
                    *arguments,
                    wall_s=wall_s,
                    deadline=deadline,
                )
        except (Late, TimeoutError):
            fault = JudgeError(f"judging took longer than {wall_s:g} s")
            return failed(fault, target.text, perf_counter() - start)
        except WorkerLost as lost:
            return failed(lost, target.text, perf_counter() - start)
        return _result(target, done)

    async def attempted(
        self, item: ScoreRequest, deadline: float | None = None, owner: str = ""
    ) -> Result:
        """The same, with an error as the result of this one item."""
        try:
            return await self.judged(item, deadline, owner)
        except Exception as fault:  # noqa: BLE001  one item never fails a batch, nor becomes a 0
            return failed(fault, item.address)

    # ------------------------------------------------------------------ tasks

    async def opened(
        self,
        address: Address,
        answer_format: str,
        deadline: float | None = None,
        view: View = TEXT,
    ) -> TaskOpening:
        """A task as its player meets it. Images are made in worker processes.

        Raises :class:`JudgeError` where drawing it takes too long, or :class:`KnobError` where that
        is due to knobs set by hand.
        """
        target = resolved(str(address))
        if target.executor == "loop" and not view.has_image:
            return opening(address, answer_format)
        if target.executor == "thread" and not view.has_image:
            return await self.in_thread(opening, address, answer_format)
        work: tuple[Any, ...] = ("palaestra.scoring:opened_at", target.text, answer_format)
        if view.has_image:
            function = "palaestra.server.drawings:opened_with_image"
            work = (function, target.text, answer_format, view.observation, view.size)
        try:
            fields = await self.away(target, *work, wall_s=DRAWING_S, deadline=deadline)
        except (Late, NoMemory) as fault:
            raise too_much(target, fault, f"drawing {address}", DRAWING_S) from None
        return TaskOpening(fields["address"], tuple(fields["messages"]), tuple(fields["tools"]))

    async def solved(self, address: Address, deadline: float | None = None) -> list[str]:
        """The moves of the perfect player.

        Raises :class:`JudgeError` where it thinks for too long, or :class:`KnobError` where that is
        due to knobs set by hand.
        """
        target = resolved(str(address))
        if target.executor == "thread":
            async with self.turn(deadline):
                return await self.in_thread(solved_at, target.text)
        try:
            moves: list[str] = await self.away(
                target, "palaestra.server.judging:solved_at", target.text,
                wall_s=SOLVING_S, deadline=deadline,
            )  # fmt: skip
        except (Late, NoMemory) as fault:
            raise too_much(target, fault, f"solving {address}", SOLVING_S) from None
        return moves

    async def scene_of(
        self, address: Address, answer: str | None, deadline: float | None = None
    ) -> dict[str, Any]:
        """The scene of a task and its shapes; see :mod:`palaestra.server.drawings`.

        Raises what :meth:`solved` raises.
        """
        target = resolved(str(address))
        work = "palaestra.server.drawings:drawn_at"
        try:
            fields: dict[str, Any] = await self.away(
                target, work, target.text, answer, wall_s=DRAWING_S, deadline=deadline
            )
        except (Late, NoMemory) as fault:
            raise too_much(target, fault, f"drawing {address}", DRAWING_S) from None
        return fields

    async def check_of(
        self, address: Address, answer: str, lines: Sequence[str], deadline: float | None = None
    ) -> dict[str, Any]:
        """The check of a partial answer; see :mod:`palaestra.server.partial_answers`.

        Raises what :meth:`solved` raises.
        """
        target = resolved(str(address))
        work = "palaestra.server.partial_answers:checked_at"
        try:
            fields: dict[str, Any] = await self.away(
                target, work, target.text, answer, [*lines], wall_s=SOLVING_S, deadline=deadline
            )
        except (Late, NoMemory) as fault:
            raise too_much(target, fault, f"checking {address}", SOLVING_S) from None
        return fields

    # ------------------------------------------------------------------ elsewhere

    async def away(
        self,
        target: Target,
        work: str,
        *arguments: Any,
        wall_s: float,
        deadline: float | None = None,
    ) -> Any:
        """What some work about a task gives, done in a worker process when it is its turn.

        Raises what the work raises where that is one of our errors, :class:`Late` where it takes
        too long, :class:`WorkerLost` where the process dies, :class:`Gone` where the client leaves
        meanwhile, and what :meth:`Lane.turn` does.
        """
        lane = "sandbox" if target.executor == "sandbox" else "worker"
        return await cancel_with_request(
            self._in_turn(lane, target.by_hand, work, *arguments, wall_s=wall_s, deadline=deadline)
        )

    async def in_sandbox(
        self, work: str, *arguments: Any, wall_s: float, deadline: float | None = None
    ) -> Any:
        """What some work with programs gives, done in a worker process that has a sandbox.

        Raises what :meth:`away` does.
        """
        return await cancel_with_request(
            self._in_turn("sandbox", False, work, *arguments, wall_s=wall_s, deadline=deadline)
        )

    async def in_lane(
        self, lane: str, work: str, *arguments: Any, wall_s: float, deadline: float | None = None
    ) -> Any:
        """What some work gives whose cost nobody has measured, done in a worker process of a lane,
        ``worker`` or ``sandbox``.

        Raises what :meth:`away` does.
        """
        return await cancel_with_request(
            self._in_turn(lane, True, work, *arguments, wall_s=wall_s, deadline=deadline)
        )

    async def _in_turn(
        self,
        lane: str,
        by_hand: bool,
        work: str,
        *arguments: Any,
        wall_s: float,
        deadline: float | None,
    ) -> Any:
        async with self._turn(lane, by_hand, deadline):
            return await self._in_worker(lane, work, *arguments, wall_s=wall_s)

    async def _in_worker(self, lane: str, work: str, *arguments: Any, wall_s: float) -> Any:
        """What some work gives, whose time is taken off what the key of who asks may have.

        What runs in a sandbox counts by the clock, and so does what is killed.
        """
        pool = sandboxed_workers() if lane == "sandbox" else self.workers
        start, cpu_s = monotonic(), None
        try:
            done = await pool.acall(
                "palaestra.server.metering:metered", work, arguments, wall_s=wall_s
            )
            cpu_s = done["cpu_s"] if lane == "worker" else None
            return done["value"]
        except Failed as raised:
            if raised.type in REPORTED_ERRORS:
                raise REPORTED_ERRORS[raised.type](raised.message) from None
            raise RuntimeError(str(raised)) from raised
        except Late:
            raise
        except WorkerFault as lost:
            error_type = NoMemory if isinstance(lost, OutOfMemory) else WorkerLost
            reason = f"the worker that did this was lost ({lost}); try again"
            raise error_type(reason) from None
        finally:
            CURRENT_KEY.get().cpu.spend(monotonic() - start if cpu_s is None else cpu_s)

    async def in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        """What some work gives, done in a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, work, *arguments)

    @asynccontextmanager
    async def turn(self, deadline: float | None) -> AsyncIterator[None]:
        """A turn at what is slow and waited for in a thread.

        Raises what :meth:`Lane.turn` does.
        """
        async with self._turn("thread", False, deadline):
            start = monotonic()
            try:
                yield
            finally:
                CURRENT_KEY.get().cpu.spend(monotonic() - start)

    @asynccontextmanager
    async def _turn(self, lane: str, by_hand: bool, deadline: float | None) -> AsyncIterator[None]:
        key = CURRENT_KEY.get()
        key.demand_time()
        async with self.lanes[lane].turn(key.name, by_hand, deadline):
            yield


def too_much(target: Target, fault: Exception, work: str, wall_s: float) -> Exception:
    """The error of work with a task that took too long or too much memory. With knobs that were set
    by hand that is due to them.
    """
    late = f"took longer than {wall_s:g} s"
    if target.by_hand:
        much = "needs too much memory" if isinstance(fault, NoMemory) else late
        return KnobError(f"{work} {much}; ask for less")
    return fault if isinstance(fault, NoMemory) else JudgeError(f"{work} {late}")


def solved_at(address: str) -> list[str]:
    """The moves of the perfect player, as worker processes are asked for them."""
    return [*Address.parse(address).task().solve()]


def _judged_in_thread(address: str, replies: str | list[str], answer_format: str) -> dict[str, Any]:
    start = perf_counter()
    (score,) = score_many([Item(address, replies, answer_format)])
    return {
        "value": score.value, "correct": score.correct, "status": score.status,
        "reason": score.reason, "parts": dict(score.parts),
        "micros": round((perf_counter() - start) * 1e6),
        "error": slug_of(score) if isinstance(score, JudgeError) else None,
    }  # fmt: skip


# ------------------------------------------------------------------ results


def _on_loop(target: Target, item: ScoreRequest) -> Result | None:
    """The verdict, if it is one for the event loop."""
    if target.executor_for(item.replies, item.answer_format) != "loop":
        return None
    return _result(target, judged_at(target.task(), item.replies, item.answer_format))


def _result(target: Target, fields: dict[str, Any]) -> Result:
    """What :func:`palaestra.scoring.judged_at` told, as it goes over the wire."""
    return Result(address=target.text, fingerprint=target.fingerprint, **fields)


def failed(fault: Exception, address: str, seconds: float = 0.0) -> Result:
    """A result without a value: it is our fault that there is none."""
    slug = slug_of(fault)
    reason = f"the judge failed ({type(fault).__name__})" if slug == "internal" else str(fault)
    status = fault.status if isinstance(fault, JudgeError) else "infra_error"
    return Result(
        value=None, correct=None, status=status, reason=reason, address=address[:2_000],
        fingerprint=recorded_fingerprint(address.partition("@")[0]),
        micros=round(seconds * 1e6), error=slug,
    )  # fmt: skip
