"""The Hamiltonian path, after William Rowan Hamilton's Icosian game (1857)."""

from collections.abc import Iterable, Mapping
from itertools import combinations, pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.hamiltonian_path import hamiltonian_path
from palaestra.generators.graphs.players import unvisited, walk_on
from palaestra.generators.graphs.puzzles import (
    Graph,
    GraphFeasibility,
    GraphPuzzle,
    NodeOrder,
    Walk,
)
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder

BUDGET = 2_000
"""The number of states within which the search has to solve a task."""


class HamiltonianPath(NodeOrder, GraphFeasibility):
    """Find a path that passes through every node of a graph exactly once."""

    version = 2
    tags = {"graphs", "search", "planning"}
    baseline_note = (
        "the rule of H. C. von Warnsdorff, to go to the node with the fewest new neighbours, "
        "rarely leaves a node behind in sparse graphs, and in denser ones any path is likely "
        "to go on"
    )

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(7, 9, 12, 14, 16, 20, 26, low=6, high=30)
        density: float = ladder(
            1.5, 1.6, 1.7, 1.75, 1.8, 1.8, 1.85, low=1.3, high=2.2
        )  # edges/node
        misleading: bool = ladder(False, False, False, False, True)  # see `is_valid`

    misleading: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        path = list(pairwise(range(knobs.nodes)))
        others = sorted(set(combinations(range(knobs.nodes), 2)) - set(path))
        # With more edges than this, naive paths hardly ever fail.
        most = knobs.nodes * (knobs.nodes - 1) * 3 // 10
        extra = min(round(knobs.nodes * knobs.density), most) - len(path)
        edges = path + rng.sample(others, extra)
        graph = Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding)
        return cls(graph=graph, misleading=knobs.misleading and knobs.nodes > 13)

    def is_valid(self) -> bool:
        """Naive paths fail; where it is misleading, the search has to backtrack as well."""
        nodes = len(self.graph.names)
        # A naive path breaks no rule but that it may be too short.
        if not GraphPuzzle.is_valid(self) or any(len(p) == nodes for p in self.naive_solutions()):
            return False
        result = self.search(BUDGET)
        return bool(result.solution) and result.examined > nodes * self.misleading

    def search(self, budget: int = 1_000_000) -> SearchResult:
        return hamiltonian_path(self.graph.masks(), budget)

    def naive_solutions(self) -> list[list[int]]:
        """From each node, the path to the first new neighbour by name, until there is none."""
        rank = {node: number for number, node in enumerate(self.graph.ranked())}
        ways = [sorted(near, key=lambda node: rank[node]) for near in self.graph.ways()]
        orders = []
        for start in rank:
            path = [start]
            while ahead := [near for near in ways[path[-1]] if near not in path]:
                path.append(ahead[0])
            orders.append(path)
        return orders

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Paths to a random new neighbour, and to the one with the fewest new neighbours, which is
        H. C. von Warnsdorff's rule (1823), from random nodes and from those of least degree.
        """
        ways, nodes = self.graph.ways(), range(len(self.graph.names))

        def onward(path: list[int]) -> int | None:
            ahead = unvisited(ways, path, rng)
            return min(ahead, key=lambda node: len({*ways[node]}.difference(path)), default=None)

        def wander(path: list[int]) -> int | None:
            return next(iter(unvisited(ways, path, rng)), None)

        start, least = rng.choice(nodes), min(shuffled(nodes, rng), key=lambda n: len(ways[n]))
        return {
            "random path": walk_on(least, wander, len(nodes)),
            "fewest new neighbours": walk_on(start, onward, len(nodes)),
            "fewest new neighbours, from least degree": walk_on(least, onward, len(nodes)),
        }

    def prompt(self) -> str:
        task = self.phrase(
            "Find a path along the edges that passes through every node exactly once.",
            "Visit every node exactly once, moving only along edges.",
        )
        return self.with_graph(
            f"{task} The path may start and end at any node, and need not use all edges. There is "
            "at least one such path; any will do. Write all the nodes in the order in which they "
            f"are visited, such as '{self.walk_example(4)}'."
        )

    def violation(self, solution: Any) -> str:
        return Walk.violation(self, solution) or NodeOrder.violation(self, solution)

    def audit(self, answer: str) -> bool:
        """Whether it uses one edge less than there are nodes, and passes through all of them."""
        path = self.read(answer)
        used = {tuple(sorted(step)) for step in pairwise(path)} & set(self.graph.pairs())
        nodes = len(self.graph.names)
        return len(set(path)) == len(path) == nodes == len(used) + 1

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, [self.graph.ranked(), *self.naive_solutions()[:3]])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=6, density=1.5)
