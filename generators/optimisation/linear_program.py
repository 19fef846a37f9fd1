"""Linear programs with planted certificates: maximise c·x where Ax <= b and x >= 0.

An optimum is planted with a dual solution of the same value, by complementary slackness; an
infeasible program with multipliers after J. Farkas (1902); an unbounded one with a feasible point
and a direction in which the objective grows. Each certificate can be checked by multiplication.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Literal, NamedTuple

from palaestra.verifiers.linear import determinant, solved

Case = Literal["optimal", "infeasible", "unbounded"]
CASES: tuple[Case, ...] = ("optimal", "infeasible", "unbounded")

Vector = tuple[Fraction, ...]


class Program(NamedTuple):
    """Maximise ``objective``·x where ``rows``·x <= ``bounds`` and x >= 0; all are integers."""

    objective: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    bounds: tuple[int, ...]


class Certificate(NamedTuple):
    """What proves a case: x and y for an optimum, y for an infeasible program, and x and a
    direction for an unbounded one.
    """

    case: Case
    x: Vector = ()
    y: Vector = ()
    direction: Vector = ()


def dot(one: Sequence[int | Fraction], other: Sequence[int | Fraction]) -> Fraction:
    """The scalar product.

    >>> dot((1, 2), (Fraction(1, 2), 3))
    Fraction(13, 2)
    """
    return sum((Fraction(a) * b for a, b in zip(one, other)), start=Fraction(0))


def columns(program: Program) -> list[tuple[int, ...]]:
    """The columns of the rows."""
    return [*zip(*program.rows)]


def is_feasible(program: Program, x: Sequence[Fraction]) -> bool:
    """Whether a point satisfies all constraints."""
    within = all(dot(row, x) <= bound for row, bound in zip(program.rows, program.bounds))
    return within and min(x) >= 0


def fault(program: Program, certificate: Certificate) -> str:
    """Why a certificate does not prove its case; empty if it does."""
    case, x, y, direction = certificate
    if case != "infeasible" and not is_feasible(program, x):
        return "x breaks a constraint"
    if case == "unbounded":
        rises = dot(program.objective, direction) > 0
        if min(direction) < 0 or any(dot(row, direction) > 0 for row in program.rows):
            return "the points x + t*d do not remain feasible"
        return "" if rises else "the objective does not grow in the direction d"
    if min(y) < 0:
        return "a multiplier is negative"
    sums, bound = [dot(column, y) for column in columns(program)], dot(program.bounds, y)
    if case == "infeasible":
        if min(sums) < 0 or bound >= 0:
            return "the multipliers do not contradict each other"
        return ""
    if any(total < wanted for total, wanted in zip(sums, program.objective)):
        return "y does not bound the objective"
    return "" if dot(program.objective, x) == bound else "x and y do not have the same value"


# ------------------------------------------------------------------------------------ generation


class Size(NamedTuple):
    """How large a program is."""

    variables: int
    rows: int
    basis: int
    """How many variables and rows take part in a certificate."""

    halves: bool
    """Whether certificates have fractions."""


class Planted(NamedTuple):
    """A program with a certificate."""

    program: Program
    certificate: Certificate


def planted(rng: Random, size: Size, case: Case) -> Planted:
    """A program of a case with its certificate."""
    make = {"optimal": _optimal, "infeasible": _infeasible, "unbounded": _unbounded}[case]
    return make(rng, size)


def _entry(rng: Random) -> int:
    return rng.choice((-3, -2, -1, 0, 1, 1, 2, 2, 3, 4))


def _matrix(rng: Random, size: Size) -> list[list[int]]:
    return [[_entry(rng) for _ in range(size.variables)] for _ in range(size.rows)]


def _positive(rng: Random, size: Size) -> Fraction:
    """A small positive number."""
    if size.halves and rng.random() < 0.5:
        return Fraction(rng.choice((1, 3, 5, 7)), 2)
    return Fraction(rng.randint(1, 5))


def _spread(rng: Random, size: Size, length: int) -> tuple[set[int], list[Fraction]]:
    """Some indices, and a vector that is positive there and 0 elsewhere."""
    support = set(rng.sample(range(length), min(size.basis, length)))
    return support, [_positive(rng, size) if n in support else Fraction(0) for n in range(length)]


def _whole(
    objective: Sequence[Fraction], rows: Sequence[Sequence[int]], bounds: Sequence[Fraction]
) -> Program:
    """The program with whole numbers: rows and objective with halves are doubled."""
    result_rows, result_bounds = [], []
    for row, bound in zip(rows, bounds):
        factor = bound.denominator
        result_rows.append(tuple(factor * a for a in row))
        result_bounds.append(int(factor * bound))
    scale = 2 if any(value.denominator > 1 for value in objective) else 1
    return Program(
        tuple(int(scale * value) for value in objective), tuple(result_rows), tuple(result_bounds)
    )


def _optimal(rng: Random, size: Size) -> Planted:
    """Slack in no row with a multiplier, and no reduced cost of a variable that is not 0."""
    rows = _matrix(rng, size)
    support, x = _spread(rng, size, size.variables)
    active, y = _spread(rng, size, size.rows)
    bounds = [dot(row, x) + (0 if n in active else rng.randint(0, 6)) for n, row in enumerate(rows)]
    objective = [
        dot(column, y) - (0 if n in support else rng.randint(0, 4))
        for n, column in enumerate(zip(*rows))
    ]
    program = _whole(objective, rows, bounds)
    scale = 2 if any(value.denominator > 1 for value in objective) else 1
    multipliers = tuple(scale * each / bound.denominator for each, bound in zip(y, bounds))
    return Planted(program, Certificate("optimal", tuple(x), multipliers))


def _infeasible(rng: Random, size: Size) -> Planted:
    """A row is what other rows exclude: their sum with multipliers has no negative coefficient,
    and a negative bound.
    """
    rows = _matrix(rng, size)
    point = [rng.randint(0, 4) for _ in range(size.variables)]
    bounds = [int(dot(row, point)) + rng.randint(0, 6) for row in rows]
    chosen = rng.sample(range(size.rows), min(size.basis, size.rows))
    *others, last = chosen
    y = [0] * size.rows
    for n in others:
        y[n] = rng.randint(1, 4)
    y[last] = 1
    for j in range(size.variables):
        rows[last][j] = rng.randint(0, 2) - sum(y[n] * rows[n][j] for n in others)
    bounds[last] = -rng.randint(1, 4) - sum(y[n] * bounds[n] for n in others)
    objective = tuple(_entry(rng) for _ in range(size.variables))
    program = Program(objective, tuple(map(tuple, rows)), tuple(bounds))
    return Planted(program, Certificate("infeasible", y=tuple(map(Fraction, y))))


def _unbounded(rng: Random, size: Size) -> Planted:
    """No row grows in a direction, and the objective does."""
    rows = _matrix(rng, size)
    support = rng.sample(range(size.variables), min(size.basis, size.variables))
    direction = [rng.randint(1, 2) if n in support else 0 for n in range(size.variables)]
    for row in rows:
        growth = sum(a * d for a, d in zip(row, direction))
        if growth > 0:
            n = rng.choice(support)  # not always the same, whose column would show it
            row[n] -= -(-growth // direction[n]) + rng.randint(0, 1)
    point = [rng.randint(0, 4) for _ in range(size.variables)]
    bounds = [int(dot(row, point)) + rng.randint(0, 6) for row in rows]
    objective = [_entry(rng) for _ in range(size.variables)]
    growth = sum(a * d for a, d in zip(objective, direction))
    if growth <= 0:
        n = rng.choice(support)
        objective[n] += -(-(1 - growth) // direction[n]) + rng.randint(0, 2)
    program = Program(tuple(objective), tuple(map(tuple, rows)), tuple(bounds))
    x, d = (tuple(map(Fraction, each)) for each in (point, direction))
    return Planted(program, Certificate("unbounded", x, direction=d))


# ------------------------------------------------------------------------------- simple players


def vertices(program: Program) -> Iterator[Vector]:
    """All points where as many constraints hold with equality as there are variables, and which
    satisfy the others.
    """
    size = len(program.objective)
    signs = [tuple(-int(i == j) for j in range(size)) for i in range(size)]
    sides = [*zip(program.rows, program.bounds), *((row, 0) for row in signs)]
    for chosen in combinations(sides, size):
        if determinant([row for row, _ in chosen]):
            x = solved([(*row, bound) for row, bound in chosen])
            if is_feasible(program, x):
                yield x


def is_plain(program: Program) -> bool:
    """Whether a single variable or a single constraint shows that there is no optimum."""
    free = any(
        wanted > 0 and max(column) <= 0
        for column, wanted in zip(columns(program), program.objective)
    )
    return free or any(
        min(row) >= 0 and bound < 0 for row, bound in zip(program.rows, program.bounds)
    )


def raised(program: Program, order: Sequence[int]) -> Vector:
    """From 0 on, each variable as large as the constraints let it be, in this order; 0 where the
    start is not feasible or nothing limits a variable.
    """
    x = [Fraction(0)] * len(program.objective)
    if not is_feasible(program, x):
        return tuple(x)
    for n in order:
        limits = [
            (bound - dot(row, x)) / row[n]
            for row, bound in zip(program.rows, program.bounds)
            if row[n] > 0
        ]
        if limits:
            x[n] += max(Fraction(0), min(limits))
    return tuple(x)
