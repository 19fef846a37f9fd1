"""Pictures of graphs: as nodes and edges, or as tables where there are too many edges to follow.

Nodes appear in the order of their names: their numbers, which the prompt does not show, may reveal
a part of the solution.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from palaestra import scenes
from palaestra.generators.random_graphs import Edge, in_order
from palaestra.scenes import Cell, Grid, Node, Panels, Scene
from palaestra.scenes.elements import Tone


class Drawable(Protocol):
    """What is drawn of a graph of :mod:`palaestra.generators.graphs.puzzles`."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def edges(self) -> Sequence[tuple[int, ...]]: ...

    @property
    def directed(self) -> bool: ...

    @property
    def measure(self) -> str: ...


CHOSEN: Tone = "accent"
END: Tone = "t6"
"""The tone of nodes that the question names, such as the start of a path."""

WRONG: Tone = "bad"
"""The tone of edges of an answer that do not exist."""

MOST_TEXTS, MOST_PER_NODE = 62, 3.5
"""A graph is drawn as a table if it has more edges with numbers, or more edges per node."""


NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Look(NamedTuple):
    """What is marked in a picture of a graph, by the numbers of nodes and by edges."""

    nodes: Mapping[int, Tone] = NOTHING
    notes: Mapping[int, str] = NOTHING
    """Short texts beside nodes."""
    note_tone: Tone = "ink"
    edges: Mapping[Edge, Tone] = NOTHING
    """Wide edges."""
    texts: Mapping[Edge, str] = NOTHING
    """Texts of edges, in place of their measures."""
    x: Mapping[int, float] = NOTHING
    """Where nodes stand from left to right, from 0 to 1, where it is not free."""
    y: Mapping[int, float] = NOTHING
    """The same from top to bottom."""

    def with_nodes(self, nodes: Iterable[int], tone: Tone = CHOSEN) -> "Look":
        """The look with some nodes in a tone."""
        return self._replace(nodes={**self.nodes, **dict.fromkeys(nodes, tone)})

    def with_edges(self, edges: Iterable[Sequence[int]], tone: Tone = CHOSEN) -> "Look":
        """The look with some edges wide and in a tone."""
        marked = {(edge[0], edge[1]): tone for edge in edges}
        return self._replace(edges={**self.edges, **marked})

    def with_notes(self, notes: Mapping[int, str]) -> "Look":
        """The look with texts of an answer beside some nodes."""
        return self._replace(notes={**self.notes, **notes}, note_tone=CHOSEN)


PLAIN = Look()


def numbered(steps: Iterable[Sequence[int]], directed: bool = False) -> dict[Edge, str]:
    """The numbers of the steps along each edge, from 1, as its text.

    >>> numbered([(0, 1), (1, 2), (1, 0)])
    {(0, 1): '1,3', (1, 2): '2'}
    """
    texts: dict[Edge, str] = {}
    for number, (u, v) in enumerate(steps, 1):
        edge = (v, u) if not directed and (v, u) in texts else (u, v)
        texts[edge] = f"{texts[edge]},{number}" if edge in texts else str(number)
    return texts


def network(graph: Drawable, look: Look = PLAIN) -> Scene:
    """The picture of a graph: nodes and edges, or a table if there are too many edges."""
    edges = len(graph.edges)
    if edges > (MOST_TEXTS if graph.measure else MOST_PER_NODE * len(graph.names)):
        return table(graph, look)
    return diagram(graph.names, graph.edges, look, graph.directed)


def diagram(
    names: Sequence[str],
    edges: Sequence[Sequence[int]],
    look: Look = PLAIN,
    directed: bool = False,
) -> scenes.Graph:
    """A graph as nodes and edges; marked edges that do not exist are dashed."""
    order = in_order(tuple(names))
    at = {node: number for number, node in enumerate(order)}
    shape: Literal["disc", "box"] = "box" if max(map(len, names)) > 2 else "disc"
    nodes = [
        Node(
            names[n], look.nodes.get(n, "paper"), look.x.get(n), look.y.get(n),
            look.notes.get(n, ""), look.note_tone, shape,
        )
        for n in order
    ]  # fmt: skip
    lines = []
    for edge in edges:
        u, v, *more = edge
        tone = _of(look.edges, u, v, directed)
        text = _of(look.texts, u, v, directed) or (str(more[0]) if more else "")
        lines.append(scenes.Edge(at[u], at[v], text, tone or "ink", wide=bool(tone)))
    for u, v in _missing(look.edges, edges, directed):
        text = _of(look.texts, u, v, directed) or ""
        lines.append(scenes.Edge(at[u], at[v], text, WRONG, wide=True, dashed=True))
    return scenes.Graph(tuple(nodes), tuple(lines), directed)


def _of(values: Mapping[Edge, str], u: int, v: int, directed: bool) -> str | None:
    """The value of an edge, whichever end comes first if it has no direction."""
    value = values.get((u, v))
    return values.get((v, u)) if value is None and not directed else value


def _missing(marked: Iterable[Edge], edges: Iterable[Sequence[int]], directed: bool) -> list[Edge]:
    """The marked edges that do not exist."""
    known = {(edge[0], edge[1]) for edge in edges}
    if not directed:
        known |= {(v, u) for u, v in known}
    return [edge for edge in marked if edge not in known and edge[0] != edge[1]]


def table(graph: Drawable, look: Look = PLAIN) -> Scene:
    """A graph as a table, with a square or a number for each edge.

    In a directed graph, an edge leads from the node of the row to that of the column.
    """
    rows = grid(graph.names, graph.edges, look, graph.directed)
    return Panels((rows,), ("from row to column",)) if graph.directed else rows


def grid(
    names: Sequence[str],
    edges: Iterable[Sequence[int]],
    look: Look = PLAIN,
    directed: bool = False,
) -> Grid:
    """A table of edges: the rows and columns of marked nodes are tinted, marked edges filled."""
    order = in_order(tuple(names))
    sizes = {(edge[0], edge[1]): str(edge[2]) if len(edge) > 2 else "" for edge in edges}
    texts, tones = dict(look.texts), dict(look.edges)
    if not directed:
        sizes |= {(v, u): text for (u, v), text in sizes.items()}
        texts |= {(v, u): text for (u, v), text in texts.items()}
        tones |= {(v, u): tone for (u, v), tone in tones.items()}
    tinted = set(look.nodes) if len(look.nodes) < len(names) else set[int]()

    def cell(u: int, v: int) -> Cell:
        if u == v:
            return Cell(names[u], look.nodes.get(u, "muted"))
        ground = "muted" if u in tinted or v in tinted else "paper"
        edge = u, v
        text = texts.get(edge) or sizes.get(edge)
        if edge not in tones:
            return _entry(text, ground)
        if edge not in sizes:
            return Cell(fill=WRONG, mark="cross")
        if text:
            return Cell(text, tones[edge])
        return Cell(fill=ground, mark="square", tone=tones[edge])

    labels = tuple((names[node],) for node in order)
    notes = tuple((look.notes.get(node, ""),) for node in order) if look.notes else ()
    rows = tuple(tuple(cell(u, v) for v in order) for u in order)
    return Grid(rows, top=labels, left=labels, right=notes)


@lru_cache(maxsize=4096)
def _entry(text: str | None, ground: Tone) -> Cell:
    """The cell of an edge with a text, or of none."""
    return Cell(text or "", ground, "square" if text == "" else "")


def along(path: Sequence[int]) -> list[Edge]:
    """The steps of a path.

    >>> along([2, 0, 1])
    [(2, 0), (0, 1)]
    """
    return list(pairwise(path))


def ends(start: int, target: int) -> Look:
    """The look of a graph with a start on the left and a target on the right."""
    return Look(
        nodes={start: END, target: END}, notes={start: "from", target: "to"},
        x={start: 0, target: 1},
    )  # fmt: skip
