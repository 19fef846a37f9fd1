"""Tests of graphs/graph_from_distances: every set of edges is tried."""

from itertools import chain, combinations, product

import pytest

from palaestra.address import Address


def table_of(prompt: str) -> tuple[list[str], dict[tuple[str, str], int]]:
    """The names and the distances that the prompt shows."""
    block = next(part for part in prompt.split("\n\n") if part.count("\n") >= 3)
    head, *rows = (line.split() for line in block.splitlines())
    cells = {(name, other): int(n) for name, *row in rows for other, n in zip(head, row)}
    return head, cells


def accounts_for(edges, names: list[str], table: dict[tuple[str, str], int]) -> bool:
    """Whether these edges alone, as long as the distances of their ends, give all distances.

    A longer edge is on no shortest path, and a shorter one brings its own ends too near.
    """
    away = {(u, v): 0 if u == v else 10**9 for u, v in product(names, repeat=2)}
    for u, v in edges:
        away[u, v] = away[v, u] = table[u, v]
    for k, u, v in product(names, repeat=3):  # Floyd and Warshall
        away[u, v] = min(away[u, v], away[u, k] + away[k, v])
    return away == table


@pytest.mark.parametrize(("nodes", "seeds"), [(4, 12), (5, 3)])
def test_the_fewest_edges_are_found_by_trying_all(nodes, seeds):
    for seed in range(seeds):
        task = Address.of("graphs/graph_from_distances", seed, 0, nodes=nodes).task()
        names, table = table_of(task.prompt())
        assert len(names) == nodes
        pairs = list(combinations(names, 2))
        sets = chain.from_iterable(combinations(pairs, n) for n in range(1, len(pairs) + 1))
        enough = [edges for edges in sets if accounts_for(edges, names, table)]
        fewest = [edges for edges in enough if len(edges) == len(enough[0])]
        assert len(fewest) == 1, "only one choice has so few"
        right = set(map(frozenset, fewest[0]))
        assert {frozenset(edge.split("-")) for edge in task.answer().split(", ")} == right
        for n in range(len(right) - 1, len(right) + 2):
            for edges in combinations(pairs, n):
                value = task.verify(", ".join(f"{v}-{u}" for u, v in edges)).value
                assert value == (set(map(frozenset, edges)) == right)
