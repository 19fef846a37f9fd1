"""Heinz Prüfer's code of a labelled tree, with which he proved Cayley's formula (1918)."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Self

from palaestra.generators.graphs.algorithms import spanning_tree
from palaestra.generators.graphs.scenes import PLAIN, diagram
from palaestra.generators.random_graphs import Edge
from palaestra.scenes import Card, Cards, Panels
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.nodes import edge_list
from palaestra.verifiers.reading.values import joined


def code_of(nodes: int, tree: Iterable[Edge]) -> tuple[int, ...]:
    """The code of a tree, whose nodes are numbered from 1.

    >>> code_of(4, [(1, 3), (3, 2), (3, 4)])
    (3, 3)
    """
    beside: dict[int, set[int]] = {node: set() for node in range(1, nodes + 1)}
    for u, v in tree:
        beside[u].add(v)
        beside[v].add(u)
    code = []
    for _ in range(nodes - 2):
        leaf = min(node for node, near in beside.items() if len(near) == 1)
        (neighbour,) = beside.pop(leaf)
        beside[neighbour].remove(leaf)
        code.append(neighbour)
    return tuple(code)


class TreeFromPrueferCode(Puzzle):
    """Rebuild a labelled tree from its Prüfer code."""

    version = 2
    tags = {"graphs", "trees", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        nodes: int = ladder(6, 8, 10, 13, 17, 23, 32, low=4, high=50)

    code: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(code=tuple(rng.randint(1, knobs.nodes) for _ in range(knobs.nodes - 2)))

    def is_valid(self) -> bool:
        return not any(map(self.audit, self.shortcuts()))

    @property
    def nodes(self) -> int:
        """The number of nodes of the tree."""
        return len(self.code) + 2

    def prompt(self) -> str:
        task = self.phrase(
            f"A tree has {self.nodes} nodes, numbered from 1 to {self.nodes}. Its Prüfer code is "
            "built as follows: of all the nodes with only one neighbour, remove the one with the "
            "smallest number, together with its edge, and write down the number of that neighbour. "
            "Repeat this until two nodes are left.",
            f"The nodes of a tree are the numbers from 1 to {self.nodes}. Someone took the tree "
            "apart: in each step, the smallest of the nodes with only one neighbour left was "
            "removed with its edge, and that neighbour was written down. The steps ended when two "
            "nodes were left; the numbers written down, in order, are the tree's Prüfer code.",
        )
        return (
            f"{task}\n\nThe code is: {joined(self.code)}\n\nWhich tree is it? Write all its "
            f"{self.nodes - 1} edges on one line, such as '1-2, 3-4', in any order."
        )

    def answer(self) -> str:
        return self.as_text(sorted((min(edge), max(edge)) for edge in self.tree()))

    def tree(self) -> list[Edge]:
        """The edges in the order in which the code removes them."""
        left, edges = list(range(1, self.nodes + 1)), []
        for number, neighbour in enumerate(self.code):
            leaf = min(node for node in left if node not in self.code[number:])
            left.remove(leaf)
            edges.append((leaf, neighbour))
        return [*edges, (left[0], left[1])]

    @staticmethod
    def as_text(edges: Iterable[Edge]) -> str:
        """Edges as an answer."""
        return ", ".join(f"{u}-{v}" for u, v in edges)

    def read(self, answer: str) -> list[Edge]:
        """The edges of an answer."""
        names = [str(number) for number in range(1, self.nodes + 1)]
        return [(u + 1, v + 1) for u, v in edge_list(answer, names)]

    def scene(self) -> Cards:
        """The numbers of the code, at most ten in a row."""
        cards = [Card(str(number), shape="tile") for number in self.code]
        return Cards(tuple(tuple(cards[n : n + 10]) for n in range(0, len(cards), 10)))

    def solved_scene(self, answer: str) -> Panels:
        edges = [(u - 1, v - 1) for u, v in self.read(answer)]
        names = [str(number) for number in range(1, self.nodes + 1)]
        return Panels((self.scene(), diagram(names, edges, PLAIN.with_edges(edges))), columns=1)

    def verify(self, answer: str) -> Score:
        edges = self.read(answer)
        if len(edges) != self.nodes - 1:
            return Score(0, f"there are {len(edges)} edges, not {self.nodes - 1}")
        if len(spanning_tree(self.nodes + 1, edges)[0]) != self.nodes - 1:
            return Score(0, "the edges form a cycle")
        code = code_of(self.nodes, edges)
        wrong = next((n for n, both in enumerate(zip(code, self.code), 1) if len(set(both)) > 1), 0)
        return (
            Score(0, f"number {wrong} of this tree's code is {code[wrong - 1]}")
            if wrong
            else Score(1)
        )

    def audit(self, answer: str) -> bool:
        """Whether the edges are those of the decoded tree."""
        edges = sorted(map(sorted, self.read(answer)))
        return edges == sorted(map(sorted, self.tree()))

    def difficulty(self) -> float:
        return self.nodes

    def shortcuts(self) -> Iterable[str]:
        chain: Sequence[Edge] = [(node, node + 1) for node in range(1, self.nodes)]
        hub = max(self.code, key=self.code.count)
        star = [(hub, node) for node in range(1, self.nodes + 1) if node != hub]
        naive = [*enumerate(self.code, 1), (self.nodes - 1, self.nodes)]
        return map(self.as_text, (chain, star, naive))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=4)

    def candidates(self) -> Iterable[str]:
        return map(self.as_text, combinations(combinations(range(1, self.nodes + 1), 2), 3))
