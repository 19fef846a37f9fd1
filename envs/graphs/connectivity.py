"""Disjoint paths and separators, after Karl Menger (1927)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.baselines import natural_orders, pared, shuffled
from palaestra.generators.graphs.algorithms import reached
from palaestra.generators.graphs.connectivity import (
    disjoint_paths,
    maximum_disjoint,
    misleading,
    narrow,
    separator,
)
from palaestra.generators.graphs.networks import dijkstra
from palaestra.generators.graphs.players import edges_away
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum
from palaestra.generators.graphs.scenes import Look, along, ends, network
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.layout import lines
from palaestra.verifiers.reading.nodes import node_set, walk

Certificate = Literal["paths", "separator"]
MIXED: tuple[Certificate, ...] = ("paths", "paths", "separator")
"""What "any" samples from: a separator is more often a lucky guess than disjoint paths are."""

_PATH = re.compile(r"path ?#?\d{0,3}\s{0,3}[:.)=-]\s{0,3}", re.IGNORECASE | re.ASCII)
_FAR = 10**6


class Connectivity(GraphOptimum):
    """Find as many disjoint paths between two nodes as possible, or a smallest separator."""

    version = 2
    tags = {"graphs", "optimisation", "search"}
    baseline_note = (
        "a third of the tasks ask for a separator, and leaving out one node after the other, in "
        "whatever order, ends at a smallest one in a tenth of these"
    )
    quantity = "number"

    class Knobs(GraphOptimum.Knobs):
        asks: Literal["any", "paths", "separator"] = ladder("any")
        paths: int = ladder(2, 2, 3, 4, 4, 5, 5, low=2, high=6)
        before: int = ladder(4, 4, 4, 4, 4, 4, 5, low=4, high=6)  # stops before the middle
        after: int = ladder(0, 0, 0, 0, 4, 4, 4, low=0, high=6)
        traps: int = ladder(1, 1, 3, 6, 10, 16, 20, low=1, high=24)  # edges between routes
        ways: int = ladder(1, 1, 1, 2, 3, 2, 3, low=1, high=8)  # around a separator
        decoys: int = ladder(0, 2, 4, 6, 9, 10, 10, low=0, high=12)

    asks: Certificate

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        asks = rng.choice(MIXED) if knobs.asks == "any" else knobs.asks
        sizes = knobs.model_dump(exclude={"asks", "encoding"})
        nodes, edges = (misleading if asks == "paths" else narrow)(rng, sizes)
        if rng.random() < 0.5:
            edges = [(nodes - 1 - u, nodes - 1 - v) for u, v in edges]
        return cls(graph=Graph.of_edges(rng, nodes, edges, knobs.encoding), asks=asks)

    def canonical(self) -> str:
        return repr((self.asks, self.graph.key()))

    @property
    def target(self) -> int:
        """The node that is joined to node 0 or separated from it."""
        return len(self.graph.names) - 1

    def prompt(self) -> str:
        names = self.graph.names
        one, other = names[0], names[self.target]
        if self.asks == "separator":
            task = self.phrase(
                f"Find as few nodes as possible, other than {one} and {other}, whose removal "
                f"leaves no path from {one} to {other}.",
                f"Separate {one} and {other}: choose a smallest set of other nodes, such that "
                f"every path between the two passes through one of them.",
            )
            return self.with_graph(
                f"{task} If several solutions are optimal, any of them will do. Write the chosen "
                f"nodes on one line in any order, such as '{self.example(3)}'."
            )
        rule = self.phrase(
            "No two of the paths may have a node in common, except for these two.",
            "Apart from these two nodes, each node may be on one of the paths at most.",
        )
        task = self.phrase(
            f"Find as many paths from {one} to {other} as possible.",
            f"Join {one} and {other} by as many paths as possible.",
        )
        middle = self.graph.ranked()[:2]
        shape = self.graph.listing([0, *(n for n in middle if n not in {0, self.target})], " -> ")
        return self.with_graph(
            f"{task} {rule} A path goes along edges and visits no node twice. If several solutions "
            f"are optimal, any of them will do. Write one line for each path with all its nodes "
            f"from {one} to {other} in order, such as '{shape} -> {other}'."
        )

    def look(self) -> Look:
        return ends(0, self.target)

    def solved_scene(self, answer: str) -> Scene:
        solution = self.read(answer)
        if self.asks == "separator":
            return network(self.graph, self.look().with_nodes(solution))
        steps = [step for path in solution for step in along(path)]
        return network(self.graph, self.look().with_edges(steps))

    def read(self, answer: str) -> tuple[Any, ...]:
        """The nodes of a separator, or the paths, each as a tuple of nodes."""
        names = self.graph.names
        if not answer.strip():
            raise InvalidAnswer("expected nodes or paths")
        if self.asks == "separator":
            return node_set(unheaded(answer, ("node", "nodes", "separator")), names)
        body = unheaded(answer, ("path", "paths"))
        rows = [_PATH.sub("", row, count=1) for row in lines(body)]
        if len(rows) > 1 and rows[0].endswith(":"):
            del rows[0]  # a heading such as "2 disjoint paths:"
        paths = tuple(walk(part, names) for row in rows if row for part in _parts(row))
        if not paths:
            raise InvalidAnswer("expected one line for each path, such as 'X -> Y -> Z'")
        return paths

    def as_text(self, solution: Iterable[Any]) -> str:
        if self.asks == "separator":
            return self.graph.listing(solution) or "none"
        return "\n".join(self.graph.listing(path, " -> ") for path in solution)

    def violation(self, solution: Any) -> str:
        if self.asks == "separator":
            return self.opening(solution)
        return next(filter(None, map(self.broken, solution)), "") or self.shared(solution)

    def opening(self, nodes: Sequence[int]) -> str:
        """Why some nodes do not separate the two ends."""
        names = self.graph.names
        if ends := sorted({0, self.target} & {*nodes}):
            return f"{names[ends[0]]} must not be removed"
        if self.target in reached(self.graph.ways(), 0, nodes):
            return f"{names[self.target]} can still be reached from {names[0]}"
        return ""

    def broken(self, path: Sequence[int]) -> str:
        """Why a sequence of nodes is not a path between the two ends."""
        names, ways = self.graph.names, self.graph.ways()
        if path[0] != 0 or path[-1] != self.target:
            return f"a path does not lead from {names[0]} to {names[self.target]}"
        if len({*path}) < len(path):
            return "a path visits a node twice"
        step = next(((u, v) for u, v in pairwise(path) if v not in ways[u]), None)
        return f"no edge joins {names[step[0]]} and {names[step[1]]}" if step else ""

    def shared(self, paths: Sequence[Sequence[int]]) -> str:
        """What two paths have in common although they must not."""
        names = self.graph.names
        inner = [node for path in paths for node in path[1:-1]]
        node = next((node for n, node in enumerate(inner) if node in inner[:n]), None)
        return "" if node is None else f"two paths visit {names[node]}"

    def worth(self, solution: Any) -> int:
        return len(solution)

    def search(self) -> SearchResult:
        ways = self.graph.ways()
        if self.asks == "separator":
            return separator(ways)
        return disjoint_paths(ways)

    def naive_solutions(self) -> list[Any]:
        """The shortest path that is left, again and again; all neighbours of an end, and all nodes
        as far away from an end as one another.
        """
        if self.asks != "separator":
            return [self.paths(lambda node, near: 1)]
        ways = self.graph.ways()
        layers = []
        for start, end in ((0, self.target), (self.target, 0)):
            away = edges_away(ways, start)
            by_distance = [[n for n in away if away[n] == d] for d in range(1, away[end])]
            layers += [by_distance[0], min(by_distance, key=len)]
        return layers

    def paths(self, length: Callable[[int, int], int]) -> list[tuple[int, ...]]:
        """The shortest path that is left, again and again, where edges have some length."""
        ways = {n: {*near} for n, near in enumerate(self.graph.ways())}
        chosen = list[tuple[int, ...]]()
        while self.target in reached([[*ways[n]] for n in sorted(ways)], 0):
            far = {n: {m: length(n, m) for m in sorted(ways[n])} for n in ways}
            path = dijkstra(far, 0, self.target).path
            chosen.append(path)
            for node in path[1:-1]:
                for near in ways[node]:
                    ways[near].discard(node)
                ways[node] = set()
        return chosen

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Paths of the fewest edges, of the fewest other neighbours, and at random; for separators,
        layers, neighbours, and all nodes but those not needed, in several orders.
        """
        ways = self.graph.ways()
        degree = [len(near) for near in ways]
        if self.asks != "separator":
            noise = [[rng.randint(1, _FAR) for _ in ways] for _ in ways]
            return {
                "shortest path first": self.paths(lambda u, v: _FAR + noise[u][v] // 99),
                "fewest neighbours on a path first": self.paths(lambda u, v: degree[v]),
                "few high degrees": self.paths(lambda u, v: degree[v] ** 3),
                "random lengths": self.paths(lambda u, v: noise[u][v]),
                "random walks": self.wandered(rng, lambda node: 0),
                "walks along low degrees": self.wandered(rng, lambda node: degree[node]),
                "walks along high degrees": self.wandered(rng, lambda node: -degree[node]),
            }
        one, layer, other, second = self.naive_solutions()
        inner = [n for n in self.graph.ranked() if n not in {0, self.target}]
        away = [edges_away(ways, end) for end in (0, self.target)]
        keys = {
            "degree": degree.__getitem__,
            "distance from an end": lambda n: min(far[n] for far in away),
            "way through a node": lambda n: sum(far[n] for far in away),
        }
        orders = natural_orders(inner, rng, keys)
        players: dict[str, Any] = {
            f"without {name}": pared(order, lambda some: not self.opening(some))
            for name, order in orders.items()
        }
        layers = [
            pared([n for n in inner if far[n] == d], lambda some: not self.opening(some))
            for far, end in zip(away, (self.target, 0))
            for d in range(1, far[end])
        ]
        players["smallest layer after paring"] = min(layers, key=len)
        for name, nodes in {"start": one, "target": other}.items():
            players[f"neighbours of the {name}, pared"] = pared(
                shuffled(nodes, rng), lambda some: not self.opening(some)
            )
        for name, nodes in {"start": layer, "target": second}.items():
            players[f"layer from the {name}, pared"] = pared(
                shuffled(nodes, rng), lambda some: not self.opening(some)
            )
        return players

    def wandered(self, rng: Random, key: Callable[[int], int]) -> list[tuple[int, ...]]:
        """Paths that go to the unused node of the least key, and turn back at dead ends."""
        ways, used = self.graph.ways(), set[int]()
        chosen = list[tuple[int, ...]]()
        while True:
            path, dead = [0], set[int]()
            while path and path[-1] != self.target:
                here = path[-1]
                ahead = [
                    n
                    for n in shuffled(ways[here], rng)
                    if n not in path and n not in dead and n not in used
                ]  # fmt: skip
                if ahead:
                    path.append(self.target if self.target in ahead else min(ahead, key=key))
                else:
                    dead.add(path.pop())
            if not path:
                return chosen
            chosen.append(tuple(path))
            used |= {*path[1:-1]}

    def audit(self, answer: str) -> bool:
        """Whether no path is left after any rearrangement of the paths; a separator has to be as
        small as a set of such paths is large.
        """
        solution, ways = self.read(answer), self.graph.ways()
        if self.violation(solution):
            return False
        if self.asks == "separator":
            return len(disjoint_paths(ways).solution) == len(solution)
        return maximum_disjoint(ways, solution)


def _parts(row: str) -> list[str]:
    """The paths of a line: there are several with commas between them if all begin alike.

    >>> _parts("A -> B -> D, A -> C -> D"), _parts("A -> B, B -> D")
    (['A -> B -> D', 'A -> C -> D'], ['A -> B, B -> D'])
    """
    parts = [part.strip() for part in re.split("[,;]", row) if part.strip()]
    starts = {re.split("[-=\u2192]", part, maxsplit=1)[0].strip() for part in parts}
    arrows = all("->" in part or "\u2192" in part for part in parts)
    return parts if arrows and len(starts) == 1 else [row]
