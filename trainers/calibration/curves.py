"""Success as a function of the level: what some outcomes say about the rate of every level.

Two models are averaged by their probabilities given the outcomes (J. Hoeting, D. Madigan,
A. Raftery and C. Volinsky, "Bayesian Model Averaging", 1999):

- :class:`Logistic`, a curve logit p = a - b·z. Levels are standardised: the lowest level of the
  ladder is at z = -1, the highest at z = 1. The priors are weak. The slope b is half-Cauchy, as in
  A. Gelman, A. Jakulin, M. Pittau and Y. Su, "A weakly informative default prior distribution for
  logistic regression models" (2008); for rising curves, b < 0, its density falls off as that of a
  normal distribution. The centre a is normal around 0, and wider for steep curves, so that most of
  these cross one half within the ladder.
- :class:`Separate`, a rate of its own for each level, since a ladder need not follow such a curve.
  Its prior probability is :data:`IRREGULAR`.

The posterior of the curve is computed on a grid, so that intervals need neither a normal
approximation nor many tasks.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import mul
from typing import NamedTuple

from palaestra.trainers.evaluation.intervals import COVERAGE, beta_quantile, beta_share

SLOPE = 1.5
"""Scale of the prior of falling slopes, in logits per half ladder."""

RISING = 1.5
"""Standard deviation of the normal factor by which the prior of rising slopes is smaller."""

CENTRE = 2.5
"""Standard deviation of the prior of a for a flat curve, in logits."""

SPREAD = 0.6
"""Standard deviation of the prior of a/b for a steep curve, in half ladders."""

IRREGULAR = 0.1
"""Prior probability that a ladder follows no logistic curve."""

SLOPES = (-4.0, 24.0, 24)
"""Lowest and highest slope of the grid, and their number; their asinh are equally spaced."""

CENTRES = (3.5, 37)
"""Highest a of the grid in its standard deviations, and the number of values."""

TAILS = ((1 - COVERAGE) / 2, (1 + COVERAGE) / 2)
"""Quantiles that are the ends of an interval."""

HALVINGS = 40
"""Bisection steps for a quantile of an average."""


class Count(NamedTuple):
    """Outcomes at a level: attempts with a score of 1, and scored attempts with any other score."""

    right: int = 0
    wrong: int = 0

    @property
    def scored(self) -> int:
        """Number of scored attempts."""
        return self.right + self.wrong


class Span(NamedTuple):
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Distance between the ends of the interval."""
        return self.high - self.low


class _Grid:
    """The curves of the grid for a number of levels: what does not depend on outcomes."""

    def __init__(self, levels: int) -> None:
        self.top = levels - 1
        self.points: list[tuple[float, float]] = []
        """The a and b of each curve."""
        densities = []
        for slope in _slopes():
            deviation = math.hypot(CENTRE, SPREAD * slope)
            for unit in _units():
                self.points.append((deviation * unit, slope))
                densities.append(_slope_density(slope) * math.exp(-unit * unit / 2))
        total = math.fsum(densities)
        self.prior = [math.log(each / total) for each in densities]
        places = [standardised(level, levels) for level in range(levels)]
        logits = [[a - b * z for a, b in self.points] for z in places]
        self.rates = [[_sigmoid(value) for value in row] for row in logits]
        self.log_right = [[-_softplus(-value) for value in row] for row in logits]
        self.log_wrong = [[-_softplus(value) for value in row] for row in logits]

    @cached_property
    def orders(self) -> list[list[int]]:
        """For each level, the points of the grid by their success rate there."""
        return [sorted(range(len(self.points)), key=row.__getitem__) for row in self.rates]

    def crossings(self, rate: float) -> list[float]:
        """For each curve, the level at which it crosses a rate, bounded to the ladder.

        A crossing is at most half a level outside the ladder: above it if success is higher than
        the rate at all levels, below it if it is lower.
        """
        logit = math.log(rate / (1 - rate))
        return [self._crossing(a - logit, b) for a, b in self.points]

    def _crossing(self, excess: float, slope: float) -> float:
        if self.top and slope:
            level = (excess / slope + 1) / 2 * self.top
            if -0.5 <= level <= self.top + 0.5:
                return level
        # The curve is on one side of the rate at all levels: that of its middle.
        return self.top + 0.5 if excess > 0 else -0.5


def _slopes() -> list[float]:
    low, high, number = SLOPES
    start, end = math.asinh(low), math.asinh(high)
    return [math.sinh(start + (end - start) * n / (number - 1)) for n in range(number)]


def _units() -> list[float]:
    widest, number = CENTRES
    return [widest * (2 * n / (number - 1) - 1) for n in range(number)]


def _slope_density(slope: float) -> float:
    """The prior of a slope, times the width of its cell."""
    density = math.hypot(1, slope) / (1 + (slope / SLOPE) ** 2)
    return density * math.exp(-((slope / RISING) ** 2) / 2) if slope < 0 else density


@lru_cache(maxsize=64)
def _grid(levels: int) -> _Grid:
    return _Grid(levels)


@lru_cache(maxsize=256)
def _crossings(levels: int, rate: float) -> tuple[list[float], list[int]]:
    """Where the curves of a grid cross a rate, and the curves in that order."""
    values = _grid(levels).crossings(rate)
    return values, sorted(range(len(values)), key=values.__getitem__)


def standardised(level: float, levels: int) -> float:
    """Return where a level of a ladder is from -1, the lowest, to 1, the highest.

    >>> [standardised(level, 5) for level in (0, 2, 3, 4)]
    [-1.0, 0.0, 0.5, 1.0]
    """
    return 2 * level / (levels - 1) - 1 if levels > 1 else 0.0


class Logistic:
    """The posterior of a logistic curve, from the outcomes at each level of the ladder.

    >>> curve = Logistic([Count(6, 0), Count(5, 1), Count(2, 4), Count(0, 6)])
    >>> [round(mean, 2) for mean in curve.means]
    [0.97, 0.82, 0.32, 0.06]
    """

    def __init__(self, counts: Sequence[Count]) -> None:
        self.levels = len(counts)
        self.grid = _grid(self.levels)
        logs = self.grid.prior
        for level, (right, wrong) in enumerate(counts):
            if right:
                logs = [x + right * y for x, y in zip(logs, self.grid.log_right[level])]
            if wrong:
                logs = [x + wrong * y for x, y in zip(logs, self.grid.log_wrong[level])]
        top = max(logs)
        weights = [math.exp(value - top) for value in logs]
        total = math.fsum(weights)
        self.evidence = top + math.log(total)
        """Logarithm of the probability of the outcomes under the prior."""

        self.weights = [weight / total for weight in weights]
        """Posterior probability of each curve of the grid."""

        self.means = [_dot(self.weights, row) for row in self.grid.rates]
        """Posterior mean of each level's success rate."""

        self._sums: dict[int, tuple[list[float], list[float]]] = {}

    def below(self, level: int, rate: float) -> float:
        """Return the posterior probability that a level's success rate is at most a rate."""
        rates, sums = self._distribution(level)
        return _interpolated(rates, sums, rate)

    def covariance(self) -> list[list[float]]:
        """Return the posterior covariance of the success rates."""
        rates, means = self.grid.rates, self.means
        matrix = [[0.0] * self.levels for _ in means]
        for i, row in enumerate(rates):
            weighted = [*map(mul, self.weights, row)]
            for j in range(i + 1):
                value = _dot(weighted, rates[j]) - means[i] * means[j]
                matrix[i][j] = matrix[j][i] = value
        return matrix

    def crossing(self, rate: float) -> Span:
        """Return the level at which success crosses a rate: its median and interval.

        Half a level below the ladder stands for lower success at all levels, half a level above it
        for higher success at all levels.
        """
        values, order = _crossings(self.levels, rate)
        middles = _middles([self.weights[n] for n in order])
        ordered = [values[n] for n in order]
        return Span(*(_interpolated(middles, ordered, share) for share in (0.5, *TAILS)))

    def coefficients(self) -> tuple[float, float]:
        """Return the posterior means of a and b."""
        pairs = zip(self.weights, self.grid.points)
        means = [(weight * a, weight * b) for weight, (a, b) in pairs]
        return math.fsum(a for a, _ in means), math.fsum(b for _, b in means)

    def _distribution(self, level: int) -> tuple[list[float], list[float]]:
        """The rates of all curves at a level in order, and the posterior mass up to each."""
        if level not in self._sums:
            order = self.grid.orders[level]
            rates = [self.grid.rates[level][n] for n in order]
            self._sums[level] = rates, _middles([self.weights[n] for n in order])
        return self._sums[level]


class Separate:
    """A rate of its own for each level, with Jeffreys' prior Beta(½, ½)."""

    def __init__(self, counts: Sequence[Count]) -> None:
        self.shapes = [(right + 0.5, wrong + 0.5) for right, wrong in counts]
        self.means = [a / (a + b) for a, b in self.shapes]
        """Posterior mean of each level's success rate."""

        self.evidence = math.fsum(_log_beta(a, b) - _log_beta(0.5, 0.5) for a, b in self.shapes)
        """Logarithm of the probability of the outcomes under the prior."""

    def below(self, level: int, rate: float) -> float:
        """Return the posterior probability that a level's success rate is at most a rate."""
        return beta_share(rate, *self.shapes[level])

    def covariance(self) -> list[list[float]]:
        """Return the posterior covariance of the success rates, which are independent."""
        variances = [a * b / ((a + b) ** 2 * (a + b + 1)) for a, b in self.shapes]
        return [
            [variance if i == j else 0.0 for j in range(len(variances))]
            for i, variance in enumerate(variances)
        ]


class Posterior:
    """The success rates of all levels after some outcomes: the average of both models.

    >>> regular = Posterior([Count(6, 0), Count(5, 1), Count(2, 4), Count(0, 6)])
    >>> [round(mean, 2) for mean in regular.means], round(regular.irregular, 2)
    ([0.96, 0.82, 0.32, 0.06], 0.03)
    >>> round(Posterior([Count(6, 0), Count(0, 6), Count(6, 0), Count(0, 6)]).irregular, 2)
    1.0
    """

    def __init__(self, counts: Sequence[Count]) -> None:
        self.curve, self.separate = Logistic(counts), Separate(counts)
        odds = math.log(IRREGULAR / (1 - IRREGULAR))
        self.irregular = _sigmoid(odds + self.separate.evidence - self.curve.evidence)
        """Posterior probability that the ladder follows no logistic curve."""

        self._models = ((1 - self.irregular, self.curve), (self.irregular, self.separate))
        self.means = [
            (1 - self.irregular) * curve + self.irregular * own
            for curve, own in zip(self.curve.means, self.separate.means)
        ]
        """Posterior mean of each level's success rate."""

    def below(self, level: int, rate: float) -> float:
        """Return the posterior probability that a level's success rate is at most a rate."""
        return sum(weight * model.below(level, rate) for weight, model in self._models)

    def between(self, level: int, low: float, high: float) -> float:
        """Return the posterior probability that a level's success rate is from low to high."""
        return max(0.0, self.below(level, high) - self.below(level, low))

    def span(self, level: int) -> Span:
        """Return the posterior mean of a level's success rate, and its equal-tailed interval."""
        mean = self.means[level]
        low, high = (self._quantile(level, share) for share in TAILS)
        return Span(mean, min(low, mean), max(high, mean))

    def covariance(self) -> list[list[float]]:
        """Return the posterior covariance of the success rates."""
        (curve_weight, curve), (own_weight, own) = self._models
        shift = [left - right for left, right in zip(curve.means, own.means)]
        spread = curve_weight * own_weight  # by it the difference of the means adds to the variance
        return [
            [
                curve_weight * x + own_weight * y + spread * shift[i] * shift[j]
                for j, (x, y) in enumerate(zip(*rows))
            ]
            for i, rows in enumerate(zip(curve.covariance(), own.covariance()))
        ]

    def _quantile(self, level: int, share: float) -> float:
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.below(level, middle) < share else (low, middle)
        return (low + high) / 2


def jeffreys(count: Count) -> Span:
    """Return the fraction of right attempts with Jeffreys' interval, which assumes no curve.

    An end is 0 or 1 if all outcomes are alike, as in L. Brown, T. Cai and A. DasGupta, "Interval
    Estimation for a Binomial Proportion" (2001). Raises ``ValueError`` without outcomes.

    >>> jeffreys(Count(3, 1)).value, [round(end, 3) for end in jeffreys(Count(3, 1))[1:]]
    (0.75, [0.284, 0.972])
    """
    if not count.scored:
        raise ValueError("there is no outcome")
    a, b = count.right + 0.5, count.wrong + 0.5
    low = beta_quantile(TAILS[0], a, b) if count.right else 0.0
    high = beta_quantile(TAILS[1], a, b) if count.wrong else 1.0
    return Span(count.right / count.scored, low, high)


def _middles(weights: Sequence[float]) -> list[float]:
    """Cumulative sums in which each weight counts half for itself."""
    return [total - weight / 2 for total, weight in zip(accumulate(weights), weights)]


def _interpolated(inputs: Sequence[float], outputs: Sequence[float], value: float) -> float:
    """The output at a value between two inputs, which do not decrease; constant outside them."""
    after = bisect_right(inputs, value)
    if after == len(inputs):
        return outputs[-1]
    if after == 0:
        return outputs[0]
    gap = inputs[after] - inputs[after - 1]
    return outputs[after - 1] + (outputs[after] - outputs[after - 1]) * (
        (value - inputs[after - 1]) / gap
    )


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value >= 0 else 1 - 1 / (1 + math.exp(value))


def _softplus(value: float) -> float:
    return max(value, 0.0) + math.log1p(math.exp(-abs(value)))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    total: float = sum(map(mul, left, right))
    return total
