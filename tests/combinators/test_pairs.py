"""Pairs of an environment and a combinator, and stacks of two, drawn from all that there are."""

import os
import random
import subprocess
import sys
from collections import defaultdict
from contextlib import suppress
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.combinators import COMBINATORS
from palaestra.combinators.combinator import Combination
from palaestra.episode import BARE, TAGS, Episode
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.task import NoValidTask, Task

PAIRS, STACKS = 300, 100
SHARDS = 20

LAZY = ("", "0", "1", "no", "yes", "A", "B", "Task 1:\n0\nTask 2:\n0", "0\nConfidence: 50%")


@cache
def combinations() -> list[str]:
    """The drawn pairs and stacks, each once."""
    rng, environments = random.Random("pairs"), sorted(names())
    drawn = dict.fromkeys(
        "+".join([rng.choice(environments), *rng.sample(sorted(COMBINATORS), 1 + (n >= PAIRS))])
        for n in range(PAIRS + STACKS)
    )
    return list(drawn)


def instance(name: str) -> Task | None:
    """A task of a combination at the middle level; none where it refuses the base or its tasks."""
    try:
        level = load(name).Knobs.levels() // 2
        return Address.of(name, level, level).task()
    except (UnknownEnvironment, NoValidTask):
        return None


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
    assert number > (PAIRS + STACKS) / SHARDS / 3, "most combinations are refused"
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


SCRIPT = """
import sys
from hashlib import sha256
from palaestra import Address
digest = sha256()
for address in sys.argv[1:]:
    digest.update(Address.parse(address).task().model_dump_json().encode())
print(digest.hexdigest())
"""


def test_other_processes_draw_the_same_tasks() -> None:
    """The order of a set, which depends on the hash seed, decides nothing."""
    addresses = []
    for name in combinations()[::5]:
        with suppress(UnknownEnvironment, NoValidTask):
            address = Address.of(name, 3, 1)
            if not load(name).expensive and address.task():
                addresses.append(str(address))
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, *addresses],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
