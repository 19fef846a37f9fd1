"""The rules of Leduc poker with any number of ranks, of two cards each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.hidden_information import CHANCE, HiddenRules
from palaestra.generators.matches.poker import winnings
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import action

ACTIONS = {
    "check": ("pass", "check it"),
    "bet": ("bet 2", "bet 4", "bet 2 chips", "bet 4 chips"),
    "raise": ("raise it", "raise the bet", "re raise", "re-raise", "reraise"),
    "call": ("call it", "call the bet", "call the raise", "see", "see it"),
    "fold": ("fold it", "give up", "drop", "fold my card"),
}
CODES = {"check": "c", "bet": "b", "raise": "r", "call": "k", "fold": "f"}
BETS = (2, 4)
"""The size of a bet or raise in each round."""


class State(NamedTuple):
    """The ranks of the players' cards and of the public one, as far as they are dealt, and the
    moves of both rounds.
    """

    cards: tuple[int, ...]
    first: str
    second: str


def closed(history: str) -> bool:
    """Whether a betting round is over without a fold."""
    return history == "cc" or history.endswith("k")


@lru_cache(maxsize=1024)
def contributions(first: str, second: str) -> tuple[int, int]:
    """What both players have paid, with the ante of 1.

    >>> contributions("brk", "cb"), contributions("cc", "")
    ((5, 9), (1, 1))
    """
    paid = [1, 1]
    for history, size in zip((first, second), BETS):
        for n, code in enumerate(history):
            if code in "brk":
                paid[n % 2] = paid[1 - n % 2] + size * (code != "k")
    return paid[0], paid[1]


@dataclass(frozen=True)
class LeducPoker(HiddenRules[State, str]):
    """Poker with one private and one public card, two rounds, and one raise in each."""

    ranks: int

    def rank_name(self, rank: int) -> str:
        """A rank as it is written; K is the highest of up to three, and A of more."""
        names = "JQK"[3 - self.ranks :] if self.ranks <= 3 else "9TJQKA"[6 - self.ranks :]
        return names[rank]

    def start(self) -> State:
        return State((), "", "")

    def hands(self) -> Sequence[tuple[int, float]]:
        return [(rank, 1 / self.ranks) for rank in range(self.ranks)]

    def dealt(self, hand: int, owner: int, rng: Random) -> State:
        events, weights = zip(*self.chances(State((hand,), "", "")))
        other = rng.choices(events, weights)[0]
        return State((hand, other) if owner == 0 else (other, hand), "", "")

    def player(self, state: State) -> int:
        number = len(state.cards)
        if number < 2 or (number == 2 and closed(state.first)):
            return CHANCE
        return len(state.first if number == 2 else state.second) % 2

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        left = 2 * self.ranks - len(state.cards)
        counts = [2 - state.cards.count(rank) for rank in range(self.ranks)]
        return [(rank, count / left) for rank, count in enumerate(counts) if count]

    def legal(self, state: State) -> Sequence[str]:
        history = state.first if len(state.cards) == 2 else state.second
        if history.endswith("b"):
            return ("fold", "call", "raise")
        return ("fold", "call") if history.endswith("r") else ("check", "bet")

    def apply(self, state: State, move: str | int) -> State:
        if isinstance(move, int):
            return state._replace(cards=(*state.cards, move))
        code = CODES[move]
        if len(state.cards) == 2:
            return state._replace(first=state.first + code)
        return state._replace(second=state.second + code)

    def outcome(self, state: State) -> float | None:
        paid = contributions(state.first, state.second)
        for history in (state.first, state.second):
            if history.endswith("f"):
                folder = (len(history) - 1) % 2
                return float(paid[1]) if folder == 1 else -float(paid[0])
        if not closed(state.second):
            return None
        mine, theirs, public = state.cards
        strength = (mine == public, mine), (theirs == public, theirs)
        if mine == theirs:
            return 0.0
        return float(paid[1]) if strength[0] > strength[1] else -float(paid[0])

    def view(self, state: State, player: int) -> str:
        public = f"{self.rank_name(state.cards[2])}" if len(state.cards) == 3 else "-"
        own = self.rank_name(state.cards[player])
        return f"{own} {public} {state.first}/{state.second}"

    def name(self, state: State, move: str) -> str:
        return move

    def read(self, state: State, text: str) -> str:
        return action(text, {move: ACTIONS[move] for move in self.legal(state)})

    def show(self, state: State, player: int) -> str:
        public = self.rank_name(state.cards[2]) if len(state.cards) == 3 else "not dealt yet"
        paid = contributions(state.first, state.second)
        return (
            f"Your card: {self.rank_name(state.cards[player])}\nPublic card: {public}\n"
            f"You have paid {paid[player]}, your opponent {paid[1 - player]}."
        )

    def news(self, state: State, event: int) -> str:
        return f"The public card is {self.rank_name(event)}."

    def end(self, state: State, player: int) -> str:
        result = winnings(self.outcome(state), player)
        if "f" in state.first + state.second:
            return result
        mine, theirs = (self.rank_name(state.cards[each]) for each in (player, 1 - player))
        return f"Your card is {mine}, that of your opponent {theirs}. {result}"

    def scene(self, state: State, player: int) -> Cards:
        hidden = Card("?", fill="shade")
        public = state.cards[2:]
        paid = contributions(state.first, state.second)
        rows = (
            (hidden,),
            (Card(self.rank_name(public[0])) if public else hidden,),
            (Card(self.rank_name(state.cards[player])),),
            tuple(Card(str(paid[each]), shape="coin") for each in (player, 1 - player)),
        )
        return Cards(rows, ("Opponent", "Public", "You", "Paid by you, by the opponent"))
