"""Random graphs, and common encodings of graphs as text.

The nodes are numbered from 0. An edge is a pair of nodes, or a pair and a number (its length, its
capacity); in a directed graph it leads from the first node to the second.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from string import ascii_uppercase
from typing import Literal

from palaestra.generators.people import NAMES

Edge = tuple[int, int]
Arc = tuple[int, int, int]

Form = Literal["edges", "neighbours", "matrix", "prose"]
FORMS: tuple[Form, ...] = ("edges", "neighbours", "matrix", "prose")


def connected(rng: Random, nodes: int, edges: int, window: int | None = None) -> list[Edge]:
    """A random connected graph without loops or double edges, the lower node first in each edge.

    A tree comes first, in which each node is joined to one of the ``window`` before it, so that all
    nodes can be reached from node 0 in the direction of the edges; the other edges are random.

    >>> connected(Random(1), nodes=4, edges=6)[3:] != []
    True
    """
    window = window or nodes
    tree = [(rng.randrange(max(0, node - window), node), node) for node in range(1, nodes)]
    taken = set(tree)
    free = [pair for pair in _pairs(nodes) if pair not in taken]
    return tree + rng.sample(free, max(0, min(len(free), edges - len(tree))))


@lru_cache(maxsize=64)
def _pairs(nodes: int) -> tuple[Edge, ...]:
    return tuple([(low, high) for high in range(nodes) for low in range(high)])


def node_names(rng: Random, nodes: int) -> tuple[str, ...]:
    """Names for nodes, in random order: letters, first names or numbers."""
    lists = [names for names in (ascii_uppercase, NAMES) if len(names) >= nodes]
    names = rng.choice([*lists, ()]) or [str(number) for number in range(1, nodes + 1)]
    return tuple(rng.sample(names[:nodes], nodes))


@lru_cache(maxsize=256)
def in_order(names: tuple[str, ...]) -> tuple[int, ...]:
    """The numbers of names in alphabetical order, or in that of the numbers that they are.

    >>> in_order(("10", "9")), in_order(("Bo", "Ada"))
    ((1, 0), (1, 0))
    """
    keys = [(len(name) if name.isdigit() else 0, name) for name in names]
    return tuple(sorted(range(len(names)), key=keys.__getitem__))


def written(
    names: Sequence[str],
    edges: Sequence[tuple[int, ...]],
    form: Form,
    *,
    directed: bool = False,
    measure: str = "",
) -> str:
    """A graph in words, with a line on how to read it; ``measure`` names the numbers, if any.

    >>> print(written("AB", [(0, 1, 5)], "prose", measure="length"))
    Nodes: A, B.
    A and B are joined by an edge of length 5.
    """
    encode = {"edges": _edges, "neighbours": _neighbours, "matrix": _matrix, "prose": _prose}[form]
    listed = ", ".join([names[node] for node in in_order(tuple(names))])
    return f"Nodes: {listed}.\n{encode(names, edges, directed, measure)}"


def _edges(
    names: Sequence[str], edges: Sequence[tuple[int, ...]], directed: bool, measure: str
) -> str:
    arrow = "->" if directed else "-"
    head = f"Edges{', each leading from its first node to its second' if directed else ''}"
    head += f", with the {measure} after the colon:" if measure else ":"
    lines = [f"{names[edge[0]]} {arrow} {names[edge[1]]}" for edge in edges]
    if edges and len(edges[0]) > 2:
        lines = [f"{line}: {edge[2]}" for line, edge in zip(lines, edges)]
    return "\n".join([head, *lines])


def _neighbours(
    names: Sequence[str], edges: Sequence[tuple[int, ...]], directed: bool, measure: str
) -> str:
    whom = "the nodes to which an edge leads from it" if directed else "all its neighbours"
    head = f"For each node, {whom}"
    head += f", with the {measure} of the edge in parentheses:" if measure else ":"
    beside: list[list[str]] = [[] for _ in names]
    for u, v, *more in edges:
        weights = f" ({more[0]})" if more else ""
        beside[u].append(names[v] + weights)
        if not directed:
            beside[v].append(names[u] + weights)
    order = in_order(tuple(names))
    return "\n".join([head, *[f"{names[n]}: {', '.join(beside[n]) or 'none'}" for n in order]])


def _matrix(
    names: Sequence[str], edges: Sequence[tuple[int, ...]], directed: bool, measure: str
) -> str:
    width = max(
        [len(name) for name in names]
        + [len(str(number)) for _, _, *more in edges for number in more]
    )
    dot = ".".rjust(width)
    cells = [[dot] * len(names) for _ in names]
    for u, v, *more in edges:
        cells[u][v] = (str(more[0]) if more else "1").rjust(width)
        if not directed:
            cells[v][u] = cells[u][v]
    order = in_order(tuple(names))
    heads = [name.rjust(width) for name in names]
    rows = [["".rjust(width), *[heads[v] for v in order]]]
    rows += [[heads[u], *[cells[u][v] for v in order]] for u in order]
    what = f"the {measure} of the edge" if measure else "a 1 for an edge"
    one, other = ("from", "to") if directed else ("between", "and")
    way = f"{one} the node of the row {other} the node of the column"
    head = f"The matrix has {what} {way}, and a dot if there is no edge:"
    return "\n".join([head, *map(" ".join, rows)])


def _prose(
    names: Sequence[str], edges: Sequence[tuple[int, ...]], directed: bool, measure: str
) -> str:
    sentences = []
    for u, v, *more in edges:
        size = f" of {measure} {more[0]}" if more else ""
        sentences.append(
            f"An edge{size} leads from {names[u]} to {names[v]}."
            if directed
            else f"{names[u]} and {names[v]} are joined by an edge{size}."
        )
    return " ".join(sentences)
