"""The rules of ultimate tic-tac-toe: nine small boards of nine cells, as bits, board by board and
within each row by row from the top left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import PIECES, bits, cell_in, name_of
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer

SIZE = 9
"""The rows and columns of all boards together."""

ANY = 9
"""The board of a player who may choose among all open ones."""

LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
"""The lines of a small board, and of the small boards that a player needs."""

FULL = (1 << 9) - 1

HAS_LINE = tuple(any(line & mask == line for line in LINES) for mask in range(FULL + 1))

NUMBERS = tuple(
    (board // 3 * 3 + cell // 3) * SIZE + board % 3 * 3 + cell % 3
    for board in range(9)
    for cell in range(9)
)
"""For each bit, the number of its cell row by row."""

BITS = {number: bit for bit, number in enumerate(NUMBERS)}


class State(NamedTuple):
    """The marks of both players, the small boards that they have won, all that are closed because
    they are won or full, the board of the next move or :data:`ANY`, and whose turn it is.
    """

    first: int
    second: int
    first_boards: int
    second_boards: int
    closed: int
    board: int
    turn: int


@dataclass(frozen=True)
class UltimateTicTacToe(Rules[State, int]):
    """Ultimate tic-tac-toe. A move is the bit of a cell."""

    state_type = State

    def start(self) -> State:
        return State(0, 0, 0, 0, 0, ANY, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        return _legal(state)

    def apply(self, state: State, move: int) -> State:
        first, second, first_boards, second_boards, closed, _, turn = state
        board, cell = divmod(move, 9)
        if turn == 0:
            first |= 1 << move
            won = HAS_LINE[first >> 9 * board & FULL]
            first_boards |= won << board
        else:
            second |= 1 << move
            won = HAS_LINE[second >> 9 * board & FULL]
            second_boards |= won << board
        if won or (first | second) >> 9 * board & FULL == FULL:
            closed |= 1 << board
        target = ANY if closed >> cell & 1 else cell
        return State(first, second, first_boards, second_boards, closed, target, 1 - turn)

    def outcome(self, state: State) -> int | None:
        if HAS_LINE[state.first_boards]:
            return WIN
        if HAS_LINE[state.second_boards]:
            return LOSS
        return DRAW if state.closed == FULL else None

    def name(self, state: State, move: int) -> str:
        return name_of(NUMBERS[move], SIZE)

    def read(self, state: State, text: str) -> int:
        move = BITS[cell_in(text, SIZE, SIZE)]
        if move in self.legal(state):
            return move
        raise InvalidAnswer(f"{self.name(state, move)} is not a legal move: {_why(state, move)}")

    def show(self, state: State) -> str:
        signs = _signs(state)
        lines = ["   1 2 3   4 5 6   7 8 9"]
        for row, line in enumerate(signs):
            if row in {3, 6}:
                lines.append("   ------+-------+------")
            parts = [" ".join(line[column : column + 3]) for column in (0, 3, 6)]
            lines.append(f"{row + 1}  {' | '.join(parts)}")
        boards = [
            f"Small boards that {what}: {', '.join(str(n + 1) for n in bits(mask)) or 'none'}."
            for what, mask in (
                ("X has won", state.first_boards),
                ("O has won", state.second_boards),
                ("are full and won by nobody", _drawn(state)),
            )
        ]
        where = "any open small board" if state.board == ANY else f"small board {state.board + 1}"
        return "\n".join([*lines, "", *boards, f"The next move is in {where}."])

    def scene(self, state: State, last: int | None) -> Grid:
        boards = range(9) if state.board == ANY else (state.board,)
        open_boards = {n for n in boards if not state.closed >> n & 1}
        rows = []
        for row, line in enumerate(_signs(state)):
            cells = []
            for column, sign in enumerate(line):
                board = row // 3 * 3 + column // 3
                fill = _fill(state, board, board in open_boards)
                piece = PIECES[sign]
                cells.append(Cell(piece.text, fill, piece.mark, piece.tone))
            rows.append(tuple(cells))
        regions = tuple(tuple(r // 3 * 3 + c // 3 for c in range(SIZE)) for r in range(SIZE))
        marked = () if last is None else (divmod(NUMBERS[last], SIZE),)
        return Grid(tuple(rows), regions=regions, coordinates=True, last=marked)

    def judgement(self, state: State, player: int) -> float:
        """Small boards, with lines of two of them that can still be completed, and less so with
        such lines of cells in open boards.
        """
        lead = 4 * (state.first_boards.bit_count() - state.second_boards.bit_count())
        lead += 4 * _open_pairs(state.first_boards, FULL & ~state.closed)
        lead -= 4 * _open_pairs(state.second_boards, FULL & ~state.closed)
        for board in bits(FULL & ~state.closed):
            first, second = (side >> 9 * board & FULL for side in state[:2])
            free = FULL & ~(first | second)
            lead += _open_pairs(first, free) - _open_pairs(second, free)
        return float(lead if player == 0 else -lead)

    def free(self, state: State) -> int:
        """The number of free cells in open boards."""
        return sum(
            9 - ((state.first | state.second) >> 9 * board & FULL).bit_count()
            for board in bits(FULL & ~state.closed)
        )


def _drawn(state: State) -> int:
    return state.closed & ~(state.first_boards | state.second_boards)


def _fill(state: State, board: int, is_open: bool) -> str:
    for mask, fill in (
        (state.first_boards, "t3"),
        (state.second_boards, "t6"),
        (state.closed, "shade"),
    ):
        if mask >> board & 1:
            return fill
    return "t2" if is_open else "paper"


def _why(state: State, move: int) -> str:
    """What is wrong with a cell that may not be taken."""
    if (state.first | state.second) >> move & 1:
        return "the cell is taken"
    if state.closed >> move // 9 & 1:
        return f"small board {move // 9 + 1} is closed"
    return f"the move has to be in small board {state.board + 1}"


def _signs(state: State) -> list[list[str]]:
    signs = [["."] * SIZE for _ in range(SIZE)]
    for sign, mask in (("X", state.first), ("O", state.second)):
        for bit in bits(mask):
            row, column = divmod(NUMBERS[bit], SIZE)
            signs[row][column] = sign
    return signs


@lru_cache(maxsize=1 << 16)
def _open_pairs(mine: int, free: int) -> int:
    """How many lines need one more of the free cells."""
    return sum((line & ~mine).bit_count() == 1 and line & ~mine & free != 0 for line in LINES)


@lru_cache(maxsize=1 << 15)
def _legal(state: State) -> tuple[int, ...]:
    """The free cells, those first that win a small board, then those that hinder the other player
    from it, and those last that leave the choice of the board.
    """
    mine, theirs = (state.second, state.first) if state.turn else (state.first, state.second)
    boards = bits(FULL & ~state.closed) if state.board == ANY else (state.board,)
    moves = list[tuple[int, int]]()
    for board in boards:
        own, other = mine >> 9 * board & FULL, theirs >> 9 * board & FULL
        for cell in bits(FULL & ~(own | other)):
            rank = 4 * HAS_LINE[own | 1 << cell] + 2 * HAS_LINE[other | 1 << cell]
            moves.append(((state.closed >> cell & 1) - rank, 9 * board + cell))
    return tuple(move for _, move in sorted(moves))
