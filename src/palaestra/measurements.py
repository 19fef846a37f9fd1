"""The measured figures of the catalog: scores of baseline players, difficulty, timings."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from time import perf_counter

from palaestra.address import Address
from palaestra.catalog import Row
from palaestra.episode import BARE, Episode
from palaestra.registry import load
from palaestra.rng import Rng
from palaestra.scoring import score
from palaestra.task import Task
from palaestra.testing.baselines import baseline_scores, commonest_answer
from palaestra.testing.sampling import duplicates
from palaestra.testing.unskilled import floor

SECONDS = 4
"""About how long duplicates are looked for; where sampling is slow, among 200 tasks at least."""


def all_measured(names: Sequence[str]) -> Iterator[Row]:
    """The measured figures of several environments, in their order, on all processors."""
    if len(names) < 2:
        yield from map(measured, names)
        return
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        yield from pool.map(measured, names)


def measured(name: str, seeds: int = 1_000) -> Row:
    """The measured part of an environment's row: figures from drawing, playing and timing it."""
    levels = range(load(name).Knobs.levels())
    middle = len(levels) // 2
    few = [[Address.of(name, seed, level).task() for seed in range(12)] for level in levels]
    floors = [floor(name, level) for level in levels]
    best = [best_player(name, level, floors[level]) for level in levels]
    difficulties = [[task.difficulty() or 0.0 for task in tasks] for tasks in few]
    figures: Row = {
        "floor": [round(max(scores.values()), 3) for scores in floors],
        "baseline": [round(score, 3) for score, _ in best],
        "baseline_player": [player if score else "none" for score, player in best],
        "random_baseline": [
            _short(
                max(_mean([each.random_baseline() for each in few[n]]), commonest_answer(name, n))
            )
            for n in levels
        ],
        "difficulty": [_short(_mean(difficulty)) for difficulty in difficulties],
        "tokens": [round(_mean([float(tokens(task)) for task in tasks])) for tasks in few],
        "moves": [
            round(_mean([float(len(list(task.solve()))) for task in tasks])) for tasks in few
        ],
    }
    if not any(figures["difficulty"]):
        del figures["difficulty"]
    times = timings(name, middle)
    number = min(seeds, max(200, SECONDS * 1_000_000 // times["sample_us"]))
    return figures | {"duplicates": round(duplicates(name, middle, number), 4)} | times


def best_player(name: str, level: int, floor: Mapping[str, float]) -> tuple[float, str]:
    """The score of the best player without search, and which one it is.

    These are the baseline players that the environment names, and the players without skill that
    the checks know of, whose scores at this level are given as ``floor``.
    """
    seeds = range(8 if load(name).expensive else 60)
    scores = {**floor, **baseline_scores(name, level, seeds)}
    player = max(scores, key=scores.__getitem__)
    return scores[player], player


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
