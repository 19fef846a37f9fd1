"""Queries along the labelled edges of a graph, as regular path queries are (Cruz, Mendelzon and
Wood, 1987), with conditions on nodes, and conjunctions of two such queries.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Literal, NamedTuple

Fact = tuple[int, str, int]
"""An edge: its start, its label and its end."""

Action = Literal["one", "more", "with", "without"]


class Part(NamedTuple):
    """A part of a path: one edge or several, or a condition on the node that the path is at."""

    action: Action
    labels: tuple[str, ...]
    """Any of these labels will do."""
    backwards: bool = False
    """Whether edges are followed from their end to their start, or have to enter the node."""

    def as_text(self) -> str:
        """The part as an instruction.

        >>> Part("more", ("owns",), backwards=True).as_text()
        "go backwards along one or more 'owns' edges"
        """
        label = " or ".join(f"'{each}'" for each in self.labels)
        if self.action in {"with", "without"}:
            some = "at least one" if self.action == "with" else "no"
            verb = "enters" if self.backwards else "leaves"
            return f"stay only if {some} {label} edge {verb} the node"
        verb = "go backwards along" if self.backwards else "follow"
        one = self.action == "one"
        if len(self.labels) == 1:
            return f"{verb} one {label} edge" if one else f"{verb} one or more {label} edges"
        if one:
            return f"{verb} one edge that is labelled {label}"
        return f"{verb} one or more edges, each of which is labelled {label}"


class Path(NamedTuple):
    """A start and the parts of a path from there."""

    start: int
    parts: tuple[Part, ...]


Query = tuple[Path, ...]
"""Paths whose ends are the result: one, or two that have to end at the same node."""


def neighbours(facts: Iterable[Fact], part: Part) -> dict[int, set[int]]:
    """The nodes to which the edges of a part lead from each node.

    >>> neighbours([(0, "owns", 1)], Part("one", ("owns",), backwards=True))
    {1: {0}}
    """
    near: dict[int, set[int]] = {}
    for u, label, v in facts:
        if label in part.labels:
            one, other = (v, u) if part.backwards else (u, v)
            near.setdefault(one, set()).add(other)
    return near


def advanced(facts: Sequence[Fact], nodes: set[int], part: Part) -> set[int]:
    """The nodes at which a path can be after a part, from some nodes.

    >>> facts = [(0, "owns", 1), (1, "owns", 2)]
    >>> advanced(facts, {0}, Part("more", ("owns",)))
    {1, 2}
    >>> advanced(facts, {1, 2}, Part("with", ("owns",)))
    {1}
    """
    near = neighbours(facts, part)
    if part.action in {"with", "without"}:
        return {node for node in nodes if (node in near) == (part.action == "with")}
    reached = [each for node in nodes for each in near.get(node, ())]
    if part.action == "more":
        seen = {*reached}
        for node in reached:
            new = near.get(node, set()) - seen
            seen |= new
            reached += new
    return {*reached}


def result(facts: Sequence[Fact], query: Query) -> frozenset[int]:
    """The nodes at which all paths of a query can end.

    >>> facts = [(0, "owns", 1), (1, "owns", 2), (3, "owns", 2)]
    >>> down = Path(0, (Part("more", ("owns",)),))
    >>> sorted(result(facts, [down])), sorted(result(facts, [down, Path(3, down.parts)]))
    ([1, 2], [2])
    """
    ends = []
    for path in query:
        nodes = {path.start}
        for part in path.parts:
            nodes = advanced(facts, nodes, part)
        ends.append(nodes)
    return frozenset(set.intersection(*ends))


def relation(facts: Sequence[Fact], size: int, part: Part) -> list[int]:
    """For each node, the nodes that a part leads to, as the bits of a number: a row of a matrix.

    >>> relation([(0, "owns", 1), (1, "owns", 2)], 3, Part("more", ("owns",)))
    [6, 4, 0]
    """
    rows = [0] * size
    for u, label, v in facts:
        if label in part.labels:
            one, other = (v, u) if part.backwards else (u, v)
            rows[one] |= 1 << other
    if part.action in {"with", "without"}:
        return [(bool(row) == (part.action == "with")) << n for n, row in enumerate(rows)]
    if part.action == "more":  # the transitive closure, after Stephen Warshall (1962)
        for middle in range(size):
            for n, row in enumerate(rows):
                if row >> middle & 1:
                    rows[n] = row | rows[middle]
    return rows


Misreading = Callable[[Part], Part | None]
"""How a player takes a part; ``None`` if the player leaves it out."""

MISREADINGS: dict[str, Misreading] = {
    "one edge for several": lambda part: (
        part._replace(action="one") if part.action == "more" else part
    ),
    "all edges forwards": lambda part: part._replace(backwards=False),
    "no conditions": lambda part: part if part.action in {"one", "more"} else None,
    "first label": lambda part: part._replace(labels=part.labels[:1]),
    "several edges for one": lambda part: (
        part._replace(action="more") if part.action == "one" else part
    ),
    "all edges backwards": lambda part: part._replace(backwards=True),
}
"""How players take queries that overlook something."""

NEEDED = ("one edge for several", "all edges forwards", "no conditions", "first label")
"""Those that give another result if they change a query at all: no part of it is idle."""


def misread(query: Query, misreading: Misreading) -> Query:
    """The query as a player takes it."""
    taken = [
        path._replace(parts=tuple(filter(None, map(misreading, path.parts)))) for path in query
    ]
    return tuple(taken)


def random_facts(
    rng: Random, nodes: int, labels: Sequence[str], density: float
) -> tuple[Fact, ...]:
    """Edges in random order; of each label there are about ``density`` edges for each node.

    >>> len(random_facts(Random(1), 4, ["owns"], 1.0))
    4
    """
    facts = set[Fact]()
    for label in labels:
        wanted = len(facts) + round(nodes * density)
        while len(facts) < wanted:
            u, v = rng.sample(range(nodes), 2)
            facts.add((u, label, v))
    return tuple(rng.sample(sorted(facts), len(facts)))


def random_part(rng: Random, labels: Sequence[str], condition: bool) -> Part:
    """A random part, which is a condition or consists of edges."""
    backwards = rng.random() < 0.45
    if condition:
        return Part(rng.choice(("with", "without")), (rng.choice(labels),), backwards)
    number = 2 if len(labels) > 2 and rng.random() < 0.25 else 1
    action: Action = rng.choice(("one", "more"))
    return Part(action, tuple(rng.sample(labels, number)), backwards)


def shortened(query: Query) -> list[Query]:
    """The query without each of its parts.

    >>> [path] = shortened((Path(0, (Part("one", ("owns",)), Part("more", ("owns",)))),))[0]
    >>> path.parts
    (Part(action='more', labels=('owns',), backwards=False),)
    """
    return [
        (*query[:n], path._replace(parts=path.parts[:m] + path.parts[m + 1 :]), *query[n + 1 :])
        for n, path in enumerate(query)
        for m in range(len(path.parts))
    ]


def random_query(
    rng: Random, facts: Sequence[Fact], nodes: int, parts: int, both: bool
) -> Query | None:
    """A random query of so many parts for each path, or ``None`` if it came out badly: its result
    has to be neither empty nor large, and every part has to matter.
    """
    labels = sorted({label for _, label, _ in facts})
    conditions = {rng.randrange(1, parts)} if parts > 2 and rng.random() < 0.6 else set()
    paths = []
    for start in rng.sample(range(nodes), 1 + both):
        sequence = [random_part(rng, labels, n in conditions) for n in range(parts)]
        paths.append(Path(start, tuple(sequence)))
    query = tuple(paths)
    ends = result(facts, query)
    if not 1 < len(ends) <= max(2, nodes // 2):
        return None
    variants = [misread(query, MISREADINGS[name]) for name in NEEDED]
    variants += [query[n : n + 1] for n in range(len(query)) if both]
    variants += shortened(query)
    idle = any(other != query and result(facts, other) == ends for other in variants)
    return None if idle else query
