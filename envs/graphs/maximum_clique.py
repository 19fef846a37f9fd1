"""The maximum clique; the word is Duncan Luce's and Albert Perry's (1949), for groups of friends.

The search is bounded by colours, after Etsuji Tomita and Tomokazu Seki (2003).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import stepwise
from palaestra.generators.graphs.camouflage import hidden_independent_set, renumbered
from palaestra.generators.graphs.cliques import greedy_clique, maximum_clique
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


class MaximumClique(NodeSet, GraphOptimum):
    """Find as many nodes of a graph as possible that are all joined to one another."""

    version = 2
    tags = {"graphs", "optimisation", "search"}
    headings = ("clique",)

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(8, 11, 16, 22, 25, 28, 32, low=8, high=32)
        size: int = ladder(4, 4, 6, 8, 8, 8, 8, low=3, high=10)  # of the clique, at least

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = min(knobs.size, knobs.nodes * 3 // 8)
        # Naive cliques are rarely too small in a small graph with many edges.
        missing = knobs.nodes // 2 if knobs.nodes < 12 else knobs.nodes * 3 // 8
        apart = set(hidden_independent_set(rng, knobs.nodes, size, missing))
        edges = [pair for pair in combinations(range(knobs.nodes), 2) if pair not in apart]
        numbered = renumbered(rng, knobs.nodes, edges)
        return cls(graph=Graph.of_edges(rng, knobs.nodes, numbered, knobs.encoding))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a maximum clique: as many nodes as possible, every two of which are joined by "
            "an edge.",
            "Choose as many nodes as possible so that each of them is joined by an edge to each "
            "of the others that you choose.",
        )
        return self.any_optimum(task, "nodes")

    def marked(self, nodes: Sequence[int]) -> list[Edge]:
        return self.inside(nodes)

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

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Also the node with the most or the fewest candidates left beside it, each time."""
        beside, nodes = self.graph.masks(), range(len(self.graph.names))

        def left(node: int, clique: list[int]) -> int | None:
            candidates = ~0
            for other in clique:
                candidates &= beside[other]
            return (beside[node] & candidates).bit_count() if candidates >> node & 1 else None

        def fewest_lost(node: int, clique: list[int]) -> int | None:
            number = left(node, clique)
            return None if number is None else -number

        return {
            **super().baseline_solutions(rng),
            "most candidates left first": stepwise(nodes, rng, fewest_lost),
            "fewest candidates left first": stepwise(nodes, rng, left),
        }

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
        return cls.Knobs(nodes=8, size=3)
