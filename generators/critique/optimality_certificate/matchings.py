"""Largest matchings of graphs, and the sets of vertices that bound them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random

Edge = tuple[int, int]

CROWD = 4
"""The vertices of a cover on one side that are needed to hide it from those who look at vertices
with few edges.
"""


def neighbours(nodes: int, edges: Iterable[Edge]) -> list[list[int]]:
    """The neighbours of each vertex."""
    ways: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in edges:
        ways[u].append(v)
        ways[v].append(u)
    return ways


class Matching:
    """A largest matching, by the blossoms of J. Edmonds (1965)."""

    def __init__(self, nodes: int, edges: Iterable[Edge]) -> None:
        self.ways = neighbours(nodes, edges)
        self.mates = [-1] * nodes
        self.examined = 0
        for root in range(nodes):
            if self.mates[root] < 0:
                self._augment(root)

    @property
    def size(self) -> int:
        """The number of its edges."""
        return sum(mate >= 0 for mate in self.mates) // 2

    def _augment(self, root: int) -> None:
        end, parents = self._search(root)
        while end >= 0:
            before = parents[end]
            after = self.mates[before]
            self.mates[end], self.mates[before] = before, end
            end = after

    def _search(self, root: int, without: int = -1) -> tuple[int, list[int]]:
        """The end of an augmenting path from an exposed vertex, or -1, and the way back."""
        tree = _Tree(len(self.ways), root)
        parents = tree.parents
        for u in tree.queue:
            for v in self.ways[u]:
                self.examined += 1
                mate = self.mates[v]
                if v == without or tree.base[u] == tree.base[v] or self.mates[u] == v:
                    continue
                if v == root or (mate >= 0 and parents[mate] >= 0):
                    self._contract(tree, u, v)
                elif parents[v] < 0:
                    parents[v] = u
                    if mate < 0:
                        return v, parents
                    tree.reach(mate)
        return -1, parents

    def _contract(self, tree: "_Tree", u: int, v: int) -> None:
        """Shrink the odd cycle that an edge between two even vertices closes."""
        parents, base = tree.parents, tree.base
        stem, here = {base[u]}, base[u]
        while self.mates[here] >= 0:
            here = base[parents[self.mates[here]]]
            stem.add(here)
        top = base[v]
        while top not in stem:
            top = base[parents[self.mates[top]]]
        inside = set[int]()
        for start, beyond in ((u, v), (v, u)):
            here, back = start, beyond
            while base[here] != top:
                mate = self.mates[here]
                inside |= {base[here], base[mate]}
                parents[here], back, here = back, mate, parents[mate]
        for n, each in enumerate(base):
            if each in inside:
                base[n] = top
                tree.reach(n)

    def barrier(self) -> set[int]:
        """The vertices beside those that some largest matching leaves out, and not among them.

        T. Gallai (1963) and J. Edmonds (1965) show that they bound the size exactly.
        """
        avoidable = set[int]()
        for n, mate in enumerate(self.mates):
            if mate < 0 or self._search_without(n, mate):
                avoidable.add(n)
        return {v for n in avoidable for v in self.ways[n]} - avoidable

    def _search_without(self, node: int, mate: int) -> bool:
        """Whether the mate of a vertex can be matched in the graph without the vertex."""
        self.mates[node] = self.mates[mate] = -1
        end, _ = self._search(mate, node)
        self.mates[node], self.mates[mate] = mate, node
        return end >= 0


class _Tree:
    """The alternating tree of a search: what leads to each vertex, and the blossoms."""

    def __init__(self, nodes: int, root: int) -> None:
        self.parents, self.base = [-1] * nodes, [*range(nodes)]
        self.even, self.queue = set[int](), list[int]()
        self.reach(root)

    def reach(self, node: int) -> None:
        """Go on from a vertex, unless that was done before."""
        if node not in self.even:
            self.even.add(node)
            self.queue.append(node)


def bipartite_cover(nodes: int, edges: Sequence[Edge]) -> tuple[set[int], int]:
    """A smallest vertex cover of a bipartite graph, whose edges have their left end first, and the
    edges that were examined (D. Kőnig, 1931).
    """
    matching = Matching(nodes, edges)
    left = {u for u, _ in edges}
    queue = [u for u in left if matching.mates[u] < 0]
    seen = {*queue}
    for u in queue:
        for v in matching.ways[u]:
            if v not in seen:
                seen.add(v)
                back = matching.mates[v]
                if back not in seen:
                    seen.add(back)
                    queue.append(back)
    return (left - seen) | (seen - left), matching.examined


def random_bipartite(rng: Random, nodes: int) -> tuple[list[Edge], int]:
    """A bipartite graph whose smallest cover has vertices of both sides, and its matching's size.

    On each side, a vertex that is not in the cover is joined to all vertices of the cover on the
    other side, and so has more edges than these. Where there is room, some vertices of the cover
    have only two edges instead, fewer than all that are not in it: whoever takes the neighbours of
    vertices with few edges is wrong there.
    """
    order = rng.sample(range(nodes), nodes)
    size = (nodes - 2) // 2
    crowded = size > 6 or (size > 4 and rng.random() < 0.5)
    first = rng.randint(3, size - 3) if size == 6 else 1
    if crowded:
        first = size // 2 if size > 8 else CROWD
    left, right = order[:first], order[first:size]  # the cover
    beside, other = order[size : size + first], order[size + first : 2 * size]  # one for each
    one, two, *more = order[2 * size :]
    edges = {*zip(left, beside), *zip(other, right)}
    edges |= {(u, one) for u in left} | {(hub, v) for hub in (two, *more) for v in right}
    edges |= {(rng.choice(left[:2]), rng.choice(right)) for _ in range(1 + size // 6)}
    if crowded:
        edges |= {(u, v) for u in left[:2] for v in beside} | {(left[2], v) for v in beside[:2]}
    elif size > 5:
        edges.add((rng.choice(left), rng.choice(beside)))
    if size > 5:
        edges.add((rng.choice(other), rng.choice(right)))
    if rng.random() < 0.5:  # the sides change places
        edges = {(v, u) for u, v in edges}
    listed = sorted(edges)
    rng.shuffle(listed)
    return listed, size


def random_barred(rng: Random, nodes: int) -> tuple[list[Edge], int]:
    """A graph in which a few vertices hold odd components together, and its matching's size.

    The components are single vertices and parts of up to five vertices with many edges, and most of
    them have edges to several vertices of the barrier, so that none of these stands out.
    """
    order = rng.sample(range(nodes), nodes)
    number = max(1, nodes // 6)
    barrier, left = order[:number], order[number:]
    sizes = [1] * (number + 2)
    while len(left) - sum(sizes) >= 2:
        least = min(sizes)
        n = rng.choice([n for n, size in enumerate(sizes) if size < least + 4])
        sizes[n] += 2
    if len(left) > sum(sizes):  # an even component
        sizes.append(len(left) - sum(sizes))
    parts = []
    for size in sizes:
        parts.append(left[:size])
        left = left[size:]
    edges = set[Edge]()
    for part in parts:
        if len(part) > 1:
            edges |= {*zip(part, [*part[1:], part[0]])}
            edges |= {(u, v) for u in part for v in part if u < v and rng.random() < 0.4}
    odd = [part for part in parts if len(part) % 2]
    edges |= {(u, rng.choice(part)) for u, part in zip(barrier, rng.sample(odd, len(odd)))}
    for part in parts:
        for u in rng.sample(barrier, min(number, 2)):
            edges.add((u, rng.choice(part)))
    listed = sorted({(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]})
    rng.shuffle(listed)
    return listed, (nodes + number - len(odd)) // 2


def careless_covers(
    rng: Random, nodes: int, edges: Sequence[Edge], size: int
) -> Mapping[str, set[int]]:
    """Covers of players who compute no matching."""
    degrees = [len(each) for each in neighbours(nodes, edges)]
    order = sorted(rng.sample(range(nodes), nodes), key=lambda n: -degrees[n])
    greedy, rest = set[int](), [*edges]
    while rest:
        best = max(range(nodes), key=lambda n: (sum(n in each for each in rest), rng.random()))
        greedy.add(best)
        rest = [edge for edge in rest if best not in edge]
    return {
        "greedy": greedy,
        "next to few edges": _beside_leaves(rng, nodes, edges),
        "most edges": {*order[:size]},
        "left": {u for u, _ in edges},
        "right": {v for _, v in edges},
        "random": {*rng.sample(range(nodes), size)},
    }


def _beside_leaves(rng: Random, nodes: int, edges: Sequence[Edge]) -> set[int]:
    """For the vertex with the fewest edges left, its neighbour with the most, again and again."""
    chosen, rest = set[int](), [*edges]
    while rest:
        ways = neighbours(nodes, rest)
        least = min(
            (n for n in range(nodes) if ways[n]), key=lambda n: (len(ways[n]), rng.random())
        )
        best = max(ways[least], key=lambda n: (len(ways[n]), rng.random()))
        chosen.add(best)
        rest = [edge for edge in rest if best not in edge]
    return chosen


def careless_barriers(
    rng: Random, nodes: int, edges: Sequence[Edge], size: int
) -> Mapping[str, set[int]]:
    """Sets of vertices of players who look at numbers of edges or at cut vertices."""
    ways = neighbours(nodes, edges)
    order = sorted(rng.sample(range(nodes), nodes), key=lambda n: -len(ways[n]))
    cuts = [len(components(nodes, edges, {n})) for n in range(nodes)]
    few = max(1, nodes // 6)
    return {
        "best cut vertices": {
            *sorted(range(nodes), key=lambda n: (-cuts[n], order.index(n)))[:few]
        },
        "most edges": {*order[:few]},
        "most edges of all": {*order[:1]},
        "fewest edges": {*order[-few:]},
        "cut vertices": {n for n in range(nodes) if cuts[n] > min(cuts)},
        "random": {*rng.sample(range(nodes), few)},
        "none": set(),
    }


def components(nodes: int, edges: Iterable[Edge], without: Collection[int]) -> list[set[int]]:
    """The components of a graph without some vertices, by merging sets along its edges.

    >>> components(4, [(0, 1), (1, 2)], {1})
    [{0}, {2}, {3}]
    """
    own = {n: {n} for n in range(nodes) if n not in without}
    for u, v in edges:
        if u in own and v in own and own[u] is not own[v]:
            own[u] |= own[v]
            for n in own[v]:
                own[n] = own[u]
    return [each for n, each in own.items() if n == min(each)]
