"""Dimensionless products of quantities: Edgar Buckingham (1914)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.physics.dimensions import (
    BASES,
    MOST,
    Measure,
    Powers,
    Vector,
    dimension,
    dimensions,
    number,
    random_quantities,
    random_units,
    rank,
    small_kernel,
    symbols,
    unit_names,
    worth,
    written,
)
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.linear import determinant
from palaestra.verifiers.quantities.grammar import NotAUnit, factors
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped


class DimensionlessGroups(Puzzle):
    """Find a complete set of independent products of quantities that have no dimension."""

    tags = {"physics", "units", "linear-algebra"}

    class Knobs(Puzzle.Knobs):
        bases: int = ladder(2, 3, 3, 4, 4, 5, 5, low=2, high=5)
        quantities: int = ladder(3, 4, 5, 6, 7, 8, 9, low=3, high=9)
        derived: int = ladder(0, 0, 2, 3, 4, 5, 7, high=9)  # units

    bases: tuple[str, ...]
    derived: tuple[Measure, ...]
    quantities: tuple[Measure, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        bases = BASES[: knobs.bases]
        derived = random_units(rng, unit_names(rng, knobs.derived), bases)
        names = sorted(symbols(rng, max(knobs.quantities, knobs.bases + 1)))
        quantities = random_quantities(rng, names, dimensions(bases, derived), parallel=False)
        return cls(bases=bases, derived=tuple(derived), quantities=tuple(quantities))

    def is_valid(self) -> bool:
        """Whether every power of the basis can be written."""
        basis = self.basis()
        return bool(basis) and all(max(map(abs, group)) <= MOST for group in basis)

    def basis(self) -> list[Vector]:
        """The exponents of a complete set of groups."""
        return small_kernel(self.vectors())

    def vectors(self) -> list[Vector]:
        """The dimension of each quantity."""
        known = dimensions(self.bases, [*self.derived, *self.quantities])
        return [known[each.name] for each in self.quantities]

    @property
    def names(self) -> list[str]:
        """The symbols of the quantities."""
        return [each.name for each in self.quantities]

    def canonical(self) -> str:
        return repr(sorted(self.vectors()))

    def prompt(self) -> str:
        bases = ", ".join(self.bases)
        units = "".join(f"\n1 {each.name} = 1 {written(each.unit)}" for each in self.derived)
        listed = "\n".join(f"{each.name} in {written(each.unit)}" for each in self.quantities)
        intro = self.phrase(
            f"Quantities are measured in units that are products of {bases}"
            + (f", some of them by way of derived units:{units}" if units else "."),
            f"The base units of a system are {bases}."
            + (f" Other units are derived from them:{units}" if units else ""),
        )
        ask = self.phrase(
            "Find a complete set of dimensionless groups of these quantities.",
            "Find as many independent dimensionless groups of the quantities as there are.",
        )
        one, other, third = self.names[:3]
        return (
            f"{intro}\n\nQuantities and their units:\n{listed}\n\nA power such as x^2 or x^-1 is "
            "written behind its symbol, and symbols side by side are multiplied. A dimensionless "
            "group is a product of whole powers of quantities, not all of them 0, whose units "
            "cancel. Groups are independent if none is a product of powers of the others, where "
            "these powers may be fractions. A set of independent groups is complete if no other "
            f"group is independent of them.\n\n{ask} No power may be above {MOST} or below "
            f"-{MOST}. Write each group on a line of its own, without the quantities whose power "
            f"is 0, such as:\n{one}^2 {other}^-1 {third}"
        )

    def scene(self) -> Table:
        """Quantities with their units."""
        rows = tuple((Cell(each.name), Cell(written(each.unit))) for each in self.quantities)
        return Table(rows, top=("quantity", "unit"))

    def answer(self) -> str:
        return self.as_text(self.basis())

    def as_text(self, groups: Iterable[Vector]) -> str:
        """Groups, each on a line."""
        return "\n".join(
            written(tuple((name, power) for name, power in zip(self.names, group) if power))
            for group in groups
        )

    def read(self, answer: str) -> list[Vector]:
        """The exponents of each group."""
        lines = [
            _bare(part)
            for line in layout.lines(plain(answer))
            for part in re.split(r"[,;]", line)
            if part.strip()
        ]
        if not 0 < len(lines) <= len(self.names):
            raise InvalidAnswer("expected a few dimensionless groups, each on a line")
        return [self.read_group(line) for line in lines]

    def read_group(self, line: str) -> Vector:
        """The exponents of the quantities in a product."""
        names = self.names
        try:
            product_of = factors(line, lambda name: name if name in names else None)
        except NotAUnit:
            raise InvalidAnswer(
                f"expected products of powers of {', '.join(names)}, with powers from -{MOST} to "
                f"{MOST}"
            ) from None
        powers = dict.fromkeys(names, 0)
        for name, power in product_of:
            powers[name] += power
        return tuple(powers.values())

    def verify(self, answer: str) -> Score:
        groups, vectors = self.read(answer), self.vectors()
        for n, group in enumerate(groups, 1):
            powers: Powers = tuple((str(k), power) for k, power in enumerate(group))
            if not any(group):
                return Score(0, f"all powers of group {n} are 0")
            if any(dimension(powers, {str(k): each for k, each in enumerate(vectors)})):
                return Score(0, f"group {n} has a dimension")
        if rank(groups) < len(groups):
            return Score(0, "the groups are not independent")
        complete = len(groups) == len(vectors) - rank(vectors)
        return Score(1) if complete else Score(0, "there are more independent groups")

    def audit(self, answer: str) -> bool:
        """Put numbers in place of units, and compare determinants of products of matrices."""
        groups = self.read(answer)
        known = worth(self.bases, [*self.derived, *self.quantities])
        if any(number(tuple(zip(self.names, group)), known) != 1 for group in groups):
            return False
        # Gram's determinant is 0 if and only if the rows depend on one another.
        return bool(gram(groups)) and len(groups) == len(self.names) - independent(self.vectors())

    def difficulty(self) -> float:
        """Eliminations of the exponents, and the products that lead to these."""
        rows, columns = len(self.bases), len(self.quantities)
        products = sum(len(each.unit) for each in (*self.derived, *self.quantities))
        return float(rows * rows * columns + products)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who guess, divide quantities by one another, or find one group only."""
        size, names = len(self.names), self.names
        missing = size - len(self.bases)
        guess = [tuple(rng.choice((-1, 0, 1, 2)) for _ in names) for _ in range(missing)]
        some = [group if any(group) else (1,) * size for group in guess]
        quotients = [
            tuple((k == n) - (k == n + 1) for k in range(size)) for n in range(max(1, missing))
        ]
        products = [tuple(int(k != n) for k in range(size)) for n in range(max(1, missing))]
        basis = self.basis()
        return {
            "random powers": self.as_text(some or quotients),
            "quotients of neighbours": self.as_text(quotients),
            "products of all but one": self.as_text(products),
            "first group, twice": self.as_text([basis[0]] * len(basis))
            if len(basis) > 1
            else self.as_text(quotients),
        }

    def shortcuts(self) -> list[str]:
        size = len(self.names)
        return [self.as_text([(1,) * size]), self.as_text([(1, -1, *(0,) * (size - 2))])]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs()

    def candidates(self) -> Iterator[str]:
        """All single groups with small powers, and the answer, whose powers may be greater."""
        powers = range(-5, 6)
        groups = (group for group in product(powers, repeat=len(self.names)) if any(group))
        yield from (self.as_text([group]) for group in groups)
        yield self.answer()


_NAME = re.compile(
    r"\A(?:group[ \t]{0,3}\d{0,2}|(?:\\?pi|[\u03c0\u03a0])_?"
    r"(?:\{\d{1,2}\}|\d{1,2}|[\u2080-\u2089])?)"
    r"[ \t]{0,3}[=:](?!=)",
    re.IGNORECASE | re.ASCII,
)
_ONE = re.compile(r"=[ \t]{0,3}1$")


def _bare(text: str) -> str:
    """A group without its name, such as Pi_1, and without "= 1" behind it."""
    body = _NAME.sub("", unwrapped(text.strip()), count=1).strip()
    return unwrapped(_ONE.sub("", body).strip())


def gram(vectors: Sequence[Vector]) -> int:
    """The determinant of all scalar products of vectors.

    >>> gram([(1, 0), (1, 1)]), gram([(1, 2), (2, 4)])
    (1, 0)
    """
    return determinant([[sum(a * b for a, b in zip(u, v)) for v in vectors] for u in vectors])


def independent(vectors: Sequence[Vector]) -> int:
    """How many vectors are independent of the ones before.

    >>> independent([(1, 0), (2, 0), (0, 1)])
    2
    """
    chosen = list[Vector]()
    for vector in vectors:
        if gram([*chosen, vector]):
            chosen.append(vector)
    return len(chosen)
