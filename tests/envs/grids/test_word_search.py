"""Tests of grids/word_search."""

import pytest

from palaestra.envs.grids import word_search
from palaestra.task import InvalidAnswer


def test_words_are_found_where_they_are_and_nowhere_else():
    task = word_search.WordSearch(letters=("abab", "bbba", "aaba", "bbaa"), words=("abab", "bbb"))
    assert task.verify("abab: r1c1-r1c4\nbbb: r2c3-r2c1").correct
    assert task.verify("abab: r1c1-r1c4\nbbb: r1c2-r4c2").value == 0.25
    assert task.verify("abab: r1c4-r1c1\nbbb: r2c1-r2c4").value == 0
    for text in ("abab: r1c1-r1c4", "abab: r1c1\nbbb: r1c1-r1c3", "abab: r1c1-r1c5\nbbb: r1c1"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
