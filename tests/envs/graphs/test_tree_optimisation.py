"""Tests of graphs/tree_optimisation: all choices of small trees are tried."""

from itertools import chain, combinations
from random import Random

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.graphs.tree_optimisation import TreeOptimisation
from palaestra.generators.graphs.puzzles import Graph
from palaestra.generators.graphs.tree_optimisation import (
    PROBLEMS,
    Need,
    Problem,
    best_worth,
    random_tree,
    swept,
    tables,
)

NAME = "graphs/tree_optimisation"


def holds(need, number):
    """Whether a number of chosen neighbours is allowed, from the sentence that states it."""
    return {
        "any": True,
        "at least": number >= need.number,
        "at most": number <= need.number,
        "exactly": number == need.number,
        "even": number % 2 == 0,
        "odd": number % 2 == 1,
    }[need.relation]


def all_worths(tree, weights, problem):
    """The worth of every allowed choice of nodes."""
    nodes = sorted(tree)
    for some in chain.from_iterable(combinations(nodes, n) for n in range(len(nodes) + 1)):
        chosen = set(some)
        if problem.number and len(chosen) != problem.number:
            continue
        if not all(
            holds(problem.chosen if node in chosen else problem.others, len(chosen & {*tree[node]}))
            for node in nodes
        ):
            continue
        ends = {"": (), "inside": (2,), "between": (1,)}[problem.counted]
        cost = sum(c for u, v, c in tree.edges.data("cost") if len(chosen & {u, v}) in ends)
        total = sum(weights[node] for node in chosen)
        yield some, total - cost if problem.greatest else total + cost


@settings(deadline=None, max_examples=120)
@given(
    st.integers(2, 8),
    st.sampled_from(PROBLEMS),
    st.sampled_from(["", "inside", "between"]),
    st.integers(0, 4),
    st.integers(0, 10**6),
)
def test_no_choice_is_better(size, needs, counted, number, seed):
    rng = Random(seed)
    tree = networkx.Graph()
    edges = [(node, rng.randrange(node), rng.randint(1, 9)) for node in range(1, size)]
    tree.add_weighted_edges_from(edges, weight="cost")
    weights = tuple(rng.randint(1, 9) for _ in range(size))
    problem = Problem(*needs, counted, number)
    worths = [worth for _, worth in all_worths(tree, weights, problem)]
    best = (max if problem.greatest else min)(worths, default=None)
    by_number, _ = tables(weights, tuple(edges), problem)
    assert by_number.get(number, (None,))[0] == best
    assert best_worth(weights, edges, problem) == best


@pytest.mark.parametrize("level", range(7))
def test_oracle_and_audit_agree(level):
    for seed in range(3):
        task = Address.of(NAME, seed, level).task()
        assert networkx.is_tree(networkx.Graph(task.graph.pairs()))
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())
        assert not task.audit(task.graph.names[0])


def test_sweeps_have_few_open_nodes():
    for seed in range(10):
        edges = random_tree(Random(seed), 56)
        beside = [dict[int, int]() for _ in range(56)]
        for u, v in edges:
            beside[u][v] = beside[v][u] = 0
        order = swept(beside)
        assert {frozenset(edge[:2]) for edge in order} == {frozenset(edge) for edge in edges}
        for n in range(1, len(order)):
            done, later = ({v for e in part for v in e[:2]} for part in (order[:n], order[n:]))
            assert len(done & later) <= 6


def task(problem, weights=(5, 4, 6, 3)):
    """A path A-B-C-D."""
    graph = Graph(tuple("ABCD"), ((0, 1, 1), (1, 2, 2), (3, 2, 4)), "edges", False, "cost")
    return TreeOptimisation(graph=graph, weights=weights, problem=problem)


def test_scores():
    independent = task(Problem(Need("at most", 0), Need(), True))
    assert independent.verify("A, C").value == 1
    assert independent.verify("{C, A}").value == 1
    assert independent.verify("B, D").reason == "the total is 7, and a better solution exists"
    assert independent.verify("A, B").reason == "A is chosen and has 1 chosen neighbours"
    dominating = task(Problem(Need(), Need("at least", 1), False, "between"))
    assert dominating.verify("A, D").parts["total"] == 13
    assert dominating.verify("B, D").parts["total"] == 14
    assert dominating.verify("B, C").parts["total"] == 15
    assert dominating.verify("C").reason == "A is not chosen and has 0 chosen neighbours"
    two = task(Problem(Need("at most", 1), Need(), True, "inside", 2))
    assert two.verify("A").reason == "1 nodes are chosen, not 2"
    assert two.verify("A, B").parts["total"] == 8


def test_numbers_of_neighbours_in_words():
    texts = {Need("even").text(), Need("exactly", 1).text(), Need("at least", 2).text()}
    assert texts == {
        "an even number of chosen neighbours, which may be 0",
        "exactly 1 chosen neighbour",
        "at least 2 chosen neighbours",
    }


def test_weights_stand_beside_the_nodes():
    scene = task(Problem(Need("at most", 0), Need(), True)).scene()
    assert [(node.name, node.note) for node in scene.nodes] == [
        ("A", "5"), ("B", "4"), ("C", "6"), ("D", "3"),
    ]  # fmt: skip
