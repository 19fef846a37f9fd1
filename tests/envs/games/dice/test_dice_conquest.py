"""Attacks by dice: published probabilities, an independent solution, readers."""

from fractions import Fraction
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.dice.dice_conquest import MOVING, STOP, DiceConquest, State, losses
from palaestra.task import InvalidAnswer

RULES = DiceConquest((5, 7), 2, ((0, 1, 4),))


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ((1, 1), {0: "15/36", 1: "21/36"}),
        ((1, 2), {0: "55/216", 1: "161/216"}),
        ((2, 1), {0: "125/216", 1: "91/216"}),
        ((2, 2), {0: "295/1296", 1: "420/1296", 2: "581/1296"}),
        ((3, 1), {0: "855/1296", 1: "441/1296"}),
        ((3, 2), {0: "2890/7776", 1: "2611/7776", 2: "2275/7776"}),
    ],
)
def test_the_probabilities_of_an_attack_are_the_published_ones(dice, expected):
    """Osborne, Markov Chains for the RISK Board Game Revisited (2003), table 2."""
    theirs = {lost: float(Fraction(share)) for lost, share in expected.items()}
    assert dict(losses(*dice)) == pytest.approx(theirs)


@pytest.mark.parametrize("seed", range(6))
def test_expectations_are_those_of_an_independent_solution(seed):
    task = Address.of("games/dice_conquest", seed, 2).task()

    @cache
    def best(camp, regions):
        together = sum(
            value for one, other, value in task.pairs if not regions[one] and not regions[other]
        )
        stop = task.soldier * camp + together
        stop += sum(value for value, left in zip(task.values, regions) if left == 0)
        return max([Fraction(stop), *(attack(camp, regions, n) for n in range(len(regions)))])

    def attack(camp, regions, n):
        if camp < 2 or not regions[n]:
            return Fraction(-1)
        mine, theirs = min(camp - 1, 3), min(regions[n], 2)
        total = Fraction(0)
        for lost, chance in losses(mine, theirs):
            left = regions[n] - (min(mine, theirs) - lost)
            moved = lost + (left == 0)
            after = (*regions[:n], left, *regions[n + 1 :])
            total += Fraction(chance).limit_denominator(10**5) * best(camp - moved, after)
        return total

    for start, _ in task.starts():
        value = task.solution(task.rules(), start).value(start)
        assert value == pytest.approx(float(best(start.soldiers, start.defenders)))


def test_a_conquest_takes_a_soldier_and_pays():
    after = RULES.apply(RULES.apply(State(4, (1, 2), MOVING), 0), 0)
    assert after == State(3, (0, 2), MOVING)
    assert RULES.payoff(after) == 5 + 6
    assert RULES.payoff(State(1, (0, 0), MOVING)) == 5 + 7 + 4 + 2
    assert not RULES.legal(State(1, (1, 1), MOVING))
    assert not RULES.legal(State(5, (0, 0), MOVING))
    assert not RULES.legal(RULES.apply(State(4, (1, 2), MOVING), STOP))


@pytest.mark.parametrize(
    ("text", "move"),
    [("attack B", 1), ("B", 1), ("I attack region B.", 1), ("Region A", 0), ("stop", STOP),
     ("I stop attacking", STOP), ("My move: attack A", 0)],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert RULES.read(State(4, (1, 2), MOVING), text) == move


@pytest.mark.parametrize("text", ["", "attack", "attack C", "attack A and B", "do not stop"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        RULES.read(State(4, (1, 2), MOVING), text)


def test_all_rounds_of_all_knobs_fit_into_one_solution():
    task_type = type(Address.of("games/dice_conquest").task())
    knobs = task_type.Knobs.at(0, soldiers=12, regions=4, defenders=4)
    states = (knobs.soldiers + 1) * (knobs.defenders + 1) ** knobs.regions * (knobs.regions + 2)
    assert states < task_type.most_states


def test_the_scene_shows_soldiers_and_regions():
    rows = RULES.scene(State(4, (0, 2), MOVING)).rows
    assert [[card.text for card in row] for row in rows] == [["4"], ["", "5"], ["2", "7"], ["4"]]
