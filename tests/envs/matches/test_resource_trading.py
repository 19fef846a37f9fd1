"""Resource trading: a search of its own, the rules, the policy of the opponent and the reader."""

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.generators.matches.resource_trading import (
    ACCEPT,
    PASS,
    Deal,
    Negotiations,
    Prospects,
    ResourceTrading,
    State,
    offers,
    raises,
    traded,
    worth,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.resource_trading import trade_move

NAME = "matches/resource_trading"
GOODS = ("ore", "wood", "wool")
RULES = ResourceTrading(GOODS, 2)


def swaps(mine, theirs, most):
    """All offers as dictionaries of changes for who makes them."""
    size = range(len(mine))
    for one in size:
        for other in size:
            for give in range(1, most + 1):
                for get in range(1, most + 1):
                    if one != other and give <= mine[one] and get <= theirs[other]:
                        yield {one: -give, other: get}, (give, one, get, other)


def ideal(mine, theirs, values, types, left, most, margin):  # noqa: PLR0917
    """The expectation of each first move, by plain expectimax over lists of types."""
    after_pass = Fraction(0)
    if left > 1:
        after_pass = max(ideal(mine, theirs, values, types, left - 1, most, margin).values())
    expected = {PASS: after_pass}
    for change, move in swaps(mine, theirs, most):
        total = Fraction(0)
        # What raises the value of the other player's pieces takes from what it gives.
        yes = [t for t in types if -sum(n * t[g] for g, n in change.items()) >= margin]
        no = [t for t in types if t not in yes]
        if yes:
            own = tuple(n + change.get(g, 0) for g, n in enumerate(mine))
            other = tuple(n - change.get(g, 0) for g, n in enumerate(theirs))
            gain = sum(n * values[g] for g, n in change.items())
            later = 0
            if left > 1:
                later = max(ideal(own, other, values, yes, left - 1, most, margin).values())
            total += Fraction(len(yes), len(types)) * (gain + later)
        if no and left > 1:
            later = max(ideal(mine, theirs, values, no, left - 1, most, margin).values())
            total += Fraction(len(no), len(types)) * later
        expected[move] = total
    return expected


@pytest.mark.parametrize(
    ("size", "left", "most", "deals"), [(2, 3, 2, 6), (3, 1, 3, 8), (3, 2, 1, 6), (3, 2, 2, 3)]
)
def test_expectations_are_those_of_a_plain_search(size, left, most, deals):
    for seed in range(deals):
        rng = Random(seed)
        values = tuple(rng.sample(range(1, 10), size))
        mine, theirs = (tuple(rng.randint(0, 3) for _ in values) for _ in range(2))
        margin = rng.randint(1, 3)
        totals = tuple(a + b for a, b in zip(mine, theirs))
        known = Prospects(values, most, margin, totals)
        types = [*permutations(values)]
        expected = ideal(mine, theirs, values, types, left, most, margin)
        computed = known.expectations(known.all, mine, left)
        assert computed == pytest.approx({move: float(e) for move, e in expected.items()})
        assert known.best(known.all, mine, left) == max(expected.values()) * len(types)


@pytest.mark.parametrize("level", range(6))
def test_the_mean_gain_over_all_orders_is_the_expectation(level):
    """The ideal player of a task meets every order of the other player's values once."""
    task = Address.of(NAME, 5, level).task()
    rules, deal = task.rules(), task.deals[0]
    session = task._negotiations([deal], [0])
    if task.seat == 1:
        session.move(PASS)
    expected = max(task.expectations(session).values())
    gains = []
    for order in permutations(sorted(deal.values)):
        session = task._negotiations([deal], [0])
        session.values = [(deal.values, order) if task.seat == 0 else (order, deal.values)]
        for _ in task._ideal(session):
            pass
        gains.append(session.gains[task.seat])
    assert sum(gains) / len(gains) == pytest.approx(expected)
    assert expected > 0
    assert rules.most == task.most


def test_orders_of_the_other_player_are_equally_likely():
    deal = Deal((1, 1, 1), (1, 1, 1), (2, 5, 7))
    orders = [Negotiations(RULES, [deal], 4, 0, (seed,)).values[0][1] for seed in range(3_000)]
    for order in permutations((2, 5, 7)):
        assert 400 < orders.count(order) < 600


def test_a_trade_changes_hands_once():
    state = State((3, 0, 1), (1, 2, 0), 0, 4, ())
    assert RULES.legal(state)[0] == PASS
    assert ACCEPT not in RULES.legal(state)
    state = RULES.apply(state, (2, 0, 1, 1))
    assert RULES.offer(state) == (2, 0, 1, 1)
    accepted = RULES.apply(state, ACCEPT)
    assert accepted[:2] == ((1, 1, 1), (3, 1, 0))
    assert not RULES.offer(accepted)
    refused = RULES.apply(RULES.apply(state, PASS), PASS)
    assert refused[:2] == state[:2]
    countered = RULES.apply(state, (1, 1, 1, 2))
    assert RULES.offer(countered) == (1, 1, 1, 2)
    assert RULES.apply(countered, ACCEPT)[:2] == ((3, 1, 0), (1, 1, 1))


def test_the_last_turn_only_accepts():
    state = State((3, 0, 1), (1, 2, 0), 0, 2, ())
    assert RULES.is_over(RULES.apply(state, PASS))
    last = RULES.apply(state, (1, 0, 1, 1))
    assert RULES.legal(last) == [ACCEPT, PASS]
    with pytest.raises(InvalidAnswer, match="in the last turn"):
        RULES.read(last, "offer 1 wood for 1 ore")
    assert RULES.is_over(RULES.apply(last, ACCEPT))
    assert RULES.legal(RULES.apply(last, ACCEPT)) == ()


def test_gains_of_a_trade_are_those_of_the_pieces():
    rng = Random(1)
    for _ in range(200):
        mine, theirs, values = (tuple(rng.randint(0, 4) for _ in GOODS) for _ in range(3))
        for offer in offers(mine, theirs, 3):
            one, other = traded(mine, theirs, offer)
            assert min(one + other) >= 0
            assert worth(one, values) - worth(mine, values) == -raises(offer, values)
            assert worth(other, values) - worth(theirs, values) == raises(offer, values)


@pytest.mark.parametrize("level", range(6))
def test_the_opponent_keeps_to_its_policy(level):
    """Random offers are accepted exactly if the other player's pieces rise by the margin."""
    seen = set()
    for seed in range(4):
        task = Address.of(NAME, seed, level).task()
        rng, session, moves = Random(seed), task.session(), []
        while not session.over:
            if session.mover == task.seat:
                legal = session.rules.legal(session.state)
                move = rng.choice(legal)
            else:
                text = task.opponent(moves)
                move = session.rules.read(session.state, text)
                offer = session.rules.offer(session.state)
                values = session.values[session.number][1 - task.seat]
                gain = offer[0] * values[offer[1]] - offer[2] * values[offer[3]] if offer else 0
                assert move == (ACCEPT if gain >= task.margin else PASS)
                seen.add(text)
            moves.append(session.rules.name(session.state, move))
            session.move(move)
    assert "pass" in seen


def test_every_offer_of_the_lone_player_has_a_reply():
    for seed in range(12):
        task = Address.of(NAME, seed, 1).task()
        episode = Episode(task, "bare", task.solve())
        assert episode.score.value == 1
        assert len(episode.moves) == task.turns == 4 + task.seat
        assert episode.moves[-1] in {"accept", "pass"}


def test_a_costly_decision_loses_whatever_the_values_are():
    for seed in range(6):
        task = Address.of(NAME, seed, 2).task()
        for shift in range(4):
            luck = tuple(number + shift for number in task.luck)
            episode = Episode(task.model_copy(update={"luck": luck}), "bare", ["pass"])
            while episode.score is None:
                episode.step("pass")
            assert episode.score.value == 0
            assert "gave away" in episode.score.reason


def test_luck_does_not_change_the_score_of_the_ideal_player():
    for level in range(6):
        task = Address.of(NAME, 3, level).task()
        for shift in range(3):
            luck = tuple(number + shift for number in task.luck)
            other = task.model_copy(update={"luck": luck})
            assert Episode(other, "bare", other.solve()).score.value == 1


def test_between_two_players_the_gains_decide():
    task = Address.of(NAME, 2, 2).task()
    episode, rng = Episode(task, "bare", seats=(0, 1)), Random(3)
    while episode.scores is None:
        episode.step(rng.choice(episode.turn.legal_moves[:2]))
    assert sum(score.value for score in episode.scores) == 1
    assert "gains: first player" in episode.scores[0].reason


def test_each_player_reads_only_the_own_values():
    task = Address.of(NAME, 2, 2).task()
    episode = Episode(task, "bare", seats=(0, 1))
    values = task.session().values[0]
    assert values[0] != values[1]
    for seat in (0, 1):
        assert episode.player == seat
        row = next(line for line in episode.observation.splitlines() if line.startswith("Value of"))
        assert [*map(int, row.split()[-len(task.goods) :])] == [*values[seat]]
        assert ("You are judged" in episode.observation) == (seat == task.seat)
        assert episode.turn.state.split(",")[3:6] != [*map(str, values[1 - seat])]
        episode.step("pass")


def test_offers_of_the_other_player_leave_nothing_to_judge():
    """The built-in opponent makes none, so that there are no expectations against it."""
    task = next(
        each for each in (Address.of(NAME, seed, 1).task() for seed in range(20)) if each.seat == 1
    )
    session = task.session()
    session.move(session.rules.legal(session.state)[1])
    assert task.expectations(session) == {}


def test_sentences():
    session = Negotiations(RULES, [Deal((3, 1, 1), (1, 2, 0), (2, 5, 7))] * 2, 4, 0, (1, 2))
    session.move((2, 0, 1, 1))
    assert session.news[1][-1] == "The other player offers you 2 ore for 1 wood of yours."
    session.move((1, 1, 1, 2))
    assert session.news[0][-1] == (
        "The other player refuses your offer and offers you 1 wood for 1 wool of yours."
    )
    session.move(PASS)
    assert session.news[1][-3] == "The other player refuses your offer."
    assert "The negotiation is over. Your gain: 0." in session.news[0][-2]
    values = ", ".join(f"{name} {value}" for name, value in zip(GOODS, session.values[0][1]))
    assert session.news[0][-2].endswith(f" A piece was worth to that player: {values}.")
    assert session.news[0][-1] == "Negotiation 2 of 2."
    session.move(PASS)
    assert session.news[1][-1] == "The other player passes."


@pytest.mark.parametrize(
    "text",
    [
        "offer 2 wood for 1 ore", "I offer 2 wood for 1 ore.", "[Offer: 2 Wood -> 1 Ore]",
        "give 2 wood, get 1 ore", "I'll give you 2 wood for 1 of your ore", "2 wood for 1 ore",
        "trade two wood for one ore", "buy 1 ore for 2 wood", "**offer 2 wood for 1 ore**",
        "My move: offer 2 wood for 1 ore", "offer 2 units of wood for 1 unit of ore",
        "refuse and offer 2 wood for 1 ore", "I propose 2 wood in exchange for 1 ore",
        "I want 1 ore for 2 wood", "Counteroffer: 2 wood for 1 ore", "offer 2 wood \u2192 an ore",
        "offer to give 2 wood and receive 1 ore", "sell 2 wood for 1 ore!",
        "offer 2 woods for 1 ore", "offer my 2 wood for your 1 ore", "get your 1 ore for my 2 wood",
        "give 2 wood to you, get 1 ore", "offer the other player 2 wood for 1 ore",
    ],
)  # fmt: skip
def test_natural_offers_are_read(text):
    assert trade_move(text, GOODS) == (2, 1, 1, 0)


@pytest.mark.parametrize("text", ["accept", "I accept the offer.", "Yes", "deal", "**Accept**"])
def test_accepting_is_read(text):
    assert trade_move(text, GOODS) == "accept"


@pytest.mark.parametrize("text", ["pass", "I pass.", "decline the trade", "No deal", "I refuse"])
def test_passing_is_read(text):
    assert trade_move(text, GOODS) == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "", "accept and offer 2 wood for 1 ore", "don't accept", "accept or pass", "offer 2 wood",
        "offer 2 gold for 1 ore", "not offer 2 wood for 1 ore", "offer many wood for 1 ore",
        "offer 2 wood for 1 ore, offer 1 wood for 1 ore", "I do not accept", "x" * 300,
        "offer 2 wood and 1 wool for 1 ore", "offer 2 wood for 1 ore or 1 wool", "2",
        "offer an", "offer an offer", "your 2 wood for my 1 ore", "offer 2 of your wood for 1 ore",
        "trade 2 wood for 1 of my ore", "get my 2 wood for your 1 ore", "you give 2 wood for 1 ore",
        "the other player: offer 2 wood for 1 ore", "opponent offer 2 wood for 1 ore",
        "I give 2 wood and you get 1 ore",
    ],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidAnswer):
        trade_move(text, GOODS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("accept", "no offer to accept"),
        ("offer 1 ore for 2 ore", "two different goods"),
        ("offer 3 ore for 1 wood", "1 to 2 pieces"),
        ("offer 0 ore for 1 wood", "1 to 2 pieces"),
        ("offer 2 wool for 1 wood", "you have only 1 wool"),
        ("offer 1 ore for 1 wool", "the other player has only 0 wool"),
    ],
)
def test_impossible_moves_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        RULES.read(State((3, 0, 1), (1, 2, 0), 0, 4, ()), text)


def test_every_move_is_read_by_its_name():
    for seed in range(6):
        task = Address.of(NAME, seed, seed).task()
        state = task.session().state
        rules = task.rules()
        for move in rules.legal(state):
            assert rules.read(state, rules.name(state, move)) == move


def test_the_outcome_counts_points():
    task = Address.of(NAME, 1, 0).task()
    session = task.session()
    for gain, text in ((1, "1 point."), (2, "2 points."), (-1, "-1 points."), (0, "0 points.")):
        session.gains[task.seat] = gain
        assert task._outcome(session) == f"Your gain is {text}"


def test_the_scene_shows_pieces_and_own_values():
    state = State((3, 0, 1), (1, 2, 0), 0, 4, ())
    scene = RULES.scene(state, 0, (4, 2, 9))
    assert scene.top == GOODS
    assert [[cell.text for cell in row] for row in scene.rows] == [
        ["3", "0", "1"], ["1", "2", "0"], ["4", "2", "9"],
    ]  # fmt: skip
    assert RULES.show(state, 0, (4, 2, 9)).splitlines()[1].split()[-3:] == ["3", "0", "1"]
