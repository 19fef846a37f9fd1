"""Which tasks come next, and when there are enough."""

from collections import Counter

import pytest

from palaestra.trainers.calibration.curves import Count, Posterior
from palaestra.trainers.calibration.design import FEWEST, Design, Target, choices, spaced


@pytest.mark.parametrize("text", ["0.3", "0.7-0.3", "0-1", "a-b", "0.3-nan", "", "0.5-0.5", "-"])
def test_targets_that_are_none(text):
    with pytest.raises(ValueError, match=r"a target is .*0\.3-0\.7"):
        Target.parse(text)


@pytest.mark.parametrize("settings", [{"tasks": 0}, {"width": 0}, {"width": float("nan")}])
def test_settings_out_of_range(settings):
    with pytest.raises(ValueError, match=r"has from 1 to 10,000 tasks|a width is"):
        Design(**settings)


def test_the_first_round_spans_the_ladder():
    assert Design().next_round(range(9), [Count()] * 9, {}) == [0, 2, 4, 6, 8]
    assert Design().next_round([1, 3], [Count()] * 9, {}) == [1, 3]
    assert Design(tasks=2).next_round(range(9), [Count()] * 9, {}) == [0, 2]
    assert spaced([5], 4) == [5]


def test_each_round_tries_a_level_with_the_fewest_tasks():
    counts = [Count(2, 0), Count(2, 0), Count(1, 1), Count(0, 2), Count(0, 1), Count()]
    tried = {0: 2, 1: 2, 2: 2, 3: 2, 4: 1}
    levels = choices(Posterior(counts), Target(), range(6), tried)
    assert levels[0] == 5
    assert len(levels) == 4


def test_further_tasks_are_where_success_crosses_the_target():
    counts = [Count(4, 0), Count(4, 0), Count(2, 2), Count(0, 4), Count(0, 4)]
    tried = dict.fromkeys(range(5), 4)
    selected = Counter(choices(Posterior(counts), Target(), range(5), tried)[1:])
    assert set(selected) <= {1, 2, 3}
    # A higher target is crossed at a lower level.
    high = Counter(choices(Posterior(counts), Target(0.9, 0.98), range(5), tried)[1:])
    assert sum(high.elements()) / 3 < sum(selected.elements()) / 3


def test_the_greedy_choice_has_the_largest_expected_reduction():
    counts = [Count(3, 0), Count(2, 1), Count(1, 2), Count(0, 3)]
    posterior, target = Posterior(counts), Target()
    weights = [0.05 + posterior.between(level, 0.3, 0.7) for level in range(4)]

    def variance(held):
        matrix = Posterior(held).covariance()
        return sum(weight * matrix[level][level] for level, weight in enumerate(weights))

    def expected(level):
        right, wrong, mean = *counts[level], posterior.means[level]
        after = [[*counts], [*counts]]
        after[0][level], after[1][level] = Count(right + 1, wrong), Count(right, wrong + 1)
        return mean * variance(after[0]) + (1 - mean) * variance(after[1])

    best = min(range(4), key=expected)
    assert choices(posterior, target, range(4), dict.fromkeys(range(4), 3))[0] == best


def test_it_stops_once_the_crossing_is_known():
    design = Design(tasks=1_000)
    easy = [Count(9, 0)] * 5
    assert design.next_round(range(5), easy, dict.fromkeys(range(5), 9)) == []
    step = [Count(9, 0), Count(9, 0), Count(0, 9), Count(0, 9), Count(0, 9)]
    assert design.next_round(range(5), step, dict.fromkeys(range(5), 9)) == []
    flat = [Count(4, 5)] * 5
    assert len(design.next_round(range(5), flat, dict.fromkeys(range(5), 9))) == 4
    narrow = Design(tasks=1_000, width=0.01)
    assert narrow.next_round(range(5), step, dict.fromkeys(range(5), 9))
    few = [Count(1, 0), Count(1, 0), Count(0, 1), Count(0, 1)]
    assert sum(each.scored for each in few) < FEWEST
    assert not Design(width=100).is_precise(Posterior(few), few)


def test_a_zigzag_is_tried_until_the_tasks_are_used():
    zigzag = [Count(5, 0), Count(0, 5), Count(5, 0), Count(0, 5)]
    design = Design(width=100)
    assert len(design.next_round(range(4), zigzag, dict.fromkeys(range(4), 5))) == 4
    assert design.next_round(range(4), zigzag, dict.fromkeys(range(4), 6)) == []


def test_the_budget_is_not_passed():
    flat = [Count(3, 2)] * 5
    assert len(Design(tasks=27).next_round(range(5), flat, dict.fromkeys(range(5), 5))) == 2
    assert Design(tasks=25).next_round(range(5), flat, dict.fromkeys(range(5), 5)) == []


def test_what_cannot_be_scored_is_given_up_after_the_first_round():
    assert Design().next_round(range(5), [Count()] * 5, dict.fromkeys(range(5), 1)) == []


def test_a_ladder_of_one_level():
    design = Design()
    assert design.next_round([0], [Count()], {}) == [0]
    assert design.next_round([0], [Count(8, 8)], {0: 16}) == [0] * 4
