"""Tests of games/chess_mate."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.games.chess_mate import ChessMate
from palaestra.generators.games.chess_mate import moves as chess_moves
from palaestra.generators.games.chess_mate import problems as chess_problems

SEEDS = st.integers(0, 10_000)


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


def perft(signs: chess_moves.Board, white: bool, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(
        perft(chess_moves.made(signs, move), not white, depth - 1)
        for move in chess_moves.legal(signs, white)
    )


@pytest.mark.parametrize(
    ("rows", "depth", "number"),
    [
        ("rnbqkbnr pppppppp ........ ........ ........ ........ PPPPPPPP RNBQKBNR", 3, 8902),
        # No castling or en passant is possible in this well-known position of promotions.
        ("n.n..... PPPk.... ........ ........ ........ ........ ....Kppp .....N.N", 3, 9483),
    ],
)
def test_as_many_lines_of_play_as_chess_programs_count(rows: str, depth: int, number: int) -> None:
    assert perft(chess_moves.board(rows.split()), True, depth) == number


def test_chess_agrees_with_another_library() -> None:
    chess = pytest.importorskip("chess")
    for seed in range(10):
        for rows in task("games/chess_mate", seed, 3).boards:
            fen = chess_moves.diagram(rows).split("FEN: ")[1].rstrip(")")
            other = chess.Board(fen)
            ours = set(map(str, chess_moves.legal(chess_moves.board(rows), True)))
            assert ours == {move.uci() for move in other.legal_moves}


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_short_cuts_of_chess_leave_no_move_out(seed: int) -> None:
    rng = Random(seed)
    signs = chess_problems.scattered(rng, "KQRBNPP", "qrbnpp")
    for white in (True, False):
        plain = {
            move
            for move in chess_moves._moves(signs, white)
            if not chess_moves.in_check(chess_moves.made(signs, move), white)
        }
        assert set(chess_moves.legal(signs, white)) == plain
        if not chess_moves.in_check(signs, not white):
            after = {move: chess_moves.made(signs, move) for move in plain}
            checks = {move for move in plain if chess_moves.in_check(after[move], not white)}
            assert {move for move, _ in chess_moves.checking(signs, white)} == checks
            for move in checks:
                fled = any(True for _ in chess_moves.legal(after[move], not white))
                assert chess_moves.mated(after[move], not white) == (not fled)


def test_a_pawn_of_whites_may_mate_by_what_it_becomes() -> None:
    rows = [".......k", "....P...", "......K.", *["........"] * 5]
    drawn = ChessMate(boards=(tuple(rows),), moves=1)
    for answer in ("e7e8q", "e7e8r", "E7-E8=Q#", "'e7e8q'"):
        assert drawn.verify(answer).value == 1
        assert drawn.audit(answer.strip("'").casefold())
    for answer in ("e7e8b", "e7e8", "g6f7", "e7e8n"):
        assert drawn.verify(answer).value == 0


def test_all_mates_and_no_other_moves_are_accepted() -> None:
    for seed in range(4):
        drawn = task("games/chess_mate", seed, 3)
        mates = [chess_problems.mate_in_one(rows)[0] for rows in drawn.boards]
        right = drawn.answer().splitlines()
        for n, rows in enumerate(drawn.boards):
            for move in chess_moves.legal(chess_moves.board(rows), True):
                told = "\n".join([*right[:n], str(move), *right[n + 1 :]])
                assert drawn.verify(told).value == (move in mates[n])


def test_a_smothered_mate_is_mate_and_a_stalemate_is_not() -> None:
    smothered = "......rk .....Npp ........ ........ ........ ........ ........ K......."
    assert chess_moves.mated(chess_moves.board(smothered.split()), white=False)
    stalemate = "k....... ..Q..... .K...... ........ ........ ........ ........ ........"
    board = chess_moves.board(stalemate.split())
    assert not chess_moves.mated(board, white=False)
    assert next(chess_moves.legal(board, False), None) is None


def test_mate_in_two_needs_an_answer_to_every_reply() -> None:
    drawn = task("games/chess_mate", 1, 5)
    first, *rest = drawn.answer().splitlines()
    assert drawn.verify(drawn.answer()).value == 1
    assert drawn.verify(first).value == 0
    assert drawn.verify("\n".join([first, *rest[1:]])).value == 0
