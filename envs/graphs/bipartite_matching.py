"""Maximum matching in a bipartite graph, after Dénes Kőnig (1931) and Harold Kuhn (1955)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders
from palaestra.generators.graphs.matchings import matching
from palaestra.generators.graphs.players import greedy_matching
from palaestra.generators.graphs.puzzles import EdgeSet, Graph, GraphOptimum
from palaestra.generators.graphs.scenes import Look
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


class BipartiteMatching(EdgeSet, GraphOptimum):
    """Match as many nodes on the two sides of a bipartite graph as possible along its edges."""

    version = 3
    tags = {"graphs", "optimisation", "search"}
    baseline_note = (
        "matching the node with the fewest free neighbours first, as Richard Karp and Michael "
        "Sipser do, is nearly always optimal in sparse graphs, and denser ones have perfect "
        "matchings that any order finds"
    )

    class Knobs(GraphOptimum.Knobs):
        side: int = ladder(4, 5, 6, 7, 9, 11, 13, low=3, high=16)  # nodes on each side
        density: float = ladder(1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.3, low=1.5, high=3)  # edges/node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        side = knobs.side
        right = range(side, 2 * side)
        edges = {(node, rng.choice(right)) for node in range(side)}
        edges |= {(rng.randrange(side), node) for node in right}
        # Where nearly every edge exists, greedy choices are optimal.
        while len(edges) < min(round(side * knobs.density), side * side * 3 // 4):
            edges.add((rng.randrange(side), rng.choice(right)))
        return cls(graph=Graph.of_edges(rng, 2 * side, sorted(edges), knobs.encoding))

    @property
    def left(self) -> range:
        """The nodes of one side."""
        return range(len(self.graph.names) // 2)

    def prompt(self) -> str:
        task = self.phrase(
            "Find a maximum matching: as many edges as possible, no two of which share a node.",
            "Form as many pairs of nodes as possible. An edge must join the two nodes of each "
            "pair, and no node may be in two pairs.",
        )
        left = [node for node in self.graph.ranked() if node in self.left]
        return self.with_graph(
            f"Every edge joins one of the nodes {self.graph.listing(left)} with one of the other "
            f"nodes. {task} If several solutions are optimal, any of them will do. Write the edges "
            f"on one line, such as '{self.edges_example()}', in any order."
        )

    def look(self) -> Look:
        """One side on the left, the other on the right, each in the order of the names."""
        sides = {node: int(node not in self.left) for node in self.graph.ranked()}
        last = max(1, len(self.left) - 1)
        down: dict[int, float] = {}
        for side in (0, 1):
            column = [node for node in sides if sides[node] == side]
            down |= {node: number / last for number, node in enumerate(column)}
        return Look(x=sides, y=down, nodes=dict.fromkeys(self.left, "t0"))

    def violation(self, solution: Any) -> str:
        if violation := super().violation(solution):
            return violation
        ends = [node for edge in solution for node in edge]
        twice = next((node for node in ends if ends.count(node) > 1), None)
        return "" if twice is None else f"{self.graph.names[twice]} is in two pairs"

    def worth(self, solution: Any) -> int:
        return len(solution)

    def search(self) -> SearchResult:
        partner, examined = matching(self.graph.ways(), self.left)
        return SearchResult(tuple((u, v) for v, u in partner.items()), examined)

    def naive_solutions(self) -> list[Any]:
        """Every edge whose ends are still free, in the order of the prompt and in that of names."""
        rank = {node: number for number, node in enumerate(self.graph.ranked())}
        listed = [edge[:2] for edge in self.graph.edges]
        named = sorted(listed, key=lambda edge: sorted((rank[edge[0]], rank[edge[1]])))
        return [self.greedy_matching(order) for order in (listed, named)]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Every edge whose ends are free, by degree, and the most constrained node first."""
        ways, edges = self.graph.ways(), self.graph.pairs()
        degrees = {edge: len(ways[edge[0]]) + len(ways[edge[1]]) for edge in edges}
        orders = natural_orders(edges, rng, {"degree": degrees.__getitem__})
        players = {name: self.greedy_matching(order) for name, order in orders.items()}
        return {**players, "most constrained first": greedy_matching(edges, rng)}

    @staticmethod
    def greedy_matching(edges: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The edges, one after the other, whose ends are both free."""
        used: set[int] = set()
        chosen = []
        for edge in edges:
            if not used & set(edge):
                used |= set(edge)
                chosen.append(edge)
        return chosen

    def audit(self, answer: str) -> bool:
        """Whether it is as large as a vertex cover, which exists by Kőnig's theorem."""
        pairs = {(min(edge), max(edge)) for edge in self.read(answer)}
        edges = set(self.graph.pairs())
        partner = dict(pairs) | {v: u for u, v in pairs}
        seen = {node for node in self.left if node not in partner}
        for _ in self.graph.names:
            seen |= {v for u, v in edges if u in seen and (u, v) not in pairs}
            seen |= {partner[v] for v in seen if v not in self.left and v in partner}
        cover = {n for n in range(len(self.graph.names)) if (n in self.left) != (n in seen)}
        met = all(cover & {u, v} for u, v in edges)
        return (
            pairs <= edges and len(partner) == 2 * len(pairs) and met and len(cover) == len(pairs)
        )
