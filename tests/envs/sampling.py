"""Tasks that tests take from environments by name."""

from random import Random

from palaestra.registry import load
from palaestra.task import Puzzle


def sampled(name: str, seed: int, level: int, **chosen: object) -> Puzzle:
    """A puzzle of an environment at a level, with some parameters set."""
    kind = load(name)
    task = kind.sample(Random(seed), kind.Knobs.at(level, **chosen))
    assert isinstance(task, Puzzle)
    return task
