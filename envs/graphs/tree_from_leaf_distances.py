"""A tree from the distances between its leaves, which Peter Buneman showed to be unique (1971)."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import prod
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import distances
from palaestra.generators.graphs.puzzles import ranked
from palaestra.generators.graphs.scenes import PLAIN, grid
from palaestra.generators.random_graphs import Arc, node_names
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.answer_lines import answer_lines
from palaestra.verifiers.reading.labels import numbered
from palaestra.verifiers.reading.layout import unbulleted
from palaestra.verifiers.reading.nodes import node_set
from palaestra.verifiers.reading.values import joined

Table = tuple[tuple[int, ...], ...]
Group = frozenset[int]

NOUNS = ("edge", "part", "group", "split", "set")
"""Words before the number of a line."""

REFERENCE = 0
"""The leaf that no group of an answer contains."""


def random_tree(rng: Random, leaves: int, longest: int, joints: float) -> list[Arc]:
    """The edges of a random tree with lengths: its leaves come first, the inner nodes behind them.

    Each leaf but the first three is attached to the middle of an edge or, with a chance of
    ``joints``, to an inner node. Inner edges are short and edges of leaves of any length, so that
    leaves which are close to one another need not be neighbours.

    >>> [(u, v) for u, v, _ in random_tree(Random(1), 3, 9, 0)]
    [(0, 3), (1, 3), (2, 3)]
    """
    pairs = [(leaf, leaves) for leaf in range(3)]
    inner = leaves + 1
    for leaf in range(3, leaves):
        if rng.random() < joints:
            pairs.append((leaf, rng.randrange(leaves, inner)))
            continue
        u, v = pairs.pop(rng.randrange(len(pairs)))
        pairs += [(u, inner), (v, inner), (leaf, inner)]
        inner += 1
    short = max(1, longest // 5)
    lengths = [rng.randint(1, longest if min(pair) < leaves else short) for pair in pairs]
    return [(min(pair), max(pair), length) for pair, length in zip(pairs, lengths)]


@lru_cache(maxsize=64)
def separated(table: Table) -> frozenset[Group]:
    """The groups of leaves without the reference that single inner edges separate from it.

    Two leaves part from each other on the way from the reference at a distance that the table
    gives, and a group are those leaves that part from one of them there or later.

    >>> table = ((0, 4, 5, 5), (4, 0, 5, 5), (5, 5, 0, 2), (5, 5, 2, 0))
    >>> sorted(map(sorted, separated(table)))
    [[2, 3]]
    """
    others = range(1, len(table))
    start = table[REFERENCE]
    shared = [[start[u] + start[v] - table[u][v] for v in range(len(table))] for u in others]
    groups = {
        frozenset(v for v in others if row[v] >= limit) for row in shared for limit in row[1:]
    }
    return frozenset(group for group in groups if 1 < len(group) < len(table) - 1)


def isolation(table: Table, group: Group) -> float:
    """Half of what a group of leaves is isolated by from the others, at least; the length of the
    edge that separates them, after Hans-Jürgen Bandelt and Andreas Dress (1992).

    >>> isolation(((0, 4, 5, 5), (4, 0, 5, 5), (5, 5, 0, 2), (5, 5, 2, 0)), frozenset({2, 3}))
    2.0
    """
    others = [leaf for leaf in range(len(table)) if leaf not in group]
    return (
        min(
            max(table[a][c] + table[b][d], table[a][d] + table[b][c]) - table[a][b] - table[c][d]
            for a, b in combinations_with_replacement(sorted(group), 2)
            for c, d in combinations_with_replacement(others, 2)
        )
        / 2
    )


class TreeFromLeafDistances(Puzzle):
    """Find how the inner edges of a tree separate its leaves, from the distances of the leaves."""

    version = 2
    tags = {"graphs", "trees", "deduction", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        leaves: int = ladder(6, 7, 8, 10, 12, 15, 18, low=5, high=22)
        longest: int = ladder(10, 12, 15, 20, 25, 30, 40, low=6, high=90)  # edge of a leaf
        joints: float = ladder(0.0, 0.1, 0.2, low=0, high=0.4)  # leaves that attach to a node

    names: tuple[str, ...]
    table: Table

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        edges = random_tree(rng, knobs.leaves, knobs.longest, knobs.joints)
        nodes = 1 + max(v for _, v, _ in edges)
        lengths = {(u, v): length for u, v, length in edges}
        away = distances(nodes, lengths | {(v, u): length for u, v, length in edges})
        order = rng.sample(range(knobs.leaves), knobs.leaves)
        table = tuple(tuple(int(away[u][v]) for v in order) for u in order)
        return cls(names=node_names(rng, knobs.leaves), table=table)

    def is_valid(self) -> bool:
        return len(self.groups()) > 1

    def canonical(self) -> str:
        return repr(self.table)

    def groups(self) -> frozenset[Group]:
        """The groups of the right answer."""
        return separated(self.table)

    def prompt(self) -> str:
        order = ranked(self.names)
        rows = [["", *(self.names[v] for v in order)]]
        rows += [[self.names[u], *(str(self.table[u][v]) for v in order)] for u in order]
        width = max(len(cell) for row in rows for cell in row)
        table = "\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows)
        number, first = len(self.groups()), self.names[REFERENCE]
        others = joined([self.names[node] for node in order if node != REFERENCE][:3])
        task = self.phrase(
            "The rows of this table are the leaves of a tree: each of them has a single edge. The "
            "other nodes of the tree have no names, and each has at least three edges. All edges "
            "have positive lengths. The table gives the length of the path between any two leaves.",
            "A tree has edges of positive lengths. Its nodes with one edge are the leaves, which "
            "the table names; all other nodes are nameless and have three or more edges. Each "
            "entry of the table is the length of the path in the tree from the leaf of the row to "
            "the leaf of the column.",
        )
        return (
            f"{task}\n\n{table}\n\nOnly one tree has these distances. It has {number} edges that "
            "join two nodes without names. Without such an edge, the tree consists of two parts, "
            f"each with at least two leaves. For each of the {number} edges, give the leaves of "
            f"the part that does not contain {first}. Write {number} lines, numbered from 1 in any "
            f"order of the edges, with the leaves of a part in any order, such as '1: {others}'."
        )

    def scene(self) -> Grid:
        return grid(self.names, self.entries())

    def solved_scene(self, answer: str) -> Panels:
        """The table, and another with a row for each edge, in which its group is marked."""
        order = ranked(self.names)
        rows = tuple(
            tuple(Cell(mark="square", tone="accent") if leaf in group else Cell() for leaf in order)
            for group in self.read(answer)
        )
        top = tuple((self.names[leaf],) for leaf in order)
        left = tuple((str(n),) for n, _ in enumerate(rows, 1))
        tables = (grid(self.names, self.entries(), PLAIN), Grid(rows, top=top, left=left))
        return Panels(tables, columns=1)

    def entries(self) -> list[Arc]:
        """Each pair of leaves with its distance."""
        return [(u, v, self.table[u][v]) for u, v in combinations(range(len(self.names)), 2)]

    def as_text(self, groups: Iterable[Iterable[int]]) -> str:
        """Groups of leaves as an answer."""
        rank = ranked(self.names).index
        listed = sorted(sorted(map(rank, group)) for group in groups)
        order = ranked(self.names)
        return numbered(joined([self.names[order[n]] for n in group]) for group in listed)

    def read(self, answer: str) -> list[Group]:
        """The groups of an answer."""
        lines = answer_lines(answer, len(self.groups()), NOUNS)
        return [frozenset(node_set(line, self.names)) for line in unbulleted(lines)]

    def answer(self) -> str:
        return self.as_text(self.groups())

    def verify(self, answer: str) -> Score:
        groups, right = self.read(answer), self.groups()
        if any(REFERENCE in group for group in groups):
            return Score(0, f"a group contains {self.names[REFERENCE]}")
        if len({*groups}) < len(groups):
            return Score(0, "two groups are the same")
        wrong = len({*groups} - right)
        parts = {"progress": 1 - wrong / len(right)}
        are = "is" if wrong == 1 else "are"
        reason = f"{wrong} of the {len(right)} groups {are} not separated by an edge"
        return Score(0, reason, parts) if wrong else Score(1, parts=parts)

    def audit(self, answer: str) -> bool:
        """Whether all distances are sums of the lengths of the edges of the groups and of the
        leaves between the two leaves, where a length is what a group is isolated by.
        """
        groups, leaves = {*self.read(answer)}, range(len(self.names))
        if not all(1 < len(group) < len(leaves) and REFERENCE not in group for group in groups):
            return False
        every = [*groups, *(frozenset({leaf}) for leaf in leaves)]
        lengths = {group: isolation(self.table, group) for group in every}
        return min(lengths.values()) > 0 and all(
            sum(length for group, length in lengths.items() if (u in group) != (v in group))
            == self.table[u][v]
            for u, v in combinations(leaves, 2)
        )

    def difficulty(self) -> float:
        return len(self.names) ** 2 * len(self.groups())

    def random_baseline(self) -> float:
        """The chance of a random tree without nodes of more than three edges."""
        leaves = len(self.names)
        return 1 / prod(range(3, 2 * leaves - 4, 2)) if len(self.groups()) == leaves - 3 else 0.0

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Trees that join the two groups with the least, the mean or the greatest distance, again
        and again; leaves by their distance from the one that is left out; and random groups.
        """
        rules: dict[str, Callable[[list[int]], float]] = {
            "nearest leaves first": min,
            "least mean distance first": lambda away: sum(away) / len(away),
            "least greatest distance first": max,
            "random groups": lambda away: rng.random(),
        }
        players = {name: self.merged(rule) for name, rule in rules.items()}
        far = sorted(range(1, len(self.names)), key=self.table[REFERENCE].__getitem__)
        players["leaves by their distance"] = [
            frozenset(far[n:]) for n in range(1, len(self.groups()) + 1)
        ]
        return {name: self.as_text(groups) for name, groups in players.items()}

    def merged(self, rule: Callable[[list[int]], float]) -> list[Group]:
        """The first groups that a tree has which joins two groups at a time."""
        parts = [frozenset({leaf}) for leaf in range(len(self.names))]
        every = frozenset(range(len(self.names)))
        groups = list[Group]()
        while len(parts) > 1:
            one, other = min(
                combinations(parts, 2),
                key=lambda pair: rule([self.table[u][v] for u in pair[0] for v in pair[1]]),
            )
            both = one | other
            parts = [part for part in parts if part not in {one, other}] + [both]
            group = every - both if REFERENCE in both else both
            if 1 < len(group) < len(every) - 1 and group not in groups:
                groups.append(group)
        # Two leaves, where there are too few groups to fill all lines.
        groups += [frozenset({1, 2})] * len(self.groups())
        return groups[: len(self.groups())]

    def shortcuts(self) -> Iterable[str]:
        """Groups of the last leaves in the order of their names."""
        order = [leaf for leaf in ranked(self.names) if leaf != REFERENCE]
        return [self.as_text(order[n:] for n in range(1, len(self.groups()) + 1))]
