"""The Steiner tree of a graph, found as Stuart Dreyfus and Robert Wagner did (1971)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.algorithms import Forest, distances, spanning_tree
from palaestra.generators.graphs.puzzles import EdgeSet, Graph, GraphOptimum
from palaestra.generators.graphs.scenes import END, Look
from palaestra.generators.graphs.steiner_tree import steiner_tree
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


@lru_cache(maxsize=64)
def lightest(graph: Graph, ends: tuple[int, ...]) -> float:
    """The least weight of a tree that joins some nodes, by trying all sets of branching nodes.

    A tree has at most two branching nodes less than it has ends.
    """
    away = distances(len(graph.names), graph.weights())
    others = [node for node in range(len(graph.names)) if node not in ends]
    best = float("inf")
    for number in range(len(ends) - 1):
        for branches in combinations(others, number):
            left = set(ends[1:] + branches)
            near, total = {node: away[ends[0]][node] for node in left}, 0.0
            while near:  # Prim's algorithm on the distances
                node = min(near, key=lambda n: near[n])
                total += near.pop(node)
                near = {n: min(far, away[node][n]) for n, far in near.items()}
            best = min(best, total)
    return best


class SteinerTree(EdgeSet, GraphOptimum):
    """Connect some nodes of a graph, directly or through others, by edges of least total length."""

    version = 3
    tags = {"graphs", "optimisation", "search", "trees"}
    baseline_note = (
        "joining the nearest terminal each time gives a tree at most twice as long as the "
        "shortest, and with few terminals often the shortest itself"
    )

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(7, 8, 10, 12, 15, 18, 22, low=7, high=24)
        ends: int = ladder(3, 3, 4, 4, 5, 5, 6, low=3, high=6)  # nodes to join
        density: float = ladder(1.5, 1.6, 1.6, 1.7, 1.8, 1.9, 2.0, low=1.4, high=2.5)  # edges/node

    ends: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density), window=4)
        edges = [(u, v, rng.randint(2, 9)) for u, v in pairs]
        graph = Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "length")
        ends = rng.sample(range(knobs.nodes), min(knobs.ends, knobs.nodes // 2))
        return cls(graph=graph, ends=tuple(ends))

    def canonical(self) -> str:
        return repr((self.graph.key(), sorted(self.ends)))

    def prompt(self) -> str:
        ends = self.graph.listing(self.ends)
        task = self.phrase(
            f"Choose edges that connect the nodes {ends} with one another, directly or through "
            "others, so that the lengths of the chosen edges add up to as little as possible.",
            f"Connect {ends} by a network made of edges of the graph: it must be connected, and "
            "the total length of its edges as small as possible.",
        )
        return self.with_graph(
            f"{task} The edges may pass through other nodes, but need not. If several solutions "
            "are optimal, any of them will do. Write the chosen edges on one line, such as "
            f"'{self.edges_example()}', in any order."
        )

    def look(self) -> Look:
        return Look(nodes=dict.fromkeys(self.ends, END), notes=dict.fromkeys(self.ends, "join"))

    def violation(self, solution: Any) -> str:
        if violation := super().violation(solution):
            return violation
        names = self.graph.names
        forest = Forest(len(names))
        for u, v in solution:
            forest.join(u, v)
        first = self.ends[0]
        apart = next((end for end in self.ends if forest.root(end) != forest.root(first)), None)
        return "" if apart is None else f"{names[first]} and {names[apart]} are not connected"

    def search(self) -> SearchResult:
        return steiner_tree(self.graph.weights(), len(self.graph.names), self.ends)

    def naive_solutions(self) -> list[Any]:
        """A minimum spanning tree without useless branches, shortest paths from the first terminal,
        all edges, and none.
        """
        weights, nodes = self.graph.weights(), len(self.graph.names)
        tree, _ = spanning_tree(nodes, sorted(self.graph.key(), key=lambda edge: edge[2]))
        star: set[Edge] = set()
        for end in self.ends[1:]:
            star |= set(steiner_tree(weights, nodes, (self.ends[0], end)).solution)
        return [self.trimmed(tree), sorted(star), self.graph.pairs(), ()]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The nearest terminal joined to the tree each time, from each end of the list and from a
        random one, and paths to random terminals.
        """
        starts = {"first": self.ends[0], "last": self.ends[-1], "random": rng.choice(self.ends)}
        order = shuffled(self.ends, rng)
        return {
            **{f"nearest terminal, from the {n} one": self.grown(e) for n, e in starts.items()},
            "terminals in random order": self.grown(order[0], order),
        }

    def grown(self, start: int, order: Sequence[int] = ()) -> list[Edge]:
        """A tree that a shortest path joins to the nearest terminal, again and again.

        With an ``order``, the path leads to the next terminal of the order instead.
        """
        weights, nodes = self.graph.weights(), len(self.graph.names)
        away = distances(nodes, weights)
        inside, tree = {start}, set[Edge]()
        while left := [end for end in order or self.ends if end not in inside]:
            end = left[0] if order else min(left, key=lambda e: min(away[n][e] for n in inside))
            near = min(inside, key=lambda node: away[node][end])
            for u, v in steiner_tree(weights, nodes, (near, end)).solution:
                tree.add((u, v))
                inside |= {u, v}
        return self.trimmed(spanning_tree(nodes, sorted(tree))[0])

    def trimmed(self, tree: list[Edge]) -> list[Edge]:
        """A tree without the branches that lead to none of the ends."""
        while True:
            ends = [node for edge in tree for node in edge]
            loose = {node for node in ends if ends.count(node) == 1} - set(self.ends)
            if not loose:
                return tree
            tree = [edge for edge in tree if not loose & set(edge)]

    def audit(self, answer: str) -> bool:
        """Whether it is as light as the best tree over all sets of branching nodes."""
        edges = self.read(answer)
        return not self.violation(edges) and self.worth(edges) == lightest(self.graph, self.ends)
