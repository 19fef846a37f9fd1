"""Recipes: closed forms, ranges, and the order of right and wrong replies."""

import math
import pickle
from dataclasses import dataclass, fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.verifiers.shaping.samples import GATE, OPEN, RIGHT, SHUT, WRONG, bfloat16, float32, paid

from palaestra.task import JudgeError, Score
from palaestra.verifiers.shaping import (
    Clip,
    Confidence,
    CosineLength,
    Format,
    Gate,
    Gated,
    L1Exact,
    L1Max,
    LaserStep,
    NGramRepetition,
    Product,
    Recipe,
    RecipeError,
    Reward,
    SoftOverlong,
    Span,
    Sum,
    Transcript,
    Truth,
)
from palaestra.verifiers.shaping.recipe import DEPTH, GATES
from palaestra.verifiers.shaping.truth import COARSE, SHORT


class TestRecipes:
    def test_a_transcript_has_what_it_was_given(self):
        assert Transcript("x", [1, 2, 3]).length == 3
        assert Transcript("x", [1, 2, 3]).ids == (1, 2, 3)
        assert Transcript("x", 0).length == 0
        assert Transcript("x", ()).length == 0
        for missing in (lambda t: t.length, lambda t: t.ids):
            with pytest.raises(RecipeError, match="needs the tokens"):
                missing(Transcript("x"))
        with pytest.raises(RecipeError, match="not just their number"):
            _ = Transcript("x", 3).ids

    @pytest.mark.parametrize(
        "fields", [{"tokens": -1}, {"confidence": 1.5}, {"confidence": math.nan}], ids=repr
    )
    def test_a_transcript_makes_sense(self, fields):
        with pytest.raises(RecipeError):
            Transcript("x", **fields)

    @given(st.floats(0, 1), st.floats(0, 1), st.floats(-10, 10), st.floats(0.01, 10))
    def test_the_truth_on_another_scale(self, value, partial, wrong, gap):
        recipe = Truth(right=wrong + gap, wrong=wrong, partial=partial)
        earned = paid(recipe, Score(value))
        plain = wrong + gap if value == 1 else wrong + partial * value * gap
        held = max(SHORT * gap, COARSE * max(abs(wrong), abs(wrong + gap)))
        assert math.isclose(earned, min(plain, wrong + gap - held * (value < 1)), abs_tol=1e-9)
        assert (earned == recipe.right) == (value == 1)
        assert recipe.keeps_order

    def test_the_truth_is_the_score_unless_said_otherwise(self):
        assert [paid(Truth(), Score(v)) for v in (0, 0.3, 1)] == [0, 0.3, 1]

    def test_nearly_right_never_earns_as_much_as_right(self):
        """4.7 + (1 - 1e-16) * (5.2 - 4.7) is 5.2 in floats."""
        recipe = Truth(right=5.2, wrong=4.7)
        assert paid(recipe, Score(math.nextafter(1, 0))) < paid(recipe, RIGHT)
        assert recipe.keeps_order

    def test_nor_in_float32(self):
        """0.9999999999999999 is 1 there."""
        nearly = paid(Truth(), Score(math.nextafter(1, 0)))
        assert float32(nearly) < float32(paid(Truth(), RIGHT))
        assert nearly == Truth().if_wrong.high == 1 - 2**-12
        with pytest.raises(RecipeError, match="too near for float32"):
            Truth(right=1, wrong=1 - 1e-9)

    def test_sums_products_and_clips(self):
        double = 2 * Truth() + SoftOverlong(100, 20)
        assert isinstance(double, Sum)
        assert (double.low, double.high) == (-1, 2)
        assert paid(double, RIGHT, 90) == 1.5
        factor = Truth(partial=0) * L1Max(1_000, 0.001, least=0.1)
        assert isinstance(factor, Product)
        assert (factor.if_right, factor.if_wrong) == (Span(0.1, 1), Span(0, 0))
        assert factor.keeps_order
        clipped = Clip(double, -0.25, 1)
        assert (clipped.low, clipped.high, clipped.keeps_order) == (-0.25, 1, False)
        assert paid(clipped, WRONG, 100) == -0.25
        assert len((Truth() + Truth() + Truth()).terms) == 3

    @pytest.mark.parametrize(
        "build",
        {
            "a negative weight": lambda: -1 * Truth(),
            "a weight of 0": lambda: 0 * Truth(),
            "an infinite weight": lambda: math.inf * Truth(),
            "NaN for a weight": lambda: math.nan * Truth(),
            "NaN for right": lambda: Truth(right=math.nan),
            "an infinite reward": lambda: Truth(right=math.inf),
            "an endless product": lambda: Product(tuple([Truth(right=1e12)] * 40)),
            "right below wrong": lambda: Truth(right=0, wrong=1),
            "partial beyond right": lambda: Truth(partial=1.5),
            "no terms": lambda: Sum(()),
            "no factors": lambda: Product(()),
            "a factor below 0": lambda: SoftOverlong(9, 3) * Truth(),
            "two penalties": lambda: SoftOverlong(9, 3) * SoftOverlong(9, 3),
            "a number as a term": lambda: Truth() + 1,
            "a number as a factor": lambda: Truth() * 2,
            "a judge as a factor": lambda: Truth() * (lambda answer: RIGHT),
            "a clip of nothing": lambda: Clip(Truth(), 1, 1),
            "a clip of NaN": lambda: Clip(Truth(), math.nan, 1),
            "a gate paid for breaking": lambda: Format() * Truth(wrong=-1),
            "a recipe as a gate": lambda: Gated(Truth(), Truth()),
        }.items(),
        ids=lambda item: item[0],
    )
    def test_what_cannot_work_is_refused_when_built(self, build):
        with pytest.raises(RecipeError):
            build[1]()

    def test_depth_and_gates_are_bounded(self):
        deep = gated = Truth()
        while deep.depth < DEPTH:
            deep = Clip(deep, -1, 1)
        with pytest.raises(RecipeError, match="nest up to"):
            Clip(deep, -1, 1)
        while len(gated.gates()) < GATES:
            gated = Format(tags=[f"t{len(gated.gates())}"]) * gated
        with pytest.raises(RecipeError, match="gates"):
            Format() * gated
        assert paid(Format(tags=["t0"]) * gated, RIGHT) == 0  # one that it has already

    def test_nan_never_passes(self):
        @dataclass(frozen=True, slots=True)
        class Broken(Recipe):
            def span(self, correct, opened):
                return Span(0.0, 1.0)

            def value(self, score, transcript):
                return math.nan

        with pytest.raises(RecipeError, match="gives no number"):
            paid(Broken(), RIGHT)
        with pytest.raises(RecipeError, match="gives no number"):
            paid(Truth() + Broken(), RIGHT)

    def test_a_custom_recipe_is_held_to_its_range(self):
        @dataclass(frozen=True, slots=True)
        class Wild(Recipe):
            def span(self, correct, opened):
                return Span(-1.0, 1.0)

            def value(self, score, transcript):
                return 7.0

        assert paid(Wild(), RIGHT) == 1


LEAVES = st.one_of(
    st.builds(Truth, st.floats(1, 3), st.floats(-2, 0.9), st.sampled_from([0.0, 0.5, 1.0])),
    st.builds(SoftOverlong, st.integers(50, 200), st.integers(1, 50)),
    st.builds(
        CosineLength,
        st.integers(1, 300),
        st.tuples(st.floats(0, 3), st.floats(0, 3)),
        st.tuples(st.floats(-3, 1), st.floats(-3, 1)),
        st.none() | st.floats(-10, 0),
    ),
    st.builds(L1Exact, st.integers(1, 300), st.floats(1e-4, 1), st.floats(0.1, 2)),
    st.builds(L1Max, st.integers(1, 300), st.floats(1e-4, 1), st.floats(0.5, 1), st.floats(0, 0.5)),
    st.builds(LaserStep, st.integers(1, 300), st.floats(0.1, 2)),
    st.builds(NGramRepetition, st.integers(1, 5), st.floats(0.1, 2), st.floats(0, 0.5)),
    st.builds(Confidence, st.sampled_from(["brier", "logarithmic", "spherical"])),
    st.just(GATE),
)


def combined(recipes):
    def attempt(make):
        def made(*parts):
            try:
                return make(*parts)
            except RecipeError:
                return parts[0]  # two that do not go together: one of them alone

        return made

    weights = st.floats(0.05, 3)
    return st.one_of(
        st.builds(attempt(lambda a, b, w: a + w * b), recipes, recipes, weights),
        st.builds(attempt(lambda a, b: a * b), recipes, recipes),
        st.builds(attempt(lambda a, low: Clip(a, low, low + 2)), recipes, st.floats(-2, 0)),
        st.builds(
            attempt(lambda a, less: Gated(GATE, a, a.low - less)), recipes, st.floats(0.0, 1.0)
        ),
    )


RECIPES = st.recursive(LEAVES, combined, max_leaves=6)
SCORES = st.sampled_from([0.0, 0.5, math.nextafter(1, 0), 1.0]).map(Score)
TRANSCRIPTS = st.builds(
    Transcript,
    st.sampled_from([OPEN, SHUT]),
    st.lists(st.integers(0, 3), max_size=300) | st.just([1] * 300) | st.just(range(250)).map(list),
    confidence=st.none() | st.floats(0, 1) | st.sampled_from([0.0, 1.0]),
)


class TestOrder:
    @settings(max_examples=400, deadline=None)
    @given(RECIPES, SCORES, TRANSCRIPTS)
    def test_every_reward_lies_in_its_span(self, recipe, score, transcript):
        """Exactly, without any tolerance: the proofs of order rest on it."""
        earned = recipe(score, transcript)
        right = score.correct and all(gate.opens(transcript) for gate in recipe.gates())
        low, high = recipe.if_right if right else recipe.if_wrong
        assert low <= earned <= high
        assert recipe.low <= earned <= recipe.high
        assert math.copysign(1, earned) == 1 or earned < 0

    @settings(max_examples=300, deadline=None)
    @given(
        RECIPES, st.floats(0.001, 0.3), st.booleans(), SCORES, st.tuples(TRANSCRIPTS, TRANSCRIPTS)
    )
    def test_order_is_kept_where_it_is_promised(self, terms, weight, gated, score, transcripts):
        recipe = Truth(wrong=-1, partial=0.2) + weight * terms
        if gated:
            recipe = Gated(GATE, recipe, recipe.low)
        one, other = transcripts
        passes = [all(gate.opens(each) for gate in recipe.gates()) for each in transcripts]
        if recipe.keeps_order and passes[0] and not (score.correct and passes[1]):
            assert recipe(RIGHT, one) > recipe(score, other)

    @pytest.mark.parametrize(
        ("recipe", "kept"),
        [
            (Truth(), True),
            (Format() * Truth(), True),
            (Truth(wrong=-1, partial=0) + SoftOverlong(100, 20), True),
            (Truth() + SoftOverlong(100, 20), False),
            (Truth(partial=0) + SoftOverlong(100, 20), False),
            (Truth(partial=0.4) + 0.5 * SoftOverlong(100, 20), True),
            (Truth(partial=0) + Format(), False),
            (Truth(partial=0) + 0.5 * Format(), True),
            (Truth() + LaserStep(100), True),
            (CosineLength(100), True),
            (CosineLength(100, exceed=-10), False),
            (Truth(partial=0) + L1Exact(100), True),
            (Truth(partial=0) + L1Exact(100, most=1), False),
            (Truth(partial=0) * L1Max(100), False),
            (Truth(partial=0) * L1Max(100, least=0.01), True),
            (Truth(partial=0) + Confidence(), False),
            (Truth(partial=0) + 0.9 * Confidence(), True),
            (Format() * (Truth(partial=0) + LaserStep(100)), True),
            (Gated(Format(), Truth(wrong=-1), closed=-1), True),
            # A right answer in the wrong form counts as wrong, and its bonus is too small to show.
            (Format() * Truth(partial=0) + LaserStep(100, alpha=0.5), True),
            (Format() * Truth(partial=0) + LaserStep(100, alpha=2), False),
        ],
        ids=lambda value: repr(value) if isinstance(value, Recipe) else "",
    )
    def test_who_keeps_order(self, recipe, kept):
        assert recipe.keeps_order == kept
        if kept:
            assert Reward(recipe).recipe == recipe
        else:
            with pytest.raises(RecipeError, match="allow_order_change"):
                Reward(recipe)
            assert Reward(recipe, allow_order_change=True).low == recipe.low

    @settings(max_examples=400, deadline=None)
    @given(
        RECIPES,
        st.floats(1e-9, 1e9, exclude_max=True),
        st.booleans(),
        st.lists(st.tuples(SCORES, TRANSCRIPTS), min_size=2, max_size=16),
    )
    def test_promised_order_is_kept_in_float32(self, terms, weight, alone, group):
        """Rewards, and rewards less the mean of their group, added up as trainers do."""
        recipe = terms if alone else Truth(wrong=-1, partial=0.2) + weight * terms
        if not recipe.keeps_order:
            return
        rewards = [float32(recipe(score, transcript)) for score, transcript in group]
        total = 0.0
        for reward in rewards:
            total = float32(total + reward)
        mean = float32(total / len(rewards))
        gates = recipe.gates()
        right = [
            score.correct and all(g.opens(transcript) for g in gates) for score, transcript in group
        ]
        for paid_right in (r for r, ok in zip(rewards, right) if ok):
            for paid_wrong in (r for r, ok in zip(rewards, right) if not ok):
                assert paid_right > paid_wrong
                assert float32(paid_right - mean) > float32(paid_wrong - mean)

    @given(st.sampled_from([0.25, 1e-3, 1e-6, 3e-8]), st.floats(0, 1))
    def test_a_gap_of_a_128th_is_kept_in_bfloat16(self, gap, share):
        recipe = Truth(right=1, wrong=-1, partial=0) + (1 + (1 - gap)) * SoftOverlong(100, 20)
        assert recipe.gap == pytest.approx(gap)
        assert recipe.keeps_order == (gap > 1e-5)
        right = paid(recipe, RIGHT, 100)
        wrong = paid(recipe, WRONG, round(80 + 20 * share))
        if recipe.keeps_order:
            assert float32(right) > float32(wrong)
        if gap >= 2**-7 * max(-recipe.low, recipe.high):
            assert bfloat16(right) > bfloat16(wrong)

    def test_what_float32_hardly_tells_apart_is_refused_and_says_so(self):
        recipe = Truth(partial=0) + (1 - 1e-7) * SoftOverlong(100, 20)
        assert recipe.if_right.low > recipe.if_wrong.high
        with pytest.raises(RecipeError, match="float32 hardly tells apart"):
            Reward(recipe)

    def test_no_reward_where_there_is_no_score(self):
        reward = Reward(Truth())
        assert reward(JudgeError("the judge is down"), Transcript("x")) is None
        assert reward(RIGHT, Transcript("x")) == 1
        assert (reward.low, reward.high) == (0, 1)


@given(RECIPES)
def test_copies_are_equal_and_judge_alike(recipe):
    copy = pickle.loads(pickle.dumps(recipe))
    assert copy == recipe
    assert hash(copy) == hash(recipe)
    assert (copy.if_right, copy.if_wrong) == (recipe.if_right, recipe.if_wrong)
    transcript = Transcript(OPEN, [1, 2, 1, 2], confidence=0.5)
    assert copy(RIGHT, transcript) == recipe(RIGHT, transcript)
    assert "if_right" in {f.name for f in fields(recipe)}


def test_gates_need_only_say_whether_they_open():
    @dataclass(frozen=True, slots=True)
    class Short(Gate):
        def opens(self, transcript):
            return transcript.length < 10

    reward = Reward(Short() * Format(tags=["a"]) * Truth())
    assert reward(RIGHT, Transcript(OPEN, 3)) == 1
    assert reward(RIGHT, Transcript(OPEN, 30)) == 0
    assert reward(RIGHT, Transcript(SHUT, 3)) == 0
