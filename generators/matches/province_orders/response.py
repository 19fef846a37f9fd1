"""A player of province orders who chooses plans at random, and the exact best response to it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from palaestra.generators.matches.province_orders.rules import (
    Order,
    Orders,
    ProvinceOrders,
    State,
    Units,
    members,
    order_sets,
    resolved,
)

PLANS = ("advance", "attack with the first", "attack with the last", "guard")
"""The plans, of which one is for all units of a turn."""

SITUATIONS = ("fewer", "as many", "more")
"""How many supply centres the player owns, compared with the opponent."""


class Plans(NamedTuple):
    """How a player chooses orders."""

    arrows: tuple[int, ...]
    """For each province the neighbour to which a unit advances."""

    table: tuple[tuple[int, ...], ...]
    """For each situation, the percentage of each plan."""


@lru_cache(maxsize=4096)
def planned(rules: ProvinceOrders, arrows: tuple[int, ...], units: int) -> tuple[Orders, ...]:
    """The orders of each plan to these units."""
    every = members(units)
    return (
        tuple(Order(unit, arrows[unit]) for unit in every),
        _attack(rules, arrows, every, every[0]),
        _attack(rules, arrows, every, every[-1]),
        tuple(_guard(rules, unit, every[0]) for unit in every),
    )


def _attack(
    rules: ProvinceOrders, arrows: tuple[int, ...], units: Sequence[int], leader: int
) -> Orders:
    """The leader advances, and the others support it if they can, or else advance."""
    target = arrows[leader]
    return tuple(
        Order(unit, target, leader)
        if unit != leader and rules.neighbours[unit] >> target & 1
        else Order(unit, arrows[unit])
        for unit in units
    )


def _guard(rules: ProvinceOrders, unit: int, leader: int) -> Order:
    """Support the leader, which holds, or else hold."""
    near = rules.neighbours[unit] >> leader & 1
    return Order(unit, leader, leader) if near else Order(unit, unit)


def chances_of(
    rules: ProvinceOrders, plans: Plans, state: State, player: int
) -> dict[Orders, float]:
    """The orders that a player gives, each with its probability."""
    chances = dict[Orders, float]()
    weights = _weights(plans, state.centres, player)
    for orders, weight in zip(planned(rules, plans.arrows, state.units[player]), weights):
        chances[orders] = chances.get(orders, 0.0) + weight / 100
    return chances


def _weights(plans: Plans, centres: tuple[int, int], player: int) -> tuple[int, ...]:
    own, other = centres[player].bit_count(), centres[1 - player].bit_count()
    return plans.table[1 + (own > other) - (own < other)]


Results = tuple[Units, ...]
"""Where all units are after each plan of the other player."""


class ProvinceResponse:
    """What a player can expect from orders against the plans of the other one, with the best play
    later.
    """

    def __init__(self, rules: ProvinceOrders, plans: Plans, player: int) -> None:
        self.rules = rules
        self.plans = plans
        self.player = player
        self._results: dict[Units, dict[Orders, Results]] = {}
        self._values: dict[tuple[Units, tuple[int, int], int], float] = {}

    def expectations(self, state: State) -> Mapping[Orders, float]:
        """The supply centres more than the other player's at the end, on average, by orders."""
        worths = self._worths(state.units, state.centres, state.left)
        return {orders: worths[each] for orders, each in self._after(state.units).items()}

    def value(self, units: Units, centres: tuple[int, int], left: int) -> float:
        """The same with the best orders."""
        if not (left and all(units)):
            return float(centres[self.player].bit_count() - centres[1 - self.player].bit_count())
        key = units, centres, left
        if key not in self._values:
            self._values[key] = max(self._worths(units, centres, left).values())
        return self._values[key]

    def _worths(self, units: Units, centres: tuple[int, int], left: int) -> dict[Results, float]:
        """What each results of orders are worth."""
        weights = _weights(self.plans, centres, 1 - self.player)
        values = dict[Units, float]()
        worths = dict[Results, float]()
        for results in self._after(units).values():
            if results not in worths:
                for each in results:
                    if each not in values:
                        owned = self.rules.owned(centres, each)
                        values[each] = self.value(each, owned, left - 1)
                worth = sum([weight * values[each] for weight, each in zip(weights, results)])
                worths[results] = worth / 100
        return worths

    def _after(self, units: Units) -> dict[Orders, Results]:
        """For each legal orders of the player, the results against all plans."""
        if units not in self._results:
            other = planned(self.rules, self.plans.arrows, units[1 - self.player])
            mine = order_sets(self.rules.neighbours, units[self.player])
            self._results[units] = {orders: self._against(orders, other) for orders in mine}
        return self._results[units]

    def _against(self, orders: Orders, plans: Sequence[Orders]) -> Results:
        """The results of orders. Several plans may come to the same orders."""
        results = {
            other: resolved(orders, other) if self.player == 0 else resolved(other, orders)
            for other in {*plans}
        }
        return tuple(results[other] for other in plans)


@lru_cache(maxsize=32)
def province_response(rules: ProvinceOrders, plans: Plans, player: int) -> ProvinceResponse:
    """The best response, which all episodes of a match share."""
    return ProvinceResponse(rules, plans, player)
