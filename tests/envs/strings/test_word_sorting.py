"""Tests of strings/word_sorting."""

from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address


@given(st.integers(0, 5), st.integers(0, 500))
def test_words_are_sorted_like_their_numbers(level, seed):
    task = Address.of("strings/word_sorting", seed, level).task()
    backwards = task.order == "backwards"
    ranks = {letter: chr(1 + rank) for rank, letter in enumerate(task.alphabet)}
    keys = ["".join(ranks[x] for x in (w[::-1] if backwards else w)) for w in task.sorted()]
    assert keys == sorted(keys, reverse=task.order == "falling")
    assert sorted(task.sorted()) == sorted(task.words)
