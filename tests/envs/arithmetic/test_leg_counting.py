"""Tests of arithmetic/leg_counting."""

from palaestra.envs.arithmetic.leg_counting import LegCounting


def test_pheasants_and_rabbits():
    """35 heads and 94 legs: 23 pheasants and 12 rabbits."""
    task = LegCounting(
        kinds=("dulop", "nubbin"), anatomy=((2,), (4,)), facts=((1, 1, 35), (2, 4, 94)),
        compared=(False,),
    )  # fmt: skip
    assert task.answer() == "dulop: 23\nnubbin: 12"
    assert "legs" in task.verify("dulop: 12\nnubbin: 23").reason
    assert task.verify("dulop: 47\nnubbin: 0").value == 0
