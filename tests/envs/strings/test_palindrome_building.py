"""Tests of strings/palindrome_building."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.strings.palindrome_building import PalindromeBuilding, built


@given(st.text("abc", min_size=2, max_size=3), st.lists(st.sampled_from(("ab", "aa", "bc"))))
def test_palindromes_are_found_if_there_are_any(half, apart):
    signs, rules = half + half[::-1], tuple(sorted(set(apart)))
    found, _ = built(signs, rules, ())
    task = PalindromeBuilding(signs=signs, apart=rules, banned=())
    some = [t for t in map("".join, permutations(signs)) if not task.flaw(t)]
    assert (found is None) == (not some)
    assert found is None or found in some
