"""Wild tic-tac-toe and its relatives: rules and values by plain search, published values."""

from functools import cache
from random import Random

import pytest

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.generators.matches.wild_lines import State, WildLines
from palaestra.task import InvalidAnswer

VARIANTS = [(False, False), (True, False), (True, True), (False, True)]
WILD = WildLines(3, 3, 3, misere=False, fixed=False)
REVERSE = WildLines(3, 3, 3, misere=True, fixed=True)


def has_line(board, rows, columns, length):
    """Whether a board, a text of rows, has a line."""
    for row in range(rows):
        for column in range(columns):
            for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
                end = row + (length - 1) * down, column + (length - 1) * right
                if end[0] < rows and 0 <= end[1] < columns:
                    signs = {
                        board[(row + n * down) * columns + column + n * right]
                        for n in range(length)
                    }
                    if signs in ({"X"}, {"O"}):
                        return True
    return False


def plain_values(rules):
    """The value of a board for the player to move, by a search of every move."""
    size = rules.rows, rules.columns, rules.length

    @cache
    def value(board, player):
        if has_line(board, *size):
            return 1 if rules.misere else -1
        values = [-value(each, 1 - player) for each in after(rules, board, player)]
        return max(values, default=0)

    return value


def after(rules, board, player):
    """The boards that moves of a player lead to."""
    signs = "XO"[player] if rules.fixed else "XO"
    return [
        board[:n] + sign + board[n + 1 :]
        for n, old in enumerate(board)
        if old == "."
        for sign in signs
    ]


def board_of(rules, state):
    return "".join(
        "X" if state.crosses >> n & 1 else "O" if state.noughts >> n & 1 else "."
        for n in range(rules.rows * rules.columns)
    )


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        # The first player wins wild tic-tac-toe, and its misère form is a draw (Mendelson, 2004).
        (WILD, WIN),
        (WildLines(3, 3, 3, misere=True, fixed=False), DRAW),
        # So are tic-tac-toe and reverse tic-tac-toe.
        (WildLines(3, 3, 3, misere=False, fixed=True), DRAW),
        (REVERSE, DRAW),
    ],
)
def test_known_values(rules, value):
    start = rules.start()
    assert rules.solved(start) == value
    assert plain_values(rules)("." * 9, 0) == value - DRAW


def test_wild_tic_tac_toe_is_won_by_the_middle_alone():
    assert {cell for _, cell in WILD.keeping(WILD.start())} == {4}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", [(3, 3, 3), (3, 4, 3), (3, 4, 4)])
def test_values_are_those_of_a_plain_search(size, variant):
    rules, rng = WildLines(*size, *variant), Random(str(size))
    value = plain_values(rules)
    for _ in range(25):
        state = rules.start()._replace(turn=rng.randrange(2))
        while rules.outcome(state) is None and rules.free(state).bit_count() > 6:
            state = rules.apply(state, rng.choice(rules.legal(state)))
        if rules.outcome(state) is not None:
            continue
        expected = value(board_of(rules, state), state.turn)
        assert (rules.solved(state) - DRAW) * (-1 if state.turn else 1) == expected
        assert rules.wins(state) == (expected == 1)
        if expected == 1:
            good = [
                move
                for move in rules.legal(state)
                if -value(board_of(rules, rules.apply(state, move)), 1 - state.turn) == 1
            ]
            at_once = [move for move in good if rules.completes(state, move)]
            assert {*rules.keeping(state)} == {*(at_once or good)}
            assert {*Solver(rules).best_moves(state)} == {*good}
            assert 0 < rules.caution_is_enough(state) <= 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_go_by_the_rules(variant):
    rules, rng = WildLines(3, 4, 3, *variant), Random(2)
    for _ in range(30):
        state = rules.start()
        while rules.outcome(state) is None:
            board = board_of(rules, state)
            assert not has_line(board, 3, 4, 3)
            moves = rules.legal(state)
            reached = {board_of(rules, rules.apply(state, move)) for move in moves}
            assert reached == {*after(rules, board, state.turn)}
            assert len(moves) == len(reached)
            lines = {move for move in moves if rules.completes(state, move)}
            for move in moves:
                ends = has_line(board_of(rules, rules.apply(state, move)), 3, 4, 3)
                assert ends == (move in lines)
            mover, state = state.turn, rules.apply(state, rng.choice(moves))
        if has_line(board_of(rules, state), 3, 4, 3):
            assert rules.outcome(state) == (WIN if (mover == 0) != rules.misere else LOSS)
        else:
            assert "." not in board_of(rules, state)
            assert rules.outcome(state) == DRAW


def test_counts_of_games():
    """Every move of the wild game has two signs."""
    assert [perft(WILD, WILD.start(), plies) for plies in (1, 2, 3)] == [18, 18 * 16, 18 * 16 * 14]


def test_games_with_fixed_signs_are_those_of_tic_tac_toe():
    """255,168 games of tic-tac-toe, of which 131,184 are won by X, 77,904 by O, and 46,080 drawn;
    in reverse tic-tac-toe, the lines lose.
    """

    @cache
    def count(state):
        over = REVERSE.outcome(state)
        if over is not None:
            return {WIN: 0, LOSS: 0, DRAW: 0} | {over: 1}
        total = {WIN: 0, LOSS: 0, DRAW: 0}
        for move in REVERSE.legal(state):
            for key, number in count(REVERSE.apply(state, move)).items():
                total[key] += number
        return total

    assert count(REVERSE.start()) == {LOSS: 131_184, WIN: 77_904, DRAW: 46_080}


@pytest.mark.parametrize(
    "text",
    ["X r2c3", "x r2c3", "r2c3 X", "X: (2, 3)", "X at row 2, column 3", "I place an X at r2c3.",
     "put X in (2,3)", "My move: X r2c3", "**X r2c3**", "X-r2c3", "mark r2c3 with X!",
     "(2, 3) -> X", "play sign X on cell r2c3"],
)  # fmt: skip
def test_moves_are_read(text):
    assert WILD.read(WILD.start(), text) == (0, 5)


def test_the_sign_is_not_needed_where_it_is_fixed():
    assert REVERSE.read(REVERSE.start(), "r2c3") == (0, 5)
    assert REVERSE.read(REVERSE.start()._replace(turn=1), "r2c3") == (1, 5)
    with pytest.raises(InvalidAnswer, match="state the sign"):
        WILD.read(WILD.start(), "r2c3")
    with pytest.raises(InvalidAnswer, match="P places X only"):
        REVERSE.read(REVERSE.start(), "O r2c3")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("X r1c1", "not free"), ("Z r2c3", "X and O"), ("X O r2c3", "X and O"), ("X r4c1", "outside"),
     ("", "one cell"), ("X", "one cell"), ("not X r2c3", "one cell"), ("X r2c3 r3c3", "one cell")],
)  # fmt: skip
def test_texts_that_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        WILD.read(State(1, 0, 1), text)


def test_judgements():
    """The parity of harmless moves, and cells that are still harmless with signs of one's own."""
    state = State(0b000000011, 0b000011000, 0)
    assert REVERSE.judgement(state, 0) == -REVERSE.judgement(state, 1)
    quiet = len(WILD.quiet(WILD.start()))
    assert quiet == 18
    assert WILD.judgement(WILD.start(), 0) == 0
    assert WILD.judgement(WILD.start(), 1) == 1


@pytest.mark.parametrize(
    "text",
    ["P plays X r2c3", "P places X at r2c3", "p puts an X in r2c3", "I choose X for r2c3",
     "r2c3 = X", "X@r2c3", "X | r2c3", "Xr2c3", "the letter X at r2c3", "Let me play X r2c3"],
)  # fmt: skip
def test_moves_are_read_with_the_player_and_other_words(text):
    assert WILD.read(WILD.start(), text) == (0, 5)


@pytest.mark.parametrize(
    "text", ["Q plays X r2c3", "P Q plays X r2c3", "P plays P r2c3", "P plays r2c3", "PX r2c3"]
)
def test_moves_of_the_other_player_are_refused(text):
    with pytest.raises(InvalidAnswer):
        WILD.read(WILD.start(), text)
