"""Oracles of the environments that run code in the sandbox."""

import pytest

from palaestra import Address
from palaestra.episode import BARE
from palaestra.scoring import score


@pytest.mark.parametrize("name", ["bash_task", "mini_repository", "game_policy"])
def test_oracles_of_the_middle_level(name, jail):
    task = Address.of(f"programs/{name}", 11, 3, "eval").task()
    assert score(task, task.solve(), BARE).value == 1
