"""Topological sorting, after Arthur Kahn, "Topological sorting of large networks" (1962)."""

from collections.abc import Iterable
from functools import cache
from itertools import permutations
from math import factorial
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import reached, topological_order
from palaestra.generators.graphs.encodings import Graph, GraphPuzzle
from palaestra.generators.random_graphs import connected
from palaestra.task import Score, ladder
from palaestra.verifiers.graph_answers import walk


def orders(befores: tuple[int, ...]) -> int:
    """How many orders there are in which each node comes after a set of others, given as bits.

    >>> orders((0, 1, 1))
    2
    """

    @cache
    def ways(done: int) -> int:
        ready = (n for n, need in enumerate(befores) if not done >> n & 1 and not need & ~done)
        return sum(ways(done | 1 << n) for n in ready) if done + 1 < 1 << len(befores) else 1

    return ways(0)


class TopologicalOrder(GraphPuzzle):
    """Put the nodes of a directed graph in an order in which every edge leads to a later node."""

    version = 2
    tags = {"graphs", "ordering"}

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(6, 8, 11, 14, 18, 24, 32, low=5, high=40)
        density: float = ladder(1.5, 1.6, 1.7, 1.8, 2.0, 2.2, 2.5, low=1.2, high=4)  # edges a node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        drawn = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=4)
        # As they are drawn, all edges lead away from node 0; turned, there are more starts.
        shift = rng.randrange(knobs.nodes)
        edges = [
            (u, v) if (u + shift) % knobs.nodes < (v + shift) % knobs.nodes else (v, u)
            for u, v in drawn
        ]
        return cls(graph=Graph.of_arcs(rng, knobs.nodes, edges, knobs.encoding))

    def is_valid(self) -> bool:
        return super().is_valid() and all(self.backwards(order) for order in self.heedless())

    def heedless(self) -> list[list[int]]:
        """The orders of the names and of the listing, forwards and backwards."""
        named = self.graph.ranked()
        listed = list(dict.fromkeys(node for edge in self.graph.edges for node in edge))
        return [named, named[::-1], listed, listed[::-1]]

    def backwards(self, order: Iterable[int]) -> str:
        """An edge that leads back in an order, in words."""
        place = {node: number for number, node in enumerate(order)}
        back = next(((u, v) for u, v in self.graph.pairs() if place[u] > place[v]), None)
        names = self.graph.names
        return f"{names[back[1]]} comes before {names[back[0]]}" if back else ""

    def prompt(self) -> str:
        task = self.phrase(
            "Put all the nodes in an order in which every edge leads from an earlier node to a "
            "later one.",
            "List the nodes so that, for every edge, the node it leaves comes before the node it "
            "enters.",
        )
        return self.posed(
            f"{task} If there are several such orders, any of them will do. List every node "
            f"exactly once, such as '{self.example(4)}, …'."
        )

    def answer(self) -> str:
        return self.graph.listing(topological_order(self.graph.ways()))

    def verify(self, answer: str) -> Score:
        order = walk(answer, self.graph.names)
        for place, node in enumerate(self.graph.names):
            if (times := order.count(place)) != 1:
                return Score(0, f"{node} is listed {times} times")
        flaw = self.backwards(order)
        return Score(0, flaw + ", against an edge") if flaw else Score(1)

    def audit(self, answer: str) -> bool:
        """Whether no node leads, by whatever way, to one that came before it."""
        order, ways = walk(answer, self.graph.names), self.graph.ways()
        clear = all(
            not set(order[:place]) & set(reached(ways, node)) for place, node in enumerate(order)
        )
        return clear and sorted(order) == list(range(len(ways)))

    def difficulty(self) -> float:
        return len(self.graph.names) + len(self.graph.edges)

    def random_baseline(self) -> float:
        nodes = len(self.graph.names)
        if nodes > 10:
            return 0.0
        befores = [sum(1 << u for u, v in self.graph.pairs() if v == n) for n in range(nodes)]
        return orders(tuple(befores)) / factorial(nodes)

    def shortcuts(self) -> Iterable[str]:
        return map(self.graph.listing, self.heedless())

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=5, density=1.4)

    def candidates(self) -> Iterable[str]:
        return map(self.graph.listing, permutations(range(len(self.graph.names))))
