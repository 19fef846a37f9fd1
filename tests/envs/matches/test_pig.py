"""Pig: the published solution, a solution of its own, and the readers of moves."""

import pytest

from palaestra.generators.matches.dice_match import WinChances
from palaestra.generators.matches.pig import HOLD, ROLL, Pig, State, pig_table
from palaestra.task import InvalidAnswer


def test_the_first_player_wins_with_the_published_probability():
    """Neller and Presser, Optimal Play of the Dice Game Pig (2004): 53.06 %."""
    assert pig_table(100, 6)[0, 0] == pytest.approx(0.5306, abs=5e-5)


def test_the_optimal_player_holds_at_21_without_any_points():
    search = WinChances(Pig(100))
    expectations = (search.expectations(State(0, 0, 0, total, 0)) for total in range(2, 60))
    holds = [total for total, each in enumerate(expectations, 2) if each[HOLD] > each[ROLL]]
    assert holds[0] == 21


@pytest.mark.parametrize(("goal", "faces"), [(12, 4), (15, 6)])
def test_chances_are_those_of_plain_value_iteration(goal, faces):
    chance = {
        (i, j, k): 0.5 for i in range(goal) for j in range(goal) for k in range(goal - i)
    }  # fmt: skip
    for _ in range(160):
        for i, j, k in [*chance]:
            rolled = 1 - chance[j, i, 0]
            for face in range(2, faces + 1):
                rolled += chance.get((i, j, k + face), 1.0)
            kept = 1 - chance[j, i + k, 0] if k else 0.0
            chance[i, j, k] = max(rolled / faces, kept)
    rules = Pig(goal, faces)
    for (i, j, k), expected in chance.items():
        state = State(i, j, 0, k, 1 if k == 0 else 0)
        assert rules.win_chance(state) == pytest.approx(expected, abs=1e-9)
        other = State(j, i, 1, k, 1 if k == 0 else 0)
        assert rules.win_chance(other) == pytest.approx(1 - expected, abs=1e-9)


def test_turns():
    rules = Pig(20)
    state = rules.apply(rules.start(), 5)
    assert state == State(0, 0, 0, 5, 0)
    assert rules.legal(state) == (ROLL, HOLD)
    assert rules.apply(state, HOLD) == State(5, 0, 1, 0, 1)
    rolling = rules.apply(state, ROLL)
    assert not rules.legal(rolling)
    assert sum(chance for _, chance in rules.chances(rolling)) == pytest.approx(1)
    assert rules.apply(rolling, 1) == State(0, 0, 1, 0, 1)
    assert rules.outcome(State(3, 15, 1, 5, 0)) == 0
    assert rules.outcome(State(15, 3, 0, 5, 0)) == 2
    assert rules.outcome(State(15, 3, 0, 4, 0)) is None


@pytest.mark.parametrize(
    ("text", "move"),
    [("roll", ROLL), ("I'll roll again.", ROLL), ("Hold!", HOLD), ("My move: **hold**", HOLD)],
)
def test_natural_moves_are_read(text, move):
    assert Pig(20).read(State(0, 0, 0, 5, 0), text) == move


@pytest.mark.parametrize("text", ["", "roll or hold", "don't hold", "5"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        Pig(20).read(State(0, 0, 0, 5, 0), text)
