"""Directed acyclic graphs as tuples of parents, and separation in them (Pearl, 1988).

The nodes are numbered from 0, and the parents of a node have lower numbers than the node.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

Dag = Sequence[tuple[int, ...]]
"""The parents of each node, which have lower numbers."""

Edge = tuple[int, int]


def random_parents(
    rng: Random, nodes: int, most: int, density: float, window: int | None = None
) -> tuple[tuple[int, ...], ...]:
    """The parents of each node of a random graph with about ``density`` edges for each node.

    A node has at most ``most`` parents, most of them among the ``window`` nodes before it. The
    graph is connected if ``most`` allows it.

    >>> random_parents(Random(1), nodes=3, most=1, density=1.0)
    ((), (0,), (0,))
    """
    parents: list[set[int]] = [set() for _ in range(nodes)]
    window = window or nodes
    number = round(nodes * density)

    def join(pairs: list[tuple[int, int]]) -> bool:
        """Add the first edge that is allowed, if any."""
        for u, v in pairs:
            if u not in parents[v] and len(parents[v]) < most:
                parents[v].add(u)
                return True
        return False

    # First a tree, in a random order of the nodes, so that there are several roots.
    order = rng.sample(range(nodes), nodes)
    for n, node in enumerate(order[1:], 1):
        near = [each for each in order[:n] if abs(each - node) <= window] or order[:n]
        others = rng.sample(near, len(near))
        number -= join([(min(node, each), max(node, each)) for each in others])
    pairs = [(u, v) for v in range(1, nodes) for u in range(max(0, v - window), v)]
    rng.shuffle(pairs)
    while number > 0 and join(pairs):
        number -= 1
    return tuple(tuple(sorted(each)) for each in parents)


def edges(dag: Dag) -> list[Edge]:
    """The edges, each from the parent to the child.

    >>> edges([(), (0,), (0, 1)])
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(parent, node) for node, parents in enumerate(dag) for parent in parents]


def children(dag: Dag) -> list[list[int]]:
    """The children of each node, in order."""
    result: list[list[int]] = [[] for _ in dag]
    for parent, node in edges(dag):
        result[parent].append(node)
    return result


def ancestors(dag: Dag, nodes: Iterable[int]) -> set[int]:
    """Nodes with all their ancestors.

    >>> ancestors([(), (0,), (), (1, 2)], [1])
    {0, 1}
    """
    result, stack = set[int](), list(nodes)
    while stack:
        node = stack.pop()
        if node not in result:
            result.add(node)
            stack.extend(dag[node])
    return result


def descendants(dag: Dag, nodes: Iterable[int]) -> set[int]:
    """Nodes with all their descendants.

    >>> descendants([(), (0,), (), (1, 2)], [1])
    {1, 3}
    """
    result = set(nodes)
    for node, parents in enumerate(dag):
        if result.intersection(parents):
            result.add(node)
    return result


def connected(dag: Dag, start: int, known: Iterable[int]) -> set[int]:
    """The nodes that are d-connected to ``start`` by Bayes ball (Shachter, 1998), without itself.

    >>> dag = [(), (), (0, 1), (2,)]
    >>> connected(dag, 0, []), connected(dag, 0, [3]), connected(dag, 0, [2])
    ({2, 3}, {1, 2}, {1})
    """
    observed = set(known)
    opened = ancestors(dag, observed)
    below = children(dag)
    seen = set[tuple[int, bool]]()
    stack = [(start, True)]  # a node, and whether the ball came up from a child
    while stack:
        node, upwards = stack.pop()
        if (node, upwards) in seen:
            continue
        seen.add((node, upwards))
        if node not in observed:
            stack.extend((child, False) for child in below[node])
        if node in opened if not upwards else node not in observed:
            stack.extend((parent, True) for parent in dag[node])
    return {node for node, _ in seen} - observed - {start}


def is_separated(dag: Dag, one: int, other: int, known: Iterable[int]) -> bool:
    """Whether two nodes that are not among the known ones are d-separated by these."""
    return other not in connected(dag, one, known)


def is_separated_morally(dag: Dag, one: int, other: int, known: Iterable[int]) -> bool:
    """The same by the moral graph of ancestors (Lauritzen et al., 1990).

    >>> dag = [(), (), (0, 1), (2,)]
    >>> is_separated_morally(dag, 0, 1, []), is_separated_morally(dag, 0, 1, [3])
    (True, False)
    """
    observed = set(known)
    kept = ancestors(dag, (one, other, *observed))
    near: dict[int, set[int]] = {node: set() for node in kept}
    for node in kept:
        for u, v in combinations((*dag[node], node), 2):
            near[u].add(v)
            near[v].add(u)
    seen, stack = {one}, [one]
    while stack:
        new = near[stack.pop()] - seen - observed
        seen |= new
        stack.extend(new)
    return other not in seen


def is_open(dag: Dag, path: Sequence[int], known: Iterable[int]) -> bool:
    """Whether a path of adjacent nodes is open: no known node on it but colliders, and each
    collider known or with a known descendant.

    >>> dag = [(), (), (0, 1), (2,)]
    >>> is_open(dag, [0, 2, 1], []), is_open(dag, [0, 2, 1], [3])
    (False, True)
    """
    observed = set(known)
    opened = ancestors(dag, observed)
    for before, node, after in zip(path, path[1:], path[2:]):
        collider = before in dag[node] and after in dag[node]
        if node not in opened if collider else node in observed:
            return False
    return True


def open_path(dag: Dag, one: int, other: int, known: Iterable[int]) -> list[int]:
    """A shortest open path without repeated nodes; empty if there is none.

    >>> open_path([(), (), (0, 1), (2,)], 0, 1, [3])
    [0, 2, 1]
    """
    observed = set(known)
    if is_separated(dag, one, other, observed):
        return []
    below = children(dag)
    paths = [[one]]
    for path in paths:
        node = path[-1]
        if node == other:
            return path
        for near in (*dag[node], *below[node]):
            longer = [*path, near]
            if near not in path and is_open(dag, longer[-3:], observed):
                paths.append(longer)
    return []


def is_adjacent(dag: Dag, one: int, other: int) -> bool:
    """Whether there is an edge between two nodes, in either direction."""
    return one in dag[other] or other in dag[one]
