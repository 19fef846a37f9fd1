"""The cheapest path with a limit on its edges, by Richard Bellman's recursion (1958)."""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.networks import Path, dijkstra
from palaestra.generators.graphs.players import path_players
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, Walk
from palaestra.generators.graphs.scenes import Look, ends
from palaestra.generators.random_graphs import connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder
from palaestra.verifiers.certificates import path_violation


def least_cost(graph: Graph, start: int, end: int, limit: int) -> float:
    """The least cost of a walk of at most ``limit`` edges, by recursion on the first edge."""
    weights, ways = graph.weights(), graph.ways()

    @cache
    def least(node: int, left: int) -> float:
        if left == 0:
            return 0 if node == end else float("inf")
        costs = [weights[node, n] + least(n, left - 1) for n in ways[node]]
        return min([least(node, left - 1), *costs])

    return least(start, limit)


class CheapestPathWithFewEdges(Walk, GraphOptimum):
    """Find a cheapest path that has at most a given number of edges."""

    version = 3
    tags = {"graphs", "optimisation", "dynamic-programming"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(7, 9, 15, 19, 23, 28, 34, low=6, high=40)
        density: float = ladder(1.8, 1.9, 2.0, 2.2, 2.4, 2.6, 2.8, low=1.7, high=3.2)  # edges/node
        directed: bool = ladder(False, False, True)

    limit: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=2)
        # An edge costs more than the path it bypasses, so that the cheapest path has many edges.
        edges = [(u, v, rng.randint(1, 5) + (v - u - 1) * rng.randint(3, 7)) for u, v in pairs]
        make = Graph.of_arcs if knobs.directed else Graph.of_edges
        graph = make(rng, knobs.nodes, edges, knobs.encoding, "cost")
        task = cls(graph=graph, limit=1)
        cheapest, fewest = (len(task.unlimited(costs)) - 1 for costs in ((0, 1), (1, 1)))
        return cls(graph=graph, limit=max(fewest, cheapest - rng.randint(1, 2)))

    @property
    def target(self) -> int:
        """The node to reach; the path starts from node 0."""
        return len(self.graph.names) - 1

    def unlimited(self, per_arc: tuple[int, int]) -> Path:
        """A cheapest path without the limit, where ``per_arc`` is as in :func:`dijkstra`."""
        return dijkstra(self.graph.lengths(), 0, self.target, per_arc).path

    def is_valid(self) -> bool:
        return len(self.unlimited((0, 1))) - 1 > self.limit and super().is_valid()

    def canonical(self) -> str:
        return repr((self.graph.directed, self.graph.key(), self.limit))

    def look(self) -> Look:
        return ends(0, self.target)

    def prompt(self) -> str:
        start, target = self.graph.names[0], self.graph.names[self.target]
        task = self.phrase(
            f"Find a cheapest path from {start} to {target} among those with at most {self.limit} "
            "edges: the costs of its edges must add up to as little as possible.",
            f"Someone wants to get from {start} to {target} along at most {self.limit} edges and "
            "to pay as little as possible in total. Find such a path.",
        )
        return self.with_graph(
            f"{task} If several solutions are optimal, any of them will do. Write all nodes of the "
            f"path in order, such as '{self.walk_example(3)}'."
        )

    def violation(self, solution: Any) -> str:
        graph, edges = self.graph, len(solution) - 1
        if violation := path_violation(solution, graph.weights(), 0, self.target, graph.names):
            return violation
        return f"the path has {edges} edges" if edges > self.limit else ""

    def search(self) -> SearchResult:
        """The cheapest walks of one edge, of two, and so on, to each node."""
        weights, examined = self.graph.weights(), 0
        best: dict[int, tuple[int, Path]] = {0: (0, (0,))}
        for _ in range(self.limit):
            longer = dict(best)
            for (u, v), cost in weights.items():
                examined += 1
                if u in best and (v not in longer or best[u][0] + cost < longer[v][0]):
                    longer[v] = best[u][0] + cost, (*best[u][1], v)
            best = longer
        return SearchResult(best[self.target][1], examined)

    def naive_solutions(self) -> list[Any]:
        """A path of the fewest edges, and a cheapest one, which has too many."""
        return [self.unlimited((1, 1)), self.unlimited((0, 1))]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        return path_players(self.graph, 0, self.target, rng)

    def audit(self, answer: str) -> bool:
        """Whether it respects the limit and costs as little as a recursion finds."""
        path = self.read(answer)
        least = least_cost(self.graph, 0, self.target, self.limit)
        return not self.violation(path) and self.worth(path) == least
