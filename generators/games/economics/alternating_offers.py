"""The rules of dividing a sum by offers in turn, with a counterpart whose behaviour is known."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards, Cell, Panels, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

ACCEPT = -1
"""The move that takes an offer of the counterpart; other moves are shares to keep."""

NOTHING = -1
"""No offer, no demand."""

YES, NO = -2, -3
"""Chance events: the counterpart accepts or refuses. Other events are its offers."""

_ACCEPTS = frozenset(("accept", "yes", "deal", "agree", "take it", "accept the offer",
                      "accept offer", "accept it", "take the offer"))  # fmt: skip
_DEMAND = re.compile(
    r"(?:(?:keep|demand|ask for|claim|ask|want|propose) )?(\d{1,3}) ?(%)?(?: of the)?"
    r"(?: coins)?(?: for me| for myself)?",
    re.ASCII,
)
_OFFER = re.compile(r"\b(?:the|offer|of|coins)\b", re.ASCII)


class State(NamedTuple):
    """The round, from 0 on, the coins that the counterpart offers, or `NOTHING`, those that the
    player demands, or `NOTHING`, and the coins that the player got, or `NOTHING` before the end.
    """

    round: int
    offer: int
    demand: int
    got: int


@dataclass(frozen=True)
class AlternatingOffers(ChanceRules[State, int]):
    """Demand a part of a sum that shrinks, or accept what is offered."""

    sums: tuple[int, ...]
    """The coins to divide in each round."""

    steps: tuple[int, ...]
    """The shares, in percent of the sum, that can be demanded and offered, in ascending order."""

    accepts: tuple[int, ...]
    """The probability, in percent, that the counterpart accepts each demand."""

    offers: tuple[int, ...]
    """The probability, in percent, of each offer of the counterpart."""

    state_type = State

    def coins(self, turn: int, share: int) -> int:
        """The coins of a share, rounded down."""
        return self.sums[turn] * self.steps[share] // 100

    def legal(self, state: State) -> Sequence[int]:
        if state.got != NOTHING or state.demand != NOTHING or state.offer == NOTHING:
            return ()
        demands = [*range(len(self.steps))]
        return [*demands, ACCEPT] if state.round < len(self.sums) - 1 else [ACCEPT]

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        if state.got != NOTHING:
            return ()
        if state.demand != NOTHING:
            accepts = self.accepts[state.demand]
            events = ((YES, accepts / 100), (NO, 1 - accepts / 100))
            return [event for event in events if event[1] > 0]
        if state.offer == NOTHING:
            return [(n, percent / 100) for n, percent in enumerate(self.offers) if percent]
        return ()

    def apply(self, state: State, move: int) -> State:
        if state.demand != NOTHING:
            if move == YES:
                got = self.coins(state.round, state.demand)
                return State(state.round, NOTHING, NOTHING, got)
            return State(state.round + 1, NOTHING, NOTHING, NOTHING)
        if state.offer == NOTHING:
            return state._replace(offer=move)
        if move == ACCEPT:
            got = self.coins(state.round, state.offer)
            return State(state.round, NOTHING, NOTHING, got)
        return State(state.round, NOTHING, move, NOTHING)

    def payoff(self, state: State) -> float:
        return float(max(0, state.got))

    def name(self, state: State, move: int) -> str:
        return "accept" if move == ACCEPT else f"demand {self.coins(state.round, move)}"

    def read(self, state: State, text: str) -> int:
        body = phrase(text)
        offer = str(self.coins(state.round, state.offer))
        if body in _ACCEPTS or _OFFER.sub(" ", body).split() == ["accept", offer]:
            return ACCEPT
        match = _DEMAND.fullmatch(body)
        if not match:
            raise InvalidAnswer("expected 'accept', or 'demand' and a number of coins")
        for move in self.legal(state):
            if match[2] and move != ACCEPT and self.steps[move] == int(match[1]):
                return move
            if not match[2] and move != ACCEPT and self.coins(state.round, move) == int(match[1]):
                return move
        names = (self.name(state, move) for move in self.legal(state))
        raise InvalidAnswer(f"expected one of {', '.join(names)}")

    def show(self, state: State) -> str:
        left = len(self.sums) - state.round - 1
        return (
            f"Round {state.round + 1} of {len(self.sums)}, {left} after it\nCoins to divide: "
            f"{self.sums[state.round]}\nThe counterpart offers you "
            f"{self.coins(state.round, state.offer)}"
        )

    def news(self, state: State, event: int) -> str:
        if event == YES:
            return "Your demand is accepted."
        if event == NO:
            return "Your demand is refused."
        return f"The counterpart makes an offer of {self.coins(state.round, event)}."

    def end(self, state: State) -> str:
        return f"You get {self.payoff(state):g} coins."

    def scene(self, state: State) -> Panels:
        number = min(state.round, len(self.sums) - 1)
        offer = str(self.coins(number, state.offer)) if state.offer != NOTHING else ""
        sums = tuple(
            Card(str(total), fill="t4" if n == number else "paper", shape="coin")
            for n, total in enumerate(self.sums)
        )
        columns = zip(self.steps, self.accepts, self.offers)
        rows = tuple(
            (Cell(str(self.coins(number, n))), *(Cell(f"{each}%") for each in column))
            for n, column in enumerate(columns)
        )
        table = Table(rows, top=("coins", "share", "accepted", "offered"))
        cards = Cards((sums, (Card(offer, shape="coin"),)), ("Coins", "Offer"))
        return Panels((cards, table), ("", "Shares"), columns=1)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def at_once(state: State, rng: Random) -> int:
            """The demand with the best expectation of its own, if it is above the offer."""
            worth = {
                n: self.coins(state.round, n) * self.accepts[n] / 100
                for n in range(len(self.steps))
            }
            best = max(worth, key=lambda n: worth[n])
            offer = self.coins(state.round, state.offer)
            return best if len(self.legal(state)) > 1 and worth[best] > offer else ACCEPT

        def one_more_round(state: State, rng: Random) -> int:
            """The best move, if the next offer were the mean one and had to be accepted."""
            offer = self.coins(state.round, state.offer)
            if len(self.legal(state)) == 1:
                return ACCEPT
            mean = sum(s * p for s, p in zip(self.steps, self.offers)) / 10_000
            later = self.sums[state.round + 1] * mean
            worth = {
                n: later + (self.coins(state.round, n) - later) * self.accepts[n] / 100
                for n in range(len(self.steps))
            }
            best = max(worth, key=lambda n: worth[n])
            return best if worth[best] > offer else ACCEPT

        def half(state: State, rng: Random) -> int:
            fair = self.steps[state.offer] >= 50 or len(self.legal(state)) == 1
            return (
                ACCEPT
                if fair
                else min(range(len(self.steps)), key=lambda n: abs(self.steps[n] - 50))
            )

        def most(state: State, rng: Random) -> int:
            return ACCEPT if len(self.legal(state)) == 1 else len(self.steps) - 1

        def mean(state: State, rng: Random) -> int:
            """Accept what is above the mean offer; else the best demand of its own."""
            average = sum(s * p for s, p in zip(self.steps, self.offers)) / 100
            return ACCEPT if self.steps[state.offer] >= average else at_once(state, rng)

        return {
            "accept": lambda state, rng: ACCEPT,
            "the best demand on its own": at_once,
            "as if there were one more offer, the mean one": one_more_round,
            "half, or accept at least half": half,
            "the greatest demand": most,
            "accept an offer above the mean": mean,
        }
