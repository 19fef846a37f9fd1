"""The rules of wild tic-tac-toe and its relatives, with the cells of each sign as bits.

A move places a sign, which the players choose anew each time or which each of them has for good.
Whoever completes a line of equal signs wins or, in misère games, loses.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules
from palaestra.generators.matches.square_boards import bits, board, board_scene, board_text, name_of
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.wild_lines import signed_cell

SIGNS = "XO"

_PLAYER = re.compile(r"\s*([PQ]) (?=(?:place|put|play|mark|write|draw|choose)s? )", re.IGNORECASE)
_JOINED = re.compile(r"\b([XO])(?=r\d)", re.IGNORECASE)

Move = tuple[int, int]
"""The number of a sign, and a cell."""


class State(NamedTuple):
    """The cells of the signs X and O, and whose turn it is."""

    crosses: int
    noughts: int
    turn: int


@dataclass(frozen=True)
class WildLines(Rules[State, Move]):
    """Place signs on a board until a line of equal signs is complete."""

    rows: int
    columns: int
    length: int
    """The number of equal signs of a line."""

    misere: bool
    """Whether the player who completes a line loses; else that player wins."""

    fixed: bool
    """Whether P always places X and Q always O; else every sign can be chosen at every move."""

    state_type = State
    signs = ("P", "Q")

    def start(self) -> State:
        return State(0, 0, 0)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        signs = (state.turn,) if self.fixed else (0, 1)
        return _ordered(self, state.crosses, state.noughts, signs)

    def apply(self, state: State, move: Move) -> State:
        crosses, noughts, turn = state
        sign, cell = move
        if sign == 0:
            return State(crosses | 1 << cell, noughts, 1 - turn)
        return State(crosses, noughts | 1 << cell, 1 - turn)

    def outcome(self, state: State) -> int | None:
        crosses, noughts, turn = state
        if self._lined(crosses) or self._lined(noughts):
            # The other player has just completed it.
            return WIN if (turn == 0) == self.misere else LOSS
        return None if self.free(state) else DRAW

    def solved(self, state: State) -> int:
        """By a search that looks at moves only where they do not end the game at once."""
        mine, theirs = state.crosses, state.noughts
        if self.fixed and state.turn:
            mine, theirs = theirs, mine
        elif not self.fixed and mine > theirs:
            mine, theirs = theirs, mine  # the signs have equal rights
        value = _value(self, mine, theirs)
        return DRAW + (value if state.turn == 0 else -value)

    def free(self, state: State) -> int:
        """The free cells, as bits."""
        return ~(state.crosses | state.noughts) & (1 << self.rows * self.columns) - 1

    def completes(self, state: State, move: Move) -> bool:
        """Whether a move completes a line."""
        sign, cell = move
        return bool(_completing(self, state[sign]) >> cell & 1)

    def _lined(self, cells: int) -> bool:
        return any(cells & line == line for line in _lines(self.rows, self.columns, self.length))

    def name(self, state: State, move: Move) -> str:
        return f"{SIGNS[move[0]]} {name_of(move[1], self.columns)}"

    def read(self, state: State, text: str) -> Move:
        player = _PLAYER.match(text)
        if player and player[1].upper() != self.mover(state):
            raise InvalidAnswer(f"it is the turn of {self.mover(state)}")
        body = _JOINED.sub(r"\1 ", text[player.end() if player else 0 :])
        sign, (row, column) = signed_cell(body, SIGNS, self.rows, self.columns)
        if not sign and not self.fixed:
            raise InvalidAnswer("state the sign, X or O, as well as the cell")
        number = SIGNS.index(sign) if sign else state.turn
        if self.fixed and number != state.turn:
            raise InvalidAnswer(f"{self.mover(state)} places {SIGNS[state.turn]} only")
        cell = row * self.columns + column
        if not self.free(state) >> cell & 1:
            raise InvalidAnswer(f"{name_of(cell, self.columns)} is not free")
        return number, cell

    def show(self, state: State) -> str:
        return board_text(self._signs(state))

    def _signs(self, state: State) -> list[list[str]]:
        return board(self.rows, self.columns, {"X": state.crosses, "O": state.noughts})

    def scene(self, state: State, last: Move | None) -> Grid:
        return board_scene(self._signs(state), () if last is None else last[1:])

    def wins(self, state: State) -> bool:
        """Whether the player to move of a position without a line wins."""
        return self.solved(state) == (LOSS if state.turn else WIN)

    def quiet(self, state: State) -> list[Move]:
        """The moves that neither end the game nor, in a normal game, let the other do so at once:
        one that wins at once, if there is one; in a misère game, those that complete no line.
        """
        legal = self.legal(state)
        if not self.misere and self.completes(state, legal[0]):
            return [move for move in legal if self.completes(state, move)]
        return [move for move in legal if self._is_quiet(state, move)]

    def keeping(self, state: State) -> list[Move]:
        """The quiet moves that keep a win."""
        return [move for move in self.quiet(state) if self._keeps(state, move)]

    def _keeps(self, state: State, move: Move) -> bool:
        if self.completes(state, move):
            return not self.misere
        after = self.apply(state, move)
        return self.solved(after) == (LOSS if state.turn else WIN)

    def caution_is_enough(self, state: State) -> float:
        """The chance of a player of random quiet moves in a won position, or of one who makes those
        that look best, whichever is higher, if the other player always leaves the lowest share of
        good ones among the quiet moves.
        """
        random, guided = 1.0, 1.0
        while good := self.keeping(state):
            quiet = self.quiet(state)
            random *= len(good) / len(quiet)
            if self.completes(state, good[0]):
                break
            looks = {each: self.judgement(self.apply(state, each), state.turn) for each in quiet}
            guided_to = [each for each in quiet if looks[each] == max(looks.values())]
            guided *= sum(each in good for each in guided_to) / len(guided_to)
            state = self.apply(state, good[0])
            replies = [self.apply(state, reply) for reply in self.quiet(state)]
            if not replies:
                break
            state = min(replies, key=self._share)
        return max(random, guided)

    def _share(self, state: State) -> float:
        """The share of the quiet moves that keep a win."""
        return len(self.keeping(state)) / max(1, len(self.quiet(state)))

    def judgement(self, state: State, player: int) -> float:
        """Whether the player would make the last move that allows no immediate end, if the number
        of such moves fell by one each time.

        In a misère game with fixed signs, how many more cells complete no line of the player's.
        """
        if self.misere and self.fixed:
            mine, theirs = (
                (self.free(state) & ~_completing(self, state[n])).bit_count()
                for n in (player, 1 - player)
            )
            return float(mine - theirs)
        left = sum(map(self._is_quiet, [state] * len(self.legal(state)), self.legal(state)))
        return float(left % 2 == (state.turn == player))

    def _is_quiet(self, state: State, move: Move) -> bool:
        """Whether a move neither completes a line nor, in a normal game, lets the other do so."""
        if self.completes(state, move):
            return False
        return self.misere or not self.threatened(self.apply(state, move))

    def threatened(self, state: State) -> bool:
        """Whether the player to move can complete a line."""
        signs = (state.turn,) if self.fixed else (0, 1)
        return any(_completing(self, state[sign]) & self.free(state) for sign in signs)


@lru_cache(maxsize=64)
def _lines(rows: int, columns: int, length: int) -> tuple[int, ...]:
    """All lines, as bits of their cells."""
    lines = list[int]()
    for row in range(rows):
        for column in range(columns):
            for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
                end = row + (length - 1) * down, column + (length - 1) * right
                if end[0] < rows and 0 <= end[1] < columns:
                    cells = [(row + n * down, column + n * right) for n in range(length)]
                    lines.append(sum(1 << r * columns + c for r, c in cells))
    return tuple(lines)


@lru_cache(maxsize=1 << 17)
def _value(rules: WildLines, mine: int, theirs: int) -> int:
    """1, 0 or -1 where the player to move wins, draws or loses, of a position without a line.

    With signs for everybody, ``mine`` is the smaller number of the two.
    """
    free = (1 << rules.rows * rules.columns) - 1 & ~(mine | theirs)
    if not free:
        return 0
    quiet = free & ~_completing(rules, mine), free & ~_completing(rules, theirs)
    if rules.fixed:
        quiet = quiet[0], 0
    if not rules.misere and any(each != free for each in quiet[: 1 if rules.fixed else 2]):
        return 1
    best = -1
    for sign in (0, 1):
        for cell in bits(quiet[sign]):
            after = (mine | 1 << cell, theirs) if sign == 0 else (mine, theirs | 1 << cell)
            if rules.fixed or after[0] > after[1]:
                after = after[1], after[0]
            best = max(best, -_value(rules, *after))
            if best == 1:
                return 1
    return best


@lru_cache(maxsize=1 << 16)
def _completing(rules: WildLines, cells: int) -> int:
    """The cells that complete a line of a sign which has these cells, whether free or not."""
    completing = 0
    for line in _lines(rules.rows, rules.columns, rules.length):
        missing = line & ~cells
        if not missing & missing - 1:
            completing |= missing
    return completing


@lru_cache(maxsize=1 << 15)
def _ordered(
    rules: WildLines, crosses: int, noughts: int, signs: tuple[int, ...]
) -> tuple[Move, ...]:
    """The moves that win at once, then those that do not lose at once, then the others."""
    state = State(crosses, noughts, signs[0] if rules.fixed else 0)
    moves = [(sign, cell) for cell in bits(rules.free(state)) for sign in signs]

    def rank(move: Move) -> tuple[bool, bool]:
        ends = rules.completes(state, move)
        if rules.misere:
            return ends, False
        return not ends, not ends and rules.threatened(rules.apply(state, move))

    return tuple(sorted(moves, key=rank))
