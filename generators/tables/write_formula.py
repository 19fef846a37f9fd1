"""Sums of charges on the rows of a table, and all whole numbers in them that fit some rows."""

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Literal, NamedTuple

LETTERS = "ABCDE"
ZONES = ("north", "south", "east", "west", "coast", "islands", "hills")
COLUMNS = ("quantity", "date", "code", "zone", "weight", "member")

Family = Literal["quantity", "date", "code", "freight"]
Parameters = tuple[int, ...]
Fees = Mapping[str, int]


class Row(NamedTuple):
    """An order. The date is in the form 2025-03-14, the code in the form AB-123."""

    quantity: int
    date: str
    code: str
    zone: str
    weight: int
    member: str


class Form(NamedTuple):
    """A charge with whole numbers in it that are to be inferred, each from a range."""

    family: Family
    columns: tuple[str, ...]
    ranges: tuple[range, ...]
    text: str
    formula: str
    value: Callable[[Row, Parameters, Fees], int]


def _tier(row: Row, p: Parameters, fees: Fees) -> int:
    return p[0] * min(row.quantity, p[2]) + p[1] * max(0, row.quantity - p[2])


def _free(row: Row, p: Parameters, fees: Fees) -> int:
    return p[0] * (row.quantity - row.quantity // p[1])


def _weekday(row: Row, p: Parameters, fees: Fees) -> int:
    return p[0] * (_date(row.date).isoweekday() == p[1])


def _month(row: Row, p: Parameters, fees: Fees) -> int:
    return p[0] * (_date(row.date).month >= p[1])


def _day(row: Row, p: Parameters, fees: Fees) -> int:
    return p[0] * (_date(row.date).day <= p[1])


def _letter(row: Row, p: Parameters, fees: Fees) -> int:
    return p[0] * (row.code[p[1] - 1] == LETTERS[p[2] - 1])


def _remainder(row: Row, p: Parameters, fees: Fees) -> int:
    return p[0] * (int(row.code[3:]) % p[1])


def _digit(row: Row, p: Parameters, fees: Fees) -> int:
    return p[0] * int(row.code[p[1] - 1])


def _started(row: Row, p: Parameters, fees: Fees) -> int:
    return fees.get(row.zone, p[1]) * -(-row.weight // p[0])


def _above(row: Row, p: Parameters, fees: Fees) -> int:
    return fees.get(row.zone, p[2]) + p[0] * max(0, row.weight - p[1])


def _date(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


FORMS: Mapping[str, Form] = {
    "tier": Form(
        "quantity",
        ("quantity",),
        (range(1, 7), range(1, 7), range(2, 9)),
        "{0} coins for each of the first {2} units of the quantity, and {1} coins for each further "
        "unit",
        "{0} * MIN(quantity, {2}) + {1} * MAX(0, quantity - {2})",
        _tier,
    ),
    "free": Form(
        "quantity",
        ("quantity",),
        (range(2, 10), range(2, 7)),
        "{0} coins for each unit of the quantity, except that of every {1} full units one is free",
        "{0} * (quantity - DIV(quantity, {1}))",
        _free,
    ),
    "weekday": Form(
        "date",
        ("date",),
        (range(2, 10), range(1, 8)),
        "{0} coins if the date falls on weekday number {1} (Monday is 1, Sunday is 7)",
        "IF(WEEKDAY(date) = {1}, {0}, 0)",
        _weekday,
    ),
    "month": Form(
        "date",
        ("date",),
        (range(2, 10), range(2, 13)),
        "{0} coins if the month of the date is month number {1} of the year or a later one",
        "IF(MONTH(date) >= {1}, {0}, 0)",
        _month,
    ),
    "day": Form(
        "date",
        ("date",),
        (range(2, 8), range(4, 27)),
        "{0} coins if the day of the month is at most {1}",
        "IF(DAY(date) <= {1}, {0}, 0)",
        _day,
    ),
    "letter": Form(
        "code",
        ("code",),
        (range(2, 10), range(1, 3), range(1, 6)),
        "{0} coins if character number {1} of the code is letter number {2} of the alphabet",
        "IF(MID(code, {1}, 1) = '{letter}', {0}, 0)",
        _letter,
    ),
    "remainder": Form(
        "code",
        ("code",),
        (range(1, 6), range(3, 10)),
        "{0} coins times the remainder of the number behind the hyphen of the code divided by {1}",
        "{0} * MOD(NUMBER(MID(code, 4, 3)), {1})",
        _remainder,
    ),
    "digit": Form(
        "code",
        ("code",),
        (range(1, 6), range(4, 7)),
        "{0} coins times the digit that is character number {1} of the code",
        "{0} * NUMBER(MID(code, {1}, 1))",
        _digit,
    ),
    "started": Form(
        "freight",
        ("zone", "weight"),
        (range(2, 9), range(2, 10)),
        "the fee of the zone for each {0} kg of the weight, where a part of {0} kg counts as "
        "whole; the fee of a zone that is not in the list of fees is {1}",
        "LOOKUP(zone, {1}) * DIV(weight + {0} - 1, {0})",
        _started,
    ),
    "above": Form(
        "freight",
        ("zone", "weight"),
        (range(1, 5), range(4, 13), range(2, 7)),
        "the fee of the zone, and {0} coins for each kg of weight above {1} kg; the fee of a zone "
        "that is not in the list of fees is {2}",
        "LOOKUP(zone, {2}) + {0} * MAX(0, weight - {1})",
        _above,
    ),
}


class Charge(NamedTuple):
    """A form, and whether only members pay it, or only others, which is to be inferred as well."""

    form: str
    gated: bool

    @property
    def ranges(self) -> tuple[range, ...]:
        """The ranges of the numbers; the last one is whether members pay, if it is gated."""
        return (*FORMS[self.form].ranges, *[range(2)] * self.gated)

    def value(self, row: Row, numbers: Parameters, fees: Fees) -> int:
        """The charge on a row in coins."""
        if self.gated and (row.member == "yes") != numbers[-1]:
            return 0
        return FORMS[self.form].value(row, numbers, fees)

    def formula(self, numbers: Parameters) -> str:
        """The charge as a formula."""
        form = FORMS[self.form]
        letter = LETTERS[numbers[2] - 1] if self.form == "letter" else ""
        text = form.formula.format(*numbers, letter=letter)
        if self.gated:
            return f"IF(member = '{'yes' if numbers[-1] else 'no'}', {text}, 0)"
        return text


class Sheet(NamedTuple):
    """Charges, and the fees of zones."""

    charges: tuple[Charge, ...]
    fees: tuple[tuple[str, int], ...]

    def totals(self, rows: Iterable[Row], numbers: Sequence[Parameters]) -> list[int]:
        """The sums of all charges on rows."""
        fees, each = dict(self.fees), [*zip(self.charges, numbers)]
        return [sum(charge.value(row, p, fees) for charge, p in each) for row in rows]

    @property
    def columns(self) -> list[str]:
        """The columns that the charges depend on, in the order of the table."""
        used = {name for charge in self.charges for name in FORMS[charge.form].columns}
        if any(charge.gated for charge in self.charges):
            used.add("member")
        return [name for name in COLUMNS if name in used]

    def formula(self, numbers: Sequence[Parameters]) -> str:
        """The total as a formula."""
        return " + ".join(c.formula(each) for c, each in zip(self.charges, numbers))


def random_sheet(rng: Random, charges: int, gated: int) -> Sheet:
    """So many charges of different families, some of them for members or for others only."""
    families: list[Family] = ["quantity", "date", "code", "freight"]
    chosen = [
        rng.choice([name for name, form in FORMS.items() if form.family == family])
        for family in rng.sample(families, charges)
    ]
    gates = {*rng.sample(chosen, min(gated, charges))}
    fees = [(zone, rng.randint(2, 9)) for zone in rng.sample(ZONES, 4)]
    return Sheet(tuple(Charge(name, name in gates) for name in chosen), tuple(fees))


def random_numbers(rng: Random, sheet: Sheet) -> tuple[Parameters, ...]:
    """Numbers of each charge; the two prices of a tier differ."""
    while True:
        rows = [tuple(rng.choice(each) for each in charge.ranges) for charge in sheet.charges]
        if not any(c.form == "tier" and p[0] == p[1] for c, p in zip(sheet.charges, rows)):
            return tuple(rows)


def random_rows(rng: Random, sheet: Sheet, number: int) -> list[Row]:
    """Rows in which each column takes all of its values as often as possible."""
    zones = [zone for zone, _ in sheet.fees]
    zones += [zone for zone in ZONES if zone not in zones][:1]  # which has no fee
    columns: dict[str, Sequence[int | str]] = {
        "quantity": [1 + n % 12 for n in range(number)],
        "month": [1 + n % 12 for n in range(number)],
        "day": [1 + n % 28 for n in range(number)],
        "first": [LETTERS[n % 5] for n in range(number)],
        "second": [LETTERS[n % 5] for n in range(number)],
        "zone": [zones[n % len(zones)] for n in range(number)],
        "weight": [1 + n % 20 for n in range(number)],
        "member": ["yes" if n % 2 else "no" for n in range(number)],
    }
    shuffled = {name: rng.sample(values, number) for name, values in columns.items()}
    rows = []
    for n in range(number):
        each = {name: values[n] for name, values in shuffled.items()}
        code = f"{each['first']}{each['second']}-{rng.randint(0, 999):03}"
        date = datetime.date(2025, int(each["month"]), int(each["day"]))
        rows.append(
            Row(
                int(each["quantity"]),
                date.isoformat(),
                code,
                str(each["zone"]),
                int(each["weight"]),
                str(each["member"]),
            )
        )
    return rows


class Fits(NamedTuple):
    """All numbers with which the totals are right, and how many sums were compared."""

    numbers: list[tuple[Parameters, ...]]
    examined: int


def fits(sheet: Sheet, rows: Sequence[Row], totals: Sequence[int]) -> Fits:
    """The numbers of all charges whose sums are the totals of the rows.

    The sums of one half of the charges are looked up in a table of those of the other half. They
    are compared by a weighted sum over the rows first.
    """
    fees = dict(sheet.fees)
    weights = [_weight(n) for n in range(len(rows))]

    def hashed(values: Iterable[int]) -> int:
        return sum(weight * value for weight, value in zip(weights, values))

    tables = []
    for n, charge in enumerate(sheet.charges):
        table: dict[int, list[Parameters]] = {}
        for numbers in product(*charge.ranges):
            value = hashed(charge.value(row, numbers, fees) for row in rows)
            table.setdefault(value, []).append(numbers)
        tables.append((len(table), n, table))
    tables.sort(key=lambda each: each[:2])
    # Of four charges, those with fewest and most sums are together; of three, the one with most
    # is alone.
    halves = (tables[::3], tables[1:3]) if len(tables) != 3 else (tables[:2], tables[2:])
    left, right = ([*_sums([each[2] for each in half])] for half in halves)
    by_value: dict[int, list[tuple[int, ...]]] = {}
    for value, parts in right:
        by_value.setdefault(value, []).append(parts)
    wanted, results = hashed(totals), []
    every = [each for half in halves for each in half]
    for value, parts in left:
        for others in by_value.get(wanted - value, ()):
            options = [table[part] for (_, _, table), part in zip(every, parts + others)]
            for chosen in product(*options):
                by_charge = {n: each for (_, n, _), each in zip(every, chosen)}
                results.append(tuple(by_charge[n] for n in range(len(every))))
    results = [each for each in results if sheet.totals(rows, each) == [*totals]]
    return Fits(sorted(results), len(left) + len(right))


def _sums(options: Sequence[Iterable[int]]) -> list[tuple[int, tuple[int, ...]]]:
    """The sums of one number of each of at most two lists, and these numbers."""
    if not options:
        return [(0, ())]
    if len(options) == 1:
        return [(value, (value,)) for value in options[0]]
    one, other = options
    return [(a + b, (a, b)) for a in one for b in other]


@lru_cache(maxsize=256)
def _weight(n: int) -> int:
    """A large number for each row, so that different columns hardly ever have equal sums."""
    return Random(n).getrandbits(60)
