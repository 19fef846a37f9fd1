"""Tests of planning/rush_hour."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.planning.breadth_first import distances
from tests.envs.sampling import sample

from palaestra.envs.planning.rush_hour import NAMES, RushHour
from palaestra.generators.planning.rush_hour.parking import parked, reached, text
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


def driven(board):
    """Every board of text that one car can make of another, and by which words."""
    size = len(board)
    for name in sorted({*"".join(board)} - {"."}):
        cells = [(r, c) for r in range(size) for c in range(size) if board[r][c] == name]
        ways = (("left", 0, -1), ("right", 0, 1)) if cells[0][0] == cells[1][0] else (
            ("up", -1, 0), ("down", 1, 0))  # fmt: skip
        for way, y, x in ways:
            for count in range(1, size):
                there = [(r + count * y, c + count * x) for r, c in cells]
                if not all(0 <= r < size and 0 <= c < size for r, c in there):
                    break
                if any(board[r][c] not in (".", name) for r, c in there):
                    break
                rows = [["." if sign == name else sign for sign in row] for row in board]
                for r, c in there:
                    rows[r][c] = name
                yield f"{name} {way} {count}", tuple("".join(row) for row in rows)


@settings(max_examples=6, deadline=None)
@given(SEEDS, st.sampled_from((0, 3, 5)))
def test_cars_need_as_many_drives_as_stated(seed, level):
    """Against a plain search on the text of the board, and judged as that goes."""
    task = sample(RushHour, seed, level)
    start = tuple("".join(row.split()) for row in task.board().splitlines())
    away = distances(start, lambda state: [there for _, there in driven(state)])
    out = [left for board, left in away.items() if board[2].endswith("XX")]
    assert min(out) == task.drives == len(task.answer().splitlines())
    assert {board for _, board in driven(start)} <= away.keys()
    positions = reached(task.cars, len(away))
    assert len(positions.known) == len(away)
    assert {
        tuple("".join(row.split()) for row in text(parked(task.cars, here), NAMES).splitlines())
        for here in positions.known
    } == away.keys()


def test_a_car_park_is_the_same_in_all_positions():
    task = sample(RushHour, 7, 1)
    moved = task.model_copy(update={"cars": task.start_and_plan()[0]})
    assert (moved.canonical(), moved.board()) == (task.canonical(), task.board())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("A down 3\nX right 4", ""),
        ("a DOWN 3, x right 4", ""),
        ("1. A down 3\n2. X right 3\n3. X right 1", "3 moves exceed the limit of 2"),
        ("A down 2\nX right 4", "in move 2, X does not have enough room"),
        ("A down 4\nX right 4", "in move 1, A does not have enough room"),
        ("A up 1\nX right 4", "in move 1, A does not have enough room"),
        ("A right 3\nX right 4", "in move 1, A cannot move in that direction"),
        ("A down 3\nX right 3", "car X is not at the right edge in the end"),
    ],
)
def test_cars_that_are_in_the_way(answer, reason):
    task = RushHour(cars=((2, 0, 2), (9, 0, 3)), drives=2, spare=0)
    assert task.board().splitlines()[2] == "X X . A . ."
    judged = task.verify(answer)
    assert (judged.value, judged.reason) == (float(not reason), reason)
    assert task.audit(answer) == (not reason)


@pytest.mark.parametrize("answer", ["A up 6", "A up 0", "A up -1", "A up", "Z up 1", "up A 1"])
def test_no_drives(answer):
    task = RushHour(cars=((2, 0, 2), (9, 0, 3)), drives=2, spare=0)
    with pytest.raises(InvalidAnswer):
        task.verify(answer)
