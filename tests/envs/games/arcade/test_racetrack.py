"""Racing on squared paper, against ways by fractions and a search wave by wave, and the readers."""

from fractions import Fraction
from itertools import product
from math import floor
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.arcade.racetrack import (
    CRASHED,
    FINISHED,
    RACING,
    Racetrack,
    Shape,
    State,
    fastest,
    passed,
    winding_track,
)
from palaestra.task import InvalidAnswer


def rounded(number):
    """The nearest whole number; halves go away from 0."""
    size = floor(abs(number) + Fraction(1, 2))
    return size if number > 0 else -size


def drive(track, where, velocity):
    """The last cell and the outcome of a move with a velocity."""
    number = max(map(abs, velocity))
    cell = where
    for k in range(1, number + 1):
        cell = tuple(
            at + rounded(Fraction(k * speed, number))
            for at, speed in zip(where, velocity, strict=True)
        )
        sign = track.get(cell, "#")
        if sign in "#F":
            return cell, "crash" if sign == "#" else "finish"
    return cell, ""


def read_track(rows):
    return {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}


def fewest(track, start):
    """The fewest moves to the finish, by waves of positions and velocities."""
    wave, seen, moves = {(start, (0, 0))}, set(), 0
    while wave:
        moves += 1
        seen |= wave
        after = set()
        for where, velocity in wave:
            for change in product((-1, 0, 1), repeat=2):
                new = tuple(a + b for a, b in zip(velocity, change, strict=True))
                cell, outcome = drive(track, where, new)
                if outcome == "finish":
                    return moves
                if not outcome:
                    after.add((cell, new))
        wave = after - seen
    return None


@pytest.mark.parametrize("seed", range(18))
def test_the_plan_is_a_shortest_one(seed):
    level = seed % 6
    task = Address.of("games/racetrack", seed, level).task()
    track, state = read_track(task.track), task.start()
    best = fewest(track, (state.row, state.column))
    moves = list(task.solve())
    assert len(moves) == best
    assert task.moves == best + type(task).Knobs.at(level).spare
    assert Episode(task, BARE, moves).score.value == 1


@pytest.mark.parametrize("seed", range(40))
def test_random_moves_lead_where_the_fractions_say(seed):
    task, rng = Address.of("games/racetrack", seed, seed % 6).task(), Random(seed)
    rules, state = task.rules(), task.start()
    track = read_track(task.track)
    where, velocity = (state.row, state.column), (0, 0)
    while state.status == RACING:
        move = rng.choice(rules.legal(state))
        velocity = velocity[0] + move[0], velocity[1] + move[1]
        where, outcome = drive(track, where, velocity)
        state = rules.apply(state, rules.read(state, rules.name(state, move)))
        assert (state.row, state.column) == where
        assert (state.down, state.right) == velocity
        assert state.status == {"": RACING, "crash": CRASHED, "finish": FINISHED}[outcome]
    assert not rules.legal(state)


def test_the_ways_of_all_velocities():
    for velocity in product(range(-7, 8), repeat=2):
        number = max(map(abs, velocity))
        ways = [
            tuple(rounded(Fraction(k * speed, number)) for speed in velocity)
            for k in range(1, number + 1)
        ]
        assert list(passed(*velocity)) == ways
        back = [(-row, -column) for row, column in passed(*(-speed for speed in velocity))]
        assert back == ways
    # The example of the prompt.
    assert passed(1, 4) == ((0, 1), (1, 2), (1, 3), (1, 4))


@pytest.mark.parametrize("seed", range(30))
def test_tracks_lead_from_block_to_block(seed):
    rng = Random(seed)
    shape = Shape(3, 4, rng.randint(2, 9), rng.randint(2, 4), 0)
    track, (row, column) = winding_track(rng, shape)
    assert len(track) <= 3 * (shape.width + 1) + 1
    for line in (track[1], track[-2], "".join(row[1] for row in track),
                 "".join(row[-2] for row in track)):  # fmt: skip
        assert set(line) != {"#"}
    assert track[row][column] == "."
    assert "".join(track).count("F") == shape.width
    assert fastest(Racetrack(track), State(row, column, 0, 0, RACING), 100_000)
    assert set(track[0]) == set(track[-1]) == {"#"}


RULES = Racetrack(("######", "#..F.#", "#....#", "######"))


def test_the_finish_counts_before_a_crash():
    state = State(1, 1, 0, 3, RACING)
    assert RULES.apply(state, (0, 1)) == State(1, 3, 0, 4, FINISHED)
    low = State(2, 1, 0, 3, RACING)
    assert RULES.apply(low, (0, 1)) == State(2, 5, 0, 4, CRASHED)
    assert RULES.why_lost(RULES.apply(low, (0, 1))) == "the car left the track at row 3, column 6"
    assert RULES.apply(low, (0, 0)) == State(2, 4, 0, 3, RACING)
    assert RULES.distance(RULES.apply(low, (0, 1))) == float("inf")
    assert RULES.distance(RULES.apply(state, (0, 1))) == 0
    assert RULES.distance(state) == 2


def test_the_text_shows_the_car_and_its_velocity():
    text = RULES.show(State(2, 4, -1, 2, RACING))
    assert "3 # . . . C #" in text
    assert "The car is at r3c5. Its velocity is 1 up and 2 right." in text
    scene = RULES.scene(State(2, 4, 0, 2, RACING))
    assert scene.cells[2][4].text == "C"
    assert scene.lines[0].points == ((2, 2), (2, 4))
    assert [cell.text for cell in scene.cells[1]] == ["", "", "", "F", "", ""]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("up", (-1, 0)),
        ("Down.", (1, 0)),
        ("up left", (-1, -1)),
        ("left up", (-1, -1)),
        ("up-left", (-1, -1)),
        ("up and left", (-1, -1)),
        ("I accelerate up and to the right", (-1, 1)),
        ("**down right**", (1, 1)),
        ("down/right", (1, 1)),
        ("My move: down, right", (1, 1)),
        ("keep", (0, 0)),
        ("Keep the velocity!", (0, 0)),
        ("no change", (0, 0)),
        ("do nothing", (0, 0)),
        ("change nothing", (0, 0)),
        ("\u2197", (-1, 1)),
        ("\u2190", (0, -1)),
        ("go right by 1", (0, 1)),
        ("accelerate one to the left", (0, -1)),
    ],
)
def test_natural_moves_are_read(text, move):
    assert RULES.read(State(1, 1, 0, 0, RACING), text) == move


@pytest.mark.parametrize(
    "text",
    ["", "up down", "up up", "left right", "up left right", "up 2", "(1, -1)", "forward", "r1c2",
     "up or left", "not up", "north", "keep up", "slow down", "speed up",
     "up " * 20_000, "up, then left",
     "2 right"],
)  # fmt: skip
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match=r"expected one of up left, up|at most 200"):
        RULES.read(State(1, 1, 0, 0, RACING), text)
