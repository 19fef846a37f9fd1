"""Flows of least cost, by successive shortest paths, after William Jewell (1958)."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.minimum_cost_flow import (
    Costs,
    Sizes,
    cheapest_flow,
    has_cheaper_cycle,
    rerouted,
)
from palaestra.generators.graphs.networks import Flow
from palaestra.generators.graphs.players import edges_away
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum
from palaestra.generators.graphs.scenes import Look, ends, network
from palaestra.generators.random_graphs import Edge, Form, written
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Panels, Scene
from palaestra.task import ladder
from palaestra.verifiers.certificates import flow_violation
from palaestra.verifiers.reading.headings import without_total
from palaestra.verifiers.reading.nodes import arc_values


class MinimumCostFlow(GraphOptimum):
    """Send an amount through a network with capacities and costs as cheaply as possible."""

    version = 2
    tags = {"graphs", "optimisation", "search"}
    quantity = "cost"

    class Knobs(GraphOptimum.Knobs):
        routes: int = ladder(2, 2, 3, 4, 4, 5, 6, low=2, high=7)
        stops: int = ladder(2, 3, 3, 3, 4, 4, 4, low=2, high=5)  # nodes on each route
        extra: int = ladder(1, 2, 3, 5, 7, 9, 12, low=0, high=16)  # other edges
        capacity: int = ladder(4, 5, 7, 9, 12, 15, 20, low=3, high=40)  # of a route, at most
        cost: int = ladder(12, 12, 15, 20, 20, 25, 30, low=12, high=60)  # of an edge, at most

    costs: tuple[int, ...]
    """The cost of a unit of flow along each edge, in the order of the edges of the graph."""
    amount: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        sizes = Sizes(knobs.routes, knobs.stops, knobs.extra, knobs.capacity, knobs.cost)
        capacities, rates, greedy, most = rerouted(rng, sizes)
        edges = [(u, v, capacity) for (u, v), capacity in capacities.items()]
        nodes = knobs.routes * knobs.stops + 2
        graph = Graph.of_arcs(rng, nodes, edges, knobs.encoding, "capacity")
        return cls(
            graph=graph,
            costs=tuple(rates[u, v] for u, v, _ in graph.edges),
            amount=rng.randint((2 * greedy + most) // 3 + 1, most),
        )

    def canonical(self) -> str:
        return repr((sorted(zip(self.graph.edges, self.costs)), self.amount))

    @property
    def sink(self) -> int:
        """The node to which the flow goes from node 0."""
        return len(self.graph.names) - 1

    def rates(self) -> Costs:
        """The cost of a unit of flow along each edge."""
        return {(edge[0], edge[1]): cost for edge, cost in zip(self.graph.edges, self.costs)}

    def prompt(self) -> str:
        names = self.graph.names
        source, sink = names[0], names[self.sink]
        edge = self.graph.listing(self.graph.ranked()[:2], " -> ")
        task = self.phrase(
            f"Send exactly {self.amount} units of flow from {source} to {sink} at the least total "
            "cost.",
            f"Find the cheapest way to bring a flow of exactly {self.amount} units from {source} "
            f"to {sink}.",
        )
        return (
            f"{self.with_graph(self.listed_costs())}\n\n{task} The flow along each edge is a whole "
            "number from 0 to the edge's capacity, in the direction of the edge. At every node "
            f"other than these two, the flow in equals the flow out; {source} sends out "
            f"{self.amount} more than comes back to it. The total cost is the sum, over all edges, "
            "of the flow along the edge times its cost. If several flows are optimal, any of them "
            f"will do.\n\nWrite one line for each edge that carries flow, such as '{edge}: 1'; "
            "edges that you leave out carry 0."
        )

    def listed_costs(self) -> str:
        """The costs as a matrix if the graph is one, else as a list of edges."""
        edges = [(u, v, cost) for (u, v), cost in self.rates().items()]
        form: Form = "matrix" if self.graph.encoding == "matrix" else "edges"
        text = written(self.graph.names, edges, form, directed=True, measure="cost")
        _, _, *rows = text.splitlines()
        layout = ", in the same layout" if form == "matrix" else ""
        return "\n".join([f"The cost of a unit of flow along each edge{layout}:", *rows])

    def look(self) -> Look:
        return ends(0, self.sink)

    def scene(self) -> Panels:
        limits, rates = self.graph.weights(), self.rates()
        return self.captioned(self.look(), {e: f"{limits[e]} at {rates[e]}" for e in limits})

    def solved_scene(self, answer: str) -> Panels:
        flow, limits, rates = self.read(answer), self.graph.weights(), self.rates()
        texts = {e: f"{flow.get(e, 0)}/{limits[e]} at {rates[e]}" for e in limits}
        texts |= {edge: str(flow[edge]) for edge in flow if edge not in limits}
        return self.captioned(self.look().with_edges(e for e in flow if flow[e]), texts)

    def captioned(self, look: Look, texts: Mapping[Edge, str]) -> Panels:
        """The network with texts on its edges, and a caption that explains them."""
        shown: Scene = network(self.graph, look._replace(texts=texts))
        inner = shown.scenes[0] if isinstance(shown, Panels) else shown
        return Panels((inner,), ("capacity at cost of a unit",))

    def read(self, answer: str) -> Flow:
        return arc_values(without_total(answer), self.graph.names)

    def as_text(self, solution: Flow) -> str:
        names = self.graph.names
        flows = ((names[u], names[v], flow) for (u, v), flow in solution.items() if flow)
        return "\n".join(f"{start} -> {end}: {flow}" for start, end, flow in flows)

    def violation(self, solution: Any) -> str:
        limits, names = self.graph.weights(), self.graph.names
        if violation := flow_violation(solution, limits, 0, self.sink, names):
            return violation
        sent = sum(flow * ((u == 0) - (v == 0)) for (u, v), flow in solution.items())
        return "" if sent == self.amount else f"the flow sent is {sent}, not {self.amount}"

    def worth(self, solution: Any) -> int:
        rates = self.rates()
        return sum(flow * rates[edge] for edge, flow in solution.items())

    def search(self) -> SearchResult:
        return cheapest_flow(self.graph.weights(), self.rates(), self.sink, self.amount)

    def naive_solutions(self) -> list[Any]:
        """The cheapest paths, none of them given up; and paths of the fewest edges."""
        limits = self.graph.weights()
        greedy = cheapest_flow(limits, self.rates(), self.sink, self.amount, undo=False)
        short = cheapest_flow(limits, dict.fromkeys(limits, 1), self.sink, self.amount)
        return [greedy.solution, short.solution]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The amount along paths that are never given up, the cheapest ones first or chosen edge by
        edge, and a flow along the fewest edges.
        """
        rates = self.rates()
        greedy, short = self.naive_solutions()
        away = edges_away(self.graph.ways(), self.sink)
        return {
            "cheapest path first": greedy,
            "fewest edges in all": short,
            "random paths": self.pushed(rng, lambda edge, room: 0),
            "cheapest edge first": self.pushed(rng, lambda edge, room: rates[edge]),
            "widest edge first": self.pushed(rng, lambda edge, room: -room),
            "fewest edges first": self.pushed(rng, lambda edge, room: away[edge[1]]),
            "most capacity for its cost first": self.pushed(
                rng, lambda edge, room: rates[edge] / room
            ),
        }

    def pushed(self, rng: Random, key: Callable[[Edge, int], float]) -> dict[Edge, int]:
        """The flow along paths that take the unsaturated edge of the least key at each node, until
        the amount is sent or no path is left.

        The key depends on the edge and on its remaining capacity.
        """
        flow: dict[Edge, int] = {}
        room, dead, left = dict(self.graph.weights()), set[int](), self.amount
        while left:
            path = [0]
            while path and path[-1] != self.sink:
                here = path[-1]
                ahead = [n for n in shuffled(self.graph.ways()[here], rng) if room[here, n]]
                ahead = [n for n in ahead if n not in dead and n not in path]
                if ahead:
                    path.append(min(ahead, key=lambda n: key((here, n), room[here, n])))
                else:
                    dead.add(path.pop())
            if not path:
                break
            extra = min(left, *(room[step] for step in pairwise(path)))
            left -= extra
            for step in pairwise(path):
                room[step] -= extra
                flow[step] = flow.get(step, 0) + extra
        return flow

    def audit(self, answer: str) -> bool:
        """Whether no cycle of the residual graph makes the flow cheaper (Morton Klein, 1967)."""
        flow = self.read(answer)
        if self.violation(flow):
            return False
        return not has_cheaper_cycle(self.graph.weights(), self.rates(), flow)

    def shortcuts(self) -> Iterable[str]:
        full = self.graph.weights()
        zero = [f"{self.graph.names[u]} -> {self.graph.names[v]}: 0" for u, v in full]
        return [*super().shortcuts(), self.as_text(full), "\n".join(zero)]
