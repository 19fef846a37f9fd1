"""Subgraph isomorphism, which is NP-complete, after Stephen Cook (1971)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, permutations
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.algorithms import reached
from palaestra.generators.graphs.puzzles import HELD_OUT, Graph, GraphFeasibility
from palaestra.generators.graphs.scenes import PLAIN, Look, network
from palaestra.generators.graphs.subgraph_isomorphism import (
    embedding,
    host_edges,
    pattern_edges,
    triangles,
)
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Panels
from palaestra.task import ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.nodes import matching_text


class SubgraphIsomorphism(GraphFeasibility):
    """Find a copy of a small graph in a larger one."""

    version = 2
    tags = {"graphs", "search", "constraints"}

    class Knobs(GraphFeasibility.Knobs):
        pattern: int = ladder(4, 5, 7, 9, 10, 11, 12, low=4, high=12)  # nodes
        nodes: int = ladder(7, 9, 14, 18, 21, 24, 26, low=7, high=26)  # of the larger graph
        extra: float = ladder(0.2, 0.2, 0.4, 0.5, 0.5, 0.5, 0.5, low=0, high=0.6)  # edges/node
        asks: Literal["any", "induced", "not induced"] = ladder("any")

    other: Graph
    """The larger graph."""
    induced: bool
    """Whether nodes that are not joined must not be joined in the copy either."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = max(knobs.nodes, knobs.pattern + 2)
        edges = pattern_edges(rng, knobs.pattern)
        around = host_edges(rng, knobs.pattern, edges, nodes, knobs.extra)
        graph = Graph.of_edges(rng, knobs.pattern, edges, knobs.encoding)
        other = Graph.of_edges(rng, nodes, around, knobs.encoding)
        while {*other.names} & {*graph.names}:
            other = Graph.of_edges(rng, nodes, around, knobs.encoding)
        wanted = knobs.asks if knobs.asks != "any" else rng.choice(("induced", "not induced"))
        return cls(graph=graph, other=other, induced=wanted == "induced")

    def canonical(self) -> str:
        return repr((self.graph.key(), self.other.key(), self.induced))

    def is_valid(self) -> bool:
        return super().is_valid() and (self.other.encoding != HELD_OUT or self.held_out())

    def prompt(self) -> str:
        task = self.phrase(
            "The second graph contains a copy of the first one. Match each node of the first graph "
            "with a node of the second, a different one each time, so that wherever an edge joins "
            "two nodes of the first graph, an edge joins their partners in the second.",
            "Find the first graph within the second: state a node of the second graph for each "
            "node of the first, no node twice, such that any two nodes that are joined in the "
            "first graph have partners that are joined in the second.",
        )
        rest = (
            "Two nodes that are not joined in the first graph must have partners that are not "
            "joined either."
            if self.induced
            else "The partners of two nodes that are not joined may be joined or not."
        )
        one, other = self.graph.ranked()[0], self.other.ranked()[0]
        shape = f"{self.graph.names[one]}: {self.other.names[other]}"
        return (
            f"Here are two undirected graphs.\n\nThe first graph:\n{self.graph.as_text()}\n\nThe "
            f"second graph:\n{self.other.as_text()}\n\n{task} {rest} If there are several "
            "solutions, any of them will do. Write one line for each node of the first graph, such "
            f"as '{shape}'."
        )

    def search(self) -> SearchResult:
        return embedding(self.graph.masks(), self.other.masks(), self.induced)

    def as_text(self, solution: Sequence[int]) -> str:
        names = zip(self.graph.names, solution)
        return "\n".join(f"{name}: {self.other.names[node]}" for name, node in names)

    def scene(self) -> Panels:
        return self.both(PLAIN, PLAIN)

    def solved_scene(self, answer: str) -> Panels:
        image = self.read(answer)
        notes = {node: self.other.names[other] for node, other in enumerate(image)}
        steps = [(image[u], image[v]) for u, v in self.graph.pairs()]
        host = PLAIN.with_nodes(image).with_edges(steps)
        return self.both(PLAIN.with_notes(notes), host)

    def both(self, look: Look, other: Look) -> Panels:
        """The two graphs beside each other."""
        graphs = network(self.graph, look), network(self.other, other)
        return Panels(graphs, ("first graph", "second graph"), columns=2)

    def read(self, answer: str) -> list[int]:
        """The node of the second graph for each of the first."""
        mapping = pairs(matching_text(answer), self.graph.names, self.other.names)
        return [self.other.names.index(mapping[name]) for name in self.graph.names]

    def violation(self, solution: Any) -> str:
        names, others = self.graph.names, self.other.names
        for node, other in enumerate(solution):
            if other in solution[:node]:
                return f"{others[other]} is matched twice"
        beside, around = self.graph.masks(), self.other.masks()
        for u, v in combinations(range(len(names)), 2):
            here, there = beside[u] >> v & 1, around[solution[u]] >> solution[v] & 1
            partners = f"{others[solution[u]]} and {others[solution[v]]}"
            if here > there:
                return f"{names[u]} and {names[v]} are joined, but {partners} are not"
            if self.induced and there > here:
                return f"{partners} are joined, but {names[u]} and {names[v]} are not"
        return ""

    def naive_solutions(self) -> list[Any]:
        """Nodes matched by the order of their names, and by that of their degrees."""
        named = dict(zip(self.graph.ranked(), self.other.ranked()))
        return [[named[n] for n in sorted(named)], self.by_degree(range(len(self.other.names)))]

    def by_degree(self, nodes: Iterable[int]) -> list[int]:
        """Nodes matched by the order of their degrees; ``nodes`` breaks ties."""
        ways, others = self.graph.ways(), self.other.ways()
        busy = sorted(range(len(ways)), key=lambda n: -len(ways[n]))
        image = dict(zip(busy, sorted(nodes, key=lambda n: -len(others[n]))))
        return [image[n] for n in sorted(image)]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Nodes matched by degree and at random; and node by node, each with a neighbour of a
        partner that is joined to as many other partners as it has to be, without turning back.
        """
        ways, others = self.graph.ways(), self.other.ways()
        inner, outer = triangles(self.graph.masks()), triangles(self.other.masks())
        mixed = shuffled(range(len(others)), rng)
        return {
            "by degree": self.by_degree(mixed),
            "at random": mixed[: len(self.graph.names)],
            "grown, random nodes": self.grown(rng, lambda node, other: 0),
            "grown, highest degrees": self.grown(rng, lambda node, other: -len(others[other])),
            "grown, lowest degrees": self.grown(rng, lambda node, other: len(others[other])),
            "grown, nearest degrees": self.grown(
                rng, lambda node, other: abs(len(others[other]) - len(ways[node]))
            ),
            "grown, nearest triangles": self.grown(
                rng,
                lambda node, other: (
                    abs(outer[other] - inner[node]) + abs(len(others[other]) - len(ways[node])) / 99
                ),
            ),
        }

    def grown(self, rng: Random, key: Callable[[int, int], float]) -> list[int]:
        """Nodes matched one after the other, from the busiest ones on, with a partner that fits
        those before it best.
        """
        ways = self.graph.ways()
        beside, around = self.graph.masks(), self.other.masks()
        order = reached(ways, max(shuffled(range(len(ways)), rng), key=lambda n: len(ways[n])))
        image: dict[int, int] = {}
        for node in order:

            def misfit(other: int, node: int = node) -> tuple[int, float]:
                wrong = 0
                for each, partner in image.items():
                    here, there = beside[node] >> each & 1, around[other] >> partner & 1
                    wrong += here > there or (self.induced and there > here)
                return wrong, key(node, other)

            left = [n for n in shuffled(range(len(around)), rng) if n not in image.values()]
            image[node] = min(left, key=misfit)
        return [image[node] for node in range(len(ways))]

    def audit(self, answer: str) -> bool:
        """Whether the edges of the first graph, renamed, are edges of the second, and all of those
        between the partners if the copy is an induced one.
        """
        image = self.read(answer)
        renamed = {frozenset((image[u], image[v])) for u, v in self.graph.pairs()}
        edges = {frozenset(edge) for edge in self.other.pairs()}
        between = {edge for edge in edges if edge <= {*image}}
        right = renamed == between if self.induced else renamed <= between
        return right and len({*image}) == len(image)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(pattern=4, nodes=7, extra=0.3)

    def candidates(self) -> Iterable[str]:
        nodes = range(len(self.other.names))
        return map(self.as_text, permutations(nodes, len(self.graph.names)))
