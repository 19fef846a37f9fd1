"""Tests of logic/satisfiability: models, refutations, and that signs do not give models away."""

from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.logic.satisfiability import Satisfiability
from palaestra.generators.logic.satisfiability import balancing, random_clauses, solve
from palaestra.task import InvalidAnswer
from palaestra.verifiers.proofs.sat import Unsat

NAME = "logic/satisfiability"


def has_model(clauses, variables):
    return any(
        all(any(guess[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        for guess in product((False, True), repeat=variables)
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 7), st.floats(2, 7))
def test_the_solver_agrees_with_all_assignments_and_proves_it(seed, variables, ratio):
    number = min(round(variables * ratio), 4 * comb(variables, 3))
    clauses = random_clauses(Random(seed), variables, 3, number)
    outcome = solve(clauses, variables)
    assert (outcome.model is not None) == has_model(clauses, variables)
    if outcome.model is not None:
        assert all(set(outcome.model) & set(clause) for clause in clauses)
    else:
        proof = "\n".join(" ".join(map(str, (*clause, 0))) for clause in outcome.refutation)
        assert Unsat(clauses)(proof).correct


@pytest.mark.parametrize("case", ["unsatisfiable", "either"])
@pytest.mark.parametrize("level", [0, 2, 5])
def test_refutations_and_models_score(case, level):
    verdicts = set()
    for seed in range(6):
        task = Address.of(NAME, seed, level, case=case).task()
        assert task.verify(task.answer()).value == 1
        assert task.verify("UNSAT\n0").value == 0
        verdicts.add(task.answer().split()[0])
    assert case == "unsatisfiable" or verdicts == {"SAT", "UNSAT"}


def test_a_proof_may_name_the_verdict():
    task = Address.of(NAME, 1, 0, case="unsatisfiable").task()
    assert task.verify(f"UNSAT\n{task.answer()}").value == 1


def test_a_model_of_an_unsatisfiable_formula_is_refused():
    task = Address.of(NAME, 1, 0, case="unsatisfiable").task()
    with pytest.raises(InvalidAnswer, match="not like '1 -2 0'"):
        task.verify("SAT\n1 2 3 4 5 6")


def test_signs_do_not_tell_the_model():
    """In planted formulas, literals of the model are about as frequent as their opposites."""
    true = total = 0
    for seed in range(40):
        rng = Random(seed)
        planted = [rng.choice((n, -n)) for n in range(1, 31)]
        clauses = random_clauses(rng, 30, 3, 128, planted)
        true += sum(literal in planted for clause in clauses for literal in clause)
        total += 3 * len(clauses)
    assert abs(true / total - 0.5) < 0.01
    assert balancing(3) == pytest.approx((5**0.5 - 1) / 2)


def test_the_search_works_hardest_at_the_threshold():
    def decisions(ratio):
        counts = [
            solve(random_clauses(Random(seed), 20, 3, round(20 * ratio)), 20).decisions
            for seed in range(30)
        ]
        return sum(counts)

    assert decisions(4.3) > decisions(9)


def test_every_solution_counts():
    task = Satisfiability(variables=4, clauses=((1, 2, 3), (-1, 2, 4)), case="satisfiable")
    for answer in ("1 2", "x2 = true", "-1 2 -3 -4", "SAT\n1 4", "3 -1"):
        assert task.verify(answer).value == 1, answer
    assert task.verify("1 -2 -4").value == 0


def test_values_in_the_words_of_the_prompt_are_read():
    for level in range(3):
        task = Address.of(NAME, 1, level).task()
        numbers = [int(word) for word in task.answer().split()]
        values = [f"x{abs(n)} is {'true' if n > 0 else 'false'}" for n in numbers]
        assert task.verify(", ".join(values)).correct
        assert task.verify("\n".join(f"- {value}." for value in values)).correct
        flipped = [f"x{abs(n)} is {'false' if n > 0 else 'true'}" for n in numbers]
        assert not task.verify(", ".join(flipped)).correct


def test_short_clauses_first_is_a_player_who_finds_no_model():
    for level in range(7):
        for seed in range(5):
            task = Address.of(NAME, seed, level).task()
            players = task.baselines(Random(seed))
            assert task.verify(players["short clauses first"]).value == 0
            assert len(players["short clauses first, both signs"].split()) == task.variables
