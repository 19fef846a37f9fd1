"""Sealed bids: exact values against all bids of all rivals, theory, payments, readers."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.economics.sealed_bids import (
    ALL,
    FIRST,
    SECOND,
    SealedBids,
    State,
    highest,
)
from palaestra.task import InvalidAnswer

EVEN = (((0, 50), (4, 50)),)


def independent(rules, start):
    """The expected result by all bids of all rivals, from the last item on."""

    @cache
    def worth(number, budget):
        if number == len(start.items):
            return Fraction(0)
        value, form = start.items[number]
        options = []
        for bid in range(budget + 1):
            total = Fraction(0)
            for bids in product(*rules.rivals):
                chance = Fraction(1)
                for _, weight in bids:
                    chance *= Fraction(weight, 100)
                others = [each for each, _ in bids]
                wins = all(bid > each for each in others)
                price = max(others) if form == SECOND else bid
                paid = price if wins or form == ALL else 0
                gain = (value if wins else 0) - (paid if rules.keeps else 0)
                total += chance * (gain + worth(number + 1, budget - paid))
            options.append(total)
        return max(options)

    return worth(0, start.budget)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_values_are_those_of_an_independent_program(seed, level):
    task = Address.of("games/sealed_bids", seed, level).task()
    (start, _), *_ = task.starts()
    value = Expectimax(task.rules()).value(start)
    assert value == pytest.approx(float(independent(task.rules(), start)))


def test_the_value_is_a_best_bid_of_a_single_second_price_auction():
    """Vickrey (1961)."""
    rules = SealedBids((((1, 20), (3, 30), (5, 50)), ((0, 40), (4, 60))), True)
    for value in range(8):
        expectations = Expectimax(rules).expectations(State(((value, SECOND),), 9, -1, 0))
        assert expectations[value] == pytest.approx(max(expectations.values()))


def test_a_first_price_auction_worked_by_hand():
    """A bid of 1 wins 10 - 1 half of the time; a bid of 5 wins 10 - 5 always."""
    expectations = Expectimax(SealedBids(EVEN, True)).expectations(State(((10, FIRST),), 6, -1, 0))
    assert expectations == pytest.approx({0: 0, 1: 4.5, 2: 4, 3: 3.5, 4: 3, 5: 5, 6: 4})


def test_highest_bids_have_the_probabilities_of_all_combinations():
    rivals = (((0, 20), (2, 35), (5, 45)), ((1, 60), (2, 40)), ((0, 95), (6, 5)))
    odds = {}
    for bids in product(*rivals):
        top = max(bid for bid, _ in bids)
        chance = Fraction(1)
        for _, weight in bids:
            chance *= Fraction(weight, 100)
        odds[top] = odds.get(top, 0) + chance
    assert dict(highest(rivals)) == pytest.approx({bid: float(p) for bid, p in odds.items()})


@pytest.mark.parametrize(
    ("form", "rival", "budget", "result"),
    [
        (FIRST, 4, 2, 5),
        (SECOND, 4, 3, 6),
        (ALL, 4, 2, 5),
        (FIRST, 5, 7, 0),
        (SECOND, 6, 7, 0),
        (ALL, 6, 2, -5),
    ],
)
def test_payments(form, rival, budget, result):
    """A bid of 5 out of 7 for a value of 10."""
    rules = SealedBids(EVEN, True)
    state = rules.apply(rules.apply(State(((10, form),), 7, -1, 0), 5), rival)
    assert state == State((), budget, -1, result)


def test_money_that_is_worth_nothing_is_not_subtracted():
    rules = SealedBids(EVEN, False)
    state = rules.apply(rules.apply(State(((10, FIRST),), 7, -1, 0), 5), 4)
    assert state == State((), 2, -1, 10)


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("bid 3", 3),
        ("3", 3),
        ("I bid 4 coins.", 4),
        ("I'll bid 0", 0),
        ("**Bid: 2**", 2),
        ("My move is to bid 5", 5),
        ("pass", 0),
        ("offer 1", 1),
    ],
)
def test_natural_moves_are_read(text, bid):
    assert SealedBids(EVEN, True).read(State(((10, FIRST),), 5, -1, 0), text) == bid


@pytest.mark.parametrize("text", ["", "bid", "bid -1", "bid 6", "2.5", "bid 2 or 3", "not 3"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        SealedBids(EVEN, True).read(State(((10, FIRST),), 5, -1, 0), text)


def test_the_scene_is_the_list_of_items():
    scene = SealedBids(EVEN, True).scene(State(((10, FIRST), (7, ALL)), 5, -1, 0))
    shown = [[cell.text for cell in row] for row in scene.rows]
    assert shown == [["10", "first-price"], ["7", "all-pay"], ["5", ""]]
