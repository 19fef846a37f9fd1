"""Guessing with lies: published numbers of questions, a solution of its own, readers."""

from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.deduction.guessing_with_lies import GuessingWithLies, State, cost_of
from palaestra.task import InvalidAnswer

RULES = GuessingWithLies(1, (2, 3, 4, 5))


@pytest.mark.parametrize(("numbers", "questions"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)])
def test_without_lies_it_is_a_binary_search(numbers, questions):
    rules = GuessingWithLies(0, (1,) * (numbers - 1))
    assert cost_of(rules, (0,) * numbers) == questions


@pytest.mark.parametrize("numbers", range(2, 15))
def test_with_one_lie_the_count_of_ways_is_a_lower_bound(numbers):
    """Berlekamp's bound: n (q + 1) <= 2**q, which comparisons reach up to one question more."""
    questions = next(q for q in range(20) if numbers * (q + 1) <= 2**q)
    rules = GuessingWithLies(1, (1,) * (numbers - 1))
    assert questions <= cost_of(rules, (0,) * numbers) <= questions + 1


@pytest.mark.parametrize("seed", range(8))
def test_the_coins_are_what_the_best_strategy_needs(seed):
    task = Address.of("games/guessing_with_lies", seed, seed % 3).task()
    prices = dict(enumerate(task.costs, 2))

    @cache
    def need(wrong):
        """``wrong`` are pairs of a number and the wrong answers that it makes."""
        if len(wrong) == 1:
            return 0
        options = [10**6]
        for bound, price in prices.items():
            yes = frozenset((n, k + (n < bound)) for n, k in wrong)
            no = frozenset((n, k + (n >= bound)) for n, k in wrong)
            parts = [frozenset(e for e in each if e[1] <= task.most_lies) for each in (yes, no)]
            if all(after and after != wrong for after in parts):
                options.append(price + max(map(need, parts)))
        return min(options)

    lies, coins = task.start()
    assert need(frozenset((n, k) for n, k in enumerate(lies, 1) if k >= 0)) == coins


def test_answers_count_lies_and_rule_numbers_out():
    start = State((0, 1, 0, 0, -1), 20)
    after = RULES.answers(start, 3)
    assert after["yes"] == State((1, -1, 0, 0, -1), 17)
    assert after["no"] == State((0, 1, 1, 1, -1), 17)
    assert RULES.is_won(State((-1, 1, -1, -1, -1), 0))
    assert [*RULES.answers(State((-1, -1, 1, -1, -1), 20), 3)] == ["yes"]


@pytest.mark.parametrize(
    "text",
    ["at least 3", "Is it at least 3?", "3", ">= 3", "\u2265 3", "is the number at least 3",
     "3 or more", "Is your number >= 3?", "I ask at least 3",
     "My question: at least 3.", r"$\geq 3$", "I ask whether it is at least 3",
     "no less than 3", "**3**"],
)  # fmt: skip
def test_natural_moves_are_read(text):
    assert RULES.read(State((0,) * 5, 20), text) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "at most 3",
        "at least 1",
        "at least 6",
        "< 3",
        "3 or 4",
        "at least three",
        "9" * 400,
        "is it 3?",
        "the number is 3",
        "the answer is 3",
        "my guess: 3",
        "= 3",
        "not at least 3",
    ],
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(State((0,) * 5, 20), text)


def test_the_scene_shows_wrong_answers():
    scene = RULES.scene(State((0, 1, -1, 0, 0), 9))
    assert [cell.text for cell in scene.rows[0]] == ["0", "1", "", "0", "0"]
    assert scene.top == ("1", "2", "3", "4", "5")
