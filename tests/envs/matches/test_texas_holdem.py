"""Hold'em: the best response against one by the tree of all hands, payoffs, readers, the table."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.matches.hidden_information import best_response, game_tree
from palaestra.generators.matches.texas_holdem.response import holdem_response
from palaestra.generators.matches.texas_holdem.rules import (
    CHANCE,
    CLASSES,
    State,
    TexasHoldem,
    class_of,
    contributions,
    equity,
    names,
    numbers,
)
from palaestra.registry import load
from palaestra.task import InvalidAnswer


def rules_of(pairs, board, ante=2, size=3):
    return TexasHoldem(tuple(map(numbers, pairs)), numbers(board), ante, size)


def table_of(rng, rounds):
    row = load("matches/texas_holdem")._row
    return tuple(row(rng, number) for _ in range(rounds) for number in range(len(CLASSES)))


def assert_best(rules, table):
    """Compare all expectations with those by the tree of all hands; return how many there are."""
    strategy = load("matches/texas_holdem").strategy(rules, table)
    tree = game_tree(rules)
    assert strategy.keys() == tree.moves.keys()
    number = 0
    for role in (0, 1):
        known = best_response(tree, strategy, role).expectations
        for view, expected in known.items():
            own, board, rounds = view.split(", ")
            hands = (numbers(own), numbers(own))
            state = State(hands, numbers(board), tuple(rounds.split("/")))
            response = holdem_response(rules, table, numbers(own), role)
            assert response.expectations(state) == pytest.approx(expected), view
            number += 1
    return number


RIVER = rules_of(["AS KS", "QD QC", "7H 7C", "KS 2D", "9C 8C"], "AH 7D 6C 2S TC")


def test_the_best_response_on_the_river():
    for seed in range(3):
        assert assert_best(RIVER, table_of(Random(seed), 1)) == 2 * 5 * 3


def test_the_best_response_on_the_turn():
    rules = rules_of(["AS KS", "QD QC", "KS 9C"], "AH QS 9S 2D")
    assert assert_best(rules, table_of(Random(1), 2)) > 1_000


def test_the_other_player_has_no_common_card():
    own = numbers("AS KS")
    others = [*map(numbers, ["QD QC", "7H 7C", "9C 8C"])]
    assert RIVER.others(own) == others
    assert [event for event, _ in RIVER.chances(State((own,), RIVER.board, ("",)))] == others
    assert {RIVER.dealt(own, 1, Random(n)).hands for n in range(30)} == {(o, own) for o in others}


def test_both_players_have_the_same_chances():
    """A player's pair is as frequent as first player as it is as second player."""
    first = dict(RIVER.hands())
    second = dict.fromkeys(first, 0.0)
    for pair, chance in first.items():
        for other, part in RIVER.chances(State((pair,), RIVER.board, ("",))):
            second[other] += chance * part
    assert second == pytest.approx(first)
    assert sum(first.values()) == pytest.approx(1)


def test_the_fifth_card_is_one_of_44():
    rules = rules_of(["AS KS", "QD QC"], "AH QS 9S 2D")
    state = State(rules.pairs, rules.board, ("cbk",))
    assert rules.player(state) == CHANCE
    cards = [card for card, _ in rules.chances(state)]
    assert len(cards) == 44
    assert not {*cards} & {*numbers("AS KS QD QC AH QS 9S 2D")}
    after = rules.apply(state, cards[0])
    assert rules.player(after) == 0
    assert rules.legal(after) == ("check", "bet")


@pytest.mark.parametrize(
    ("history", "paid"),
    [
        ("cc", (2, 2)), ("bf", (5, 2)), ("bk", (5, 5)), ("brk", (8, 8)), ("brf", (5, 8)),
        ("cbk", (5, 5)), ("cbrf", (8, 5)), ("cbrk", (8, 8)),
    ],
)  # fmt: skip
def test_what_is_paid(history, paid):
    assert contributions((history,), 2, 3) == paid
    assert contributions(("cbrk", history), 2, 3) == (6 + paid[0], 6 + paid[1])


@pytest.mark.parametrize(
    ("history", "outcome"),
    [("cc", 2), ("bf", 2), ("bk", 5), ("brf", -5), ("cbf", -2), ("cbrk", 8), ("cb", None)],
)
def test_the_pot_goes_to_the_better_hand_or_who_does_not_fold(history, outcome):
    state = State((numbers("7H 7C"), numbers("AS KS")), RIVER.board, (history,))
    assert RIVER.outcome(state) == outcome


def test_equal_hands_split_the_pot():
    rules = rules_of(["3S 2H", "3D 2C"], "AH KD QC JS 9S")
    assert rules.outcome(State(rules.pairs, rules.board, ("bk",))) == 0


@pytest.mark.parametrize(
    ("cards", "number"),
    [("KD QC", 0), ("AS KS", 1), ("KS 2D", 1), ("AS 2D", 2), ("7H 7C", 3), ("9C 8S", 3)],
)
def test_classes(cards, number):
    assert class_of(TexasHoldem.worth(numbers(cards), numbers("AH 7D 6C 2S TC"))) == number


def test_the_share_of_the_pot():
    """Three sevens lose to the straight only; two of 44 cards help the lower pair."""
    assert equity(RIVER, numbers("7H 7C"), RIVER.board) == pytest.approx(3 / 4)
    rules = rules_of(["AS AD", "KS KD"], "7C 8D 2H 3C")
    assert equity(rules, numbers("KS KD"), rules.board) == pytest.approx(2 / 44)


BET = State((numbers("AS KS"), numbers("QD QC")), RIVER.board, ("b",))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("I fold.", "fold"),
        ("**raise**", "raise"),
        ("Raise by 3", "raise"),
        ("My move: call", "call"),
        ("I'll call the bet", "call"),
        ('"FOLD"', "fold"),
    ],
)
def test_natural_moves_are_read(text, move):
    assert RIVER.read(BET, text) == move


@pytest.mark.parametrize("text", ["", "check", "call or fold", "not fold", "raise by 9", "bet"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        RIVER.read(BET, text)


@pytest.mark.parametrize("level", [1, 4])
def test_the_table_is_the_strategy(level):
    task = Address.of("matches/texas_holdem", 1, level).task()
    _, *lines, _ = task.table_text().splitlines()
    rows = [tuple(map(int, line.split(" | ")[1:])) for line in lines]
    assert tuple(rows) == task.table
    assert all(fold + raised < 100 for _, fold, raised, _ in rows)
    names_of_rows = [line.split(" | ")[0] for line in lines]
    assert len({*names_of_rows}) == len(rows) == 4 * (6 - len(task.board))


@pytest.mark.parametrize("level", range(6))
def test_the_pairs_are_not_public(level):
    for seed in range(5):
        task = Address.of("matches/texas_holdem", seed, level).task()
        cards = {card for pair in task.pairs for card in pair}
        assert not cards & {*task.board}
        assert len({*task.pairs}) == len(task.pairs)
        assert {*task.mine} <= {*task.pairs}
        assert f"The public cards are {names(task.board)} " in task.model_copy(
            update={"wording": 0}
        ).description(task.seat)


def test_the_scene_hides_the_opponents_cards():
    rules = rules_of(["AS KS", "QD QC"], "AH QS 9S 2D")
    scene = rules.scene(State(rules.pairs, rules.board, ("b",)), 1)
    shown = [[card.text for card in row] for row in scene.rows]
    assert shown == [["?", "?"], ["A", "Q", "9", "2", "?"], ["Q", "Q"], ["2", "5"]]


def test_every_listed_pair_can_be_held():
    """With this seed, all pairs had a card in common, and nothing could be dealt."""
    task = Address.of("matches/texas_holdem", 51371, 0).task()
    for pair in task.pairs:
        assert any({*pair}.isdisjoint(other) for other in task.pairs)
