"""Graph colouring, which began with Francis Guthrie's four colours for a map (1852).

The exact search takes the nodes in the order of Daniel Brélaz's DSATUR (1979).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, cycle, product
from random import Random
from typing import Any, Self, TypeVar

from palaestra.generators.graphs.networks import (
    Coloring,
    bipartite,
    dsatur,
    first_fit,
    first_fit_fails,
    has_clique,
    neighbours,
)
from palaestra.generators.graphs.players import greedy_colorings
from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility, GraphPuzzle
from palaestra.generators.graphs.scenes import Look, network
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Scene
from palaestra.task import ladder
from palaestra.verifiers.certificates import coloring_violation
from palaestra.verifiers.reading.labels import pairs

COLORS = ("red", "green", "blue", "yellow", "white")

TONES = {"red": "c3", "green": "c2", "blue": "c0", "yellow": "c6", "white": "back"}
"""How the colours are drawn."""

T = TypeVar("T")

CRITICAL = {3: 2.3, 4: 4.4, 5: 6.7}
"""Edges per node beyond which large random graphs rarely have a colouring, by number of colours."""


class GraphColoring(GraphFeasibility):
    """Colour the nodes with as few colours as possible, no two neighbours in the same one."""

    version = 2
    tags = {"graphs", "constraints", "search"}
    baseline_note = (
        "colouring the most constrained node first is right in most random graphs below the "
        "threshold of colourability; larger graphs close to it mislead it more often"
    )

    class Knobs(GraphFeasibility.Knobs):
        colors: int = ladder(3, 3, 3, 4, 4, 4, 5)
        nodes_each: int = ladder(3, 4, 5, 4, 5, 6, 6, low=2, high=8)  # per colour
        tightness: float = ladder(0.75, 0.8, 0.85, 0.85, 0.9, 0.95, 0.95, low=0.7, high=1)

    colors: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.colors * knobs.nodes_each
        planted = [node % knobs.colors for node in range(nodes)]
        for node in range(nodes // 2, nodes):  # classes need not be of the same size
            planted[node] = rng.randrange(knobs.colors) if nodes > 8 else planted[node]
        free = [(u, v) for u, v in combinations(range(nodes), 2) if planted[u] != planted[v]]
        number = nodes * knobs.tightness * CRITICAL[knobs.colors]
        edges = rng.sample(free, min(round(number), len(free) * 5 // 6))
        graph = Graph.of_edges(rng, nodes, edges, knobs.encoding)
        return cls(graph=misleading(graph, knobs.colors), colors=knobs.colors)

    def is_valid(self) -> bool:
        if not GraphPuzzle.is_valid(self):
            return False
        nodes, pairs = self.network
        beside = neighbours(nodes, pairs)
        # This takes less time than the violations of the naive colourings.
        if not all(first_fit_fails(order, beside, self.colors) for order in self.orders()):
            return False
        if not self.clashes(self.cyclic()):
            return False
        if self.colors == 3:
            return not bipartite(beside)
        return dsatur(nodes, pairs, self.colors - 1).coloring is None

    @property
    def network(self) -> tuple[int, tuple[Edge, ...]]:
        """The number of nodes, and the edges in order."""
        return len(self.graph.names), tuple(self.graph.pairs())

    def orders(self) -> tuple[list[int], list[int]]:
        """The nodes in the order of their names, and in that of the edges in the prompt."""
        return self.graph.ranked(), listed(self.graph.edges)

    def cyclic(self) -> Coloring:
        """The colours in turn, in the order of the names."""
        turns = dict(zip(self.graph.ranked(), cycle(range(self.colors))))
        return tuple([turns[node] for node in range(len(turns))])

    def naive_solutions(self) -> list[Coloring]:
        """First-fit colourings by the names and by the edges, and all colours in turn."""
        beside = neighbours(*self.network)
        return [*(first_fit(order, beside, self.colors) for order in self.orders()), self.cyclic()]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        return greedy_colorings(self.graph.ranked(), self.graph.ways(), self.colors, rng)

    def clashes(self, coloring: Coloring) -> int:
        """How many edges join two nodes of one colour."""
        return sum([coloring[edge[0]] == coloring[edge[1]] for edge in self.graph.edges])

    def canonical(self) -> str:
        return repr((self.colors, self.graph.key()))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two edges exchange their ends, so that all nodes keep their degrees."""
        for graph in self.graph.switched(rng):
            yield self.model_copy(update={"graph": graph})

    def refutation(self, altered: Self) -> float | None:
        """The nodes that an exhaustive search colours. It takes a glance to see that there are more
        nodes than colours of which all are joined.
        """
        result = dsatur(*altered.network, self.colors)
        if result.coloring:
            return None
        clique = has_clique(altered.graph.masks(), self.colors + 1)
        return 0.0 if clique else float(result.examined)

    def prompt(self) -> str:
        colors = f"{', '.join(COLORS[: self.colors - 1])} and {COLORS[self.colors - 1]}"
        task = self.phrase(
            f"Colour every node with one of the {self.colors} colours {colors}, so that no edge "
            "joins two nodes of the same colour.",
            f"Give each node one of the {self.colors} colours {colors}. Two nodes that are joined "
            "by an edge must have different colours.",
        )
        return self.with_graph(
            f"{task} Any such colouring will do. Write one line for each node, such as "
            f"'{self.example(1)}: {COLORS[1]}'."
        )

    def search(self) -> SearchResult:
        fewer, result = (dsatur(*self.network, colors) for colors in (self.colors - 1, self.colors))
        assert result.coloring is not None, "the edges were sampled around a colouring"
        return SearchResult(result.coloring, fewer.examined + result.examined)

    def read(self, answer: str) -> list[int]:
        """The colour of each node, counted from 0."""
        colors = pairs(answer, names=self.graph.names, values=COLORS[: self.colors])
        return [COLORS.index(colors[name]) for name in self.graph.names]

    def solved_scene(self, answer: str) -> Scene:
        colors = [COLORS[color] for color in self.read(answer)]
        tones = {node: TONES[color] for node, color in enumerate(colors)}
        notes = {node: color[0] for node, color in enumerate(colors)}
        return network(self.graph, Look(nodes=tones).with_notes(notes))

    def as_text(self, solution: Sequence[int]) -> str:
        return "\n".join(f"{name}: {COLORS[c]}" for name, c in zip(self.graph.names, solution))

    def violation(self, solution: Sequence[int]) -> str:
        colors = [COLORS[color] for color in solution]
        return coloring_violation(colors, self.graph.pairs(), self.graph.names)

    def audit(self, answer: str) -> bool:
        """Whether the nodes of each colour have no neighbours among themselves."""
        coloring = pairs(answer, names=self.graph.names)
        beside = neighbours(*self.network)
        for color in COLORS[: self.colors]:
            alike = {
                n for n, name in enumerate(self.graph.names) if coloring[name].casefold() == color
            }
            if alike & {near for node in alike for near in beside[node]}:
                return False
        return True

    def random_baseline(self) -> float:
        if self.colors ** len(self.graph.names) > 1_000:
            return 0.0
        guesses = list(product(range(self.colors), repeat=len(self.graph.names)))
        return sum(self.clashes(guess) == 0 for guess in guesses) / len(guesses)

    def shortcuts(self) -> list[str]:
        return [*super().shortcuts(), self.as_text((0,) * len(self.graph.names))]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(colors=3, nodes_each=2, tightness=0.75)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, product(range(self.colors), repeat=len(self.graph.names)))


def listed(edges: Iterable[tuple[int, ...]]) -> list[int]:
    """The nodes in the order in which edges name them."""
    return list(dict.fromkeys(chain.from_iterable(edges)))


def misleading(graph: Graph, colors: int) -> Graph:
    """The graph with its names and edges in orders in which first-fit colouring fails.

    The orders do not change the problem, so a graph that most orders colour at once need not be
    discarded: this tries all rotations of two random orders, from either end. If none of them
    fails, the graph is not valid, and is returned as it is.
    """
    nodes, edges = graph.ranked(), graph.edges
    beside = neighbours(len(nodes), edges)
    names = graph.names
    for order in rotations(tuple(nodes)):
        if first_fit_fails(order, beside, colors):
            named = {node: graph.names[other] for node, other in zip(order, nodes)}
            names = tuple([named[node] for node in range(len(nodes))])
            break
    else:
        return graph
    for listing in (edges, edges[::-1]):
        ends = [*chain.from_iterable(listing)]
        for start in range(len(listing)):
            # The nodes in the order in which the edges from this one on name them.
            if first_fit_fails(
                dict.fromkeys(ends[2 * start :] + ends[: 2 * start]), beside, colors
            ):
                turned = listing[start:] + listing[:start]
                return graph._replace(names=names, edges=turned)
    return graph._replace(names=names)


def rotations(items: tuple[T, ...]) -> Iterator[tuple[T, ...]]:
    """All rotations of a sequence, forwards and then backwards.

    >>> list(rotations((1, 2, 3)))
    [(1, 2, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1), (2, 1, 3), (1, 3, 2)]
    """
    for each in (items, items[::-1]):
        for start in range(len(each)):
            yield each[start:] + each[:start]
