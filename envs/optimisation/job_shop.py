"""Job-shop scheduling for the shortest makespan, as set by Henry Fisher and Gerald Thompson (1963).

The optimum is proven by branch and bound, and only what is proven in a bounded number of steps is
asked.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from random import Random
from typing import Self

from palaestra.generators.optimisation.job_shop import (
    Found,
    Jobs,
    branch_and_bound,
    dispatched,
    in_turn,
)
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.certificates import gap, schedule_flaw, steps
from palaestra.verifiers.reading.values import joined, rows_of_integers


def unlabelled(line: str, number: int) -> str:
    """The start times of a job without its name before them.

    >>> unlabelled("Job 2: 0, 3, 6", 2), unlabelled("Job 1: 0, 3, 6", 2)
    ('0, 3, 6', 'Job 1: 0, 3, 6')
    """
    name, colon, times = line.partition(":")
    return times.strip() if colon and name.casefold().split() == ["job", str(number)] else line


class JobShop(Puzzle):
    """Plan when each operation of each job runs on its machine, so that all is done soonest."""

    tags = {"optimisation", "scheduling", "search"}

    class Knobs(Puzzle.Knobs):
        jobs: int = ladder(3, 3, 4, 4, 5, 5, 6)
        machines: int = ladder(3, 4, 3, 4, 4, 5, 4, low=2)
        longest: int = ladder(6, 8, 9, 9, 12, 12, 15, low=4, high=99)  # duration

    jobs: Jobs

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        machines = range(knobs.machines)
        jobs = (
            tuple((m, rng.randint(1, knobs.longest)) for m in rng.sample(machines, len(machines)))
            for _ in range(knobs.jobs)
        )
        return cls(jobs=tuple(jobs))

    def best(self) -> Found:
        """A schedule of least makespan."""
        return branch_and_bound(self.jobs)

    def baseline(self) -> int:
        """The least makespan that a dispatching rule comes to."""
        return min(makespan for makespan, _ in dispatched(self.jobs))

    def is_valid(self) -> bool:
        baseline = self.baseline()
        return self.best().makespan < baseline and self.best().proven

    def canonical(self) -> str:
        return repr(sorted(self.jobs))

    def prompt(self) -> str:
        listed = "\n".join(
            f"Job {number}: "
            + ", ".join(f"machine {machine + 1} for {duration}" for machine, duration in job)
            for number, job in enumerate(self.jobs, 1)
        )
        task = self.phrase(
            f"Schedule {len(self.jobs)} jobs so that the last one is done as early as possible.",
            f"There are {len(self.jobs)} jobs to be done. Schedule them so that all of them are "
            "done as early as possible.",
        )
        shape = joined(range(0, 3 * len(self.jobs[0]), 3))
        return (
            f"{task} Each job is a sequence of operations, which run one after the other in the "
            "order given, each on its own machine and for so many units of time. A machine runs "
            "one operation at a time and does not interrupt it. Time starts at 0, and an "
            f"operation may start at the moment when another ends.\n\n{listed}\n\nIf several "
            f"schedules are equally good, any of them will do. Write {len(self.jobs)} lines, one "
            "for each job in the order above: the start times, whole numbers, of its operations "
            f"in their order, such as '{shape}'."
        )

    def answer(self) -> str:
        return self.as_text(self.best().starts)

    def as_text(self, starts: Sequence[Sequence[int]]) -> str:
        """A schedule as an answer."""
        return "\n".join(map(joined, starts))

    def read(self, answer: str) -> list[list[int]]:
        """The start times that an answer gives."""
        starts = rows_of_integers("\n".join(map(unlabelled, steps(answer), count(1))))
        if list(map(len, starts)) != list(map(len, self.jobs)):
            raise InvalidAnswer("not a line for each job with the start time of each operation")
        return starts

    def makespan(self, starts: Sequence[Sequence[int]]) -> int:
        """When the last job ends."""
        return max(begun[-1] + job[-1][1] for begun, job in zip(starts, self.jobs))

    def verify(self, answer: str) -> Score:
        starts = self.read(answer)
        if flaw := schedule_flaw(starts, self.jobs):
            return Score(0, flaw)
        makespan = min(self.makespan(starts), 10**9)
        worth = gap(makespan, self.baseline(), self.best().makespan)
        reason = "" if worth == 1 else "the schedule is feasible, but there is a shorter one"
        return Score(worth, reason, {"makespan": makespan})

    def audit(self, answer: str) -> bool:
        """Whether no moment of the least makespan sees a job or a machine at two operations."""
        starts, end = self.read(answer), self.best().makespan
        if self.makespan(starts) > end or min(map(min, starts)) < 0:
            return False
        taken: list[tuple[str, int, int]] = []
        for number, (job, begun) in enumerate(zip(self.jobs, starts)):
            for (machine, duration), start in zip(job, begun):
                for moment in range(start, min(start + duration, end + 1)):
                    taken += [("job", number, moment), ("machine", machine, moment)]
        in_order = all(list(begun) == sorted(begun) for begun in starts)
        return in_order and len(taken) == len(set(taken))

    def difficulty(self) -> float:
        return self.best().looked

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, [*(s for _, s in dispatched(self.jobs)), in_turn(self.jobs)])
