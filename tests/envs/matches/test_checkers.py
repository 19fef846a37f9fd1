"""Draughts: its rules against published counts and against rules that are written another way."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.matches.checkers import Checkers
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.checkers import CELLS, NOBODY, State
from palaestra.generators.matches.checkers import Checkers as Rules
from palaestra.generators.matches.rules import DRAW, LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer

RULES = Rules()
FORWARDS = {"b": [1], "w": [-1], "B": [-1, 1], "W": [-1, 1]}


def test_perft():
    """Published on the forum of the FMJD: https://damforum.nl/bb3/viewtopic.php?t=2822."""
    counts = [perft(RULES, RULES.start(), plies) for plies in range(1, 7)]
    assert counts == [7, 49, 302, 1_469, 7_361, 36_768]


def board_of(state):
    """The letter of the piece on each cell that has one."""
    board = {}
    for n, cell in enumerate(CELLS):
        for letter, side in zip("bw", (state.first, state.second)):
            if side >> n & 1:
                board[cell] = letter.upper() if state.kings >> n & 1 else letter
    return board


def jumps(board, cell, piece):
    """The ways of one piece from a cell, each with the board after it; no way without a jump."""
    ways = []
    for down in FORWARDS[piece]:
        for right in (-1, 1):
            over = cell[0] + down, cell[1] + right
            end = cell[0] + 2 * down, cell[1] + 2 * right
            inside = 0 <= end[0] < 8 and 0 <= end[1] < 8
            if inside and end not in board and board.get(over, piece).lower() != piece.lower():
                rest = {each: owner for each, owner in board.items() if each != over}
                further = jumps(rest, end, piece) or [((), rest)]
                ways += [((end, *way), left) for way, left in further]
    return ways


def moves(board, sign):
    """The moves of a player, as cells, each with the board after it."""
    every = []
    for cell, piece in board.items():
        if piece.lower() == sign:
            rest = {each: owner for each, owner in board.items() if each != cell}
            for way, left in jumps(rest, cell, piece):
                every.append(((cell, *way), left | {way[-1]: crowned(piece, way[-1])}))
    if every:
        return dict(every)
    for cell, piece in board.items():
        for down in FORWARDS[piece]:
            for right in (-1, 1):
                end = cell[0] + down, cell[1] + right
                inside = 0 <= end[0] < 8 and 0 <= end[1] < 8
                if piece.lower() == sign and inside and end not in board:
                    rest = {each: owner for each, owner in board.items() if each != cell}
                    every.append(((cell, end), rest | {end: crowned(piece, end)}))
    return dict(every)


def crowned(piece, cell):
    return piece.upper() if cell[0] == {"b": 7, "w": 0}[piece.lower()] else piece


@pytest.mark.parametrize("seed", range(6))
def test_games_go_by_the_rules(seed):
    state, rng = RULES.start(), Random(seed)
    while RULES.outcome(state) is None:
        expected = moves(board_of(state), "bw"[state.turn])
        legal = RULES.legal(state)
        assert len(legal) == len(set(legal))
        assert {tuple(CELLS[n] for n in move) for move in legal} == expected.keys()
        move = rng.choice(legal)
        state = RULES.apply(state, move)
        assert board_of(state) == expected[tuple(CELLS[n] for n in move)]
    assert not state.left or not moves(board_of(state), "bw"[state.turn])


def square(number):
    return 1 << number - 1


def test_ends():
    man = State(square(14), square(32), 0, 0, 1)
    assert RULES.outcome(man) is None
    assert RULES.outcome(man._replace(left=0)) == DRAW
    assert RULES.outcome(man._replace(left=0, hunter=0)) == LOSS
    assert RULES.outcome(man._replace(left=0, hunter=1)) == WIN
    assert RULES.outcome(State(square(14), 0, 0, 1, 0, 0)) == WIN
    blocked = State(square(29), square(14), 0, 0)  # a man in the last row that is no king
    assert RULES.outcome(blocked) == LOSS


def test_a_king_holds_a_king_in_the_double_corner():
    """One king against one in the double corner is a draw, and in the single corner not always."""
    drawn = State(square(10), square(32), square(10) | square(32), 0, 15, 0)
    assert Solver(RULES).worth(drawn, 0) == LOSS
    opposition = State(square(22), square(29), square(22) | square(29), 1, 12, 0)
    assert Solver(RULES).worth(opposition, 0) == WIN


def test_a_crowned_man_does_not_jump_on():
    state = State(square(22), square(26) | square(27), 0, 0)
    names = {RULES.name(state, move) for move in RULES.legal(state)}
    assert names == {"r6c3-r8c5"}
    after = RULES.apply(state, RULES.legal(state)[0])
    assert after.kings == square(31)


@pytest.mark.parametrize(
    "text",
    [
        "r6c1-r4c3-r2c5", "R6C1 -> R4C3 -> R2C5", "(6, 1) to (4, 3) to (2, 5)", "21x14x7",
        "21-14-7", "r6c1xr4c3xr2c5", "r6c1, r4c3, r2c5", "I jump from r6c1 to r4c3, then r2c5.",
        "21x7", "r6c1-r2c5", "row 6 column 1 - row 4 column 3 - row 2 column 5",
    ],
)  # fmt: skip
def test_moves_are_read(text):
    state = State(square(17) | square(10), square(21), square(21), 1)
    assert RULES.name(state, RULES.read(state, text)) == "r6c1-r4c3-r2c5"


def test_moves_that_are_refused():
    start = RULES.start()
    with pytest.raises(InvalidAnswer, match="not legal"):
        RULES.read(start, "11-17")
    with pytest.raises(InvalidAnswer, match="no cell of the number 33"):
        RULES.read(start, "11-33")
    with pytest.raises(InvalidAnswer, match="expected"):
        RULES.read(start, "forwards")
    capture = State(square(14), square(18) | square(32), 0, 0)
    with pytest.raises(InvalidAnswer, match="compulsory"):
        RULES.read(capture, "14-17")


def test_a_way_that_is_not_clear():
    """A king may take the pieces around a square in two ways."""
    state = State(square(7), square(10) | square(11) | square(18) | square(19), square(7), 0)
    names = {RULES.name(state, move) for move in RULES.legal(state)}
    assert len(names) == 2
    assert {name[:4] + name[-4:] for name in names} == {"r2c5r2c5"}
    with pytest.raises(InvalidAnswer, match="every cell"):
        RULES.read(state, "7x7")
    for name in names:
        assert RULES.name(state, RULES.read(state, name)) == name


def test_tasks_are_won_within_the_moves():
    for level in (0, 3):
        task = Address.of("matches/checkers", 1, level).task()
        assert isinstance(task, Checkers)
        assert task.start().hunter == task.seat != NOBODY
        episode = Episode(task, BARE)
        moves_of_player = [*task.solve()]
        for move in moves_of_player:
            episode.step(move)
        assert episode.score.value == 1
        assert 2 * len(moves_of_player) - 1 <= task.start().left
