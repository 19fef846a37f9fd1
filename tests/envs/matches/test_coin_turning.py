"""Coin-turning games, against plain search on sets of coins and published values."""

from functools import cache
from itertools import chain, combinations
from random import Random

import pytest

from palaestra.generators.matches.coin_turning import COINS, CoinTurning, State, nim_values
from palaestra.generators.matches.impartial import ImpartialSolver
from palaestra.task import InvalidAnswer

GAMES = [*COINS, "ruler"]


def sets(game, coins):
    """All sets of coins that a move of a game may turn, by its rule in words."""
    every = chain.from_iterable(combinations(coins, number) for number in range(1, len(coins) + 1))
    for each in every:
        if game == "ruler":
            fits = each == tuple(range(each[0], each[-1] + 1))
        else:
            fits = COINS[game][0] <= len(each) <= COINS[game][1]
        if fits:
            yield frozenset(each)


@cache
def wins(game, size, heads):
    after = (heads ^ turned for turned in sets(game, range(size)) if max(turned) in heads)
    return not all(wins(game, size, each) for each in after)


@pytest.mark.parametrize("game", GAMES)
def test_values_tell_who_wins(game):
    size = 7
    rules = CoinTurning(size, game)
    for bits in range(1 << size):
        heads = frozenset(coin for coin in range(size) if bits >> coin & 1)
        state = State(bits, 0)
        assert rules.wins(state) == wins(game, size, heads)
        legal = [turned for turned in sets(game, range(size)) if max(turned) in heads]
        assert {frozenset(move) for move in rules.legal(state)} == {*legal}
        assert rules.choices(state) == len(legal)
        assert rules.over(state) == (not legal)
        good = {turned for turned in legal if not wins(game, size, heads ^ turned)}
        assert {frozenset(move) for move in rules.winning(state)} == good


def test_published_values():
    """*Winning Ways*, chapter 14: turtles are Nim; the ruler's marks; odious numbers."""
    assert nim_values("turtles", 8) == (1, 2, 3, 4, 5, 6, 7, 8)
    assert nim_values("twins", 8) == (0, 1, 2, 3, 4, 5, 6, 7)
    assert nim_values("ruler", 16) == (1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1, 16)
    odious = [n for n in range(32) if n.bit_count() % 2]
    assert nim_values("mock turtles", 16) == (*odious,)
    assert nim_values("triplets", 18) == (0, 0, *odious)


def test_the_opponent_makes_the_most_of_a_mistake():
    rules = CoinTurning(8, "mock turtles")
    solver, rng = ImpartialSolver(rules), Random(1)
    for _ in range(30):
        state = State(rng.getrandbits(8), 0)
        bad = [m for m in rules.legal(state) if m not in rules.winning(state)]
        if not bad:
            continue
        lost = rules.apply(state, rng.choice(bad))
        replies = solver.best_moves(lost)
        assert all(not rules.wins(rules.apply(lost, reply)) for reply in replies)


RULES = CoinTurning(9, "mock turtles")
STATE = State(0b000010011, 0)  # heads on coins 1, 2 and 5


@pytest.mark.parametrize(
    "text",
    ["2, 3, 5", "5, 3, 2", "I turn coins 2, 3 and 5.", "2 3 5", "**2, 3, 5**", "My move: 2, 3, 5",
     "flip 2, 3, 5", "[2, 3, 5]", "coin 2, coin 3 and coin 5", "(2, 3, 5).", "Coins: 2, 3, 5"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.read(STATE, text) == (1, 2, 4)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "numbers"),
        ("4", "heads"),
        ("1, 2, 3", "heads"),
        ("1, 2, 3, 5", "together"),
        ("0, 5", "from 1 to 9"),
        ("5, 12", "from 1 to 9"),
        ("5, 5", "together"),
        ("5 or 2", "alternatives"),
        ("not 5", "numbers"),
        ("1. 2, 5", "numbers"),
        ("1) 2, 5", "numbers"),
        ("Move 1: 2, 5", "numbers"),
        ("2 coins: 1, 5", "numbers"),
        ("turn 2 coins", "numbers"),
        ("2, 5. 1", "numbers"),
        ("2, 3 then 5", "numbers"),
        ("2...5", "numbers"),
        ("2.5", "numbers"),
        ("7" * 5000, "at most"),
    ],
)
def test_other_moves_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(STATE, text)


def test_the_text_and_the_scene_show_the_coins():
    assert RULES.show(STATE) == "1 2 3 4 5 6 7 8 9\nH H T T H T T T T"
    scene = RULES.scene(STATE, None)
    assert "".join(card.text for group in scene.rows for card in group) == "HHTTHTTTT"
