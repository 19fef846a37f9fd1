"""The longest path in a tree, which Edsger Dijkstra found by two searches, from end to end."""

from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.algorithms import distances, parents, reached
from palaestra.generators.graphs.encodings import Found, Graph, GraphOptimum
from palaestra.generators.random_graphs import connected
from palaestra.task import ladder
from palaestra.verifiers.graph_answers import walk


class TreeDiameter(GraphOptimum):
    """Find a longest path between two nodes of a tree whose edges have lengths."""

    version = 2
    tags = {"graphs", "optimisation", "trees"}

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(7, 9, 12, 16, 21, 28, 36, low=6, high=50)
        window: int = ladder(5, 5, 5, 6, 6, 7, 8, low=3, high=12)  # a small one makes it deep
        longest: int = ladder(9, 12, 20, 30, 50, 75, 99, low=5, high=999)  # an edge at most

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        drawn = connected(rng, knobs.nodes, knobs.nodes - 1, knobs.window)
        edges = [(u, v, rng.randint(1, knobs.longest)) for u, v in drawn]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "length"))

    def prompt(self) -> str:
        task = self.phrase(
            "The graph is a tree: there is exactly one path between any two nodes. Find a longest "
            "path, by the sum of the lengths of its edges.",
            "Between any two nodes of this graph there is exactly one path that passes through no "
            "node twice. Find a longest of all these paths, by the sum of the lengths of its "
            "edges.",
        )
        shape = self.example(3).replace(", ", " -> ")
        return self.posed(
            f"{task} If several solutions are optimal, any of them will do. Write all the nodes of "
            f"the path in order, from one end to the other, such as '{shape}'."
        )

    def read(self, answer: str) -> tuple[int, ...]:
        return walk(answer, self.graph.names)

    def as_text(self, solution: Any) -> str:
        return self.graph.listing(solution, " -> ")

    def flaw(self, solution: Any) -> str:
        weights, names = self.graph.weights(), self.graph.names
        if missing := next((step for step in pairwise(solution) if step not in weights), None):
            return f"no edge joins {names[missing[0]]} and {names[missing[1]]}"
        path = list(solution)
        twice = next((node for node in path if path.count(node) > 1), None)
        return "" if twice is None else f"{names[twice]} is visited twice"

    def worth(self, solution: Any) -> int:
        weights = self.graph.weights()
        return sum(weights[step] for step in pairwise(solution))

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

    def search(self) -> Found:
        """From any node to the farthest, and from that one to its farthest."""
        return Found(tuple(self.farthest(self.farthest(0)[0])), len(self.graph.names))

    def heedless(self) -> list[Any]:
        """A path of most edges, the longest edge, and on by longest edges from it."""
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

    def audit(self, answer: str) -> bool:
        """Whether it is as long as the greatest of all distances."""
        path, weights = self.read(answer), self.graph.weights()
        away = distances(len(self.graph.names), weights)
        length = sum(weights.get(step, -(10**9)) for step in pairwise(path))
        return length == max(map(max, away)) and len(set(path)) == len(path)
