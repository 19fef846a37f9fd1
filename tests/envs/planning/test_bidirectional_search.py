"""Shortest plans by a search from both ends."""

from collections import deque
from random import Random

import pytest

from palaestra.generators.planning.bidirectional_search import rotations, shifts, shortest_between


def distances(start, ways):
    away, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for _, there in ways(here):
            if there not in away:
                away[there] = away[here] + 1
                queue.append(there)
    return away


@pytest.mark.parametrize(("puzzle", "boards"), [(shifts(2, 3), 720), (rotations(2, 3, 2), 120)])
def test_two_ends_find_shortest_plans(puzzle, boards):
    """Two blocks of four that share two cells make no more than PGL(2, 5), which is known."""
    goal = (1, 2, 3, 4, 5, 6)
    away = distances(goal, puzzle.ways)
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
