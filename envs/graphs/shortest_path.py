"""The shortest path in a weighted graph, after Edsger W. Dijkstra (1959)."""

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.networks import dijkstra, distance, nearest_neighbour
from palaestra.generators.graphs.players import path_players
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, GraphPuzzle, Walk
from palaestra.generators.graphs.scenes import Look, ends
from palaestra.generators.random_graphs import connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder
from palaestra.verifiers.certificates import path_violation


class ShortestPath(Walk, GraphOptimum):
    """Find a shortest path in a weighted graph, where few edges or short first edges mislead."""

    version = 3
    tags = {"graphs", "search", "optimisation"}
    quantity = "length"

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(6, 8, 11, 17, 22, 28, 36, high=50)
        density: float = ladder(1.6, 1.7, 1.8, 2.4, 2.6, 2.8, 3.0, low=1.3, high=4)  # edges/node
        directed: bool = ladder(False, False, False, True)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=3)
        # An edge is about as long as the path that it bypasses, so that neither is often better.
        edges = [(u, v, rng.randint(v - u, 4 * (v - u))) for u, v in pairs]
        if knobs.directed:
            edges = edges[: knobs.nodes - 1] + [
                (u, v, w) if rng.random() < 0.7 else (v, u, w)
                for u, v, w in edges[knobs.nodes - 1 :]
            ]
        make = Graph.of_arcs if knobs.directed else Graph.of_edges
        return cls(graph=make(rng, knobs.nodes, edges, knobs.encoding, "length"))

    def is_valid(self) -> bool:
        if not GraphPuzzle.is_valid(self):
            return False
        # Distances take less time than paths.
        best = distance(self.graph.lengths(), 0, self.target)
        if self.fewest_edges() == best:
            return False
        greedy = nearest_neighbour(self.graph.lengths(), 0, self.target)
        return greedy[-1] != self.target or self.worth(greedy) > best

    def canonical(self) -> str:
        return repr((self.graph.directed, self.graph.key()))

    @property
    def target(self) -> int:
        """The node to reach; the path starts from node 0."""
        return len(self.graph.names) - 1

    def look(self) -> Look:
        return ends(0, self.target)

    def prompt(self) -> str:
        source, target = self.graph.names[0], self.graph.names[self.target]
        task = self.phrase(
            f"Find a shortest path from {source} to {target}",
            f"What is the shortest path from {source} to {target}? Give one",
        )
        return self.with_graph(
            f"{task}: a path for which the lengths of its edges add up to as little as possible. "
            "If several solutions are optimal, any of them will do. Write all nodes of the path in "
            f"order, such as '{self.as_text([2, 3, 1])}'."
        )

    def violation(self, solution: Any) -> str:
        graph = self.graph
        return path_violation(solution, graph.weights(), 0, self.target, graph.names)

    def worth(self, solution: Any) -> int:
        lengths = self.graph.lengths()  # which the search has built already
        return sum(lengths[u][v] for u, v in pairwise(solution))

    def search(self) -> SearchResult:
        route = dijkstra(self.graph.lengths(), 0, self.target)
        return SearchResult(route.path, route.examined)

    def naive_solutions(self) -> list[Any]:
        """A path of the fewest edges, and the greedy walk."""
        lengths = self.graph.lengths()
        fewest = dijkstra(lengths, 0, self.target, (1, 1)).path
        return [fewest, nearest_neighbour(lengths, 0, self.target)]

    def baseline(self, best: int) -> int:
        fewest = self.fewest_edges()
        greedy = nearest_neighbour(self.graph.lengths(), 0, self.target)
        return min(fewest, self.worth(greedy)) if greedy[-1] == self.target else fewest

    def fewest_edges(self) -> int:
        """The least length of the paths of the fewest edges."""
        lengths = self.graph.lengths()
        # An arc that costs more than all lengths together makes the paths of fewest edges cheapest.
        much = 1 + sum([sum(arcs.values()) for arcs in lengths.values()])
        return distance(lengths, 0, self.target, much) % much

    def shortcuts(self) -> list[str]:
        return [*super().shortcuts(), self.as_text((0, self.target))]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        return path_players(self.graph, 0, self.target, rng)

    def audit(self, answer: str) -> bool:
        """Whether each step is as long as the distances of Bellman-Ford differ."""
        path, lengths, infinity = self.read(answer), self.graph.lengths(), float("inf")
        away = [0.0, *(infinity for _ in self.graph.names[1:])]
        for _ in self.graph.names:
            for u, beside in lengths.items():
                for v, length in beside.items():
                    away[v] = min(away[v], away[u] + length)
        tight = all(away[v] == away[u] + lengths[u].get(v, infinity) for u, v in pairwise(path))
        return tight and path[0] == 0 and path[-1] == self.target
