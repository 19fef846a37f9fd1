"""Regular expressions: three matchers, compared on many texts."""

import re
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.regexes import Common, derives, generalised, matches, parsed, written


@given(seed=st.integers(0, 10**6), depth=st.integers(0, 5), text=st.text("abc", max_size=9))
def test_three_matchers_agree(seed, depth, text):
    rng = Random(seed)
    origin = "".join(rng.choices("abc", k=7))
    pattern = written(generalised(rng, origin, "abc", depth, loose=0.5))
    assert matches(pattern, origin)
    assert matches(pattern, text) == derives(pattern, text)
    assert matches(pattern, text) == bool(re.fullmatch(pattern, text))
    assert written(parsed(pattern)) == pattern


@pytest.mark.parametrize(
    "pattern", ["", "a", "a*", "(a|b)?c+", "((ab)*c)*", "(a?)*", "a||b", "[abc]b*", "(a*)+b"]
)
def test_matchers_on_all_short_texts(pattern):
    for length in range(5):
        for letters in product("abc", repeat=length):
            text = "".join(letters)
            assert (
                matches(pattern, text)
                == bool(re.fullmatch(pattern, text))
                == derives(pattern, text)
            )


@pytest.mark.parametrize("pattern", ["(", ")", "a)", "*", "a|*", "[", "[]", "(a", "a\\b", "."])
def test_malformed_patterns(pattern):
    with pytest.raises(ValueError, match=r"\w"):
        parsed(pattern)


def test_matching_never_blows_up():
    assert not matches("(a*)*" * 6 + "b", "a" * 5_000)


def test_common_texts_are_all_there_are():
    yes, no = ["(ab|c)*a?", "[abc]*c[abc]*"], ["c+[ab]*"]
    texts = list(Common(yes, no, "abc", 6))
    every = map("".join, product("abc", repeat=6))
    assert texts == [
        text
        for text in every
        if all(re.fullmatch(p, text) for p in yes) and not any(re.fullmatch(p, text) for p in no)
    ]
