"""Tests of programs/game_policy."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.programs.game_policy import played
from palaestra.generators.programs.game_policy import games as small_games
from palaestra.generators.programs.game_policy import rules as game_rules
from palaestra.generators.programs.game_policy import wording as game_words
from palaestra.generators.programs.game_policy.games import Table, Variant
from palaestra.verifiers.programs import game_policy
from palaestra.verifiers.sandbox import Limits, callees

SEEDS = st.integers(0, 10**6)


SAME = "class Same(int):\n    __eq__ = lambda s, o: True\n    __hash__ = int.__hash__\n"


def lost(family, rules, states, lasts=False):
    game = getattr(game_rules, family)(rules, lasts)
    return [state for state in states if not game.wins(state)]


def test_nim_is_lost_where_the_sum_without_carries_is_zero():
    all_of = (tuple(range(1, 8)),) * 3
    states = list(product(range(8), repeat=3))
    assert lost("Heaps", all_of, states) == [s for s in states if s[0] ^ s[1] ^ s[2] == 0]
    misere = [s for s in states if (s[0] ^ s[1] ^ s[2] == 0) == (max(s) > 1)]
    assert lost("Heaps", all_of, states, True) == misere


def test_wythoff_goes_by_the_golden_ratio():
    numbers = tuple(range(1, 16))
    pairs = [(int(n * 1.6180339887), int(n * 2.6180339887)) for n in range(6)]
    states = [(a, b) for a in range(14) for b in range(a, 14)]
    assert lost("Pairs", (numbers, numbers), states) == [p for p in pairs if p[1] < 14]
    queen = ((0, 1, 1, 0, 1, 1), (1,), ())
    assert lost("Tokens", queen, states) == [p for p in pairs if p[1] < 14]


def test_kayles_and_dawson():
    """Kayles on one row is always won, Dawson's Kayles is not (R. Guy and C. Smith, 1956)."""
    kayles = ((0, 1, 2), (0, 1, 2))
    assert lost("Pins", kayles, [(1,) * n for n in range(1, 15)]) == []
    dawson = ((), (0, 1, 2))
    rows = [(1,) * n for n in range(1, 17)]
    assert [len(row) for row in lost("Pins", dawson, rows)] == [1, 5, 9, 15]


def test_chomp():
    bar = ((99,), (0, 0))
    rows = [(a, b) for a in range(1, 9) for b in range(a + 1)]
    assert lost("Bites", bar, rows) == [(a, a - 1) for a in range(1, 9)]
    assert lost("Bites", bar, [(n, *(1,) * (n - 1)) for n in range(2, 5)]) == [
        (n, *(1,) * (n - 1)) for n in range(2, 5)
    ]


@settings(max_examples=60)
@given(SEEDS)
def test_coins_by_looking_at_every_line_of_play(seed):
    rules, top = small_games._coins(Random(seed), 2)
    variant = Variant("Coins", rules, bool(seed % 2), top)
    state = small_games.position(Random(seed), variant)

    def leads(mine, theirs, coins):
        """Whether the one whose turn it is wins, by brute force on both purses."""
        if not coins:
            return (mine > theirs) != variant.lasts
        ways = [(coins[:n], coins[n:]) for n in rules[0] if n <= len(coins)]
        ways += [(coins[-n:], coins[:-n]) for n in rules[1] if n <= len(coins)]
        return any(not leads(theirs, mine + sum(some), rest) for some, rest in ways)

    assert Table(variant).game.wins(state) == leads(state[0], 0, list(state[1:]))


def test_total_by_hand():
    rules = ((1, 2), (4,))
    game = game_rules.Total(rules, False)
    # After 1 + 2 the bound is 1 away, and 1 may follow 2; after 2 + 1 nobody may add another 1.
    assert game.options((3, 2)) == [(1,)]
    assert game.options((3, 1)) == []
    states = [(0, 0), (1, 1), (2, 2), (3, 1), (3, 2), (4, 1)]
    assert [state for state in states if game.wins(state)] == [(0, 0), (2, 2), (3, 2)]


def test_a_cell_that_two_steps_lead_to_is_one_move():
    steps = ((1, 1, 2, 2, 0, 3), (1,), ())
    moves = game_rules.Tokens(steps, False).options((4, 4))
    assert moves == [(0, 3, 3), (0, 2, 2), (0, 1, 1), (0, 0, 0), (0, 4, 1)]


def test_one_counter_is_no_counters():
    pairs = Variant("Pairs", ((2, 5), (1,)), False, (9, 9))
    assert "2 or 5 counters from one heap, or 1 counter from each" in game_words.as_text(pairs)
    coins = Variant("Coins", ((1,), (1, 3)), False, (6, 9))
    assert "exactly 1 coin from the left end or exactly 1 or 3 coins" in game_words.as_text(coins)


def test_there_are_many_small_games():
    forms = {
        small_games.random_game(Random(seed), 0, 1, lasts=False) for seed in range(1_000)
    }  # fmt: skip
    assert len(forms) > 850


NIM = Variant("Heaps", ((1, 2, 3),) * 2, False, (11, 11))
MIRROR = "def move(s):\n    d = (s[0] - s[1]) % 4\n    a, b = s[0] % 4, s[1] % 4\n"
PERFECT = MIRROR + "    return (0, a - b) if a > b else [1, b - a]"


def policy(source, seed=3, number=16):
    return played(source, NIM, seed, number)


def test_a_formula_is_as_good_as_a_table(jail):
    assert policy(PERFECT).value == 1


@pytest.mark.parametrize(
    "source",
    [
        "def move(s): return [0, 1]",
        "def move(s): return [0, 9]",
        "def move(s): return [False, True]",
        "def move(s): return '01'",
        "def move(s): return None",
        "def move(s): return 1 // 0",
        "def move(s): return [0, 1] * 10 ** 6",
        "import os\ndef move(s): os._exit(0)",
        "def move(s):\n    while True: pass",
        "class W(list):\n    __eq__ = lambda s, o: True\ndef move(s): return W([0, 1])",
        SAME + "def move(s): return [Same(0), Same(7)]",
        "def move(s):\n    s.clear()\n    return [0, 1]",
        "def move(s): return [0, 1] if s[0] else [1, 1]",
        "def move(s): return [0, min(3, s[0])] if s[0] else [1, min(3, s[1])]",
        "import random as r\ndef move(s): return [r.randrange(2), r.randint(1, 3)]",
    ],
)
def test_policies_without_skill(source, jail, monkeypatch):
    monkeypatch.setattr(game_policy, "LIMITS", Limits(cpu_s=0.2))
    result = policy(source)
    assert result.value < 0.13
    assert result.reason


PLAIN = """
from functools import lru_cache

FALLS = {falls}

def moves(row):
    for first in range(len(row)):
        for number, parts in enumerate(FALLS, 1):
            last = first + number
            if last <= len(row) and all(row[first:last]):
                left = any(row[max(0, first - 1):first]) + any(row[last:last + 1])
                if left in parts:
                    yield [first, number], row[:first] + (0,) * number + row[last:]

@lru_cache(None)
def wins(row):
    return {lasts} if not any(moves(row)) else any(not wins(left) for _, left in moves(row))

def move(state):
    return next(how for how, left in moves(tuple(state)) if not wins(left))
"""


@pytest.mark.parametrize("seed", [5, 41, 90])
def test_looking_at_every_row_of_pins_is_quick_enough(seed, jail):
    """A player who does not see that blocks may be exchanged has time at the highest level."""
    falls, top = small_games._pins(Random(seed), 6)
    variant = Variant("Pins", falls, bool(seed % 2), top)
    reply = PLAIN.format(falls=falls, lasts=variant.lasts)
    assert played(reply, variant, seed, 24).value == 1


def test_some_skill_earns_some(jail):
    half = PERFECT.replace("return", "if max(s) > 8: return 0, 1\n    return")
    result = policy(half, number=24)
    assert 0 < result.value < 1
    assert "game" in result.reason


def test_the_opponent_makes_no_mistakes_and_luck_is_rare():
    table, rng = Table(NIM), Random(0)
    for state in small_games.starts(NIM, 3, 16):
        assert table.victory(state, table.game.best)
        for plodder in small_games.plodders(table):
            assert not table.victory(state, plodder)
        losing = [m for m in table.options(state) if table.game.wins(table.game.after(state, m))]
        first = rng.choice(losing)
        assert not table.victory(
            state, lambda s, f=first, o=state: f if s == o else table.game.best(s)
        )
    assert small_games.luck(NIM, 3, 16) < 6


def test_the_chance_of_a_random_player_is_the_share_of_games_that_it_wins():
    table, rng = Table(NIM), Random(0)
    state = small_games.starts(NIM, 3, 1)[0]
    won = sum(table.victory(state, lambda s: rng.choice(table.options(s))) for _ in range(4_000))
    assert abs(won / 4_000 - table.chance(state)) < 0.04


def test_starts_leave_a_random_player_little_chance():
    most = 0.03
    begun = small_games.starts(NIM, 3, 16, most)
    assert 0 < small_games.luck(NIM, 3, 16, most) <= most * len(begun)
    assert small_games.luck(NIM, 3, 16) / 16 > most


def test_calls_one_by_one(jail):
    source = "n = 0\ndef f(x):\n    global n\n    n += x\n    return n\ndef g(): return f\n"
    with callees.called(source, game_policy.LIMITS) as callee:
        assert [callee("f", 2), callee("f", 3)] == [2, 5]
        with pytest.raises(callees.Fault) as fault:
            callee("f", "x")
        assert fault.value.class_name == "TypeError"
        with pytest.raises(callees.Fault):
            callee("g")
        with pytest.raises(callees.Fault):
            callee("h")
        assert callee("f", 1) == 6
    with callees.called("import os\ndef f(): os._exit(0)", game_policy.LIMITS) as callee:
        for _ in range(2):
            with pytest.raises(callees.Lost):
                callee("f")
