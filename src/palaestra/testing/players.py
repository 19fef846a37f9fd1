"""Tasks for the checks to work on, and simple ways to play them."""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple
from unittest.mock import patch

from palaestra.address import Address
from palaestra.episode import BARE, Episode, answer_format_of
from palaestra.registry import load
from palaestra.scoring import score
from palaestra.task import Puzzle, Score, Task

TURNS = 400

FLOOR = 0.05

SEEDS = range(3)


def levels(name: str) -> range:
    """The levels of an environment."""
    return range(load(name).Knobs.levels())


@lru_cache(maxsize=4_000)
def task(name: str, seed: int, level: int) -> Task:
    """The task of a seed at a level."""
    return Address.of(name, seed, level).task()


def tasks(name: str, seeds: Iterable[int] = SEEDS) -> Iterator[Task]:
    """A few tasks of each level."""
    return (task(name, seed, level) for level in levels(name) for seed in seeds)


def moves_of(instance: Task) -> list[str]:
    """The moves of the perfect player."""
    return list(instance.solve())


def played(instance: Task, moves: Iterable[str], answer_format: Any = BARE) -> Episode:
    """An episode in which these moves were made, as far as it let them."""
    episode = Episode(instance, answer_format)
    for move in moves:
        if episode.scores is None:
            episode.step(episode.answer_format.write(move))
    return episode


@contextmanager
def rendered_once(name: str) -> Iterator[None]:
    """Has each puzzle put into words once, which is most of what it costs to ask it again."""
    task_type = load(name)
    if not issubclass(task_type, Puzzle):
        yield
        return
    tell = task_type.prompt
    prompts: dict[int, tuple[Puzzle, str]] = {}

    def prompt(puzzle: Puzzle) -> str:
        if id(puzzle) not in prompts:
            prompts[id(puzzle)] = puzzle, tell(puzzle)  # kept, so that no other one gets its number
        return prompts[id(puzzle)][1]

    with patch.object(task_type, "prompt", prompt):
        yield


class Outcome(NamedTuple):
    """What a player got."""

    earned: float
    """The sum of the rewards: the score, where the episode has come to its end."""

    score: Score | None
    """Nothing where the episode is not over."""


Strategy = Callable[[Task], Outcome | None]
"""A way to play without skill; ``None`` where a task does not give rise to it."""


def outcome(episode: Episode) -> Outcome:
    """What an episode came to so far."""
    return Outcome(sum(episode.rewards), episode.score)


def repeated(instance: Task, move: str, answer_format: Any = BARE) -> Outcome:
    """What saying the same over and over comes to. A puzzle is judged without its question."""
    if isinstance(instance, Puzzle):
        result = score(instance, answer_format_of(answer_format).write(move), answer_format)
        return Outcome(result.value, result)
    episode = Episode(instance, answer_format)
    for _ in range(TURNS):
        if episode.scores is not None:
            break
        episode.step(episode.answer_format.write(move))
    return outcome(episode)


def words(text: str) -> tuple[str, ...]:
    """What a text says, apart from blanks, commas, brackets and leading zeros.

    >>> words("[1, 02]") == words("1 2")
    True
    """
    lines = [line.strip() for line in text.casefold().splitlines() if line.strip()]
    if all(":" in line for line in lines):  # named values, which may come in any order
        text = "\n".join(sorted(lines))
    tokens = re.findall(r"-?\d+\.\d+|-?\d+|[^\W\d_]+|[^\w\s,;\[\]().]", text.casefold())
    return tuple(str(int(w)) if w.lstrip("-").isdecimal() and len(w) < 400 else w for w in tokens)


def judged(puzzle: Puzzle, answer: str) -> Score:
    """The score of an answer, whatever it is."""
    return score(puzzle, answer, BARE)


def fresh_seeds(like: Task) -> range:
    """Seeds to ask a strategy again on; fewer where an episode is long, or heavy to judge."""
    quick = isinstance(like, Puzzle) and not like.expensive
    return range(1_000, 1_150 if quick else 1_048)


def mean_score(strategy: Strategy, instances: Iterable[Task]) -> float:
    """The mean score of a strategy, over the tasks that give rise to it."""
    outcomes = [outcome for each in instances if (outcome := strategy(each)) is not None]
    scores = [outcome.score.value for outcome in outcomes if outcome.score is not None]
    return sum(scores) / max(1, len(outcomes))


def slack(mean: float, number: int) -> float:
    """Three standard errors of a mean taken over so many tasks."""
    return 3 * math.sqrt(mean * (1 - mean) / number)
