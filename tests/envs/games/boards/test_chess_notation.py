"""Readers of chess moves: every legal move is read from its text in SAN, and no other text is."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.address import Address
from palaestra.envs.games.boards.chess_mate import ChessMate
from palaestra.generators.chess import moves, notation
from palaestra.generators.games.boards import chess_mate as problems

SEEDS = st.integers(0, 10_000)
TWO_ROOKS = moves.board(["k.......", *["........"] * 6, "R..R..K."])
CAPTURES = moves.board(
    [".......k", ".P......", "..n.....", ".P......", *["........"] * 3, "K......."]
)


def san(move: moves.Move, pieces: moves.Board, white: bool) -> str:
    """A legal move in standard algebraic notation, without the signs of check and checkmate."""
    piece, start, end = pieces[move.start].upper(), str(move)[:2], str(move)[2:4]
    takes = "x" if pieces[move.end] != "." else ""
    promoted = f"={move.promoted.upper()}" if move.promoted else ""
    if piece == "P":
        return f"{start[0] if takes else ''}{takes}{end}{promoted}"
    rivals = [
        str(other)[:2]
        for other in moves.legal(pieces, white)
        if other.end == move.end
        and other.start != move.start
        and pieces[other.start].upper() == piece
    ]
    files, ranks = ({rival[n] for rival in rivals} for n in (0, 1))
    if not rivals:
        which = ""
    elif start[0] not in files:
        which = start[0]
    else:
        which = start[1] if start[1] not in ranks else start
    return f"{piece}{which}{takes}{end}"


@given(SEEDS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_legal_move_is_read_in_every_form(seed: int, white: bool) -> None:
    pieces = problems.scattered(Random(seed), "KQRRBNNPP", "qrrbnnpp")
    for move in moves.legal(pieces, white):
        short = san(move, pieces, white)
        piece, squares = pieces[move.start].upper(), str(move)
        sign = "x" if pieces[move.end] != "." else "-"
        promoted = f"={move.promoted.upper()}" if move.promoted else ""
        long = f"{'' if piece == 'P' else piece}{squares[:2]}{sign}{squares[2:4]}{promoted}"
        for text in (
            short,
            f"{short}+",
            f"{short}#",
            f"1. {short}!",
            long,
            squares,
            squares.upper(),
        ):
            assert notation.read_move(text, pieces, white) == move, text


@given(SEEDS, st.booleans())
@settings(max_examples=30, deadline=None)
def test_san_agrees_with_another_library(seed: int, white: bool) -> None:
    chess = pytest.importorskip("chess")
    pieces = problems.scattered(Random(seed), "KQRRBNNPP", "qrrbnnpp")
    fen = moves.diagram(moves.rows_of(pieces)).split("FEN: ")[1].rstrip(")")
    other = chess.Board(fen.replace(" w ", " w " if white else " b "))
    for move in moves.legal(pieces, white):
        text = other.san(chess.Move.from_uci(str(move)))
        assert notation.read_move(text, pieces, white) == move


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Rb1", "several legal moves fit Rb1; expected a move such as e2e4"),
        ("Rab9", "expected a move such as e2e4"),
        ("Rxb1", "no legal move fits Rxb1; expected a move such as e2e4"),
        ("Nb1", "no legal move fits Nb1; expected a move such as e2e4"),
        ("R2b1", "no legal move fits R2b1; expected a move such as e2e4"),
        ("rab1", "expected a move such as e2e4"),
        ("O-O", "there is no castling; expected a move such as e2e4"),
        ("0-0-0+", "there is no castling; expected a move such as e2e4"),
        ("Rab1 Kh2", "expected a move such as e2e4"),
        ("", "expected a move such as e2e4"),
    ],
)
def test_other_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidAnswer) as refused:
        notation.read_move(text, TWO_ROOKS, True)
    assert str(refused.value) == reason


def test_captures_and_promotions_are_written_as_such() -> None:
    for text, squares in {
        "bxc6": "b5c6",
        "bc6": "b5c6",
        "b8=Q": "b7b8q",
        "b8Q#": "b7b8q",
        "b8=N": "b7b8n",
        "b8(R)": "b7b8r",
        "Pb8=Q": "b7b8q",
        "b6": "b5b6",
    }.items():
        assert str(notation.read_move(text, CAPTURES, True)) == squares
    for text in ("b8", "Bxc6", "c6=Q", "b8=K", "b-c6", "bxa8=Q+", "cxb5"):
        with pytest.raises(InvalidAnswer):
            notation.read_move(text, CAPTURES, True)


def test_a_bishop_is_not_a_pawn() -> None:
    pieces = moves.board(["k.......", *["........"] * 4, "........", "B.......", "K......."])
    assert str(notation.read_move("B2b3", pieces, True)) == "a2b3"
    pieces = moves.board(["k.......", *["........"] * 5, "BP......", "K......."])
    assert str(notation.read_move("b2b3", pieces, True)) == "b2b3"
    with pytest.raises(InvalidAnswer, match="several legal moves fit B2b3"):
        notation.read_move("B2b3", pieces, True)


@on_hostile_texts
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidAnswer):
        notation.read_move(text, TWO_ROOKS, True)


@pytest.mark.parametrize("level", [0, 3, 5, 6])
def test_a_solution_in_san_is_right(level: int) -> None:
    for seed in range(3):
        task = Address.of("games/chess_mate", seed, level).task()
        assert isinstance(task, ChessMate)
        right, first = task.answer().split("\n"), moves.board(task.boards[0])
        if task.moves == 1:
            boards = map(moves.board, task.boards)
            lines = [
                san(notation.read_move(line, pieces, True), pieces, True)
                for line, pieces in zip(right, boards)
            ]
        else:
            move = notation.read_move(right[0], first, True)
            after, lines = moves.moved(first, move), [san(move, first, True)]
            for line in right[1:]:
                black, white = line.split(": ")
                reply = notation.read_move(black, after, False)
                replied = moves.moved(after, reply)
                second = notation.read_move(white, replied, True)
                lines.append(f"{san(reply, after, False)}: {san(second, replied, True)}#")
        text = "\n".join(lines)
        assert task.verify(text).value == 1, text
        assert task.audit(text)
        assert task.verify(text.replace(": ", " -> ")).value == 1
