"""Maximum matchings of bipartite graphs, and what follows from them."""

from collections.abc import Sequence


def matching(ways: Sequence[Sequence[int]], left: Sequence[int]) -> tuple[dict[int, int], int]:
    """A maximum matching of a bipartite graph, from right to left, and the edges examined.

    The same numbers may stand for nodes on both sides.

    Each node on the left looks for an augmenting path, as in Harold Kuhn's method (1955).

    >>> matching([[2, 3], [2], [0, 1], [0]], [0, 1])[0]
    {2: 1, 3: 0}
    """
    partner: dict[int, int] = {}
    examined = 0

    def augment(node: int, seen: set[int]) -> bool:
        nonlocal examined
        for near in ways[node]:
            examined += 1
            if near not in seen:
                seen.add(near)
                if near not in partner or augment(partner[near], seen):
                    partner[near] = node
                    return True
        return False

    for node in left:
        augment(node, set())
    return dict(sorted(partner.items())), examined
