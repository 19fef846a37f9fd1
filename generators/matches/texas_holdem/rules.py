"""The rules of the end of a hand of heads-up hold'em with limits, from the turn or river on.

Each player has one of a list of pairs of cards, which both players know.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.hidden_information import CHANCE, HiddenRules
from palaestra.generators.matches.poker import winnings
from palaestra.generators.matches.texas_holdem.hands import CATEGORIES, category, strength
from palaestra.scenes import Card, Cards
from palaestra.scenes.elements import Mark
from palaestra.verifiers.reading.actions import action
from palaestra.verifiers.reading.playing_cards import RANKS, SUITS, card_name

Pair = tuple[int, int]
Cell = tuple[int, int]
"""The class of a player's cards, and 1, 0 or -1 if the other player beats them, splits or loses."""

CODES = {"check": "c", "bet": "b", "raise": "r", "call": "k", "fold": "f"}
NAMES = {code: name for name, code in CODES.items()}
CLASSES = ("high card", "one pair", "two pair", "three of a kind or better")
"""The classes on which the strategy of a built-in opponent depends."""

RIVER = 5
"""The number of public cards with which the last round of betting begins."""

MARKS: tuple[Mark, ...] = ("spade", "heart", "diamond", "club")


class State(NamedTuple):
    """The players' cards, as far as they are dealt, the public cards, and the moves of each round
    of betting.
    """

    hands: tuple[Pair, ...]
    board: tuple[int, ...]
    rounds: tuple[str, ...]


def mask(cards: Sequence[int]) -> int:
    """Cards as a mask of bits."""
    return sum(1 << card for card in cards)


def names(cards: Sequence[int]) -> str:
    """Cards in words.

    >>> names((12, 24))
    'AS KH'
    """
    return " ".join(map(card_name, cards))


def numbers(text: str) -> tuple[int, ...]:
    """Cards from words, as :func:`names` writes them.

    >>> numbers("AS KH")
    (12, 24)
    """
    return tuple(13 * SUITS.index(card[1]) + RANKS.index(card[0]) for card in text.split())


def class_of(worth: int) -> int:
    """The number of the class of cards with this strength, in :data:`CLASSES`."""
    return min(category(worth), len(CLASSES) - 1)


def closed(history: str) -> bool:
    """Whether a round of betting is over without a fold."""
    return history == "cc" or history.endswith("k")


def legal_moves(history: str) -> tuple[str, ...]:
    """The moves of a round of betting in which these have been made."""
    if history.endswith("b"):
        return ("fold", "call", "raise")
    return ("fold", "call") if history.endswith("r") else ("check", "bet")


@lru_cache(maxsize=1024)
def contributions(rounds: tuple[str, ...], ante: int, size: int) -> tuple[int, int]:
    """What both players have paid.

    >>> contributions(("brk", "cb"), 3, 2), contributions(("cc", ""), 3, 2)
    ((7, 9), (3, 3))
    """
    paid = [ante, ante]
    for history in rounds:
        for n, code in enumerate(history):
            if code in "brk":
                paid[n % 2] = paid[1 - n % 2] + size * (code != "k")
    return paid[0], paid[1]


@dataclass(frozen=True)
class TexasHoldem(HiddenRules[State, str]):
    """Hold'em with fixed bets and one raise in each round."""

    pairs: tuple[Pair, ...]
    """The cards that a player may have; none of them is public."""

    board: tuple[int, ...]
    """Four or five public cards."""

    ante: int
    """What each player has paid before."""

    size: int
    """The size of a bet or raise."""

    def start(self) -> State:
        return State((), self.board, ("",))

    def others(self, mine: Pair) -> list[Pair]:
        """The pairs of cards that the other player may have, all equally likely."""
        return [pair for pair in self.pairs if not set(pair) & set(mine)]

    def hands(self) -> Sequence[tuple[Pair, float]]:
        counts = {pair: len(self.others(pair)) for pair in self.pairs}
        total = sum(counts.values())
        return [(pair, count / total) for pair, count in counts.items() if count]

    def dealt(self, hand: Pair, owner: int, rng: Random) -> State:
        other = rng.choice(self.others(hand))
        hands = (hand, other) if owner == 0 else (other, hand)
        return State(hands, self.board, ("",))

    def player(self, state: State) -> int:
        current = state.rounds[-1]
        return CHANCE if len(state.hands) < 2 or closed(current) else len(current) % 2

    def chances(self, state: State) -> Sequence[tuple[Pair | int, float]]:
        if not state.hands:
            return self.hands()
        if len(state.hands) == 1:
            others = self.others(state.hands[0])
            return [(pair, 1 / len(others)) for pair in others]
        seen = {*state.board, *state.hands[0], *state.hands[1]}
        left = [card for card in range(52) if card not in seen]
        return [(card, 1 / len(left)) for card in left]

    def legal(self, state: State) -> Sequence[str]:
        return legal_moves(state.rounds[-1])

    def apply(self, state: State, move: str | Pair | int) -> State:
        hands, board, rounds = state
        if isinstance(move, str):
            return State(hands, board, (*rounds[:-1], rounds[-1] + CODES[move]))
        if isinstance(move, tuple):
            return State((*hands, move), board, rounds)
        return State(hands, (*board, move), (*rounds, ""))

    def outcome(self, state: State) -> float | None:
        current = state.rounds[-1]
        if current.endswith("f"):
            folder = (len(current) - 1) % 2
            return self.payoff(state.rounds, 1 if folder == 1 else -1)
        if len(state.board) < RIVER or not closed(current):
            return None
        mine, theirs = (self.worth(hand, state.board) for hand in state.hands)
        return self.payoff(state.rounds, (mine > theirs) - (mine < theirs))

    def payoff(self, rounds: tuple[str, ...], sign: int) -> float:
        """What player 0 wins with the whole pot (1), half of it (0) or nothing of it (-1)."""
        paid = contributions(rounds, self.ante, self.size)
        return float(paid[1]) if sign > 0 else -float(paid[0]) if sign else 0.0

    @staticmethod
    def worth(hand: Pair, board: Sequence[int]) -> int:
        """The strength of a player's cards with the public ones."""
        return strength(mask(hand) | mask(board))

    def view(self, state: State, player: int) -> str:
        own, board = names(state.hands[player]), names(state.board)
        return f"{own}, {board}, {'/'.join(state.rounds)}"

    def name(self, state: State, move: str) -> str:
        return move

    def read(self, state: State, text: str) -> str:
        return action(text, {move: self._synonyms(move) for move in self.legal(state)})

    def _synonyms(self, move: str) -> Sequence[str]:
        return {
            "check": ("pass", "check it"),
            "bet": ("bets", f"bet {self.size}", f"bet {self.size} chips", "make a bet"),
            "raise": ("raise it", "raise the bet", "re raise", "re-raise", "reraise",
                      f"raise by {self.size}", f"raise by {self.size} chips",
                      f"raise {self.size}", f"raise {self.size} chips"),
            "call": ("call it", "call the bet", "call the raise", "see", "see it",
                     f"call {self.size}", f"call {self.size} chips"),
            "fold": ("fold it", "give up", "drop", "fold my cards", "fold my hand"),
        }[move]  # fmt: skip

    def show(self, state: State, player: int) -> str:
        paid = contributions(state.rounds, self.ante, self.size)
        return (
            f"Your cards: {names(state.hands[player])}\nPublic cards: {names(state.board)}\n"
            f"You have paid {paid[player]}, your opponent {paid[1 - player]}."
        )

    def news(self, state: State, event: int) -> str:
        return f"The fifth public card is {card_name(event)}."

    def end(self, state: State, player: int) -> str:
        result = winnings(self.outcome(state), player)
        if state.rounds[-1].endswith("f"):
            return result
        mine, theirs = (
            self._shown(state.hands[each], state.board) for each in (player, 1 - player)
        )
        return f"You have {mine}, your opponent {theirs}. {result}"

    def _shown(self, hand: Pair, board: Sequence[int]) -> str:
        return f"{names(hand)} ({CATEGORIES[category(self.worth(hand, board))]})"

    def scene(self, state: State, player: int) -> Cards:
        hidden = Card("?", fill="shade")
        paid = contributions(state.rounds, self.ante, self.size)
        missing = RIVER - len(state.board)
        rows = (
            (hidden, hidden),
            (*map(_pictured, state.board), *(hidden,) * missing),
            tuple(map(_pictured, state.hands[player])),
            tuple(Card(str(paid[each]), shape="coin") for each in (player, 1 - player)),
        )
        return Cards(rows, ("Opponent", "Public", "You", "Paid by you, by the opponent"))


@lru_cache(maxsize=1024)
def equity(rules: TexasHoldem, mine: Pair, board: tuple[int, ...]) -> float:
    """The share of the pot that a player gets on average if nobody folds, where all pairs of the
    other player are equally likely.
    """
    left = [card for card in range(52) if card not in {*board, *mine}]
    shares = list[float]()
    for full in [board] if len(board) == RIVER else [(*board, card) for card in left]:
        own = rules.worth(mine, full)
        for pair in rules.others(mine):
            if not set(pair) & set(full):
                worth = rules.worth(pair, full)
                shares.append(((own > worth) + (own >= worth)) / 2)
    return sum(shares) / len(shares) if shares else 0.5


@lru_cache(maxsize=64)
def _pictured(card: int) -> Card:
    suit = card // 13
    return Card(RANKS[card % 13], mark=MARKS[suit], tone="ink" if SUITS[suit] in "SC" else "bad")
