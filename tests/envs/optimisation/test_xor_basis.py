"""Tests of optimisation/xor_basis."""

from itertools import combinations, product
from random import Random

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.optimisation.xor_basis import PROBLEMS, XorBasis
from palaestra.generators.optimisation.xor_basis import (
    circuits,
    greatest,
    heaviest_independent,
    numbers_of_rank,
    rank,
    total,
)
from palaestra.task import InvalidAnswer

NUMBERS = st.lists(st.integers(1, 63), min_size=1, max_size=7)


def parts(numbers):
    for choice in product((False, True), repeat=len(numbers)):
        yield [n for n, taken in enumerate(choice) if taken]


@given(NUMBERS, st.integers(0, 63))
def test_no_choice_comes_closer_to_the_limit(numbers, limit):
    sums = [total(numbers[n] for n in part) for part in parts(numbers)]
    best = greatest(numbers, limit)
    assert best.value == max(each for each in sums if each <= limit)
    assert best.value == total(v for n, v in enumerate(numbers) if best.parts >> n & 1)


@given(NUMBERS)
def test_rank_counts_the_different_sums(numbers):
    assert len({total(numbers[n] for n in part) for part in parts(numbers)}) == 2 ** rank(numbers)


@given(NUMBERS)
def test_circuits_have_the_xor_zero(numbers):
    loops = circuits(numbers)
    assert len(loops) == len(numbers) - rank(numbers)
    assert all(total(v for n, v in enumerate(numbers) if loop >> n & 1) == 0 for loop in loops)


@given(NUMBERS, st.randoms(use_true_random=False))
def test_no_independent_choice_weighs_more(numbers, rng):
    weights = [rng.randint(1, 9) for _ in numbers]

    def independent(part):
        return all(
            total(numbers[n] for n in some)
            for size in range(1, len(part) + 1)
            for some in combinations(part, size)
        )

    best = max(sum(weights[n] for n in part) for part in parts(numbers) if independent(part))
    chosen = heaviest_independent(numbers, weights)
    assert independent(chosen)
    assert sum(weights[n] for n in chosen) == best


def test_numbers_have_the_rank_and_differ():
    numbers = numbers_of_rank(Random(3), 12, 10, 7)
    assert len({*numbers}) == 12
    assert rank(numbers) == 7
    assert 0 not in numbers


def walks(task, most):
    """The xors of all walks of at most so many edges, by networkx's adjacency."""
    graph = networkx.Graph()
    graph.add_weighted_edges_from(task.edges)
    last, states = task.size() - 1, {(0, 0)}
    reached = set()
    for _ in range(most):
        states = {(v, x ^ graph[u][v]["weight"]) for u, x in states for v in graph[u]}
        reached |= {x for v, x in states if v == last}
    return reached


def test_no_walk_has_a_greater_xor():
    for seed in range(5):
        task = XorBasis.sample(Random(seed), XorBasis.Knobs(size=6, bits=6, problem="walk"))
        assert task.worth(task.read(task.answer())) == max(walks(task, 40))


@pytest.mark.parametrize("problem", PROBLEMS)
def test_oracle_and_audit_agree(problem):
    for seed in range(4):
        task = XorBasis.sample(Random(seed), XorBasis.Knobs.at(2, problem=problem))
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())


SET = XorBasis(problem="set", bits=4, numbers=(0b1100, 0b1010, 0b0111, 0b0001))
TREE = XorBasis(problem="tree", bits=3, edges=((0, 1, 4), (1, 2, 5), (1, 3, 3)))
WALK = XorBasis(problem="walk", bits=3, edges=((0, 1, 1), (1, 2, 4), (2, 0, 2), (2, 3, 1)))


def test_scores_of_choices():
    assert SET.verify("1, 3, 4").reason == "the value is 10, and a better solution exists"
    assert SET.verify("2, 3").value == 1
    assert SET.verify("1, 2, 3, 4").reason == "the value is 0, and a better solution exists"
    assert SET.verify("2 and 3 and 4").reason == "the value is 12, and a better solution exists"
    assert SET.verify("5").reason == "the numbers are numbered from 1 to 4"
    assert SET.verify("1, 1").reason == "one of the numbers is listed twice"


def test_scores_of_paths():
    assert TREE.verify("1, 4").value == 1
    assert TREE.verify("4 and 1").value == 1
    assert TREE.verify("1, 2, 4").reason == "3 nodes are listed in place of two"
    assert WALK.verify("1, 3").reason == "the walk has to go from node 1 to node 4"
    assert WALK.verify("1, 4").reason == "there is no edge 1-4"
    assert WALK.verify("1, 3, 4").reason == "the value is 3, and a better solution exists"
    assert WALK.verify("1 -> 2 -> 3 -> 4").value == 1
    with pytest.raises(InvalidAnswer):
        WALK.verify("around")


def test_a_limit_and_independence_are_rules():
    limit = SET.model_copy(update={"problem": "limit", "limit": 0b1000})
    assert limit.verify("1").reason == "the xor is 1100, which exceeds the limit"
    independent = XorBasis(
        problem="independent", bits=3, numbers=(1, 2, 3, 4), weights=(9, 8, 7, 1)
    )
    assert independent.verify("1, 2, 3").reason == "some of the chosen numbers have the xor 0"
    assert independent.verify("1, 2, 4").value == 1


@pytest.mark.parametrize(
    "text", ["2-4", "2, 4", "nodes 2 and 4", "Nodes: 2, 4", "2 -> 4", "(2, 4)"]
)
def test_pairs_of_nodes_as_the_prompt_writes_edges(text):
    edges = tuple((n, n + 1, n + 1) for n in range(5))
    assert XorBasis(problem="tree", bits=3, edges=edges).read(text) == [1, 3]


@pytest.mark.parametrize("text", ["1-3-2-6", "Walk: 1, 3, 2, 6", "The walk is 1 -> 3 -> 2 -> 6."])
def test_walks_in_other_forms(text):
    edges = tuple((n, n + 1, n + 1) for n in range(5))
    assert XorBasis(problem="walk", bits=3, edges=edges).read(text) == [0, 2, 1, 5]
