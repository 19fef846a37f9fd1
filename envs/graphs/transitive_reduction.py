"""Transitive reduction, after Alfred Aho, Michael Garey and Jeffrey Ullman (1972)."""

from functools import lru_cache
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.algorithms import reached
from palaestra.generators.graphs.puzzles import EdgeSet, Graph, GraphFeasibility, GraphPuzzle
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


@lru_cache(maxsize=64)
def needed(graph: Graph) -> tuple[Edge, ...]:
    """The edges for which no other path leads from the start to the end."""
    ways = graph.ways()
    return tuple(
        (start, end)
        for start, end in graph.pairs()
        if not any(end in reached(ways, near) for near in ways[start] if near != end)
    )


class TransitiveReduction(EdgeSet, GraphFeasibility):
    """Find the fewest edges of a directed graph that preserve which nodes each node can reach."""

    version = 2
    tags = {"graphs", "deduction", "unique-solution"}
    calculation = True

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(7, 8, 9, 11, 14, 17, 21, low=6, high=26)
        density: float = ladder(1.6, 1.8, 1.9, 2.1, 2.3, 2.5, 2.8, low=1.5, high=3.5)  # edges/node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = min(round(knobs.nodes * knobs.density), knobs.nodes * (knobs.nodes - 1) // 3)
        edges = connected(rng, knobs.nodes, number, window=3)
        return cls(graph=Graph.of_arcs(rng, knobs.nodes, edges, knobs.encoding))

    def is_valid(self) -> bool:
        # Comparing the edges takes less time than :meth:`violation`.
        right = list(needed(self.graph))
        return GraphPuzzle.is_valid(self) and right not in self.naive_solutions()

    def naive_solutions(self) -> list[list[Edge]]:
        """All edges, those that no path of two edges replaces, and the first one into each node."""
        ways, pairs = self.graph.ways(), self.graph.pairs()
        near = [(u, v) for u, v in pairs if not any(v in ways[middle] for middle in ways[u])]
        first = {v: (u, v) for u, v in reversed(pairs)}
        return [pairs, near, sorted(first.values())]

    def prompt(self) -> str:
        task = self.phrase(
            "The graph has no directed cycle. Find its transitive reduction: the smallest set of "
            "its edges along which, in their directions, every node can still reach all the nodes "
            "that it can reach along all the edges.",
            "No path in this graph leads back to its start. An edge is redundant if another path, "
            "of two or more edges, leads from its start to its end. Find all the edges that are "
            "not redundant.",
        )
        return self.with_graph(
            f"{task} Write them on one line, such as '{self.edges_example()}', in any order."
        )

    def violation(self, solution: Any) -> str:
        if violation := super().violation(solution):
            return violation
        names = self.graph.names
        ways = [[v for u, v in solution if u == node] for node in range(len(names))]
        for node, near in enumerate(self.graph.ways()):
            if lost := sorted(set(near) - set(reached(ways, node))):
                return f"no path is left from {names[node]} to {names[lost[0]]}"
        redundant = set(solution) - set(needed(self.graph))
        return "some of these edges are redundant" if redundant else ""

    def search(self) -> SearchResult:
        work = len(self.graph.names) * len(self.graph.edges)
        return SearchResult(needed(self.graph), work)

    def audit(self, answer: str) -> bool:
        """Whether it consists of the pairs of the transitive closure that no third node links."""
        pairs, nodes = set(self.graph.pairs()), range(len(self.graph.names))
        for middle in nodes:
            into = [u for u, v in pairs if v == middle]
            pairs |= {(u, v) for u in into for w, v in pairs if w == middle}
        least = {
            (u, v) for u, v in pairs if not any((u, m) in pairs and (m, v) in pairs for m in nodes)
        }
        arcs = self.read(answer)
        return set(arcs) == least and len(arcs) == len(least)
