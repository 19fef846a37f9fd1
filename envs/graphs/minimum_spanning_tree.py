"""The minimum spanning tree, after Otakar Borůvka (1926); solved as Joseph Kruskal did (1956)."""

from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.algorithms import reached, spanning_tree
from palaestra.generators.graphs.encodings import Found, Graph, GraphOptimum
from palaestra.generators.random_graphs import Edge, connected
from palaestra.task import ladder
from palaestra.verifiers.graph_answers import edge_list, edges_flaw


class MinimumSpanningTree(GraphOptimum):
    """Join all nodes of a graph by edges that weigh as little as possible together."""

    version = 2
    tags = {"graphs", "optimisation", "trees"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(5, 7, 9, 12, 16, 20, 26, low=4, high=32)
        density: float = ladder(1.6, 1.7, 1.9, 2.1, 2.3, 2.5, 2.8, low=1.4, high=4)  # edges a node
        heaviest: int = ladder(9, 15, 30, 60, 99, 200, 400, low=5, high=999)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        drawn = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density))
        edges = [(u, v, rng.randint(1, knobs.heaviest)) for u, v in drawn]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "weight"))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a minimum spanning tree: edges that join all the nodes, directly or through "
            "others, and whose weights add up to as little as possible.",
            "Keep as few edges as are needed to get from every node to every other, and choose "
            "them so that their weights add up to as little as possible.",
        )
        first = self.example(2).replace(", ", "-")
        return self.posed(
            f"{task} The solution has {len(self.graph.names) - 1} edges, which form no cycle. If "
            "several solutions are optimal, any of them will do. Write the edges on one line, such "
            f"as '{first}, {self.example(2, 2).replace(', ', '-')}', in any order."
        )

    def read(self, answer: str) -> tuple[Edge, ...]:
        return edge_list(answer, self.graph.names)

    def as_text(self, solution: Any) -> str:
        return self.graph.pairing(solution)

    def flaw(self, solution: Any) -> str:
        nodes = len(self.graph.names)
        if flaw := edges_flaw(solution, self.graph.pairs(), self.graph.names):
            return flaw
        if len(solution) != nodes - 1:
            return f"there are {len(solution)} edges, not {nodes - 1}"
        joined = len(spanning_tree(nodes, solution)[0]) == nodes - 1
        return "" if joined else "the edges form a cycle and leave a node unconnected"

    def worth(self, solution: Any) -> int:
        weights = self.graph.weights()
        return sum(weights[edge] for edge in solution)

    def search(self) -> Found:
        by_weight = sorted(self.graph.key(), key=lambda edge: edge[2])
        tree, looked = spanning_tree(len(self.graph.names), by_weight)
        return Found(tuple(tree), looked)

    def heedless(self) -> list[Any]:
        """The first edges that will do, as they are listed; and a tree by the fewest steps."""
        nodes, ways = len(self.graph.names), self.graph.ways()
        listed, _ = spanning_tree(nodes, self.graph.edges)
        order = reached(ways, self.graph.ranked()[0])
        near, _ = spanning_tree(nodes, [(u, v) for u in order for v in ways[u]])
        return [listed, near]

    def audit(self, answer: str) -> bool:
        """Whether no edge left out is lighter than one on the tree's way between its ends."""
        tree = [tuple(sorted(edge)) for edge in self.read(answer)]
        nodes, weights = range(len(self.graph.names)), self.graph.weights()
        if len(tree) != len(nodes) - 1 or not set(tree) <= set(self.graph.pairs()):
            return False
        ways = [[*(v for u, v in tree if u == n), *(u for u, v in tree if v == n)] for n in nodes]
        for out in tree:  # every edge across the cut that a tree edge makes is as heavy as it
            here = set(reached([[m for m in ways[n] if {n, m} != set(out)] for n in nodes], out[0]))
            crossing = [e for e in combinations(nodes, 2) if (e[0] in here) != (e[1] in here)]
            if min(weights.get(edge, 10**6) for edge in crossing) < weights[out[0], out[1]]:
                return False
        return len(reached(ways, 0)) == len(nodes)
