"""Tests of counting/dice_probability: probabilities by counting all rolls one by one."""

from fractions import Fraction
from itertools import pairwise, product

import pytest

from palaestra.address import Address
from palaestra.envs.counting.dice_probability import DiceProbability
from palaestra.generators.counting.dice_probability import Claim
from palaestra.task import InvalidAnswer

STATISTICS = {
    "sum": lambda roll, _: sum(roll),
    "highest": lambda roll, _: max(roll),
    "lowest": lambda roll, _: min(roll),
    "count": lambda roll, face: list(roll).count(face),
    "best": lambda roll, kept: sum(sorted(roll, reverse=True)[:kept]),
    "multiple": lambda roll, divisor: sum(roll) % divisor == 0,
    "rising": lambda roll, _: all(a < b for a, b in pairwise(roll)),
    "distinct": lambda roll, _: len(set(roll)) == len(roll),
}
RELATIONS = {
    "exactly": lambda a, b: a == b,
    "at least": lambda a, b: a >= b,
    "at most": lambda a, b: a <= b,
    "yes": lambda a, _: a,
}


def true(claim, roll):
    return RELATIONS[claim.relation](
        STATISTICS[claim.statistic](roll, claim.parameter), claim.number
    )


def brute(task):
    rolls = list(product(*(range(1, sides + 1) for sides in task.dice)))
    known = [roll for roll in rolls if all(true(claim, roll) for claim in task.known)]
    return Fraction(sum(all(true(claim, r) for claim in task.event) for r in known), len(known))


@pytest.mark.parametrize("level", range(6))
def test_every_roll_counted(level):
    for seed in range(8):
        task = Address.of("counting/dice_probability", seed, level).task()
        assert Fraction(task.answer()) == brute(task)


def chance(dice, *event, known=()):
    return DiceProbability(dice=dice, event=event, known=known)


SIX = (6, 6)


@pytest.mark.parametrize(
    ("task", "value"),
    [
        (chance((6, 6), Claim("sum", 0, "exactly", 7)), "1/6"),
        (chance((6,) * 4, Claim("count", 6, "at least", 1)), "671/1296"),  # de Méré's bet
        (chance((6,) * 4, Claim("best", 3, "exactly", 18)), "7/432"),
        (chance((6,) * 3, Claim("distinct", 0, "yes", 0)), "5/9"),
        (chance((6,) * 3, Claim("rising", 0, "yes", 0)), "5/54"),
        (
            chance(
                SIX, Claim("sum", 0, "at least", 10), known=(Claim("highest", 0, "exactly", 6),)
            ),
            "5/11",
        ),
    ],
)
def test_known_chances(task, value):
    assert task.answer() == value


def test_forms_of_an_answer():
    task = chance((4, 4), Claim("sum", 0, "exactly", 3))
    assert task.verify("2/16").correct
    assert task.verify("0.125").correct
    for right in ("\\frac{1}{8}", "12.5%", "1 in 8", "1/8 = 0.125", "1/8 \u2248 12.5%"):
        assert task.verify(right).correct
    for wrong in ("0.13", "13%", "1e-1", "1 in 9"):
        assert task.verify(wrong).value == 0
    assert task.verify("9/8").reason == "a probability is from 0 to 1"
    for text in ("1:8", "1 to 7", "1/8 = 0.13", "1/0", "nan", "inf"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
