"""Tests of verifiers/modelling/branching: optima compared with those of scipy (HiGHS)."""

from random import Random

import pytest

from palaestra.verifiers.modelling.branching import optimum
from palaestra.verifiers.modelling.language import Program, Row, instance, parse
from palaestra.verifiers.modelling.simplex import WorkLimit

numpy = pytest.importorskip("numpy")
scipy = pytest.importorskip("scipy.optimize")


def random_program(rng):
    """A small program that may be infeasible or unbounded."""
    size = rng.randint(1, 6)
    names = tuple(f"x{n}" for n in range(size))
    rows = tuple(
        Row(
            {name: rng.randint(-4, 6) for name in names},
            rng.choice(("<=", "<=", ">=", "=")),
            rng.randint(-5, 25),
        )
        for _ in range(rng.randint(0, 6))
    )
    return Program(
        names,
        tuple(rng.random() < 0.6 for _ in names),
        tuple(rng.choice((0, 0, 0, -3, 1)) for _ in names),
        tuple(rng.choice((None, 4, 9)) for _ in names),
        rng.choice(("maximize", "minimize")),
        {name: rng.randint(-5, 9) for name in names},
        rng.randint(0, 3),
        rows,
    )


def peer(program):
    """The optimum by scipy; None if there is none."""
    sign = -1 if program.sense == "maximize" else 1
    costs = numpy.array([sign * program.objective[name] for name in program.names])
    constraints = [
        scipy.LinearConstraint(
            numpy.array([[row.coefficients[name] for name in program.names]]),
            -numpy.inf if row.relation == "<=" else row.bound,
            numpy.inf if row.relation == ">=" else row.bound,
        )
        for row in program.rows
    ]
    highs = [numpy.inf if high is None else high for high in program.highs]
    result = scipy.milp(
        costs,
        constraints=constraints or None,
        integrality=numpy.array(program.integers, int),
        bounds=scipy.Bounds(program.lows, highs),
    )
    return sign * result.fun + program.constant if result.status == 0 else None


def test_optima_are_those_of_another_solver():
    rng, solved = Random(1), 0
    for _ in range(250):
        program = random_program(rng)
        try:
            result = optimum(program)
        except WorkLimit:  # branching without end, in unbounded directions
            continue
        expected = peer(program)
        if expected is None:
            assert result.state != "optimal"
            continue
        solved += 1
        assert float(result.value) == pytest.approx(expected)
        for row in program.rows:
            left = sum(row.coefficients[name] * x for name, x in result.x.items())
            sides = {"<=": left <= row.bound, ">=": left >= row.bound, "=": left == row.bound}
            assert sides[row.relation]
        assert optimum(program, result.value).value == result.value
        for other in (result.value - 1, result.value + 1):
            assert optimum(program, other).value != other
    assert solved > 80


def test_states():
    assert optimum(instance(parse("continuous x\nmaximize x", ()), {})).state == "unbounded"
    assert optimum(instance(parse("continuous x\nx <= -1", ()), {})).state == "infeasible"
    assert optimum(instance(parse("integer x\nx = 1/2", ()), {})).state == "infeasible"
    assert optimum(instance(parse("continuous x >= 2 <= 1", ()), {})).state == "infeasible"
    assert optimum(instance(parse("continuous x\nx >= 1", ()), {})).value == 0


def test_exact_where_floating_point_numbers_are_not():
    text = "continuous x, y\nmaximize x\n1000000000*x - 999999999*y <= 0\nx - y >= 0\ny <= 1/3"
    assert optimum(instance(parse(text, ()), {})).value == 0


def test_work_is_limited():
    names = [f"x{n}" for n in range(40)]
    total = " + ".join(f"2*{name}" for name in names)
    text = f"binary {', '.join(names)}\n{total} = 39"  # parity, which branching cannot see
    with pytest.raises(WorkLimit):
        optimum(instance(parse(text, ()), {}), work=200_000)
