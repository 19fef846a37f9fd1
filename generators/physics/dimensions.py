"""Quantities, their dimensions as vectors of exponents, and products that have no dimension."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from random import Random
from typing import NamedTuple

from palaestra.generators.vocabulary import words

BASES = ("kg", "m", "s", "A", "K")
"""Units of the SI that all others are products of."""

PRIMES = (2, 3, 5, 7, 11)
"""A number for each base, by which products of powers are told apart."""

SYMBOLS = "abcdefghjlnpqruvwxyz"
"""Letters for quantities that are no symbol of a base."""

MOST = 9
"""The greatest power that is written."""

HIGHEST = 5
"""The greatest exponent of a base in the dimension of a unit or a quantity."""

Vector = tuple[int, ...]
"""An exponent for each base."""

Powers = tuple[tuple[str, int], ...]
"""Symbols with their powers, other than 0."""


class Measure(NamedTuple):
    """A name that stands for a product of others: a derived unit, or a quantity with its unit."""

    name: str
    unit: Powers


def plus(one: Vector, other: Iterable[int], times: int = 1) -> Vector:
    """The sum of a vector and a multiple of another.

    >>> plus((1, 2), (0, 1), -2)
    (1, 0)
    """
    return tuple(a + times * b for a, b in zip(one, other))


def dimension(powers: Powers, known: Mapping[str, Vector]) -> Vector:
    """The dimension of a product.

    >>> dimension((("m", 2), ("s", -1)), {"m": (1, 0), "s": (0, 1)})
    (2, -1)
    """
    total: Vector = (0,) * len(next(iter(known.values())))
    for name, power in powers:
        total = plus(total, known[name], power)
    return total


def base_vectors(bases: Sequence[str]) -> dict[str, Vector]:
    """The vector of each base."""
    return {base: tuple(int(n == k) for k in range(len(bases))) for n, base in enumerate(bases)}


def dimensions(bases: Sequence[str], measures: Iterable[Measure]) -> dict[str, Vector]:
    """The dimension of each base and each measure; a measure is a product of those before it."""
    known = base_vectors(bases)
    for measure in measures:
        known[measure.name] = dimension(measure.unit, known)
    return known


def worth(bases: Sequence[str], measures: Iterable[Measure]) -> dict[str, Fraction]:
    """A number for each base and measure: products with the same number have the same dimension."""
    known = {base: Fraction(prime) for base, prime in zip(bases, PRIMES)}
    for measure in measures:
        known[measure.name] = number(measure.unit, known)
    return known


def number(powers: Powers, known: Mapping[str, Fraction]) -> Fraction:
    """The product of the numbers of symbols."""
    total = Fraction(1)
    for name, power in powers:
        total *= known[name] ** power
    return total


def written(powers: Powers) -> str:
    """A product of powers.

    >>> written((("a", 2), ("b", -1), ("c", 1)))
    'a^2 b^-1 c'
    """
    return " ".join(name if power == 1 else f"{name}^{power}" for name, power in powers)


def in_bases(vector: Vector, bases: Sequence[str]) -> str:
    """A vector as a product of bases.

    >>> in_bases((1, 0, -2), ("kg", "m", "s"))
    'kg s^-2'
    """
    return written(tuple((base, power) for base, power in zip(bases, vector) if power))


def random_powers(rng: Random, names: Sequence[str], factors: int, power: int) -> Powers:
    """A product of up to so many of the names."""
    chosen = rng.sample(names, min(len(names), rng.randint(1, factors)))
    return tuple((name, rng.choice((1, 1, -1)) * rng.randint(1, power)) for name in chosen)


def random_units(rng: Random, names: Iterable[str], bases: Sequence[str]) -> list[Measure]:
    """Derived units, most of which are products of the ones before, with different dimensions."""
    known = base_vectors(bases)
    units = list[Measure]()
    for name in names:
        recent = [*known][-4:] if rng.random() < 0.7 else [*known]
        units.append(_measure(rng, name, recent, known, [*known.values()]))
        known[name] = dimension(units[-1].unit, known)
    return units


def random_quantities(
    rng: Random, names: Iterable[str], known: Mapping[str, Vector], parallel: bool = True
) -> list[Measure]:
    """Quantities in known units, with different dimensions; ``parallel`` ones may be powers of one
    another.
    """
    vectors = list[Vector]()
    quantities = list[Measure]()
    for name in names:
        quantities.append(_measure(rng, name, [*known], known, vectors))
        vector = dimension(quantities[-1].unit, known)
        common = gcd(*vector)
        multiples = range(-HIGHEST, HIGHEST + 1) if not parallel else (common,)
        vectors += [tuple(n * each // common for each in vector) for n in multiples]
    return quantities


def _measure(
    rng: Random,
    name: str,
    units: Sequence[str],
    known: Mapping[str, Vector],
    others: Iterable[Vector],
) -> Measure:
    """A product of units whose dimension is neither 0 nor one of the others."""
    taken, power = set(others), 2
    while True:
        unit = random_powers(rng, units, 3, power)
        vector = dimension(unit, known)
        if any(vector) and max(map(abs, vector)) <= HIGHEST and vector not in taken:
            return Measure(name, unit)
        if rng.random() < 0.01:  # few units have few products of small powers
            power = min(power + 1, HIGHEST)


def kernel(vectors: Sequence[Vector]) -> list[Vector]:
    """A basis of the exponents for which the product of these dimensions is dimensionless.

    The exponents are whole numbers without a common factor, by elimination of Gauss and Jordan.

    >>> kernel([(1, 0), (0, 1), (1, -1)])
    [(-1, 1, 1)]
    """
    rows = [[Fraction(vector[n]) for vector in vectors] for n in range(len(vectors[0]))]
    pivots = list[int]()
    for column in range(len(vectors)):
        row = len(pivots)
        pivot = next((n for n in range(row, len(rows)) if rows[n][column]), None)
        if pivot is None:
            continue
        rows[row], rows[pivot] = rows[pivot], rows[row]
        rows[row] = [cell / rows[row][column] for cell in rows[row]]
        for n, other in enumerate(rows):
            if n != row and other[column]:
                rows[n] = [a - other[column] * b for a, b in zip(other, rows[row])]
        pivots.append(column)
    free = [column for column in range(len(vectors)) if column not in pivots]
    basis = list[Vector]()
    for column in free:
        exponents = [Fraction(0)] * len(vectors)
        exponents[column] = Fraction(1)
        for row, pivot in enumerate(pivots):
            exponents[pivot] = -rows[row][column]
        basis.append(_whole(exponents))
    return basis


def small_kernel(vectors: Sequence[Vector]) -> list[Vector]:
    """A basis as of :func:`kernel` whose greatest exponent is small, in one of several orders."""
    size = len(vectors)
    best, least = list[Vector](), 0
    for start in range(size):
        order = [(start + n) % size for n in range(size)]
        basis = kernel([vectors[n] for n in order])
        most = max((abs(power) for group in basis for power in group), default=0)
        if not best or most < least:
            best = [tuple(group[order.index(n)] for n in range(size)) for group in basis]
            least = most
    return best


def _whole(exponents: Sequence[Fraction]) -> Vector:
    """Exponents times the least number that makes all of them whole."""
    scale = lcm(*(each.denominator for each in exponents))
    whole = [int(each * scale) for each in exponents]
    common = gcd(*whole)
    return tuple(each // common for each in whole)


def rank(vectors: Sequence[Vector]) -> int:
    """The number of independent vectors among these.

    >>> rank([(1, 2), (2, 4)])
    1
    """
    return len(vectors) - len(kernel(vectors)) if vectors else 0


def symbols(rng: Random, amount: int) -> list[str]:
    """Different letters for quantities."""
    return rng.sample(SYMBOLS, amount)


def unit_names(rng: Random, amount: int) -> tuple[str, ...]:
    """Made-up names of units."""
    return words(rng, amount, 4, 5)
