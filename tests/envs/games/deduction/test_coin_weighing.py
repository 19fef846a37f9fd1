"""False coins: published numbers of weighings, a solution of its own with weights, the readers."""

from functools import cache
from itertools import combinations, permutations

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.games.deduction.coin_weighing import (
    CoinWeighing,
    Move,
    State,
    cents_of,
    name_of,
    split,
)
from palaestra.task import InvalidAnswer


def possibilities(coins, case):
    """The excess weight of each coin, for each possibility."""
    if case == "one":
        pairs = [{coin: weight} for coin in range(coins) for weight in (1, -1)]
    elif case == "two":
        pairs = [dict.fromkeys(pair, 1) for pair in combinations(range(coins), 2)]
    else:
        pairs = [{one: 1, other: -1} for one, other in permutations(range(coins), 2)]
    return frozenset(tuple(pair.get(coin, 0) for coin in range(coins)) for pair in pairs)


def weighings(coins, most):
    for number in range(1, most + 1):
        for left in combinations(range(coins), number):
            rest = [coin for coin in range(coins) if coin not in left]
            for right in combinations(rest, number):
                yield left, right


def result(fact, left, right):
    excess = sum(fact[coin] for coin in left) - sum(fact[coin] for coin in right)
    return (excess > 0) - (excess < 0)


def need_of(prices, most):
    """The cents that are needed for a set of possibilities, by trying everything."""
    every = [
        (left, right, sum(prices[coin] for coin in left + right))
        for left, right in weighings(len(prices), most)
        if left < right
    ]

    @cache
    def need(facts):
        if len(facts) == 1:
            return 0
        best = 10**6
        for left, right, cost in every:
            parts = [
                frozenset(fact for fact in facts if result(fact, left, right) == sign)
                for sign in (-1, 0, 1)
            ]
            if facts not in parts:
                best = min(best, cost + max(need(part) for part in parts if part))
        return best

    return need


@pytest.mark.parametrize(
    ("prices", "case", "most"),
    [
        ((3, 1, 4, 2), "one", 2),
        ((3, 1, 4, 2, 5), "one", 1),
        ((2, 7, 1, 8), "two", 2),
        ((3, 1, 4, 1), "mixed", 2),
        ((3, 1, 4, 1, 5), "mixed", 1),
        ((1, 1, 1, 1, 1), "two", 2),
    ],
)
def test_the_cents_are_what_the_best_strategy_needs(prices, case, most):
    rules = CoinWeighing(prices, case, most)
    facts = rules.possible(State((), 1, 0))
    every = possibilities(len(prices), case)
    assert facts.bit_count() == len(every)
    assert cents_of(rules, facts) == need_of(prices, most)(every)


@pytest.mark.parametrize("seed", range(2))
def test_the_cents_of_a_task_after_earlier_weighings(seed):
    task = Address.of("games/coin_weighing", seed, 3, coins=5, earlier=1).task()
    facts = possibilities(5, "mixed")
    log, cents, _ = task.start()
    for one, other, number in log:
        left, right = ([coin - 1 for coin in side] for side in (one, other))
        facts = {fact for fact in facts if result(fact, left, right) == (0, 1, -1)[number]}
    assert need_of(task.prices, task.side)(frozenset(facts)) == cents


@pytest.mark.parametrize(("coins", "number"), [(3, 2), (4, 3), (5, 3), (6, 3)])
def test_one_false_coin_takes_as_many_weighings_as_published(coins, number):
    """Up to (3**n - 3) / 2 coins take n weighings, where the type is to be stated as well (Freeman
    Dyson, "The problem of the pennies", 1946): 3 coins take 2, and 4 to 12 coins take 3.
    """
    assert weighing_number(coins, "one") == number


@pytest.mark.parametrize(("coins", "number"), [(3, 1), (4, 2), (5, 3), (6, 3)])
def test_two_heavy_coins_take_as_many_weighings_as_published(coins, number):
    """At most 3, 4 and 7 coins take 1, 2 and 3 weighings (Ratko Tosic, 1983)."""
    assert weighing_number(coins, "two") == number


def weighing_number(coins, case):
    """The number of weighings, by sets of possibilities."""
    every = [move for move in weighings(coins, coins // 2) if move[0] < move[1]]

    @cache
    def enough(facts, number):
        if len(facts) > 3**number:
            return False
        return len(facts) == 1 or any(
            all(not part or enough(part, number - 1) for part in parts) and facts not in parts
            for left, right in every
            for parts in [
                [
                    frozenset(fact for fact in facts if result(fact, left, right) == sign)
                    for sign in (-1, 0, 1)
                ]
            ]
        )

    facts = possibilities(coins, case)
    return next(number for number in range(9) if enough(facts, number))


RULES = CoinWeighing((2, 3, 4, 5, 6), "mixed", 2)
START = State((), 18, 0)


def test_results_are_those_of_weights():
    move = Move(True, (1, 2), (3, 4))
    parts = split(5, "mixed", move)
    names = [name_of(each) for each in RULES.statements()]
    balance = {name for n, name in enumerate(names) if parts[0] >> n & 1}
    assert balance == {
        "coin 1 is heavy and coin 2 is light", "coin 2 is heavy and coin 1 is light",
        "coin 3 is heavy and coin 4 is light", "coin 4 is heavy and coin 3 is light",
    }  # fmt: skip
    left = {name for n, name in enumerate(names) if parts[1] >> n & 1}
    assert "coin 1 is heavy and coin 3 is light" in left
    assert "coin 1 is heavy and coin 5 is light" in left
    assert "coin 5 is heavy and coin 4 is light" in left
    assert len(left) == 8
    after = RULES.answers(START, move)
    assert after["left heavier"] == State((((1, 2), (3, 4), 1),), 4, 0)


def test_a_statement_wins_if_and_only_if_nothing_else_is_possible():
    task = Address.of("games/coin_weighing", 0, 2).task()
    statement = name_of(task.rules().statements()[0])
    assert Episode(task, BARE, [statement]).score.value == 0
    *moves, last = task.solve()
    assert Episode(task, BARE, [*moves, last]).score.value == 1
    other = next(
        name_of(each) for each in task.rules().statements() if name_of(each) != last
    )  # fmt: skip
    assert Episode(task, BARE, [*moves, other]).score.value == 0


@pytest.mark.parametrize(
    "text",
    ["weigh 1 2 against 3 4", "Weigh 1, 2 against 3, 4.", "weigh 2 1 vs 4 3", "1 2 against 3 4",
     "#1 #2 vs #3 #4",
     "I weigh coins 1 and 2 against coins 3 and 4", "**weigh 1 2 against 3 4**", "1,2 | 3,4",
     "weigh coin 1 and coin 2 versus coin 3 and coin 4", "compare 1, 2 with 3, 4",
     "My move: weigh 1 2 against 3 4", "weigh 1+2 against 3+4", "weigh {1, 2} against {3, 4}",
     "left: 1 2 | right: 3 4", "I will weigh [1, 2] vs. [3, 4]!",
     "Put 1 and 2 on the left and 3 and 4 on the right.", "left: 1, 2, right: 3, 4",
     "put coins 3 and 4 on the right side and coins 1 and 2 on the left side"],
)  # fmt: skip
def test_natural_weighings_are_read(text):
    assert RULES.read(START, text) == Move(True, (1, 2), (3, 4))


@pytest.mark.parametrize(
    "text",
    ["coin 2 is heavy and coin 4 is light", "Coin 2 is heavier and coin 4 is lighter.",
     "2 is heavy and 4 is light", "coin 4 is light and coin 2 is heavy", "2 heavy, 4 light",
     "**Coin 2 is heavy, coin 4 is light**", "I state that coin 2 is heavy and coin 4 is light",
     "My answer: coin 2 is heavy and coin 4 is light", "coin 2: heavy, coin 4: light",
     "the heavy coin is 2 and the light coin is 4", "heavy: 2, light: 4"],
)  # fmt: skip
def test_natural_statements_are_read(text):
    assert RULES.read(START, text) == Move(False, (2,), (4,))


@pytest.mark.parametrize(
    "text", ["coins 2 and 4 are heavy", "coin 4 is heavy and coin 2 is heavy", "2 and 4 are heavy",
             "The false coins 2 and 4 are heavier.", "coins 4, 2 are both heavy"]
)  # fmt: skip
def test_two_heavy_coins_are_read(text):
    rules = CoinWeighing((2, 3, 4, 5), "two", 2)
    assert rules.read(START, text) == Move(False, (2, 4), ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected a weighing"),
        ("weigh 1 2", "expected a weighing"),
        ("weigh 1 against 2 against 3", "expected a weighing"),
        ("weigh 1 against 2, then 3 against 4", "expected a weighing"),
        ("weigh 1 against 2 or 3 against 4", "expected a weighing"),
        ("put 1 on the left and 2 on the right and 3", "expected a weighing"),
        ("put 1 on the left or 2 on the right", "expected a weighing"),
        ("put 1 on the left", "expected a weighing"),
        ("weigh 1 2 against 2 3", "twice"),
        ("weigh 1 2 against 3", "different numbers"),
        ("weigh 1 2 3 against 4 5 6", "no coin 6"),
        ("weigh 4 5 against 3 2 ", None),
        ("weigh 3 4 against 5 2", None),
        ("weigh 3 against 9", "no coin 9"),
        ("coin 2 is heavy", "expected a statement"),
        ("coin 2 is heavy or coin 3 is heavy", "expected a statement"),
        ("coin 2 is not heavy and coin 4 is light", "expected a statement"),
        ("coin 2 is heavy and coin 2 is light", "expected a statement"),
        ("coin 2 is heavy and coin 9 is light", "expected a statement"),
        ("is coin 2 heavy? coin 4 is light", "expected"),
        ("weigh 1 against " * 9_000, "at most 200"),
        ("coin 1 is heavy " * 12, "expected a statement"),
        ("coin 2 is heavy and 4", "expected a statement"),
        ("heavy", "expected a statement"),
    ],
)
def test_other_moves_are_refused(text, reason):
    if reason is None:
        assert RULES.read(START, text).is_weighing
        return
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(START, text)


def test_weighings_have_to_be_paid():
    with pytest.raises(InvalidAnswer, match="costs 11 cents, and you have 10"):
        RULES.read(State((), 10, 0), "weigh 4 against 5")
    names = {name_of(move) for move in RULES.legal(State((), 5, 0)) if move.is_weighing}
    assert names == {"weigh 1 against 2"}


def test_the_scene_shows_the_weighings():
    scene = RULES.scene(State((((1, 2), (3, 4), 1),), 4, 0))
    assert [[card.text for card in row] for row in scene.rows] == [
        ["1", "2"], ["3", "4"], ["1", "2", "3", "4", "5"],
    ]  # fmt: skip
    assert scene.labels == ("1 left (heavier)", "1 right", "All coins")
