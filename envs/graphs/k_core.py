"""The k-core of a graph, after Stephen Seidman, "Network structure and minimum degree" (1983)."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility, GraphPuzzle, NodeSet
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult, search_result
from palaestra.task import ladder


class KCore(NodeSet, GraphFeasibility):
    """Find the largest set of nodes each of which has enough neighbours within it."""

    tags = {"graphs", "deduction", "unique-solution"}
    headings = ("core",)

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(10, 11, 13, 15, 19, 24, 30, low=8, high=36)
        k: int = ladder(2, 2, 3, 3, 3, 4, 4, low=2)
        rounds: int = ladder(2, 2, 2, 3, 3, 3, 4, low=1)  # of removal, at least

    k: int
    rounds: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        inner = max(knobs.k + 2, knobs.nodes * 3 // 5)
        edges = set(connected(rng, inner, round(inner * knobs.k * 0.6)))
        dense = combinations(range(knobs.k + 2), 2)  # these are likely to belong to the core
        edges |= {pair for pair in dense if rng.random() < 0.75}
        # The other nodes are removed one after the other, though they may have many neighbours.
        for node in range(inner, knobs.nodes):
            before = range(max(0, node - knobs.k - 3), node)
            edges |= {(near, node) for near in rng.sample(before, knobs.k - 1)}
        graph = Graph.of_edges(rng, knobs.nodes, sorted(edges), knobs.encoding)
        return cls(graph=graph, k=knobs.k, rounds=min(knobs.rounds, knobs.nodes // 5))

    def is_valid(self) -> bool:
        shells = self.shells()
        return GraphPuzzle.is_valid(self) and bool(shells[-1]) and len(shells) > self.rounds

    def shells(self) -> list[list[int]]:
        """All nodes, and those that are left after each round of removing nodes of low degree."""
        ways, cores = self.graph.ways(), [list(range(len(self.graph.names)))]
        while True:
            left = set(cores[-1])
            rest = [node for node in cores[-1] if len(left & set(ways[node])) >= self.k]
            if len(rest) == len(left):
                return cores
            cores.append(rest)

    def canonical(self) -> str:
        return repr((self.graph.key(), self.k))

    def prompt(self) -> str:
        task = self.phrase(
            f"Find the {self.k}-core: the largest set of nodes each of which is joined by edges to "
            f"at least {self.k} other nodes of the set.",
            f"Remove all nodes with fewer than {self.k} neighbours, together with their edges. "
            f"Other nodes may then have fewer than {self.k} neighbours left: remove them as well, "
            "and so on, until there are no such nodes. Which nodes are left?",
        )
        return self.with_graph(
            f"{task} The answer has at least one node. Write its nodes on one line in any order, "
            f"such as '{self.example(3)}'."
        )

    def marked(self, nodes: Sequence[int]) -> list[Edge]:
        return self.inside(nodes)

    def violation(self, solution: Any) -> str:
        nodes, ways = set(solution), self.graph.ways()
        for node in sorted(nodes):
            if (number := len(nodes & set(ways[node]))) < self.k:
                return f"{self.graph.names[node]} has {number} neighbours among the listed nodes"
        return "" if len(nodes) == len(search_result(self).solution) else "nodes are missing"

    def search(self) -> SearchResult:
        shells = self.shells()
        return SearchResult(tuple(shells[-1]), len(shells) * len(self.graph.edges))

    def naive_solutions(self) -> list[Any]:
        """The nodes that are left after fewer rounds, and none."""
        return [*self.shells()[:-1], ()]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The nodes of some degree, those in triangles with such, and one round of removing."""
        ways = self.graph.ways()
        nodes = range(len(ways))
        busy = {n: [v for v in nodes if len(ways[v]) >= self.k + n] for n in range(3)}
        dense = [n for n in nodes if len(set(ways[n]) & {*busy[0]}) >= self.k]
        players = {f"degree {n} above the limit": nodes for n, nodes in busy.items()}
        return {**players, "neighbours of high degree": dense, "all nodes": list(nodes)}

    def audit(self, answer: str) -> bool:
        """Whether it is what is left when nodes are removed one at a time."""
        left, ways = set(range(len(self.graph.names))), self.graph.ways()
        while thin := [node for node in left if len(left & set(ways[node])) < self.k]:
            left.remove(thin[-1])
        return set(self.read(answer)) == left

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=8, k=2, rounds=1)
