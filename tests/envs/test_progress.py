"""Partial progress is called ``progress``: from 0 to 1, and 1 exactly if the task is solved."""

from collections.abc import Iterator
from random import Random

import pytest

from palaestra.address import Address
from palaestra.registry import load, names
from palaestra.scoring import score
from palaestra.task import Puzzle, Score
from palaestra.testing.sampling import levels

PUZZLES = [name for name in names() if issubclass(load(name), Puzzle)]


def edited(answer: str, rng: Random) -> Iterator[str]:
    """Answers near a right one: tokens and lines swapped, repeated, left out, numbers changed."""
    for parts, joint in ((answer.split("\n"), "\n"), (answer.split(" "), " ")):
        if len(parts) > 1:
            a, b = sorted(rng.sample(range(len(parts)), 2))
            swapped = parts.copy()
            swapped[a], swapped[b] = parts[b], parts[a]
            yield joint.join(swapped)
            yield joint.join([*parts[:a], parts[b], *parts[a + 1 :]])
            yield joint.join(parts[:b] + parts[b + 1 :])
    digits = [n for n, sign in enumerate(answer) if sign.isdigit()]
    for at in rng.sample(digits, min(2, len(digits))):
        yield answer[:at] + str((int(answer[at]) + 1) % 10) + answer[at + 1 :]


def scores_of(name: str) -> list[Score]:
    """The scores of a right answer, of answers near it, and of players without search."""
    rng, scores = Random(name), []
    for level in {0, levels(name)[len(levels(name)) // 2]}:
        task = Address.of(name, level, 3).task()
        assert isinstance(task, Puzzle)
        players = [move for move in task.baselines(rng).values() if isinstance(move, str)][:3]
        replies = [task.answer(), *edited(task.answer(), rng), *players]
        scores += [score(Address.of(name, level, 3), [reply], "bare") for reply in replies]
    return [each for each in scores if each.status == "scored"]


@pytest.mark.parametrize("name", PUZZLES)
def test_partial_progress_is_called_progress(name: str) -> None:
    scores = scores_of(name)
    assert any(each.correct for each in scores)
    partial = any(0 < each.value < 1 or "progress" in each.parts for each in scores)
    for each in scores:
        named = any(0 < part < 1 for part in each.parts.values())
        if 0 < each.value < 1 or named or (partial and each.correct):
            assert "progress" in each.parts, each
        if "progress" in each.parts:
            assert 0 <= each.parts["progress"] <= 1, each
            assert (each.parts["progress"] == 1) is each.correct, each
