"""What it costs to score in this process, and to come from an address to its task.

For every puzzle that is judged in this process, at its middle level and by its right answer:

- ``score``: ``palaestra.score`` of one reply to a task that is known already, as those of a group
  are, which is named by the text of its address;
- ``score_many``: the same for an item of a list of 64;
- ``known task``: ``Address.of(...).task()`` of such a task.

And for a puzzle of one random number, which is the least that a task can be, so that what is left
is the cost of the core alone:

- ``new task``: ``Address.of(...).task()``, each time with another seed;
- ``seeding``: of that, seeding the random generator, which is Python's.

All are CPU microseconds. Of each environment the median of some laps counts, and of those the
median over all environments.

    python benchmarks/scoring.py [--against FOLDER] [--seconds 0.004] [--json]

With ``--against``, another checkout is measured in turn with this one, environment by environment
and with the packages of this one, so that a busy machine is busy for both; the ratio is the median
of the environments' ratios.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, Self
from unittest.mock import patch

import palaestra
from palaestra import Address, Puzzle, Score, ladder
from palaestra.episode import TAGS

LAPS, ITEMS = 5, 64
LEAST = "logic/one_number"
SEEDS = count()
"""None of them comes twice, for a task that was drawn is kept."""

Figures = dict[str, float]


class OneNumber(Puzzle):
    """The least that a task can be."""

    class Knobs(Puzzle.Knobs):
        """How large it may be."""

        most: int = ladder(10, 100, 1_000)

    number: int

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """One number."""
        return cls(number=rng.randrange(knobs.most))

    def prompt(self) -> str:
        """The question."""
        return f"What number is {self.number}?"

    def answer(self) -> str:
        """The number."""
        return str(self.number)

    def verify(self, answer: str) -> Score:
        """Whether it is that."""
        return Score(answer == self.answer(), "another number")


# ------------------------------------------------------------------ one side


def cpu_us(work: Callable[[], Any], seconds: float, at_once: int = 10) -> float:
    """CPU microseconds a call, over so many seconds at least. The clock is read after ``at_once``
    calls, for that costs half a microsecond itself.
    """
    calls, start = 0, process_time()
    while (spent := process_time() - start) < seconds:
        for _ in range(at_once):
            work()
        calls += at_once
    return spent / calls * 1e6


def puzzle_figures(name: str, seconds: float) -> Figures:
    """What one environment costs."""
    level = (palaestra.load(name).Knobs.levels() - 1) // 2
    address = Address.of(name, 3, level)
    task = address.task()
    assert isinstance(task, Puzzle)
    text, reply = str(address), TAGS.write(task.answer())
    assert palaestra.score(text, reply).correct
    items = [(text, reply)] * ITEMS
    return {
        "score": cpu_us(lambda: palaestra.score(text, reply), seconds),
        "score_many": cpu_us(lambda: palaestra.score_many(items), seconds, 1) / ITEMS,
        "known task": cpu_us(lambda: Address.of(name, 3, level).task(), seconds),
    }


def core_figures(seconds: float) -> Figures:
    """What the core costs where a task costs nothing."""
    with patch("palaestra.address.load", lambda _: OneNumber):
        text = str(Address.of(LEAST, 2**30, 1))
        return {
            "new task": cpu_us(lambda: Address.of(LEAST, next(SEEDS), 1).task(), seconds),
            "seeding": cpu_us(lambda: Random(text), seconds),
        }


def serve() -> None:
    """Measures what is named on the standard input, line by line."""
    for line in sys.stdin:
        name, seconds = json.loads(line)
        figures = core_figures(seconds) if name == LEAST else puzzle_figures(name, seconds)
        print(json.dumps(figures), flush=True)


# ------------------------------------------------------------------ both sides


class Side:
    """A process that measures a checkout."""

    def __init__(self, checkout: Path | None) -> None:
        path = {} if checkout is None else {"PYTHONPATH": str(checkout.resolve() / "src")}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | path,
        )  # fmt: skip

    def figures(self, name: str, seconds: float) -> Figures:
        """What an environment costs there."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, seconds]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{name} cannot be measured")
        figures: Figures = json.loads(line)
        return figures

    def stop(self) -> None:
        """Ends it."""
        self.process.communicate()


def puzzles() -> Iterator[str]:
    """The environments that one reply settles, and that are judged in this process."""
    for name in palaestra.names():
        environment = palaestra.load(name)
        is_apart = environment.expensive or "sandboxed" in environment.tags
        if issubclass(environment, Puzzle) and not is_apart:
            yield name


def measured(names: list[str], against: Path | None, seconds: float) -> dict[str, Figures]:
    """The median of each figure over all environments, here and there, and of their ratios."""
    sides = {"here": Side(None)} | ({} if against is None else {"there": Side(against)})
    laps: dict[tuple[str, str], dict[str, list[float]]] = {}
    try:
        for _ in range(LAPS):
            for name in (LEAST, *names):
                longer = 20 * seconds if name == LEAST else seconds
                for side, process in sides.items():
                    for figure, cost in process.figures(name, longer).items():
                        costs = laps.setdefault((figure, name), {each: [] for each in sides})
                        costs[side].append(cost)
    finally:
        for process in sides.values():
            process.stop()
    rows: dict[str, dict[str, list[float]]] = {}
    for (figure, _), costs in laps.items():
        row = rows.setdefault(figure, {})
        for side, some in costs.items():
            row.setdefault(side, []).append(median(some))
        if against is not None:
            ratios = [here / there for here, there in zip(costs["here"], costs["there"])]
            row.setdefault("ratio", []).append(median(ratios))
    return {
        figure: {column: median(values) for column, values in row.items()}
        for figure, row in rows.items()
    }


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout")
    options.add_argument("--seconds", type=float, default=0.004, help="for each figure and lap")
    options.add_argument("--json", action="store_true")
    options.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    wish = options.parse_args()
    if wish.serve:
        serve()
        return
    names = [*puzzles()]
    figures = measured(names, wish.against, wish.seconds)
    if wish.json:
        print(json.dumps({"puzzles": len(names)} | figures, indent=2))
        return
    print(f"CPU µs, in the median of {len(names)} puzzles; of new tasks, those of one number\n")
    print(f"{'':12}{'here':>8}" + ("" if wish.against is None else f"{'there':>8}{'ratio':>8}"))
    for figure, row in figures.items():
        there = f"{row['there']:8.1f}{row['ratio']:8.2f}" if "there" in row else ""
        print(f"{figure:12}{row['here']:8.1f}{there}")


if __name__ == "__main__":
    main()
