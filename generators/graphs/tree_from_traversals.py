"""Orders in which traversals list the nodes of a tree, and trees that are rebuilt from two of them.

A node has a tuple of children, in order. In a binary tree these are two, either of which may be
``None``. Nodes are numbered from 0; ``None`` as a root is an empty tree.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

Children = tuple[int | None, ...]

MIRRORED = "mirrored "

BINARY_RULES = {
    "preorder": "the root, then the left subtree, then the right subtree",
    "mirrored preorder": "the root, then the right subtree, then the left subtree",
    "postorder": "the left subtree, then the right subtree, then the root",
    "mirrored postorder": "the right subtree, then the left subtree, then the root",
    "inorder": "the left subtree, then the root, then the right subtree",
    "mirrored inorder": "the right subtree, then the root, then the left subtree",
    "level order": "all nodes by their depth, those of the same depth from left to right",
    "mirrored level order": "all nodes by their depth, those of the same depth from right to left",
}
ORDERED_RULES = {
    "preorder": "the root, then the subtrees of its children from left to right",
    "mirrored preorder": "the root, then the subtrees of its children from right to left",
    "postorder": "the subtrees of the children from left to right, then the root",
    "mirrored postorder": "the subtrees of the children from right to left, then the root",
    "level order": BINARY_RULES["level order"],
    "mirrored level order": BINARY_RULES["mirrored level order"],
}
REVERSED = {
    "preorder": "mirrored postorder", "mirrored postorder": "preorder",
    "postorder": "mirrored preorder", "mirrored preorder": "postorder",
    "inorder": "mirrored inorder", "mirrored inorder": "inorder",
}  # fmt: skip
"""The order that lists the nodes from last to first."""


class Tree(NamedTuple):
    """A rooted tree whose nodes have ordered children."""

    root: int
    children: Mapping[int, Children]

    def order(self, name: str) -> tuple[int, ...]:
        """The nodes in the order of this name.

        >>> tree = Tree(0, {0: (1, 2), 1: (None, 3), 2: (None, None), 3: (None, None)})
        >>> tree.order("inorder"), tree.order("mirrored preorder"), tree.order("level order")
        ((1, 3, 0, 2), (0, 2, 1, 3), (0, 1, 2, 3))
        """
        mirrored = name.startswith(MIRRORED)
        sort = name.removeprefix(MIRRORED)
        if sort == "level order":
            return tuple(self._by_level(mirrored))
        return tuple(self._visited(self.root, sort, mirrored))

    def _by_level(self, mirrored: bool) -> list[int]:
        order = [self.root]
        for node in order:
            order += self._below(node, mirrored)
        return order

    def _below(self, node: int, mirrored: bool) -> list[int]:
        """The children of a node from left to right, or from right to left."""
        below = [child for child in self.children[node] if child is not None]
        return below[::-1] if mirrored else below

    def _visited(self, node: int | None, sort: str, mirrored: bool) -> Iterator[int]:
        if node is None:
            return
        below = self.children[node][::-1] if mirrored else self.children[node]
        before = 1 if sort == "inorder" else len(below) if sort == "postorder" else 0
        for child in below[:before]:
            yield from self._visited(child, sort, mirrored)
        yield node
        for child in below[before:]:
            yield from self._visited(child, sort, mirrored)

    def parents(self) -> dict[int, int]:
        """The parent of each node but the root."""
        below = self.children.items()
        return {child: node for node, some in below for child in some if child is not None}


def random_binary_tree(rng: Random, nodes: int) -> Tree:
    """A random binary tree, whose subtrees are often of very different sizes.

    >>> sorted(random_binary_tree(Random(1), 4).order("inorder"))
    [0, 1, 2, 3]
    """
    children: dict[int, Children] = {}

    def grow(size: int) -> int | None:
        if not size:
            return None
        node = len(children)
        children[node] = ()
        left = min(rng.randrange(size), rng.randrange(size))
        if rng.random() < 0.5:
            left = size - 1 - left
        children[node] = (grow(left), grow(size - 1 - left))
        return node

    grow(nodes)
    return Tree(0, children)


def random_ordered_tree(rng: Random, nodes: int, window: int = 6) -> Tree:
    """A random tree in which each node is a child of one of the ``window`` nodes before it.

    >>> random_ordered_tree(Random(1), 3).root
    0
    """
    children: dict[int, list[int]] = {0: []}
    for node in range(1, nodes):
        below = children[rng.randrange(max(0, node - window), node)]
        below.insert(rng.randint(0, len(below)), node)
        children[node] = []
    return Tree(0, {node: tuple(below) for node, below in children.items()})


def binary_tree(inorder: Sequence[int], name: str, order: Sequence[int]) -> Tree:
    """The binary tree with an inorder and another order, of this name.

    The root of a part of the inorder is the node that comes first in a preorder or a level order,
    and last in a postorder, mirrored or not.

    >>> binary_tree([1, 3, 0, 2], "mirrored preorder", [0, 2, 1, 3]).children[1]
    (None, 3)
    """
    last = name.endswith("postorder")
    rank = {node: number for number, node in enumerate(order[::-1] if last else order)}
    children: dict[int, Children] = {}

    def rebuilt(part: Sequence[int]) -> int | None:
        if not part:
            return None
        root = min(part, key=rank.__getitem__)
        at = part.index(root)
        children[root] = (rebuilt(part[:at]), rebuilt(part[at + 1 :]))
        return root

    root = rebuilt(inorder)
    assert root is not None
    return Tree(root, children)


def ordered_tree(preorder: Sequence[int], postorder: Sequence[int]) -> Tree:
    """The tree with a preorder and a postorder: ancestors come first in one and last in the other.

    >>> ordered_tree([0, 1, 3, 2], [3, 1, 2, 0]).children
    {0: (1, 2), 1: (3,), 3: (), 2: ()}
    """
    last = {node: number for number, node in enumerate(postorder)}
    children: dict[int, list[int]] = {node: [] for node in preorder}
    path: list[int] = []
    for node in preorder:
        while path and last[path[-1]] < last[node]:
            path.pop()
        if path:
            children[path[-1]].append(node)
        path.append(node)
    return Tree(preorder[0], {node: tuple(below) for node, below in children.items()})


def split_tree(preorder: Sequence[int], postorder: Sequence[int]) -> dict[int, list[int]]:
    """The children of each node, by splitting both orders: the first subtree ends in the postorder
    where the second node of the preorder stands.

    >>> split_tree([0, 1, 3, 2], [3, 1, 2, 0])
    {0: [1, 2], 1: [3], 3: [], 2: []}
    """
    root, below = preorder[0], list[int]()
    children = {root: below}
    start = 0
    while start + 1 < len(preorder):
        child = preorder[start + 1]
        end = postorder.index(child) + 1
        below.append(child)
        children |= split_tree(preorder[start + 1 : end + 1], postorder[start:end])
        start = end
    return children
