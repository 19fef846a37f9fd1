"""Times to describe and draw the scenes of environments.

    python -m benchmarks.scenes [NAME ...] [--size PIXELS] [--level N]

For each environment with a scene: microseconds to describe it, milliseconds to draw it as an RGB
array of ``--size`` pixels and as SVG, for tasks of the top level unless another is given. A drawing
is timed for tasks that were not drawn before, as observations are, and again for the same task.
Each figure is the median CPU time over eight tasks.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Any

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.registry import load, names
from palaestra.scenes.raster import rgb
from palaestra.scenes.vectors import svg

TASKS = 8


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What some work gives, and the seconds of CPU time that it takes."""
    start = process_time()
    result = work()
    return result, process_time() - start


def measured(name: str, size: int, level: int | None) -> tuple[float, ...] | None:
    """The median times of an environment in milliseconds; None where it is all words."""
    levels = load(name).Knobs.levels()
    rows = []
    for seed in range(TASKS):
        task = Address.of(
            name, seed, levels - 1 if level is None else min(level, levels - 1)
        ).task()
        turn = Episode(task, "bare").turn
        scene, described = timed(turn.scene)
        if scene is None:
            return None
        _, first = timed(lambda scene=scene: rgb(scene, size))
        _, again = timed(lambda scene=scene: rgb(scene, size))
        _, vectors = timed(lambda scene=scene: svg(scene))
        rows.append((described, first, again, vectors))
    return tuple(1_000 * median(column) for column in zip(*rows, strict=True))


def main() -> None:
    """Print a line for each environment, and the medians."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=sorted(names()))
    parser.add_argument("--size", type=int, default=448)
    parser.add_argument("--level", type=int)
    options = parser.parse_args()
    print("| environment | described, µs | drawn, ms | drawn again, ms | SVG, ms |")
    rows = []
    for name in options.names:
        row = measured(name, options.size, options.level)
        if row is not None:
            rows.append(row)
            show(name, row)
    columns = list(zip(*rows, strict=True))
    show(f"median of {len(rows)}", [median(column) for column in columns])
    show("slowest", [max(column) for column in columns])


def show(name: str, row: Sequence[float]) -> None:
    """Print a row of the table."""
    print(f"| {name} | {1_000 * row[0]:.0f} | " + " | ".join(f"{ms:.1f}" for ms in row[1:]) + " |")


if __name__ == "__main__":
    main()
