"""The minimum spanning tree, after Otakar Borůvka (1926); solved as Joseph Kruskal did (1956)."""

from collections.abc import Mapping
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.algorithms import reached, spanning_tree
from palaestra.generators.graphs.puzzles import EdgeSet, Graph, GraphOptimum
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


class MinimumSpanningTree(EdgeSet, GraphOptimum):
    """Connect all nodes of a graph by edges of the least total weight."""

    version = 3
    tags = {"graphs", "optimisation", "trees"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(5, 7, 9, 12, 16, 20, 26, low=4, high=32)
        density: float = ladder(1.6, 1.7, 1.9, 2.1, 2.3, 2.5, 2.8, low=1.4, high=4)  # edges/node
        heaviest: int = ladder(9, 15, 30, 60, 99, 200, 400, low=5, high=999)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density))
        edges = [(u, v, rng.randint(1, knobs.heaviest)) for u, v in pairs]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "weight"))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a minimum spanning tree: edges that join all the nodes, directly or through "
            "others, and whose weights add up to as little as possible.",
            "Keep as few edges as are needed to get from every node to every other, and choose "
            "them so that their weights add up to as little as possible.",
        )
        return self.with_graph(
            f"{task} The solution has {len(self.graph.names) - 1} edges, which form no cycle. If "
            "several solutions are optimal, any of them will do. Write the edges on one line, such "
            f"as '{self.edges_example()}', in any order."
        )

    def violation(self, solution: Any) -> str:
        nodes = len(self.graph.names)
        if violation := super().violation(solution):
            return violation
        if len(solution) != nodes - 1:
            return f"there are {len(solution)} edges, not {nodes - 1}"
        joined = len(spanning_tree(nodes, solution)[0]) == nodes - 1
        return "" if joined else "the edges form a cycle and leave a node unconnected"

    def search(self) -> SearchResult:
        by_weight = sorted(self.graph.key(), key=lambda edge: edge[2])
        tree, examined = spanning_tree(len(self.graph.names), by_weight)
        return SearchResult(tuple(tree), examined)

    def naive_solutions(self) -> list[Any]:
        """The first edges of the prompt that form no cycle, and a tree of breadth-first search."""
        nodes, ways = len(self.graph.names), self.graph.ways()
        listed, _ = spanning_tree(nodes, self.graph.edges)
        order = reached(ways, self.graph.ranked()[0])
        breadth_first, _ = spanning_tree(nodes, [(u, v) for u in order for v in ways[u]])
        return [listed, breadth_first]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The lightest edge of each node and then edges as listed, a path to the nearest new node
        each time, and the edges of a breadth-first search from the lightest on.
        """
        nodes, lengths = range(len(self.graph.names)), self.graph.lengths()
        lightest = [(n, min(lengths[n], key=lengths[n].__getitem__)) for n in nodes]
        start = rng.choice(nodes)
        order, walk = [start], list[Edge]()
        for node in order:  # depth first, along the lightest edge to a new node
            for near in sorted(lengths[node], key=lengths[node].__getitem__):
                if near not in order:
                    walk.append((node, near))
                    order.append(near)
        listed = [(u, v) for u, v, _ in self.graph.edges]
        orders = {
            "lightest edge of each node": [*lightest, *listed],
            "breadth first": walk,
            "random tree": shuffled(listed, rng),
        }
        return {name: spanning_tree(len(nodes), order)[0] for name, order in orders.items()}

    def audit(self, answer: str) -> bool:
        """Whether each edge of the tree is a lightest one across the cut that its removal makes."""
        tree = [tuple(sorted(edge)) for edge in self.read(answer)]
        nodes, weights = range(len(self.graph.names)), self.graph.weights()
        if len(tree) != len(nodes) - 1 or not set(tree) <= set(self.graph.pairs()):
            return False
        ways = [[*(v for u, v in tree if u == n), *(u for u, v in tree if v == n)] for n in nodes]
        for u, v in tree:
            rest = [[m for m in ways[n] if {n, m} != {u, v}] for n in nodes]
            side = set(reached(rest, u))
            crossing = [e for e in combinations(nodes, 2) if (e[0] in side) != (e[1] in side)]
            if min(weights.get(edge, 10**6) for edge in crossing) < weights[u, v]:
                return False
        return len(reached(ways, 0)) == len(nodes)
