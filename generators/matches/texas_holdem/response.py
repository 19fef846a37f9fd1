"""The exact best response to an opponent of hold'em whose moves depend on the class of the hand.

The opponent's pairs of cards are counted by class and result. Fifth public cards that give all of
them the same class and result are counted together. Hence no tree of all hands is needed.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from palaestra.generators.matches.texas_holdem.rules import (
    CLASSES,
    CODES,
    RIVER,
    Cell,
    Pair,
    State,
    TexasHoldem,
    class_of,
    closed,
    contributions,
    legal_moves,
)

Table = tuple[tuple[int, ...], ...]
"""For each class in each round, the percentages to bet, to fold to a bet, to raise one, and to fold
to a raise."""

Rounds = tuple[str, ...]
Cells = tuple[Cell | None, ...]
"""The class and result of each pair of the opponent; None where it contains the fifth card."""

Expectations = dict[str, dict[str, float]]
"""For each history of a round in which the player is to move, the chips won by each move."""

End = Callable[[Rounds, Sequence[Cell], Sequence[float]], float]
"""What the player wins after the betting, multiplied by the weights of classes and results."""

FIFTH_CARDS = 44
"""The number of cards that are neither public nor in a hand, before the fifth public card."""


@lru_cache(maxsize=256)
def probabilities(row: tuple[int, ...], history: str) -> tuple[float, ...]:
    """The probabilities of the legal moves by a row of a table.

    >>> probabilities((40, 20, 10, 50), "cb"), probabilities((40, 20, 10, 50), "c")
    ((0.2, 0.7, 0.1), (0.6, 0.4))
    """
    bet, fold, raised, fold_to_raise = row
    if history.endswith("b"):
        percent = [fold, 100 - fold - raised, raised]
    elif history.endswith("r"):
        percent = [fold_to_raise, 100 - fold_to_raise]
    else:
        percent = [100 - bet, bet]
    return tuple(each / 100 for each in percent)


def reply_chances(table: Table, state: State, player: int) -> tuple[float, ...]:
    """The probabilities of a player's legal moves by a table."""
    number = class_of(TexasHoldem.worth(state.hands[player], state.board))
    first_row = len(CLASSES) * (len(state.rounds) - 1)
    return probabilities(table[first_row + number], state.rounds[-1])


class HoldemResponse:
    """What a player with certain cards wins on average by each move, with the best play later."""

    def __init__(self, rules: TexasHoldem, table: Table, mine: Pair, role: int) -> None:
        self.rules = rules
        self.table = table
        self.mine = mine
        self.role = role
        self._others = rules.others(mine)
        self._rivers = self._fifth_cards() if len(rules.board) < RIVER else {}
        self._groups = Counter(self._rivers.values())
        self._later: dict[tuple[str, Cells], Expectations] = {}
        self._now: Expectations = {}
        self._root()

    def expectations(self, state: State) -> Mapping[str, float]:
        """The chips won on average by each legal move of the player; nothing in a state that the
        opponent never leads to.
        """
        *before, history = state.rounds
        if not before:
            return self._now.get(history, {})
        later = self._later.get((before[0], self._rivers[state.board[-1]]), {})
        return later.get(history, {})

    def _fifth_cards(self) -> dict[int, Cells]:
        seen = {*self.rules.board, *self.mine}
        return {card: self._cells((card,)) for card in range(52) if card not in seen}

    def _cells(self, more: tuple[int, ...]) -> Cells:
        """The class and result of each pair of the opponent, with more public cards."""
        board = (*self.rules.board, *more)
        own = self.rules.worth(self.mine, board)
        cells = list[Cell | None]()
        for pair in self._others:
            worth = self.rules.worth(pair, board)
            result = (own > worth) - (own < worth)
            cells.append(None if set(pair) & set(more) else (class_of(worth), result))
        return tuple(cells)

    def _root(self) -> None:
        cells = [cell for cell in self._cells(()) if cell is not None]
        weights = [1.0] * len(cells)
        end = self._river_values if self._rivers else self._showdown
        self._value(("",), cells, weights, end, self._now)

    def _value(
        self,
        rounds: Rounds,
        cells: Sequence[Cell],
        weights: Sequence[float],
        end: End,
        known: Expectations,
    ) -> float:
        """What the player wins, multiplied by the weights; enters expectations by history."""
        history = rounds[-1]
        if history.endswith("f"):
            folds = (len(history) - 1) % 2 == self.role
            return self._chips(rounds)[-1 if folds else 1] * sum(weights)
        if closed(history):
            return end(rounds, cells, weights)
        moves, before = legal_moves(history), rounds[:-1]
        after = [(*before, history + CODES[move]) for move in moves]
        if len(history) % 2 == self.role:
            worths = [self._value(each, cells, weights, end, known) for each in after]
            if total := sum(weights):
                known[history] = {move: worth / total for move, worth in zip(moves, worths)}
            return max(worths)
        first_row = len(CLASSES) * len(before)
        rows = [probabilities(self.table[first_row + number], history) for number, _ in cells]
        value = 0.0
        for n, each in enumerate(after):
            left = [weight * row[n] for weight, row in zip(weights, rows)]
            value += self._value(each, cells, left, end, known)
        return value

    def _chips(self, rounds: Rounds) -> tuple[int, int, int]:
        """What the player wins by each result: 0 is a split pot, 1 a win, and -1 a loss."""
        paid = contributions(rounds, self.rules.ante, self.rules.size)
        return 0, paid[1 - self.role], -paid[self.role]

    def _showdown(self, rounds: Rounds, cells: Sequence[Cell], weights: Sequence[float]) -> float:
        chips = self._chips(rounds)
        return sum([weight * chips[result] for weight, (_, result) in zip(weights, cells)])

    def _river_values(self, rounds: Rounds, _: Sequence[Cell], weights: Sequence[float]) -> float:
        """The same before the fifth public card."""
        value = 0.0
        for group, number in self._groups.items():
            counts = defaultdict[Cell, float](float)
            for cell, weight in zip(group, weights):
                if cell is not None:
                    counts[cell] += weight
            known = self._later.setdefault((rounds[0], group), {})
            after = self._value((*rounds, ""), [*counts], [*counts.values()], self._showdown, known)
            value += number * after
        return value / FIFTH_CARDS


@lru_cache(maxsize=256)
def holdem_response(rules: TexasHoldem, table: Table, mine: Pair, role: int) -> HoldemResponse:
    """The best response, which all episodes of a match share."""
    return HoldemResponse(rules, table, mine, role)
