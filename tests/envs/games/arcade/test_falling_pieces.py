"""Falling pieces, against a simulation of single squares and a search over all drops."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.falling_pieces import (
    FallingPieces,
    State,
    covered,
    dellacherie,
    emptied,
    plan_of,
)
from palaestra.generators.games.arcade.tetrominoes import Placement, dropped_by_squares, options
from palaestra.task import InvalidAnswer


def squares(board, width):
    return {(r, c) for r, row in enumerate(board) for c in range(width) if row >> c & 1}


@pytest.mark.parametrize("seed", range(21))
def test_random_drops_lead_where_single_squares_lead(seed):
    task, rng = Address.of("games/falling_pieces", seed, seed % 6).task(), Random(seed)
    rules, state = task.rules(), task.start()
    full = squares(state.board, rules.width)
    for piece in task.pieces:
        after = {
            where: drop[0]
            for where in options(piece, rules.width)
            if (drop := dropped_by_squares(full, piece, where, rules.width, rules.height))
        }
        assert set(rules.legal(state)) == after.keys()
        if not after:
            break
        move = rng.choice(rules.legal(state))
        full = after[move]
        state = rules.apply(state, rules.read(state, rules.name(state, move)))
        assert squares(state.board, rules.width) == full
    assert (rules.distance(state) == 0) == (not full)


def fewest_drops(rules, state):
    """The fewest pieces that empty the board by squares, breadth first, or infinity."""
    wave = {frozenset(squares(state.board, rules.width))}
    for number, piece in enumerate(rules.pieces[state.number :], 1):
        wave = {
            frozenset(drop[0])
            for full in wave
            for where in options(piece, rules.width)
            if (drop := dropped_by_squares(set(full), piece, where, rules.width, rules.height))
        }
        if frozenset() in wave:
            return number
    return float("inf")


@pytest.mark.parametrize("seed", range(12))
def test_plans_exist_exactly_where_a_search_of_all_drops_has_one(seed):
    rng = Random(seed)
    sequence = None
    while sequence is None:
        sequence = emptied(rng, 4, 5, 4)
    rules = FallingPieces(5, len(sequence.board), sequence.pieces)
    state = State(sequence.board, 0)
    while rules.distance(state) not in {0, float("inf")}:
        fewest = fewest_drops(rules, state)
        plan, _ = plan_of(rules, state, 10_000)
        assert (plan is None) == (fewest == float("inf"))
        assert rules.distance(state) <= fewest
        if plan is not None:
            assert fewest <= len(plan) <= len(rules.pieces) - state.number
        state = rules.apply(state, rng.choice(rules.legal(state)))
    if rules.distance(state) == float("inf"):
        assert fewest_drops(rules, state) == float("inf")


@pytest.mark.parametrize("seed", range(30))
def test_sequences_fill_so_many_rows_and_have_a_plan(seed):
    rng = Random(seed)
    sequence = None
    while sequence is None:
        sequence = emptied(rng, 5, 6, 6)
    assert len(sequence.pieces) == 6
    assert any(sequence.board)
    assert sum(map(int.bit_count, sequence.board)) + 4 * 6 == 5 * 6
    assert 0b111111 not in sequence.board
    rules = FallingPieces(6, len(sequence.board), sequence.pieces)
    assert plan_of(rules, State(sequence.board, 0), 10_000)[0] is not None


@pytest.mark.parametrize("level", range(6))
def test_the_plan_empties_the_board_by_squares(level):
    task = Address.of("games/falling_pieces", 5, level).task()
    knobs = type(task).Knobs.at(level)
    assert task.moves == len(task.pieces) == knobs.pieces
    full = squares(task.start().board, task.width)
    for piece, name in zip(task.pieces, task.solve()):
        assert name[0] == piece
        turn, column = name[1:].split()
        where = Placement(int(turn), int(column))
        full, _ = dropped_by_squares(full, piece, where, task.width, task.rules().height)
    assert not full


ROWS = FallingPieces(4, 4, "OTI")
START = State((0b0011, 0b0001, 0, 0), 0)


def test_a_board_is_lost_when_the_pieces_left_are_too_few():
    rules = FallingPieces(4, 6, "OOO")
    start = State((0b0011, 0b0011, 0, 0, 0, 0), 0)
    assert rules.distance(start) == 1
    assert rules.distance(rules.apply(start, Placement(1, 3))) == 0
    high = rules.apply(start, Placement(1, 1))
    assert rules.distance(high) == 2
    assert rules.distance(rules.apply(high, Placement(1, 1))) == float("inf")
    assert "cannot fill up" in rules.why_lost(rules.apply(high, Placement(1, 1)))


def test_a_board_is_lost_when_the_next_piece_has_no_room():
    rules = FallingPieces(4, 4, "OO")
    state = State((0b0110, 0b0110, 0b0110, 0b0110), 0)
    assert 0 < rules.distance(state) < float("inf")
    assert not rules.legal(state)
    assert rules.why_lost(state) == "the next piece, O, fits nowhere on the board"


def test_lost_games_pay_the_credit_back():
    task = Address.of("games/falling_pieces", 2, 4).task()
    episode = Episode(task, BARE)
    while episode.score is None:
        episode.step(episode.turn.legal_moves[0])
    assert episode.score.value == 0
    assert sum(episode.rewards) == pytest.approx(0)


def test_covered_squares_and_the_judgement_of_a_drop_by_hand():
    assert covered((0b0101, 0b0010, 0b0110)) == 2
    rules = FallingPieces(4, 4, "I")
    # Rows: the I fills the bottom row, so that 1 row with its 4 squares goes, from height 0. The
    # bottom and the empty board differ in 4 columns.
    assert dellacherie(rules, State((0, 0, 0, 0), 0), Placement(1, 1)) == 4 - 0 - 0 - 4
    # The I stands in the first column, with the middle of its squares at 1.5. Along each of 4 rows
    # there are 2 changes, along the columns 1 at its top and 3 at the bottom.
    assert dellacherie(rules, State((0, 0, 0, 0), 0), Placement(2, 1)) == -1.5 - 8 - 4
    # In the second column, there are 4 along each row, and a well of depth 4 in the first column.
    standing = dellacherie(rules, State((0, 0, 0, 0), 0), Placement(2, 3))
    assert standing == -1.5 - 16 - 4 - (1 + 2 + 3 + 4)


@pytest.mark.parametrize(
    "text",
    [
        "T3 2",
        "t3 2",
        "T3, 2",
        "T3 in column 2",
        "I drop T3 in column 2.",
        "column 2, orientation 3",
        "Orientation 3, column 2",
        "orientation T3, leftmost column 2",
        "T 3 2",
        "place the piece T3 at c2",
        "**T3 2**",
        "(T3, 2)",
        "T3 -> 2",
        "T3 \u2192 2",
        "T3@2",
        "T3 | 2",
        "T3, column #2",
        "use T3 at 2",
        "We place T3 in column 2.",
        "drop T3 over column 2",
        "T3 covering column 2",
    ],
)
def test_natural_moves_are_read(text):
    assert ROWS.read(State((0, 0, 0, 0), 1), text) == Placement(3, 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected"),
        ("T3", "expected one orientation"),
        ("3 2", "expected one orientation"),
        ("T3 2 1", "expected one orientation"),
        ("O1 2", "the next piece is T"),
        ("T5 2", "expected an orientation"),
        ("T1 3", "one of 1 to 2"),
        ("T1 0", "one of 1 to 2"),
        ("T1 -1", "expected an orientation"),
        ("T1 -> -1", "expected an orientation"),
        ("down", "expected an orientation"),
        ("T3 2 or T3 1", "expected an orientation"),
        ("T" * 5_000, "at most"),
    ],
)
def test_other_moves_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        ROWS.read(State((0, 0, 0, 0), 1), text)


def test_a_piece_has_to_stay_on_the_board():
    state = State((0b0111, 0b0001, 0b0001, 0b0001), 2)
    assert ROWS.read(state, "I2 4") == Placement(2, 4)
    with pytest.raises(InvalidAnswer, match="not be entirely on the board"):
        ROWS.read(state, "I2 2")


def test_one_orientation_need_not_be_named():
    for text in ("O in column 3", "O 3", "O 1 3", "3", "column 3", "O1 3"):
        assert ROWS.read(START, text) == Placement(1, 3)


def test_the_scene_and_the_text_show_the_board():
    assert ROWS.show(START).splitlines() == [
        "Board:",
        ". . . .",
        ". . . .",
        "# . . .",
        "# # . .",
        "1 2 3 4",
        "",
        "Pieces, the next one first: O T I",
    ]
    board, shapes, order = ROWS.scene(START).scenes
    shown = [[cell.fill == "shade" for cell in row] for row in board.cells]
    assert shown == [
        [False] * 4,
        [False] * 4,
        [True, False, False, False],
        [True, True, False, False],
    ]
    assert shapes.captions == ("O1",)
    assert order.lines == ("O T I",)
