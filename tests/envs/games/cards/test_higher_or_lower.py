"""The guesses of cards, against a solution of its own, and the readers of its moves."""

from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.generators.games.cards.higher_or_lower import HigherOrLower, State
from palaestra.task import InvalidAnswer

RULES = HigherOrLower((0, 5, 12, 30), (2, 4, 9))


def worth(deck, card, prizes, guesses, swaps):
    """The expected points of each move."""
    if not deck or guesses + 1 == len(prizes):
        return {"over": Fraction(prizes[guesses])}
    moves = {"stop": Fraction(prizes[guesses])}
    for guess, sign in (("higher", 1), ("lower", -1)):
        total = Fraction(0)
        for n, new in enumerate(deck):
            if (new - card) * sign > 0:
                rest = deck[:n] + deck[n + 1 :]
                total += max(worth(rest, new, prizes, guesses + 1, swaps).values())
        moves[guess] = total / len(deck)
    if swaps:
        after = (
            max(worth(deck[:n] + deck[n + 1 :], new, prizes, guesses, swaps - 1).values())
            for n, new in enumerate(deck)
        )
        moves["swap"] = sum(after, Fraction(0)) / len(deck)
    return moves


@pytest.mark.parametrize("seed", range(6))
def test_expectations_are_those_of_an_independent_solution(seed):
    task = Address.of("games/higher_or_lower", seed, 2).task()
    for start, _ in task.starts():
        theirs = task.solution(task.rules(), start).expectations(start)
        mine = worth(list(start.deck), start.card, task.prizes, start.guesses, start.swaps)
        assert theirs == pytest.approx({move: float(value) for move, value in mine.items()})


def test_a_wrong_guess_or_an_equal_card_loses_all():
    start = State((4, 4, 9), 4, 2, 0, "")
    guessing = RULES.apply(start, "higher")
    assert dict(RULES.chances(guessing)) == pytest.approx({4: 2 / 3, 9: 1 / 3})
    assert RULES.payoff(RULES.apply(guessing, 4)) == 0
    assert not RULES.legal(RULES.apply(guessing, 4))
    right = RULES.apply(guessing, 9)
    assert right == State((4, 4), 9, 3, 0, "")
    assert RULES.payoff(right) == 30
    assert not RULES.legal(right)


def test_a_swap_costs_a_card_and_counts_no_guess():
    swapping = RULES.apply(State((2, 9), 5, 1, 1, ""), "swap")
    assert RULES.apply(swapping, 9) == State((2,), 9, 1, 0, "")
    assert "swap" not in RULES.legal(State((2,), 9, 1, 0, ""))


@pytest.mark.parametrize(
    ("text", "move"),
    [("Higher!", "higher"), ("the next card is lower", "lower"), ("I guess lower", None),
     ("I stop", "stop"), ("cash out", "stop"), ("swap the card", "swap"), ("up", "higher"),
     ("I'll guess higher", "higher")],
)  # fmt: skip
def test_natural_moves_are_read(text, move):
    state = State((2, 9), 5, 1, 1, "")
    assert RULES.read(state, text) == (move or "lower")


@pytest.mark.parametrize("text", ["", "higher or lower", "not higher", "9", "the next card"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        RULES.read(State((2, 9), 5, 1, 1, ""), text)


def test_all_rounds_of_all_knobs_fit_into_one_solution():
    task_type = type(Address.of("games/higher_or_lower").task())
    knobs = task_type.Knobs.at(0, cards=8, ranks=13, guesses=5, swaps=1)
    states = 2**knobs.cards * knobs.ranks * (knobs.guesses + 2) * 2 * 4
    assert states < task_type.most_states


def test_the_scene_shows_card_deck_points_and_swaps():
    rows = RULES.scene(State((2, 9), 5, 1, 1, "")).rows
    assert [[card.text for card in row] for row in rows] == [
        ["5"], ["2", "9"], ["0", "5", "12", "30"], ["1"],
    ]  # fmt: skip
