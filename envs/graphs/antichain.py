"""The largest antichain of an acyclic graph, after Robert Dilworth (1950) and Delbert Fulkerson,
who computes it by a matching (1956).
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders, one_pass, shuffled, stepwise
from palaestra.generators.graphs.algorithms import topological_order
from palaestra.generators.graphs.antichain import closure, hidden_antichain, uncovered
from palaestra.generators.graphs.matchings import matching
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder
from palaestra.verifiers.matching import largest_matching

Sets = tuple[frozenset[int], ...]


@lru_cache(maxsize=64)
def reachable(graph: Graph) -> Sets:
    """The nodes that each node reaches."""
    ways = graph.ways()
    return tuple(map(frozenset, closure(ways, topological_order(ways))))


class Antichain(NodeSet, GraphOptimum):
    """Choose as many nodes of an acyclic graph as possible, none of which reaches another."""

    version = 2
    tags = {"graphs", "optimisation", "ordering", "search"}
    headings = ("antichain",)

    class Knobs(GraphOptimum.Knobs):
        members: int = ladder(4, 5, 6, 8, 9, 12, 14, low=4, high=16)  # of the antichain
        groups: int = ladder(2, 2, 2, 2, 2, 3, 3, low=2, high=4)  # in which they are hidden
        extra: float = ladder(0.0, 0.1, 0.2, low=0, high=0.5)  # edges that paths imply, per node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        groups = min(knobs.groups, knobs.members // 2)
        sizes = [knobs.members // groups] * groups
        sizes[0] += knobs.members % groups
        edges, _ = hidden_antichain(rng, sizes)
        nodes = 1 + max(node for edge in edges for node in edge)
        number = rng.sample(range(nodes), nodes)
        mixed = [(number[u], number[v]) for u, v in edges]
        graph = Graph.of_arcs(rng, nodes, mixed, knobs.encoding)
        below = reachable(graph)
        implied = [(u, v) for u in range(nodes) for v in below[u] - {*graph.ways()[u]}]
        more = rng.sample(sorted(implied), min(len(implied), round(knobs.extra * nodes)))
        every = rng.sample([*graph.edges, *more], len(graph.edges) + len(more))
        return cls(graph=graph._replace(edges=tuple(every)))

    def prompt(self) -> str:
        return self.any_optimum(
            self.phrase(
                "The graph has no cycle. Choose as many nodes as possible such that no path along "
                "the edges leads from one chosen node to another.",
                "No walk along the edges of this graph returns to its start. Find a largest set "
                "of nodes none of which can be reached from another one of the set by following "
                "edges in their directions.",
            )
        )

    def violation(self, solution: Any) -> str:
        below, chosen = reachable(self.graph), {*solution}
        for node in solution:
            if met := below[node] & chosen:
                names = self.graph.names
                return f"a path leads from {names[node]} to {names[min(met)]}"
        return ""

    def below(self) -> list[list[int]]:
        """The nodes that each node reaches, in order."""
        return [sorted(nodes) for nodes in reachable(self.graph)]

    def search(self) -> SearchResult:
        below = self.below()
        partner, examined = matching(below, range(len(below)))
        return SearchResult(tuple(sorted(uncovered(below, partner))), examined)

    def audit(self, answer: str) -> bool:
        """Whether no chosen node reaches another one, and as many paths, which may share nodes,
        cover all nodes.
        """
        chosen, below = self.read(answer), self.below()
        return not any({*below[node]} & {*chosen} for node in chosen) and len({*chosen}) == len(
            chosen
        ) == len(below) - largest_matching(below)

    def comparable(self) -> list[set[int]]:
        """The nodes that each node reaches or that reach it."""
        below = reachable(self.graph)
        result = [{*nodes} for nodes in below]
        for node, nodes in enumerate(below):
            for each in nodes:
                result[each].add(node)
        return result

    def depths(self, last: bool = False) -> list[int]:
        """The edges of a longest path to each node, or from it."""
        ways = self.graph.ways()
        depth = [0] * len(ways)
        for node in topological_order(ways) if not last else topological_order(ways)[::-1]:
            for near in ways[node]:
                if last:
                    depth[node] = max(depth[node], depth[near] + 1)
                else:
                    depth[near] = max(depth[near], depth[node] + 1)
        return depth

    def levels(self) -> dict[str, list[int]]:
        """All nodes that no edge enters or leaves, and the most nodes with the same depth."""
        sets = {}
        for name, depth in (("first", self.depths()), ("last", self.depths(last=True))):
            most = Counter(depth).most_common(1)[0][0]
            sets[f"the {name} nodes"] = [node for node, far in enumerate(depth) if not far]
            sets[f"a level from the {name} nodes"] = [
                node for node, far in enumerate(depth) if far == most
            ]
        return sets

    def naive_solutions(self) -> list[Any]:
        return [*self.levels().values()]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Nodes in natural orders, by their edges and by the nodes that compare with them, levels,
        and levels with all nodes that may be added.
        """
        ways, comparable = self.graph.ways(), self.comparable()
        degrees = [len(near) + sum(node in each for each in ways) for node, near in enumerate(ways)]
        depths, heights = self.depths(), self.depths(last=True)
        enter = Counter(near for each in ways for near in each)
        keys = {
            "edges": degrees.__getitem__,
            "edges of one direction": lambda node: min(len(ways[node]), enter[node]),
            "distance from the middle": lambda node: abs(depths[node] - heights[node]),
            "comparable nodes": lambda node: len(comparable[node]),
            "depth": depths.__getitem__,
        }
        orders = natural_orders(self.graph.ranked(), rng, keys)
        players: dict[str, Any] = {
            name: one_pass(order, self.satisfied) for name, order in orders.items()
        }
        for name, level in self.levels().items():
            others = [node for node in shuffled(range(len(ways)), rng) if node not in level]
            players[name] = level
            players[f"{name} and others"] = one_pass([*level, *others], self.satisfied)

        def left(node: int, chosen: list[int]) -> int | None:
            shut = set().union(*(comparable[each] for each in chosen))
            return None if node in shut else len(comparable[node] - shut)

        players["fewest comparable nodes left"] = stepwise(range(len(ways)), rng, left)
        return players
