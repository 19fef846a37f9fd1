"""The feedback vertex set, one of Richard Karp's twenty-one problems (1972)."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import pared, stepwise
from palaestra.generators.graphs.algorithms import Forest
from palaestra.generators.graphs.camouflage import hidden_feedback_set, renumbered
from palaestra.generators.graphs.feedback_vertex_set import shortest_cycle, smallest_feedback
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.random_graphs import Edge
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


class FeedbackVertexSet(NodeSet, GraphOptimum):
    """Remove as few nodes as possible so that no cycle is left in a graph."""

    version = 3
    tags = {"graphs", "optimisation", "search"}
    headings = ("feedback vertex set", "removed nodes", "nodes to remove")

    class Knobs(GraphOptimum.Knobs):
        removed: int = ladder(3, 4, 7, 9, 10, 12, 13, low=3, high=13)  # nodes
        degree: int = ladder(3, 4, 4, 4, 5, 5, 5, low=3)  # of every node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        edges = hidden_feedback_set(rng, knobs.removed, min(knobs.degree, knobs.removed))
        nodes = 1 + max(v for _, v in edges)
        numbered = renumbered(rng, nodes, edges)
        return cls(graph=Graph.of_edges(rng, nodes, numbered, knobs.encoding))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a minimum feedback vertex set: as few nodes as possible, such that no cycle is "
            "left when they and their edges are removed.",
            "Remove as few nodes as possible, each with its edges, so that in what is left no walk "
            "that uses each edge at most once comes back to its start.",
        )
        return self.any_optimum(task, "nodes to remove")

    def marked(self, nodes: Sequence[int]) -> list[Edge]:
        """The edges that are left."""
        return self.inside(set(range(len(self.graph.names))) - set(nodes))

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

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Also the node each time that has the most edges after the removal of all dead ends, and
        a node of a shortest cycle that has the most edges.
        """
        ways, nodes = self.graph.ways(), range(len(self.graph.names))

        def edges_left(node: int, gone: list[int]) -> int | None:
            left = set(nodes) - set(gone)
            while dead := {n for n in left if len(left & set(ways[n])) < 2}:
                left -= dead
            return -len(left & set(ways[node])) if node in left else None

        def on_cycle(node: int, gone: list[int]) -> int | None:
            return -self.degree(node, gone) if node in shortest_cycle(ways, gone) else None

        return {
            **super().baseline_solutions(rng),
            "most edges left first": pared(stepwise(nodes, rng, edges_left), self.satisfied),
            "shortest cycle first": pared(stepwise(nodes, rng, on_cycle), self.satisfied),
        }

    def degree(self, node: int, gone: list[int]) -> int:
        """The degree of a node after the removal of some."""
        return 0 if node in gone else len(set(self.graph.ways()[node]) - set(gone))

    def audit(self, answer: str) -> bool:
        """Whether no cycle is left, and fewer nodes have too few edges to break all of them."""
        chosen, edges, nodes = self.read(answer), self.graph.pairs(), len(self.graph.names)
        # A forest has fewer edges than nodes, and each removed node removes its edges and itself.
        surplus = sorted(len(near) - 1 for near in self.graph.ways())
        fewer = sum(surplus[::-1][: max(0, len(set(chosen)) - 1)])
        return not closes(nodes, edges, chosen) and len(edges) - nodes - fewer >= 0

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(removed=3, degree=3)
