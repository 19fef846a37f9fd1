"""The maximum clique; the word is Duncan Luce's and Albert Perry's (1949), for groups of friends.

The search is bounded by colours, after Etsuji Tomita and Tomokazu Seki (2003).
"""

from collections.abc import Iterable
from itertools import chain, combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.encodings import Found, Graph, GraphOptimum
from palaestra.generators.graphs.search import greedy_clique, masks, maximum_clique
from palaestra.task import ladder
from palaestra.verifiers.graph_answers import node_set


class MaximumClique(GraphOptimum):
    """Find as many nodes of a graph as possible that are all joined to one another."""

    tags = {"graphs", "optimisation", "search"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(8, 10, 12, 15, 19, 23, 28, low=7, high=32)
        share: float = ladder(0.5, 0.5, 0.5, 0.5, 0.5, 0.55, 0.6, low=0.4, high=0.7)  # of all pairs

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = list(combinations(range(knobs.nodes), 2))
        edges = rng.sample(pairs, round(len(pairs) * knobs.share))
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a maximum clique: as many nodes as possible, every two of which are joined by "
            "an edge.",
            "Choose as many nodes as possible so that each of them is joined by an edge to each "
            "of the others that you choose.",
        )
        return self.posed(
            f"{task} If several solutions are optimal, any of them will do. Write the nodes on one "
            f"line in any order, such as '{self.example(3)}'."
        )

    def read(self, answer: str) -> tuple[int, ...]:
        return node_set(answer, self.graph.names)

    def as_text(self, solution: Any) -> str:
        return self.graph.listing(solution) or "none"

    def flaw(self, solution: Any) -> str:
        ways, names = self.graph.ways(), self.graph.names
        apart = next(((u, v) for u, v in combinations(solution, 2) if v not in ways[u]), None)
        return f"no edge joins {names[apart[0]]} and {names[apart[1]]}" if apart else ""

    def worth(self, solution: Any) -> int:
        return len(solution)

    def search(self) -> Found:
        return maximum_clique(masks(self.graph.ways()))

    def heedless(self) -> list[Any]:
        """Nodes that fit those taken before: by their names, and those of most edges first."""
        beside, named = masks(self.graph.ways()), self.graph.ranked()
        busy = sorted(named, key=lambda node: -beside[node].bit_count())
        return [greedy_clique(beside, order) for order in (named, named[::-1], busy)]

    def audit(self, answer: str) -> bool:
        """Whether it is found among the cliques that grow, node by node, from the empty one."""
        ways, nodes = self.graph.ways(), frozenset(self.read(answer))
        cliques = {frozenset({node}) for node in range(len(ways))}
        while grown := {
            c | {n} for c in cliques for n in range(max(c) + 1, len(ways)) if c <= set(ways[n])
        }:
            cliques = grown
        return nodes in cliques

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=7, share=0.5)

    def candidates(self) -> Iterable[str]:
        nodes = range(len(self.graph.names))
        return map(self.as_text, chain.from_iterable(combinations(nodes, n) for n in range(1, 6)))
