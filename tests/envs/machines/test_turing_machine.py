"""Tests of machines/turing_machine."""

import pytest

from palaestra.address import Address
from palaestra.envs.machines.turing_machine import TuringMachine
from palaestra.generators.machines.turing_machine import End, halted, rerun
from palaestra.task import InvalidAnswer

L, R = -1, 1
BEAVERS = {
    # Tibor Rado's busy beavers of 2 and 3 states; their last step, into the halting state, is
    # left out here since it is the halting itself, so the steps and ones are one fewer at most.
    2: (((1, R, 1), (1, L, 1)), ((1, L, 0), None)),
    3: (((1, R, 1), None), ((0, R, 2), (1, R, 1)), ((1, L, 2), (1, L, 0))),
}


def test_busy_beavers():
    assert halted(BEAVERS[2], (0,))[0] == End((1, 1, 1, 1), -2, -1, 5)
    end = halted(BEAVERS[3], (0,))[0]
    assert (sum(end.tape), end.steps) == (6, 13)


@pytest.mark.parametrize("level", range(7))
def test_two_ways_to_run_agree(level):
    for seed in range(15):
        task = Address.of("machines/turing_machine", seed, level).task()
        assert rerun(task.table, task.tape) == task.result()
        assert task.audit(task.answer())
        assert sum(rule is None for rules in task.table for rule in rules) == 1


def beaver():
    return TuringMachine(table=BEAVERS[2], tape=(0,))


def test_each_line_is_judged():
    score = beaver().verify("tape: 1 1 1 1\nfirst: -1\nhead: -1\nsteps: 6")
    assert score.value == 0
    assert score.reason == "wrong: first, steps"
    assert score.parts == {"tape": 1, "first": 0, "head": 1, "steps": 0, "progress": 0.5}
    assert beaver().verify("Steps: 5\nhead: -1\nfirst: -2\ntape: 1111").value == 1


def test_lines_must_be_there_and_numbers():
    for text in ("1 1 1 1", "tape: 1\nfirst: 0\nhead: 0", "tape: x\nfirst: 0\nhead: 0\nsteps: 5",
                 "tape: 1\nfirst: 0\nhead: 0\nsteps: five"):  # fmt: skip
        with pytest.raises(InvalidAnswer):
            beaver().verify(text)


def test_names_of_states_do_not_matter():
    task = Address.of("machines/turing_machine", 3, 3).task()
    swap = {0: 0, 1: 2, 2: 1}
    table = tuple(
        tuple(rule and (*rule[:2], swap[rule[2]]) for rule in task.table[swap[state]])
        for state in range(3)
    )
    other = task.model_copy(update={"table": table})
    assert other.result() == task.result()
    assert other.canonical() == task.canonical()
