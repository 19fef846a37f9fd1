"""A tree from two orders of its nodes, after Donald Knuth's exercises on traversals (1968)."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Literal, Self

from palaestra.generators.graphs.tree_from_traversals import (
    BINARY_RULES,
    MIRRORED,
    ORDERED_RULES,
    REVERSED,
    Tree,
    binary_tree,
    ordered_tree,
    random_binary_tree,
    random_ordered_tree,
    split_tree,
)
from palaestra.generators.random_graphs import node_names
from palaestra.scenes import Cell, Grid
from palaestra.scenes.elements import Tone
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.nodes import walk
from palaestra.verifiers.reading.values import joined, plain

Order = tuple[int, ...]

PARENTS = "parents"
LEVELS = ("level order", "mirrored level order")
SIDES = (("preorder", "mirrored postorder"), ("postorder", "mirrored preorder"))
"""Orders that are each other's reverse."""


class TreeFromTraversals(Puzzle):
    """Rebuild a tree from two orders of its nodes, and list the nodes in other orders."""

    version = 2
    tags = {"graphs", "trees", "deduction", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        tree: Literal["any", "binary", "ordered"] = ladder("any")
        nodes: int = ladder(5, 7, 10, 14, 19, 26, 36, low=4, high=45)
        parents: int = ladder(2, 3, 4, 5, 7, 9, 12, low=2, high=20)  # that are wanted

    names: tuple[str, ...]
    shown: tuple[tuple[str, Order], tuple[str, Order]]
    """The names of two orders, with the nodes in these orders."""
    binary: bool
    asks: tuple[str, ...]
    """The names of the orders that are wanted; the parents of nodes may follow."""
    children: Order = ()
    """The nodes whose parents are wanted."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        sort = rng.choice(("binary", "binary", "ordered")) if knobs.tree == "any" else knobs.tree
        level = rng.choice(LEVELS)
        children = Order()
        if sort == "binary":
            tree = random_binary_tree(rng, knobs.nodes)
            one = rng.choice([name for name in BINARY_RULES if not name.endswith("inorder")])
            other = rng.choice(("inorder", "mirrored inorder"))
            sides = [rng.choice(side) for side in SIDES if one not in side]
            levels = [level] if one not in LEVELS else []
            asks = [*sides, *levels]
        else:
            tree = random_ordered_tree(rng, knobs.nodes)
            one, other = (rng.choice(side) for side in SIDES)
            asks = [level, PARENTS]
            below = range(1, knobs.nodes)
            children = tuple(rng.sample(below, min(knobs.parents, len(below))))
        shown = rng.sample([(name, tree.order(name)) for name in (one, other)], 2)
        return cls(
            names=node_names(rng, knobs.nodes), shown=(shown[0], shown[1]),
            binary=sort == "binary", asks=tuple(asks), children=children,
        )  # fmt: skip

    def is_valid(self) -> bool:
        right = [*self.right().values()]
        orders = [*right, *(order for _, order in self.shown)]
        both = orders + [order[::-1] for _, order in self.shown]
        return len({*both}) == len(both) and len({*right[-1]}) > 1

    def canonical(self) -> str:
        number = {node: n for n, node in enumerate(self.shown[0][1])}
        other = [number[node] for node in self.shown[1][1]]
        below = sorted(number[node] for node in self.children)
        return repr((self.binary, self.shown[0][0], self.shown[1][0], other, self.asks, below))

    def tree(self) -> Tree:
        """The tree, rebuilt from the orders that the prompt shows."""
        orders = dict(self.shown)
        if not self.binary:
            return ordered_tree(*self.sides())
        inorder, (name,) = self.inorder(), [name for name in orders if not name.endswith("inorder")]
        return binary_tree(inorder, name, orders[name])

    def inorder(self) -> Order:
        """The inorder of a binary tree."""
        orders = dict(self.shown)
        return orders["inorder"] if "inorder" in orders else orders["mirrored inorder"][::-1]

    def sides(self) -> tuple[Order, Order]:
        """The preorder and the postorder of an ordered tree."""
        orders = dict(self.shown)
        orders |= {REVERSED[name]: order[::-1] for name, order in self.shown}
        return orders["preorder"], orders["postorder"]

    def right(self) -> dict[str, Order]:
        """The lines of the right answer."""
        tree = self.tree()
        above = tree.parents()
        return {
            name: tuple(above[node] for node in self.children)
            if name == PARENTS
            else tree.order(name)
            for name in self.asks
        }

    def prompt(self) -> str:
        rules = BINARY_RULES if self.binary else ORDERED_RULES
        wanted = [name for name in self.asks if name != PARENTS]
        shown = "\n".join(f"{name}: {self.listing(order)}" for name, order in self.shown)
        used = [name for name in rules if name in {*wanted, *dict(self.shown)}]
        defined = "\n".join(f"- {name}: {rules[name]}" for name in used)
        structure = (
            self.phrase(
                "Each node of a binary tree has at most one left child and at most one right "
                "child, which are the roots of its left and its right subtree; either may be "
                "missing.",
                "In a binary tree, below each node there are a left and a right subtree, each of "
                "which is empty or has a root of its own: a child of the node.",
            )
            if self.binary
            else self.phrase(
                "In an ordered tree, each node has any number of children, which stand from left "
                "to right and are the roots of its subtrees.",
                "Each node of an ordered tree has a row of children, which may be empty. Each "
                "child is the root of a subtree.",
            )
        )
        task = self.phrase(
            f"The {len(self.names)} nodes of such a tree are listed in two orders:",
            f"Here are the {len(self.names)} nodes of such a tree in two orders:",
        )
        lines = [f"{name}: all nodes in this order" for name in wanted]
        if self.children:
            lines.append(f"{PARENTS}: the parents of {self.listing(self.children)}, in this order")
        return (
            f"{structure} Subtrees are listed by the same rule as the whole tree:\n{defined}\n\n"
            f"{task}\n\n{shown}\n\nWhich tree is it? Write these lines:\n"
            + "\n".join(lines)
            + "\n\n"
            "A line has its label, a colon and names with commas between them, such as "
            f"'{wanted[0]}: {joined(sorted(self.names)[:3])}'."
        )

    def listing(self, nodes: Iterable[int]) -> str:
        """Nodes by their names."""
        return joined([self.names[node] for node in nodes])

    def scene(self) -> Grid:
        return self._grid(self.shown)

    def solved_scene(self, answer: str) -> Grid:
        return self._grid([*self.shown, *self.read(answer).items()])

    def _grid(self, rows: Sequence[tuple[str, Order]]) -> Grid:
        """A row for each order, with nothing at the end of a shorter one; those of an answer, which
        come last, are marked.
        """
        width = max(len(order) for _, order in rows)
        tones: list[Tone] = ["ink"] * len(self.shown) + ["accent"] * len(rows)
        cells = [
            [Cell(self.names[node], tone=tone) for node in order]
            + [Cell(fill="none")] * (width - len(order))
            for (_, order), tone in zip(rows, tones)
        ]
        return Grid(tuple(map(tuple, cells)), left=tuple((name,) for name, _ in rows))

    def as_text(self, lines: Mapping[str, Order]) -> str:
        """Lines as an answer."""
        return "\n".join(f"{name}: {self.listing(lines[name])}" for name in self.asks)

    def read(self, answer: str) -> dict[str, Order]:
        """The lines of an answer by their labels."""
        spellings = {other: name for name in self.asks for other in self.spellings(name)}
        values = pairs(answer, self.asks, spellings=spellings)
        return {
            name: self.read_parents(value) if name == PARENTS else walk(value, self.names)
            for name, value in values.items()
        }

    def spellings(self, name: str) -> list[str]:
        """Other labels of a line, in lower case: ``pre-order``, ``level-order traversal``."""
        if name == PARENTS:
            listed = self.listing(self.children).casefold()
            return [f"parents of {listed}", f"the parents of {listed}"]
        stem = name.removesuffix("order").rstrip()
        return [
            f"{stem}{joint}order{end}" for joint in ("", "-", " ") for end in ("", " traversal")
        ]

    def read_parents(self, text: str) -> Order:
        """The parents of nodes in the wanted order, each alone or behind its child."""
        try:
            values = pairs(plain(text), [self.names[node] for node in self.children])
        except InvalidAnswer:
            return walk(text, self.names)
        return tuple(node for parent in values.values() for node in walk(parent, self.names))

    def answer(self) -> str:
        return self.as_text(self.right())

    def verify(self, answer: str) -> Score:
        return matched(self.read(answer), self.right())

    def audit(self, answer: str) -> bool:
        """Whether each order, with the inorder, leads back to the tree of the orders shown; in an
        ordered tree, whether these two orders, split into subtrees, give the answer.
        """
        lines = self.read(answer)
        nodes = range(len(self.names))
        if any(sorted(order) != [*nodes] for name, order in lines.items() if name != PARENTS):
            return False
        if self.binary:
            return all(
                binary_tree(self.inorder(), name, order).order(each) == other
                and binary_tree(self.inorder(), name, order).order(name) == order
                for name, order in lines.items()
                for each, other in self.shown
            )
        children = split_tree(*self.sides())
        above = {child: node for node, below in children.items() for child in below}
        turn = -1 if self.asks[0].startswith(MIRRORED) else 1
        level = [self.sides()[0][0]]
        for node in level:
            level += children[node][::turn]
        return lines == {
            self.asks[0]: tuple(level), PARENTS: tuple(above[node] for node in self.children),
        }  # fmt: skip

    def difficulty(self) -> float:
        return len(self.names) ** 2

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The orders of the prompt as they stand and reversed, and trees that are guessed: those
        with the middle of the inorder as the root, and with a node's neighbour as its parent.
        """
        orders = [order for _, order in self.shown]
        players = {
            f"order {number}{' reversed' * (turn < 0)}": dict.fromkeys(self.asks, order[::turn])
            for number, order in enumerate(orders, 1)
            for turn in (1, -1)
        }
        if self.binary:
            balanced = Tree(*_balanced(self.inorder()))
            players["balanced tree"] = {name: balanced.order(name) for name in self.asks}
        else:
            first = self.sides()[0]
            before = tuple(first[max(0, first.index(node) - 1)] for node in self.children)
            players["the node before it"] = {self.asks[0]: first, PARENTS: before}
        return {name: self.as_text(lines) for name, lines in players.items()}

    def shortcuts(self) -> Iterable[str]:
        return [self.as_text(dict.fromkeys(self.asks, order)) for _, order in self.shown]


def _balanced(inorder: Sequence[int]) -> tuple[int, dict[int, tuple[int | None, ...]]]:
    """The root and the children of a binary tree whose roots stand in the middle."""
    at = len(inorder) // 2
    children: dict[int, tuple[int | None, ...]] = {}
    roots: list[int | None] = []
    for part in (inorder[:at], inorder[at + 1 :]):
        root, below = _balanced(part) if part else (None, {})
        roots.append(root)
        children |= below
    return inorder[at], {inorder[at]: tuple(roots), **children}
