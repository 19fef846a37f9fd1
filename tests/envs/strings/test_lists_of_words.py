"""Lists of words in several spellings."""

import pytest

from palaestra.address import Address


@pytest.mark.parametrize("level", [0, 2, 5])
@pytest.mark.parametrize("name", ["strings/spell_backwards", "strings/word_sorting"])
def test_capital_letters_are_read(name, level):
    task = Address.of(name, seed=3, level=level).task()
    right = task.answer()
    assert task.verify(right.upper()).value == task.verify(right.title()).value == 1
    assert task.verify(right).value == 1


@pytest.mark.parametrize("name", ["strings/word_sorting", "strings/spell_backwards"])
def test_commas_between_words_are_read(name):
    task = Address.of(name, seed=3, level=2).task()
    words = task.answer().split()
    assert task.verify(", ".join(words)).value == 1
    assert task.verify(", ".join(reversed(words))).value == 0
