"""Pairs of an environment and a combinator, and stacks of two, drawn from all that there are."""

from collections import defaultdict

import pytest
from tests.combinators.samples import PAIRS, STACKS, combinations

from palaestra.address import Address
from palaestra.combination import Combination
from palaestra.episode import BARE, TAGS, Episode
from palaestra.registry import UnknownEnvironment, load
from palaestra.task import NoValidTask, Puzzle, Task

SHARDS = 20

LAZY = ("", "0", "1", "no", "yes", "A", "B", "Task 1:\n0\nTask 2:\n0", "0\nConfidence: 50%")


def instance(name: str) -> Task | None:
    """A task of a combination at the middle level; none where it refuses the base or its tasks."""
    try:
        level = load(name).Knobs.levels() // 2
        return Address.of(name, level, level).task()
    except (UnknownEnvironment, NoValidTask):
        return None


def exists(name: str) -> bool:
    try:
        return issubclass(load(name), Combination)
    except UnknownEnvironment:
        return False


def test_not_most_combinations_are_refused() -> None:
    """Nearly all combinators are for tasks of one reply, so those of several do not count."""
    names = combinations()
    assert len(names) > 0.95 * (PAIRS + STACKS)
    one_reply = [name for name in names if issubclass(load(name.partition("+")[0]), Puzzle)]
    assert sum(map(exists, one_reply)) > len(one_reply) / 3


@pytest.mark.parametrize("shard", range(SHARDS))
def test_combinations_keep_the_contract(shard: int) -> None:
    earned, chance = defaultdict[int, float](float), 0.0
    number = 0
    for name in combinations()[shard::SHARDS]:
        task = instance(name)
        if task is None:
            continue
        assert isinstance(task, Combination)
        number += 1
        check_contract(name, task)
        chance += task.random_baseline()
        for lazy, reply in enumerate((*LAZY, task_prompt(task))[:: 3 if task.expensive else 1]):
            earned[lazy] += played(task, reply)
    assert number, "all combinations are refused"
    # Where there are choices, a letter is right by chance.
    spread = 3 * (chance * max(0.0, 1 - chance / number)) ** 0.5
    for lazy, value in earned.items():
        assert value <= chance + spread + 0.05 * number, f"reply {lazy} earns {value} of {number}"


def check_contract(name: str, task: Task) -> None:
    """The oracle earns 1, and the JSON form is the same task."""
    assert type(task).model_validate_json(task.model_dump_json()) == task, name
    episode = Episode(task, TAGS)
    for move in task.solve():
        episode.step(episode.answer_format.write(move))
    assert episode.score is not None, name
    assert episode.score.value == 1, (name, episode.score)
    assert sum(episode.rewards) == 1


def played(task: Task, reply: str) -> float:
    """What a reply earns that is given at every turn."""
    episode = Episode(task, BARE)
    while episode.scores is None:
        episode.step(reply)
    return episode.result().value


def task_prompt(task: Task) -> str:
    return Episode(task, BARE).observation
