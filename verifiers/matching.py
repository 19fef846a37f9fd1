"""The largest matching of a bipartite graph (Hopcroft and Karp, 1973)."""

from collections.abc import Iterator, Sequence

FREE = -1
"""The partner of a vertex that has none."""


def largest_matching(neighbours: Sequence[Sequence[int]]) -> int:
    """How many pairs a largest matching has.

    ``neighbours`` lists, for each vertex on the left, the vertices on the right that it may be
    paired with, numbered from 0. Takes O(edges * sqrt(vertices)) steps.

    >>> largest_matching([[0, 1], [0], [0]])
    2
    """
    matching = _Matching(neighbours)
    while matching.grows():
        pass
    return matching.size


class _Matching:
    """A matching that grows by one phase of the algorithm at a time."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        right = 1 + max((max(some) for some in neighbours if some), default=-1)
        self.neighbours = neighbours
        self.partners = [FREE] * len(neighbours)
        self.owners = [FREE] * right
        self.size = 0

    def grows(self) -> bool:
        """Exchange the edges of disjoint shortest alternating paths; whether there was one."""
        depths = self._depths()
        edges = [iter(some) for some in self.neighbours]  # none is followed twice in a phase
        before = self.size
        for start, partner in enumerate(self.partners):
            if partner == FREE:
                self.size += self._augments(start, depths, edges)
        return self.size > before

    def _depths(self) -> list[int]:
        """The distance of each vertex on the left from a free one along alternating paths, as far
        as the shortest path that ends free on the right.
        """
        far = len(self.partners)
        depths = [0 if partner == FREE else far for partner in self.partners]
        layer = [vertex for vertex, partner in enumerate(self.partners) if partner == FREE]
        depth = 0
        while layer:
            depth += 1
            reached = {self.owners[other] for vertex in layer for other in self.neighbours[vertex]}
            if FREE in reached:
                break
            layer = [owner for owner in reached if depths[owner] == far]
            for owner in layer:
                depths[owner] = depth
        return depths

    def _augments(self, start: int, depths: list[int], edges: Sequence[Iterator[int]]) -> bool:
        """Follow a shortest path from a free vertex and exchange its edges, if there is one."""
        path = [start]
        while path:
            vertex = path[-1]
            other = next(edges[vertex], None)
            if other is None:
                path.pop()
            elif (owner := self.owners[other]) == FREE:
                self._exchange(path, other)
                return True
            elif depths[owner] == depths[vertex] + 1:
                path.append(owner)
        return False

    def _exchange(self, path: Sequence[int], end: int) -> None:
        """Pair each vertex of a path with the next one's partner, and the last with its end."""
        for vertex in reversed(path):
            self.owners[end] = vertex
            self.partners[vertex], end = end, self.partners[vertex]
