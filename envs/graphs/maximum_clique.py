"""The maximum clique; the word is Duncan Luce's and Albert Perry's (1949), for groups of friends.

The search is bounded by colours, after Etsuji Tomita and Tomokazu Seki (2003).
"""

from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.cliques import greedy_clique, maximum_clique
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


class MaximumClique(NodeSet, GraphOptimum):
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
        return self.any_optimum(task, "nodes")

    def violation(self, solution: Any) -> str:
        ways, names = self.graph.ways(), self.graph.names
        apart = next(((u, v) for u, v in combinations(solution, 2) if v not in ways[u]), None)
        return f"no edge joins {names[apart[0]]} and {names[apart[1]]}" if apart else ""

    def search(self) -> SearchResult:
        return maximum_clique(self.graph.masks())

    def naive_solutions(self) -> list[Any]:
        """Nodes that are joined to all earlier ones: by name, from either end, and by degree."""
        beside, named = self.graph.masks(), self.graph.ranked()
        busy = sorted(named, key=lambda node: -beside[node].bit_count())
        return [greedy_clique(beside, order) for order in (named, named[::-1], busy)]

    def audit(self, answer: str) -> bool:
        """Whether it is among the cliques that remain when all are grown node by node."""
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
