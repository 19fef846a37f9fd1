"""Words and rows of letters: every layout is read, and other texts are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.task import InvalidAnswer
from palaestra.testing import formats
from palaestra.verifiers.reading.words import letters, name_set, word_list
from palaestra.verifiers.replies import unwrapped

WORDS = st.lists(st.text("abdn", min_size=1, max_size=4), min_size=2, max_size=6)
pytestmark = pytest.mark.hypothesis


@given(WORDS)
def test_words_are_the_same_in_every_layout(listed):
    if "and" in listed:
        return
    for form, text in [
        ("spaces", " ".join(listed)),
        *formats.listed(listed),
        *formats.walk(listed),
    ]:
        if form not in {"dashes", "to"}:
            assert word_list(unwrapped(text)) == listed, form


@given(WORDS)
def test_and_may_be_a_word_where_the_number_is_known(listed):
    assert word_list(" ".join(listed), len(listed)) == listed


@pytest.mark.parametrize("text", ["", "  ", "[]", "a1, b", "a-b", "a: b", "a | b", "a = b"])
def test_no_words(text):
    with pytest.raises(InvalidAnswer):
        word_list(text)


@pytest.mark.parametrize(
    "text", ["BAAB", "ba ab", "b, a, a, b", '["b", "a", "a", "b"]', "b\na\na\nb"]
)
def test_letters(text):
    assert letters(text, "ab") == "baab"


@pytest.mark.parametrize("text", ["", "bc", "ba, ab", "b-a", "b1", "a or b", "(ab"])
def test_no_letters(text):
    with pytest.raises(InvalidAnswer):
        letters(text, "ab")


@pytest.mark.parametrize("name", ["strings/spell_backwards", "ciphers/caesar_and_vigenere"])
def test_words_of_a_text_may_be_listed(name):
    for seed in range(3):
        task = Address.of(name, seed, 2).task()
        for form, text in formats.listed(task.answer().split()):
            assert task.verify(unwrapped(text)).correct, form


def test_lists_of_names_may_come_in_any_order_but_not_twice() -> None:
    assert name_set("Bo; ada", ["Ada", "Bo", "Cleo"]) == {"Ada", "Bo"}
    for wrong in ("Ada, Ada", "Ada, Zoe", "", ","):
        with pytest.raises(InvalidAnswer):
            name_set(wrong, ["Ada", "Bo"])
