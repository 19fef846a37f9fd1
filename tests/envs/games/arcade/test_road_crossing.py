"""Crossing roads, against a simulation of cars and logs as sets, read from the prompt."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.road_crossing import HIT, Lane, RoadCrossing, State
from palaestra.task import InvalidAnswer

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1), "wait": (0, 0)}
RULES = RoadCrossing(
    4,
    (
        Lane("grass", 0, 0),
        Lane("river", 1, 0b0010),
        Lane("road", -1, 0b1000),
        Lane("grass", 0, 0),
    ),
    (13,),
)


class Simulation:
    """A board as it is read from its text."""

    def __init__(self, text):
        self.things, self.coins, self.notes = set(), set(), []
        grid, _, coins = text.partition("\n\nCoins left: ")
        if coins not in {"", "none"}:
            names = (name[1:].split("c") for name in coins.split(", "))
            self.coins = {(int(r) - 1, int(c) - 1) for r, c in names}
        for r, line in enumerate(grid.splitlines()):
            signs, _, note = line.partition("   ")
            self.notes.append(note)
            self.width = len(signs.split())
            for c, sign in enumerate(signs.split()):
                if sign == "@":
                    self.me = r, c
                elif sign == "$":
                    assert (r, c) in self.coins
                elif sign in "<>=":
                    self.things.add((r, c))

    def speed(self, row):
        words = self.notes[row].split()
        return int(words[1]) * (1 if words[-1] == "right" else -1) if len(words) > 1 else 0

    def step(self, state, name):
        """The state after a move, or None where the player is lost; a state is (cell, things,
        coins)."""
        (row, column), things, coins = state
        row, column = row + STEPS[name][0], column + STEPS[name][1]
        if not (0 <= row < len(self.notes) and 0 <= column < self.width):
            return "illegal"
        moved = {(r, (c + self.speed(r)) % self.width) for r, c in things}
        if self.notes[row].startswith("river"):
            if (row, column) not in things:
                return None
            column += self.speed(row)
            if not 0 <= column < self.width:
                return None
        elif (row, column) in things or (row, column) in moved:
            return None
        return (row, column), frozenset(moved), coins - {(row, column)}

    def start(self):
        return self.me, frozenset(self.things), frozenset(self.coins)

    def shortest(self):
        wave, seen, moves = [self.start()], set(), 0
        while wave:
            if any(not coins and cell[0] == 0 for cell, _, coins in wave):
                return moves
            after = (self.step(state, name) for state in wave for name in STEPS)
            wave = [*{each for each in after if each not in {None, "illegal"}} - seen]
            seen |= {*wave}
            moves += 1
        return None


def board(task):
    return task.rules().show(task.start())


@pytest.mark.parametrize("seed", range(12))
def test_plans_are_shortest(seed):
    task = Address.of("games/road_crossing", seed, seed % 4).task()
    spare = type(task).Knobs.at(seed % 4).spare
    # What is below the player at the start cannot be seen, but is the lowest row, which is grass.
    assert Simulation(board(task)).shortest() == len(list(task.solve())) == task.moves - spare


@pytest.mark.parametrize("seed", range(20))
def test_random_moves_lead_where_the_simulation_says(seed):
    task, rng = Address.of("games/road_crossing", seed, 1 + seed % 5).task(), Random(seed)
    rules, state = task.rules(), task.start()
    simulation = Simulation(board(task))
    mine = simulation.start()
    for _ in range(12):
        legal = [rules.name(state, move) for move in rules.legal(state)]
        assert legal == [name for name in STEPS if simulation.step(mine, name) != "illegal"]
        name = rng.choice(legal)
        state, mine = rules.apply(state, rules.read(state, name)), simulation.step(mine, name)
        assert (state.cell == HIT) == (mine is None)
        if mine is None:
            break
        assert divmod(state.cell, simulation.width) == mine[0]
        seen = Simulation(rules.show(state))
        assert seen.coins == mine[2]
        assert seen.things == {thing for thing in mine[1] if thing != mine[0]}


def test_estimates_are_never_too_high():
    for seed in range(6):
        task = Address.of("games/road_crossing", seed, 2).task()
        rules, state = task.rules(), task.start()
        moves = [*task.solve()]
        for n, name in enumerate(moves):
            assert rules.distance(state) <= len(moves) - n
            state = rules.apply(state, rules.read(state, name))
        assert rules.distance(state) == 0


def test_what_the_rules_say():
    start = State(13, 0, 1)
    assert RULES.show(start).splitlines()[1:4] == [
        "~ = ~ ~   river, 1 to the right", ". . . <   road, 1 to the left", ". @ . .   grass",
    ]  # fmt: skip
    assert RULES.apply(State(11, 0, 0), 4).cell == HIT  # it stands where a car is
    assert RULES.apply(State(14, 0, 0), 0).cell == HIT  # the car drives onto it
    assert RULES.apply(State(13, 0, 0), 0).cell == 9
    assert RULES.apply(State(9, 0, 0), 0).cell == 6  # a log carries it along
    assert RULES.apply(State(8, 0, 0), 0).cell == HIT  # water


@pytest.mark.parametrize(
    "text",
    [
        "left",
        "L",
        "Move left.",
        "I step left",
        "\u2190",
        "one step left",
        "go one cell to the left",
    ],
)
def test_natural_moves_are_read(text):
    assert RULES.name(State(13, 0, 0), RULES.read(State(13, 0, 0), text)) == "left"


@pytest.mark.parametrize("text", ["", "down", "left or right", "jump", "up" * 300])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(13, 0, 0), text)


def test_waiting_is_read_and_a_hit_ends_the_game():
    for text in ("I'll wait", "wait here", "no step", "Skip."):
        assert RULES.read(State(13, 0, 0), text) == 4
    assert "hit by a car" in RULES.why_lost(State(HIT, 0, 0))
    task = Address.of("games/road_crossing", 2, 0).task()
    episode = Episode(task, BARE)
    while episode.score is None:
        episode.step("wait")
    assert episode.score.value == 0


def test_the_scene_shows_what_the_text_shows():
    scene = RULES.scene(State(13, 0, 1))
    assert [cell.text for cell in scene.cells[3]] == ["", "@", "", ""]
    assert [cell.text for cell in scene.cells[2]] == ["", "", "", "<"]
    assert [cell.fill for cell in scene.cells[1]] == ["water", "c7", "water", "water"]
    assert scene.right[1] == ("river, 1 to the right",)
