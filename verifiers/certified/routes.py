"""Certificates that put nodes in a row: paths, tours, orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from palaestra.task import Score
from palaestra.verifiers.certificates import path_violation
from palaestra.verifiers.certified.grading import Certificate, Number
from palaestra.verifiers.certified.graph import Graph
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError


@dataclass(frozen=True, slots=True)
class PathCertificate(Certificate):
    """A path from ``source`` to ``target`` that visits no node twice, such as ``A -> B -> D``.

    Its cost is the sum of the weights of its edges.

    >>> graph = Graph("ABD", [("A", "B", 1), ("B", "D", 1), ("A", "D", 5)])
    >>> judge = PathCertificate(graph, "A", "D", optimum=2)
    >>> judge("A -> B -> D").correct, judge("A -> D").correct
    (True, False)
    """

    graph: Graph
    source: str
    target: str

    def __post_init__(self) -> None:
        Certificate.__post_init__(self)
        if self.graph.index(self.source) == self.graph.index(self.target):
            raise GoldError("a path leads from one node to another")

    def verify(self, answer: str) -> Score:
        graph = self.graph
        path, weights = graph.read(unwrapped(answer)), graph.weights()
        ends = graph.index(self.source), graph.index(self.target)
        problem = path_violation(path, weights, *ends, graph.nodes) or graph.repeated(path)
        return Score(0, problem) if problem else self.graded(_length(path, weights))


def _length(path: Sequence[int], weights: Mapping[tuple[int, int], Number]) -> Number:
    return sum(weights[step] for step in pairwise(path))


@dataclass(frozen=True, slots=True)
class HamiltonianCertificate(Certificate):
    """A cycle, or with ``cycle=False`` a path, that visits each node exactly once.

    The start of a cycle may be written again at its end. Its cost is the sum of the weights of
    its edges; for the travelling salesman, give a graph with all edges and an optimum.

    >>> judge = HamiltonianCertificate(Graph("ABC", [("A", "B"), ("B", "C"), ("C", "A")]))
    >>> judge("B C A").correct, judge("A -> B -> C -> A").correct, judge("A B").correct
    (True, True, False)
    """

    graph: Graph
    cycle: bool = True

    def __post_init__(self) -> None:
        Certificate.__post_init__(self)
        if len(self.graph.nodes) < (3 if self.cycle else 2):
            raise GoldError("there are too few nodes for such a tour")

    def verify(self, answer: str) -> Score:
        graph, tour = self.graph, self.graph.read(unwrapped(answer))
        if self.cycle and len(tour) > 1 and tour[0] == tour[-1]:
            tour.pop()
        problem = graph.repeated(tour)
        if problem or len(tour) < len(graph.nodes):
            return Score(0, problem or "not every node is visited")
        path = [*tour, tour[0]] if self.cycle else tour
        weights = graph.weights()
        problem = path_violation(path, weights, path[0], path[-1], graph.nodes)
        return Score(0, problem) if problem else self.graded(_length(path, weights))


@dataclass(frozen=True, slots=True)
class TopologicalCertificate(Certificate):
    """All nodes of a directed graph in a row, each edge leading to a later one.

    >>> judge = TopologicalCertificate(Graph("ABC", [("C", "A"), ("A", "B")], directed=True))
    >>> judge("C, A, B").correct, judge("A, B, C").reason
    (True, 'A comes before C')
    """

    graph: Graph

    def __post_init__(self) -> None:
        Certificate.__post_init__(self)
        if not self.graph.directed or not self.graph.edges:
            raise GoldError("an order takes a directed graph with edges")
        if {self.at_most, self.at_least, self.optimum, self.baseline} != {None}:
            raise GoldError("an order has no cost")

    def verify(self, answer: str) -> Score:
        graph, row = self.graph, self.graph.read(unwrapped(answer))
        problem = graph.repeated(row)
        if problem or len(row) < len(graph.nodes):
            return Score(0, problem or "not every node is in the order")
        turn = {node: number for number, node in enumerate(row)}
        for u, v in graph.weights():
            if turn[u] > turn[v]:
                return Score(0, f"{graph.nodes[v]} comes before {graph.nodes[u]}")
        return Score(1)
