"""Figures and their intervals."""

import dataclasses
import itertools
import random
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trainers.evaluation.endpoints import attempt

from palaestra.trainers.evaluation.figures import figures, ks_of
from palaestra.trainers.evaluation.intervals import beta_quantile, interval


@pytest.mark.parametrize(
    ("tasks", "samples", "a", "b"),
    [
        (20, 1, 1, 1),
        (20, 4, 0.5, 0.5),
        (50, 4, 0.3, 1.5),
        (12, 8, 1, 1),
        (12, 1, 0.02, 0.38),  # hard ones, with 5 % or less of successes
        (50, 8, 0.047, 2.29),
        (20, 8, 0.116, 2.22),
        (100, 8, 0.01, 0.99),
    ],
)
def test_intervals_hold_what_they_promise(tasks, samples, a, b):
    """Of many evaluations whose truth is known, 95 % have it in their interval at least."""
    rng, held = random.Random(5), 0
    for _ in range(400):
        chances = [rng.betavariate(a, b) for _ in range(tasks)]
        shares = [fmean(rng.random() < c for _ in range(samples)) for c in chances]
        _, low, high = interval(shares)
        held += low <= a / (a + b) <= high
    assert held / 400 >= 0.95


@pytest.mark.parametrize(
    ("tasks", "widest", "score"),
    [
        (100, 1.35, lambda rng: rng.betavariate(6, 4)),
        (100, 1.25, lambda rng: rng.random()),
        (20, 1.35, lambda rng: rng.random()),
        (100, 1.6, lambda rng: 0.0 if rng.random() < 0.05 else rng.uniform(0.4, 0.6)),
    ],
)
def test_intervals_of_partial_credit_are_as_wide_as_scores_differ(tasks, widest, score):
    rng = random.Random(7)
    samples = [[score(rng) for _ in range(tasks)] for _ in range(300)]
    widths = [high - low for _, low, high in map(interval, samples)]
    assert 1 <= fmean(widths) / (2 * 1.96 * pstdev(map(fmean, samples))) <= widest


def test_intervals_at_their_ends():
    assert interval([0.0] * 10)[:2] == (0, 0)
    assert interval([1.0] * 10)[2] == 1
    _, low, high = interval([0.0] * 3 + [1.0] * 7)
    _, low_too, high_too = interval([1.0] * 3 + [0.0] * 7)
    assert (low, high) == pytest.approx((1 - high_too, 1 - low_too))
    for values in ([0.5], [0.0], [1.0], [1e-300] * 3, [1 - 1e-16] * 9, [0.5] * 10_000):
        mean, low, high = interval(values)
        assert 0 <= low <= mean <= high <= 1
        assert high - low > 0
    with pytest.raises(ValueError, match="no value"):
        interval([])


@given(st.integers(0, 200), st.integers(1, 200))
def test_intervals_of_successes_lie_within_those_of_clopper_and_pearson(right, wrong):
    scipy_stats = pytest.importorskip("scipy.stats")
    number = right + wrong
    _, low, high = interval([1.0] * right + [0.0] * wrong)
    exact = scipy_stats.binomtest(right, number).proportion_ci(0.95, "exact")
    assert exact.low - 1e-9 <= low <= right / number <= high <= exact.high + 1e-9
    assert high - low > 0.8 * (exact.high - exact.low)


@given(st.floats(0.001, 0.999), st.floats(-2, 4.5), st.floats(-2, 4.5))
def test_quantiles_of_the_beta_distribution(share, a, b):
    scipy_stats = pytest.importorskip("scipy.stats")
    known = scipy_stats.beta(10**a, 10**b)
    value = beta_quantile(share, 10**a, 10**b)
    assert value == pytest.approx(known.ppf(share), rel=1e-6, abs=1e-9)


def test_pass_at_k_is_the_share_of_choices_with_a_success():
    outcomes = {"a": [1, 0, 0, 0.5], "b": [0, 0, 0, 0], "c": [1, 1, None, 0]}
    attempts = [
        dataclasses.replace(attempt(n), problem=name, sample=m, score=score)
        for n, (name, scores) in enumerate(outcomes.items())
        for m, score in enumerate(scores)
    ]
    estimates = figures(attempts, (1, 2, 3, 4))["pass_at_k"]
    for k, share in estimates.items():
        each = [
            fmean(any(s == 1 for s in some) for some in itertools.combinations(known, int(k)))
            for known in ([s for s in scores if s is not None] for scores in outcomes.values())
            if len(known) >= int(k)
        ]
        assert share["value"] == pytest.approx(fmean(each), abs=1e-6)
        assert share["tasks"] == len(each)
    assert figures(attempts[:2], (8,))["pass_at_k"]["8"] is None


def test_figures_leave_out_what_was_not_scored():
    attempts = [attempt(n, score=score) for n, score in enumerate([1.0, 0.5, 0.0, None, None])]
    attempts[3] = dataclasses.replace(attempts[3], status="infra_error", completion_tokens=10**6)
    row = figures(attempts)
    assert (row["tasks"], row["scored"], row["unscored"]) == (5, 3, 2)
    assert row["success"]["value"] == pytest.approx(1 / 3, abs=1e-6)
    assert row["score"]["value"] == 0.5
    assert row["success_if_unscored"] == [0.2, 0.6]
    assert row["endings"] == {"solved": 1, "partial": 1, "wrong": 1, "unscored": 2}
    assert row["tokens"]["completion"] == 0


def test_seeds_that_give_the_same_problem_are_one_task():
    attempts = [dataclasses.replace(attempt(n), problem="same") for n in range(4)]
    row = figures(attempts, ks_of(1))
    assert (row["tasks"], row["attempts"]) == (1, 4)
    assert row["success"]["low"] < 0.3
