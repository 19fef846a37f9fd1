"""Immediate dominators of a flow graph: Reese Prosser introduced dominance (1959), and Thomas
Lengauer and Robert Tarjan compute the tree of immediate dominators (1979).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import Ways, reached
from palaestra.generators.graphs.puzzles import Graph, GraphPuzzle
from palaestra.generators.graphs.scenes import END, Look, network
from palaestra.generators.graphs.traversals import depth_first
from palaestra.generators.random_graphs import Edge
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.nodes import walk
from palaestra.verifiers.reading.values import plain

ENTRY = 0

Parents = Mapping[int, int] | Sequence[int]
"""The parent of each node by its number; that of the entry is the entry."""

LOOPS = 0.7
"""The share of nodes with an edge from their immediate dominator to which another edge leads."""

SIDES = 0.7
"""The share of lines of siblings that both children before the line lead to at the same end."""


def dominators(ways: Ways, entry: int) -> list[set[int]]:
    """For each node, those without which the entry does not reach it, the node included.

    >>> dominators([[1, 2], [3], [3], []], 0)
    [{0}, {0, 1}, {0, 2}, {0, 3}]
    """
    nodes = range(len(ways))
    above: list[set[int]] = [{entry, node} for node in nodes]
    for shut in {*nodes} - {entry}:
        for node in {*nodes} - {*reached(ways, entry, [shut])}:
            above[node].add(shut)
    return above


@lru_cache(maxsize=64)
def immediate_dominators(ways: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The immediate dominator of each node, which all its other dominators dominate; that of the
    entry, node 0, is the entry.

    >>> immediate_dominators(((1, 2), (3,), (3,), (1,)))
    (0, 0, 0, 0)
    """
    above = dominators(ways, ENTRY)
    inner = [every - {node} for node, every in enumerate(above)]
    return tuple(max(some, key=lambda each: len(above[each]), default=ENTRY) for some in inner)


def random_tree(rng: Random, nodes: int) -> list[int]:
    """The parent of each node of a random tree with up to six children each; that of the root,
    node 0, is the root.

    >>> random_tree(Random(1), 3)
    [0, 0, 0]
    """
    above, leaves = [ENTRY], [ENTRY]
    while len(above) < nodes:
        node = leaves.pop(rng.randrange(len(leaves)))
        number = min(rng.choice((5, 6)), nodes - len(above))
        leaves += range(len(above), len(above) + number)
        above += [node] * number
    return above


def dominated(above: Sequence[int]) -> list[set[int]]:
    """Each node with all nodes below it in a tree, in which parents have lower numbers.

    >>> dominated([0, 0, 1])
    [{0, 1, 2}, {1, 2}, {2}]
    """
    below = [{node} for node, _ in enumerate(above)]
    for node in range(len(above) - 1, 0, -1):
        below[above[node]] |= below[node]
    return below


def flow_edges(rng: Random, above: Sequence[int]) -> set[Edge]:
    """Edges with which the immediate dominators are the parents in a tree.

    The parent leads to two of its children alone: to one with few nodes below it and to the one
    with the most. The other children stand in a line, and each leads from its subtree to those
    beside it. The line is entered at one end, from the first child, and at the other end, from far
    below the second; so any of it can be reached from both ends, and none dominates another. Where
    the first end is entered from both, even searches in several orders walk the same way.

    Searches mostly walk along the line from the end that is easily reached, so that their paths
    have nodes in common that do not dominate. The loops of the line can be entered at two nodes, so
    that one pass over the nodes in the order of a search is wrong: where it enters the line, it has
    not yet seen what leads back.

    >>> {(0, 1), (0, 3), (1, 2), (3, 2)} <= flow_edges(Random(1), [0, 0, 0, 0])
    True
    """
    below, edges = dominated(above), set[Edge]()
    for node in range(len(above)):
        children = [child for child, up in enumerate(above) if up == node != child]
        children.sort(key=lambda child: len(below[child]))
        children[1:] = children[-1:] + children[1:-1]
        for child in children[:2]:
            edges.add((node, child))
            # Other edges that lead to it, such as those of loops, do not matter.
            if rng.random() < LOOPS and (inner := [*(below[node] - {node, child})]):
                edges.add((rng.choice(inner), child))
        if line := children[2:]:
            far = below[children[1]]
            edges |= {(children[0], line[0]), (max(far), line[-1])}
            if rng.random() < SIDES:
                edges.add((rng.choice([*far]), line[0]))
        for one, other in pairwise(line):
            edges |= {(rng.choice([*below[one]]), other), (rng.choice([*below[other]]), one)}
    return edges


class Dominators(GraphPuzzle):
    """Find the immediate dominator of each node of a flow graph."""

    version = 2
    tags = {"graphs", "deduction", "programs", "unique-solution"}

    class Knobs(GraphPuzzle.Knobs):
        nodes: int = ladder(8, 10, 13, 17, 21, 25, 28, low=8, high=36)
        extra: float = ladder(0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4, low=0, high=1)  # edges/node

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        above = random_tree(rng, knobs.nodes)
        edges = flow_edges(rng, above)
        # An edge from what a node's immediate dominator dominates changes no dominator.
        below = dominated(above)
        for _ in range(round(knobs.nodes * knobs.extra)):
            v = rng.randrange(1, knobs.nodes)
            u = rng.choice([*below[above[v]]])
            if u != v:
                edges.add((u, v))
        # Searches in the order of the numbers would otherwise go to small subtrees first.
        number = [ENTRY, *rng.sample(range(1, knobs.nodes), knobs.nodes - 1)]
        arcs = sorted((number[u], number[v]) for u, v in edges)
        return cls(graph=Graph.of_arcs(rng, knobs.nodes, arcs, knobs.encoding))

    def is_valid(self) -> bool:
        right = self.right()
        parents = parents_by_breadth(self.graph.ways())
        return super().is_valid() and any(right) and [*right] != parents

    def right(self) -> tuple[int, ...]:
        """The immediate dominator of each node; the entry for the entry."""
        return immediate_dominators(self.graph.ways())

    def others(self) -> list[int]:
        """All nodes but the entry, in the order of their names."""
        return [node for node in self.graph.ranked() if node != ENTRY]

    def prompt(self) -> str:
        entry = self.graph.names[ENTRY]
        one, other, *_ = (self.graph.names[node] for node in self.others())
        task = self.phrase(
            f"The graph is the flow graph of a program that starts at {entry}. A node d dominates "
            f"a node n if every path from {entry} to n passes through d; in particular, every node "
            "dominates itself. The immediate dominator of n is the node other than n that "
            "dominates n and that every other node which dominates n, except n itself, also "
            "dominates. For every node but "
            f"{entry}, find the immediate dominator.",
            f"Every walk along the edges from {entry} to a node n passes certain nodes, whichever "
            "way it takes. Apart from n itself, these are the strict dominators of n. Exactly one "
            "of them, the immediate dominator of n, is dominated by all others: they lie on every "
            f"path from {entry} to it. Find the immediate dominator of every node except {entry}.",
        )
        return self.with_graph(
            f"{task} Paths follow the directions of the edges. Write one line for each node except "
            f"{entry}, with the node, a colon and its immediate dominator, such as "
            f"'{one}: {other}'."
        )

    def look(self) -> Look:
        return Look(nodes={ENTRY: END}, notes={ENTRY: "entry"})

    def solved_scene(self, answer: str) -> Scene:
        values = self.read(answer)
        notes = {node: self.graph.names[above] for node, above in values.items()}
        return network(self.graph, self.look().with_notes(notes))

    def as_text(self, above: Sequence[int]) -> str:
        """Immediate dominators, of which that of the entry does not matter, as an answer."""
        names = self.graph.names
        return "\n".join(f"{names[node]}: {names[above[node]]}" for node in self.others())

    def read(self, answer: str) -> dict[int, int]:
        """The immediate dominator of each node in an answer."""
        names = self.graph.names
        values = pairs(plain(answer), [names[node] for node in self.others()])
        result = {}
        for node in self.others():
            above = walk(values[names[node]], names)
            if len(above) != 1:
                raise InvalidAnswer(f"expected one node behind {names[node]}, got {len(above)}")
            result[node] = above[0]
        return result

    def answer(self) -> str:
        return self.as_text(self.right())

    def verify(self, answer: str) -> Score:
        right = self.right()
        return matched(self.read(answer), {node: right[node] for node in self.others()})

    def audit(self, answer: str) -> bool:
        """Whether the sets of dominators, which shrink to the greatest solution of the equations of
        data flow, are those along the immediate dominators of the answer.
        """
        nodes, ways = range(len(self.graph.names)), self.graph.ways()
        before = [[u for u in nodes if v in ways[u]] for v in nodes]
        above = [{ENTRY}, *({*nodes} for _ in nodes[1:])]
        changed = True
        while changed:
            new = [{v}.union(set.intersection(*(above[u] for u in before[v]))) for v in nodes[1:]]
            changed = above[1:] != new
            above[1:] = new
        values = self.read(answer)
        return all(above[node] == above[up] | {node} != above[up] for node, up in values.items())

    def difficulty(self) -> float:
        return len(self.graph.names) * len(self.graph.edges)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Parents in trees of searches, a node from which an edge leads to the node, the common
        ancestors of these in a tree, what the paths of several searches have in common, and a
        single pass of the equations of data flow.
        """
        nodes, ways = range(len(self.graph.names)), self.graph.ways()
        before = [[u for u in nodes if v in ways[u]] or [ENTRY] for v in nodes]
        breadth = parents_by_breadth(ways)
        depth = parents_by_depth(ways)
        turned = [near[::-1] for near in ways]
        trees = [breadth, depth, parents_by_breadth(turned), parents_by_depth(turned)]
        players = {
            "the entry": [ENTRY] * len(nodes),
            "breadth-first parents": breadth,
            "depth-first parents": depth,
            "the only node before it, or the entry": [
                near[0] if len(near) == 1 else ENTRY for near in before
            ],
            "two steps up where several edges enter": [
                up if len(near) == 1 else breadth[up] for up, near in zip(breadth, before)
            ],
            "a random node before it": [rng.choice(near) for near in before],
            "breadth-first ancestors of all before it": [_common(breadth, near) for near in before],
            "depth-first ancestors of all before it": [_common(depth, near) for near in before],
            "the last that paths of four searches share": [_shared(trees, node) for node in nodes],
            "one pass in the order of a depth-first search": one_pass(ways),
        }
        return {player: self.as_text(above) for player, above in players.items()}

    def shortcuts(self) -> Iterable[str]:
        ways = self.graph.ways()
        return [self.as_text([ENTRY] * len(ways)), self.as_text(parents_by_breadth(ways))]


def parents_by_breadth(ways: Ways) -> list[int]:
    """The parent of each node in breadth-first search from the entry."""
    parents = dict[int, int]({ENTRY: ENTRY})
    for node in reached(ways, ENTRY):
        for near in ways[node]:
            parents.setdefault(near, node)
    return [parents[node] for node in range(len(ways))]


def parents_by_depth(ways: Ways) -> list[int]:
    """The parent of each node in depth-first search from the entry."""
    parents = [ENTRY] * len(ways)
    for u, v in depth_first(ways, ENTRY).edges("tree"):
        parents[v] = u
    return parents


def one_pass(ways: Ways) -> list[int]:
    """The common ancestors of what leads to each node, in the tree of those of the nodes before it,
    where nodes come by the time at which depth-first search finishes them, the last first.

    Without loops that can be entered at two nodes, these are the immediate dominators.

    >>> one_pass([[1, 2], [3], [3], []]), one_pass([[1, 2], [3], [4], [4], [3]])
    ([0, 0, 0, 0], [0, 0, 0, 1, 0])
    """
    above = {ENTRY: ENTRY}
    for node in reversed(depth_first(ways, ENTRY).finished[:-1]):
        above[node] = _common(above, [u for u in above if node in ways[u]])
    return [above[node] for node in range(len(ways))]


def _line(parents: Parents, node: int) -> list[int]:
    """A node and all above it, from the node to the entry."""
    line = [node]
    while line[-1] != ENTRY:
        line.append(parents[line[-1]])
    return line


def _common(parents: Parents, nodes: Sequence[int]) -> int:
    """The lowest common ancestor of some nodes by their parents; the entry's is the entry."""
    lines = [_line(parents, node) for node in nodes]
    return next(node for node in lines[0] if all(node in line for line in lines))


def _shared(trees: Sequence[Parents], node: int) -> int:
    """The nearest node above a node in all of several trees; the entry's is the entry."""
    lines = [_line(parents, node)[1:] for parents in trees]
    return next((each for each in lines[0] if all(each in line for line in lines)), ENTRY)
