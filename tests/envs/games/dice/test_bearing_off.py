"""Bearing off: published probabilities, a solution of its own, and the readers of moves."""

from fractions import Fraction
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.dice.bearing_off import BearingOff, State, rolls
from palaestra.task import InvalidAnswer

RULES = BearingOff()


def position(*points):
    return tuple(points.count(n) for n in range(1, 7))


@pytest.mark.parametrize(
    ("points", "rolls_of_36"),
    [
        ((1,), 36), ((3,), 36), ((4,), 34), ((5,), 31), ((6,), 27),
        ((1, 1), 36), ((2, 1), 36), ((2, 2), 26), ((3, 1), 34), ((3, 2), 25), ((3, 3), 17),
        ((4, 1), 29), ((4, 2), 23), ((4, 3), 17), ((4, 4), 11), ((5, 1), 23), ((5, 2), 19),
        ((5, 3), 14), ((5, 4), 10), ((5, 5), 6), ((6, 1), 15), ((6, 2), 13), ((6, 3), 10),
        ((6, 4), 8), ((6, 5), 6), ((6, 6), 4),
    ],
)  # fmt: skip
def test_the_chances_of_one_roll_are_the_published_ones(points, rolls_of_36):
    """The table of every textbook, such as Bill Robertie, Backgammon for Winners (1993)."""
    value = Expectimax(RULES).value(State(position(*points), 1, ()))
    assert value == pytest.approx(rolls_of_36 / 36)


def positions_after(men, dice):
    """Sorted points of men after all dice, in any order; ``men`` is a sorted tuple of points."""
    if not dice or not men:
        return {men}
    results = set()
    for n, die in enumerate(dice):
        rest = dice[:n] + dice[n + 1 :]
        for point in {*men}:
            if point > die:
                new = point - die
            elif point == die or point == men[-1]:
                new = 0
            else:
                continue
            others = list(men)
            others.remove(point)
            results |= positions_after(tuple(sorted([*others, new] if new else others)), rest)
    return results


@pytest.mark.parametrize("seed", range(8))
def test_expectations_are_those_of_an_independent_solution(seed):
    task = Address.of("games/bearing_off", seed, 2).task()

    @cache
    def success(men, left):
        if not men or not left:
            return Fraction(not men)
        total = Fraction(0)
        for one in range(1, 7):
            for other in range(1, 7):
                dice = (one, other) if one != other else (one,) * 4
                total += max(success(after, left - 1) for after in positions_after(men, dice))
        return total / 36

    for start, _ in task.starts():
        points = tuple(n for n, number in enumerate(start.men, 1) for _ in range(number))
        mine = max(success(after, start.rolls) for after in positions_after(points, start.dice))
        assert task.solution(task.rules(), start).value(start) == pytest.approx(float(mine))
        legal = {position(*after) for after in positions_after(points, start.dice)}
        assert {*task.rules().legal(start)} == legal


def test_the_probabilities_of_rolls():
    assert sum(chance for _, chance in rolls()) == pytest.approx(1)
    assert dict(rolls())[2, 1] == pytest.approx(2 / 36)
    assert dict(rolls())[3, 3, 3, 3] == pytest.approx(1 / 36)


@pytest.mark.parametrize(
    "text",
    ["4/2 3/off", "3/off 4/2", "4/2, 3/off", "I play 4/2 and 3/off.", "4-2 3-off", "4/2 3/0",
     "move 4 to 2 and 3 to off", "4 / 2, 3 / off", "4/2; then bear 3/off"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    state = State(position(3, 4, 4), 1, (3, 2))
    assert RULES.read(state, text) == position(2, 4)


def test_other_ways_to_the_same_position_are_read():
    state = State(position(6, 6), 1, (2, 1))
    assert RULES.name(state, position(3, 6)) in {"6/4 4/3", "6/5 5/3"}
    assert RULES.read(state, "6/5 5/3") == RULES.read(state, "6/4 4/3") == position(3, 6)
    doubles = State(position(4, 4, 4, 4), 1, (1,) * 4)
    assert RULES.read(doubles, "4/3(4)") == RULES.read(doubles, "4/3 x4") == position(3, 3, 3, 3)


def test_the_last_man_needs_no_more_dice():
    assert RULES.read(State(position(1), 1, (6, 5)), "1/off") == position()


@pytest.mark.parametrize(
    "text",
    ["", "4/2", "4/1 4/3", "5/3 3/off", "4/2 3/off 4/off", "4/2 or 3/off", "4/2 3/off " * 40],
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(position(3, 4, 4), 1, (3, 2)), text)


def test_the_scene_shows_men_dice_and_rolls():
    scene = RULES.scene(State(position(3, 4, 4), 1, (3, 2)))
    stacks, numbers = scene.scenes
    assert [len(stack) for stack in stacks.stacks] == [0, 0, 1, 2, 0, 0]
    assert [[card.text for card in row] for row in numbers.rows] == [["3", "2"], ["1"]]
