"""Chess problems: mates in one to three, after the Arabic mansubat of the 9th century."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from random import Random
from typing import Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.chess.moves import (
    Board,
    Move,
    board,
    diagram,
    in_check,
    legal,
    mated,
    moved,
    rows_of,
)
from palaestra.generators.chess.notation import read_move
from palaestra.generators.chess.pictures import pictured
from palaestra.generators.games.boards.chess_mate import (
    mate_follows,
    mate_in_one,
    mate_in_three,
    mate_in_two,
    random_position,
    sound,
)
from palaestra.scenes import Grid, Panels, Text
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.values import plain

_AFTER_REPLY = re.compile(r":|[-=]{1,2}>|\u2192|\s[-\u2013]\s")


class ChessMate(Puzzle):
    """Find a move by which White checkmates, at once or after any reply of Black."""

    version = 3
    tags = {"games", "search", "planning"}

    class Knobs(Puzzle.Knobs):
        white: int = ladder(
            3, 4, 6, 8, 10, 3, 4, 3, 4, low=3, high=10
        )  # pieces, including the king
        black: int = ladder(1, 2, 3, 5, 8, 1, 2, 1, 2, low=1, high=10)
        moves: int = ladder(1, 1, 1, 1, 1, 2, 2, 3, 3)
        boards: int = ladder(3, 3, 3, 3, 3, 1, 1, 1, 1)

    boards: tuple[tuple[str, ...], ...]
    """Several positions for mates in one move, as random checks are often mates; else one."""

    moves: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = knobs.boards if knobs.moves == 1 else 1
        boards = (
            random_position(rng, knobs.white, knobs.black, knobs.moves) for _ in range(number)
        )
        return cls(boards=tuple(boards), moves=knobs.moves)

    def is_valid(self) -> bool:
        return all(sound(rows, self.moves) for rows in self.boards)

    def canonical(self) -> str:
        """The boards or their mirror images, which are equivalent without castling."""
        images = [min(rows, tuple(row[::-1] for row in rows)) for rows in self.boards]
        return f"{self.moves} {sorted(images)}"

    def prompt(self) -> str:
        ask = self.phrase(
            "In each chess position below it is White's turn.",
            "White is to move in each chess position below.",
        )
        listing = "\n\n".join(map(diagram, self.boards))
        rules = (
            f"{ask if self.moves == 1 else ask.replace('each', 'the')}\n\n{listing}\n\nCapital "
            "letters are White's pieces, lower-case letters Black's: K king, Q queen, R rook, B "
            "bishop, N knight, P pawn; a full stop is an empty square, and White's pawns move up "
            "the board. The rules of chess hold, except that there is no castling and no en "
            "passant capture. A move is written as its start square and its end square, such as "
            "'e2e4'; if a pawn reaches the last rank, the piece that it becomes is added, such as "
            "'b7b8q' for a queen, and r, b or n for others.\n\n"
        )
        if self.moves == 1:
            return (
                f"{rules}Which move is checkmate? If there are several, give any one of them. "
                "Answer with one line for each position, in their order, each with the move in it."
            )
        if self.moves == 2:
            ask = (
                "White can checkmate with the second move at the latest, whatever Black replies to "
                "the first. Give such a first move, and for each legal reply of Black's a move "
                "that is checkmate after it."
            )
        else:
            ask = (
                "White can checkmate with the third move at the latest, whatever Black replies. "
                "Give such a first move, and for each legal reply of Black's White's second move, "
                "which is checkmate or after which White can checkmate with the next move, "
                "whatever Black replies."
            )
        return (
            f"{rules}{ask} Answer with the first move in the first line, and "
            "then one line for each reply: the reply, a colon and White's second move. It may "
            "look like this:\n'd3d7'\n'e8f8: d7f7'\n'c2c1q: d7e7'"
        )

    def scene(self) -> Grid | Panels:
        return self.shown([()] * len(self.boards))

    def solved_scene(self, answer: str) -> Grid | Panels:
        """The boards with arrows for the first moves of an answer, and the moves that follow."""
        lines = self.lines(answer)
        firsts = [read_move(line, board(rows), True) for rows, line in zip(self.boards, lines)]
        boards = self.shown([(move,) for move in firsts])
        pieces = board(self.boards[0])
        if self.moves == 1 or firsts[0] not in legal(pieces, True):
            return boards
        replies = _replies(moved(pieces, firsts[0]), lines[1:])
        texts = [f"{reply}: {second}" for reply, second in replies.items()]
        columns = [Text(tuple(texts[n : n + 12]), mono=True) for n in range(0, len(texts), 12)]
        return Panels((boards, *columns), columns=1 + len(columns))

    def shown(self, moves: Sequence[Sequence[Move]]) -> Grid | Panels:
        """The boards with arrows for moves."""
        boards = tuple(pictured(*each) for each in zip(self.boards, moves, strict=True))
        if len(boards) == 1:
            return boards[0]
        captions = (f"Position {n}" for n in range(1, len(boards) + 1))
        return Panels(boards, tuple(captions), columns=2)

    def lines(self, answer: str) -> list[str]:
        """The lines of an answer, of which there must be one for each mate in one."""
        lines = layout.lines(plain(answer))
        if self.moves == 1 and len(lines) != len(self.boards):
            raise InvalidAnswer(
                f"{len(self.boards)} lines are required, but the answer has {len(lines)}"
            )
        if not lines:
            raise InvalidAnswer("expected a move such as e2e4")
        return lines

    def answer(self) -> str:
        if self.moves == 1:
            return "\n".join(str(mate_in_one(rows)[0][0]) for rows in self.boards)
        search = mate_in_two if self.moves == 2 else mate_in_three
        plan = search(self.boards[0])
        assert plan is not None, "a valid position has a mate"
        first, answers = plan
        return "\n".join([str(first), *(f"{reply}: {second}" for reply, second in answers)])

    def verify(self, answer: str) -> Score:
        lines = self.lines(answer)
        for n, (rows, line) in enumerate(zip(self.boards, lines), 1):
            pieces = board(rows)
            move = read_move(line, pieces, True)
            if move not in legal(pieces, True):
                return Score(0, f"the move in position {n} is not legal")
            after = moved(pieces, move)
            if self.moves == 1 and not mated(after, False):
                return Score(0, f"the move in position {n} is not checkmate")
        return Score(1) if self.moves == 1 else _answered(after, lines[1:], self.moves)

    def audit(self, answer: str) -> bool:
        """Compare the moves with those of a search."""
        lines = layout.lines(plain(answer))
        firsts = [read_move(line, board(rows), True) for line, rows in zip(lines, self.boards)]
        if self.moves == 1:
            return all(move in mate_in_one(rows)[0] for move, rows in zip(firsts, self.boards))
        after = moved(board(self.boards[0]), firsts[0])
        replies = _replies(after, lines[1:])
        return set(replies) == set(legal(after, False)) and all(
            self._mates(moved(after, reply), second) for reply, second in replies.items()
        )

    def _mates(self, pieces: Board, second: Move) -> bool:
        """Whether a second move of White's mates, by the lists of mating moves."""
        if second in mate_in_one(rows_of(pieces))[0]:
            return True
        if self.moves == 2 or second not in legal(pieces, True):
            return False
        after = moved(pieces, second)
        replies = [moved(after, reply) for reply in legal(after, False)]
        return bool(replies) and all(mate_in_one(rows_of(each))[0] for each in replies)

    def difficulty(self) -> float:
        numbers = [mate_in_one(rows)[2] for rows in self.boards]
        return float(sum(numbers) if self.moves == 1 else numbers[0] ** self.moves)

    def random_baseline(self) -> float:
        if self.moves > 1:
            return 0.0
        return prod(len(mates) / moves for mates, _, moves in map(mate_in_one, self.boards))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """First moves by rules of thumb: a random move, a random check, or a check with the piece
        of most worth. To a mate in two, they add no replies.
        """
        players: dict[str, list[str]] = {"random move": [], "random check": [], "queen first": []}
        for rows in self.boards:
            pieces = board(rows)
            moves = shuffled(legal(pieces, True), rng)
            checks = [move for move in moves if in_check(moved(pieces, move), False)] or moves
            players["random move"].append(str(moves[0]))
            players["random check"].append(str(checks[0]))
            strongest = min(checks, key=lambda move: "QRBNPK".index(pieces[move.start]))
            players["queen first"].append(str(strongest))
        return {name: "\n".join(moves) for name, moves in players.items()}

    def shortcuts(self) -> Iterator[str]:
        """A check on each board."""
        for n in (0, 1):
            moves: list[str] = []
            for rows in self.boards:
                pieces = board(rows)
                checks = [m for m in legal(pieces, True) if in_check(moved(pieces, m), False)]
                moves.append(str([*checks, *legal(pieces, True)][n]))
            yield "\n".join(moves)


def _replies(after: Board, lines: list[str]) -> dict[Move, Move]:
    """Black's replies, each with White's move after it."""
    by_move: dict[Move, Move] = {}
    for line in lines[:100]:
        parts = _AFTER_REPLY.split(line)
        if len(parts) != 2:
            raise InvalidAnswer("expected one line for each reply, such as 'e8f8: d7f7'")
        reply = read_move(parts[0], after, False)
        if reply in by_move:
            raise InvalidAnswer("a reply is listed twice")
        by_move[reply] = read_move(parts[1], moved(after, reply), True)
    return by_move


def _answered(after: Board, lines: list[str], moves: int) -> Score:
    """The score of White's answers to the replies of Black, for a mate in so many moves."""
    by_move = _replies(after, lines)
    replies = set(legal(after, False))
    if not replies or set(by_move) != replies:
        return Score(0, "the replies listed are not exactly Black's legal replies")
    for n, (black, white) in enumerate(by_move.items(), 1):
        replied = moved(after, black)
        if white not in legal(replied, True):
            return Score(0, f"after reply {n}, White's move is not legal")
        last = moved(replied, white)
        if moves == 2 and not mated(last, False):
            return Score(0, f"after reply {n}, White's move is not checkmate")
        if moves == 3 and not mate_follows(last):
            return Score(0, f"after reply {n}, White cannot checkmate with the next move")
    return Score(1)
