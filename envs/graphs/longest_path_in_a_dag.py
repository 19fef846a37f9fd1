"""The longest path in a directed graph without cycles, by dynamic programming over its order."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.algorithms import topological_order
from palaestra.generators.graphs.players import unvisited, walk_on
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, Walk
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


def heaviest_ends(order: Sequence[int], weights: Mapping[Edge, int]) -> list[list[int]]:
    """For each node, a path of greatest weight that ends in it, in a graph without cycles."""
    paths = {node: (0, [node]) for node in order}
    into: dict[int, list[tuple[int, int]]] = {node: [] for node in order}
    for (u, v), weight in weights.items():
        into[v].append((u, weight))
    for node in order:
        for before, weight in sorted(into[node]):
            total = paths[before][0] + weight
            if total > paths[node][0]:
                paths[node] = total, [*paths[before][1], node]
    return [paths[node][1] for node in sorted(paths)]


class LongestPathInADag(Walk, GraphOptimum):
    """Find a longest path in a directed graph without cycles, wherever it starts and ends."""

    version = 3
    tags = {"graphs", "optimisation", "dynamic-programming"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(6, 8, 10, 13, 17, 22, 30, low=5, high=40)
        density: float = ladder(1.6, 1.7, 1.8, 2.0, 2.2, 2.4, 2.6, low=1.4, high=3.5)  # edges/node
        longest: int = ladder(9, 12, 20, 30, 50, 75, 99, low=5, high=999)  # of an edge

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=3)
        # Edges that skip many nodes are longer, so that passing more nodes is not always better.
        edges = [
            (u, v, rng.randint(1, knobs.longest) + (v - u - 1) * knobs.longest // 4)
            for u, v in pairs
        ]
        graph = Graph.of_arcs(rng, knobs.nodes, edges, knobs.encoding, "length")
        return cls(graph=graph)

    def prompt(self) -> str:
        task = self.phrase(
            "No path in this graph leads back to its start. Find a longest path: one for which the "
            "lengths of its edges add up to as much as possible.",
            "The graph has no directed cycle. Among all its paths, find one that is as long as "
            "possible, by the sum of the lengths of its edges.",
        )
        return self.with_graph(
            f"{task} The path may start and end at any node, and must follow the directions of the "
            "edges. If several solutions are optimal, any of them will do. Write the nodes of the "
            f"path in order, such as '{self.walk_example(3)}'."
        )

    def search(self) -> SearchResult:
        paths = heaviest_ends(topological_order(self.graph.ways()), self.graph.weights())
        examined = len(self.graph.names) + len(self.graph.edges)
        return SearchResult(tuple(max(paths, key=self.worth)), examined)

    def naive_solutions(self) -> list[Any]:
        """The longest edge, and a greedy path from each node that no edge enters."""
        weights, ways = self.graph.weights(), self.graph.ways()
        inner = {node for near in ways for node in near}
        starts = [node for node in range(len(ways)) if node not in inner]
        longest = max(weights, key=lambda edge: weights[edge])
        return [longest, *(self.greedy_path(start, weights) for start in starts)]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Paths along the longest next edge, along the edge with the longest next one, or to a
        random node, from the node with the longest such edge and from a random start.
        """
        weights, ways = self.graph.weights(), self.graph.ways()
        starts = [node for node in range(len(ways)) if ways[node]]

        def onward(here: int, node: int) -> int:
            return weights[here, node] + max((weights[node, n] for n in ways[node]), default=0)

        def player(key: Callable[[int, int], float]) -> list[list[int]]:
            def step(path: list[int]) -> int | None:
                ahead = unvisited(ways, path, rng)
                return max(ahead, key=lambda node: key(path[-1], node), default=None)

            return [walk_on(start, step, len(ways)) for start in shuffled(starts, rng)]

        def longest(paths: list[list[int]]) -> list[int]:
            return max(paths, key=self.worth)

        nearest, two_ahead = player(lambda u, v: weights[u, v]), player(onward)
        return {
            "longest edge": nearest[0],
            "longest edge, best start": longest(nearest),
            "two edges ahead": two_ahead[0],
            "two edges ahead, best start": longest(two_ahead),
            "random path": player(lambda u, v: 0)[0],
        }

    def greedy_path(self, start: int, weights: Mapping[Edge, int]) -> list[int]:
        """The path along the longest edge that leaves each node."""
        path, ways = [start], self.graph.ways()
        while ahead := ways[path[-1]]:
            path.append(max(ahead, key=lambda node: weights[path[-1], node]))
        return path

    def audit(self, answer: str) -> bool:
        """Whether it is as long as a longest path, found by relaxing all edges repeatedly."""
        path, weights = self.read(answer), self.graph.weights()
        left = dict.fromkeys(range(len(self.graph.names)), 0)
        for _ in left:
            for (u, v), length in weights.items():
                left[u] = max(left[u], length + left[v])
        steps = [weights.get(step, -(10**9)) for step in pairwise(path)]
        return sum(steps) == max(left.values())
