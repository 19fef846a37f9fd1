"""Shortest plans by a search from both ends."""

from random import Random

import pytest
from tests.envs.planning.breadth_first import distances

from palaestra.generators.bidirectional_search import shortest_between
from palaestra.generators.planning.turn_puzzles import rotations, shifts


@pytest.mark.parametrize(("puzzle", "boards"), [(shifts(2, 3), 720), (rotations(2, 3, 2), 120)])
def test_two_ends_find_shortest_plans(puzzle, boards):
    """Two blocks of four that share two cells make no more than PGL(2, 5), which is known."""
    goal = (1, 2, 3, 4, 5, 6)
    away = distances(goal, lambda state: [there for _, there in puzzle.ways(state)])
    for start in Random(1).sample(sorted(away), 60):
        plan = puzzle.plan(start, goal)
        assert len(plan.moves) == away[start]  # moves can be undone, so both ways are as long
        board = start
        for move in plan.moves:
            board = puzzle.act[move](board)
        assert board == goal
    assert len(away) == boards


def test_two_ends_give_up():
    def ways(n):
        return [("+", n + 1)]

    assert shortest_between(0, 9, ways, lambda n: [("+", n - 1)], 5) is None
    assert shortest_between(0, -1, lambda n: [], lambda n: [], 5) is None
