"""Tests of games/circle_the_cat."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.games.boards.circle_the_cat import CircleTheCat
from palaestra.episode import BARE
from palaestra.generators.games.boards import circle_the_cat
from palaestra.scoring import score
from palaestra.verifiers.reading.cells import cell_name

SEEDS = st.integers(0, 10**6)


def sample(seed, level):
    return CircleTheCat.sample(Random(seed), CircleTheCat.Knobs.at(level))


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_the_cat_is_caught(seed, level):
    """By the rule of the prompt, the solver's walls trap the cat, and it escapes without them."""
    task = sample(seed, level)
    walls, cat = frozenset(task.walls), task.cat
    for wall in task.plan():
        assert cat is not None
        assert wall not in walls
        assert wall != cat
        walls |= {wall}
        next_cell = circle_the_cat.step(task.size, walls, cat)
        assert next_cell is None or next_cell in circle_the_cat.around(task.size)[cat]
        cat = next_cell
    assert cat is None
    cat, walls = task.cat, frozenset(task.walls)
    for _ in range(task.size):
        if cat not in circle_the_cat.edge(task.size):
            cat = circle_the_cat.step(task.size, walls, cat)
    assert cat in circle_the_cat.edge(task.size)


def test_neighbours_are_symmetric():
    for cell, near in enumerate(circle_the_cat.around(7)):
        assert all(cell in circle_the_cat.around(7)[other] for other in near)
        assert len(near) == 6 or cell in circle_the_cat.edge(7)


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 5), st.sampled_from((0, -1)))
def test_blocking_the_path_of_the_cat_is_not_enough(seed, level, index):
    """The player always builds on the next cell of its path, or on the last one."""
    task = sample(seed, level)
    walls, cat, moves = frozenset(task.walls), task.cat, []
    while ahead := circle_the_cat.route(task.size, walls, cat):
        walls |= {ahead[index]}
        moves.append(cell_name(*divmod(ahead[index], task.size)))
        cat = circle_the_cat.step(task.size, walls, cat)
    assert score(task, moves, BARE).reason == "the cat has reached the edge of the board"
