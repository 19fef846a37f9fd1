"""Goofspiel: Ross's theorem, a solution of its own, and the readers of moves."""

from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.generators.games.cards.goofspiel import Goofspiel, State, matching_card, replies
from palaestra.generators.games.chance import Expectimax
from palaestra.task import InvalidAnswer

RULES = Goofspiel(40)
START = State((2, 5, 9), (3, 5, 7), (4, 8, 1), 0, 0)


@pytest.mark.parametrize("prizes", [(1, 2, 3, 4), (3, 1, 4, 2), (4, 2, 1, 3)])
def test_the_matching_card_is_best_against_random_play(prizes):
    """Ross (1971), theorem 1, with equal hands."""
    hand, rules = (1, 2, 3, 4), Goofspiel(0)
    worth = Expectimax(rules).expectations(State(hand, hand, prizes, 0, 0))
    assert worth[matching_card(hand, prizes)] == pytest.approx(max(worth.values()))


@pytest.mark.parametrize("seed", range(6))
def test_expectations_are_those_of_an_independent_solution(seed):
    task = Address.of("games/goofspiel", seed, 2).task()

    def worth(mine, theirs, prizes):
        if not prizes:
            return {None: Fraction(0)}
        rank = len([prize for prize in prizes if prize < prizes[0]])
        result = {}
        for card in mine:
            total = Fraction(0)
            for n, other in enumerate(theirs):
                chance = Fraction(100 - task.matching, 100 * len(theirs))
                chance += Fraction(task.matching, 100) if n == rank else 0
                gain = prizes[0] if card > other else -prizes[0] if card < other else 0
                rest = worth(
                    [c for c in mine if c != card], theirs[:n] + theirs[n + 1 :], prizes[1:]
                )
                total += chance * (gain + max(rest.values()))
            result[card] = total
        return result

    for start, _ in task.starts():
        theirs = task.solution(task.rules(), start).expectations(start)
        mine = worth([*start.mine], [*start.theirs], start.prizes)
        assert theirs == pytest.approx({card: float(value) for card, value in mine.items()})


def test_tasks_of_the_same_opponent_do_not_fill_one_table():
    """There are too many hands for one: it would be full after some thousands of tasks."""
    tables = set()
    for seed in range(60):
        task = Address.of("games/goofspiel", seed, 0).task()
        start, _ = next(task.starts())
        table = task.solution(task.rules(), start)
        assert len(table._values) < 100
        tables.add(table)
    assert len(tables) > 40


def test_a_round():
    assert dict(replies(40, (3, 5, 7), (4, 8, 1))) == pytest.approx({3: 0.2, 5: 0.6, 7: 0.2})
    played = RULES.apply(START, 5)
    assert RULES.apply(played, 3) == State((2, 9), (5, 7), (8, 1), 0, 4)
    assert RULES.apply(played, 5).lead == 0
    assert RULES.apply(played, 7).lead == -4
    assert not RULES.legal(State((), (), (), 0, 3))
    assert RULES.payoff(State((), (), (), 0, 3)) == 3
    assert "nobody wins 4" in RULES.news(played, 5)


@pytest.mark.parametrize(
    "text",
    ["play 5", "5", "I play the 5.", "bid 5", "Card 5", "**play 5**", "play my 5", "I put down 5"],
)
def test_natural_moves_are_read(text):
    assert RULES.read(START, text) == 5


@pytest.mark.parametrize("text", ["", "play", "play 3", "5 or 9", "play 55", "not 5"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        RULES.read(START, text)


def test_the_scene_shows_prizes_hands_and_lead():
    rows = RULES.scene(START).rows
    assert [[card.text for card in row] for row in rows] == [
        ["4", "8", "1"], ["2", "5", "9"], ["3", "5", "7"], ["0"],
    ]  # fmt: skip
