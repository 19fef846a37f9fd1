"""The rules of offers of cargo for a limited load, with exact expectations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards, Cell, Panels, Table
from palaestra.verifiers.reading.actions import action, phrase
from palaestra.verifiers.reading.lead_ins import without_lead_in

TAKE, DECLINE = "take", "decline"
_NAMES = {
    TAKE: ("accept", "take it", "accept it", "take the offer", "accept the offer", "yes",
           "take the cargo", "load it", "load", "accept the cargo", "taken", "accepted", "loaded"),
    DECLINE: ("reject", "decline it", "reject it", "decline the offer", "reject the offer", "no",
              "pass", "refuse", "skip", "refuse it", "leave it", "decline the cargo", "skip it",
              "refuse the offer", "pass on it", "declined", "rejected", "refused", "skipped"),
}  # fmt: skip
NONE = -1


class State(NamedTuple):
    """The free load, the offers left after the present one, the present one or -1, the money."""

    room: int
    left: int
    offer: int
    money: int


class Cargo(NamedTuple):
    """A type of cargo: its weight, what it pays, and how often it is offered, in percent."""

    weight: int
    pay: int
    percent: int


@dataclass(frozen=True)
class CargoOffers(ChanceRules[State, Any]):
    """Take or decline each offer. A chance event is the number of a type of cargo."""

    cargo: tuple[Cargo, ...]

    state_type = State

    def fits(self, state: State) -> bool:
        """Whether there is room for the present offer."""
        return state.offer != NONE and self.cargo[state.offer].weight <= state.room

    def legal(self, state: State) -> Sequence[str]:
        return (TAKE, DECLINE) if self.fits(state) else ()

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        if self.fits(state) or not state.left:
            return ()
        return [(n, cargo.percent / 100) for n, cargo in enumerate(self.cargo)]

    def apply(self, state: State, move: str | int) -> State:
        if isinstance(move, int):
            return State(state.room, state.left - 1, move, state.money)
        if move == DECLINE:
            return state._replace(offer=NONE)
        cargo = self.cargo[state.offer]
        return State(state.room - cargo.weight, state.left, NONE, state.money + cargo.pay)

    def payoff(self, state: State) -> float:
        return float(state.money)

    def solved(self, state: State) -> float:
        """The money so far does not matter, which leaves few states."""
        room, left, offer, money = state
        if self.fits(state):
            cargo = self.cargo[offer]
            taken = cargo.pay + best(self, room - cargo.weight, left)
            return money + max(taken, best(self, room, left))
        return money + best(self, room, left)

    def name(self, state: State, move: str) -> str:
        return move

    def read(self, state: State, text: str) -> str:
        words = phrase(without_lead_in(text))
        named = f"type {LETTERS[state.offer]}".casefold()
        for article in (" the", ""):  # the offer that is named has to be the present one
            words = words.removesuffix(f"{article} {named}")
        return action(words, _NAMES)

    def show(self, state: State) -> str:
        cargo = self.cargo[state.offer]
        return (
            f"Free load: {state.room} t\n"
            f"Offer: type {LETTERS[state.offer]}, {cargo.weight} t for {cargo.pay} coins\n"
            f"Offers left after this one: {state.left}\n"
            f"Earned so far: {state.money} coins"
        )

    def news(self, state: State, event: int) -> str:
        cargo = self.cargo[event]
        if cargo.weight <= state.room:
            return ""
        return (
            f"An offer of type {LETTERS[event]} ({cargo.weight} t) does not fit into the free load "
            f"({state.room} t) and is declined."
        )

    def end(self, state: State) -> str:
        return f"The day is over. You have earned {state.money} coins."

    def scene(self, state: State) -> Panels:
        shown = "none" if state.offer == NONE else LETTERS[state.offer]
        numbers = (f"{state.room} t", shown, str(state.left), str(state.money))
        rows = tuple((Card(text, shape="tile"),) for text in numbers)
        table = Table(
            tuple(
                (Cell(f"{cargo.weight} t"), Cell(str(cargo.pay)), Cell(f"{cargo.percent}%"))
                for cargo in self.cargo
            ),
            top=("Weight", "Pay", "Chance"),
            left=tuple(LETTERS[: len(self.cargo)]),
            last=() if state.offer == NONE else tuple((state.offer, n) for n in range(3)),
        )
        labels = ("Free load", "Offer", "Offers left", "Earned")
        return Panels((Cards(rows, labels), table), columns=2)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], str]]:
        mean_pay = sum(each.pay * each.percent for each in self.cargo) / 100
        mean_weight = sum(each.weight * each.percent for each in self.cargo) / 100

        def if_(test: Callable[[State, Cargo], bool]) -> Callable[[State, Random], str]:
            return lambda state, rng: TAKE if test(state, self.cargo[state.offer]) else DECLINE

        def scarce(state: State, cargo: Cargo) -> bool:
            """Whether an offer pays more for its weight than the last one that fits if everything
            goes by the mean and the best offers for their weight are taken first.
            """
            expected, price = float(state.room), 0.0
            for each in sorted(self.cargo, key=lambda each: -each.pay / each.weight):
                expected -= (state.left + 1) * each.percent / 100 * each.weight
                if expected < 0:
                    price = each.pay / each.weight
                    break
            return cargo.pay >= price * cargo.weight

        return {
            "take everything": lambda state, rng: TAKE,
            "pays more than the mean for its weight": if_(
                lambda state, cargo: cargo.pay * mean_weight >= mean_pay * cargo.weight
            ),
            "pays more than the mean": if_(lambda state, cargo: cargo.pay >= mean_pay),
            "pays at least the price of load if all goes by the mean": if_(scarce),
            "as if the next offer were the last": if_(
                lambda state, cargo: (
                    cargo.pay + self._next(state.room - cargo.weight, state.left)
                    >= self._next(state.room, state.left)
                )
            ),
        }

    def _next(self, room: int, left: int) -> float:
        """The mean pay of the next offer."""
        fitting = (each for each in self.cargo if each.weight <= room)
        return sum([each.pay * each.percent / 100 for each in fitting]) if left else 0.0


LETTERS = "ABCDEFGH"


@lru_cache(maxsize=16_384)
def best(rules: CargoOffers, room: int, left: int) -> float:
    """What an ideal player earns on average with a free load and so many offers to come."""
    if not left:
        return 0.0
    pass_on, total = best(rules, room, left - 1), 0.0
    for cargo in rules.cargo:
        worth = pass_on
        if cargo.weight <= room:
            worth = max(worth, cargo.pay + best(rules, room - cargo.weight, left - 1))
        total += cargo.percent / 100 * worth
    return total
