"""The measured figures of the catalog: scores of baseline players, difficulty, timings."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

from palaestra.catalog import Row
from palaestra.episode import BARE, Episode
from palaestra.registry import load
from palaestra.rng import Rng
from palaestra.scoring import score
from palaestra.task import Puzzle, Task
from palaestra.testing.baselines import baseline_scores, commonest_answer
from palaestra.testing.players import task as cached_task
from palaestra.testing.sampling import COUNTED, duplicates
from palaestra.testing.unskilled import FIRST, floor


class Budget(NamedTuple):
    """On how many tasks figures are measured: how certain they are, not what they mean."""

    players: int
    """Tasks of a level that baseline players try; fewer where judging is expensive."""
    answers_s: float
    """Seconds of CPU time for the commonest answer of a level; 0 tries the dozen tasks at hand, and
    samples others only where two of these have one answer."""
    seeds: int
    """Seeds of the middle level among which repeated tasks are counted, at most."""
    first: int
    """Tasks of a level that players without skill try, and whose other figures are averaged."""
    fresh: int | None
    """Tasks on which those of them are tried again that did well, at most; None for all."""


FULL = Budget(60, 0.3, COUNTED, FIRST, None)
QUICK = Budget(12, 0.0, 60, 8, 24)
"""For an author who changes an environment; a card that is measured so states its ``tasks``."""

SLOW = Budget(4, 0.0, 12, 4, 8)
"""The same for an environment whose tasks take long to draw."""

LEVEL_S = 6.0
"""Seconds of CPU time that drawing the tasks of a level may take; if they would take longer, there
are fewer, and the card states how many.
"""

SLOW_S = 0.025
"""With a longer time for three tasks, several processes are faster than one, and tasks are slow."""


def all_measured(
    names: Sequence[str],
    advance: Callable[[int, int], object] = lambda done, total: None,
    budget: Budget = FULL,
) -> Iterator[Row]:
    """The measured figures of several environments, in their order, on all processors.

    Levels whose tasks are slow to draw are measured on fewer than the budget has, see
    :func:`affordable`.

    Each level of an environment is measured by itself, and so is what concerns the environment as a
    whole. ``advance`` is called with the number of such parts that are done, and of all. The quick
    figures of one environment come from this process, unless its tasks are slow to draw: other
    processes take longer to start. They are of fewer tasks there.
    """
    if not names:
        return
    if len(names) == 1 and budget == QUICK:
        if _draw_s(names[0]) < SLOW_S:
            yield measured(names[0], budget)
            return
        budget = SLOW
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        parts: list[list[Future[Row]]] = []
        for name in names:
            levels = range(load(name).Knobs.levels())
            level_parts = [pool.submit(at_level, name, level, budget) for level in levels]
            parts.append([*level_parts, pool.submit(overall, name, budget)])
        total, done = sum(map(len, parts)), 0
        for part in parts:
            rows = []
            for future in part:
                rows.append(future.result())
                done += 1
                advance(done, total)
            yield together(rows[:-1], rows[-1])


def measured(name: str, budget: Budget = FULL, seeds: int | None = None) -> Row:
    """The measured part of an environment's row: figures from drawing, playing and timing it.

    ``seeds`` replaces the number of seeds of the budget.
    """
    levels = range(load(name).Knobs.levels())
    budget = budget if seeds is None else budget._replace(seeds=seeds)
    return together([at_level(name, level, budget) for level in levels], overall(name, budget))


def _draw_s(name: str) -> float:
    """The seconds of CPU time that three tasks of the middle level take."""
    level = load(name).Knobs.levels() // 2
    start = process_time()
    for seed in range(3):
        cached_task(name, seed, level)
    return process_time() - start


def together(levels: Sequence[Row], whole: Row) -> Row:
    """The figures of all levels as lists, and beside them those of the environment as a whole."""
    figures = {key: [row[key] for row in levels] for key in levels[0]}
    if not any(figures["difficulty"]):
        del figures["difficulty"]
    fewest = min(figures.pop("tasks"))
    return figures | whole | ({"tasks": fewest} if fewest < FULL.players else {})


def affordable(budget: Budget, draw_s: float) -> Budget:
    """The budget for tasks of which each takes so many seconds to draw: in proportion fewer tasks
    than those of the budget, but not fewer than those of the quick one.

    >>> [affordable(FULL, seconds).players for seconds in (0.1, 0.2, 0.4, 2)]
    [60, 30, 15, 12]
    """
    tasks = round(LEVEL_S / max(draw_s, 1e-6))
    if tasks >= budget.players or budget.players <= QUICK.players:
        return budget
    return budget._replace(players=max(tasks, QUICK.players), fresh=QUICK.fresh)


def at_level(name: str, level: int, budget: Budget = FULL) -> Row:
    """The figures of one level."""
    start = process_time()
    few = [cached_task(name, seed, level) for seed in range(budget.first)]
    budget = affordable(budget, (process_time() - start) / len(few))
    unskilled = floor(name, level, budget.first, budget.fresh)
    best, player = best_player(name, level, unskilled, budget.players)
    chance = max(
        _mean([each.random_baseline() for each in few]), _commonest(name, few, level, budget)
    )
    return {
        "floor": round(max(unskilled.values()), 3),
        "baseline": round(best, 3),
        "baseline_player": player if best else "none",
        "random_baseline": _short(chance),
        "difficulty": _short(_mean([each.difficulty() or 0.0 for each in few])),
        "tokens": round(_mean([float(tokens(each)) for each in few])),
        "moves": round(_mean([float(len(list(each.solve()))) for each in few])),
        "tasks": len(_seeds(name, budget.players)),
    }


def _commonest(name: str, tasks: Sequence[Task], level: int, budget: Budget) -> float:
    """The share of tasks that their commonest answer solves."""
    if budget.answers_s:
        return commonest_answer(name, level, seconds=budget.answers_s)
    answers = [each.answer() for each in tasks if isinstance(each, Puzzle)]
    repeats = len({*answers}) < len(answers)
    return commonest_answer(name, level, seconds=0.05) if repeats else 0.0


def overall(name: str, budget: Budget = FULL) -> Row:
    """The figures that stand for the environment: repeats and times at the middle level."""
    middle = load(name).Knobs.levels() // 2
    share, _ = duplicates(name, middle, budget.seeds)
    return {"duplicates": round(share, 4)} | timings(name, middle, min(15, 2 * budget.players))


def best_player(
    name: str, level: int, floor: Mapping[str, float], tasks: int = FULL.players
) -> tuple[float, str]:
    """The score of the best player without search, and which one it is.

    These are the baseline players that the environment names, and the players without skill that
    the checks know of, whose scores at this level are given as ``floor``.
    """
    scores = {**floor, **baseline_scores(name, level, _seeds(name, tasks))}
    player = max(scores, key=scores.__getitem__)
    return scores[player], player


def _seeds(name: str, tasks: int) -> range:
    """The seeds of the tasks that baseline players try."""
    return range(min(8, tasks) if load(name).expensive else tasks)


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
