"""Units of measurement: against pint, and by what must hold for any of them."""

import math
import runpy
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra.verifiers.quantities import units
from palaestra.verifiers.quantities.nouns import singular
from palaestra.verifiers.quantities.table import OTHERWISE, PREFIXES, SLOPPY, TABLE
from palaestra.verifiers.quantities.units import LONGEST_UNIT, counted, rare_unit, unit, unit_like

ROOT = Path(__file__).parents[3]

ROWS = [
    tuple(cell.strip() for cell in row.split("|"))
    for row in TABLE.splitlines()
    if row and not row.startswith("#")
]
NAMES = [row[0].split(", ")[0] for row in ROWS]
SYMBOLS = [symbol for row in ROWS for symbol in row[1].split(", ") if symbol]

OTHER_WORTH = {
    "fathom": "that of the survey",
    "furlong": "that of the survey",
    "acre": "that of the survey",
    "barrel": "that of wine",
    "british thermal unit": "that of ISO, rounded",
    "therm": "that of ISO, rounded",
    "decade": "ten of anything",
    "decibel": "a ratio",
    "parsec": "a float",
    "gauss": "of another system",
    "maxwell": "of another system",
}
"""What pint takes to be another thing than we do."""

NOT_IN_PINT = {
    *("unit", "quintal", "mpg", "mmhg", "watt second", "dioptre", "jansky", "molal", "ph"),
    *("mas", "cc", "newton metre"),
    *("basis point", "ppb", "dozen", "hundred", "thousand", "million", "billion", "trillion"),
}
BASES = {
    "length": "[length]", "mass": "[mass]", "time": "[time]", "current": "[current]",
    "temperature": "[temperature]", "amount": "[substance]", "luminosity": "[luminosity]",
}  # fmt: skip


@pytest.fixture(scope="module")
def registry():
    import pint

    return pint.UnitRegistry()


def name_in_pint(registry, row):
    """The unit of pint with one of the names of a row."""
    for name in [*row[0].split(", "), *filter(None, row[1].split(", "))]:
        for prefix, base, _ in registry.parse_unit_name(name.replace(" ", "_")):
            if not prefix and len(name) > 2:
                return base
    return None


def test_every_unit_is_worth_what_pint_says(registry):
    left_out = set()
    for row in ROWS:
        name = row[0].split(", ")[0]
        ours, other = unit(name), name_in_pint(registry, row)
        if "currency" in str(ours.dimension):
            continue
        if other is None or name in NOT_IN_PINT:
            left_out.add(name)
            continue
        if name in OTHER_WORTH:
            continue
        theirs = registry.Quantity(1, other).to_base_units()
        angle = math.pi / 180 if "angle:degree" in dict(ours.dimension) else 1
        worth = float(ours.base(Fraction(1))) * angle
        assert worth == pytest.approx(theirs.magnitude, rel=1e-9), name
        powers = {BASES[key]: power for key, power in ours.dimension if key in BASES}
        assert powers == dict(theirs.dimensionality), name
    assert left_out == NOT_IN_PINT


def test_what_pint_takes_otherwise():
    assert set(NAMES) >= OTHER_WORTH.keys()
    assert unit("acre").convert(Fraction(1), unit("square feet")) == 43560
    assert unit("mile").convert(Fraction(1), unit("furlongs")) == 8
    assert unit("barrel").convert(Fraction(1), unit("gallons")) == 42
    assert unit("BTU").convert(Fraction(1), unit("J")) == Fraction("1055.05585262")
    assert unit("tesla").convert(Fraction(1), unit("gauss")) == 10_000


PREFIXED = [row for row in ROWS if row[3]]


@pytest.mark.parametrize("row", PREFIXED, ids=[row[0].split(",")[0] for row in PREFIXED])
def test_prefixes_scale_names_and_symbols(row):
    names, symbols, _, kind = row
    for prefix in PREFIXES.splitlines():
        kind_of, base, power, *words = prefix.split()
        scale = Fraction(base) ** int(power)
        if kind_of != kind and not (kind == "info" and scale >= 1000):
            continue
        for word in names.split(", ") if len(words) > 1 else ():
            assert unit(words[0] + word).factor == scale * unit(word).factor, words[0] + word
        for symbol in filter(str.isalpha, symbols.split(", ")):
            short = words[-1] + symbol
            if short not in SYMBOLS and short not in ("cu", "Rs"):  # cubic and rupees
                assert unit(short).factor == scale * unit(symbol).factor, short


FORMS = [
    ("km/h", Fraction(5, 18)),
    (r"\mathrm{km}/\mathrm{h}", Fraction(5, 18)),
    (r"\frac{\mathrm{km}}{\mathrm{h}}", Fraction(5, 18)),
    ("km per hour", Fraction(5, 18)),
    ("kilometers per hour", Fraction(5, 18)),
    ("km h^{-1}", Fraction(5, 18)),
    ("km·h⁻¹", Fraction(5, 18)),
    (r"\text{ km/h}", Fraction(5, 18)),
    ("$km/h$", Fraction(5, 18)),
    ("kph", Fraction(5, 18)),
    ("m/s^2", 1),
    ("m s^{-2}", 1),
    ("m s-2", 1),
    ("m/s/s", 1),
    ("m/s²", 1),
    ("m/s**2", 1),
    (r"\mathrm{m}\,\mathrm{s}^{-2}", 1),
    ("metres per second squared", 1),
    (r"\si{\metre\per\second\squared}", 1),
    ("kg*m/s^2", 1),
    (r"\mathrm{kg} \cdot \mathrm{m} / \mathrm{s}^{2}", 1),
    ("J/kg K", 1),
    ("J/(kg K)", 1),
    ("J/kg·K", 1),
    ("J kg^-1 K^-1", 1),
    ("square feet", Fraction("0.09290304")),
    ("sq ft", Fraction("0.09290304")),
    ("sq. ft.", Fraction("0.09290304")),
    ("sqft", Fraction("0.09290304")),
    ("ft²", Fraction("0.09290304")),
    ("feet squared", Fraction("0.09290304")),
    (r"\text{cm}^2", Fraction(1, 10_000)),
    ("cm2", Fraction(1, 10_000)),
    ("square centimetres", Fraction(1, 10_000)),
    ("cubic metres", 1),
    ("m^{3}", 1),
    ("litres", Fraction(1, 1000)),
    ("mL", Fraction(1, 10**6)),
    ("µm", Fraction(1, 10**6)),
    ("\u03bcm", Fraction(1, 10**6)),
    (r"\mu m", Fraction(1, 10**6)),
    (r"\mu\mathrm{m}", Fraction(1, 10**6)),
    ("um", Fraction(1, 10**6)),
    ("micrometers", Fraction(1, 10**6)),
    (r"k\Omega", 1000),
    (r"\mathrm{k}\Omega", 1000),
    ("\u2126", 1),
    ("mph", Fraction("0.44704")),
    ("kilowatt-hours", 3_600_000),
    ("kW h", 3_600_000),
    ("Hz", 1),
    ("1/s", 1),
    ("per second", 1),
    ("MiB", 8 * 2**20),
    ("Mbps", 10**6),
    ("KB", 8000),
    ("mm Hg", Fraction("133.322387415")),
    ("L/100 km", Fraction(1, 10**8)),
    ("cents", Fraction(1, 100)),
    ("million dollars", 10**6),
    ("in.", Fraction("0.0254")),
    ("light-years", 9460730472580800),
    ("%", Fraction(1, 100)),
    (r"\%", Fraction(1, 100)),
    ("per cent", Fraction(1, 100)),
    ("grams/mol", Fraction(1, 1000)),
]


@pytest.mark.parametrize(("text", "factor"), FORMS, ids=[text for text, _ in FORMS])
def test_forms(text, factor):
    assert unit(text).factor == factor


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mW", "MW"),
        ("mHz", "MHz"),
        ("Pa", "pA"),
        ("S", "s"),
        ("B", "b"),
        ("MB", "Mb"),
        ("K", "k"),
        ("cm", "kg"),
        ("cm", "cm^2"),
        ("°", "rad"),
        ("$", "€"),
        ("USD", "GBP"),
        ("m/s", "m s"),
        ("J/kg*K", "J/kg K"),
        ("dB", "m"),
        ("kt", "kilotonne"),
        ("M", "m"),
        ("Gy", "gyr"),
    ],
)
def test_different_units(one, other):
    assert unit(one) != unit(other)


@pytest.mark.parametrize(
    "text",
    [
        *("apples", "x", "k", "hello world", "5 km", "1 km", "", " ", ".", "/", "m/", "/m/", "-m"),
        *("m-", "m^", "m^99", "m^0", "m^x", "m^{2", "(m", "m)", "()", "per", "square", "squared"),
        *("m = s", "м", "кг", "сm", "m\u202e", "m or s", "km and h", "|m", "m|s", "m 2", "m,s"),
        *(
            "(" * 60,
            "m " * 13,
            "m" * 101,
            "\\frac{m}",
            "\\frac",
            "^",
            "\\",
            "10",
            "m^10",
            "m^9 " * 13,
        ),
    ],
)
def test_no_unit(text):
    assert unit(text) is None


def test_temperatures():
    celsius, fahrenheit, kelvin = unit("°C"), unit(r"^{\circ}\mathrm{F}"), unit("K")
    assert celsius.convert(Fraction(-40), fahrenheit) == -40
    assert celsius.convert(Fraction(100), fahrenheit) == 212
    assert fahrenheit.convert(Fraction(32), kelvin) == Fraction("273.15")
    for text in ("° C", "ºC", "^\\circ C", "degrees Celsius", "celsius", "deg C", "\u2103"):
        assert unit(text) == celsius, text
    assert unit("°C/min").offset == unit("J/(kg °C)").offset == 0
    assert unit("(°C)") == celsius


def test_second_meanings_need_a_hint():
    for word, others in OTHERWISE.items():
        assert unit(word) is not None
        for other in others:
            assert unit_like(word, unit(other)) == unit(other), (word, other)
    assert unit_like("km", unit("s")) == unit("km")
    assert unit_like("apples", unit("s")) is None


def test_sloppy_symbols_mean_one_thing(monkeypatch):
    meant = {sloppy: unit(right) for sloppy, right in SLOPPY.items()}
    assert all(unit(sloppy) == right is not None for sloppy, right in meant.items())
    monkeypatch.setattr(units, "SLOPPY", {})
    otherwise = {sloppy: units._lexicon().find(sloppy) for sloppy in meant}
    clashes = {
        sloppy for sloppy, meaning in otherwise.items() if meaning not in (None, meant[sloppy])
    }
    assert clashes == {"Rs"}  # which nobody takes for ronnaseconds


def test_dimensions_that_differ_do_not_convert():
    with pytest.raises(ValueError, match="different dimensions"):
        unit("m").convert(Fraction(1), unit("s"))


BY_DIMENSION = {}
for name in [*NAMES, "km/h", "m/s", "ft/min", "cm^2", "acre", "in^2", "°C", "°F", "km^3", "kWh"]:
    BY_DIMENSION.setdefault(unit(name).dimension, []).append(name)
ALIKE = [names for names in BY_DIMENSION.values() if len(names) > 1]


@settings(deadline=None)
@given(st.sampled_from(ALIKE), st.fractions(), st.data())
def test_conversion_there_and_back(names, value, data):
    one, other = (unit(data.draw(st.sampled_from(names))) for _ in range(2))
    assert other.convert(one.convert(value, other), one) == value
    assert one.convert(value, one) == value


@settings(deadline=None)
@given(st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS), st.integers(1, 4))
def test_compounds_multiply(one, other, power):
    above, below = unit(one), unit(other)
    if "°" in one + other or "currency" in str(above.dimension):
        return
    compound = unit(f"{one}^{power}/{other}")
    assert compound.factor == above.factor**power / below.factor
    assert compound == unit(f"{one}^{{{power}}} ({other})^-1")
    powers = dict.fromkeys([*dict(above.dimension), *dict(below.dimension)], 0)
    for name in powers:
        powers[name] = dict(above.dimension).get(name, 0) * power - dict(below.dimension).get(
            name, 0
        )
    assert dict(compound.dimension) == {name: count for name, count in powers.items() if count}


PIECES = [*SYMBOLS, *"/*^()-+·. 0123456789|{}[]°", "per", "square", "squared", "\\frac", "\\mathrm"]


@settings(deadline=None, max_examples=400)
@given(st.text(max_size=70) | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_no_text_raises(text):
    parsed, noun = unit(text), counted(text)
    assert parsed is None or parsed.factor > 0
    assert parsed is None or noun is None


@on_hostile_texts
def test_hostile_texts_are_no_units(text):
    parsed = unit(text)
    assert parsed is None or len(text) <= LONGEST_UNIT
    assert counted(text) is None or len(text) <= LONGEST_UNIT


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("apples", "apple"),
        ("Apple", "apple"),
        (r"\text{ apples}", "apple"),
        ("the apples", "apple"),
        ("boxes", "box"),
        ("houses", "house"),
        ("cities", "city"),
        ("children", "child"),
        ("red balls", "red ball"),
        ("different ways", "way"),
        ("glasses.", "glass"),
        ("buses", "bus"),
        ("movies", "movie"),
        ("km", None),
        ("dollars", None),
        ("or", None),
        ("apples or pears", None),
        ("not apples", None),
        ("wrong", None),
        ("5", None),
        ("x", None),
        ("a b", None),
        ("", None),
        ("apples; pears", None),
        ("яблоки", None),
    ],
)
def test_counted_nouns(text, noun):
    assert counted(text) == noun


@settings(deadline=None)
@given(
    st.sampled_from(["apple", "box", "house", "city", "person", "glass", "potato", "bus", "way"])
)
def test_a_singular_stays(noun):
    assert singular(noun) == noun
    assert singular(singular(noun)) == noun


def test_rare_units():
    assert unit("hand") is None
    assert rare_unit("hands").convert(Fraction(1), unit("in")) == 4
    assert rare_unit(" Hogsheads ") == rare_unit("hogshead")
    for text in (
        "cats",
        "apples",
        "",
        "a" * 50,
        "m^2",
        "__import__",
        "speed of light",
        "1",
        "degree",
        "parsec",
    ):
        assert rare_unit(text) is None, text


def test_rare_units_are_those_of_pint():
    script = runpy.run_path(str(ROOT / ".ci/rare_units.py"))
    assert script["page"]() == (ROOT / "verifiers/quantities/rare.py").read_text("utf-8")
    known = filter(script["NAME"].fullmatch, list(script["registry"]._units))
    names = [name for word in known for name in (word, f"{word}s") if unit(name) is None]
    assert len(names) > 300
    for name in names:
        assert rare_unit(name) == script["known_to_pint"](name), name
