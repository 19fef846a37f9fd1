"""Graph isomorphism: two graphs that differ in the names of their nodes only.

Béla Bollobás's pairing (1980) samples graphs in which every node has three edges.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.graph_isomorphism import isomorphism
from palaestra.generators.graphs.puzzles import HELD_OUT, Graph, GraphFeasibility
from palaestra.generators.graphs.scenes import PLAIN, Look, network
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Panels
from palaestra.task import ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.nodes import matching_text


def cubic(rng: Random, nodes: int) -> list[Edge]:
    """A random graph in which every node has three edges.

    >>> len(cubic(Random(1), 8))
    12
    """
    while True:
        ends = [node for node in range(nodes) for _ in range(3)]
        rng.shuffle(ends)
        edges = {(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2])}
        if len(edges) == len(ends) // 2 and all(u != v for u, v in edges):
            return sorted(edges)


class GraphIsomorphism(GraphFeasibility):
    """Match the nodes of two graphs that are the same except for the names of their nodes."""

    version = 2
    tags = {"graphs", "search", "constraints"}

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(6, 8, 10, 10, 12, 14, 18, low=6, high=24)
        alike: bool = ladder(False, False, False, True)  # every node has three edges

    other: Graph

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.nodes
        if knobs.alike:
            nodes += nodes % 2
            edges = cubic(rng, nodes)
        else:
            edges = connected(rng, nodes, round(nodes * 1.4), window=4)
        image = rng.sample(range(nodes), nodes)
        graph = Graph.of_edges(rng, nodes, edges, knobs.encoding)
        renumbered = [(image[u], image[v]) for u, v in edges]
        other = Graph.of_edges(rng, nodes, renumbered, knobs.encoding)
        while set(other.names) & set(graph.names):
            other = Graph.of_edges(rng, nodes, renumbered, knobs.encoding)
        return cls(graph=graph, other=other)

    def is_valid(self) -> bool:
        return super().is_valid() and (self.other.encoding != HELD_OUT or self.held_out())

    def naive_solutions(self) -> list[list[int]]:
        """Nodes matched by the order of their names, and by that of their degrees."""
        graphs = self.graph, self.other
        named = [graph.ranked() for graph in graphs]
        busy = [
            sorted(rank, key=[len(near) for near in graph.ways()].__getitem__)
            for rank, graph in zip(named, graphs)
        ]
        images = (dict(zip(one, other)) for one, other in (named, busy))
        return [[image[node] for node in sorted(image)] for image in images]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Nodes matched by their degrees and those of their neighbours, and at random."""
        orders: dict[str, list[list[int]]] = {"random": [], "degrees of neighbours": []}
        for graph in (self.graph, self.other):
            ways = graph.ways()
            nodes = shuffled(range(len(ways)), rng)
            degrees = [(len(near), *sorted(len(ways[n]) for n in near)) for near in ways]
            orders["random"].append(nodes)
            orders["degrees of neighbours"].append(sorted(nodes, key=degrees.__getitem__))
        images = {name: dict(zip(one, other)) for name, (one, other) in orders.items()}
        return {name: [image[n] for n in sorted(image)] for name, image in images.items()}

    def prompt(self) -> str:
        task = self.phrase(
            "The two graphs are the same except for the names of their nodes. For each node of the "
            "first graph, state its counterpart in the second, so that two nodes of the first "
            "graph are joined by an edge if and only if their counterparts are.",
            "Match the nodes of the first graph one to one with those of the second, so that "
            "wherever an edge joins two nodes of the first, an edge joins their partners in the "
            "second, and nowhere else.",
        )
        one, other = self.graph.ranked()[0], self.other.ranked()[0]
        shape = f"{self.graph.names[one]}: {self.other.names[other]}"
        return (
            f"Here are two undirected graphs.\n\nThe first graph:\n{self.graph.as_text()}\n\nThe "
            f"second graph:\n{self.other.as_text()}\n\n{task} If there are several solutions, any "
            f"of them will do. Write one line for each node of the first graph, such as '{shape}'."
        )

    def search(self) -> SearchResult:
        return isomorphism(self.graph.ways(), self.other.ways())

    def as_text(self, solution: Sequence[int]) -> str:
        names = zip(self.graph.names, solution)
        return "\n".join(f"{name}: {self.other.names[node]}" for name, node in names)

    def scene(self) -> Panels:
        return self.both(PLAIN)

    def solved_scene(self, answer: str) -> Panels:
        partners = enumerate(self.read(answer))
        notes = {node: self.other.names[other] for node, other in partners}
        return self.both(PLAIN.with_notes(notes))

    def both(self, look: Look) -> Panels:
        """The two graphs beside each other; the look is that of the first."""
        graphs = network(self.graph, look), network(self.other)
        return Panels(graphs, ("first graph", "second graph"), columns=2)

    def read(self, answer: str) -> list[int]:
        """The node of the second graph for each of the first."""
        mapping = pairs(matching_text(answer), self.graph.names, self.other.names)
        return [self.other.names.index(mapping[name]) for name in self.graph.names]

    def violation(self, solution: Any) -> str:
        names, others = self.graph.names, self.other.names
        for node, other in enumerate(solution):
            if other in solution[:node]:
                return f"{others[other]} is matched twice"
        ways = self.other.ways()
        for u, v in self.graph.pairs():
            one, other = solution[u], solution[v]
            if other not in ways[one]:
                counterparts = f"{others[one]} and {others[other]}"
                return f"{names[u]} and {names[v]} are joined, but {counterparts} are not"
        return ""

    def audit(self, answer: str) -> bool:
        """Whether the first graph, renamed, is the second, edge by edge."""
        image = self.read(answer)
        renamed = sorted(tuple(sorted((image[u], image[v]))) for u, v in self.graph.pairs())
        return renamed == self.other.pairs() and len(set(image)) == len(image)

    def difficulty(self) -> float:
        # Nodes of different degrees are easy to distinguish.
        return len(self.graph.names) * (1 + len({len(near) for near in self.graph.ways()}) ** -1)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=6, alike=False)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, permutations(range(len(self.graph.names))))
