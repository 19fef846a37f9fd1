"""Tests of physics/unit_conversion."""

from fractions import Fraction
from random import Random

import pint
import pytest

from palaestra.address import Address
from palaestra.envs.physics.unit_conversion import UnitConversion
from palaestra.generators.physics.unit_conversion import (
    REAL,
    Definition,
    FixedPoints,
    Question,
    System,
    real_definitions,
    rounded,
)

CELSIUS = FixedPoints("C", "F", (0, 32), (100, 212))
TASK = UnitConversion(
    definitions=(
        Definition("1", "foot", "12", "inch"),
        Definition("1", "inch", "2.54", "cm"),
        Definition("1", "minute", "60", "second"),
    ),
    scales=(CELSIUS,),
    questions=(
        Question("amount", 10, (("foot", 2), ("minute", -1)), (("cm", 2), ("second", -1)), 0),
        Question("reading", 20, (("C", 1),), (("F", 1),), 0),
        Question("difference", 20, (("C", 1),), (("F", 1),), 0),
        Question("amount", 7, (("cm", 1),), (("foot", 1),), 3),
    ),
)


def test_values_of_real_units():
    assert TASK.values() == [
        Fraction("154.8384"),
        68,
        36,
        Fraction(7) / Fraction("30.48"),
    ]
    assert TASK.answer() == "1: 96774/625\n2: 68\n3: 36\n4: 0.23"


def test_scores():
    right = "1: 154.8384 cm^2 second^-1\n2: 68 degrees F\n3: 36\n4: 0.230"
    assert TASK.verify(right).value == 1
    assert TASK.verify(right.replace("154.8384", "154.84")).reason == "1 of the 4 values is wrong"
    assert TASK.verify(right.replace("36", "68")).value == 0
    assert TASK.verify(right.replace("0.230", "0.2297")).value == 0, "it has to be rounded"


@pytest.mark.parametrize("names", REAL)
def test_real_units_are_worth_what_pint_states(names):
    registry = pint.UnitRegistry(non_int_type=Fraction)
    for definition in real_definitions(names):
        expected = registry.Quantity(Fraction(1), definition.one).to(definition.other).magnitude
        assert Fraction(definition.other_amount) == Fraction(str(expected))


def test_both_ways_to_convert_agree_with_an_own_linear_map():
    """Go through the definitions once more, by solving for all units at once."""
    for level in range(3, UnitConversion.Knobs.levels()):
        task = Address.of("physics/unit_conversion", 0, level).task()
        assert isinstance(task, UnitConversion)
        worth = {task.definitions[0].one: Fraction(1)}
        starts = list(dict.fromkeys(d.one for d in task.definitions))
        while True:
            before = len(worth)
            for d in task.definitions:
                ratio = Fraction(d.other_amount) / Fraction(d.amount)
                if d.one in worth:
                    worth.setdefault(d.other, worth[d.one] / ratio)
                elif d.other in worth:
                    worth.setdefault(d.one, worth[d.other] * ratio)
            if len(worth) == before:
                start = next((name for name in starts if name not in worth), None)
                if start is None:
                    break
                worth[start] = Fraction(1)
        for question, value in zip(task.questions, task.values()):
            names = {name for name, _ in (*question.source, *question.target)}
            if question.topic != "amount" or not names <= worth.keys():
                continue
            expected = Fraction(question.value)
            for (source, power), (target, _) in zip(question.source, question.target):
                expected *= (worth[source] / worth[target]) ** power
            assert value == expected


def test_a_reading_and_a_difference_differ():
    system = System((), (CELSIUS, FixedPoints("K", "C", (273, 0), (373, 100))))
    reading = Question("reading", 300, (("K", 1),), (("F", 1),), 0)
    assert system.value(reading) == Fraction("80.6")
    assert system.value(reading._replace(topic="difference")) == 540


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [("12345", 3, "12300"), ("0.0099951", 3, "0.0100"), ("-2.5", 1, "-3"), ("99.96", 3, "100")],
)
def test_rounding(value, digits, expected):
    assert rounded(Fraction(value), digits) == Fraction(expected)


def test_no_question_is_answered_by_the_value_it_states():
    for level in range(UnitConversion.Knobs.levels()):
        task = UnitConversion.sample(Random(level), UnitConversion.Knobs.at(level))
        assert all(q.value != value for q, value in zip(task.questions, task.values()))
