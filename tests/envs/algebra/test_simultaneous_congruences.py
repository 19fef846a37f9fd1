"""Tests of algebra/simultaneous_congruences."""

from palaestra.envs.algebra.simultaneous_congruences import SimultaneousCongruences


def test_sunzi():
    task = SimultaneousCongruences(congruences=((1, 2, 3), (1, 3, 5), (1, 2, 7)))
    assert task.answer() == "23"
    assert task.verify("128").reason == "there is a smaller solution"
    assert task.verify("-82").value == 0
    assert "modulo 7" in task.verify("8").reason
    shared = SimultaneousCongruences(congruences=((1, 5, 6), (3, 3, 4)))
    assert shared.answer() == "5"
