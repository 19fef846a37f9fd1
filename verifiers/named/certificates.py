"""Named verifiers of certificates: solutions whose validity and cost can be checked directly."""

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from palaestra.verifiers.certified import (
    AssignmentCertificate,
    BinPackingCertificate,
    ColoringCertificate,
    Graph,
    HamiltonianCertificate,
    KnapsackCertificate,
    MatchingCertificate,
    NodeSetCertificate,
    PathCertificate,
    ScheduleCertificate,
    TopologicalCertificate,
)
from palaestra.verifiers.named.entries import Example, Model, Name, Options, named
from palaestra.verifiers.verifier import Judge

Whole = Annotated[int, Field(ge=-(10**12), le=10**12)]
Exact = Whole | Annotated[str, Field(pattern="^-?[0-9]{1,13}/[1-9][0-9]{0,12}$")]
"""An integer, or a fraction such as ``"1/3"``."""

MOST = 500
"""How many jobs, items or rows there may be."""


def exact(number: int | str) -> int | Fraction:
    """An exact number from JSON.

    >>> exact(3), exact("2/4")
    (3, Fraction(1, 2))
    """
    return number if isinstance(number, int) else Fraction(number)


class Bounds(Options):
    """What a valid solution has to reach, and whether less earns a part."""

    at_most: Exact | None = None
    at_least: Exact | None = None
    optimum: Exact | None = None
    baseline: Exact | None = None
    partial: bool = False

    def bounds(self) -> dict[str, Any]:
        """The bounds as arguments of a certificate."""
        names = ("at_most", "at_least", "optimum", "baseline")
        values = {name: getattr(self, name) for name in names}
        numbers = {name: None if v is None else exact(v) for name, v in values.items()}
        return {**numbers, "partial": self.partial}


Edge = tuple[Name, Name] | tuple[Name, Name, Exact]


class GraphGold(Model):
    """A graph: the names of its nodes, and edges as ``[from, to]`` or ``[from, to, weight]``."""

    nodes: Annotated[list[Name], Field(min_length=1, max_length=2_000)]
    edges: Annotated[list[Edge], Field(max_length=20_000)]
    directed: bool = False

    def graph(self) -> Graph:
        """The graph. Raises :class:`~palaestra.verifiers.verifier.GoldError` if it is none."""
        edges = [(e[0], e[1]) if len(e) == 2 else (e[0], e[1], exact(e[2])) for e in self.edges]
        return Graph(tuple(self.nodes), tuple(edges), self.directed)


class PathGold(GraphGold):
    """A graph, and the ends of a path."""

    source: Name
    target: Name


_TRIANGLE = {"nodes": ["A", "B", "C"], "edges": [["A", "B", 1], ["B", "C", 1], ["C", "A", 5]]}


@named("path", "a path in a graph, with its cost", PathGold, page="certificates",
       example=({**_TRIANGLE, "source": "A", "target": "C"}, "A -> B -> C"))  # fmt: skip
class PathOptions(Bounds):
    """What the cost has to be."""

    def build(self, gold: PathGold) -> Judge:
        return PathCertificate(gold.graph(), gold.source, gold.target, **self.bounds())


@named("hamiltonian", "a tour or a path through all nodes, with its cost", GraphGold,
       page="certificates", example=(_TRIANGLE, "A B C"))  # fmt: skip
class HamiltonianOptions(Bounds):
    """Whether it ends where it began, and what the cost has to be."""

    cycle: bool = True

    def build(self, gold: GraphGold) -> Judge:
        return HamiltonianCertificate(gold.graph(), self.cycle, **self.bounds())


@named(
    "topological_order",
    "all nodes of a directed graph, with every edge pointing forward",
    GraphGold,
    page="certificates",
    example=({**_TRIANGLE, "edges": [["A", "B"], ["B", "C"]], "directed": True}, "A B C"),
)
class TopologicalOptions(Bounds):
    """There is no cost."""

    def build(self, gold: GraphGold) -> Judge:
        return TopologicalCertificate(gold.graph(), **self.bounds())


def _bounded(gold: Any, reply: str, **options: Any) -> dict[str, Any]:
    return {"page": "certificates", "example": Example(gold, reply, options)}


@named("coloring", "a colour for each node of a graph; the cost is their number", GraphGold,
       **_bounded(_TRIANGLE, "A: red\nB: blue\nC: green", at_most=3))  # fmt: skip
class ColoringOptions(Bounds):
    """What the number of colours has to be."""

    def build(self, gold: GraphGold) -> Judge:
        return ColoringCertificate(gold.graph(), **self.bounds())


class NodeSetGold(GraphGold):
    """A graph, the property of a set of its nodes, and perhaps the weight of each node."""

    problem: Literal["clique", "dominating set", "independent set", "vertex cover"]
    weights: dict[Name, Exact] | None = None


@named("node_set", "a clique, dominating set, independent set or vertex cover", NodeSetGold,
       **_bounded({**_TRIANGLE, "problem": "clique"}, "A, B, C", optimum=3))  # fmt: skip
class NodeSetOptions(Bounds):
    """What the number or the weight of the nodes has to be."""

    def build(self, gold: NodeSetGold) -> Judge:
        weights = None
        if gold.weights is not None:
            weights = {name: exact(weight) for name, weight in gold.weights.items()}
        return NodeSetCertificate(gold.graph(), gold.problem, weights, **self.bounds())


@named("matching", "edges that share no node; the value is the sum of their weights", GraphGold,
       **_bounded(_TRIANGLE, "C-A", optimum=5))  # fmt: skip
class MatchingOptions(Bounds):
    """What the value has to be."""

    def build(self, gold: GraphGold) -> Judge:
        return MatchingCertificate(gold.graph(), **self.bounds())


Natural = Annotated[int, Field(ge=0, le=10**12)]
Jobs = Annotated[
    list[Annotated[list[tuple[Natural, Natural]], Field(min_length=1, max_length=MOST)]],
    Field(min_length=1, max_length=MOST),
]


@named("schedule", "start times of jobs, each a list of machine and duration", Jobs,
       **_bounded([[[0, 3], [1, 1]], [[1, 2], [0, 2]]], "0 3\n0 3", at_most=6))  # fmt: skip
class ScheduleOptions(Bounds):
    """What the completion time has to be."""

    def build(self, gold: list[list[tuple[int, int]]]) -> Judge:
        return ScheduleCertificate(tuple(map(tuple, gold)), **self.bounds())


Row = Annotated[list[Exact], Field(min_length=1, max_length=MOST)]
Table = Annotated[list[Row], Field(min_length=1, max_length=MOST)]


@named("assignment", "a column of a table for each row, with the sum of the entries", Table,
       **_bounded([[4, 1], [2, 3]], "2, 1", optimum=3))  # fmt: skip
class AssignmentOptions(Bounds):
    """Whether the sum is to be large, and what it has to be."""

    maximise: bool = False

    def build(self, gold: list[list[int | str]]) -> Judge:
        table = tuple(tuple(map(exact, row)) for row in gold)
        return AssignmentCertificate(table, self.maximise, **self.bounds())


class Knapsack(Model):
    """Items as ``[weight, value]``, and the capacity."""

    items: Annotated[list[tuple[Exact, Exact]], Field(min_length=1, max_length=MOST)]
    capacity: Exact


_THREE = {"items": [[3, 5], [2, 3], [4, 6]], "capacity": 6}


@named("knapsack", "items that fit together, with their value", Knapsack,
       **_bounded(_THREE, "2, 3", optimum=9))  # fmt: skip
class KnapsackOptions(Bounds):
    """What the value has to be."""

    def build(self, gold: Knapsack) -> Judge:
        items = tuple((exact(weight), exact(value)) for weight, value in gold.items)
        return KnapsackCertificate(items, exact(gold.capacity), **self.bounds())


class Bins(Model):
    """The sizes of items, and the capacity of a bin."""

    sizes: Annotated[list[Exact], Field(min_length=1, max_length=MOST)]
    capacity: Exact


@named("bin_packing", "items in bins, of which there are few", Bins,
       **_bounded({"sizes": [4, 3, 2, 1], "capacity": 5}, "1, 4\n2, 3", at_most=2))  # fmt: skip
class BinPackingOptions(Bounds):
    """What the number of bins has to be."""

    def build(self, gold: Bins) -> Judge:
        sizes = tuple(map(exact, gold.sizes))
        return BinPackingCertificate(sizes, exact(gold.capacity), **self.bounds())
