"""Rewards by stated confidence."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.shaping.samples import RIGHT, WRONG, paid

from palaestra.task import InvalidAnswer, Score
from palaestra.testing import HOSTILE, MONSTERS
from palaestra.verifiers.shaping import Confidence, RecipeError, Transcript, Truth, stated


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
        with pytest.raises(InvalidAnswer, match="exactly one confidence between"):
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
    def test_honesty_pays_best(self, rule, chance, stated):
        recipe = Confidence(rule)

        def expected(confidence):
            earned = [recipe.earned(confidence, correct) for correct in (True, False)]
            return chance * earned[0] + (1 - chance) * earned[1]

        assert expected(chance) >= expected(stated) - 1e-12
        assert expected(chance) >= recipe.missing
        assert (
            expected(chance) >= Confidence(rule, missing=recipe.earned(0.5, True)).missing - 1e-12
        )
        if rule != "logarithmic" and abs(chance - stated) > 1e-3:
            assert expected(chance) > expected(stated)

    @pytest.mark.parametrize("rule", ["brier", "logarithmic", "spherical"])
    @given(st.floats(0, 1), st.floats(0, 1))
    def test_a_likelier_answer_never_pays_less(self, rule, one, other):
        """With the truth beside it, and honest forecasts of both."""
        recipe = Truth(partial=0) + Confidence(rule)

        def expected(chance):
            transcript = Transcript("", confidence=chance)
            return chance * recipe(RIGHT, transcript) + (1 - chance) * recipe(WRONG, transcript)

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
