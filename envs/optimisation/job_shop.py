"""Job-shop scheduling for the shortest makespan, as set by Henry Fisher and Gerald Thompson (1963).

Branch and bound proves the optimum; tasks for which the proof takes too many steps are discarded.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Self

from palaestra.generators.optimisation.job_shop import (
    Jobs,
    Shop,
    branch_and_bound,
    dispatch,
    dispatch_at_once,
    dispatched,
    first_come,
    most_work_left,
    sequential,
    shortest_operation,
)
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Bar, Cell, Grid, Panels, Timeline
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.certificates import schedule_violation
from palaestra.verifiers.reading.matrices import lists_of_integers
from palaestra.verifiers.reading.values import joined


class JobShop(Optimum):
    """Schedule the operations of several jobs on machines with the least makespan."""

    version = 3
    tags = {"optimisation", "scheduling", "search"}
    quantity = "makespan"
    baseline_note = (
        "optima are proved for small shops only, and in one of those a dispatching rule is now and "
        "then optimal by luck"
    )

    class Knobs(Optimum.Knobs):
        jobs: int = ladder(3, 3, 4, 4, 5, 5, 6)
        machines: int = ladder(3, 4, 3, 4, 4, 5, 5, low=2)
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

    def is_valid(self) -> bool:
        return super().is_valid() and branch_and_bound(self.jobs).proven

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

    def scene(self) -> Grid:
        """The time of each operation, with its machine in the corner."""
        rows = tuple(
            tuple(Cell(str(time), f"t{machine}", corner=f"M{machine + 1}") for machine, time in job)
            for job in self.jobs
        )
        return Grid(rows, left=tuple((f"Job {n}",) for n, _ in enumerate(rows, 1)))

    def solved_scene(self, answer: str) -> Panels:
        """Also a chart with a row for each machine, up to ten times the time of all operations."""
        limit = 10 * sum(time for job in self.jobs for _, time in job)
        rows: list[list[Bar]] = [[] for _ in self.jobs[0]]
        for n, (job, starts) in enumerate(zip(self.jobs, self.read(answer))):
            for (machine, time), start in zip(job, starts):
                if abs(start) <= limit:
                    rows[machine].append(Bar(start, start + time, f"J{n + 1}", f"t{n}"))
        low = min([0, *(bar.start for row in rows for bar in row)])
        labels = tuple(f"M{machine + 1}" for machine, _ in enumerate(rows))
        chart = Timeline(tuple(map(tuple, rows)), labels, start=low, end=1)
        return Panels((self.scene(), chart), columns=1)

    def read(self, answer: str) -> list[list[int]]:
        """The start times of the operations of each job."""
        starts = lists_of_integers(answer)
        if list(map(len, starts)) != list(map(len, self.jobs)):
            raise InvalidAnswer("expected a line for each job, with the start of each operation")
        return starts

    def as_text(self, solution: Sequence[Sequence[int]]) -> str:
        return "\n".join(map(joined, solution))

    def violation(self, solution: Any) -> str:
        return schedule_violation(solution, self.jobs)

    def worth(self, solution: Any) -> int:
        """The makespan, or 10⁹ if that is less."""
        ends: list[int] = [starts[-1] + job[-1][1] for starts, job in zip(solution, self.jobs)]
        return min(max(ends), 10**9)

    def search(self) -> SearchResult:
        best = branch_and_bound(self.jobs)
        return SearchResult(best.starts, best.examined)

    def baseline(self, best: int) -> int:
        return min(makespan for makespan, _ in dispatched(self.jobs))

    def naive_solutions(self) -> list[Any]:
        """The schedules of the dispatching rules, and one job after the other."""
        return [*(schedule for _, schedule in dispatched(self.jobs)), sequential(self.jobs)]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Dispatching rules in either direction, with and without waiting, and a random one."""
        rules: dict[str, Callable[[Shop, int], float]] = {
            "operation time": shortest_operation,
            "work left": lambda shop, job: -most_work_left(shop, job),
            "waiting time": first_come,
            "operations left": lambda shop, job: len(shop.jobs[job]) - len(shop.starts[job]),
        }
        players: dict[str, Any] = {}
        for name, rule in rules.items():
            for sign, end in ((1, "least"), (-1, "most")):
                keyed = partial(self.signed, rule, sign, [rng.random() / 2 for _ in self.jobs])
                players[f"{end} {name} first"] = dispatch_at_once(self.jobs, keyed)
                players[f"{end} {name} first, with waiting"] = dispatch(self.jobs, keyed)[1]
        players["random choice"] = dispatch_at_once(self.jobs, lambda shop, job: rng.random())
        return players

    @staticmethod
    def signed(
        rule: Callable[[Shop, int], float], sign: int, ties: list[float], shop: Shop, job: int
    ) -> float:
        """A rule, turned round if ``sign`` is -1, with ties broken by the numbers of ``ties``."""
        return sign * rule(shop, job) + ties[job]

    def audit(self, answer: str) -> bool:
        """Whether no job and no machine has two operations at any time of the least makespan."""
        schedule, end = self.read(answer), branch_and_bound(self.jobs).makespan
        if self.worth(schedule) > end or min(map(min, schedule)) < 0:
            return False
        busy: list[tuple[str, int, int]] = []
        for number, (job, starts) in enumerate(zip(self.jobs, schedule)):
            for (machine, duration), start in zip(job, starts):
                for time in range(start, min(start + duration, end + 1)):
                    busy += [("job", number, time), ("machine", machine, time)]
        in_order = all(starts == sorted(starts) for starts in schedule)
        return in_order and len(busy) == len(set(busy))
