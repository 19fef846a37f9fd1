"""The shortest closed walk along all edges of a graph, the problem of Mei-Ko Kwan (1962)."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.algorithms import distances
from palaestra.generators.graphs.networks import dijkstra
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, Walk
from palaestra.generators.random_graphs import Edge, connected
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder
from palaestra.verifiers.reading.headings import unheaded, without_total


def paired(
    away: Mapping[int, Mapping[int, float]], odd: tuple[int, ...]
) -> tuple[float, list[Edge]]:
    """Nodes in pairs with the least total distance, by a table over the sets that are left."""

    @cache
    def best(left: tuple[int, ...]) -> tuple[float, tuple[Edge, ...]]:
        if not left:
            return 0, ()
        first, *rest = left
        options = []
        for n, other in enumerate(rest):
            total, pairs = best((*rest[:n], *rest[n + 1 :]))
            options.append((total + away[first][other], ((first, other), *pairs)))
        return min(options)

    total, pairs = best(odd)
    return total, [*pairs]


def circuit(start: int, edges: Counter[Edge]) -> list[int]:
    """A closed walk along each edge as often as it is counted, by Hierholzer's method."""
    left = Counter(edges)
    beside: dict[int, list[int]] = {}
    for u, v in edges:
        beside.setdefault(u, []).append(v)
        beside.setdefault(v, []).append(u)
    stack, walk = [start], list[int]()
    while stack:
        node = stack[-1]
        near = next((v for v in beside[node] if left[min(node, v), max(node, v)]), None)
        if near is None:
            walk.append(stack.pop())
        else:
            left[min(node, near), max(node, near)] -= 1
            stack.append(near)
    return walk


def misleading(rng: Random, traps: int, nodes: int, length: int) -> list[tuple[int, int, int]]:
    """A graph with edges of up to some length, whose odd nodes form traps for the closest pair.

    Each trap is a cycle of four odd nodes. Either its shortest edge and the opposite one pair them
    best, or the other two do, about as often. Each odd node has one long edge more, to a node of
    another trap where possible. Further nodes, which are even, divide edges.
    """
    odd = 4 * traps
    edges = list[tuple[int, int, int]]()
    for trap in range(traps):
        near = rng.randint(length * 4 // 15, length // 3)
        sides = [rng.randint(near + 1, length * 3 // 5) for _ in range(2)]
        # What the shortest edge saves or loses against the sides, beside the opposite one.
        loss = rng.randint(1, max(1, length // 8)) * (1 if rng.random() < 0.6 else -1)
        opposite = min(length, max(near + 1, sum(sides) - near + loss))
        first = 4 * trap
        edges += [
            (first, first + 1, sides[0]), (first + 1, first + 2, near),
            (first + 2, first + 3, sides[1]), (first + 3, first, opposite),
        ]  # fmt: skip
    chords = _between(rng, traps)
    edges += [(u, v, rng.randint(length * 4 // 5, length)) for u, v in chords]
    for node in range(odd, nodes):
        divided = rng.choice([edge for edge in edges if edge[2] > 3 * length // 5])
        u, v, size = divided
        part = rng.randint(size // 3, size - size // 3)
        edges.remove(divided)
        edges += [(u, node, part), (node, v, size - part)]
    return edges


def _between(rng: Random, traps: int) -> list[Edge]:
    """Random pairs of all nodes of several traps, of different ones, that join all traps."""
    while True:
        order = rng.sample(range(4 * traps), 4 * traps)
        pairs = [*zip(order[::2], order[1::2])]
        links = [(u // 4, v // 4) for u, v in pairs]
        reached = [0]
        for trap in reached:
            ends = {n for link in links if trap in link for n in link}
            reached += ends - {*reached}
        if len(reached) == traps and all(u != v for u, v in links):
            return pairs


class ChinesePostman(Walk, GraphOptimum):
    """Find a shortest closed walk that uses every edge of a graph at least once."""

    tags = {"graphs", "optimisation", "search"}
    quantity = "length"
    baseline_note = (
        "pairing each odd node with its nearest one takes all shortest paths and a walk along each "
        "edge once, and is right for about half of the traps"
    )

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(5, 6, 10, 14, 16, 17, 18, low=5, high=18)
        density: float = ladder(1.3, 1.4, 1.5, low=1.3, high=2.5)  # edges/node, without traps
        traps: int = ladder(0, 0, 2, 3, 4, 4, 4, high=4)  # of four odd nodes each
        length: int = ladder(9, 9, 15, 18, 20, 25, 30, low=4, high=99)  # of an edge, at most

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        if knobs.traps:
            traps = max(2, knobs.traps)
            nodes = max(knobs.nodes, 4 * traps)
            edges = misleading(rng, traps, nodes, max(15, knobs.length))
            return cls(graph=Graph.of_edges(rng, nodes, edges, knobs.encoding, "length"))
        most = knobs.nodes * (knobs.nodes - 1) // 2 - 2  # so that there are odd nodes
        number = min(most, round(knobs.nodes * knobs.density))
        pairs = connected(rng, knobs.nodes, number, window=4)
        # Lengths of similar size leave many ways to pair odd nodes that are nearly as short.
        edges = [(u, v, rng.randint(knobs.length // 2, knobs.length)) for u, v in pairs]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "length"))

    def is_valid(self) -> bool:
        # With two odd nodes, the shortest path between them is all there is to find.
        return len(self.odd()) >= 4 and super().is_valid()

    def odd(self) -> tuple[int, ...]:
        """The nodes with an odd number of edges."""
        return tuple(node for node, near in enumerate(self.graph.ways()) if len(near) % 2)

    def prompt(self) -> str:
        task = self.phrase(
            "Find a shortest closed walk along all edges: it may start at any node, ends where it "
            "starts, and passes along every edge at least once, in either direction.",
            "A postman has to walk along every edge of the graph, in whatever direction, and "
            "return to the node where the walk starts, which is any of them. Find a shortest such "
            "walk.",
        )
        return self.with_graph(
            f"{task} An edge counts with its length each time that it is used. If several "
            "solutions are optimal, any of them will do. Write all nodes of the walk in order, the "
            f"first one again at the end, such as '{self.closed_example()}'."
        )

    def closed_example(self) -> str:
        """A closed walk for an example, in alphabetical order."""
        first, *rest = self.graph.ranked()[:3]
        return self.as_text([first, *rest, first])

    def read(self, answer: str) -> tuple[int, ...]:
        return super().read(
            without_total(unheaded(answer, ("walk", "closed walk", "route", "tour")))
        )

    def violation(self, solution: Any) -> str:
        if len(solution) < 2 or solution[0] != solution[-1]:
            return "the walk does not end at the node where it starts"
        if violation := super().violation(solution):
            return violation
        used = {frozenset(step) for step in pairwise(solution)}
        missing = next((edge for edge in self.graph.pairs() if frozenset(edge) not in used), None)
        if missing is None:
            return ""
        u, v = (self.graph.names[node] for node in missing)
        return f"the walk does not use the edge between {u} and {v}"

    def search(self) -> SearchResult:
        """The edges, and shortest paths between odd nodes that are paired as well as possible."""
        lengths, nodes = self.graph.lengths(), len(self.graph.names)
        table = distances(nodes, self.graph.weights())
        away = {u: {v: table[u][v] for v in range(nodes)} for u in range(nodes)}
        _, pairs = paired(away, self.odd())
        examined = 2 ** len(self.odd()) * len(self.graph.edges)  # sets of odd nodes, and edges
        return SearchResult(self.walked(pairs, lengths), examined)

    def walked(self, pairs: list[Edge], lengths: Any) -> tuple[int, ...]:
        """A closed walk along all edges and along shortest paths between some pairs of nodes."""
        edges = Counter(self.graph.pairs())
        for one, other in pairs:
            path = dijkstra(lengths, one, other).path
            edges.update((min(step), max(step)) for step in pairwise(path))
        return tuple(circuit(0, edges))

    def naive_solutions(self) -> list[Any]:
        """Every edge there and back, and odd nodes paired by name and with the nearest one."""
        lengths = self.graph.lengths()
        twice = Counter(dict.fromkeys(self.graph.pairs(), 2))
        rank = {node: n for n, node in enumerate(self.graph.ranked())}
        named = sorted(self.odd(), key=rank.__getitem__)
        return [
            circuit(0, twice),
            self.walked([*zip(named[::2], named[1::2])], lengths),
            self.walked(self.nearest(self.odd()), lengths),
        ]

    def nearest(self, order: tuple[int, ...]) -> list[Edge]:
        """Odd nodes, one after the other, each with the nearest one that is left."""
        table = distances(len(self.graph.names), self.graph.weights())
        left, pairs = [*order], list[Edge]()
        while left:
            one = left.pop(0)
            other = min(left, key=lambda node: table[one][node])
            left.remove(other)
            pairs.append((one, other))
        return pairs

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Odd nodes in pairs: the two nearest ones first, each with its nearest, and at random; and
        a walk that takes an unused edge wherever there is one.
        """
        lengths, odd = self.graph.lengths(), [*self.odd()]
        table = distances(len(self.graph.names), self.graph.weights())
        mixed = rng.sample(odd, len(odd))
        closest, left = list[Edge](), {*odd}
        while left:
            one, other = min(
                ((u, v) for u in left for v in left if u < v), key=lambda e: table[e[0]][e[1]]
            )
            left -= {one, other}
            closest.append((one, other))
        return {
            "closest odd nodes first": self.walked(closest, lengths),
            "each odd node with its nearest": self.walked(self.nearest(tuple(mixed)), lengths),
            "random pairs": self.walked([*zip(mixed[::2], mixed[1::2])], lengths),
            "an unused edge, or the shortest way to one": self.greedy(rng),
        }

    def greedy(self, rng: Random) -> list[int]:
        """A walk along the shortest unused edge, or to the nearest node with one, and home."""
        lengths = self.graph.lengths()
        left = {frozenset(edge) for edge in self.graph.pairs()}
        walk = [rng.randrange(len(lengths))]
        while left:
            node = walk[-1]
            near = [v for v in lengths[node] if frozenset((node, v)) in left]
            if near:
                step = min(near, key=lambda v: (lengths[node][v], v))
                left.discard(frozenset((node, step)))
                walk.append(step)
                continue
            paths = [dijkstra(lengths, node, end).path for end in {n for e in left for n in e}]
            walk += min(paths, key=self.worth)[1:]
        return walk + [*dijkstra(lengths, walk[-1], walk[0]).path][1:]

    def audit(self, answer: str) -> bool:
        """Whether it is as long as all edges and the least set of edges, used once more, that makes
        every degree even: a table over the parities of the nodes, edge by edge.
        """
        walk = self.read(answer)
        start = sum(1 << node for node in self.odd())
        least = {start: 0}
        for u, v, length in self.graph.key():
            flip = 1 << u | 1 << v
            for state, total in [*least.items()]:
                after = state ^ flip
                if total + length < least.get(after, total + length + 1):
                    least[after] = total + length
        best = sum(edge[2] for edge in self.graph.key()) + least[0]
        return not self.violation(walk) and self.worth(walk) == best
