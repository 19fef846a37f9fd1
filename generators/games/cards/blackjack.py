"""The rules of blackjack with a small shoe whose cards are known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import action

PLAYER, HIT, DOUBLE, DEALER = range(4)
"""Phases: the player decides, gets a card, gets the only card of a double; the dealer draws."""

BUST, DEALER_STANDS = 21, 17

Shoe = tuple[int, ...]
"""The number of cards of each rank that have not been seen, from the ace to the ten."""

ACTIONS = {
    "hit": (
        "hit me",
        "take a card",
        "draw",
        "draw a card",
        "card",
        "take another card",
        "another card",
        "one more card",
    ),
    "stand": ("stay", "stick", "stand pat", "no card", "hold", "no more cards", "take no more"),
    "double": ("double down", "double the bet", "double my bet", "double the stake"),
}


class State(NamedTuple):
    """The unseen cards, the sorted cards of the player, those of the dealer, phase and stake."""

    shoe: Shoe
    hand: tuple[int, ...]
    dealer: tuple[int, ...]
    phase: int
    stake: int


def total(cards: Sequence[int]) -> int:
    """The total of cards, in which an ace counts 11 where that is not too much.

    >>> total([1, 7]), total([1, 7, 9])
    (18, 17)
    """
    hard = sum(cards)
    return hard + 10 if 1 in cards and hard + 10 <= BUST else hard


def card_name(rank: int) -> str:
    """A card as it is written.

    >>> card_name(1), card_name(10)
    ('A', '10')
    """
    return "A" if rank == 1 else str(rank)


def without(shoe: Shoe, rank: int) -> Shoe:
    """A shoe with a card of this rank less."""
    return (*shoe[: rank - 1], shoe[rank - 1] - 1, *shoe[rank:])


def standing(shoe: Shoe, dealer: tuple[int, ...], mine: int) -> float:
    """The expectation of a player who stands with a total, for a stake of 1."""
    known: dict[Shoe, float] = {}  # the cards that have left the shoe are those of the dealer

    def value(shoe: Shoe, hard: int, ace: bool) -> float:
        theirs = hard + 10 if ace and hard + 10 <= BUST else hard
        if theirs >= DEALER_STANDS:
            return 1.0 if theirs > BUST or theirs < mine else -float(theirs > mine)
        if shoe not in known:
            known[shoe] = sum(
                count * value(without(shoe, rank), hard + rank, ace or rank == 1)
                for rank, count in enumerate(shoe, 1)
                if count
            ) / sum(shoe)
        return known[shoe]

    return value(shoe, sum(dealer), 1 in dealer)


@dataclass(frozen=True)
class Blackjack(ChanceRules[State, str]):
    """Blackjack against a dealer who draws up to 17; each hand has a shoe of its own.

    The hidden card of the dealer is unseen, as are those of the shoe, so that it may as well be
    drawn after the player's decisions. A chance event is the rank of a card, as text.
    """

    doubling: bool
    state_type = State

    def legal(self, state: State) -> Sequence[str]:
        if state.phase != PLAYER:
            return ()
        may_double = self.doubling and len(state.hand) == 2
        return ("hit", "stand", "double") if may_double else ("hit", "stand")

    def chances(self, state: State) -> Sequence[tuple[str, float]]:
        mine = total(state.hand)
        over = mine > BUST or total(state.dealer) >= DEALER_STANDS
        if state.phase == PLAYER or (state.phase == DEALER and over):
            return ()
        number = sum(state.shoe)
        return [(str(rank), count / number) for rank, count in enumerate(state.shoe, 1) if count]

    def apply(self, state: State, move: str) -> State:
        if move in ACTIONS:
            phase = {"hit": HIT, "stand": DEALER, "double": DOUBLE}[move]
            return state._replace(phase=phase, stake=2 if move == "double" else state.stake)
        rank = int(move)
        shoe = without(state.shoe, rank)
        if state.phase == DEALER:
            return state._replace(shoe=shoe, dealer=(*state.dealer, rank))
        hand = tuple(sorted((*state.hand, rank)))
        ends = state.phase == DOUBLE or total(hand) >= BUST
        return State(shoe, hand, state.dealer, DEALER if ends else PLAYER, state.stake)

    def payoff(self, state: State) -> float:
        mine, theirs = total(state.hand), total(state.dealer)
        if mine > BUST:
            return -float(state.stake)
        if theirs > BUST:
            return float(state.stake)
        return float(state.stake * ((mine > theirs) - (mine < theirs)))

    def solved(self, state: State) -> float | None:
        if state.phase != DEALER:
            return None
        mine = total(state.hand)
        return state.stake * (-1.0 if mine > BUST else standing(state.shoe, state.dealer, mine))

    def name(self, state: State, move: str) -> str:
        return move

    def read(self, state: State, text: str) -> str:
        return action(text, {move: ACTIONS[move] for move in self.legal(state)})

    def show(self, state: State) -> str:
        unseen = (
            f"{card_name(rank)} x{count}" for rank, count in enumerate(state.shoe, 1) if count
        )
        return (
            f"Unseen cards: {', '.join(unseen)}\n"
            f"Your hand: {' '.join(map(card_name, state.hand))} (total {total(state.hand)})\n"
            f"The dealer shows: {' '.join(map(card_name, state.dealer))}"
        )

    def news(self, state: State, event: str) -> str:
        who = "The dealer draws" if state.phase == DEALER else "You draw"
        return f"{who} {card_name(int(event))}."

    def end(self, state: State) -> str:
        mine, theirs, won = total(state.hand), total(state.dealer), self.payoff(state)
        totals = f"You have {mine}, the dealer {theirs}"
        if mine > BUST:
            totals = f"You have {mine}, which is more than {BUST}"
        result = "You win" if won > 0 else "You lose" if won < 0 else "Nobody wins"
        return f"{totals}. {result}{f' {abs(won):g}' if won else ''}."

    def scene(self, state: State) -> Cards:
        unseen = [rank for rank, count in enumerate(state.shoe, 1) for _ in range(count)]
        hidden = (Card("?", fill="shade"),) if state.phase != DEALER else ()
        rows = [
            (*map(card, state.dealer), *hidden),
            tuple(map(card, state.hand)),
            *(tuple(map(card, unseen[n : n + 8])) for n in range(0, len(unseen), 8)),
        ]
        labels = ("Dealer", "You", "Unseen", *[""] * (len(rows) - 3))
        return Cards(tuple(rows), labels)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], str]]:
        def after_a_hit(then: Callable[[State, Random], str]) -> Callable[[State, Random], str]:
            return lambda state, rng: "hit" if len(state.hand) == 2 else then(state, rng)

        def likely(state: State, rng: Random) -> str:
            return "hit" if bust_chance(state) < 0.5 else "stand"

        return {
            "basic strategy": lambda state, rng: basic(state, self.legal(state)),
            "as the dealer": lambda state, rng: (
                "hit" if total(state.hand) < DEALER_STANDS else "stand"
            ),
            "hit unless a bust is likely": likely,
            "hit once, then unless a bust is likely": after_a_hit(likely),
            "hit once, then stand": after_a_hit(lambda state, rng: "stand"),
            "mean card": mean_card,
        }


def card(rank: int) -> Card:
    """A card as it is seen."""
    return Card(card_name(rank))


def bust_chance(state: State) -> float:
    """The probability that the next card brings the player above 21."""
    room = BUST - sum(state.hand)
    over = sum(count for rank, count in enumerate(state.shoe, 1) if rank > room)
    return over / max(1, sum(state.shoe))


def mean_card(state: State, rng: Random) -> str:
    """Hit where the total is at most 21 with the mean of the unseen cards."""
    mean = sum(rank * count for rank, count in enumerate(state.shoe, 1)) / sum(state.shoe)
    hard = sum(state.hand)
    return "hit" if hard + mean <= BUST and total(state.hand) < DEALER_STANDS else "stand"


def basic(state: State, legal: Sequence[str]) -> str:
    """The move of the usual strategy for a full shoe, without pairs (Baldwin et al., 1956)."""
    mine, shown = total(state.hand), total(state.dealer[:1])
    soft = mine != sum(state.hand)
    if "double" in legal and not soft and (mine == 11 or (mine == 10 and shown < 10)):
        return "double"
    if soft:
        return "hit" if mine < 18 or (mine == 18 and shown >= 9) else "stand"
    if mine < 12 or (mine == 12 and shown < 4):
        return "hit"
    return "hit" if mine < 17 and shown >= 7 else "stand"
