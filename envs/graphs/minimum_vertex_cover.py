"""The minimum vertex cover, one of Richard Karp's twenty-one problems (1972)."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.encodings import Found, Graph, GraphOptimum
from palaestra.generators.graphs.search import busiest, complement, masks, maximum_clique
from palaestra.generators.random_graphs import Edge, connected
from palaestra.task import ladder
from palaestra.verifiers.graph_answers import node_set


@lru_cache(maxsize=256)
def coverable(edges: tuple[Edge, ...], nodes: int) -> bool:
    """Whether so many nodes can meet all edges: one end or the other of the first one must.

    >>> coverable(((0, 1), (1, 2)), 1), coverable(((0, 1), (2, 3)), 1)
    (True, False)
    """
    if not edges or not nodes:
        return not edges
    return any(coverable(tuple(e for e in edges if end not in e), nodes - 1) for end in edges[0])


class MinimumVertexCover(GraphOptimum):
    """Choose as few nodes as possible so that every edge has a chosen end."""

    tags = {"graphs", "optimisation", "search"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(8, 10, 12, 15, 18, 22, 26, low=8, high=28)
        density: float = ladder(
            1.5, 1.6, 1.7, 1.8, 1.9, 2.1, 2.3, low=1.3, high=2.4
        )  # edges a node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = min(round(knobs.nodes * knobs.density), knobs.nodes * (knobs.nodes - 1) // 4)
        edges = connected(rng, knobs.nodes, number)
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a minimum vertex cover: as few nodes as possible, such that every edge has at "
            "least one of its two ends among them.",
            "Put guards on as few nodes as possible, so that every edge has a guard on at least "
            "one of its ends.",
        )
        return self.posed(
            f"{task} If several solutions are optimal, any of them will do. Write the chosen nodes "
            f"on one line in any order, such as '{self.example(3)}'."
        )

    def read(self, answer: str) -> tuple[int, ...]:
        return node_set(answer, self.graph.names)

    def as_text(self, solution: Any) -> str:
        return self.graph.listing(solution) or "none"

    def flaw(self, solution: Any) -> str:
        chosen, names = set(solution), self.graph.names
        bare = next((edge for edge in self.graph.pairs() if not chosen & set(edge)), None)
        if bare is None:
            return ""
        return f"the edge between {names[bare[0]]} and {names[bare[1]]} has no chosen end"

    def worth(self, solution: Any) -> int:
        return len(solution)

    def search(self) -> Found:
        """What is left of a largest set of nodes no two of which are joined."""
        apart, looked = maximum_clique(complement(masks(self.graph.ways())))
        return Found(tuple(sorted(set(range(len(self.graph.names))) - set(apart))), looked)

    def heedless(self) -> list[Any]:
        """Again and again the node of most edges; and all nodes but those that fit by name."""
        cover: list[int] = []
        for node in self.graph.ranked():
            if any(near not in cover for near in self.graph.ways()[node]):
                cover.append(node)
        return [busiest(masks(self.graph.ways())), cover, range(len(self.graph.names))]

    def audit(self, answer: str) -> bool:
        """Whether it covers, and a search from edge to edge finds no cover with one node less."""
        chosen, edges = set(self.read(answer)), tuple(self.graph.pairs())
        meets = all(u in chosen or v in chosen for u, v in edges)
        return meets and not coverable(edges, len(chosen) - 1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=8, density=1.5)

    def candidates(self) -> Iterable[str]:
        nodes = range(len(self.graph.names))
        return map(self.as_text, chain.from_iterable(combinations(nodes, n) for n in range(1, 7)))
