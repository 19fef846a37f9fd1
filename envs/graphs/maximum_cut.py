"""The maximum cut, one of Richard Karp's twenty-one problems (1972), with weights."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.headings import unheaded, without_total
from palaestra.verifiers.reading.nodes import groups

BAND = 5
"""How far apart the ends of an edge are at most, in an order that the prompt does not show."""


HEADINGS = (
    "node",
    "nodes",
    "group",
    "group 1",
    "first group",
    "nodes of one group",
    "s",
    "one group",
)
"""What stands before the nodes of a group."""


def banded(rng: Random, nodes: int, edges: int) -> list[Edge]:
    """A connected graph whose edges join nodes that are at most :data:`BAND` apart."""
    tree = [(rng.randrange(max(0, node - BAND), node), node) for node in range(1, nodes)]
    near = [(u, v) for v in range(nodes) for u in range(max(0, v - BAND), v)]
    free = sorted({*near} - {*tree})
    return tree + rng.sample(free, min(len(free), max(0, edges - len(tree))))


def heaviest_cut(lengths: Mapping[int, Mapping[int, int]], equal: bool) -> SearchResult:
    """One group of a heaviest cut of a banded graph, with ``equal`` of one into halves, by a table.

    Node by node, the table has the heaviest cut of the nodes so far for each way in which the last
    ones of them, which later edges can reach, are divided, and each size of the group.
    """
    nodes = len(lengths)
    half = nodes // 2
    table: dict[Edge, tuple[int, int]] = {(0, 0): (0, 0)}  # last nodes, size: weight, group
    mask, examined = (1 << BAND) - 1, 0
    for node in range(nodes):
        earlier = [(node - 1 - near, w) for near, w in lengths[node].items() if near < node]
        extended: dict[Edge, tuple[int, int]] = {}
        for (last, size), (weight, group) in table.items():
            for side in (0, 1):
                count = size + side if equal else 0
                if count > half or (count + nodes - node - 1 < half and equal):
                    continue
                examined += 1
                cut = weight + sum(w for bit, w in earlier if last >> bit & 1 != side)
                key = (last << 1 | side) & mask, count
                if key not in extended or extended[key][0] < cut:
                    extended[key] = cut, group | side << node
        table = extended
    _, group = max(table.values())
    return SearchResult(tuple(n for n in range(nodes) if group >> n & 1), examined)


Sizes = dict[int, int]
"""The greatest weight for each size of a group."""


def eliminated(nodes: int, edges: Iterable[tuple[int, int, int]]) -> Sizes:
    """The weight of a heaviest cut for each size of a group, by eliminating node after node.

    A factor has the weights that some nodes give, by their groups. The node that shares factors
    with the fewest others is taken from them by a maximum over its group.
    """
    factors: list[tuple[tuple[int, ...], dict[tuple[int, ...], Sizes]]] = [
        ((u, v), {sides: {0: w * (sides[0] != sides[1])} for sides in product((0, 1), repeat=2)})
        for u, v, w in edges
    ]
    left, total = set(range(nodes)), {0: 0}
    while left:
        beside = {n: {m for scope, _ in factors if n in scope for m in scope} - {n} for n in left}
        node = min(left, key=lambda each: (len(beside[each]), each))
        left.discard(node)
        mine = [factor for factor in factors if node in factor[0]]
        factors = [factor for factor in factors if node not in factor[0]]
        scope = tuple(sorted(beside[node]))
        values: dict[tuple[int, ...], Sizes] = {}
        for sides in product((0, 1), repeat=len(scope)):
            groups = dict(zip(scope, sides))
            best: Sizes = {}
            for side in (0, 1):
                parts = [
                    own[tuple((groups | {node: side})[n] for n in names)] for names, own in mine
                ]
                for size, weight in reduce(_joined, parts, {side: 0}).items():
                    best[size] = max(weight, best.get(size, weight))
            values[sides] = best
        if scope:
            factors.append((scope, values))
        else:
            total = _joined(total, values[()])
    return total


def _joined(one: Sizes, other: Sizes) -> Sizes:
    """The sums of two parts, whose sizes add up."""
    sums: Sizes = {}
    for (a, x), (b, y) in product(one.items(), other.items()):
        sums[a + b] = max(x + y, sums.get(a + b, x + y))
    return sums


class MaximumCut(NodeSet, GraphOptimum):
    """Divide the nodes of a graph into two groups with the heaviest edges between them."""

    tags = {"graphs", "optimisation", "search"}
    quantity = "weight"
    baseline_note = (
        "placing the node whose sides differ most each time, as Sartaj Sahni and Teofilo Gonzalez "
        "do, is optimal in many small graphs"
    )

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(6, 10, 18, 32, 38, 44, 50, low=5, high=60)
        density: float = ladder(1.6, 2.0, 2.4, 2.7, 2.8, 2.9, 3.0, low=1.4, high=4)  # edges/node
        weight: int = ladder(9, 9, 12, 15, 20, 30, 40, low=2, high=99)  # of an edge, at most
        halves: bool = ladder(False, False, True)  # groups of equal size

    halves: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.nodes - knobs.nodes % 2 * knobs.halves
        pairs = banded(rng, nodes, round(nodes * knobs.density))
        # Weights of similar size leave many cuts that are nearly as heavy as the heaviest.
        edges = [(u, v, rng.randint((knobs.weight + 1) // 2, knobs.weight)) for u, v in pairs]
        graph = Graph.of_edges(rng, nodes, edges, knobs.encoding, "weight")
        return cls(graph=graph, halves=knobs.halves)

    def canonical(self) -> str:
        return repr((self.graph.key(), self.halves))

    def prompt(self) -> str:
        half = len(self.graph.names) // 2
        some = f"exactly {half} of the nodes" if self.halves else "some of the nodes"
        groups = f"two groups of {half} nodes each" if self.halves else "two groups"
        task = self.phrase(
            f"Find a maximum cut: choose {some}, such that the weights of all edges between a "
            "chosen node and one that is not chosen add up to as much as possible.",
            f"Divide the nodes into {groups}. An edge counts if its ends are in different groups, "
            "and the total weight of the edges that count is to be as large as possible. Give the "
            "nodes of either group.",
        )
        return self.any_optimum(task, "nodes of one group")

    def read(self, answer: str) -> tuple[int, ...]:
        """The nodes of a group, or those of the first of two groups that all nodes belong to."""
        names = self.graph.names
        text = without_total(unheaded(answer, HEADINGS))
        try:
            return super().read(text)
        except InvalidAnswer as refusal:
            try:
                one, other = groups(text, names)
            except (InvalidAnswer, ValueError):
                raise refusal from None
            if len(one) + len(other) != len(names):
                raise InvalidAnswer("the two groups do not contain every node") from None
            return one

    def violation(self, solution: Any) -> str:
        size, half = len({*solution}), len(self.graph.names) // 2
        return f"the group has {size} nodes, not {half}" if self.halves and size != half else ""

    def worth(self, solution: Any) -> int:
        return sum(self.graph.weights()[edge] for edge in self.marked(solution))

    def marked(self, nodes: Sequence[int]) -> Iterable[Edge]:
        """The edges of the cut."""
        chosen = set(nodes)
        return [(u, v) for u, v in self.graph.pairs() if (u in chosen) != (v in chosen)]

    def search(self) -> SearchResult:
        return heaviest_cut(self.graph.lengths(), self.halves)

    def naive_solutions(self) -> list[Any]:
        """Nodes by name on the better side, the first half of the names, and two colours along a
        spanning tree as far as each side takes them.
        """
        order = self.graph.ranked()
        side, queue = {order[0]: 1}, [order[0]]
        for node in queue:
            for near in self.graph.ways()[node]:
                if near not in side:
                    side[near] = self.fitting(-side[node], side)
                    queue.append(near)
        return [self.group(side), self.placed(order), order[: len(order) // 2]]

    def fitting(self, wanted: int, side: Mapping[int, int]) -> int:
        """The side that is wanted, 1 or -1, or the other one where it is full."""
        full = self.halves and 2 * [*side.values()].count(wanted) >= len(self.graph.names)
        return -wanted if full else wanted

    @staticmethod
    def group(side: Mapping[int, int]) -> list[int]:
        """The nodes on side 1."""
        return [node for node in side if side[node] > 0]

    def placed(self, order: Sequence[int]) -> list[int]:
        """One node after the other on the side to which fewer weights of earlier nodes lead."""
        lengths, side = self.graph.lengths(), dict[int, int]()
        for node in order:
            pull = sum(side.get(near, 0) * weight for near, weight in lengths[node].items())
            side[node] = self.fitting(-1 if pull > 0 else 1, side)
        return self.group(side)

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Nodes on the better side, in natural orders and the one with the greatest pull first."""
        lengths, nodes = self.graph.lengths(), self.graph.ranked()
        weights = {node: sum(lengths[node].values()) for node in nodes}
        keys = {"degree": lambda n: len(lengths[n]), "weight": weights.__getitem__}
        orders = natural_orders(nodes, rng, keys)
        players = {name: self.placed(order) for name, order in orders.items()}
        return {**players, "most constrained first": self.pulled()}

    def pulled(self) -> list[int]:
        """The node next whose two sides differ most, on the better side."""
        lengths, nodes = self.graph.lengths(), self.graph.ranked()
        side = {nodes[0]: 1}
        while left := [node for node in nodes if node not in side]:
            pull = {
                node: sum(side.get(near, 0) * w for near, w in lengths[node].items())
                for node in left
            }
            node = max(left, key=lambda each: abs(pull[each]))
            side[node] = self.fitting(-1 if pull[node] > 0 else 1, side)
        return self.group(side)

    def audit(self, answer: str) -> bool:
        """Whether no cut is heavier, by eliminating the nodes one by one."""
        edges = [(u, v, w) for u, v, w in self.graph.key()]
        chosen = {*self.read(answer)}
        weight = sum(w for u, v, w in edges if (u in chosen) != (v in chosen))
        best = eliminated(len(self.graph.names), edges)
        half = len(self.graph.names) // 2
        if self.halves:
            return len(chosen) == half and weight == best[half]
        return weight == max(best.values())

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=6, density=1.6, halves=True)
