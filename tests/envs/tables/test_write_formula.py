"""Tests of tables/write_formula: formulas are evaluated by Python, numbers inferred by trial."""

import datetime
import re
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.tables.write_formula import WriteFormula
from palaestra.generators.tables.write_formula import (
    FORMS,
    Charge,
    Row,
    Sheet,
    fits,
    random_numbers,
    random_rows,
    random_sheet,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.tables.write_formula import DEPTH, LONGEST, FormulaError, parsed

NAME = "tables/write_formula"
COLUMNS = ["quantity", "date", "code", "zone", "weight", "member"]
FEES = {"north": 4, "west": 7}
ROW = Row(7, "2025-03-14", "AB-204", "north", 11, "yes")


def python_value(formula, row, fees):
    """The value of a formula by Python's own evaluation, after a translation word by word."""
    source = re.sub(r"(?<![<>!=])=(?!=)", "==", formula).replace("<>", "!=")
    date = datetime.date.fromisoformat
    names = {
        **row._asdict(),
        "IF": lambda c, x, y: x if c else y,
        "AND": lambda *c: all(c),
        "OR": lambda *c: any(c),
        "NOT": lambda c: not c,
        "MIN": min,
        "MAX": max,
        "DIV": lambda x, y: x // y,
        "MOD": lambda x, y: x % y,
        "LEN": len,
        "MID": lambda t, i, n: t[i - 1 :][:n],
        "NUMBER": int,
        "WEEKDAY": lambda t: date(t).weekday() + 1,
        "MONTH": lambda t: date(t).month,
        "DAY": lambda t: date(t).day,
        "LOOKUP": fees.get,
        "__builtins__": {},
    }
    return eval(source, names)  # noqa: S307 - a text of this file or of the generator


@pytest.mark.parametrize(
    "formula",
    [
        "1 + 2 * 3 - -4", "(1 + 2) * 3", "2 - 3 - 4", "IF(quantity > 6, weight, 0 - weight)",
        "MOD(0 - 7, 3) + DIV(0 - 7, 3)", "MIN(quantity, weight, 9) * MAX(2, 3)",
        "IF(AND(zone = 'north', NOT(member <> 'yes')), 5, 6)",
        "LEN(code) + NUMBER(MID(code, 4, 3))", "IF(OR(1 > 2, MID(code, 2, 1) = 'B'), 1, 2)",
        "WEEKDAY(date) * 100 + MONTH(date) + DAY(date)",
        "LOOKUP(zone, 3) + LOOKUP('coast', 5)", "IF((quantity = 7) = (weight = 11), 1, 0)",
        "IF(MID(code, 9, 2) = '', 4, 5)", "IF(MID(code, 5, 9) = '04', 4, 5)", "---3 * 2",
    ],
)  # fmt: skip
def test_values_are_those_of_python(formula):
    assert parsed(formula, COLUMNS, FEES)(ROW._asdict()) == python_value(formula, ROW, FEES)


def test_spellings():
    row = ROW._asdict()
    assert parsed('=if(CODE == "AB-204", 1, 2)', COLUMNS, FEES)(row) == 1
    assert parsed("If(quantity != 7, 1, 2)", COLUMNS, FEES)(row) == 2


@pytest.mark.parametrize(
    "formula",
    [
        "", "=", "1 +", "1 2", "IF(1, 2)", "IF(1 < 2, 2, 3, 4)", "nothing", "SUM(1, 2)",
        "AND(1 < 2)", "(1",
        "1)", "1 < 2 < 3", "quantity(1)", "'a", "MIN()", "2 ** 3", "1.5", "__import__('os')",
        "1; 2", "quantity.real", "{1}", "9" * 10, "(" * (DEPTH + 1) + "1" + ")" * (DEPTH + 1),
        "1 + " * LONGEST + "1", "NOT(" * 500 + "1 < 2" + ")" * 500,
    ],
)  # fmt: skip
def test_other_texts_are_refused(formula):
    with pytest.raises(InvalidAnswer):
        parsed(formula, COLUMNS, FEES)


@pytest.mark.parametrize(
    "formula",
    [
        "DIV(1, 0)", "MOD(quantity, quantity - 7)", "1 + 'a'", "zone + 1", "IF(1, 2, 3)", "-code",
        "IF(zone = 1, 2, 3)", "zone < 'x'", "NUMBER(zone)", "NUMBER('')", "MID(code, 0, 1) = 'A'",
        "MONTH(code)", "LOOKUP(1, 2)", "MIN(1, zone)", "MID(1, 1, 1)",
        " * ".join(["999999999"] * 5), "1 + (1 < 2)",
    ],
)  # fmt: skip
def test_formulas_without_a_value(formula):
    rule = parsed(formula, COLUMNS, FEES)
    with pytest.raises(FormulaError):
        rule(ROW._asdict())


def test_long_sums_and_products_have_values():
    assert parsed("1" + "+1" * 1400, COLUMNS, FEES)(ROW._asdict()) == 1401
    assert parsed("1" + "*1" * 1400, COLUMNS, FEES)(ROW._asdict()) == 1


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("gated", [False, True])
def test_formulas_of_charges_have_their_values(name, gated):
    rng, charge = Random(4), Charge(name, gated)
    sheet = Sheet((charge,), tuple(FEES.items()))
    for _ in range(6):
        numbers = random_numbers(rng, sheet)
        rule = parsed(sheet.formula(numbers), sheet.columns, FEES)
        for row in random_rows(rng, sheet, 24):
            (total,) = sheet.totals([row], numbers)
            assert rule(row._asdict()) == total
            assert python_value(sheet.formula(numbers), row, FEES) == total


def test_charges_worked_by_hand():
    def value(name, *numbers, row=ROW):
        return FORMS[name].value(row, numbers, FEES)

    assert value("tier", 5, 2, 3) == 3 * 5 + 4 * 2
    assert value("free", 4, 3) == 5 * 4  # two of seven units are free
    assert [value("weekday", 6, day) for day in (4, 5)] == [0, 6]  # a Friday
    assert [value("month", 6, month) for month in (3, 4)] == [6, 0]
    assert [value("day", 6, day) for day in (13, 14)] == [0, 6]
    assert [value("letter", 6, n, letter) for n, letter in ((1, 1), (2, 1), (2, 2))] == [6, 0, 6]
    assert value("remainder", 2, 5) == 8
    assert [value("digit", 3, n) for n in (4, 5, 6)] == [6, 0, 12]
    assert value("started", 5, 9) == 3 * 4
    assert value("started", 5, 9, row=ROW._replace(zone="hills", weight=10)) == 2 * 9
    assert value("above", 2, 8, 5) == 4 + 3 * 2
    assert value("above", 2, 12, 5, row=ROW._replace(zone="hills")) == 5


@pytest.mark.parametrize("charges", [1, 2, 3])
def test_all_numbers_that_fit_are_listed(charges):
    rng = Random(charges)
    compared = 0
    while compared < 3:
        sheet = random_sheet(rng, charges, charges == 1)
        sizes = [len([*product(*charge.ranges)]) for charge in sheet.charges]
        every = 1
        for size in sizes:
            every *= size
        if every > 60_000:
            continue
        rows = random_rows(rng, sheet, 4)
        totals = sheet.totals(rows, random_numbers(rng, sheet))
        expected = [
            numbers
            for numbers in product(*(product(*charge.ranges) for charge in sheet.charges))
            if all(sheet.totals([row], numbers) == [t] for row, t in zip(rows, totals, strict=True))
        ]
        assert fits(sheet, rows, totals).numbers == sorted(expected)
        compared += 1


def test_four_charges_are_listed_with_their_own_numbers():
    rng = Random(8)
    for _ in range(2):
        sheet = random_sheet(rng, 4, 1)
        numbers = random_numbers(rng, sheet)
        rows = random_rows(rng, sheet, 14)
        result = fits(sheet, rows, sheet.totals(rows, numbers)).numbers
        assert numbers in result
        assert all(sheet.totals(rows, each) == sheet.totals(rows, numbers) for each in result)


@pytest.mark.parametrize("level", range(7))
def test_tables_determine_the_other_rows(level):
    for seed in range(2):
        task = Address.of(NAME, seed, level).task()
        lines = task.prompt().split("\n\n")[1].splitlines()
        assert lines[0] == " | ".join([*task.sheet.columns, "total"])
        shown = [line.split(" | ") for line in lines[1:]]
        fees = dict(task.sheet.fees)
        formula = task.answer()
        for line, row in zip(shown, task.rows, strict=True):
            assert line[:-1] == [str(getattr(row, name)) for name in task.sheet.columns]
            assert python_value(formula, row, fees) == int(line[-1])
        for numbers in fits(task.sheet, task.rows, task.totals).numbers:
            other = task.sheet.formula(numbers)
            assert task.verify(other).correct
            assert task.audit(other)


SHEET = Sheet((Charge("tier", False), Charge("started", False)), (("north", 4), ("west", 7)))
NUMBERS = ((5, 2, 3), (5, 9))
CHECKS = random_rows(Random(1), SHEET, 60)
TABLE = random_rows(Random(2), SHEET, 14)
TASK = WriteFormula(
    sheet=SHEET,
    rows=tuple(TABLE),
    totals=tuple(SHEET.totals(TABLE, NUMBERS)),
    checks=tuple(CHECKS),
)
RIGHT = "5*MIN(3, quantity) + IF(quantity > 3, 2*(quantity - 3), 0) + "


@pytest.mark.parametrize(
    "formula",
    [
        RIGHT + "LOOKUP(zone, 9) * DIV(weight + 4, 5)",
        f"= {RIGHT}IF(MOD(weight, 5) = 0, DIV(weight, 5), DIV(weight, 5) + 1) * LOOKUP(zone, 9)",
        f"total = {RIGHT}LOOKUP(zone, 9) * DIV(weight + 4, 5);",
        f"**Formula:** {RIGHT}LOOKUP(zone, 9) \u00d7 DIV(weight + 4, 5)".replace(",", ";"),
        RIGHT.replace("quantity > 3", "quantity \u2265 4") + "LOOKUP(zone, 9) * DIV(weight + 4, 5)",
    ],
)  # fmt: skip
def test_other_right_formulas(formula):
    assert TASK.verify(formula).correct


def test_wrong_formulas():
    assert "rows of the table" in TASK.verify("quantity").reason
    corner = "LOOKUP(zone, 9) * (DIV(weight, 5) + 1)"
    assert TASK.verify(RIGHT + corner).value == 0  # wrong where the weight is divisible
    by_rows = str(TASK.totals[0])
    for row, total in zip(TASK.rows, TASK.totals, strict=True):
        condition = f"AND(quantity = {row.quantity}, weight = {row.weight}, zone = '{row.zone}')"
        by_rows = f"IF({condition}, {total}, {by_rows})"
    assert TASK.verify(by_rows).reason == "the formula is right in the table, but not in other rows"
    assert TASK.verify("DIV(1, 0)").value == 0
    assert TASK.verify("1 < 2").value == 0
