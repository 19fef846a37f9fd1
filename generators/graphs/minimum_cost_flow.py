"""Networks with costs: flows of least cost, and networks whose cheapest paths have to be given up.

The source is node 0. No two edges join the same nodes in opposite directions.
"""

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import NamedTuple

from palaestra.generators.graphs.networks import Flow
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult

Costs = Mapping[Edge, int]
"""The cost of a unit of flow along each edge."""

_FAR = 1 << 40


def cheapest_flow(
    capacities: Mapping[Edge, int], costs: Costs, sink: int, amount: int, undo: bool = True
) -> SearchResult:
    """A flow of an amount and of least cost, or of as much as possible if that is less.

    Each path is a cheapest one of the residual graph, as William Jewell (1958) suggests; without
    ``undo``, no flow is ever sent back, so that the result need not be cheapest. Costs are not
    negative.

    >>> roads = {(0, 1): 1, (0, 2): 1, (1, 2): 1, (1, 3): 1, (2, 3): 1}
    >>> price = {(0, 1): 1, (0, 2): 5, (1, 2): 1, (1, 3): 5, (2, 3): 1}
    >>> cheapest_flow(roads, price, 3, 2).solution
    {(0, 1): 1, (0, 2): 1, (1, 3): 1, (2, 3): 1}
    """
    room = dict(capacities)
    price = dict(costs)
    if undo:
        room |= {(v, u): 0 for u, v in capacities}
        price |= {(v, u): -cost for (u, v), cost in costs.items()}
    left, examined = amount, 0
    while left:
        path, seen = _cheapest_path(room, price, sink)
        examined += seen
        if not path:
            break
        extra = min(left, *(room[step] for step in pairwise(path)))
        left -= extra
        for u, v in pairwise(path):
            room[u, v] -= extra
            if undo:
                room[v, u] += extra
    used = {edge: limit - room[edge] for edge, limit in capacities.items()}
    return SearchResult({edge: flow for edge, flow in used.items() if flow}, examined)


def _cheapest_path(room: Mapping[Edge, int], price: Costs, sink: int) -> tuple[list[int], int]:
    """A cheapest path along edges with room, if any, and how many edges were examined.

    Richard Bellman's method (1958) with a queue, as edges that send flow back have negative costs.
    """
    ways: dict[int, list[tuple[int, int]]] = {}
    for (u, v), left in room.items():
        if left:
            ways.setdefault(u, []).append((v, price[u, v]))
    far, before = {0: 0}, dict[int, int]()
    queue, examined = [0], 0
    waiting = {0}
    for node in queue:  # grows
        waiting.discard(node)
        for near, cost in ways.get(node, ()):
            examined += 1
            if far[node] + cost < far.get(near, _FAR):
                far[near], before[near] = far[node] + cost, node
                if near not in waiting:
                    waiting.add(near)
                    queue.append(near)
    if sink not in far:
        return [], examined
    path = [sink]
    while path[-1]:
        path.append(before[path[-1]])
    return path[::-1], examined


def has_cheaper_cycle(capacities: Mapping[Edge, int], costs: Costs, flow: Flow) -> bool:
    """Whether the residual graph of a flow has a cycle of negative cost.

    >>> roads, price = {(0, 1): 1, (0, 2): 1, (2, 1): 1}, {(0, 1): 5, (0, 2): 1, (2, 1): 1}
    >>> has_cheaper_cycle(roads, price, {(0, 1): 1})
    True
    >>> has_cheaper_cycle(roads, price, {(0, 2): 1, (2, 1): 1})
    False
    """
    steps = [(u, v, costs[u, v]) for (u, v), c in capacities.items() if flow.get((u, v), 0) < c]
    steps += [(v, u, -costs[u, v]) for (u, v), amount in flow.items() if amount]
    away = {node: 0 for edge in capacities for node in edge}
    for _ in away:
        shorter = False
        for u, v, cost in steps:
            if away[u] + cost < away[v]:
                away[v], shorter = away[u] + cost, True
        if not shorter:
            return False
    return True


class Sizes(NamedTuple):
    """How large a network is."""

    routes: int
    stops: int
    """Nodes on each route."""
    extra: int
    """Attempts to add another edge."""
    capacity: int
    """The greatest capacity of a route."""
    cost: int
    """The greatest cost of an edge."""


class Network(NamedTuple):
    """A network, and amounts of flow through it."""

    capacities: dict[Edge, int]
    costs: dict[Edge, int]
    greedy: int
    """The cheapest paths are enough for this amount, without the very dear bridges."""
    most: int
    """All routes together are enough for this one."""


def rerouted(rng: Random, sizes: Sizes) -> Network:
    """A network in which the cheapest paths block one another.

    Parallel routes lead from node 0 to the last node. They stand in pairs: one begins cheaply and
    ends dearly, the other one the other way round. A cheap bridge from the first to the second
    makes the cheapest path, which blocks both routes. What is left beside it has only a very dear
    bridge, unless what is on the cheap one is sent back.

    >>> network = rerouted(Random(1), Sizes(2, 2, 0, 5, 9))
    >>> network.greedy < network.most, len(network.capacities)
    (True, 8)
    """
    routes, stops, extra, widest, dearest = sizes
    last = routes * stops + 1
    lines = [[*range(1, last)][first::routes] for first in range(routes)]
    widths = [rng.randint((widest + 1) // 2, widest) for _ in lines]
    middles = [rng.randint(1, stops - 1) for _ in lines[::2]]  # stops before both bridges
    network = Network({}, {}, sum(widths), sum(widths))
    capacities, costs = network.capacities, network.costs
    cheap, dear = dearest // 6, dearest * 2 // 5
    for number, (line, width) in enumerate(zip(lines, widths)):
        early, middle = number % 2 == 0, middles[number // 2]
        for n, step in enumerate(pairwise([0, *line, last])):
            low = n < middle if early else n > middle
            capacities[step] = width if low else width + rng.choice((0, rng.randint(1, widest)))
            costs[step] = rng.randint(1, cheap) if low else rng.randint(cheap + 1, dear)
    for one in range(0, routes - 1, 2):
        two, middle = one + 1, middles[one // 2]
        (a, b), (c, d) = (lines[each][middle - 1 : middle + 1] for each in (one, two))
        bridge = rng.randint((widest + 1) // 2, widest)
        capacities[a, d], costs[a, d] = bridge, rng.randint(1, cheap)
        # Both bridges together are dearer than the steps that they replace.
        capacities[c, b] = widest
        costs[c, b] = costs[a, b] + costs[c, d] + rng.randint(0, dearest // 5)
        network = network._replace(greedy=network.greedy - min(bridge, *widths[one : two + 1]))
    for _ in range(extra):
        one, two = rng.sample(range(routes), 2)
        first, second = sorted((rng.randrange(stops), rng.randrange(stops)))
        edge = lines[one][first], lines[two][second]
        if edge[0] < edge[1] and edge not in capacities:
            capacities[edge], costs[edge] = rng.randint(1, widest), rng.randint(dear, dearest)
    return network
