"""Steps a second and the time of a reset in the tool worlds, in one process.

    python -m benchmarks.worlds [NAME ...] [--level N] [--seconds S]

A step is one reply of the perfect player, with everything that an episode does for it. A reset
draws a new task and makes the first observation, which includes a run of the oracle where a task is
valid only if the oracle wins. Without names, all environments of ``tools`` of several turns
are measured, at their middle level unless another is given.
"""

from argparse import ArgumentParser
from itertools import count, cycle
from statistics import median
from time import perf_counter

import palaestra
from palaestra.address import Address
from palaestra.registry import load, names
from palaestra.task import Puzzle


def reset_ms(name: str, level: int, seconds: float) -> float:
    """The median time of a new task and its first observation, in milliseconds."""
    times: list[float] = []
    begin = perf_counter()
    for seed in count():
        start = perf_counter()
        palaestra.Episode(Address.of(name, seed, level).task(), "bare")
        times.append(perf_counter() - start)
        if perf_counter() - begin > seconds:
            break
    return 1_000 * median(times)


def steps_per_second(name: str, level: int, seconds: float) -> float:
    """Replies of the perfect player that an episode takes in a second; only steps are timed."""
    tasks = [Address.of(name, seed, level).task() for seed in range(8)]
    solutions = [(task, list(task.solve())) for task in tasks]
    steps, spent = 0, 0.0
    for task, moves in cycle(solutions):
        episode = palaestra.Episode(task, "bare")
        start = perf_counter()
        for move in moves:
            episode.step(move)
        spent += perf_counter() - start
        steps += len(moves)
        if spent > seconds:
            break
    return steps / spent


def main() -> None:
    """Print a line for each world, and the medians."""
    parser = ArgumentParser(description=__doc__)
    worlds = [n for n in names() if n.startswith("tools/") and not issubclass(load(n), Puzzle)]
    parser.add_argument("names", nargs="*", default=sorted(worlds))
    parser.add_argument("--level", type=int)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    rows = []
    for name in options.names:
        levels = load(name).Knobs.levels()
        level = levels // 2 if options.level is None else options.level
        rows.append(
            (
                steps_per_second(name, level, options.seconds),
                reset_ms(name, level, options.seconds),
            )
        )
        print(f"{name:32} level {level} {rows[-1][0]:8,.0f} steps/s {rows[-1][1]:8.2f} ms a reset")
    steps, resets = (median(row[n] for row in rows) for n in (0, 1))
    print(f"{len(rows)} worlds: {steps:,.0f} steps/s and {resets:.2f} ms a reset in the median")


if __name__ == "__main__":
    main()
