"""Tests of strings/palindrome_partition."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.strings.palindrome_partition import PalindromePartition, cut, inside
from palaestra.task import InvalidAnswer


@given(st.text("ab", min_size=1, max_size=11))
def test_the_fewest_palindromes(text):
    ways = (_cut(text, way) for way in product((0, 1), repeat=len(text) - 1))
    fewest = min(len(parts) for parts in ways if all(part == part[::-1] for part in parts))
    assert len(cut(text)) == fewest
    assert "".join(cut(text)) == text


@given(st.text("ab", max_size=11), st.sampled_from([min, max]))
def test_palindromes_that_are_chosen_one_by_one_make_up_the_text(text, best):
    parts = inside(text, lambda palindromes: best(palindromes, key=len))
    assert "".join(parts) == text
    assert all(part == part[::-1] for part in parts)


def _cut(text, way):
    ends = [0, *(n for n, here in enumerate(way, 1) if here), len(text)]
    return [text[a:b] for a, b in pairwise(ends)]


def test_cuts_that_are_wrong():
    task = PalindromePartition(text="aabaab")
    assert task.verify("aa, baab").value == task.verify("aabaa, b").value == 1
    assert "do not add up" in task.verify("aa, bab").reason
    assert "piece 1" in task.verify("aab, aab").reason
    assert "fewer" in task.verify("a, a, baab").reason
    with pytest.raises(InvalidAnswer):
        task.verify("aa | baab")
