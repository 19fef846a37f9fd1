"""Job shops: partial schedules, dispatching rules, and branch and bound.

A job is a sequence of operations, each on its machine, which runs one at a time. The search
branches over active schedules, after Bernard Giffler and Gerald Thompson (1960).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

Operation = tuple[int, int]
"""The machine and the duration of an operation."""

Jobs = tuple[tuple[Operation, ...], ...]
Starts = tuple[tuple[int, ...], ...]
"""The start of each operation of each job."""


class Shop:
    """A partial schedule: the starts so far, and when each job and machine is free again."""

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self.starts: list[list[int]] = [[] for _ in jobs]
        self.job_free = [0] * len(jobs)
        self.machine_free = [0] * (1 + max(machine for job in jobs for machine, _ in job))
        self.tails = [
            [sum(duration for _, duration in job[step:]) for step in range(len(job) + 1)]
            for job in jobs
        ]

    def ready(self) -> list[tuple[int, int, int, int]]:
        """The next operation of each job: its earliest end and start, its machine and its job."""
        jobs = []
        for job, begun in enumerate(self.starts):
            if len(begun) < len(self.jobs[job]):
                machine, duration = self.jobs[job][len(begun)]
                start = max(self.job_free[job], self.machine_free[machine])
                jobs.append((start + duration, start, machine, job))
        return jobs

    def conflict(self) -> list[int]:
        """The jobs that compete for the machine on which the next operation can end first."""
        ready = self.ready()
        if not ready:
            return []
        end, _, machine, _ = min(ready)
        return [job for _, start, on, job in ready if on == machine and start < end]

    def run(self, job: int) -> tuple[int, int]:
        """Start the next operation of a job; return what :meth:`undo` needs."""
        machine, duration = self.jobs[job][len(self.starts[job])]
        before = self.job_free[job], self.machine_free[machine]
        start = max(before)
        self.starts[job].append(start)
        self.job_free[job] = self.machine_free[machine] = start + duration
        return before

    def undo(self, job: int, before: tuple[int, int]) -> None:
        """Remove the last operation of a job."""
        self.starts[job].pop()
        machine, _ = self.jobs[job][len(self.starts[job])]
        self.job_free[job], self.machine_free[machine] = before

    def bound(self) -> int:
        """A lower bound on the makespan of all schedules that continue this one.

        A job takes at least the time of its remaining operations; a machine that of its own, and
        then the least that follows one of them.
        """
        least = max(self.machine_free)
        work = [0] * len(self.machine_free)
        first, after = [10**9] * len(work), [10**9] * len(work)
        for job, begun in enumerate(self.starts):
            tails, now = self.tails[job], self.job_free[job]
            least = max(least, now + tails[len(begun)])
            for step in range(len(begun), len(self.jobs[job])):
                machine, duration = self.jobs[job][step]
                work[machine] += duration
                first[machine] = min(first[machine], max(now, self.machine_free[machine]))
                after[machine] = min(after[machine], tails[step + 1])
                now += duration
        return max(least, *(a + b + c for a, b, c in zip(first, work, after) if b), 0)


def dispatch(jobs: Jobs, rule: Callable[[Shop, int], float]) -> tuple[int, Starts]:
    """The makespan and the schedule that result if the job of least ``rule`` goes first."""
    shop = Shop(jobs)
    while waiting := shop.conflict():
        shop.run(min(waiting, key=lambda job: (rule(shop, job), job)))
    return max(shop.job_free), tuple(map(tuple, shop.starts))


def dispatch_at_once(jobs: Jobs, rule: Callable[[Shop, int], float]) -> Starts:
    """The schedule in which no machine waits while an operation is ready for it.

    Of the operations that can start first, that of the job of least ``rule`` does.
    """
    shop = Shop(jobs)
    while ready := shop.ready():
        first = min(start for _, start, _, _ in ready)
        waiting = [job for _, start, _, job in ready if start == first]
        shop.run(min(waiting, key=lambda job: rule(shop, job)))
    return tuple(map(tuple, shop.starts))


def shortest_operation(shop: Shop, job: int) -> int:
    """The rule to run the shortest operation first."""
    return shop.jobs[job][len(shop.starts[job])][1]


def most_work_left(shop: Shop, job: int) -> int:
    """The rule to run the job with the most remaining work first."""
    return -shop.tails[job][len(shop.starts[job])]


def first_come(shop: Shop, job: int) -> int:
    """The rule to run the job first that has waited for the longest time."""
    return shop.job_free[job]


def first_listed(shop: Shop, job: int) -> int:
    """The rule to run the jobs in the order of the list."""
    return job


@lru_cache(maxsize=256)
def dispatched(jobs: Jobs) -> tuple[tuple[int, Starts], ...]:
    """The makespan and the schedule of each dispatching rule."""
    rules = (shortest_operation, most_work_left, first_come, first_listed)
    return tuple(dispatch(jobs, rule) for rule in rules)


def sequential(jobs: Jobs) -> Starts:
    """The schedule that starts each job when the previous one ends."""
    starts, now = [], 0
    for job in jobs:
        starts.append(tuple(now + sum(d for _, d in job[:step]) for step in range(len(job))))
        now += sum(duration for _, duration in job)
    return tuple(starts)


class Schedule(NamedTuple):
    """A schedule, its makespan, the number examined, and whether it is proven optimal."""

    makespan: int
    starts: Starts
    examined: int
    proven: bool


@lru_cache(maxsize=256)
def branch_and_bound(jobs: Jobs, budget: int = 2_000) -> Schedule:
    """A schedule of least makespan, proven if ``budget`` nodes of the search tree are enough.

    >>> branch_and_bound((((0, 3), (1, 1)), ((1, 2), (0, 2)))).makespan
    5
    """
    shop = Shop(jobs)
    best, starts = min(dispatched(jobs))
    least, examined = shop.bound(), 0

    def search() -> None:
        nonlocal best, starts, examined
        waiting = shop.conflict()
        if not waiting:
            best, starts = max(shop.job_free), tuple(map(tuple, shop.starts))
            return
        branches = []
        for job in waiting:
            before = shop.run(job)
            branches.append((shop.bound(), job))
            shop.undo(job, before)
        for bound, job in sorted(branches):
            examined += 1
            if bound < best and best > least and examined <= budget:
                before = shop.run(job)
                search()
                shop.undo(job, before)

    search()
    return Schedule(best, starts, examined, examined <= budget or best == least)
