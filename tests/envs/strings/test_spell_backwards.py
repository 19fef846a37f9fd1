"""Tests of strings/spell_backwards."""

import pytest

from palaestra.envs.strings.spell_backwards import SpellBackwards
from palaestra.task import InvalidAnswer, Score

BACKWARDS = {
    "whole": ("abcde", "edcba"),
    "words": ("ab cd efg", "efg cd ab"),
    "each": ("ab cde", "ba edc"),
    "threes": ("abcdefgh ijkl", "cbafedhg kjil"),
    "both": ("abcde fghi", "gfih badce"),
}


@pytest.mark.parametrize("way", BACKWARDS)
def test_texts_are_rearranged_as_stated(way):
    text, right = BACKWARDS[way]
    task = SpellBackwards(text=text, way=way)
    assert task.answer() == right
    assert task.verify(f" {right} ").value == 1
    assert task.verify(text).value == 0


def test_letters_in_the_right_positions_count_as_a_part_only():
    task = SpellBackwards(text="abcd", way="whole")
    assert task.verify("dcab") == Score(
        0, "the letters are right, but some are in wrong positions", {"progress": 0.5}
    )
    assert task.verify("d").parts == {"progress": 0.25}
    assert task.verify("dcbadcba").parts == {"progress": 0.5}
    with pytest.raises(InvalidAnswer):
        task.verify("  ")
