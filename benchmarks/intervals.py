"""How often the intervals of `palaestra eval` hold the truth, and how wide they are.

Evaluations are drawn from distributions whose mean is known: tasks whose chance of success is the
same for all, differs, or is 0 or 1 (so that all attempts at a task end alike), and scores with
partial credit of several shapes, independent or the same for all attempts at a task. The width is
told in that of the interval which somebody could write down who knew the distribution: 1.96
standard deviations of the mean to either side.

    python benchmarks/intervals.py [--times N] [--all]
"""

import argparse
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from math import sqrt
from random import Random
from statistics import fmean, median, pstdev
from typing import NamedTuple

from palaestra.trainers.evaluation.intervals import NORMAL, interval

TASKS, SAMPLES = (12, 20, 50, 100), (1, 8)
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9)
ALIKE = {"one chance for all": 0.0, "chances differ": 0.3, "all or none": 1.0}
"""The correlation of the attempts at a task."""


class Shape(NamedTuple):
    """A distribution of scores with partial credit."""

    mean: float
    draw: Callable[[Random], float]


def _held(value: float) -> float:
    return min(max(value, 0.0), 1.0)


SHAPES = {
    "even from 0 to 1": Shape(0.5, lambda rng: rng.random()),
    "mostly 0 or 1": Shape(0.5, lambda rng: rng.betavariate(0.5, 0.5)),
    "around 0.6": Shape(0.6, lambda rng: rng.betavariate(6, 4)),
    "close to 0.5": Shape(0.5, lambda rng: _held(rng.gauss(0.5, 0.02))),
    "close to 0.5, 5 % at 0": Shape(
        0.475, lambda rng: 0.0 if rng.random() < 0.05 else _held(rng.gauss(0.5, 0.02))
    ),
    "low": Shape(0.05, lambda rng: rng.betavariate(0.5, 9.5)),
    "95 % at 0": Shape(0.025, lambda rng: rng.random() if rng.random() < 0.05 else 0.0),
    "70 % at 1": Shape(0.85, lambda rng: 1.0 if rng.random() < 0.7 else rng.random()),
}


class Case(NamedTuple):
    """A kind of evaluation."""

    outcome: str
    what: str
    how: str
    tasks: int
    samples: int
    mean: float
    draw: Callable[[Random], float]
    """The value of a task."""


class Found(NamedTuple):
    """How often the intervals of a case held the truth, and how wide they were."""

    case: Case
    coverage: float
    width: float


def chance(rate: float, alike: float, rng: Random) -> float:
    """The chance of success at a task."""
    if alike in {0.0, 1.0}:
        return rate if alike == 0 else float(rng.random() < rate)
    size = 1 / alike - 1
    return rng.betavariate(rate * size, (1 - rate) * size)


def cases() -> Iterator[Case]:
    """All kinds of evaluation."""
    for tasks, samples in product(TASKS, SAMPLES):
        for (how, alike), rate in product(ALIKE.items(), RATES):
            if samples > 1 or alike == 0:

                def succeed(
                    rng: Random, rate: float = rate, alike: float = alike, k: int = samples
                ) -> float:
                    own = chance(rate, alike, rng)
                    return sum(rng.random() < own for _ in range(k)) / k

                yield Case("success", f"{rate:.0%}", how, tasks, samples, rate, succeed)
        for what, shape in SHAPES.items():
            for how in ("attempts differ", "all alike")[: 1 if samples == 1 else 2]:

                def earn(
                    rng: Random,
                    shape: Shape = shape,
                    own: int = 1 if how == "all alike" else samples,
                ) -> float:
                    return fmean(shape.draw(rng) for _ in range(own))

                yield Case("partial credit", what, how, tasks, samples, shape.mean, earn)


@lru_cache(maxsize=1 << 16)
def ends(values: tuple[float, ...]) -> tuple[float, float]:
    """The interval of some values, in any order."""
    return interval(values)[1:]


def measured(case: Case, times: int) -> Found:
    """What comes of a case."""
    rng, held, widths, means = Random(repr(case[:6])), 0, [], []
    for _ in range(times):
        values = tuple(sorted(case.draw(rng) for _ in range(case.tasks)))
        low, high = ends(values)
        held += low <= case.mean <= high
        widths.append(high - low)
        means.append(fmean(values))
    known = 2 * NORMAL * pstdev(means, case.mean)
    return Found(case, held / times, fmean(widths) / known)


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=1_000, help="evaluations of each kind")
    options.add_argument("--all", action="store_true", help="print a line for each kind")
    arguments = options.parse_args()
    rows = [measured(case, arguments.times) for case in cases()]
    error = sqrt(0.95 * 0.05 / arguments.times)
    print(
        f"{len(rows)} kinds of evaluation, {arguments.times} of each; coverage of 95 % is measured"
    )
    print(f"with a standard error of {error:.1%}. Widths are in those of the known distribution.\n")
    for outcome in ("success", "partial credit"):
        own = [one for one in rows if one.case.outcome == outcome]
        print(f"{outcome:24s} coverage: least, median     width: median, most")
        for what in dict.fromkeys(one.case.what for one in own):
            line([one for one in own if one.case.what == what], f"  {what}")
        for tasks in TASKS:
            line([one for one in own if one.case.tasks == tasks], f"  {tasks} tasks")
        for how in dict.fromkeys(one.case.how for one in own):
            line([one for one in own if one.case.how == how], f"  {how}")
        line(own, "  all")
        print()
    if arguments.all:
        for case, coverage, width in rows:
            print(f"{case.outcome:15s} {case.what:24s} {case.how:20s} {case.tasks:4d} tasks"
                  f" {case.samples} attempts {coverage:7.1%} {width:6.2f}")  # fmt: skip


def line(some: list[Found], name: str) -> None:
    """One line of a table."""
    coverages, widths = [one.coverage for one in some], [one.width for one in some]
    print(f"{name:30s} {min(coverages):7.1%} {median(coverages):8.1%} "
          f"{median(widths):16.2f} {max(widths):6.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
