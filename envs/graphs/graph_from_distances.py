"""A graph from its distances, after Louis Hakimi and Stephen Yau (1965): the smallest is unique."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, combinations
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import distances, spanning_tree
from palaestra.generators.graphs.puzzles import ranked
from palaestra.generators.graphs.scenes import PLAIN, diagram, grid
from palaestra.generators.random_graphs import Arc, Edge, connected, node_names
from palaestra.scenes import Grid, Panels
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.nodes import edge_list, edges_violation

Table = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def unaccounted(table: Table) -> tuple[Edge, ...]:
    """The pairs whose distance no path through another node accounts for.

    >>> unaccounted(((0, 1, 3), (1, 0, 2), (3, 2, 0)))
    ((0, 1), (1, 2))
    """
    nodes = range(len(table))
    return tuple(
        (u, v)
        for u, v in combinations(nodes, 2)
        if all(table[u][k] + table[k][v] > table[u][v] for k in nodes if k not in (u, v))
    )


class GraphFromDistances(Puzzle):
    """Find the fewest edges that account for all the distances between the nodes of a graph."""

    version = 2
    tags = {"graphs", "deduction", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        nodes: int = ladder(5, 6, 7, 9, 11, 14, 18, low=4, high=24)
        density: float = ladder(1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, low=1.2, high=2.2)  # edges/node
        longest: int = ladder(9, 12, 15, 20, 30, 50, 80, low=5, high=99)

    names: tuple[str, ...]
    table: Table

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = connected(rng, knobs.nodes, round(knobs.nodes * knobs.density))
        weights = {edge: rng.randint(knobs.longest // 3, knobs.longest) for edge in pairs}
        both = weights | {(v, u): length for (u, v), length in weights.items()}
        table = [tuple(map(int, row)) for row in distances(knobs.nodes, both)]
        return cls(names=node_names(rng, knobs.nodes), table=tuple(table))

    def is_valid(self) -> bool:
        return len(self.needed()) > len(self.names) - 1

    def canonical(self) -> str:
        return repr(self.table)

    def needed(self) -> list[Edge]:
        """The pairs whose distance no path through another node accounts for."""
        return list(unaccounted(self.table))

    def prompt(self) -> str:
        order = ranked(self.names)
        rows = [["", *(self.names[v] for v in order)]]
        rows += [[self.names[u], *(str(self.table[u][v]) for v in order)] for u in order]
        width = max(len(cell) for row in rows for cell in row)
        table = "\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows)
        one, two, three, *_ = (self.names[node] for node in order)
        task = self.phrase(
            "The table gives the distances between the nodes of an undirected graph whose edges "
            "have lengths: each entry is the length of a shortest path between the node of the row "
            "and the node of the column.",
            "Towns are joined by two-way roads, each with a length. For every two towns, the table "
            "gives the length of a shortest route from one to the other.",
        )
        what = self.phrase("edges", "roads")
        return (
            f"{task}\n\n{table}\n\nWhich {what} must there be? Find the smallest set of {what} "
            "that, with suitable lengths, produces all these distances; only one set is that "
            f"small. Write them on one line, such as '{one}-{two}, {one}-{three}', in any order "
            "and without the lengths."
        )

    def scene(self) -> Grid:
        return grid(self.names, self.entries())

    def solved_scene(self, answer: str) -> Panels:
        edges = edge_list(answer, self.names)
        chosen = PLAIN.with_edges(edges)
        table = grid(self.names, self.entries(), chosen)
        lengths = [(u, v, self.table[u][v]) for u, v in edges]
        return Panels((table, diagram(self.names, lengths, chosen)), columns=2)

    def entries(self) -> list[Arc]:
        """Each pair of nodes with its distance."""
        pairs = combinations(range(len(self.names)), 2)
        return [(u, v, self.table[u][v]) for u, v in pairs]

    def answer(self) -> str:
        return self.as_text(self.needed())

    def as_text(self, edges: Iterable[Edge]) -> str:
        """Edges as an answer."""
        return ", ".join(f"{self.names[u]}-{self.names[v]}" for u, v in edges)

    def verify(self, answer: str) -> Score:
        nodes, names = range(len(self.names)), self.names
        edges = edge_list(answer, names)
        if any(u == v for u, v in edges):
            return Score(0, "an edge joins a node to itself")
        if violation := edges_violation(edges, set(combinations(nodes, 2)), names):
            return Score(0, violation)
        if far := self.farther(edges):
            return Score(
                0,
                f"{names[far[0]]} and {names[far[1]]} are farther apart than in the table",
            )
        more = len(edges) > len(self.needed())
        return Score(0, "fewer edges are enough") if more else Score(1)

    def farther(self, edges: Sequence[Edge]) -> Edge | None:
        """Two nodes that are farther apart along some edges than in the table."""
        lengths = {(u, v): self.table[u][v] for pair in edges for u, v in (pair, pair[::-1])}
        away = distances(len(self.names), lengths)
        pairs = combinations(range(len(self.names)), 2)
        return next(((u, v) for u, v in pairs if away[u][v] != self.table[u][v]), None)

    def audit(self, answer: str) -> bool:
        """Whether the edges account for the distances, and no longer do so without any of them."""
        edges = list(edge_list(answer, self.names))
        fewer = (edges[:number] + edges[number + 1 :] for number in range(len(edges)))
        return not self.farther(edges) and all(map(self.farther, fewer))

    def difficulty(self) -> float:
        return len(self.names) ** 3

    def shortcuts(self) -> Iterable[str]:
        pairs = list(combinations(range(len(self.names)), 2))
        by_length = sorted(pairs, key=lambda pair: self.table[pair[0]][pair[1]])
        tree, _ = spanning_tree(len(self.names), by_length)
        return map(self.as_text, (pairs, tree, by_length[: len(self.names)]))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=4, density=1.2, longest=9)

    def candidates(self) -> Iterable[str]:
        pairs = list(combinations(range(len(self.names)), 2))
        return map(self.as_text, chain.from_iterable(combinations(pairs, n) for n in range(1, 7)))
