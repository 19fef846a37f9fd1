"""Properties of graphs with a few vertices, and lists of such graphs."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations, product

from palaestra.generators.critique.counterexample.properties import Property

Edge = tuple[int, int]


class Graph:
    """A simple graph on the vertices from 0, by the bits of the neighbours of each vertex."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = tuple(rows)

    @classmethod
    def of(cls, vertices: int, edges: Iterable[Edge]) -> "Graph":
        """The graph with these edges."""
        rows = [0] * vertices
        for u, v in edges:
            rows[u] |= 1 << v
            rows[v] |= 1 << u
        return cls(rows)

    def edges(self) -> list[Edge]:
        """Its edges."""
        return [(u, v) for u, v in combinations(range(len(self.rows)), 2) if self.rows[u] >> v & 1]

    def degrees(self) -> list[int]:
        """The degrees of its vertices."""
        return [row.bit_count() for row in self.rows]

    def without(self, vertex: int) -> "Graph":
        """The graph without a vertex, which keeps the order of the others."""
        low = (1 << vertex) - 1
        rows = [row & low | row >> 1 & ~low for n, row in enumerate(self.rows) if n != vertex]
        return Graph(rows)


def components(graph: Graph) -> int:
    """The number of connected components."""
    left, number = (1 << len(graph.rows)) - 1, 0
    while left:
        reached, border = 0, left & -left
        while border:
            reached |= border
            grown = reached
            for n, row in enumerate(graph.rows):
                if border >> n & 1:
                    grown |= row
            border = grown & ~reached
        left &= ~reached
        number += 1
    return number


def is_colourable(graph: Graph, colours: int) -> bool:
    """Whether the vertices have a proper colouring."""
    edges = graph.edges()
    first = [(0,), *[tuple(range(colours))] * (len(graph.rows) - 1)]
    return any(all(row[u] != row[v] for u, v in edges) for row in product(*first))


def has_clique(graph: Graph, size: int, joined: bool = True) -> bool:
    """Whether some vertices are pairwise joined, or pairwise not joined."""
    return any(
        all((graph.rows[u] >> v & 1) == joined for u, v in combinations(some, 2))
        for some in combinations(range(len(graph.rows)), size)
    )


def has_four_cycle(graph: Graph) -> bool:
    """Whether two vertices have two common neighbours."""
    return any((a & b).bit_count() > 1 for a, b in combinations(graph.rows, 2))


def is_hamiltonian(graph: Graph, closed: bool = True) -> bool:
    """Whether a cycle, or a path, visits each vertex once."""

    def reaches(vertex: int, left: int) -> bool:
        if not left:
            return not closed or bool(graph.rows[vertex] & 1)
        options = graph.rows[vertex] & left
        while options:
            lowest = options & -options
            if reaches(lowest.bit_length() - 1, left & ~lowest):
                return True
            options &= ~lowest
        return False

    every = (1 << len(graph.rows)) - 1
    if closed:
        return len(graph.rows) > 2 and reaches(0, every & ~1)
    return any(reaches(start, every & ~(1 << start)) for start in range(len(graph.rows)))


def has_perfect_matching(graph: Graph) -> bool:
    """Whether edges without common vertices cover all vertices."""

    def covers(left: int) -> bool:
        if not left:
            return True
        first = (left & -left).bit_length() - 1
        options = graph.rows[first] & left
        return any(
            covers(left & ~(1 << first) & ~(1 << n))
            for n in range(len(graph.rows))
            if options >> n & 1
        )

    return covers((1 << len(graph.rows)) - 1)


def has_bridge(graph: Graph) -> bool:
    """Whether an edge is the only connection of its ends."""
    edges, number = graph.edges(), components(graph)
    rest = (edges[:n] + edges[n + 1 :] for n in range(len(edges)))
    return any(components(Graph.of(len(graph.rows), each)) > number for each in rest)


def has_cut_vertex(graph: Graph) -> bool:
    """Whether the graph has more components without some vertex."""
    number = components(graph)
    return any(components(graph.without(n)) > number for n in range(len(graph.rows)))


def complement(graph: Graph) -> Graph:
    """The graph whose edges are the pairs that are not joined."""
    every = (1 << len(graph.rows)) - 1
    return Graph([every & ~row & ~(1 << n) for n, row in enumerate(graph.rows)])


def has_small_distances(graph: Graph) -> bool:
    """Whether any two vertices are joined or have a common neighbour."""
    pairs = combinations(range(len(graph.rows)), 2)
    return all(graph.rows[u] >> v & 1 or graph.rows[u] & graph.rows[v] for u, v in pairs)


def invariant(graph: Graph) -> tuple[object, ...]:
    """A value that isomorphic graphs share, and no two others with up to six vertices."""
    rows, degrees = graph.rows, graph.degrees()
    colours: list[object] = list(degrees)
    for _ in range(2):
        colours = [
            (colours[n], tuple(sorted(repr(colours[m]) for m in range(len(rows)) if row >> m & 1)))
            for n, row in enumerate(rows)
        ]
    triangles = sorted(
        sum((row & rows[m]).bit_count() for m in range(len(rows)) if row >> m & 1) for row in rows
    )
    pairs = sorted(
        (a & b).bit_count() * 2 + (a >> m & 1)
        for (_, a), (m, b) in combinations(enumerate(rows), 2)
    )
    return (sum(degrees), components(graph), tuple(sorted(map(repr, colours))), tuple(triangles),
            tuple(pairs))  # fmt: skip


@lru_cache(maxsize=8)
def objects(size: int) -> Sequence[Graph]:
    """Graphs with ``size`` vertices, one for each value of an invariant, by number of edges."""
    if size == 1:
        return (Graph([0]),)
    known: dict[tuple[object, ...], Graph] = {}
    last = 1 << size - 1
    for graph in objects(size - 1):
        for neighbours in range(last):
            rows = [row | (last if neighbours >> n & 1 else 0) for n, row in enumerate(graph.rows)]
            grown = Graph([*rows, neighbours])
            known.setdefault(invariant(grown), grown)
    return tuple(sorted(known.values(), key=lambda graph: sum(graph.degrees())))


def _has(noun: str, holds: Callable[[Graph], bool]) -> Property[Graph]:
    return Property(f"has {noun}", f"has no {noun.removeprefix('a ')}", holds)


PROPERTIES: tuple[Property[Graph], ...] = (
    Property("is connected", "is not connected", lambda g: components(g) == 1),
    Property("is bipartite", "is not bipartite", lambda g: is_colourable(g, 2)),
    Property(
        "can be properly coloured with 3 colours",
        "cannot be properly coloured with 3 colours",
        lambda g: is_colourable(g, 3),
    ),
    _has("a triangle", lambda g: has_clique(g, 3)),
    _has("a cycle of length 4", has_four_cycle),
    _has("a cycle", lambda g: len(g.edges()) > len(g.rows) - components(g)),
    _has("a Hamiltonian cycle", is_hamiltonian),
    _has("a Hamiltonian path", lambda g: is_hamiltonian(g, closed=False)),
    _has("a vertex of degree 1", lambda g: 1 in g.degrees()),
    _has("a vertex of degree 2", lambda g: 2 in g.degrees()),
    _has("a vertex of degree above 3", lambda g: max(g.degrees()) > 3),
    _has("a vertex of odd degree", lambda g: any(d % 2 for d in g.degrees())),
    _has("a bridge", has_bridge),
    _has("a cut vertex", has_cut_vertex),
    Property(
        "has three vertices of which no two are joined",
        "has no three vertices of which no two are joined",
        lambda g: has_clique(g, 3, joined=False),
    ),
    _has("a perfect matching", has_perfect_matching),
    Property(
        "has an even number of edges",
        "has an odd number of edges",
        lambda g: len(g.edges()) % 2 == 0,
    ),
    Property(
        "has more edges than vertices",
        "has at most as many edges as vertices",
        lambda g: len(g.edges()) > len(g.rows),
    ),
    Property(
        "has a connected complement",
        "has a complement that is not connected",
        lambda g: components(complement(g)) == 1,
    ),
    Property(
        "has a path of at most two edges between any two vertices",
        "has two vertices without a path of at most two edges between them",
        has_small_distances,
    ),
    Property(
        "has vertices that all have the same degree",
        "has two vertices of different degrees",
        lambda g: len(set(g.degrees())) == 1,
    ),
    Property(
        "has three or more vertices of the same degree",
        "has no three vertices of the same degree",
        lambda g: any(g.degrees().count(d) > 2 for d in set(g.degrees())),
    ),
)
"""Properties of graphs, each with its negation."""
