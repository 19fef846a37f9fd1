"""Falling groups, against rules that are written another way."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.games.arcade.falling_groups import FallingGroups
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.falling_groups import FallingGroups as Rules
from palaestra.task import InvalidAnswer

ROWS, COLUMNS = 5, 4


def grid_of(state):
    """A board as rows from the top, None where it is empty."""
    columns = [[*column] + [None] * (ROWS - len(column)) for column in state]
    columns += [[None] * ROWS] * (COLUMNS - len(state))
    return [[columns[x][ROWS - 1 - y] for x in range(COLUMNS)] for y in range(ROWS)]


def connected(grid, row, column):
    letter, waiting, group = grid[row][column], [(row, column)], set()
    while waiting:
        r, c = waiting.pop()
        if 0 <= r < ROWS and 0 <= c < COLUMNS and grid[r][c] == letter and (r, c) not in group:
            group.add((r, c))
            waiting += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return group


def removed(grid, group):
    """A board without a group: first what is above falls, then columns close up."""
    columns = []
    for c in range(COLUMNS):
        column = [grid[r][c] for r in range(ROWS) if (r, c) not in group]
        column = [letter for letter in column if letter is not None]
        if column:
            columns.append([None] * (ROWS - len(column)) + column)
    columns += [[None] * ROWS] * (COLUMNS - len(columns))
    return [[column[r] for column in columns] for r in range(ROWS)]


@pytest.mark.parametrize("seed", range(30))
def test_games_go_by_the_rules(seed):
    rng, rules = Random(seed), Rules(ROWS, COLUMNS)
    state = tuple(tuple(rng.randrange(3) for _ in range(ROWS)) for _ in range(COLUMNS))
    while True:
        grid = grid_of(state)
        groups = [
            connected(grid, r, c)
            for r in range(ROWS)
            for c in range(COLUMNS)
            if grid[r][c] is not None
        ]
        movable = {frozenset(group) for group in groups if len(group) > 1}
        legal = rules.legal(state)
        assert len(legal) == len(movable)
        if not legal:
            break
        move = rng.choice(legal)
        row, column = ROWS - 1 - move[1], move[0]
        group = connected(grid, row, column)
        assert frozenset(group) in movable
        other = rng.choice(sorted(group))
        assert rules.read(state, f"r{other[0] + 1}c{other[1] + 1}") == move
        state = rules.apply(state, move)
        assert grid_of(state) == removed(grid, group)
    assert (rules.distance(state) == 0) == (not state)


@pytest.mark.parametrize("level", range(6))
def test_boards_can_be_cleared(level):
    for seed in range(5):
        task = Address.of("games/falling_groups", seed, level).task()
        assert isinstance(task, FallingGroups)
        episode = Episode(task, BARE)
        for move in task.solve():
            episode.step(move)
        assert episode.score is not None
        assert episode.score.value == 1


def test_cells_that_cannot_go_are_refused_with_the_reason():
    rules = Rules(2, 2)
    with pytest.raises(InvalidAnswer, match="no neighbour"):
        rules.read(((0, 1), (1, 1)), "r2c1")
    with pytest.raises(InvalidAnswer, match="empty"):
        rules.read(((0, 0),), "row 1 column 2")


def test_a_board_that_cannot_be_cleared_any_more_is_lost():
    task = Address.of("games/falling_groups", 2, 4).task()
    lost = 0
    for n in range(20):
        episode, rng = Episode(task, BARE), Random(n)
        while episode.score is None:
            episode.step(rng.choice(episode.turn.legal_moves))
        lost += episode.score.value == 0
        assert sum(episode.rewards) == pytest.approx(episode.score.value)
    assert lost > 10
