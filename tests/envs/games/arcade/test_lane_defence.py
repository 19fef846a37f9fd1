"""Lane defence, against a simulation of attackers as objects, read from the prompt."""

import re
from functools import cache
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.lane_defence import Arrival, Goods, Lane, LaneDefence, State
from palaestra.task import InvalidAnswer

GOODS = Goods(3, 3, 4, 2, 1, 2, 2, 3, 2, 4)
RULES = LaneDefence(4, 6, 1, 2, GOODS, (Arrival(1, 0, 3), Arrival(2, 0, 1), Arrival(5, 1, 1)))
EMPTY = Lane(0, 0, 0, ())


class Walker:
    def __init__(self, cell, hits):
        self.cell, self.hits = cell, hits


class Simulation:
    """A position as its text shows it, and the numbers that the first prompt states."""

    def __init__(self, description, text):
        first = re.search(
            r"archer (\d+) coins?, a pike (\d+) coins?, a barrier (\d+) coins?, a rockfall "
            r"(\d+) coins?(?:, a mine \('mine'\) (\d+))?",
            description,
        )
        self.prices = dict(zip(("archer", "pike", "barrier", "rockfall", "mine"), first.groups()))
        self.prices = {name: int(price) for name, price in self.prices.items() if price}
        self.room = int(re.search(r"at most (\d+) of them together", description)[1])
        self.stands = int(re.search(r"has none and withstands (\d+)", description)[1])
        self.fall = int(re.search(r"A rockfall takes (\d+)", description)[1])
        self.pike_hits = int(re.search(r"take (\d+) hits? each from", description)[1])
        reach = re.findall(r"if it is on (?:cell|the cells 1 to) (\d+)", description)
        self.pike_range, self.archer_range = map(int, reach)
        self.income = int(re.search(r"you get (\d+) coin", description)[1])
        self.read(text)

    def read(self, text):
        turn, self.turns, self.coins = map(
            int, re.search(r"Turn (\d+) of (\d+)\. Coins: (\d+)", text).groups()
        )
        self.turn = turn
        self.mines = int((re.search(r"Mines: (\d+)", text) or [0, 0])[1])
        self.lanes = []
        for cells, archers, pikes, barrier in re.findall(
            r"gate \| (.*) \| archers (\d+), pikes (\d+), barrier (\d+)", text
        ):
            walkers = [
                Walker(cell, int(hits))
                for cell, sign in enumerate(cells.split(), 1)
                if sign != "."
                for hits in sign.split("+")
            ]
            self.width = len(cells.split())
            self.lanes.append([int(archers), int(pikes), int(barrier), walkers])
        self.later = {
            int(when): [(int(hits), int(lane) - 1) for hits, lane in re.findall(
                r"(\d+) in lane (\d+)", line)]
            for when, line in re.findall(r"after turn (\d+): (.*)", text)
        }  # fmt: skip

    def legal(self):
        names = {"pass"} | ({"mine"} if self.prices.get("mine", 99) <= self.coins else set())
        for n, (archers, pikes, barrier, walkers) in enumerate(self.lanes, 1):
            possible = {
                "archer": archers + pikes < self.room, "pike": archers + pikes < self.room,
                "barrier": barrier == 0, "rockfall": walkers != [],
            }  # fmt: skip
            names |= {
                f"{what} in lane {n}"
                for what, free in possible.items()
                if free and self.prices[what] <= self.coins
            }
        return names

    def play(self, name):
        """Play a turn, and return whether all gates hold."""
        what, _, number = name.partition(" in lane ")
        self.coins -= self.prices.get(what, 0)
        if what == "mine":
            self.mines += 1
        elif what != "pass":
            lane = self.lanes[int(number) - 1]
            if what == "rockfall":
                for walker in lane[3]:
                    walker.hits -= self.fall
            elif what == "barrier":
                lane[2] = self.stands
            else:
                lane[what == "pike"] += 1
        holds = min([self.fight(lane) for lane in self.lanes])
        for hits, lane in self.later.pop(self.turn, ()):
            self.lanes[lane][3].append(Walker(self.width, hits))
        self.coins += self.income + self.mines
        self.turn += 1
        return holds

    def fight(self, lane):
        walkers = lane[3]
        shots = [(self.pike_range, self.pike_hits)] * lane[1] + [(self.archer_range, 1)] * lane[0]
        for reach, hits in shots:
            near = [walker for walker in walkers if walker.hits > 0]
            if near and near[0].cell <= reach:
                near[0].hits -= hits
        lane[3] = [walker for walker in walkers if walker.hits > 0]
        for walker in lane[3]:
            if walker.cell > 1:
                walker.cell -= 1
            else:
                lane[2] -= 1
        return lane[2] >= 0

    def seen(self):
        lanes = [(a, p, b, [(w.cell, w.hits) for w in ws]) for a, p, b, ws in self.lanes]
        return self.turn, self.coins, self.mines, lanes, self.later


def simulated(task):
    first = task.model_copy(update={"wording": 0})
    return Simulation(first.description(), task.rules().show(task.start()))


@pytest.mark.parametrize("seed", range(24))
def test_random_moves_lead_where_the_simulation_says(seed):
    task, rng = Address.of("games/lane_defence", seed, seed % 6).task(), Random(seed)
    rules, state, mine = task.rules(), task.start(), simulated(task)
    for _ in range(task.moves):
        names = [rules.name(state, move) for move in rules.legal(state)]
        assert {*names} == mine.legal()
        name = rng.choice(names)
        state, holds = rules.apply(state, rules.read(state, name)), mine.play(name)
        assert bool(state.lanes) == holds
        if not holds:
            break
        shown = simulated(task)
        shown.read(rules.show(state))
        assert shown.seen() == mine.seen()


@pytest.mark.parametrize("seed", range(12))
def test_plans_win_in_the_simulation(seed):
    task = Address.of("games/lane_defence", seed, seed % 6).task()
    mine = simulated(task)
    for name in task.solve():
        assert name in mine.legal()
        assert mine.play(name)
    assert mine.turn == mine.turns + 1


@pytest.mark.parametrize("seed", range(8))
def test_a_position_is_given_up_only_if_no_plan_exists(seed):
    task, rng = Address.of("games/lane_defence", seed, 1).task(), Random(seed)
    rules = task.rules()

    @cache
    def wins(state):
        if not state.lanes or state.turn == rules.turns:
            return bool(state.lanes)
        return any(wins(rules.apply(state, move)) for move in rules.legal(state))

    for _ in range(20):
        state = task.start()
        for _ in range(rng.randint(1, 5)):
            if rules.legal(state):
                state = rules.apply(state, rng.choice(rules.legal(state)))
        hopeless = rules.distance(state) == float("inf")
        assert not (hopeless and wins(state))
    assert wins(task.start())


def test_a_turn():
    state = RULES.apply(State(0, 5, 0, (EMPTY, EMPTY)), ("mine", -1))
    assert state == State(1, 3, 1, (Lane(0, 0, 0, ((4, 3),)), EMPTY))
    state = RULES.apply(state, ("archer", 0))
    assert state == State(2, 2, 1, (Lane(1, 0, 0, ((3, 3), (4, 1))), EMPTY))
    state = RULES.apply(state, ("barrier", 0))
    assert state == State(3, 2, 1, (Lane(1, 0, 2, ((2, 2), (3, 1))), EMPTY))


def test_pikes_strike_first_and_excess_is_lost():
    lane = Lane(1, 1, 0, ((1, 1), (2, 1)))
    assert RULES.advanced(lane, "pass", 1, 4) == EMPTY._replace(archers=1, pikes=1)
    far = Lane(1, 1, 0, ((2, 3), (3, 1)))
    assert RULES.advanced(far, "pass", 1, 4).attackers == ((1, 2), (2, 1))


def test_a_barrier_holds_as_many_attackers_as_it_has_hits():
    two = Lane(0, 0, 2, ((1, 9), (1, 9)))
    assert RULES.advanced(two, "pass", 1, 4) == two._replace(barrier=0)
    assert RULES.advanced(two._replace(barrier=1), "pass", 1, 4) is None
    assert RULES.advanced(Lane(0, 0, 0, ((1, 2), (2, 3))), "rockfall", 1, 4).attackers == ((1, 1),)


@pytest.mark.parametrize(
    ("text", "name"),
    [("archer in lane 2", "archer in lane 2"), ("I buy an archer for lane 2.", "archer in lane 2"),
     ("Archer 2", "archer in lane 2"), ("**Build a pike in lane 1**", "pike in lane 1"),
     ("My move: mine", "mine"), ("buy a mine", "mine"), ("PASS", "pass"), ("I'll wait.", "pass"),
     ("pass this turn", "pass"),
     ("place archer on lane 1", "archer in lane 1"), ("lane 1: pike", "pike in lane 1"),
     ("'barrier in lane 1'", "barrier in lane 1"), ("I play pike in lane 1", "pike in lane 1"),
     ("put a barrier in Lane #1", "barrier in lane 1")],
)  # fmt: skip
def test_natural_moves_are_read(text, name):
    state = State(0, 9, 0, (EMPTY, EMPTY))
    assert RULES.name(state, RULES.read(state, text)) == name


@pytest.mark.parametrize(
    "text",
    ["", "archer", "archer in lane 3", "archer in lane 1 or 2", "not pass", "mine and pass",
     "archer in lane 1, pike in lane 2", "rockfall in lane 1", "pass" * 200,
     "mine in lane 1", "I do not buy a mine", "archer or pike in lane 1"],
)  # fmt: skip
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(0, 9, 0, (EMPTY, EMPTY)), text)


@pytest.mark.parametrize(
    ("lane", "coins", "text", "reason"),
    [(EMPTY, 1, "pike in lane 1", "costs 4 coins, and you have 1"),
     (EMPTY, 9, "rockfall in lane 1", "no attacker"),
     (Lane(1, 1, 1, ()), 9, "archer in lane 1", "2 defenders are there"),
     (Lane(1, 1, 1, ()), 9, "barrier in lane 1", "still stands")],
)  # fmt: skip
def test_illegal_moves_are_answered_with_the_reason(lane, coins, text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(State(0, coins, 0, (lane, EMPTY)), text)


def test_passing_loses():
    for seed in range(6):
        episode = Episode(Address.of("games/lane_defence", seed, seed).task(), BARE)
        while episode.score is None:
            episode.step("pass")
        assert episode.score.value == 0
        assert "gate" in episode.score.reason


def test_the_scene_shows_what_the_text_shows():
    state = State(3, 2, 1, (Lane(1, 2, 2, ((2, 2), (2, 1), (4, 3))), EMPTY))
    assert RULES.show(state) == (
        "Turn 4 of 6. Coins: 2. Mines: 1.\n"
        "Lane 1: gate | . 2+1 . 3 | archers 1, pikes 2, barrier 2\n"
        "Lane 2: gate | . . . . | archers 0, pikes 0, barrier 0\n"
        "Attackers to come:\nafter turn 5: 1 in lane 2"
    )
    first, second = RULES.scene(state).cells
    assert [cell.text for cell in first] == ["A", "PP", "2", "", "2+1", "", "3"]
    assert [cell.fill for cell in first[3:]] == ["paper", "bad", "paper", "bad"]
    assert not any(cell.text for cell in second)
