"""The matching of greatest weight in a graph, after Jack Edmonds (1965)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders
from palaestra.generators.graphs.puzzles import EdgeSet, Graph, GraphOptimum
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder
from palaestra.verifiers.reading.headings import edges_text


def heaviest_matching(lengths: Mapping[int, Mapping[int, int]]) -> SearchResult:
    """A matching of greatest weight, by a table over the sets of nodes that are left.

    The lowest node that is left is either matched to another one or stays alone.
    """

    @cache
    def best(left: int) -> tuple[int, tuple[Edge, ...]]:
        if not left:
            return 0, ()
        node = (left & -left).bit_length() - 1
        rest = left & (left - 1)
        most = best(rest)
        for near, weight in lengths[node].items():
            if rest >> near & 1:
                value, edges = best(rest & ~(1 << near))
                if value + weight > most[0]:
                    most = value + weight, ((node, near), *edges)
        return most

    _, edges = best((1 << len(lengths)) - 1)
    return SearchResult(edges, best.cache_info().misses)


class WeightedMatching(EdgeSet, GraphOptimum):
    """Choose edges of a graph without common nodes and with the greatest total weight."""

    tags = {"graphs", "optimisation", "search"}
    quantity = "weight"

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(6, 8, 10, 13, 15, 18, 20, low=5, high=20)
        density: float = ladder(1.5, 1.8, 2.1, 2.3, 2.5, 2.7, 2.9, low=1.3, high=3.5)  # edges/node
        weight: int = ladder(9, 12, 15, 20, 20, 30, 30, low=4, high=99)  # of an edge, at most

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=4)
        # The heaviest edge is less than twice as heavy as any other, so that two edges beside it
        # are often worth more.
        least = knobs.weight * 3 // 5
        edges = [(u, v, rng.randint(least, knobs.weight)) for u, v in pairs]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "weight"))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a matching of maximum weight: edges no two of which share a node, whose weights "
            "add up to as much as possible.",
            "Choose edges with the greatest total weight, such that no node is an end of two "
            "chosen edges.",
        )
        return self.with_graph(
            f"{task} Nodes may stay without an edge. If several solutions are optimal, any of them "
            f"will do. Write the chosen edges on one line, such as '{self.edges_example()}', in "
            "any order."
        )

    def read(self, answer: str) -> tuple[Edge, ...]:
        return super().read(edges_text(answer))

    def violation(self, solution: Any) -> str:
        if violation := super().violation(solution):
            return violation
        ends = [node for edge in solution for node in edge[:2]]
        shared = next((node for node in ends if ends.count(node) > 1), None)
        return "" if shared is None else f"two of the edges have the end {self.graph.names[shared]}"

    def search(self) -> SearchResult:
        return heaviest_matching(self.graph.lengths())

    def naive_solutions(self) -> list[Any]:
        """The heaviest edge whose ends are free, again and again, and edges as they are listed."""
        heaviest = sorted(self.graph.key(), key=lambda edge: -edge[2])
        return [self.chosen(heaviest), self.chosen(self.graph.edges)]

    @staticmethod
    def chosen(order: Iterable[Sequence[int]]) -> list[Edge]:
        """The edges, one after the other, whose ends are both free."""
        used, edges = set[int](), list[Edge]()
        for u, v, *_ in order:
            if used.isdisjoint((u, v)):
                used |= {u, v}
                edges.append((u, v))
        return edges

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Edges whose ends are free, in natural orders, and the node with the fewest choices first,
        with its heaviest edge.
        """
        lengths, edges = self.graph.lengths(), self.graph.key()
        keys = {
            "weight": lambda edge: edge[2],
            "degree": lambda edge: len(lengths[edge[0]]) + len(lengths[edge[1]]),
            "weight of neighbours": lambda edge: (
                sum(lengths[edge[0]].values()) + sum(lengths[edge[1]].values()) - 3 * edge[2]
            ),
        }
        orders = natural_orders(edges, rng, keys)
        players = {name: self.chosen(order) for name, order in orders.items()}
        return {**players, "most constrained first": self.constrained()}

    def constrained(self) -> list[Edge]:
        """The node with the fewest free neighbours, with the heaviest edge to one of them."""
        lengths = self.graph.lengths()
        free, edges = {*lengths}, list[Edge]()
        while True:
            choices = {node: [near for near in lengths[node] if near in free] for node in free}
            nodes = [node for node in self.graph.ranked() if choices.get(node)]
            if not nodes:
                return edges
            node = min(nodes, key=lambda each: len(choices[each]))
            near = max(choices[node], key=lengths[node].__getitem__)
            free -= {node, near}
            edges.append((node, near))

    def audit(self, answer: str) -> bool:
        """Whether no set of edges without common ends is heavier, edge by edge."""
        edges = sorted(self.graph.key(), key=lambda edge: -edge[2])
        rest = [0]
        for edge in reversed(edges):
            rest.append(rest[-1] + edge[2])
        rest.reverse()
        best, most = 0, len(self.graph.names) // 2

        def extend(n: int, used: frozenset[int], value: int, count: int) -> None:
            nonlocal best
            best = max(best, value)
            if n == len(edges) or count == most:
                return
            left = sum(edge[2] for edge in edges[n : n + most - count])
            if value + min(left, rest[n]) <= best:
                return
            u, v, weight = edges[n]
            if used.isdisjoint((u, v)):
                extend(n + 1, used | {u, v}, value + weight, count + 1)
            extend(n + 1, used, value, count)

        extend(0, frozenset(), 0, 0)
        solution = self.read(answer)
        return not self.violation(solution) and self.worth(solution) == best

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=5, density=1.5)

    def candidates(self) -> Iterable[str]:
        pairs = self.graph.pairs()
        sizes = range(1, len(self.graph.names) // 2 + 1)
        return (self.as_text(some) for size in sizes for some in combinations(pairs, size))
