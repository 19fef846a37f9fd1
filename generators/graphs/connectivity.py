"""Disjoint paths and separators of graphs (Karl Menger, 1927), and graphs that mislead about them.

The paths lead from node 0 to the last node. Nodes are numbered from 0.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from palaestra.generators.graphs.networks import edmonds_karp
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult

Ways = Sequence[Sequence[int]]


def disjoint_paths(ways: Ways) -> SearchResult:
    """As many paths as possible without common inner nodes.

    The two ends are not joined by an edge.

    >>> disjoint_paths([[1, 2], [0, 3], [0, 3], [1, 2]]).solution
    ((0, 1, 3), (0, 2, 3))
    """
    sink = len(ways) - 1
    # Node n is 2n on the way in and 2n + 1 on the way out.
    inside = tuple((2 * n, 2 * n + 1, 1) for n in range(1, sink))
    between = tuple((2 * u + 1, 2 * v, 1) for u, near in enumerate(ways) for v in near)
    result = edmonds_karp(inside + between, 1, 2 * sink)
    onward: dict[int, list[int]] = {}
    for (u, v), flow in result.flow.items():
        if flow and u // 2 != v // 2:
            onward.setdefault(u // 2, []).append(v // 2)
    paths = []
    for _ in range(result.value):
        path = [0]
        while path[-1] != sink:
            path.append(onward[path[-1]].pop())
        paths.append(tuple(path))
    return SearchResult(tuple(sorted(paths)), result.examined)


def separator(ways: Ways) -> SearchResult:
    """A smallest set of other nodes whose removal separates node 0 from the last node.

    The two are not joined by an edge.

    >>> separator([[1, 2], [0, 3], [0, 3], [1, 2, 4], [3]]).solution
    (3,)
    """
    paths, examined = disjoint_paths(ways)
    behind = _reachable(ways, paths)
    # On each path, the last node that is entered but not left.
    cut = [next(n for n in path[::-1] if (n, "in") in behind) for path in paths]
    return SearchResult(tuple(sorted(cut)), examined)


def _reachable(ways: Ways, paths: Sequence[Sequence[int]]) -> set[tuple[int, str]]:
    """Sides of nodes ("in" and "out") that the residual graph of disjoint paths reaches from the
    start. Edges carry any amount, nodes one unit.
    """
    after = {(u, v) for path in paths for u, v in pairwise(path)}
    used = {node for path in paths for node in path[1:-1]}
    start = (0, "out")
    seen, stack = {start}, [start]
    while stack:
        node, side = stack.pop()
        if side == "out":
            steps = [(near, "in") for near in ways[node] if near]
            if node in used:
                steps.append((node, "in"))
        else:
            steps = [(u, "out") for u, v in after if v == node and u]
            if node not in used:
                steps.append((node, "out"))
        for step in steps:
            if step not in seen:
                seen.add(step)
                stack.append(step)
    return seen


def maximum_disjoint(ways: Ways, paths: Sequence[Sequence[int]]) -> bool:
    """Whether no further path fits after any rearrangement of paths without common inner nodes.

    >>> maximum_disjoint([[1, 2], [0, 3], [0, 3], [1, 2]], [(0, 1, 3)])
    False
    """
    return (len(ways) - 1, "in") not in _reachable(ways, paths)


def misleading(rng: Random, sizes: Mapping[str, int]) -> tuple[int, list[Edge]]:
    """The number of nodes, and edges of a graph in which the shortest paths block others.

    Routes lead from node 0 to the last node. All edges between them lead from an early node of a
    route to a late one of a route that comes later in some order. So as many paths as routes have
    to be the routes themselves, and whoever takes a shorter way cuts two of them.

    The sizes are those of the knobs: ``paths``, stops ``before`` and ``after`` the middle,
    ``traps``, and ``decoys``, which are pairs of nodes that lead nowhere.
    """
    count, edges = 1, list[Edge]()
    halves: list[list[list[int]]] = [[], []]
    for _ in range(sizes["paths"]):
        route, count = [count], count + 1
        for half, side in zip(halves, ("before", "after")):
            length = sizes[side] and sizes[side] + rng.randrange(2)
            half.append([*range(count, count + length)])
            count += length
        route = [0, *halves[0][-1], *route, *halves[1][-1][::-1], -1]
        edges += pairwise(route)
    degree = Counter(node for edge in edges for node in edge)
    crossings = [_crossings(rng, half) for half in halves]
    for n in range(sizes["traps"]):
        options = [each for each in crossings[:: 1 if n % 2 == 0 else -1] if each]
        if options:
            # Where several edges met at a node, its degree would show that it is to be avoided.
            edge = min(options[0], key=lambda edge: max(degree[node] for node in edge))
            options[0].remove(edge)
            edges.append(edge)
            degree.update(edge)
    # Nodes between tails and heads of such edges get more neighbours than the heads, but for one.
    middles = [[line[len(line) // 2] for line in half] for half in halves if half[0]]
    between = [node for half in middles for node in rng.sample(half, len(half))[1:]]
    for _ in range(sizes["decoys"]):
        node = min(between, key=lambda each: (degree[each], rng.random()))
        edges += [(node, count), (count, count + 1), (count + 1, node)]
        degree.update((node, node))
        count += 2
    return count + 1, [(u if u >= 0 else count, v if v >= 0 else count) for u, v in edges]


def _crossings(rng: Random, half: list[list[int]]) -> list[Edge]:
    """Edges from early nodes of routes to late ones of others, in random order.

    There is one for each two routes: paths could use two of them to change places.
    """
    order = rng.sample(half, len(half))
    edges = []
    for n, line in enumerate(order):
        for other in order[n + 1 :]:
            tails = line[1 : len(line) // 2]
            heads = other[len(other) // 2 + 1 :]
            if tails and heads:
                edges.append((rng.choice(tails), rng.choice(heads)))
    rng.shuffle(edges)
    return edges


def narrow(rng: Random, sizes: Mapping[str, int]) -> tuple[int, list[Edge]]:
    """The number of nodes, and edges of a graph that a few nodes separate.

    Ways lead from node 0 to these nodes, from there to one node more of a false separator, and on
    to the last node. Ways to one half of the separator are longer than those to the other, and
    behind it shorter. The further ways are longer ones, so that each layer of nodes as far away
    from an end as one another has more nodes than the separator.

    The sizes are ``paths``, one less than the nodes of the separator, and ``ways``, how many
    further ways there are between each of these and the next.
    """
    number, more = sizes["paths"] + 1, sizes["ways"]
    cut, wrong = [*range(1, number + 1)], [*range(number + 1, 2 * number + 2)]
    far = rng.sample(cut, (number + 1) // 2)
    near = [node for node in cut if node not in far]
    half = rng.sample(wrong, len(wrong) // 2)
    partners = rng.sample(wrong, len(wrong))
    between = [*zip([*cut, rng.choice(near)], partners)]
    between += [(node, rng.choice(wrong)) for node in _cycled(rng, near, more)]
    stages = (
        [(0, node, 2 if node in far else 1) for node in cut + _cycled(rng, far, more)],
        [(node, other, 2 if node in near else 1) for node, other in between],
        [(node, -1, 2 if node in half else 1) for node in wrong + _cycled(rng, half, more)],
    )
    count, edges = 2 * number + 2, set[Edge]()
    stops: list[list[int]] = []
    for ways in stages:
        first = count
        for start, end, length in ways:
            edges |= {*pairwise([start, *range(count, count + length), end])}
            count += length
        stops.append([*range(first, count)])
    _level(rng, edges, stops, cut + wrong)
    return count + 1, [(u if u >= 0 else count, v if v >= 0 else count) for u, v in sorted(edges)]


def _cycled(rng: Random, nodes: Sequence[int], number: int) -> list[int]:
    """So many of the nodes in random order, again and again."""
    order = rng.sample(nodes, len(nodes))
    return [order[n % len(order)] for n in range(number)]


def _level(
    rng: Random, edges: set[Edge], sides: Sequence[Sequence[int]], chosen: Sequence[int]
) -> None:
    """Add edges within the sides, so that degrees do not tell their nodes from the chosen ones."""
    degree = Counter(node for edge in edges for node in edge)
    mean = sum(degree[node] for node in chosen) / len(chosen)
    for side in sides:
        for _ in range(round(len(side) * (mean - 1.6) / 2)):
            low = sorted(rng.sample(side, len(side)), key=degree.__getitem__)
            u, v = low[0], rng.choice(low[1:6])
            if (u, v) not in edges and (v, u) not in edges:
                edges.add((u, v))
                degree.update((u, v))
