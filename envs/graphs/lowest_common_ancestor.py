"""Lowest common ancestors, after Alfred Aho, John Hopcroft and Jeffrey Ullman (1973)."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import Ways, parents, reached
from palaestra.generators.graphs.puzzles import Graph, GraphPuzzle
from palaestra.generators.graphs.scenes import END, Look, network
from palaestra.generators.random_graphs import Edge, connected
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import InvalidAnswer, Score, ladder
from palaestra.verifiers.reading.nodes import walk


class LowestCommonAncestor(GraphPuzzle):
    """Find the lowest common ancestor of each of several pairs of nodes in a rooted tree."""

    version = 3
    tags = {"graphs", "trees", "unique-solution"}
    calculation = True

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(8, 10, 13, 17, 22, 30, 40, low=7, high=60)
        questions: int = ladder(3, 3, 4, 4, 5, 6, 8, low=3, high=10)
        window: int = ladder(8, 6, 5, 5, 4, 4, 4, low=3, high=20)  # a low value makes deep trees

    root: int
    pairs: tuple[Edge, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        edges = connected(rng, knobs.nodes, knobs.nodes - 1, knobs.window)
        graph = Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding)
        root = rng.randrange(knobs.nodes)
        others = [node for node in range(knobs.nodes) if node != root]
        pairs = [rng.sample(others, 2) for _ in range(knobs.questions)]
        return cls(graph=graph, root=root, pairs=tuple((u, v) for u, v in pairs))

    def is_valid(self) -> bool:
        right = self.ancestors()
        few = len(right) // 3
        own = sum(node in pair for node, pair in zip(right, self.pairs))
        varied = len(set(right)) > few and right.count(self.root) <= few and own <= few + 1
        return super().is_valid() and varied and right not in self.naive_solutions()

    def canonical(self) -> str:
        return repr((self.graph.key(), self.root, self.pairs))

    def lines(self) -> list[tuple[list[int], list[int]]]:
        """For both nodes of each pair, their ancestors from the node itself to the root."""
        above = parents(self.graph.ways(), self.root)
        paths: dict[int, list[int]] = {self.root: [self.root]}
        for node in above:  # ancestors come before descendants
            paths.setdefault(node, [node, *paths[above[node]]])
        return [(paths[u], paths[v]) for u, v in self.pairs]

    def ancestors(self) -> list[int]:
        """The lowest common ancestor of each pair."""
        return [next(node for node in one if node in other) for one, other in self.lines()]

    def prompt(self) -> str:
        listed = "\n".join(
            f"{number}. {self.graph.listing(pair, ' and ')}"
            for number, pair in enumerate(self.pairs, 1)
        )
        task = self.phrase(
            f"The graph is a tree, and {self.graph.names[self.root]} is its root. The ancestors of "
            "a node are the node itself and all nodes on its path to the root. For each of these "
            "pairs of nodes, find the lowest common ancestor: the one farthest from the root among "
            "the nodes that are ancestors of both.",
            f"Hang this tree up by {self.graph.names[self.root]}, its root. From every node "
            "exactly one path leads up to the root; it begins with the node itself. For each of "
            "these pairs, find the first node on the path up from one node that is also on the "
            "path up from the other.",
        )
        return self.with_graph(
            f"{task}\n\n{listed}\n\nWrite the {len(self.pairs)} nodes in the order of the pairs, "
            f"such as '{self.example(len(self.pairs))}'. A node may be the answer more than once."
        )

    def look(self) -> Look:
        return Look(nodes={self.root: END}, notes={self.root: "root"})

    def scene(self) -> Panels:
        return self.with_table([""] * len(self.pairs))

    def solved_scene(self, answer: str) -> Panels:
        return self.with_table([self.graph.names[node] for node in self.read(answer)])

    def with_table(self, ancestors: Sequence[str]) -> Panels:
        """The tree, and a table of the pairs and their ancestors."""
        names = self.graph.names
        rows = tuple(
            (Cell(names[u], fixed=True), Cell(names[v], fixed=True), Cell(ancestor, tone="accent"))
            for (u, v), ancestor in zip(self.pairs, ancestors)
        )
        left = tuple((str(number),) for number, _ in enumerate(rows, 1))
        table = Grid(rows, top=(("",), ("",), ("?",)), left=left)
        return Panels((network(self.graph, self.look()), table), columns=2)

    def read(self, answer: str) -> tuple[int, ...]:
        """The ancestors of an answer."""
        path = walk(answer, self.graph.names)
        if len(path) != len(self.pairs):
            raise InvalidAnswer(f"expected {len(self.pairs)} nodes, got {len(path)}")
        return path

    def answer(self) -> str:
        return self.graph.listing(self.ancestors())

    def verify(self, answer: str) -> Score:
        path, names = self.read(answer), self.graph.names
        for number, (node, (one, other)) in enumerate(zip(path, self.lines()), 1):
            if node not in one or node not in other:
                return Score(0, f"{names[node]} is not a common ancestor of pair {number}")
            if node != next(each for each in one if each in other):
                return Score(0, f"{names[node]} is not the lowest common ancestor of pair {number}")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Whether each node separates the two of its pair from each other and from the root."""
        ways = self.graph.ways()
        return all(
            self._separates(ways, node, (self.root, *pair))
            for node, pair in zip(walk(answer, self.graph.names), self.pairs)
        )

    @staticmethod
    def _separates(ways: Ways, node: int, three: Sequence[int]) -> bool:
        """Whether no two of three nodes are connected after the removal of a node."""
        left = [each for each in three if each != node]
        return all(not set(left) & set(reached(ways, each, [node])) - {each} for each in left)

    def difficulty(self) -> float:
        return sum(len(one) + len(other) for one, other in self.lines())

    def naive_solutions(self) -> list[list[int]]:
        """The root, the parent of one of the two nodes, and one of them."""
        above = parents(self.graph.ways(), self.root)
        first, second = zip(*self.pairs)
        either = [[above[node] for node in nodes] for nodes in (first, second)]
        return [[self.root] * len(self.pairs), *either, list(first), list(second)]

    def shortcuts(self) -> Iterable[str]:
        return map(self.graph.listing, self.naive_solutions())
