"""How well `palaestra calibrate` measures success by level, on ladders whose truth is known.

Outcomes are simulated for ladders of six levels: such that the prior expects, and single curves
that are too easy, too hard, flat, gentle, steep, rising or no curves at all. The measurements are

- coverage: how many 95 % intervals of a level's success rate contain the truth, to half a
  percentage point;
- tasks: how many of at most 24 tasks are used;
- levels in the target: how many there are, how many of these are selected, and how many others are.

`even` distributes the tasks of each round evenly over the levels, and stops by the same rule.

    python benchmarks/calibration.py [--times N]
"""

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.trainers.calibration.curves import (
    IRREGULAR,
    Count,
    Logistic,
    Posterior,
    standardised,
)
from palaestra.trainers.calibration.design import Design
from palaestra.trainers.calibration.reports import LIKELY

LEVELS = 6

NEAR = 0.005
"""A rate of 99.999 % counts as inside an interval that ends at 99.9 %."""

Truth = Callable[[Random], list[float]]
"""Draws the success rate of each level."""


def logistic(a: float, b: float) -> Truth:
    """The curve logit p = a - b·z, with z from -1 to 1."""
    places = [standardised(level, LEVELS) for level in range(LEVELS)]
    rates = [1 / (1 + math.exp(-(a - b * z))) for z in places]
    return lambda _: rates


def expected(rng: Random) -> list[float]:
    """A ladder from the prior."""
    if rng.random() < IRREGULAR:
        return [rng.betavariate(0.5, 0.5) for _ in range(LEVELS)]
    prior = Logistic([Count()] * LEVELS)
    ((a, b),) = rng.choices(prior.grid.points, prior.weights)
    return logistic(a, b)(rng)


TRUTHS: dict[str, Truth] = {
    "drawn from the prior": expected,
    "too easy: 0.99 to 0.97": logistic(4, 0.5),
    "too hard: 0.08 to 0.03": logistic(-3, 0.5),
    "flat at 0.8": logistic(math.log(4), 0),
    "flat at 0.5": logistic(0, 0),
    "gentle: 0.82 to 0.18": logistic(0, 1.5),
    "medium: 0.95 to 0.05": logistic(0, 3),
    "steep, in the upper half": logistic(1.5, 8),
    "steep, in the lower half": logistic(-3, 6),
    "a step in the middle": logistic(0, 20),
    "rising: 0.1 to 0.9": lambda _: [0.1, 0.3, 0.5, 0.6, 0.8, 0.9],
    "a plateau at 0.5": lambda _: [0.95, 0.95, 0.5, 0.5, 0.5, 0.05],
    "zigzag of 0.9 and 0.2": lambda _: [0.9, 0.2, 0.9, 0.2, 0.9, 0.2],
}


@dataclass(frozen=True, slots=True)
class Even(Design):
    """Levels in turn, as many in a round as the adaptive design has."""

    def next_round(
        self, levels: Sequence[int], counts: Sequence[Count], tried: dict[int, int]
    ) -> list[int]:
        """Return the levels of the next tasks."""
        number = len(Design.next_round(self, levels, counts, tried))
        used = sum(tried.values())
        return [levels[(used + n) % len(levels)] for n in range(number)]


class Measured(NamedTuple):
    """Sums over some simulated calibrations."""

    covered: int = 0
    levels: int = 0
    tasks: int = 0
    suitable: int = 0
    selected: int = 0
    mistaken: int = 0

    def plus(self, other: "Measured") -> "Measured":
        """The sum of both."""
        return Measured(*(one + two for one, two in zip(self, other)))


def simulated(rates: Sequence[float], design: Design, rng: Random) -> list[Count]:
    """The outcomes of a calibration of a ladder with these success rates."""
    counts = [Count()] * len(rates)
    tried = dict.fromkeys(range(len(rates)), 0)
    while levels := design.next_round(range(len(rates)), counts, tried):
        for level in levels:
            tried[level] += 1
            right = rng.random() < rates[level]
            counts[level] = Count(counts[level].right + right, counts[level].wrong + (not right))
    return counts


def measured(rates: Sequence[float], design: Design, rng: Random) -> Measured:
    """One simulated calibration, compared with the truth."""
    counts = simulated(rates, design, rng)
    posterior, total = Posterior(counts), Measured(tasks=sum(each.scored for each in counts))
    low, high = design.target.low, design.target.high
    for level, rate in enumerate(rates):
        span = posterior.span(level)
        suitable = low <= rate <= high
        selected = posterior.between(level, low, high) > LIKELY
        total = total.plus(
            Measured(
                span.low - NEAR <= rate <= span.high + NEAR,
                1,
                0,
                suitable,
                suitable and selected,
                selected and not suitable,
            )
        )
    return total


def measurement(truth: Truth, design: Design, times: int, seed: int = 1) -> Measured:
    """The sums over as many calibrations."""
    rng, total = Random(seed), Measured()
    for _ in range(times):
        total = total.plus(measured(truth(rng), design, rng))
    return total


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=300, help="calibrations of each row")
    times = parser.parse_args().times
    heads = ["ladder", "coverage", "tasks", "in target", "selected", "others selected"]
    for name, design in (("adaptive", Design()), ("even", Even())):
        print(f"\n{name}, {times} calibrations of each row\n")
        print(f"| {' | '.join(heads)} |\n|---|{'---:|' * (len(heads) - 1)}")
        for title, truth in TRUTHS.items():
            m = measurement(truth, design, times)
            figures = [f"{100 * m.covered / m.levels:.1f} %"]
            sums = (m.tasks, m.suitable, m.selected, m.mistaken)
            figures += [f"{each / times:.2f}" for each in sums]
            print(f"| {' | '.join([title, *figures])} |", flush=True)


if __name__ == "__main__":
    main()
