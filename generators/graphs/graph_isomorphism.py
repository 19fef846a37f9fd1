"""A search for graph isomorphisms."""

from collections.abc import Sequence

from palaestra.generators.graphs.algorithms import reached
from palaestra.generators.solutions import SearchResult


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
