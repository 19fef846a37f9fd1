"""The rules of a patience in which runs of a suit are built on the columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

SUITS = "SH"
"""The letters of the suits: spades and hearts."""

DEAL = (-1, 0, 0)
"""The move that deals a card of the stock to each column."""

Column = tuple[int, ...]
"""Cards from the bottom; a card is twice its rank, which counts from 1, plus its suit."""

Move = tuple[int, int, int]
"""The column that cards leave, how many of them, and the column that they go to."""

_MOVE = re.compile(
    r"(?:move )?(?:(\d{1,2}|a|one|the|top)(?: cards?)? )?(?:cards? )?"
    r"(?:from )?(?:column )?(\d{1,2})(?: to | ?-+> ?| ?\u2192 ?)(?:column )?(\d{1,2})",
    re.ASCII,
)
_DEALS = frozenset(("deal", "deal the cards", "deal a row", "deal cards", "deal from the stock"))
_ONE = {"a": 1, "one": 1, "the": 1, "top": 1}


class State(NamedTuple):
    """The columns, the cards dealt from the stock, and the runs that are complete."""

    columns: tuple[Column, ...]
    dealt: int
    complete: int


@dataclass(frozen=True)
class OpenSpider(SoloRules[State, Move]):
    """Complete all runs, from the highest rank down to 1."""

    ranks: int
    runs: int
    stock: Column

    def legal(self, state: State) -> Sequence[Move]:
        moves = list[Move]()
        empty = next((n for n, column in enumerate(state.columns) if not column), None)
        for start, column in enumerate(state.columns):
            for number in range(1, run_length(column) + 1):
                card = column[-number]
                ends = (
                    end
                    for end, other in enumerate(state.columns)
                    if end != start and other and other[-1] // 2 == card // 2 + 1
                )
                moves += [(start, number, end) for end in ends]
                if empty is not None and number < len(column):
                    moves.append((start, number, empty))
        if state.dealt < len(self.stock) and all(state.columns):
            moves.append(DEAL)
        return moves

    def apply(self, state: State, move: Move) -> State:
        columns, dealt, complete = list(state.columns), state.dealt, state.complete
        if move == DEAL:
            cards = self.stock[dealt : dealt + len(columns)]
            dealt += len(cards)
            for n, card in enumerate(cards):
                columns[n] = (*columns[n], card)
        else:
            start, number, end = move
            columns[end] += columns[start][-number:]
            columns[start] = columns[start][:-number]
        for n, column in enumerate(columns):
            if run_length(column) == self.ranks:
                columns[n] = column[: -self.ranks]
                complete += 1
        return State(tuple(columns), dealt, complete)

    def distance(self, state: State) -> float:
        """The cards that do not lie on the next card of their suit, and those of the stock. It is
        above the truth in places, so that plans need not be shortest.
        """
        if state.complete == self.runs:
            return 0.0
        loose = sum(_loose(column) for column in state.columns)
        return 1.0 + loose + len(self.stock) - state.dealt

    def judgement(self, state: State) -> float:
        empty = state.columns.count(())
        return 3.0 * state.complete + empty - sum(_loose(column) for column in state.columns)

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: Move) -> str:
        start, number, end = move
        if move == DEAL:
            return "deal"
        return f"move {number} from {start + 1} to {end + 1}"

    def read(self, state: State, text: str) -> Move:
        body = phrase(text)
        if body in _DEALS:
            move = DEAL
        else:
            match = _MOVE.fullmatch(body)
            if not match:
                raise InvalidAnswer("expected 'deal' or a move such as 'move 2 from 1 to 3'")
            start, end = int(match[2]) - 1, int(match[3]) - 1
            if match[1] is None:
                options = [m for m in self.legal(state) if (m[0], m[2]) == (start, end)]
                move = options[0] if len(options) == 1 else (start, 0, end)
            else:
                move = start, _ONE.get(match[1]) or int(match[1]), end
        if move not in self.legal(state):
            raise InvalidAnswer("this is not possible now, or the number of cards is missing")
        return move

    def show(self, state: State) -> str:
        rows = [
            f"Column {n}: {' '.join(map(card_name, column)) or '-'}"
            for n, column in enumerate(state.columns, 1)
        ]
        if self.stock:
            stock = " ".join(map(card_name, self.stock[state.dealt :])) or "-"
            rows.append(f"Stock, the next card first: {stock}")
        rows.append(f"Complete runs: {state.complete} of {self.runs}")
        return "\n".join(rows)

    def scene(self, state: State) -> Cards:
        rows = [tuple(map(_pictured, column)) for column in state.columns]
        names = [f"Column {n}" for n in range(1, len(rows) + 1)]
        if self.stock:
            rows.append(tuple(map(_pictured, self.stock[state.dealt :])))
            names.append("Stock")
        return Cards(tuple(rows), tuple(names))


def card_name(card: int) -> str:
    """The name of a card.

    >>> card_name(2 * 10 + 1), card_name(2 * 1)
    ('10H', '1S')
    """
    return f"{card // 2}{SUITS[card % 2]}"


def run_length(column: Column) -> int:
    """How many cards at the top are of one suit, each one rank below the one under it.

    >>> run_length((9, 8, 6, 4)), run_length(())
    (3, 0)
    """
    length = 0
    for n in range(len(column) - 1, -1, -1):
        if length and column[n] != column[n + 1] + 2:
            break
        length += 1
    return length


def _loose(column: Column) -> int:
    """How many cards of a column do not lie on the next card of their suit."""
    return sum(n == 0 or column[n - 1] != card + 2 for n, card in enumerate(column))


def _pictured(card: int) -> Card:
    red = card % 2 == 1
    return Card(str(card // 2), mark="heart" if red else "spade", tone="bad" if red else "ink")
