"""Stories about graphs: the nodes are people, rooms or towns, and each edge stands on a line."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class Graph(Protocol):
    """What a story needs of a graph, which the environments of graphs have."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes."""

    @property
    def edges(self) -> tuple[tuple[int, ...], ...]:
        """Pairs of nodes, each followed by a number if the edges have one."""

    def ranked(self) -> list[int]:
        """The nodes in the order of their names."""

    def listing(self, nodes: Iterable[int]) -> str:
        """Nodes by their names."""


class Network(NamedTuple):
    """A story about a graph.

    ``text`` has the slots ``{nodes}`` and ``{links}``, and others of its environment. ``link`` is
    the line of an edge between ``{a}`` and ``{b}``, or from ``{a}`` to ``{b}``, with the number
    ``{n}`` where edges have one.
    """

    text: str
    link: str

    def written(self, graph: Graph, **slots: object) -> str:
        """The prompt; the slots of the environment are given by name."""
        return self.text.format(
            nodes=graph.listing(graph.ranked()), links=self.links(graph), **slots
        )

    def links(self, graph: Graph) -> str:
        """The lines of all edges, in the order of the task."""
        return "\n".join(self.link_of(graph.names, edge) for edge in graph.edges)

    def link_of(self, names: Sequence[str], edge: Sequence[int]) -> str:
        """The line of an edge.

        >>> Network("", "{a} and {b}: {n} km").link_of("ABC", (2, 0, 5))
        'C and A: 5 km'
        """
        number = edge[2] if len(edge) > 2 else ""
        return self.link.format(a=names[edge[0]], b=names[edge[1]], n=number)
