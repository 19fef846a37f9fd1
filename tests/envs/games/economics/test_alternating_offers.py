"""Alternating offers, against backward induction of its own, and the readers of moves."""

from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.generators.games.economics.alternating_offers import (
    ACCEPT,
    NO,
    NOTHING,
    YES,
    AlternatingOffers,
    State,
)
from palaestra.task import InvalidAnswer

RULES = AlternatingOffers((100, 90), (30, 50, 70), (90, 50, 10), (60, 30, 10))


@pytest.mark.parametrize("seed", range(6))
def test_expectations_are_those_of_backward_induction(seed):
    task = Address.of("games/alternating_offers", seed, 2).task()
    later, worth = Fraction(0), []
    for total in reversed(task.sums):
        coins = [total * share // 100 for share in task.steps]
        demands = [
            Fraction(p, 100) * c + Fraction(100 - p, 100) * later
            for p, c in zip(task.accepts, coins)
        ]
        last = not worth
        named = {} if last else {f"demand {c}": d for c, d in zip(coins, demands)}
        moves = [{"accept": Fraction(offer)} | named for offer in coins]
        worth.insert(0, moves)
        later = sum(Fraction(p, 100) * max(each.values()) for p, each in zip(task.offers, moves))
    rules = task.rules()
    for start, _ in task.starts():
        theirs = task.solution(rules, start).expectations(start)
        mine = {name: float(value) for name, value in worth[start.round][start.offer].items()}
        assert {rules.name(start, move): e for move, e in theirs.items()} == pytest.approx(mine)


def test_a_negotiation():
    start = State(0, 0, NOTHING, NOTHING)
    assert [RULES.name(start, move) for move in RULES.legal(start)] == [
        "demand 30", "demand 50", "demand 70", "accept",
    ]  # fmt: skip
    assert RULES.payoff(RULES.apply(start, ACCEPT)) == 30
    demanded = RULES.apply(start, 1)
    assert RULES.chances(demanded) == [(YES, 0.5), (NO, 0.5)]
    assert RULES.payoff(RULES.apply(demanded, YES)) == 50
    refused = RULES.apply(demanded, NO)
    assert dict(RULES.chances(refused)) == {0: 0.6, 1: 0.3, 2: 0.1}
    last = RULES.apply(refused, 1)
    assert RULES.legal(last) == [ACCEPT]
    assert RULES.payoff(RULES.apply(last, ACCEPT)) == 45
    assert not RULES.legal(RULES.apply(last, ACCEPT))


def test_shares_of_a_round_differ_at_all_knobs():
    knobs = type(Address.of("games/alternating_offers").task()).Knobs
    for seed in range(20):
        address = Address.of("games/alternating_offers", seed, 5, turns=8, shares=9)
        task = address.task()
        rules = task.rules()
        for number in range(len(task.sums)):
            assert len({rules.coins(number, n) for n in range(9)}) == 9
    assert knobs.at(0).rounds > 1


@pytest.mark.parametrize(
    ("text", "move"),
    [("accept", ACCEPT), ("I accept the offer.", ACCEPT), ("Deal!", ACCEPT), ("demand 50", 1),
     ("I demand 70 coins", 2), ("50", 1), ("keep 30 for myself", 0), ("accept 30", ACCEPT),
     ("I accept the offer of 30 coins.", ACCEPT), ("demand 70%", 2),
     ("demand 50% of the coins", 1)],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    assert RULES.read(State(0, 0, NOTHING, NOTHING), text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "demand",
        "demand 40",
        "demand 50 or 70",
        "no",
        "-50",
        "accept 50",
        "take 30",
        "demand 60%",
    ],
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State(0, 0, NOTHING, NOTHING), text)


def test_all_rounds_of_all_knobs_fit_into_one_solution():
    task_type = type(Address.of("games/alternating_offers").task())
    knobs = task_type.Knobs.at(0, turns=8, shares=9)
    assert knobs.turns * (2 * knobs.shares + 2) + knobs.turns * knobs.shares < task_type.most_states


def test_the_scene_shows_sums_offer_and_probabilities():
    cards, table = RULES.scene(State(1, 2, NOTHING, NOTHING)).scenes
    assert [[card.text for card in row] for row in cards.rows] == [["100", "90"], ["63"]]
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["27", "30%", "90%", "60%"], ["45", "50%", "50%", "30%"], ["63", "70%", "10%", "10%"],
    ]  # fmt: skip
