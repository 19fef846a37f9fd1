"""Tests of planning/nullify."""

import pytest

from palaestra.envs.planning.nullify import Nullify

MERGES = Nullify(blocks=(("+", 6), ("+", -2), ("/", 3)))


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("C -> A\nB -> A", 1, ""),
        ("C -> A\nA -> B", 1, ""),
        ("C -> B\nA -> B", 0, "in merge 1, -2 cannot be divided by 3 without remainder"),
        ("A -> C", 0, "in merge 1, block C holds an operation"),
        ("C -> A", 0, "2 blocks are left"),
        ("B -> A\nB -> A", 0, "in merge 2, there are no two such blocks"),
        ("A -> A", 0, "in merge 1, there are no two such blocks"),
    ],
)
def test_merges(answer, value, reason):
    score = MERGES.verify(answer)
    assert (score.value, score.reason) == (value, reason)
    assert MERGES.audit(answer) == (value == 1)
