"""The measured figures of the catalog: scores of baseline players, difficulty, timings."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from time import perf_counter

from palaestra.catalog import Row
from palaestra.episode import BARE, Episode
from palaestra.registry import load
from palaestra.rng import Rng
from palaestra.scoring import score
from palaestra.task import Task
from palaestra.testing.baselines import baseline_scores, commonest_answer
from palaestra.testing.players import task as cached_task
from palaestra.testing.sampling import COUNTED, duplicates
from palaestra.testing.unskilled import floor


def all_measured(
    names: Sequence[str], advance: Callable[[int, int], object] = lambda done, total: None
) -> Iterator[Row]:
    """The measured figures of several environments, in their order, on all processors.

    Each level of an environment is measured by itself, and so is what concerns the environment as a
    whole. ``advance`` is called with the number of such parts that are done, and of all.
    """
    if not names:
        return
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        parts: list[list[Future[Row]]] = []
        for name in names:
            levels = [pool.submit(at_level, name, n) for n in range(load(name).Knobs.levels())]
            parts.append([*levels, pool.submit(overall, name)])
        total, done = sum(map(len, parts)), 0
        for part in parts:
            rows = []
            for future in part:
                rows.append(future.result())
                done += 1
                advance(done, total)
            yield together(rows[:-1], rows[-1])


def measured(name: str, seeds: int = COUNTED) -> Row:
    """The measured part of an environment's row: figures from drawing, playing and timing it."""
    levels = range(load(name).Knobs.levels())
    return together([at_level(name, level) for level in levels], overall(name, seeds))


def together(levels: Sequence[Row], whole: Row) -> Row:
    """The figures of all levels as lists, and beside them those of the environment as a whole."""
    figures = {key: [row[key] for row in levels] for key in levels[0]}
    if not any(figures["difficulty"]):
        del figures["difficulty"]
    return figures | whole


def at_level(name: str, level: int) -> Row:
    """The figures of one level."""
    few = [cached_task(name, seed, level) for seed in range(12)]
    unskilled = floor(name, level)
    best, player = best_player(name, level, unskilled)
    chance = max(_mean([each.random_baseline() for each in few]), commonest_answer(name, level))
    return {
        "floor": round(max(unskilled.values()), 3),
        "baseline": round(best, 3),
        "baseline_player": player if best else "none",
        "random_baseline": _short(chance),
        "difficulty": _short(_mean([each.difficulty() or 0.0 for each in few])),
        "tokens": round(_mean([float(tokens(each)) for each in few])),
        "moves": round(_mean([float(len(list(each.solve()))) for each in few])),
    }


def overall(name: str, seeds: int = COUNTED) -> Row:
    """The figures of the middle level that stand for the environment: repeats and times."""
    middle = load(name).Knobs.levels() // 2
    share, _ = duplicates(name, middle, seeds)
    return {"duplicates": round(share, 4)} | timings(name, middle)


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
