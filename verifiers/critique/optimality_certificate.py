"""Checks of proofs that no better solution exists: cuts, covers, barriers, partitions and duals.

Vertices are numbers from 0, and an edge is a pair of them. Each function returns a sentence that
states why the object proves nothing, or an empty string if it proves the bound. A bound that is
proved and reached by some solution is the optimum.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

Edge = tuple[int, int]


def cut_violation(
    arcs: Iterable[tuple[int, int, int]], ends: Edge, chosen: Collection[int], value: int
) -> str:
    """Return why a set of vertices is not a cut of this capacity between the two ends.

    An arc is a start, an end and a capacity. A cut bounds all flows, by the theorem of L. Ford and
    D. Fulkerson (1956).

    >>> cut_violation([(0, 1, 3), (1, 2, 2)], (0, 2), {0, 1}, 2)
    ''
    """
    if ends[0] not in chosen or ends[1] in chosen:
        return "the set has to contain the source and not the sink"
    total = sum(size for u, v, size in arcs if u in chosen and v not in chosen)
    return "" if total == value else f"the arcs that leave the set carry {total}, not {value}"


def cover_violation(edges: Iterable[Edge], chosen: Collection[int], size: int) -> str:
    """Return why a set of vertices is not a vertex cover of at most this size.

    A vertex cover bounds all matchings, and in bipartite graphs one is as small as the largest
    matching (D. Kőnig, 1931).

    >>> cover_violation([(0, 1), (1, 2)], {1}, 1), cover_violation([(0, 1), (1, 2)], {0}, 1)
    ('', '1 edge has no end in the set')
    """
    if len(chosen) > size:
        return f"the set has {len(chosen)} vertices, not {size}"
    bare = sum(u not in chosen and v not in chosen for u, v in edges)
    return f"{bare} edge{'s have' if bare > 1 else ' has'} no end in the set" if bare else ""


def barrier_violation(
    nodes: int, edges: Collection[Edge], chosen: Collection[int], size: int
) -> str:
    """Return why a set of vertices does not show that no matching has more edges than ``size``.

    A matching leaves out a vertex in all but as many odd components of the rest as the set has
    vertices, and a set with which this is exact exists (W. Tutte 1947, C. Berge 1958).

    >>> barrier_violation(4, [(0, 1), (0, 2), (0, 3)], {0}, 1)
    ''
    """
    rest = [n for n in range(nodes) if n not in chosen]
    ways: dict[int, list[int]] = {n: [] for n in rest}
    for u, v in edges:
        if u in ways and v in ways:
            ways[u].append(v)
            ways[v].append(u)
    odd, seen = 0, set[int]()
    for start in rest:
        if start in seen:
            continue
        stack, component = [start], {start}
        while stack:
            for v in ways[stack.pop()]:
                if v not in component:
                    component.add(v)
                    stack.append(v)
        seen |= component
        odd += len(component) % 2
    bound = nodes + len(chosen) - odd
    if bound == 2 * size:
        return ""
    return f"{nodes} + {len(chosen)} - {odd} is not twice {size}"


def partition_violation(
    nodes: int, edges: Iterable[Edge], parts: Sequence[Sequence[int]], size: int
) -> str:
    """Return why parts of the vertices do not show that no independent set is larger than ``size``.

    An independent set has at most one vertex of a clique, and at most half of the vertices of a
    cycle, which is listed in its order.

    >>> pentagon = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]
    >>> partition_violation(5, pentagon, [[0, 1, 2, 3, 4]], 2)
    ''
    """
    listed = sorted(n for part in parts for n in part)
    if listed != [*range(nodes)]:
        return "the parts do not contain each vertex exactly once"
    joined = {*edges}
    total = 0
    for part in parts:
        bound = part_bound(joined, part)
        if not bound:
            return "a part is neither a clique nor a cycle"
        total += bound
    return "" if total == size else f"the parts count {total} in all, not {size}"


def part_bound(joined: Collection[Edge], part: Sequence[int]) -> int:
    """Return how many vertices of a clique or cycle are independent at most; 0 for other parts."""

    def adjacent(u: int, v: int) -> bool:
        return (u, v) in joined or (v, u) in joined

    if len(part) < 9 and all(adjacent(u, v) for u, v in combinations(part, 2)):
        return 1
    cycle = all(adjacent(u, v) for u, v in pairwise([*part, part[0]]))
    return len(part) // 2 if cycle else 0


def dual_violation(
    rows: Sequence[Sequence[int]],
    bounds: Sequence[int],
    objective: Sequence[int],
    multipliers: Sequence[Fraction],
    value: int,
) -> str:
    """Return why multipliers of constraints do not bound an objective of nonnegative variables.

    The constraints are ``row . x <= bound``. Each multiplier is at least 0, and the sum of the
    multiplied rows has at least the coefficients of the objective (J. von Neumann, 1947).

    >>> dual_violation([[1, 2]], [4], [1, 1], [Fraction(1)], 4)
    ''
    """
    if min(multipliers) < 0:
        return "a multiplier is negative"
    for column, wanted in zip(zip(*rows), objective):
        if sum(y * a for y, a in zip(multipliers, column)) < wanted:
            return "the sum of the multiplied constraints has a coefficient that is too small"
    total = sum(y * b for y, b in zip(multipliers, bounds))
    return "" if total == value else f"the right side of the sum is not {value}"
