"""The rules of Gomoku on small boards, and a search for wins within a number of moves.

Stones are bits, row by row from the top left. A window is five neighbouring cells in a line, and is
a bit as well: that of its first cell, for each of the four directions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.limited_wins import LimitedRules, LimitedSolver
from palaestra.generators.matches.rules import DRAW, LOSS, WIN
from palaestra.generators.matches.square_boards import (
    bits,
    board,
    board_scene,
    board_text,
    name_of,
    read_cell,
)
from palaestra.scenes import Grid

LINE = 5
"""The length of a line that wins; a longer one wins as well."""

NOBODY = 2
"""The hunter of a game without a limit."""

WEIGHTS = (0, 1, 6, 30, 120)
"""How good a window without stones of the other player looks, by the number of stones in it."""


class State(NamedTuple):
    """The stones of both players, whose turn it is, how many moves are left, and who has to win
    with these: the other player wins at their end. With :data:`NOBODY`, that is a draw.
    """

    first: int
    second: int
    turn: int
    left: int
    hunter: int = NOBODY


@dataclass(frozen=True)
class Gomoku(LimitedRules[State, int]):
    """Five or more in a line on a square board; X moves first."""

    size: int
    state_type = State
    is_placement = True

    def start(self) -> State:
        return State(0, 0, 0, self.size**2)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[int]:
        return _legal(self.size, state.first | state.second)

    def apply(self, state: State, move: int) -> State:
        first, second, turn, left, hunter = state
        if turn == 0:
            return State(first | 1 << move, second, 1, left - 1, hunter)
        return State(first, second | 1 << move, 0, left - 1, hunter)

    def outcome(self, state: State) -> int | None:
        first, second, turn, left, hunter = state
        if _has_five(self.size, first if turn else second):
            return WIN if turn else LOSS
        if left > 0:
            return None
        return DRAW if hunter == NOBODY else WIN if hunter else LOSS

    def solved(self, state: State) -> int | None:
        if state.hunter == NOBODY:
            return None
        mine, theirs = state[:2] if state.hunter == 0 else state[1::-1]
        if state.turn == state.hunter:
            won = _win(self.size, mine, theirs, (state.left + 1) // 2)
        else:
            won = _defeat(self.size, mine, theirs, state.left // 2)
        return WIN if bool(won) == (state.hunter == 0) else LOSS

    def fewest(self, mine: int, theirs: int, most: int) -> int:
        """With how many own moves the player to move wins against every reply; 0 if ``most`` are
        not enough.
        """
        for moves in range(1, most + 1):
            if _win(self.size, mine, theirs, moves):
                return moves
        return 0

    def moves_needed(self, state: State) -> int:
        return self.fewest(*_sides(state), (state.left + 1) // 2)

    def forced(self, mine: int, theirs: int, most: int) -> int:
        """Like :meth:`fewest`, with moves that threaten to win with the next two: a search for such
        wins (a threat-space search) takes a small part of the time.
        """
        for moves in range(1, most + 1):
            if _win(self.size, mine, theirs, moves, forcing=True):
                return moves
        return 0

    def threatens(self, mine: int, theirs: int) -> bool:
        """Whether a player who moves could make two fours at once; nobody has a four."""
        return bool(_doubles(self.size, mine, theirs))

    def winning(self, mine: int, theirs: int, moves: int) -> Iterator[int]:
        """The moves that win within so many own moves, where none wins at once, one at a time."""
        threats = _completing(self.size, theirs, mine)
        free = _every(self.size) & ~(mine | theirs)
        for cell in bits(threats or free):
            if _defeat(self.size, mine | 1 << cell, theirs, moves - 1):
                yield cell

    def extending(self, mine: int, theirs: int, stones: int) -> int:
        """The free cells where a stone extends a line of so many stones or more that can still
        become five; with 4, those where it makes five.
        """
        if stones == LINE - 1:
            return _completing(self.size, mine, theirs)
        return _cells(self.size, _counts(self.size, mine, theirs), stones) & ~(mine | theirs)

    def lines(self, mine: int, theirs: int) -> float:
        """How good the windows of a player look that can still become five, by their stones."""
        return _looks(self.size, mine, theirs)

    def name(self, state: State, move: int) -> str:
        return name_of(move, self.size)

    def read(self, state: State, text: str) -> int:
        return read_cell(text, self.size, self.size, self.legal(state))

    def show(self, state: State) -> str:
        text = board_text(self._signs(state))
        if state.hunter == NOBODY:
            return text
        own = (state.left + (state.turn == state.hunter)) // 2
        return f"{text}\n\nMoves that {self.signs[state.hunter]} has left: {own}."

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.size, self.size, {"X": state.first, "O": state.second})

    def scene(self, state: State, last: int | None) -> Grid:
        return board_scene(self._signs(state), () if last is None else (last,))

    def judgement(self, state: State, player: int) -> float:
        """The windows that each player can still fill, by the number of stones in them."""
        mine, theirs = self.lines(*_sides(state)), self.lines(*_sides(state)[::-1])
        return mine - theirs if player == state.turn else theirs - mine


class GomokuSolver(LimitedSolver[State, int]):
    """A solver that compares only those replies that delay the loss for longest, and is content
    with one that wins.
    """

    def hardest_replies(self, state: State) -> list[int]:
        rules, player = self.rules, state.turn
        after = {move: rules.apply(state, move) for move in rules.legal(state)}
        if self.worth(state, player) != LOSS:
            return [next(move for move, each in after.items() if self.worth(each, player) != LOSS)]
        needed = {
            move: 0 if rules.outcome(each) is not None else rules.moves_needed(each)
            for move, each in after.items()
        }
        longest = [move for move in after if needed[move] == max(needed.values())]
        shares = {move: self._share_of_other(after[move], player) for move in longest}
        return [move for move in longest if shares[move] == min(shares.values())]


@lru_cache(maxsize=32)
def solver_of(rules: Gomoku, start: str) -> GomokuSolver:
    """The solver of all positions that follow from a start, which keeps what it has searched."""
    return GomokuSolver(rules)


def _sides(state: State) -> tuple[int, int]:
    """The stones of the player to move, and those of the other player."""
    return (state.first, state.second) if state.turn == 0 else (state.second, state.first)


@lru_cache(maxsize=8)
def _every(size: int) -> int:
    return (1 << size * size) - 1


@lru_cache(maxsize=1 << 12)
def _legal(size: int, taken: int) -> tuple[int, ...]:
    """The free cells, those near the middle first."""
    return tuple(cell for cell in _order(size) if not taken >> cell & 1)


@lru_cache(maxsize=8)
def _order(size: int) -> tuple[int, ...]:
    middle = (size - 1) / 2
    cells = range(size * size)
    return tuple(sorted(cells, key=lambda n: sum((x - middle) ** 2 for x in divmod(n, size))))


@lru_cache(maxsize=8)
def _directions(size: int) -> tuple[tuple[int, int], ...]:
    """The shift between neighbours, and the windows, of each direction."""
    ways = []
    for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
        rows, columns = (range(size - (LINE - 1) * step) for step in (down, abs(right)))
        first = LINE - 1 if right < 0 else 0
        windows = sum(1 << r * size + c + first for r in rows for c in columns)
        ways.append((down * size + right, windows))
    return tuple(ways)


def _has_five(size: int, stones: int) -> bool:
    for step, windows in _directions(size):
        run = stones & stones >> step
        run &= run >> 2 * step & windows
        if run & stones >> 4 * step:
            return True
    return False


@lru_cache(maxsize=1 << 16)
def _counts(size: int, mine: int, theirs: int) -> tuple[tuple[int, int, int, int, int], ...]:
    """For each direction, the windows without stones of the other player that contain exactly 0, 1,
    2, 3 and 4 own stones. No window contains five.
    """
    counts = []
    for step, windows in _directions(size):
        blocked = theirs | theirs >> step
        blocked |= blocked >> 2 * step | theirs >> 4 * step
        free = windows & ~blocked
        a, b, c, d, e = (mine >> n * step for n in range(LINE))
        # Adders of single bits: the sum of all is odd + 2 * (number of carries).
        odd, one = a ^ b, a & b
        odd, two = odd ^ c, odd & c
        odd, three = odd ^ d, odd & d
        odd, four = odd ^ e, odd & e
        left, right = one ^ two, three ^ four
        fours = one & two | three & four | left & right
        twos = (left ^ right) & free
        low = free & ~(twos | fours)
        counts.append((low & ~odd, low & odd, twos & ~odd, twos & odd, fours & free))
    return tuple(counts)


def _cells(size: int, counts: Sequence[Sequence[int]], least: int) -> int:
    """The cells of the windows with at least so many stones."""
    cells = 0
    for (step, _), each in zip(_directions(size), counts):
        run = 0
        for windows in each[max(0, least) :]:
            run |= windows
        if run:
            run |= run << step
            cells |= run | run << 2 * step | run << 3 * step
    return cells


@lru_cache(maxsize=1 << 16)
def _completing(size: int, mine: int, theirs: int) -> int:
    """The free cells where a stone makes a line, of which there is none yet."""
    cells = 0
    for step, windows in _directions(size):
        pairs = mine & mine >> step
        if not pairs:
            continue
        singles = (mine | mine >> step) & mine >> 4 * step
        fours = pairs & pairs >> 2 * step | singles & pairs >> 2 * step
        fours |= pairs & (mine | mine >> step) >> 2 * step & mine >> 4 * step
        if fours := fours & windows:
            run = fours | fours << step
            cells |= run | run << 2 * step | fours << 4 * step
    return cells & ~(mine | theirs)


def _looks(size: int, mine: int, theirs: int) -> float:
    counts = _counts(size, mine, theirs)
    return float(sum(w * n.bit_count() for each in counts for w, n in zip(WEIGHTS, each)))


def _crossings(size: int, counts: Sequence[Sequence[int]]) -> int:
    """The cells that are in two windows with three stones or more."""
    one = two = 0
    for (step, _), each in zip(_directions(size), counts):
        if windows := each[3]:
            for n in range(LINE):
                two |= one & windows << n * step
                one |= windows << n * step
    return two


@lru_cache(maxsize=1 << 16)
def _doubles(size: int, mine: int, theirs: int) -> int:
    """A cell where a stone makes two fours, so that the other player cannot parry both; 0 if there
    is none. Nobody can make a line at once.
    """
    free = _every(size) & ~(mine | theirs)
    for cell in bits(_crossings(size, _counts(size, mine, theirs)) & free):
        fours = _completing(size, mine | 1 << cell, theirs)
        if fours & (fours - 1):
            return 1 << cell
    return 0


@lru_cache(maxsize=1 << 17)
def _win(size: int, mine: int, theirs: int, moves: int, forcing: bool = False) -> int:
    """The free cells that a proof needs that the player to move wins within so many own moves; 0 if
    it does not; with ``forcing``, those of a proof by threats alone.

    If the other player had one more stone on any other free cell, the proof would hold as well.
    """
    if moves < 1:
        return 0
    if wins := _completing(size, mine, theirs):
        return wins & -wins
    if moves == 1:
        return 0
    threats = _completing(size, theirs, mine)
    if threats & (threats - 1):
        return 0
    if not threats and moves > 2 and (proof := _win(size, mine, theirs, moves - 1, forcing)):
        return proof
    for cell in _tries(size, mine, theirs, moves):
        after = mine | 1 << cell
        if proof := _defeat(size, after, theirs, moves - 1, forcing):
            # The other player makes one move fewer, and has to make a four with the one before.
            dangers = _cells(size, _counts(size, theirs, after), LINE - moves) & ~theirs
            return proof | 1 << cell | dangers
    return 0


def _tries(size: int, mine: int, theirs: int, moves: int) -> Iterator[int]:
    """The moves that can win in ``moves`` own moves where fewer are not enough: those that parry a
    four; else those in a line that these moves can fill, or that the other player can use in time
    for a four.
    """
    if threats := _completing(size, theirs, mine):
        yield from bits(threats)
        return
    counts, free = _counts(size, mine, theirs), _every(size) & ~(mine | theirs)
    if moves == 2:
        yield from bits(_crossings(size, counts) & free)
        return
    lines = _cells(size, counts, LINE - moves)
    lines |= _cells(size, _counts(size, theirs, mine), LINE + 1 - moves)
    left = lines & free
    for stones in (3, 2, 0):
        cells = left & _cells(size, counts, stones) if stones else left
        left &= ~cells
        yield from bits(cells)


@lru_cache(maxsize=1 << 17)
def _defeat(size: int, mine: int, theirs: int, moves: int, forcing: bool = False) -> int:
    """The free cells that a proof needs that the player who has just moved, with ``mine``, wins
    within so many more own moves, whatever the other one replies; 0 if it does not.
    """
    if moves < 1 or _completing(size, theirs, mine):
        return 0
    wins = _completing(size, mine, theirs)
    if wins:
        one = wins & -wins
        if two := wins & (wins - 1):
            return one | two & -two
        proof = _win(size, mine, theirs | one, moves, forcing)
        return proof and proof | one
    if moves == 1 or _doubles(size, theirs, mine):
        return 0
    # If a move loses, so does each other one outside of the cells that the proof needs.
    needed = left = _win(size, mine, theirs, 2 if forcing else moves, forcing)
    while left:
        reply = _first_reply(size, mine, theirs, left)
        proof = _win(size, mine, theirs | reply, moves, forcing)
        if not proof:
            return 0
        needed |= proof | reply
        left &= proof
    return needed


def _first_reply(size: int, mine: int, theirs: int, left: int) -> int:
    """The reply to try first: where the other player has most, else one that makes a four."""
    for side, other in ((mine, theirs), (theirs, mine)):
        if cells := _cells(size, _counts(size, side, other), 3) & left:
            return cells & -cells
    return left & -left
