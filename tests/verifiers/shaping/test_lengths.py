"""Rewards by length."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.shaping.samples import RIGHT, WRONG, paid

from palaestra.task import Score
from palaestra.verifiers.shaping import (
    CosineLength,
    L1Exact,
    L1Max,
    LaserStep,
    RecipeError,
    SoftOverlong,
    Span,
)

LENGTHS = st.integers(0, 400) | st.sampled_from([0, 1, 99, 100, 101, 10**9])


class TestLengths:
    @given(LENGTHS, st.integers(1, 300), st.data())
    def test_soft_overlong(self, n, limit, data):
        buffer = data.draw(st.integers(1, limit))
        earned = paid(SoftOverlong(limit, buffer), RIGHT, n)
        if n <= limit - buffer:
            assert earned == 0
        elif n <= limit:
            assert earned == pytest.approx(((limit - buffer) - n) / buffer)
        else:
            assert earned == -1

    def test_its_corners(self):
        penalty = SoftOverlong(limit=100, buffer=20)
        lengths = [0, 79, 80, 81, 99, 100, 101, 10**9]
        earned = [0, 0, 0, -0.05, -0.95, -1, -1, -1]
        assert [paid(penalty, RIGHT, n) for n in lengths] == pytest.approx(earned)
        assert paid(SoftOverlong(limit=1, buffer=1), RIGHT, []) == 0

    @given(LENGTHS, st.integers(1, 300), st.booleans())
    def test_cosine(self, n, limit, correct):
        recipe = CosineLength(limit)
        start, end = (2, 1) if correct else (-10, 0)
        t = min(n, limit) / limit
        expected = start + (end - start) * math.sin(math.pi * t / 2) ** 2  # another closed form
        assert paid(recipe, Score(correct), n) == pytest.approx(expected, abs=1e-9)

    @given(LENGTHS, LENGTHS, st.integers(1, 300))
    def test_cosine_never_turns_round(self, n, other, limit):
        recipe = CosineLength(limit)
        short, long = sorted((n, other))
        assert paid(recipe, RIGHT, short) >= paid(recipe, RIGHT, long)
        assert paid(recipe, WRONG, short) <= paid(recipe, WRONG, long)

    def test_cosine_ends_where_it_says(self):
        """0.7 + (0.1 - 0.7) is less than 0.1 in floats."""
        recipe = CosineLength(100, right=(0.1, 0.7), wrong=(-0.3, -0.1))
        assert paid(recipe, RIGHT, 0) == 0.1
        assert paid(recipe, WRONG, 100) == -0.1

    def test_cosine_exceeded(self):
        recipe = CosineLength(100, exceed=-10)
        assert [paid(recipe, RIGHT, n) for n in (99, 100, 101, 200)][1:] == [-10, -10, -10]
        assert paid(recipe, RIGHT, 99) > 1
        assert recipe.if_right == Span(-10, 2)

    @given(LENGTHS, st.integers(1, 300), st.floats(1e-4, 0.1), st.floats(0.1, 2))
    def test_l1(self, n, target, alpha, most):
        exact = paid(L1Exact(target, alpha, most), RIGHT, n)
        assert exact == pytest.approx(max(-most, -alpha * abs(target - n)))
        slack = paid(L1Max(target, alpha), RIGHT, n)
        assert slack == pytest.approx(sorted((0, alpha * (target - n) + 0.5, 1))[1])

    def test_laser(self):
        step = LaserStep(100, alpha=0.5)
        assert [paid(step, RIGHT, n) for n in (0, 99, 100, 101)] == [0.5, 0.5, 0.5, 0]
        assert [paid(step, Score(0.9), n) for n in (0, 99, 100, 101)] == [0, 0, 0, 0]

    @pytest.mark.parametrize(
        "build", [SoftOverlong, CosineLength, L1Exact, L1Max, LaserStep], ids=lambda k: k.__name__
    )
    def test_limits_and_targets_are_above_0(self, build):
        for number in (0, -1):
            with pytest.raises(RecipeError, match="above 0"):
                build(number)

    @pytest.mark.parametrize(
        ("kind", "options"),
        [
            (SoftOverlong, {"limit": 10, "buffer": 0}),
            (SoftOverlong, {"limit": 10, "buffer": 11}),
            (CosineLength, {"limit": 10, "right": (math.nan, 1)}),
            (CosineLength, {"limit": 10, "exceed": math.inf}),
            (L1Exact, {"target": 10, "alpha": -1}),
            (L1Exact, {"target": 10, "most": 0}),
            (L1Max, {"target": 10, "alpha": math.nan}),
            (L1Max, {"target": 10, "delta": 2}),
            (L1Max, {"target": 10, "least": 0.9}),
            (LaserStep, {"target": 10, "alpha": -0.5}),
            (LaserStep, {"target": 10, "alpha": math.inf}),
        ],
        ids=repr,
    )
    def test_options_that_cannot_work(self, kind, options):
        with pytest.raises(RecipeError):
            kind(**options)

    def test_limits_and_targets_may_come_with_the_transcript(self):
        assert paid(SoftOverlong(buffer=20), RIGHT, 90, limit=100) == -0.5
        assert paid(CosineLength(), RIGHT, 50, limit=100) == pytest.approx(1.5)
        assert paid(L1Exact(alpha=0.01), RIGHT, 90, target=100) == pytest.approx(-0.1)
        assert paid(LaserStep(), RIGHT, 90, target=100) == 0.5
        for recipe in (SoftOverlong(), CosineLength(), L1Exact(), L1Max(), LaserStep()):
            with pytest.raises(RecipeError, match="above 0, not None"):
                paid(recipe, RIGHT, 90)
        with pytest.raises(RecipeError, match="less than the buffer"):
            paid(SoftOverlong(buffer=20), RIGHT, 90, limit=10)
