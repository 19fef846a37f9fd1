"""Recipes: closed forms against short formulas of their own, ranges, and the order they keep."""

import math
import pickle
import re
import struct
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.server import recipes
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.testing import HOSTILE, MONSTERS
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
    stated,
)
from palaestra.verifiers.shaping.recipe import DEPTH, GATES
from palaestra.verifiers.shaping.repetition import repeated_share
from palaestra.verifiers.shaping.truth import COARSE, SHORT

RIGHT, WRONG = Score(1.0), Score(0.0)
LENGTHS = st.integers(0, 400) | st.sampled_from([0, 1, 99, 100, 101, 10**9])


def float32(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def bfloat16(number):
    """The upper half of a float32, rounded to even."""
    (bits,) = struct.unpack("I", struct.pack("f", number))
    bits += 0x7FFF + (bits >> 16 & 1)
    return struct.unpack("f", struct.pack("I", bits & 0xFFFF0000))[0]


def paid(recipe, score, tokens=None, reply="", **said):
    return recipe(score, Transcript(reply, tokens, **said))


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
        "said", [{"tokens": -1}, {"confidence": 1.5}, {"confidence": math.nan}], ids=repr
    )
    def test_a_transcript_makes_sense(self, said):
        with pytest.raises(RecipeError):
            Transcript("x", **said)

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


GATE = Format(tags=["a"])
OPEN, SHUT = "<a>1</a>", "1"
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
    def test_order_is_kept_where_it_is_promised(self, terms, weight, gated, score, said):
        recipe = Truth(wrong=-1, partial=0.2) + weight * terms
        if gated:
            recipe = Gated(GATE, recipe, recipe.low)
        one, other = said
        passes = [all(gate.opens(each) for gate in recipe.gates()) for each in said]
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
        rewards = [float32(recipe(score, said)) for score, said in group]
        total = 0.0
        for reward in rewards:
            total = float32(total + reward)
        mean = float32(total / len(rewards))
        gates = recipe.gates()
        right = [score.correct and all(g.opens(said) for g in gates) for score, said in group]
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


class TestFormat:
    @pytest.mark.parametrize(
        "reply",
        [
            "<think>a</think><answer>b</answer>",
            "\n<think>\na\n</think>\n\n<answer> b </answer>\n",
            "<think>1 < 2 > 0 and <b>bold</b></think><answer>x<y</answer>",
            "<think>I answer: thinking helps</think><answer>b</answer>",
            "<think>é</think><answer>漢</answer>",
            "<think>a <thinker> of <answers></think><answer>b</answer>",
        ],
    )
    def test_right_forms(self, reply):
        assert Format().flaw(reply) == ""
        assert paid(Format(), WRONG, reply=reply) == 1

    @pytest.mark.parametrize(
        "reply",
        [
            "",
            "b",
            "<answer>b</answer>",
            "<answer>b</answer><think>a</think>",
            "<think>a</think><answer>b",
            "<think>a<answer>b</answer></think>",
            "<think>a</think><answer>b</answer><answer>b</answer>",
            "<think>a</think><think>a</think><answer>b</answer>",
            "<think>a</think><answer>b</answer>c",
            "so <think>a</think><answer>b</answer>",
            "<think>a</think> so <answer>b</answer>",
            "<think>a</think><answer></answer>",
            "<think> \n</think><answer>b</answer>",
            "<think>a</think><answer>\u200b\u2060</answer>",
            "<think>a</think><answer>\u3164\u2800</answer>",
            "<think>a</think><answer>b</answer>\u200b",
            "<Think>a</Think><answer>b</answer>",
            "<think>a</think><answer>b</answer ><answer>b</answer>",
            "<think>a</think><answer><ANSWER>c</ANSWER></answer>",
            "<think>a</think><answer id=1>b</answer>",
            "<think>a <answer>0</answer></think><answer>b</answer>",
            "<think>a</ think></think><answer>b</answer>",
            "< think>a</think><answer>b</answer>",
            "<think>a< /think></think><answer>b</answer>",
            "<think>a <answer id=1></think><answer>b</answer>",
            "</think><think>a</think><answer>b</answer>",
        ],
    )
    def test_wrong_forms(self, reply):
        assert Format().flaw(reply)
        assert paid(Format(), RIGHT, reply=reply) == 0
        assert paid(Format() * Truth(), RIGHT, reply=reply) == 0

    def test_options(self):
        around = "First: <think>a</think> then <answer>b</answer>."
        assert Format(outside=True).opens(Transcript(around))
        assert not Format().opens(Transcript(around))
        rest = "a</think><answer>b</answer>"
        assert Format(opened=True).opens(Transcript(rest))
        assert not Format(opened=True).opens(Transcript("<think>" + rest))
        assert Format(tags=("answer",)).opens(Transcript("<answer>b</answer>"))
        nested = Format(tags=["think", "thinking"])
        assert nested.opens(Transcript("<think>a</think><thinking>b</thinking>"))

    @pytest.mark.parametrize("tags", [(), ("",), ("a b",), ("a", "A"), ("<a>",), ("a" * 50,)])
    def test_tags_that_cannot_work(self, tags):
        with pytest.raises(RecipeError):
            Format(tags=tags)

    def test_hostile_replies_do_not_pass(self):
        for reply in (*HOSTILE, *MONSTERS, "<" + " " * 10_000, "<think" + " " * 10_000):
            assert not Format().opens(Transcript(reply))

    @given(st.text("<>/thinkanswer ", max_size=60))
    def test_a_passing_reply_is_its_blocks(self, reply):
        if Format().opens(Transcript(reply)):
            inside = reply.split("<think>")[1].split("</think>")[0]
            answer = reply.split("<answer>")[1].split("</answer>")[0]
            assert (
                reply.replace(f"<think>{inside}</think>", "")
                .replace(f"<answer>{answer}</answer>", "")
                .strip()
                == ""
            )


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


class TestConfidence:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("0", 0),
            ("1", 1),
            ("1.0", 1),
            ("0.85", 0.85),
            (".5", 0.5),
            ("85%", 0.85),
            (" 85.5 % ", 0.855),
            ("100%", 1),
            ("0%", 0),
            ("1%", 0.01),
            ("\uff18\uff15%", 0.85),
        ],
    )
    def test_read(self, text, value):
        reply = f"<answer>42</answer><confidence>{text}</confidence>"
        assert stated(reply) == pytest.approx(value)
        assert stated(f"<think><confidence>0.1</confidence></think>{reply}") == pytest.approx(value)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            " ",
            "85",
            "101%",
            "1.01",
            "-0.5",
            "-5%",
            "nan",
            "NaN%",
            "inf",
            "1e-1",
            "high",
            "0.5 0.6",
            "0.5 or 60%",
            "50%%",
            "%",
            "1/2",
            "0,5",
            "about 50%",
            "0x1",
            "9" * 100,
            "0." + "1" * 90,
        ],
    )
    def test_malformed(self, text):
        reply = f"<confidence>{text}</confidence>"
        with pytest.raises(InvalidAnswer):
            stated(reply)
        assert paid(Confidence(), RIGHT, reply=reply) == -1

    @pytest.mark.parametrize(
        "reply",
        [
            "sure",
            "<confidence>0.5",
            "0.5</confidence>",
            "<confidence>0.5</confidence><confidence>0.5</confidence>",
            "<confidence>0.5<confidence>0.6</confidence></confidence>",
            "<think><confidence>0.5</confidence></think>",
            "<CONFIDENCE>0.1</CONFIDENCE><confidence>0.9</confidence>",
        ],
    )
    def test_missing_or_several(self, reply):
        with pytest.raises(InvalidAnswer, match="once between"):
            stated(reply)
        assert paid(Confidence(missing=-0.5), WRONG, reply=reply) == -0.5

    def test_hostile_replies_state_nothing(self):
        for reply in (*HOSTILE, *MONSTERS, "<confidence>" * 10_000):
            assert paid(Confidence(), RIGHT, reply=reply) == -1

    @given(st.floats(0, 1), st.booleans())
    def test_rules_against_formulas(self, c, correct):
        given_to_it = c if correct else 1 - c
        brier = paid(Confidence(), Score(correct), confidence=c)
        assert brier == pytest.approx(-((c - correct) ** 2))
        rlcr = paid(Truth(partial=0) + Confidence(), Score(correct), confidence=c)
        assert rlcr == pytest.approx(correct - (c - correct) ** 2)
        log = paid(Confidence("logarithmic", floor=0.1), Score(correct), confidence=c)
        held = sorted((0.1, given_to_it, 0.9))[1]
        assert log == pytest.approx((math.log(held) - math.log(0.9)) / math.log(9))
        spherical = paid(Confidence("spherical"), Score(correct), confidence=c)
        assert spherical == pytest.approx(given_to_it / math.hypot(c, 1 - c) - 1)

    @pytest.mark.parametrize("rule", ["brier", "logarithmic", "spherical"])
    @given(st.floats(0, 1), st.floats(0, 1))
    def test_honesty_pays_best(self, rule, chance, said):
        recipe = Confidence(rule)

        def expected(confidence):
            earned = [recipe.earned(confidence, correct) for correct in (True, False)]
            return chance * earned[0] + (1 - chance) * earned[1]

        assert expected(chance) >= expected(said) - 1e-12
        assert expected(chance) >= recipe.missing
        assert (
            expected(chance) >= Confidence(rule, missing=recipe.earned(0.5, True)).missing - 1e-12
        )
        if rule != "logarithmic" and abs(chance - said) > 1e-3:
            assert expected(chance) > expected(said)

    @pytest.mark.parametrize("rule", ["brier", "logarithmic", "spherical"])
    @given(st.floats(0, 1), st.floats(0, 1))
    def test_a_likelier_answer_never_pays_less(self, rule, one, other):
        """With the truth beside it, and honest forecasts of both."""
        recipe = Truth(partial=0) + Confidence(rule)

        def expected(chance):
            said = Transcript("", confidence=chance)
            return chance * recipe(RIGHT, said) + (1 - chance) * recipe(WRONG, said)

        worse, better = sorted((one, other))
        assert expected(worse) <= expected(better) + 1e-12

    def test_range_is_reached(self):
        for rule, sure in product(["brier", "logarithmic", "spherical"], [True, False]):
            earned = Confidence(rule).earned(float(sure), True)
            assert earned == pytest.approx(0 if sure else -1)

    @pytest.mark.parametrize(
        "options",
        [
            {"rule": "linear"},
            {"missing": 0},
            {"missing": -0.2},
            {"missing": -1.5},
            {"missing": math.nan},
            {"floor": 0},
            {"floor": 0.5},
            {"tag": "a b"},
        ],
        ids=repr,
    )
    def test_options_that_cannot_work(self, options):
        with pytest.raises(RecipeError):
            Confidence(**options)


def test_gates_need_only_say_whether_they_open():
    @dataclass(frozen=True, slots=True)
    class Short(Gate):
        def opens(self, transcript):
            return transcript.length < 10

    reward = Reward(Short() * Format(tags=["a"]) * Truth())
    assert reward(RIGHT, Transcript(OPEN, 3)) == 1
    assert reward(RIGHT, Transcript(OPEN, 30)) == 0
    assert reward(RIGHT, Transcript(SHUT, 3)) == 0


# ------------------------------------------------------------------------------ types of options

RECIPES = [kind for name, kind in recipes.KNOWN.items() if name != "Reward"]

ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just(10**400),
    st.sampled_from([2.5, "brier", b"x", 1j, Fraction(1, 3), object(), {}, Truth(), Format()]),
)  # fmt: skip
OPTIONS = st.one_of(
    st.sampled_from([1, 2, 0.25, 0.5, -1, 10**5, True, ("a", "b"), (2, 1), (1.0, 0.0)]),
    ODD, st.lists(ODD, max_size=3), st.lists(ODD, max_size=3).map(tuple),
)  # fmt: skip
TRANSCRIPTS = [
    Transcript(""),
    Transcript("<think>a</think><answer>b</answer><confidence>5%</confidence>", [1, 1, 1], 5, 2),
    Transcript("x", 1 << 30, 1 << 30, 1 << 30, 0.5),
    Transcript("x", 0, 0, 0, 1),
]


@settings(max_examples=600)
@given(st.sampled_from(RECIPES), st.data())
def test_options_of_any_type_make_a_recipe_that_works_or_are_refused(kind, data):
    options = [option for option in fields(kind) if option.init]
    given_ = {
        option.name: data.draw(OPTIONS)
        for option in options
        if option.default is MISSING or data.draw(st.booleans())
    }
    try:
        made = kind(**given_)
    except RecipeError:
        return
    hash(made)
    for transcript, value in product(TRANSCRIPTS, (0, 0.5, 1)):
        with suppress(RecipeError):  # which it lacks in the transcript
            reward = made(Score(value), transcript)
            assert made.low <= reward <= made.high
            assert math.isfinite(reward)


@pytest.mark.parametrize(
    ("build", "why"),
    [
        (lambda: NGramRepetition(n=2.5), "n is a whole number, not 2.5"),
        (lambda: NGramRepetition(n=True), "n is a whole number, not True"),
        (lambda: CosineLength(right=(1, 2, 3)), "right is a tuple of 2: a number, a number, not"),
        (lambda: CosineLength(limit="9"), "limit is a whole number or None, not '9'"),
        (lambda: Format(tags="answer"), "tags is a sequence whose members are each a text"),
        (lambda: Truth(right=math.nan), "right is a number, not nan"),
        (lambda: Truth(right=10**5_000), "right is a number, not int"),
        (lambda: Clip(1, 0, 1), "recipe is a Recipe, not 1"),
        (lambda: "2" * Truth(), "terms is a sequence"),
        (lambda: Reward(1), "recipe is a Recipe"),
        (lambda: Reward(Truth(), 1), "allow_order_change is True or False"),
    ],
)
def test_an_option_of_the_wrong_type_is_named(build, why):
    with pytest.raises(RecipeError, match=re.escape(why)):
        build()


@pytest.mark.parametrize("kind", RECIPES, ids=lambda kind: kind.__name__)
def test_every_recipe_can_be_written(kind):
    """A name with a digit in it is no number with letters behind it."""
    inside = {"Clip": "Truth(), -1, 2", "Gated": "Format(), Truth()", "NGramRepetition": "3"}
    text = f"{kind.__name__}({inside.get(kind.__name__, '')})"
    reward = recipes.read(f"Reward({text}, allow_order_change=True)")
    assert type(reward.recipe) is kind


@pytest.mark.parametrize("text", ["Truth(1if 2else 3)", "Truth(0x1f)", "Truth(1_0j)", "2Truth()"])
def test_numbers_with_letters_behind_them_are_refused(text):
    with pytest.raises(RecipeError, match="made of names, numbers"):
        recipes.read(text)
