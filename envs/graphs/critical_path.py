"""The critical path method of James Kelley and Morgan Walker (1959)."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import topological_order
from palaestra.generators.graphs.puzzles import Graph, GraphPuzzle
from palaestra.generators.graphs.scenes import Look, network
from palaestra.generators.random_graphs import connected
from palaestra.scenes import Bar, Panels, Timeline
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numbers import integers


class CriticalPath(GraphPuzzle):
    """Find the earliest and the latest start of each job so that a project takes the least time."""

    tags = {"graphs", "scheduling", "arithmetic", "unique-solution"}
    calculation = True

    class Knobs(GraphPuzzle.Knobs):
        jobs: int = ladder(5, 6, 8, 11, 14, 18, 24, low=5, high=30)
        density: float = ladder(1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, low=1, high=1.8)  # edges/job
        longest: int = ladder(5, 9, 12, 20, 30, 50, 90, low=3, high=200)  # duration in days

    days: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        links = connected(rng, knobs.jobs, round(knobs.jobs * knobs.density), window=4)
        first = rng.randrange(knobs.jobs)  # so that not all jobs depend on the same one
        edges = [(v, u) if u < first <= v else (u, v) for u, v in links]
        graph = Graph.of_arcs(rng, knobs.jobs, edges, knobs.encoding)
        return cls(graph=graph, days=tuple(rng.randint(1, knobs.longest) for _ in graph.names))

    def is_valid(self) -> bool:
        early, late = self.starts()
        slack = [one != other for one, other in zip(early, late)]
        return super().is_valid() and any(slack) and not all(slack)

    def canonical(self) -> str:
        return repr((self.graph.key(), self.days))

    def starts(self) -> tuple[list[int], list[int]]:
        """The earliest start of each job, and the latest."""
        ways, order = self.graph.ways(), topological_order(self.graph.ways())
        early = [0] * len(order)
        for job in order:
            for after in ways[job]:
                early[after] = max(early[after], early[job] + self.days[job])
        end = max(start + days for start, days in zip(early, self.days))
        late = [0] * len(order)
        for job in reversed(order):
            due = min((late[after] for after in ways[job]), default=end)
            late[job] = due - self.days[job]
        return early, late

    def prompt(self) -> str:
        names, ranked = self.graph.names, self.graph.ranked()
        lengths = "\n".join(f"{names[job]}: {self.days[job]}" for job in ranked)
        task = self.phrase(
            "Each node is a job of a project. An edge from one job to another means that the "
            "first must be finished before the second can start.",
            "The nodes are the jobs of a project, and an edge leads from each job to those that "
            "have to wait until it is done.",
        )
        return self.with_graph(
            f"{task} Any number of jobs can run at the same time. The days that each job "
            f"takes:\n{lengths}\n\nThe project starts at time 0 and must take as few days as "
            "possible in total. For each job, give the earliest time at which it can start and the "
            "latest time at which it may start without making the project longer. A job that "
            "starts at time 4 and takes 3 days is finished at time 7, when the next can start. "
            "Write one line for each job, with its earliest and latest start, such as "
            f"'{names[ranked[0]]}: 4, 7'."
        )

    def look(self) -> Look:
        """The days of each job beside it."""
        return Look(notes={job: f"{days} d" for job, days in enumerate(self.days)})

    def solved_scene(self, answer: str) -> Panels:
        """Also a chart of the jobs, each with the time by which its start may be put off, up to
        ten times the days of all jobs.
        """
        times, names, order = self.read(answer), self.graph.names, self.graph.ranked()
        limit = 10 * sum(self.days)
        rows = []
        for job in order:
            early, late = times[job]
            end = early + self.days[job]
            slack = [Bar(end, end + late - early, tone="muted")] if late > early else []
            bars = (Bar(early, end, tone="t0" if slack else "accent"), *slack)
            rows.append(bars if max(map(abs, times[job])) <= limit else ())
        notes = tuple(f"{early}, {late}" for early, late in map(times.__getitem__, order))
        low = min([0, *(bar.start for bars in rows for bar in bars)])
        labels = tuple(names[job] for job in order)
        chart = Timeline(tuple(rows), labels, notes, start=low, end=1)
        critical = [job for job, (early, late) in times.items() if early == late]
        look = self.look().with_nodes(critical)
        return Panels((network(self.graph, look), chart), columns=1)

    def read(self, answer: str) -> dict[int, list[int]]:
        """The earliest and the latest start of each job."""
        values = pairs(answer, self.graph.names)
        names = enumerate(self.graph.names)
        return {job: integers(values[name], 2, "two times") for job, name in names}

    def answer(self) -> str:
        return self.as_text(*self.starts())

    def as_text(self, early: Iterable[int], late: Iterable[int]) -> str:
        """Times as an answer."""
        lines = zip(self.graph.names, early, late)
        return "\n".join(f"{name}: {one}, {other}" for name, one, other in lines)

    def verify(self, answer: str) -> Score:
        times = list(self.read(answer).values())
        right = [list(both) for both in zip(*self.starts())]
        errors = []
        for column, start in enumerate(("earliest", "latest")):
            rows = zip(self.graph.names, times, right)
            wrong = [name for name, entry, expected in rows if entry[column] != expected[column]]
            errors += [f"the {start} start of {name} is wrong" for name in wrong[:1]]
        share = 1 - len(errors) / 2
        return Score(share, "; ".join(errors), {"progress": share})

    def audit(self, answer: str) -> bool:
        """Whether applying all constraints repeatedly gives the same times."""
        values, jobs = pairs(answer, self.graph.names), range(len(self.days))
        arcs, days = self.graph.pairs(), self.days
        early = [0 for _ in jobs]
        for _ in jobs:
            for u, v in arcs:
                early[v] = max(early[v], early[u] + days[u])
        end = max(early[job] + days[job] for job in jobs)
        late = [end - days[job] for job in jobs]
        for _ in jobs:
            for u, v in arcs:
                late[u] = min(late[u], late[v] - days[u])
        times = [integers(values[name]) for name in self.graph.names]
        return times == [list(both) for both in zip(early, late)]

    def difficulty(self) -> float:
        return len(self.graph.names) + len(self.graph.edges)

    def shortcuts(self) -> Iterable[str]:
        zero = [0] * len(self.days)
        return [
            self.as_text(zero, zero),
            self.as_text(zero, self.days),
            self.as_text(self.days, self.days),
        ]
