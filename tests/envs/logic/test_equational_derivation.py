"""Tests of logic/equational_derivation."""

from random import Random

import networkx
import pytest

from palaestra.address import Address
from palaestra.envs.logic.equational_derivation import EquationalDerivation
from palaestra.generators.logic.equational_derivation import (
    LONGEST,
    both_ways,
    derivation,
    distances,
    neighbours,
    random_equations,
)
from palaestra.generators.logic.terms import random_term, signature, size, variables
from palaestra.verifiers.proofs.rewriting import follows, term

NAME = "logic/equational_derivation"
TASK = EquationalDerivation(
    equations=(("f(g(x))", "g(x)"), ("a+x", "x+a")), start="f(g(a+b))", goal="g(b+a)", steps=3
)
RIGHT = "f(g(a+b))\n= g(a+b) by A\n= g(b+a) by B"


def test_equations_have_the_same_variables_on_both_sides():
    for seed in range(20):
        for left, right in random_equations(Random(seed), signature(2, 2), 4):
            assert set(variables(left)) == set(variables(right))
            assert len(left) > 1
            assert len(right) > 1


def test_equations_may_leave_no_room_for_others():
    for seed in range(200):
        equations = random_equations(Random(seed), signature(1, 1), 8)
        assert 0 < len(equations) <= 8


def test_neighbours_follow_by_one_equation():
    rng = Random(0)
    for _ in range(10):
        equations = random_equations(rng, signature(2, 2), 4)
        start = random_term(rng, signature(2, 2), ["a", "b"], 7)
        for number, result in neighbours(start, both_ways(equations)):
            rule = equations[number]
            assert size(result) <= LONGEST
            assert follows(start, result, rule, "xyz") or follows(start, result, rule[::-1], "xyz")


@pytest.mark.parametrize("level", [0, 1, 2])
def test_no_derivation_is_shorter(level):
    for seed in range(4):
        task = Address.of(NAME, seed, level).task()
        start, goal, ways = term(task.start), term(task.goal), both_ways(task.system())
        graph = networkx.Graph()
        for each in distances(start, ways, task.steps, 10_000):
            graph.add_edges_from((each, other) for _, other in neighbours(each, ways))
        shortest = networkx.shortest_path_length(graph, start, goal)
        assert len(task.shortest.steps) == shortest == task.steps - 1


def test_there_may_be_no_derivation():
    with pytest.raises(ValueError, match="no derivation"):
        derivation(term("f(a)"), term("f(b)"), TASK.system())


def test_the_same_problem_in_other_names_has_the_same_canonical_form():
    other = EquationalDerivation(
        equations=(("y+b", "b+y"), ("g(f(x))", "f(x)")), start="g(f(b+a))", goal="f(a+b)", steps=3
    )
    assert other.canonical() == TASK.canonical()
    assert other.model_copy(update={"goal": "f(b+a)"}).canonical() != TASK.canonical()


def test_terms_may_be_longer_than_those_of_the_search():
    start, goal = "f(f(a))+(a+(a+(a+(a+b))))", "g(f(a)+f(a))+(a+(a+(a+(a+b))))"
    task = EquationalDerivation(equations=(("f(x)", "g(x+x)"),), start=start, goal=goal, steps=3)
    long = "f(g(a+a))+(a+(a+(a+(a+b))))"
    answer = f"{start}\n= {long} by A\n= {start} by A\n= {goal} by A"
    assert size(term(long)) > LONGEST
    assert task.verify(answer).value == 1
    assert task.audit(answer)
    assert not task.audit(answer.replace(f"\n= {start} by A", ""))


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,
        "f(g(a+b)) = g(a+b) by A\n= g(b+a) by B",
        "g(b+a)\n= g(a+b) by B\n= f(g(a+b)) by A",
        "1. f(g(a + b))\n2. = g(a + b) by a\n3. = g(b + a) by b",
        "f(g(a+b))\n= f(g(b+a)) by B\n= g(b+a) by A",
    ],
)
def test_right_answers(answer):
    assert TASK.verify(answer).value == 1
    assert TASK.audit(answer)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("f(g(a+b))\n= g(b+a) by A", "step 1 is not one use of its axiom"),
        ("f(g(a+b))\n= g(a+b) by B\n= g(b+a) by B", "step 1 is not one use of its axiom"),
        ("f(g(a+b))\n= g(a+b) by C\n= g(b+a) by B", "step 1 names no axiom that there is"),
        (
            "f(g(a+b))\n= g(a+b) by A",
            "the chain does not lead from one side of the goal to the other",
        ),
        (
            f"{RIGHT}\n= g(a+b) by B\n= g(b+a) by B",
            "there are 4 steps, and 3 are allowed",
        ),
    ],
)
def test_wrong_answers(answer, reason):
    assert TASK.verify(answer).reason == reason
    assert not TASK.audit(answer)
