"""The feedback vertex set, one of Richard Karp's twenty-one problems (1972)."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.algorithms import Forest
from palaestra.generators.graphs.feedback_vertex_set import shortest_cycle, smallest_feedback
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


def closes(nodes: int, edges: Iterable[Edge], gone: Iterable[int]) -> bool:
    """Whether some edges form a cycle after the removal of some nodes.

    >>> closes(3, [(0, 1), (1, 2), (0, 2)], []), closes(3, [(0, 1), (1, 2), (0, 2)], [2])
    (True, False)
    """
    forest, shut = Forest(nodes), set(gone)
    left = [edge for edge in edges if not shut & set(edge)]
    return not all(forest.join(u, v) for u, v in left)


@lru_cache(maxsize=64)
def breakable(nodes: int, edges: tuple[Edge, ...], number: int) -> bool:
    """Whether removing this many nodes can break all cycles, by trying all combinations."""
    return any(not closes(nodes, edges, gone) for gone in combinations(range(nodes), number))


class FeedbackVertexSet(NodeSet, GraphOptimum):
    """Remove as few nodes as possible so that no cycle is left in a graph."""

    version = 2
    tags = {"graphs", "optimisation", "search"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(9, 10, 11, 13, 15, 17, 20, low=7, high=20)
        density: float = ladder(1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.8, low=1.5, high=2)  # edges/node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        edges = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=5)
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a minimum feedback vertex set: as few nodes as possible, such that no cycle is "
            "left when they and their edges are removed.",
            "Remove as few nodes as possible, each with its edges, so that in what is left no walk "
            "that uses each edge at most once comes back to its start.",
        )
        return self.any_optimum(task, "nodes to remove")

    def violation(self, solution: Any) -> str:
        cyclic = closes(len(self.graph.names), self.graph.pairs(), solution)
        return "a cycle is left" if cyclic else ""

    def search(self) -> SearchResult:
        return smallest_feedback(self.graph.ways())

    def naive_solutions(self) -> list[Any]:
        """While there is a cycle, the node of largest degree, or the first by name on a cycle."""
        named = self.graph.ranked()
        busy, first = list[int](), list[int]()
        while self.violation(busy):
            busy.append(max(named, key=lambda node: self.degree(node, busy)))
        while cycle := shortest_cycle(self.graph.ways(), first):
            first.append(min(cycle, key=named.index))
        return [busy, first, named]

    def degree(self, node: int, gone: list[int]) -> int:
        """The degree of a node after the removal of some."""
        return 0 if node in gone else len(set(self.graph.ways()[node]) - set(gone))

    def audit(self, answer: str) -> bool:
        """Whether no cycle is left, and no set of one node less breaks all of them."""
        chosen, edges = self.read(answer), tuple(self.graph.pairs())
        nodes = len(self.graph.names)
        return not closes(nodes, edges, chosen) and not breakable(nodes, edges, len(chosen) - 1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=8, density=1.7)
