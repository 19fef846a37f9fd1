"""Liar's dice: who wins, against a count of dice by hand; readers; the opponent's table."""

from itertools import product

import pytest

from palaestra.address import Address
from palaestra.generators.matches.cfr import equilibrium
from palaestra.generators.matches.hidden_information import exploitability, game_tree, values_of
from palaestra.generators.matches.liars_dice import LIAR, LiarsDice, State
from palaestra.task import InvalidAnswer


@pytest.mark.parametrize("faces", [2, 3])
def test_who_wins(faces):
    rules = LiarsDice(faces)
    order = [(number, face) for number in (1, 2) for face in range(1, faces + 1)]
    assert [rules.bid(n) for n in range(2 * faces)] == order
    for dice in product(range(1, faces + 1), repeat=2):
        for n, (number, face) in enumerate(order):
            holds = sum(die == face for die in dice) >= number
            assert rules.outcome(State(dice, (n,))) is None
            assert rules.outcome(State(dice, (n, LIAR))) == (1 if holds else -1)
            if n:
                assert rules.outcome(State(dice, (0, n, LIAR))) == (-1 if holds else 1)


def test_bids_rise_and_the_first_move_is_a_bid():
    rules = LiarsDice(3)
    assert rules.legal(State((1, 2), ())) == (0, 1, 2, 3, 4, 5)
    assert rules.legal(State((1, 2), (3,))) == (4, 5, LIAR)
    assert rules.legal(State((1, 2), (5,))) == (LIAR,)


def test_the_number_of_histories_is_that_of_sets_of_bids():
    """A history before a doubt is a set of bids; each set but the empty one may be doubted."""
    for faces in (2, 3):
        tree = game_tree(LiarsDice(faces))
        ends = sum(not node.children for node in tree.nodes)
        assert ends == faces**2 * (4**faces - 1)
        assert len(tree.moves) == faces * 4**faces


def test_a_game_of_one_face_is_lost_by_the_doubter():
    """Both bids are true, so that nobody gains from a doubt; the first player bids the higher."""
    tree = game_tree(LiarsDice(1))
    assert values_of(tree, equilibrium(LiarsDice(1), 50)) == pytest.approx(1, abs=0.05)


def test_equilibria_get_close():
    rules = LiarsDice(3)
    assert exploitability(game_tree(rules), equilibrium(rules, 100)) < 0.02


STATE = State((1, 2), (1,))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("bid 1 x 3", 2),
        ("1 x 3", 2),
        ("I bid 2x3", 5),
        ("Bid two 3s.", 5),
        ("two threes", 5),
        ("raise to 2 x 1", 3),
        ("bid 1 die with 3", 2),
        ("2 dice showing 2", 4),
        ("1 × 3", 2),
        ("$1 \\times 3$", 2),
        ("bid $2 \\times 1$", 3),
        ("\\(1 \\times 3\\)", 2),
        ("liar", LIAR),
        ("Liar!", LIAR),
        ("I call liar.", LIAR),
        ("I doubt it", LIAR),
    ],
)
def test_natural_moves_are_read(text, move):
    assert LiarsDice(3).read(STATE, text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bid",
        "bid 1 x 2",
        "1 x 1",
        "3 x 1",
        "1 x 4",
        "bid 1 x 3 or liar",
        "not liar",
        "2",
        "13",
        "bid 13",
        "bid13",
        "23",
    ],
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        LiarsDice(3).read(STATE, text)


def test_there_is_nothing_to_doubt_at_first():
    with pytest.raises(InvalidAnswer, match="no bid"):
        LiarsDice(3).read(State((1, 2), ()), "liar")


@pytest.mark.parametrize("level", range(6))
def test_the_table_is_the_strategy(level):
    task = Address.of("matches/liars_dice", 1, level).task()
    rules, strategy = task.rules(), task.solution().strategy
    assert strategy.keys() == game_tree(rules).moves.keys()
    assert all(sum(chances) == pytest.approx(1) for chances in strategy.values())
    _, *lines, _ = task.table_text().splitlines()
    for line in lines:
        die, next_bid, *doubts = map(int, line.split(" | "))
        first = strategy[f"{die}:"]
        assert [round(100 * each) for each in first[:3]] == [next_bid, 100 - next_bid, 0]
        for last, doubt in enumerate(doubts):
            chances = strategy[f"{die}:{last}"]
            assert round(100 * chances[-1]) == doubt
            if len(chances) > 2:
                assert chances[0] == pytest.approx((1 - doubt / 100) * next_bid / 100)
        assert strategy[f"{die}:{2 * rules.faces - 1}"] == (1,)


def test_the_scene_hides_the_opponents_die():
    scene = LiarsDice(3).scene(State((1, 2), (5,)), 0)
    assert [[card.text for card in row] for row in scene.rows] == [["?"], ["1"], ["3", "3"]]
