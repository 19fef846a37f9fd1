"""A graph as a value, the encodings in which it is told, and what puzzles about graphs share.

How a graph is put into text decides much of how well a language model reasons about it (Bahare
Fatemi, Jonathan Halcrow and Bryan Perozzi, "Talk like a Graph", 2023), so the encoding is a knob.
One encoding is held out: only tasks that are reserved for evaluation are told in it.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Literal, NamedTuple, get_args

from palaestra.generators.random_graphs import Edge, Form, in_order, node_names, written
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.certificates import gap

Encoding = Literal["edges", "neighbours", "matrix", "incidence", "prose", "roads"]
HELD_OUT: Encoding = "roads"
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

Choice = Literal["any", "edges", "neighbours", "matrix", "incidence", "prose"]
"""What the knob may be set to; ``any`` draws one of them all."""


def ranked(names: Sequence[str]) -> list[int]:
    """The places of names in the order of the alphabet, or of the numbers that they are.

    >>> ranked(["10", "9"]), ranked(["Bo", "Ada"])
    ([1, 0], [1, 0])
    """
    return [*in_order(tuple(names))]


class Graph(NamedTuple):
    """A simple graph, whose nodes are numbered from 0 and named, and how it is told."""

    names: tuple[str, ...]
    edges: tuple[tuple[int, ...], ...]
    """Pairs of nodes, each with a number behind it where the edges have a measure."""

    encoding: Encoding
    directed: bool = False
    measure: str = ""
    """What the numbers on the edges are, such as a length."""

    @classmethod
    def of_arcs(
        cls,
        rng: Random,
        nodes: int,
        arcs: Iterable[tuple[int, ...]],
        choice: Choice,
        measure: str = "",
    ) -> "Graph":
        """A directed graph with names, and an order of its edges, that tell nothing."""
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
        """A graph without directions; which end of an edge is told first is left to chance."""
        toss = rng.random
        turned = [(e[1], e[0], *e[2:]) if toss() < 0.5 else tuple(e) for e in edges]
        return cls.of_arcs(rng, nodes, turned, choice, measure)._replace(directed=False)

    def key(self) -> list[tuple[int, ...]]:
        """The edges in order, the lower node first where they have no direction."""
        return list(_in_order(self))

    def pairs(self) -> list[Edge]:
        """The edges as pairs of nodes, in the order of :meth:`key`."""
        return [(edge[0], edge[1]) for edge in _in_order(self)]

    def weights(self) -> dict[Edge, int]:
        """The number of each edge, from either end where it has no direction."""
        by_edge = {(u, v): weight for u, v, weight in _in_order(self)}
        return by_edge if self.directed else by_edge | {(v, u): w for (u, v), w in by_edge.items()}

    def ways(self) -> tuple[tuple[int, ...], ...]:
        """The nodes to which an edge leads from each node, in order."""
        return _beside(self)

    def ranked(self) -> list[int]:
        """The nodes in the order of their names."""
        return ranked(self.names)

    def listing(self, nodes: Iterable[int], sign: str = ", ") -> str:
        """Nodes by their names.

        >>> Graph(tuple("ABC"), (), "edges").listing([2, 0])
        'C, A'
        """
        return sign.join(self.names[node] for node in nodes)

    def pairing(self, edges: Iterable[Sequence[int]]) -> str:
        """Edges by the names of their ends.

        >>> Graph(tuple("ABC"), (), "edges").pairing([(2, 0), (0, 1)])
        'C-A, A-B'
        """
        arrow = "->" if self.directed else "-"
        return ", ".join(f"{self.names[edge[0]]}{arrow}{self.names[edge[1]]}" for edge in edges)

    def as_text(self) -> str:
        """The graph in words.

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
        """What kind of graph it is, in a few words."""
        kind = "a directed graph" if self.directed else "an undirected graph"
        return kind + (f", with a {self.measure} for each edge" if self.measure else "")


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


class GraphPuzzle(Puzzle):
    """A puzzle about a graph, which is told in one of several encodings."""

    class Knobs(Puzzle.Knobs):
        encoding: Choice = ladder("any")

    graph: Graph

    def is_valid(self) -> bool:
        return self.graph.encoding != HELD_OUT or self.held_out()

    def canonical(self) -> str:
        return repr(self.graph.key())

    def posed(self, task: str) -> str:
        """The prompt: the graph, and what to do about it."""
        return f"Here is {self.graph.described()}.\n\n{self.graph.as_text()}\n\n{task}"

    def example(self, number: int, first: int = 0) -> str:
        """A few names for an example, which come by the alphabet and so tell nothing."""
        return self.graph.listing(self.graph.ranked()[first : first + number])


class Found(NamedTuple):
    """The best of all solutions, and how many states the search looked at."""

    solution: tuple[Any, ...]
    looked: int


class GraphOptimum(GraphPuzzle):
    """A puzzle about the best of many solutions, scored from a heedless one to the optimum.

    A subclass says how a solution is read and told, what flaw it has, what it is worth, which one
    is best and which ones cost no thought.
    """

    def read(self, answer: str) -> Any:
        """The solution that an answer tells."""
        raise NotImplementedError

    def as_text(self, solution: Any) -> str:
        """A solution as an answer."""
        raise NotImplementedError

    def flaw(self, solution: Any) -> str:
        """Which rule a solution breaks; nothing where it keeps them all."""
        raise NotImplementedError

    def worth(self, solution: Any) -> int:
        """The number that is to be as large, or as small, as can be."""
        raise NotImplementedError

    def search(self) -> Found:
        """A best solution, proven to be one."""
        raise NotImplementedError

    def heedless(self) -> list[Any]:
        """Solutions found greedily; the best of them earns nothing."""
        raise NotImplementedError

    def is_valid(self) -> bool:
        """Greed must fall short. It is asked first, for the search may be long."""
        return super().is_valid() and beaten(self)

    def answer(self) -> str:
        return self.as_text(found(self).solution)

    def verify(self, answer: str) -> Score:
        solution = self.read(answer)
        if flaw := self.flaw(solution):
            return Score(0, flaw)
        worth = self.worth(solution)
        baseline, best = yardsticks(self)
        value = gap(worth, baseline, best)
        reason = "" if value == 1 else f"the value is {worth}, and a better solution exists"
        return Score(value, reason, {"worth": worth})

    def difficulty(self) -> float:
        return found(self).looked

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, self.heedless())


@lru_cache(maxsize=64)
def found(task: GraphOptimum) -> Found:
    """What the search of a task finds, which is asked for more than once."""
    return task.search()


@lru_cache(maxsize=256)
def yardsticks(task: GraphOptimum) -> tuple[int, int]:
    """What earns nothing and what earns everything."""
    best = task.worth(found(task).solution)
    worths = [task.worth(each) for each in task.heedless() if not task.flaw(each)]
    return min(worths, key=lambda worth: abs(worth - best)), best


def beaten(task: GraphOptimum) -> bool:
    """Whether every heedless solution falls short of the best."""
    baseline, best = yardsticks(task)
    return baseline != best
