"""Topological sorting, after Arthur Kahn, "Topological sorting of large networks" (1962)."""

from collections.abc import Iterable, Mapping
from functools import cache
from math import factorial
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import Key, natural_orders
from palaestra.generators.graphs.algorithms import reached, topological_order
from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility, NodeOrder
from palaestra.generators.graphs.scenes import PLAIN, network
from palaestra.generators.random_graphs import connected
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Scene
from palaestra.task import ladder


def orders(befores: tuple[int, ...]) -> int:
    """The number of orders in which each node comes after a set of others, which is a bit mask.

    >>> orders((0, 1, 1))
    2
    """

    @cache
    def ways(done: int) -> int:
        ready = (n for n, need in enumerate(befores) if not done >> n & 1 and not need & ~done)
        return sum(ways(done | 1 << n) for n in ready) if done + 1 < 1 << len(befores) else 1

    return ways(0)


class TopologicalOrder(NodeOrder, GraphFeasibility):
    """Put the nodes of a directed graph in an order in which every edge leads to a later node."""

    version = 2
    tags = {"graphs", "ordering"}

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(6, 8, 11, 14, 18, 24, 32, low=5, high=40)
        density: float = ladder(1.5, 1.6, 1.7, 1.8, 2.0, 2.2, 2.5, low=1.2, high=4)  # edges/node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=4)
        # All pairs lead away from node 0; after the shift, several nodes have no edge that enters.
        shift = rng.randrange(knobs.nodes)
        edges = [
            (u, v) if (u + shift) % knobs.nodes < (v + shift) % knobs.nodes else (v, u)
            for u, v in pairs
        ]
        return cls(graph=Graph.of_arcs(rng, knobs.nodes, edges, knobs.encoding))

    def naive_solutions(self) -> list[list[int]]:
        """The order of the names and that of the prompt's edges, forwards and backwards."""
        named = self.graph.ranked()
        listed = list(dict.fromkeys(node for edge in self.graph.edges for node in edge))
        return [named, named[::-1], listed, listed[::-1]]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The nodes by the number of edges that enter and leave them, and at random."""
        ways, pairs = self.graph.ways(), self.graph.pairs()
        entering = [sum(v == node for _, v in pairs) for node in range(len(ways))]
        keys: dict[str, Key[int]] = {
            "edges in": lambda node: entering[node],
            "edges out": lambda node: len(ways[node]),
            "edges in less edges out": lambda node: entering[node] - len(ways[node]),
            "descendants": lambda node: len(reached(ways, node)),
        }
        orders = natural_orders(self.graph.ranked(), rng, keys)
        del orders["greatest descendants first"]  # this is a right order, and a calculation
        return orders

    def violation(self, solution: Any) -> str:
        if violation := super().violation(solution):
            return violation
        position = {node: number for number, node in enumerate(solution)}
        back = next(((u, v) for u, v in self.graph.pairs() if position[u] > position[v]), None)
        names = self.graph.names
        return f"{names[back[1]]} comes before {names[back[0]]}, against an edge" if back else ""

    def prompt(self) -> str:
        task = self.phrase(
            "Put all the nodes in an order in which every edge leads from an earlier node to a "
            "later one.",
            "List the nodes so that, for every edge, the node it leaves comes before the node it "
            "enters.",
        )
        return self.with_graph(
            f"{task} If there are several such orders, any of them will do. List every node "
            f"exactly once, such as '{self.example(4)}'."
        )

    def as_text(self, solution: Iterable[int]) -> str:
        return self.graph.listing(solution)

    def solved_scene(self, answer: str) -> Scene:
        notes = {node: str(number) for number, node in enumerate(self.read(answer), 1)}
        return network(self.graph, PLAIN.with_notes(notes))

    def search(self) -> SearchResult:
        order = topological_order(self.graph.ways())
        return SearchResult(order, len(order) + len(self.graph.edges))

    def audit(self, answer: str) -> bool:
        """Whether no path leads from a node to an earlier one."""
        order, ways = self.read(answer), self.graph.ways()
        clear = all(
            not set(order[:number]) & set(reached(ways, node)) for number, node in enumerate(order)
        )
        return clear and sorted(order) == list(range(len(ways)))

    def random_baseline(self) -> float:
        nodes = len(self.graph.names)
        if nodes > 10:
            return 0.0
        befores = [sum(1 << u for u, v in self.graph.pairs() if v == n) for n in range(nodes)]
        return orders(tuple(befores)) / factorial(nodes)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=5, density=1.4)
