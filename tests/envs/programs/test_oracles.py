"""Oracles of the environments that run code in the sandbox."""

import pytest

from palaestra import Address
from palaestra.episode import BARE
from palaestra.registry import load
from palaestra.scoring import score


@pytest.mark.parametrize("name", ["bash_task", "mini_repository", "game_policy"])
def test_oracles_of_the_middle_level(name, jail):
    task = Address.of(f"programs/{name}", 11, 3, "eval").task()
    assert score(task, task.solve(), BARE).value == 1


SLOW = """
from copy import deepcopy
_quick = {name}


def {name}(value):
    for _ in range(4):
        _quick(deepcopy(value))
    return _quick(value)
"""
"""Right programs that do five times the work of the reference."""


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("function_from_specification", "solve"),
        ("program_by_examples", "solve"),
        ("small_interpreter", "run"),
    ],
)
def test_slow_programs_that_are_right_pass(name, entry, jail):
    kind = load(f"programs/{name}")
    for level in (0, kind.Knobs.levels() - 1):
        task = Address.of(f"programs/{name}", 11, level, "eval").task()
        assert task.verify(task.answer() + SLOW.format(name=entry)).value == 1
