"""Sliding on ice, against a search of its own on the text of the board."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.games.puzzles.ice_sliding import LOST, IceSliding, State
from palaestra.task import InvalidAnswer

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
RULES = IceSliding(("...:", ".#.O", "...."), (1,))


def read_board(text):
    lines = text.partition("\n\n")[0].splitlines()
    return {(r, c): s for r, line in enumerate(lines) for c, s in enumerate(line.split())}


def slid(board, at, gems, name):
    """Where a slide ends, with the gems that are left; None in a hole."""
    while True:
        new = at[0] + STEPS[name][0], at[1] + STEPS[name][1]
        if board.get(new, "#") == "#":
            return at, gems
        at, gems = new, gems - {new}
        if board[at] == "O":
            return None, gems
        if board[at] == ":":
            return at, gems


def begin(text):
    board = read_board(text)
    at = next(cell for cell, sign in board.items() if sign == "@")
    return board, at, frozenset(cell for cell, sign in board.items() if sign == "*")


def shortest(text):
    board, at, gems = begin(text)
    wave, seen, moves = {(at, gems)}, {(at, gems)}, 0
    while not any(not left for _, left in wave):
        after = {slid(board, at, left, name) for at, left in wave for name in STEPS}
        wave = {each for each in after if each[0] is not None} - seen
        seen |= wave
        moves += 1
    return moves


@pytest.mark.parametrize("seed", range(12))
def test_plans_are_shortest(seed):
    task = Address.of("games/ice_sliding", seed, seed % 4).task()
    spare = type(task).Knobs.at(seed % 4).spare
    text = task.rules().show(task.start())
    assert shortest(text) == len(list(task.solve())) == task.moves - spare


@pytest.mark.parametrize("seed", range(20))
def test_random_moves_lead_where_the_text_says(seed):
    task, rng = Address.of("games/ice_sliding", seed, seed % 5).task(), Random(seed)
    rules, state = task.rules(), task.start()
    board, at, gems = begin(rules.show(state))
    for _ in range(12):
        legal = [rules.name(state, move) for move in rules.legal(state)]
        assert legal == [name for name in STEPS if slid(board, at, gems, name)[0] != at]
        if not legal:
            break
        name = rng.choice(legal)
        state = rules.apply(state, rules.read(state, name))
        at, gems = slid(board, at, gems, name)
        if at is None:
            assert state.cell == LOST
            assert rules.distance(state) == float("inf")
            break
        shown = read_board(rules.show(state))
        assert shown[at] == "@"
        assert {cell for cell, sign in shown.items() if sign == "*"} == gems - {at}


def test_a_hole_behind_the_last_gem_loses():
    """An examiner took the gem for a win."""
    rules = IceSliding(("....O",), (2,))
    fallen = rules.apply(State(0, 1), 3)
    assert fallen == State(LOST, 0)
    assert rules.distance(fallen) == float("inf")
    assert rules.why_lost(fallen) == "you fell into a hole"


def test_the_ground_below_the_player_is_stated():
    assert RULES.show(State(3, 0)).endswith("You are on sand.")
    assert RULES.show(State(0, 0)).endswith("You are on ice.")


def test_rocks_sand_holes_and_gems():
    assert RULES.apply(State(0, 1), 3) == State(3, 0)  # over the gem to the sand
    assert RULES.apply(State(3, 0), 1).cell == LOST
    assert RULES.apply(State(8, 1), 0).cell == 0
    assert 1 not in RULES.legal(State(1, 0))  # a rock below


@pytest.mark.parametrize(
    ("gems", "lines"), [((0, 1, 3), 1), ((0, 3, 8), 2), ((0, 5), 2), ((0, 1, 3, 8), 2)]
)
def test_the_estimate_is_the_fewest_lines(gems, lines):
    rules = IceSliding(("....",) * 3, gems)
    assert rules.distance(State(11, (1 << len(gems)) - 1)) == lines


@pytest.mark.parametrize(
    "text",
    [
        "left",
        "L",
        "Slide left!",
        "I slide left",
        "\u2190",
        "to the left",
        "left (one cell)",
        "go left now",
    ],
)
def test_natural_moves_are_read(text):
    assert RULES.name(State(10, 1), RULES.read(State(10, 1), text)) == "left"


@pytest.mark.parametrize("text", ["", "down", "left or right", "wait", "up" * 300])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(10, 1), text)


def test_the_scene_shows_what_the_text_shows():
    scene = RULES.scene(State(8, 1))
    assert [cell.text for cell in scene.cells[0]] == ["", "*", "", ""]
    assert [cell.fill for cell in scene.cells[1]] == ["water", "dark", "water", "muted"]
    assert scene.cells[1][3].text == "O"
    assert scene.cells[2][0].text == "@"
    assert scene.cells[0][3].fill == "t4"
