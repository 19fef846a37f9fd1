"""The minimum dominating set; Oystein Ore gave it its name (1962)."""

from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.dominating_set import greedy_cover, smallest_cover
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.random_graphs import connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


@lru_cache(maxsize=256)
def dominable(closed: tuple[int, ...], nodes: int) -> bool:
    """Whether this many of the sets in ``closed`` cover all nodes, by trying all combinations.

    >>> dominable((3, 7, 6), 1), dominable((1, 2), 1)
    (True, False)
    """
    everyone = (1 << len(closed)) - 1
    for chosen in combinations(closed, nodes):
        covered = 0
        for neighbourhood in chosen:
            covered |= neighbourhood
        if covered == everyone:
            return True
    return False


class DominatingSet(NodeSet, GraphOptimum):
    """Choose as few nodes as possible so that all others are next to a chosen one."""

    tags = {"graphs", "optimisation", "search"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(8, 10, 12, 15, 18, 21, 25, low=8, high=28)
        density: float = ladder(1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2.0, low=1.3, high=2.0)  # edges/node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = min(round(knobs.nodes * knobs.density), knobs.nodes * (knobs.nodes - 1) // 4)
        edges = connected(rng, knobs.nodes, number, window=6)
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding))

    def closed(self) -> list[int]:
        """Each node with its neighbours, as a set of bits."""
        return [near | 1 << node for node, near in enumerate(self.graph.masks())]

    @property
    def everyone(self) -> int:
        """All nodes as a set of bits."""
        return (1 << len(self.graph.names)) - 1

    def prompt(self) -> str:
        task = self.phrase(
            "Find a minimum dominating set: as few nodes as possible, such that every node that "
            "is not among them is joined by an edge to one of them.",
            "Place as few watchmen as possible on the nodes, so that every node without a watchman "
            "is joined by an edge to a node with one.",
        )
        return self.any_optimum(task)

    def violation(self, solution: Any) -> str:
        chosen, ways = set(solution), self.graph.ways()
        for node, near in enumerate(ways):
            if node not in chosen and not chosen & set(near):
                return f"{self.graph.names[node]} is not chosen and has no chosen neighbour"
        return ""

    def search(self) -> SearchResult:
        return smallest_cover(self.closed(), self.everyone)

    def naive_solutions(self) -> list[Any]:
        """Nodes that dominate most others first, nodes by name unless dominated, and all nodes."""
        closed, chosen, seen = self.closed(), [], 0
        for node in self.graph.ranked():
            if not seen >> node & 1:
                chosen.append(node)
                seen |= closed[node]
        return [greedy_cover(closed, self.everyone), chosen, range(len(closed))]

    def audit(self, answer: str) -> bool:
        """Whether all nodes are dominated, and no set of one node less dominates them."""
        chosen, closed = set(self.read(answer)), self.closed()
        seen = {node for node in range(len(closed)) if any(closed[c] >> node & 1 for c in chosen)}
        return len(seen) == len(closed) and not dominable(tuple(closed), len(chosen) - 1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=8, density=1.4)
