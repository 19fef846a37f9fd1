"""Graphs as certificates speak of them: with names for nodes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from palaestra.verifiers.certified.grading import Number, exact
from palaestra.verifiers.reading.nodes import edge_list, walk
from palaestra.verifiers.verifier import GoldError

Edge = tuple[str, str] | tuple[str, str, Number]
"""Its ends, and its weight, which is 1 where it is not given."""

NODES = 2_000
"""How many nodes a graph may have."""

_NAME = re.compile(r"[^\W_](?:[\w.+']*\w)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph without loops or double edges; a directed edge leads from its first node on.

    The names of nodes are letters, digits and ``_ . + '``, and differ whatever their case.
    Raises :class:`GoldError` for what is no such graph.

    >>> Graph("ABC", [("A", "B", 4), ("B", "C")]).weights()
    {(0, 1): 4, (1, 0): 4, (1, 2): 1, (2, 1): 1}
    """

    nodes: Sequence[str]
    edges: Sequence[Edge]
    directed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", tuple(self.nodes))
        object.__setattr__(self, "edges", tuple(map(tuple, self.edges)))
        if not 1 <= len(self.nodes) <= NODES:
            raise GoldError(f"a graph has from 1 to {NODES} nodes")
        if not all(map(_NAME.fullmatch, self.nodes)):
            raise GoldError("a node has a name that could not be read in an answer")
        if len({name.casefold() for name in self.nodes}) < len(self.nodes):
            raise GoldError("two nodes have the same name")
        if not all(len(edge) in {2, 3} and {*edge[:2]} <= {*self.nodes} for edge in self.edges):
            raise GoldError("an edge does not join two nodes of the graph")
        exact([edge[2] for edge in self.edges if len(edge) == 3], "weights")
        if len(self.weights()) < len(self.edges) * (1 if self.directed else 2):
            raise GoldError("there is a double edge")
        if any(u == v for u, v in self.weights()):
            raise GoldError("there is a loop")

    def weights(self) -> Mapping[tuple[int, int], Number]:
        """The weight of each edge, by the places of its nodes, both ways unless directed."""
        return _weights(self)

    def index(self, name: str) -> int:
        """Return the index of a node; raises :class:`GoldError` if no node has this name."""
        if name not in self.nodes:
            raise GoldError(f"there is no node {name!r}")
        return self.nodes.index(name)

    def read(self, text: str) -> list[int]:
        """Read a sequence of nodes as indices, separated by arrows, commas or spaces.

        Raises :class:`InvalidAnswer` for other names.
        """
        return list(walk(text, self.nodes))

    def repeated(self, nodes: Sequence[int]) -> str:
        """Describe the first node of a sequence that occurs twice; empty if there is none."""
        seen: set[int] = set()
        for node in nodes:
            if node in seen:
                return f"{self.nodes[node]} is listed twice"
            seen.add(node)
        return ""

    def beside(self) -> list[set[int]]:
        """The nodes that an edge leads to, for each node."""
        neighbours: list[set[int]] = [set() for _ in self.nodes]
        for u, v in self.weights():
            neighbours[u].add(v)
        return neighbours

    def pairs(self, text: str) -> list[tuple[int, int]]:
        """Pairs of nodes, as :func:`~palaestra.verifiers.reading.nodes.edge_list` reads them."""
        return list(edge_list(text, self.nodes))


@lru_cache(maxsize=64)
def _weights(graph: Graph) -> Mapping[tuple[int, int], Number]:
    index = {name: number for number, name in enumerate(graph.nodes)}
    weights: dict[tuple[int, int], Number] = {}
    for u, v, *weight in graph.edges:
        weights[index[u], index[v]] = weight[0] if weight else 1
        if not graph.directed:
            weights[index[v], index[u]] = weights[index[u], index[v]]
    return weights
