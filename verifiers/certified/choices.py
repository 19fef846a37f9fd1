"""Certificates that choose: colours for nodes, sets of nodes, sets of edges."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.certificates import coloring_violation
from palaestra.verifiers.certified.grading import Certificate, Number, exact
from palaestra.verifiers.certified.graph import Graph
from palaestra.verifiers.certified.reading import value_lines
from palaestra.verifiers.instructions.text import words_of
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError

Problem = Literal["clique", "dominating set", "independent set", "vertex cover"]


@dataclass(frozen=True, slots=True)
class ColoringCertificate(Certificate):
    r"""A line ``node: colour`` for each node, neighbours having different colours.

    Any words will do as colours; two are the same that look so, whatever their case, punctuation
    and leading zeros. The cost is how many different ones there are, and
    needs ``at_most`` or an ``optimum``.

    >>> judge = ColoringCertificate(Graph("ABC", [("A", "B"), ("B", "C")]), at_most=2)
    >>> judge("A: red\nB: blue\nC: red").correct, judge("A: 1\nB: 1\nC: 2").reason
    (True, 'A and B are joined and both 1')
    """

    graph: Graph

    needs_bound: ClassVar[bool] = True

    def verify(self, answer: str) -> Score:
        color_names = pairs(value_lines(answer, self.graph.nodes), self.graph.nodes)
        colors = [_color(color_names[node]) for node in self.graph.nodes]
        if not all(0 < len(color) <= 40 for color in colors):
            raise InvalidAnswer("not a short word for each colour")
        problem = coloring_violation(colors, self.graph.weights(), self.graph.nodes)
        return Score(0, problem) if problem else self.graded(len(set(colors)))


def _color(text: str) -> str:
    """A colour as it looks."""
    words = [word for word in words_of(text) if word not in {"color", "colour"}]
    return " ".join(str(int(word)) if word.isdecimal() else word for word in words)


@dataclass(frozen=True, slots=True)
class NodeSetCertificate(Certificate):
    """Nodes that have a property together, such as ``A, C, D``, none of them twice.

    ``problem`` says which: in a clique all are joined, in an independent set none; a vertex cover
    touches all edges, and a dominating set all nodes outside of it. The first two have a value,
    the others a cost: the number of nodes, or the sum of their ``weights`` where those are given
    by name, each at least 1. A bound or an optimum is needed.

    >>> graph = Graph("ABC", [("A", "B"), ("B", "C")])
    >>> NodeSetCertificate(graph, "vertex cover", optimum=1)("{B}").correct
    True
    >>> NodeSetCertificate(graph, "independent set", at_least=2)("A, B").reason
    'A and B are joined'
    """

    graph: Graph
    problem: Problem
    weights: Mapping[str, Number] | None = None

    needs_bound: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.problem not in get_args(Problem):
            raise GoldError(f"{self.problem!r} is none of {', '.join(get_args(Problem))}")
        Certificate.__post_init__(self)
        if self.graph.directed:
            raise GoldError("sets of nodes take a graph whose edges go both ways")
        if self.weights is not None:
            object.__setattr__(self, "weights", dict(self.weights))
            exact(list(self.weights.values()), "weights", lowest=1)
            if self.weights.keys() != set(self.graph.nodes):
                raise GoldError("the weights are not those of the nodes")

    @property
    def more_is_better(self) -> bool:
        return self.problem in {"clique", "independent set"}

    def verify(self, answer: str) -> Score:
        chosen = self.graph.read(unwrapped(answer))
        problem = self.graph.repeated(chosen) or self._problem(set(chosen))
        if problem:
            return Score(0, problem)
        if self.weights is None:
            return self.graded(len(chosen))
        return self.graded(sum(self.weights[self.graph.nodes[node]] for node in chosen))

    def _problem(self, chosen: set[int]) -> str:
        """What keeps a set of nodes from having the property."""
        names, beside = self.graph.nodes, self.graph.beside()
        for node, name in enumerate(names):
            near = beside[node]
            if self.problem == "independent set" and node in chosen and near & chosen:
                return f"{name} and {names[min(near & chosen)]} are joined"
            if self.problem == "clique" and node in chosen and chosen - near - {node}:
                return f"{name} and {names[min(chosen - near - {node})]} are not joined"
            if self.problem == "vertex cover" and node not in chosen and near - chosen:
                return f"the edge of {name} and {names[min(near - chosen)]} is not covered"
            if self.problem == "dominating set" and node not in chosen and not near & chosen:
                return f"{name} is not in the set, nor joined to a node in it"
        return ""


@dataclass(frozen=True, slots=True)
class MatchingCertificate(Certificate):
    """Edges that share no node, such as ``A-B, C-D``; the value is the sum of their weights.

    Without weights that is their number. A bound or an optimum is needed.

    >>> judge = MatchingCertificate(Graph("ABCD", [("A", "B"), ("B", "C"), ("C", "D")]), at_least=2)
    >>> judge("A-B, C-D").correct, judge("B-C").correct, judge("A-B, B-C").reason
    (True, False, 'B is listed twice')
    """

    graph: Graph

    needs_bound: ClassVar[bool] = True

    def __post_init__(self) -> None:
        Certificate.__post_init__(self)
        if self.graph.directed:
            raise GoldError("a matching takes a graph whose edges go both ways")

    @property
    def more_is_better(self) -> bool:
        return True

    def verify(self, answer: str) -> Score:
        graph, weights = self.graph, self.graph.weights()
        edges = graph.pairs(unwrapped(answer))
        for u, v in edges:
            if (u, v) not in weights:
                return Score(0, f"there is no edge from {graph.nodes[u]} to {graph.nodes[v]}")
        if problem := graph.repeated([node for edge in edges for node in edge]):
            return Score(0, problem)
        return self.graded(sum(weights[edge] for edge in edges))
