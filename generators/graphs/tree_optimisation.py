"""Best choices of nodes of a tree under rules on the neighbours of chosen and of other nodes.

The rules are those of Jan Arne Telle and Andrzej Proskurowski (1997): one set of numbers that the
chosen neighbours of a chosen node may have, and one for those of any other node. Independent sets,
dominating sets and perfect codes are among them.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

Relation = Literal["any", "at least", "at most", "exactly", "even", "odd"]
Counted = Literal["", "inside", "between"]
"""Which edges cost something: none, those with both ends chosen, or those with exactly one."""


class Need(NamedTuple):
    """How many chosen neighbours a node may have."""

    relation: Relation = "any"
    number: int = 0

    def holds(self, neighbours: int) -> bool:
        """Whether so many chosen neighbours are allowed."""
        match self.relation:
            case "any":
                return True
            case "at least":
                return neighbours >= self.number
            case "at most":
                return neighbours <= self.number
            case "exactly":
                return neighbours == self.number
            case "even":
                return neighbours % 2 == 0
            case "odd":
                return neighbours % 2 == 1

    def text(self) -> str:
        """The number of chosen neighbours, as the object of "has".

        >>> Need("exactly", 1).text(), Need("at most").text()
        ('exactly 1 chosen neighbour', 'no chosen neighbour')
        """
        noun = "chosen neighbour" if self.number == 1 else "chosen neighbours"
        if self.relation == "even":
            return "an even number of chosen neighbours, which may be 0"
        if self.relation == "odd":
            return "an odd number of chosen neighbours"
        if (self.relation, self.number) in {("at most", 0), ("exactly", 0)}:
            return "no chosen neighbour"
        return f"{self.relation} {self.number} {noun}"


class Problem(NamedTuple):
    """What is allowed, and what the choice is worth."""

    chosen: Need
    others: Need
    greatest: bool
    """Whether the worth is to be as great as possible; the costs of edges are then subtracted."""

    counted: Counted = ""
    number: int = 0
    """How many nodes are to be chosen; 0 for any number."""


ANY = Need()

PROBLEMS: tuple[tuple[Need, Need, bool], ...] = (
    (Need("at most", 0), ANY, True),
    (ANY, Need("at least", 1), False),
    (Need("at most", 1), ANY, True),
    (Need("at least", 1), Need("at least", 1), False),
    (Need("at most", 0), Need("at least", 1), False),
    (Need("exactly", 1), ANY, True),
    (Need("at most", 1), Need("at least", 1), False),
    (Need("at most", 2), Need("at most", 2), True),
    (Need("even"), Need("at least", 1), False),
    (ANY, Need("exactly", 1), False),
    (Need("at most", 1), Need("at most", 2), True),
    (Need("even"), ANY, True),
    (Need("odd"), ANY, True),
    (Need("at least", 1), Need("even"), False),
    (Need("at least", 1), Need("odd"), False),
    (Need("even"), Need("at most", 1), True),
    (Need("odd"), Need("at most", 2), True),
)
"""Needs of chosen and of other nodes, and whether the greatest worth is asked for, simple first."""

Edge = tuple[int, int]


class Best(NamedTuple):
    """The worth of a choice of some nodes, and these nodes as the bits of a number."""

    worth: int
    nodes: int


Table = dict[int, Best]
"""The best choice for each number of chosen nodes, or for 0 where that does not matter."""


def joined(one: Table, other: Table, sign: int, most: int) -> Table:
    """The best choices of two parts together; ``sign`` is -1 where little is best."""
    result: Table = {}
    for m, (worth, nodes) in one.items():
        for n, (more, rest) in other.items():
            if m + n > most:
                continue
            sum_, old = worth + more, result.get(m + n)
            if old is None or (sum_ - old.worth) * sign > 0:
                result[m + n] = Best(sum_, nodes | rest)
    return result


def better(one: Table, other: Table, sign: int) -> Table:
    """The better of two choices for each number."""
    result = dict(one)
    for number, best in other.items():
        if number not in result or (best.worth - result[number].worth) * sign > 0:
            result[number] = best
    return result


def extra(problem: Problem, cost: int, one: int, other: int) -> int:
    """What an edge adds to the worth, by whether its ends are chosen."""
    counts = {"": 0, "inside": one & other, "between": one ^ other}[problem.counted]
    return -cost * counts if problem.greatest else cost * counts


@lru_cache(maxsize=64)
def tables(
    weights: tuple[int, ...], edges: tuple[tuple[int, int, int], ...], problem: Problem
) -> tuple[Table, int]:
    """The best allowed choices by their number of nodes, or for 0, and how many were compared.

    From the leaves to node 0, a table is kept for each node, chosen or not, and each number of its
    children that are chosen.
    """
    beside = neighbours(len(weights), edges)
    sign, most = (1 if problem.greatest else -1), problem.number
    counted = 1 if most else 0
    compared = 0
    by_node: dict[int, dict[Edge, Table]] = {}
    for node, parent in reversed(from_root(beside)):
        states: dict[Edge, Table] = {
            (0, 0): {0: Best(0, 0)},
            (1, 0): {counted: Best(weights[node], 1 << node)},
        }
        for child, cost in beside[node].items():
            if child == parent:
                continue
            below = by_node.pop(child)
            merged: dict[Edge, Table] = {}
            for own in (0, 1):
                options = [allowed(below, problem, own, side, sign) for side in (0, 1)]
                for (mine, near), table in states.items():
                    if mine != own:
                        continue
                    for side, option in enumerate(options):
                        add = extra(problem, cost, own, side)
                        priced = {n: Best(w + add, nodes) for n, (w, nodes) in option.items()}
                        compared += len(table) * len(priced)
                        part = joined(table, priced, sign, most)
                        key = own, near + side
                        merged[key] = better(merged.get(key, {}), part, sign)
            states = merged
        by_node[node] = states
    options = [allowed(by_node[0], problem, 0, side, sign) for side in (0, 1)]
    return better(options[0], options[1], sign), compared


def allowed(
    states: Mapping[Edge, Table], problem: Problem, above: int, side: int, sign: int
) -> Table:
    """The best choices below a node that is on a side, if its parent is chosen or not."""
    need = problem.chosen if side else problem.others
    result: Table = {}
    for (own, near), table in states.items():
        if own == side and need.holds(near + above):
            result = better(result, table, sign)
    return result


def neighbours(nodes: int, edges: Iterable[tuple[int, int, int]]) -> list[dict[int, int]]:
    """The neighbours of each node, with the costs of the edges to them."""
    beside: list[dict[int, int]] = [{} for _ in range(nodes)]
    for u, v, cost in edges:
        beside[u][v] = beside[v][u] = cost
    return beside


def from_root(beside: Sequence[Mapping[int, int]]) -> list[Edge]:
    """The nodes with their parents, each behind its parent; node 0 has the parent -1."""
    order = [(0, -1)]
    for node, parent in order:
        order += [(near, node) for near in beside[node] if near != parent]
    return order


def best_worth(
    weights: Sequence[int], edges: Sequence[tuple[int, int, int]], problem: Problem
) -> int | None:
    """The best worth by a sweep over the edges, from leaves on; None if no choice is allowed.

    A state has, for each node some but not all of whose edges are swept, whether it is chosen and
    the number of chosen neighbours so far; and the number of chosen nodes if that matters.
    """
    beside = neighbours(len(weights), edges)
    left = [len(near) for near in beside]
    sign = 1 if problem.greatest else -1
    states: dict[tuple[tuple[tuple[int, int, int], ...], int], int] = {((), 0): 0}
    for u, v, cost in swept(beside):
        following: dict[tuple[tuple[tuple[int, int, int], ...], int], int] = {}
        left[u] -= 1
        left[v] -= 1
        for (open_, size), worth in states.items():
            known = {node: (side, near) for node, side, near in open_}
            new = [node for node in (u, v) if node not in known]
            for choice in range(1 << len(new)):
                now, total, count = dict(known), worth, size
                for bit, node in enumerate(new):
                    now[node] = choice >> bit & 1, 0
                    total += weights[node] * now[node][0]
                    count += now[node][0]
                if problem.number and count > problem.number:
                    continue
                (one, near), (other, close) = now[u], now[v]
                now[u], now[v] = (one, near + other), (other, close + one)
                total += extra(problem, cost, one, other)
                if not all(
                    left[n] or (problem.chosen if now[n][0] else problem.others).holds(now[n][1])
                    for n in (u, v)
                ):
                    continue
                rest = tuple(sorted((n, *state) for n, state in now.items() if left[n]))
                key = rest, count if problem.number else 0
                old = following.get(key)
                if old is None or (total - old) * sign > 0:
                    following[key] = total
        states = following
    return states.get(((), problem.number))


def swept(beside: Sequence[Mapping[int, int]]) -> list[tuple[int, int, int]]:
    """The edges with their costs, such that few nodes are between swept and other edges."""
    order = from_root(beside)
    sizes = [1] * len(beside)
    for node, parent in reversed(order):
        if parent >= 0:
            sizes[parent] += sizes[node]
    result = list[tuple[int, int, int]]()
    stack = [(0, -1, False)]
    while stack:
        node, parent, done = stack.pop()
        if done:
            result.append((node, parent, beside[node][parent]))
            continue
        if parent >= 0:
            stack.append((node, parent, True))
        children = sorted((n for n in beside[node] if n != parent), key=lambda n: sizes[n])
        stack += [(child, node, False) for child in children]  # the largest part comes first
    return result


def random_tree(rng: Random, nodes: int) -> list[Edge]:
    """A tree with few leaves at a node, in which each new node joins one of the last ones."""
    edges, degree = list[Edge](), [0] * nodes
    for node in range(1, nodes):
        recent = range(max(0, node - 6), node)
        free = [each for each in recent if degree[each] < 4] or [node - 1]
        parent = min(rng.choices(free, k=2), key=lambda each: degree[each])
        edges.append((parent, node))
        degree[parent] += 1
        degree[node] += 1
    return edges
