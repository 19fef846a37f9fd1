"""Tests of planning/rubiks_cube."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.planning.rubiks_cube import RubiksCube
from palaestra.generators.rubiks_cube import (
    FACES,
    SOLVED,
    cube,
    nearly_solved,
    net,
    pocket,
    pocket_plan,
    turned,
)
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize(
    ("size", "turns", "order"),
    [(2, "U", 4), (3, "R2", 2), (2, "R U", 15), (3, "R U", 105), (3, "R U R' U'", 6),
     (3, "R2 U2", 6), (3, "R L U2 R' L' F2 B2", None), (3, "F B' F' B", 1)],
)  # fmt: skip
def test_cube_has_the_known_orders(size, turns, order):
    """The orders of sequences are known to every cuber."""
    act, home = cube(size).act, tuple(range(6 * size * size))
    board, times = home, 0
    while times == 0 or board != home:
        for turn in turns.split():
            board = act[turn](board)
        times += 1
        assert times < 1300, "no element of the cube group has an order above 1260"
    assert order in {None, times}


def test_cube_turns_go_the_right_way():
    """U takes the top row of F to L, R takes the right column of F to U, F that of U to R."""
    act, home = cube(3).act, tuple(n // 9 for n in range(54))
    u, r, f = range(3)
    assert act["U"](home)[36:39] == (f, f, f)
    assert act["R"](home)[2] == f
    assert act["R"](home)[47 - 2] == u  # the column of B that touches R is its left one
    assert act["F"](home)[9] == u
    assert act["D"](home)[15:18] == (f, f, f)
    assert act["L"](home)[27] == f
    assert act["B"](home)[0] == r


def faces(net):
    """The stickers of a net, taken apart as the prompt says."""
    rows = [line.split() for line in net.splitlines()]
    side = len(rows) // 3
    blocks = {"U": rows[:side], "D": rows[2 * side :]}
    for n, face in enumerate("LFRB"):
        blocks[face] = [row[n * side : (n + 1) * side] for row in rows[side : 2 * side]]
    return {
        (face, r, c): sign
        for face, block in blocks.items()
        for r, row in enumerate(block)
        for c, sign in enumerate(row)
    }


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from((0, 2)), st.lists(st.sampled_from(FACES), max_size=5))
def test_cube_is_judged_on_the_net(seed, level, first):
    """What the net shows, turned face by face as a square, is solved when the judge says so."""
    task = sample(RubiksCube, seed, level)
    moves = task.answer().split()
    more = [*first, *(face + "'" for face in reversed(first))]
    cells = faces(net(task.stickers, task.colours))
    for move in [*more, *moves]:
        for _ in range({"": 1, "2": 2, "'": 3}[move[1:]]):
            cells = turned(cells, move[0], task.size)
    assert len({(face, sign) for (face, _, _), sign in cells.items()}) == 6
    spun = task.model_copy(update={"turns": 20})
    assert spun.verify(" ".join([*more, *moves])).value == 1
    for answer in (moves[:-1], [*moves, "U"], ["F", *moves]):
        assert spun.verify(" ".join(answer)).value == spun.audit(" ".join(answer)) == 0


@pytest.mark.parametrize("size", [2, 3])
def test_cube_tables_agree(size):
    """Stickers carried round in space and lines carried round on the net come to the same."""
    cells = [(face, r, c) for face in FACES for r in range(size) for c in range(size)]
    home = tuple(range(len(cells)))
    for face in FACES:
        after = turned(dict(zip(cells, home)), face, size)
        assert tuple(after[cell] for cell in cells) == cube(size).act[face](home)


def test_small_letters_are_turns_of_two_layers():
    for level in (0, 2):
        task = sample(RubiksCube, 1, level)
        for answer in (task.answer().lower(), task.answer()[:1].lower() + task.answer()[1:]):
            with pytest.raises(InvalidAnswer):
                task.verify(answer)


def test_cube_is_read_in_all_common_ways():
    for seed in range(30):
        task = sample(RubiksCube, seed, 0)
        answer = task.answer()
        for reply in (
            answer.replace(" ", ", "),
            answer.replace("'", "\u2019"),
            answer.replace("'", "`"),
            answer.replace("2", "2'"),
            f"'{answer}'",
        ):
            assert task.verify(reply).value == 1
    for answer in ("", "X", "U3", "UR", "M2", "'", "''", "2'", "U''"):
        with pytest.raises(InvalidAnswer):
            task.verify(answer)


def test_a_cube_after_twenty_turns_is_solved_by_any_plan_of_sixty():
    task = sample(RubiksCube, 2, 8)
    moves = task.answer().split()
    assert len(task.scramble) == len(moves) == 20
    assert "at most 60 turns" in task.prompt()
    for longer in (["U", "U'", *moves], [*["F"] * 40, *moves]):
        assert task.verify(" ".join(longer)).value == 1
    assert task.verify(" ".join([*["F"] * 44, *moves])).value == 0
    assert task.verify(" ".join(moves[:-1])).value == 0


def test_the_turns_that_mixed_a_cube_up_are_not_shown():
    task = sample(RubiksCube, 3, 8)
    other = task.model_copy(update={"scramble": task.scramble[::-1]})
    assert other.prompt() == task.prompt()


def test_a_cube_after_a_few_turns_needs_a_shortest_plan():
    task = sample(RubiksCube, 0, 6)
    assert not task.scramble
    assert len(task.answer().split()) == task.turns == 6


def test_turns_in_backticks_are_not_counterclockwise():
    for seed in range(30):
        task = sample(RubiksCube, seed, 0)
        names = task.answer().split()
        assert task.verify(", ".join(f"`{name}`" for name in names)).value == 1
        assert task.verify(" ".join(name.replace("'", "`") for name in names)).value == 1


@pytest.mark.parametrize("number", [8, 9, 10])
def test_small_cubes_need_a_shortest_plan_of_up_to_ten_turns(number):
    task = sample(RubiksCube, 1, 0, turns=number)
    moves = task.answer().split()
    assert len(moves) == task.turns == number
    assert task.verify(" ".join(moves)).value == 1
    assert task.verify(" ".join([*moves, "U", "U'"])).value == 0


def test_eleven_turns_are_enough_for_small_cubes_mixed_up_by_more():
    for seed in range(5):
        task = sample(RubiksCube, seed, 0, turns=20)
        assert task.turns == 11
        assert 6 <= len(task.answer().split()) <= 11
        assert task.verify(task.answer()).value == 1


def test_positions_near_the_solved_small_cube_are_as_many_as_are_known():
    """The counts by distance are those of the published tables of the 2 by 2 by 2 cube."""
    board_of = nearly_solved()
    lengths = Counter(len(pocket_plan(board)) for board in board_of)
    assert [lengths[n] for n in range(6)] == [1, 9, 54, 321, 1847, 9992]


def test_plans_of_small_cubes_are_as_short_as_a_search_from_both_ends_finds():
    rng, turns = Random(0), pocket(2)
    for number in (3, 5, 6, 7, 8):
        board = turns.scrambled(rng, SOLVED, number)
        plan = turns.plan(board, SOLVED, budget=10**6)
        assert plan is not None
        assert len(pocket_plan(board)) == len(plan.moves)
