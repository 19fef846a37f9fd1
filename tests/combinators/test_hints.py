"""Hints: ladders of steps and of parts of answers, none of which holds the answer."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

import palaestra
from palaestra import Address
from palaestra.combinators.batch import judged
from palaestra.combinators.hint import HintPuzzle, first_steps
from palaestra.registry import UnknownEnvironment, load
from palaestra.task import NoValidTask, Puzzle

SHARDS = 8


def ladder(name: str, seed: int, level: int) -> list[HintPuzzle]:
    """The three rungs of a task at a seed or a little above.

    There are none where the environment refuses hints, or no task suits.
    """
    for own in range(seed, seed + 6):
        try:
            base = Address.of(name, own, level).task()
            tasks = [Address.of(f"{name}+hint({n})", own, level).task() for n in (1, 2, 3)]
        except (UnknownEnvironment, NoValidTask):
            return []
        hinted = [task for task in tasks if isinstance(task, HintPuzzle)]
        if all(task.task == base for task in hinted):  # it is not replaced by one that suits
            return hinted
    return []


def ladders(shard: int) -> Iterator[tuple[str, list[HintPuzzle]]]:
    for name in palaestra.names()[shard::SHARDS]:
        if rungs := ladder(name, 3, load(name).Knobs.levels() // 2):
            yield name, rungs


@pytest.mark.parametrize("shard", range(SHARDS))
def test_no_rung_of_any_environment_holds_the_answer(shard: int) -> None:
    number = 0
    for name, rungs in ladders(shard):
        number += 1
        for low, high in pairwise(rungs):
            assert _shows_less(low, high), (name, low.hint, high.hint)
        for task in rungs:
            assert not judged(task.task, task.hint).correct, name
            assert task.answer() not in task.hint, (name, task.hint)
            for line in task.hint.splitlines() if task.steps else ():
                value = line.rpartition("=")[2].strip()
                assert not judged(task.task, value).correct, (name, line)
    assert number > 5


def _shows_less(low: HintPuzzle, high: HintPuzzle) -> bool:
    if low.steps:
        return high.hint.startswith(low.hint) and len(low.hint) < len(high.hint)
    return low.hint != high.hint and low.hint.count("?") > high.hint.count("?")


def test_steps_are_those_of_the_derivation() -> None:
    with_steps = []
    for name in palaestra.names():
        environment = load(name)
        if not issubclass(environment, Puzzle) or environment.derivation is Puzzle.derivation:
            continue
        for level in range(environment.Knobs.levels()):
            if any(task.steps for task in ladder(name, 1, level)):
                with_steps.append(name)
                break
    assert len(with_steps) >= 6, with_steps


def test_an_answer_among_the_steps_is_not_shown() -> None:
    for seed in range(40):
        task = Address.of("arithmetic/word_problem", seed, 4).task()
        assert isinstance(task, Puzzle)
        for line in first_steps(task, 3):
            assert line.rpartition("= ")[2] != task.answer()


@pytest.mark.parametrize(
    "name", ["planning/blocksworld", "planning/sokoban", "planning/tower_of_hanoi"]
)
def test_moves_are_shown_from_the_first_one_on(name: str) -> None:
    for task in ladder(name, 2, 2):
        shown = task.hint.partition("?")[0]
        assert shown
        assert task.answer().startswith(shown)
        assert not set(task.hint[len(shown) :]) & set("abcdefghij0123456789DLRU")


def test_the_first_digits_of_a_long_number() -> None:
    rungs = ladder("algebra/determinant", 1, 5)
    assert rungs
    for task in rungs:
        digits = task.hint.rstrip("?")
        assert task.answer().startswith(digits)
        assert len(task.hint) == len(task.answer())
