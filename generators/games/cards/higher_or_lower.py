"""The rules of a card game: is the next card higher or lower, as long as the player dares."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import action, phrase

SYNONYMS = {
    "higher": ("high", "up", "above", "more", "next card is higher", "next is higher",
               "next card will be higher", "next one is higher", "guess higher", "bet higher"),
    "lower": ("low", "down", "below", "less", "next card is lower", "next is lower",
              "next card will be lower", "next one is lower", "guess lower", "bet lower"),
    "swap": ("exchange", "change", "replace", "swap the card", "swap card", "new card",
             "exchange the card", "change the card", "replace the card"),
    "stop": ("end", "quit", "cash out", "bank", "stop here", "stop now", "take the points"),
}  # fmt: skip
SWAPPING, OVER = "swap", "over"


class State(NamedTuple):
    """The cards of the deck in ascending order, the open card, the right guesses so far, the swaps
    left, and what comes next: a move (empty), the card of a guess or a swap, or nothing (`over`).
    """

    deck: tuple[int, ...]
    card: int
    guesses: int
    swaps: int
    next: str


@dataclass(frozen=True)
class HigherOrLower(ChanceRules[State, "str | int"]):
    """Guess whether the next card is higher or lower, or stop. A chance event is a card."""

    prizes: tuple[int, ...]
    """The points for stopping after each number of right guesses, from 0 on."""

    deck: tuple[int, ...]
    """The cards of the deck at the start of a round, in ascending order."""

    state_type = State

    def legal(self, state: State) -> Sequence[str]:
        if state.next or not state.deck or state.guesses + 1 == len(self.prizes):
            return ()
        return ("higher", "lower", *["swap"] * bool(state.swaps), "stop")

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        if state.next in {"", OVER}:
            return ()
        size = len(state.deck)
        return [(card, number / size) for card, number in Counter(state.deck).items()]

    def apply(self, state: State, move: str | int) -> State:
        if isinstance(move, str):
            swaps = state.swaps - (move == SWAPPING)
            return state._replace(swaps=swaps, next=OVER if move == "stop" else move)
        rest = list(state.deck)
        rest.remove(move)
        deck = tuple(rest)
        if state.next == SWAPPING:
            return State(deck, move, state.guesses, state.swaps, "")
        if move == state.card or (move > state.card) != (state.next == "higher"):
            return State(deck, move, 0, state.swaps, OVER)
        return State(deck, move, state.guesses + 1, state.swaps, "")

    def payoff(self, state: State) -> float:
        # A wrong guess leaves no guesses, and so the points of none: a round starts with one.
        return float(self.prizes[state.guesses])

    def name(self, state: State, move: str | int) -> str:
        return str(move)

    def read(self, state: State, text: str) -> str:
        synonyms = {move: SYNONYMS[move] for move in self.legal(state)}
        return action(phrase(text).removeprefix("the "), synonyms)

    def show(self, state: State) -> str:
        prize = self.prizes[state.guesses + 1] if state.guesses + 1 < len(self.prizes) else 0
        return (
            f"Open card: {state.card}\nCards in the deck, in ascending order: "
            f"{' '.join(map(str, state.deck))}\nPoints if you stop: "
            f"{self.prizes[state.guesses]}\nPoints after one more right guess: {prize}\n"
            f"Swaps left: {state.swaps}"
        )

    def news(self, state: State, event: str | int) -> str:
        if state.next == SWAPPING:
            return f"You swap the card for a new one: {event}."
        right = event != state.card and (int(event) > state.card) == (state.next == "higher")
        return f"You guess {state.next}. The next card is {event}: {'right' if right else 'wrong'}."

    def end(self, state: State) -> str:
        return f"You get {self.payoff(state):g} points."

    def scene(self, state: State) -> Cards:
        deck = tuple(Card(str(card)) for card in state.deck)
        prizes = tuple(
            Card(str(prize), shape="coin", fill="good" if n == state.guesses else "paper")
            for n, prize in enumerate(self.prizes)
        )
        rows = ((Card(str(state.card), fill="t4"),), deck, prizes, (Card(str(state.swaps)),))
        return Cards(rows, ("Open card", "Deck", "Points", "Swaps"))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], str]]:
        return {
            "a guess of 70%, else swap, else guess": lambda state, rng: (
                "swap" if state.swaps and self._guess(state)[1] < 0.7 else self._guess(state)[0]
            ),
            "the likelier guess, to the end": lambda state, rng: self._guess(state)[0],
            "one guess ahead": lambda state, rng: self._ahead(state, swap=False),
            "one guess ahead, swap a bad card": lambda state, rng: self._ahead(state, swap=True),
            "stop at once": lambda state, rng: "stop",
        }

    def _guess(self, state: State) -> tuple[str, float]:
        """The likelier guess with its probability."""
        higher = sum(card > state.card for card in state.deck)
        lower = sum(card < state.card for card in state.deck)
        guess = "higher" if higher >= lower else "lower"
        return guess, max(higher, lower) / len(state.deck)

    def _ahead(self, state: State, *, swap: bool) -> str:
        """Guess if the next guess alone is worth it."""
        guess, chance = self._guess(state)
        if chance * self.prizes[state.guesses + 1] > self.prizes[state.guesses]:
            return "swap" if swap and state.swaps and chance < 0.6 else guess
        return "swap" if swap and state.swaps else "stop"
