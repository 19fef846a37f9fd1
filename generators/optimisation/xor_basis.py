"""Linear algebra over GF(2) on the bits of numbers: bases, spans and their greatest members."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import xor
from random import Random
from typing import NamedTuple

from palaestra.generators.bitsets import ones

Edge = tuple[int, int, int]
"""Two nodes, and the number of the edge between them."""


class Vector(NamedTuple):
    """A number, and which of the original numbers it is the xor of, as bits."""

    value: int
    parts: int

    def __xor__(self, other: "Vector") -> "Vector":
        return Vector(self.value ^ other.value, self.parts ^ other.parts)


def total(values: Iterable[int]) -> int:
    """The xor of numbers.

    >>> total([5, 3])
    6
    """
    return reduce(xor, values, 0)


def reduced_basis(values: Sequence[int]) -> list[Vector]:
    """A basis of the span, the greatest first; the leading bit of each is in no other.

    >>> [vector.value for vector in reduced_basis([6, 5, 3])]
    [5, 3]
    """
    basis = list[Vector]()
    for number, value in enumerate(values):
        vector = Vector(value, 1 << number)
        for each in basis:
            if vector.value >> (each.value.bit_length() - 1) & 1:
                vector ^= each
        if vector.value:
            lead = vector.value.bit_length() - 1
            basis = [each ^ vector if each.value >> lead & 1 else each for each in basis]
            basis = sorted([*basis, vector], reverse=True)
    return basis


def rank(values: Sequence[int]) -> int:
    """The dimension of the span.

    >>> rank([6, 5, 3])
    2
    """
    return len(reduced_basis(values))


def greatest(values: Sequence[int], limit: int) -> Vector:
    """The greatest member of the span that is at most ``limit``.

    >>> greatest([6, 5], 4), greatest([6, 5], 7)
    (Vector(value=3, parts=3), Vector(value=6, parts=1))
    """
    best = Vector(0, 0)
    for vector in reduced_basis(values):  # members are in the order of the vectors that they use
        if best.value ^ vector.value <= limit:
            best ^= vector
    return best


def heaviest_independent(values: Sequence[int], weights: Sequence[int]) -> list[int]:
    """The independent numbers of the greatest total weight: the greedy choice of a matroid."""
    chosen = list[int]()
    for number in sorted(range(len(values)), key=lambda n: (-weights[n], n)):
        if rank([values[n] for n in (*chosen, number)]) > len(chosen):
            chosen.append(number)
    return sorted(chosen)


def span_of(rng: Random, bits: int, dimension: int) -> list[int]:
    """Random independent numbers of so many bits."""
    while True:
        basis = [rng.randrange(1, 1 << bits) for _ in range(dimension)]
        if rank(basis) == dimension:
            return basis


def numbers_of_rank(rng: Random, size: int, bits: int, dimension: int) -> list[int]:
    """Different numbers above 0 that span a space of a dimension, in random order."""
    basis = span_of(rng, bits, dimension)
    numbers = set(basis)
    while len(numbers) < size:
        numbers.add(total(each for each in basis if rng.random() < 0.5))
        numbers.discard(0)
    mixed = sorted(numbers)
    rng.shuffle(mixed)
    return mixed


def circuits(values: Sequence[int]) -> list[int]:
    """Sets of numbers, as bits, whose xor is 0: one for each number that depends on earlier ones.

    >>> circuits([6, 5, 3])
    [7]
    """
    basis, loops = list[Vector](), list[int]()
    for number, value in enumerate(values):
        vector = Vector(value, 1 << number)
        for each in basis:
            vector = min(vector, vector ^ each)
        if vector.value:
            basis = sorted([*basis, vector], reverse=True)
        else:
            loops.append(vector.parts)
    return loops


def entangled(rng: Random, values: Sequence[int]) -> list[int]:
    """Weights for numbers, of which the greatest belong to numbers that depend on each other."""
    loops = sorted(circuits(values), key=lambda loop: -loop.bit_count())[:2]
    groups = [ones(loop) for loop in loops] + [list(range(len(values)))]
    order = dict.fromkeys(n for group in groups for n in rng.sample(group, len(group)))
    low = 2 * len(values)
    weights = sorted(rng.sample(range(low, 3 * low), len(values)), reverse=True)
    by_number = dict(zip(order, weights))
    return [by_number[n] for n in range(len(values))]


class Tree(NamedTuple):
    """A spanning tree from node 0: for each node the one above it, and the xor of the way to it."""

    above: tuple[int, ...]
    way: tuple[int, ...]

    def path(self, node: int) -> list[int]:
        """The nodes from node 0 to another."""
        path = [node]
        while path[-1]:
            path.append(self.above[path[-1]])
        return path[::-1]


def spanning_tree(nodes: int, edges: Iterable[Edge]) -> Tree:
    """The tree of a search in breadth first order of a connected graph."""
    beside: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for u, v, value in edges:
        beside[u].append((v, value))
        beside[v].append((u, value))
    above, way, queue = [-1] * nodes, [0] * nodes, [0]
    for node in queue:
        for other, value in beside[node]:
            if other and above[other] < 0:
                above[other], way[other] = node, way[node] ^ value
                queue.append(other)
    return Tree(tuple(above), tuple(way))


def greatest_walk(nodes: int, edges: Sequence[Edge]) -> list[int]:
    """A walk from node 0 to the last node with the greatest xor of its edges.

    Every walk is a path and some cycles, and the xor of a cycle is that of the cycles that single
    edges close with a spanning tree. The way to a cycle and back cancels out.
    """
    tree = spanning_tree(nodes, edges)
    loops = [edge for edge in edges if tree.way[edge[0]] ^ tree.way[edge[1]] != edge[2]]
    cycles = [tree.way[u] ^ tree.way[v] ^ value for u, v, value in loops]
    best, parts = tree.way[-1], 0
    for vector in reduced_basis(cycles):
        if best ^ vector.value > best:
            best, parts = best ^ vector.value, parts ^ vector.parts
    walk = [0]
    for number, (u, v, _) in enumerate(loops):
        if parts >> number & 1:
            walk += [*tree.path(u)[1:], *tree.path(v)[::-1]]
    return walk + tree.path(nodes - 1)[1:]


def toggled(
    size: int, value: Callable[[list[int]], int], rng: Random, first: Iterable[int] = ()
) -> list[int]:
    """A local search: take or leave the item that helps most, until none helps."""
    chosen = list(first)
    items = rng.sample(range(size), size)
    while True:
        options = [
            [n for n in chosen if n != each] if each in chosen else [*chosen, each]
            for each in items
        ]
        best = max(options, key=value)
        if value(best) <= value(chosen):
            return sorted(chosen)
        chosen = best
