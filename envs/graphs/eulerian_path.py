"""The Eulerian trail, after Leonhard Euler's bridges of Königsberg (1736).

It is found as Carl Hierholzer did (1873).
"""

from collections.abc import Iterable
from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import euler_trail
from palaestra.generators.graphs.encodings import Graph, GraphPuzzle
from palaestra.generators.random_graphs import Edge
from palaestra.task import Score, ladder
from palaestra.verifiers.graph_answers import walk


class EulerianPath(GraphPuzzle):
    """Walk along every edge of a graph exactly once."""

    version = 2
    tags = {"graphs", "search", "planning"}

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(7, 8, 9, 10, 12, 15, 18, low=7, high=24)  # at most
        edges: int = ladder(10, 12, 15, 19, 25, 32, 42, low=8, high=60)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        trail, used = [0], set[Edge]()
        wanted = min(knobs.edges, knobs.nodes * (knobs.nodes - 1) // 3)
        while len(used) < wanted:
            here = trail[-1]
            ahead = [
                n
                for n in range(knobs.nodes)
                if n != here and (min(n, here), max(n, here)) not in used
            ]
            if not ahead:
                break
            trail.append(rng.choice(ahead))
            used.add((min(here, trail[-1]), max(here, trail[-1])))
        order = {node: number for number, node in enumerate(dict.fromkeys(trail))}
        edges = [(order[u], order[v]) for u, v in sorted(used)]
        return cls(graph=Graph.of_edges(rng, len(order), edges, knobs.encoding))

    def is_valid(self) -> bool:
        stuck = all(len(trail) <= len(self.graph.edges) for trail in self.heedless())
        return super().is_valid() and stuck

    def starts(self) -> list[int]:
        """Where a trail along all edges may start: at a node of an odd number of edges."""
        odd = [node for node, near in enumerate(self.graph.ways()) if len(near) % 2]
        return odd or [0]

    def heedless(self) -> list[list[int]]:
        """Walks that take the first way that is left, by the names, until they are stuck."""
        rank = {node: place for place, node in enumerate(self.graph.ranked())}
        starts = {*self.starts(), self.graph.ranked()[0]}
        return [self.strolled(start, rank) for start in sorted(starts)]

    def strolled(self, start: int, rank: dict[int, int]) -> list[int]:
        """One such walk."""
        left = [set(near) for near in self.graph.ways()]
        trail = [start]
        while left[trail[-1]]:
            here = trail[-1]
            trail.append(min(left[here], key=lambda node: rank[node]))
            left[here].discard(trail[-1])
            left[trail[-1]].discard(here)
        return trail

    def prompt(self) -> str:
        task = self.phrase(
            "Find a walk that goes along every edge exactly once. It may pass through a node "
            "several times, and need not end where it starts.",
            "Start at a node of your choice and draw the whole graph in one stroke that goes along "
            "each edge exactly once. The stroke may pass through a node several times.",
        )
        shape = self.example(4).replace(", ", " -> ")
        return self.posed(
            f"{task} There is at least one such walk; any will do. Write the nodes in the order of "
            f"the walk, {len(self.graph.edges) + 1} in all, such as '{shape} -> …'."
        )

    def answer(self) -> str:
        return self.as_text(euler_trail(self.graph.ways(), self.starts()[0]))

    def as_text(self, trail: Iterable[int]) -> str:
        """A walk as an answer."""
        return self.graph.listing(trail, " -> ")

    def verify(self, answer: str) -> Score:
        names, trail = self.graph.names, walk(answer, self.graph.names)
        left = set(self.graph.pairs())
        for u, v in pairwise(trail):
            edge = min(u, v), max(u, v)
            if edge not in left:
                between = f"between {names[u]} and {names[v]}"
                known = edge in set(self.graph.pairs())
                return Score(
                    0,
                    f"the edge {between} is used twice" if known else f"there is no edge {between}",
                )
            left.discard(edge)
        return Score(0, f"the number of unused edges is {len(left)}") if left else Score(1)

    def audit(self, answer: str) -> bool:
        """Whether the steps, put in order, are the edges."""
        steps = [tuple(sorted(step)) for step in pairwise(walk(answer, self.graph.names))]
        return sorted(steps) == self.graph.pairs()

    def difficulty(self) -> float:
        return len(self.graph.edges)

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, [*self.heedless(), self.graph.ranked()])
