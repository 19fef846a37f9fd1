"""Tests of logic/counting_with_conditions."""

from random import Random

from palaestra.registry import load
from palaestra.task import Puzzle


def drawn(name: str, seed: int, level: int, **chosen: object) -> Puzzle:
    kind = load(name)
    task = kind.sample(Random(seed), kind.Knobs.at(level, **chosen))
    assert isinstance(task, Puzzle)
    return task


def test_ages_in_conditions_differ() -> None:
    for seed in range(100):
        task = drawn("logic/counting_with_conditions", seed, 0)
        (_, one), (_, other) = task.facts[:2]  # type: ignore[attr-defined]
        assert one != other
