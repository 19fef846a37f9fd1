"""Tests of strings/letter_budget."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.strings.letter_budget import LetterBudget, fits, most

texts = st.text("abc", min_size=1, max_size=40)


@settings(max_examples=30)
@given(st.lists(st.text("abc", min_size=1, max_size=3), max_size=7, unique=True), texts)
def test_most_words(listed, stock):
    choices = product((0, 1), repeat=len(listed))
    chosen = ([w for w, take in zip(listed, choice) if take] for choice in choices)
    best = max(len(words) for words in chosen if fits(words, stock))
    largest, _ = most(tuple(listed), stock)
    assert len(largest) == best
    assert fits(largest, stock)


def test_closeness_begins_above_the_greedy_answers():
    for seed in range(5):
        budget = Address.of("strings/letter_budget", seed, 4).task()
        assert isinstance(budget, LetterBudget)
        for shortcut in budget.shortcuts():
            score = budget.verify(shortcut)
            assert score.value == score.parts.get("progress", 0) == 0
        assert budget.verify(budget.answer()).parts == {"progress": 1}
        fewer = budget.verify(", ".join(budget.best()[1:]))
        assert fewer.value == 0
        assert 0 <= fewer.parts["progress"] < 1
        assert "more than" in fewer.reason


def test_no_choice_of_words_leaves_as_few_letters_as_the_best():
    """All words have one length, so that no order of lengths is any better than another."""
    for seed in range(5):
        task = Address.of("strings/letter_budget", seed, 3).task()
        assert isinstance(task, LetterBudget)
        assert len({*map(len, task.listed)}) == 1
        assert len("".join(task.best())) == len(task.stock)
