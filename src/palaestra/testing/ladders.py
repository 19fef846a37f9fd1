"""The check that each level is harder than the one below."""

from collections.abc import Callable
from functools import cache, partial
from itertools import product

from palaestra.testing.baselines import baseline_scores
from palaestra.testing.players import levels, task

CLEAR = 0.75
"""A share of harder tasks that a few tasks of two levels show to be no accident."""

HARDER = 0.55
"""The share of pairs in which the task of the higher level has to be the harder one."""

FALL = 0.05
"""By how much the best baseline player's score falls where the solver's effort does not rise."""

FEW, MANY = 24, 96

Difficulty = Callable[[int, int], float]
"""The difficulty of the task of a seed at a level."""


def check_ladder(name: str) -> None:
    """Each level is harder than the one below, for the solver or for the best baseline player.

    For the solver: of a task of the level and one of the level below, the former takes more effort
    (:meth:`~palaestra.task.Task.difficulty`) in at least 55 % of all pairs, where a tie counts as
    half. For the baseline players: the best one earns less by 0.05 or more.
    """
    # Each level is compared with two others, and with few tasks first.
    difficulty = cache(partial(difficulty_of, name))
    for level in levels(name)[1:]:
        share = harder_share(difficulty, level, FEW)
        if share < CLEAR:
            share = harder_share(difficulty, level, MANY)
        assert share >= HARDER or _baselines_fall(name, level), (
            f"level {level} is not harder than level {level - 1}: it takes the solver more effort "
            f"in {share:.0%} of the pairs of tasks, and no baseline player earns less"
        )


def harder_share(difficulty: Difficulty, level: int, number: int) -> float:
    """In which share of pairs the task of a level takes more effort than that of the level below.

    Both levels have ``number`` tasks. A tie counts as half, so that equal levels have about 0.5.
    """
    lower, higher = (
        [difficulty(seed, each) for seed in range(number)] for each in (level - 1, level)
    )
    wins = sum((high > low) + 0.5 * (high == low) for low, high in product(lower, higher))
    return wins / number**2


def difficulty_of(name: str, seed: int, level: int) -> float:
    """What the solver spends on a task; if it does not say, the length of the task as JSON."""
    instance = task(name, seed, level)
    difficulty = instance.difficulty()
    return len(instance.model_dump_json()) if difficulty is None else difficulty


def _baselines_fall(name: str, level: int) -> bool:
    low, high = (baseline_scores(name, each, range(MANY)) for each in (level - 1, level))
    return bool(low) and max(low.values()) - max(high.values(), default=0.0) >= FALL
