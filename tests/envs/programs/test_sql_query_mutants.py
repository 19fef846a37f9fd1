"""Queries with a slip that shows in some database find something else in those that judge."""

import runpy
from pathlib import Path

import pytest

from palaestra.address import Address

BENCH = runpy.run_path(str(Path(__file__).parents[3] / "benchmarks/sql_mutants.py"))


@pytest.mark.parametrize("level", range(6))
def test_no_mutant_that_shows_somewhere_is_right(level):
    for seed in range(3):
        task = Address.of("programs/sql_query", seed, level).task()
        mutants = BENCH["shown"](task, (2, 4, 8, 12, 20, 40) * 3)
        assert len(mutants) > 5
        for mutant in mutants:
            assert task.verify(mutant).value == 0, (task.answer(), mutant)
        assert task.verify(task.answer()).value == 1


@pytest.mark.parametrize("seed", range(30))
def test_a_missing_second_key_is_missed(seed):
    task = Address.of("programs/sql_query", seed, 4).task()
    query = task.question.query
    head, _, keys = query.rpartition(" ORDER BY ")
    if not head:
        pytest.skip("no order is asked for")
    first, second = keys.split(", ")
    assert task.verify(query).value == 1
    assert task.verify(f"{head} ORDER BY {first}, {second}, 2;").value == 1
    for wrong in (first, second, f"{second}, {first}", f"{first}, {second.replace('DESC', 'ASC')}"):
        assert task.verify(f"{head} ORDER BY {wrong}").reason.endswith("in another order")
    assert task.verify(head).value == 0
