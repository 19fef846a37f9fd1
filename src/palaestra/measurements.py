"""The measured figures of the catalog: scores of players without skill, difficulty, timings."""

import re
from statistics import median
from time import perf_counter

from palaestra.address import Address
from palaestra.catalog import Row
from palaestra.episode import BARE, Episode
from palaestra.registry import load
from palaestra.rng import Rng
from palaestra.scoring import score
from palaestra.task import Task
from palaestra.testing.sampling import duplicates
from palaestra.testing.unskilled import floor


def measured(name: str, seeds: int = 1_000) -> Row:
    """The measured part of an environment's row: figures from drawing, playing and timing it."""
    levels = range(load(name).Knobs.levels())
    middle = len(levels) // 2
    few = [[Address.of(name, seed, level).task() for seed in range(12)] for level in levels]
    difficulties = [[task.difficulty() or 0.0 for task in tasks] for tasks in few]
    figures: Row = {
        "floor": [round(max(floor(name, level).values()), 3) for level in levels],
        "random_baseline": [
            _short(_mean([task.random_baseline() for task in tasks])) for tasks in few
        ],
        "difficulty": [_short(_mean(difficulty)) for difficulty in difficulties],
        "tokens": [round(_mean([float(tokens(task)) for task in tasks])) for tasks in few],
        "moves": [
            round(_mean([float(len(list(task.solve()))) for task in tasks])) for tasks in few
        ],
        "duplicates": round(duplicates(name, middle, seeds), 4),
    }
    if not any(figures["difficulty"]):
        del figures["difficulty"]
    return figures | timings(name, middle)


def timings(name: str, level: int, number: int = 15) -> Row:
    """The median microseconds that drawing a task and judging a reply take."""
    task_type = load(name)
    knobs = task_type.Knobs.at(level)
    draws, verdicts = [], []
    for seed in range(number):
        start = perf_counter()
        task = task_type.sample(Rng(seed), knobs, held_out=False)
        draws.append(perf_counter() - start)
        moves = list(task.solve())
        score(task, moves, BARE)  # what is worked out once for a task is not judging
        start = perf_counter()
        score(task, moves, BARE)
        verdicts.append((perf_counter() - start) / len(moves))
    return {"sample_us": round(median(draws) * 1e6), "verify_us": round(median(verdicts) * 1e6)}


def tokens(task: Task) -> int:
    """About how many tokens the opening has: its words, numbers and signs."""
    return len(re.findall(r"\w+|[^\w\s]", Episode(task, BARE).observation))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _short(value: float) -> float:
    return float(f"{value:.3g}")
