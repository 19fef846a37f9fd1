"""The rules of Kuhn poker with any number of cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.hidden_information import CHANCE, HiddenRules
from palaestra.generators.matches.poker import winnings
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import action

ACTIONS = {
    "check": ("pass", "check it"),
    "bet": ("bet 1", "bet one", "bet 1 chip", "bet one chip", "raise"),
    "call": ("call it", "call the bet", "see", "see it", "call 1"),
    "fold": ("fold it", "give up", "drop", "fold my card"),
}
CODES = {"check": "c", "bet": "b", "call": "k", "fold": "f"}
NAMES = {code: name for name, code in CODES.items()}

OPEN, AFTER_CHECK, AFTER_BET, AFTER_CHECK_AND_BET = "", "c", "b", "cb"
"""The histories in which somebody has to move."""


class State(NamedTuple):
    """The cards of both players, as many as are dealt, and the moves so far."""

    cards: tuple[int, ...]
    history: str


@dataclass(frozen=True)
class KuhnPoker(HiddenRules[State, str]):
    """Poker with cards 1 to ``size``, one for each player: an ante of 1 and a single bet of 1."""

    size: int

    def start(self) -> State:
        return State((), OPEN)

    def hands(self) -> Sequence[tuple[int, float]]:
        return [(card, 1 / self.size) for card in range(1, self.size + 1)]

    def dealt(self, hand: int, owner: int, rng: Random) -> State:
        other = rng.choice([card for card in range(1, self.size + 1) if card != hand])
        return State((hand, other) if owner == 0 else (other, hand), OPEN)

    def player(self, state: State) -> int:
        return len(state.history) % 2 if len(state.cards) == 2 else CHANCE

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        left = [card for card in range(1, self.size + 1) if card not in state.cards]
        return [(card, 1 / len(left)) for card in left]

    def legal(self, state: State) -> Sequence[str]:
        return ("fold", "call") if state.history.endswith("b") else ("check", "bet")

    def apply(self, state: State, move: str | int) -> State:
        if isinstance(move, int):
            return State((*state.cards, move), state.history)
        return State(state.cards, state.history + CODES[move])

    def outcome(self, state: State) -> float | None:
        history = state.history
        if history.endswith("f"):
            return 1.0 if len(history) % 2 == 0 else -1.0
        if history not in {"cc", "bk", "cbk"}:
            return None
        stake = 1.0 if history == "cc" else 2.0
        return stake if state.cards[0] > state.cards[1] else -stake

    def view(self, state: State, player: int) -> str:
        return f"{state.cards[player]}{state.history}"

    def name(self, state: State, move: str) -> str:
        return move

    def read(self, state: State, text: str) -> str:
        return action(text, {move: ACTIONS[move] for move in self.legal(state)})

    def show(self, state: State, player: int) -> str:
        bets = state.history.count("b") + state.history.count("k")
        return f"Your card: {state.cards[player]}\nPot: {2 + bets}"

    def news(self, state: State, event: object) -> str:
        return ""

    def end(self, state: State, player: int) -> str:
        result = winnings(self.outcome(state), player)
        if state.history.endswith("f"):
            return result
        other = state.cards[1 - player]
        return f"Your card is {state.cards[player]}, that of your opponent {other}. {result}"

    def scene(self, state: State, player: int) -> Cards:
        hidden = Card("?", fill="shade")
        rows = ((hidden,), (Card(str(state.cards[player])),))
        bets = state.history.count("b") + state.history.count("k")
        pot = tuple(Card("1", shape="coin") for _ in range(2 + bets))
        return Cards((*rows, pot), ("Opponent", "You", "Pot"))
