"""The rules of sealed-bid auctions of several items with a budget, against known distributions."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

FIRST, SECOND, ALL = range(3)
FORMATS = ("first-price", "second-price", "all-pay")
"""How an item is paid: the winner pays the own bid; the winner pays the highest other bid;
everybody pays the own bid."""

_BID = re.compile(r"(?:(?:i )?(?:bid|offer|pay) )?(\d{1,6})(?: coins?)?", re.ASCII)

Item = tuple[int, int]
"""The value of an item and the number of its format."""

Bidder = tuple[tuple[int, int], ...]
"""The bids of a rival, each with its probability in percent."""


class State(NamedTuple):
    """The items still to be auctioned, the budget, the bid for the first item, or -1, and the
    result so far.
    """

    items: tuple[Item, ...]
    budget: int
    bid: int
    result: int


@lru_cache(maxsize=64)
def highest(rivals: tuple[Bidder, ...]) -> tuple[tuple[int, float], ...]:
    """The highest bid of independent rivals, each possible one with its probability.

    >>> highest((((0, 50), (2, 50)), ((1, 100),)))
    ((1, 0.5), (2, 0.5))
    """
    bids = sorted({bid for rival in rivals for bid, _ in rival})
    below, result, whole = 0, [], 100 ** len(rivals)
    for bid in bids:
        upto = 1
        for rival in rivals:
            upto *= sum(weight for each, weight in rival if each <= bid)
        if upto > below:
            result.append((bid, (upto - below) / whole))
        below = upto
    return tuple(result)


@dataclass(frozen=True)
class SealedBids(ChanceRules[State, int]):
    """Bid for one item after the other.

    A move is a bid, a chance event the highest bid of the rivals.
    """

    rivals: tuple[Bidder, ...]
    keeps: bool
    """Whether the result is the value of the items less what was paid, or the value only."""
    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        return range(state.budget + 1) if state.items and state.bid < 0 else ()

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        return highest(self.rivals) if state.bid >= 0 else ()

    @staticmethod
    def paid(state: State, rival: int) -> int:
        """What the player pays, where this is the highest bid of the rivals."""
        (_, form), bid = state.items[0], state.bid
        if form == ALL:
            return bid
        return (rival if form == SECOND else bid) if bid > rival else 0

    def apply(self, state: State, move: int) -> State:
        items, budget, bid, result = state
        if bid < 0:
            return State(items, budget, move, result)
        paid = self.paid(state, move)
        value = items[0][0] if bid > move else 0
        worth = value - paid if self.keeps else value
        return State(items[1:], budget - paid, -1, result + worth)

    def payoff(self, state: State) -> float:
        return float(state.result)

    def solved(self, state: State) -> float:
        solver = _solver(self)
        if state.bid < 0:
            return state.result + solver.value(state.items, state.budget)
        return state.result + solver.after(state.items, state.budget, state.bid)

    def name(self, state: State, move: int) -> str:
        return f"bid {move}"

    def read(self, state: State, text: str) -> int:
        words = phrase(text).removeprefix("my bid is ").removeprefix("my bid ")
        if words in {"pass", "no bid", "bid nothing", "nothing"}:
            return 0
        match = _BID.fullmatch(words)
        if not match:
            raise InvalidAnswer("expected 'bid' and a whole number")
        bid = int(match[1])
        if bid > state.budget:
            raise InvalidAnswer(f"the bid {bid} exceeds the budget of {state.budget}")
        return bid

    def show(self, state: State) -> str:
        items = "\n".join(
            f"{'Next item' if n == 0 else 'Later item'}: value {value}, {FORMATS[form]}"
            for n, (value, form) in enumerate(state.items)
        )
        return f"{items}\nBudget: {state.budget}\nResult so far: {state.result}"

    def news(self, state: State, event: int) -> str:
        outcome = "You win the item" if state.bid > event else "A rival wins the item"
        paid = self.paid(state, event)
        return f"The highest bid of the rivals is {event}. {outcome}, and you pay {paid}."

    def end(self, state: State) -> str:
        return f"The result of this sequence is {state.result}."

    def scene(self, state: State) -> Table:
        rows = tuple((Cell(str(value)), Cell(FORMATS[form])) for value, form in state.items)
        names = tuple(f"Item {n}" for n in range(1, len(rows) + 1))
        budget = (Cell(str(state.budget)), Cell())
        return Table((*rows, budget), top=("Value", "Format"), left=(*names, "Budget"))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        top = highest(self.rivals)
        mean = round(sum(bid * chance for bid, chance in top))

        def bidder(choose: Callable[[State], int]) -> Callable[[State, Random], int]:
            return lambda state, rng: max(0, min(state.budget, choose(state)))

        return {
            "the value": bidder(lambda state: state.items[0][0]),
            "half of the value": bidder(lambda state: state.items[0][0] // 2),
            "an equal share of the budget": bidder(lambda state: state.budget // len(state.items)),
            "a share of the budget by value": bidder(
                lambda state: (
                    state.budget * state.items[0][0] // sum(value for value, _ in state.items)
                )
            ),
            "more than the rivals on average": bidder(lambda state: mean + 1),
            "more than all rivals": bidder(lambda state: top[-1][0] + 1),
            "the best bid for this item alone": bidder(
                lambda state: _solver(self).best(state.items[:1], state.budget)
            ),
        }


class Solver:
    """The greatest expected result of the items that are left, by the budget."""

    def __init__(self, rules: SealedBids) -> None:
        self.rules = rules
        self.events = highest(rules.rivals)
        self._values: dict[tuple[tuple[Item, ...], int], float] = {}

    def value(self, items: tuple[Item, ...], budget: int) -> float:
        """The expected result of the best bids."""
        if not items:
            return 0.0
        key = items, budget
        if key not in self._values:
            # More than the highest possible bid of a rival is never needed.
            most = min(budget, self.events[-1][0] + 1)
            self._values[key] = max(self.after(items, budget, bid) for bid in range(most + 1))
        return self._values[key]

    def after(self, items: tuple[Item, ...], budget: int, bid: int) -> float:
        """The expected result of a bid, with the best bids afterwards."""
        value, form = items[0]
        total = 0.0
        for rival, chance in self.events:
            won = bid > rival
            paid = bid if form == ALL else (rival if form == SECOND else bid) if won else 0
            worth = (value if won else 0) - (paid if self.rules.keeps else 0)
            total += chance * (worth + self.value(items[1:], budget - paid))
        return total

    def best(self, items: tuple[Item, ...], budget: int) -> int:
        """The lowest of the best bids."""
        return max(range(budget + 1), key=lambda bid: self.after(items, budget, bid))


@lru_cache(maxsize=16)
def _solver(rules: SealedBids) -> Solver:
    return Solver(rules)
