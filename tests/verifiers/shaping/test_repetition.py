"""Penalties of repetition."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.shaping.samples import RIGHT, paid

from palaestra.verifiers.shaping import NGramRepetition, RecipeError
from palaestra.verifiers.shaping.repetition import repeated_share


class TestRepetition:
    @given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 6))
    def test_against_counting(self, tokens, n):
        seen, repeated, total = [], 0, 0
        for start in range(len(tokens)):
            gram = tokens[start : start + n]
            if len(gram) == n:
                total += 1
                repeated += gram in seen
                seen.append(gram)
        share = repeated / total if total else 0
        assert repeated_share(tokens, n) == pytest.approx(share)
        assert paid(NGramRepetition(n), RIGHT, tokens) == pytest.approx(-share)

    def test_corners(self):
        assert paid(NGramRepetition(3), RIGHT, []) == 0
        assert paid(NGramRepetition(3), RIGHT, [1, 1]) == 0
        assert paid(NGramRepetition(3), RIGHT, [1, 1, 1]) == 0
        assert paid(NGramRepetition(3), RIGHT, [1, 1, 1, 1]) == -0.5
        loop = paid(NGramRepetition(3, most=2), RIGHT, [1] * 100_000)
        assert -2 < loop < -1.99

    def test_some_may_be_spared(self):
        recipe = NGramRepetition(1, spare=0.5)
        assert paid(recipe, RIGHT, [1, 1]) == 0
        assert paid(recipe, RIGHT, [1, 1, 1, 1]) == -0.5
        assert paid(recipe, RIGHT, [1, 2, 3]) == 0

    def test_numbers_of_tokens_are_not_enough(self):
        with pytest.raises(RecipeError, match="not just their number"):
            paid(NGramRepetition(2), RIGHT, 100)

    @pytest.mark.parametrize("options", [(0,), (65,), (2, 0), (2, 1, 1), (2, math.nan)], ids=repr)
    def test_options_that_cannot_work(self, options):
        with pytest.raises(RecipeError):
            NGramRepetition(*options)
