"""Tests of logic/unsatisfiable_core."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.examples.optux import OptUx
from pysat.formula import WCNF
from pysat.solvers import Solver

from palaestra.address import Address
from palaestra.envs.logic.unsatisfiable_core import UnsatisfiableCore
from palaestra.generators.logic.unsatisfiable_core import (
    contradictory_clauses,
    excluded,
    smallest_core,
)
from palaestra.task import InvalidAnswer

NAME = "logic/unsatisfiable_core"
TASK = UnsatisfiableCore(
    people=3,
    names=("Ada", "Bo", "Cleo"),
    demands=((1,), (-1, 2), (-2, 3), (-1, -3), (-1, -2)),
)


def is_contradictory(clauses):
    with Solver(bootstrap_with=clauses) as solver:
        return not solver.solve()


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6))
def test_no_smaller_core(seed):
    clauses = contradictory_clauses(Random(seed), 3, (1, 2, 3), 8)
    core = smallest_core([excluded(each, 3) for each in clauses], 8).indices
    assert is_contradictory([clauses[n] for n in core])
    for chosen in combinations(clauses, len(core) - 1):
        assert not is_contradictory(chosen)


@pytest.mark.parametrize("level", [1, 3, 5])
def test_a_solver_finds_cores_of_the_same_size(level):
    for seed in range(3):
        task = Address.of(NAME, seed, level).task()
        formula = WCNF()
        for clause in task.demands:
            formula.append(list(clause), weight=1)
        with OptUx(formula) as solver:
            assert len(solver.compute()) == len(task.read(task.answer()))


def test_demands_that_can_be_met_have_no_core():
    with pytest.raises(ValueError, match="do not contradict"):
        smallest_core([0b01, 0b01], 2)


def test_scores():
    assert TASK.answer() == "1, 2, 5"
    assert TASK.verify("5, 2 and 1").value == 1
    assert TASK.verify("1, 2, 3, 4").reason == (
        "the number of demands is 4, and a better solution exists"
    )
    assert TASK.verify("1, 2, 3").reason == "all of these demands can be met"
    assert TASK.verify("1, 2, 5, 5").reason == "a demand is listed twice"
    assert TASK.verify("0, 1").reason == "the demands have numbers from 1 to 5 only"
    assert TASK.verify("-1").reason == "the demands have numbers from 1 to 5 only"


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        ((1,), "Ada comes."),
        ((-1,), "Ada does not come."),
        ((1, 2, 3), "Ada, Bo or Cleo comes."),
        ((-1, 2), "If Ada comes, then Bo comes."),
        ((-1, -2, 3), "If Ada and Bo come, then Cleo comes."),
        ((1, 2, -3), "If Cleo comes, then Ada or Bo comes."),
        ((-1, -2), "Ada and Bo do not both come."),
        ((-1, -2, -3), "Ada, Bo and Cleo do not all come."),
    ],
)
def test_sentences(clause, sentence):
    assert TASK.sentence(clause) == sentence


def test_the_audit_proves_that_no_core_is_smaller():
    for seed in range(5):
        task = Address.of(NAME, seed, 3).task()
        core = task.read(task.answer())
        assert task.audit(task.answer())
        assert not task.audit(task.as_text(core[1:]))
        more = next(n for n in range(len(task.demands)) if n not in core)
        assert not task.audit(task.as_text([*core, more]))


@pytest.mark.parametrize(
    "text",
    [
        "Demands: 2, 7", "Demands 2, 7", "The demands are 2 and 7.", "demand 2, demand 7", "#2, #7",
        "**Demands:** 2, 7", '{"answer": [2, 7]}', '{"demands": [2, 7]}', "- demand 2\n- demand 7",
    ],
)  # fmt: skip
def test_demands_behind_their_noun(text):
    task = Address.of("logic/unsatisfiable_core", 0, 1).task()
    assert task.read(text) == [1, 6]


@pytest.mark.parametrize("text", ["not demand 2", "demands 2-7", "Days: 2, 7", "demand 2: 7"])
def test_other_texts_are_no_demands(text):
    task = Address.of("logic/unsatisfiable_core", 0, 1).task()
    with pytest.raises(InvalidAnswer):
        task.read(text)
