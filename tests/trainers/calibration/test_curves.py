"""The posterior of success by level: against numerical integration, and against known truths."""

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.trainers.calibration import curves
from palaestra.trainers.calibration.curves import (
    IRREGULAR,
    Count,
    Logistic,
    Posterior,
    Separate,
    jeffreys,
    standardised,
)
from palaestra.trainers.calibration.design import Design


def integrated(counts):
    """Posterior means of success at each level, the share of curves with success of at most 0.7 at
    the lowest level, and the logarithm of the evidence, by sums over a dense grid.
    """
    places = [standardised(level, len(counts)) for level in range(len(counts))]
    sums, below, evidence, prior = [0.0] * len(counts), 0.0, 0.0, 0.0
    step_b, step_a = 0.1, 0.2
    for i in range(round(28 / step_b)):
        b = -4 + (i + 0.5) * step_b
        density_b = 1 / (1 + (b / curves.SLOPE) ** 2)
        density_b *= math.exp(-((min(b, 0) / curves.RISING) ** 2) / 2)
        deviation = math.hypot(curves.CENTRE, curves.SPREAD * b)
        for j in range(round(7 * deviation / step_a)):
            a = -3.5 * deviation + (j + 0.5) * step_a
            weight = density_b * math.exp(-((a / deviation) ** 2) / 2) / deviation
            rates = [1 / (1 + math.exp(-(a - b * z))) for z in places]
            prior += weight
            for (right, wrong), rate in zip(counts, rates):
                weight *= rate**right * (1 - rate) ** wrong
            evidence += weight
            below += weight * (rates[0] <= 0.7)
            sums = [total + weight * rate for total, rate in zip(sums, rates)]
    means = [total / evidence for total in sums]
    return means, below / evidence, math.log(evidence / prior)


CASES = [
    [Count(1, 0), Count(1, 0), Count(0, 1), Count(0, 1), Count(0, 1)],
    [Count(6, 1), Count(3, 3), Count(1, 6)],
    [Count(0, 3), Count(0, 2), Count(0, 2), Count(0, 2)],
]


@pytest.mark.parametrize("counts", CASES)
def test_the_grid_agrees_with_numerical_integration(counts):
    curve, (means, below, evidence) = Logistic(counts), integrated(counts)
    assert curve.means == pytest.approx(means, abs=0.01)
    assert curve.below(0, 0.7) == pytest.approx(below, abs=0.02)
    assert curve.evidence == pytest.approx(evidence, abs=0.05)


def test_covariances_are_those_of_the_posterior():
    posterior = Posterior([Count(3, 1), Count(2, 2), Count(0, 3)])
    matrix = posterior.covariance()
    rng = Random(3)
    grid, weights = posterior.curve.grid, posterior.curve.weights
    samples = []
    for _ in range(20_000):
        if rng.random() < posterior.irregular:
            samples.append([rng.betavariate(*shape) for shape in posterior.separate.shapes])
        else:
            (point,) = rng.choices(range(len(weights)), weights)
            samples.append([row[point] for row in grid.rates])
    for i in range(3):
        assert sum(row[i] for row in samples) / len(samples) == pytest.approx(
            posterior.means[i], abs=0.01
        )
        for j in range(3):
            products = ((row[i] - posterior.means[i]) * (row[j] - posterior.means[j])
                        for row in samples)  # fmt: skip
            assert matrix[i][j] == pytest.approx(sum(products) / len(samples), abs=0.003)


LEVELS = 5

NEAR = 0.005
"""A rate of 99.999 % counts as inside an interval that ends at 99.9 %."""


def ladder_of_the_prior(rng):
    """The success rates of a ladder that the prior expects."""
    if rng.random() < IRREGULAR:
        return [rng.betavariate(0.5, 0.5) for _ in range(LEVELS)]
    prior = Logistic([Count()] * LEVELS)
    ((a, b),) = rng.choices(prior.grid.points, prior.weights)
    return [1 / (1 + math.exp(-(a - b * standardised(level, LEVELS)))) for level in range(LEVELS)]


def simulated(rates, design, rng):
    """The outcomes of a calibration of a ladder with these success rates."""
    counts, tried = [Count()] * len(rates), dict.fromkeys(range(len(rates)), 0)
    while levels := design.next_round(range(len(rates)), counts, tried):
        for level in levels:
            tried[level] += 1
            right = rng.random() < rates[level]
            counts[level] = Count(counts[level].right + right, counts[level].wrong + (not right))
    return counts


def coverage(ladder, times, design=Design()):  # noqa: B008
    """How many intervals of success rates contain the truth."""
    rng, inside = Random(7), 0
    for _ in range(times):
        rates = ladder(rng)
        posterior = Posterior(simulated(rates, design, rng))
        for level, truth in enumerate(rates):
            span = posterior.span(level)
            inside += span.low - NEAR <= truth <= span.high + NEAR
    return inside / (times * LEVELS)


def test_intervals_contain_the_truth_at_the_stated_rate():
    # Of 200 ladders with 5 correlated levels, the standard error is at most 1.6 %.
    assert 0.92 <= coverage(ladder_of_the_prior, 200) <= 0.98


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [("too easy", 4.0, 0.5), ("too hard", -3.0, 0.5), ("flat", 0.0, 0.0), ("high", 1.4, 0.0),
     ("gentle", 0.0, 1.5), ("steep", 1.0, 8.0), ("a step", 0.0, 20.0)],
)  # fmt: skip
def test_intervals_of_single_curves_contain_the_truth(name, a, b):
    rates = [1 / (1 + math.exp(-(a - b * z))) for z in (-1, -0.5, 0, 0.5, 1)]
    # An interval of a posterior holds its rate over the prior, and not for each curve.
    assert coverage(lambda _: rates, 60) >= 0.87, name


def test_crossings_are_within_their_intervals():
    rng, inside, times = Random(11), 0, 100
    for _ in range(times):
        a, b = rng.gauss(0, 1), rng.uniform(1.5, 8)
        rates = [1 / (1 + math.exp(-(a - b * z))) for z in (-1, -0.5, 0, 0.5, 1)]
        span = Posterior(simulated(rates, Design(), rng)).curve.crossing(0.5)
        truth = min(max((a / b + 1) / 2 * 4, -0.5), 4.5)
        inside += span.low <= truth <= span.high
    assert inside / times >= 0.9


@pytest.mark.parametrize(
    ("counts", "where"),
    [([Count(4, 0)] * 5, "above"), ([Count(0, 4)] * 5, "below"),
     ([Count(5, 0), Count(5, 0), Count(0, 5), Count(0, 5)], "inside")],
)  # fmt: skip
def test_crossings_beyond_the_ladder_are_at_its_ends(counts, where):
    top = len(counts) - 1
    span = Logistic(counts).crossing(0.5)
    assert -0.5 <= span.low <= span.value <= span.high <= top + 0.5
    expected = {"above": top + 0.5, "below": -0.5, "inside": 1.5}[where]
    assert span.value == pytest.approx(expected, abs=0.3)


def test_rising_curves_cross_on_the_other_side():
    assert Logistic([Count(0, 9), Count(0, 9), Count(9, 0)]).crossing(0.5).value > 1
    assert Logistic([Count(9, 9), Count(9, 9), Count(18, 0)]).crossing(0.9).value > 1


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8))
def test_any_outcomes_have_finite_estimates(pairs):
    posterior = Posterior([Count(*pair) for pair in pairs])
    assert 0 <= posterior.irregular <= 1
    for level in range(len(pairs)):
        span = posterior.span(level)
        assert 0 <= span.low <= span.value <= span.high <= 1
        assert 0 <= posterior.between(level, 0.3, 0.7) <= 1
        shares = [posterior.below(level, rate / 10) for rate in range(11)]
        assert shares == sorted(shares)
        assert posterior.covariance()[level][level] >= -1e-12
    assert posterior.curve.crossing(0.5).width >= 0


def test_a_zigzag_is_irregular_and_keeps_its_own_rates():
    counts = [Count(6, 0), Count(0, 6), Count(6, 0), Count(0, 6)]
    posterior = Posterior(counts)
    assert posterior.irregular > 0.99
    assert posterior.means[2] > 0.8
    assert posterior.means[1] < 0.2
    flat = Posterior([Count(3, 3)] * 4)
    assert flat.irregular < 0.05
    assert all(0.4 < mean < 0.6 for mean in flat.means)


def test_a_curve_is_narrower_than_separate_rates():
    counts = [Count(5, 0), Count(4, 1), Count(2, 3), Count(0, 5)]
    span, own = Posterior(counts).span(1), jeffreys(counts[1])
    assert span.width < own.width
    assert Separate(counts).means[1] == pytest.approx(4.5 / 6)
    with pytest.raises(ValueError, match="no outcome"):
        jeffreys(Count())
    assert jeffreys(Count(0, 3)).low == 0
    assert jeffreys(Count(3, 0)).high == 1
