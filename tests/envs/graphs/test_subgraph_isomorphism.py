"""Tests of graphs/subgraph_isomorphism."""

from itertools import combinations, permutations, product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import GraphMatcher
from tests.envs.graphs.players import solved_by
from tests.envs.graphs.referees import referee
from tests.envs.sampling import sampled

from palaestra.address import Address
from palaestra.envs.graphs.subgraph_isomorphism import SubgraphIsomorphism
from palaestra.generators.graphs.puzzles import Graph
from palaestra.generators.graphs.subgraph_isomorphism import (
    embedding,
    host_edges,
    pattern_edges,
    switched,
)
from palaestra.task import InvalidAnswer

NAME = "graphs/subgraph_isomorphism"
SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


@settings(max_examples=25, deadline=None)
@given(SEEDS, LEVELS, st.booleans())
def test_copies_of_networkx_are_right(seed, level, induced):
    task = sampled(NAME, seed, level, asks="induced" if induced else "not induced")
    matcher = GraphMatcher(referee(task.other), referee(task.graph))
    copies = (
        matcher.subgraph_isomorphisms_iter() if induced else matcher.subgraph_monomorphisms_iter()
    )
    back = {node: other for other, node in next(copies).items()}
    text = task.as_text([back[node] for node in sorted(back)])
    assert task.verify(text).value == 1
    assert task.audit(text)
    assert task.verify(task.answer()).value == 1
    assert task.audit(task.answer())


def test_the_search_by_trying_all():
    rng = Random(3)
    for _ in range(60):
        small = rng.sample([*combinations(range(4), 2)], rng.randint(3, 5))
        large = rng.sample([*combinations(range(6), 2)], rng.randint(5, 9))
        beside = [{*edge} for edge in small]
        around = [{*edge} for edge in large]
        for induced in (False, True):
            exists = any(
                all(
                    ({image[u], image[v]} in around) == ({u, v} in beside)
                    or (not induced and {u, v} not in beside)
                    for u, v in combinations(range(4), 2)
                )
                for image in permutations(range(6), 4)
            )
            solution = embedding(bits(4, small), bits(6, large), induced).solution
            assert bool(solution) == exists


def bits(nodes, edges):
    """The neighbours of each node as bits."""
    beside = [0] * nodes
    for u, v in edges:
        beside[u] |= 1 << v
        beside[v] |= 1 << u
    return beside


def test_the_copy_is_an_induced_one():
    rng = Random(4)
    for _ in range(40):
        edges = pattern_edges(rng, 6)
        host = host_edges(rng, 6, edges, 14, 0.4)
        assert nx.is_connected(nx.Graph(edges))
        assert embedding(bits(6, edges), bits(14, host), induced=True).solution


def test_near_misses_keep_all_degrees():
    rng = Random(5)
    for _ in range(40):
        edges = pattern_edges(rng, 8)
        other = switched(rng, edges)
        assert sorted(dict(nx.Graph(other).degree).items()) == sorted(
            dict(nx.Graph(edges).degree).items()
        )
        assert len({frozenset(edge) for edge in edges} & {frozenset(e) for e in other}) == (
            len(edges) - 2
        )


def test_growing_copies_without_turning_back_fails():
    for level, most in ((3, 4), (4, 3), (5, 2), (6, 2)):
        solved = 0
        for seed in range(20):
            task = Address.of(NAME, seed, level).task()
            players = task.baselines(Random(seed))
            solved += task.verify(players["grown, nearest degrees"]).value == 1
        assert solved <= most


PATH = Graph(names=tuple("xyz"), edges=((0, 1), (1, 2)), encoding="edges")
HOST = Graph(names=tuple("ABCD"), edges=((0, 1), (1, 2), (2, 0), (2, 3)), encoding="edges")
INDUCED = SubgraphIsomorphism(graph=PATH, other=HOST, induced=True)
ANY = SubgraphIsomorphism(graph=PATH, other=HOST, induced=False)


@pytest.mark.parametrize(
    ("answer", "induced", "anyhow"),
    [
        ("x: A\ny: C\nz: D", "", ""),
        ("x -> A, y -> C, z -> B", "A and B are joined, but x and z are not", ""),
        ("x: A\ny: B\nz: D", *["y and z are joined, but B and D are not"] * 2),
        ("x: A\ny: C\nz: A", *["A is matched twice"] * 2),
    ],
)
def test_reasons(answer, induced, anyhow):
    for task, reason in ((INDUCED, induced), (ANY, anyhow)):
        score = task.verify(answer)
        assert score.reason == reason
        assert score.value == (not reason) == task.audit(answer)


@pytest.mark.parametrize("answer", ["", "x: A\ny: C", "x: A\ny: C\nz: Q", "A: x\nC: y\nD: z"])
def test_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        ANY.verify(answer)


def test_both_are_asked():
    for level, seeds in product((0, 6), [range(12)]):
        asked = {Address.of(NAME, seed, level).task().induced for seed in seeds}
        assert asked == {True, False}


@pytest.mark.parametrize(
    "answer",
    [
        "f(x) = A\nf(y) = C\nf(z) = D",
        "$x \\mapsto A$\n$y \\mapsto C$\n$z \\mapsto D$",
        "x: node A\ny: node C\nz: node D",
        "Node x -> node A\nNode y -> node C\nNode z -> node D",
        "x to A\ny to C\nz to D",
    ],
)
def test_forms_of_a_matching(answer):
    assert INDUCED.verify(answer).value == 1


@pytest.mark.parametrize(("level", "most"), [(3, 15), (6, 5)])
def test_degrees_and_triangles_mislead(level, most):
    tasks = (Address.of(NAME, seed, level).task() for seed in range(100))
    solved = solved_by(("grown, nearest degrees", "grown, nearest triangles"), tasks)
    assert max(solved.values()) <= most, solved
