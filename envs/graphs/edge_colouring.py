"""Edge colouring, after Peter Guthrie Tait (1880) and Vadim Vizing (1964)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, cycle
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.networks import dsatur, first_fit, neighbours
from palaestra.generators.graphs.players import greedy_colorings
from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility
from palaestra.generators.graphs.scenes import Look, network
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.nodes import arc_values


@lru_cache(maxsize=64)
def touching(graph: Graph) -> tuple[Edge, ...]:
    """The pairs of edges, by their numbers in order, that share an end."""
    numbered = combinations(enumerate(graph.pairs()), 2)
    return tuple((m, n) for (m, one), (n, other) in numbered if set(one) & set(other))


class EdgeColouring(GraphFeasibility):
    """Colour the edges of a graph with as few colours as the largest degree of its nodes."""

    tags = {"graphs", "constraints", "search"}
    baseline_note = (
        "greedy colourings that finish one colour before the next, or take the most "
        "constrained edge first, are nearly optimal in sparse graphs"
    )

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(6, 8, 10, 10, 12, 14, 16, low=6, high=18)
        colours: int = ladder(3, 3, 3, 4, 4, 4, 5)
        thinned: float = ladder(0.15, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05, low=0, high=0.2)  # left out

    colours: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.nodes // 2 * 2
        edges: set[Edge] = set()
        colours = min(knobs.colours, nodes // 2)
        while len(edges) < nodes // 2 * colours:  # each colour is a matching of all nodes
            order = rng.sample(range(nodes), nodes)
            pairs = {(min(pair), max(pair)) for pair in zip(order[::2], order[1::2])}
            if not edges & pairs:
                edges |= pairs
            elif rng.random() < 0.01:  # the matchings so far may leave no room for another
                edges.clear()
        kept = rng.sample(sorted(edges), len(edges) - round(len(edges) * knobs.thinned))
        graph = Graph.of_edges(rng, nodes, sorted(kept), knobs.encoding)
        return cls(graph=graph, colours=colours)

    def is_valid(self) -> bool:
        return max(map(len, self.graph.ways())) == self.colours and super().is_valid()

    def naive_solutions(self) -> list[tuple[int, ...]]:
        """First-fit colourings in the order of the prompt and in that of the nodes, and all colours
        in turn.
        """
        pairs = self.graph.pairs()
        listed = [pairs.index((min(u, v), max(u, v))) for u, v in self.graph.edges]
        beside = neighbours(len(pairs), touching(self.graph))
        turns = dict(zip(listed, cycle(range(self.colours))))
        colorings = [
            first_fit(order, beside, self.colours) for order in (listed, range(len(pairs)))
        ]
        return [*colorings, tuple(turns[edge] for edge in range(len(pairs)))]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Greedy colourings of the edges, whose degree is the number of edges that they meet."""
        edges = range(len(self.graph.edges))
        return greedy_colorings(
            edges, neighbours(len(edges), touching(self.graph)), self.colours, rng
        )

    def prompt(self) -> str:
        task = self.phrase(
            f"Give each edge one of the colours 1 to {self.colours}, so that no two edges that "
            "share a node have the same colour.",
            f"Colour the edges with {self.colours} colours, numbered 1 to {self.colours}. All "
            "edges at a node must have different colours.",
        )
        first = self.graph.pairing(self.graph.pairs()[:1])
        return self.with_graph(
            f"{task} There is at least one way; any will do. Write one line for each edge, such as "
            f"'{first}: 1'."
        )

    def search(self) -> SearchResult:
        edges = len(self.graph.edges)
        colouring = dsatur(edges, touching(self.graph), self.colours).coloring
        assert colouring is not None, "the edges were sampled colour by colour"
        return SearchResult(colouring, edges * self.colours)

    def as_text(self, solution: Sequence[int]) -> str:
        names = self.graph.names
        lines = zip(self.graph.pairs(), solution)
        return "\n".join(f"{names[u]}-{names[v]}: {colour + 1}" for (u, v), colour in lines)

    def read(self, answer: str) -> list[int]:
        """The colours of the edges in order, counted from 0."""
        by_edge: dict[Edge, int] = {}
        for (u, v), colour in arc_values(answer, self.graph.names).items():
            if not 1 <= colour <= self.colours:
                raise InvalidAnswer(f"expected colours from 1 to {self.colours}")
            if by_edge.setdefault((min(u, v), max(u, v)), colour - 1) != colour - 1:
                raise InvalidAnswer("expected one colour for each edge, got two for one")
        if sorted(by_edge) != self.graph.pairs():
            raise InvalidAnswer("expected exactly one line for each edge")
        return [by_edge[edge] for edge in self.graph.pairs()]

    def solved_scene(self, answer: str) -> Scene:
        colours = dict(zip(self.graph.pairs(), self.read(answer)))
        tones = {edge: f"c{colour}" for edge, colour in colours.items()}
        texts = {edge: str(colour + 1) for edge, colour in colours.items()}
        return network(self.graph, Look(edges=tones, texts=texts))

    def violation(self, solution: Any) -> str:
        clash = next(((m, n) for m, n in touching(self.graph) if solution[m] == solution[n]), None)
        if clash is None:
            return ""
        one, other = (self.graph.pairing([self.graph.pairs()[edge]]) for edge in clash)
        return f"{one} and {other} meet and have the same colour"

    def audit(self, answer: str) -> bool:
        """Whether the edges of each colour have twice as many ends as there are edges."""
        coloured = list(zip(self.read(answer), self.graph.pairs()))
        for colour in range(self.colours):
            own = [edge for each, edge in coloured if each == colour]
            if len({node for edge in own for node in edge}) < 2 * len(own):
                return False
        return True

    def shortcuts(self) -> list[str]:
        return [*super().shortcuts(), self.as_text((0,) * len(self.graph.edges))]
