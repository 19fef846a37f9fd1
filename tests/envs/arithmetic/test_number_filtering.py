"""Tests of arithmetic/number_filtering."""

from palaestra.envs.arithmetic.number_filtering import NumberFiltering


def test_filtering_counts_conditions():
    task = NumberFiltering(
        numbers=(10, 11, 12, 13, 14, 15, 16, 17),
        conditions=(("multiple", 3, 0), ("odd sum", 3, 0)),
        need=1,
    )
    assert task.kept() == [10, 14, 15, 16]
    assert task.verify("16, 15, 14, 10").correct
    assert "12" in task.verify("10, 12, 14, 15, 16").reason
    assert "missing" in task.verify("10, 14, 16").reason
    assert "twice" in task.verify("10, 10, 14, 15, 16").reason
    assert task.verify("").value == 0
