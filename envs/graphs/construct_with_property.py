"""Graphs of prescribed numbers, such as triangles, diameter and spanning trees."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.construct_with_property import (
    PROPERTIES,
    is_connected,
    masks,
    stretched,
)
from palaestra.generators.graphs.networks import has_clique
from palaestra.generators.graphs.scenes import PLAIN, diagram
from palaestra.generators.random_graphs import Edge, in_order, node_names
from palaestra.generators.solutions import Feasibility, SearchResult
from palaestra.scenes import Graph
from palaestra.task import ladder
from palaestra.verifiers.reading.headings import edges_text
from palaestra.verifiers.reading.nodes import edge_list, edges_violation

RULES: Mapping[str, str] = {
    "triangles": "The number of triangles, which are sets of three nodes that are all joined, is "
    "{}.",
    "squares": "The number of cycles of four nodes is {}. Such a cycle is four different nodes in "
    "a ring of four edges; other edges may join them as well.",
    "diameter": "The diameter, which is the greatest distance of two nodes in edges, is {}.",
    "shortest paths": "The number of different shortest paths between {one} and {other} is {}.",
    "spanning trees": "The number of spanning trees is {}.",
    "independence number": "The greatest number of nodes no two of which are joined is {}.",
}

_LENGTHS = 4
"""The audit counts closed walks of up to so many edges."""


class ConstructWithProperty(Feasibility):
    """Construct a graph with given numbers, such as its triangles and its diameter."""

    tags = {"graphs", "constraints", "search", "mathematics"}
    hidden = {"planted"}

    class Knobs(Feasibility.Knobs):
        nodes: int = ladder(5, 6, 7, 8, 9, 10, 12, low=5, high=14)
        density: float = ladder(1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, low=1.2, high=2.0)  # edges/node
        properties: int = ladder(1, 2, 3, 3, 4, 4, 5, low=1, high=6)
        degrees: bool = ladder(True)  # whether those of all nodes are fixed

    names: tuple[str, ...]
    degrees: tuple[int, ...]
    """The degree of each node; without any, only the number of edges is fixed."""
    edges: int
    numbers: tuple[tuple[str, int], ...]
    """Properties, each with its number."""
    planted: tuple[Edge, ...]
    """The edges of a graph that has all of them; it shows that there is one."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        most = knobs.nodes * (knobs.nodes - 1) // 2 - 3  # else all such graphs are much the same
        number = min(most, round(knobs.nodes * knobs.density))
        edges = stretched(rng, knobs.nodes, number)
        beside = masks(knobs.nodes, edges)
        chosen = {*rng.sample([*PROPERTIES], knobs.properties)}
        if not knobs.degrees:
            chosen |= {"triangles"}  # few graphs of so many edges have as many
        degrees = [near.bit_count() for near in beside] if knobs.degrees else []
        return cls(
            names=node_names(rng, knobs.nodes),
            degrees=tuple(degrees),
            edges=len(edges),
            numbers=tuple(
                (name, rule(beside)) for name, rule in PROPERTIES.items() if name in chosen
            ),
            planted=tuple(edges),
        )

    def canonical(self) -> str:
        return repr((len(self.names), self.degrees, self.edges, self.numbers))

    def prompt(self) -> str:
        names = self.names
        order = in_order(names)
        task = self.phrase(
            "Construct a connected graph on these nodes that satisfies all conditions below.",
            "Find a connected undirected graph with these nodes that meets each of the following "
            "conditions.",
        )
        rules = [f"The number of edges is {self.edges}."]
        if self.degrees:
            listed = ", ".join(f"{names[n]} {self.degrees[n]}" for n in order)
            rules.append(f"The numbers of edges at the nodes are: {listed}.")
        for name, number in self.numbers:
            rules.append(RULES[name].format(number, one=names[0], other=names[1]))
        conditions = "\n".join(f"- {rule}" for rule in rules)
        one, two, three, *_ = (names[node] for node in order)
        return (
            f"Nodes: {', '.join(names[n] for n in order)}.\n\n{task} An edge joins two different "
            "nodes, and no two nodes are joined by more than one edge.\n\n"
            f"{conditions}\n\nThere is at least one such graph; any will do. Write all edges on "
            f"one line, such as '{one}-{two}, {one}-{three}', in any order."
        )

    def scene(self) -> Graph:
        notes = {node: str(degree) for node, degree in enumerate(self.degrees)}
        return diagram(self.names, (), PLAIN._replace(notes=notes))

    def solved_scene(self, answer: str) -> Graph:
        edges = self.read(answer)
        notes = {node: str(degree) for node, degree in enumerate(self.degrees)}
        return diagram(self.names, [e for e in edges if e[0] != e[1]], PLAIN._replace(notes=notes))

    def read(self, answer: str) -> tuple[Edge, ...]:
        return edge_list(edges_text(answer), self.names)

    def as_text(self, solution: Iterable[Edge]) -> str:
        return ", ".join(f"{self.names[u]}-{self.names[v]}" for u, v in solution) or "none"

    def violation(self, solution: Any) -> str:
        nodes, names = range(len(self.names)), self.names
        if loop := next((names[u] for u, v in solution if u == v), ""):
            return f"{loop} is joined to itself"
        if violation := edges_violation(solution, set(combinations(nodes, 2)), names):
            return violation
        if len(solution) != self.edges:
            return f"the graph has {len(solution)} edges, not {self.edges}"
        beside = masks(len(names), solution)
        for node, degree in enumerate(self.degrees):
            if beside[node].bit_count() != degree:
                return f"{names[node]} has {beside[node].bit_count()} edges, not {degree}"
        if not is_connected(beside):
            return "the graph is not connected"
        for name, number in self.numbers:
            if (value := PROPERTIES[name](beside)) != number:
                return f"{name}: {value}, not {number}"
        return ""

    def search(self) -> SearchResult:
        size = len(self.names) * self.edges * (1 + len(self.numbers) + bool(self.degrees))
        return SearchResult(self.planted, size)

    def naive_solutions(self) -> list[Any]:
        """No edges, a path with all others at its start, and a star with all others at its rim."""
        nodes = range(len(self.names))
        paths = [(n - 1, n) for n in nodes[1:]]
        stars = [(0, n) for n in nodes[1:]]
        return [(), *(self.filled(each, [*combinations(nodes, 2)]) for each in (paths, stars))]

    def filled(self, first: Sequence[Edge], others: Iterable[Edge]) -> list[Edge]:
        """The first edges, and as many of the others as there have to be."""
        rest = [edge for edge in others if edge not in first]
        return [*first, *rest][: self.edges]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Random graphs, random trees with other edges, paths and cliques with tails; where degrees
        are fixed, the nodes that need most edges joined to one another and to random ones.
        """
        nodes = range(len(self.names))
        mixed = shuffled(nodes, rng)
        pairs = shuffled(combinations(nodes, 2), rng)
        tree = [tuple(sorted((mixed[n], mixed[rng.randrange(n)]))) for n in nodes[1:]]
        path = [(min(step), max(step)) for step in pairwise(mixed)]
        near = [(mixed[n], mixed[n + gap]) for gap in (1, 2, 3) for n in nodes[:-gap]]
        strip = [(min(pair), max(pair)) for pair in near]
        clique = sorted(combinations(nodes, 2), key=lambda pair: (pair[1], pair[0]))
        players: dict[str, Any] = {
            "random edges": pairs[: self.edges],
            "random tree and edges": self.filled([(e[0], e[1]) for e in tree], pairs),
            "path and edges": self.filled(path, pairs),
            "path and clique": self.filled(path, clique),
            "near nodes": self.filled(strip, pairs),
        }
        if self.degrees:
            players |= {
                "most needed partners": self.joined(rng, 1),
                "random partners": self.joined(rng, 0),
                "least needed partners": self.joined(rng, -1),
            }
        return players

    def joined(self, rng: Random, sign: int) -> list[Edge]:
        """Edges from the node that needs most, each time to those that need most or least."""
        need, edges = dict(enumerate(self.degrees)), list[Edge]()
        while any(need.values()):
            node = max(shuffled(need, rng), key=need.__getitem__)
            wanted = need.pop(node)
            left = [n for n in shuffled(need, rng) if need[n]]
            for other in sorted(left, key=lambda n: -sign * need[n])[:wanted]:
                edges.append((min(node, other), max(node, other)))
                need[other] -= 1
        return edges

    def audit(self, answer: str) -> bool:
        """The same numbers by powers of the adjacency matrix, elimination with fractions and
        cliques of the complement.
        """
        edges = {frozenset(edge) for edge in self.read(answer)}
        nodes = range(len(self.names))
        one = [[int(frozenset((u, v)) in edges and u != v) for v in nodes] for u in nodes]
        degrees = [sum(row) for row in one]
        if sum(degrees) != 2 * self.edges or len(self.read(answer)) != self.edges:
            return False
        powers, far = [one], 1
        reach = [[int(u == v) + one[u][v] for v in nodes] for u in nodes]
        while not all(map(all, reach)):
            if far == len(nodes):
                return False
            far += 1
            powers.append(_times(powers[-1], one))
            reach = [[reach[u][v] + powers[-1][u][v] for v in nodes] for u in nodes]
        while len(powers) < _LENGTHS + far:
            powers.append(_times(powers[-1], one))
        forks = sum(degree * (degree - 1) // 2 for degree in degrees)
        values = {
            "triangles": sum(powers[2][n][n] for n in nodes) // 6,
            "squares": (sum(powers[3][n][n] for n in nodes) - 4 * forks - 2 * self.edges) // 8,
            "diameter": far,
            "shortest paths": next(power[0][1] for power in powers if power[0][1]),
            "spanning trees": _trees(one),
        }
        if size := dict(self.numbers).get("independence number"):
            apart = [sum(1 << v for v in nodes if u != v and not one[u][v]) for u in nodes]
            if not has_clique(apart, size) or has_clique(apart, size + 1):
                return False
            values["independence number"] = size
        right = not self.degrees or tuple(degrees) == self.degrees
        return right and all(values[name] == number for name, number in self.numbers)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=5, density=1.2, properties=2, degrees=False)

    def candidates(self) -> Iterable[str]:
        """All graphs on the nodes."""
        pairs = [*combinations(range(len(self.names)), 2)]
        for size in range(len(pairs) + 1):
            yield from map(self.as_text, combinations(pairs, size))


def _times(one: list[list[int]], other: list[list[int]]) -> list[list[int]]:
    """The product of two matrices."""
    columns = [*zip(*other)]
    return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in one]


def _trees(one: list[list[int]]) -> int:
    """The number of spanning trees, by elimination in the Laplacian without its first row."""
    size = len(one)
    rows = [
        [Fraction(sum(one[u]) if u == v else -one[u][v]) for v in range(1, size)]
        for u in range(1, size)
    ]
    product = Fraction(1)
    for n, row in enumerate(rows):
        product *= row[n]
        for other in rows[n + 1 :]:
            factor = other[n] / row[n]
            other[:] = [a - factor * b for a, b in zip(other, row)]
    return int(product)
