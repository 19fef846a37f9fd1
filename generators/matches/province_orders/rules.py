"""The rules of simultaneous orders to units on a map of provinces, after the board game Diplomacy.

In each turn, both players write orders for all of their units: the first one hidden from the
second. Then all orders are carried out at once. Provinces are numbers, sets of them masks of bits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple

from palaestra.generators.matches.hidden_information import HiddenRules
from palaestra.scenes import Graph
from palaestra.scenes.elements import Edge, Node
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.province_orders import LETTERS, province_orders

NOBODY = -1

Neighbours = tuple[int, ...]
"""For each province the mask of its neighbours."""


class Order(NamedTuple):
    """An order to a unit: to move to a target, or to hold, where the target is its own province; or
    to support the order of an ally with this target.
    """

    unit: int
    target: int
    ally: int = NOBODY


Orders = tuple[Order, ...]
"""The orders of a player to all units, in the order of their provinces."""

Units = tuple[int, int]
"""The provinces of the units of both players."""


class State(NamedTuple):
    """The units and the supply centres of both players, the number of turns left, and the orders
    that the first player has written in this turn.
    """

    units: Units
    centres: tuple[int, int]
    left: int
    written: Orders | None = None


NO_TURNS = State((0, 0), (0, 0), 0)


@lru_cache(maxsize=1024)
def members(mask: int) -> tuple[int, ...]:
    """The provinces of a set.

    >>> members(0b1010)
    (1, 3)
    """
    return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)


def letters(mask: int) -> str:
    """The letters of a set of provinces.

    >>> letters(0b101), letters(0)
    ('B, D', 'none')
    """
    return ", ".join(LETTERS[n] for n in members(mask)) or "none"


def order_name(order: Order) -> str:
    """An order in words.

    >>> [order_name(each) for each in (Order(0, 0), Order(0, 2), Order(1, 2, 0), Order(1, 0, 0))]
    ['B holds', 'B to D', 'C supports B to D', 'C supports B']
    """
    unit, target = LETTERS[order.unit], LETTERS[order.target]
    if order.ally != NOBODY:
        ally = LETTERS[order.ally]
        return f"{unit} supports {ally}" + f" to {target}" * (order.target != order.ally)
    return f"{unit} holds" if order.target == order.unit else f"{unit} to {target}"


@lru_cache(maxsize=4096)
def order_sets(neighbours: Neighbours, units: int) -> tuple[Orders, ...]:
    """All legal orders to the units of a player."""
    choices = [_orders_of(neighbours, unit, units) for unit in members(units)]
    return tuple(sorted(filter(_is_consistent, product(*choices))))


def _orders_of(neighbours: Neighbours, unit: int, units: int) -> list[Order]:
    around = neighbours[unit]
    orders = [Order(unit, target) for target in (unit, *members(around))]
    for ally in members(units & ~(1 << unit)):
        targets = (neighbours[ally] | 1 << ally) & around
        orders += [Order(unit, target, ally) for target in members(targets)]
    return orders


def _is_consistent(orders: Sequence[Order]) -> bool:
    """Whether each support is for an order to hold or move that the ally gets."""
    plain = {unit: target for unit, target, ally in orders if ally == NOBODY}
    return all(ally == NOBODY or plain.get(ally, NOBODY) == target for _, target, ally in orders)


Moves = Mapping[int, int]
"""The targets of units that move."""


class _Parts(NamedTuple):
    """The orders of a player: all units, the moves, and the supporting units with their allies."""

    units: tuple[int, ...]
    moves: Moves
    supports: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 14)
def _parts(orders: Orders) -> _Parts:
    return _Parts(
        tuple(unit for unit, _, _ in orders),
        {unit: target for unit, target, ally in orders if ally == NOBODY and target != unit},
        tuple((unit, ally) for unit, _, ally in orders if ally != NOBODY),
    )


def resolved(first: Orders, second: Orders) -> Units:
    """Where the units of both players are after their orders."""
    mine, theirs = _parts(first), _parts(second)
    moves = {**mine.moves, **theirs.moves}
    strength = dict.fromkeys(mine.units + theirs.units, 1)
    for parts, attacks in ((mine, theirs.moves), (theirs, mine.moves)):
        for unit, ally in parts.supports:
            if unit not in attacks.values():
                strength[ally] += 1
    turn = _Turn(moves, mine.units, strength, set())
    while more := [unit for unit in moves if unit not in turn.failed and _fails(unit, turn)]:
        turn.failed.update(more)
    success = {unit: target for unit, target in moves.items() if unit not in turn.failed}
    return _after(mine.units, success), _after(theirs.units, success)


def _after(units: Sequence[int], success: Moves) -> int:
    """Where units are after the moves that succeed, but for those that are driven out."""
    entered = success.values()
    where = 0
    for unit in units:
        if unit in success:
            where |= 1 << success[unit]
        elif unit not in entered:
            where |= 1 << unit
    return where


class _Turn(NamedTuple):
    """What decides whether moves succeed."""

    moves: Moves
    firsts: Sequence[int]
    """The units of the first player."""
    strength: Mapping[int, int]
    """The strength of the orders of all units."""
    failed: set[int]
    """The units whose moves are known to fail."""


def _fails(unit: int, turn: _Turn) -> bool:
    """Whether a move fails, if the moves that are known to fail are the only ones to do so."""
    moves, firsts, strength, failed = turn
    target, own = moves[unit], strength[unit]
    for other, goal in moves.items():
        if goal == target and other != unit and strength[other] >= own:
            return True
    if target not in strength:
        return False
    is_ally = (target in firsts) == (unit in firsts)
    if moves.get(target) == unit:
        return is_ally or strength[target] >= own
    if target in moves and target not in failed:
        return False
    return is_ally or own <= (1 if target in moves else strength[target])


@dataclass(frozen=True)
class ProvinceOrders(HiddenRules[State, Orders]):
    """Two players with units on a map, of whom the one with more supply centres wins.

    The result is the number of supply centres of player 0 minus that of player 1.
    """

    neighbours: Neighbours
    centres: int
    """The provinces that are supply centres."""

    beginning: State = NO_TURNS
    """The state before the first turn; a match of several rounds has others."""

    def start(self) -> State:
        return self.beginning

    def hands(self) -> Sequence[tuple[None, float]]:
        return [(None, 1.0)]

    def dealt(self, hand: None, owner: int, rng: Random) -> State:
        return self.beginning

    def player(self, state: State) -> int:
        return 0 if state.written is None else 1

    def chances(self, state: State) -> Sequence[tuple[None, float]]:
        return ()

    def legal(self, state: State) -> Sequence[Orders]:
        return order_sets(self.neighbours, state.units[self.player(state)])

    def apply(self, state: State, move: Orders) -> State:
        if state.written is None:
            return state._replace(written=move)
        units = resolved(state.written, move)
        return State(units, self.owned(state.centres, units), state.left - 1)

    def owned(self, centres: tuple[int, int], units: Units) -> tuple[int, int]:
        """The supply centres of both players after a turn that ends with these units."""
        first, second = (each & self.centres for each in units)
        return (centres[0] | first) & ~second, (centres[1] | second) & ~first

    def outcome(self, state: State) -> float | None:
        if state.left and all(state.units):
            return None
        first, second = state.centres
        return float(first.bit_count() - second.bit_count())

    def view(self, state: State, player: int) -> str:
        return " ".join(map(str, (player, *state.units, *state.centres, state.left)))

    def name(self, state: State, move: Orders) -> str:
        return ", ".join(map(order_name, move))

    def read(self, state: State, text: str) -> Orders:
        units, legal = state.units[self.player(state)], self.legal(state)
        read = [
            Order(unit, target, NOBODY if ally is None else ally)
            for unit, target, ally in province_orders(text)
        ]
        orders = tuple(sorted(read))
        if orders in legal:
            return orders
        for order in orders:
            if not units >> order.unit & 1:
                raise InvalidAnswer(f"you have no unit in {LETTERS[order.unit]}")
        missing = units & ~sum(1 << order.unit for order in orders)
        if missing:
            raise InvalidAnswer(f"there is no order for {letters(missing)}")
        for order in orders:
            if order not in _orders_of(self.neighbours, order.unit, units):
                raise InvalidAnswer(f"'{order_name(order)}' is not possible on this map")
        raise InvalidAnswer("a support has to be for the order of another unit of yours")

    def show(self, state: State, player: int) -> str:
        mine, theirs = (state.centres[each] for each in (player, 1 - player))
        return (
            f"Your units: {letters(state.units[player])}\n"
            f"Units of your opponent: {letters(state.units[1 - player])}\n"
            f"Your supply centres: {letters(mine)}\n"
            f"Supply centres of your opponent: {letters(theirs)}\n"
            f"Supply centres of nobody: {letters(self.centres & ~(mine | theirs))}\n"
            f"Turns left, with this one: {state.left}"
        )

    def news(self, state: State, event: None) -> str:
        return ""

    def end(self, state: State, player: int) -> str:
        mine, theirs = (state.centres[each] for each in (player, 1 - player))
        own = mine.bit_count()
        return (
            f"At the end, you own {own} supply centre{'s' * (own != 1)} ({letters(mine)}), your "
            f"opponent {theirs.bit_count()} ({letters(theirs)})."
        )

    def scene(self, state: State, player: int) -> Graph:
        edges = (
            Edge(one, other)
            for one, around in enumerate(self.neighbours)
            for other in members(around)
            if one < other
        )
        nodes = (self._node(state, player, n) for n in range(len(self.neighbours)))
        return Graph(tuple(nodes), tuple(edges))

    def _node(self, state: State, player: int, province: int) -> Node:
        """A province: its ground shows whose unit is there, its note who owns the centre."""
        bit, tones = 1 << province, {player: "c0", 1 - player: "c1"}
        unit = [tones[each] for each in (0, 1) if state.units[each] & bit]
        owner = [each for each in (0, 1) if state.centres[each] & bit]
        note = ("yours" if owner[0] == player else "theirs") if owner else "free"
        return Node(
            LETTERS[province],
            tone=unit[0] if unit else "paper",
            note=note if self.centres & bit else "",
            note_tone=tones[owner[0]] if owner else "ink",
            shape="box" if self.centres & bit else "disc",
        )
