"""The travelling salesman, after Michael Held and Richard Karp (1962)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import (
    insertion_tour,
    nearest_neighbour,
    shortest_edges_tour,
    shuffled,
)
from palaestra.generators.bitsets import ones
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeOrder
from palaestra.generators.graphs.scenes import PLAIN, along, diagram, table
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Panels, Scene
from palaestra.task import ladder


@lru_cache(maxsize=64)
def shortest(graph: Graph) -> int:
    """The length of a shortest round trip, by branch and bound."""
    weights, nodes = graph.weights(), range(len(graph.names))
    least = [min(weights[u, v] for v in nodes if v != u) for u in nodes]
    best = sum(weights[u, v] for u, v in zip(nodes, [*nodes[1:], 0]))

    def extend(here: int, length: int, left: frozenset[int]) -> None:
        nonlocal best
        if not left:
            best = min(best, length + weights[here, 0])
        elif length + least[here] + sum(least[node] for node in left) < best:
            for node in sorted(left, key=lambda n: weights[here, n]):
                extend(node, length + weights[here, node], left - {node})

    extend(0, 0, frozenset(nodes[1:]))
    return best


def round_trip(lengths: Sequence[Sequence[int]]) -> SearchResult:
    """A shortest round trip through all nodes, after Michael Held and Richard Karp (1962).

    >>> round_trip([[0, 1, 9, 1], [1, 0, 1, 9], [9, 1, 0, 1], [1, 9, 1, 0]]).solution
    (0, 1, 2, 3)
    """
    last = len(lengths) - 1  # the trip starts and ends here, and the sets are of the others
    best = {(1 << node, node): (lengths[last][node], last) for node in range(last)}
    for visited in range(1, 1 << last):
        inside = ones(visited)
        for node in inside if len(inside) > 1 else ():
            rest = visited & ~(1 << node)
            best[visited, node] = min(
                (best[rest, before][0] + lengths[before][node], before)
                for before in inside
                if before != node
            )
    visited = (1 << last) - 1
    node = min(range(last), key=lambda n: best[visited, n][0] + lengths[n][last])
    trip = [last]
    while node != last:
        trip.append(node)
        visited, node = visited & ~(1 << node), best[visited, node][1]
    start = trip.index(0)
    trip = trip[start:] + trip[:start]
    if trip[1] > trip[-1]:
        trip[1:] = trip[:0:-1]
    return SearchResult(tuple(trip), len(best))


class TravellingSalesman(NodeOrder, GraphOptimum):
    """Find a shortest round trip that visits every node once."""

    version = 3
    tags = {"graphs", "optimisation", "search"}
    baseline_note = (
        "a tour made by insertion has few places to go wrong among the eight nodes of the middle "
        "level, and is optimal in a quarter of the tasks; at the top it hardly ever is"
    )

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(5, 6, 7, 8, 9, 10, 12, low=5, high=12)
        size: int = ladder(20, 30, 40, 60, 80, 99, 99, low=15, high=400)  # greatest length

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        # With all lengths between half of the greatest and it, no edge is longer than a detour, and
        # no node is far from the rest, from which insertion and the nearest neighbour gain.
        lengths = range(knobs.size // 2, knobs.size + 1)
        pairs = combinations(range(knobs.nodes), 2)
        edges = [(u, v, rng.choice(lengths)) for u, v in pairs]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "length"))

    def prompt(self) -> str:
        task = self.phrase(
            "Find a shortest round trip: it starts at a node, visits every other node exactly "
            "once and goes back to where it started, and the lengths of its edges add up to as "
            "little as possible.",
            "Arrange all the nodes in an order so that the edges from each node to the next, and "
            "from the last back to the first, have the smallest possible total length.",
        )
        trip = self.walk_example(4)
        return self.with_graph(
            f"{task} If several solutions are optimal, any of them will do. Write all the nodes in "
            f"order, from any start and without repeating it at the end, such as '{trip}'."
        )

    def read(self, answer: str) -> tuple[int, ...]:
        trip = super().read(answer)
        return trip[:-1] if len(trip) > len(self.graph.names) and trip[0] == trip[-1] else trip

    def scene(self) -> Scene:
        return table(self.graph)

    def solved_scene(self, answer: str) -> Panels:
        trip = self.read(answer)
        steps = along([*trip, trip[0]])
        lengths = [(u, v, self.length(u, v)) for u, v in steps]
        tour = diagram(self.graph.names, lengths, PLAIN.with_edges(steps))
        return Panels((table(self.graph, PLAIN.with_edges(steps)), tour), columns=2)

    def worth(self, solution: Any) -> int:
        weights = self.graph.weights()
        return sum(weights[u, v] for u, v in zip(solution, [*solution[1:], solution[0]]))

    def search(self) -> SearchResult:
        weights, nodes = self.graph.weights(), range(len(self.graph.names))
        return round_trip([[weights.get((u, v), 0) for v in nodes] for u in nodes])

    def naive_solutions(self) -> list[Any]:
        """The nearest-neighbour trips from each node, and the order of the names."""
        nodes = range(len(self.graph.names))
        trips = [nearest_neighbour(nodes, start, self.length) for start in nodes]
        return [self.graph.ranked(), *trips]

    def length(self, u: int, v: int) -> int:
        """The length of the edge between two nodes; 0 between a node and itself."""
        return 0 if u == v else self.graph.weights()[u, v]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Tours that grow by insertion or from the shortest edges, and one at random."""
        nodes = range(len(self.graph.names))
        total = {node: sum(self.length(node, other) for other in nodes) for node in nodes}
        return {
            "random tour": shuffled(nodes, rng),
            "random insertion": insertion_tour(shuffled(nodes, rng), self.length),
            "outermost inserted first": insertion_tour(
                sorted(nodes, key=lambda node: -total[node]), self.length
            ),
            "nearest inserted first": insertion_tour(
                nearest_neighbour(nodes, rng.choice(nodes), self.length), self.length
            ),
            "shortest edges first": shortest_edges_tour(nodes, self.length),
        }

    def audit(self, answer: str) -> bool:
        """Whether it is as short as the trip that branch and bound finds."""
        trip = self.read(answer)
        return not self.violation(trip) and self.worth(trip) == shortest(self.graph)

    def random_baseline(self) -> float:
        if len(self.graph.names) > 6:
            return 0.0
        trips = [(0, *rest) for rest in permutations(range(1, len(self.graph.names)))]
        return sum(self.credit(self.worth(trip)) for trip in trips) / len(trips)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=5, size=20)
