"""Leduc poker: payoffs against an independent account of the pot, readers, the opponent's table."""

import pytest

from palaestra.address import Address
from palaestra.generators.matches.hidden_information import CHANCE, game_tree
from palaestra.generators.matches.leduc_poker import LeducPoker, State
from palaestra.task import InvalidAnswer

RULES = LeducPoker(3)
JACK, QUEEN, KING = range(3)


def account(first, second):
    """What both players pay in two rounds, by a list of the moves in words."""
    words = {"c": "check", "b": "bet", "r": "raise", "k": "call", "f": "fold"}
    paid = {0: 1, 1: 1}
    for moves, size in ((first, 2), (second, 4)):
        player, due = 0, 0
        for move in map(words.get, moves):
            if move == "bet":
                paid[player] += size
                due = size
            elif move == "call":
                paid[player] += due
            elif move == "raise":
                paid[player] += due + size
                due = size
            player = 1 - player
    return paid


def ends(state):
    """All ends of a hand."""
    if RULES.outcome(state) is not None:
        yield state
    elif RULES.player(state) == CHANCE:
        for event, _ in RULES.chances(state):
            yield from ends(RULES.apply(state, event))
    else:
        for move in RULES.legal(state):
            yield from ends(RULES.apply(state, move))


def test_payoffs():
    number = 0
    for state in ends(RULES.start()):
        number += 1
        paid = account(state.first, state.second)
        outcome = RULES.outcome(state)
        last = state.second or state.first
        if last.endswith("f"):
            folder = (len(last) - 1) % 2
            assert outcome == (-paid[0] if folder == 0 else paid[1])
            continue
        assert paid[0] == paid[1]
        mine, theirs, public = state.cards
        strengths = [10 * (card == public) + card for card in (mine, theirs)]
        sign = (strengths[0] > strengths[1]) - (strengths[0] < strengths[1])
        assert outcome == sign * paid[0]
    assert number > 1_000


def test_the_most_that_a_hand_can_cost_is_13_chips():
    """An ante of 1, a bet and a raise of 2, a bet and a raise of 4."""
    assert max(RULES.outcome(state) for state in ends(RULES.start())) == 13


def test_the_second_round_begins_with_the_first_player():
    state = State((JACK, KING), "cbk", "")
    assert RULES.player(state) == CHANCE
    assert dict(RULES.chances(state)) == {JACK: 0.25, QUEEN: 0.5, KING: 0.25}
    after = RULES.apply(state, QUEEN)
    assert RULES.player(after) == 0
    assert RULES.legal(after) == ("check", "bet")


def test_one_raise_in_each_round():
    assert RULES.legal(State((JACK, KING), "b", "")) == ("fold", "call", "raise")
    assert RULES.legal(State((JACK, KING), "br", "")) == ("fold", "call")


@pytest.mark.parametrize("ranks", range(2, 6))
def test_ranks_have_names_in_ascending_order(ranks):
    names = [LeducPoker(ranks).rank_name(rank) for rank in range(ranks)]
    assert names == {2: [*"QK"], 3: [*"JQK"], 4: [*"JQKA"], 5: [*"TJQKA"]}[ranks]


@pytest.mark.parametrize(
    ("history", "text", "move"),
    [
        ("", "I check", "check"),
        ("", "bet 2 chips", "bet"),
        ("b", "Raise!", "raise"),
        ("b", "reraise", "raise"),
        ("b", "re-raise", "raise"),
        ("b", "I would like to re-raise", "raise"),
        ("b", "call it", "call"),
        ("br", "My decision is to fold.", "fold"),
    ],
)
def test_natural_moves_are_read(history, text, move):
    assert RULES.read(State((JACK, KING), history, ""), text) == move


@pytest.mark.parametrize("text", ["", "raise", "call or fold", "bet 9"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        RULES.read(State((JACK, KING), "", ""), text)


@pytest.mark.parametrize("level", range(6))
def test_the_table_is_the_strategy(level):
    task = Address.of("matches/leduc_poker", 1, level).task()
    rules, strategy = task.rules(), task.solution().strategy
    assert strategy.keys() == game_tree(rules).moves.keys()
    assert all(sum(chances) == pytest.approx(1) for chances in strategy.values())
    _, *lines, _ = task.table_text().splitlines()
    rows = {name: [*map(int, row)] for name, *row in (line.split(" | ") for line in lines)}
    low, high = rules.rank_name(0), rules.rank_name(1)
    for row, public, before in (
        (f"{low} in the first round", "-", ""),
        ("a pair with the public card", low, "cc/"),
        (f"{low} in the second round, without a pair", high, "brk/"),
    ):
        prefix = f"{low} {public} {before}"
        suffix = "" if before else "/"
        bet, fold, to_raise, to_fold = rows[row]
        views = [f"{prefix}{moves}{suffix}" for moves in ("", "b", "br")]
        shown = [tuple(round(100 * each) for each in strategy[view]) for view in views]
        assert shown == [
            (100 - bet, bet), (fold, 100 - fold - to_raise, to_raise), (to_fold, 100 - to_fold)
        ]  # fmt: skip


def test_the_scene_shows_the_public_card_and_what_was_paid():
    scene = RULES.scene(State((JACK, KING, QUEEN), "bk", "b"), 1)
    shown = [[card.text for card in row] for row in scene.rows]
    assert shown == [["?"], ["Q"], ["K"], ["3", "7"]]
