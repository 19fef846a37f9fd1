"""Notakto: its monoid against plain search, published results, the reader."""

from functools import cache
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from palaestra.generators.matches.notakto import (
    LOST,
    Notakto,
    State,
    _product,
    images,
    is_dead,
    value_of,
)
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer

CELLS = [(row, column) for row in range(3) for column in range(3)]
LINES = [
    *({(n, m) for m in range(3)} for n in range(3)),
    *({(m, n) for m in range(3)} for n in range(3)),
    {(n, n) for n in range(3)},
    {(n, 2 - n) for n in range(3)},
]
ALIVE = sorted({min(images(mask)) for mask in range(512) if not is_dead(mask)})


def crosses_of(mask):
    return frozenset(cell for n, cell in enumerate(CELLS) if mask >> n & 1)


@cache
def plain(board):
    """A board in the first of its eight positions, or None if it has a line."""
    if any(line <= board for line in LINES):
        return None
    positions = []
    for _ in range(4):
        board = frozenset((column, 2 - row) for row, column in board)
        positions += [sorted(board), sorted((column, row) for row, column in board)]
    return tuple(min(positions))


@cache
def after(board):
    """The boards that a cross leads to."""
    return {plain(frozenset([*board, cell])) for cell in CELLS if cell not in board}


@cache
def wins(boards):
    """Whether the player to move wins, by plain search."""
    for n, board in enumerate(boards):
        rest = boards[:n] + boards[n + 1 :]
        for new in after(board):
            if not wins(rest if new is None else tuple(sorted((*rest, new)))):
                return True
    return not boards


def searched(masks):
    boards = (plain(crosses_of(mask)) for mask in masks)
    return wins(tuple(sorted(board for board in boards if board is not None)))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_values_state_who_wins(number):
    rules = Notakto(number)
    for masks in combinations_with_replacement(ALIVE, number):
        assert rules.wins(State(masks, 0)) == searched(masks)


def test_values_of_more_boards():
    rng = Random(1)
    full = [mask for mask in ALIVE if mask.bit_count() > 2]
    for number in (4, 5):
        for _ in range(60):
            masks = tuple(rng.choice(full) for _ in range(number))
            assert Notakto(number).wins(State(masks, 0)) == searched(masks)


def test_the_monoid():
    """Plambeck and Whitehead (2013) state that it has 18 elements and four of them are lost."""
    values = {value_of(mask) for mask in range(512)}
    elements = values
    while elements != (more := {_product(*pair) for pair in product(elements, values)} | elements):
        elements = more
    assert len(elements) == 18
    assert len(LOST) == 4
    assert elements >= LOST
    for one, two, three in product(elements, repeat=3):
        assert _product(one, two) == _product(two, one)
        assert _product(_product(one, two), three) == _product(one, _product(two, three))


def test_openings():
    """Only the centre wins on one board (Plambeck and Whitehead, 2013)."""
    rules = Notakto(1)
    assert rules.winning(rules.start()) == [(0, 4)]
    assert [Notakto(n).wins(Notakto(n).start()) for n in range(1, 9)] == [True, False] * 4


def test_games_go_by_the_rules():
    rules, rng = Notakto(3), Random(3)
    for _ in range(20):
        state, boards = rules.start(), [set(), set(), set()]
        while True:
            alive = [n for n in range(3) if not any(line <= boards[n] for line in LINES)]
            if not alive:
                break
            assert rules.outcome(state) is None
            free = {(n, cell) for n in alive for cell in CELLS if cell not in boards[n]}
            assert {(n, CELLS[cell]) for n, cell in rules.legal(state)} == free
            assert rules.choices(state) == len(free)
            mover, move = state.turn, rng.choice(rules.legal(state))
            boards[move[0]].add(CELLS[move[1]])
            state = rules.apply(state, move)
        # The player who killed the last board loses.
        assert rules.outcome(state) == (0 if mover == 0 else 2)


def test_the_solver_agrees_with_alpha_beta():
    rules, rng = Notakto(2), Random(1)
    for _ in range(10):
        state = State((rng.choice(ALIVE), rng.choice(ALIVE[10:])), rng.randrange(2))
        assert Solver(rules).worth(state, state.turn) == 2 * rules.wins(state)


@pytest.mark.parametrize(
    "text",
    ["B r2c3", "b r2c3", "r2c3 B", "Board B, row 2, column 3", "B: (2, 3)", "r2c3 on board B",
     "I place a cross on board B at r2c3.", "an X on B r2c3", "My move: B r2c3", "B (2,3)",
     '{"board": "B", "row": 2, "column": 3}', "**B r2c3**", "B-r2c3", "Board B: r2c3!",
     "mark R2 C3 of board B", "X at (2, 3) in B"],
)  # fmt: skip
def test_moves_are_read(text):
    rules = Notakto(3)
    assert rules.read(rules.start(), text) == (1, 5)


def test_the_last_board_need_not_be_named():
    rules = Notakto(2)
    assert rules.read(State((0o7, 0), 0), "r2c3") == (1, 5)
    with pytest.raises(InvalidAnswer, match="state the board"):
        rules.read(State((0, 0), 0), "r2c3")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("A r2c3", "dead"), ("B r1c1", "has a cross"), ("D r2c3", "boards A to C"), ("B", "one cell"),
     ("B C r2c3", "boards A to C"), ("B r4c1", "outside"), ("", "one cell"),
     ("B r2c3 or B r2c2", "boards A to C"), ("not B r2c3", "one cell")],
)  # fmt: skip
def test_texts_that_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        Notakto(3).read(State((0o7, 1, 0), 0), text)
