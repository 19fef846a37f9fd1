"""Tests of grids/binairo."""

import pytest

from palaestra.envs.grids.binairo import Binairo


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("0 0 1 1\n0 0 1 1\n1 1 0 0\n1 1 0 0", "rows 1 and 2 are the same"),
        ("0 0 0 1\n0 1 1 0\n1 0 0 1\n1 1 1 0", "three equal"),
        ("0 0 1 0\n0 1 1 0\n1 0 0 1\n1 1 0 1", "not have as many"),
        ("0 0 1 1\n0 1 0 1\n1 0 1 0\n1 1 0 0", ""),
    ],
)
def test_the_rules_of_binairo(answer, reason):
    result = Binairo(givens=("....",) * 4).verify(answer)
    assert reason in result.reason
    assert result.correct == (not reason)
