"""Programs that are run: batches in worker processes, and further hidden tests."""

import pytest

from palaestra import Address
from palaestra.scoring import Item, score_many

pytestmark = pytest.mark.usefixtures("jail")

NAMES = (
    "function_from_specification",
    "program_by_examples",
    "small_interpreter",
    "stdin_story",
    "sql_query",
    "regex_for_examples",
)


@pytest.mark.parametrize("name", NAMES)
def test_batches_are_judged_in_worker_processes(name):
    task = Address.of(f"programs/{name}", 1, 1).task()
    wrong = "def solve(v): return 7\ndef run(v): return 7\ninput"
    scores = score_many([Item(task, task.answer(), "bare"), Item(task, wrong, "bare")], workers=1)
    assert [each.value for each in scores] == [1, 0], scores


@pytest.mark.parametrize("name", NAMES)
def test_answers_stand_further_tests(name):
    for seed in range(2):
        task = Address.of(f"programs/{name}", seed, 1).task()
        assert task.audit(task.answer())
