"""The rules of defending lanes against attackers that come at known times, on a growing budget."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

ARCHER, PIKE, BARRIER, ROCKFALL, MINE, PASS = (
    "archer", "pike", "barrier", "rockfall", "mine", "pass",
)  # fmt: skip
IN_LANES = (ARCHER, PIKE, BARRIER, ROCKFALL)
NEVER = 1_000
"""A turn after all others."""

EXPECTED = "expected 'pass' or what you buy, such as 'pike in lane 1'"
PASSING = frozenset({
    "pass", "pass this turn", "i pass", "wait", "nothing", "buy nothing", "build nothing",
    "do nothing", "save", "save coins", "save my coins", "skip", "skip this turn",
})  # fmt: skip
_WHAT = r"(?:(?:an?|one|the) )?(archer|pike|barrier|rockfall|mine)"
_LANE = r"(?:the )?lane (?:number |no |#)?(\d{1,2})"
_VERB = r"(?:(?:buy|build|place|put|get|add|use|trigger|set|hire|deploy) )?"
_PURCHASE = re.compile(
    rf"{_VERB}{_WHAT}(?: (?:(?:in|into|on|for|to|at) )?(?:(?:the )?lane )?(?:number |no |#)?"
    r"(\d{1,2}))?",
    re.ASCII,
)
_LANE_FIRST = re.compile(rf"(?:in )?{_LANE} {_VERB}{_WHAT}", re.ASCII)

Attacker = tuple[int, int]
"""The cell, which counts from 1 at the gate, and the hits that it stands still."""

Move = tuple[str, int]
"""What is bought, and the number of the lane, or -1 where there is none."""


class Goods(NamedTuple):
    """What is for sale: prices in coins, and what is bought for them."""

    archer: int
    archer_range: int
    pike: int
    pike_hits: int
    pike_range: int
    barrier: int
    barrier_stands: int
    rockfall: int
    rockfall_hits: int
    mine: int
    """The price of a mine; 0 where there are none."""


class Lane(NamedTuple):
    """The archers and pikes, the hits that the barrier still stands, and the attackers from the
    gate on.
    """

    archers: int
    pikes: int
    barrier: int
    attackers: tuple[Attacker, ...]


class State(NamedTuple):
    """The turns that are over, the coins, the mines, and the lanes; no lanes after a breach."""

    turn: int
    coins: int
    mines: int
    lanes: tuple[Lane, ...]


class Arrival(NamedTuple):
    """An attacker that enters at the end of a turn, which counts from 1."""

    turn: int
    lane: int
    hits: int


@dataclass(frozen=True)
class LaneDefence(SoloRules[State, Move]):
    """Let no attacker through until all turns are over."""

    width: int
    turns: int
    income: int
    """The coins that come at the end of each turn, without mines."""

    room: int
    """The number of archers and pikes for which a lane has room."""

    goods: Goods
    arrivals: tuple[Arrival, ...]

    @cached_property
    def forecast(self) -> "Forecast":
        return Forecast(self)

    @cached_property
    def entering(self) -> dict[tuple[int, int], list[Attacker]]:
        """The attackers that enter after each turn in each lane."""
        entering: dict[tuple[int, int], list[Attacker]] = {}
        for turn, lane, hits in self.arrivals:
            entering.setdefault((turn, lane), []).append((self.width, hits))
        return entering

    @cached_property
    def profits(self) -> list[int]:
        """The most that new mines can add to the coins within each number of turns."""
        price, best = self.goods.mine, [0] * (self.turns + 1)
        for n in range(self.turns + 1) if price else ():
            for count in range(n + 1):
                best[n] = max(best[n], sum(range(n - count + 1, n + 1)) - price * count)
        return best

    @cached_property
    def prices(self) -> dict[str, int]:
        goods = self.goods
        return {ARCHER: goods.archer, PIKE: goods.pike, BARRIER: goods.barrier,
                ROCKFALL: goods.rockfall, MINE: goods.mine, PASS: 0}  # fmt: skip

    def price(self, what: str) -> int:
        return self.prices[what]

    def legal(self, state: State) -> Sequence[Move]:
        if not state.lanes or state.turn == self.turns:
            return ()
        builds = [
            (what, n)
            for n, lane in enumerate(state.lanes)
            for what in IN_LANES
            if self.price(what) <= state.coins and self.has_room(lane, what)
        ]
        mine = [(MINE, -1)] if 0 < self.goods.mine <= state.coins else []
        return [*builds, *mine, (PASS, -1)]

    def has_room(self, lane: Lane, what: str) -> bool:
        """Whether something can be bought for a lane, apart from its price."""
        if what == BARRIER:
            return not lane.barrier
        if what == ROCKFALL:
            return bool(lane.attackers)
        return lane.archers + lane.pikes < self.room

    def apply(self, state: State, move: Move) -> State:
        what, number = move
        turn, mines = state.turn + 1, state.mines + (what == MINE)
        coins = state.coins - self.price(what) + self.income + mines
        lanes = list[Lane]()
        for n, lane in enumerate(state.lanes):
            after = self.advanced(lane, what if n == number else PASS, n, turn)
            if after is None:
                return State(turn, coins, mines, ())
            lanes.append(after)
        return State(turn, coins, mines, tuple(lanes))

    def advanced(self, lane: Lane, what: str, number: int, turn: int) -> Lane | None:
        """A lane at the end of a turn in which something was bought for it; None after a breach."""
        archers, pikes, barrier, goods = lane.archers, lane.pikes, lane.barrier, self.goods
        attackers = list(lane.attackers)
        if what == ARCHER:
            archers += 1
        elif what == PIKE:
            pikes += 1
        elif what == BARRIER:
            barrier = goods.barrier_stands
        elif what == ROCKFALL:
            hits = goods.rockfall_hits
            attackers = [(at, left - hits) for at, left in attackers if left > hits]
        _shoot(attackers, pikes, goods.pike_range, goods.pike_hits)
        _shoot(attackers, archers, goods.archer_range, 1)
        ahead = sum(at == 1 for at, _ in attackers)
        if ahead > barrier:
            return None
        moved = [(max(1, at - 1), left) for at, left in attackers]
        moved += self.entering.get((turn, number), ())
        return Lane(archers, pikes, barrier - ahead, tuple(moved))

    def distance(self, state: State) -> float:
        """The turns that are left; infinite if the coins or the turns do not suffice for
        what each lane needs by itself.
        """
        if not state.lanes:
            return float("inf")
        if state.turn == self.turns:
            return 0.0
        lanes = [self.forecast.needs(n, state.turn, lane) for n, lane in enumerate(state.lanes)]
        if not all(lanes):
            return float("inf")
        each_turn = self.income + state.mines
        extra = self.profits
        totals, left = [*map(sum, zip(*lanes))], self.turns - state.turn
        for n in range(left):
            coins = state.coins + each_turn * n + extra[n]
            if totals[n] > coins or totals[left + n] > n + 1:
                return float("inf")
        return float(left)

    def judgement(self, state: State) -> float:
        """Few hits that attackers stand, far from the gate, defenders, and then coins."""
        if not state.lanes:
            return float("-inf")
        danger = sum(
            left * (2.0 + self.width - at) for lane in state.lanes for at, left in lane.attackers
        )
        defenders = sum(lane.archers + lane.pikes + lane.barrier / 4 for lane in state.lanes)
        return 4.0 * defenders - danger + 0.2 * state.coins + state.mines

    def falling(self, state: State) -> list[int]:
        """The lanes that fall without another purchase, the first one first."""
        falls = {n: self.forecast.breach(n, state.turn, lane) for n, lane in enumerate(state.lanes)}
        return sorted((n for n in falls if falls[n] < NEVER), key=lambda n: falls[n])

    def rescue(self, state: State) -> Move:
        """The cheapest purchase that holds the lane that falls first, or else delays that most."""
        for number in self.falling(state)[:1]:
            lane, turn = state.lanes[number], state.turn + 1
            falls = dict[Move, int]()
            for what, n in self.legal(state):
                if n == number:
                    after = self.advanced(lane, what, n, turn)
                    falls[what, n] = self.forecast.breach(n, turn, after) if after else turn
            if falls and max(falls.values()) > self.forecast.breach(number, state.turn, lane):
                return max(falls, key=lambda move: (falls[move], -self.price(move[0])))
        return PASS, -1

    def last_moment(self, state: State, turns: int) -> Move:
        """A rescue if a lane falls within some turns; else nothing."""
        first = [self.forecast.breach(n, state.turn, state.lanes[n]) for n in self.falling(state)]
        return self.rescue(state) if first and first[0] <= state.turn + turns else (PASS, -1)

    def mines_first(self, state: State) -> Move:
        """A mine as long as it pays, unless a lane falls within three turns; then a rescue."""
        urgent = self.last_moment(state, 3)
        pays = self.goods.mine < self.turns - state.turn
        if urgent[0] != PASS or not pays or not self.goods.mine:
            return urgent if urgent[0] != PASS else self.rescue(state)
        return (MINE, -1) if self.goods.mine <= state.coins else (PASS, -1)

    def two_mines(self, state: State) -> Move:
        """Up to two mines while nothing falls in the next turn; else a rescue by the first of a
        rockfall, a pike, an archer and a barrier that can be paid for.
        """
        falling = self.falling(state)
        first = [self.forecast.breach(n, state.turn, state.lanes[n]) for n in falling[:1]]
        if self.goods.mine and state.mines < 2 and not (first and first[0] <= state.turn + 1):
            return (MINE, -1) if self.goods.mine <= state.coins else (PASS, -1)
        legal = self.legal(state)
        for what in (ROCKFALL, PIKE, ARCHER, BARRIER):
            for number in falling[:1]:
                if (what, number) in legal:
                    return what, number
        return PASS, -1

    def thumbs(self) -> Mapping[str, Callable[[State], Move]]:
        """Rules of thumb: players without search."""
        return {
            "the cheapest rescue of the lane that falls first": self.rescue,
            "a rescue at the last moment": lambda state: self.last_moment(state, 1),
            "a rescue two turns ahead": lambda state: self.last_moment(state, 2),
            "a rescue four turns ahead": lambda state: self.last_moment(state, 4),
            "mines first, then rescues": self.mines_first,
            "two mines, then rescues": self.two_mines,
        }

    def why_lost(self, state: State) -> str:
        return "an attacker got through a gate" if not state.lanes else "a gate cannot be held"

    def decode(self, text: str) -> State:
        turn, coins, mines, lanes = super().decode(text)
        return State(turn, coins, mines, tuple(Lane(*lane) for lane in lanes))

    def name(self, state: State, move: Move) -> str:
        what, number = move
        return f"{what} in lane {number + 1}" if number >= 0 else what

    def read(self, state: State, text: str) -> Move:
        what, lane = purchase(text)
        number = int(lane or 0) - 1
        absent = what == MINE and not self.goods.mine
        if absent or (lane and what not in IN_LANES):
            raise InvalidAnswer(EXPECTED)
        if what in IN_LANES and not 0 <= number < len(state.lanes):
            raise InvalidAnswer(f"'{what}' needs the number of a lane, 1 to {len(state.lanes)}")
        move = what, number
        if move not in self.legal(state):
            raise InvalidAnswer(f"'{self.name(state, move)}' {self._obstacle(state, move)}")
        return move

    def _obstacle(self, state: State, move: Move) -> str:
        """Why something cannot be bought."""
        what = move[0]
        if self.price(what) > state.coins:
            return f"costs {self.price(what)} coins, and you have {state.coins}"
        if what == BARRIER:
            return "is not possible, since the barrier there still stands"
        if what == ROCKFALL:
            return "is not possible, since no attacker is there"
        return f"is not possible, since {self.room} defenders are there"

    def show(self, state: State) -> str:
        rows = "\n".join(self.row(n, lane) for n, lane in enumerate(state.lanes))
        mines = f" Mines: {state.mines}." if self.goods.mine else ""
        later = "\n".join(
            f"after turn {when}: "
            + ", ".join(f"{hits} in lane {lane + 1}" for _, lane, hits in arrivals)
            for when, arrivals in groupby(self.arrivals, key=lambda each: each.turn)
            if when > state.turn
        )
        return (
            f"Turn {state.turn + 1} of {self.turns}. Coins: {state.coins}.{mines}\n{rows}\n"
            f"Attackers to come:\n{later or 'none'}"
        )

    def row(self, number: int, lane: Lane) -> str:
        """A lane as a line of text."""
        cells = " ".join(self.sign(lane, cell) or "." for cell in range(1, self.width + 1))
        return (
            f"Lane {number + 1}: gate | {cells} | archers {lane.archers}, pikes {lane.pikes}, "
            f"barrier {lane.barrier}"
        )

    def sign(self, lane: Lane, cell: int) -> str:
        """The attackers on a cell."""
        return "+".join(str(left) for at, left in lane.attackers if at == cell)

    def scene(self, state: State) -> Grid:
        def cells(lane: Lane) -> Iterator[Cell]:
            yield Cell("A" * lane.archers, fill="c2")
            yield Cell("P" * lane.pikes, fill="c4")
            yield Cell(str(lane.barrier or ""), fill="dark" if lane.barrier else "muted")
            for cell in range(1, self.width + 1):
                sign = self.sign(lane, cell)
                yield Cell(sign, fill="bad" if sign else "paper")

        return Grid(
            tuple(tuple(cells(lane)) for lane in state.lanes),
            top=tuple((each,) for each in ("A", "P", "gate", *map(str, range(1, self.width + 1)))),
        )


def _shoot(attackers: list[Attacker], times: int, reach: int, hits: int) -> None:
    """Let some defenders of the same type hit the attacker that is first from the gate, one after
    the other, as far as they reach.
    """
    for _ in range(times):
        if not attackers or attackers[0][0] > reach:
            return
        at, left = attackers[0]
        attackers[:1] = [(at, left - hits)] if left > hits else []


class Forecast:
    """What follows for a lane by itself, computed once for each lane and turn.

    Lanes are independent but for the coins and the turns that all of them share.
    """

    def __init__(self, rules: LaneDefence) -> None:
        self.rules = rules
        self._breaches: dict[tuple[int, int, Lane], int] = {}
        self._needs: dict[tuple[int, int, Lane], tuple[int, ...]] = {}

    def breach(self, number: int, turn: int, lane: Lane) -> int:
        """The turn in which an attacker gets through without another purchase, or `NEVER`."""
        if turn == self.rules.turns:
            return NEVER
        key = number, turn, lane
        known = self._breaches.get(key)
        if known is None:
            after = self.rules.advanced(lane, PASS, number, turn + 1)
            known = turn + 1 if after is None else self.breach(number, turn + 1, after)
            self._breaches[key] = known
        return known

    def needs(self, number: int, turn: int, lane: Lane) -> tuple[int, ...]:
        """The fewest coins that have to be spent on a lane up to each of the turns that are left,
        and then the fewest purchases up to each of them; empty if the lane cannot be held, or at
        the end.
        """
        key = number, turn, lane
        known = self._needs.get(key)
        if known is None:
            held = self.breach(number, turn, lane) == NEVER
            left = self.rules.turns - turn
            known = (0,) * (2 * left) if held else self._searched(number, turn, lane)
            self._needs[key] = known
        return known

    def _searched(self, number: int, turn: int, lane: Lane) -> tuple[int, ...]:
        rules, rest = self.rules, self.rules.turns - turn - 1
        best: tuple[int, ...] = ()
        for what in (PASS, *IN_LANES):
            if what != PASS and not rules.has_room(lane, what):
                continue
            after = rules.advanced(lane, what, number, turn + 1)
            if after is None:
                continue
            needs = self.needs(number, turn + 1, after)
            if rest and not needs:
                continue
            price, one = rules.price(what), int(what != PASS)
            spent = [price, *[price + coins for coins in needs[:rest]]]
            spent += [one, *[one + count for count in needs[rest:]]]
            best = tuple(map(min, best, spent)) if best else tuple(spent)
        return best


def purchase(text: str) -> tuple[str, str]:
    """Read what is bought, with the number of the lane; empty without a number.

    >>> purchase("I'll build a pike in lane 2"), purchase("Lane 1: archer"), purchase("wait")
    (('pike', '2'), ('archer', '1'), ('pass', ''))
    """
    words = phrase(text)
    match = _PURCHASE.fullmatch(words)
    if match:
        return match[1], match[2] or ""
    match = _LANE_FIRST.fullmatch(words)
    if match:
        return match[2], match[1]
    if words in PASSING:
        return PASS, ""
    raise InvalidAnswer(EXPECTED)
