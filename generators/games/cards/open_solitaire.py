"""The rules of a patience with all cards in view: columns, foundations and a few free cells."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

RANKS = "A23456789"
"""The names of the ranks, from the lowest one."""

SUITS = "SHCD"
"""The letters of the suits, which are black and red in turn."""

SUIT_NAMES = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}

FOUNDATION, CELL, COLUMN = -1, -2, -3
"""Where a card can go, other than on a card: an empty column is as good as any other."""

TARGETS = {FOUNDATION: "foundation", CELL: "cell", COLUMN: "column"}

State = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]
"""The cards of each column from the bottom, those on free cells in order, and the number of cards
on the foundation of each suit. A card is 4 times its rank, which counts from 0, plus its suit.
"""

Move = tuple[int, int]
"""A card, and the card that it goes on or one of :data:`TARGETS`."""

_WORDS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_RANK_WORDS = {word: RANKS[n].lower() for n, word in enumerate(_WORDS)} | {"1": "a"}
_CARD = re.compile(
    rf"(?<!\w)([a1-9]|{'|'.join(_WORDS)})(?: of |[ -])?"
    r"(spades?|hearts?|clubs?|diamonds?|[shcd])(?!\w)"
)
_SIGNS = {"\u2660": "s", "\u2664": "s", "\u2665": "h", "\u2661": "h", "\u2663": "c", "\u2667": "c"}
_SIGNS |= {"\u2666": "d", "\u2662": "d", "\ufe0f": ""}
_SIGNS |= dict.fromkeys(["->", "=>", "\u2192", ",", ":"], " ")
_SOURCE = re.compile(r"(?<!\w)from (?:(?:the|a|its|my) )?(?:free )?(?:cell|freecell|column)(?!\w)")
_FILLERS = {"move", "put", "play", "place", "send", "take", "card", "the", "a", "an", "to", "on"}
_FILLERS |= {"onto", "in", "into", "its", "my", "empty", "free", "new", "top", "of"}
_NAMED = {"foundation": FOUNDATION, "foundations": FOUNDATION, "home": FOUNDATION}
_NAMED |= {"cell": CELL, "freecell": CELL, "column": COLUMN}
_LONGEST = 100


def card_name(card: int) -> str:
    """The name of a card.

    >>> card_name(4 * 6 + 1)
    '7H'
    """
    return RANKS[card // 4] + SUITS[card % 4]


def fits(card: int, below: int) -> bool:
    """Whether a card can lie on another one: it is one rank lower and of the other colour."""
    return card // 4 + 1 == below // 4 and (card ^ below) & 1 == 1


@dataclass(frozen=True)
class OpenSolitaire(SoloRules[State, Move]):
    """A table of so many free cells. The highest rank counts from 1."""

    ranks: int
    cells: int

    def legal(self, state: State) -> Sequence[Move]:
        columns, cells, foundations = state
        tops = [column[-1] for column in columns if column]
        moves = list[Move]()
        for card in (*tops, *cells):
            if foundations[card % 4] == card // 4:
                moves.append((card, FOUNDATION))
            moves += [(card, below) for below in tops if fits(card, below)]
            if len(tops) < len(columns):
                moves.append((card, COLUMN))
        if len(cells) < self.cells:
            moves += [(card, CELL) for card in tops]
        return moves

    def apply(self, state: State, move: Move) -> State:
        columns, cells, foundations = state
        card, target = move
        piles = [
            column[:-1] if column and column[-1] == card else
            (*column, card) if column and column[-1] == target else column
            for column in columns
        ]  # fmt: skip
        cells = tuple(other for other in cells if other != card)
        if target == FOUNDATION:
            suit = card % 4
            foundations = (*foundations[:suit], foundations[suit] + 1, *foundations[suit + 1 :])
        elif target == CELL:
            cells = tuple(sorted((*cells, card)))
        elif target == COLUMN:
            piles[columns.index(())] = (card,)
        return tuple(piles), cells, foundations

    def distance(self, state: State) -> float:
        """The number of cards that are not on a foundation, plus one for each that has to make way
        for a lower card of its suit below it.
        """
        columns, cells, _ = state
        return float(sum(map(len, columns)) + len(cells) + sum(map(_in_the_way, columns)))

    def judgement(self, state: State) -> float:
        """Few cards left, few that lie on lower ones, and few on free cells."""
        columns, cells, _ = state
        left = sum(map(len, columns)) + len(cells)
        return -float(left + _on_lower(columns) + 0.5 * len(cells) - 0.5 * columns.count(()))

    def name(self, state: State, move: Move) -> str:
        card, target = move
        return f"{card_name(card)} to {TARGETS.get(target) or card_name(target)}"

    def read(self, state: State, text: str) -> Move:
        body = plain(text).strip(" .!").casefold()
        if len(body) > _LONGEST:
            raise InvalidAnswer("expected a move such as '7H to 8S'")
        for sign, letter in _SIGNS.items():
            body = body.replace(sign, letter)
        body = _SOURCE.sub(" ", " ".join(body.split()))
        body = _CARD.sub(lambda card: f"{_RANK_WORDS.get(card[1], card[1])}{card[2][0]}", body)
        words = [word for word in body.split() if word not in _FILLERS]
        cards = {card_name(4 * rank + suit).lower(): 4 * rank + suit
                 for rank in range(self.ranks) for suit in range(4)}  # fmt: skip
        if len(words) != 2 or words[0] not in cards or words[1] not in {*cards, *_NAMED}:
            raise InvalidAnswer(
                "expected a card and where it goes, such as '7H to 8S', '7H to cell', "
                "'7H to column' or '7H to foundation'"
            )
        card, target = cards[words[0]], _NAMED.get(words[1], cards.get(words[1], 0))
        if (card, target) not in self.legal(state):
            raise InvalidAnswer(f"'{self.name(state, (card, target))}' is not possible now")
        return card, target

    def show(self, state: State) -> str:
        labels, rows = self._rows(state)
        return "\n".join(
            f"{label}: {' '.join(card or '-' for card in row) or '-'}"
            for label, row in zip(labels, rows)
        )

    def _rows(self, state: State) -> tuple[list[str], list[list[str]]]:
        """What lies in each part of the table, with a name; an empty text is an empty cell."""
        columns, cells, foundations = state
        labels, rows = ["Foundations", "Free cells"], list[list[str]]()
        highest = [4 * (number - 1) + suit for suit, number in enumerate(foundations) if number > 0]
        rows.append([card_name(card) for card in highest])
        rows.append([*map(card_name, cells), *[""] * (self.cells - len(cells))])
        for number, column in enumerate(columns, 1):
            labels.append(f"Column {number}")
            rows.append([*map(card_name, column)])
        return labels, rows

    def scene(self, state: State) -> Cards:
        """The table, a row for each part of it."""
        labels, rows = self._rows(state)
        return Cards(tuple(tuple(map(_pictured, row)) for row in rows), tuple(labels))


class Search(OpenSolitaire):
    """The same rules as the search for a plan needs them: states are equal if they differ in the
    order of the columns alone, moves that cannot help are left out, and the estimate is above the
    truth, so that plans appear soon.
    """

    def legal(self, state: State) -> Sequence[Move]:
        columns, _, foundations = state
        moves = super().legal(state)
        for card, target in moves:
            if target == FOUNDATION and _of_no_use(card, foundations):
                return [(card, target)]
        lone = {column[0] for column in columns if len(column) == 1}
        return [move for move in moves if move[1] != COLUMN or move[0] not in lone]

    def apply(self, state: State, move: Move) -> State:
        columns, cells, foundations = super().apply(state, move)
        return tuple(sorted(columns)), cells, foundations

    def distance(self, state: State) -> float:
        columns, cells, _ = state
        left = sum(map(len, columns)) + len(cells)
        return 2.0 * left + 2.0 * _on_lower(columns) + 0.5 * len(cells)


def _of_no_use(card: int, foundations: Sequence[int]) -> bool:
    """Whether no card has to lie on a card any more: those that could are on foundations."""
    others = [number for suit, number in enumerate(foundations) if (suit ^ card) & 1]
    return all(number < 0 or number >= card // 4 for number in others)


def _in_the_way(column: Sequence[int]) -> int:
    """How many cards of a column have a lower card of their suit below them."""
    lowest, number = [99] * 4, 0
    for card in column:
        suit = card % 4
        number += card > lowest[suit]
        lowest[suit] = min(lowest[suit], card)
    return number


def _on_lower(columns: Sequence[Sequence[int]]) -> int:
    """How many cards have a card of a lower rank, of any suit, below them in their column."""
    number = 0
    for column in columns:
        lowest = 99
        for card in column:
            rank = card // 4
            number += rank > lowest
            lowest = min(lowest, rank)
    return number


_MARKS = {"H": "heart", "S": "spade", "C": "club", "D": "diamond"}


def _pictured(card: str) -> Card:
    if not card:
        return Card(fill="muted")
    return Card(card[0], mark=_MARKS[card[1]], tone="bad" if card[1] in "HD" else "ink")  # type: ignore[arg-type]
