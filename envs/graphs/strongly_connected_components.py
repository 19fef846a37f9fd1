"""Strongly connected components, after Robert Tarjan (1972)."""

from collections.abc import Iterable
from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import Ways, reached
from palaestra.generators.graphs.puzzles import Graph, GraphPuzzle
from palaestra.generators.graphs.scenes import Look, network
from palaestra.scenes import Scene
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.nodes import groups


def strong_components(ways: Ways) -> list[list[int]]:
    """The strongly connected components, after Robert Tarjan (1972).

    >>> strong_components([[1], [0, 2], []])
    [[2], [0, 1]]
    """
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    components: list[list[int]] = []

    def visit(node: int) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for near in ways[node]:
            if near not in number:
                visit(near)
                low[node] = min(low[node], low[near])
            elif near in stack:
                low[node] = min(low[node], number[near])
        if low[node] == number[node]:
            start = stack.index(node)
            components.append(sorted(stack[start:]))
            del stack[start:]

    for node in range(len(ways)):
        if node not in number:
            visit(node)
    return components


class StronglyConnectedComponents(GraphPuzzle):
    """Divide the nodes of a directed graph into sets whose nodes can all reach one another."""

    version = 2
    tags = {"graphs", "deduction", "unique-solution"}
    calculation = True

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(6, 8, 10, 13, 17, 21, 26, low=5, high=32)
        parts: int = ladder(2, 3, 3, 4, 5, 6, 7, low=2, high=10)
        extra: float = ladder(0.4, 0.5, 0.6, 0.6, 0.7, 0.7, 0.8, low=0.3, high=1.5)  # edges/node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        parts = [[node] for node in range(min(knobs.parts, knobs.nodes - 2))]
        for node in range(len(parts), knobs.nodes):
            rng.choice(parts).append(node)
        part_of = {node: number for number, part in enumerate(parts) for node in part}
        edges = {step for part in parts if part[1:] for step in pairwise([*part, part[0]])}
        wanted = len(edges) + round(knobs.nodes * knobs.extra)
        for _ in range(20 * knobs.nodes):
            u, v = sorted(rng.sample(range(knobs.nodes), 2), key=lambda node: part_of[node])
            if len(edges) < wanted and (part_of[u] != part_of[v] or rng.random() < 0.3):
                edges.add((u, v))
        graph = Graph.of_arcs(rng, knobs.nodes, sorted(edges), knobs.encoding)
        return cls(graph=graph)

    def is_valid(self) -> bool:
        components = strong_components(self.graph.ways())
        return super().is_valid() and 1 < len(components) < len(self.graph.names)

    def prompt(self) -> str:
        task = self.phrase(
            "Find the strongly connected components: two nodes are in the same component if and "
            "only if each can be reached from the other along the directions of the edges.",
            "Two nodes are in the same component if and only if the edges, followed in their "
            "directions, lead from one to the other and also back. Find all the components.",
        )
        return self.with_graph(
            f"{task} A node that is on no directed cycle is a component by itself. Write one line "
            f"for each component, with its nodes in any order, such as '{self.example(3)}'. Every "
            "node must be on exactly one line."
        )

    def answer(self) -> str:
        return self.as_text(strong_components(self.graph.ways()))

    def as_text(self, parts: Iterable[Iterable[int]]) -> str:
        """Groups of nodes as an answer."""
        return "\n".join(map(self.graph.listing, parts))

    def solved_scene(self, answer: str) -> Scene:
        parts = list(enumerate(groups(answer, self.graph.names)))
        notes = {node: str(number + 1) for number, part in parts for node in part}
        tones = {node: f"t{number % 12}" for number, part in parts for node in part}
        return network(self.graph, Look(nodes=tones).with_notes(notes))

    def verify(self, answer: str) -> Score:
        names = self.graph.names
        component_of = {node: group for group in groups(answer, names) for node in group}
        for node, name in enumerate(names):
            if node not in component_of:
                return Score(0, f"{name} is missing")
        right = {node: part for part in strong_components(self.graph.ways()) for node in part}
        for node, group in sorted(component_of.items()):
            if apart := set(group) - set(right[node]):
                return Score(
                    0, f"{names[node]} and {names[min(apart)]} are not in the same component"
                )
            if len(group) < len(right[node]):
                return Score(0, f"the component of {names[node]} is too small")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Whether the group of each node is the set of nodes that it reaches and that reach it."""
        names, ways = self.graph.names, self.graph.ways()
        reach = [set(reached(ways, node)) for node in range(len(names))]
        component_of = {node: set(group) for group in groups(answer, names) for node in group}
        both = [{v for v in reach[u] if u in reach[v]} for u in range(len(names))]
        return all(component_of.get(node) == both[node] for node in range(len(names)))

    def difficulty(self) -> float:
        return len(self.graph.names) + len(self.graph.edges)

    def shortcuts(self) -> Iterable[str]:
        everyone = self.graph.ranked()
        mutual = {
            u: sorted({u, *(v for v in near if u in self.graph.ways()[v])})
            for u, near in enumerate(self.graph.ways())
        }
        neighbours = sorted({tuple(group) for group in mutual.values()})
        alone = [[node] for node in everyone]
        return [self.as_text([everyone]), self.as_text(alone), self.as_text(neighbours)]
