"""Bridges and articulation points, after John Hopcroft and Robert Tarjan (1973)."""

from collections.abc import Iterable, Set
from itertools import combinations, pairwise
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import reached
from palaestra.generators.graphs.bridges_and_articulation_points import weak_points
from palaestra.generators.graphs.puzzles import Graph, GraphPuzzle
from palaestra.generators.graphs.scenes import network
from palaestra.generators.random_graphs import Edge
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, Score, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.nodes import edge_list, node_set


class BridgesAndArticulationPoints(GraphPuzzle):
    """Find each edge and each node whose removal disconnects a graph."""

    version = 2
    tags = {"graphs", "deduction", "unique-solution"}
    calculation = True

    class Knobs(GraphPuzzle.Knobs):
        blocks: int = ladder(3, 3, 4, 5, 7, 9, 11, low=2, high=14)
        largest: int = ladder(4, 5, 5, 5, 5, 5, 6, low=4, high=8)  # nodes of a block
        chords: float = ladder(0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, low=0, high=1)

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        edges: set[Edge] = set()
        nodes = 1
        for _ in range(knobs.blocks):  # attached to an earlier node, or to a bridge from it
            hook = rng.randrange(nodes)
            if rng.random() < 0.5:
                edges.add((hook, nodes))
                hook, nodes = nodes, nodes + 1
            ring = [hook, *range(nodes, nodes + rng.randint(2, knobs.largest - 1))]
            nodes += len(ring) - 1
            edges |= set(pairwise(ring)) | {(hook, ring[-1])}
            if len(ring) > 3 and rng.random() < knobs.chords:
                edges.add(rng.choice([c for c in combinations(ring, 2) if c not in edges]))
        return cls(graph=Graph.of_edges(rng, nodes, sorted(edges), knobs.encoding))

    def is_valid(self) -> bool:
        return (
            super().is_valid()
            and all(self.right_answer())
            and all(self.verify(a).value < 1 for a in self.shortcuts())
        )

    def right_answer(self) -> tuple[list[Edge], list[int]]:
        """The bridges and the articulation points."""
        return weak_points(self.graph.ways())

    def prompt(self) -> str:
        task = self.phrase(
            "Find all bridges and all articulation points. A bridge is an edge whose removal "
            "disconnects the graph; an articulation point is a node whose removal, together with "
            "its edges, disconnects the other nodes.",
            "Which single edges hold the graph together, so that removing one of them splits the "
            "graph in two (the bridges)? And which single nodes do so: removing one, with its "
            "edges, leaves nodes that cannot reach one another (the articulation points)?",
        )
        edge = self.example(2).replace(", ", "-")
        return self.with_graph(
            f"{task} Write two lines, each with its items in any order or with 'none' if there are "
            f"none, such as:\nbridges: {edge}\nnodes: {self.example(2, 2)}"
        )

    def answer(self) -> str:
        return self.as_text(*self.right_answer())

    def as_text(self, bridges: Iterable[Edge], nodes: Iterable[int]) -> str:
        """Bridges and nodes as an answer."""
        points = self.graph.listing(nodes) or "none"
        return f"bridges: {self.graph.pairing(bridges) or 'none'}\nnodes: {points}"

    def read(self, answer: str) -> tuple[set[Edge], set[int]]:
        """The bridges and the nodes of an answer."""
        lines, names = pairs(answer, ["bridges", "nodes"]), self.graph.names
        bridges = [(min(edge), max(edge)) for edge in edge_list(lines["bridges"], names)]
        if len(set(bridges)) < len(bridges):
            raise InvalidAnswer("expected each bridge once, got one twice")
        return set(bridges), set(node_set(lines["nodes"], names))

    def solved_scene(self, answer: str) -> Scene:
        bridges, nodes = self.read(answer)
        return network(self.graph, self.look().with_nodes(nodes).with_edges(sorted(bridges)))

    def verify(self, answer: str) -> Score:
        values, right = self.read(answer), self.right_answer()
        errors = {
            "bridges": self._difference(values[0], set(right[0])),
            "nodes": self._difference(values[1], set(right[1])),
        }
        reason = "; ".join(f"{part}: {error}" for part, error in errors.items() if error)
        parts = {part: float(not error) for part, error in errors.items()}
        return Score(not reason, reason, {"progress": sum(parts.values()) / len(parts), **parts})

    @staticmethod
    def _difference(listed: Set[object], right: Set[object]) -> str:
        if listed == right:
            return ""
        return "some of those listed are wrong" if listed - right else "some are missing"

    def audit(self, answer: str) -> bool:
        """Whether it lists exactly the edges and nodes whose removal disconnects the graph."""
        ways, everyone = self.graph.ways(), range(len(self.graph.names))
        bridges, nodes = self.read(answer)
        for u, v in self.graph.pairs():
            cut = [[m for m in ways[n] if {n, m} != {u, v}] for n in everyone]
            if (v not in reached(cut, u)) != ((u, v) in bridges):
                return False
        weak = {n for n in everyone if len(reached(ways, int(n == 0), [n])) < len(ways) - 1}
        return weak == nodes and bridges <= set(self.graph.pairs())

    def difficulty(self) -> float:
        return len(self.graph.names) + len(self.graph.edges)

    def shortcuts(self) -> Iterable[str]:
        ways, everyone = self.graph.ways(), range(len(self.graph.names))
        dangling = [(n, ways[n][0]) for n in everyone if len(ways[n]) == 1]
        busy = [n for n in everyone if len(ways[n]) > 2]
        thin = [(u, v) for u, v in self.graph.pairs() if not set(ways[u]) & set(ways[v])]
        yield from (self.as_text([], []), self.as_text(dangling, [v for _, v in dangling]))
        yield self.as_text(thin, busy)
        yield self.as_text(self.graph.pairs(), everyone)
