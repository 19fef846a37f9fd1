"""A ball and bricks: turns by rules that are written another way, shortest plans, readers."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.brick_breaking import (
    LOST,
    BrickBreaking,
    State,
    shortest_plan,
)
from palaestra.task import InvalidAnswer

SHIFTS = {"wait": 0, "left": -1, "right": 1}


def read_board(text):
    lines = text.partition("\n\n")[0].splitlines()[1:]
    return {(r, c): s for r, line in enumerate(lines) for c, s in enumerate(line.split()[1:])}


def turn(ball, step, paddle, bricks, size):
    """The ball, its step and the bricks after a turn; the ball is None where it is lost."""
    rows, columns = size
    (row, column), (down, right) = ball, step
    if column + right in {-1, columns}:
        right *= -1
    if row + down == -1:
        down = 1
    ahead = row + down, column + right
    if ahead in bricks:
        return ball, (-down, right), bricks - {ahead}
    if ahead[0] < rows:
        return ahead, (down, right), bricks
    sides = {paddle - 1: -1, paddle: -right, paddle + 1: 1}
    if ahead[1] not in sides:
        return None, (down, right), bricks
    return ball, (-1, sides[ahead[1]]), bricks


@pytest.mark.parametrize("seed", range(12))
def test_random_moves_lead_where_the_text_says(seed):
    task, rng = Address.of("games/brick_breaking", seed, seed % 5).task(), Random(seed)
    rules, state = task.rules(), task.start()
    size = task.rows, task.columns
    board = read_board(rules.show(state))
    bricks = {cell for cell, sign in board.items() if sign == "#"}
    ball = next(cell for cell, sign in board.items() if sign == "o")
    step = state.down, state.right
    paddle = min(c for (r, c), sign in board.items() if sign == "=") + 1
    for _ in range(40):
        legal = [rules.name(state, move) for move in rules.legal(state)]
        assert {*legal} == {n for n, s in SHIFTS.items() if 1 <= paddle + s < task.columns - 1}
        name = rng.choice(legal)
        paddle += SHIFTS[name]
        state = rules.apply(state, rules.read(state, name))
        ball, step, bricks = turn(ball, step, paddle, bricks, size)
        if ball is None:
            assert state.row == LOST
            assert rules.distance(state) == float("inf")
            assert rules.why_lost(state) == "the ball was lost"
            break
        assert rules.distance(state) == len(bricks)
        if not bricks:
            break
        board = read_board(rules.show(state))
        assert board[ball] == "o"
        assert {cell for cell, sign in board.items() if sign == "#"} == bricks
        assert [c for (r, c), sign in board.items() if sign == "="] == [
            paddle - 1, paddle, paddle + 1
        ]  # fmt: skip
        assert (state.down, state.right) == step


@pytest.mark.parametrize("seed", range(6))
def test_plans_are_shortest(seed):
    """Against waves of all states, a move at a time."""
    task = Address.of("games/brick_breaking", seed, seed % 2).task()
    rules = task.rules()
    wave, seen, moves = {task.start()}, set(), 0
    while not any(rules.distance(state) == 0 for state in wave):
        seen |= wave
        after = {rules.apply(state, move) for state in wave for move in rules.legal(state)}
        wave, moves = {state for state in after if state.row != LOST} - seen, moves + 1
    plan = shortest_plan(rules, task.start(), 100_000)
    assert len(plan.moves) == moves == len([*task.solve()])


RULES = BrickBreaking(4, 5)


@pytest.mark.parametrize(
    ("paddle", "right"), [(1, 1), (2, -1), (3, -1)],
)  # fmt: skip
def test_the_parts_of_the_paddle(paddle, right):
    """The ball comes to column 3 from the left."""
    after = RULES.rolled(State(3, 1, 1, 1, paddle, 1))
    assert after == State(3, 1, -1, right, paddle, 1)


def test_the_ball_is_lost_beside_the_paddle():
    assert RULES.rolled(State(3, 3, 1, 1, 2, 1)).row == LOST


def test_edges_and_bricks():
    assert RULES.rolled(State(1, 4, -1, 1, 2, 1))[:4] == (0, 3, -1, -1)
    assert RULES.rolled(State(0, 2, -1, 1, 2, 1))[:4] == (1, 3, 1, 1)
    assert RULES.rolled(State(0, 0, -1, -1, 2, 1))[:4] == (1, 1, 1, 1)
    assert RULES.rolled(State(1, 1, -1, -1, 2, 3)) == State(1, 1, 1, -1, 2, 2)


@pytest.mark.parametrize(
    ("text", "move"), [("left", 1), ("Wait.", 0), ("I move right", 2), ("\u2192", 2), ("stay", 0)]
)
def test_natural_moves_are_read(text, move):
    assert RULES.read(State(2, 2, 1, 1, 2, 1), text) == move


@pytest.mark.parametrize("text", ["", "up", "left right", "not left", "down", "left " * 99])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected left, right or wait"):
        RULES.read(State(2, 2, 1, 1, 2, 1), text)


def test_the_edge_stops_the_paddle():
    with pytest.raises(InvalidAnswer, match="edge"):
        RULES.read(State(2, 2, 1, 1, 1, 1), "left")


def test_the_scene_shows_what_the_text_shows():
    scene = RULES.scene(State(2, 2, 1, -1, 1, 0b11))
    assert [cell.fill for cell in scene.cells[0]] == ["c4", "c4", "paper", "paper", "paper"]
    assert scene.cells[2][2].mark == "down-left"
    assert [cell.fill for cell in scene.cells[4]] == ["c0", "c0", "c0", "paper", "paper"]


@pytest.mark.parametrize(
    ("text", "move"),
    [("- right", 2), ("1. right", 2), ("Next move: **right**", 2), ("you: left", 1),
     ("right (because the ball comes down there)", 2), ("move the paddle right", 2),
     ("paddle right", 2), ("do not move", 0), ("Don't move the paddle.", 0),
     ('{"move": "right"}', 2)],
)  # fmt: skip
def test_moves_with_something_around_them_are_read(text, move):
    assert RULES.read(State(2, 2, 1, 1, 2, 1), text) == move


@pytest.mark.parametrize("text", ["do not move right", "- left\n- right", "right (not left)"])
def test_moves_that_are_taken_back_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected left, right or wait"):
        RULES.read(State(2, 2, 1, 1, 2, 1), text)


@pytest.mark.parametrize("level", [2, 3, 4])
def test_rules_of_thumb_lose(level):
    lost = 0
    for seed in range(8):
        task = Address.of("games/brick_breaking", seed, level).task()
        players = task.baselines(Random(seed))
        for name in task.rules().thumbs():
            episode = Episode(task, BARE)
            while episode.score is None:
                episode.step(players[name](episode.turn))
            lost += episode.score.value == 0
    assert lost >= 8 * len(task.rules().thumbs()) - 2  # other fields are possible, but rare


def test_rules_of_thumb_aim_the_ball():
    rules = BrickBreaking(4, 7)
    state = State(2, 2, 1, 1, 3, 1 << 0)  # comes down in column 4; the brick is to the left
    assert rules.landing(state)[0] == 4
    goals = {name: goal(state) for name, goal in rules.thumbs().items()}
    assert goals["below the ball"] == 2
    assert goals["where the ball comes down"] == 4
    assert goals["the end that sends the ball to the mean of the bricks"] == 5
    assert [rules.towards(state, column) for column in (0, 3, 6)] == [1, 0, 2]
