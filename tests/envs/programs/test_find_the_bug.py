"""Tests of programs/find_the_bug."""

import pytest

from palaestra.address import Address
from palaestra.envs.programs.find_the_bug import FindTheBug
from palaestra.generators.programs.mini_python.mutate import slips
from palaestra.generators.programs.mini_python.parameters import Parameter
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.trials import first_failure, killer, trials
from palaestra.task import InvalidAnswer

XS = Parameter("xs", "numbers", 0, 9, 3, 5)
TOTAL = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total"


def total_gone_wrong():
    wrong = replaced(TOTAL, 2, "total = 1")
    shown = trials(compiled(TOTAL), ["f([1, 2, 3])", "f([0, 0, 0])"])
    return FindTheBug(
        source=wrong, name="f", signature=(XS,), line=2, right="total = 0", examples=tuple(shown),
        outputs_shown=True,
    )  # fmt: skip


def test_any_repair_that_works_is_right():
    task = total_gone_wrong()
    for answer in (
        task.answer(),
        "line 2:  total = 1 - 1",
        "5: return total - 1",
        "5: return sum(xs)",
    ):
        assert task.verify(answer).value == 1, answer
        assert task.audit(answer)


def test_repairs_that_do_not_work():
    task = total_gone_wrong()
    for answer in ("2: total = 1", "4: total += x - 1", "2: pass", "3: while False:",
                   "5: return 6 if xs[0] else 0", "4: total = total"):  # fmt: skip
        score = task.verify(answer)
        assert score.value == 0, answer
        assert score.reason
    for answer in ("total = 0", "9: total = 0", "0: total = 0", "2: total = 0\n3: pass",
                   "2: import os",
                   "2: total = 0; x = 1", "x: total = 0", "3: total = 0", "1: pass"):  # fmt: skip
        with pytest.raises(InvalidAnswer):
            task.verify(answer)


def test_a_table_of_the_examples_is_no_repair():
    task = total_gone_wrong()
    score = task.verify("5: return {3: 6}.get(max(xs), 0)")
    assert score.reason == "the examples are right, but not all other inputs"


@pytest.mark.parametrize(("level", "seeds"), [(0, 20), (3, 10), (6, 4)])
def test_examples_lead_to_one_repair(level, seeds):
    """Every slip that the examples allow is right."""
    for seed in range(seeds):
        task = Address.of("programs/find_the_bug", seed, level).task()
        running = Program(task.source)
        for slip in slips(task.source):
            if not killer(running, slip, task.examples):
                assert task.verify(f"{slip.line}: {slip.text}").value == 1, (task, slip.text)
        assert first_failure(compiled(task.source), task.examples), "nothing is wrong"
