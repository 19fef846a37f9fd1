"""The eccentricities and the centre of a graph, after Camille Jordan's of a tree (1869).

Robert Floyd's and Stephen Warshall's algorithm (1962) computes the distances.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import distances
from palaestra.generators.graphs.networks import dijkstra
from palaestra.generators.graphs.puzzles import Graph, GraphPuzzle
from palaestra.generators.graphs.scenes import network
from palaestra.generators.random_graphs import connected
from palaestra.scenes import Scene
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.nodes import node_set
from palaestra.verifiers.reading.numbers import integer

SPELLINGS = dict.fromkeys(("center", "centre of the graph", "center of the graph"), "centre")


@lru_cache(maxsize=64)
def farthest(graph: Graph) -> tuple[int, ...]:
    """The distance of each node from the node that is farthest from it."""
    return tuple(int(max(row)) for row in distances(len(graph.names), graph.weights()))


class EccentricityAndCentre(GraphPuzzle):
    """Find the eccentricity of each node of a graph, and the nodes of its centre."""

    tags = {"graphs", "search", "arithmetic", "unique-solution"}
    calculation = True

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(5, 6, 8, 10, 13, 16, 20, low=5, high=24)
        density: float = ladder(1.2, 1.3, 1.4, 1.5, 1.6, 1.6, 1.7, low=1, high=1.8)  # edges/node
        longest: int = ladder(3, 5, 9, 12, 20, 30, 50, low=3, high=99)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        links = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=3)
        edges = [(u, v, rng.randint(1, knobs.longest)) for u, v in links]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "length"))

    def is_valid(self) -> bool:
        return super().is_valid() and len(set(self.eccentricities())) > 2

    def eccentricities(self) -> list[int]:
        """The eccentricity of each node."""
        return list(farthest(self.graph))

    def prompt(self) -> str:
        task = self.phrase(
            "The distance between two nodes is the length of a shortest path between them. The "
            "eccentricity of a node is its distance from the node that is farthest from it, and "
            "the centre of the graph is the set of all nodes of least eccentricity.",
            "The distance between two nodes is measured along a shortest path between them. For "
            "each node, find the largest of its distances to the other nodes: this is its "
            "eccentricity. The nodes with the smallest eccentricity form the centre.",
        )
        return self.with_graph(
            f"{task} Write one line with the eccentricity of each node, and one line with the "
            f"nodes of the centre in any order, such as:\n{self.example(1)}: 12\ncentre: "
            f"{self.example(2)}"
        )

    def answer(self) -> str:
        return self.as_text(self.eccentricities())

    def as_text(self, far: Sequence[int]) -> str:
        """Eccentricities, with the centre, as an answer."""
        lines = [f"{name}: {number}" for name, number in zip(self.graph.names, far)]
        centre = self.graph.listing(node for node in range(len(far)) if far[node] == min(far))
        return "\n".join([*lines, f"centre: {centre}"])

    def read(self, answer: str) -> tuple[list[int], list[int]]:
        """The eccentricities and the centre of an answer."""
        names = self.graph.names
        values = pairs(answer, [*names, "centre"], spellings=SPELLINGS)
        return [integer(values[name]) for name in names], sorted(node_set(values["centre"], names))

    def solved_scene(self, answer: str) -> Scene:
        far, centre = self.read(answer)
        notes = {node: str(number) for node, number in enumerate(far)}
        return network(self.graph, self.look().with_notes(notes).with_nodes(centre))

    def verify(self, answer: str) -> Score:
        values, centre = self.read(answer)
        right = self.eccentricities()
        for name, value, eccentricity in zip(self.graph.names, values, right):
            if value != eccentricity:
                error = "low" if value < eccentricity else "high"
                return Score(0, f"the eccentricity of {name} is too {error}")
        best = [node for node, far in enumerate(right) if far == min(right)]
        return (
            Score(1)
            if centre == best
            else Score(0, "the centre does not consist of the nodes of least eccentricity")
        )

    def audit(self, answer: str) -> bool:
        """Whether a search for each pair of nodes finds the same distances."""
        nodes, weights = range(len(self.graph.names)), self.graph.weights()
        lengths = {u: {v: weights[u, v] for v in nodes if (u, v) in weights} for u in nodes}
        far = [max(dijkstra(lengths, u, v).cost[1] for v in nodes) for u in nodes]
        return self.read(answer) == (far, [node for node in nodes if far[node] == min(far)])

    def difficulty(self) -> float:
        return len(self.graph.names) * len(self.graph.edges)

    def shortcuts(self) -> Iterable[str]:
        weights = self.graph.weights()
        longest = [
            max(w for (u, _), w in weights.items() if u == n)
            for n, _ in enumerate(self.graph.names)
        ]
        return map(self.as_text, ([sum(weights.values()) // 2] * len(longest), longest))
