"""The global minimum cut of a graph, after Mechthild Stoer and Frank Wagner (1995)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled, stepwise
from palaestra.generators.graphs.algorithms import Forest, spanning_tree
from palaestra.generators.graphs.networks import edmonds_karp
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.random_graphs import Arc, Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


@lru_cache(maxsize=64)
def least_flow(arcs: tuple[Arc, ...], nodes: int) -> int:
    """The least of the maximum flows from node 0 to the others, which is the minimum cut.

    >>> least_flow(((0, 1, 5), (1, 0, 5), (1, 2, 2), (2, 1, 2)), 3)
    2
    """
    return min(edmonds_karp(arcs, 0, sink).value for sink in range(1, nodes))


def minimum_cut(nodes: int, weights: Mapping[Edge, int]) -> tuple[list[int], int]:
    """One side of a lightest cut, and its weight, after Mechthild Stoer and Frank Wagner (1995).

    >>> minimum_cut(3, {(0, 1): 5, (1, 0): 5, (1, 2): 2, (2, 1): 2})
    ([2], 2)
    """
    beside = [[weights.get((u, v), 0) for v in range(nodes)] for u in range(nodes)]
    merged = [[node] for node in range(nodes)]
    left = list(range(nodes))
    best: tuple[int, list[int]] | None = None
    while len(left) > 1:
        pull = {node: beside[left[0]][node] for node in left[1:]}
        before, last = left[0], left[0]
        while pull:  # the node with the heaviest edges to those taken so far is next
            before, last = last, max(pull, key=lambda node: (pull[node], -node))
            weight = pull.pop(last)
            for node in pull:
                pull[node] += beside[last][node]
        if best is None or weight < best[0]:
            best = weight, sorted(merged[last])
        merged[before] += merged[last]
        left.remove(last)
        for node in left:
            beside[before][node] += beside[last][node]
            beside[node][before] = beside[before][node]
    assert best is not None, "there are at least two nodes"
    return best[1], best[0]


class MinimumCut(NodeSet, GraphOptimum):
    """Divide the nodes into two parts with edges of the least total weight between them."""

    version = 2
    tags = {"graphs", "optimisation", "search"}
    baseline_note = (
        "the parts of the cut are held together by heavier edges than those between them, "
        "which is what makes the cut minimum"
    )

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(8, 9, 10, 12, 15, 18, 22, low=6, high=26)
        clusters: int = ladder(2, 2, 2, 3, 3, 4, 4)
        between: float = ladder(0.3, 0.3, 0.35, 0.4, 0.45, 0.5, 0.5, low=0.2, high=0.8)  # per node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        parts = min(knobs.clusters, knobs.nodes // 3)
        clusters = [range(knobs.nodes)[first::parts] for first in range(parts)]
        weights = {}
        for cluster in clusters:
            for u, v in connected(rng, len(cluster), 2 * len(cluster)):
                weights[cluster[u], cluster[v]] = rng.randint(2, 9)
        hooks = [(n, n + 1) for n in range(parts - 1)]
        others = sorted(set(combinations(range(knobs.nodes), 2)) - set(weights) - set(hooks))
        # With more edges between clusters, separating a single node would be the lightest cut.
        most = min(len(others), 3 * parts, round(knobs.nodes * knobs.between))
        extra = rng.sample(others, most)
        weights |= {edge: rng.randint(1, 4) for edge in hooks + extra}
        edges = [(u, v, weight) for (u, v), weight in weights.items()]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "weight"))

    def prompt(self) -> str:
        task = self.phrase(
            "Divide the nodes into two parts, neither of them empty, so that the weights of the "
            "edges between the parts add up to as little as possible.",
            "Find a minimum cut of the graph: a set of edges of least total weight whose removal "
            "splits the nodes into two parts with no edge between them.",
        )
        return self.with_graph(
            f"{task} If several solutions are optimal, any of them will do. Write the nodes of one "
            f"of the parts, whichever you like, on one line, such as '{self.example(3)}'."
        )

    def marked(self, nodes: Sequence[int]) -> list[Edge]:
        """The edges between the two parts."""
        part = set(nodes)
        return [(u, v) for u, v in self.graph.pairs() if (u in part) != (v in part)]

    def violation(self, solution: Any) -> str:
        return "" if 0 < len(solution) < len(self.graph.names) else "one of the parts is empty"

    def worth(self, solution: Any) -> int:
        part = set(solution)
        return sum(weight for u, v, weight in self.graph.edges if (u in part) != (v in part))

    def search(self) -> SearchResult:
        nodes = len(self.graph.names)
        side, _ = minimum_cut(nodes, self.graph.weights())
        return SearchResult(tuple(side), nodes * len(self.graph.edges))

    def naive_solutions(self) -> list[Any]:
        """Each node by itself, and each pair that an edge joins."""
        return [[node] for node in range(len(self.graph.names))] + self.graph.pairs()

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The lightest node or pair; clusters, by joining nodes along the heaviest edges until two
        parts are left, or by growing a part from a node along the heaviest edges.
        """
        nodes = range(len(self.graph.names))
        by_weight = sorted(shuffled(self.graph.edges, rng), key=lambda edge: -edge[2])
        tree, _ = spanning_tree(len(nodes), by_weight)
        joined = Forest(len(nodes))
        for u, v in tree[:-1]:
            joined.join(u, v)
        start = rng.choice(nodes)
        part = stepwise(
            [n for n in nodes if n != start], rng, lambda n, got: -self.pull(n, [start, *got])
        )
        halves = [[start, *part[:size]] for size in nodes[:-1]]
        return {
            "lightest node": min(([node] for node in nodes), key=self.worth),
            "lightest pair": min(map(list, self.graph.pairs()), key=self.worth),
            "heaviest edges joined": [n for n in nodes if joined.root(n) == joined.root(0)],
            "half, grown": halves[len(nodes) // 2 - 1],
            "grown from a node": min(halves, key=self.worth),
        }

    def pull(self, node: int, part: Collection[int]) -> int:
        """The total weight of the edges between a node and a part."""
        weights = self.graph.weights()
        return sum(weights.get((node, other), 0) for other in part)

    def audit(self, answer: str) -> bool:
        """Whether the cut is as light as the least of the maximum flows, which it bounds."""
        part, nodes = set(self.read(answer)), len(self.graph.names)
        arcs = tuple((u, v, weight) for (u, v), weight in sorted(self.graph.weights().items()))
        crossing = sum(weight for u, v, weight in arcs if u in part and v not in part)
        return 0 < len(part) < nodes and crossing == least_flow(arcs, nodes)

    def shortcuts(self) -> Iterable[str]:
        everyone = self.graph.ranked()
        half = len(everyone) // 2
        return map(self.as_text, [*self.naive_solutions()[:4], everyone, everyone[:half]])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=7, clusters=2, between=0.3)
