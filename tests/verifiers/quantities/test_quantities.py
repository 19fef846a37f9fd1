"""Numbers with a tolerance and a unit."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.quantities.measures import measured
from palaestra.verifiers.quantities.quantity import Number, Quantity
from palaestra.verifiers.reading.numerals import leading_number, tidy
from palaestra.verifiers.verifier import GoldError

NUMERALS = [
    ("42", 42),
    ("+42", 42),
    ("-42", -42),
    ("\u221242", -42),
    ("- 42", -42),
    ("007", 7),
    ("1,234,567", 1234567),
    ("1 234 567", 1234567),
    ("1\u202f234", 1234),
    (r"1{,}234", 1234),
    (r"1\,234", 1234),
    ("1,234.5", Fraction("1234.5")),
    (".5", Fraction(1, 2)),
    ("5.", 5),
    ("0.50", Fraction(1, 2)),
    ("3/4", Fraction(3, 4)),
    ("-3/4", Fraction(-3, 4)),
    ("1.5/2", Fraction(3, 4)),
    (r"\frac{3}{4}", Fraction(3, 4)),
    (r"-\frac{3}{4}", Fraction(-3, 4)),
    (r"\frac{-3}{4}", Fraction(-3, 4)),
    (r"\dfrac34", Fraction(3, 4)),
    ("2 1/2", Fraction(5, 2)),
    ("-2 1/2", Fraction(-5, 2)),
    (r"2\frac{1}{2}", Fraction(5, 2)),
    ("2½", Fraction(5, 2)),
    ("¾", Fraction(3, 4)),
    ("6.02e23", 602 * 10**21),
    ("6.02E+23", 602 * 10**21),
    ("6.02×10^23", 602 * 10**21),
    ("6.02 x 10^{23}", 602 * 10**21),
    (r"6.02 \times 10^{23}", 602 * 10**21),
    (r"6.02\cdot10^{23}", 602 * 10**21),
    ("6.02*10**23", 602 * 10**21),
    ("6.02 × 10²³", 602 * 10**21),
    ("1e-3", Fraction(1, 1000)),
    ("5×10⁻³", Fraction(1, 200)),
    ("10^3", 1000),
    ("10^{-3}", Fraction(1, 1000)),
    ("$42$", 42),
    ("**42**", 42),
    ("x = 42", 42),
    ("v_0 = 42", 42),
    ("≈ 42", 42),
    ("٤٢", 42),
    ("４２", 42),
    ("4\u200b2", 42),
    ("-0", 0),
]


@pytest.mark.parametrize(("text", "value"), NUMERALS, ids=[ascii(text) for text, _ in NUMERALS])
def test_numerals(text, value):
    assert leading_number(tidy(text)) == (value, "")


@pytest.mark.parametrize(
    "text",
    [
        *("nan", "inf", "-inf", "Infinity", "\\infty", "1_000", "0x10", "1,23", "1,2345", "12,34"),
        *(
            "1.2.3",
            "--1",
            "+-1",
            "1/0",
            "1/2/3",
            "1 3/2",
            "2^10",
            "1e",
            "1e5000",
            "10^{2000}",
            "e5",
        ),
        *("5 or 6", "5, 6", "5; 6", "5-6", "5–6 m", "5 ± 1", "5 \\pm 1", "≥ 5", "> 5", "≠ 5", "!5"),
        *("five", "²", "5²", "(5", "5)", "1,000,00", "9" * 2100, "5 apples is wrong", "5 not 6"),
        *("\u202e42", "5 5", "5 m 6", "5 m 3 km", "5 km 3 kg", "1 h 2 h", "1 d 2 h 3 min 4 s 5 ms"),
        *(
            "true",
            "None",
            "[5]",
            "{5}",
            "5 $$",
            "5 €5",
            "1**2",
            "1e1.5",
            "\\frac{1}{x}",
            "1 234 56",
        ),
    ],
)
def test_no_quantities(text):
    with pytest.raises(InvalidAnswer):
        measured(text)


@settings(deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30))
def test_decimals_are_read_exactly(value):
    plain = format(value, "f")
    assert measured(plain).value == Fraction(value)
    if abs(value) >= 1 and abs(value.as_tuple().exponent) < 50:
        assert measured(format(value, ",f")).value == Fraction(value)
        assert measured(f"{value:E}").value == Fraction(value)


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_are_read_as_written(value):
    assert measured(repr(value)).value == Fraction(Decimal(repr(value)))


@settings(deadline=None)
@given(st.fractions(), st.sampled_from(["km", "°C", "m/s^2", "$", "%", "apples"]))
def test_fractions_with_units(value, name):
    quantity = measured(f"{value} {name}")
    assert quantity.value == value
    assert (quantity.unit is None) == (name == "apples")


def test_acceleration():
    check_verifier(
        Quantity("9.81 m/s^2"),
        [
            *(
                "9.81 m/s^2",
                "9.81",
                "981 cm/s^2",
                r"$9.81\ \mathrm{m/s^2}$",
                "9.81 N/kg",
                "g = 9.81",
            ),
            *(r"9.81 \frac{m}{s^2}", "9.81 m s⁻²", "0.00981 km/s/s", r"\text{9.81 m/s²}"),
        ],
        [
            "9.8 m/s^2",
            "-9.81",
            "9.81 m/s",
            "9.81 kg",
            "9.81 apples",
            "10",
            "9.81 %",
            "9.81e3 m/s^2",
        ],
        ["9.81 or 9.82 m/s^2", "9.81 m/s^2, 10 m/s^2", "not 9.81", "9.81 ± 0.1", "9.81 foo/bar"],
    )


def test_exact_number():
    check_verifier(
        Number("3/4"),
        ["0.75", "75%", r"\frac{3}{4}", "6/8", "7.5e-1", "¾", r"75\%"],
        ["0.7500001", "75", "4/3", "-3/4", "75 ‰"],
        ["0.75 m", "$0.75", "0.75 apples", "3:4", "3 4", "0.75 or so"],
    )


def test_zero_gold():
    for options in ({"relative": 0.1}, {"digits": 3}):
        with pytest.raises(GoldError, match="absolute"):
            Number(0, **options)
        with pytest.raises(GoldError, match="absolute"):
            Quantity("0 °C", **options)
    near = Number(0, relative=0.1, absolute=1e-6)
    assert all(near(text).correct for text in ("0", "-0", "0.0", "1e-6", "-1e-6", "0%", "0/5"))
    assert not any(near(text).correct for text in ("1e-5", "0.1", "-1", "0/0", "nan", "inf"))
    assert Quantity("0 m")("0 km").correct


@pytest.mark.parametrize("gold", ["nan", "inf", "", " ", "x", "5 or 6", "9" * 3000, "1/0"])
def test_golds_that_make_no_sense(gold):
    for kind in (Number, Quantity):
        with pytest.raises(GoldError):
            kind(gold)


@pytest.mark.parametrize(
    "options",
    [
        {"relative": -0.1},
        {"relative": 1.0},
        {"relative": math.nan},
        {"absolute": -1.0},
        {"absolute": math.inf},
        {"absolute": math.nan},
        {"digits": 0},
        {"digits": 16},
    ],
    ids=str,
)
def test_tolerances_that_make_no_sense(options):
    for kind in (Number, Quantity):
        with pytest.raises(GoldError):
            kind("5", **options)


def test_golds_that_lack_what_is_required():
    with pytest.raises(GoldError, match="required"):
        Quantity("5", unit_required=True)
    with pytest.raises(GoldError, match="Quantity"):
        Number("5 m")
    assert not Number(math.pi)("3.14").correct


@settings(deadline=None)
@given(st.fractions(), st.fractions(0, Fraction(99, 100)), st.fractions(0, 10))
def test_tolerances_are_exact_and_closed(gold, relative, absolute):
    relative, absolute = float(relative), float(absolute)
    if not gold and relative:
        return
    verifier = Number(str(gold), relative=relative, absolute=absolute)
    reach = max(abs(gold) * Fraction(repr(relative)), Fraction(repr(absolute)))
    for sign in (1, -1):
        assert verifier(str(gold + sign * reach)).correct
        beyond = gold + sign * (reach + Fraction(1, 10**30))
        assert not verifier(str(beyond)).correct


def test_significant_digits():
    verifier = Number("0.0012345", digits=3)
    assert all(verifier(text).correct for text in ("0.00123", "0.0012345", "1.234e-3", "0.0012395"))
    assert not any(verifier(text).correct for text in ("0.0012", "0.00124", "-0.00123", "0.0123"))
    assert Number(999.6, digits=3)("1000").correct
    assert Number(1000, digits=1)("1400").correct


def test_conversion_is_exact():
    third = Quantity("1/3 ft")
    assert third("4 in").correct
    assert third("10.16 cm").correct
    assert not third("10.1600000000000000001 cm").correct
    assert Quantity("5 ft 10 in")("177.8 cm").correct
    assert Quantity("90 min")("1 h 30 min").correct
    assert Quantity("90 min")("1 hour and 30 minutes").correct
    assert Quantity("-90 min")("-1 h 30 min").correct
    assert not Quantity("90 min")("1 h").correct


def test_temperatures_have_offsets():
    check_verifier(
        Quantity("212 °F", relative=0.001),
        ["100 °C", "373.15 K", "212", "212 F", "671.67 °R", "100 C"],
        ["100", "212 °C", "212 K", "100 coulomb", "212 radians", "212°", "212 degrees", "212 deg"],
    )
    assert Quantity("0 K")("-273.15 degrees Celsius").correct
    assert not Quantity("20 °C", relative=0.01)("20.3 °C").correct
    assert Quantity("20 °C", relative=0.01)("293.35 K").correct


def test_units_of_different_kinds():
    for gold, wrong in [
        ("5 cm", "5 kg"),
        ("5 cm", "5 cm^2"),
        ("5 $", "5 €"),
        ("5 °", "5 rad"),
        ("5 mW", "5 MW"),
        ("5 apples", "5 pears"),
        ("5 apples", "5 km"),
        ("5 km", "5 apples"),
        ("5 red balls", "5 blue balls"),
        ("5 %", "5 m"),
        ("5 million", "5"),
        ("5 million dollars", "5 dollars"),
    ]:
        assert not Quantity(gold)(wrong).correct, (gold, wrong)
        assert Quantity(gold)(wrong).reason
    assert Quantity("5 balls")("5 red balls").correct
    assert Quantity("5 apples")("5 Apples.").correct
    assert Quantity("1 apple")("1 apples").correct
    assert Quantity("5")("5 apples").correct


def test_required_units():
    check_verifier(
        Quantity("5 km", unit_required=True),
        ["5 km", "5000 m", "5 kilometres"],
        ["5", "5000", "5 s"],
    )
    assert Quantity("5 km", unit_required=True)("5").reason == "the unit is missing"
    assert not Quantity("5 apples", unit_required=True)("5").correct


def test_money():
    check_verifier(
        Quantity("$1,250.50"),
        ["$1250.50", "1250.5 dollars", "USD 1250.50", "1250.50", "125050 cents", r"\$1{,}250.50"],
        ["€1250.50", "1250.50 £", "-$1250.50", "$1250", "$1,250.50 per hour"],
        ["$1,250,50", "$$1250.50"],
    )
    assert Quantity("$5 million")("5,000,000 USD").correct
    assert Quantity("$5/kg")("5 dollars per kg").correct
    assert Quantity("£3")("3 pounds").correct
    assert Quantity("CAD 5")("$5").correct
    assert not Quantity("€5")("$5").correct


def test_percent_is_never_assumed():
    assert Number("25%")("0.25").correct
    assert Number("25%")("25").correct
    assert Number("0.25")("25%").correct
    assert Number("25")("25%").correct
    assert not Number("25")("0.25").correct
    assert not Number("0.25")("25").correct
    assert Number("0.5")("0.5%").correct  # as the number that is written
    assert not Number("25%")("0.25%").correct
    assert not Number("25%")("2500%").correct


def test_rare_units():
    assert Quantity("15 hands", rare=True)("60 in").correct
    assert not Quantity("15 hands")("60 in").correct


def test_oversize_numbers_are_limits():
    assert Number(1)("1e1000000").status == "limit"
    assert Number(1)("1" * 19_000).status == "malformed"
    assert Number(1)("1" * 21_000).status == "limit"


def test_reasons_do_not_tell_the_gold():
    for answer in ("7", "7 km", "7 s", "7 apples"):
        assert "5" not in Quantity("5.5 km")(answer).reason


def test_one_pair_of_brackets_around_a_quantity():
    assert Quantity("5 m")("(5 m)").correct
    assert Quantity("5 m")("(500 cm)").correct
    assert Number("-5")("(-5)").correct
    assert not Number("-5")("(5)").correct
    for text in ("(5", "(5 m) (5 m)", "((5 m)", "-(5 m)", "(5)(m)", "()", "(,)"):
        assert not Quantity("5 m")(text).correct


def test_prefixes_before_the_name_of_the_ohm():
    assert Quantity("2 k\u03a9")("2 kohm").correct
    assert Quantity("2 k\u03a9")("2 kOhm").correct
    assert Quantity("2 M\u03a9")("2 Mohm").correct
    assert not Quantity("2 M\u03a9")("2 mohm").correct


@pytest.mark.parametrize(
    "answer",
    [
        "$5$ km", r"$5 \times 10^{3}$ m", "$5{,}000$ m", r"$\frac{10}{2}$ km", r"\(5\) km",
        r"$5$ $\mathrm{km}$",
    ],
)  # fmt: skip
def test_a_unit_may_follow_a_number_in_latex(answer: str) -> None:
    assert Quantity("5 km")(answer).correct
    assert not Quantity("6 km")(answer).correct


@pytest.mark.parametrize("answer", ["$5 or $6", "$5$6 km", "$5$ or $6$ km", "$5$, $6$ km"])
def test_two_numbers_in_latex_are_no_quantity(answer: str) -> None:
    assert Quantity("5 km")(answer).status == "malformed"


def test_pounds_per_square_inch_are_a_pressure() -> None:
    assert Quantity("760 psi")("760 pounds per square inch").correct
    assert Quantity("30 pounds per square inch")("30 psi").correct
