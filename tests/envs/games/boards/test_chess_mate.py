"""Tests of games/chess_mate."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.games.boards.chess_mate import ChessMate
from palaestra.generators.chess import moves as chess_moves
from palaestra.generators.games.boards import chess_mate as chess_problems

SEEDS = st.integers(0, 10_000)


def perft(pieces: chess_moves.Board, white: bool, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(
        perft(chess_moves.moved(pieces, move), not white, depth - 1)
        for move in chess_moves.legal(pieces, white)
    )


@pytest.mark.parametrize(
    ("rows", "depth", "number"),
    [
        ("rnbqkbnr pppppppp ........ ........ ........ ........ PPPPPPPP RNBQKBNR", 3, 8902),
        # No castling or en passant is possible in this well-known position of promotions.
        ("n.n..... PPPk.... ........ ........ ........ ........ ....Kppp .....N.N", 3, 9483),
    ],
)
def test_perft_agrees_with_published_numbers(rows: str, depth: int, number: int) -> None:
    assert perft(chess_moves.board(rows.split()), True, depth) == number


def test_chess_agrees_with_another_library() -> None:
    chess = pytest.importorskip("chess")
    for seed in range(10):
        for rows in Address.of("games/chess_mate", seed, 3).task().boards:
            fen = chess_moves.diagram(rows).split("FEN: ")[1].rstrip(")")
            other = chess.Board(fen)
            ours = set(map(str, chess_moves.legal(chess_moves.board(rows), True)))
            assert ours == {move.uci() for move in other.legal_moves}


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_pruning_loses_no_legal_move_or_check(seed: int) -> None:
    rng = Random(seed)
    pieces = chess_problems.scattered(rng, "KQRBNPP", "qrbnpp")
    for white in (True, False):
        plain = {
            move
            for move in chess_moves._moves(pieces, white)
            if not chess_moves.in_check(chess_moves.moved(pieces, move), white)
        }
        assert set(chess_moves.legal(pieces, white)) == plain
        if not chess_moves.in_check(pieces, not white):
            after = {move: chess_moves.moved(pieces, move) for move in plain}
            checks = {move for move in plain if chess_moves.in_check(after[move], not white)}
            assert {move for move, _ in chess_moves.checking(pieces, white)} == checks
            for move in checks:
                escapes = any(True for _ in chess_moves.legal(after[move], not white))
                assert chess_moves.mated(after[move], not white) == (not escapes)


def test_a_promotion_may_be_checkmate() -> None:
    rows = [".......k", "....P...", "......K.", *["........"] * 5]
    task = ChessMate(boards=(tuple(rows),), moves=1)
    for answer in ("e7e8q", "e7e8r", "E7-E8=Q#", "'e7e8q'"):
        assert task.verify(answer).value == 1
        assert task.audit(answer.strip("'").casefold())
    for answer in ("e7e8b", "e7e8", "g6f7", "e7e8n"):
        assert task.verify(answer).value == 0


def test_all_mates_and_no_other_moves_are_accepted() -> None:
    for seed in range(4):
        task = Address.of("games/chess_mate", seed, 3).task()
        mates = [chess_problems.mate_in_one(rows)[0] for rows in task.boards]
        right = task.answer().splitlines()
        for n, rows in enumerate(task.boards):
            for move in chess_moves.legal(chess_moves.board(rows), True):
                answer = "\n".join([*right[:n], str(move), *right[n + 1 :]])
                assert task.verify(answer).value == (move in mates[n])


def test_a_smothered_mate_is_mate_and_a_stalemate_is_not() -> None:
    smothered = "......rk .....Npp ........ ........ ........ ........ ........ K......."
    assert chess_moves.mated(chess_moves.board(smothered.split()), white=False)
    stalemate = "k....... ..Q..... .K...... ........ ........ ........ ........ ........"
    board = chess_moves.board(stalemate.split())
    assert not chess_moves.mated(board, white=False)
    assert next(chess_moves.legal(board, False), None) is None


def test_mate_in_two_needs_an_answer_to_every_reply() -> None:
    task = Address.of("games/chess_mate", 1, 5).task()
    first, *rest = task.answer().splitlines()
    assert task.verify(task.answer()).value == 1
    assert task.verify(first).value == 0
    assert task.verify("\n".join([first, *rest[1:]])).value == 0


def forces_mate(pieces: chess_moves.Board, moves: int) -> bool:
    """Whether White, to move, can checkmate in so many moves, by a search of all moves."""
    for move in chess_moves.legal(pieces, True):
        after = chess_moves.moved(pieces, move)
        replies = [chess_moves.moved(after, reply) for reply in chess_moves.legal(after, False)]
        if not replies:
            if chess_moves.in_check(after, False):
                return True
        elif moves > 1 and all(forces_mate(reply, moves - 1) for reply in replies):
            return True
    return False


@pytest.mark.parametrize(("level", "seed"), [(7, 0), (7, 1), (8, 2)])
def test_mates_in_three_are_none_in_two_by_a_search_of_all_moves(level: int, seed: int) -> None:
    task = Address.of("games/chess_mate", seed, level).task()
    (rows,) = task.boards
    start = chess_moves.board(rows)
    assert not forces_mate(start, 2)
    first, answers = chess_problems.mate_in_three(rows)
    after = chess_moves.moved(start, first)
    assert {reply for reply, _ in answers} == set(chess_moves.legal(after, False))
    for reply, _ in answers:
        assert forces_mate(chess_moves.moved(after, reply), 2)


def test_mate_in_two_by_another_library() -> None:
    """Mates in three have no mate in two by the moves of python-chess either."""
    chess = pytest.importorskip("chess")

    def mates(position, moves: int) -> bool:
        return any(_forced(position, move, moves) for move in list(position.legal_moves))

    def _forced(position, move, moves: int) -> bool:
        position.push(move)
        replies = list(position.legal_moves)
        result = bool(replies) and moves > 1
        for reply in replies if result else ():
            position.push(reply)
            result = result and mates(position, moves - 1)
            position.pop()
        result = result or position.is_checkmate()
        position.pop()
        return result

    for seed in range(3):
        (rows,) = Address.of("games/chess_mate", seed, 7).task().boards
        fen = chess_moves.diagram(rows).split("FEN: ")[1].rstrip(")")
        assert not mates(chess.Board(fen), 2)
        first = chess_problems.mate_in_three(rows)[0]
        position = chess.Board(fen)
        position.push_uci(str(first))
        for reply in list(position.legal_moves):
            position.push(reply)
            assert mates(position, 2)
            position.pop()


@pytest.mark.parametrize("level", [7, 8])
def test_mate_in_three_accepts_the_second_moves_that_mate_and_no_others(level: int) -> None:
    for seed in range(3):
        task = Address.of("games/chess_mate", seed, level).task()
        first, line, *rest = task.answer().splitlines()
        assert task.verify("\n".join([first, *rest])).value == 0
        reply = line.split(":")[0]
        pieces = chess_moves.board(task.boards[0])
        for name in (first, reply):
            start, end = chess_moves.SQUARE_NUMBERS[name[:2]], chess_moves.SQUARE_NUMBERS[name[2:4]]
            pieces = chess_moves.moved(pieces, chess_moves.Move(start, end, name[4:]))
        for move in chess_moves.legal(pieces, True):
            after = chess_moves.moved(pieces, move)
            replies = [chess_moves.moved(after, each) for each in chess_moves.legal(after, False)]
            mates = chess_moves.mated(after, False) or (
                bool(replies) and all(forces_mate(each, 1) for each in replies)
            )
            answer = "\n".join([first, f"{reply}: {move}", *rest])
            assert task.verify(answer).value == mates
            assert task.audit(answer) == mates
