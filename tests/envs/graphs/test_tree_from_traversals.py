"""Trees that two orders of their nodes determine, by listing all trees of a few nodes."""

from functools import cache
from itertools import product

import pytest
from tests.envs.sampling import sampled

from palaestra.address import Address
from palaestra.envs.graphs.tree_from_traversals import SIDES, TreeFromTraversals
from palaestra.generators.graphs.tree_from_traversals import (
    BINARY_RULES,
    ORDERED_RULES,
    REVERSED,
    Tree,
)
from palaestra.task import InvalidAnswer

NAME = "graphs/tree_from_traversals"


@cache
def shapes(nodes):
    """All binary trees as nested pairs."""
    if not nodes:
        return [None]
    return [
        pair for left in range(nodes) for pair in product(shapes(left), shapes(nodes - 1 - left))
    ]


@cache
def forests(nodes):
    """All rows of ordered trees as nested tuples."""
    if not nodes:
        return [()]
    return [
        (first, *rest)
        for size in range(1, nodes + 1)
        for first in forests(size - 1)
        for rest in forests(nodes - size)
    ]


def trees(shapes_of, nodes):
    """Nested tuples as trees, whose nodes are numbered in preorder."""
    for shape in shapes_of:
        children = {}
        number(shape, children)
        assert len(children) == nodes
        yield Tree(0, children)


def number(part, children):
    """Number a node and those below it in preorder, and enter their children."""
    node = len(children)
    children[node] = ()
    children[node] = tuple(None if each is None else number(each, children) for each in part)
    return node


def test_numbers_of_trees():
    assert [len(shapes(n)) for n in range(1, 6)] == [1, 2, 5, 14, 42]
    assert [len(forests(n)) for n in range(1, 6)] == [1, 2, 5, 14, 42]


@pytest.mark.parametrize("one", [name for name in BINARY_RULES if not name.endswith("inorder")])
@pytest.mark.parametrize("other", ["inorder", "mirrored inorder"])
def test_binary_trees_are_determined_and_rebuilt(one, other):
    seen = set()
    for tree in trees(shapes(5), 5):
        # Name the nodes in the first order, so that the second one alone distinguishes the trees.
        rank = {node: n for n, node in enumerate(tree.order(one))}
        seen.add(tuple(rank[node] for node in tree.order(other)))
        task = TreeFromTraversals(
            names=tuple("ABCDE"), shown=((other, tree.order(other)), (one, tree.order(one))),
            binary=True, asks=("preorder", "level order"),
        )  # fmt: skip
        assert task.tree().children == tree.children
        assert task.right()["preorder"] == (0, 1, 2, 3, 4)
        assert task.audit(task.answer())
    assert len(seen) == 42


@pytest.mark.parametrize(("one", "other"), [*product(*SIDES)])
def test_ordered_trees_are_determined_and_rebuilt(one, other):
    seen = set()
    for tree in trees(forests(5), 6):
        rank = {node: n for n, node in enumerate(tree.order(one))}
        seen.add(tuple(rank[node] for node in tree.order(other)))
        task = TreeFromTraversals(
            names=tuple("ABCDEF"), shown=((one, tree.order(one)), (other, tree.order(other))),
            binary=False, asks=("level order", "parents"), children=(1, 2, 3, 4, 5),
        )  # fmt: skip
        assert task.tree().children == tree.children
        assert task.audit(task.answer())
    assert len(seen) == 42


def test_reversed_orders_tell_nothing_new():
    for tree in trees(shapes(4), 4):
        for name, other in REVERSED.items():
            assert tree.order(name) == tree.order(other)[::-1]


def test_no_line_of_an_answer_is_an_order_of_the_prompt():
    for level, seed in product(range(7), range(5)):
        task = Address.of(NAME, seed, level).task()
        shown = [order for _, order in task.shown]
        for order in task.right().values():
            assert order not in shown
            assert order[::-1] not in shown


def test_a_case_by_hand():
    #     B
    #    / \
    #   D   A
    #    \
    #     C
    task = TreeFromTraversals(
        names=("A", "B", "C", "D"),
        shown=(("mirrored level order", (1, 0, 3, 2)), ("inorder", (3, 2, 1, 0))),
        binary=True,
        asks=("postorder", "mirrored postorder"),
    )
    assert task.verify("postorder: C, D, A, B\nmirrored postorder: A, C, D, B").value == 1
    assert task.verify("Mirrored postorder: A C D B\nPostorder: [C, D, A, B]").value == 1
    assert task.verify("postorder: D, C, A, B\nmirrored postorder: A, C, D, B").value == 0
    assert not task.audit("postorder: D, C, A, B\nmirrored postorder: A, C, D, B")
    assert not task.audit("postorder: C, C, A, B\nmirrored postorder: A, C, D, B")


def test_other_labels_and_parents_behind_their_children():
    task = TreeFromTraversals(
        names=("A", "B", "C", "D"),
        shown=(("mirrored level order", (1, 0, 3, 2)), ("inorder", (3, 2, 1, 0))),
        binary=True,
        asks=("postorder", "mirrored postorder"),
    )
    for text in (
        "post-order: C, D, A, B\nmirrored post-order: A, C, D, B",
        "Postorder traversal: C, D, A, B\nMirrored post order: A, C, D, B",
        "postorder: $C, D, A, B$\nmirrored postorder: \\boxed{A, C, D, B}",
    ):
        assert task.verify(text).value == 1, text
    #     A
    #    / \
    #   B   C
    #   |
    #   D
    task = TreeFromTraversals(
        names=("A", "B", "C", "D"),
        shown=(("preorder", (0, 1, 3, 2)), ("postorder", (3, 1, 2, 0))),
        binary=False,
        asks=("level order", "parents"),
        children=(3, 2),
    )
    for text in (
        "level order: A, B, C, D\nparents: B, A",
        "level-order: A, B, C, D\nparents of D, C: B, A",
        "level order: A, B, C, D\nparents: D -> B, C -> A",
        "level order: A, B, C, D\nparents: C: A, D: B",
    ):
        assert task.verify(text).value == 1, text
    for text in ("A, B", "D: A, C: B", "D -> B, B -> A", "D: B A, C: A"):
        assert task.verify(f"level order: A, B, C, D\nparents: {text}").value == 0, text
    for text in ("D: B, B: A", "D: B", "D: B, D: B, C: A"):
        with pytest.raises(InvalidAnswer):
            task.verify(f"level order: A, B, C, D\nparents: {text}")


@pytest.mark.parametrize("tree", ["binary", "ordered"])
def test_rules_of_all_orders_of_the_prompt(tree):
    kinds = BINARY_RULES if tree == "binary" else ORDERED_RULES
    for seed in range(6):
        task = sampled(NAME, seed, 3, tree=tree)
        assert task.binary == (tree == "binary")
        for name in {*task.asks, *dict(task.shown)} - {"parents"}:
            assert f"- {name}: {kinds[name]}" in task.prompt()
