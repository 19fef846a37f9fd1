"""The shortest path in a weighted graph, after Edsger W. Dijkstra (1959)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.graphs.encodings import Graph, GraphPuzzle
from palaestra.generators.graphs.networks import (
    Lengths,
    Path,
    dijkstra,
    distance,
    nearest_neighbour,
)
from palaestra.generators.random_graphs import connected
from palaestra.task import Score, ladder
from palaestra.verifiers.certificates import gap, path_flaw
from palaestra.verifiers.graph_answers import walk


@lru_cache(maxsize=256)
def arc_lengths(graph: Graph) -> Lengths:
    """The length of the arc from each node to each of those beside it."""
    by_node: Lengths = {node: {} for node in range(len(graph.names))}
    edges = graph.key()
    for u, v, length in edges:
        by_node[u][v] = length
    if not graph.directed:
        for u, v, length in edges:
            by_node[v][u] = length
    return by_node


@lru_cache(maxsize=256)
def yardsticks(task: "ShortestPath") -> tuple[int, int]:
    """The length that earns nothing, and the one that earns everything."""
    return task.baseline(), task.best()


class ShortestPath(GraphPuzzle):
    """Find a shortest path in a weighted graph, where few edges or short first edges mislead."""

    version = 2
    tags = {"graphs", "search", "optimisation"}

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(6, 8, 11, 17, 22, 28, 36, high=50)
        density: float = ladder(1.6, 1.7, 1.8, 2.4, 2.6, 2.8, 3.0, low=1.3, high=4)  # edges a node
        directed: bool = ladder(False, False, False, True)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        drawn = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=3)
        # An edge costs about as much as what it leaps over, so that leaps neither win nor lose.
        edges = [(u, v, rng.randint(v - u, 4 * (v - u))) for u, v in drawn]
        if knobs.directed:
            edges = edges[: knobs.nodes - 1] + [
                (u, v, w) if rng.random() < 0.7 else (v, u, w)
                for u, v, w in edges[knobs.nodes - 1 :]
            ]
        made = Graph.of_arcs if knobs.directed else Graph.of_edges
        return cls(graph=made(rng, knobs.nodes, edges, knobs.encoding, "length"))

    @property
    def target(self) -> int:
        """The node to reach; the path starts from node 0."""
        return len(self.graph.names) - 1

    def lengths(self) -> Lengths:
        """The graph as arcs, each edge in both directions where it has none."""
        return arc_lengths(self.graph)

    def length(self, path: Sequence[int]) -> int:
        """How long a path is."""
        lengths = self.lengths()
        return sum(lengths[u][v] for u, v in pairwise(path))

    def baseline(self) -> int:
        """The better of the shortest path among those of fewest edges, and the greedy walk."""
        lengths, target = self.lengths(), self.target
        # An arc that costs more than all lengths together makes the paths of fewest edges cheapest.
        much = 1 + sum(map(sum, map(dict.values, lengths.values())))
        fewest = distance(lengths, 0, target, much) % much
        greedy = nearest_neighbour(lengths, 0, target)
        return min(fewest, self.length(greedy)) if greedy[-1] == target else fewest

    def simple_paths(self) -> list[Path]:
        """What one finds without a search by length."""
        lengths = self.lengths()
        fewest = dijkstra(lengths, 0, self.target, (1, 1)).path
        return [fewest, nearest_neighbour(lengths, 0, self.target)]

    def is_valid(self) -> bool:
        return super().is_valid() and self.best() < self.baseline()

    def best(self) -> int:
        """The length of a shortest path."""
        return distance(self.lengths(), 0, self.target)

    def canonical(self) -> str:
        return repr((self.graph.directed, self.graph.key()))

    def prompt(self) -> str:
        source, target = self.graph.names[0], self.graph.names[self.target]
        task = self.phrase(
            f"Find a shortest path from {source} to {target}",
            f"What is the shortest path from {source} to {target}? Give one",
        )
        return self.posed(
            f"{task}: a path for which the lengths of its edges add up to as little as possible. "
            "If several solutions are optimal, any of them will do. Write all nodes of the path in "
            f"order, such as '{self.as_text([2, 3, 1])}'."
        )

    def answer(self) -> str:
        return self.as_text(dijkstra(self.lengths(), 0, self.target).path)

    def as_text(self, path: Sequence[int]) -> str:
        """A path as an answer."""
        return self.graph.listing(path, " -> ")

    def verify(self, answer: str) -> Score:
        path = walk(answer, self.graph.names)
        arcs = {(u, v): extra for u, ways in self.lengths().items() for v, extra in ways.items()}
        if flaw := path_flaw(path, arcs, 0, self.target, self.graph.names):
            return Score(0, flaw)
        length = sum(arcs[step] for step in pairwise(path))
        value = gap(length, *yardsticks(self))
        reason = (
            "" if value == 1 else f"the length of the path is {length}, and a shorter one exists"
        )
        return Score(value, reason, {"length": length})

    def audit(self, answer: str) -> bool:
        """Whether each step is as long as the distances found by Bellman-Ford are apart."""
        path = walk(answer, self.graph.names)
        lengths, far = self.lengths(), float("inf")
        away = [0.0, *(far for _ in self.graph.names[1:])]
        for _ in self.graph.names:
            for u, beside in lengths.items():
                for v, length in beside.items():
                    away[v] = min(away[v], away[u] + length)
        tight = all(away[v] == away[u] + lengths[u].get(v, far) for u, v in pairwise(path))
        return tight and path[0] == 0 and path[-1] == self.target

    def difficulty(self) -> float:
        return dijkstra(self.lengths(), 0, self.target).looked

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, [*self.simple_paths(), (0, self.target)])
