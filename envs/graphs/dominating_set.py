"""The minimum dominating set; Oystein Ore gave it its name (1962)."""

from collections.abc import Mapping
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import pared, stepwise
from palaestra.generators.bitsets import ones
from palaestra.generators.graphs.camouflage import perfect_code, renumbered
from palaestra.generators.graphs.dominating_set import greedy_cover, smallest_cover
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


class DominatingSet(NodeSet, GraphOptimum):
    """Choose as few nodes as possible so that all others are next to a chosen one."""

    version = 2
    tags = {"graphs", "optimisation", "search"}
    headings = ("dominating set",)

    class Knobs(GraphOptimum.Knobs):
        chosen: int = ladder(2, 3, 4, 5, 6, 7, 8, low=2, high=10)  # nodes, at least
        degree: int = ladder(3, low=3, high=5)  # of every node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.chosen * (knobs.degree + 1)
        edges = perfect_code(rng, nodes, knobs.degree)
        numbered = renumbered(rng, nodes, edges)
        return cls(graph=Graph.of_edges(rng, nodes, numbered, knobs.encoding))

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

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Also the node that dominates the most others each time, of all or of the neighbours of
        the node with the fewest neighbours that is left.
        """
        closed, nodes = self.closed(), range(len(self.graph.names))

        def left(chosen: list[int]) -> int:
            rest = self.everyone
            for node in chosen:
                rest &= ~closed[node]
            return rest

        def gain(node: int, chosen: list[int]) -> int | None:
            return -(closed[node] & left(chosen)).bit_count() or None

        def gain_of_the_worst(node: int, chosen: list[int]) -> int | None:
            rest = ones(left(chosen))
            worst = min(rest, key=lambda other: closed[other].bit_count(), default=None)
            if worst is None or not closed[worst] >> node & 1:
                return None
            return gain(node, chosen)

        return {
            **super().baseline_solutions(rng),
            "most dominated first": pared(stepwise(nodes, rng, gain), self.satisfied),
            "for the fewest neighbours first": pared(
                stepwise(nodes, rng, gain_of_the_worst), self.satisfied
            ),
        }

    def audit(self, answer: str) -> bool:
        """Whether all nodes are dominated, and fewer nodes have too few neighbours for that."""
        chosen, closed = set(self.read(answer)), self.closed()
        seen = {node for node in range(len(closed)) if any(closed[c] >> node & 1 for c in chosen)}
        sizes = sorted(map(int.bit_count, closed), reverse=True)
        return len(seen) == len(closed) > sum(sizes[: len(chosen) - 1])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(chosen=2, degree=3)
