"""Neighbours of words."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.vocabulary import changed, distance, neighbours, words


@given(st.integers(), st.integers(2, 8))
def test_changed_words_are_neighbours(seed, length):
    (word,) = words(Random(seed), 1, length, length)
    other = changed(Random(seed), word)
    assert len(other) == length
    assert distance(word, other) == 1
    assert list(neighbours(word, {word, other})) == [other]
