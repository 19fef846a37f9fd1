"""A graph of given degrees, after Václav Havel (1955) and Louis Hakimi (1962).

Some pairs may not be joined, which makes it W. T. Tutte's problem of f-factors (1952).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.puzzles import ranked
from palaestra.generators.random_graphs import Edge, node_names
from palaestra.generators.solutions import Feasibility, SearchResult
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.nodes import edge_list, edges_violation

BUDGET = 2_000
"""The number of states within which the search has to solve a task."""


def realised(degrees: Sequence[int], shut: Iterable[Edge], budget: int) -> SearchResult:
    """The edges of a graph of given degrees without some edges; none if the budget runs out.

    The node that needs most is joined to those that need most, as Havel and Hakimi do, and the
    search turns back where that fails.

    >>> realised([1, 2, 2, 1], [(0, 1)], 10).solution
    ((0, 2), (1, 2), (1, 3))
    """
    closed = {pair for u, v in shut for pair in ((u, v), (v, u))}
    examined = 0

    def extend(need: list[int], done: frozenset[int]) -> tuple[Edge, ...] | None:
        nonlocal examined
        examined += 1
        if not any(need):
            return ()
        node = max(range(len(need)), key=lambda n: need[n])
        near = [n for n, left in enumerate(need) if left and n != node and n not in done]
        near = [n for n in sorted(near, key=lambda n: -need[n]) if (node, n) not in closed]
        for chosen in combinations(near, need[node]):
            if examined > budget:
                return None
            less = [left - (n in chosen) for n, left in enumerate(need)]
            less[node] = 0
            rest = extend(less, done | {node})
            if rest is not None:
                return (*((min(node, n), max(node, n)) for n in chosen), *rest)
        return None

    edges = extend(list(degrees), frozenset())
    return SearchResult(tuple(sorted(edges or ())), examined)


class DegreeSequence(Feasibility):
    """Construct a graph of given degrees in which some pairs of nodes must not be joined."""

    version = 2
    tags = {"graphs", "constraints", "search"}
    baseline_note = (
        "joining the nodes with the fewest possible partners first leaves the others free; a "
        "random graph of these degrees is hardly ever so tight that this fails"
    )

    class Knobs(Feasibility.Knobs):
        nodes: int = ladder(6, 7, 9, 11, 14, 17, 21, low=5, high=24)
        density: float = ladder(1.3, 1.5, 1.6, 1.8, 2.0, 2.2, 2.5, low=1.2, high=3)  # edges/node
        shut: float = ladder(0.3, 0.4, 0.5, 0.5, 0.6, 0.6, 0.7, low=0.3, high=0.8)  # of free pairs

    names: tuple[str, ...]
    degrees: tuple[int, ...]
    shut: tuple[Edge, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        pairs = list(combinations(range(knobs.nodes), 2))
        rng.shuffle(pairs)
        number = min(round(knobs.nodes * knobs.density), len(pairs) - 2)
        edges, free = pairs[:number], pairs[number:]
        ends = [node for edge in edges for node in edge]
        shut = [rng.sample(pair, 2) for pair in free[: max(1, round(len(free) * knobs.shut))]]
        return cls(
            names=node_names(rng, knobs.nodes),
            degrees=tuple(ends.count(node) for node in range(knobs.nodes)),
            shut=tuple((u, v) for u, v in shut),
        )

    def is_valid(self) -> bool:
        if not 0 < min(self.degrees) < max(self.degrees) or not self.violation(self.greedy()):
            return False
        return bool(realised(self.degrees, self.shut, BUDGET).solution)

    def greedy(self) -> tuple[Edge, ...]:
        """The graph of these degrees that Havel and Hakimi construct."""
        edges: tuple[Edge, ...] = realised(self.degrees, (), len(self.names) + 1).solution
        return edges

    def canonical(self) -> str:
        return repr((self.degrees, sorted(map(sorted, self.shut))))

    def prompt(self) -> str:
        names = self.names
        order = ranked(names)
        lines = "\n".join(f"{names[node]}: {self.degrees[node]}" for node in order)
        shut = ", ".join(f"{names[u]} and {names[v]}" for u, v in self.shut)
        task = self.phrase(
            "Draw edges between these nodes so that each node has exactly the number of edges "
            "given for it.",
            "Join these nodes by edges, so that the number of neighbours of each node is exactly "
            "the number written after its name.",
        )
        one, two, three, *_ = (names[node] for node in order)
        return (
            f"{task} An edge joins two different nodes, and no two nodes are joined by more than "
            f"one edge.\n\n{lines}\n\nThese pairs must not be joined: {shut}.\n\nThere is at least "
            f"one way; any will do. Write all edges on one line, such as '{one}-{two}, "
            f"{one}-{three}', in any order."
        )

    def scene(self) -> Grid:
        return self.table(())

    def solved_scene(self, answer: str) -> Grid:
        return self.table(self.read(answer))

    def table(self, edges: Iterable[Edge]) -> Grid:
        """A table of the pairs, with the degrees on its rim: pairs that must not be joined are
        crossed out, and edges filled in.
        """
        joined, shut = ({frozenset(edge) for edge in pairs} for pairs in (edges, self.shut))

        def cell(u: int, v: int) -> Cell:
            pair = frozenset((u, v))
            if u == v:
                return Cell(self.names[u], "muted")
            if pair in shut:
                return Cell(fill="bad" if pair in joined else "muted", mark="cross")
            return Cell(mark="square", tone="accent") if pair in joined else Cell()

        order = ranked(self.names)
        names = tuple((self.names[node],) for node in order)
        degrees = tuple((str(self.degrees[node]),) for node in order)
        rows = tuple(tuple(cell(u, v) for v in order) for u in order)
        return Grid(rows, top=names, left=names, right=degrees, bottom=degrees)

    def read(self, answer: str) -> tuple[Edge, ...]:
        return edge_list(answer, self.names)

    def as_text(self, solution: Iterable[Edge]) -> str:
        return ", ".join(f"{self.names[u]}-{self.names[v]}" for u, v in solution) or "none"

    def violation(self, solution: Any) -> str:
        nodes, names = range(len(self.names)), self.names
        if loop := next((names[u] for u, v in solution if u == v), ""):
            return f"{loop} is joined to itself"
        if violation := edges_violation(solution, set(combinations(nodes, 2)), names):
            return violation
        shut = {frozenset(pair) for pair in self.shut}
        if edge := next((edge for edge in solution if frozenset(edge) in shut), None):
            return f"{names[edge[0]]} and {names[edge[1]]} must not be joined"
        ends = [node for edge in solution for node in edge]
        node = next((n for n in nodes if ends.count(n) != self.degrees[n]), None)
        return "" if node is None else f"{names[node]} has {ends.count(node)} edges"

    def search(self) -> SearchResult:
        edges = realised(self.degrees, self.shut, 1_000_000).solution
        return SearchResult(edges, len(self.names) + len(self.shut))

    def naive_solutions(self) -> list[Any]:
        """The graph of Havel and Hakimi, no edges, and the pairs that must not be joined."""
        return [self.greedy(), (), self.shut]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """The node that needs most edges joined to those that need most, or have the fewest other
        partners, or to random ones, without turning back.
        """
        shut = {pair for u, v in self.shut for pair in ((u, v), (v, u))}

        def player(key: Callable[[int, dict[int, int]], float]) -> tuple[Edge, ...]:
            need, edges = dict(enumerate(self.degrees)), list[Edge]()
            while any(need.values()):
                node = max(shuffled(need, rng), key=need.__getitem__)
                near = [n for n in shuffled(need, rng) if need[n] and n != node]
                near = [n for n in near if (node, n) not in shut]
                for other in sorted(near, key=lambda n: key(n, need))[: need.pop(node)]:
                    edges.append((node, other))
                    need[other] -= 1
            return tuple(edges)

        def partners(node: int, need: dict[int, int]) -> int:
            return sum((node, other) not in shut for other in need if need[other])

        return {
            "random partners": player(lambda node, need: 0),
            "most needed partners": player(lambda node, need: -need[node]),
            "most constrained partners": player(
                lambda node, need: partners(node, need) - need[node]
            ),
        }

    def audit(self, answer: str) -> bool:
        """Whether the rows of the adjacency matrix have the right sums."""
        nodes = range(len(self.names))
        edges = self.read(answer)
        rows = [[((u, v) in edges) + ((v, u) in edges) for v in nodes] for u in nodes]
        right = tuple(map(sum, rows)) == self.degrees
        return right and max(map(max, rows)) == 1 and not any(rows[u][v] for u, v in self.shut)
