"""Total weighted tardiness on one machine with sequence-dependent setup times.

Without setup times the problem is Eugene Lawler's (1977), who shows that it is hard.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from math import exp
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders
from palaestra.generators.optimisation.single_machine import Job, best_order, penalty
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.task import ladder
from palaestra.verifiers.reading.numbered_items import numbers_of
from palaestra.verifiers.reading.values import joined

MATERIALS = ["steel", "brass", "glass", "wood"]


class SingleMachine(Optimum):
    """Order jobs on one machine with cleaning times for the least total penalty for being late."""

    tags = {"optimisation", "scheduling", "search", "arithmetic"}
    quantity = "penalty"

    class Knobs(Optimum.Knobs):
        jobs: int = ladder(4, 5, 6, 7, 8, 9, 10, low=4, high=11)
        materials: int = ladder(2, 2, 2, 3, 3, 3, 3, low=2, high=4)
        duration: int = ladder(9, 12, 15, 20, 20, 25, 30, low=5, high=60)  # of a job, at most
        weight: int = ladder(3, 4, 5, 6, 6, 8, 9, low=1, high=20)  # penalty a minute, at most

    jobs: tuple[Job, ...]
    cleaning: int
    """Minutes between two jobs of different materials."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Due dates of which about half cannot be met, and a cleaning of about half a job."""
        cleaning = max(2, knobs.duration // 3 + rng.randint(-1, 1))
        materials = rng.sample(MATERIALS, knobs.materials)
        kinds = [materials[n % knobs.materials] for n in range(knobs.jobs)]
        rng.shuffle(kinds)
        durations = [rng.randint(2, knobs.duration) for _ in kinds]
        total = sum(durations) + cleaning * knobs.materials
        return cls(
            cleaning=cleaning,
            jobs=tuple(
                Job(
                    material,
                    duration,
                    max(duration, rng.randint(total // 5, total * 2 // 3)),
                    rng.randint(1, knobs.weight),
                )
                for material, duration in zip(kinds, durations)
            ),
        )

    def canonical(self) -> str:
        return repr((self.cleaning, sorted(self.jobs)))

    def prompt(self) -> str:
        size = len(self.jobs)
        listed = "\n".join(
            f"job {number}: {job.material}, takes {job.duration} minutes, due at {job.due}, "
            f"penalty {job.weight} a minute"
            for number, job in enumerate(self.jobs, 1)
        )
        task = self.phrase(
            f"A machine runs {size} jobs one after the other, starting at time 0. Between two jobs "
            f"of different materials it is cleaned, which takes {self.cleaning} minutes; there are "
            "no other pauses. Find the order with the least total penalty.",
            f"In which order should a single machine run these {size} jobs, so that the penalties "
            "add up to as little as possible? It starts with the first job at time 0 and runs one "
            "job at a time. If a job is of another material than the job right before it, the "
            f"machine first has to be cleaned for {self.cleaning} minutes. It never waits for "
            "anything else.",
        )
        example = joined(range(1, size + 1))
        return (
            f"{task} A job that ends after it is due costs its penalty for each minute that it is "
            f"late; a job that ends when it is due or earlier costs nothing.\n\n{listed}\n\nIf "
            "several orders are equally good, any of them will do. Write the numbers of all jobs "
            f"in the order in which they run, such as '{example}'."
        )

    def read(self, answer: str) -> list[int]:
        """The jobs in order, counted from 0."""
        numbers = numbers_of(answer, ("job", "jobs"), "a list of numbers of jobs", ordered=True)
        return [number - 1 for number in numbers]

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([number + 1 for number in solution])

    def violation(self, solution: Any) -> str:
        size = len(self.jobs)
        if not all(0 <= number < size for number in solution):
            return f"the jobs have numbers from 1 to {size} only"
        if len(set(solution)) < len(solution):
            return "a job runs twice"
        return "" if len(solution) == size else f"the order has {len(solution)} of {size} jobs"

    def worth(self, solution: Any) -> int:
        return penalty(self.jobs, self.cleaning, solution)

    def search(self) -> SearchResult:
        return SearchResult(*best_order(self.jobs, self.cleaning))

    def naive_solutions(self) -> list[Any]:
        """The natural orders, the order of the list, and the dispatching rules."""
        numbers = range(len(self.jobs))
        orders: list[Callable[[int], float]] = [*self.keys().values()]
        ordered = (sorted(numbers, key=key) for key in orders)
        return [[*numbers], *ordered, *self.dispatching().values()]

    def keys(self) -> Mapping[str, Callable[[int], float]]:
        """What jobs are ordered by."""
        jobs = self.jobs
        materials = sorted({job.material for job in jobs})
        work = [sum(job.duration for job in jobs if job.material == each) for each in materials]
        due = [min(job.due for job in jobs if job.material == each) for each in materials]
        return {
            "due date": lambda n: jobs[n].due,
            "duration": lambda n: jobs[n].duration,
            "duration for weight": lambda n: jobs[n].duration / jobs[n].weight,
            "weight": lambda n: -jobs[n].weight,
            "slack": lambda n: jobs[n].due - jobs[n].duration,
            "due date within materials": lambda n: (
                due[materials.index(jobs[n].material)] * 10_000 + jobs[n].due
            ),
            "duration for weight within materials": lambda n: (
                work[materials.index(jobs[n].material)] * 10_000 + jobs[n].duration / jobs[n].weight
            ),
        }

    def dispatched(self, rank: Callable[[Job, int], float], care: float = 0) -> list[int]:
        """The job of the greatest rank at the time at which the machine is free, again and again;
        the rank of one of another material is divided by e to the power of ``care``.
        """
        left, order, now, material = set(range(len(self.jobs))), list[int](), 0, ""
        while left:

            def value(n: int, now: int = now, material: str = material) -> float:
                job = self.jobs[n]
                changes = material not in {"", job.material}
                return rank(job, now) * exp(-care * changes)

            best = max(sorted(left), key=value)
            now += self.jobs[best].duration
            now += self.cleaning if material not in {"", self.jobs[best].material} else 0
            material = self.jobs[best].material
            order.append(best)
            left.discard(best)
        return order

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Orders by one key, and by ranks that depend on the time."""
        rules = self.dispatching()
        orders = natural_orders([*range(len(self.jobs))], rng, self.keys())
        patience = rng.uniform(0.5, 4)
        return {
            **orders,
            **rules,
            "apparent tardiness cost, random parameters": self.dispatched(
                self.urgency(patience), rng.uniform(0, 3)
            ),
            "best rule": min([*orders.values(), *rules.values()], key=self.worth),
        }

    def urgency(self, patience: float) -> Callable[[Job, int], float]:
        """The apparent tardiness cost of a job (Vepsalainen and Morton, 1987): how much it costs
        for its length, less the more mean durations it can wait.
        """
        mean = sum(job.duration for job in self.jobs) / len(self.jobs)

        def rank(job: Job, now: int) -> float:
            slack = max(0, job.due - job.duration - now)
            return job.weight / job.duration * exp(-slack / (patience * mean))

        return rank

    def dispatching(self) -> dict[str, list[int]]:
        """Orders by apparent tardiness cost, with more or less care for cleaning, and by slack."""
        return {
            f"apparent tardiness cost, patience {patience}, care {care}": self.dispatched(
                self.urgency(patience), care
            )
            for patience in (0.5, 1, 2, 3)
            for care in (0, 1, 9)
        } | {
            f"least slack, care {care}": self.dispatched(
                lambda job, now: exp(-max(0, job.due - job.duration - now) / 10), care
            )
            for care in (0, 1)
        }

    def audit(self, answer: str) -> bool:
        """Whether no order of the jobs has a smaller penalty."""
        order = self.read(answer)
        if self.violation(order):
            return False
        orders = permutations(range(len(self.jobs)))
        return self.worth(order) == min(map(self.worth, orders))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(jobs=5, materials=2, duration=9, weight=3)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, permutations(range(len(self.jobs))))
