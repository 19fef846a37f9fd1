"""Tests of algebra/partial_fractions."""

import re

import pytest

from palaestra.address import Address
from palaestra.envs.algebra.partial_fractions import PartialFractions


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


def test_one_term_above_stands_without_brackets() -> None:
    factors = (((1, 2), 2), ((1, 5), 1))
    for numerator, told in (
        ((9,), "9 / [(x + 2)^2(x + 5)]"),
        ((-7, 0), "-7x / [(x + 2)^2(x + 5)]"),
        ((1, 0, 9), "(x^2 + 9) / [(x + 2)^2(x + 5)]"),
    ):
        prompt = PartialFractions(factors=factors, numerator=numerator).prompt()
        assert told in prompt.splitlines()


def test_the_example_has_as_many_constants_as_are_asked_for() -> None:
    knobs = {"linear": 5, "repeated": 3, "quadratics": 2, "whole": True}
    prompt = Address.of("algebra/partial_fractions", 1, 0, **knobs).task().prompt()
    example = re.findall(r"such as '(.*)'", prompt)[0]
    assert f"with {len(example.split(', '))} constants" in prompt


@pytest.mark.parametrize("name", ["algebra/partial_fractions", "algebra/complete_the_square"])
def test_fractions_may_have_blanks_beside_the_slash(name: str) -> None:
    answers = ((drawn, drawn.answer()) for drawn in (task(name, seed, 1) for seed in range(9)))
    drawn, right = next(pair for pair in answers if "/" in pair[1])
    assert drawn.verify(right.replace("/", " / ")).value == 1
    assert drawn.verify(right.replace("/", " / 1")).value == 0
