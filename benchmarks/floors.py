"""What the best constant earns at the lowest levels, from more answers than the cards look at.

Of the answers to 120 tasks the 25 most usual ones are given to 60, and the best three of them to
all 300. The three are chosen on some of the tasks that they are measured on, so a figure near the
limit is a little too high. Environments of programs are left out, for judging them takes long; a
level that is slow to draw has fewer tasks.

    python benchmarks/floors.py [ENVIRONMENT ...]
"""

import sys
from collections import Counter
from random import Random
from time import perf_counter

import palaestra
from palaestra.registry import load
from palaestra.task import InvalidAnswer, Puzzle, Task
from palaestra.testing import FLOOR

TASKS, SEED, PATIENCE_S = 300, 77_000, 3.0


def tasks(task_type: type[Task], level: int) -> list[Puzzle]:
    """Training tasks of a level."""
    knobs, samples, start = task_type.Knobs.at(level), [], perf_counter()
    for seed in range(SEED, SEED + TASKS):
        task = task_type.sample(Random(seed), knobs, held_out=False)
        assert isinstance(task, Puzzle)
        samples.append(task)
        if perf_counter() - start > PATIENCE_S:
            break
    return samples


def earned(puzzles: list[Puzzle], answer: str) -> float:
    """The mean score of one answer."""
    return sum(_value(task, answer) for task in puzzles) / len(puzzles)


def _value(task: Puzzle, answer: str) -> float:
    try:
        return task.verify(answer).value
    except InvalidAnswer:
        return 0.0


def main(names: list[str]) -> None:
    """Print the levels where a constant earns more than 0.04, and how many were looked at."""
    looked = 0
    print("| environment | level | tasks | best constant | chance |\n|---|---:|---:|---:|---:|")
    for name in names or palaestra.names():
        task_type = load(name)
        if not issubclass(task_type, Puzzle) or task_type.expensive:
            continue
        for level in (0, 1):
            puzzles = tasks(task_type, level)
            usual = Counter(task.answer() for task in puzzles[:120]).most_common(25)
            few = sorted((answer for answer, _ in usual), key=lambda a: -earned(puzzles[:60], a))
            best = max(earned(puzzles, answer) for answer in few[:3])
            random_baseline = sum(task.random_baseline() for task in puzzles) / len(puzzles)
            looked += 1
            if best > FLOOR - 0.01:
                print(
                    f"| {name} | {level} | {len(puzzles)} | {best:.3f} | {random_baseline:.3f} |",
                    flush=True,
                )
    print(f"\n{looked} levels were looked at")


if __name__ == "__main__":
    main(sys.argv[1:])
