"""Tests of strings/palindrome_building."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.strings.palindrome_building import PalindromeBuilding, built


@given(st.text("abc", min_size=2, max_size=3), st.lists(st.sampled_from(("ab", "aa", "bc"))))
def test_the_solver_finds_a_palindrome_if_there_is_one(half, apart):
    signs, rules = half + half[::-1], tuple(sorted(set(apart)))
    palindrome, _ = built(signs, rules, ())
    task = PalindromeBuilding(signs=signs, apart=rules, banned=())
    valid = [t for t in map("".join, permutations(signs)) if not task.violation(t)]
    assert (palindrome is None) == (not valid)
    assert palindrome is None or palindrome in valid
