"""Selections of environments, tasks of a calibration, and rounds."""

import pytest
from tests.trainers.calibration.ladders import KNIGHTS, MASTERMIND

from palaestra import UnknownEnvironment
from palaestra.registry import names
from palaestra.trainers.calibration.design import Design
from palaestra.trainers.calibration.ladders import Ladder, address_of, levels_of, selected
from palaestra.trainers.evaluation import Attempt


def test_environments_categories_and_patterns():
    assert list(selected()) == sorted(names())
    logic = [name for name in names() if name.startswith("logic/")]
    assert list(selected(["logic"])) == list(selected(["logic/*"])) == logic
    both = selected([KNIGHTS, "logic/knights*", MASTERMIND])
    assert list(both) == [MASTERMIND, KNIGHTS]
    assert both[KNIGHTS] == (0, 1, 2, 3, 4, 5, 6)
    assert selected([KNIGHTS], [2, 0]) == {KNIGHTS: (0, 2)}
    assert list(selected([f"{KNIGHTS}+retry(2)"])) == [f"{KNIGHTS}+retry(2,verdict)"]


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [("logik", "did you mean the category logic"), ("mastermnd", "did you mean games/mastermind"),
     ("games/mastermnd", "did you mean games/mastermind"), ("logik/*", "did you mean logic/"),
     ("qqqqqq", "see `palaestra list`"), ("logic/q*", "logic has logic/")],
)  # fmt: skip
def test_what_is_like_nothing_has_near_matches(pattern, hint):
    with pytest.raises(UnknownEnvironment, match=hint):
        selected([pattern])


def test_levels_that_are_not_there():
    with pytest.raises(ValueError, match="levels 0 to 6, not 7"):
        selected([KNIGHTS], [0, 7])
    with pytest.raises(ValueError, match="one of the levels"):
        selected(["logic/*"], [99])
    for text in ("", "a", "3-1", "0,,1", "-1", "0-", "1.5"):
        with pytest.raises(ValueError, match="levels are all, or numbers"):
            levels_of(text)
    assert levels_of("2,0-1, 1") == [0, 1, 2]


def test_tasks_are_from_the_training_seeds_and_spread_over_them():
    addresses = [address_of(KNIGHTS, level, n) for level in range(5) for n in range(40)]
    assert {each.split for each in addresses} == {"train"}
    assert [each.level for each in addresses[::40]] == [0, 1, 2, 3, 4]
    seeds = [each.seed for each in addresses]
    assert len({*seeds}) == 200
    assert min(seeds) > 1_000  # what data sets usually begin with
    assert max(seeds) > 2**30
    assert address_of(KNIGHTS, 1, 2) == address_of(KNIGHTS, 1, 2)


def held_for(jobs, score):
    return {
        job.key: Attempt(
            str(job.address), job.cell.env, job.cell.level, job.cell.name, 0, "", score, "scored"
        )
        for job in jobs
    }


def test_rounds_follow_each_other():
    ladder, held = Ladder(KNIGHTS, (0, 1, 2), Design(tasks=8)), {}
    first = ladder.advance(held)
    assert [job.cell.level for job in first] == [0, 1, 2]
    held |= held_for(first[:2], 1.0)
    assert ladder.advance(held) == []  # its round is under way
    held |= held_for(first[2:], 0.5)
    second = ladder.advance(held)
    assert len(second) == 4
    assert not {job.key for job in second} & {job.key for job in first}
    assert [(each.right, each.wrong) for each in ladder.counts[:3]] == [(1, 0), (1, 0), (0, 1)]
    # What is held already is not made again, and leads to the same choices.
    again = Ladder(KNIGHTS, (0, 1, 2), Design(tasks=8))
    assert again.advance(held) == second
    held |= held_for(second, None)
    (last,) = ladder.advance(held)
    assert sum(each.scored for each in ladder.counts) == 3
    assert ladder.advance(held | held_for([last], 1.0)) == []
    assert ladder.finished
    assert sum(ladder.tried.values()) == 8
