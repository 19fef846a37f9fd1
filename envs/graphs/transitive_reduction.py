"""Transitive reduction, after Alfred Aho, Michael Garey and Jeffrey Ullman (1972)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import reached
from palaestra.generators.graphs.encodings import Graph, GraphPuzzle
from palaestra.generators.random_graphs import Edge, connected
from palaestra.task import Score, ladder
from palaestra.verifiers.graph_answers import edge_list, edges_flaw


@lru_cache(maxsize=64)
def needed(graph: Graph) -> tuple[Edge, ...]:
    """The edges for which no other way leads from the start to the end."""
    ways = graph.ways()
    return tuple(
        (start, end)
        for start, end in graph.pairs()
        if not any(end in reached(ways, near) for near in ways[start] if near != end)
    )


class TransitiveReduction(GraphPuzzle):
    """Find the fewest edges of a directed graph that keep what can be reached from each node."""

    version = 2
    tags = {"graphs", "deduction", "unique-solution"}

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(7, 8, 9, 11, 14, 17, 21, low=6, high=26)
        density: float = ladder(
            1.6, 1.8, 1.9, 2.1, 2.3, 2.5, 2.8, low=1.5, high=3.5
        )  # edges a node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = min(round(knobs.nodes * knobs.density), knobs.nodes * (knobs.nodes - 1) // 3)
        edges = connected(rng, knobs.nodes, number, window=3)
        return cls(graph=Graph.of_arcs(rng, knobs.nodes, edges, knobs.encoding))

    def is_valid(self) -> bool:
        """Some edges are needed only because no two others make up for them, however one looks."""
        needed = self.needed()
        return super().is_valid() and needed not in self.heedless()

    def needed(self) -> list[Edge]:
        """The edges without which their end could not be reached from their start."""
        return list(needed(self.graph))

    def heedless(self) -> list[list[Edge]]:
        """All edges, those that no two edges make up for, and the first one into each node."""
        ways, pairs = self.graph.ways(), self.graph.pairs()
        near = [(u, v) for u, v in pairs if not any(v in ways[middle] for middle in ways[u])]
        first = {v: (u, v) for u, v in reversed(pairs)}
        return [pairs, near, sorted(first.values())]

    def prompt(self) -> str:
        task = self.phrase(
            "The graph has no directed cycle. Find its transitive reduction: the smallest set of "
            "its edges along which, in their directions, every node can still reach all the nodes "
            "that it can reach along all the edges.",
            "No path in this graph leads back to its start. An edge is redundant if another path, "
            "of two or more edges, leads from its start to its end. Find all the edges that are "
            "not redundant.",
        )
        return self.posed(
            f"{task} Write them on one line, such as '{self.example(2).replace(', ', '->')}, "
            f"{self.example(2, 2).replace(', ', '->')}', in any order."
        )

    def answer(self) -> str:
        return self.as_text(self.needed())

    def as_text(self, edges: Sequence[Edge]) -> str:
        """Edges as an answer."""
        return self.graph.pairing(edges) or "none"

    def verify(self, answer: str) -> Score:
        names, arcs = self.graph.names, edge_list(answer, self.graph.names)
        if flaw := edges_flaw(arcs, self.graph.pairs(), names, directed=True):
            return Score(0, flaw)
        ways = [[v for u, v in arcs if u == node] for node in range(len(names))]
        for node, near in enumerate(self.graph.ways()):
            if lost := sorted(set(near) - set(reached(ways, node))):
                return Score(0, f"no path is left from {names[node]} to {names[lost[0]]}")
        spare = set(arcs) - set(self.needed())
        return Score(0, "some of these edges are redundant") if spare else Score(1)

    def audit(self, answer: str) -> bool:
        """Whether it is what remains when all pairs are struck out that two steps make up for."""
        pairs, nodes = set(self.graph.pairs()), range(len(self.graph.names))
        for middle in nodes:
            into = [u for u, v in pairs if v == middle]
            pairs |= {(u, v) for u in into for w, v in pairs if w == middle}
        least = {
            (u, v) for u, v in pairs if not any((u, m) in pairs and (m, v) in pairs for m in nodes)
        }
        arcs = edge_list(answer, self.graph.names)
        return set(arcs) == least and len(arcs) == len(least)

    def difficulty(self) -> float:
        return len(self.graph.names) * len(self.graph.edges)

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, self.heedless())
