"""Calculations, Countdown, 24 and numerals, held to referees that work in another way."""

import ast
import operator
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.arithmetic.base_conversion import SIGNS, BaseConversion, written
from palaestra.envs.arithmetic.countdown import Countdown
from palaestra.envs.arithmetic.game_of_24 import GameOf24, way
from palaestra.envs.arithmetic.random_calculation import SIGNS as CALCULATION
from palaestra.envs.arithmetic.random_calculation import RandomCalculation
from palaestra.generators.arithmetic.random_calculation import expression
from palaestra.task import Unreadable
from palaestra.verifiers.arithmetic.reach import Reach, values
from palaestra.verifiers.expressions import second_opinion, worked

ALL = CALCULATION["remainders"]
PYTHON = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip


def by_python(node):
    """An expression as Python reads it, over fractions."""
    if isinstance(node, ast.Constant):
        return Fraction(node.value)
    if isinstance(node, ast.UnaryOp):
        return -by_python(node.operand)
    result = PYTHON[type(node.op)](by_python(node.left), by_python(node.right))
    return Fraction(result)


@given(st.integers(0, 10**9), st.integers(1, 12))
@settings(max_examples=150, deadline=None)
def test_expressions_mean_what_python_and_their_maker_think(seed, length):
    term = expression(Random(seed), length, 30, ALL, minus=0.3)
    source = term.text.replace("^", "**").replace("mod", "%")
    assert worked(term.text, ALL).value == term.value == by_python(ast.parse(source).body[0].value)
    assert len(worked(term.text, ALL).steps) == length - 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14), ("2^3^2", 512), ("-2^2", -4), ("(-2)^2", 4), ("2 - 3 - 4", -5),
        ("-7 // 2", -4), ("-7 mod 2", 1), ("7 mod -2", -1), ("8 / 3 * 3", 8), ("2 × 3 − 1", 5),
        ("2^-1", Fraction(1, 2)), ("1/2/2", Fraction(1, 4)), ("6 ÷ 4", Fraction(3, 2)),
    ],
)  # fmt: skip
def test_conventions(text, value):
    assert worked(text, ALL).value == value


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "1 2", "(1", "1)", "2**3**9**9", "9^9^9", "1/0", "1 // (2 - 2)", "1.5", "x", "0^0",
     "2^(1/2)", "(" * 500 + "1", "-" * 500 + "1", "1+" * 5_000 + "1", "9" * 401, "()", "1,000",
     "(2^2000)^3", "*".join(["9" * 300] * 9), "abs(3)", "1e5", "1_0"],
)  # fmt: skip
def test_no_expression(text):
    with pytest.raises(Unreadable):
        worked(text, ALL)


def test_only_allowed_signs():
    with pytest.raises(Unreadable, match="not allowed"):
        worked("2 ^ 3")
    assert second_opinion("__import__('os')") is None


def test_calculation_takes_every_form_of_the_value():
    task = RandomCalculation(expression="1 / 4 - 1")
    assert {form: task.verify(form).value for form in ("-3/4", "-6/8", "-0.75", "3/4", "-0.7")} == {
        "-3/4": 1, "-6/8": 1, "-0.75": 1, "3/4": 0, "-0.7": 0,
    }  # fmt: skip


# ------------------------------------------------------------------------------------- countdown


def countdown(numbers=(3, 6, 25, 50, 75, 100), target=952, whole=True):
    return Countdown(numbers=numbers, target=target, needed=4, whole=whole)


def test_countdown_classic():
    """James Martin's famous round, with 23,800 on the way."""
    task = countdown()
    assert task.verify("((100 + 6) * 3 * 75 - 50) / 25").correct
    assert task.verify(task.answer()).correct


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("952", "not given"),
        ("100 * (6 + 3) + 50 + 3 - 1", "not given"),
        ("100 * 6 + 3 * 100 + 50 + 3 - 1", "not given"),
        ("(75 / 50) * 100", "whole"),
        ("(3 - 6) * 25", "whole"),
        ("100 * 6 + 3", "comes to 603"),
    ],
)
def test_countdown_refuses(answer, reason):
    score = countdown().verify(answer)
    assert score.value == 0
    assert reason in score.reason


def test_countdown_steps_may_be_fractions_where_that_is_said():
    assert countdown((3, 3, 8, 8), 24, whole=False).verify("8 / (3 - 8 / 3)").correct
    assert not countdown((3, 3, 8, 8), 24).verify("8 / (3 - 8 / 3)").correct


@pytest.mark.parametrize("seed", range(5))
def test_countdown_takes_as_many_numbers_as_it_promises(seed):
    task = Address.of("arithmetic/countdown", seed, level=3).task()
    for size in range(1, task.needed):
        for some in permutations(task.numbers, size):
            assert task.target not in Reach(some, whole=True).values(2**size - 1)


# -------------------------------------------------------------------------------------------- 24


@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), st.integers(0, 60))
@settings(max_examples=150, deadline=None)
def test_search_finds_what_brute_force_does(hand, target):
    found = way(tuple(hand), target, "+-*/")
    assert (found is not None) == (target in values(tuple(hand), "+-*/"))
    if found:
        opinion = second_opinion(found)
        assert opinion.value == target
        assert sorted(opinion.numbers) == sorted(hand)


@pytest.mark.parametrize("hand", [(3, 3, 8, 8), (1, 5, 5, 5), (4, 4, 7, 7), (1, 3, 4, 6)])
def test_famous_hands(hand):
    assert way(hand, 24, "+-*/")
    assert way(hand, 24, "+-*") is None


def test_zero_on_the_way_is_found():
    assert way((1, 1, 5, 7, 9), 0, "*-") is not None


def test_24_needs_every_line_right():
    task = GameOf24(hands=((1, 1, 1, 1), (3, 3, 8, 8)), target=24, signs="+-*/")
    assert task.verify("2: 8/(3-8/3)\n1: Impossible").correct
    for wrong in (
        "1: impossible\n2: impossible",
        "1: 6+6+6+6\n2: 8/(3-8/3)",
        "1: impossible\n2: 3*8",
        "1: impossible\n2: 8*3*(8-3)/5",
        "1: (1+1+1+1)!\n2: 8/(3-8/3)",
        "1: impossible\n2: 33 - 8 - 8/8",
    ):
        try:
            assert task.verify(wrong).value == 0
        except Unreadable:
            assert "!" in wrong


# -------------------------------------------------------------------------------- base conversion


@given(st.integers(-(10**30), 10**30), st.integers(2, 36))
def test_python_reads_what_is_written(number, base):
    assert int(written(Fraction(number), base), base) == number


def test_conversion_takes_every_way_to_write_a_number():
    task = BaseConversion(conversions=(("-53.5", 10, 16), ("255", 10, 16)))
    assert task.answer() == "-35.8, FF"
    assert task.verify("-035.80\nff").correct
    assert task.verify("(-35.8; FF)").correct
    assert task.verify("-35.8, FE").value == 0
    for text in ("-35.8", "-35.8, 0xFF", "-35.8, FG", "-35.8, F F", "-.8, FF", "1e+5, FF", "²,FF"):
        with pytest.raises(Unreadable):
            task.verify(text)


def test_top_level_fractions_end_in_both_bases():
    tasks = [Address.of("arithmetic/base_conversion", seed, level=6).task() for seed in range(40)]
    assert any("." in numeral for task in tasks for numeral, _, _ in task.conversions)
    assert all(set(part) <= {*SIGNS, *"-., "} for task in tasks for part in task.answer())
