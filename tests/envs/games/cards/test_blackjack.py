"""Blackjack: expectations by exact fractions over ordered cards, rules and readers."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.decisions import best_move
from palaestra.generators.games.cards.blackjack import (
    DEALER,
    DOUBLE,
    HIT,
    PLAYER,
    Blackjack,
    State,
    bust_chance,
    total,
)
from palaestra.generators.games.chance import Expectimax
from palaestra.task import InvalidAnswer


def worth(cards):
    """The best total of a list of names such as "A" and "10", by trying all values of aces."""
    sums = {0}
    for card in cards:
        sums = {s + v for s in sums for v in ((1, 11) if card == "A" else (int(card),))}
    good = [s for s in sums if s <= 21]
    return max(good) if good else min(sums)


def dealer(shoe, theirs, mine):
    if worth(theirs) > 21:
        return Fraction(1)
    if worth(theirs) >= 17:
        return Fraction((worth(theirs) < mine) - (worth(theirs) > mine))
    rest = ((card, shoe[:n] + shoe[n + 1 :]) for n, card in enumerate(shoe))
    return sum(dealer(left, [*theirs, card], mine) for card, left in rest) / len(shoe)


def player(shoe, mine, theirs, move, first=True):
    """The expectation of a move; every card of the shoe is a card of its own."""
    if move == "stand":
        return dealer(shoe, theirs, worth(mine))
    values = []
    for n, card in enumerate(shoe):
        left, hand = shoe[:n] + shoe[n + 1 :], [*mine, card]
        if worth(hand) > 21:
            value = Fraction(-1)
        elif move == "double" or worth(hand) == 21:
            value = dealer(left, theirs, worth(hand))
        else:
            value = max(player(left, hand, theirs, m, False) for m in ("hit", "stand"))
        values.append(value * (2 if move == "double" else 1))
    return sum(values) / len(shoe)


@pytest.mark.parametrize("seed", range(12))
def test_expectations_are_those_of_ordered_cards(seed):
    rng = Random(seed)
    ranks = rng.sample(range(1, 11), 4)
    cards = [rng.choice(ranks) for _ in range(6)] + [10, 9]
    hand = tuple(sorted(rng.sample(range(2, 10), 2)))
    state = State(tuple(map(cards.count, range(1, 11))), hand, (rng.randint(4, 10),), PLAYER, 1)
    names = {rank: "A" if rank == 1 else str(rank) for rank in range(1, 11)}
    texts = [[names[card] for card in each] for each in (cards, hand, state.dealer)]
    expectations = Expectimax(Blackjack(True)).expectations(state)
    for move, value in expectations.items():
        assert value == pytest.approx(float(player(*texts, move)))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [((1, 10), 21), ((1, 1), 12), ((1, 1, 10), 12), ((10, 9, 3), 22), ((1, 6, 10), 17)],
)
def test_totals(cards, expected):
    assert total(cards) == expected == worth(["A" if c == 1 else str(c) for c in cards])


def test_phases():
    rules = Blackjack(True)
    state = State((0, 0, 0, 0, 2, 0, 0, 0, 0, 3), (5, 6), (9,), PLAYER, 1)
    assert rules.legal(state) == ("hit", "stand", "double")
    assert rules.apply(state, "hit").phase == HIT
    after = rules.apply(rules.apply(state, "hit"), "5")
    assert (after.phase, after.hand) == (PLAYER, (5, 5, 6))
    assert rules.legal(after) == ("hit", "stand")
    doubled = rules.apply(state, "double")
    assert (doubled.phase, doubled.stake) == (DOUBLE, 2)
    won = rules.apply(doubled, "10")
    assert won.phase == DEALER, "21 stands"
    assert dict(rules.chances(won)) == {"5": 0.5, "10": 0.5}
    assert rules.payoff(rules.apply(won, "10")) == 2
    assert Blackjack(False).legal(state) == ("hit", "stand")


def test_a_bust_ends_the_hand_before_the_dealer_draws():
    rules = Blackjack(False)
    state = State((0, 0, 0, 0, 2, 0, 0, 0, 0, 3), (8, 9), (9,), HIT, 1)
    over = rules.apply(state, "10")
    assert not rules.legal(over)
    assert not rules.chances(over)
    assert rules.payoff(over) == -1


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("hit", "hit"),
        ("I'll hit.", "hit"),
        ("Hit me!", "hit"),
        ("take a card", "hit"),
        ("**Stand**", "stand"),
        ("I stand", "stand"),
        ("I would stay", "stand"),
        ("double down", "double"),
        ("My move is to double", "double"),
    ],
)
def test_natural_moves_are_read(text, move):
    state = State((0,) * 9 + (9,), (5, 6), (9,), PLAYER, 1)
    assert Blackjack(True).read(state, text) == move


@pytest.mark.parametrize(
    "text", ["", "hit or stand", "do not hit", "split", "hit stand", "h" * 199]
)
def test_other_moves_are_refused(text):
    state = State((0,) * 9 + (9,), (5, 6), (9,), PLAYER, 1)
    with pytest.raises(InvalidAnswer, match="expected one of"):
        Blackjack(True).read(state, text)


@pytest.mark.parametrize("level", [3, 4, 5])
def test_the_first_best_move_is_any_of_the_moves(level):
    """No move is the best first one in more than about half of the hands, and hits may bust."""
    firsts, risky = Counter(), 0
    for seed in range(10):
        task = Address.of("games/blackjack", seed, level).task()
        rules = task.rules()
        for start, _ in task.starts():
            best = best_move(task.solution(rules, start).expectations(start))
            firsts[best] += 1
            risky += best == "hit" and bust_chance(start) > 0
    assert firsts.keys() == {"hit", "stand", "double"}
    assert max(firsts.values()) < 0.6 * firsts.total()
    assert risky > 0.4 * firsts["hit"]


@pytest.mark.parametrize("level", range(6))
def test_the_shoe_never_runs_out(level):
    for seed in range(20):
        task = Address.of("games/blackjack", seed, level).task()
        for state, _ in task.starts():
            pips = sum(rank * count for rank, count in enumerate(state.shoe, 1))
            assert pips + sum(state.hand) + sum(state.dealer) >= 40


def test_the_scene_shows_the_cards_and_hides_that_of_the_dealer():
    state = State((2, 0, 0, 0, 0, 0, 0, 0, 0, 1), (1, 7), (9,), PLAYER, 1)
    scene = Blackjack(True).scene(state)
    texts = [[card.text for card in row] for row in scene.rows]
    assert texts == [["9", "?"], ["A", "7"], ["A", "A", "10"]]
    assert scene.labels == ("Dealer", "You", "Unseen")
