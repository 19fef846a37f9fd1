"""Measures of centrality as exact fractions.

The nodes are numbered from 0 and ``ways`` lists, for each node, the nodes to which an edge leads.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from palaestra.generators.graphs.algorithms import Ways
from palaestra.verifiers.linear import Row

Values = tuple[Fraction, ...]


def steps_from(ways: Ways, start: int) -> tuple[list[int], list[int], list[list[int]]]:
    """The nodes by their distance from one, how many shortest paths lead to each, and the nodes
    just before each node on these.

    >>> steps_from([[1, 2], [0, 3], [0, 3], [1, 2]], 0)
    ([0, 1, 2, 3], [1, 1, 1, 2], [[], [0], [0], [1, 2]])
    """
    far, order = {start: 0}, [start]
    paths, before = [0] * len(ways), [list[int]() for _ in ways]
    paths[start] = 1
    for node in order:
        for near in ways[node]:
            if near not in far:
                far[near] = far[node] + 1
                order.append(near)
            if far[near] == far[node] + 1:
                paths[near] += paths[node]
                before[near].append(node)
    return order, paths, before


def betweenness(ways: Ways) -> Values:
    """For each node of an undirected graph, the sum over all pairs of other nodes of the share of
    their shortest paths that pass through it, after Ulrik Brandes (2001).

    >>> [str(value) for value in betweenness([[1, 2], [0, 3], [0, 3], [1, 2]])]
    ['1/2', '1/2', '1/2', '1/2']
    """
    total = [Fraction(0)] * len(ways)
    for start in range(len(ways)):
        order, paths, before = steps_from(ways, start)
        through = [Fraction(0)] * len(ways)
        for node in reversed(order[1:]):
            for each in before[node]:
                through[each] += Fraction(paths[each], paths[node]) * (1 + through[node])
            total[node] += through[node] / 2
    return tuple(total)


def closeness(ways: Ways) -> Values:
    """The number of other nodes, divided by the sum of their distances, for each node.

    >>> [str(value) for value in closeness([[1], [0, 2], [1]])]
    ['2/3', '1', '2/3']
    """
    values = []
    for start in range(len(ways)):
        far = {start: 0}
        for node in steps_from(ways, start)[0]:
            for near in ways[node]:
                far.setdefault(near, far[node] + 1)
        values.append(Fraction(len(ways) - 1, sum(far.values())))
    return tuple(values)


def rank_equations(ways: Ways, damping: Fraction) -> list[Row]:
    """The equations of the PageRanks, which add up to the number of nodes.

    >>> rank_equations([[1], [0]], Fraction(1, 2))
    [(2, -1, 1), (-1, 2, 1)]
    """
    whole = lcm(*map(len, ways))
    above, below = damping.numerator, damping.denominator
    return [
        (
            *(
                below * whole * (u == v) - above * (whole // len(near)) * (v in near)
                for u, near in enumerate(ways)
            ),
            (below - above) * whole,
        )
        for v in range(len(ways))
    ]


def rank_step(ways: Ways, damping: Fraction, values: Sequence[Fraction]) -> Values:
    """Values after one step of the iteration that leads to the PageRanks.

    >>> [str(value) for value in rank_step([[1], [0, 1]], Fraction(1, 2), [Fraction(1)] * 2)]
    ['3/4', '5/4']
    """
    after = [1 - damping for _ in ways]
    for near, value in zip(ways, values):
        for node in near:
            after[node] += damping * value / len(near)
    return tuple(after)
