"""Tests of planning/sliding_tiles."""

import heapq
import random

from palaestra.generators.sliding_tiles import shortest as slides


def test_every_board_of_six_is_solved_in_at_most_21_moves():
    done = (1, 2, 3, 4, 5, 0)
    fewest, queue = {done: 0}, [(0, done)]
    while queue:
        moves, board = heapq.heappop(queue)
        gap = board.index(0)
        for cell in (gap - 3, gap + 3, *(p for p in (gap - 1, gap + 1) if p // 3 == gap // 3)):
            if 0 <= cell < 6:
                new = list(board)
                new[gap], new[cell] = new[cell], 0
                if tuple(new) not in fewest:
                    fewest[tuple(new)] = moves + 1
                    heapq.heappush(queue, (moves + 1, tuple(new)))
    assert (len(fewest), max(fewest.values())) == (360, 21)
    for board in random.Random(0).sample(sorted(fewest), 40):
        plan = slides(board, 3)
        assert plan is not None
        assert len(plan.moves) == fewest[board]
