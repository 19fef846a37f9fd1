"""Dimensional analysis: Joseph Fourier (1822); Percy Bridgman, "Dimensional Analysis" (1922)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple, Self

from palaestra.generators.physics.dimensional_analysis import (
    Formula,
    constants,
    defined,
    random_formulas,
    random_laws,
)
from palaestra.generators.physics.dimensions import (
    BASES,
    Measure,
    Vector,
    dimension,
    dimensions,
    in_bases,
    number,
    plus,
    random_quantities,
    random_units,
    symbols,
    unit_names,
    worth,
    written,
)
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.quantities.units import Unit, unit
from palaestra.verifiers.reading.answer_lines import number_list
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.values import joined, plain
from palaestra.verifiers.replies import unwrapped

HOLD = "hold"
NONE = "none"
DIMENSIONS = dict(zip(("mass", "length", "time", "current", "temperature"), BASES))
"""The base of each dimension by its name in :mod:`palaestra.verifiers.quantities.units`."""


class Reply(NamedTuple):
    """The unit that an answer states for each constant, and the formulas that can hold."""

    units: Mapping[str, Unit]
    hold: frozenset[int]


class DimensionalAnalysis(Puzzle):
    """Find the units of constants in laws, and the formulas whose dimensions agree."""

    tags = {"physics", "units", "deduction", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        bases: int = ladder(3, 3, 3, 4, 4, 5, 5, low=3, high=5)
        quantities: int = ladder(3, 4, 5, 6, 7, 8, 9, high=12)
        derived: int = ladder(0, 0, 2, 3, 4, 5, 7, high=9)  # units
        constants: int = ladder(1, 1, 1, 2, 2, 3, 4, high=6)
        factors: int = ladder(1, 2, 2, 2, 3, 3, 4, high=5)
        power: int = ladder(3, 2, 2, 2, 2, 3, 3, high=3)
        formulas: int = ladder(0, 0, 2, 3, 4, 5, 6, high=9)

    bases: tuple[str, ...]
    derived: tuple[Measure, ...]
    quantities: tuple[Measure, ...]
    laws: tuple[Formula, ...]
    formulas: tuple[Formula, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        bases = BASES[: knobs.bases]
        derived = random_units(rng, unit_names(rng, knobs.derived), bases)
        # Without more quantities than bases, hardly any product has no dimension.
        least = knobs.bases + 2 if knobs.formulas else 0
        names = sorted(symbols(rng, max(least, knobs.quantities)))
        quantities = random_quantities(rng, names, dimensions(bases, derived))
        known = dimensions(bases, [*derived, *quantities])
        form = (knobs.constants, knobs.factors, knobs.power)
        laws = random_laws(rng, known, names, form)
        unknown = constants(laws, known)
        formulas = random_formulas(rng, known | unknown, [*names, *unknown], knobs.formulas)
        return cls(
            bases=bases,
            derived=tuple(derived),
            quantities=tuple(quantities),
            laws=tuple(laws) if len(formulas) == knobs.formulas else (),
            formulas=tuple(formulas),
        )

    def is_valid(self) -> bool:
        """Whether there are enough formulas: :meth:`generate` leaves out the laws otherwise."""
        return bool(self.laws)

    def known(self) -> dict[str, Vector]:
        """The dimensions of units and quantities."""
        return dimensions(self.bases, [*self.derived, *self.quantities])

    def unknown(self) -> dict[str, Vector]:
        """The dimension of each constant."""
        return constants(self.laws, self.known())

    def right(self) -> frozenset[int]:
        """The numbers of the formulas that can hold."""
        known = self.known() | self.unknown()
        return frozenset(n for n, each in enumerate(self.formulas, 1) if each.holds(known))

    def prompt(self) -> str:
        names = joined(sorted(self.unknown()))
        bases = joined(self.bases)
        units = "".join(f"\n{line}" for line in defined(self.derived))
        measured = "\n".join(f"{each.name} in {written(each.unit)}" for each in self.quantities)
        laws = "\n".join(map(str, self.laws))
        intro = self.phrase(
            f"Quantities are measured in units that are products of {bases}"
            + (f", some of them by way of invented ones:{units}" if units else "."),
            f"The base units of a system are {bases}."
            + (f" Other units are derived from them:{units}" if units else ""),
        )
        rules = (
            "A power such as x^2 or x^-1 is written behind its symbol, and symbols side by side "
            "are multiplied. Numbers have no unit. Both sides of an equation, and all terms of a "
            "sum, have the same unit."
        )
        ask = self.phrase(
            f"The constants {names} have units for which these laws can hold:\n{laws}"
            if "," in names
            else f"The constant {names} has a unit for which this law can hold:\n{laws}",
            f"In each of these laws, the letters {names} are constants with a unit:\n{laws}"
            if "," in names
            else f"In this law, the letter {names} is a constant with a unit:\n{laws}",
        )
        parts = [intro, f"Quantities and their units:\n{measured}", rules, ask]
        if self.formulas:
            listed = "\n".join(f"{n}: {each}" for n, each in enumerate(self.formulas, 1))
            parts.append(f"Some of these formulas cannot hold, whatever the values:\n{listed}")
        return "\n\n".join([*parts, self.form()])

    def form(self) -> str:
        """How answers are written."""
        bases = joined(self.bases)
        unit_of = "the unit of each constant" if len(self.unknown()) > 1 else "its unit"
        rule = f"State {unit_of} as a product of powers of {bases}, in any order"
        if not self.formulas:
            if len(self.unknown()) == 1:
                return f"{rule}. Answer with the unit alone, such as 'kg m^-1 s^2'."
            return (
                f"{rule}. Answer with a line for each constant, such as:\n"
                f"{min(self.unknown())}: kg m^-1 s^2"
            )
        numbers = joined(range(1, len(self.formulas) + 1)[:2])
        return (
            f"{rule}, and the numbers of the formulas in which all terms have the same unit. "
            f"Answer with a line for each constant and a last line for the formulas, such as:\n"
            f"{min(self.unknown())}: kg m^-1 s^2\n{HOLD}: {numbers}"
        )

    def scene(self) -> Table:
        """Quantities with their units."""
        rows = tuple((Cell(each.name), Cell(written(each.unit))) for each in self.quantities)
        return Table(rows, top=("quantity", "unit"))

    def answer(self) -> str:
        units = {name: in_bases(vector, self.bases) for name, vector in self.unknown().items()}
        return self.as_text(units, self.right())

    def as_text(self, units: Mapping[str, str], hold: Collection[int]) -> str:
        """An answer with these units, and these formulas if there are any."""
        if not self.formulas and len(units) == 1:
            return next(iter(units.values()))
        lines = [f"{name}: {unit}" for name, unit in sorted(units.items())]
        if self.formulas:
            lines.append(f"{HOLD}: {joined(sorted(hold)) or NONE}")
        return "\n".join(lines)

    def read(self, answer: str) -> Reply:
        """The units and the formulas that an answer states."""
        names = sorted(self.unknown())
        if not self.formulas and len(names) == 1:
            return Reply({names[0]: read_unit(answer)}, frozenset())
        labels = [*names, *([HOLD] if self.formulas else [])]
        values = {
            n: unwrapped(v)
            for n, v in pairs(plain(answer), labels, None, False, self.spellings(labels)).items()
        }
        listed = values.pop(HOLD, NONE)
        hold = (
            []
            if listed.casefold() == NONE
            else number_list(listed, ["formula"], "numbers of formulas")
        )
        if not {*hold} <= {*range(1, len(self.formulas) + 1)} or len({*hold}) < len(hold):
            raise InvalidAnswer("expected numbers of formulas, each at most once")
        return Reply({name: read_unit(text) for name, text in values.items()}, frozenset(hold))

    @staticmethod
    def spellings(labels: Iterable[str]) -> dict[str, str]:
        """Other labels of the lines."""
        holding = ("formulas that hold", "formulas", "holds") if HOLD in labels else ()
        spellings = dict.fromkeys(holding, HOLD)
        for name in labels:
            forms = (f"[{name}]", f"unit of {name}", f"the unit of {name}", f"units of {name}")
            spellings |= {form.casefold(): name for form in forms if name != HOLD}
        return spellings

    def verify(self, answer: str) -> Score:
        reply = self.read(answer)
        values: dict[str, object] = {
            name: vector_of(each, self.bases) for name, each in reply.units.items()
        }
        right: dict[str, object] = {**self.unknown()}
        for n in range(1, len(self.formulas) + 1):
            values[f"{HOLD} {n}"] = n in reply.hold
            right[f"{HOLD} {n}"] = n in self.right()
        return matched(values, right)

    def audit(self, answer: str) -> bool:
        """Put numbers in place of units, and see whether the sides of each equation are equal."""
        reply = self.read(answer)
        known = worth(self.bases, [*self.derived, *self.quantities])
        for name, each in reply.units.items():
            vector = vector_of(each, self.bases)
            if vector is None:
                return False
            known[name] = number(tuple(zip(self.bases, vector)), known)

        def is_balanced(formula: Formula) -> bool:
            sides = {number(term.powers, known) for term in formula.terms}
            return sides == {number(formula.left, known)}

        hold = {n for n, each in enumerate(self.formulas, 1) if is_balanced(each)}
        return all(map(is_balanced, self.laws)) and hold == reply.hold

    def difficulty(self) -> float:
        """Powers that are multiplied or added, through all derived units."""
        effort = dict.fromkeys(self.bases, 1)
        for each in (*self.derived, *self.quantities):
            effort[each.name] = sum(effort[name] for name, _ in each.unit)
        products = [each.left for each in (*self.laws, *self.formulas)]
        products += [term.powers for each in (*self.laws, *self.formulas) for term in each.terms]
        for law in self.laws:
            for term in law.terms:
                effort[term.powers[0][0]] = sum(effort[name] for name, _ in term.powers[1:])
        return float(sum(effort[name] for powers in products for name, _ in powers))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who take the unit of the left side, or leave powers out, and guess formulas."""
        known, rank = self.known(), range(1, len(self.formulas) + 1)
        left, flat, alone = dict[str, Vector](), dict[str, Vector](), dict[str, Vector]()
        for law in self.laws:
            for term in law.terms:
                (name, _), *rest = term.powers
                left[name] = flat[name] = dimension(law.left, known)
                for other, power in rest:
                    if other in known:
                        flat[name] = plus(flat[name], known[other], -1 if power > 0 else 1)
                alone[name] = tuple(int(n == 0) for n in range(len(self.bases)))
        guess = [n for n in rank if rng.random() < 0.5]
        return {
            "left side, all hold": self.as_text(self.texts(left), rank),
            "powers left out, some hold": self.as_text(self.texts(flat), guess),
            "first base, none holds": self.as_text(self.texts(alone), ()),
        }

    def texts(self, vectors: Mapping[str, Vector]) -> dict[str, str]:
        """Vectors as products of bases; the first base where there is no dimension."""
        return {
            name: in_bases(vector, self.bases) or self.bases[0] for name, vector in vectors.items()
        }

    def shortcuts(self) -> list[str]:
        players = self.baselines(Random(0))
        return [players["left side, all hold"], players["first base, none holds"]]


def read_unit(text: str) -> Unit:
    """A unit of the SI."""
    product = unit(text)
    if product is None:
        raise InvalidAnswer("expected a unit such as 'kg m^-1 s^2'")
    return product


def vector_of(one: Unit, bases: Sequence[str]) -> Vector | None:
    """The exponents of a unit that is a product of bases; None for any other unit."""
    powers = {DIMENSIONS.get(name, name): power for name, power in one.dimension}
    if one.factor != 1 or one.offset or not powers.keys() <= set(bases):
        return None
    return tuple(powers.get(base, 0) for base in bases)
