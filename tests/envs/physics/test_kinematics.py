"""Tests of physics/kinematics."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
import sympy

from palaestra.address import Address
from palaestra.envs.physics.kinematics import Kinematics
from palaestra.generators.physics.kinematics import (
    Body,
    Irrational,
    Phase,
    Question,
    by_ends,
    meetings,
    path,
    position,
    roots,
    value,
)

T = sympy.Symbol("t", real=True)
STONE = Body("Ada", "0", (Phase(4, 20, -20),))
WALKER = Body("Bo", "15", (Phase(4, 0, 0),))
TASK = Kinematics(
    bodies=(STONE, WALKER),
    questions=(
        Question("first meeting", 0, 1),
        Question("last meeting", 0, 1),
        Question("greatest distance", 0, 1),
        Question("path", 0, time=3),
    ),
    mixed=True,
)


def test_a_stone_that_is_thrown_up():
    assert TASK.answer() == "1: 1 s\n2: 3 s\n3: 15 m\n4: 25 m"


def test_scores():
    assert TASK.verify("1: 1 s\n2: 3.0 seconds\n3: 1500 cm\n4: 25 metres").value == 1
    assert TASK.verify("1: 1/60 min\n2: 3 s\n3: 0.015 km\n4: 25 m").value == 1
    assert TASK.verify("1: 1\n2: 3 s\n3: 15 m\n4: 25 m").reason == "the unit is missing in answer 1"
    wrong_unit = TASK.verify("1: 1 m\n2: 3 s\n3: 15 m\n4: 25 m")
    assert wrong_unit.reason == "the unit measures something else in answer 1"
    assert TASK.verify("1: 1 s\n2: 1 s\n3: 15 m\n4: 25 m").reason == "1 of the 4 values is wrong"
    bare = TASK.model_copy(update={"mixed": False})
    assert bare.verify("1: 1\n2: 3\n3: 15\n4: 25").value == 1


def velocity(phase, start):
    return phase.first + sympy.Rational(phase.last - phase.first, phase.duration) * (T - start)


def positions(body):
    """The position in each phase, integrated by sympy: pairs of start and expression."""
    total, expressions = sympy.Rational(body.start), []
    for phase, start in zip(body.phases, body.times()):
        moved = sympy.integrate(velocity(phase, start), T)
        expressions.append((start, sympy.expand(total + moved - moved.subs(T, start))))
        total = expressions[-1][1].subs(T, start + phase.duration)
    return expressions


def expression_at(body, time):
    return [each for start, each in positions(body) if start <= time][-1]


def all_meetings(one, other):
    times = set()
    for start, end in pairwise(sorted({*one.times(), *other.times()})):
        gap = expression_at(one, start) - expression_at(other, start)
        times |= {t for t in sympy.solve(gap, T) if start <= t <= end}
    return sorted(times)


@pytest.mark.parametrize("level", range(Kinematics.Knobs.levels()))
def test_sympy_finds_the_same_values(level):
    task = Address.of("physics/kinematics", 1, level).task()
    assert isinstance(task, Kinematics)
    for question, result in zip(task.questions, task.values()):
        assert result is not None
        one, other = task.bodies[question.one], task.bodies[question.other]
        expected = sympy.Rational(result.numerator, result.denominator)
        if question.topic == "path":
            moved = 0
            for phase, start in zip(one.phases, one.times()):
                end = min(question.time, start + phase.duration)
                if end > start:
                    moved += sympy.integrate(sympy.Abs(velocity(phase, start)), (T, start, end))
            assert sympy.simplify(moved - expected) == 0
        elif question.topic == "greatest distance":
            gaps = []
            for start, end in pairwise(sorted({*one.times(), *other.times()})):
                gap = expression_at(one, start) - expression_at(other, start)
                inner = [t for t in sympy.solve(gap.diff(T), T) if start < t < end]
                gaps += [abs(gap.subs(T, t)) for t in (start, end, *inner)]
            assert max(gaps) == expected
        else:
            times = all_meetings(one, other)
            first = times[-1 if question.topic == "last meeting" else 0]
            if question.topic == "first position":
                first = expression_at(one, first).subs(T, first)
            assert first == expected


def test_positions_are_continuous():
    body = Body("Ada", "2.5", (Phase(2, 10, 0), Phase(4, 5, 5), Phase(2, -10, 10)))
    assert [position(body, Fraction(t)) for t in body.times()] == [
        Fraction(5, 2),
        Fraction(25, 2),
        Fraction(65, 2),
        Fraction(65, 2),
    ]
    assert path(body, 8) == 40
    assert path(body, 7) == 35


def test_times_that_are_no_fractions_are_refused():
    falling = Body("Cleo", "0", (Phase(4, 0, 20),))
    with pytest.raises(Irrational):
        value((falling, WALKER._replace(start="15")), Question("first meeting", 0, 1))
    with pytest.raises(Irrational):
        list(meetings(WALKER, WALKER._replace(name="Dev")))
    assert roots(Fraction(1), Fraction(0), Fraction(-2), 5, 9) == ()


def test_the_ends_of_phases_do_not_tell_the_values():
    """Turning points within phases and meetings after the first one decide."""
    right = dict.fromkeys(range(2, 7), 0)
    for level in right:
        for seed in range(20):
            task = Address.of("physics/kinematics", seed, level).task()
            assert isinstance(task, Kinematics)
            right[level] += task.verify(task.baselines(Random(0))["ends of phases"]).value == 1
    assert right[2] <= 16
    assert not any(right[level] for level in range(3, 7))


def test_values_by_the_ends_of_phases():
    bodies = TASK.bodies
    assert [by_ends(bodies, each) for each in TASK.questions] == [1, 1, 15, 15]
    rising = (STONE, WALKER._replace(start="-8"))
    distance = Question("greatest distance", 0, 1)
    assert (by_ends(rising, distance), value(rising, distance)) == (8, 28)
