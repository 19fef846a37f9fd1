"""The cheapest branching from a root, after Yoeng-Jin Chu and Tseng-Hong Liu (1965)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders
from palaestra.generators.graphs.puzzles import EdgeSet, Graph, GraphOptimum
from palaestra.generators.graphs.scenes import END, Look
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder
from palaestra.verifiers.reading.headings import edges_text

Link = tuple[int, int, int, Edge]
"""Start, end and cost of an edge between groups of nodes, and the edge that it stands for."""


def branching(root: int, nodes: Iterable[int], links: Sequence[Link]) -> list[Link]:
    """The cheapest links that lead from the root to every node.

    Each node takes its cheapest link. Where these form a cycle, its nodes are joined to one, for
    which a link costs what it is dearer than the link of the cycle that it replaces.
    """
    chosen: dict[int, Link] = {}
    for link in links:
        if link[1] not in {root, link[0]} and (
            link[1] not in chosen or link[2] < chosen[link[1]][2]
        ):
            chosen[link[1]] = link
    cycle = _cycle(chosen)
    if not cycle:
        return [*chosen.values()]
    joined = max(nodes) + 1
    replaced: dict[Edge, Link] = {}
    inner: list[Link] = []
    for link in links:
        start, end, cost, edge = link
        if start in cycle and end in cycle:
            continue
        if end in cycle:
            replaced[edge] = chosen[end]
            inner.append((start, joined, cost - chosen[end][2], edge))
        else:
            inner.append((joined if start in cycle else start, end, cost, edge))
    solution = branching(root, [*({*nodes} - cycle), joined], inner)
    original = {link[3]: link for link in links}
    entering = next(link for link in solution if link[1] == joined)
    kept = [chosen[node] for node in cycle if chosen[node] != replaced[entering[3]]]
    return kept + [original[link[3]] for link in solution]


def _cycle(chosen: Mapping[int, Link]) -> set[int]:
    """The nodes of a cycle of chosen links, none if there is no cycle."""
    for start in chosen:
        path, node = list[int](), start
        while node in chosen and node not in path:
            path.append(node)
            node = chosen[node][0]
        if node in path:
            return {*path[path.index(node) :]}
    return set()


class Arborescence(EdgeSet, GraphOptimum):
    """Choose directed edges of least total cost that lead from a root to every node."""

    tags = {"graphs", "optimisation", "search", "trees"}
    quantity = "cost"

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(5, 7, 9, 13, 17, 22, 28, low=5, high=30)
        density: float = ladder(2.0, 2.2, 2.4, 2.6, 2.8, 3.0, 3.2, low=1.8, high=4)  # edges/node
        loops: int = ladder(1, 1, 2, 4, 5, 7, 9, low=1, high=10)  # cheap cycles, which mislead

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        # What leads into a cycle costs nearly the same everywhere, but what it replaces does not:
        # the cheapest way in is seldom the best one.
        nodes = knobs.nodes
        costs: dict[Edge, int] = {}
        for node in range(1, nodes):  # every node can be reached
            costs[rng.randrange(node), node] = rng.randint(20, 27)
        others = [*range(1, nodes)]
        for _ in range(knobs.loops):
            loop = rng.sample(others, rng.randint(2, min(4, len(others))))
            inner = {
                (one, other): rng.randint(2, 19) for one, other in zip(loop, [*loop[1:], loop[0]])
            }
            costs |= inner
            # The cheapest way in replaces the cheapest edge of the loop.
            outside = [node for node in range(nodes) if node not in loop]
            (_, cheap), (_, dear) = (find(inner, key=inner.__getitem__) for find in (min, max))
            costs[rng.choice(outside), cheap] = rng.randint(19, 21)
            costs[rng.choice(outside), dear] = rng.randint(22, 25)
        number = min(round(nodes * knobs.density), (nodes - 1) ** 2)  # none leads to the root
        while len(costs) < number:
            one, other = rng.sample(range(nodes), 2)
            if other:
                costs.setdefault((one, other), rng.randint(20, 27))
        edges = [(u, v, cost) for (u, v), cost in costs.items()]
        return cls(graph=Graph.of_arcs(rng, nodes, edges, knobs.encoding, "cost"))

    def prompt(self) -> str:
        root = self.graph.names[0]
        task = self.phrase(
            f"Choose edges of the least total cost, such that every node can be reached from "
            f"{root} along chosen edges in their direction.",
            f"Find a minimum-cost arborescence with the root {root}: edges along whose directions "
            "every node can be reached from the root, with the least total cost.",
        )
        return self.with_graph(
            f"{task} If several solutions are optimal, any of them will do. Write the chosen edges "
            f"on one line, such as '{self.edges_example()}', in any order."
        )

    def look(self) -> Look:
        return Look(nodes={0: END}, notes={0: "root"})

    def read(self, answer: str) -> tuple[Edge, ...]:
        return super().read(edges_text(answer))

    def violation(self, solution: Any) -> str:
        if violation := super().violation(solution):
            return violation
        reached = [0]
        for node in reached:
            reached += {edge[1] for edge in solution if edge[0] == node} - {*reached}
        names = self.graph.names
        lost = next((n for n in range(len(names)) if n not in reached), None)
        return "" if lost is None else f"{names[lost]} cannot be reached from {names[0]}"

    def links(self) -> list[Link]:
        """The edges in order, each as a link that stands for itself."""
        return [(u, v, cost, (u, v)) for u, v, cost in self.graph.key()]

    def search(self) -> SearchResult:
        links = self.links()
        solution = branching(0, range(len(self.graph.names)), links)
        return SearchResult(tuple(sorted(link[3] for link in solution)), len(links))

    def difficulty(self) -> float:
        """The edges, once for each node that does not take its cheapest edge."""
        chosen = {edge[1]: self.graph.weights()[edge] for edge in self.search().solution}
        least = {v: min(c for _, w, c in self.graph.key() if w == v) for v in chosen}
        changed = sum(chosen[node] > least[node] for node in chosen)
        return float((1 + changed) * len(self.graph.edges))

    def naive_solutions(self) -> list[Any]:
        """The cheapest edge into each node, and the cheapest edge out of what is reached so far."""
        cheapest = dict[int, tuple[Edge, int]]()
        for u, v, cost in self.graph.key():
            if v and (v not in cheapest or cost < cheapest[v][1]):
                cheapest[v] = (u, v), cost
        return [[edge for edge, _ in cheapest.values()], self.grown()]

    def grown(self) -> list[Edge]:
        """The cheapest edge from the nodes that are reached to another one, again and again."""
        inside, edges = {0}, list[Edge]()
        while len(inside) < len(self.graph.names):
            u, v, _ = min(
                (edge for edge in self.graph.key() if edge[0] in inside and edge[1] not in inside),
                key=lambda edge: edge[2],
            )
            inside.add(v)
            edges.append((u, v))
        return edges

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """All edges without those that are not needed, the dearest first and in other orders; the
        cheapest edge from what is reached; shortest paths; and cheapest edges, one of each cycle
        exchanged.
        """
        orders = natural_orders(self.graph.key(), rng, {"cost": lambda edge: edge[2]})
        players: dict[str, Any] = {
            f"without {name}": self.without(order) for name, order in orders.items()
        }
        players["cheapest edge from what is reached"] = self.grown()
        players["shortest paths"] = self.shortest()
        players["cheapest edges, cycles opened"] = self.opened()
        return players

    def without(self, order: Iterable[tuple[int, ...]]) -> list[Edge]:
        """All edges but those that are not needed, which are dropped in some order."""
        kept = {*self.graph.pairs()}
        for u, v, _ in order:
            if not self.violation(sorted(kept - {(u, v)})):
                kept.discard((u, v))
        return sorted(kept)

    def shortest(self) -> list[Edge]:
        """A tree of shortest paths from the root."""
        far, before = {0: 0}, dict[int, int]()
        for _ in self.graph.names:
            for u, v, cost in self.graph.key():
                if u in far and far[u] + cost < far.get(v, 1 << 30) and v:
                    far[v], before[v] = far[u] + cost, u
        return [(before[v], v) for v in sorted(before)]

    def opened(self) -> list[Edge]:
        """The cheapest edge into each node; while there is a cycle, the cheapest other edge into it
        replaces the edge of the cycle that leads to the same node.
        """
        chosen = {v: (u, v, c, (u, v)) for u, v, c in sorted(self.graph.key(), key=_dearest) if v}
        for _ in self.graph.names:
            if not (cycle := _cycle(chosen)):
                break
            u, v, cost = min(
                (edge for edge in self.graph.key() if edge[1] in cycle and edge[0] not in cycle),
                key=lambda edge: edge[2],
            )
            chosen[v] = u, v, cost, (u, v)
        return [link[3] for link in chosen.values()]

    def audit(self, answer: str) -> bool:
        """Whether nothing is cheaper by the dual problem: sets of nodes without the root get
        values, no edge costs less than the sets that it enters have together, and all together are
        worth what the answer costs (D. R. Fulkerson, 1974).
        """
        edges = self.read(answer)
        if self.violation(edges):
            return False
        reduced = {(u, v): cost for u, v, cost in self.graph.key()}
        worth = 0
        while True:
            tight = {edge for edge in reduced if reduced[edge] == 0}
            group = self.unentered(tight)
            if not group:
                return self.worth(edges) == worth
            entering = [e for e in reduced if e[1] in group and e[0] not in group]
            value = min(reduced[edge] for edge in entering)
            worth += value
            for edge in entering:
                reduced[edge] -= value

    def unentered(self, tight: set[Edge]) -> set[int]:
        """A smallest set of nodes without the root that no tight edge enters, or an empty one."""
        nodes = range(len(self.graph.names))
        into: dict[int, set[int]] = {}
        for node in nodes:
            seen = [node]
            for each in seen:
                seen += {u for u, v in tight if v == each} - {*seen}
            into[node] = {*seen}  # what leads to the node, which no tight edge enters
        return min((each for each in into.values() if 0 not in each), key=len, default=set())

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=5, density=2.0, loops=1)

    def candidates(self) -> Iterable[str]:
        """One edge into each node but the root."""
        into = [
            [edge for edge in self.graph.pairs() if edge[1] == n]
            for n in range(len(self.graph.names))
        ]
        return (self.as_text(sorted(edges)) for edges in product(*into[1:]))


def _dearest(edge: tuple[int, ...]) -> int:
    return -edge[2]
