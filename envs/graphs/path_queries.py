"""Regular path queries on a graph with labelled edges, as Isabel Cruz, Alberto Mendelzon and Peter
Wood introduced them (1987), and conjunctions of two.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Literal, Self, get_args

from palaestra.generators.graphs.path_queries import (
    MISREADINGS,
    Fact,
    Path,
    Query,
    misread,
    random_facts,
    random_query,
    relation,
    result,
)
from palaestra.generators.graphs.scenes import Look, diagram
from palaestra.generators.people import NAMES
from palaestra.generators.random_graphs import in_order
from palaestra.scenes import Panels
from palaestra.task import Puzzle, Score, Sentence, ladder
from palaestra.verifiers.reading.answer_lines import answer_lines
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.labels import line_numbers, matched, numbered
from palaestra.verifiers.reading.nodes import node_set
from palaestra.verifiers.reading.values import joined

LABELS = ("supplies", "owns", "advises", "funds", "audits", "insures", "trains", "represents")
Layout = Literal["sentences", "labels", "nodes"]

_HEADINGS = ("node", "nodes", "result")


class PathQueries(Puzzle):
    """Answer queries about which nodes paths along labelled edges lead to."""

    version = 2
    tags = {"graphs", "databases", "search", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        layout: Literal["any", "sentences", "labels", "nodes"] = ladder("any")
        nodes: int = ladder(7, 9, 11, 13, 16, 20, 24, low=6, high=24)
        labels: int = ladder(2, 2, 3, 3, 4, 4, 4, low=2, high=6)
        density: float = ladder(0.9, 1.0, low=0.8, high=1.2)  # edges of each label per node
        parts: int = ladder(2, 2, 3, 3, 4, 4, 5, low=2, high=6)  # of a path
        queries: int = ladder(2, 3, 3, 4, 4, 5, 6, low=2, high=8)

    names: tuple[str, ...]
    labels: tuple[str, ...]
    facts: tuple[Fact, ...]
    queries: tuple[Query, ...]
    layout: Layout

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        layout = rng.choice(get_args(Layout)) if knobs.layout == "any" else knobs.layout
        labels = rng.sample(LABELS, knobs.labels)
        queries: list[Query] = []
        while len(queries) < knobs.queries:  # other facts where few queries turn out well
            queries, facts = [], random_facts(rng, knobs.nodes, labels, knobs.density)
            for _ in range(60 * knobs.queries):
                # Every third query joins two paths, which are shorter.
                both = len(queries) % 3 == 2
                parts = max(2, knobs.parts - both)
                query = random_query(rng, facts, knobs.nodes, parts, both)
                if query and query not in queries:
                    queries.append(query)
                if len(queries) == knobs.queries:
                    break
        return cls(
            names=tuple(rng.sample(NAMES[: knobs.nodes], knobs.nodes)), labels=tuple(labels),
            facts=facts, queries=tuple(queries), layout=layout,
        )  # fmt: skip

    def is_valid(self) -> bool:
        return len({*self.results()}) > len(self.queries) // 2

    def canonical(self) -> str:
        return repr((sorted(self.facts), sorted(self.queries)))

    def results(self) -> list[frozenset[int]]:
        """The result of each query."""
        return [result(self.facts, query) for query in self.queries]

    def prompt(self) -> str:
        first, second, *_ = self.labels
        task = self.phrase(
            f"Each statement of the form 'X {first} Y' is an edge from X to Y with the label "
            f"'{first}'; the same holds for the other verbs. A query describes paths in this "
            "graph, part by part. Its result is the set of all nodes at which such a path can be "
            "after the last part, whatever choices are made before. A path may pass a node several "
            "times, and may end at its start. Where a part says 'stay only if', paths at other "
            "nodes end there without a result. To go backwards along an edge is to go from its "
            "second node to its first.",
            f"Read the statements as a directed graph whose edges have labels: 'X {second} Y' is "
            f"an edge labelled '{second}' that leaves X and enters Y. Each query below starts at a "
            "node and moves in steps; all nodes at which it can be when the last step is done are "
            "its result. Where there are several edges to choose from, consider all of them. Nodes "
            "can be visited repeatedly, also the start. A step 'stay only if' moves nowhere, but "
            "gives up where the condition fails. Going backwards means going from Y to X.",
        )
        number = len(self.queries)
        listed = "\n".join(
            f"{n}. {self.as_query(query)}" for n, query in enumerate(self.queries, 1)
        )
        order = in_order(self.names)
        example = f"1: {joined([self.names[node] for node in order[:3]])}"
        nodes = joined([self.names[node] for node in order])
        return (
            f"Nodes: {nodes}.\n{self.listing()}\n\n{task}\n\n{listed}\n\nWrite {number} "
            "lines, one for each query, with its number, a colon and "
            f"the nodes of its result in any order, such as '{example}'. No result is empty."
        )

    def as_query(self, query: Query) -> str:
        """A query in words."""
        if len(query) == 1:
            return f"{self.as_path(query[0], 'Start')}."
        one, other = (self.as_path(path, "start") for path in query)
        return f"All nodes that are results of both of these queries: ({one}) and ({other})."

    def as_path(self, path: Path, start: str) -> str:
        """A path in words, which begin with the word for its start."""
        parts = [part.as_text() for part in path.parts]
        return f"{start} at {self.names[path.start]}, {', then '.join(parts)}"

    def lines(self) -> list[str]:
        """The edges in the layout of the prompt."""
        name = self.names.__getitem__
        if self.layout == "sentences":
            return [f"{name(u)} {label} {name(v)}." for u, label, v in self.facts]
        if self.layout == "labels":
            return [
                f"{label}: "
                + joined([f"{name(u)} -> {name(v)}" for u, each, v in self.facts if each == label])
                for label in self.labels
            ]
        return [
            f"{name(node)}: "
            + (joined([f"{label} {name(v)}" for u, label, v in self.facts if u == node]) or "none")
            for node in in_order(self.names)
        ]

    def listing(self) -> str:
        """The edges with a heading."""
        heading = {
            "sentences": "Statements:",
            "labels": "Statements by their verb, where 'X -> Y' stands for 'X <verb> Y':",
            "nodes": "Statements by their first node, which is left out in each of them:",
        }[self.layout]
        return "\n".join([heading, *self.lines()])

    def sentences(self) -> Sequence[Sentence]:
        return [Sentence(line) for line in self.lines()]

    def scene(self) -> Panels:
        return self._panels({})

    def solved_scene(self, answer: str) -> Panels:
        notes: dict[int, str] = {}
        for number, nodes in self.read(answer).items():
            for node in nodes:
                notes[node] = f"{notes[node]}, {number}" if node in notes else number
        return self._panels(notes)

    def _panels(self, notes: Mapping[int, str]) -> Panels:
        """A graph for each label; notes stand beside nodes."""
        look = Look().with_notes(notes).with_nodes(notes)
        graphs = [
            diagram(self.names, [(u, v) for u, each, v in self.facts if each == label], look, True)
            for label in self.labels
        ]
        return Panels(tuple(graphs), self.labels, columns=2)

    def as_text(self, results: Iterable[Iterable[int]]) -> str:
        """Sets of nodes as an answer."""
        return numbered(
            joined([self.names[node] for node in sorted(nodes)]) or "none" for nodes in results
        )

    def read(self, answer: str) -> dict[str, frozenset[int]]:
        """The set of nodes for the number of each query in an answer."""
        number = len(self.queries)
        values = answer_lines(answer, number, ("query", "result", "q"))
        sets = [frozenset(node_set(unheaded(value, _HEADINGS), self.names)) for value in values]
        return dict(zip(line_numbers(number), sets))

    def answer(self) -> str:
        return self.as_text(self.results())

    def verify(self, answer: str) -> Score:
        right = dict(zip(line_numbers(len(self.queries)), self.results()))
        return matched(self.read(answer), right)

    def audit(self, answer: str) -> bool:
        """Whether products of the matrices of the parts have these rows."""
        size = len(self.names)
        for query, nodes in zip(self.queries, self.read(answer).values()):
            ends = (1 << size) - 1
            for path in query:
                row = 1 << path.start
                for part in path.parts:
                    rows = relation(self.facts, size, part)
                    row = _union(rows[n] for n in range(size) if row >> n & 1)
                ends &= row
            if ends != sum(1 << node for node in nodes):
                return False
        return True

    def difficulty(self) -> float:
        parts = sum(len(path.parts) for query in self.queries for path in query)
        return float(parts * len(self.facts))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Readings that overlook a part of the queries, one of two paths, ends of the last edges,
        and nodes near the start.
        """
        readings = {
            name: [misread(query, misreading) for query in self.queries]
            for name, misreading in MISREADINGS.items()
        }
        readings["first path"] = [query[:1] for query in self.queries]
        readings["last parts"] = [
            tuple(path._replace(parts=path.parts[-1:]) for path in query) for query in self.queries
        ]
        readings["first parts"] = [
            tuple(path._replace(parts=path.parts[:1]) for path in query) for query in self.queries
        ]
        players = {
            name: [result(self.facts, query) for query in queries]
            for name, queries in readings.items()
            if tuple(queries) != self.queries  # else the player overlooks nothing
        }
        near = [{v for u, _, v in self.facts if u == query[0].start} for query in self.queries]
        return {name: self.as_text(sets) for name, sets in (players | {"neighbours": near}).items()}

    def shortcuts(self) -> Iterable[str]:
        number = len(self.queries)
        everyone = [range(len(self.names))] * number
        starts = [[query[0].start] for query in self.queries]
        return [self.as_text(everyone), self.as_text(starts)]


def _union(rows: Iterable[int]) -> int:
    total = 0
    for row in rows:
        total |= row
    return total
