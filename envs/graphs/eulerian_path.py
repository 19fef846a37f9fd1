"""The Eulerian trail, after Leonhard Euler's bridges of Königsberg (1736).

Carl Hierholzer's algorithm (1873) finds it.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility, GraphPuzzle, Walk
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


def euler_trail(ways: Sequence[Sequence[int]], start: int) -> list[int]:
    """A trail along every edge, after Carl Hierholzer (1873).

    >>> euler_trail([[1, 2], [0, 2], [0, 1]], 0)
    [0, 2, 1, 0]
    """
    left = [set(near) for near in ways]
    stack, trail = [start], []
    while stack:
        here = stack[-1]
        if left[here]:
            there = min(left[here])
            left[here].discard(there)
            left[there].discard(here)
            stack.append(there)
        else:
            trail.append(stack.pop())
    return trail


class EulerianPath(Walk, GraphFeasibility):
    """Walk along every edge of a graph exactly once."""

    version = 2
    tags = {"graphs", "search", "planning"}
    baseline_note = (
        "a trail that starts at a node of odd degree fails only where it leaves a part "
        "behind, which is rare in a graph with many cycles"
    )

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(7, 8, 9, 10, 12, 15, 18, low=7, high=24)  # at most
        edges: int = ladder(10, 12, 15, 19, 25, 32, 42, low=8, high=60)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        trail, used = [0], set[Edge]()
        wanted = min(knobs.edges, knobs.nodes * (knobs.nodes - 1) // 3)
        while len(used) < wanted:
            here = trail[-1]
            ahead = [
                n
                for n in range(knobs.nodes)
                if n != here and (min(n, here), max(n, here)) not in used
            ]
            if not ahead:
                break
            trail.append(rng.choice(ahead))
            used.add((min(here, trail[-1]), max(here, trail[-1])))
        order = {node: number for number, node in enumerate(dict.fromkeys(trail))}
        edges = [(order[u], order[v]) for u, v in sorted(used)]
        return cls(graph=Graph.of_edges(rng, len(order), edges, knobs.encoding))

    def is_valid(self) -> bool:
        # A naive trail breaks no rule but that it may be too short.
        short = all(len(trail) <= len(self.graph.edges) for trail in self.naive_solutions())
        return GraphPuzzle.is_valid(self) and short

    def starts(self) -> list[int]:
        """The nodes at which a trail along all edges may start: those of odd degree, if any."""
        odd = [node for node, near in enumerate(self.graph.ways()) if len(near) % 2]
        return odd or [0]

    def naive_solutions(self) -> list[list[int]]:
        """Trails along the first unused edge, by the names, until there is none."""
        rank = {node: number for number, node in enumerate(self.graph.ranked())}
        starts = {*self.starts(), self.graph.ranked()[0]}
        return [self.first_trail(start, rank) for start in sorted(starts)]

    def first_trail(self, start: int, rank: dict[int, int]) -> list[int]:
        """The trail from a node along the first unused edge, by the names."""
        left = [set(near) for near in self.graph.ways()]
        trail = [start]
        while left[trail[-1]]:
            here = trail[-1]
            trail.append(min(left[here], key=lambda node: rank[node]))
            left[here].discard(trail[-1])
            left[trail[-1]].discard(here)
        return trail

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Trails along unused edges: random ones, and to the node with the most or the fewest
        unused edges.
        """
        keys = {"random trail": 0, "most unused edges": -1, "fewest unused edges": 1}
        return {
            name: self.trail(rng.choice(self.starts()), sign, rng) for name, sign in keys.items()
        }

    def trail(self, start: int, sign: int, rng: Random) -> list[int]:
        """A trail to the neighbour with the fewest unused edges times ``sign``, until it ends."""
        left = [set(near) for near in self.graph.ways()]
        trail = [start]
        while ahead := shuffled(sorted(left[trail[-1]]), rng):
            here = trail[-1]
            trail.append(min(ahead, key=lambda node: sign * len(left[node])))
            left[here].discard(trail[-1])
            left[trail[-1]].discard(here)
        return trail

    def prompt(self) -> str:
        task = self.phrase(
            "Find a walk that goes along every edge exactly once. It may pass through a node "
            "several times, and need not end where it starts.",
            "Start at a node of your choice and draw the whole graph in one stroke that goes along "
            "each edge exactly once. The stroke may pass through a node several times.",
        )
        return self.with_graph(
            f"{task} There is at least one such walk; any will do. Write the nodes in the order of "
            f"the walk, {len(self.graph.edges) + 1} in all, such as '{self.walk_example(4)}'."
        )

    def violation(self, solution: Any) -> str:
        names, unused = self.graph.names, set(self.graph.pairs())
        for u, v in pairwise(solution):
            edge = min(u, v), max(u, v)
            if edge not in unused:
                twice = f"the edge between {names[u]} and {names[v]} is used twice"
                return super().violation(edge) or twice
            unused.discard(edge)
        return f"the number of unused edges is {len(unused)}" if unused else ""

    def search(self) -> SearchResult:
        trail = euler_trail(self.graph.ways(), self.starts()[0])
        return SearchResult(trail, len(self.graph.edges))

    def audit(self, answer: str) -> bool:
        """Whether the steps, sorted, are the edges."""
        steps = [tuple(sorted(step)) for step in pairwise(self.read(answer))]
        return sorted(steps) == self.graph.pairs()

    def shortcuts(self) -> list[str]:
        return [*super().shortcuts(), self.as_text(self.graph.ranked())]
