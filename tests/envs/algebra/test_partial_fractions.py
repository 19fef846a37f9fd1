"""Tests of algebra/partial_fractions."""

import re

import pytest

from palaestra.address import Address
from palaestra.envs.algebra.partial_fractions import PartialFractions


def test_a_numerator_of_one_term_has_no_brackets() -> None:
    factors = (((1, 2), 2), ((1, 5), 1))
    for numerator, line in (
        ((9,), "9 / [(x + 2)^2(x + 5)]"),
        ((-7, 0), "-7x / [(x + 2)^2(x + 5)]"),
        ((1, 0, 9), "(x^2 + 9) / [(x + 2)^2(x + 5)]"),
    ):
        prompt = PartialFractions(factors=factors, numerator=numerator).prompt()
        assert line in prompt.splitlines()


def test_the_example_has_as_many_constants_as_the_answer() -> None:
    knobs = {"linear": 5, "repeated": 3, "quadratics": 2, "whole": True}
    prompt = Address.of("algebra/partial_fractions", 1, 0, **knobs).task().prompt()
    example = re.findall(r"such as '(.*)'", prompt)[0]
    assert f"with {len(example.split(', '))} constants" in prompt


@pytest.mark.parametrize("name", ["algebra/partial_fractions", "algebra/complete_the_square"])
def test_fractions_may_have_spaces_beside_the_slash(name: str) -> None:
    tasks = (Address.of(name, seed, 1).task() for seed in range(9))
    task = next(task for task in tasks if "/" in task.answer())
    right = task.answer()
    assert task.verify(right.replace("/", " / ")).value == 1
    assert task.verify(right.replace("/", " / 1")).value == 0
