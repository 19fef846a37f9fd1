"""The longest path in a tree, which two searches find, after Edsger Dijkstra."""

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.algorithms import distances, parents, reached
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, Walk
from palaestra.generators.random_graphs import connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


class TreeDiameter(Walk, GraphOptimum):
    """Find a longest path between two nodes of a tree whose edges have lengths."""

    version = 3
    tags = {"graphs", "optimisation", "trees"}
    baseline_note = (
        "a longest path often ends with a long edge; the longest path from there is found in "
        "one search, as the method for trees does from any node"
    )

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(7, 9, 12, 16, 21, 28, 36, low=6, high=50)
        window: int = ladder(5, 5, 5, 6, 6, 7, 8, low=3, high=12)  # a low value makes deep trees
        longest: int = ladder(9, 12, 20, 30, 50, 75, 99, low=5, high=999)  # of an edge

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, knobs.nodes - 1, knobs.window)
        edges = [(u, v, rng.randint(1, knobs.longest)) for u, v in pairs]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "length"))

    def prompt(self) -> str:
        task = self.phrase(
            "The graph is a tree: there is exactly one path between any two nodes. Find a longest "
            "path, by the sum of the lengths of its edges.",
            "Between any two nodes of this graph there is exactly one path that passes through no "
            "node twice. Find a longest of all these paths, by the sum of the lengths of its "
            "edges.",
        )
        return self.with_graph(
            f"{task} If several solutions are optimal, any of them will do. Write all the nodes of "
            f"the path in order, from one end to the other, such as '{self.walk_example(3)}'."
        )

    def violation(self, solution: Any) -> str:
        if violation := super().violation(solution):
            return violation
        path = list(solution)
        twice = next((node for node in path if path.count(node) > 1), None)
        return "" if twice is None else f"{self.graph.names[twice]} is visited twice"

    def farthest(self, start: int) -> list[int]:
        """The longest path from a node, the far end first."""
        above, weights = parents(self.graph.ways(), start), self.graph.weights()
        far = {start: 0}
        for node in reached(self.graph.ways(), start)[1:]:
            far[node] = far[above[node]] + weights[above[node], node]
        path = [max(far, key=lambda node: far[node])]
        while path[-1] != start:
            path.append(above[path[-1]])
        return path

    def search(self) -> SearchResult:
        """The longest path from the node that is farthest from an arbitrary one."""
        return SearchResult(tuple(self.farthest(self.farthest(0)[0])), len(self.graph.names))

    def naive_solutions(self) -> list[Any]:
        """A path that extends the longest edge greedily, and a path of the most edges."""
        weights, ways = self.graph.weights(), self.graph.ways()
        path = list(max(self.graph.key(), key=lambda edge: edge[2])[:2])
        for _ in range(2):
            path.reverse()
            while ahead := [node for node in ways[path[-1]] if node not in path]:
                path.append(max(ahead, key=lambda node: weights[path[-1], node]))
        end = reached(ways, reached(ways, 0)[-1])
        above, most = parents(ways, end[0]), [end[-1]]
        while most[-1] != end[0]:
            most.append(above[most[-1]])
        return [path, most]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The longest path from a node: a random one, that of the longest edge, the first one, and
        the leaf with the longest edge.
        """
        weights, ways = self.graph.weights(), self.graph.ways()
        leaves = [node for node, near in enumerate(ways) if len(near) == 1]
        starts = {
            "random node": rng.choice(range(len(ways))),
            "first node": self.graph.ranked()[0],
            "longest edge": max(weights, key=weights.__getitem__)[0],
            "leaf with the longest edge": max(leaves, key=lambda n: weights[n, ways[n][0]]),
        }
        return {f"longest path from the {name}": self.farthest(n) for name, n in starts.items()}

    def audit(self, answer: str) -> bool:
        """Whether it is as long as the greatest of all distances."""
        path, weights = self.read(answer), self.graph.weights()
        away = distances(len(self.graph.names), weights)
        length = sum(weights.get(step, -(10**9)) for step in pairwise(path))
        return length == max(map(max, away)) and len(set(path)) == len(path)
