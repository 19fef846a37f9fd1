"""Laws with constants of unknown units, and formulas that can hold or not by their dimensions."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.physics.dimensions import (
    MOST,
    Measure,
    Powers,
    Vector,
    dimension,
    kernel,
    plus,
    random_powers,
    written,
)

CONSTANTS = "BCDEFGHLMNPQRUVWXYZ"
"""Letters for constants that are no symbol of a base."""

DRAWS = 100
"""Products that are tried for one formula."""


class Term(NamedTuple):
    """A number times a product of powers."""

    number: int
    powers: Powers

    def __str__(self) -> str:
        """The term without a factor 1.

        >>> str(Term(3, (("a", 2),))), str(Term(1, (("a", 2),)))
        ('3 a^2', 'a^2')
        """
        return written(self.powers) if self.number == 1 else f"{self.number} {written(self.powers)}"


class Formula(NamedTuple):
    """An equation between a product and a sum of terms."""

    left: Powers
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{written(self.left)} = {' + '.join(map(str, self.terms))}"

    def holds(self, known: Mapping[str, Vector]) -> bool:
        """Whether all terms have the dimension of the left side."""
        left = dimension(self.left, known)
        return all(dimension(term.powers, known) == left for term in self.terms)


def constants(laws: Iterable[Formula], known: Mapping[str, Vector]) -> dict[str, Vector]:
    """The dimensions of the constants in laws: each is the first factor of a term, and a constant
    of an earlier law may be another one.
    """
    all_known = dict(known)
    for law in laws:
        left = dimension(law.left, known)
        for term in law.terms:
            (name, _), *rest = term.powers
            others = dimension(tuple(rest), all_known)
            all_known[name] = plus(left, others, -1)
    return {name: all_known[name] for name in all_known if name not in known}


def random_laws(
    rng: Random, known: Mapping[str, Vector], quantities: Sequence[str], form: tuple[int, int, int]
) -> list[Formula]:
    """Laws with as many constants as the first number of ``form`` states.

    The other two are the greatest number of other factors of a term and their greatest power.
    """
    amount, factors, power = form
    names = rng.sample(CONSTANTS, amount)
    all_known, laws = dict(known), list[Formula]()
    while names:
        left = rng.choice(quantities)
        terms = list[Term]()
        earlier = [*quantities, *(name for name in all_known if name not in known)]
        for name in names[: rng.randint(1, 2)]:
            while True:
                others = [each for each in earlier if each != left]
                powers = random_powers(rng, others, factors, power)
                vector = plus(known[left], dimension(powers, all_known), -1)
                if any(vector) and max(map(abs, vector)) <= MOST:
                    break
            all_known[name] = vector
            number = rng.choice((1, 1, 2, 3, 5))
            terms.append(Term(number, ((name, 1), *sorted(powers))))
        del names[: len(terms)]
        laws.append(Formula(((left, 1),), tuple(terms)))
    return laws


def random_formula(
    rng: Random, known: Mapping[str, Vector], names: Sequence[str], right: bool
) -> Formula | None:
    """A formula of these names that can hold by its dimensions, or a change of one that cannot."""
    first = _group(rng, known, names)
    if first is None:
        return None
    left = {name: power for name, power in first.items() if power > 0}
    terms = [{name: -power for name, power in first.items() if power < 0}]
    if not left or not terms[0]:
        return None
    if rng.random() < 0.6 and (second := _group(rng, known, names)):
        other = dict(terms[0])
        for name, power in second.items():
            other[name] = other.get(name, 0) + power
        other = {name: power for name, power in other.items() if power}
        if other and other != terms[0] and max(map(abs, other.values())) <= 4:
            terms.append(other)
    if not right:
        side = rng.choice([left, *terms])
        name = rng.choice([*side])
        side[name] += 1 if side[name] > 0 else -1
        if rng.random() < 0.5:
            other_names = [each for each in names if each not in side]
            if other_names:
                side[name] -= 1 if side[name] > 0 else -1
                side[rng.choice(other_names)] = side.pop(name)
    formula = Formula(
        tuple(sorted(left.items())),
        tuple(Term(rng.choice((1, 1, 2, 3, 5)), tuple(sorted(each.items()))) for each in terms),
    )
    return formula if formula.holds(known) == right else None


def _group(rng: Random, known: Mapping[str, Vector], names: Sequence[str]) -> dict[str, int] | None:
    """The powers of a product of some names that has no dimension."""
    vectors = [known[name] for name in names]
    size = min(len(names), len(vectors[0]) + 1)
    for _ in range(DRAWS):
        some = rng.sample(range(len(names)), size)
        basis = kernel([vectors[n] for n in some])
        if not basis:
            continue
        group = {names[n]: power for n, power in zip(some, rng.choice(basis)) if power}
        if len(group) > 1 and max(map(abs, group.values())) <= 3:
            sign = rng.choice((1, -1))
            return {name: sign * power for name, power in group.items()}
    return None


def random_formulas(
    rng: Random, known: Mapping[str, Vector], names: Sequence[str], amount: int
) -> list[Formula]:
    """Different formulas, of which one at least can hold and one at least cannot.

    The list is empty if the names have too few products without a dimension.
    """
    right = rng.sample(range(amount), rng.randint(1, amount - 1)) if amount > 1 else []
    formulas = list[Formula]()
    for n in range(amount):
        for _ in range(DRAWS // 10):
            formula = random_formula(rng, known, names, n in right)
            if formula is not None and formula not in formulas:
                formulas.append(formula)
                break
        else:
            return []
    return formulas


def defined(measures: Iterable[Measure]) -> list[str]:
    """Lines that state what each unit is."""
    return [f"1 {measure.name} = 1 {written(measure.unit)}" for measure in measures]
