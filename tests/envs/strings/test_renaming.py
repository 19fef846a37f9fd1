"""Texts that differ only in the names of letters have one form."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.strings.renaming import renaming


@given(st.text("abcde 12,", max_size=20), st.integers(0, 99))
def test_renamed_texts_have_one_form(text: str, seed: int) -> None:
    letters = "".join(Random(seed).sample("abcdefghij", 5))
    other = text.translate(str.maketrans("abcde", letters))
    assert other.translate(renaming(other)) == text.translate(renaming(text))


@given(st.text("abc", min_size=2, max_size=9), st.text("abc", min_size=2, max_size=9))
def test_texts_of_one_form_are_renamings(one: str, other: str) -> None:
    pairs = set(zip(one, other))
    isomorphic = len(one) == len(other) and len(pairs) == len(set(one)) == len(set(other))
    assert (one.translate(renaming(one)) == other.translate(renaming(other))) == isomorphic
