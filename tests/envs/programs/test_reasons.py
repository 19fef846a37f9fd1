"""Reasons stay short, whatever a reply computes."""

import pytest

from palaestra.address import Address
from palaestra.testing import judged

NAMES = (
    "complete_the_hole", "find_the_bug", "minimise_program", "predict_input", "predict_output",
    "tests_that_kill", "trace_variable",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_reason_does_not_grow_with_what_a_reply_makes(name):
    task = Address.of(f"programs/{name}", 3, 3).task()
    huge = "return ['x' * 1900] * 1900"
    replies = [f"{n}: {huge}" for n in range(2, 12)] + [huge, f"{huge}\n{huge}"]
    if name == "minimise_program":
        head_ = f"def {task.name}({', '.join(p.name for p in task.signature)}):"
        replies = [f"{head_}\n    {huge}", f"{head_}\n    return {'(' * 20}1{')' * 20}"]
    for reply in replies:
        assert len(judged(task, reply).reason) < 300
