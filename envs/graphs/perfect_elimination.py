"""Chordal graphs, which have a perfect elimination order, after Delbert Fulkerson and Oliver Gross
(1965).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, combinations, permutations
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.baselines import natural_orders, shuffled
from palaestra.generators.graphs.algorithms import reached
from palaestra.generators.graphs.perfect_elimination import (
    by_cardinality,
    chordal,
    chordless_cycle,
    cycle_violation,
    missing_chord,
    shells,
    shortest,
    spoilt,
    with_hubs,
    with_tails,
)
from palaestra.generators.graphs.players import edges_away
from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility
from palaestra.generators.graphs.scenes import network
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.labels import labelled
from palaestra.verifiers.reading.nodes import walk

ORDER, CYCLE = "order", "cycle"
_SHORTEST = 4  # nodes of a chordless cycle

_LABELS = {
    f"{article}{adjective}{noun}": noun
    for noun, adjectives in (
        (ORDER, ("", "elimination ", "perfect elimination ")),
        (CYCLE, ("", "chordless ", "induced ")),
    )
    for article in ("", "a ", "an ", "the ")
    for adjective in adjectives
}
"""The labels of an answer, with the noun of each. Other words could deny what follows."""

_HEADING = re.compile(
    r"[*_# ]{0,4}([a-z ]{1,40}?)(?:\*\*)?:(?:\*\*)?[ \t]*\n(.*)", re.IGNORECASE | re.DOTALL
)
"""A label on a line of its own."""


class PerfectElimination(GraphFeasibility):
    """Show that a graph is chordal by an elimination order, or that it is not by a cycle."""

    version = 2
    tags = {"graphs", "search", "proof"}

    class Knobs(GraphFeasibility.Knobs):
        blobs: int = ladder(1, 1, 2, 2, 3, 3, 4, low=1, high=5)
        size: int = ladder(6, 8, 6, 8, 8, 10, 10, low=5, high=14)  # nodes of a blob
        width: int = ladder(2, 2, 3, 3, 3, 3, 3, low=2, high=4)  # neighbours of a new node
        hubs: int = ladder(0, 0, 1, 3, 3, 3, 3, low=0, high=4)  # joined to most nodes; at most
        tails: int = ladder(0, 0, 1, 2, 2, 2, 3, low=0, high=4)  # dead ends
        graphs: Literal["any", "chordal", "not chordal"] = ladder("any")

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes, edges = chordal(rng, knobs.blobs, max(knobs.size, knobs.width + 3), knobs.width)
        around = shells(rng, nodes, edges, rng.randint(1, knobs.hubs) if knobs.hubs else 0)
        nodes, edges = with_tails(rng, nodes, edges, knobs.tails)
        wanted = knobs.graphs if knobs.graphs != "any" else rng.choice(("chordal", "not chordal"))
        if wanted == "not chordal":
            edges = spoilt(rng, nodes, edges)
        nodes, edges = with_hubs(nodes, edges, around)
        return cls(graph=Graph.of_edges(rng, nodes, edges, knobs.encoding))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a perfect elimination order of the nodes or, if there is none, a chordless cycle "
            "of at least four nodes.",
            "Either find a perfect elimination order of the graph or show by a chordless cycle of "
            "four or more nodes that there is none.",
        )
        return self.with_graph(
            f"{task} A perfect elimination order lists every node once, such that for each node, "
            "all its neighbours that come later in the order are joined to one another. In a "
            "chordless cycle, each node is joined to the next one and the last one to the first "
            "one, and no other two of its nodes are joined. Exactly one of the two exists. If "
            "there are several solutions, any of them will do.\n\nWrite one line, either with all "
            f"nodes, such as '{ORDER}: {self.example(len(self.graph.names))}', or with the nodes "
            f"of a cycle in order, such as '{CYCLE}: {self.example(_SHORTEST)}'."
        )

    def solved_scene(self, answer: str) -> Scene:
        label, nodes = self.read(answer)
        if label == ORDER:
            numbers = {node: str(n) for n, node in enumerate(nodes, 1)}
            return network(self.graph, self.look().with_notes(numbers))
        return network(self.graph, self.look().with_edges(zip(nodes, [*nodes[1:], nodes[0]])))

    def read(self, answer: str) -> tuple[str, tuple[int, ...]]:
        """Whether it is an order or a cycle, and its nodes."""
        heading = _HEADING.fullmatch(answer.strip())
        if heading and heading[1].casefold() in _LABELS:
            entries = [(heading[1], heading[2])]
        else:
            entries = labelled(answer, _LABELS)
        if len(entries) == 1:
            label, value = entries[0]
            if result := _LABELS.get(label.casefold()):
                nodes = walk(value, self.graph.names)
                closed = result == CYCLE and len(nodes) > _SHORTEST and nodes[0] == nodes[-1]
                return result, nodes[:-1] if closed else nodes
        raise InvalidAnswer(f"expected one line '{ORDER}: X, Y, Z' or '{CYCLE}: X, Y, Z'")

    def as_text(self, solution: tuple[str, Iterable[int]]) -> str:
        label, nodes = solution
        return f"{label}: {self.graph.listing(nodes)}"

    def violation(self, solution: Any) -> str:
        label, nodes = solution
        names, beside = self.graph.names, self.graph.masks()
        if twice := next((names[n] for m, n in enumerate(nodes) if n in nodes[:m]), ""):
            return f"{twice} is listed twice"
        if label == ORDER:
            if len(nodes) < len(names):
                return f"the order has {len(nodes)} of the {len(names)} nodes"
            triple = missing_chord(nodes, beside)
            if triple is None:
                return ""
            node, one, other = (names[n] for n in triple)
            return f"{one} and {other} come after their neighbour {node} and are not joined"
        if len(nodes) < _SHORTEST:
            return f"the cycle has fewer than {_SHORTEST} nodes"
        wrong = cycle_violation(nodes, beside)
        if wrong is None:
            return ""
        rule, one, other = wrong[0], names[wrong[1]], names[wrong[2]]
        return f"no edge joins {one} and {other}" if rule == "edge" else (
            f"the edge between {one} and {other} is a chord"
        )  # fmt: skip

    def search(self) -> SearchResult:
        beside, examined = self.graph.masks(), len(self.graph.names) * len(self.graph.edges)
        order = by_cardinality(beside)
        if missing_chord(order, beside) is None:
            return SearchResult((ORDER, tuple(order)), examined)
        return SearchResult((CYCLE, chordless_cycle(beside)), examined)

    def naive_solutions(self) -> list[Any]:
        """The nodes in the order of their names, and the first ones as a cycle."""
        ranked = self.graph.ranked()
        return [(ORDER, ranked), (CYCLE, ranked[:_SHORTEST])]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Orders by name, by degree, and by degree among the nodes that are left; the reverse of
        searches in breadth and in depth; orders by the distance from a busy node; cycles of two
        nodes with two common neighbours, and a cycle around a node.
        """
        ways = self.graph.ways()
        nodes = self.graph.ranked()
        orders = natural_orders(nodes, rng, {"degree": lambda node: len(ways[node])})
        orders["least degree of those left"] = self.dismantled(rng, 1)
        orders["greatest degree of those left"] = self.dismantled(rng, -1)
        orders["farthest from the busiest node first"] = self.peeled(rng, 0)
        orders["the same without the busiest node"] = self.peeled(rng, 1)
        orders["the same without the two busiest nodes"] = self.peeled(rng, 2)
        start = rng.choice(nodes)
        mixed = [shuffled(near, rng) for near in ways]
        orders["breadth first, reversed"] = reached(mixed, start)[::-1]
        orders["depth first, reversed"] = self.in_depth(mixed, start)[::-1]
        players: dict[str, Any] = {name: (ORDER, order) for name, order in orders.items()}
        players["two nodes and two common neighbours"] = CYCLE, self.quadrilateral(rng, min)
        players["the same, with high degrees"] = CYCLE, self.quadrilateral(rng, max)
        players["around a node of low degree"] = CYCLE, self.around(rng)
        players["a way back to a random start"] = CYCLE, self.closed(mixed, start)
        return players

    def dismantled(self, rng: Random, sign: int) -> list[int]:
        """The nodes, each time one of the least or greatest degree among those left."""
        ways = self.graph.ways()
        left, order = shuffled(range(len(ways)), rng), list[int]()
        while left:
            node = min(left, key=lambda each: sign * len({*ways[each]} & {*left}))
            left.remove(node)
            order.append(node)
        return order

    def peeled(self, rng: Random, hubs: int) -> list[int]:
        """The nodes by their distance from the busiest one, from the farthest on, and among those
        with the least neighbours left; the busiest nodes of all, of that number, come last.
        """
        ways = self.graph.ways()
        busy = sorted(shuffled(range(len(ways)), rng), key=lambda node: -len(ways[node]))
        last, rest = busy[:hubs], busy[hubs:]
        inner = [[near for near in each if near not in last] for each in ways]
        away = edges_away(inner, rest[0])
        left, order = set(rest), list[int]()
        while left:
            farthest = max(away.get(node, len(ways)) for node in left)
            layer = [n for n in rest if n in left and away.get(n, len(ways)) == farthest]
            node = min(layer, key=lambda each: len({*inner[each]} & left))
            left.remove(node)
            order.append(node)
        return order + last[::-1]

    def around(self, rng: Random) -> list[int]:
        """A shortest way around a node of the least degree that has unjoined neighbours, between
        two of these and past the others.
        """
        ways, beside = self.graph.ways(), self.graph.masks()
        apart = [
            (node, pair)
            for node, near in enumerate(ways)
            for pair in combinations(near, 2)
            if not beside[pair[0]] >> pair[1] & 1
        ]
        if not apart:
            return self.graph.ranked()[:_SHORTEST]
        node, (one, other) = min(shuffled(apart, rng), key=lambda each: len(ways[each[0]]))
        shut = (beside[node] | 1 << node) & ~(1 << other)
        return [node, *shortest(beside, one, other, shut)]

    @staticmethod
    def in_depth(ways: Sequence[Sequence[int]], start: int) -> list[int]:
        """The nodes in the order of a search in depth."""
        order, stack = list[int](), [start]
        while stack:
            node = stack.pop()
            if node not in order:
                order.append(node)
                stack += ways[node]
        return order

    def quadrilateral(self, rng: Random, best: Callable[..., Any]) -> list[int]:
        """Two nodes that are not joined, between two common neighbours, which may be joined."""
        beside = [{*near} for near in self.graph.ways()]
        pairs = [
            (u, v)
            for u, v in combinations(range(len(beside)), 2)
            if v not in beside[u] and len(beside[u] & beside[v]) > 1
        ]
        if not pairs:
            return self.graph.ranked()[:_SHORTEST]
        u, v = best(shuffled(pairs, rng), key=lambda pair: sum(len(beside[n]) for n in pair))
        one, other = rng.sample(sorted(beside[u] & beside[v]), 2)
        return [u, one, v, other]

    @staticmethod
    def closed(ways: Sequence[Sequence[int]], start: int) -> list[int]:
        """A walk to new nodes until one is joined to the start again."""
        path = [start]
        while len(path) < _SHORTEST or start not in ways[path[-1]]:
            ahead = [node for node in ways[path[-1]] if node not in path]
            if not ahead:
                break
            path.append(ahead[0])
        return path

    def audit(self, answer: str) -> bool:
        """Whether eliminating the nodes in order joins none that were not joined; for a cycle,
        whether each of its nodes has two neighbours in it, and it is connected.
        """
        label, nodes = self.read(answer)
        beside = {n: {*near} for n, near in enumerate(self.graph.ways())}
        if label == CYCLE:
            inside = {n: beside[n] & {*nodes} for n in nodes}
            around = reached([[*inside.get(n, ())] for n in beside], nodes[0])
            steps = zip(nodes, [*nodes[1:], nodes[0]])
            return (
                len(inside) == len(nodes) >= _SHORTEST
                and all(len(near) == 2 for near in inside.values())
                and len(around) == len(nodes)
                and all(v in inside[u] for u, v in steps)
            )
        for node in nodes:
            near = beside.pop(node, None)
            if near is None or any(v not in beside[u] for u, v in permutations(near, 2)):
                return False
            for other in near:
                beside[other].discard(node)
        return not beside

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(blobs=1, size=6, width=2, hubs=0, tails=0, graphs="any")

    def candidates(self) -> Iterable[str]:
        """All orders, and all sequences of at least four nodes as cycles."""
        nodes = range(len(self.graph.names))
        cycles = chain.from_iterable(permutations(nodes, n) for n in range(4, len(nodes) + 1))
        yield from (self.as_text((ORDER, order)) for order in permutations(nodes))
        yield from (self.as_text((CYCLE, cycle)) for cycle in cycles)
