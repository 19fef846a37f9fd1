"""The assignment problem, solved by the Hungarian method, after Harold Kuhn (1955)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from random import Random
from statistics import mean
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.optimisation.assignment import cheapest_assignment
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.labels import line_numbers, pairs
from palaestra.verifiers.reading.numbered_items import numbers_of, without_nouns
from palaestra.verifiers.reading.numbers import integer
from palaestra.verifiers.reading.values import joined, plain
from palaestra.verifiers.replies import unwrapped

NOUNS = ("worker", "workers", "task", "tasks")
LENGTH = 20_000
"""The most characters of an answer."""

_DOES = re.compile(
    r"(?<=\d) (?:does|gets|takes|performs|is assigned(?: to)?|is done by|to) "
    r"(?=(?:task|worker|#)?\s?\d)",
    re.IGNORECASE,
)
_IS = r"[ \t]{0,4}(?:[-=]{1,2}>|\u2192|=|:)"
_GAP = re.compile(rf"(?<=\d){_IS}[ \t]{{0,4}}(?=\d)")
_PAIR = re.compile(r"\d: \d")
_BY_TASK = re.compile(rf"task[ \t]{{0,4}}#?\d{{1,3}}{_IS}", re.IGNORECASE)
_QUOTES = str.maketrans("", "", "\"'`*")


class Assignment(Optimum):
    """Give each worker a task of its own for the least total cost, with some pairs forbidden."""

    tags = {"optimisation", "matching", "search", "arithmetic"}
    quantity = "cost"

    class Knobs(Optimum.Knobs):
        size: int = ladder(5, 6, 8, 10, 12, 14, 16, low=4, high=16)  # workers, and tasks
        forbidden: int = ladder(2, 4, 8, 14, 20, 28, 40, low=0, high=60)  # pairs, at most
        spread: int = ladder(12, 12, 10, 10, 8, 8, 8, low=4, high=50)  # beyond the best pairs

    costs: tuple[tuple[int | None, ...], ...]
    """The cost of each worker at each task; None where the worker cannot do it."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Costs that are the sum of a price of the worker, one of the task, and a bit more.

        The prices are the same for every assignment, so they only distract those who look at single
        costs; what decides is the rest.
        """
        size = range(knobs.size)
        workers, tasks = ([rng.randint(5, 30) for _ in size] for _ in range(2))
        hidden = shuffled(size, rng)
        costs: list[list[int | None]] = [
            [
                workers[worker] + tasks[task] + rng.randint(0, knobs.spread)
                if hidden[worker] != task
                else workers[worker] + tasks[task] + rng.randint(0, knobs.spread // 3)
                for task in size
            ]
            for worker in size
        ]
        others = [(w, t) for w in size for t in size if hidden[w] != t]
        most = min(knobs.forbidden, len(others) // 3)
        for worker, task in rng.sample(others, most):
            costs[worker][task] = None
        return cls(costs=tuple(map(tuple, costs)))

    def canonical(self) -> str:
        return repr(self.costs)

    def prompt(self) -> str:
        size = len(self.costs)
        rows = "\n".join(
            f"worker {number}: " + ", ".join("-" if cost is None else str(cost) for cost in row)
            for number, row in enumerate(self.costs, 1)
        )
        task = self.phrase(
            f"{size} workers are to do {size} tasks, one each. Assign the tasks so that the costs "
            "add up to as little as possible.",
            f"Assign {size} tasks to {size} workers, so that each worker gets exactly one task, "
            "each task exactly one worker, and the total cost is least.",
        )
        # An example that is not a right answer: generated tasks are never solved by it.
        example = ", ".join(str(number) for number in range(size, 0, -1))
        return (
            f"{task} The line of a worker lists what it costs if this worker does task 1, task 2, "
            f"and so on to task {size}; '-' means that the worker cannot do the task.\n\n{rows}\n\n"
            "If several assignments are equally good, any of them will do. Write the task of "
            f"worker 1, of worker 2, and so on to worker {size}, such as '{example}'."
        )

    def scene(self) -> Grid:
        return self.view(())

    def solved_scene(self, answer: str) -> Grid:
        return self.view(self.read(answer))

    def view(self, chosen: Sequence[int]) -> Grid:
        """The table of costs, with the chosen pairs marked."""
        fills = dict.fromkeys(enumerate(chosen), "accent")
        rows = tuple(
            tuple(
                Cell("" if cost is None else str(cost), fills.get((worker, task), "paper"))
                for task, cost in enumerate(row)
            )
            for worker, row in enumerate(self.costs)
        )
        numbers = tuple((str(number),) for number in range(1, len(self.costs) + 1))
        return Grid(rows, top=numbers, left=numbers)

    def read(self, answer: str) -> list[int]:
        """The task of each worker, counted from 0."""
        size = len(self.costs)
        what = f"the number of a task for each of the {size} workers"
        if len(answer) > LENGTH:
            raise InvalidAnswer(f"expected {what}")
        text = _DOES.sub(": ", plain(unwrapped(answer)).translate(_QUOTES))
        body = _GAP.sub(": ", without_nouns(text, NOUNS))
        if not _PAIR.search(body):
            numbers = numbers_of(text, NOUNS, what)
            if len(numbers) != size:
                raise InvalidAnswer(f"expected {size} numbers, got {len(numbers)}")
            return [number - 1 for number in numbers]
        values = pairs(body.replace(" and ", ", "), line_numbers(size))
        tasks = [integer(value, what) - 1 for value in values.values()]
        if not _BY_TASK.search(text):
            return tasks
        # The labels are those of the tasks, and the values are workers.
        if sorted(tasks) != [*range(size)]:
            raise InvalidAnswer(f"expected {what}")
        return [tasks.index(worker) for worker in range(size)]

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([task + 1 for task in solution])

    def violation(self, solution: Any) -> str:
        size = len(self.costs)
        if not all(0 <= task < size for task in solution):
            return f"the tasks have numbers from 1 to {size} only"
        if len(set(solution)) < size:
            return "a task is assigned to two workers"
        for worker, task in enumerate(solution):
            if self.costs[worker][task] is None:
                return f"worker {worker + 1} cannot do task {task + 1}"
        return ""

    def worth(self, solution: Any) -> int:
        return sum(row[task] or 0 for row, task in zip(self.costs, solution))

    def search(self) -> SearchResult:
        columns, examined = cheapest_assignment(self.costs)
        assert columns is not None, "the hidden assignment is allowed"
        return SearchResult(columns, examined)

    def difficulty(self) -> float:
        """The pairs that the Hungarian method examines, which grow with the cube of the size."""
        return self.search().examined

    def naive_solutions(self) -> list[Any]:
        """Each worker's cheapest free task in two orders, greedy pairs, two orders of the tasks."""
        size = range(len(self.costs))
        return [
            self.first_come(size),
            self.first_come(size[::-1]),
            self.cheapest_pairs(),
            self.centred(1),
            self.centred(4),
            self.reduced(),
            self.regret(),
            [*size],
            [*size[::-1]],
        ]

    def baseline(self, best: int) -> int:
        solutions = [each for each in self.naive_solutions() if not self.violation(each)]
        worths = [self.worth(each) for each in solutions]
        return min(worths, default=sum(max(c or 0 for c in row) for row in self.costs) + 1)

    def first_come(self, workers: Iterable[int]) -> list[int]:
        """The workers in an order, each with the cheapest task that is left and possible."""
        left = set(range(len(self.costs)))
        tasks = [0] * len(self.costs)
        for worker in workers:
            row = self.costs[worker]
            able = [task for task in sorted(left) if row[task] is not None] or sorted(left)
            tasks[worker] = min(able, key=lambda task: row[task] or 0)
            left.discard(tasks[worker])
        return tasks

    def cheapest_pairs(self) -> list[int]:
        """The cheapest pair of a free worker and a free task, again and again."""
        size = range(len(self.costs))
        pairs = [(cost, w, t) for w in size for t in size if (cost := self.costs[w][t]) is not None]
        return self.completed(pairs)

    def completed(self, pairs: Iterable[tuple[float, int, int]]) -> list[int]:
        """Pairs from the least first number on, as far as both are free, and then any others."""
        tasks: dict[int, int] = {}
        for _, worker, task in sorted(pairs):
            if worker not in tasks and task not in tasks.values():
                tasks[worker] = task
        left = [task for task in range(len(self.costs)) if task not in tasks.values()]
        return [tasks[w] if w in tasks else left.pop() for w in range(len(self.costs))]

    def regret(self) -> list[int]:
        """The worker who loses most if the cheapest free task goes to another, again and again."""
        size = len(self.costs)
        left, tasks = set(range(size)), dict[int, int]()
        while left:
            loss = []
            for worker in range(size):
                if worker in tasks:
                    continue
                able = sorted(
                    (cost, t) for t in left if (cost := self.costs[worker][t]) is not None
                )
                if able:
                    second = able[1][0] if len(able) > 1 else 1_000
                    loss.append((able[0][0] - second, worker, able[0][1]))
            if not loss:
                break
            _, worker, task = min(loss)
            tasks[worker] = task
            left.discard(task)
        return self.completed([(0, worker, task) for worker, task in tasks.items()])

    def reduced(self) -> list[int]:
        """The cheapest pairs after the least cost of each row and column is subtracted."""
        size = range(len(self.costs))
        least = [min(c for c in row if c is not None) for row in self.costs]
        columns = [
            min((c - least[w] for w in size if (c := self.costs[w][t]) is not None), default=0)
            for t in size
        ]
        return self.completed(
            [
                (cost - least[w] - columns[t], w, t)
                for w in size
                for t in size
                if (cost := self.costs[w][t]) is not None
            ]
        )

    def centred(self, rounds: int) -> list[int]:
        """The cheapest pairs after the mean of each row and then of each column is subtracted, so
        many times; as pairs are missing, one round does not make all means zero.
        """
        size = range(len(self.costs))
        cells = {
            (w, t): float(cost)
            for w in size
            for t in size
            if (cost := self.costs[w][t]) is not None
        }
        for side in (0, 1) * rounds:
            means = [mean(cost for pair, cost in cells.items() if pair[side] == n) for n in size]
            cells = {pair: cost - means[pair[side]] for pair, cost in cells.items()}
        return self.completed([(cost, w, t) for (w, t), cost in cells.items()])

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Greedy assignments, and random ones."""
        size = range(len(self.costs))
        return {
            "random order of workers": self.first_come(shuffled(size, rng)),
            "cheapest pair first": self.cheapest_pairs(),
            "greatest regret first": self.regret(),
            "cheapest pair after subtracting minima": self.reduced(),
            "cheapest pair after subtracting means": self.centred(1),
            "cheapest pair after subtracting means, four times": self.centred(4),
            "random assignment": shuffled(size, rng),
        }

    def audit(self, answer: str) -> bool:
        """Whether it is allowed and no permutation of a small table costs less."""
        chosen = self.read(answer)
        if self.violation(chosen):
            return False
        others = permutations(range(len(self.costs)))
        best = min(self.worth(each) for each in others if not self.violation(each))
        return self.worth(chosen) == best

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=5, forbidden=3, spread=12)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, permutations(range(len(self.costs))))
