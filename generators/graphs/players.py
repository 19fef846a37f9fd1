"""Baseline players of graph puzzles: greedy colourings, and walks that take one step at a time."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from random import Random

from palaestra.generators.baselines import natural_orders, shuffled, stepwise
from palaestra.generators.graphs.networks import first_fit
from palaestra.generators.graphs.puzzles import Graph


def greedy_colorings(
    nodes: Sequence[int], beside: Sequence[Sequence[int]], colors: int, rng: Random
) -> dict[str, Sequence[int]]:
    """Colourings without backtracking, by the order in which the nodes are coloured.

    A node gets the first colour that no neighbour has, or the last one where there is none. ``most
    constrained first`` is the order of Daniel Brélaz (1979), ``a colour at a time`` the rule of
    Frank Leighton (1979), who gives each colour to as many nodes as possible.
    """
    orders = natural_orders(nodes, rng, {"degree": lambda node: len(beside[node])})
    colorings: dict[str, Sequence[int]] = {
        name: first_fit(order, beside, colors) for name, order in orders.items()
    }
    colorings["most constrained first"] = most_constrained(nodes, beside, colors, rng)
    colorings["a colour at a time"] = color_by_color(nodes, beside, colors, rng)
    return colorings


def most_constrained(
    nodes: Iterable[int], beside: Sequence[Sequence[int]], colors: int, rng: Random
) -> list[int]:
    """The colours of the nodes if the one with the most colours beside it is always next."""
    color = [-1] * len(beside)
    left = shuffled(nodes, rng)

    def shut(node: int) -> set[int]:
        return {color[near] for near in beside[node]} - {-1}

    while left:
        node = max(left, key=lambda each: (len(shut(each)), len(beside[each])))
        left.remove(node)
        color[node] = next((c for c in range(colors) if c not in shut(node)), colors - 1)
    return color


def color_by_color(
    nodes: Iterable[int], beside: Sequence[Sequence[int]], colors: int, rng: Random
) -> list[int]:
    """The colours of the nodes if each colour in turn goes to as many of them as it seems to fit.

    The next node is the one with the most neighbours among those that the colour is no longer
    possible for, and of these the one with the fewest other uncoloured neighbours.
    """
    color = [colors - 1] * len(beside)
    left = set(nodes)
    for current in range(colors):
        free, shut = set(left), set[int]()
        while free:
            node = max(
                shuffled(free, rng),
                key=lambda each: (
                    (len(shut & {*beside[each]}), -len(free & {*beside[each]}))
                    if shut
                    else (len(free & {*beside[each]}), 0)
                ),
            )
            color[node] = current
            left.discard(node)
            shut |= free & {*beside[node]}
            free -= {node, *beside[node]}
    return color


def walk_on(start: int, step: Callable[[list[int]], int | None], most: int) -> list[int]:
    """The path of a player who chooses the next node from the path so far, until it is ``None``.

    >>> walk_on(0, lambda path: path[-1] + 2 if path[-1] < 5 else None, 10)
    [0, 2, 4, 6]
    """
    path = [start]
    while len(path) < most and (node := step(path)) is not None:
        path.append(node)
    return path


def unvisited(ways: Sequence[Collection[int]], path: Sequence[int], rng: Random) -> list[int]:
    """The neighbours of the end of a path that are not on it, in random order."""
    return shuffled(sorted(set(ways[path[-1]]).difference(path)), rng)


def path_players(graph: Graph, start: int, target: int, rng: Random) -> dict[str, list[int]]:
    """Paths of players who go from node to node and do not return, to a target.

    They go to the target when they stand beside it.
    """
    ways, lengths = graph.ways(), graph.lengths()
    away = edges_away(ways, target)

    def player(key: Callable[[int, int], float], at_once: bool = True) -> list[int]:
        def step(path: list[int]) -> int | None:
            here = path[-1]
            ahead = [node for node in unvisited(ways, path, rng) if node in away]
            if here == target or not ahead:
                return None
            if at_once and target in ahead:
                return target
            return min(ahead, key=lambda node: key(here, node))

        return walk_on(start, step, len(graph.names))

    def nearest(here: int, node: int) -> float:
        return lengths[here][node]

    def two_ahead(here: int, node: int) -> float:
        onward = [length for near, length in lengths[node].items() if near != here]
        return lengths[here][node] + (0 if node == target else min(onward, default=9**9))

    return {
        "random path": player(lambda here, node: 0),
        "nearest neighbour": player(nearest),
        "nearest neighbour to the end": player(nearest, at_once=False),
        "two steps ahead": player(two_ahead, at_once=False),
        "fewest edges": player(lambda here, node: away[node]),
        "fewest edges, then nearest": player(
            lambda here, node: 10**6 * away[node] + lengths[here][node]
        ),
    }


def edges_away(ways: Sequence[Sequence[int]], target: int) -> Mapping[int, int]:
    """The number of edges from each node to a target that it reaches.

    >>> edges_away([[1], [2], [], [0]], 2)
    {2: 0, 1: 1, 0: 2, 3: 3}
    """
    away, layer = {target: 0}, [target]
    while layer:
        before = [n for n, near in enumerate(ways) if n not in away and {*near} & {*layer}]
        away |= dict.fromkeys(before, away[layer[0]] + 1)
        layer = before
    return away


def greedy_matching(edges: Sequence[tuple[int, int]], rng: Random) -> list[tuple[int, int]]:
    """Edges without common ends: next to the node with the fewest free neighbours, each time.

    Of the free neighbours of that node, the one with the fewest is matched to it, as in the
    heuristic of Richard Karp and Michael Sipser (1981).
    """

    def key(edge: tuple[int, int], chosen: list[tuple[int, int]]) -> int | None:
        used = {node for each in chosen for node in each}
        if used & {*edge}:
            return None
        free = [each for each in edges if not used & {*each}]
        degrees = sorted(sum(node in each for each in free) for node in edge)
        return degrees[0] * len(edges) + degrees[1]

    return stepwise(edges, rng, key)
