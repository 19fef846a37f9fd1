"""Neighbours of words."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.vocabulary import changed, distance, neighbours, word, words


@given(st.integers(), st.integers(2, 8))
def test_changed_words_are_neighbours(seed, length):
    (word,) = words(Random(seed), 1, length, length)
    other = changed(Random(seed), word)
    assert len(other) == length
    assert distance(word, other) == 1
    assert list(neighbours(word, {word, other})) == [other]


def test_no_word_is_offensive():
    rng = Random(0)
    made_up = {word(rng, 4) for _ in range(40_000)}
    assert len(made_up) > 3_000
    assert not {"nazi", "anus", "rape", "homo", "puta", "anal"} & made_up
