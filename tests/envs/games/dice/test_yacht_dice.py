"""Yacht: scores, published probabilities, tables against plain expectimax, readers."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.dice.yacht_dice import (
    CATEGORIES,
    State,
    YachtDice,
    points,
    rolls,
    subsets,
    worth,
)
from palaestra.task import InvalidAnswer

NUMBER = {name: n for n, name in enumerate(CATEGORIES)}


@pytest.mark.parametrize(
    ("name", "dice", "expected"),
    [
        ("ones", (1, 1, 2, 3, 4), 2),
        ("sixes", (1, 2, 3, 4, 5), 0),
        ("full house", (2, 2, 2, 6, 6), 18),
        ("full house", (2, 2, 2, 2, 6), 0),
        ("full house", (4, 4, 4, 4, 4), 0),
        ("four of a kind", (3, 5, 5, 5, 5), 20),
        ("four of a kind", (5, 5, 5, 5, 5), 20),
        ("four of a kind", (3, 3, 5, 5, 5), 0),
        ("little straight", (1, 2, 3, 4, 5), 30),
        ("little straight", (2, 3, 4, 5, 6), 0),
        ("big straight", (2, 3, 4, 5, 6), 30),
        ("choice", (1, 2, 2, 5, 6), 16),
        ("yacht", (6, 6, 6, 6, 6), 50),
        ("yacht", (5, 6, 6, 6, 6), 0),
    ],
)
def test_scores(name, dice, expected):
    assert points(NUMBER[name], dice) == expected


@pytest.mark.parametrize("number", range(6))
def test_rolls_are_those_of_ordered_dice(number):
    counts = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=number))
    assert {dice: pytest.approx(n / 6**number) for dice, n in counts.items()} == dict(rolls(number))


def test_the_probability_of_a_yacht_in_three_rolls():
    """347,897 of 7,558,272, or 4.6029 % (Weisstein, MathWorld: Yahtzee)."""
    assert worth((NUMBER["yacht"],), 2) / 50 == pytest.approx(347_897 / 7_558_272)


def test_sixes_alone_in_three_rolls():
    """Each die is a six with probability 1 - (5/6)**3."""
    assert worth((NUMBER["sixes"],), 2) == pytest.approx(30 * (1 - (5 / 6) ** 3))


def test_choice_alone_is_three_rolls_of_each_die():
    """The best of up to three rolls of a die is 14/3."""
    assert worth((NUMBER["choice"],), 2) == pytest.approx(5 * 14 / 3)


class Plain(YachtDice):
    """The same rules without tables."""

    def solved(self, state):
        return None


@pytest.mark.parametrize("names", [("full house",), ("threes", "little straight")])
def test_tables_agree_with_plain_expectimax(names):
    some = tuple(sorted(NUMBER[name] for name in names))
    plain, rules = Expectimax(Plain(1), 100_000), Expectimax(YachtDice(1))
    start = State(some, 1, (), (), 0)
    assert plain.value(start) == pytest.approx(rules.value(start))
    rng = Random(1)
    for _ in range(5):
        dice = tuple(sorted(rng.choices(range(1, 7), k=5)))
        state = State(some, 1, dice, (), 0)
        assert plain.expectations(state) == pytest.approx(rules.expectations(state))


def test_sets_to_keep():
    assert subsets((1, 1, 2)) == [(), (1,), (1, 1), (1, 2), (2,)]
    assert len(subsets((1, 2, 3, 4, 5))) == 31


STATE = State((2, 6, 10), 2, (3, 3, 4, 5, 5), (), 0)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("keep 3 3", (3, 3)),
        ("keep 3, 3", (3, 3)),
        ("I keep 3 and 3.", (3, 3)),
        ("Keep the dice [5, 3, 5]", (3, 5, 5)),
        ("hold 4", (4,)),
        ("keep 3 5 5, reroll the rest", (3, 5, 5)),
        ("keep 3 3 and roll the others again", (3, 3)),
        ("I'd like to keep 3 3", (3, 3)),
        ("keep none", ()),
        ("reroll all", ()),
        ("Reroll all dice.", ()),
        ("reroll 4 5 5", (3, 3)),
        ("roll the 4", (3, 3, 5, 5)),
        ("score choice", 10),
        ("Choice", 10),
        ("score it as full house", 6),
        ("Score in the category threes", 2),
        ("**score** full house", 6),
    ],
)
def test_natural_moves_are_read(text, move):
    assert YachtDice(2).read(STATE, text) == move


@pytest.mark.parametrize(
    "text",
    ["", "keep", "keep 6", "keep 4 4", "keep 3 3 4 5 5", "score yacht", "score", "reroll 1",
     "reroll", "keep 3 3 or 5 5", "score choice or threes", "3 3", "keep 33"],
)  # fmt: skip
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        YachtDice(2).read(STATE, text)


def test_no_dice_are_kept_when_no_reroll_is_left():
    rules = YachtDice(2)
    state = STATE._replace(rerolls=0)
    assert rules.legal(state) == (2, 6, 10)
    after = rules.apply(state, 10)
    assert after == State((2, 6), 2, (), (), 20)


def test_every_legal_move_is_read_by_its_name():
    rules = YachtDice(2)
    for move in rules.legal(STATE):
        assert rules.read(STATE, rules.name(STATE, move)) == move


def test_the_scene_shows_the_dice_and_what_they_score():
    scene = Address.of("games/yacht_dice", 1, 2).task().rules().scene(STATE)
    dice, table = scene.scenes
    assert [card.text for card in dice.rows[0]] == ["3", "3", "4", "5", "5"]
    assert [cell.text for (cell,) in table.rows] == ["2", "0", "6", "0", "20"]
