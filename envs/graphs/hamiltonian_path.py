"""The Hamiltonian path, after William Rowan Hamilton's Icosian game (1857)."""

from collections.abc import Iterable
from itertools import combinations, pairwise, permutations
from random import Random
from typing import Self

from palaestra.generators.graphs.encodings import Found, Graph, GraphPuzzle
from palaestra.generators.graphs.search import hamiltonian_path, masks
from palaestra.task import Score, ladder
from palaestra.verifiers.graph_answers import walk

BUDGET = 2_000
"""States that the search may look at for a task to be taken."""


class HamiltonianPath(GraphPuzzle):
    """Find a path that passes through every node of a graph exactly once."""

    version = 2
    tags = {"graphs", "search", "planning"}

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(7, 9, 12, 14, 16, 20, 26, low=6, high=30)
        density: float = ladder(1.5, 1.6, 1.7, 1.75, 1.8, 1.8, 1.85, low=1.3, high=2.2)  # a node
        misleading: bool = ladder(False, False, False, False, True)  # see `is_valid`

    misleading: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        path = list(pairwise(range(knobs.nodes)))
        others = sorted(set(combinations(range(knobs.nodes), 2)) - set(path))
        # With more edges than this, a path that goes on anyhow is hardly ever stuck.
        most = knobs.nodes * (knobs.nodes - 1) * 3 // 10
        extra = min(round(knobs.nodes * knobs.density), most) - len(path)
        edges = path + rng.sample(others, extra)
        graph = Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding)
        return cls(graph=graph, misleading=knobs.misleading and knobs.nodes > 13)

    def is_valid(self) -> bool:
        """Greed gets stuck; where it is misleading, so does going on where fewest ways lead on."""
        nodes = len(self.graph.names)
        if not super().is_valid() or any(len(path) == nodes for path in self.heedless()):
            return False
        outcome = self.search(BUDGET)
        return bool(outcome.solution) and outcome.looked > nodes * self.misleading

    def search(self, budget: int = 1_000_000) -> Found:
        """A path through all nodes."""
        return hamiltonian_path(masks(self.graph.ways()), budget)

    def heedless(self) -> list[list[int]]:
        """From each node the path to the first new neighbour, by the names, until it is stuck."""
        rank = {node: place for place, node in enumerate(self.graph.ranked())}
        ways = [sorted(near, key=lambda node: rank[node]) for near in self.graph.ways()]
        orders = []
        for start in rank:
            path = [start]
            while ahead := [near for near in ways[path[-1]] if near not in path]:
                path.append(ahead[0])
            orders.append(path)
        return orders

    def prompt(self) -> str:
        task = self.phrase(
            "Find a path along the edges that passes through every node exactly once.",
            "Visit every node exactly once, moving only along edges.",
        )
        shape = self.example(4).replace(", ", " -> ")
        return self.posed(
            f"{task} The path may start and end at any node, and need not use all edges. There is "
            "at least one such path; any will do. Write all the nodes in the order in which they "
            f"are visited, such as '{shape} -> …'."
        )

    def answer(self) -> str:
        return self.as_text(self.search().solution)

    def as_text(self, path: Iterable[int]) -> str:
        """A path as an answer."""
        return self.graph.listing(path, " -> ")

    def verify(self, answer: str) -> Score:
        names, path = self.graph.names, walk(answer, self.graph.names)
        ways = self.graph.ways()
        for u, v in pairwise(path):
            if v not in ways[u]:
                return Score(0, f"no edge joins {names[u]} and {names[v]}")
        for node, name in enumerate(names):
            if (times := path.count(node)) != 1:
                return Score(0, f"{name} is visited {times} times")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Whether just enough of the edges are used, and all nodes are met."""
        path = walk(answer, self.graph.names)
        used = {tuple(sorted(step)) for step in pairwise(path)} & set(self.graph.pairs())
        nodes = len(self.graph.names)
        return len(set(path)) == len(path) == nodes == len(used) + 1

    def difficulty(self) -> float:
        return self.search().looked

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, [self.graph.ranked(), *self.heedless()[:3]])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=6, density=1.5)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, permutations(range(len(self.graph.names))))
