"""Success rates that curricula start from, before a learner has played anything."""

import math
from collections.abc import Collection, Mapping, Sequence

from palaestra import profiles
from palaestra.catalog import recorded_fingerprint
from palaestra.profiles import Profile

Prior = Mapping[str, Mapping[int, float]]
"""Success rates from 0 to 1 by environment and level."""


def rates_of(
    prior: Prior | Profile | str, cells: Collection[tuple[str, int]]
) -> dict[tuple[str, int | None], float]:
    """Return the success rates of those cells, an environment and a level each, that have one.

    A string is the name of a model with a profile, or the path of a file with one. Environments
    whose tasks are not those of a profile are left out. Raises ``ValueError`` for no such profile,
    a rate that is none, and where no cell has one.

    >>> rates_of({"games/mastermind": {0: 0.75}}, [("games/mastermind", 0)])
    {('games/mastermind', 0): 0.75}
    """
    if isinstance(prior, str):
        prior = profiles.find(prior)
    if isinstance(prior, Profile):
        prior = prior.rates({env: recorded_fingerprint(env) for env, _ in cells})
    rates: dict[tuple[str, int | None], float] = {
        (env, level): prior[env][level] for env, level in cells if level in prior.get(env, {})
    }
    if odd := [rate for rate in rates.values() if not 0 <= rate <= 1]:
        raise ValueError(f"success rates are from 0 to 1, not {odd[0]}")
    if not rates:
        raise ValueError("the prior has no level of the mixture, or its environments have changed")
    return rates


def crossing(rates: Sequence[tuple[int, float]], target: float) -> float:
    """Where success rates by level fall below a target, between the two levels beside it.

    It is the last level with a rate where none falls below, and the first where all do.

    >>> crossing([(0, 0.9), (1, 0.7), (2, 0.3)], 0.5)
    1.5
    """
    below = next((n for n, (_, rate) in enumerate(rates) if rate < target), len(rates))
    if below in {0, len(rates)}:
        return float(rates[min(below, len(rates) - 1)][0])
    (lower, high), (upper, low) = rates[below - 1], rates[below]
    return lower + (upper - lower) * (high - target) / (high - low)


def deviation(mean: float) -> float:
    """The deviation of rewards of 0 and 1 with such a mean, which is at most one half."""
    return math.sqrt(mean * (1 - mean))
