"""A search for feedback vertex sets."""

from collections.abc import Iterable, Sequence
from itertools import count

from palaestra.generators.solutions import SearchResult


def smallest_feedback(ways: Sequence[Sequence[int]]) -> SearchResult:
    """The fewest nodes whose removal leaves no cycle.

    It tries none, then one, and so on, and branches on the nodes of a shortest cycle. A forest has
    fewer edges than nodes, which bounds how many nodes of which degree have to be removed.

    >>> smallest_feedback([[1, 2], [0, 2], [0, 1, 3], [2]]).solution
    (0,)
    """
    examined = 0

    def cut(gone: tuple[int, ...], free: int) -> tuple[int, ...] | None:
        nonlocal examined
        examined += 1
        if _surplus(ways, gone, free) >= 0:
            return None
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


def _surplus(ways: Sequence[Sequence[int]], gone: Iterable[int], free: int) -> int:
    """How many more edges than nodes are left at least, if ``free`` more nodes are removed."""
    shut = set(gone)
    left = [[near for near in nodes if near not in shut] for nodes in ways]
    degrees = sorted([len(left[node]) for node in range(len(ways)) if node not in shut])
    edges, removed = sum(degrees) // 2, degrees[len(degrees) - free :]
    return edges - len(degrees) - sum(removed) + len(removed)


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
