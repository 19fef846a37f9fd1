"""Numbers with a tolerance, with and without a unit.

>>> speed = Quantity("90 km/h", relative=0.01)
>>> speed("25 m/s").correct, speed("56 mph").correct, speed("90 km").reason
(True, True, 'the unit measures something else')
>>> Number("1/3", absolute=0.001)("0.333").correct
True
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.quantities.measures import Measured, measured
from palaestra.verifiers.verifier import GoldError, Verifier


class _Tolerance(NamedTuple):
    """How far a value may lie from the gold: as far as the widest of these allows."""

    relative: Fraction
    absolute: Fraction
    digits: int | None

    @classmethod
    def of(
        cls, gold: Fraction, relative: float, absolute: float | None, digits: int | None
    ) -> "_Tolerance":
        """Checked against the gold; raises :class:`GoldError`."""
        if not 0 <= relative < 1:
            raise GoldError(f"a relative tolerance is in [0, 1), not {relative}")
        if absolute is not None and not (isfinite(absolute) and absolute >= 0):
            raise GoldError(f"an absolute tolerance is finite and not negative, not {absolute}")
        if digits is not None and not 1 <= digits <= 15:
            raise GoldError(f"significant digits are from 1 to 15, not {digits}")
        if gold == 0 and (relative or digits) and absolute is None:
            raise GoldError("a relative tolerance means nothing at 0: give an absolute one")
        return cls(_exactly(relative), _exactly(absolute or 0), digits)

    def around(self, gold: Fraction) -> Fraction:
        half = Fraction(0)
        if self.digits and gold:
            half = Fraction(10) ** (_order(abs(gold)) - self.digits + 1) / 2
        return max(abs(gold) * self.relative, self.absolute, half)


def _exactly(number: float) -> Fraction:
    """The fraction that a float is written as: 0.1 is a tenth."""
    return Fraction(repr(number))


def _order(value: Fraction) -> int:
    """The power of ten of the first digit of a positive number.

    >>> _order(Fraction("0.05")), _order(Fraction(999))
    (-2, 2)
    """
    guess = len(str(value.numerator)) - len(str(value.denominator))
    return guess if value >= Fraction(10) ** guess else guess - 1


@lru_cache(maxsize=4096)
def _gold(text: str, rare: bool) -> Measured:
    try:
        return measured(text, rare=rare)
    except InvalidAnswer as error:
        raise GoldError(f"the gold {text[:60]!r} cannot be read: {error}") from None


@dataclass(frozen=True, slots=True)
class Quantity(Verifier):
    """A number with a unit, within a tolerance; 1 if right, else 0.

    Conversion is exact, offsets of temperatures included. An answer without a unit is taken in
    the unit of the gold, unless ``unit_required``; where both have one, they must measure the
    same, and counted nouns must be the same ("5 apples" is not "5 pears"). A percentage equals
    both its value and the number written before the sign, as long as one of the two has the sign.

    ``relative`` is a share of the gold, ``absolute`` is in the unit of the gold, and ``digits``
    are the significant digits to which answer and gold agree; the widest holds, and without any
    the value must be exact. ``rare`` reads units such as hands and gills, which answers seldom use.

    Raises :class:`GoldError` for a gold that cannot be read, for a relative tolerance at 0, and
    for ``unit_required`` without a unit.

    >>> Quantity("212 °F")("100 degrees Celsius").correct
    True
    >>> Quantity("9.81 m/s^2", digits=2)("9.8").correct
    True
    """

    gold: str
    relative: float = 0.0
    absolute: float | None = None
    unit_required: bool = False
    digits: int | None = None
    rare: bool = False

    def __post_init__(self) -> None:
        gold = _gold(self.gold, self.rare)
        if self.unit_required and not (gold.unit or gold.noun):
            raise GoldError("a unit is required, but the gold has none")
        _Tolerance.of(gold.value, self.relative, self.absolute, self.digits)

    def verify(self, answer: str) -> Score:
        gold = _gold(self.gold, self.rare)
        measure = measured(answer, gold.unit, self.rare)
        problem = _unit_violation(gold, measure, self.unit_required)
        if problem:
            return Score(0.0, problem)
        tolerance = _Tolerance.of(gold.value, self.relative, self.absolute, self.digits)
        return _near(gold, measure, tolerance)


def _unit_violation(gold: Measured, measure: Measured, required: bool) -> str:
    """What is wrong with a unit, or nothing."""
    if not (gold.unit or gold.noun):
        return ""
    if not (measure.unit or measure.noun):
        return "the unit is missing" if required else ""
    if gold.unit and measure.unit:
        same = gold.unit.dimension == measure.unit.dimension
        return "" if same else "the unit measures something else"
    if gold.noun and measure.noun:
        return "" if _same_noun(gold.noun, measure.noun) else "something else is counted"
    return "not a unit of the expected quantity"


def _same_noun(one: str, other: str) -> bool:
    """Whether two noun phrases are equal, or one says the other with more words before it."""
    return f" {one}".endswith(f" {other}") or f" {other}".endswith(f" {one}")


def _near(gold: Measured, measure: Measured, tolerance: _Tolerance) -> Score:
    reach = tolerance.around(gold.value)
    near = any(abs(value - gold.value) <= reach for value in _readings(gold, measure))
    return Score(1.0) if near else Score(0.0, "the value is off")


def _readings(gold: Measured, measure: Measured) -> list[Fraction]:
    """What an answer may be worth in the unit of the gold."""
    if gold.unit and measure.unit:
        return [measure.unit.convert(measure.value, gold.unit)]
    if measure.unit and not measure.unit.dimension:
        return [measure.value, measure.value * measure.unit.factor]
    if gold.unit and not gold.unit.dimension:
        return [measure.value, measure.value / gold.unit.factor]
    return [measure.value]


@dataclass(frozen=True, slots=True)
class Number(Verifier):
    """A number without a unit, within a tolerance; 1 if right, else 0.

    The tolerances are those of :class:`Quantity`. A percent sign may stand on either side; any
    other unit is not in the shape asked for. A float as gold is the decimal that it is written as.

    >>> Number("0.25")("25%").correct, Number(0, absolute=1e-6)("1e-9").correct
    (True, True)
    >>> Number("42")("42 or 43").status
    'malformed'
    """

    gold: str | float
    relative: float = 0.0
    absolute: float | None = None
    digits: int | None = None

    def __post_init__(self) -> None:
        gold = _gold(str(self.gold), False)
        if not _bare(gold):
            raise GoldError("the gold of a Number has no unit: see Quantity")
        _Tolerance.of(gold.value, self.relative, self.absolute, self.digits)

    def verify(self, answer: str) -> Score:
        gold, measure = _gold(str(self.gold), False), measured(answer)
        if not _bare(measure):
            raise InvalidAnswer("expected a number without a unit")
        tolerance = _Tolerance.of(gold.value, self.relative, self.absolute, self.digits)
        return _near(gold, measure, tolerance)


def _bare(measure: Measured) -> bool:
    return measure.noun is None and (measure.unit is None or not measure.unit.dimension)
