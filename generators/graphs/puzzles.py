"""Graphs in several encodings, and base classes of the puzzles about them.

How a graph is put into text decides much of how well a language model reasons about it (Bahare
Fatemi, Jonathan Halcrow and Bryan Perozzi, "Talk like a Graph", 2023), so the encoding is a knob.
One encoding is held out: only tasks that are reserved for evaluation use it.

A new environment combines what an answer is (:class:`NodeSet`, :class:`EdgeSet`, :class:`Walk` or
:class:`NodeOrder`) with how it is judged (:class:`GraphOptimum` or :class:`GraphFeasibility`, which
list what is left to define)::

    class MaximumCut(NodeSet, GraphOptimum): ...
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise, permutations
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from palaestra.generators.baselines import natural_orders, one_pass, pared
from palaestra.generators.graphs.scenes import PLAIN, Look, along, network, numbered
from palaestra.generators.random_graphs import Edge, Form, in_order, node_names, written
from palaestra.generators.solutions import Feasibility, Optimum
from palaestra.scenes import Scene
from palaestra.scenes.entries import ElementsEntry, Entry, PairsEntry
from palaestra.task import Puzzle, Sentence, ladder
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.nodes import edge_list, edges_violation, node_set, walk

Encoding = Literal["edges", "neighbours", "matrix", "incidence", "prose", "roads"]
HELD_OUT: Encoding = "roads"
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

Choice = Literal["any", "edges", "neighbours", "matrix", "incidence", "prose"]
"""Values of the knob; ``any`` samples one of all encodings."""


def ranked(names: Sequence[str]) -> list[int]:
    """The numbers of names in alphabetical order, or in that of the numbers that they are.

    >>> ranked(["10", "9"]), ranked(["Bo", "Ada"])
    ([1, 0], [1, 0])
    """
    return [*in_order(tuple(names))]


class Graph(NamedTuple):
    """A simple graph, whose nodes are numbered from 0 and have names, and its encoding."""

    names: tuple[str, ...]
    edges: tuple[tuple[int, ...], ...]
    """Pairs of nodes, each followed by a number if the edges have a measure."""

    encoding: Encoding
    directed: bool = False
    measure: str = ""
    """The name of the numbers on the edges, such as length."""

    @classmethod
    def of_arcs(
        cls,
        rng: Random,
        nodes: int,
        arcs: Iterable[tuple[int, ...]],
        choice: Choice,
        measure: str = "",
    ) -> "Graph":
        """A directed graph with random names and its edges in random order."""
        mixed = list(arcs)
        rng.shuffle(mixed)
        encoding = rng.choice(ENCODINGS) if choice == "any" else choice
        return cls(node_names(rng, nodes), tuple(mixed), encoding, True, measure)

    @classmethod
    def of_edges(
        cls,
        rng: Random,
        nodes: int,
        edges: Iterable[tuple[int, ...]],
        choice: Choice,
        measure: str = "",
    ) -> "Graph":
        """An undirected graph with random names, and its edges and their ends in random order."""
        toss = rng.random
        turned = [(e[1], e[0], *e[2:]) if toss() < 0.5 else tuple(e) for e in edges]
        return cls.of_arcs(rng, nodes, turned, choice, measure)._replace(directed=False)

    def key(self) -> list[tuple[int, ...]]:
        """The edges in order, the lower node first if they have no direction."""
        return list(_in_order(self))

    def pairs(self) -> list[Edge]:
        """The edges as pairs of nodes, in the order of :meth:`key`."""
        return [(edge[0], edge[1]) for edge in _in_order(self)]

    def weights(self) -> Mapping[Edge, int]:
        """The number of each edge, from either end if it has no direction."""
        return _weights(self)

    def lengths(self) -> Mapping[int, Mapping[int, int]]:
        """The number of each edge by start and end, from either end if it has no direction."""
        return _lengths(self)

    def ways(self) -> tuple[tuple[int, ...], ...]:
        """The nodes to which an edge leads from each node, in order."""
        return _beside(self)

    def masks(self) -> list[int]:
        """The nodes to which an edge leads from each node, as the bits of an integer.

        >>> Graph(tuple("ABC"), ((0, 1), (0, 2)), "edges").masks()
        [6, 1, 1]
        """
        return [sum(1 << near for near in nodes) for nodes in self.ways()]

    def switched(self, rng: Random) -> Iterator["Graph"]:
        """Graphs in which two edges have exchanged their ends, so that all degrees stay as they
        are, in random order; the edges keep their order and have no measure.
        """
        known = {frozenset(edge) for edge in self.edges}
        numbers = [*combinations(range(len(self.edges)), 2)]
        for one, other in rng.sample(numbers, len(numbers)):
            (a, b), (c, d) = self.edges[one], self.edges[other]
            if len({a, b, c, d}) == 4 and known.isdisjoint(map(frozenset, ((a, d), (c, b)))):
                edges = [*self.edges]
                edges[one], edges[other] = (a, d), (c, b)
                yield self._replace(edges=tuple(edges))

    def ranked(self) -> list[int]:
        """The nodes in the order of their names."""
        return ranked(self.names)

    def elements(self) -> tuple[tuple[str, str], ...]:
        """The nodes as elements of pictures, where they stand by name, and their names."""
        return tuple((f"node-{n}", self.names[node]) for n, node in enumerate(self.ranked()))

    def listing(self, nodes: Iterable[int], separator: str = ", ") -> str:
        """Nodes by their names.

        >>> Graph(tuple("ABC"), (), "edges").listing([2, 0])
        'C, A'
        """
        return separator.join(self.names[node] for node in nodes)

    def pairing(self, edges: Iterable[Sequence[int]]) -> str:
        """Edges by the names of their ends.

        >>> Graph(tuple("ABC"), (), "edges").pairing([(2, 0), (0, 1)])
        'C-A, A-B'
        """
        arrow = "->" if self.directed else "-"
        return ", ".join(f"{self.names[edge[0]]}{arrow}{self.names[edge[1]]}" for edge in edges)

    def lines(self) -> list[str]:
        """The parts of the text whose order does not matter; none of a matrix.

        >>> Graph(tuple("ABC"), ((0, 1), (1, 2)), "prose").lines()
        ['A and B are joined by an edge.', 'B and C are joined by an edge.']
        """
        if self.encoding in {"matrix", "incidence"} or not self.edges:
            return []
        _, *rest = self.as_text().splitlines()
        if self.encoding == "prose":
            return [f"{sentence}." for sentence in rest[0].removesuffix(".").split(". ")]
        return rest[1:]

    def as_text(self) -> str:
        """The graph in its encoding.

        >>> print(Graph(tuple("AB"), ((0, 1, 4),), "roads", measure="length").as_text())
        Places, which are the nodes: A, B.
        Roads, which are the edges:
        A road of length 4 joins A and B.
        """
        if self.encoding == "roads":
            return self._roads()
        if self.encoding == "incidence":
            return self._incidence()
        form: Form = self.encoding
        return written(self.names, self.edges, form, directed=self.directed, measure=self.measure)

    def _roads(self) -> str:
        sentences = []
        for u, v, *more in self.edges:
            size = "".join(f" of {self.measure} {number}" for number in more)
            one, other = self.names[u], self.names[v]
            sentences.append(
                f"A one-way road{size} leads from {one} to {other}."
                if self.directed
                else f"A road{size} joins {one} and {other}."
            )
        listed = self.listing(self.ranked())
        head = f"Places, which are the nodes: {listed}.\nRoads, which are the edges:"
        return "\n".join([head, *sentences])

    def _incidence(self) -> str:
        leaves, enters = ("-1", "1") if self.directed else ("1", "1")
        numbers = [str(edge[2]) for edge in self.edges] if self.measure else []
        width = max(len(leaves), *map(len, numbers)) if numbers else len(leaves)
        cells = [[".".rjust(width)] * len(self.edges) for _ in self.names]
        leaves, enters = leaves.rjust(width), enters.rjust(width)
        for column, edge in enumerate(self.edges):
            cells[edge[0]][column], cells[edge[1]][column] = leaves, enters
        first = max(map(len, [*self.names, self.measure]))
        lines = [" ".join([self.names[n].ljust(first), *cells[n]]) for n in self.ranked()]
        if self.measure:
            padded = [number.rjust(width) for number in numbers]
            lines.append(" ".join([self.measure.ljust(first), *padded]))
        how = (
            "-1 at the node that the edge leaves and 1 at the node that it enters"
            if self.directed
            else "1 at the two nodes that the edge joins"
        )
        last = f" The last row has the {self.measure} of each edge." if self.measure else ""
        head = f"The matrix has a row for each node and a column for each edge, with {how}.{last}"
        return "\n".join([head, *lines])

    def described(self) -> str:
        """Whether it is directed, and what its edges have, as a noun phrase."""
        graph = "a directed graph" if self.directed else "an undirected graph"
        return graph + (f", with a {self.measure} for each edge" if self.measure else "")


@lru_cache(maxsize=256)
def _in_order(graph: Graph) -> tuple[tuple[int, ...], ...]:
    if graph.directed:
        return tuple(sorted(graph.edges))
    edges = graph.edges
    return tuple(sorted([e if e[0] < e[1] else (e[1], e[0], *e[2:]) for e in edges]))


@lru_cache(maxsize=256)
def _beside(graph: Graph) -> tuple[tuple[int, ...], ...]:
    beside: list[list[int]] = [[] for _ in graph.names]
    for u, v in graph.pairs():
        beside[u].append(v)
        if not graph.directed:
            beside[v].append(u)
    return tuple(tuple(sorted(near)) for near in beside)


@lru_cache(maxsize=256)
def _weights(graph: Graph) -> dict[Edge, int]:
    by_edge = {(u, v): weight for u, v, weight in _in_order(graph)}
    return by_edge if graph.directed else by_edge | {(v, u): w for (u, v), w in by_edge.items()}


@lru_cache(maxsize=256)
def _lengths(graph: Graph) -> dict[int, dict[int, int]]:
    lengths: dict[int, dict[int, int]] = {node: {} for node in range(len(graph.names))}
    for u, v, length in _in_order(graph):
        lengths[u][v] = length
        if not graph.directed:
            lengths[v][u] = length
    return lengths


class GraphPuzzle(Puzzle):
    """A puzzle about a graph, which the prompt shows in one of several encodings."""

    class Knobs(Puzzle.Knobs):
        encoding: Choice = ladder("any")

    graph: Graph

    def is_valid(self) -> bool:
        return self.graph.encoding != HELD_OUT or self.held_out()

    def canonical(self) -> str:
        return repr(self.graph.key())

    def sentences(self) -> Sequence[Sentence]:
        """The edges or neighbourhoods, where the encoding lists them one by one."""
        return [Sentence(line) for line in self.graph.lines()]

    def with_graph(self, task: str) -> str:
        """The prompt: the graph, and then the task."""
        return f"Here is {self.graph.described()}.\n\n{self.graph.as_text()}\n\n{task}"

    def look(self) -> Look:
        """What the picture of the graph marks in the question."""
        return PLAIN

    def scene(self) -> Scene:
        return network(self.graph, self.look())

    def example(self, number: int, first: int = 0) -> str:
        """Some names for an example, in alphabetical order, so that they reveal nothing."""
        return self.graph.listing(self.graph.ranked()[first : first + number])


class GraphFeasibility(GraphPuzzle, Feasibility):
    """A puzzle about a graph in which every solution that satisfies the rules is right.

    Define ``generate``, ``prompt``, ``violation``, ``search`` and ``naive_solutions``, and, unless
    a class for the form of the answer does, ``read`` and ``as_text``.
    """

    def is_valid(self) -> bool:
        return GraphPuzzle.is_valid(self) and Feasibility.is_valid(self)


class GraphOptimum(GraphPuzzle, Optimum):
    """A puzzle about a graph that asks for a best solution.

    Define ``worth`` and what a :class:`GraphFeasibility` needs.
    """

    def is_valid(self) -> bool:
        return GraphPuzzle.is_valid(self) and Optimum.is_valid(self)


HEADINGS = ("node", "nodes", "vertices", "set", "set of nodes", "node set")
"""The words before a set of nodes."""


class NodeSet(GraphPuzzle):
    """A puzzle whose solution is a set of nodes; without other rules, the worth is its size."""

    headings: ClassVar[Sequence[str]] = ()
    """What answers may call the set, beside the general words."""

    def any_optimum(self, task: str, nodes: str = "chosen nodes") -> str:
        """The prompt for an optimal set: the graph, the task and the form of the answer."""
        return self.with_graph(
            f"{task} If several solutions are optimal, any of them will do. Write the {nodes} on "
            f"one line in any order, such as '{self.example(3)}'."
        )

    def read(self, answer: str) -> tuple[int, ...]:
        return node_set(unheaded(answer, (*HEADINGS, *self.headings)), self.graph.names)

    def as_text(self, solution: Iterable[int]) -> str:
        return self.graph.listing(solution) or "none"

    def worth(self, solution: Any) -> int:
        return len(solution)

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """One pass over the nodes, by name and by degree from either end, and at random.

        Where all nodes together satisfy the rules, a pass removes each node that need not be in
        the set; elsewhere it adds each node that may be in it.
        """
        ways, nodes = self.graph.ways(), self.graph.ranked()
        orders = natural_orders(nodes, rng, {"degree": lambda node: len(ways[node])})
        if self.violation(nodes):
            return {name: one_pass(order, self.satisfied) for name, order in orders.items()}
        return {f"without {name}": pared(order, self.satisfied) for name, order in orders.items()}

    def satisfied(self, nodes: Iterable[int]) -> bool:
        """Whether a set of nodes satisfies the rules."""
        return not self.violation(nodes)

    def solved_scene(self, answer: str) -> Scene:
        nodes = self.read(answer)
        return network(self.graph, self.look().with_nodes(nodes).with_edges(self.marked(nodes)))

    def entry(self) -> Entry:
        return ElementsEntry(self.graph.elements())

    def marked(self, nodes: Sequence[int]) -> Iterable[Edge]:
        """The edges that the picture of some chosen nodes marks."""
        return ()

    def inside(self, nodes: Iterable[int]) -> list[Edge]:
        """The edges that join two of some nodes."""
        chosen = set(nodes)
        return [(u, v) for u, v in self.graph.pairs() if u in chosen and v in chosen]

    @abstractmethod
    def violation(self, solution: Any) -> str:
        """Which rule a set of nodes breaks; empty if it satisfies all of them."""

    def candidates(self) -> Iterable[str]:
        nodes = range(len(self.graph.names))
        sizes = range(1, len(nodes) + 1)
        return map(self.as_text, chain.from_iterable(combinations(nodes, n) for n in sizes))


class EdgeSet(GraphPuzzle):
    """A puzzle whose solution is a set of edges, and its worth the sum of their numbers."""

    def edges_example(self) -> str:
        """Two pairs of nodes for an example, in alphabetical order."""
        one, two, three, four = self.graph.ranked()[:4]
        return self.graph.pairing([(one, two), (three, four)])

    def read(self, answer: str) -> tuple[Edge, ...]:
        return edge_list(answer, self.graph.names)

    def as_text(self, solution: Iterable[Sequence[int]]) -> str:
        return self.graph.pairing(solution) or "none"

    def violation(self, solution: Any) -> str:
        graph = self.graph
        return edges_violation(solution, graph.pairs(), graph.names, directed=graph.directed)

    def solved_scene(self, answer: str) -> Scene:
        return network(self.graph, self.look().with_edges(self.read(answer)))

    def entry(self) -> Entry:
        one, other = self.graph.ranked()[:2]
        names = self.graph.names
        joined = self.as_text([(one, other)])[len(names[one]) : -len(names[other])]
        return PairsEntry(self.graph.elements(), joined)

    def worth(self, solution: Any) -> int:
        weights = self.graph.weights()
        return sum(weights[edge] for edge in solution)


class Walk(GraphPuzzle):
    """A puzzle whose solution is a walk along edges, and its worth the sum of their numbers."""

    def walk_example(self, nodes: int) -> str:
        """A walk for an example, in alphabetical order."""
        return self.graph.listing(self.graph.ranked()[:nodes], " -> ")

    def read(self, answer: str) -> tuple[int, ...]:
        return walk(answer, self.graph.names)

    def as_text(self, solution: Iterable[int]) -> str:
        return self.graph.listing(solution, " -> ")

    def entry(self) -> Entry:
        one, other = self.graph.ranked()[:2]
        names = self.graph.names
        separator = self.as_text((one, other))[len(names[one]) : -len(names[other])]
        return ElementsEntry(self.graph.elements(), separator, ordered=True, repeats=True)

    def solved_scene(self, answer: str) -> Scene:
        steps = along(self.read(answer))
        look = self.look().with_edges(steps)
        if not self.graph.measure:
            look = look._replace(texts=numbered(steps, self.graph.directed))
        return network(self.graph, look)

    def violation(self, solution: Any) -> str:
        """A step along an edge that does not exist."""
        ways, names = self.graph.ways(), self.graph.names
        step = next(((u, v) for u, v in pairwise(solution) if v not in ways[u]), None)
        if step is None:
            return ""
        u, v = (names[node] for node in step)
        if self.graph.directed:
            return f"no edge leads from {u} to {v}"
        return f"no edge joins {u} and {v}"

    def worth(self, solution: Any) -> int:
        weights = self.graph.weights()
        return sum(weights[step] for step in pairwise(solution))


class NodeOrder(Walk):
    """A puzzle whose solution is an order of all nodes, such as a path through each of them."""

    def violation(self, solution: Any) -> str:
        for node, name in enumerate(self.graph.names):
            if (times := solution.count(node)) != 1:
                return f"{name} occurs {times} times"
        return ""

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, permutations(range(len(self.graph.names))))
