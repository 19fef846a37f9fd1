"""Tests of strings/letter_budget."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.strings.letter_budget import LetterBudget, fits, most
from palaestra.envs.strings.longest_common_subsequence import LongestCommonSubsequence

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


def test_partial_credit_begins_above_the_greedy_answers():
    for seed in range(5):
        budget = Address.of("strings/letter_budget", seed, 4).task()
        subsequence = Address.of("strings/longest_common_subsequence", seed, 3).task()
        for task in (budget, subsequence):
            assert all(task.verify(shortcut).value == 0 for shortcut in task.shortcuts())
        assert isinstance(budget, LetterBudget)
        assert isinstance(subsequence, LongestCommonSubsequence)
        shorter = subsequence.answer()[1:]
        assert 0 < subsequence.verify(shorter).value < 1
