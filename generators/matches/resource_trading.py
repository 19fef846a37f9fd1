"""The rules of a trade in several goods between two players, and the best offers to a player who
accepts whatever raises the value of the own pieces.

The values of the other player are the known numbers in an unknown order, all orders being equally
likely. Expectations are sums over the orders that agree with the replies so far, as integers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from palaestra.generators.states import encoded
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches import resource_trading as reading

Numbers = tuple[int, ...]
"""A number for each of the goods."""

Move = tuple[int, ...]
"""An offer as (pieces that are given, of which of the goods, pieces for them, of which); else
:data:`ACCEPT` or :data:`PASS`."""

ACCEPT: Move = (1,)
PASS: Move = ()


class State(NamedTuple):
    """The pieces of both players, whose turn it is, the turns that are left with this one, and all
    moves so far, each of the player whose turn it was.
    """

    first: Numbers
    second: Numbers
    turn: int
    left: int
    moves: tuple[Move, ...]


class Deal(NamedTuple):
    """The start of a negotiation: the pieces of both players, and the values of a piece to one."""

    first: Numbers
    second: Numbers
    values: Numbers


@dataclass(frozen=True)
class ResourceTrading:
    """Trades of at most ``most`` pieces of one of the goods for as many of another one."""

    goods: tuple[str, ...]
    most: int

    def player(self, state: State) -> int:
        return state.turn

    def offer(self, state: State) -> Move:
        """The offer that the player to move may accept; :data:`PASS` without one."""
        return state.moves[-1] if state.moves and len(state.moves[-1]) == 4 else PASS

    def is_over(self, state: State) -> bool:
        """Whether no trade is possible any more."""
        return state.left == 0 or (state.left == 1 and not self.offer(state))

    def legal(self, state: State) -> Sequence[Move]:
        """All legal moves. In the last turn, an offer could not be accepted."""
        if self.is_over(state):
            return ()
        moves = [ACCEPT, PASS] if self.offer(state) else [PASS]
        if state.left > 1:
            mine, theirs = sides_of(state)
            moves += offers(mine, theirs, self.most)
        return moves

    def apply(self, state: State, move: Move) -> State:
        mine, theirs = sides_of(state)
        if move == ACCEPT:
            theirs, mine = traded(theirs, mine, self.offer(state))
        sides = (mine, theirs) if state.turn == 0 else (theirs, mine)
        return State(*sides, 1 - state.turn, state.left - 1, (*state.moves, move))

    def name(self, state: State, move: Move) -> str:
        if len(move) != 4:
            return reading.ACCEPT if move == ACCEPT else reading.PASS
        give, one, get, other = move
        return f"offer {give} {self.goods[one]} for {get} {self.goods[other]}"

    def read(self, state: State, text: str) -> Move:
        """The legal move that a text names; raises :class:`~palaestra.task.InvalidAnswer`."""
        named = reading.trade_move(text, self.goods)
        if named == reading.PASS:
            return PASS
        if named == reading.ACCEPT:
            if not self.offer(state):
                raise InvalidAnswer("there is no offer to accept")
            return ACCEPT
        assert not isinstance(named, str)
        self._check(state, named)
        return named

    def _check(self, state: State, move: Move) -> None:
        give, one, get, other = move
        mine, theirs = sides_of(state)
        if state.left < 2:
            raise InvalidAnswer("in the last turn, an offer is not possible")
        if one == other:
            raise InvalidAnswer("an offer is about two different goods")
        if not (1 <= give <= self.most and 1 <= get <= self.most):
            raise InvalidAnswer(f"an offer is about 1 to {self.most} pieces of each of two goods")
        if give > mine[one]:
            raise InvalidAnswer(f"you have only {mine[one]} {self.goods[one]}")
        if get > theirs[other]:
            raise InvalidAnswer(f"the other player has only {theirs[other]} {self.goods[other]}")

    def show(self, state: State, seat: int, values: Numbers) -> str:
        """What the player at a seat knows, where ``values`` are those of this player."""
        rows = self._rows(state, seat, values)
        wide = max(map(len, rows))
        column = max(map(len, self.goods)) + 2
        lines = [" " * wide + "".join(name.rjust(column) for name in self.goods)]
        for label, row in rows.items():
            lines.append(label.ljust(wide) + "".join(str(each).rjust(column) for each in row))
        return "\n".join([*lines, f"Turns left, with this one: {state.left}"])

    @staticmethod
    def _rows(state: State, seat: int, values: Numbers) -> dict[str, Numbers]:
        mine, theirs = (state.first, state.second)[:: 1 - 2 * seat]
        return {
            "You have": mine,
            "The other player has": theirs,
            "Value of a piece to you": values,
        }

    def scene(self, state: State, seat: int, values: Numbers) -> Table:
        """The same as :meth:`show`."""
        rows = self._rows(state, seat, values).values()
        cells = tuple(tuple(Cell(str(each)) for each in row) for row in rows)
        return Table(cells, self.goods, ("You have", "Other has", "Your value"))


def sides_of(state: State) -> tuple[Numbers, Numbers]:
    """The pieces of the player to move, and those of the other one."""
    return (state.first, state.second) if state.turn == 0 else (state.second, state.first)


def offers(mine: Numbers, theirs: Numbers, most: int) -> Iterator[Move]:
    """All offers of a player that both can keep."""
    for one, have in enumerate(mine):
        for other, want in enumerate(theirs):
            if one != other:
                for give in range(1, min(have, most) + 1):
                    for get in range(1, min(want, most) + 1):
                        yield give, one, get, other


def traded(giver: Numbers, taker: Numbers, offer: Move) -> tuple[Numbers, Numbers]:
    """The pieces of the player who has made an offer and of the other one, after the trade.

    >>> traded((3, 0), (1, 2), (2, 0, 1, 1))
    ((1, 1), (3, 1))
    """
    give, one, get, other = offer
    mine, theirs = list(giver), list(taker)
    mine[one] -= give
    theirs[one] += give
    mine[other] += get
    theirs[other] -= get
    return tuple(mine), tuple(theirs)


def worth(pieces: Numbers, values: Numbers) -> int:
    """The value of pieces."""
    return sum(number * value for number, value in zip(pieces, values))


def raises(offer: Move, values: Numbers) -> int:
    """By how much an offer raises the value of the pieces of the player who gets it."""
    give, one, get, other = offer
    return give * values[one] - get * values[other]


class Prospects:
    """The best offers of a player with these values to one who accepts an offer if and only if it
    raises the value of the own pieces by ``margin``, and makes none.

    A set of orders of the values is an integer, with a bit for each.
    """

    def __init__(self, values: Numbers, most: int, margin: int, totals: Numbers) -> None:
        self.orders = sorted(permutations(values))
        self.all = (1 << len(self.orders)) - 1
        self.totals = totals
        self._offers = list[tuple[int, Move, int]]()
        most_gain = [0] * len(self.orders)
        for offer in offers((most,) * len(values), (most,) * len(values), most):
            gain, mask = -raises(offer, values), 0
            for n, order in enumerate(self.orders):
                if raises(offer, order) >= margin:
                    mask |= 1 << n
                    most_gain[n] = max(most_gain[n], gain)
            self._offers.append((gain, offer, mask))
        self._offers.sort(reverse=True)
        self._most_gain = most_gain
        self._bounds: dict[int, int] = {}
        self._sums: dict[tuple[int, Numbers, int], int] = {}

    def accepting(self, offer: Move) -> int:
        """The orders for which an offer is accepted."""
        return next(mask for _, each, mask in self._offers if each == offer)

    def best(self, orders: int, mine: Numbers, left: int) -> int:
        """The greatest gain with so many offers left, summed over orders of the other's values."""
        if not orders or not left:
            return 0
        key = orders, mine, left
        known = self._sums.get(key)
        if known is not None:
            return known
        size = orders.bit_count()
        most = self.best(orders, mine, left - 1)
        later = self._bound(orders) * (left - 1)
        for gain, offer, mask in self._offers:
            if gain * size + later <= most:
                break
            accepted = (orders & mask).bit_count()
            if accepted and gain * accepted + later > most and self._possible(mine, offer):
                most = max(most, self._after(orders, mine, left, gain, offer, mask))
        self._sums[key] = most
        return most

    def _bound(self, orders: int) -> int:
        """The most that a single offer can gain if the order is known, summed over orders."""
        known = self._bounds.get(orders)
        if known is None:
            known = sum(gain for n, gain in enumerate(self._most_gain) if orders >> n & 1)
            self._bounds[orders] = known
        return known

    def _possible(self, mine: Numbers, offer: Move) -> bool:
        give, one, get, other = offer
        return give <= mine[one] and get <= self.totals[other] - mine[other]

    def _after(  # noqa: PLR0913, PLR0917
        self, orders: int, mine: Numbers, left: int, gain: int, offer: Move, mask: int
    ) -> int:
        accepting = orders & mask
        total = self.best(orders & ~mask, mine, left - 1)
        if accepting:
            give, one, get, other = offer
            after = list(mine)
            after[one] -= give
            after[other] += get
            total += gain * accepting.bit_count()
            total += self.best(accepting, tuple(after), left - 1)
        return total

    def expectations(self, orders: int, mine: Numbers, left: int) -> dict[Move, float]:
        """The gain that can be expected after each legal move."""
        size = orders.bit_count()
        sums = {PASS: self.best(orders, mine, left - 1)}
        for gain, offer, mask in sorted(self._offers, key=lambda each: each[1]):
            if self._possible(mine, offer):
                sums[offer] = self._after(orders, mine, left, gain, offer, mask)
        return {move: each / size for move, each in sums.items()}


@lru_cache(maxsize=16)
def prospects(values: Numbers, most: int, margin: int, totals: Numbers) -> Prospects:
    """The best offers in a negotiation, which its episodes share."""
    return Prospects(values, most, margin, totals)


class Negotiations:
    """A match in progress: the state of the current negotiation, the gains so far, and what is to
    be reported.
    """

    def __init__(
        self, rules: ResourceTrading, deals: Sequence[Deal], turns: int, seat: int, luck: Numbers
    ) -> None:
        self.rules = rules
        self.deals = deals
        self.turns = turns
        self.number = 0
        self.gains = [0, 0]
        self.news: list[list[str]] = [[], []]
        """Sentences for each seat that it has not read yet."""
        self.values: list[tuple[Numbers, Numbers]] = []
        """The values of a piece to both players, in each negotiation."""
        for deal, number in zip(deals, luck):
            other = tuple(Random(f"{number}").sample(sorted(deal.values), len(deal.values)))
            self.values.append((deal.values, other) if seat == 0 else (other, deal.values))
        self.state: Any = None
        self._begin()

    @property
    def over(self) -> bool:
        """Whether all negotiations are over."""
        return self.number == len(self.deals)

    @property
    def mover(self) -> int:
        """The seat of the player to move."""
        turn: int = self.state.turn
        return turn

    def move(self, move: Move) -> None:
        """Make a legal move, and play on to the next one."""
        rules, state, mover = self.rules, self.state, self.mover
        self.news[1 - mover].append(self._sentence(move))
        self.state = rules.apply(state, move)
        if rules.is_over(self.state):
            self._end()

    def _sentence(self, move: Move) -> str:
        """What the other player reads about a move."""
        if move == ACCEPT:
            return "The other player accepts your offer."
        refusing = " refuses your offer" * bool(self.rules.offer(self.state))
        if move == PASS:
            return f"The other player{refusing or ' passes'}."
        give, one, get, other = move
        goods = self.rules.goods
        offer = f"offers you {give} {goods[one]} for {get} {goods[other]} of yours."
        return f"The other player{refusing}{' and' if refusing else ''} {offer}"

    def _begin(self) -> None:
        deal = self.deals[self.number]
        self.state = State(deal.first, deal.second, 0, self.turns, ())
        if len(self.deals) > 1:
            for news in self.news:
                news.append(f"Negotiation {self.number + 1} of {len(self.deals)}.")

    def _end(self) -> None:
        deal, values = self.deals[self.number], self.values[self.number]
        gains = [worth(self.state[n], values[n]) - worth(deal[n], values[n]) for n in (0, 1)]
        self.gains = [before + gain for before, gain in zip(self.gains, gains)]
        for seat, news in enumerate(self.news):
            theirs = ", ".join(
                f"{name} {value}" for name, value in zip(self.rules.goods, values[1 - seat])
            )
            news.append(
                f"The negotiation is over. Your gain: {gains[seat]}. Gain of the other player: "
                f"{gains[1 - seat]}. A piece was worth to that player: {theirs}."
            )
        self.number += 1
        if not self.over:
            self._begin()

    def view(self, seat: int) -> str:
        """What the player at a seat knows."""
        gains = self.gains[seat], self.gains[1 - seat]
        known = (self.number, gains, self.values[self.number][seat], self.state)
        return encoded(known)

    def possible(self, seat: int, margin: int) -> Mapping[Move, float]:
        """What the player at a seat, who is to move, can expect after each legal move, against a
        player who makes no offers; nothing where the other one has made some.
        """
        state, values = self.state, self.values[self.number][seat]
        totals = tuple(a + b for a, b in zip(state.first, state.second))
        known = prospects(values, self.rules.most, margin, totals)
        orders = agreeing(known, state, seat)
        if not orders:
            return {}
        return known.expectations(orders, state[seat], state.left // 2)


def agreeing(known: Prospects, state: State, seat: int) -> int:
    """The orders of the other player's values that agree with all replies to the offers of a seat;
    none where the other player has made an offer.
    """
    orders = known.all
    first = state.turn ^ len(state.moves) & 1  # whose turn was the first one
    for n, move in enumerate(state.moves):
        if len(move) != 4:
            continue
        if (first + n) % 2 != seat:
            return 0
        accepting = known.accepting(move)
        if n + 1 < len(state.moves):
            orders &= accepting if state.moves[n + 1] == ACCEPT else ~accepting
    return orders
