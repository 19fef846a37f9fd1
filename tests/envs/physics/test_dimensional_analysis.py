"""Tests of physics/dimensional_analysis."""

from random import Random

import pint
import pytest
import sympy

from palaestra.address import Address
from palaestra.envs.physics.dimensional_analysis import DimensionalAnalysis
from palaestra.generators.physics.dimensional_analysis import Formula, Term
from palaestra.generators.physics.dimensions import BASES, Measure, kernel, rank, written

TASK = DimensionalAnalysis(
    bases=("kg", "m", "s"),
    derived=(Measure("newt", (("kg", 1), ("m", 1), ("s", -2))),),
    quantities=(
        Measure("f", (("newt", 1),)),
        Measure("h", (("kg", 1),)),
        Measure("r", (("m", 1),)),
        Measure("v", (("m", 1), ("s", -1))),
    ),
    laws=(Formula((("f", 1),), (Term(1, (("G", 1), ("h", 2), ("r", -2))),)),),
    formulas=(
        Formula((("f", 1), ("r", 1)), (Term(2, (("h", 1), ("v", 2))),)),
        Formula((("f", 1),), (Term(1, (("h", 1), ("v", 1))),)),
        Formula((("v", 2),), (Term(1, (("r", 1), ("f", 1), ("h", -1))), Term(3, (("r", 2),)))),
    ),
)


def test_gravity():
    assert TASK.answer() == "G: kg^-1 m^3 s^-2\nhold: 1"


def test_scores():
    assert TASK.verify("G: m^3/(kg s^2)\nhold: 1").value == 1
    assert TASK.verify("hold: 1, G: N m^2/kg^2").value == 1, "any name of the unit will do"
    assert TASK.verify("G: g^-1 m^3 s^-2\nhold: 1").value == 0, "it is a thousand times as large"
    assert TASK.verify("G: kg^-1 m^3 s^-2\nhold: none").reason == "1 of the 4 values is wrong"
    assert TASK.verify("G: A\nhold: 1").value == 0


REGISTRY = pint.UnitRegistry()


def measured(task: DimensionalAnalysis) -> dict[str, pint.Unit]:
    """The unit of each quantity in pint, whose own definitions of the bases hold."""
    known = dict(
        zip(BASES, map(REGISTRY.Unit, ("kilogram", "metre", "second", "ampere", "kelvin")))
    )
    for each in (*task.derived, *task.quantities):
        product = REGISTRY.Unit("dimensionless")
        for name, power in each.unit:
            product *= known[name] ** power
        known[each.name] = product
    return known


@pytest.mark.parametrize("level", range(DimensionalAnalysis.Knobs.levels()))
def test_pint_finds_the_same_dimensions(level):
    for seed in range(3):
        task = Address.of("physics/dimensional_analysis", seed, level).task()
        assert isinstance(task, DimensionalAnalysis)
        known = measured(task)
        reply = task.read(task.answer())
        for name, vector in task.unknown().items():
            assert name in reply.units
            known[name] = REGISTRY.Unit("dimensionless")
            for base, power in zip(task.bases, vector):
                known[name] *= known[base] ** power

        def dimensionality(powers, known=known):
            product = REGISTRY.Unit("dimensionless")
            for name, power in powers:
                product *= known[name] ** power
            return product.dimensionality

        for law in task.laws:
            assert all(
                dimensionality(term.powers) == dimensionality(law.left) for term in law.terms
            )
        for n, formula in enumerate(task.formulas, 1):
            sides = [formula.left, *(term.powers for term in formula.terms)]
            agree = all(dimensionality(side) == dimensionality(sides[0]) for side in sides)
            assert agree == (n in reply.hold)


def test_some_formulas_hold_and_others_do_not():
    for seed in range(20):
        task = DimensionalAnalysis.sample(Random(seed), DimensionalAnalysis.Knobs.at(4))
        assert 0 < len(task.right()) < len(task.formulas)


def test_products_without_a_dimension_are_the_kernel_that_sympy_finds():
    rng = Random(1)
    for _ in range(30):
        vectors = [tuple(rng.randint(-2, 2) for _ in range(3)) for _ in range(5)]
        matrix = sympy.Matrix(vectors).T
        basis = kernel(vectors)
        assert rank(vectors) == matrix.rank()
        assert len(basis) == len(matrix.nullspace())
        assert all(not any(matrix * sympy.Matrix(exponents)) for exponents in basis)
        assert sympy.Matrix(basis).rank() == len(basis)


def test_products_are_written_as_powers():
    assert written((("a", 2), ("b", -1), ("c", 1))) == "a^2 b^-1 c"
