"""Scoring one, many and groups."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import palaestra
from palaestra import Address, EpisodeOver, Item, Puzzle, Score, Unscored
from palaestra.episode import BARE, TAGS
from palaestra.scoring import (
    _transform,
    addresses,
    attempt,
    opening,
    score_group,
    score_many,
    tasks,
)

KNIGHTS = "logic/knights_and_knaves"
ADDRESS = Address.of(KNIGHTS, seed=5, level=2)
RIGHT = TAGS.write(ADDRESS.task().answer())


def test_a_task_goes_by_itself_its_address_or_its_text():
    for task in (ADDRESS, str(ADDRESS), ADDRESS.task()):
        assert palaestra.score(task, RIGHT) == Score(1)
        assert palaestra.score(task, [RIGHT]) == Score(1)


def test_replies_that_stop_short_score_0_and_too_many_are_an_error():
    short = palaestra.score("games/mastermind?seed=1", ["<answer>1</answer>"])
    assert (short.value, short.status) == (0, "no_answer")
    with pytest.raises(EpisodeOver):
        palaestra.score(ADDRESS, [RIGHT, RIGHT])


def test_styles():
    bare = ADDRESS.task().answer()
    assert (
        palaestra.score(ADDRESS, bare, "bare") == palaestra.score(ADDRESS, bare, BARE) == Score(1)
    )
    assert palaestra.score(ADDRESS, f"\\boxed{{{bare}}}", "boxed") == Score(1)


def test_a_failing_item_does_not_fail_the_others():
    results = score_many(
        [(ADDRESS, RIGHT), ("nothing/here", RIGHT), Item(ADDRESS, "no"), (ADDRESS, RIGHT, "loud")]
    )
    assert [result.value for result in results] == [1, None, 0, None]
    assert "no environment" in results[1].reason
    assert isinstance(results[3], Unscored)
    assert score_many([]) == []


UNFAIR = '''"""A puzzle of a test."""

from palaestra.task import Puzzle, Score, ladder


class Never(Puzzle):
    """It is never fair, and at the second level it cannot even be drawn."""

    tags = {"test"}

    class Knobs(Puzzle.Knobs):
        size: int = ladder(1, 2, 3)

    @classmethod
    def generate(cls, rng, knobs):
        return cls(wording=knobs.size // 2 * 1_000)

    def fair(self):
        return False

    def prompt(self):
        return "?"

    def answer(self):
        return "!"

    def verify(self, answer):
        return Score(1)
'''


def test_a_task_that_cannot_be_drawn_does_not_fail_the_others(other_distribution):
    other_distribution("unfair", {"never": UNFAIR})
    items = [("unfair/never", "x"), ("unfair/never?level=1", "x"), (ADDRESS, RIGHT)]
    unfair, broken, fine = score_many(items)
    assert "no fair task" in unfair.reason
    assert isinstance(broken, Unscored)
    assert fine.value == 1


class Broken(Puzzle):
    """A puzzle whose verifier is at fault."""

    unscored: bool = False

    @classmethod
    def generate(cls, rng, knobs):
        return cls()

    def prompt(self):
        return "?"

    def answer(self):
        return "!"

    def verify(self, answer):
        if self.unscored:
            raise Unscored("the gold cannot be read", "gold_error")
        raise ZeroDivisionError(answer)


def test_a_fault_of_ours_is_never_a_0():
    fault = attempt(Broken(), "1", BARE)
    assert isinstance(fault, Unscored)
    assert fault.reason == "ZeroDivisionError: 1"
    assert attempt(Broken(unscored=True), "1", BARE).status == "gold_error"
    with pytest.raises(Unscored):
        palaestra.score(Broken(unscored=True), "1", BARE)


@pytest.mark.slow
def test_heavy_environments_are_judged_by_worker_processes(heavy):
    import os

    task = palaestra.load(heavy)(number=7)
    results = score_many([Item(task, str(n % 10), BARE) for n in range(40)], workers=2)
    assert [result.value for result in results] == [float(n % 10 == 7) for n in range(40)]
    assert all(str(os.getpid()) not in result.reason for result in results)
    here = score_many([Item(task, "7", BARE)], workers=0)
    assert here[0].reason == f"judged by {os.getpid()}"


@pytest.mark.slow
def test_a_worker_that_dies_leaves_its_replies_unscored(heavy):
    task = palaestra.load(heavy)(number=7)
    (dead,) = score_many([Item(task, "die", BARE)], workers=2)
    assert isinstance(dead, Unscored)
    assert "try again" in dead.reason
    (alive,) = score_many([Item(task, "7", BARE)], workers=2)
    assert alive.value == 1


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["die", "hang"])
def test_a_lost_worker_fails_only_what_is_in_flight(fault, heavy, monkeypatch):
    """Also with many chunks waiting: each reply has a score or is unscored, and nothing raises."""
    monkeypatch.setattr("palaestra.scoring.PATIENCE_S", 3)
    task = palaestra.load(heavy)(number=7)
    items = [Item(task, fault if n == 70 else "7", BARE) for n in range(120)]
    results = score_many(items, workers=2)
    assert len(results) == 120
    assert results[70].value is None
    assert {result.value for result in results} <= {None, 1.0}
    monkeypatch.setattr("palaestra.scoring.PATIENCE_S", 60)
    assert score_many(items[:3], workers=2)[0].value == 1


@pytest.mark.slow
def test_a_worker_that_hangs_is_killed(heavy, monkeypatch):
    import multiprocessing

    task = palaestra.load(heavy)(number=7)
    others = set(multiprocessing.active_children())
    score_many([Item(task, "7", BARE)], workers=2)
    workers = set(multiprocessing.active_children()) - others
    assert workers
    monkeypatch.setattr("palaestra.scoring.PATIENCE_S", 0.5)
    (hung,) = score_many([Item(task, "hang", BARE)], workers=2)
    assert isinstance(hung, Unscored)
    for worker in workers:
        worker.join(10)
        assert not worker.is_alive()
    monkeypatch.setattr("palaestra.scoring.PATIENCE_S", 60)
    assert score_many([Item(task, "7", BARE)], workers=2)[0].value == 1


def test_groups():
    group = score_group(
        ADDRESS,
        [RIGHT, "no", [RIGHT], "no"],
        transforms=["mean", "best", "pass@2", "leave_one_out"],
    )
    assert [score.value for score in group.scores] == [1, 0, 1, 0]
    assert group.transforms["mean"] == 0.5
    assert group.transforms["best"] == 1
    assert group.transforms["pass@2"] == pytest.approx(5 / 6)
    assert group.transforms["leave_one_out"] == pytest.approx([2 / 3, -2 / 3, 2 / 3, -2 / 3])


@pytest.mark.parametrize("name", ["pass@0", "pass@3", "pass@x", "pass", "median", "", "mean@2"])
def test_unknown_transforms_are_told(name):
    with pytest.raises(ValueError, match="a transform is"):
        score_group(ADDRESS, [RIGHT, "no"], transforms=[name])


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, None]), min_size=1, max_size=8), st.data())
def test_transforms_are_unbiased(values, data):
    from itertools import combinations

    scores = [Unscored("x") if value is None else Score(value) for value in values]
    known = [value for value in values if value is not None]
    if known:
        k = data.draw(st.integers(1, len(known)))
        draws = list(combinations(known, k))
        share = sum(1 in draw for draw in draws) / len(draws)
        assert math.isclose(_transform(f"pass@{k}", scores), share, abs_tol=1e-12)
    advantages = [a for a in _transform("leave_one_out", scores) if a is not None]
    assert len(advantages) == len(known)
    assert math.isclose(sum(advantages), 0, abs_tol=1e-9)
    assert (_transform("mean", scores) is None) == (not known)


def test_drawing():
    drawn = tasks(KNIGHTS, range(3), level=1, split="eval", style="boxed", people=4)
    assert [Address.parse(task.address).seed for task in drawn] == [2**31 + n for n in range(3)]
    assert all("people=4" in task.address for task in drawn)
    assert drawn[0].messages[0]["content"].endswith("\\boxed{}.")
    tools = opening(Address.of("tools/meeting_desk")).tools
    assert {"type", "function"} == tools[0].keys()
    assert [address.seed for address in addresses(KNIGHTS, [4, 2])] == [4, 2]
