"""Tests of numbers/arithmetic_functions."""

from random import Random

import pytest

from palaestra.envs.numbers.arithmetic_functions import TOPICS, ArithmeticFunctions
from palaestra.generators.numbers.arithmetic_functions import (
    Question,
    divisor_total,
    moebius,
    random_question,
    sigma_total,
    totients,
)
from palaestra.task import InvalidAnswer


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("bound", [30, 47, 120])
def test_values_are_those_of_the_definitions(topic, bound):
    for seed in range(6):
        question = random_question(Random(f"{bound} {seed}"), topic, bound)
        assert question.value() == question.by_hand(), question


def test_functions_are_those_of_sympy():
    theory = pytest.importorskip("sympy.functions.combinatorial.numbers")
    assert moebius(60)[1:] == [theory.mobius(n) for n in range(1, 61)]
    assert totients(60)[1:] == [theory.totient(n) for n in range(1, 61)]
    assert divisor_total(300) == sum(theory.divisor_sigma(n, 0) for n in range(1, 301))
    assert sigma_total(300) == sum(theory.divisor_sigma(n) for n in range(1, 301))


def test_long_ranges_have_known_sums():
    assert divisor_total(10**6) == 13_970_034
    assert sigma_total(10**6) == 822_468_118_437
    assert Question("factorial", 10**6, (10,)).value() == 249_998
    assert Question("coprime pairs", 1_000, (1_000, 1)).value() == 608_383


def test_scores():
    task = ArithmeticFunctions(question=Question("remainders", 5, (7,)))
    assert task.verify("7").value == 1  # 0 + 1 + 1 + 3 + 2
    assert task.verify("8").reason == "the number is wrong"
    with pytest.raises(InvalidAnswer):
        task.verify("six")
