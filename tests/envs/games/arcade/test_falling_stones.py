"""Digging below stones: turns by rules that are written another way, shortest plans, readers."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.games.arcade.falling_stones import CRUSHED, FallingStones, Mine, State
from palaestra.generators.games.solo import plan_of
from palaestra.task import InvalidAnswer

STEPS = {"up": (-1, 0), "left": (0, -1), "down": (1, 0), "right": (0, 1)}


def read_board(text):
    lines = text.split("\n\n")[0].splitlines()
    first = next(n for n, line in enumerate(lines) if line.split()[0] == "1" and "2" in line) + 1
    return {
        (r, c): s for r, line in enumerate(lines[first:]) for c, s in enumerate(line.split()[1:])
    }


def turn(board, name):
    """The board after a step, "X" in place of a player who is crushed; None if it is not legal."""
    board = dict(board)
    row, column = next(cell for cell, sign in board.items() if sign == "@")
    down, right = STEPS[name]
    target, behind = (row + down, column + right), (row + 2 * down, column + 2 * right)
    sign = board.get(target, "#")
    if sign == "#" or (sign == "O" and (down or board.get(behind) != ".")):
        return None
    if sign == "O":
        board[behind] = "O"
    board[row, column], board[target] = ".", "@"
    crushed = False
    for cell in sorted(board, reverse=True):
        if board[cell] != "O":
            continue
        end = cell
        while board.get((end[0] + 1, end[1])) == ".":
            end = end[0] + 1, end[1]
        if end != cell:
            board[cell], board[end] = ".", "O"
            crushed |= board.get((end[0] + 1, end[1])) == "@"
    if crushed:
        board[target] = "X"
    return board


@pytest.mark.parametrize("seed", range(20))
def test_random_moves_lead_where_the_text_says(seed):
    task, rng = Address.of("games/falling_stones", seed, seed % 6).task(), Random(seed)
    rules, state = task.rules(), task.start()
    for _ in range(40):
        board = read_board(rules.show(state))
        after = {name: turn(board, name) for name in STEPS}
        legal = [rules.name(state, move) for move in rules.legal(state)]
        assert {*legal} == {name for name, new in after.items() if new is not None}
        if not legal:
            break
        name = rng.choice(legal)
        new = rules.apply(state, rules.read(state, name))
        if new.number == state.number:
            if "X" in after[name].values():
                assert new.cell == CRUSHED
                assert rules.why_lost(new) == "a stone fell on you"
                break
            assert new.cell != CRUSHED
            assert read_board(rules.show(new)) == after[name]
        else:
            assert "*" not in after[name].values()
            assert new == rules.begin(state.number + 1)
        state = new
        if rules.distance(state) == 0:
            break


@pytest.mark.parametrize("seed", range(6))
def test_plans_are_shortest(seed):
    task = Address.of("games/falling_stones", seed, 1).task()
    for mine in task.mines:
        rules = FallingStones(task.rows, task.columns, (mine,))
        wave, seen, moves = {rules.begin(0)}, set(), 0
        while not any(rules.distance(state) == 0 for state in wave):
            seen |= wave
            after = {rules.apply(state, move) for state in wave for move in rules.legal(state)}
            wave, moves = after - seen, moves + 1
        assert len(plan_of(rules, rules.begin(0), 100_000).moves) == moves


def test_nothing_falls_before_the_first_move():
    for level in range(6):
        task = Address.of("games/falling_stones", 3, level).task()
        rules = task.rules()
        for number in range(len(task.mines)):
            assert rules.settled(rules.begin(number)) == rules.begin(number)


def test_the_perfect_player_wins_all_mines():
    task = Address.of("games/falling_stones", 2, 4).task()
    assert len(task.mines) == 4
    assert Episode(task, "bare", list(task.solve())).score.value == 1


COLUMN = FallingStones(4, 3, (Mine(0, 4, 0, 1 << 1, 1 << 9),))
"""A stone in r1c2 rests on the player in r2c2; the gem is in r4c1."""


def test_a_stone_that_rests_on_the_player():
    start = COLUMN.begin(0)
    assert COLUMN.settled(start) == start
    aside = COLUMN.apply(start, 3)
    assert (aside.cell, aside.stones) == (5, 1 << 10)
    assert COLUMN.apply(start, 2).cell == CRUSHED


def test_stones_are_pushed_sideways_alone():
    rules = FallingStones(1, 5, (Mine(0, 0, 0, 0b00110, 0b10000),))
    assert rules.legal(rules.begin(0)) == []
    rules = FallingStones(1, 5, (Mine(0, 0, 0, 0b00010, 0b10000),))
    assert rules.apply(rules.begin(0), 3) == State(1, 0, 0b00100, 0b10000)
    with pytest.raises(InvalidAnswer, match="leave the board"):
        rules.read(rules.begin(0), "left")


def test_the_last_gem_does_not_save_the_player():
    rules = FallingStones(3, 2, (Mine(0, 2, 0, 1 << 0, 1 << 4),))
    state = rules.apply(rules.begin(0), 2)
    assert state.cell == CRUSHED
    assert rules.distance(state) == float("inf")


@pytest.mark.parametrize("text", ["down", "D", "Go down!", "I dig down", "\u2193"][:3])
def test_natural_moves_are_read(text):
    assert COLUMN.read(COLUMN.begin(0), text) == 2


@pytest.mark.parametrize("text", ["", "up", "down or left", "wait", "r3c2"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        COLUMN.read(COLUMN.begin(0), text)


def test_the_scene_shows_what_the_text_shows():
    rules = FallingStones(2, 3, (Mine(0b1, 3, 0b10, 0b100, 0b100000),))
    scene = rules.scene(rules.begin(0))
    shown = [[(cell.fill, cell.mark) for cell in row] for row in scene.cells]
    assert shown[0] == [("dark", ""), ("t3", ""), ("paper", "disc")]
    assert shown[1] == [("paper", "disc"), ("paper", ""), ("paper", "diamond")]
    assert scene.cells[1][0].text == "@"


@pytest.mark.parametrize(
    "text", ["@: down", "- down", "1. down", "Next move: **down**", "down (because there is earth)"]
)
def test_moves_with_something_around_them_are_read(text):
    assert COLUMN.read(COLUMN.begin(0), text) == 2


@pytest.mark.parametrize("wording", [0, 1])
def test_the_prompt_says_what_happens_without_a_legal_move(wording):
    task = Address.of("games/falling_stones", 1, 2).task().model_copy(update={"wording": wording})
    assert ("no legal move left", "no move is possible")[wording] in task.description()


def test_the_rule_of_the_nearest_gem():
    """The nearer gem is to the left in a row; in a board of 3 by 3, it is below the player, on whom
    a stone would fall.
    """
    clear = FallingStones(1, 5, (Mine(0, 1, 0, 0, 0b10001),))
    assert clear.to_the_nearest_gem(clear.begin(0)) == [1]
    below = FallingStones(3, 3, (Mine(0, 3, 0, 1, 1 << 6 | 1 << 2),))
    assert below.apply(below.begin(0), 2).cell == CRUSHED
    assert below.to_the_nearest_gem(below.begin(0)) == [3]


def test_the_rule_of_the_nearest_gem_wins_seldom_at_the_top():
    won = 0
    for seed in range(8):
        task = Address.of("games/falling_stones", seed, 5).task()
        player = task.baselines(Random(seed))["to the nearest gem, but not below a stone"]
        episode = Episode(task, "bare")
        while episode.score is None:
            episode.step(player(episode.turn))
        won += episode.score.value == 1
    assert won <= 1
