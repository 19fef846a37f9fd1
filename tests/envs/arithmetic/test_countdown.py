"""Tests of arithmetic/countdown."""

from itertools import permutations

import pytest

from palaestra.address import Address
from palaestra.envs.arithmetic.countdown import Countdown
from palaestra.verifiers.arithmetic.reach import Reach


def countdown(numbers=(3, 6, 25, 50, 75, 100), target=952, whole=True):
    return Countdown(numbers=numbers, target=target, needed=4, whole=whole)


def test_countdown_classic():
    """James Martin's famous round, with the intermediate result 23,800."""
    task = countdown()
    assert task.verify("((100 + 6) * 3 * 75 - 50) / 25").correct
    assert task.verify(task.answer()).correct


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("952", "not in the list"),
        ("100 * (6 + 3) + 50 + 3 - 1", "not in the list"),
        ("100 * 6 + 3 * 100 + 50 + 3 - 1", "not in the list"),
        ("(75 / 50) * 100", "whole"),
        ("(3 - 6) * 25", "whole"),
        ("100 * 6 + 3", "is 603"),
    ],
)
def test_countdown_refuses(answer, reason):
    score = countdown().verify(answer)
    assert score.value == 0
    assert reason in score.reason


def test_countdown_steps_may_be_fractions_if_the_task_allows_them():
    assert countdown((3, 3, 8, 8), 24, whole=False).verify("8 / (3 - 8 / 3)").correct
    assert not countdown((3, 3, 8, 8), 24).verify("8 / (3 - 8 / 3)").correct


@pytest.mark.parametrize("seed", range(5))
def test_countdown_takes_as_many_numbers_as_it_promises(seed):
    task = Address.of("arithmetic/countdown", seed, level=3).task()
    for size in range(1, task.needed):
        for some in permutations(task.numbers, size):
            assert task.target not in Reach(some, whole=True).values(2**size - 1)
