"""Hints for tasks that a whole group failed."""

import json

import pytest

from palaestra import Address
from palaestra.combinators.hint import HintPuzzle
from palaestra.trainers.curricula import STRATEGIES, cells, make
from palaestra.trainers.hints import CAPACITY, HintLadder, rung_of, with_rung

SUDOKU, MASTERMIND = "grids/sudoku", "games/mastermind"
TASK = Address.of(SUDOKU, 5, 1)


def test_a_rung_rises_with_failures_and_falls_with_successes() -> None:
    ladder, rungs = HintLadder(), []
    for value in (0, 0, 0, 0.5, 1, 0.25, 1):
        address = with_rung(TASK, ladder.rungs.get(str(TASK), 0))
        ladder.note(address, value)
        rungs.append(ladder.rungs.get(str(TASK)))
    assert rungs == [1, 2, 3, 2, 1, 0, None]


def test_what_fails_with_the_most_help_is_given_up() -> None:
    ladder = HintLadder()
    for rung in range(4):
        ladder.note(with_rung(TASK, rung), 0)
    assert ladder.rungs == {}


def test_a_solved_task_does_not_come_back() -> None:
    ladder = HintLadder()
    ladder.note(TASK, 0.125)
    assert ladder.rungs == {}


def test_tasks_without_hints_do_not_come_back() -> None:
    ladder = HintLadder()
    ladder.note(Address.of(MASTERMIND, 1), 0)  # several turns
    ladder.note(Address.of("geometry/polygon_angles", 1, 1), 0)  # one number
    assert ladder.rungs == {}


def test_the_task_is_the_same_with_and_without_a_hint() -> None:
    for rung in (1, 2, 3):
        task = with_rung(TASK, rung).task()
        assert isinstance(task, HintPuzzle)
        assert task.task == TASK.task()
        assert (rung_of(with_rung(TASK, rung)), with_rung(with_rung(TASK, rung), 0)) == (rung, TASK)


def test_the_oldest_make_room() -> None:
    ladder = HintLadder()
    ladder.restore({f"{n}": 1 for n in range(CAPACITY)})
    ladder.note(TASK, 0)
    assert len(ladder.rungs) == CAPACITY
    assert str(TASK) in ladder.rungs
    assert "0" not in ladder.rungs


@pytest.mark.parametrize("name", STRATEGIES)
def test_curricula_bring_failed_tasks_back_with_hints(name: str) -> None:
    curriculum = make(name, cells({SUDOKU: 1.0}, [0, 1]), seed=1, hints=0.5)
    failed = curriculum.sample(8)
    assert not any(map(rung_of, failed))
    curriculum.update((address, 0.0) for address in failed)
    drawn = curriculum.sample(200)
    hinted = [address for address in drawn if rung_of(address)]
    assert 60 < len(hinted) < 140
    assert {with_rung(address, 0) for address in hinted} <= set(failed)
    assert {rung_of(address) for address in hinted} == {1}
    other = make(name, cells({SUDOKU: 1.0}, [0, 1]), seed=9, hints=0.5)
    other.restore(json.loads(json.dumps(curriculum.state())))
    assert other.sample(20) == curriculum.sample(20)
    curriculum.update((address, 0.0) for address in hinted[:1])
    assert set(curriculum.hinted.rungs.values()) == {1, 2}


def test_tasks_of_other_environments_are_left_alone() -> None:
    curriculum = make("uniform", cells({SUDOKU: 1.0}, [0]), hints=0.5)
    curriculum.update([(Address.of("grids/futoshiki", 1, 0), 0.0), (Address.of(SUDOKU, 1, 3), 0.0)])
    assert curriculum.hinted.rungs == {}


def test_without_the_option_a_curriculum_is_as_before() -> None:
    mixture = cells({SUDOKU: 1.0}, [0, 1])
    plain, other = make("frontier", mixture, seed=3), make("frontier", mixture, seed=3, hints=0.3)
    plain.update((address, 0.0) for address in plain.sample(4))
    assert not any(map(rung_of, plain.sample(50)))
    assert "hinted" not in plain.state()
    assert other.state()["hinted"] == {}
    with pytest.raises(ValueError, match="from 0 to 1"):
        make("uniform", mixture, hints=1.5)
