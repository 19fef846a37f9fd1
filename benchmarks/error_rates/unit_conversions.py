"""Quantities: converted exactly with a table of the SI brochure's and the 1959 agreement's values.

The names, factors and ways of writing are this file's own.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from benchmarks.error_rates.cases import Case

from palaestra.verifiers.quantities.quantity import Quantity

F = Fraction


class Unit(NamedTuple):
    """A unit: its factor and offset to the base unit of its quantity, and its spellings."""

    quantity: str
    factor: Fraction
    names: tuple[str, ...]
    offset: Fraction = F(0)


def _units() -> list[Unit]:
    inch, pound, foot = F("0.0254"), F("0.45359237"), F("0.3048")
    mile, gravity = 5280 * foot, F("9.80665")
    rows: list[tuple[str, Fraction, str]] = [
        ("length", F("1e-9"), "nm|nanometre|nanometers"),
        ("length", F("1e-6"), "µm|μm|micrometre|micrometers"),
        ("length", F("0.001"), "mm|millimetres|millimeters"),
        ("length", F("0.01"), "cm|centimetres|centimeters"),
        ("length", F(1), "m|metres|meters"),
        ("length", F(1000), "km|kilometres|kilometers"),
        ("length", inch, "in|inches"),
        ("length", foot, "ft|feet"),
        ("length", 3 * foot, "yd|yards"),
        ("length", mile, "mi|miles"),
        ("mass", F("0.000001"), "mg|milligrams"),
        ("mass", F("0.001"), "g|grams"),
        ("mass", F(1), "kg|kilograms"),
        ("mass", F(1000), "t|tonnes|metric tons"),
        ("mass", pound, "lb|lbs|pounds"),
        ("mass", pound / 16, "oz|ounces"),
        ("time", F("0.001"), "ms|milliseconds"),
        ("time", F(1), "s|sec|seconds"),
        ("time", F(60), "min|minutes"),
        ("time", F(3600), "h|hr|hours"),
        ("time", F(86400), "d|days"),
        ("time", F(604800), "weeks"),
        ("energy", F(1), "J|joules|N m|N·m|kg m^2/s^2|W s"),
        ("energy", F(1000), "kJ|kilojoules"),
        ("energy", F(10**6), "MJ|megajoules"),
        ("energy", F(3600000), "kWh|kilowatt-hours|kilowatt hours|kW h"),
        ("energy", F("1.602176634e-19"), "eV|electronvolts|electron volts"),
        ("power", F(1), "W|watts|J/s"),
        ("power", F(1000), "kW|kilowatts"),
        ("power", F(10**6), "MW|megawatts"),
        ("power", F("0.001"), "mW|milliwatts"),
        ("pressure", F(1), "Pa|pascals|N/m^2|N/m²"),
        ("pressure", F(1000), "kPa|kilopascals"),
        ("pressure", F(10**5), "bar|bars"),
        ("pressure", F(101325), "atm|atmospheres"),
        ("pressure", pound * gravity / inch**2, "psi|pounds per square inch"),
        ("volume", F("1e-6"), "mL|ml|cm^3|cm³|cubic centimetres|millilitres|milliliters|cc"),
        ("volume", F("0.001"), "L|l|dm^3|litres|liters"),
        ("volume", F(1), "m^3|m³|cubic metres|cubic meters"),
        ("volume", inch**3, "in^3|cubic inches"),
        ("area", F("1e-4"), "cm^2|cm²|square centimetres"),
        ("area", F(1), "m^2|m²|square metres|square meters|sq m"),
        ("area", F(10**4), "ha|hectares"),
        ("area", F(10**6), "km^2|km²|square kilometres"),
        ("area", foot**2, "ft^2|square feet|sq ft"),
        ("speed", F(1), "m/s|m s^-1|metres per second|meters per second"),
        ("speed", F(1000, 3600), "km/h|kilometres per hour|kph"),
        ("speed", mile / 3600, "mph|miles per hour|mi/h"),
        ("speed", F(1852, 3600), "knots|kn"),
        ("force", F(1), "N|newtons|kg m/s^2|kg·m/s²"),
        ("force", F(1000), "kN|kilonewtons"),
        ("frequency", F(1), "Hz|hertz|s^-1|1/s"),
        ("frequency", F(1000), "kHz|kilohertz"),
        ("frequency", F(10**6), "MHz|megahertz"),
        ("voltage", F(1), "V|volts|J/C|W/A"),
        ("voltage", F("0.001"), "mV|millivolts"),
        ("voltage", F(1000), "kV|kilovolts"),
        ("charge", F(1), "C|coulombs|A s"),
        ("current", F(1), "A|amperes|amps"),
        ("current", F("0.001"), "mA|milliamperes|milliamps"),
        ("resistance", F(1), "Ω|ohms|V/A"),
        ("resistance", F(1000), "kΩ|kilohms|kiloohms"),
        ("amount", F(1), "mol|moles"),
        ("amount", F("0.001"), "mmol|millimoles"),
        ("density", F(1), "kg/m^3|kg/m³|kilograms per cubic metre"),
        ("density", F(1000), "g/cm^3|g/cm³|g/mL|kg/L"),
        ("acceleration", F(1), "m/s^2|m/s²|m s^-2|metres per second squared"),
    ]
    scales = [
        Unit("temperature", F(1), ("K", "kelvin", "kelvins")),
        Unit("temperature", F(1), ("°C", "degrees Celsius", "℃", "deg C"), F("273.15")),
        Unit("temperature", F(5, 9), ("°F", "degrees Fahrenheit", "deg F"), F("459.67") * 5 / 9),
    ]
    return [
        Unit(quantity, factor, tuple(names.split("|"))) for quantity, factor, names in rows
    ] + scales


UNITS = _units()


def decimals(value: Fraction) -> str | None:
    """A fraction as a decimal, or None where that does not end within 15 places.

    >>> decimals(Fraction(-5, 4)), decimals(Fraction(1, 3))
    ('-1.25', None)
    """
    scaled = abs(value) * 10**15
    if scaled.denominator != 1:
        return None
    whole, rest = divmod(scaled.numerator, 10**15)
    sign = "-" if value < 0 else ""
    return sign + (f"{whole}.{rest:015d}".rstrip("0").rstrip("."))


def numerals(value: Fraction) -> dict[str, str]:
    """Ways to write a number, by name."""
    forms: dict[str, str] = {}
    text = decimals(value)
    if text is not None:
        forms["decimal"] = text
        whole, point, rest = text.partition(".")
        if len(whole.lstrip("-")) > 4:
            forms["thousands separated"] = f"{int(whole):,}{point}{rest}"
            spaced = f"{int(whole):,}".replace(",", "\u202f")
            forms["thousands by thin spaces"] = f"{spaced}{point}{rest}"
            forms["thousands in LaTeX"] = f"{int(whole):,}".replace(",", "{,}") + point + rest
        if value:
            exponent, digits = 0, value
            while abs(digits) >= 10:
                digits, exponent = digits / 10, exponent + 1
            while abs(digits) < 1:
                digits, exponent = digits * 10, exponent - 1
            mantissa = decimals(digits)
            if exponent and mantissa:
                forms["scientific"] = f"{mantissa}e{exponent}"
                forms["scientific, ×"] = f"{mantissa} × 10^{exponent}"
                forms["scientific in LaTeX"] = rf"{mantissa} \times 10^{{{exponent}}}"
    if value.denominator != 1:
        forms["fraction"] = f"{value.numerator}/{value.denominator}"
        sign = "-" if value < 0 else ""
        forms["fraction in LaTeX"] = (
            rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
        )
    return {
        name: form.replace("-", "\u2212") if name == "scientific, ×" else form
        for name, form in forms.items()
    }


def written(rng: random.Random, value: Fraction, unit: Unit) -> tuple[str, str]:
    """A way of writing, and a quantity in it."""
    form, number = rng.choice(sorted(numerals(value).items()))
    name = rng.choice(unit.names)
    latex = "LaTeX" in form
    if latex and name.isascii() and name.isalpha():
        style = rng.choice((r"\mathrm{%s}", r"\text{%s}", r"\text{ %s}", r"\,\mathrm{%s}"))
        return f"{form}, unit in LaTeX", f"${number} {style % name}$"
    if latex:
        return form, f"${number}$ {name}"
    gap = "" if rng.random() < 0.2 and name[0].isalpha() and len(name) < 3 else " "
    text = f"{number}{gap}{name}"
    lead = rng.choice(("", "", "", "= ", "The answer is "))
    return form + (", no space" if not gap else ""), lead + text


def converted(value: Fraction, unit: Unit, other: Unit) -> Fraction:
    """A value of one unit in another."""
    return (value * unit.factor + unit.offset - other.offset) / other.factor


def gold_number(rng: random.Random) -> Fraction:
    """A number of a few digits, as questions have them."""
    digits = rng.randint(1, 999)
    return Fraction(digits) / 10 ** rng.choice((0, 0, 0, 1, 2)) * rng.choice((1, 1, 1, 10, 1000))


def wrong(rng: random.Random, value: Fraction, unit: Unit) -> Iterator[tuple[str, str]]:
    """Wrong answers, by what is wrong with them."""
    same = [each for each in UNITS if each.quantity == unit.quantity]
    other = rng.choice(same)
    right = converted(value, unit, other)
    amiss = {
        "wrong power of ten": right * rng.choice((10, 1000, F(1, 10), F(1, 1000))),
        "converted the wrong way round": converted(value, other, unit),
        "not converted": value,
        "negated": -right,
        "one percent off": right * F(rng.choice((101, 99)), 100),
        "offset forgotten": value * unit.factor / other.factor,
    }
    for name, number in amiss.items():
        if number != right:
            yield name, written(rng, number, other)[1]
    alien = rng.choice([each for each in UNITS if each.quantity != unit.quantity])
    yield "unit of another quantity", written(rng, value, alien)[1]
    low, high = written(rng, right, other)[1], written(rng, right * 2 or F(1), other)[1]
    yield "two answers", f"{low} or {high}"
    yield "denied", f"not {low}"
    yield "bound", f"more than {low}"


def cases(rng: random.Random) -> Iterator[Case]:
    """A gold quantity, its conversions into other units, and wrong ones."""
    while True:
        unit = rng.choice(UNITS)
        value = gold_number(rng)
        if unit.quantity == "temperature" and rng.random() < 0.3 and unit.offset:
            value = -value % 90
        text = decimals(value)
        assert text is not None
        verifier = Quantity(f"{text} {unit.names[0]}")
        for other in rng.sample(UNITS, len(UNITS)):
            if other.quantity == unit.quantity:
                form, answer = written(rng, converted(value, unit, other), other)
                yield Case(form, verifier, answer, right=True)
                if rng.random() < 0.6:
                    break
        amiss = list(wrong(rng, value, unit))
        for name, answer in rng.sample(amiss, 2):
            yield Case(name, verifier, answer, right=False)
