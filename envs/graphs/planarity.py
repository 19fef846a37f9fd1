"""Planar embeddings and Kuratowski subgraphs, after Kazimierz Kuratowski (1930)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from math import atan2, cos, pi, sin
from random import Random
from typing import Any, Literal, NamedTuple, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.algorithms import Forest, reached
from palaestra.generators.graphs.planarity import (
    beside,
    crossed,
    faces,
    obstruction,
    paths_of,
    plane_faces,
    rotations_of,
    thinned,
    triangulation,
)
from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility
from palaestra.generators.graphs.scenes import along, network
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.layout import lines
from palaestra.verifiers.reading.nodes import walk

PLANAR, CROSSED = "planar", "not planar"
_ENDS = re.compile(r"[:=]")
_NOT = re.compile("non-?planar")
_KURATOWSKI = re.compile(r"\bK_?\{?(?:5|3 ?, ?3)(?!\d)")
_COUNT = re.compile(r"(?:path[ \t]+)?(\d{1,2})[.):][ \t]+(?=\S)", re.IGNORECASE)


class Drawing(NamedTuple):
    """A rotation for each node, or the paths of a subdivision."""

    rotations: Mapping[int, tuple[int, ...]] | None
    paths: Sequence[tuple[int, ...]] = ()


class Planarity(GraphFeasibility):
    """Show that a graph is planar by an embedding, or that it is not by a subdivision."""

    version = 2
    tags = {"graphs", "search", "proof", "spatial"}

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(6, 7, 8, 9, 10, 12, 14, low=6, high=16)
        density: float = ladder(1.6, 1.7, 1.8, 1.8, 1.8, 1.75, 1.7, low=1.6, high=2.3)  # edges/node
        graphs: Literal["any", "planar", "not planar"] = ladder("any")

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.nodes
        number = min(round(nodes * knobs.density), 3 * nodes - 7)  # of edges
        wanted = knobs.graphs if knobs.graphs != "any" else rng.choice((PLANAR, CROSSED))
        if wanted == PLANAR:
            edges = thinned(rng, triangulation(rng, nodes), number)
        else:
            edges = crossed(rng, nodes, number)
        return cls(graph=Graph.of_edges(rng, nodes, edges, knobs.encoding))

    def prompt(self) -> str:
        task = self.phrase(
            "Decide whether the graph is planar, that is, can be drawn in the plane without edges "
            "that cross, and prove it.",
            "Can the graph be drawn in the plane such that no two edges cross? Give a proof in "
            "either case.",
        )
        one, *others = self.graph.ranked()[:4]
        names = self.graph.names
        path = self.graph.listing([one, *others[:2]], " -> ")
        return self.with_graph(
            f"{task}\n\nIf it is planar, write the line '{PLANAR}' and, below it, one line for "
            "each node with all its neighbours in the order in which they follow one another "
            "clockwise around the node in one drawing without crossings, such as "
            f"'{names[one]}: {self.graph.listing(others)}'. It does not matter with which "
            f"neighbour a line begins.\n\nOtherwise write the line '{CROSSED}' and, below it, a "
            "subdivision of K5 or of K3,3 in the graph: one line for each of its paths with all "
            f"nodes of the path in order, such as '{path}'. For K5, choose five nodes and ten "
            "paths, one between any two of them. For K3,3, choose three nodes and three other "
            "nodes, and nine paths, one from each of the former to each of the latter. The paths "
            "go along edges, and no node within a path is on another path or is one of the chosen "
            "nodes. If there are several solutions, any of them will do."
        )

    def solved_scene(self, answer: str) -> Scene:
        rotations, paths = self.read(answer)
        if rotations is None:
            steps = [step for path in paths for step in along(path)]
            ends = [node for path in paths for node in (path[0], path[-1])]
            return network(self.graph, self.look().with_nodes(ends).with_edges(steps))
        notes = {node: self.graph.listing(near, " ") for node, near in rotations.items()}
        return network(self.graph, self.look().with_notes(notes))

    def read(self, answer: str) -> Drawing:
        names = self.graph.names
        head, *rows = lines(answer) or [""]
        verdict = " ".join(head.casefold().rstrip(":.").split()).removeprefix("the graph is ")
        if rows and is_heading(rows[0]):
            del rows[0]
        rows = uncounted(rows)
        if _NOT.sub(CROSSED, verdict) == CROSSED and rows:
            return Drawing(None, tuple(labelled_path(row, names) for row in rows))
        if verdict != PLANAR or not rows:
            raise InvalidAnswer(f"expected the line '{PLANAR}' or '{CROSSED}', and lines below it")
        rotations: dict[int, tuple[int, ...]] = {}
        for row in rows:
            name, *values = _ENDS.split(row, maxsplit=1)
            node = walk(name, names)
            if len(node) != 1 or node[0] in rotations or not values:
                raise InvalidAnswer("expected one line 'X: Y, Z' for each node")
            rotations[node[0]] = walk(values[0], names)
        return Drawing(rotations)

    def as_text(self, solution: Drawing) -> str:
        names = self.graph.names
        if solution.rotations is None:
            return "\n".join([CROSSED, *(self.graph.listing(p, " -> ") for p in solution.paths)])
        rows = solution.rotations.items()
        return "\n".join([PLANAR, *(f"{names[n]}: {self.graph.listing(near)}" for n, near in rows)])

    def violation(self, solution: Drawing) -> str:
        if solution.rotations is None:
            return self.no_subdivision(solution.paths)
        names = self.graph.names
        for node, near in enumerate(self.graph.ways()):
            if tuple(sorted(solution.rotations.get(node, ()))) != near:
                return f"the line of {names[node]} does not list its neighbours, each once"
        number = faces(solution.rotations)
        expected = 2 - len(names) + len(self.graph.edges)
        if number == expected:
            return ""
        return f"the orders enclose {number} faces; without crossings there are {expected}"

    def no_subdivision(self, paths: Sequence[tuple[int, ...]]) -> str:
        """Why paths are no subdivision of K5 or of K3,3."""
        names, ways = self.graph.names, self.graph.ways()
        for path in paths:
            for u, v in pairwise(path):
                if v not in ways[u]:
                    return f"no edge joins {names[u]} and {names[v]}"
        if any(len(path) < 2 for path in paths):
            return "a path has fewer than two nodes"
        ends = {node for path in paths for node in (path[0], path[-1])}
        inner = Counter(node for path in paths for node in path[1:-1])
        if node := next((names[n] for n in inner if inner[n] > 1 or n in ends), ""):
            return f"{node} is within a path and on another one, or twice on it"
        joined = {frozenset((path[0], path[-1])) for path in paths}
        if len(joined) < len(paths) or any(len(pair) < 2 for pair in joined):
            return "two paths have the same ends, or a path returns to its start"
        if is_complete(ends, joined) or is_bipartite(ends, joined):
            return ""
        return "the ends of the paths are not joined like the nodes of K5 or K3,3"

    def search(self) -> SearchResult:
        examined = len(self.graph.names) * len(self.graph.edges)
        boundaries = plane_faces(beside(self.graph.pairs()))
        if boundaries is None:
            return SearchResult(Drawing(None, paths_of(obstruction(self.graph.pairs()))), examined)
        rotations = rotations_of(boundaries).items()
        return SearchResult(Drawing({n: tuple(near) for n, near in rotations}), examined)

    def naive_solutions(self) -> list[Drawing]:
        """The neighbours of each node by name, and the neighbours as they are listed."""
        ranked = self.graph.ranked()
        ways = self.graph.ways()
        named = {n: tuple(m for m in ranked if m in ways[n]) for n in ranked}
        return [Drawing(named), Drawing({n: tuple(near) for n, near in enumerate(ways)})]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Neighbours by name, at random, and as they lie around nodes on a circle, by name and by
        searches; and paths between the nodes of the highest degrees, the shortest ones first.
        """
        nodes = range(len(self.graph.names))
        mixed = [shuffled(near, rng) for near in self.graph.ways()]
        start = rng.choice(nodes)
        path = [start]
        while ahead := [node for node in mixed[path[-1]] if node not in path]:
            path.append(ahead[0])
        path += [node for node in nodes if node not in path]
        return {
            "by name": self.naive_solutions()[0],
            "at random": Drawing({n: tuple(near) for n, near in enumerate(mixed)}),
            "on a circle, by name": self.on_circle(self.graph.ranked()),
            "on a circle, breadth first": self.on_circle(reached(mixed, start)),
            "on a circle, along a path": self.on_circle(path),
            "K5 of the highest degrees": self.between(rng, 5),
            "K3,3 of the highest degrees": self.between(rng, 6),
        }

    def on_circle(self, order: Sequence[int]) -> Drawing:
        """The neighbours of each node as they lie around it in a drawing on a circle."""
        turn = 2 * pi / len(order)
        at = {node: (cos(n * turn), sin(n * turn)) for n, node in enumerate(order)}

        def angle(node: int, other: int) -> float:
            return atan2(at[other][1] - at[node][1], at[other][0] - at[node][0])

        ways = self.graph.ways()
        return Drawing(
            {n: tuple(sorted(ways[n], key=lambda m: angle(n, m))) for n in range(len(ways))}
        )

    def between(self, rng: Random, number: int) -> Drawing:
        """The shortest paths that are left between so many nodes of the highest degrees."""
        ways = self.graph.ways()
        ends = sorted(shuffled(range(len(ways)), rng), key=lambda node: -len(ways[node]))[:number]
        pairs = [*combinations(ends, 2)]
        if number == 6:
            pairs = [(u, v) for u in ends[:3] for v in ends[3:]]
        used, paths = {*ends}, list[tuple[int, ...]]()
        for u, v in shuffled(pairs, rng):
            queue: list[tuple[int, ...]] = [(u,)]
            for path in queue:  # grows
                if path[-1] == v:
                    paths.append(path)
                    used |= {*path}
                    break
                seen = {each[-1] for each in queue}
                queue += [
                    (*path, near)
                    for near in ways[path[-1]]
                    if (near == v or near not in used) and near not in seen
                ]
        return Drawing(None, tuple(paths))

    def audit(self, answer: str) -> bool:
        """Euler's formula for the orbits of the sides of edges; for a subdivision, whether K5 or
        K3,3 is left when nodes with two neighbours are replaced by edges.
        """
        rotations, paths = self.read(answer)
        ways = self.graph.ways()
        if rotations is None:
            steps = [frozenset(step) for path in paths for step in pairwise(path)]
            edges = {frozenset(edge) for edge in self.graph.pairs()}
            if len({*steps}) < len(steps) or not {*steps} <= edges:
                return False
            near = beside((min(step), max(step)) for step in steps)
            for node in [n for n in near if len(near[n]) == 2]:
                one, other = near.pop(node)
                if other in near[one]:
                    return False
                near[one] = near[one] - {node} | {other}
                near[other] = near[other] - {node} | {one}
            pairs = {frozenset((u, v)) for u in near for v in near[u]}
            whole = len(pairs) == len(paths)
            return whole and (is_complete({*near}, pairs) or is_bipartite({*near}, pairs))
        if any(sorted(rotations.get(n, ())) != [*near] for n, near in enumerate(ways)):
            return False
        darts = {dart: n for n, dart in enumerate((u, v) for u in rotations for v in ways[u])}
        orbits = Forest(len(darts))
        number = len(darts)
        for node, around in rotations.items():
            for n, other in enumerate(around):
                number -= orbits.join(darts[around[n - 1], node], darts[node, other])
        return len(ways) - len(self.graph.edges) + number == 2


def is_heading(row: str) -> bool:
    """Whether a line says what the lines below it are, as ``Rotation system:`` does.

    >>> is_heading("Its paths:"), is_heading("K3,3 between {A, B, C} and {D, E, F}")
    (True, True)
    >>> is_heading("A: B, C"), is_heading("K -> L")
    (False, False)
    """
    if PLANAR in row.casefold():  # another verdict
        return False
    return row.endswith(":") or bool(_KURATOWSKI.search(row))


def uncounted(rows: Sequence[str]) -> list[str]:
    """Lines without their numbers, if these count all of them from 1. Nodes may be numbers, too, so
    that a colon behind a number means nothing unless another one or an arrow follows.

    >>> uncounted(["1. 1: 2, 3", "2. 2: 1, 3"]), uncounted(["Path 1: A -> B", "Path 2: A -> C"])
    (['1: 2, 3', '2: 1, 3'], ['A -> B', 'A -> C'])
    >>> uncounted(["1: 2, 3", "2: 1, 3"])
    ['1: 2, 3', '2: 1, 3']
    """
    heads = [_COUNT.match(row) for row in rows]
    rest = [row[head.end() :] for row, head in zip(rows, heads) if head]
    counts = all(head and int(head[1]) == n for n, head in enumerate(heads, 1))
    is_plain = all(head and head[0].rstrip()[-1] != ":" for head in heads)
    return rest if counts and (is_plain or rows[0][:1].isalpha()) else [*rows]


def labelled_path(row: str, names: Sequence[str]) -> tuple[int, ...]:
    """A path, which may stand behind its ends, as in ``A to C: A -> B -> C``."""
    label, colon, rest = row.rpartition(":")
    path = walk(rest, names)
    if colon and {*walk(label, names)} != {path[0], path[-1]}:
        raise InvalidAnswer(f"expected the ends of a path before the colon, not {label[:20]!r}")
    return path


def is_complete(nodes: Iterable[int], joined: set[frozenset[int]]) -> bool:
    """Whether the pairs are those of five nodes."""
    wanted = {frozenset(pair) for pair in combinations({*nodes}, 2)}
    return len({*nodes}) == 5 and joined == wanted


def is_bipartite(nodes: Iterable[int], joined: set[frozenset[int]]) -> bool:
    """Whether the pairs are those between three nodes and three others."""
    everyone = {*nodes}
    if len(everyone) != 6 or len(joined) != 9:
        return False
    first = min(everyone)
    second = {node for node in everyone if frozenset((first, node)) in joined}
    return all(len(pair & second) == 1 for pair in joined) and len(second) == 3
