"""Tests of strings/letter_counting."""

import pytest

from palaestra.envs.strings.letter_counting import LetterCounting


@pytest.mark.parametrize(
    ("what", "text", "counts"),
    [
        ("letter", "abca cab", [3, 2, 2]),
        ("ends", "aba b ac cab", [3, 3, 2]),
        ("vowel", "aab bac ca", [1, 1, 1]),
        ("between", "bcabe cba", [0, 1, 1]),
    ],
)
def test_letters_are_counted_as_stated(what, text, counts):
    assert LetterCounting(text=text, letters="abc", what=what).counts() == counts
