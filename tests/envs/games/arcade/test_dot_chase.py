"""Dots and monsters, against a simulation of its own on the text of the maze."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.dot_chase import CAUGHT, DotChase, State
from palaestra.task import InvalidAnswer

STEPS = {"up": (-1, 0), "left": (0, -1), "down": (1, 0), "right": (0, 1)}
RULES = DotChase(("....", ".##.", "...."), (3,), 2)


class Maze:
    """The maze of a text, in which monsters have their own view of the ways."""

    def __init__(self, text, period):
        grid, _, notes = text.partition("\n\n")
        self.period = period
        cells = {
            (r, c): s
            for r, line in enumerate(grid.splitlines())
            for c, s in enumerate(line.split())
        }
        self.free = {cell for cell, sign in cells.items() if sign != "#"}
        me = next(cell for cell, sign in cells.items() if sign == "@")
        monsters = tuple(self.named(notes, "Monsters: "))
        wait = 0 if "after this move" in notes else int(notes.split("after ")[1].split()[0]) - 1
        self.begin = me, monsters, frozenset(self.named(notes, "Dots: ")), wait

    @staticmethod
    def named(notes, title):
        names = notes.split(title)[1].split(".")[0].split(", ")
        return [tuple(int(n) - 1 for n in name[1:].split("c")) for name in names if name]

    def far(self, goal):
        steps, wave = {goal: 0}, [goal]
        for r, c in wave:
            for down, right in STEPS.values():
                new = r + down, c + right
                if new in self.free and new not in steps:
                    steps[new] = steps[r, c] + 1
                    wave.append(new)
        return steps

    def step(self, state, name):
        me, monsters, dots, wait = state
        down, right = STEPS.get(name, (0, 0))
        new = me[0] + down, me[1] + right
        if new not in self.free:
            return "illegal"
        dots -= {new}
        if new in monsters:
            return None
        if not wait and dots:
            far = self.far(new)
            near = [[(r + d, c + e) for d, e in STEPS.values()] for r, c in monsters]
            monsters = tuple(
                next(each for each in around if far.get(each, 99) == far[old] - 1)
                for old, around in zip(monsters, near)
            )
            if new in monsters:
                return None
        return new, monsters, dots, (wait - 1) % self.period

    def shortest(self):
        wave, seen, moves = [self.begin], {self.begin}, 0
        while wave:
            if any(not state[2] for state in wave):
                return moves
            after = {self.step(state, name) for state in wave for name in (*STEPS, "wait")}
            wave = [*(after - {None, "illegal"} - seen)]
            seen |= {*wave}
            moves += 1
        return None


@pytest.mark.parametrize("seed", range(10))
def test_plans_are_shortest(seed):
    task = Address.of("games/dot_chase", seed, seed % 4).task()
    spare = type(task).Knobs.at(seed % 4).spare
    maze = Maze(task.rules().show(task.start()), task.period)
    assert maze.shortest() == len(list(task.solve())) == task.moves - spare


@pytest.mark.parametrize("seed", range(24))
def test_random_moves_lead_where_the_simulation_says(seed):
    task, rng = Address.of("games/dot_chase", seed, seed % 6).task(), Random(seed)
    rules, state = task.rules(), task.start()
    maze = Maze(rules.show(state), task.period)
    mine = maze.begin
    for _ in range(15):
        legal = [rules.name(state, move) for move in rules.legal(state)]
        assert {*legal} == {n for n in (*STEPS, "wait") if maze.step(mine, n) != "illegal"}
        name = rng.choice(legal)
        state, mine = rules.apply(state, rules.read(state, name)), maze.step(mine, name)
        assert (state.cell == CAUGHT) == (mine is None)
        if mine is None or not mine[2]:
            break
        assert Maze(rules.show(state), task.period).begin == mine


def test_the_monster_waits_and_follows():
    state = RULES.apply(State(0, (11,), 1, 1), 4)
    assert state == State(0, (11,), 1, 0)
    # From r3c4 both ways are equally long; up comes before left.
    assert RULES.apply(state, 4) == State(0, (7,), 1, 1)
    assert RULES.apply(State(8, (10,), 1, 0), 3).cell == CAUGHT


def test_the_reason_says_that_the_player_was_caught():
    task = Address.of("games/dot_chase", 1, 4).task()
    episode = Episode(task, BARE)
    while episode.score is None:
        episode.step("wait")
    assert episode.score.reason in {
        "you were caught",
        f"the goal was not reached in {task.moves} moves",
    }
    assert RULES.why_lost(State(CAUGHT, (3,), 1, 0)) == "you were caught"


def test_the_last_dot_wins_before_the_monsters_move():
    state = RULES.apply(State(2, (11,), 1, 0), 3)
    assert state.dots == 0
    assert state.cell == 3
    assert RULES.distance(state) == 0


@pytest.mark.parametrize("text", ["right", "R", "Move right.", "I go right", "\u2192"])
def test_natural_moves_are_read(text):
    assert RULES.name(State(0, (11,), 1, 1), RULES.read(State(0, (11,), 1, 1), text)) == "right"


@pytest.mark.parametrize("text", ["", "up", "left or right", "jump", "up" * 300])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(0, (11,), 1, 1), text)


def test_the_scene_shows_what_the_text_shows():
    scene = RULES.scene(State(0, (11,), 1, 1))
    assert [cell.tone for cell in scene.cells[0]] == ["accent", "", "", "c4"]
    assert scene.cells[1][1].fill == "dark"
    assert scene.cells[2][3].text == "M"
