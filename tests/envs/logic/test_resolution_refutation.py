"""Tests of logic/resolution_refutation."""

from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver

from palaestra.address import Address
from palaestra.envs.logic.resolution_refutation import ResolutionRefutation
from palaestra.generators.logic.resolution_refutation import (
    elimination,
    grown,
    parity,
    refutation,
    resolvent,
)

NAME = "logic/resolution_refutation"
TASK = ResolutionRefutation(clauses=((1, 2), (1, -2), (-1, 3), (-1, -3)), steps=3)
PROOF = "5: 1 2 a\n6: 3 4 ~a\n7: 5 6 empty"


def is_satisfiable(clauses):
    variables = max(abs(literal) for clause in clauses for literal in clause)
    return any(
        all(any((x > 0) == values[abs(x) - 1] for x in clause) for clause in clauses)
        for values in product([False, True], repeat=variables)
    )


@pytest.mark.parametrize("level", range(ResolutionRefutation.Knobs.levels()))
def test_a_solver_agrees_that_clauses_contradict_each_other(level):
    for seed in range(5):
        task = Address.of(NAME, seed, level).task()
        with Solver(bootstrap_with=task.clauses) as solver:
            assert not solver.solve()


@pytest.mark.parametrize("width", [1, 2, 3])
def test_grown_clauses_are_wide_and_contradictory(width):
    for seed in range(20):
        clauses = grown(Random(seed), 9, 5, width)
        assert min(map(len, clauses)) >= width
        assert not is_satisfiable(clauses)
        assert not any(-literal in clause for clause in clauses for literal in clause)


def test_parity_formulas_are_minimal():
    clauses = parity(Random(0), 4)
    assert len(clauses) == 16
    assert not is_satisfiable(clauses)
    for n in range(len(clauses)):
        assert is_satisfiable([*clauses[:n], *clauses[n + 1 :]])


def test_each_step_of_a_refutation_is_a_resolvent():
    for seed in range(20):
        known = grown(Random(seed), 14, 6, 3)
        for step in refutation(tuple(known)):
            assert step.clause == resolvent(known[step.one], known[step.other])
            known.append(step.clause)
        assert not known[-1]


@pytest.mark.parametrize("ordered", [True, False])
def test_each_step_of_an_elimination_is_a_resolvent(ordered):
    for seed in range(20):
        known = grown(Random(seed), 14, 6, 3)
        order = Random(seed).sample(range(1, 7), 6) if ordered else []
        for step in elimination(known, order):
            assert step.clause == resolvent(known[step.one], known[step.other])
            known.append(step.clause)
        assert not known[-1]


def test_satisfiable_clauses_cannot_be_eliminated_to_the_empty_one():
    with pytest.raises(ValueError, match="satisfiable"):
        elimination([frozenset({1, 2}), frozenset({-1, 2})])


@pytest.mark.parametrize(("level", "most"), [(4, 0.2), (5, 0.2), (6, 0.1), (7, 0.1)])
def test_fixed_orders_of_elimination_seldom_fit_the_limit(level, most):
    solved, number = dict[str, int](), 15
    for seed in range(number):
        task = Address.of(NAME, seed, level).task()
        for name, steps in task.eliminated().items():
            solved[name] = solved.get(name, 0) + (len(steps) <= task.steps)
    assert len(solved) == 4
    assert max(solved.values()) <= most * number


def test_satisfiable_clauses_have_no_refutation():
    with pytest.raises(ValueError, match="satisfiable"):
        refutation((frozenset({1, 2}), frozenset({-1, 2})))


@pytest.mark.parametrize(
    "answer",
    [
        PROOF,
        "5: 2, 1 -> a\n6: 4, 3 -> not a\n7: 6, 5 -> empty",
        "5: (1, 2) A\n6: (3, 4) \u00acA\n7: (5, 6) \u22a5",
        "5: 1 2: a\n6: 3 4: \\neg a\n7: 5 6: empty clause",
        "5: 1 2 a\n6: 3 4 \u223ca\n7: 5 6 the empty clause",
        "5: 1 2 a\n6: 3 4 $\\lnot$ a\n7: 5 6 \\bot",
        "5: 1, 2 -> a\n6: 3 and 4 -> ~a\n7: 5 and 6 -> \u2205",
        "5: 1 2 a or a\n6: 3 4 ~ a\n7: 5 6 []",
    ],
)
def test_right_answers(answer):
    assert TASK.verify(answer).value == 1
    assert TASK.audit(PROOF)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("5: 1 2 b\n6: 3 4 ~a\n7: 5 6 empty", "clause 5 is not a resolvent of clauses 1 and 2"),
        ("5: 1 3 b c\n6: 1 4 b ~c", "the last clause is not the empty one"),
        ("5: 1 6 empty", "clause 5 does not come from earlier clauses"),
        ("5: 1 0 empty", "clause 5 does not come from earlier clauses"),
        ("5: 1 4 empty", "clause 5 is not a resolvent of clauses 1 and 4"),
        ("5: 1 1 empty", "clause 5 is not a resolvent of clauses 1 and 1"),
        ("5: 1 3 b c\n6: 1 2 a\n7: 3 4 ~a\n8: 6 7 empty", "there are 4 steps, and 3 are allowed"),
    ],
)
def test_wrong_answers(answer, reason):
    assert TASK.verify(answer).reason == reason
    assert not TASK.audit(answer)
