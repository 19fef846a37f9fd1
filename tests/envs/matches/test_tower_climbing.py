"""Builders and towers: rules and wins against rules that are written another way, the reader."""

from itertools import product
from random import Random

import pytest

import palaestra
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.generators.matches.tower_climbing import NONE, State, TowerClimbing
from palaestra.task import InvalidAnswer


def around(cell, heights):
    row, column = cell
    near = product((row - 1, row, row + 1), (column - 1, column, column + 1))
    return [each for each in near if each != cell and each in heights]


def moves(heights, owners, player):
    """The moves of a player, as cells, with the heights and the owners of builders after them."""
    for start in [cell for cell, owner in owners.items() if owner == player]:
        for end in around(start, heights):
            if end in owners or heights[end] == 4 or heights[end] - heights[start] > 1:
                continue
            rest = {cell: owner for cell, owner in owners.items() if cell != start}
            after = rest | {end: player}
            if heights[end] == 3:
                yield (start, end, None), heights, after
                continue
            for built in around(end, heights):
                if built not in after and heights[built] < 4:
                    yield (start, end, built), heights | {built: heights[built] + 1}, after


def wins(heights, owners, player, left):
    """Whether the player to move wins within so many own moves, by plain search."""
    for (_, _, built), new, after in moves(heights, owners, player):
        if built is None:
            return True
        replies = [*moves(new, after, 1 - player)]
        if any(reply[0][2] is None for reply in replies) or (left == 1 and replies):
            continue
        if all(wins(*reply[1:], player, left - 1) for reply in replies):
            return True
    return False


def parts(rules, state):
    """A position as dictionaries of cells."""
    cells = [divmod(n, rules.columns) for n in range(rules.rows * rules.columns)]
    owners = {cells[n]: 0 for n in state.first} | {cells[n]: 1 for n in state.second}
    return cells, dict(zip(cells, state.heights, strict=True)), owners


def position(rng, rules):
    """A board of random heights, on which nobody stands on the top."""
    number = rules.rows * rules.columns
    while True:
        heights = tuple(rng.choice((0, 1, 1, 2, 2, 3, 4)) for _ in range(number))
        low = [cell for cell in range(number) if heights[cell] < 3]
        if len(low) >= 2 * rules.builders:
            builders = rng.sample(low, 2 * rules.builders)
            first, second = (tuple(sorted(builders[n::2])) for n in (0, 1))
            return State(heights, first, second, rng.randrange(2))


@pytest.mark.parametrize(("size", "builders"), [((3, 3), 1), ((4, 3), 2), ((5, 5), 2)])
def test_games_go_by_the_rules(size, builders):
    rules, rng = TowerClimbing(*size, builders), Random(str(size))
    for _ in range(8):
        state = rules.start()
        while True:
            cells, heights, owners = parts(rules, state)
            known = {
                (
                    cells.index(start),
                    cells.index(end),
                    NONE if built is None else cells.index(built),
                ): (new, after)
                for (start, end, built), new, after in moves(heights, owners, state.turn)
            }
            legal = rules.legal(state)
            assert len(legal) == len(known)
            assert {*legal} == known.keys()
            if rules.outcome(state) is not None:
                break
            assert known
            move = rng.choice(legal)
            state = rules.apply(state, move)
            _, heights, owners = parts(rules, state)
            assert (heights, owners) == known[move]
            if move[2] == NONE:
                assert rules.outcome(state) == (LOSS if state.turn == 0 else WIN)
                break
        assert rules.outcome(state) == (LOSS if state.turn == 0 else WIN)


def test_counts_of_games():
    rules = TowerClimbing(3, 3, 1)

    def games(heights, owners, player, plies):
        after = [*moves(heights, owners, player)]
        return (
            len(after)
            if plies == 1
            else sum(games(*each[1:], 1 - player, plies - 1) for each in after)
        )

    _, heights, owners = parts(rules, rules.start())
    for plies in range(1, 5):
        assert perft(rules, rules.start(), plies) == games(heights, owners, 0, plies)


@pytest.mark.parametrize(
    ("size", "builders", "most"), [((3, 3), 1, 3), ((3, 3), 2, 2), ((4, 4), 1, 2)]
)
def test_the_shortest_wins(size, builders, most):
    rules, rng, lengths = TowerClimbing(*size, builders), Random(5), set()
    for _ in range(30 if most == 2 else 12):
        state = position(rng, rules)
        _, heights, owners = parts(rules, state)
        plain = (n for n in range(1, most + 1) if wins(heights, owners, state.turn, n))
        shortest = next(plain, None)
        sides = state[1:3][:: -1 if state.turn else 1]
        assert rules.shortest(state.heights, *sides, most) == shortest
        lengths.add(shortest)
        if shortest not in {None, 1}:
            state = state._replace(left=2 * shortest - 1, hunter=state.turn)
            best = [
                move
                for move in rules.legal(state)
                if Solver(rules).worth(rules.apply(state, move), state.turn) == WIN
            ]
            assert min(len(best), 3) == rules.winning(state, 3)
    assert len(lengths) > 2


def test_the_search_agrees_with_plain_search_of_the_rules():
    """Also in positions where the other player is to move."""
    rules, rng = TowerClimbing(3, 3, 1), Random(8)

    def value(state):
        over = rules.outcome(state)
        if over is None:
            best = max if state.turn == 0 else min
            over = best(value(rules.apply(state, move)) for move in rules.legal(state))
        return over

    for _ in range(60):
        state = position(rng, rules)
        state = state._replace(left=rng.randint(1, 3), hunter=rng.randrange(2))
        # The number of moves that are left is odd where the hunter is to move.
        if (state.left % 2 == 1) == (state.turn == state.hunter) and rules.outcome(state) is None:
            assert rules.solved(state) == value(state)


def test_the_end_of_the_moves():
    rules = TowerClimbing(1, 4, 1)
    assert rules.outcome(State((0, 1, 0, 0), (1,), (0,), 1, 0, 0)) == WIN  # B is shut in
    assert rules.outcome(State((0, 0, 0, 0), (1,), (3,), 1, 0, 0)) == LOSS
    assert rules.outcome(State((0, 0, 0, 0), (1,), (3,), 1, 2, 0)) is None
    assert rules.outcome(State((0, 0, 2, 4), (1,), (0,), 0, 1, 0)) == LOSS  # A cannot climb 2


def test_the_opponent_resists_to_the_end():
    for seed in range(6):
        task = palaestra.Address.of("matches/tower_climbing", seed, 3).task()
        start = task.start()
        assert task.line().moves == (start.left + 1) // 2 == 3
        assert start.hunter == start.turn == task.seat


BOARD = State((0, 1, 0, 2, 1, 0, 3, 0, 0), (3, 5), (0,), 0)
"""A's builders are on r2c1 and r2c3, B's on r1c1; r3c1 is a top."""


@pytest.mark.parametrize(
    "text",
    ["r2c3-r1c2 r1c3", "r2c3-r1c2, build r1c3", "R2C3 to R1C2, build on R1C3.",
     "move from (2, 3) to (1, 2) and build on (1, 3)", "r2c3 -> r1c2 -> r1c3", "r2c3, r1c2, r1c3",
     "My move: r2c3-r1c2 r1c3", "row 2 column 3 to row 1 column 2, then raise row 1 column 3",
     "**r2c3-r1c2 r1c3**", "I move my builder from r2c3 to r1c2 and then build at r1c3!",
     "[2, 3] [1, 2] [1, 3]"],
)  # fmt: skip
def test_moves_are_read(text):
    assert TowerClimbing(3, 3, 2).read(BOARD, text) == (5, 1, 2)


@pytest.mark.parametrize("text", ["r2c1-r3c1", "r2c1 to r3c1 and win", "r2c1-r3c1 r3c2"])
def test_winning_steps_are_read(text):
    assert TowerClimbing(3, 3, 2).read(BOARD, text) == (3, 6, NONE)


def test_a_builder_may_build_where_it_was():
    assert TowerClimbing(3, 3, 2).read(BOARD, "r2c3-r1c2 r2c3") == (5, 1, 5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("r2c3-r1c2", "state the cell"), ("r2c3-r1c2 r1c1", "cannot build on r1c1"),
     ("r2c3-r2c1 r1c1", "not a step"), ("r1c1-r1c2 r1c3", "not a step"),
     ("r2c3-r3c3 r1c1", "cannot build"), ("r2c3", "expected a step"), ("", "expected a step"),
     ("not r2c3-r1c2 r1c3", "expected a step"), ("r2c3-r1c2 r1c3 r1c3", "expected a step"),
     ("r2c3-r1c4 r1c3", "outside")],
)  # fmt: skip
def test_texts_that_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        TowerClimbing(3, 3, 2).read(BOARD, text)
