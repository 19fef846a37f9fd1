"""The next levels to try, and when an environment has been tried enough.

Tasks come in rounds, and a round depends on the outcomes of earlier rounds alone. So it does not
matter in which order the attempts of a round end, and a calibration that is resumed makes the same
choices as one that was not interrupted.

The first round tries levels at equal distances. Of each further round, one task is of a level that
has had the fewest, so that no level is overlooked whatever the model says. The others are of the
levels where an attempt is expected to teach most. Let r be the success rates of all levels and y
the outcome of an attempt at level k, which succeeds with probability m. As y is 0 or 1, the attempt
lowers the posterior variance of the rate of level l by Cov(r_l, r_k)² / (m(1 - m)) in expectation.
These reductions are summed over levels, each weighted with the probability that its rate is in the
target (D. Cohn, Z. Ghahramani and M. Jordan, "Active Learning with Statistical Models", 1996,
select inputs by the expected variance as well). For further tasks of a round, the covariance is
the one that is expected after those before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palaestra.trainers.calibration.curves import Count, Posterior

TASKS = 24
"""Default maximum of tasks of an environment."""

OPENING = 5
"""Levels of the first round, with one task each."""

ROUND = 4
"""Tasks of each further round."""

FEWEST = 9
"""Scored attempts at an environment before its estimates can be precise enough."""

MARGIN = 0.05
"""Weight of every level in the choice, in addition to the probability of the target."""

DOUBTFUL = 0.5
"""Probability of an irregular ladder above which its crossing is not estimated."""


@dataclass(frozen=True, slots=True)
class Target:
    """A range of success rates, from ``low`` to ``high``.

    Raises ``ValueError`` unless 0 < low < high < 1.
    """

    low: float = 0.3
    high: float = 0.7

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            bounds = f"{self.low:g}-{self.high:g}"
            raise ValueError(f"a target is a range between 0 and 1, such as 0.3-0.7, not {bounds}")

    @classmethod
    def parse(cls, text: str) -> "Target":
        """Read a target such as ``0.3-0.7``. Raises ``ValueError``.

        >>> Target.parse("0.25-0.5")
        Target(low=0.25, high=0.5)
        """
        low, _, high = text.partition("-")
        try:
            bounds = float(low), float(high)
        except ValueError:
            raise ValueError(f"a target is LOW-HIGH, such as 0.3-0.7, not {text[:40]!r}") from None
        return cls(*bounds)

    @property
    def middle(self) -> float:
        """The rate whose crossing is estimated."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class Design:
    """The settings that decide which tasks are tried.

    ``tasks`` is the maximum of tasks of an environment. An environment is finished earlier once the
    95 % interval of the level at which success crosses the middle of the target is at most
    ``width`` levels wide. Raises ``ValueError`` for settings out of range.
    """

    target: Target = Target()
    tasks: int = TASKS
    width: float = 1.0

    def __post_init__(self) -> None:
        if not 1 <= self.tasks <= 10_000:
            raise ValueError(f"an environment has from 1 to 10,000 tasks, not {self.tasks}")
        if not 0 < self.width <= 100:
            raise ValueError(f"a width is above 0 and at most 100 levels, not {self.width:g}")

    def next_round(
        self, levels: Sequence[int], counts: Sequence[Count], tried: Mapping[int, int]
    ) -> list[int]:
        """Return the levels of the next tasks in order; none if the environment is finished.

        ``levels`` are those that may be tried, ``counts`` the outcomes at all levels of the ladder,
        and ``tried`` the number of tasks that each level has had, scored or not. An environment is
        also finished if no attempt of its first round can be scored.
        """
        used = sum(tried.values())
        if not used:
            return spaced(levels, OPENING)[: self.tasks]
        if used >= self.tasks or not any(each.scored for each in counts):
            return []
        posterior = Posterior(counts)
        if self.is_precise(posterior, counts):
            return []
        selected = choices(posterior, self.target, levels, tried)
        return sorted(selected[: self.tasks - used])

    def is_precise(self, posterior: Posterior, counts: Sequence[Count]) -> bool:
        """Return whether the crossing is known to within the width."""
        if sum(each.scored for each in counts) < FEWEST or posterior.irregular > DOUBTFUL:
            return False
        return len(counts) > 1 and posterior.curve.crossing(self.target.middle).width <= self.width


def spaced(levels: Sequence[int], number: int) -> list[int]:
    """Return some of the levels at equal distances, the first and the last among them.

    >>> spaced(range(10), 5), spaced([2, 3], 5), spaced([4], 5)
    ([0, 2, 4, 7, 9], [2, 3], [4])
    """
    if len(levels) <= number:
        return [*levels]
    return [levels[round(n * (len(levels) - 1) / (number - 1))] for n in range(number)]


def choices(
    posterior: Posterior, target: Target, levels: Sequence[int], tried: Mapping[int, int]
) -> list[int]:
    """Return the levels of a round in the order of choice."""
    near = {level: MARGIN + posterior.between(level, target.low, target.high) for level in levels}
    matrix = posterior.covariance()
    noise = [max(mean * (1 - mean), 1e-9) for mean in posterior.means]

    def gain(level: int) -> float:
        row = matrix[level]
        return sum(weight * row[at] ** 2 for at, weight in near.items()) / noise[level]

    fewest = min(tried.get(level, 0) for level in levels)
    candidates = [level for level in levels if tried.get(level, 0) == fewest]
    selected: list[int] = []
    while len(selected) < ROUND:
        best = max(candidates, key=gain)
        selected.append(best)
        row, divisor, candidates = matrix[best], noise[best], [*levels]
        matrix = [
            [value - row[i] * row[j] / divisor for j, value in enumerate(own)]
            for i, own in enumerate(matrix)
        ]
    return selected
