"""Tests of strings/ab_rewriting."""

from palaestra.envs.strings.ab_rewriting import rewritten
from palaestra.envs.strings.string_insertion import inserted


def test_rewriting_applies_the_first_rule_at_the_leftmost_position():
    assert rewritten("abab", (("ba", "c"), ("ab", "d")), 9) == ("acb", 1)
    assert rewritten("aba", (("ba", "ab"),), 9) == ("aab", 1)
    assert rewritten("ab", (("ab", "ab"),), 50) is None
    assert inserted("ab", (("b", "x"), ("ab", "y"))) == "abx"
    assert inserted("aab", (("ab", "y"), ("b", "x"), ("a", "b"))) == "ababby"
