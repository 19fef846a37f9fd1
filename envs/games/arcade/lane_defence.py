"""Defending lanes turn by turn, a reduced form of tower defence games."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice
from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.arcade.lane_defence import Arrival, Goods, Lane, Move, State
from palaestra.generators.games.arcade.lane_defence import LaneDefence as Rules
from palaestra.generators.games.solo import SoloGame, plan_of
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder

INCOME = 1
"""The coins that come at the end of each turn, without mines."""

ROOM = 2
"""The number of archers and pikes for which a lane has room."""


class LaneDefence(SoloGame):
    """Spend a growing budget on defenders of several lanes so that no attacker gets through."""

    tags = {"planning", "perfect-information", "simulation", "economics"}
    baseline_note = (
        "A player who buys two mines as soon as nothing falls in the next turn, and then rescues "
        "the lane that falls first, simulates the future without purchases, which is a part of "
        "planning; about a tenth of the tasks needs no more."
    )
    search_budget = 120

    searches: ClassVar[int] = 6
    """With how many numbers of coins a plan is searched for, from the fewest that are possible."""

    tries: ClassVar[int] = 12
    """The number of candidates among which a tight one is searched for."""

    class Knobs(SoloGame.Knobs):
        lanes: int = ladder(2, 2, 2, 3, 3, 4, low=1, high=5)
        width: int = ladder(3, 4, 4, 5, 5, 5, low=3, high=7)
        span: int = ladder(3, 3, 4, 4, 5, 6, low=1, high=8)  # the turns in which attackers enter
        attackers: int = ladder(4, 5, 6, 8, 10, 11, low=1, high=16)
        hits: int = ladder(3, 4, 4, 5, 5, 6, low=1, high=9)  # that an attacker stands, at most
        mines: int = ladder(0, 0, 1, 1, 1, 1, low=0, high=1)  # whether there are any
        spare: int = ladder(0, low=0, high=20)  # coins beyond the fewest

    width: int
    goods: Goods
    arrivals: tuple[Arrival, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """The first of some candidates that needs coins at the start, or else one that does not, so
        that few coins are left over.
        """
        rich = None
        for _ in range(cls.tries):
            task, coins = cls._candidate(rng, knobs)
            if coins:
                return task
            rich = rich or (task if task.position else None)
        return rich or task

    @classmethod
    def _candidate(cls, rng: Random, knobs: Knobs) -> tuple[Self, int]:
        """A task, and the fewest coins at the start with which a short search finds a plan."""
        arrivals = tuple(sorted(
            Arrival(
                rng.randint(1, knobs.span), rng.randrange(knobs.lanes), rng.randint(1, knobs.hits)
            )
            for _ in range(knobs.attackers)
        ))  # fmt: skip
        task = cls(
            position="", moves=knobs.width + knobs.span + 1, width=knobs.width,
            goods=cls._goods(rng, knobs), arrivals=arrivals,
        )  # fmt: skip
        rules = task.rules()
        lanes = (Lane(0, 0, 0, ()),) * knobs.lanes
        starts = (State(0, coins, 0, lanes) for coins in range(40))
        possible = (start for start in starts if rules.distance(start) < float("inf"))
        for start in islice(possible, cls.searches):
            if plan_of(rules, start, cls.search_budget):
                richer = start._replace(coins=start.coins + knobs.spare)
                return task.model_copy(update={"position": encoded(richer)}), start.coins
        return task, 0

    @staticmethod
    def _goods(rng: Random, knobs: Knobs) -> Goods:
        reach = rng.randint(1, 2)
        return Goods(
            archer=rng.randint(3, 5), archer_range=rng.randint(reach + 1, knobs.width),
            pike=rng.randint(3, 5), pike_hits=rng.randint(2, 3), pike_range=reach,
            barrier=rng.randint(2, 3), barrier_stands=rng.randint(1, 2),
            rockfall=rng.randint(3, 5), rockfall_hits=rng.randint(2, 3),
            mine=rng.randint(3, 5) * knobs.mines,
        )  # fmt: skip

    def is_valid(self) -> bool:
        """Whether a plan has been found, and doing nothing is none."""
        return bool(self.position and self.rules().falling(self.start()) and super().is_valid())

    def rules(self) -> Rules:
        return _shared(self.width, self.moves, self.goods, self.arrivals)

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Callable[[State], Move]) -> Policy:
            def move(turn: Turn) -> str:
                state = rules.decode(turn.state.rpartition(" ")[0])
                return rules.name(state, choose(state))

            return move

        thumbs = {name: player(choose) for name, choose in rules.thumbs().items()}
        return {**super().baselines(rng), **thumbs}

    def description(self) -> str:
        goods, width, turns = self.goods, self.width, self.moves
        mine = f", a mine ('mine') {_coins(goods.mine)}" if goods.mine else ""
        profit = " and 1 more coin for each mine that you have" if goods.mine else ""
        return self.phrase(
            f"Hold the gates of all lanes for {turns} turns. A lane has the cells 1 to {width}; "
            "its gate is before cell 1. A number on a cell is an attacker and the hits that it "
            "withstands; '3+1' are two attackers, of which the first comes first. You lose at once "
            f"if an attacker gets through a gate, and win after turn {turns} otherwise. A game "
            "that can no longer be won may end early.\n\n"
            "A turn goes like this. 1. You buy one thing that you can pay for, or pass. Prices: "
            f"an archer {_coins(goods.archer)}, a pike {_coins(goods.pike)}, a barrier "
            f"{_coins(goods.barrier)}, a rockfall {_coins(goods.rockfall)}{mine}. Archers and "
            f"pikes stay in their lane for good, at most {ROOM} of them together in a lane. "
            f"A barrier is put before the gate of a lane that has none and withstands "
            f"{_hits(goods.barrier_stands)}. A rockfall takes {_hits(goods.rockfall_hits)} from "
            "each attacker that is in the lane then, and is possible only where there is one. An "
            "attacker that has no hits left is gone. 2. All pikes, one after the other, take "
            f"{_hits(goods.pike_hits)} each from the attacker of their lane that comes first, if "
            f"it is {_on(goods.pike_range)}; then all archers, one after the other, "
            "take 1 hit each from the one that comes first then, if it is "
            f"{_on(goods.archer_range)}. What one of them takes beyond the last hit of an attacker "
            "is lost. 3. Each attacker on cell 1 takes 1 hit from the barrier of its lane and "
            "stays, or gets through the gate if the barrier has no hits left; all others go one "
            "cell towards the gate. The attackers on lower cells come first, and among those of a "
            "cell the ones that entered or were announced first. 4. New attackers enter on cell "
            f"{width}, as announced, and you get 1 coin{profit}.\n\n"
            "A move looks like 'pike in lane 1' or 'pass'.",
            f"You win if no attacker gets through a gate in {turns} turns; once that is "
            "impossible, the game may end early. There are "
            f"{len(self.start().lanes)} lanes with {width} cells each, numbered from the gate on. "
            "Attackers are shown by the number of hits that they still withstand, with '+' between "
            "those on the same cell, in their order. In each turn, these things happen:\n"
            "- First you may buy one thing that you can pay for; the other choice "
            f"is 'pass'. For {_coins(goods.archer)} an archer and for {_coins(goods.pike)} a pike "
            f"joins a lane and remains there (together, a lane has room for {ROOM}). For "
            f"{_coins(goods.barrier)} a lane without a barrier gets one that withstands "
            f"{_hits(goods.barrier_stands)}. For {_coins(goods.rockfall)} a rockfall takes "
            f"{_hits(goods.rockfall_hits)} from every attacker in a lane, which must have at "
            "least one."
            + (f" For {_coins(goods.mine)} you get a mine ('mine')." if goods.mine else "")
            + " An attacker without hits left disappears.\n"
            "- Then every pike of a lane strikes at the lane's first attacker, if this is at most "
            f"on cell {goods.pike_range}, and takes {_hits(goods.pike_hits)} from it; after the "
            "pikes, every archer takes 1 hit from the first attacker, if this is at most on cell "
            f"{goods.archer_range}. They act one by one, so that the next one aims at the next "
            "attacker when one is gone; hits in excess do nothing.\n"
            "- Then the attackers act. On cell 1, each one takes 1 hit from the barrier and stays "
            "there; if no hit of a barrier is left for it, it gets through, and you have lost. "
            "All others advance by one cell. The first attacker is the one on the lowest cell, and "
            "of those on the same cell the one that entered, or was announced, earlier.\n"
            f"- At the end of the turn, the attackers announced for it enter on cell {width}, and "
            f"you receive 1 coin{profit}.\n\nWrite for example 'pike in lane 1' or 'pass'.",
        )


@lru_cache(maxsize=32)
def _shared(width: int, turns: int, goods: Goods, arrivals: tuple[Arrival, ...]) -> Rules:
    """The rules of a task, so that its players share what has been computed."""
    return Rules(width, turns, INCOME, ROOM, goods, arrivals)


def _on(last: int) -> str:
    return f"on the cells 1 to {last}" if last > 1 else "on cell 1"


def _coins(number: int) -> str:
    return f"{number} coin{'s' * (number != 1)}"


def _hits(number: int) -> str:
    return f"{number} hit{'s' * (number != 1)}"
