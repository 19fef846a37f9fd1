"""Confidence intervals for the mean of values from 0 to 1, one for each of a few tasks.

The interval is that of Clopper and Pearson (1934) in the form that A. Gaffke gave it for values
between 0 and 1 ("Three test statistics for a nonparametric one-sided hypothesis on the mean of a
nonnegative variable", 2005; see E. Learned-Miller and P. Thomas, "A new confidence interval for the
mean of a bounded random variable", 2019). To the values one more is added, a 0 for the lower end
and a 1 for the upper end, for what has not been seen; then tasks are weighed anew, as a Bayesian
bootstrap does. Three things are changed:

- the added value counts for :data:`UNSEEN` of a task; with a whole one the interval holds the truth
  at least as often as it promises, and is some 6 % wider;
- the bootstrap's distribution is taken to be the Beta distribution with its mean and its variance,
  which it is for values of 0 and 1;
- its variance is not below that of Student's interval, for the few values are all that is known of
  how far values differ, as long as it is not above that of values of 0 and 1 with the same mean,
  which differ most.

``benchmarks/intervals.py`` measures how often such an interval holds the truth, and how wide it is.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist, fmean, variance

UNSEEN = 0.75
"""For how much of a task the value counts that is added for what has not been seen."""

COVERAGE = 0.95
"""The share of intervals that are to hold the truth."""

NORMAL = 1.959964
"""Of a normal distribution, that share lies within so many deviations of its mean."""

_TAIL = (1 - COVERAGE) / 2
_NOTHING = 1e-9
"""Values that are together below this are taken for 0."""

_PRECISION_MOST = 1e6
"""The sum of a Beta distribution's parameters beyond which a normal one stands for it."""


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of independent values from 0 to 1, and its 95 % confidence interval.

    Each value is that of a task: its share of successful attempts, say, or its mean score. Attempts
    at one task are no trials of their own, so their number does not matter. Unlike a bootstrap, the
    interval does not shrink to nothing where all values are the same. Raises ``ValueError`` for no
    values.

    >>> [round(x, 3) for x in interval([1.0, 1.0, 1.0, 0.0])]
    [0.75, 0.212, 0.993]
    """
    if not values:
        raise ValueError("there is no value to take the mean of")
    low = _lower(tuple(values))
    high = 1 - _lower(tuple(1 - value for value in values))
    mean = min(max(fmean(values), low), high)
    return mean, low, high


def estimate(means: Sequence[float]) -> dict[str, float] | None:
    """The mean of a figure of each task, with its interval; None where there are no tasks."""
    if not means:
        return None
    mean, low, high = interval(means)
    return {"value": round(mean, 6), "low": round(low, 6), "high": round(high, 6)}


def _lower(values: Sequence[float]) -> float:
    """The lower end: what the mean is above, in all but 2.5 % of the ways to weigh the values."""
    total = math.fsum(values)
    if total < _NOTHING:
        return 0.0
    count = len(values) + UNSEEN
    mean = total / count
    squares = math.fsum((value - mean) ** 2 for value in values) + UNSEEN * mean**2
    spread = squares / count / (count + 1)
    if len(values) > 1:
        wide = student(len(values) - 1) / NORMAL
        spread = max(spread, variance(values) / len(values) * wide**2)
    spread = min(spread, mean * (1 - mean) / (count + 1))
    precision = mean * (1 - mean) / spread - 1
    return beta_quantile(_TAIL, mean * precision, (1 - mean) * precision)


@lru_cache(maxsize=4_096)
def student(freedom: int) -> float:
    """How many standard errors reach from the mean to the end of Student's 95 % interval.

    >>> round(student(9), 4)
    2.2622
    """
    if freedom >= 10**5:
        return NORMAL
    share = beta_quantile(COVERAGE, 0.5, freedom / 2)
    return math.sqrt(freedom * share / (1 - share))


def beta_quantile(share: float, a: float, b: float) -> float:
    """The value that a share of a Beta distribution lies below, for ``a`` and ``b`` above 0.

    >>> round(beta_quantile(0.025, 8, 3), 4)
    0.4439
    """
    if a + b > _PRECISION_MOST:
        normal = NormalDist(a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b))
        return min(max(normal.inv_cdf(share), 0.0), 1.0)
    low, high = 0.0, 1.0
    value = a / (a + b)
    for _ in range(200):  # Newton's steps, and halves where these lead out of what is known
        over = beta_share(value, a, b) - share
        low, high = (low, value) if over > 0 else (value, high)
        slope = _density(value, a, b)
        step = value - over / slope if slope > 0 else low
        after = step if low < step < high else (low + high) / 2
        if abs(after - value) <= 1e-12 * max(value, 1e-12) or high - low <= 1e-300:
            return after
        value = after
    return value


def _density(value: float, a: float, b: float) -> float:
    if not 0 < value < 1:
        return 0.0
    log = (a - 1) * math.log(value) + (b - 1) * math.log1p(-value) - _log_beta(a, b)
    return math.exp(min(log, 700.0))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def beta_share(value: float, a: float, b: float) -> float:
    """The share of a Beta distribution that lies below a value: the regularised incomplete beta
    function, by its continued fraction (W. Press et al., "Numerical Recipes", 6.4).

    >>> round(beta_share(0.5, 3, 3), 12)
    0.5
    """
    if value <= 0 or value >= 1:
        return float(value >= 1)
    front = math.exp(a * math.log(value) + b * math.log1p(-value) - _log_beta(a, b))
    if value < (a + 1) / (a + b + 2):
        return front * _fraction(value, a, b) / a
    return 1 - front * _fraction(1 - value, b, a) / b


def _fraction(value: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by the method of W. J. Lentz."""
    tiny = 1e-300
    above = 1.0
    below = 1 / _off_zero(1 - (a + b) * value / (a + 1), tiny)
    fraction = below
    for n in range(1, 20_000):
        for term in (
            n * (b - n) * value / ((a + 2 * n - 1) * (a + 2 * n)),
            -(a + n) * (a + b + n) * value / ((a + 2 * n) * (a + 2 * n + 1)),
        ):
            below = 1 / _off_zero(1 + term * below, tiny)
            above = _off_zero(1 + term / above, tiny)
            fraction *= above * below
        if abs(above * below - 1) < 1e-14:
            break
    return fraction


def _off_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny
