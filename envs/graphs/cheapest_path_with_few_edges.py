"""The cheapest path with a limit on its edges, by Richard Bellman's recursion (1958)."""

from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.encodings import Found, Graph, GraphOptimum
from palaestra.generators.graphs.networks import Path, dijkstra
from palaestra.generators.random_graphs import connected
from palaestra.task import ladder
from palaestra.verifiers.graph_answers import walk


def least_cost(graph: Graph, start: int, end: int, limit: int) -> float:
    """The least cost of a walk of so many edges at most, by going back from the end."""
    weights, ways = graph.weights(), graph.ways()

    @cache
    def least(node: int, left: int) -> float:
        if left == 0:
            return 0 if node == end else float("inf")
        costs = [weights[node, n] + least(n, left - 1) for n in ways[node]]
        return min([least(node, left - 1), *costs])

    return least(start, limit)


class CheapestPathWithFewEdges(GraphOptimum):
    """Find a cheapest path that has at most a given number of edges."""

    version = 2
    tags = {"graphs", "optimisation", "dynamic-programming"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(7, 9, 15, 19, 23, 28, 34, low=6, high=40)
        density: float = ladder(
            1.8, 1.9, 2.0, 2.2, 2.4, 2.6, 2.8, low=1.7, high=3.2
        )  # edges a node
        directed: bool = ladder(False, False, True)

    limit: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        drawn = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=2)
        # A leap costs more than the steps it saves, so that the cheapest path has many edges.
        edges = [(u, v, rng.randint(1, 5) + (v - u - 1) * rng.randint(3, 7)) for u, v in drawn]
        make = Graph.of_arcs if knobs.directed else Graph.of_edges
        graph = make(rng, knobs.nodes, edges, knobs.encoding, "cost")
        task = cls(graph=graph, limit=1)
        free, few = (len(task.freely(rule)) - 1 for rule in ((0, 1), (1, 1)))
        return cls(graph=graph, limit=max(few, free - rng.randint(1, 2)))

    @property
    def target(self) -> int:
        """The node to reach; the path starts from node 0."""
        return len(self.graph.names) - 1

    def freely(self, rule: tuple[int, int]) -> Path:
        """The path of least cost without the limit, or that of fewest edges."""
        weights, ways = self.graph.weights(), self.graph.ways()
        lengths = {u: {v: weights[u, v] for v in near} for u, near in enumerate(ways)}
        return dijkstra(lengths, 0, self.target, rule).path

    def is_valid(self) -> bool:
        return len(self.freely((0, 1))) - 1 > self.limit and super().is_valid()

    def canonical(self) -> str:
        return repr((self.graph.directed, self.graph.key(), self.limit))

    def prompt(self) -> str:
        start, target = self.graph.names[0], self.graph.names[self.target]
        task = self.phrase(
            f"Find a cheapest path from {start} to {target} among those with at most {self.limit} "
            "edges: the costs of its edges must add up to as little as possible.",
            f"Someone wants to get from {start} to {target} along at most {self.limit} edges and "
            "to pay as little as possible in total. Find such a path.",
        )
        shape = self.example(3).replace(", ", " -> ")
        return self.posed(
            f"{task} If several solutions are optimal, any of them will do. Write all nodes of the "
            f"path in order, such as '{shape}'."
        )

    def read(self, answer: str) -> tuple[int, ...]:
        return walk(answer, self.graph.names)

    def as_text(self, solution: Any) -> str:
        return self.graph.listing(solution, " -> ")

    def flaw(self, solution: Any) -> str:
        weights, names = self.graph.weights(), self.graph.names
        if solution[0] != 0 or solution[-1] != self.target:
            return f"the path does not lead from {names[0]} to {names[self.target]}"
        if missing := next((step for step in pairwise(solution) if step not in weights), None):
            return f"there is no edge from {names[missing[0]]} to {names[missing[1]]}"
        return f"the path has {len(solution) - 1} edges" if len(solution) - 1 > self.limit else ""

    def worth(self, solution: Any) -> int:
        weights = self.graph.weights()
        return sum(weights[step] for step in pairwise(solution))

    def search(self) -> Found:
        """The cheapest walks of one edge, of two, and so on, to each node."""
        weights, looked = self.graph.weights(), 0
        best: dict[int, tuple[int, Path]] = {0: (0, (0,))}
        for _ in range(self.limit):
            longer = dict(best)
            for (u, v), cost in weights.items():
                looked += 1
                if u in best and (v not in longer or best[u][0] + cost < longer[v][0]):
                    longer[v] = best[u][0] + cost, (*best[u][1], v)
            best = longer
        return Found(best[self.target][1], looked)

    def heedless(self) -> list[Any]:
        """The path of fewest edges, and the cheapest one, which is too long."""
        return [self.freely((1, 1)), self.freely((0, 1))]

    def audit(self, answer: str) -> bool:
        """Whether it keeps the limit and costs what a recursion from the other end finds."""
        path = self.read(answer)
        least = least_cost(self.graph, 0, self.target, self.limit)
        return not self.flaw(path) and self.worth(path) == least
