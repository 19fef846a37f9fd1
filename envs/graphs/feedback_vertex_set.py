"""The feedback vertex set, one of Richard Karp's twenty-one problems (1972)."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.algorithms import Forest
from palaestra.generators.graphs.encodings import Found, Graph, GraphOptimum
from palaestra.generators.graphs.search import shortest_circle, smallest_feedback
from palaestra.generators.random_graphs import Edge, connected
from palaestra.task import ladder
from palaestra.verifiers.graph_answers import node_set


def closes(nodes: int, edges: Iterable[Edge], gone: Iterable[int]) -> bool:
    """Whether some edges close a circle once some nodes are gone.

    >>> closes(3, [(0, 1), (1, 2), (0, 2)], []), closes(3, [(0, 1), (1, 2), (0, 2)], [2])
    (True, False)
    """
    forest, shut = Forest(nodes), set(gone)
    left = [edge for edge in edges if not shut & set(edge)]
    return not all(forest.join(u, v) for u, v in left)


@lru_cache(maxsize=64)
def breakable(nodes: int, edges: tuple[Edge, ...], number: int) -> bool:
    """Whether so many nodes can break all circles, by trying all choices."""
    return any(not closes(nodes, edges, gone) for gone in combinations(range(nodes), number))


class FeedbackVertexSet(GraphOptimum):
    """Remove as few nodes as possible so that no cycle is left in a graph."""

    tags = {"graphs", "optimisation", "search"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(9, 10, 11, 12, 14, 16, 18, low=7, high=20)
        density: float = ladder(1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.75, low=1.5, high=2)  # edges a node

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
        return self.posed(
            f"{task} If several solutions are optimal, any of them will do. Write the nodes to "
            f"remove on one line in any order, such as '{self.example(3)}'."
        )

    def read(self, answer: str) -> tuple[int, ...]:
        return node_set(answer, self.graph.names)

    def as_text(self, solution: Any) -> str:
        return self.graph.listing(solution) or "none"

    def flaw(self, solution: Any) -> str:
        circle = closes(len(self.graph.names), self.graph.pairs(), solution)
        return "a cycle is left" if circle else ""

    def worth(self, solution: Any) -> int:
        return len(solution)

    def search(self) -> Found:
        return smallest_feedback(self.graph.ways())

    def heedless(self) -> list[Any]:
        """The node of most edges, or the next by name on a circle, while there is a circle."""
        named = self.graph.ranked()
        busy, first = list[int](), list[int]()
        while self.flaw(busy):
            busy.append(max(named, key=lambda node: self.left(node, busy)))
        while circle := shortest_circle(self.graph.ways(), first):
            first.append(min(circle, key=named.index))
        return [busy, first, named]

    def left(self, node: int, gone: list[int]) -> int:
        """How many edges a node has to those that are not gone."""
        return 0 if node in gone else len(set(self.graph.ways()[node]) - set(gone))

    def audit(self, answer: str) -> bool:
        """Whether no circle is left, and no choice of one node less leaves none."""
        chosen, edges = self.read(answer), tuple(self.graph.pairs())
        nodes = len(self.graph.names)
        return not closes(nodes, edges, chosen) and not breakable(nodes, edges, len(chosen) - 1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=8, density=1.7)

    def candidates(self) -> Iterable[str]:
        nodes = range(len(self.graph.names))
        return map(self.as_text, chain.from_iterable(combinations(nodes, n) for n in range(1, 5)))
