"""Scores from the numbers that other packages return."""

from math import inf, nan

import pytest

from palaestra.importers.folders import chosen
from palaestra.importers.rewards import bounded
from palaestra.task import JudgeError


@pytest.mark.parametrize(("value", "score"), [(-3, 0), (0, 0), (0.25, 0.25), (1, 1), (7.0, 1)])
def test_rewards_are_from_0_to_1(value, score):
    result = bounded(value, "the judge")
    assert result.value == score
    assert bool(result.reason) == (score < 1)


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_what_is_no_number_gives_no_score(value):
    with pytest.raises(JudgeError, match="the judge returned no number"):
        bounded(value, "the judge")


def test_unknown_names_are_refused_with_near_ones():
    assert chosen([], {"sums": 1, "sets": 2}, "") == ["sums", "sets"]
    assert chosen(["sets"], ["sums", "sets"], "") == ["sets"]
    with pytest.raises(ValueError, match=r"there is no game 'sumz'; did you mean sums\?"):
        chosen(["sumz"], ["sums", "sets"], "there is no game")
