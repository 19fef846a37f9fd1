"""Partial progress in combinations: 1 exactly if the combination is solved."""

import pytest

from palaestra.address import Address
from palaestra.combinators.parts import parts_of
from palaestra.scoring import score
from palaestra.task import Score

TRACE = "strings/spell_backwards"


def test_a_later_try_is_not_all_the_progress_there_is():
    address = Address.of(f"{TRACE}+retry(3)", 1, 1)
    right = address.task().task.answer()
    late = score(address, [right[1:] + right[0], right], "bare")
    assert late.value == late.parts["progress"] == 0.5
    assert score(address, [right], "bare").parts["progress"] == 1


def test_a_right_answer_below_a_text_that_breaks_a_rule_is_no_progress():
    address = Address.of(f"{TRACE}+constrain(1)", 1, 1)
    task = address.task()
    broken = task.verify(f"!\nAnswer:\n{task.task.answer()}")
    assert (broken.value, broken.parts["answer"], broken.parts["progress"]) == (0, 1, 0)
    assert task.verify(task.answer()).parts["progress"] == 1


@pytest.mark.parametrize(
    ("inner", "value", "progress"),
    [
        (Score(1, parts={"progress": 1}), 1, 1), (Score(1, parts={"progress": 1}), 0.5, 0.5),
        (Score(1), 0.25, 0.25), (Score(0, parts={"progress": 0.75}), 0, 0.75),
    ],
)  # fmt: skip
def test_progress_is_bounded_by_the_value_where_the_inner_task_is_solved(inner, value, progress):
    assert parts_of(inner, value)["progress"] == progress


def test_tasks_without_partial_credit_have_no_progress():
    assert "progress" not in parts_of(Score(0, parts={"length": 3}), 0)
    assert "progress" not in parts_of(Score(1), 1)
