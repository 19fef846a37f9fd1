"""The bandit: exact expectations against an independent program, theory, readers."""

from fractions import Fraction
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.stochastic.bandit import Bandit, State, mean
from palaestra.task import InvalidAnswer


@cache
def worth(left, arms, cost=0, last=None):
    """The expected successes of the best play, less costs of changes; arms are pairs of a and b of
    beta distributions.
    """
    if not left:
        return Fraction(0)
    values = []
    for n, (a, b) in enumerate(arms):
        chance = Fraction(a, a + b)
        after = [
            worth(left - 1, (*arms[:n], pair, *arms[n + 1 :]), cost, n)
            for pair in ((a + 1, b), (a, b + 1))
        ]
        price = 0 if last is None or last == n else Fraction(cost, 100)
        values.append(chance * (1 + after[0]) + (1 - chance) * after[1] - price)
    return max(values)


@pytest.mark.parametrize("seed", range(8))
def test_values_are_those_of_an_independent_program(seed):
    for level in (1, 3):
        task = Address.of("games/bandit", seed, level).task()
        for state, _ in task.starts():
            arms = tuple((good + 1, bad + 1) for good, bad in state.arms)
            value = Expectimax(task.rules()).value(state)
            assert value == pytest.approx(float(worth(state.left, arms, task.cost)))


def test_two_new_arms_and_two_pulls():
    """Pull one; stay after a success (2/3), and switch after a failure (1/2): 1/2 + 7/12."""
    assert Expectimax(Bandit()).value(State(2, ((0, 0), (0, 0)), -1, 0)) == pytest.approx(13 / 12)


def test_the_last_pull_goes_to_the_greatest_probability():
    state = State(1, ((3, 2), (0, 0), (8, 6)), -1, 4)
    expectations = Expectimax(Bandit()).expectations(state)
    assert expectations == pytest.approx({n: 4 + mean(arm) for n, arm in enumerate(state.arms)})


def test_an_unknown_arm_is_worth_more_than_a_known_one_of_the_same_mean():
    expectations = Expectimax(Bandit()).expectations(State(4, ((0, 0), (4, 4)), -1, 0))
    assert expectations[0] > expectations[1]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("pull A", 0),
        ("Pull arm B.", 1),
        ("I'll pull the arm C", 2),
        ("b", 1),
        ("arm c", 2),
        ("play A", 0),
        ("My choice is arm B", 1),
        ("choose B", 1),
        ("I choose arm C", 2),
        ("select the arm A", 0),
    ],
)
def test_natural_moves_are_read(text, move):
    assert Bandit().read(State(3, ((0, 0),) * 3, -1, 0), text) == move


@pytest.mark.parametrize("text", ["", "pull", "pull D", "pull A and B", "not A", "1"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        Bandit().read(State(3, ((0, 0),) * 3, -1, 0), text)


def test_refusals_write_moves_as_the_prompt_does():
    with pytest.raises(InvalidAnswer, match="pull A, pull B, pull C"):
        Bandit().read(State(3, ((0, 0),) * 3, -1, 0), "pull Z")


def test_tallies_follow_the_results():
    rules = Bandit()
    state = rules.apply(State(2, ((0, 0), (1, 2)), -1, 0), 1)
    assert dict(rules.chances(state)) == {"success": 0.4, "failure": 0.6}
    assert rules.apply(state, "success") == State(1, ((0, 0), (2, 2)), -1, 1, 1)
    assert rules.apply(state, "failure") == State(1, ((0, 0), (1, 3)), -1, 0, 1)


def test_changes_have_a_cost():
    rules, state = Bandit(20), State(3, ((0, 0), (1, 1)), -1, 0)
    for move in (0, 1, 1):
        state = rules.apply(rules.apply(state, move), "success")
    assert (state.won, state.changes) == (3, 1)
    assert rules.payoff(state) == pytest.approx(2.8)
    assert "2.8 in all" in rules.end(state)
    assert "Arm pulled last: B" in rules.show(state)


def test_the_scene_is_the_table_of_tallies():
    scene = Bandit().scene(State(2, ((0, 0), (1, 2)), -1, 0))
    assert [[cell.text for cell in row] for row in scene.rows] == [["0", "0"], ["1", "2"]]
