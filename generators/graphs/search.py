"""Exact searches for the hard problems on graphs, with the number of states examined.

A set of nodes is an integer whose bits are the nodes; ``beside`` holds the neighbours of each node.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from palaestra.generators.bitsets import ones
from palaestra.generators.graphs.algorithms import distances, reached
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult


def masks(ways: Sequence[Iterable[int]]) -> list[int]:
    """The neighbours of each node as a set of bits.

    >>> masks([[1, 2], [0], [0]])
    [6, 1, 1]
    """
    return [sum(1 << near for near in nodes) for nodes in ways]


def complement(beside: Sequence[int]) -> list[int]:
    """The neighbours of each node in the complement graph."""
    everyone = (1 << len(beside)) - 1
    return [everyone & ~near & ~(1 << node) for node, near in enumerate(beside)]


def _colored(candidates: int, beside: Sequence[int]) -> list[tuple[int, int]]:
    """The nodes by greedy colour; a clique is no larger than the number of colours."""
    groups, color = [], 0
    while candidates:
        color += 1
        free = candidates
        while free:
            low = free & -free
            node = low.bit_length() - 1
            free &= ~(low | beside[node])
            candidates ^= low
            groups.append((node, color))
    return groups


def maximum_clique(beside: Sequence[int]) -> SearchResult:
    """A largest clique, with colourings as bounds, after Etsuji Tomita and Tomokazu Seki (2003).

    >>> maximum_clique(masks([[1, 2], [0, 2], [0, 1, 3], [2]])).solution
    (0, 1, 2)
    """
    best: list[int] = []
    examined = 0

    def expand(clique: list[int], candidates: int) -> None:
        nonlocal best, examined
        examined += 1
        if len(clique) > len(best):
            best = clique
        for node, color in reversed(_colored(candidates, beside)):
            if len(clique) + color <= len(best):
                return
            expand([*clique, node], candidates & beside[node])
            candidates &= ~(1 << node)

    expand([], (1 << len(beside)) - 1)
    return SearchResult(tuple(sorted(best)), examined)


def greedy_clique(beside: Sequence[int], order: Iterable[int]) -> tuple[int, ...]:
    """The nodes, in an order, that are joined to all those chosen before.

    >>> greedy_clique(masks([[1], [0, 2], [1]]), [2, 1, 0])
    (2, 1)
    """
    clique: list[int] = []
    candidates = (1 << len(beside)) - 1
    for node in order:
        if candidates >> node & 1:
            clique.append(node)
            candidates &= beside[node]
    return tuple(clique)


def greedy_vertex_cover(beside: Sequence[int]) -> tuple[int, ...]:
    """A vertex cover that repeatedly takes a node with the most uncovered edges."""
    left, cover = list(beside), []
    while any(left):
        node = max(range(len(left)), key=lambda n: left[n].bit_count())
        cover.append(node)
        left = [0 if n == node else near & ~(1 << node) for n, near in enumerate(left)]
    return tuple(cover)


def smallest_cover(sets: Sequence[int], universe: int) -> SearchResult:
    """The numbers of the fewest sets whose union is the universe.

    It tries one set, then two, and so on, and branches on the element that is in the fewest sets.

    >>> smallest_cover([3, 6, 12], 15).solution
    (0, 2)
    """
    examined = 0

    def cover(left: int, free: int) -> tuple[int, ...] | None:
        nonlocal examined
        examined += 1
        if not left:
            return ()
        gains = [(each & left).bit_count() for each in sets]
        if left.bit_count() > free * max(gains):
            return None
        element = min(ones(left), key=lambda e: sum(each >> e & 1 for each in sets))
        holders = [number for number, each in enumerate(sets) if each >> element & 1]
        for number in sorted(holders, key=lambda n: -gains[n]):
            rest = cover(left & ~sets[number], free - 1)
            if rest is not None:
                return (number, *rest)
        return None

    for size in count(1):
        chosen = cover(universe, size)
        if chosen is not None:
            return SearchResult(tuple(sorted(chosen)), examined)
    raise AssertionError("the sets do not cover the universe")


def greedy_cover(sets: Sequence[int], universe: int) -> tuple[int, ...]:
    """The numbers of sets, each of which covers the most of the rest; the first of equals.

    >>> greedy_cover([3, 6, 12], 15)
    (0, 2)
    """
    chosen = []
    while universe:
        number = max(range(len(sets)), key=lambda n: (sets[n] & universe).bit_count())
        chosen.append(number)
        universe &= ~sets[number]
    return tuple(chosen)


def hamiltonian_path(beside: Sequence[int], budget: int = 50_000) -> SearchResult:
    """A path through all nodes; empty if the budget of states runs out.

    It tries the neighbours of lowest remaining degree first, after H. C. von Warnsdorff's rule for
    the knight (1823), and backtracks if the rest is disconnected or has too many dead ends.

    >>> hamiltonian_path(masks([[1, 2], [0], [0]])).solution
    (1, 0, 2)
    """
    examined = 0

    def extend(here: int, left: int) -> tuple[int, ...] | None:
        nonlocal examined
        examined += 1
        if not left:
            return (here,)
        if examined > budget or not _can_end(here, left, beside):
            return None
        ahead = ones(beside[here] & left)
        for near in sorted(ahead, key=lambda n: (beside[n] & left).bit_count()):
            rest = extend(near, left & ~(1 << near))
            if rest is not None:
                return (here, *rest)
        return None

    everyone = (1 << len(beside)) - 1
    for start in sorted(range(len(beside)), key=lambda n: beside[n].bit_count()):
        path = extend(start, everyone & ~(1 << start))
        if path is not None:
            return SearchResult(path, examined)
    return SearchResult((), examined)


def _can_end(here: int, left: int, beside: Sequence[int]) -> bool:
    """Whether the remaining nodes are reachable from here and have at most one dead end."""
    seen = fresh = beside[here] & left
    while fresh:
        near = 0
        for node in ones(fresh):
            near |= beside[node]
        fresh = near & left & ~seen
        seen |= fresh
    ends = sum((beside[node] & left).bit_count() < 2 for node in ones(left & ~beside[here]))
    return seen == left and ends <= 1


def isomorphism(ways: Sequence[Sequence[int]], others: Sequence[Sequence[int]]) -> SearchResult:
    """The counterpart of each node in the other graph; empty if the graphs are not isomorphic.

    The nodes are matched breadth first, so that each has a neighbour with a known counterpart.

    >>> isomorphism([[1, 2], [0], [0]], [[2], [2], [0, 1]]).solution
    (2, 0, 1)
    """
    order: list[int] = []
    for start in sorted(range(len(ways)), key=lambda n: -len(ways[n])):
        order += [node for node in reached(ways, start, order) if node not in order]
    image: dict[int, int] = {}
    examined = 0

    def match(number: int) -> bool:
        nonlocal examined
        examined += 1
        if number == len(order):
            return True
        node = order[number]
        wanted = {image[near] for near in ways[node] if near in image}
        for other in range(len(others)):
            taken = set(image.values())
            alike = len(others[other]) == len(ways[node])
            if alike and other not in taken and wanted == taken & set(others[other]):
                image[node] = other
                if match(number + 1):
                    return True
                del image[node]
        return False

    alike = len(ways) == len(others) and match(0)
    return SearchResult(tuple(image[node] for node in range(len(ways))) if alike else (), examined)


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


def smallest_feedback(ways: Sequence[Sequence[int]]) -> SearchResult:
    """The fewest nodes whose removal leaves no cycle.

    It tries none, then one, and so on, and branches on the nodes of a shortest cycle.

    >>> smallest_feedback([[1, 2], [0, 2], [0, 1, 3], [2]]).solution
    (0,)
    """
    examined = 0

    def cut(gone: tuple[int, ...], free: int) -> tuple[int, ...] | None:
        nonlocal examined
        examined += 1
        cycle = shortest_cycle(ways, gone)
        if not cycle:
            return gone
        if not free:
            return None
        tries = (cut((*gone, node), free - 1) for node in cycle)
        return next((cut_set for cut_set in tries if cut_set is not None), None)

    for size in count():
        smallest = cut((), size)
        if smallest is not None:
            return SearchResult(tuple(sorted(smallest)), examined)
    raise AssertionError("the removal of all nodes leaves no cycle")


def shortest_cycle(ways: Sequence[Sequence[int]], gone: Iterable[int] = ()) -> list[int]:
    """The nodes of a shortest cycle without the ``gone`` nodes; empty if there is none.

    >>> sorted(shortest_cycle([[1, 3], [0, 2, 3], [1, 3], [0, 2, 1]]))
    [0, 1, 3]
    """
    shut, best = set(gone), list[int]()
    for start in range(len(ways)):
        if start in shut or len(best) == 3:
            continue
        line: dict[int, list[int]] = {start: [start]}
        queue = [start]
        for node in queue:
            if best and 2 * len(line[node]) > len(best) + 1:
                break
            for near in ways[node]:
                if near in shut or line[node][-2:-1] == [near]:
                    continue
                if near not in line:
                    line[near] = [*line[node], near]
                    queue.append(near)
                elif line[node][1:2] != line[near][1:2]:  # the first steps differ
                    cycle = [*line[node], *line[near][:0:-1]]
                    if not best or len(cycle) < len(best):
                        best = cycle
    return best


def steiner_tree(weights: Mapping[Edge, int], nodes: int, ends: Sequence[int]) -> SearchResult:
    """The edges of a lightest tree that joins some nodes, after Stuart Dreyfus and Robert Wagner.

    Dynamic programming (1971) over the lightest trees that join a set of ends and one more node.

    >>> steiner_tree({(0, 1): 1, (1, 0): 1, (1, 2): 1, (2, 1): 1}, 3, [0, 2]).solution
    ((0, 1), (1, 2))
    """
    away = distances(nodes, weights)
    everyone = range(nodes)
    cost: dict[int, list[float]] = {1 << n: list(away[end]) for n, end in enumerate(ends)}
    examined = 0
    for group in range(1, 1 << len(ends)):
        if group in cost:
            continue
        examined += nodes
        halves = [part for part in range(1, group) if part & group == part and 2 * part > group]
        met = [min(cost[part][n] + cost[group ^ part][n] for part in halves) for n in everyone]
        cost[group] = [min(met[m] + away[m][n] for m in everyone) for n in everyone]
    edges: set[Edge] = set()

    def build(group: int, node: int) -> None:
        parts = [part for part in range(1, group) if part & group == part and 2 * part > group]
        for middle in everyone:
            if not parts and middle == ends[group.bit_length() - 1]:
                edges.update(_way(middle, node, away, weights))
                return
            for part in parts:
                both = cost[part][middle] + cost[group ^ part][middle]
                if both + away[middle][node] == cost[group][node]:
                    edges.update(_way(middle, node, away, weights))
                    build(part, middle)
                    build(group ^ part, middle)
                    return

    build((1 << len(ends)) - 1, ends[0])
    return SearchResult(tuple(sorted(edges)), examined)


def _way(
    start: int, end: int, away: Sequence[Sequence[float]], weights: Mapping[Edge, int]
) -> list[Edge]:
    """The edges of a shortest path, the lower node first in each."""
    way = []
    while start != end:
        step = next(
            v
            for v in range(len(away))
            if (start, v) in weights and weights[start, v] + away[v][end] == away[start][end]
        )
        way.append((min(start, step), max(start, step)))
        start = step
    return way
