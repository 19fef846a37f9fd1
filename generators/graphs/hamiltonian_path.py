"""A search for Hamiltonian paths.

A set of nodes is an integer whose bits are the nodes; ``beside`` holds the neighbours of each node.
"""

from collections.abc import Sequence

from palaestra.generators.bitsets import ones
from palaestra.generators.solutions import SearchResult


def hamiltonian_path(beside: Sequence[int], budget: int = 50_000) -> SearchResult:
    """A path through all nodes; empty if the budget of states runs out.

    It tries the neighbours of lowest remaining degree first, after H. C. von Warnsdorff's rule for
    the knight (1823), and backtracks if the rest is disconnected or has too many dead ends.

    >>> hamiltonian_path([6, 1, 1]).solution
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
