"""Centrality: closeness after Alex Bavelas (1950), betweenness after Linton Freeman (1977), and
PageRank after Sergey Brin and Lawrence Page (1998).
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Literal, Self

from palaestra.generators.graphs.algorithms import Ways, distances
from palaestra.generators.graphs.centrality import (
    Values,
    betweenness,
    closeness,
    rank_equations,
    rank_step,
    steps_from,
)
from palaestra.generators.graphs.puzzles import Graph, GraphPuzzle
from palaestra.generators.graphs.scenes import END, Look, network
from palaestra.generators.random_graphs import connected
from palaestra.scenes import Scene
from palaestra.task import Score, ladder
from palaestra.verifiers.linear import cramer, solved
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.numbers import rational
from palaestra.verifiers.reading.values import plain

Measure = Literal["betweenness", "closeness", "PageRank"]
MEASURES: tuple[Measure, ...] = ("betweenness", "closeness", "PageRank")


SMALL = 9
"""Smaller graphs have hardly any node of high degree that is less central than others."""


@lru_cache(maxsize=64)
def centralities(ways: tuple[tuple[int, ...], ...], measure: Measure, damping: Fraction) -> Values:
    """The centrality of each node."""
    if measure == "PageRank":
        return solved(rank_equations(ways, damping))
    return betweenness(ways) if measure == "betweenness" else closeness(ways)


class Centrality(GraphPuzzle):
    """Compute the betweenness, closeness or PageRank of several nodes of a graph exactly."""

    tags = {"graphs", "arithmetic", "unique-solution"}
    calculation = True

    class Knobs(GraphPuzzle.Knobs):
        measure: Literal["any", "betweenness", "closeness", "PageRank"] = ladder("any")
        nodes: int = ladder(7, 8, 9, 11, 13, 16, 19, low=7, high=24)
        ranked: int = ladder(3, 4, 5, 6, 7, 8, 9, low=3, high=12)  # nodes of a PageRank
        density: float = ladder(1.2, 1.3, 1.4, 1.5, low=1, high=1.7)  # edges/node
        questions: int = ladder(2, 2, 3, 4, 5, 6, 7, low=2, high=9)

    measure: Measure
    nodes: tuple[int, ...]
    """The nodes whose centrality is asked for."""
    damping: str = "1/2"
    """The damping factor of a PageRank."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        measure = rng.choice(MEASURES) if knobs.measure == "any" else knobs.measure
        if measure == "PageRank":
            number = knobs.ranked
            # A cycle, so that every node can be reached, and other edges that prefer a few nodes.
            edges = {(node, (node + 1) % number) for node in range(number)}
            wanted = min(number * (number - 1) - 1, round(number * 1.7))
            while len(edges) < wanted:
                u, v = rng.randrange(number), min(rng.randrange(number), rng.randrange(number))
                edges |= {(u, v)} if u != v else set()
            graph = Graph.of_arcs(rng, number, sorted(edges), knobs.encoding)
        else:
            number = knobs.nodes
            links = connected(rng, number, round(number * knobs.density), window=3)
            graph = Graph.of_edges(rng, number, links, knobs.encoding)
        nodes = rng.sample(range(number), min(knobs.questions, number))
        damping = rng.choice(("1/2", "2/3", "3/4")) if measure == "PageRank" else "1/2"
        return cls(graph=graph, measure=measure, nodes=tuple(nodes), damping=damping)

    def is_valid(self) -> bool:
        """Whether a node of higher degree is less central than another, and values differ. In small
        graphs, a node of the same degree is enough.
        """
        values, degrees = self.centralities(), self.degrees()
        higher = int(len(values) >= SMALL)
        inverted = any(
            degrees[u] >= degrees[v] + higher and values[u] < values[v]
            for one, other in combinations(range(len(values)), 2)
            for u, v in ((one, other), (other, one))
        )
        return super().is_valid() and inverted and len({values[node] for node in self.nodes}) > 1

    def canonical(self) -> str:
        return repr((self.graph.key(), self.measure, sorted(self.nodes), self.damping))

    def centralities(self) -> Values:
        """The centrality of each node."""
        return centralities(self.graph.ways(), self.measure, Fraction(self.damping))

    def degrees(self) -> list[int]:
        """How many edges join each node with others or, in a directed graph, enter it."""
        ways = self.graph.ways()
        return [sum(node in near for near in ways) for node in range(len(ways))]

    def prompt(self) -> str:
        number = len(self.graph.names)
        definition = {
            "betweenness": self.phrase(
                "The betweenness of a node v is the sum, over all pairs of other nodes, of the "
                "share of the shortest paths between the two nodes that pass through v. The order "
                "of the two nodes of a pair does not matter, so that each pair counts once. All "
                "edges have the same length.",
                "To compute the betweenness of a node v, consider each pair of other nodes s and t "
                "once. Among all paths with the fewest edges between s and t, take the fraction of "
                "those that contain v. The betweenness of v is the sum of these fractions.",
            ),
            "closeness": self.phrase(
                "The distance between two nodes is the smallest number of edges of a path between "
                f"them. The closeness of a node is {number - 1} divided by the sum of its "
                f"distances from the {number - 1} other nodes.",
                "Count a distance in edges, along a shortest path. The closeness of a node is one "
                "divided by its average distance from the other nodes.",
            ),
            "PageRank": self.phrase(
                f"The PageRanks of the nodes add up to {number}, and satisfy these equations: the "
                f"PageRank of a node is 1 - d, plus d times the sum of R(u) / L(u) over all nodes "
                "u from which an edge leads to the node, where R(u) is the PageRank of u, and "
                "L(u) is the number of edges that leave u. The damping factor d is "
                f"{self.damping}.",
                f"Compute PageRanks with the damping factor d = {self.damping}. The PageRank of a "
                "node is (1 - d) + d S, where S is what the node receives in total along the edges "
                "that lead to it: every node divides its own PageRank equally among the nodes to "
                f"which its edges lead. All PageRanks together are {number}.",
            ),
        }[self.measure]
        listed = self.graph.listing(self.nodes)
        return self.with_graph(
            f"{definition}\n\nFind the {self.measure} of each of these nodes: {listed}. Give exact "
            "values, as whole numbers or fractions. Write one line for each of the nodes, with "
            f"the node, a colon and its {self.measure}, such as "
            f"'{self.graph.names[self.nodes[0]]}: {self.example_value()}'."
        )

    def example_value(self) -> str:
        """A fraction that is not the value of the first node."""
        value = self.centralities()[self.nodes[0]]
        return next(text for text in ("7/9", "5/8") if value != Fraction(text))

    def look(self) -> Look:
        return Look(nodes=dict.fromkeys(self.nodes, END))

    def solved_scene(self, answer: str) -> Scene:
        values = self.read(answer)
        notes = {node: str(values[node]) for node in self.nodes}
        return network(self.graph, self.look().with_notes(notes))

    def as_text(self, values: Sequence[Fraction | int]) -> str:
        """An answer with the values of all nodes, of which some are asked for."""
        return "\n".join(f"{self.graph.names[node]}: {values[node]}" for node in self.nodes)

    def read(self, answer: str) -> dict[int, Fraction]:
        """The value of each node of an answer."""
        names = self.graph.names
        values = pairs(plain(answer), [names[node] for node in self.nodes])
        return {node: rational(values[names[node]]) for node in self.nodes}

    def answer(self) -> str:
        return self.as_text(self.centralities())

    def verify(self, answer: str) -> Score:
        right = self.centralities()
        return matched(self.read(answer), {node: right[node] for node in self.nodes})

    def audit(self, answer: str) -> bool:
        """Whether Cramer's rule gives the same PageRanks, and a table of all distances, with the
        number of shortest paths for each pair, the same other values.
        """
        ways, values = self.graph.ways(), self.read(answer)
        if self.measure == "PageRank":
            ranks = cramer(rank_equations(ways, Fraction(self.damping)))
            return all(ranks[node] == value for node, value in values.items())
        nodes = range(len(ways))
        far = distances(len(ways), {(u, v): 1 for u in nodes for v in ways[u]})
        if self.measure == "closeness":
            sums = [int(sum(row)) for row in far]
            return all(value * sums[node] == len(ways) - 1 for node, value in values.items())
        paths = [steps_from(ways, node)[1] for node in nodes]
        return all(
            value
            == sum(
                Fraction(paths[s][node] * paths[node][t], paths[s][t])
                for s, t in combinations([each for each in nodes if each != node], 2)
                if far[s][node] + far[node][t] == far[s][t]
            )
            for node, value in values.items()
        )

    def difficulty(self) -> float:
        nodes, edges = len(self.graph.names), len(self.graph.edges)
        return nodes**3 if self.measure == "PageRank" else nodes * edges

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Values by degrees and by what is near, and by shorter computations."""
        players = {"degrees": [Fraction(each) for each in self.degrees()]} | {
            "betweenness": self.between_players,
            "closeness": self.close_players,
            "PageRank": self.rank_players,
        }[self.measure](self.graph.ways())
        return {player: self.as_text(values) for player, values in players.items()}

    def between_players(self, ways: Ways) -> dict[str, Sequence[Fraction]]:
        """One shortest path for each pair, all of them without shares, and pairs of neighbours."""
        nodes = range(len(ways))
        single, whole = [Fraction(0) for _ in nodes], [Fraction(0) for _ in nodes]
        for start in nodes:
            order, _, before = steps_from(ways, start)
            for node in order[1:]:
                step = node
                while step != start:
                    step = before[step][0]
                    single[step] += Fraction(step != start, 2)
                line = [node]
                for each in line:
                    line += {*before[each]} - {*line}
                for each in line[1:]:
                    whole[each] += Fraction(each != start, 2)
        apart = [Fraction(sum(v not in ways[u] for u, v in combinations(near, 2))) for near in ways]
        return {
            "one shortest path for each pair": single,
            "pairs with any shortest path through it": whole,
            "neighbours that are not adjacent": apart,
            "pairs in both orders": [2 * value for value in self.centralities()],
        }

    def close_players(self, ways: Ways) -> dict[str, Sequence[Fraction]]:
        """All nodes that are no neighbours in a distance of 2 or 3, and shares of neighbours."""
        others = len(ways) - 1
        return {
            "share of neighbours": [Fraction(len(near), others) for near in ways],
            **{
                f"other nodes at distance {far}": [
                    Fraction(others, len(near) + far * (others - len(near))) for near in ways
                ]
                for far in (2, 3)
            },
        }

    def rank_players(self, ways: Ways) -> dict[str, Sequence[Fraction]]:
        """All alike, shares of the edges, and some steps of the iteration."""
        damping, degrees = Fraction(self.damping), self.degrees()
        values: Values = tuple(Fraction(1) for _ in ways)
        players: dict[str, Sequence[Fraction]] = {
            "all alike": values,
            "shares of the edges": [Fraction(each * len(ways), sum(degrees)) for each in degrees],
        }
        for step in (1, 2, 3):
            values = rank_step(ways, damping, values)
            players[f"step {step} of the iteration"] = values
        return players

    def shortcuts(self) -> Iterable[str]:
        return [self.as_text([1] * len(self.graph.names)), self.as_text(self.degrees())]
