"""Tasks that tests take from environments, by class or by name."""

from random import Random
from typing import TypeVar

from palaestra.registry import load
from palaestra.task import Puzzle

PuzzleT = TypeVar("PuzzleT", bound=Puzzle)


def sample(puzzle: type[PuzzleT], seed: int, level: int = 1, **knobs: object) -> PuzzleT:
    """A puzzle of a class at a level, with some parameters set."""
    return puzzle.sample(Random(seed), puzzle.Knobs.at(level, **knobs))


def sampled(name: str, seed: int, level: int, **chosen: object) -> Puzzle:
    """A puzzle of an environment at a level, with some parameters set."""
    kind = load(name)
    task = kind.sample(Random(seed), kind.Knobs.at(level, **chosen))
    assert isinstance(task, Puzzle)
    return task
