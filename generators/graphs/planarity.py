"""Planar embeddings, subdivisions of K5 and K3,3, and random graphs that have the one or the other.

A graph is a set of the neighbours of each node, by node. An embedding is a rotation for each node:
its neighbours in the order in which they follow one another around the node.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from random import Random

from palaestra.generators.random_graphs import Edge

Beside = dict[int, set[int]]
Rotations = Mapping[int, Sequence[int]]
Face = list[int]


def beside(edges: Iterable[Edge]) -> Beside:
    """The neighbours of each node that has any.

    >>> beside([(0, 1), (1, 2)])
    {0: {1}, 1: {0, 2}, 2: {1}}
    """
    near: Beside = {}
    for u, v in edges:
        near.setdefault(u, set()).add(v)
        near.setdefault(v, set()).add(u)
    return near


def faces(rotations: Rotations) -> int:
    """How many faces are traced: from an edge to a node, on along the next one in its rotation.

    >>> faces({0: [1, 2], 1: [2, 0], 2: [0, 1]})
    2
    """
    onward = {
        (near[n - 1], node): other
        for node, near in rotations.items()
        for n, other in enumerate(near)
    }
    number, left = 0, {*onward}
    while left:
        number += 1
        step = next(iter(left))
        while step in left:
            left.remove(step)
            step = step[1], onward[step]
    return number


def blocks(near: Beside) -> Iterator[set[Edge]]:
    """The edges of each biconnected component, after John Hopcroft and Robert Tarjan (1973).

    >>> sorted(map(len, blocks(beside([(0, 1), (1, 2), (2, 0), (2, 3)]))))
    [1, 3]
    """
    depth: dict[int, int] = {}
    low: dict[int, int] = {}
    stack = list[Edge]()
    done = list[set[Edge]]()

    def visit(node: int, above: int) -> None:
        depth[node] = low[node] = len(depth)
        for other in sorted(near[node]):
            if other not in depth:
                stack.append((node, other))
                visit(other, node)
                low[node] = min(low[node], low[other])
                if low[other] >= depth[node]:
                    block = set[Edge]()
                    while (node, other) not in block:
                        block.add(stack.pop())
                    done.append(block)
            elif other != above and depth[other] < depth[node]:
                stack.append((node, other))
                low[node] = min(low[node], depth[other])

    for start in sorted(near):
        if start not in depth:
            visit(start, -1)
    yield from done


def is_planar(edges: Iterable[Edge]) -> bool:
    """Whether a graph can be drawn without crossings.

    >>> is_planar(combinations(range(4), 2)), is_planar(combinations(range(5), 2))
    (True, False)
    """
    return all(plane_faces(beside(block)) is not None for block in blocks(beside(edges)))


def plane_faces(near: Beside) -> list[Face] | None:
    """The faces of a plane drawing of a biconnected graph, each with its boundary on the same side;
    None if there is none. A single edge has one face.

    Each path is put into a face that has all its ends, after Georges Demoucron, Yves Malgrange and
    Robert Pertuiset (1964).

    >>> sorted(map(len, plane_faces(beside([(0, 1), (1, 2), (2, 0), (0, 3), (3, 1)]))))
    [3, 3, 4]
    """
    if len(near) < 3:
        return [sorted(near)]
    cycle = _cycle(near)
    boundaries = [cycle, cycle[::-1]]
    edges = {frozenset(edge) for edge in pairwise([*cycle, cycle[0]])}
    total = sum(map(len, near.values())) // 2
    while len(edges) < total:
        options = []
        for ends, inner in _fragments(near, {node for edge in edges for node in edge}, edges):
            fitting = [face for face in boundaries if ends <= {*face}]
            options.append((len(fitting), ends, inner, fitting))
        number, ends, inner, fitting = min(options, key=lambda option: option[0])
        if not number:
            return None
        face = fitting[0]
        path = _across(near, ends, inner)
        boundaries.remove(face)
        first, last = face.index(path[0]), face.index(path[-1])
        turned = face[first:] + face[:first]
        split = (last - first) % len(face)
        boundaries += [turned[: split + 1] + path[-2:0:-1], turned[split:] + path[:-1]]
        edges |= {frozenset(step) for step in pairwise(path)}
    return boundaries


def _cycle(near: Beside) -> list[int]:
    """A cycle of a biconnected graph."""
    start = min(near)
    path = [start]
    while True:
        node = path[-1]
        ahead = [other for other in sorted(near[node]) if len(path) < 2 or other != path[-2]]
        back = next((other for other in ahead if other in path), None)
        if back is not None:
            return path[path.index(back) :]
        path.append(ahead[0])


def _fragments(
    near: Beside, settled: set[int], edges: set[frozenset[int]]
) -> Iterator[tuple[set[int], set[int]]]:
    """The parts of a graph that are not drawn: the settled nodes to which they are joined, and
    their other nodes, of which single edges have none.
    """
    for u in sorted(settled):
        for v in sorted(near[u]):
            if u < v and v in settled and frozenset((u, v)) not in edges:
                yield {u, v}, set()
    left = {*near} - settled
    while left:
        inner, queue = set[int](), [min(left)]
        for node in queue:  # grows
            if node not in inner:
                inner.add(node)
                queue += near[node] - settled - inner
        left -= inner
        yield {other for node in inner for other in near[node]} & settled, inner


def _across(near: Beside, ends: set[int], inner: set[int]) -> list[int]:
    """A path from one of the ends to another one through the inner nodes."""
    start = min(ends)
    if not inner:
        return [start, max(ends)]
    before, queue = {start: start}, [start]
    for node in queue:  # grows
        for other in sorted(near[node]):
            if other in before or not (other in inner or (other in ends and node != start)):
                continue
            before[other] = node
            if other in ends:
                path = [other]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            queue.append(other)
    raise ValueError("a fragment of a biconnected graph has two ends")


def rotations_of(boundaries: Iterable[Face]) -> dict[int, list[int]]:
    """The rotation of each node, by the faces of a drawing.

    >>> rotations_of([[0, 1, 2], [2, 1, 0]])
    {0: [1, 2], 1: [0, 2], 2: [0, 1]}
    """
    after: dict[int, dict[int, int]] = {}
    for face in boundaries:
        for n, node in enumerate(face):
            after.setdefault(node, {})[face[n - 1]] = face[(n + 1) % len(face)]
    rotations = {}
    for node, following in sorted(after.items()):
        around = [min(following)]
        while len(around) < len(following):
            around.append(following[around[-1]])
        rotations[node] = around
    return rotations


def obstruction(edges: Iterable[Edge]) -> list[Edge]:
    """The edges of a subdivision of K5 or K3,3 in a graph that is not planar (Kazimierz Kuratowski,
    1930): those that are left when each edge is removed without which it is still not planar.

    >>> len(obstruction(combinations(range(6), 2)))
    10
    """
    kept = list(edges)
    for edge in tuple(kept):
        rest = [other for other in kept if other != edge]
        if not is_planar(rest):
            kept = rest
    return kept


def paths_of(edges: Iterable[Edge]) -> list[tuple[int, ...]]:
    """The paths between nodes of degree three or more that a subdivision consists of.

    >>> paths_of([(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)])
    [(0, 1, 4), (0, 2, 4), (0, 3, 4)]
    """
    near = beside(edges)
    paths = []
    for node in sorted(near):
        for other in sorted(near[node]) if len(near[node]) > 2 else ():
            path = [node, other]
            while len(near[path[-1]]) == 2:
                (onward,) = near[path[-1]] - {path[-2]}
                path.append(onward)
            if path[0] < path[-1]:
                paths.append(tuple(path))
    return paths


def triangulation(rng: Random, nodes: int) -> list[Edge]:
    """The edges of a random graph to which no edge can be added without a crossing.

    Each node is put into a triangle. After that, edges are exchanged for the other diagonals of the
    two triangles beside them.

    >>> len(triangulation(Random(1), 7))
    15
    """
    triangles = [{0, 1, 2}, {0, 1, 2}]
    for node in range(3, nodes):
        inside = triangles.pop(rng.randrange(len(triangles)))
        triangles += [{*side, node} for side in combinations(sorted(inside), 2)]
    edges = {frozenset(side) for each in triangles for side in combinations(sorted(each), 2)}
    for _ in range(4 * nodes):
        edge = rng.choice(sorted(edges, key=sorted))
        one, other = (each for each in triangles if edge <= each)
        ends = (one | other) - edge
        if len(ends) == 2 and frozenset(ends) not in edges:
            triangles.remove(one)
            triangles.remove(other)
            triangles += [{*ends, node} for node in sorted(edge)]
            edges = edges - {edge} | {frozenset(ends)}
    return [(min(edge), max(edge)) for edge in sorted(edges, key=sorted)]


def thinned(rng: Random, edges: Sequence[Edge], number: int, planar: bool = True) -> list[Edge]:
    """So many edges of a graph, of which each node keeps three and which stay biconnected, or more
    if none can go. Unless the graph is ``planar``, none goes without which it would be.
    """
    kept = list(edges)
    for edge in rng.sample(kept, len(kept)):
        if len(kept) <= number:
            break
        rest = [other for other in kept if other != edge]
        near = beside(rest)
        if (
            min(len(near[node]) for node in edge) > 2
            and sum(1 for _ in blocks(near)) == 1
            and (planar or not is_planar(rest))
        ):
            kept = rest
    return kept


def crossed(rng: Random, nodes: int, number: int) -> list[Edge]:
    """About so many edges of a graph that is not planar, but is without one of them.

    >>> is_planar(crossed(Random(1), 7, 12))
    False
    """
    while True:
        full = triangulation(rng, nodes)
        edges = thinned(rng, full, number)
        extra = rng.choice([pair for pair in combinations(range(nodes), 2) if pair not in full])
        if not is_planar([*edges, extra]):
            return thinned(rng, [*edges, extra], number, planar=False)
