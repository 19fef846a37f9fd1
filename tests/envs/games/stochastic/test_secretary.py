"""The secretary problem: published values, all orders of the candidates, readers."""

from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.stochastic.secretary import CONTINUE, Secretary, State, accepted
from palaestra.task import InvalidAnswer

FIRST = State(1, (1,), False, 0, 0)


@pytest.mark.parametrize(
    ("number", "chance"), [(3, Fraction(1, 2)), (4, Fraction(11, 24)), (5, Fraction(13, 30))]
)
def test_the_best_of_a_few_candidates(number, chance):
    """The probabilities of the classical problem (Gilbert and Mosteller 1966)."""
    rules = Secretary((1, *[0] * (number - 1)), 1, 0)
    assert Expectimax(rules).value(FIRST) == pytest.approx(float(chance))


def test_the_second_best_is_chosen_with_the_probability_of_the_postdoc_problem():
    """Vanderbei: n / (4 (n - 1)) for an even number of candidates."""
    for number in (4, 6, 8):
        rules = Secretary((0, 1, *[0] * (number - 2)), 1, 0)
        assert Expectimax(rules).value(FIRST) == pytest.approx(number / (4 * (number - 1)))


def observed(order, seen):
    """The relative ranks of the first candidates."""
    return tuple(sorted(order[:seen]).index(each) + 1 for each in order[:seen])


def independent(rules, seen, ranks):
    """The expectation by an enumeration of all orders that agree with what has been seen."""
    orders = [*permutations(range(1, len(rules.payoffs) + 1))]

    @cache
    def worth(history):
        here = [order for order in orders if observed(order, len(history)) == history]
        options = []
        for back in range(min(rules.window, len(history))):
            number = len(history) - 1 - back
            total = sum(rules.payoffs[order[number] - 1] for order in here)
            options.append(Fraction(total, len(here)) - rules.cost * len(history))
        if len(history) < len(rules.payoffs):
            after = [observed(order, len(history) + 1) for order in here]
            options.append(Fraction(sum(map(worth, after)), len(here)))
        return max(options)

    history = next(
        observed(order, seen) for order in orders if observed(order, seen)[-len(ranks) :] == ranks
    )
    return worth(history)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("level", [0, 1, 2])
def test_values_are_those_of_all_orders(seed, level):
    task = Address.of("games/secretary", seed, level).task()
    rules = task.rules()
    (start, _), *_ = task.starts()
    expected = independent(rules, start.seen, start.ranks)
    assert Expectimax(rules).value(start) == pytest.approx(float(expected))


def test_final_ranks_have_the_probabilities_behind_the_expectation():
    rules = Secretary((70, 100, 0, 30, 0, 5), 2, 3)
    for seen in range(1, 7):
        for rank in range(1, seen + 1):
            state = State(seen, (rank,), False, rank, 0)
            events = rules.chances(state)
            assert sum(chance for _, chance in events) == pytest.approx(1)
            mean = sum(chance * rules.payoffs[final - 1] for final, chance in events)
            assert mean == pytest.approx(accepted(rules.payoffs)[seen - 1][rank - 1])


def test_older_candidates_move_down_and_leave():
    rules = Secretary((100, 0, 0, 0, 0), 2, 0)
    state = rules.apply(rules.apply(State(2, (1, 2), False, 0, 0), CONTINUE), 1)
    assert state == State(3, (3, 1), False, 0, 0)
    assert list(rules.legal(state)) == [3, 2, CONTINUE]
    assert rules.apply(state, 2).chosen == 3


def test_the_last_candidate_cannot_be_passed():
    rules = Secretary((100, 0), 1, 0)
    assert list(rules.legal(State(2, (2,), False, 0, 0))) == [2]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("accept 3", 3),
        ("I accept candidate 2.", 2),
        ("Hire #3", 3),
        ("3", 3),
        ("candidate 2", 2),
        ("continue", CONTINUE),
        ("I'll continue!", CONTINUE),
        ("next candidate", CONTINUE),
        ("reject", CONTINUE),
    ],
)
def test_natural_moves_are_read(text, move):
    rules = Secretary((100, 0, 0, 0), 2, 0)
    assert rules.read(State(3, (1, 2), False, 0, 0), text) == move


@pytest.mark.parametrize("text", ["", "accept", "accept 1", "accept 4", "2 or 3", "not 3"])
def test_other_moves_are_refused(text):
    rules = Secretary((100, 0, 0, 0), 2, 0)
    with pytest.raises(InvalidAnswer, match="expected one of"):
        rules.read(State(3, (1, 2), False, 0, 0), text)


def test_a_single_candidate_needs_no_number():
    assert Secretary((100, 0, 0), 1, 0).read(State(2, (1,), False, 0, 0), "accept") == 2


def test_the_scene_shows_the_ranks():
    scene = Secretary((100, 0, 0, 0), 2, 0).scene(State(3, (1, 2), False, 0, 0))
    assert [[cell.text for cell in row] for row in scene.rows] == [["1", "3"], ["2", "3"]]
    assert scene.left == ("Candidate 2", "Candidate 3")
