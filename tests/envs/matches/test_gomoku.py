"""Gomoku: its rules and its search against rules and a search that are written cell by cell."""

from functools import cache
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.matches.gomoku import NOBODY, Gomoku, State
from palaestra.generators.matches.rules import DRAW, LOSS, WIN, perft
from palaestra.task import InvalidAnswer

WAYS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def lined(stones):
    """Whether cells, each (row, column), contain five in a line."""
    return any(
        all((row + n * down, column + n * right) in stones for n in range(5))
        for row, column in stones
        for down, right in WAYS
    )


def free_cells(size, *sides):
    cells = {(row, column) for row in range(size) for column in range(size)}
    return sorted(cells.difference(*sides))


@cache
def wins(size, mine, theirs, moves):
    """Whether the player to move makes a line within so many own moves, whatever the other does."""
    if not moves:
        return False
    for cell in free_cells(size, mine, theirs):
        after = mine | {cell}
        if lined(after) or (moves > 1 and defeats(size, after, theirs, moves - 1)):
            return True
    return False


def defeats(size, mine, theirs, moves):
    after = (theirs | {cell} for cell in free_cells(size, mine, theirs))
    return all(not lined(each) and wins(size, mine, each, moves) for each in after)


def mask(cells, size):
    return sum(1 << row * size + column for row, column in cells)


def boards(size, free, share, number):
    """Random boards without lines, as two sets of cells."""
    rng = Random(size)
    while number:
        cells = rng.sample(free_cells(size), size * size - free)
        mine = frozenset(cell for cell in cells if rng.random() < share)
        theirs = frozenset(cells) - mine
        if not lined(mine) and not lined(theirs):
            yield mine, theirs
            number -= 1


@pytest.mark.parametrize("size", [7, 9, 11])
def test_games_end_with_five_in_a_line(size):
    rules, rng = Gomoku(size), Random(size)
    for _ in range(20):
        state, sides = rules.start(), [set(), set()]
        while rules.outcome(state) is None:
            turn = state.turn
            assert sorted(rules.legal(state)) == [r * size + c for r, c in free_cells(size, *sides)]
            move = rng.choice(rules.legal(state))
            sides[turn].add(divmod(move, size))
            state = rules.apply(state, move)
            if lined(sides[turn]):
                assert rules.outcome(state) == (WIN, LOSS)[turn]
            elif len(sides[0]) + len(sides[1]) == size * size:
                assert rules.outcome(state) == DRAW
            else:
                assert rules.outcome(state) is None


def test_perft():
    """Without a line, all orders of cells are games."""
    rules = Gomoku(7)
    assert [perft(rules, rules.start(), depth) for depth in (1, 2, 3)] == [
        49,
        49 * 48,
        49 * 48 * 47,
    ]


@pytest.mark.parametrize(
    ("cells", "over"),
    [
        ([(3, column) for column in range(5)], True),
        ([(row, 6) for row in range(2, 7)], True),
        ([(n, n + 1) for n in range(6)], True),  # six count as well
        ([(n, 6 - n) for n in range(5)], True),
        ([(3, column) for column in (0, 1, 2, 3, 5, 6)], False),
        ([(2, 5), (2, 6), (3, 0), (3, 1), (3, 2)], False),  # no line leads round the edge
    ],
)
def test_lines(cells, over):
    rules = Gomoku(7)
    assert (rules.outcome(State(mask(cells, 7), 0, 1, 9)) == WIN) == over
    assert (rules.outcome(State(0, mask(cells, 7), 0, 9)) == LOSS) == over


@pytest.mark.parametrize(
    ("size", "free", "share", "moves", "number"),
    [(6, 12, 0.5, 2, 60), (6, 12, 0.6, 3, 60), (5, 9, 0.6, 4, 40), (6, 9, 0.65, 4, 40)],
)
def test_the_search_agrees_with_brute_force(size, free, share, moves, number):
    rules = Gomoku(size)
    for mine, theirs in boards(size, free, share, number):
        sides = mask(mine, size), mask(theirs, size)
        won = wins(size, mine, theirs, moves)
        assert bool(rules.fewest(*sides, moves)) == won
        assert (rules.solved(State(*sides, 0, 2 * moves - 1, 0)) == WIN) == won
        assert (rules.solved(State(*sides[::-1], 1, 2 * moves - 1, 1)) == LOSS) == won
        if rules.forced(*sides, moves):
            assert won
        beaten = defeats(size, mine, theirs, moves)
        assert (rules.solved(State(*sides, 1, 2 * moves, 0)) == WIN) == beaten


def test_a_three_of_the_other_player_leaves_time_for_fours_alone():
    """X can make two fours at once in two moves, or lose to O, who has an open three as well."""
    rules = Gomoku(9)
    first = mask([(1, 2), (1, 3), (1, 4)], 9)
    second = mask([(6, 2), (6, 3), (6, 4)], 9)
    assert rules.fewest(first, second, 3) == 2
    assert rules.threatens(second, first)
    assert rules.solved(State(first, second, 0, 3, 0)) == WIN
    quiet = rules.apply(State(first, second, 0, 5, 0), 80)
    assert rules.solved(quiet) == LOSS


def test_the_limit_ends_the_game():
    rules = Gomoku(7)
    assert rules.outcome(State(1, 2, 0, 0, 0)) == LOSS
    assert rules.outcome(State(1, 2, 0, 0, 1)) == WIN
    assert rules.outcome(State(1, 2, 0, 0, NOBODY)) == DRAW


def test_the_opponent_resists_as_long_as_it_can():
    for level in (1, 2, 3):
        task = Address.of("matches/gomoku", 3, level).task()
        rules, solver, state = task.rules(), task.solver(), task.start()
        moves = task.line().moves
        assert moves == (state.left + 1) // 2
        while rules.outcome(state) is None:
            if state.turn == state.hunter:
                assert rules.moves_needed(state) == (state.left + 1) // 2
                state = rules.apply(state, solver.best_moves(state)[-1])
            else:
                state = rules.apply(state, solver.hardest_replies(state)[-1])
        assert state.left == 0


@pytest.mark.parametrize("text", ["r1c3", "R1 C3", "row 1, column 3", "(1, 3)", "I move to r1c3."])
def test_moves_are_read(text):
    rules = Gomoku(7)
    assert rules.read(rules.start(), text) == 2
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(State(4, 0, 1, 9), text)
