"""Kuhn poker: payoffs against Kuhn's own list, readers, and the table of the opponent."""

import pytest

from palaestra.address import Address
from palaestra.generators.matches.hidden_information import game_tree
from palaestra.generators.matches.kuhn_poker import CODES, KuhnPoker, State
from palaestra.task import InvalidAnswer

SHOWDOWNS = {"cc": 1, "bk": 2, "cbk": 2}


@pytest.mark.parametrize("size", [3, 5])
def test_payoffs(size):
    rules = KuhnPoker(size)
    for cards in ((1, 2), (size, 1)):
        for history, stake in SHOWDOWNS.items():
            expected = stake if cards[0] > cards[1] else -stake
            assert rules.outcome(State(cards, history)) == expected
        assert rules.outcome(State(cards, "bf")) == 1
        assert rules.outcome(State(cards, "cbf")) == -1
        for history in ("", "c", "b", "cb"):
            assert rules.outcome(State(cards, history)) is None


def test_the_tree_has_twelve_information_sets():
    tree = game_tree(KuhnPoker(3))
    assert len(tree.moves) == 12
    assert sum(not node.children for node in tree.nodes) == 6 * 5


def test_who_moves_and_how():
    rules = KuhnPoker(3)
    moves = {"": (0, ("check", "bet")), "c": (1, ("check", "bet")), "b": (1, ("fold", "call")),
             "cb": (0, ("fold", "call"))}  # fmt: skip
    for history, (player, legal) in moves.items():
        state = State((1, 3), history)
        assert (rules.player(state), rules.legal(state)) == (player, legal)


@pytest.mark.parametrize(
    ("history", "text", "move"),
    [
        ("", "check", "check"),
        ("", "I check.", "check"),
        ("", "pass", "check"),
        ("c", "bet 1 chip", "bet"),
        ("c", "I'll bet", "bet"),
        ("b", "**Call**", "call"),
        ("b", "call the bet", "call"),
        ("cb", "I would fold.", "fold"),
        ("cb", "give up", "fold"),
    ],
)
def test_natural_moves_are_read(history, text, move):
    assert KuhnPoker(3).read(State((1, 3), history), text) == move


@pytest.mark.parametrize("text", ["", "call", "fold", "check or bet", "never bet", "bet 2"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of check, bet"):
        KuhnPoker(3).read(State((1, 3), ""), text)


@pytest.mark.parametrize("level", range(6))
def test_the_table_is_the_strategy(level):
    task = Address.of("matches/kuhn_poker", 1, level).task()
    strategy = task.solution().strategy
    assert strategy.keys() == game_tree(task.rules()).moves.keys()
    _, *lines = task.table_text().splitlines()
    for card, line in enumerate(lines, 1):
        name, *percent = map(int, line.split(" | "))
        assert name == card
        shown = [round(100 * strategy[f"{card}{history}"][1]) for history in ("", "c", "b", "cb")]
        assert shown == percent
        assert all(0 < each < 100 for each in percent)


def test_the_scene_hides_the_opponents_card():
    scene = KuhnPoker(3).scene(State((1, 3), "b"), 1)
    assert [[card.text for card in row] for row in scene.rows] == [["?"], ["3"], ["1", "1", "1"]]


def test_codes_are_different():
    assert len(set(CODES.values())) == 4
