"""Dividing goods, against an enumeration with fractions over lists of types."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.economics.goods_division import (
    ASK,
    NOTHING,
    GoodsDivision,
    State,
    bundles,
)
from palaestra.task import InvalidAnswer

RULES = GoodsDivision(("books", "hats"), ((5, 1), (1, 5)), (60, 40), 2)
START = State((2, 1), (3, 4), 0, 3, NOTHING, 0)


def worth(values, pieces):
    return sum(a * b for a, b in zip(values, pieces))


def expectation(rules, counts, mine, number, types):
    """What an ideal player expects before a round, over a list of types."""
    if number == len(rules.wants) or not types:
        return Fraction(0)
    later = lambda left: expectation(rules, counts, mine, number + 1, left)  # noqa: E731
    best = Fraction(0)
    for kept in product(*(range(count + 1) for count in counts)):
        yes, no = [], []
        for values in types:
            rest = worth(values, counts) - worth(values, kept)
            accepts = Fraction(rest, worth(values, counts)) >= Fraction(rules.wants[number], 100)
            (yes if accepts else no).append(values)
        now = max(0, worth(mine, kept) - rules.cost * number)
        best = max(best, (now * len(yes) + later(no) * len(no)) / Fraction(len(types)))
    if number + 1 < len(rules.wants):
        answers = defaultdict(list)
        for values in types:
            answers[values.index(max(values))].append(values)
        later_on = sum(later(left) * len(left) for left in answers.values())
        best = max(best, later_on / Fraction(len(types)))
    return best


@pytest.mark.parametrize("seed", range(25))
def test_expectations_are_those_of_an_enumeration(seed):
    task = Address.of("games/goods_division", seed, seed % 4).task()
    rules = task.rules()
    for start, _ in task.starts():
        kinds = list(rules.values)
        known = expectation(rules, start.counts, start.mine, 0, kinds)
        assert Expectimax(rules).value(start) == pytest.approx(float(known))


@pytest.mark.parametrize("seed", range(10))
def test_the_solution_agrees_with_plain_expectimax(seed):
    class Searched(GoodsDivision):
        def solved(self, state):
            return None

    task = Address.of("games/goods_division", seed, seed % 3).task()
    known = task.rules()
    plain = Searched(known.goods, known.values, known.wants, known.cost)
    for start, _ in task.starts():
        theirs = Expectimax(plain).expectations(start)
        assert task.solution(known, start).expectations(start) == pytest.approx(theirs)


def test_a_small_negotiation_by_hand():
    """A type that values books at 5 wants 6.6 of 11 points: both books, or a book and the hat."""
    propose = START._replace(pending=bundles(START.counts).index((1, 0)))
    assert dict(RULES.chances(propose)) == {-4: 0.5, -3: 0.5}  # the others want 4.2 of 7
    refused = RULES.apply(propose, -4)
    assert (refused.round, RULES.possible(refused)) == (1, [0])
    accepted = RULES.apply(propose, -3)
    assert (RULES.payoff(accepted), RULES.legal(accepted)) == (3, ())
    question = START._replace(pending=ASK)
    assert RULES.chances(question) == [(0, 0.5), (1, 0.5)]
    assert RULES.possible(RULES.apply(question, 1)) == [1]


def test_rounds_cost_points_but_not_below_zero():
    late = START._replace(round=1, pending=bundles(START.counts).index((1, 0)))
    assert RULES.payoff(RULES.apply(late, -3)) == 1
    nothing = late._replace(pending=bundles(START.counts).index((0, 0)))
    assert RULES.payoff(RULES.apply(nothing, -3)) == 0


def test_the_last_round_has_no_question_and_no_further_one():
    last = START._replace(round=1)
    assert ASK not in RULES.legal(last)
    over = RULES.apply(last._replace(pending=5), -4)
    assert (RULES.legal(over), RULES.chances(over), RULES.payoff(over)) == ((), (), 0)


@pytest.mark.parametrize(
    "text",
    [
        "keep 1 books, 0 hats", "Keep 1 book, 0 hats.", "1, 0", "1 0", "keep 0 hats and 1 book",
        "I'll keep 1 book and no hats", "**keep 1 books, 0 hats**", "My move: keep 1 books, 0 hats",
        "I propose to keep 1 books, 0 hats",
    ],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.name(START, RULES.read(START, text)) == "keep 1 book, 0 hats"


@pytest.mark.parametrize("text", ["ask", "I ask.", "Ask what it wants most"])
def test_questions_are_read(text):
    assert RULES.read(START, text) == ASK


@pytest.mark.parametrize(
    "text",
    ["", "keep 3 books, 0 hats", "keep 1 book", "1, 0, 1", "keep 1 books, 1 drums", "accept",
     "keep 1 books, 0 hats or ask", "do not keep 1 books, 0 hats", "1 book 1 book", "9" * 5000],
)  # fmt: skip
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(START, text)


def test_no_question_is_read_in_the_last_round():
    with pytest.raises(InvalidAnswer):
        RULES.read(START._replace(round=1), "ask")


def test_each_type_is_equally_frequent():
    """Refusals over many seeds are as frequent as the types that refuse."""
    rng, propose = Random(1), START._replace(pending=bundles(START.counts).index((1, 0)))
    task = Address.of("games/goods_division", 1, 0).task()
    events = [task.event(RULES, propose, str(rng.random())) for _ in range(400)]
    assert 150 < events.count(-3) < 250


def test_the_scene_shows_what_is_possible():
    scene = RULES.scene(START._replace(types=1))
    assert [row[0].fill for row in scene.scenes[0].rows] == ["paper", "paper", "t2", "shade"]
