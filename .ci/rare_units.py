"""Writes ``verifiers/quantities/rare.py``: units that Pint knows and our table does not.

    pip install pint==0.25.3
    python .ci/rare_units.py > verifiers/quantities/rare.py

A unit counts under its full name without a prefix, because Pint reads ``cats`` as centi-ats, and if
its ratio to the SI units is rational.
"""

import re
from fractions import Fraction

from pint import UnitRegistry

from palaestra.verifiers.quantities.units import Unit, product, unit

NAME = re.compile(r"[a-z]{3,40}")

PRECISE = 10**40
"""A fraction with a larger denominator stands for an irrational number, such as π."""

HEAD = '''"""Units that are rare in answers, as Pint 0.25.3 defines them.

Written by ``.ci/rare_units.py``. A line reads ``name factor dimension^power …``: the factor
converts to the SI units. Names have a plural in ``s``.
"""

RARE = """
'''

registry = UnitRegistry(non_int_type=Fraction)


def known_to_pint(name: str) -> Unit | None:
    """The unit that Pint knows by a name."""
    names = [one for prefix, one, _ in registry.parse_unit_name(name) if not prefix]
    if not names:
        return None
    scale, roots = registry.get_root_units(names[0])
    parts = [(unit(root), power) for root, power in roots._units.items()]
    whole = [(part, int(power)) for part, power in parts if part and power == int(power)]
    if not isinstance(scale, Fraction | int) or scale.denominator > PRECISE or whole != parts:
        return None
    parsed = product(whole)
    return Unit(parsed.dimension, parsed.factor * scale)


def rare() -> dict[str, Unit]:
    """The units by their names in the singular."""
    units = {}
    for name in sorted(filter(NAME.fullmatch, list(registry._units))):
        one = known_to_pint(name)
        if one and (unit(name) is None or unit(f"{name}s") is None):
            units[name] = one
    return units


def line(name: str, one: Unit) -> str:
    """A line of the table."""
    powers = [base if power == 1 else f"{base}^{power}" for base, power in one.dimension]
    return " ".join([name, str(one.factor), *powers])


def page() -> str:
    """The module."""
    return HEAD + "\n".join(line(*item) for item in rare().items()) + '\n"""\n'


if __name__ == "__main__":
    print(page(), end="")
