"""Graphs whose vertices fall into cliques and odd cycles that bound their independent sets."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from random import Random

from palaestra.generators.bitsets import ones
from palaestra.generators.critique.optimality_certificate.matchings import Edge, neighbours

Part = tuple[int, ...]

LONGEST = 7
"""The most vertices of an odd cycle."""


def independent_set(nodes: int, edges: Sequence[Edge]) -> tuple[int, int]:
    """A largest independent set as bits, and the vertices that the search branched on."""
    beside = [sum(1 << v for v in each) for each in neighbours(nodes, edges)]
    examined = 0

    def best(left: int) -> int:
        nonlocal examined
        if not left:
            return 0
        examined += 1
        degree, node = max(((beside[n] & left).bit_count(), n) for n in ones(left))
        if degree <= 1:  # single vertices and edges
            chosen = 0
            for n in ones(left):
                if not beside[n] & chosen:
                    chosen |= 1 << n
            return chosen
        without = best(left & ~(1 << node))
        with_it = best(left & ~(1 << node) & ~beside[node]) | 1 << node
        return max(without, with_it, key=int.bit_count)

    return best((1 << nodes) - 1), examined


def exact_partition(nodes: int, edges: Sequence[Edge]) -> tuple[list[Part], int]:
    """Cliques and odd cycles that count as much as the largest independent set has vertices, and
    the parts that the search tried.

    Each clique has one vertex of that set, and each cycle of 2k + 1 vertices has k of them.
    """
    inside, examined = independent_set(nodes, edges)
    ways = neighbours(nodes, edges)
    parts = {sum(1 << n for n in part): part for part in _cliques(ways, inside)}
    for part in _cycles(ways, inside):
        parts.setdefault(sum(1 << n for n in part), part)
    holders = [[mask for mask in parts if mask >> n & 1] for n in range(nodes)]

    def covered(left: int) -> list[Part] | None:
        nonlocal examined
        if not left:
            return []
        usable = [[m for m in holders[n] if m & ~left == 0] for n in ones(left)]
        for mask in min(usable, key=len):
            examined += 1
            rest = covered(left & ~mask)
            if rest is not None:
                return [parts[mask], *rest]
        return None

    partition = covered((1 << nodes) - 1)
    assert partition is not None
    return sorted(partition, key=len), examined


def _cliques(ways: Sequence[Sequence[int]], inside: int) -> Iterator[Part]:
    """The cliques of up to four vertices with one of the independent set."""
    beside = [{*each} for each in ways]
    for n in ones(inside):
        yield (n,)
        for size in (1, 2, 3):
            for others in combinations(ways[n], size):
                if all(v in beside[u] for u, v in combinations(others, 2)):
                    yield (n, *others)


def _cycles(ways: Sequence[Sequence[int]], inside: int) -> Iterator[Part]:
    """The odd cycles of which all but two adjacent vertices are in turn in the independent set."""
    for first, outside in enumerate(ways):
        if inside >> first & 1:
            continue
        for last in outside:
            if last < first or inside >> last & 1:
                continue
            paths: list[Part] = [(first,)]
            for length in range(2, LONGEST):
                paths = [
                    (*path, n)
                    for path in paths
                    for n in ways[path[-1]]
                    if n not in path and n != last and inside >> n & 1 == (length + 1) % 2
                ]
                if length % 2 == 0 and length >= 4:
                    yield from ((*path, last) for path in paths if last in ways[path[-1]])


def random_parts(rng: Random, nodes: int, cycles: int) -> tuple[list[Edge], int]:
    """A graph of cliques and so many odd cycles with edges between them, and how many vertices its
    largest independent sets have.

    No edge joins vertices of one independent set, which the parts show to be a largest one.
    """
    order = rng.sample(range(nodes), nodes)
    edges, inside, parts = set[Edge](), set[int](), list[list[int]]()
    cycles = min(cycles, nodes // 5)
    for n in range(cycles):
        most = len(order) - 5 * (cycles - n - 1)
        size = rng.choice([size for size in (5, 5, 7) if size <= most])
        part, order = order[:size], order[size:]
        edges |= {*pairwise([*part, part[0]])}
        inside |= {*part[1::2][: size // 2]}
        parts.append(part)
    while order:
        size = rng.choice([n for n in (2, 3, 3, 4) if n <= len(order)] or [1])
        part, order = order[:size], order[size:]
        edges |= {*combinations(part, 2)}
        inside.add(part[0])
        parts.append(part)
    own = {n: k for k, part in enumerate(parts) for n in part}
    beside = [{*each} for each in neighbours(nodes, sorted(edges))]
    pairs = [(u, v) for u, v in combinations(range(nodes), 2) if own[u] != own[v]]
    wanted = len(edges) + nodes
    for u, v in rng.sample(pairs, len(pairs)):
        # No triangle has a vertex of a cycle, so that cliques alone never count as little.
        triangle = beside[u] & beside[v]
        in_cycle = min(own[n] for n in (u, v, *triangle)) < cycles
        if len(edges) < wanted and not {u, v} <= inside and not (triangle and in_cycle):
            edges.add((u, v))
            beside[u].add(v)
            beside[v].add(u)
    listed = sorted({(min(edge), max(edge)) for edge in edges})
    rng.shuffle(listed)
    return listed, len(inside)


def careless_partitions(
    rng: Random, nodes: int, edges: Sequence[Edge]
) -> Mapping[str, list[list[int]]]:
    """Partitions into cliques of players who take one part after the other."""
    beside = [{*each} for each in neighbours(nodes, edges)]

    def cliques(order: Sequence[int]) -> list[list[int]]:
        left, parts = [*order], list[list[int]]()
        while left:
            part = [left[0]]
            for v in left[1:]:
                if beside[v].issuperset(part):
                    part.append(v)
            left = [n for n in left if n not in part]
            parts.append(part)
        return parts

    def largest_first() -> list[list[int]]:
        left, parts = {*range(nodes)}, list[list[int]]()
        while left:
            order = rng.sample(sorted(left), len(left))
            tries = [cliques([n, *(m for m in order if m != n)])[0] for n in order]
            part = max(tries, key=len)
            left -= {*part}
            parts.append(part)
        return parts

    def with_cycles() -> list[list[int]]:
        left, parts = {*range(nodes)}, list[list[int]]()
        for start in rng.sample(range(nodes), nodes):
            path = [start]
            while len(path) < 5 and start in left:  # a random walk that closes to a pentagon
                ways = sorted((beside[path[-1]] & left) - {*path})
                if not ways:
                    break
                path.append(rng.choice(ways))
            chords = sum(v in beside[u] for u, v in combinations(path, 2))
            if len(path) == chords == 5 and start in beside[path[-1]]:
                parts.append(path)
                left -= {*path}
        return parts + cliques([n for n in degrees if n in left])

    order = rng.sample(range(nodes), nodes)
    degrees = sorted(order, key=lambda n: len(beside[n]))
    return {
        "pentagons first": with_cycles(),
        "fewest edges first": cliques(degrees),
        "largest cliques first": largest_first(),
        "cliques in order": cliques(range(nodes)),
        "cliques at random": cliques(order),
        "most edges first": cliques(degrees[::-1]),
        "single vertices": [[n] for n in range(nodes)],
    }
