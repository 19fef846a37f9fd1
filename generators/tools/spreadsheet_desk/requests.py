"""Requests to change a workbook, and what a workbook is like when one is fulfilled."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from palaestra.generators.tools.spreadsheet_desk.formulas import (
    Formula,
    Value,
    letter,
    parsed,
    sheet_text,
)
from palaestra.generators.tools.spreadsheet_desk.workbook import (
    Content,
    Workbook,
    content_of,
    shown,
)

Action = Literal["repair", "total", "column", "insert", "set", "move", "delete", "sort"]

Operator = Literal["is", "at least", "less than"]


class Condition(NamedTuple):
    """A condition on the value of a row in a column."""

    column: str
    operator: Operator
    value: str

    def fits(self, value: str) -> bool:
        """Whether a value, as it is shown, meets the condition."""
        if self.operator == "is":
            return value == self.value
        if not value.replace(".", "", 1).replace("-", "", 1).isdecimal():
            return False
        is_less = float(value) < float(self.value)
        return is_less if self.operator == "less than" else not is_less


class Request(NamedTuple):
    """A request; which fields count depends on the action.

    A repair is of a ``column``; a total is a ``function`` of a column, beside a ``label``, over all
    rows of the ``sheets`` or those that meet the condition; a new column has two ``operands`` and
    the ``function`` that joins them; a row with values by column is inserted below that with the
    ``key``; the rows that meet the conditions get a ``value`` in a column, move to the sheet
    ``target``, or are deleted; a sheet is sorted by a column.
    """

    action: Action
    sheet: str
    column: str = ""
    conditions: tuple[Condition, ...] = ()
    value: str = ""
    label: str = ""
    function: str = ""
    sheets: tuple[str, ...] = ()
    target: str = ""
    operands: tuple[str, ...] = ()
    key: str = ""
    row: tuple[tuple[str, str], ...] = ()
    descending: bool = False


class Layout(NamedTuple):
    """Where the tables of a workbook are, which is the same on all sheets with the same columns."""

    columns: tuple[str, ...]
    """The headers; the first one is that of the key."""
    header_row: int
    first_column: int
    tables: tuple[str, ...]
    """The sheets with such a table; the last one is the archive."""
    rates: str
    summary: str


class Table:
    """The table on a sheet of a workbook."""

    def __init__(self, book: Workbook, layout: Layout, sheet: str) -> None:
        self.book, self.layout, self.sheet = book, layout, sheet
        self.columns = {name: layout.first_column + n for n, name in enumerate(layout.columns)}

    @property
    def rows(self) -> range:
        """The numbers of the rows below the header."""
        return range(self.layout.header_row + 1, self.book.last_row(self.sheet) + 1)

    def value(self, row: int, column: str) -> str:
        """The value of a row in a column, as it is shown."""
        return shown(self.raw(row, column))

    def raw(self, row: int, column: str) -> Value:
        """The value of a row in a column."""
        return self.book.values.of(self.sheet, row, self.columns[column])

    def content(self, row: int, column: str) -> Content | None:
        """What is typed into a row in a column."""
        return self.book.cells(self.sheet).get((row, self.columns[column]))

    def matching(self, conditions: tuple[Condition, ...]) -> list[int]:
        """The rows that meet all conditions."""
        return [
            row
            for row in self.rows
            if all(each.fits(self.value(row, each.column)) for each in conditions)
        ]

    def row_of(self, key: str) -> int:
        """The row with a key. Raises :class:`LookupError` if there is none."""
        for row in self.rows:
            if self.value(row, self.layout.columns[0]) == key:
                return row
        raise LookupError(f"no row has the key {key!r}")

    def range(self, column: str) -> str:
        """The cells of a column as a range in a formula on another sheet."""
        name, rows = letter(self.columns[column]), self.rows
        return f"{sheet_text(self.sheet)}!{name}{rows[0]}:{name}{rows[-1]}"


def fulfil(book: Workbook, layout: Layout, request: Request, pattern: Formula | None) -> None:
    """Change a workbook as a request wants; a repair brings its column to the ``pattern``."""
    table = Table(book, layout, request.sheet)
    if request.action == "repair":
        assert pattern
        _repair(table, request.column, pattern)
    elif request.action == "total":
        row = label_row(book, layout, request.label)
        book.put(layout.summary, {(row, 2): parsed(total_formula(book, layout, request), row, 2)})
    elif request.action == "column":
        _add_column(table, request)
    elif request.action == "insert":
        _insert(table, request)
    elif request.action == "set":
        column = table.columns[request.column]
        value = content_of(request.value, 1, 1)
        rows = table.matching(request.conditions)
        book.put(request.sheet, {(row, column): value for row in rows})
    elif request.action == "move":
        _move(table, Table(book, layout, request.target), request)
    elif request.action == "delete":
        for row in reversed(table.matching(request.conditions)):
            book.delete_row(request.sheet, row)
    else:
        column = table.columns[request.column]
        book.sort_rows(request.sheet, table.rows, column, request.descending)


def label_row(book: Workbook, layout: Layout, label: str) -> int:
    """The row of the summary that has a label in its first column."""
    return next(row for (row, _), content in book.cells(layout.summary).items() if content == label)


def total_formula(book: Workbook, layout: Layout, request: Request) -> str:
    """The formula of a total."""
    tables = [Table(book, layout, sheet) for sheet in request.sheets]
    ranges = [table.range(request.column) for table in tables]
    if not request.conditions:
        return f"={request.function}({','.join(ranges)})"
    (condition,) = request.conditions
    parts = []
    for table, amounts in zip(tables, ranges):
        keys = f'{table.range(condition.column)},"{condition.value}"'
        is_count = request.function == "COUNTIF"
        parts.append(f"COUNTIF({keys})" if is_count else f"SUMIF({keys},{amounts})")
    return f"={'+'.join(parts)}"


def column_formula(request: Request, columns: Mapping[str, int], row: int) -> str:
    """The formula of a new column in a row."""
    first, second = (
        f"{letter(columns[each])}{row}" if each in columns else each for each in request.operands
    )
    if request.function == "IF":
        high, low = request.value.split("/")
        return f'=IF({first}>={second},"{high}","{low}")'
    return f"={first}{request.function}{second}"


def _repair(table: Table, column: str, pattern: Formula) -> None:
    rows, number = table.rows, table.columns[column]
    book, sheet = table.book, table.sheet
    cells = book.cells(sheet)
    wrong = [(row, number) for row in rows if cells.get((row, number)) != pattern]
    book.put(sheet, dict.fromkeys(wrong, pattern))


def _add_column(table: Table, request: Request) -> None:
    number = table.book.last_column(table.sheet) + 1
    contents: dict[tuple[int, int], Content | None] = {
        (table.layout.header_row, number): request.column
    }
    first = table.rows[0]
    formula = parsed(column_formula(request, table.columns, first), first, number)
    contents |= {(row, number): formula for row in table.rows}
    table.book.put(table.sheet, contents)


def _insert(table: Table, request: Request) -> None:
    above = table.row_of(request.key)
    book, sheet = table.book, table.sheet
    book.insert_row(sheet, above + 1)
    values = dict(request.row)
    contents: dict[tuple[int, int], Content | None] = {}
    for column in range(table.layout.first_column, book.last_column(sheet) + 1):
        content = book.cells(sheet).get((above, column))
        if isinstance(content, Formula):
            contents[above + 1, column] = content
    for name, text in values.items():
        contents[above + 1, table.columns[name]] = content_of(text, 1, 1)
    book.put(sheet, contents)


def _move(table: Table, target: Table, request: Request) -> None:
    book = table.book
    rows = table.matching(request.conditions)
    end = book.last_row(request.target)
    contents: dict[tuple[int, int], Content | None] = {}
    for offset, row in enumerate(rows, 1):
        for column in table.columns.values():
            contents[end + offset, column] = book.cells(table.sheet).get((row, column))
    book.put(target.sheet, contents)
    for row in reversed(rows):
        book.delete_row(table.sheet, row)
