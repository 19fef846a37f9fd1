"""The cube of side 3, against turns of its net as squares and published numbers of positions."""

from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.puzzles.cube_turning import (
    CubeTurning,
    at_least,
    canonical_turns,
    corners_at_least,
    mixed,
    nearly_solved,
    nearly_solved_corners,
    shortest,
)
from palaestra.generators.rubiks_cube import FACES, cube, solved, turned
from palaestra.task import InvalidAnswer

RULES = CubeTurning("WYROGB")
SOLVED = solved(3)
POSITIONS = (1, 18, 243, 3240, 43239)
"""By the turns that they need, half turns included: https://www.cube20.org (Rokicki, Kociemba,
Davidson and Dethridge, 2010).
"""
CORNERS = (1, 9, 54, 321, 1847, 9992, 50136)
"""The same for the cube of side 2: Jaap Scherphuis, https://www.jaapsch.net/puzzles/cube2.htm."""


def net_of(board):
    return {
        (face, r, c): board[n * 9 + r * 3 + c]
        for n, face in enumerate(FACES)
        for r, c in product(range(3), repeat=2)
    }


def after(net, move):
    for _ in range({"": 1, "2": 2, "'": 3}[move[1:]]):
        net = turned(net, move[0], 3)
    return net


def test_near_positions_have_their_known_numbers():
    distances = [*nearly_solved().values()]
    assert tuple(distances.count(n) for n in range(5)) == POSITIONS
    corners = [*nearly_solved_corners().values()]
    assert tuple(corners.count(n) for n in range(7)) == CORNERS


@pytest.mark.parametrize("seed", range(14))
def test_a_plan_solves_the_net_turned_as_squares(seed):
    level = seed % 7
    task = Address.of("games/cube_turning", seed, level).task()
    net = net_of(task.start())
    plan = [*task.solve()]
    assert len(plan) == type(task).Knobs.at(level).turns
    for move in plan:
        net = after(net, move)
    assert len({(face, sign) for (face, _, _), sign in net.items()}) == 6


@pytest.mark.parametrize("seed", range(10))
def test_turns_lead_where_the_net_turned_as_squares_leads(seed):
    rng = Random(seed)
    board = mixed(rng, 12)
    for move in RULES.legal(board):
        assert net_of(RULES.apply(board, move)) == after(net_of(board), move)


@pytest.mark.parametrize("seed", range(6))
def test_plans_are_as_short_as_those_of_a_search_from_both_ends(seed):
    rng = Random(seed)
    for turns in range(1, 7):
        board = mixed(rng, turns)
        plan = cube(3).plan(board, SOLVED, budget=300_000)
        assert len(shortest(board)) == len(plan.moves)


@pytest.mark.parametrize("seed", range(30))
def test_estimates_are_never_too_high(seed):
    rng = Random(seed)
    for turns in range(10):
        board = mixed(rng, turns)
        assert corners_at_least(board) <= at_least(board) <= turns


def test_rotations_of_the_cube_solve_its_corners():
    """Turning two opposite faces in the same sense rotates the corners as a whole."""
    board = SOLVED
    for moves in (("U", "D'"), ("R", "L'"), ("F2", "B2"), ("R'", "L"), ("U2", "D2")):
        for move in moves:
            board = RULES.apply(board, move)
        assert corners_at_least(board) == 0
    assert at_least(board) > 4


def test_canonical_orders_reach_all_positions():
    wave = {("", SOLVED)}
    for number in (18, 243, 3240):
        wave = {
            (move, RULES.apply(board, move))
            for last, board in wave
            for move in canonical_turns(last)
        }
        assert len(wave) == number


def test_too_many_turns_lose_and_pay_the_credit_back():
    task = Address.of("games/cube_turning", 3, 3).task()
    episode = Episode(task, BARE, [*task.solve()][:2])
    while episode.score is None:
        episode.step("U2")
    assert len(episode.replies) == task.moves
    assert episode.score.value == 0
    assert sum(episode.rewards) == pytest.approx(0)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("D'", "D'"),
        ("I turn L2.", "L2"),
        ("**B\u2019**", "B'"),
        ("Turn the D face counterclockwise.", "D'"),
        ("turn the left face clockwise", "L"),
        ("bottom layer half turn", "D2"),
        ("turn the bottom face 180 degrees", "D2"),
        ("Back face counter-clockwise", "B'"),
        ("My move: F^{-1}", "F'"),
    ],
)
def test_natural_moves_are_read(text, move):
    assert RULES.read(SOLVED, text) == move


@pytest.mark.parametrize(
    "text", ["", "M", "R U", "r", "R or U", "not R", "R3", "left", "turn right", "R" * 4000]
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(SOLVED, text)


def test_the_scene_shows_the_colours_of_the_net():
    board = mixed(Random(1), 5)
    shown = [[cell.text for cell in row if cell.text] for row in RULES.scene(board).cells]
    assert shown == [line.split() for line in RULES.show(board).splitlines()]
