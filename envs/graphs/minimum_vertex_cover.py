"""The minimum vertex cover, one of Richard Karp's twenty-one problems (1972)."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import pared, stepwise
from palaestra.generators.graphs.camouflage import hidden_independent_set, renumbered
from palaestra.generators.graphs.cliques import (
    complement,
    greedy_vertex_cover,
    maximum_clique,
)
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


@lru_cache(maxsize=256)
def coverable(edges: tuple[Edge, ...], nodes: int) -> bool:
    """Whether a cover of this many nodes exists. It has the node with the most edges, or else all
    nodes beside it; and no node covers more edges than that one.

    >>> coverable(((0, 1), (1, 2)), 1), coverable(((0, 1), (2, 3)), 1)
    (True, False)
    >>> coverable(((0, 1), (0, 2), (1, 3), (2, 3), (1, 2)), 1)
    False
    """
    degrees = Counter(end for edge in edges for end in edge)
    if nodes < 0 or not edges:
        return nodes >= 0
    busiest, most = degrees.most_common(1)[0]
    if len(edges) > nodes * most:
        return False
    beside = {end for edge in edges if busiest in edge for end in edge if end != busiest}
    return any(
        coverable(tuple(edge for edge in edges if not chosen & {*edge}), nodes - len(chosen))
        for chosen in ({busiest}, beside)
    )


class MinimumVertexCover(NodeSet, GraphOptimum):
    """Choose as few nodes as possible so that every edge has a chosen end."""

    version = 2
    tags = {"graphs", "optimisation", "search"}
    headings = ("cover", "vertex cover")

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(9, 12, 18, 25, 28, 34, 40, low=8, high=40)
        degree: int = ladder(3, 4, 6, 9, 9, 10, 10, low=3)  # about that of every node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        apart = (knobs.nodes + 1) // 3
        edges = hidden_independent_set(rng, knobs.nodes, apart, min(knobs.degree, apart + 2))
        numbered = renumbered(rng, knobs.nodes, edges)
        return cls(graph=Graph.of_edges(rng, knobs.nodes, numbered, knobs.encoding))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a minimum vertex cover: as few nodes as possible, such that every edge has at "
            "least one of its two ends among them.",
            "Put guards on as few nodes as possible, so that every edge has a guard on at least "
            "one of its ends.",
        )
        return self.any_optimum(task)

    def violation(self, solution: Any) -> str:
        chosen, names = set(solution), self.graph.names
        edge = next((edge for edge in self.graph.pairs() if not chosen & set(edge)), None)
        if edge is None:
            return ""
        return f"the edge between {names[edge[0]]} and {names[edge[1]]} has no chosen end"

    def search(self) -> SearchResult:
        """The complement of a largest independent set."""
        independent, examined = maximum_clique(complement(self.graph.masks()))
        cover = set(range(len(self.graph.names))) - set(independent)
        return SearchResult(tuple(sorted(cover)), examined)

    def naive_solutions(self) -> list[Any]:
        """Nodes by decreasing degree, nodes that need be in it by name, and all nodes."""
        cover: list[int] = []
        for node in self.graph.ranked():
            if any(near not in cover for near in self.graph.ways()[node]):
                cover.append(node)
        return [greedy_vertex_cover(self.graph.masks()), cover, range(len(self.graph.names))]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Also the node with the most uncovered edges each time, or all but an independent set to
        which the node with the fewest free neighbours is added each time.
        """
        ways, nodes = self.graph.ways(), range(len(self.graph.names))

        def uncovered(node: int, cover: list[int]) -> int | None:
            return -len(set(ways[node]) - set(cover)) or None

        def free(node: int, apart: list[int]) -> int | None:
            beside = {near for other in apart for near in ways[other]}
            return None if node in beside else len(set(ways[node]) - beside)

        apart, busy = stepwise(nodes, rng, free), stepwise(nodes, rng, uncovered)
        return {
            **super().baseline_solutions(rng),
            "most uncovered edges first": pared(busy, self.satisfied),
            "all but fewest free neighbours first": [n for n in nodes if n not in apart],
        }

    def audit(self, answer: str) -> bool:
        """Whether it is a cover, and branching on edges finds none with one node less."""
        chosen, edges = set(self.read(answer)), tuple(self.graph.pairs())
        meets = all(u in chosen or v in chosen for u, v in edges)
        return meets and not coverable(edges, len(chosen) - 1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=8, degree=3)
