"""Walks that go where the distance to the goal seems least."""

from random import Random

from palaestra.verifiers.planning.walks import greedy_walk


def ways(number):
    return [("-1", number - 1), ("+1", number + 1), ("-3", number - 3)]


def test_a_walk_ends_at_the_goal_or_after_its_steps():
    assert greedy_walk(8, ways, abs, 10, Random(0)) == ["-3", "-3", "-1", "-1"]
    assert greedy_walk(8, ways, abs, 2, Random(0)) == ["-3", "-3"]
    assert greedy_walk(0, ways, abs, 10, Random(0)) == []


def test_a_walk_enters_no_state_twice_if_it_need_not():
    path = greedy_walk(0, lambda n: [(1, (n + 1) % 5), (4, (n - 1) % 5)], lambda n: 1, 4, Random(3))
    assert sorted(sum(path[:n]) % 5 for n in range(5)) == [0, 1, 2, 3, 4]


def test_a_player_who_looks_two_moves_ahead_gets_over_a_barrier():
    far = {0: 0, 1: 9, 2: 1, 3: 2, 4: 3}

    def line(number):
        return [(step, number + step) for step in (-1, 1) if 0 <= number + step <= 4]

    assert greedy_walk(2, line, far.__getitem__, 2, Random(0), plies=1) == [1, 1]
    assert greedy_walk(2, line, far.__getitem__, 2, Random(0), plies=2) == [-1, -1]
