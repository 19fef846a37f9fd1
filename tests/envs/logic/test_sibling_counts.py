"""Tests of logic/sibling_counts."""

import re
from random import Random

from palaestra.generators.logic import (
    sibling_counts,
)
from palaestra.registry import load
from palaestra.task import Puzzle


def drawn(name: str, seed: int, level: int, **chosen: object) -> Puzzle:
    kind = load(name)
    task = kind.sample(Random(seed), kind.Knobs.at(level, **chosen))
    assert isinstance(task, Puzzle)
    return task


def test_it_is_said_who_stays_and_who_counts() -> None:
    for seed in range(10):
        task = drawn("logic/sibling_counts", seed, 6)
        moving = any(any(group.change) for group in task.groups)  # type: ignore[attr-defined]
        assert ("Nobody who is named below leaves" in task.prompt()) == moving
        assert not re.search(r"\b1 (more|fewer) (\w+ )?\w+s than", task.prompt())
    assert sibling_counts.many(2, "woman") == "2 women"
