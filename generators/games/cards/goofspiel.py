"""The rules of goofspiel against an opponent whose random strategy is known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards
from palaestra.verifiers.reading.actions import action

Hand = tuple[int, ...]
"""Cards in ascending order."""


class State(NamedTuple):
    """The own cards, those of the opponent, the prizes that are left in their order, the own card
    that is being played, or 0, and the own prizes minus those of the opponent so far.
    """

    mine: Hand
    theirs: Hand
    prizes: tuple[int, ...]
    played: int
    lead: int


@dataclass(frozen=True)
class Goofspiel(ChanceRules[State, int]):
    """Bid cards for prizes, both players at the same time. A move is an own card; a chance event is
    the card of the opponent.
    """

    matching: int
    """In how many of 100 cases the opponent plays its matching card; else it plays any card."""

    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        return () if state.played or not state.prizes else state.mine

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return replies(self.matching, state.theirs, state.prizes) if state.played else ()

    def apply(self, state: State, move: int) -> State:
        if not state.played:
            return state._replace(played=move)
        return State(
            without(state.mine, state.played),
            without(state.theirs, move),
            state.prizes[1:],
            0,
            state.lead + won(state.played, move, state.prizes[0]),
        )

    def payoff(self, state: State) -> float:
        return float(state.lead)

    def solved(self, state: State) -> float:
        if state.played:
            later = worth_of(self.matching, state.mine, state.theirs, state.prizes, state.played)
        else:
            later = best(self.matching, state.mine, state.theirs, state.prizes)
        return state.lead + later

    def name(self, state: State, move: int) -> str:
        return f"play {move}"

    def read(self, state: State, text: str) -> int:
        verbs = ("", "play ", "bid ", "put down ")
        names = {
            self.name(state, card): [
                f"{verb}{what}{card}"
                for verb in verbs
                for what in ("", "card ", "the ", "my ", "the card ")
            ]
            for card in state.mine
        }
        return int(action(text, names).split()[1])

    def show(self, state: State) -> str:
        return (
            f"Prize: {state.prizes[0]}\nLater prizes, in this order: "
            f"{' '.join(map(str, state.prizes[1:])) or 'none'}\nYour cards: "
            f"{' '.join(map(str, state.mine))}\nThe opponent's cards: "
            f"{' '.join(map(str, state.theirs))}\nYour prizes minus those of the opponent: "
            f"{state.lead}"
        )

    def news(self, state: State, event: int) -> str:
        gain = won(state.played, event, state.prizes[0])
        whose = "you win" if gain > 0 else "the opponent wins" if gain < 0 else "nobody wins"
        return f"You play {state.played} and the opponent {event}: {whose} {state.prizes[0]}."

    def end(self, state: State) -> str:
        return f"You have a result of {state.lead}: your prizes minus those of the opponent."

    def scene(self, state: State) -> Cards:
        rows = (
            tuple(Card(str(prize), shape="coin", fill="t4" if n == 0 else "paper")
                  for n, prize in enumerate(state.prizes)),
            tuple(Card(str(card)) for card in state.mine),
            tuple(Card(str(card), fill="t3") for card in state.theirs),
            (Card(str(state.lead)),),
        )  # fmt: skip
        return Cards(rows, ("Prizes", "You", "Opponent", "Lead"))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def matched(state: State, rng: Random) -> int:
            return matching_card(state.mine, state.prizes)

        def just_above(state: State, rng: Random) -> int:
            """The lowest card that beats the matching card of the opponent; else the lowest."""
            other = matching_card(state.theirs, state.prizes)
            return next((card for card in state.mine if card > other), state.mine[0])

        def greedy(state: State, rng: Random) -> int:
            """The card that wins most at once, in proportion to its rank."""
            events = replies(self.matching, state.theirs, state.prizes)
            return max(
                state.mine,
                key=lambda card: (
                    sum(c * won(card, other, state.prizes[0]) for other, c in events) - 0.01 * card
                ),
            )

        return {
            "the matching card": matched,
            "just above the opponent's matching card": just_above,
            "the most prizes at once": greedy,
        }


def without(hand: Hand, card: int) -> Hand:
    """A hand without a card."""
    return tuple(each for each in hand if each != card)


def won(mine: int, theirs: int, prize: int) -> int:
    """What a prize adds to the lead; equal cards win nothing."""
    return prize * ((mine > theirs) - (mine < theirs))


def matching_card(hand: Hand, prizes: Sequence[int]) -> int:
    """The card whose rank in the hand is that of the first prize among all prizes left.

    >>> matching_card((2, 5, 9), (3, 1, 8)), matching_card((2, 5, 9), (4, 4, 1))
    (5, 5)
    """
    return hand[sum(prize < prizes[0] for prize in prizes)]


@lru_cache(maxsize=65_536)
def replies(matching: int, hand: Hand, prizes: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """The cards of the opponent, each with its probability.

    >>> replies(50, (2, 5), (3, 1))
    ((2, 0.25), (5, 0.75))
    """
    chances = dict.fromkeys(hand, (100 - matching) / len(hand) / 100)
    chances[matching_card(hand, prizes)] += matching / 100
    return tuple(chances.items())


@lru_cache(maxsize=65_536)
def best(matching: int, mine: Hand, theirs: Hand, prizes: tuple[int, ...]) -> float:
    """The expected gain of the lead with the best play."""
    return max((worth_of(matching, mine, theirs, prizes, card) for card in mine), default=0.0)


def worth_of(matching: int, mine: Hand, theirs: Hand, prizes: tuple[int, ...], card: int) -> float:
    """The expected gain of the lead after the choice of a card."""
    rest = without(mine, card)
    return sum(
        chance
        * (won(card, other, prizes[0]) + best(matching, rest, without(theirs, other), prizes[1:]))
        for other, chance in replies(matching, theirs, prizes)
    )
