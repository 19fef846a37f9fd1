"""The press-your-luck dice game: published figures of pig, an independent solution, readers."""

from fractions import Fraction
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.dice.press_your_luck import HOLD, PressYourLuck, State
from palaestra.task import InvalidAnswer

PIG = PressYourLuck(((0, 2, 3, 4, 5, 6),))


def test_a_turn_that_holds_at_20_ends_as_neller_and_presser_state():
    """Optimal Play of the Dice Game Pig (2004), table 1."""
    ends, running = {}, {State(1, 100, 0, -1): 1.0}
    while running:
        state, chance = running.popitem()
        move = HOLD if state.points >= 20 else 0
        after = PIG.apply(state, move)
        if move == HOLD:
            ends[100 - after.missing] = ends.get(100 - after.missing, 0) + chance
            continue
        for face, share in PIG.chances(after):
            then = PIG.apply(after, face)
            if face == 0:
                ends[0] = ends.get(0, 0) + chance * share
            else:
                running[then] = running.get(then, 0) + chance * share
    published = {0: 0.6245, 20: 0.0997, 21: 0.0950, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}
    assert ends == pytest.approx(published, abs=5.1e-5)


def test_the_rule_of_thumb_for_pig_holds_at_20():
    thumb = PIG.thumbs()["most points on average"]
    assert [thumb(State(3, 90, points, -1), None) for points in (19, 20)] == [0, HOLD]


@pytest.mark.parametrize("seed", range(6))
def test_probabilities_are_those_of_an_independent_solution(seed):
    task = Address.of("games/press_your_luck", seed, 1).task()
    dice = task.dice

    @cache
    def wins(turns, banked, turn, target):
        if banked + turn >= target:
            return Fraction(1)
        if turns == 0:
            return Fraction(0)
        options = [wins(turns - 1, banked + turn, 0, target)] if turn else []
        for die in dice:
            after = [
                wins(turns, banked, turn + face, target)
                if face
                else wins(turns - 1, banked, 0, target)
                for face in die
            ]
            options.append(sum(after) / len(die))
        return max(options)

    (start, _), *_ = task.starts()
    value = Expectimax(PressYourLuck(dice)).value(start)
    assert value == pytest.approx(float(wins(start.turns, 0, start.points, start.missing)))


def test_a_win_ends_the_round():
    state = PIG.apply(PIG.apply(State(2, 8, 5, -1), 0), 3)
    assert not PIG.legal(state)
    assert not PIG.chances(state)
    assert PIG.payoff(state) == 1
    assert PIG.payoff(PIG.apply(State(1, 8, 5, -1), HOLD)) == 0


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("roll A", 0),
        ("roll die B", 1),
        ("I'll roll b.", 1),
        ("Die A", 0),
        ("throw die B", 1),
        ("hold", HOLD),
        ("I hold", HOLD),
        ("stop", HOLD),
        ("**Bank**", HOLD),
    ],
)
def test_natural_moves_are_read(text, move):
    rules = PressYourLuck(((0, 1), (0, 2)))
    assert rules.read(State(2, 9, 3, -1), text) == move


@pytest.mark.parametrize(
    "text", ["", "roll", "roll C", "roll A and B", "roll A or hold", "do hold"]
)
def test_other_moves_are_refused(text):
    rules = PressYourLuck(((0, 1), (0, 2)))
    with pytest.raises(InvalidAnswer, match="expected one of"):
        rules.read(State(2, 9, 3, -1), text)


def test_a_single_die_needs_no_letter_and_a_turn_without_points_cannot_be_held():
    assert PIG.read(State(2, 9, 0, -1), "roll") == 0
    assert PIG.legal(State(2, 9, 0, -1)) == (0,)
    with pytest.raises(InvalidAnswer):
        PIG.read(State(2, 9, 0, -1), "hold")


def test_all_rounds_of_all_knobs_fit_into_one_solution():
    task_type = type(Address.of("games/press_your_luck").task())
    knobs = task_type.Knobs.at(0, turns=6, missing=50, dice=5)
    states = knobs.turns * (knobs.missing + 1) ** 2 * (knobs.dice + 1)
    assert states < task_type.most_states


def test_the_scene_shows_the_numbers_and_the_dice():
    scene = PIG.scene(State(2, 9, 3, -1))
    assert [[card.text for card in row] for row in scene.rows] == [
        ["9"], ["3"], ["2"], ["X", "2", "3", "4", "5", "6"],
    ]  # fmt: skip
