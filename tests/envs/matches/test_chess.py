"""Chess: its moves against published counts, its endings against published ones and a search."""

from collections import Counter
from random import Random

import pytest
from tests.hostile_texts import on_hostile_texts

from palaestra.address import Address
from palaestra.envs.matches.chess import Chess
from palaestra.episode import Episode
from palaestra.generators.chess.moves import board, legal, mated
from palaestra.generators.games.boards.chess_mate import mate_in_one, mate_in_two
from palaestra.generators.matches.chess import endings
from palaestra.generators.matches.chess.rules import Chess as Rules
from palaestra.generators.matches.chess.rules import State, ending_of, insufficient
from palaestra.generators.matches.rules import DRAW, LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer

RULES = Rules()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        (START, [20, 400, 8_902, 197_281]),
        (KIWIPETE, [48, 2_039, 97_862]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191, 2_812, 43_238]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
            [6, 264, 9_467, 422_333],
        ),
        ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ -", [6, 264, 9_467]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1_486, 62_379]),
    ],
)
def test_perft(fen: str, counts: list[int]) -> None:
    """Published figures: https://www.chessprogramming.org/Perft_Results, positions 1 to 5."""
    start = RULES.from_fen(fen)
    assert [perft(RULES, start, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.slow
def test_perft_of_five_plies() -> None:
    """The number of games of five plies, from the same page."""
    assert perft(RULES, RULES.start(), 5) == 4_865_609


def test_games_go_as_in_another_library() -> None:
    chess = pytest.importorskip("chess")
    for seed in range(20):
        rng, state, other = Random(seed), RULES.start(), chess.Board()
        while RULES.outcome(state) is None:
            assert {str(move) for move in RULES.legal(state)} == {
                move.uci() for move in other.legal_moves
            }
            move = rng.choice(RULES.legal(state))
            assert RULES.read(state, other.san(chess.Move.from_uci(str(move)))) == move
            other.push_uci(str(move))
            state = RULES.apply(state, move)
        assert state.left == 0 or other.is_game_over()


def after(*texts: str, fen: str = START) -> State:
    state = RULES.from_fen(fen)
    for text in texts:
        state = RULES.apply(state, RULES.read(state, text))
    return state


def test_a_pawn_is_captured_in_passing_at_once_only() -> None:
    state = after("e4", "a6", "e5", "d5")
    assert RULES.read(state, "exd6") == RULES.read(state, "pawn takes d6 en passant")
    taken = RULES.apply(state, RULES.read(state, "e5d6"))
    assert taken.pieces.count("p") == 7
    late = after("e4", "a6", "e5", "d5", "h3", "h6")
    with pytest.raises(InvalidAnswer):
        RULES.read(late, "exd6")


def test_a_capture_in_passing_must_not_uncover_the_king() -> None:
    state = after("e2e4", fen="8/8/8/8/k2p3R/8/4P3/4K3 w - -")
    assert "d4e3" not in map(str, RULES.legal(state))


def test_castling() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
    for text in ("O-O", "0-0", "e1g1", "castle kingside", "I castle short", "King to g1"):
        state = after(text, fen=fen)
        assert state.pieces.endswith("R....RK."), text
        assert state.castling == "kq"
    assert after("O-O-O", fen=fen).pieces.endswith("..KR...R")
    with pytest.raises(InvalidAnswer):  # a rook has moved
        after("Rh2", "Ke7", "Rh1", "Ke8", "O-O", fen=fen)
    with pytest.raises(InvalidAnswer):  # the king would pass an attacked square
        after("O-O", fen="4kr2/8/8/8/8/8/8/4K2R w K -")
    with pytest.raises(InvalidAnswer):  # the rook was captured
        after("Rxa8", "Kd7", "Rxh8", "Kd6", "O-O-O", fen=fen)


def test_mate_stalemate_and_draws() -> None:
    assert RULES.outcome(after("f3", "e5", "g4", "Qh4")) == LOSS
    stalemate = RULES.from_fen("7k/5Q2/6K1/8/8/8/8/8 b - -")
    assert RULES.outcome(stalemate) == DRAW
    assert RULES.outcome(stalemate._replace(hunter=0)) == LOSS
    assert RULES.outcome(stalemate._replace(hunter=1)) == WIN
    used_up = RULES.start()._replace(left=0)
    assert RULES.outcome(used_up) == DRAW
    assert RULES.outcome(used_up._replace(hunter=0)) == LOSS
    mate = RULES.from_fen("7k/6Q1/6K1/8/8/8/8/8 b - -")._replace(left=0, hunter=0)
    assert RULES.outcome(mate) == WIN


@pytest.mark.parametrize(
    ("fen", "enough"),
    [
        ("k7/8/8/8/8/8/8/K7 w - -", False),
        ("k7/8/8/8/8/8/8/KB6 w - -", False),
        ("k7/8/8/8/8/8/8/Kn6 w - -", False),
        ("kb6/8/8/8/8/8/8/K1B5 w - -", False),
        ("k1b5/8/8/8/8/8/8/K1B5 w - -", True),
        ("k7/8/8/8/8/8/8/KBN5 w - -", True),
        ("k7/8/8/8/8/8/8/KR6 w - -", True),
        ("k7/7p/8/8/8/8/8/K7 w - -", True),
    ],
)
def test_insufficient_material(fen: str, enough: bool) -> None:
    assert insufficient(RULES.from_fen(fen).pieces) != enough


def test_the_longest_wins() -> None:
    """Published by Ströhlein (1970) and Thompson (1986): 10, 16 and 28 moves."""
    assert [len(endings.ending(piece).won) - 1 for piece in "QRP"] == [10, 16, 28]


def test_king_and_rook_against_king() -> None:
    """The numbers of positions with Black to move by moves to mate, where White's king is on one
    of ten squares (Clarke 1977; Bain and van Hoff, UCI repository, krkopt, 1994).
    """
    counts: Counter[int | None] = Counter()
    for king, rook, bare in canonical():
        counts[endings.moves_to_mate("R", king, rook, bare, to_move=False)] += 1
    published = [27, 78, 246, 81, 198, 471, 592, 683, 1_433, 1_712, 1_985, 2_854, 3_597, 4_194,
                 4_553, 2_166, 390]  # fmt: skip
    assert [counts[n] for n in range(17)] == published
    assert counts[None] == 2_796
    assert counts.total() == 28_056


def canonical():
    """Squares of White's king and rook and of Black's king, once of all symmetric ones."""
    for king in range(64):
        rank, file = 7 - king // 8, king % 8
        if file > 3 or rank > file:
            continue
        for rook in range(64):
            for bare in range(64):
                apart = max(abs(king // 8 - bare // 8), abs(king % 8 - bare % 8))
                mirrored = [(7 - n % 8) * 8 + 7 - n // 8 for n in (bare, rook)]
                if (
                    apart > 1
                    and rook not in (king, bare)
                    and (rank < file or [bare, rook] <= mirrored)
                ):
                    yield king, rook, bare


@pytest.mark.parametrize("piece", ["Q", "R", "P"])
def test_endings_agree_with_the_search_for_mates(piece: str) -> None:
    """Mates in one and in two, and after a move, by the moves of chess problems."""
    rng, lengths = Random(piece), Counter()
    while min(lengths[n] for n in (1, 2, 3)) < 12:
        pieces = ["."] * 64
        squares = rng.sample(range(64), 3)
        for square, sign in zip(squares, f"K{piece}k"):
            pieces[square] = sign
        state = State("".join(pieces), 0, left=5, hunter=0)
        if (piece == "P" and squares[1] // 8 in (0, 7)) or any_check(state):
            continue
        moves = (RULES.solved(state) == WIN and RULES.moves_needed(state)) or 3
        lengths[moves] += 1
        if lengths[moves] > 30:
            continue
        rows = tuple(state.pieces[n : n + 8] for n in range(0, 64, 8))
        assert bool(mate_in_one(rows)[0]) == (moves == 1)
        assert (mate_in_two(rows, most=500) is not None) == (moves == 2) or moves == 1


def any_check(state: State) -> bool:
    squares = board([state.pieces])
    king = squares.index("k")
    kings = abs(king // 10 - squares.index("K") // 10), abs(king % 10 - squares.index("K") % 10)
    return max(kings) < 2 or any(move.end == king for move in legal(squares, True))


class Searched(Rules):
    """The rules without what is known of endings."""

    def solved(self, state: State) -> None:
        return None


@pytest.mark.parametrize("level", [0, 1])
def test_values_agree_with_a_full_search(level: int) -> None:
    for seed in range(2):
        task = Address.of("matches/chess", seed, level).task()
        assert isinstance(task, Chess)
        state = task.start()
        state = state._replace(left=2 * RULES.moves_needed(state) - 1)
        while state.left > 5:
            reply = RULES.apply(state, task.solver().best_moves(state)[0])
            state = RULES.apply(reply, task.solver().best_moves(reply)[0])
        searched = Solver(Searched())
        for move in RULES.legal(state):
            child = RULES.apply(state, move)
            known = RULES.outcome(child)
            known = RULES.solved(child) if known is None else known
            assert searched.value(child) == known


def test_black_has_the_same_wins_as_white() -> None:
    for seed in range(12):
        task = Address.of("matches/chess", seed, seed % 7).task()
        state = task.start()
        rows = [state.pieces[n : n + 8] for n in range(0, 64, 8)]
        other = State("".join(rows[::-1]).swapcase(), 1 - state.turn, left=state.left,
                      hunter=1 - state.hunter)  # fmt: skip
        assert RULES.moves_needed(other) == RULES.moves_needed(state)
        assert ending_of(other) == ending_of(state)


def test_positions_without_a_known_ending_are_searched() -> None:
    rooks = RULES.from_fen("8/8/8/8/7k/R7/1R6/4K3 w - -")._replace(left=5, hunter=0)
    assert RULES.solved(rooks) is None
    assert RULES.moves_needed(rooks) == 2  # Rg2 Kh5, Rh3 mate
    assert not any(is_mate(RULES.apply(rooks, move)) for move in RULES.legal(rooks))
    last = after("Rg2", "Kh5", fen="8/8/8/8/7k/R7/1R6/4K3 w - -")
    assert is_mate(RULES.apply(last, RULES.read(last, "Rh3")))


def is_mate(state: State) -> bool:
    return mated(board([state.pieces]), state.turn == 0)


@pytest.mark.parametrize(
    "text",
    ["e1d2", "E1D2", "e1-d2", "Kd2", "kd2", "K d2", "King to d2", "king d2", "Ke1-d2", "1. Kd2",
     "My move: Kd2", "I play Kd2.", "**Kd2**", "move the king to d2", "I move the king to d2",
     "king from e1 to d2", "e1 to d2", "e1 -> d2", "Kd2!", "e1->d2", "e1\u2192d2",
     "King e1\u2192d2"],
)  # fmt: skip
def test_moves_are_read(text: str) -> None:
    state = RULES.from_fen("8/8/8/8/7k/8/6R1/4K3 w - -")
    assert str(RULES.read(state, text)) == "e1d2"


@pytest.mark.parametrize(
    "text",
    ["e8q", "e8=Q", "e8=Q+", "e7e8q", "e7-e8=Q", "E7E8Q", "pawn to e8, promoting to a queen",
     "e7 to e8, promotes to queen", "pawn e7 to e8 = queen", "e8(Q)"],
)  # fmt: skip
def test_promotions_are_read(text: str) -> None:
    state = RULES.from_fen("8/4P3/8/8/7k/8/8/4K3 w - -")
    assert str(RULES.read(state, text)) == "e7e8q"


@pytest.mark.parametrize(
    "text",
    ["", "e1", "e1d2 or e1e2", "not e1d2", "Kd2 Ke2", "Black: Kd2", "Black plays Kd2", "e1d3",
     "Kd3", "knight to d2", "rook to d2 or h2", "O-O", "castle kingside", "e1d2 e1e2", "king",
     "e1->d2->d3", "d2<-e1", "e1->", "->d2"],
)  # fmt: skip
def test_other_texts_are_refused(text: str) -> None:
    state = RULES.from_fen("8/8/8/8/7k/8/6R1/4K3 w - -")
    with pytest.raises(InvalidAnswer):
        RULES.read(state, text)


@on_hostile_texts
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidAnswer):
        RULES.read(RULES.start(), text)


def test_the_example_is_no_legal_move() -> None:
    for seed in range(40):
        task = Address.of("matches/chess", seed, seed % 7).task()
        example = task._example()
        assert f"'{example}'" in task.description()
        assert example not in Episode(task, "bare").turn.legal_moves
