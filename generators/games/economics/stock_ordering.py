"""The rules of keeping stock for random demand over some days, and its exact expectations."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards, Cell, Panels, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

DECIDE = -1
"""In place of an order: it has to be decided."""

_FILLERS = frozenset(("order", "buy", "units", "unit", "more", "of", "stock", "get", "pieces"))
_NOTHING = frozenset(("none", "nothing", "no", "zero", "pass", "skip", "do not order"))
_NUMBER = re.compile(r"\d{1,2}", re.ASCII)


class State(NamedTuple):
    """The units in stock, the days left with the current one, the order of the day, or `DECIDE`,
    and the money that has been earned so far.
    """

    stock: int
    days: int
    order: int
    money: int


class Prices(NamedTuple):
    """What a unit brings and costs."""

    sale: int
    purchase: int
    order: int
    """The cost of an order, whatever its size is, unless it is 0."""
    storage: int
    """For each unit that is left at the end of a day."""
    shortage: int
    """For each unit that is asked for and not in stock."""
    rest: int
    """What each unit is worth that is left after the last day."""


@dataclass(frozen=True)
class StockOrdering(ChanceRules[State, int]):
    """Order units each morning. A chance event is the demand of a day."""

    prices: Prices
    demand: tuple[int, ...]
    """The probability of each demand, from 0 on, in percent."""

    capacity: int
    """The most units in stock."""

    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        if state.order != DECIDE or not state.days:
            return ()
        return range(self.capacity - state.stock + 1)

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        if state.order == DECIDE:
            return ()
        return [(n, percent / 100) for n, percent in enumerate(self.demand) if percent]

    def apply(self, state: State, move: int) -> State:
        stock, days, order, money = state
        if order == DECIDE:
            cost = move * self.prices.purchase + (move > 0) * self.prices.order
            return State(stock + move, days, move, money - cost)
        left = max(0, stock - move)
        return State(left, days - 1, DECIDE, money + self.earned(stock, move))

    def earned(self, stock: int, demand: int) -> int:
        """The money of a day with so many units, without the order."""
        sold = min(stock, demand)
        short, left = demand - sold, stock - sold
        prices = self.prices
        return sold * prices.sale - left * prices.storage - short * prices.shortage

    def payoff(self, state: State) -> float:
        return float(state.money + self.prices.rest * state.stock)

    def solved(self, state: State) -> float:
        if state.order != DECIDE:
            return state.money + later(self, state.stock, state.days)
        return state.money + best(self, state.stock, state.days)

    def name(self, state: State, move: int) -> str:
        return f"order {move}"

    def read(self, state: State, text: str) -> int:
        words = [word for word in phrase(text).split() if word not in _FILLERS]
        if phrase(text) in _NOTHING or (len(words) == 1 and words[0] in _NOTHING):
            return 0
        if len(words) != 1 or not _NUMBER.fullmatch(words[0]):
            raise InvalidAnswer("expected a number of units, such as 'order 2'")
        move = int(words[0])
        if move not in self.legal(state):
            raise InvalidAnswer(f"there is room for {self.capacity - state.stock} units more")
        return move

    def show(self, state: State) -> str:
        return (
            f"Units in stock: {state.stock}\nDays left, with this one: {state.days}\n"
            f"Money so far: {state.money}"
        )

    def news(self, state: State, event: int) -> str:
        bought = f"You order {state.order}" if state.order else "You order nothing"
        sold = min(state.stock, event)
        return f"{bought} and have {state.stock} in stock. The demand is {event}; sold: {sold}."

    def end(self, state: State) -> str:
        rest = f", including the worth of what is left ({state.stock})" if state.stock else ""
        return f"You have earned {self.payoff(state):g} in all{rest}: your result."

    def scene(self, state: State) -> Panels:
        numbers = (state.stock, state.days, state.money)
        rows = [(Card(str(number), shape="tile"),) for number in numbers]
        top = tuple(str(n) for n in range(len(self.demand)))
        chances = (tuple(Cell(f"{percent}%") for percent in self.demand),)
        return Panels(
            (Cards(tuple(rows), ("Stock", "Days left", "Money")), Table(chances, top=top)),
            ("", "Probability of each demand"),
            columns=1,
        )

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        mean = sum(n * percent for n, percent in enumerate(self.demand)) / 100
        levels = {
            "up to the mean demand": round(mean),
            "up to the largest demand": len(self.demand) - 1,
            "up to the best stock of a single day": self._single_day(),
            "up to the mean demand of two days": round(2 * mean),
            "up to the best stock of a day whose rest keeps its price": self._single_day(
                self.prices.purchase
            ),
            "nothing": 0,
        }

        def up_to(level: int) -> Callable[[State, Random], int]:
            return lambda state, rng: min(max(0, level - state.stock), self.capacity - state.stock)

        return {name: up_to(level) for name, level in levels.items()}

    def _single_day(self, rest: int = 0) -> int:
        """The stock that is best for one day without the cost of an order, where each unit that is
        left is worth so much.
        """

        def worth(stock: int) -> int:
            return sum(
                percent * (self.earned(stock, n) + rest * max(0, stock - n))
                for n, percent in enumerate(self.demand)
            )

        return max(
            range(self.capacity + 1),
            key=lambda stock: worth(stock) - 100 * self.prices.purchase * stock,
        )


@lru_cache(maxsize=8_192)
def best(rules: StockOrdering, stock: int, days: int) -> float:
    """The expected money from now on, before the order of a day."""
    if not days:
        return float(rules.prices.rest * stock)
    return max(
        later(rules, stock + order, days)
        - order * rules.prices.purchase
        - (order > 0) * rules.prices.order
        for order in range(rules.capacity - stock + 1)
    )


@lru_cache(maxsize=8_192)
def later(rules: StockOrdering, stock: int, days: int) -> float:
    """The expected money from now on, after the order of a day."""
    return sum(
        percent / 100 * (rules.earned(stock, n) + best(rules, max(0, stock - n), days - 1))
        for n, percent in enumerate(rules.demand)
        if percent
    )
