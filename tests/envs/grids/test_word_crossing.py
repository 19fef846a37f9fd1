"""Tests of grids/word_crossing."""

import random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.grids.word_crossing import WordCrossing
from palaestra.generators.grids.word_crossing import spoilt
from palaestra.generators.vocabulary import VOWELS

seeds = st.integers(0, 10**6)


def test_word_crossing_checks_lengths_and_repeats() -> None:
    task = WordCrossing(
        slots=((0, 0, "across", 3), (0, 0, "down", 3)), words=("bab", "bod", "dub", "zoka")
    )
    assert task.verify("r1c1 across: bab\nr1c1 down: bod").value == 1
    assert task.verify("r1c1 across: bod\nr1c1 down: bab").value == 1
    assert task.verify("r1c1 across: bab\nr1c1 down: bab").value == 0
    assert task.verify("r1c1 across: bab\nr1c1 down: dub").value == 0
    assert task.verify("r1c1 across: zoka\nr1c1 down: bab").value == 0
    score = task.verify("r1c1 across: bab\nr1c1 down: bid")
    assert (score.value, score.reason) == (
        0,
        "the word for r1c1 down is not one of the words listed",
    )


@given(word=st.text("abeiz", min_size=3, max_size=8), seed=seeds)
def test_decoys_look_like_words_that_fit(word: str, seed: int) -> None:
    """A decoy whose vowels stood elsewhere would be obvious."""
    other = spoilt(random.Random(seed), word)
    assert [letter in VOWELS for letter in other] == [letter in VOWELS for letter in word]
