"""Formulas for a column of a table, after the language of OpenFormula (2011) and the examples of
FlashFill (S. Gulwani, 2011).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Self

from palaestra.generators.solutions import Feasibility, SearchResult, search_result
from palaestra.generators.tables.write_formula import (
    FORMS,
    Fits,
    Parameters,
    Row,
    Sheet,
    fits,
    random_numbers,
    random_rows,
    random_sheet,
)
from palaestra.scenes import Cell, Table
from palaestra.task import Score, ladder
from palaestra.verifiers.tables.write_formula import FormulaError, Rule, parsed

CHECKS = 96
"""How many other rows a formula is evaluated on."""

MOST_ROWS = 30

LANGUAGE = """\
A formula is built from whole numbers, texts in single quotes, names of columns and these parts:
- x + y, x - y, x * y and -x for numbers; * binds more tightly than + and -, and brackets group;
- x < y, x <= y, x > y, x >= y for two numbers, and x = y, x <> y (unequal) for two numbers or two
texts, which are conditions;
- IF(c, x, y): x if the condition c is true, else y; AND(c, d, ...), OR(c, d, ...), NOT(c);
- MIN(x, y, ...), MAX(x, y, ...); DIV(x, y): x divided by y, rounded down; MOD(x, y): the number
x - y * DIV(x, y);
- LEN(t): the number of characters of a text; MID(t, i, n): the part of t that begins with character
number i, counted from 1, and has n characters; NUMBER(t): the number that a text of digits stands
for;
- WEEKDAY(d), MONTH(d), DAY(d): of a date, as numbers (Monday is 1, Sunday is 7);
- LOOKUP(t, x): the fee of the zone t, or x if the list of fees does not contain it."""

_LABEL = re.compile(r"\A\W{0,8}(?:the )?(?:formula|total)\b[ *]{0,4}[:=][ *]{0,4}", re.IGNORECASE)
_SIGNS: Mapping[int, str] = str.maketrans(
    {"\u2264": "<=", "\u2265": ">=", "\u00d7": "*", "\u00b7": "*", "\u2260": "<>"}
    | dict.fromkeys("\u2018\u2019", "'")
    | dict.fromkeys("\u201c\u201d", '"')
)


class WriteFormula(Feasibility):
    """Infer the numbers in the rule of a column, and write the rule as one formula."""

    tags = {"induction", "program-synthesis", "tables"}
    answer_type = "code"
    hidden = {"checks"}

    class Knobs(Feasibility.Knobs):
        charges: int = ladder(1, 1, 2, 2, 3, 3, 4, low=1, high=4)
        gated: int = ladder(0, 1, 0, 1, 1, 2, 2, low=0, high=2)  # charges
        rows: int = ladder(6, 7, 8, 9, 10, 11, 12, low=4, high=20)  # shown, at least

    sheet: Sheet
    rows: tuple[Row, ...]
    totals: tuple[int, ...]
    checks: tuple[Row, ...]
    """The other rows."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Rows are added until they determine the totals of all other rows."""
        sheet = random_sheet(rng, knobs.charges, knobs.gated)
        numbers = random_numbers(rng, sheet)
        checks = random_rows(rng, sheet, CHECKS)
        rows = random_rows(rng, sheet, MOST_ROWS)
        totals = sheet.totals(rows, numbers)
        shown = knobs.rows
        left = fits(sheet, rows[:shown], totals[:shown]).numbers
        right = sheet.totals(checks, numbers)
        while any(sheet.totals(checks, each) != right for each in left):
            if shown == MOST_ROWS:
                rows = []
                break
            row, total = rows[shown], totals[shown]
            left = [each for each in left if sheet.totals([row], each) == [total]]
            shown += 1
        return cls(
            sheet=sheet,
            rows=tuple(rows[:shown]),
            totals=tuple(totals[:shown]),
            checks=tuple(checks),
        )

    def is_valid(self) -> bool:
        """Whether there are rows."""
        return bool(self.rows)

    def canonical(self) -> str:
        return repr((self.sheet, sorted(zip(self.rows, self.totals))))

    @property
    def names(self) -> dict[tuple[int, int], str]:
        """The names of the numbers to be inferred, by their charge and position."""
        keys = [
            (n, k)
            for n, charge in enumerate(self.sheet.charges)
            for k, _ in enumerate(FORMS[charge.form].ranges)
        ]
        return {key: f"n{number}" for number, key in enumerate(keys, 1)}

    def prompt(self) -> str:
        columns = self.sheet.columns
        table = [" | ".join([*columns, "total"])]
        for row, total in zip(self.rows, self.totals):
            table.append(" | ".join(str(getattr(row, name)) for name in columns) + f" | {total}")
        lines, bounds = [], []
        for n, charge in enumerate(self.sheet.charges):
            form = FORMS[charge.form]
            names = [self.names[n, k] for k in range(len(form.ranges))]
            who = "only for members, or only for others: " if charge.gated else ""
            lines.append(f"- {who}{form.text.format(*names)}.")
            bounds += [f"{name} from {r[0]} to {r[-1]}" for name, r in zip(names, form.ranges)]
        fees = ", ".join(f"{zone} {fee}" for zone, fee in self.sheet.fees)
        task = self.phrase(
            "Write a formula for the last column of this table of orders:",
            "The last column of this table was computed from the others. Write a formula for it:",
        )
        shown = "\n".join(table)
        rule = "\n".join(lines)
        lookup = f"\nThe list of fees of zones: {fees}." if "zone" in columns else ""
        gates = sum(charge.gated for charge in self.sheet.charges)
        only = ""
        if gates:
            it = "these lines apply" if gates > 1 else "one of these lines applies"
            only = (
                f"\nWhere {it} to members or to others only, the table shows to which of the two; "
                "nothing is added for all others."
            )
        return (
            f"{task}\n\n{shown}\n\nThe total is the sum of the following:\n{rule}{only}{lookup}\n"
            f"The whole numbers in it are not known: {', '.join(bounds)}. They follow from the "
            "table, as far as they matter.\n\n"
            f"{self.language()}\n\nThe formula has to be right for the rows of the table and for "
            "all other orders of this sort. Write it on one line, such as "
            f"'{self._example()}'."
        )

    def language(self) -> str:
        """The language, without functions that the table has no columns for."""
        columns = self.sheet.columns
        first, *lines = LANGUAGE.split("\n- ")
        lines = [first, *(f"- {' '.join(line.split())}" for line in lines)]
        words = {"LEN": "code", "WEEKDAY": "date", "LOOKUP": "zone"}
        return "\n".join(
            line
            for line in lines
            if not any(line.startswith(f"- {w}") and c not in columns for w, c in words.items())
        )

    def _example(self) -> str:
        """A formula that is wrong."""
        columns = self.sheet.columns
        if "quantity" in columns:
            return "IF(quantity > 20, 100, 50 + quantity)"
        return "IF(1 < 2, 100 - 7 * 3, 50)"

    def scene(self) -> Table:
        """The table."""
        columns = self.sheet.columns
        rows = tuple(
            (*(Cell(str(getattr(row, name))) for name in columns), Cell(str(total), "t1"))
            for row, total in zip(self.rows, self.totals)
        )
        return Table(rows, (*columns, "total"))

    def read(self, answer: str) -> Rule:
        text = _LABEL.sub("", answer.translate(_SIGNS)).rstrip(" ;\n")
        return parsed(text.replace(";", ","), self.sheet.columns, dict(self.sheet.fees))

    def as_text(self, solution: Any) -> str:
        return str(solution)

    def search(self) -> SearchResult:
        known = _fits(self)
        return SearchResult(self.sheet.formula(known.numbers[0]), known.examined)

    def verify(self, answer: str) -> Score:
        rule = self.read(answer)
        shown = _wrong(rule, self.rows, self.totals)
        others = _wrong(rule, self.checks, _right(self))
        parts = {"progress": 1 - (shown + others) / (len(self.rows) + len(self.checks))}
        if not shown and not others:
            return Score(1, parts=parts)
        if shown:
            return Score(0, f"the formula is wrong in {shown} rows of the table", parts)
        return Score(0, "the formula is right in the table, but not in other rows", parts)

    def violation(self, solution: Any) -> str:
        return self.verify(self.as_text(solution)).reason

    def audit(self, answer: str) -> bool:
        """Evaluate the formula on many more rows."""
        numbers = _fits(self).numbers[0]
        rows = random_rows(Random(1), self.sheet, 600)
        totals = self.sheet.totals(rows, numbers)
        return not _wrong(self.read(answer), rows, totals)

    def difficulty(self) -> float:
        """The sums of charges that the search compared."""
        return float(search_result(self).examined)

    def naive_solutions(self) -> Iterable[str]:
        return ()

    def baseline_solutions(self, rng: Random) -> Mapping[str, str]:
        """Players who take the totals as they stand, who guess the numbers, or who infer all but
        one of them, as from the rows without a corner.
        """
        numbers = _fits(self).numbers[0]
        guesses = random_numbers(rng, self.sheet)
        most = max({*self.totals}, key=self.totals.count)
        charge = rng.randrange(len(numbers))
        near = [*map(list, numbers)]
        position = rng.randrange(len(near[charge]))
        values = self.sheet.charges[charge].ranges[position]
        near[charge][position] += 1 if near[charge][position] < values[-1] else -1
        without = [n for n in range(len(numbers)) if n != charge]
        parts = [self.sheet.charges[n].formula(numbers[n]) for n in without] or ["0"]
        return {
            "commonest total": str(most),
            "mean total": str(round(sum(self.totals) / len(self.totals))),
            "random numbers": self.sheet.formula(guesses),
            "one number off by one": self.sheet.formula([*map(tuple, near)]),
            "one charge left out": " + ".join(parts),
            "rows of the table": self._by_rows(),
        }

    def _by_rows(self) -> str:
        """A formula that knows the rows of the table by their first column."""
        name = self.sheet.columns[0]
        text = str(self.totals[-1])
        for row, total in zip(self.rows, self.totals):
            value = getattr(row, name)
            shown = value if isinstance(value, int) else f"'{value}'"
            text = f"IF({name} = {shown}, {total}, {text})"
        return text


@lru_cache(maxsize=64)
def _fits(task: WriteFormula) -> Fits:
    return fits(task.sheet, task.rows, task.totals)


@lru_cache(maxsize=64)
def _right(task: WriteFormula) -> tuple[int, ...]:
    """The totals of the other rows."""
    numbers: tuple[Parameters, ...] = _fits(task).numbers[0]
    return tuple(task.sheet.totals(task.checks, numbers))


def _wrong(rule: Rule, rows: Sequence[Row], totals: Sequence[int]) -> int:
    """In how many rows a formula has another value, or none."""
    wrong = 0
    for row, total in zip(rows, totals):
        try:
            value = rule(row._asdict())
        except FormulaError:
            value = ""
        wrong += type(value) is not int or value != total
    return wrong
