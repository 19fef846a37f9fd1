r"""Units of measurement, exactly: what a unit is worth in SI units, as a fraction.

Symbols, names, prefixes, compounds and what LaTeX leaves of them are read:

>>> [str(unit(text).factor) for text in ("km/h", r"\mathrm{cm}^2", "miles per hour", "mL")]
['5/18', '1/10000', '1397/3125', '1/1000000']
>>> unit("mW").dimension == unit("kg m^2 s^{-3}").dimension, unit("apples")
(True, None)

Case matters where it must: ``mW`` is not ``MW``, ``K`` is not ``k``. What ambiguous words mean
is said in :mod:`palaestra.verifiers.quantities.table`. After a slash, what is joined by a space or
a centred dot is divided by together, so ``J/kg K`` is J/(kg K); a star goes from left to right.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from palaestra.verifiers.quantities.grammar import NotAUnit, factors
from palaestra.verifiers.quantities.nouns import NOT_NOUNS, singular
from palaestra.verifiers.quantities.rare import RARE
from palaestra.verifiers.quantities.table import OTHERWISE, PREFIXES, SLOPPY, TABLE

LONGEST_UNIT = 100
"""No unit has more characters; LaTeX needs many."""

Dimension = tuple[tuple[str, int], ...]
"""Named dimensions with their powers, sorted by name and without zeros.

The names are length, time, mass, current, temperature, amount and luminosity, of the SI, and those
that do not reduce to them: information, angle:degree, angle:radian, currency:USD and so on.
"""


_POUNDS = re.compile(r"\bpounds? per square inch\b", re.IGNORECASE)
"""The one unit in which a pound without "force" is a force."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: ``value`` of it are ``value * factor + offset`` of the SI unit of its dimension.

    Two currencies differ in dimension, and so do degrees and radians, whose ratio is not
    rational. ``offset`` is not 0 for °C and °F alone, and only where they stand alone: in
    J/(kg °C) they are differences.

    >>> unit("°F").base(Fraction(212)) == unit("°C").base(Fraction(100)) == Fraction("373.15")
    True
    """

    dimension: Dimension = ()
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)

    def base(self, value: Fraction) -> Fraction:
        """Convert a value in this unit to the SI unit of its dimension."""
        return value * self.factor + self.offset

    def convert(self, value: Fraction, to: "Unit") -> Fraction:
        """Convert a value in this unit to another unit.

        Raises ``ValueError`` where the dimensions differ.

        >>> unit("ft").convert(Fraction(1), unit("cm"))
        Fraction(762, 25)
        """
        if self.dimension != to.dimension:
            raise ValueError("units of different dimensions")
        return (self.base(value) - to.offset) / to.factor


def unit(text: str) -> Unit | None:
    """Return the unit that a text names, or ``None`` if it is not known.

    It never raises, whatever the text, and what it has read once it remembers.
    """
    return _unit(text) if 0 < len(text) <= LONGEST_UNIT else None


@lru_cache(maxsize=8192)
def _unit(text: str) -> Unit | None:
    try:
        parsed = product(factors(_POUNDS.sub("psi", text), _lexicon().find))
    except NotAUnit:
        return None
    square_money = any(
        name.startswith("currency") and power > 1 for name, power in parsed.dimension
    )
    return None if square_money else parsed


def unit_like(text: str, other: Unit) -> Unit | None:
    """Return the unit that a text names, in the sense of another unit if it has several senses.

    >>> unit("C").dimension, unit_like("C", unit("K")) == unit("°C")
    ((('current', 1), ('time', 1)), True)
    """
    first = unit(text)
    if first is not None and first.dimension == other.dimension:
        return first
    senses = [unit(name) for name in OTHERWISE.get(text.strip(), ())]
    if other in senses:
        return other
    return next((one for one in senses if one and one.dimension == other.dimension), first)


def product(powers: list[tuple[Unit, int]]) -> Unit:
    """The product of units with their powers; a single one keeps its offset."""
    if len(powers) == 1 and powers[0][1] == 1:
        return powers[0][0]
    dimension: dict[str, int] = {}
    factor = Fraction(1)
    for one, power in powers:
        factor *= one.factor**power
        for name, inner in one.dimension:
            dimension[name] = dimension.get(name, 0) + inner * power
    return Unit(tuple(sorted((name, power) for name, power in dimension.items() if power)), factor)


_OF_SYMBOLS, _OF_NAMES = range(1, 3), range(3, 7)
"""How long prefixes are."""


def _prefixes() -> dict[str, dict[str, Fraction]]:
    """What a prefix, by name or symbol, is worth for each kind of unit."""
    kinds: dict[str, dict[str, Fraction]] = {"si": {}, "info": {}}
    for row in PREFIXES.splitlines():
        system, base, power, *words = row.split()
        kinds[system].update((word, Fraction(base) ** int(power)) for word in words)
    large = {word: scale for word, scale in kinds["si"].items() if scale >= 1000}
    return kinds | {"info": kinds["info"] | large}


_Known = dict[str, tuple[Unit, str]]
"""Units, each with the kind of prefix that it takes."""


class _Lexicon:
    """The units of the table by symbol and by name."""

    def __init__(self) -> None:
        self.symbols: _Known = {}
        self.names: _Known = {}
        self.prefixes = _prefixes()
        for row in TABLE.splitlines():
            if row and not row.startswith("#"):
                names, symbols, worth, system = (cell.strip() for cell in row.split("|"))
                entry = self.worth(worth), system
                self.names.update((name, entry) for name in names.split(", "))
                self.symbols.update((symbol, entry) for symbol in symbols.split(", ") if symbol)

    def worth(self, text: str) -> Unit:
        """What the table says that a unit is worth, such as ``5/9 K + 45967/180``."""
        scaled, _, offset = text.partition(" + ")
        number, _, rest = scaled.partition(" ") if scaled[0].isdigit() else ("1", "", scaled)
        if rest.startswith("="):
            one = Unit(((rest[1:], 1),))
        else:
            one = product(factors(rest, self.find)) if rest else Unit()
        return Unit(one.dimension, one.factor * Fraction(number), Fraction(offset or 0))

    def find(self, word: str) -> Unit | None:
        """The unit of a symbol, name or phrase, with or without a prefix."""
        if word.isdecimal():
            return Unit((), Fraction(word)) if int(word) else None
        word = SLOPPY.get(word, word)
        name = word.casefold()
        singular = name.removesuffix("s")
        return (
            self.prefixed(word, self.symbols, _OF_SYMBOLS)
            or self.prefixed(name, self.names, _OF_NAMES)
            or self.prefixed(singular, self.names, _OF_NAMES)
        )

    def prefixed(self, word: str, known: _Known, lengths: range) -> Unit | None:
        """A unit by its word, or by its word behind a prefix that it takes."""
        if word in known:
            return known[word][0]
        for length in lengths:
            one, system = known.get(word[length:], (Unit(), ""))
            scale = self.prefixes.get(system, {}).get(word[:length])
            if scale is not None:
                return Unit(one.dimension, one.factor * scale)
        return None


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    return _Lexicon()


_WRAPPED = re.compile(r"\\(?:text|mathrm|textrm|mbox|rm)(?![a-zA-Z])|\\[,;: ]|[{}~]")
_COUNTED = re.compile(r"[a-z]{2,}(?:[ -][a-z]{2,}){0,3}")
_ARTICLES = re.compile(r"(?:(?:the|an?|of|different|distinct|possible) )+")


def counted(text: str) -> str | None:
    r"""Return a counted noun in the singular, or ``None`` if the text is a unit or no noun phrase.

    >>> [counted(text) for text in ("apples", r"\text{ Boxes}", "red balls", "people", "km", "5")]
    ['apple', 'box', 'red ball', 'person', None, None]
    """
    return _counted(text) if 0 < len(text) <= LONGEST_UNIT else None


@lru_cache(maxsize=8192)
def _counted(text: str) -> str | None:
    name = " ".join(_WRAPPED.sub(" ", text).casefold().rstrip(". ").split())
    name = _ARTICLES.sub("", name + " ", count=1).strip() if " " in name else name
    if not _COUNTED.fullmatch(name):
        return None
    words = re.split("[ -]", name)
    if not NOT_NOUNS.isdisjoint(words) or unit(text) is not None:
        return None
    return " ".join(singular(word) for word in words)


@lru_cache(maxsize=1)
def _rare_units() -> dict[str, Unit]:
    rows = (line.split() for line in RARE.strip().splitlines())
    return {
        name: Unit(tuple(map(_power, powers)), Fraction(factor)) for name, factor, *powers in rows
    }


def _power(text: str) -> tuple[str, int]:
    base, _, power = text.partition("^")
    return base, int(power or 1)


def rare_unit(text: str) -> Unit | None:
    """A single unit by its full name, of those that are rare in answers: see :data:`RARE`.

    >>> rare_unit("hands").convert(Fraction(1), unit("inch")), rare_unit("cats")
    (Fraction(4, 1), None)
    """
    name = text.strip().casefold()
    return _rare_units().get(name) or _rare_units().get(name.removesuffix("s"))
