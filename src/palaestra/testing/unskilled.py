"""Checks of what players without any skill earn."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from palaestra.episode import BARE, Episode
from palaestra.registry import load
from palaestra.task import Puzzle, Task
from palaestra.testing.hostile_texts import CONSTANTS
from palaestra.testing.players import (
    FLOOR,
    TURNS,
    Outcome,
    Strategy,
    fresh_seeds,
    levels,
    mean_score,
    moves_of,
    outcome,
    played,
    rendered_once,
    repeated,
    slack,
    task,
)

FIRST = 12
"""Tasks of a level that every player without skill tries first."""

USUAL = 100
"""Tasks among which an answer that many have is looked for."""


def floor(
    name: str, level: int, tasks: int = FIRST, fresh_tasks: int | None = None
) -> Mapping[str, float]:
    """What each kind of player without any skill earns on average at a level.

    Of each kind there are many: every number of the prompt is one, every answer to another task.
    Those that do well on a dozen tasks are asked again on fresh ones, and only that counts, for the
    best of many is lucky on the tasks it was found by. ``tasks`` and ``fresh_tasks`` are how many
    tasks these are at most; with the latter, no answer is looked for that many tasks have.
    """
    first = _asked(name, level)[:tasks]
    fresh = fresh_seeds(first[0])[:fresh_tasks]
    random_baseline = sum(each.random_baseline() for each in first) / len(first)
    floors: dict[str, float] = {}
    for name_of_player, strategy in _strategies(first):
        mean = mean_score(strategy, first)
        if mean > max(FLOOR, random_baseline):
            mean = mean_score(strategy, [task(name, seed, level) for seed in fresh])
        floors[name_of_player] = max(mean, floors.get(name_of_player, 0.0))
    usual = _usual(name, level, random_baseline) if fresh_tasks is None else None
    if usual is not None:
        mean = mean_score(
            partial(repeated, move=usual), map(partial(task, name, level=level), fresh)
        )
        floors["constant"] = max(mean, floors["constant"])
    return floors


def _usual(name: str, level: int, random_baseline: float) -> str | None:
    """An answer that many tasks have, which a dozen of them need not show; none at higher levels,
    where there are more answers, and where a task takes several moves or is heavy.
    """
    task_type = load(name)
    if level > 1 or task_type.expensive or not issubclass(task_type, Puzzle):
        return None
    instances = (task(name, seed, level) for seed in range(2_000, 2_000 + USUAL))
    common = Counter(each.answer() for each in instances if isinstance(each, Puzzle))
    answer, times = common.most_common(1)[0]
    return answer if times > max(FLOOR, random_baseline) * USUAL else None


def _asked(name: str, level: int) -> list[Task]:
    """The tasks that every strategy is tried on; fewer where judging is heavy, as of programs."""
    return [task(name, seed, level) for seed in range(5 if load(name).expensive else FIRST)]


def _strategies(first: list[Task]) -> Iterator[tuple[str, Strategy]]:
    """Every way to play without skill that the checks know of, with its kind."""
    yield "blank", lambda instance: repeated(instance, "")
    yield "echo", lambda instance: repeated(instance, Episode(instance, BARE).observation)
    for strategy, replies in (("example", _examples), ("part", _parts), ("shortcuts", _shortcuts)):
        for n in range(max(len(replies(instance)) for instance in first)):
            yield strategy, partial(_nth, replies, n)
    legal = (move for instance in first[:3] for move in _legal(instance))
    for move in dict.fromkeys([*CONSTANTS, *legal]):
        yield "constant", partial(repeated, move=move)
    for instance in first:
        yield "constant", partial(_copied, instance, moves_of(instance))


def _nth(replies: Callable[[Task], list[str]], n: int, instance: Task) -> Outcome | None:
    """Say the n-th of some replies over and over."""
    texts = replies(instance)
    return repeated(instance, texts[n]) if n < len(texts) else None


def _copied(source: Task, moves: list[str], instance: Task) -> Outcome | None:
    """Make the moves that are right for another task, and the last of them over and over."""
    if instance == source:
        return None
    if isinstance(instance, Puzzle):
        return repeated(instance, moves[0])
    return outcome(played(instance, [*moves, *moves[-1:] * TURNS]))


def _examples(instance: Task) -> list[str]:
    """What the opening puts in quotation marks, such as an example of an answer."""
    observation = Episode(instance, BARE).observation
    quoted = (re.findall(f"{mark}([^{mark}\n]{{1,200}}){mark}", observation) for mark in "'\"`")
    return [text for quotation in quoted for text in quotation][-8:]


def _parts(instance: Task) -> list[str]:
    """Paragraphs, lines and numbers of the opening."""
    observation = Episode(instance, BARE).observation
    lines = [line.strip() for line in observation.splitlines() if line.strip()]
    numbers = re.findall(r"-?\d+", observation)
    return [*observation.split("\n\n")[-6:], *lines[-6:], *lines[:3], *numbers[:4], *numbers[-4:]]


def _shortcuts(instance: Task) -> list[str]:
    """The replies that the environment itself suspects."""
    return list(instance.shortcuts())


def _legal(instance: Task) -> list[str]:
    """A few legal moves of the opening, where they are listed."""
    return list(Episode(instance, BARE).turn.legal_moves or ())[:4]


def check_unskilled(name: str) -> None:
    """Players without skill earn at most 0.05, or the exact chance of a small answer space."""
    with rendered_once(name):
        _check_unskilled(name)


def _check_unskilled(name: str) -> None:
    for level in levels(name):
        few = _asked(name, level)
        bound = max(FLOOR, sum(instance.random_baseline() for instance in few) / len(few))
        most = bound + slack(bound, len(fresh_seeds(few[0])))
        for player, value in floor(name, level).items():
            assert value <= most, (
                f"level {level}: the player '{player}' earns {value:.2f}, more than {bound:.2f}"
            )
