"""Maximum flow, after Lester Ford and Delbert Fulkerson (1956).

The paths are taken as Jack Edmonds and Richard Karp do (1972): those of fewest edges first.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.networks import Flow, edmonds_karp
from palaestra.generators.graphs.players import edges_away
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum
from palaestra.generators.graphs.scenes import Look, ends, network
from palaestra.generators.random_graphs import Arc, Edge
from palaestra.generators.solutions import SearchResult, reference_worths
from palaestra.scenes import Scene
from palaestra.task import ladder
from palaestra.verifiers.certificates import flow_violation
from palaestra.verifiers.reading.nodes import arc_values


class MaximumFlow(GraphOptimum):
    """Find a maximum flow through a network, as the amount along each edge."""

    version = 2
    tags = {"graphs", "optimisation", "search"}
    baseline_note = (
        "the widest edges belong to the planted routes, and a flow along them is maximum "
        "unless a bridge is as wide"
    )
    quantity = "flow"

    class Knobs(GraphOptimum.Knobs):
        routes: int = ladder(2, 2, 3, 3, 4, 5, 6)
        stops: int = ladder(3, 4, 4, 5, 5, 5, 5, high=6)  # nodes on each route
        bridges: int = ladder(4, 5, 6, 8, 10, 13, 18, low=3)
        capacity: int = ladder(5, 7, 9, 12, 15, 20, 30, low=4, high=100)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.routes * knobs.stops + 2
        inner = range(1, nodes - 1)
        routes = [inner[first :: knobs.routes] for first in range(knobs.routes)]
        capacities: dict[Edge, int] = {}
        for route in routes:
            amount = rng.randint((knobs.capacity + 1) // 2, knobs.capacity)
            for step in pairwise([0, *route, nodes - 1]):
                slack = rng.randint(0, knobs.capacity) if rng.random() < 1 / 3 else 0
                capacities[step] = amount + slack
        # Greedy flows take bridges between the routes, which cost them more than they gain.
        for _ in range(knobs.bridges):
            here, there = rng.sample(routes, 2)
            capacities.setdefault(
                (rng.choice(here), rng.choice(there)), rng.randint(1, knobs.capacity)
            )
        edges = [(u, v, capacity) for (u, v), capacity in capacities.items()]
        return cls(graph=Graph.of_arcs(rng, nodes, edges, knobs.encoding, "capacity"))

    @property
    def sink(self) -> int:
        """The node to which the flow goes from node 0."""
        return len(self.graph.names) - 1

    def arcs(self) -> tuple[Arc, ...]:
        """The edges in order, each with its capacity."""
        return tuple((u, v, capacity) for u, v, capacity in self.graph.key())

    def is_valid(self) -> bool:
        return super().is_valid() and reference_worths(self)[0] > 0

    def prompt(self) -> str:
        source, sink = self.graph.names[0], self.graph.names[self.sink]
        edge = self.graph.listing(self.graph.ranked()[:2], " -> ")
        task = self.phrase(
            f"Find a maximum flow from {source} to {sink}.",
            f"Send as much flow as possible from {source} to {sink}.",
        )
        return self.with_graph(
            f"{task} The flow along each edge is a whole number from 0 to the edge's capacity, in "
            "the direction of the edge. At every node other than these two, the flow in equals the "
            f"flow out. The size of a flow is what leaves {source} minus what comes back to it. If "
            "several flows are optimal, any of them will do.\n\nWrite one line for each edge that "
            f"carries flow, such as '{edge}: 1'; edges that you leave out carry 0."
        )

    def look(self) -> Look:
        return ends(0, self.sink)

    def solved_scene(self, answer: str) -> Scene:
        flow, limits = self.read(answer), self.graph.weights()
        texts = {arc: f"{flow.get(arc, 0)}/{limit}" for arc, limit in limits.items()}
        texts |= {arc: str(flow[arc]) for arc in flow if arc not in limits}
        used = self.look().with_edges(arc for arc in flow if flow[arc])
        return network(self.graph, used._replace(texts=texts))

    def read(self, answer: str) -> Flow:
        return arc_values(answer, self.graph.names)

    def as_text(self, solution: Flow) -> str:
        names = self.graph.names
        flows = ((names[u], names[v], flow) for (u, v), flow in solution.items() if flow)
        return "\n".join(f"{start} -> {end}: {flow}" for start, end, flow in flows)

    def violation(self, solution: Any) -> str:
        return flow_violation(solution, self.graph.weights(), 0, self.sink, self.graph.names)

    def worth(self, solution: Any) -> int:
        """The flow that leaves the source, minus what comes back."""
        return sum(flow * ((u == 0) - (v == 0)) for (u, v), flow in solution.items())

    def search(self) -> SearchResult:
        best = edmonds_karp(self.arcs(), 0, self.sink)
        return SearchResult(best.flow, best.examined)

    def naive_solutions(self) -> list[Any]:
        """The flow along augmenting paths that never send any flow back."""
        return [edmonds_karp(self.arcs(), 0, self.sink, undo=False).flow]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """As much flow as fits along paths that are never given up: random paths, those of the
        widest next edge, and those of the fewest edges.
        """
        return {
            "random paths": self.pushed(rng, lambda node, room: 0),
            "widest edge first": self.pushed(rng, lambda node, room: -room),
            "narrowest edge first": self.pushed(rng, lambda node, room: room),
            "fewest edges first": self.pushed(rng, lambda node, room: self.stops()[node]),
        }

    def stops(self) -> Mapping[int, int]:
        """The number of edges from each node to the sink."""
        return edges_away(self.graph.ways(), self.sink)

    def pushed(self, rng: Random, key: Callable[[int, int], float]) -> dict[Edge, int]:
        """The flow along paths that take the unsaturated edge of the least key at each node.

        The key depends on the node that the edge enters and on its remaining capacity.
        """
        flow: dict[Edge, int] = {}
        room, dead = dict(self.graph.weights()), set[int]()
        while True:
            path = [0]
            while path and path[-1] != self.sink:
                here = path[-1]
                ahead = [n for n in shuffled(self.graph.ways()[here], rng) if room[here, n]]
                ahead = [n for n in ahead if n not in dead and n not in path]
                if ahead:
                    path.append(min(ahead, key=lambda n: key(n, room[here, n])))
                else:
                    dead.add(path.pop())
            if not path:
                return flow
            amount = min(room[step] for step in pairwise(path))
            for step in pairwise(path):
                room[step] -= amount
                flow[step] = flow.get(step, 0) + amount

    def audit(self, answer: str) -> bool:
        """Whether the nodes that the residual graph reaches from the source form a cut as large."""
        flow = self.read(answer)
        reached = {0}
        for _ in self.graph.names:
            reached |= {
                v for u, v, limit in self.arcs() if u in reached and flow.get((u, v), 0) < limit
            }
            reached |= {u for u, v, _ in self.arcs() if v in reached and flow.get((u, v), 0) > 0}
        cut = sum(limit for u, v, limit in self.arcs() if u in reached and v not in reached)
        return self.sink not in reached and self.worth(flow) == cut

    def shortcuts(self) -> Iterable[str]:
        full = self.graph.weights()
        zero = [f"{self.graph.names[u]} -> {self.graph.names[v]}: 0" for u, v in full]
        return [*super().shortcuts(), self.as_text(full), "\n".join(zero)]
