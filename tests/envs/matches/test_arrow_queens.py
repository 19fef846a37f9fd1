"""Game of the Amazons: its rules against rules that are written another way, and its matches."""

from itertools import pairwise
from random import Random

import pytest

from palaestra.generators.matches.arrow_queens import ArrowQueens as Rules
from palaestra.generators.matches.arrow_queens import State
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.arrow_queens import arrow_move

WAYS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def reach(free, cell):
    for down, right in WAYS:
        end = cell[0] + down, cell[1] + right
        while end in free:
            yield end
            end = end[0] + down, end[1] + right


def moves(free, queens):
    """The moves of a player, each with the free cells and the queens after it."""
    for queen in queens:
        for end in reach(free, queen):
            open_cells = (free | {queen}) - {end}
            for arrow in reach(open_cells, end):
                yield (queen, end, arrow), open_cells - {arrow}, (queens - {queen}) | {end}


def wins(free, mine, theirs, known):
    """Whether the player to move wins, by plain search."""
    key = free, mine, theirs
    if key not in known:
        after = ((rest, queens) for _, rest, queens in moves(free, mine))
        known[key] = any(not wins(rest, theirs, queens, known) for rest, queens in after)
    return known[key]


def parts(state, rows, columns):
    """The free cells, the queens of the player to move, and those of the other one."""
    cells = {divmod(n, columns): n for n in range(rows * columns)}
    first, second, blocked = (
        frozenset(c for c in cells if mask >> cells[c] & 1) for mask in state[:3]
    )
    free = frozenset(cells) - first - second - blocked
    return (free, second, first) if state.turn else (free, first, second)


def mask(columns, *cells):
    return sum(1 << row * columns + column for row, column in cells)


def filled(rng, rows, columns, queens, free):
    """A position with random cells."""
    cells = rng.sample(range(rows * columns), rows * columns - free)
    ends = 0, queens, 2 * queens, len(cells)
    sides = [sum(1 << n for n in cells[a:b]) for a, b in pairwise(ends)]
    return State(*sides, rng.randrange(2))


def test_first_moves():
    """The usual start on 10 by 10 cells has 2,176 moves, a figure that papers on the game state."""
    first = mask(10, (9, 3), (9, 6), (6, 0), (6, 9))
    second = mask(10, (0, 3), (0, 6), (3, 0), (3, 9))
    assert perft(Rules(10, 10), State(first, second, 0, 0), 1) == 2176


@pytest.mark.parametrize("size", [(4, 4), (4, 5), (6, 5)])
def test_games_go_by_the_rules(size):
    rules, rng = Rules(*size), Random(str(size))
    for queens in (1, 2, 2, 3):
        state = filled(rng, *size, queens, size[0] * size[1] - 2 * queens)
        while rules.outcome(state) is None:
            free, mine, theirs = parts(state, *size)
            assert rules.free(state) == len(free)
            expected = {
                tuple(a * size[1] + b for a, b in move): after for move, *after in moves(free, mine)
            }
            legal = rules.legal(state)
            assert len(legal) == len(expected)
            assert set(legal) == expected.keys()
            move = rng.choice(legal)
            assert rules.read(state, rules.name(state, move)) == move
            state = rules.apply(state, move)
            assert parts(state, *size) == (expected[move][0], theirs, expected[move][1])
        free, mine, _ = parts(state, *size)
        assert not [*moves(free, mine)]
        assert rules.outcome(state) == (WIN if state.turn else LOSS)


@pytest.mark.parametrize(
    ("size", "queens", "free", "least"),
    [((3, 3), 1, 5, 0), ((4, 4), 1, 6, 3), ((4, 4), 2, 5, 3), ((5, 5), 2, 6, 3)],
)
def test_winners(size, queens, free, least):
    """Many of these positions are decided by counts of moves, once queens cannot meet."""
    rules, rng, known, separate = Rules(*size), Random(f"{size} {queens}"), {}, 0
    for _ in range(60):
        state = filled(rng, *size, queens, free)
        separate += rules.outcome(state) is None and rules.solved(state) is not None
        won = Solver(rules).worth(state, state.turn) == WIN
        assert won == wins(*parts(state, *size), known)
    assert separate >= least


def test_a_queen_that_moves_away_opens_its_cell():
    """O cannot move yet, but could if X left the cell between them."""
    rules = Rules(1, 4)
    state = State(mask(4, (0, 1)), mask(4, (0, 0)), 0, 0)
    assert rules.solved(state) is None
    assert rules.outcome(state._replace(turn=1)) == WIN
    after = rules.apply(state, (1, 3, 2))
    assert rules.outcome(after) is None
    assert sorted(rules.legal(state)) == [(1, 2, 1), (1, 2, 3), (1, 3, 1), (1, 3, 2)]


def test_the_board_and_the_scene_show_the_position():
    rules = Rules(2, 3)
    state = State(mask(3, (1, 0)), mask(3, (0, 1)), mask(3, (1, 2)), 0)
    assert rules.show(state) == "   1 2 3\n1  . O .\n2  X . #"
    assert [cell.text for row in rules.scene(state, (0, 3, 5)).cells for cell in row][1] == "O"
    assert rules.scene(state, (0, 3, 5)).last == ((0, 0), (1, 0), (1, 2))
    assert rules.judgement(state, 1) == -rules.judgement(state, 0) == 1


@pytest.mark.parametrize(
    "text",
    ["r1c2-r3c4xr3c1", "r1c2-r3c4 x r3c1", "R1C2-R3C4, shoot r3c1", "r1c2 to r3c4, arrow r3c1",
     "Move r1c2 to r3c4 and shoot an arrow to r3c1.", "**r1c2-r3c4xr3c1**",
     "(1, 2) -> (3, 4) x (3, 1)", "(1, 2) to (3, 4), arrow at (3, 1)", "r1c2-r3c4/r3c1",
     "r1c2-r3c4 (r3c1)", "r1c2, r3c4, r3c1", "My move: r1c2 \u2192 r3c4, arrow \u2192 r3c1",
     "queen r1c2 to r3c4, arrow: r3c1", "I play r1c2-r3c4xr3c1!", "r1c2-r3c4 (arrow r3c1)",
     "row 1, column 2 to row 3, column 4, shoot row 3, column 1", "`r1c2-r3c4-r3c1`",
     "I move the queen from r1c2 to r3c4 and shoot r3c1"],
)  # fmt: skip
def test_moves_are_read(text):
    assert arrow_move(text, 4, 4) == ((0, 1), (2, 3), (2, 0))


@pytest.mark.parametrize(
    "text",
    ["r1c2-r3c4", "r1c2", "", "none", "not r1c2-r3c4xr3c1", "r1c2-r3c4xr9c1", "x",
     "r1c2-r3c4xr3c1 or r1c2-r3c4xr3c2", "r1c2-r3c4xr3c1, r1c2-r3c4xr3c2",
     "r1c2-r3c4xr3c1xr3c2", "shoot r3c1, r1c2-r3c4", "arrow " * 200, "r1c2-r3c4xr3c1 " * 99],
)  # fmt: skip
def test_texts_that_are_refused(text):
    with pytest.raises(InvalidAnswer):
        arrow_move(text, 4, 4)


def test_moves_that_are_refused():
    rules = Rules(4, 4)
    state = State(mask(4, (3, 1)), mask(4, (0, 1)), mask(4, (2, 1)), 0)
    for text, reason in [
        ("r1c2-r1c3xr1c4", "no queen on r1c2"),
        ("r4c2-r2c2xr2c1", "queen cannot go there"),
        ("r4c2-r4c3xr2c2", "arrow cannot go there"),
        ("r4c2-r4c3", "expected the queen's cell"),
    ]:
        with pytest.raises(InvalidAnswer, match=reason):
            rules.read(state, text)
    assert rules.read(state, "r4c2-r4c3xr4c2") == (13, 14, 13)
