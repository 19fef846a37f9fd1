"""Tests of logic/object_properties."""

from random import Random

from palaestra.registry import load
from palaestra.task import Puzzle


def drawn(name: str, seed: int, level: int, **chosen: object) -> Puzzle:
    kind = load(name)
    task = kind.sample(Random(seed), kind.Knobs.at(level, **chosen))
    assert isinstance(task, Puzzle)
    return task


def test_objects_do_not_all_end_up_alike() -> None:
    for seed in range(20):
        task = drawn("logic/object_properties", seed, 6)
        rows = task.answer().splitlines()
        looks = [row.split(": ")[1] for row in rows]
        assert len(set(looks)) >= 6
        for values in zip(*(look.split(", ") for look in looks)):
            assert len(set(values)) >= 3
