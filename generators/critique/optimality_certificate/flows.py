"""Networks whose smallest cut is in their middle."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

Arc = tuple[int, int, int]
"""Start, end, capacity."""


class Residual(NamedTuple):
    """A largest flow, as what it leaves of the capacities."""

    left: dict[int, dict[int, int]]
    value: int
    reached: set[int]
    """The vertices to which more could flow from the source."""
    examined: int
    """The arcs that were looked at."""


def residual(arcs: Iterable[Arc], source: int, sink: int) -> Residual:
    """A largest flow by shortest augmenting paths."""
    left: dict[int, dict[int, int]] = {source: {}, sink: {}}
    for u, v, size in arcs:
        left.setdefault(u, {})[v] = left.get(u, {}).get(v, 0) + size
        left.setdefault(v, {}).setdefault(u, 0)
    value = examined = 0
    while True:
        parents, queue = {source: source}, [source]
        for u in queue:
            for v, size in left[u].items():
                examined += 1
                if size and v not in parents:
                    parents[v] = u
                    queue.append(v)
        if sink not in parents:
            return Residual(left, value, {*parents}, examined)
        path = [sink]
        while path[-1] != source:
            path.append(parents[path[-1]])
        steps = [*zip(path[1:], path)]
        amount = min(left[u][v] for u, v in steps)
        for u, v in steps:
            left[u][v] -= amount
            left[v][u] += amount
        value += amount


def maximum_flow(arcs: Iterable[Arc], source: int, sink: int) -> tuple[int, set[int], int]:
    """The value of a largest flow, the vertices that the source still reaches, and the arcs that
    were examined.

    >>> maximum_flow([(0, 1, 3), (1, 2, 2)], 0, 2)[:2]
    (2, {0, 1})
    """
    _, value, reached, examined = residual(arcs, source, sink)
    return value, reached, examined


def flow_on(arcs: Sequence[Arc], source: int, sink: int) -> list[int]:
    """The amounts of a largest flow on the arcs, none of which has an arc back.

    >>> flow_on([(0, 1, 3), (1, 2, 2)], 0, 2)
    [2, 2]
    """
    left = residual(arcs, source, sink).left
    return [left[v][u] for u, v, _ in arcs]


def random_network(rng: Random, nodes: int) -> tuple[list[Arc], int, int]:
    """A network in which one cut in the middle is the smallest.

    In front of it is a tree whose arcs become wider from the source on, so that most of its
    vertices make a cut larger when they are added to the source one by one. Vertices behind it pass
    on a little more than they receive; so they seem cheap to add, but are wrong. Some vertices on
    either side have arcs to the sink and others do not, so these arcs do not show the cut.
    """
    order = rng.sample(range(nodes), nodes)
    source, sink = order[0], order[-1]
    half = max(2, nodes // 2 - rng.randint(0, 1))
    front, behind = order[:half], order[half:-1]
    parents, depths = {}, {source: 0}
    for n, v in enumerate(front[1:], 1):
        parents[v] = front[rng.randrange(max(0, n - 2), n)]
        depths[v] = depths[parents[v]] + 1
    sizes: dict[tuple[int, int], int] = {}
    inflow = dict.fromkeys(behind, 0)
    demand = dict.fromkeys(front, 0)
    leaves = [v for v in front if v not in parents.values()]
    senders = [*leaves, *(rng.choice(front) for _ in behind)]
    for n, u in enumerate(senders):
        v = behind[n % len(behind)]
        if (u, v) not in sizes:
            sizes[u, v] = rng.choice((1, 2, 3, 4, 6))
            inflow[v] += sizes[u, v]
            demand[u] += sizes[u, v]
    for u in rng.sample(front[1:], max(1, half // 3)):  # narrow arcs from the middle to the sink
        sizes[u, sink] = rng.randint(1, 3)
        demand[u] += sizes[u, sink]
    for v in front[:0:-1]:
        sizes[parents[v], v] = demand[v] + 2 * depths[v] + rng.randint(-1, 1)
        demand[parents[v]] += demand[v]
    for _ in range(half // 3):
        u, v = rng.sample(front, 2)
        if v != source and (v, u) not in sizes:
            sizes.setdefault((u, v), rng.randint(1, 6))
    for n, v in enumerate(behind):
        outflow = inflow[v] + rng.choice((1, 1, 2))
        later = behind[n + 1 :]
        if later and outflow > 2 and rng.random() < 0.7:
            part = outflow if rng.random() < 0.5 else rng.randint(1, outflow - 1)
            after = rng.choice(later)
            sizes[v, after] = part
            inflow[after] += part
            outflow -= part
        if outflow:
            sizes[v, sink] = outflow
    for _ in range(nodes // 5):
        u, v = rng.choice(behind), rng.choice(front[1:])
        if (v, u) not in sizes:
            sizes.setdefault((u, v), rng.randint(2, 8))
    arcs = [(u, v, size) for (u, v), size in sizes.items()]
    rng.shuffle(arcs)
    return arcs, source, sink


def careless_cuts(
    rng: Random, arcs: Iterable[Arc], ends: tuple[int, int]
) -> Mapping[str, set[int]]:
    """Cuts of players who compute no flow."""
    arcs, (source, sink) = [*arcs], ends
    nodes = {n for u, v, _ in arcs for n in (u, v)}

    def reached(least: int, steps: int) -> set[int]:
        """The vertices within so many steps along arcs of this capacity or more."""
        near = {source}
        for _ in range(steps):
            near |= {v for u, v, size in arcs if u in near and size >= least}
        return near - {sink}

    before = [{sink}]
    for _ in range(2):  # the vertices from which the sink is one step away, or two
        before.append(before[-1] | {u for u, v, _ in arcs if v in before[-1]})
    grown = {source}
    best, least = grown, _capacity(arcs, grown)
    while len(grown) < len(nodes) - 1:  # whichever vertex makes the cut smallest
        more = sorted(nodes - grown - {sink})
        grown = grown | {min(more, key=lambda n: (_capacity(arcs, grown | {n}), rng.random()))}
        if _capacity(arcs, grown) < least:
            best, least = grown, _capacity(arcs, grown)
    return {
        "greedy growth": best,
        "source alone": {source},
        "all but the sink": nodes - {sink},
        "one step": reached(0, 1),
        "two steps": reached(0, 2),
        "no arc to the sink": nodes - before[1] | {source},
        "far from the sink": nodes - before[2] | {source},
        "wide arcs": reached(4, len(nodes)),
        "wider arcs": reached(6, len(nodes)),
        "random": {source} | {n for n in sorted(nodes - {sink}) if rng.random() < 0.5},
    }


def _capacity(arcs: Iterable[Arc], chosen: set[int]) -> int:
    return sum(size for u, v, size in arcs if u in chosen and v not in chosen)
