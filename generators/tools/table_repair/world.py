"""The tools that profile and repair a table."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from palaestra.generators.tools.cells import CellTool, typed
from palaestra.generators.tools.engine import Arguments, Changes, Tool
from palaestra.generators.tools.sightings import PicturedWorld, Sightings
from palaestra.generators.tools.table_repair.pictures import Seen, note, picture
from palaestra.generators.tools.table_repair.schema import (
    WEEKDAYS,
    Reference,
    Schema,
    cents,
)
from palaestra.scenes import Panels
from palaestra.task import InvalidAnswer
from palaestra.verifiers.calls.reading import Call

PAGE = 20
"""How many rows or values a page has."""

LONGEST = 60
"""How many characters a cell may have."""


EMPTY = "(empty)"
"""How an empty cell is shown in rows."""


class World(PicturedWorld):
    """A table that tools change. A row keeps its number, also where others are removed."""

    def __init__(
        self,
        schema: Schema,
        reference: Reference,
        rows: Sequence[Sequence[str]],
        seed: int = 0,
        busy: int = 0,
    ) -> None:
        super().__init__(tools(schema), seed, busy)
        self.schema, self.reference, self.rows = schema, reference, rows
        self.sightings = Sightings(Seen, note)
        self.cells: dict[tuple[int, int], str] = {}
        self.removed: dict[int, int] = {}
        self.marked: dict[int, bool] = {}

    def result(self, call: Call) -> str:
        """The result of a call, in which a number may stand for a text."""
        arguments = typed(self.tools.get(call.name), call.arguments)
        return super().result(call._replace(arguments=arguments))

    def picture(self, number: int) -> Panels:
        """The rows around the last one, as far as they have been seen."""
        # The prompt names the columns, but not in the order of the table.
        columns = sorted(header for _, header in self.schema.columns)
        return picture(self.sightings.after(number), columns)

    def cell(self, row: int, column: int) -> str:
        """The text in the row with a number, and in a column, which count from 0."""
        return self.cells.get((row, column), self.rows[row - 1][column])

    def numbers(self) -> list[int]:
        """The numbers of the rows that are there."""
        return [n for n in range(1, len(self.rows) + 1) if n not in self.removed]

    def column(self, name: str) -> int:
        """The column with a header. Raises :class:`InvalidAnswer` if there is none."""
        headers = [header for _, header in self.schema.columns]
        wanted = name.strip().casefold()
        if wanted not in headers:
            raise InvalidAnswer(f"there is no column {name[:40]!r}; there are {', '.join(headers)}")
        return headers.index(wanted)

    def row(self, number: int) -> int:
        """The number of a row. Raises :class:`InvalidAnswer` if there is none."""
        if not 1 <= number <= len(self.rows):
            raise InvalidAnswer(f"there is no row {number}; rows go from 1 to {len(self.rows)}")
        if number in self.removed:
            raise InvalidAnswer(f"row {number} has been merged into row {self.removed[number]}")
        return number

    def changes(self) -> Changes:
        """The cells that differ from the start, by ``("cell", row, role)``, rows that are merged
        into others, by ``("removed", row)``, and those that are marked, by ``("marked", row)``.
        """
        roles = self.schema.roles
        values: Changes = {
            ("cell", str(row), roles[column]): text
            for (row, column), text in self.cells.items()
            if row not in self.removed and text != self.rows[row - 1][column]
        }
        values |= {("removed", str(row)): into for row, into in self.removed.items()}
        return values | {("marked", str(row)): True for row in self.marked}


# ------------------------------------------------------------------ formats


def formatted(role: str, text: str, schema: Schema) -> str:
    """A text in the format of a column. Raises :class:`InvalidAnswer` where it is in another one.

    Amounts may lack digits after the point.
    """
    text = " ".join(text.split())
    if not text or len(text) > LONGEST or not text.isprintable() or "|" in text:
        raise InvalidAnswer(f"a cell has 1 to {LONGEST} printable characters and no '|'")
    check = _FORMATS.get(role)
    return check(text, schema) if check else text


def _as_date(text: str, schema: Schema) -> str:
    try:
        if len(text) == 10:
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise InvalidAnswer("a date is in the format YYYY-MM-DD")


def _as_amount(text: str, schema: Schema) -> str:
    whole, _, rest = text.partition(".")
    digits = (whole + rest).isascii() and whole.isdecimal() and (not rest or rest.isdecimal())
    if not digits or len(whole) > 9 or len(rest) > 2:
        raise InvalidAnswer("an amount is in the format 1234.50")
    return cents(int(whole) * 100 + int(rest.ljust(2, "0")))


def _as_count(text: str, schema: Schema) -> str:
    whole = text.removesuffix(".0")
    if not (whole.isascii() and whole.isdecimal()) or len(whole) > 9:
        raise InvalidAnswer("the value is a whole number in digits")
    return str(int(whole))


def _as_state(text: str, schema: Schema) -> str:
    if text.casefold() not in schema.words.states:
        raise InvalidAnswer(f"the value is one of {', '.join(schema.words.states)}")
    return text.casefold()


def _as_weekday(text: str, schema: Schema) -> str:
    if text.title()[:3] not in WEEKDAYS or len(text) > 9:
        raise InvalidAnswer(f"a weekday is one of {', '.join(WEEKDAYS)}")
    return text.title()[:3]


_FORMATS: dict[str, Callable[[str, Schema], str]] = {
    "date": _as_date,
    "due": _as_date,
    "weekday": _as_weekday,
    "state": _as_state,
    "quantity": _as_count,
    "rate": _as_count,
    **dict.fromkeys(("price", "net", "tax", "gross"), _as_amount),
}


# ------------------------------------------------------------------ tools


def _page(lines: Sequence[str], page: int) -> str:
    pages = max(1, -(-len(lines) // PAGE))
    if not 1 <= page <= pages:
        raise InvalidAnswer(f"pages go from 1 to {pages}")
    shown = "\n".join(lines[(page - 1) * PAGE : page * PAGE]) or "none"
    return f"{shown}\n(page {page} of {pages})"


def _describe(world: World, arguments: Arguments) -> str:
    headers = ", ".join(header for _, header in world.schema.columns)
    return f"{len(world.numbers())} rows, numbered from 1 to {len(world.rows)}. Columns: {headers}"


def _check_range(first: int, last: int, rows: int) -> None:
    """Raise :class:`InvalidAnswer` for rows that cannot be read in a call, with what is valid."""
    for name, number in (("first", first), ("last", last)):
        if not 1 <= number <= rows:
            raise InvalidAnswer(f"{name} is {number}, and rows go from 1 to {rows}")
    if first > last:
        raise InvalidAnswer(f"first is {first} and comes after last, which is {last}")
    if last - first >= PAGE:
        valid = f"from {first} on, last is at most {first + PAGE - 1}"
        raise InvalidAnswer(f"a call reads at most {PAGE} rows: {valid}")


def _read_rows(world: World, arguments: Arguments) -> str:
    first, last = arguments["first"], arguments["last"]
    _check_range(first, last, len(world.rows))
    names = [each for each in arguments["columns"].split(",") if each.strip()]
    columns = [world.column(name) for name in names[:40]] or range(len(world.schema.columns))
    lines = [" | ".join(["row", *(world.schema.columns[n][1] for n in columns)])]
    lines += [
        " | ".join([str(row), *(world.cell(row, n) or EMPTY for n in columns)])
        for row in range(first, last + 1)
        if row not in world.removed
    ]
    return "\n".join(lines)


def _count_values(world: World, arguments: Arguments) -> str:
    return _counted(world, arguments, lambda text: text)


def _count_shapes(world: World, arguments: Arguments) -> str:
    return _counted(world, arguments, shape)


def _counted(world: World, arguments: Arguments, view: Callable[[str], str]) -> str:
    column = world.column(arguments["column"])
    counts = Counter(view(world.cell(row, column)) for row in world.numbers())
    order = sorted(counts, key=lambda text: (-counts[text], text))
    return _page([f"{counts[text]} x {text!r}" for text in order], arguments["page"])


def shape(text: str) -> str:
    """A text with 9 for each digit and a or A for each letter.

    >>> shape("INV-0012 €")
    'AAA-9999 €'
    """
    return "".join(
        "9" if sign.isdecimal() else ("A" if sign.isupper() else "a") if sign.isalpha() else sign
        for sign in text
    )


TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "is": lambda text, value: text == value,
    "is not": lambda text, value: text != value,
    "contains": lambda text, value: value.casefold() in text.casefold(),
    "has shape": lambda text, value: shape(text) == value,
    "is below": lambda text, value: text < value,
    "is above": lambda text, value: text > value,
}
"""The conditions on a text of a cell."""


def _find_rows(world: World, arguments: Arguments) -> str:
    column, value = world.column(arguments["column"]), arguments["value"]
    test = TESTS.get(arguments["condition"])
    if test is None:
        raise InvalidAnswer(f"a condition is one of {', '.join(TESTS)}")
    if len(value) > LONGEST:
        raise InvalidAnswer(f"a value has at most {LONGEST} characters")
    texts = ((row, world.cell(row, column)) for row in world.numbers())
    lines = [f"row {row}: {text}" for row, text in texts if test(text, value)]
    return _page(lines, arguments["page"])


def _read_reference(world: World, arguments: Arguments) -> str:
    theme = world.schema.words
    if arguments["table"] == theme.parties:
        lines = [" | ".join(map(str, each)) for each in world.reference.parties]
    elif arguments["table"] == theme.items:
        lines = [f"{code} | {cents(price)} | {rate}" for code, price, rate in world.reference.items]
    else:
        raise InvalidAnswer(f"the reference tables are {theme.parties} and {theme.items}")
    return _page(lines, arguments["page"])


def _set_cell(world: World, arguments: Arguments) -> str:
    row, column = world.row(arguments["row"]), world.column(arguments["column"])
    role, header = world.schema.columns[column]
    text = formatted(role, arguments["value"], world.schema)
    world.cells[row, column] = text
    return f"{header} of row {row} is now {text!r}."


def _merge_rows(world: World, arguments: Arguments) -> str:
    keep, other = world.row(arguments["keep"]), world.row(arguments["remove"])
    if keep == other:
        raise InvalidAnswer("these are the same row")
    filled = [n for n in range(len(world.schema.columns)) if not world.cell(keep, n)]
    world.cells |= {(keep, n): world.cell(other, n) for n in filled if world.cell(other, n)}
    world.removed[other] = keep
    world.marked.pop(other, None)
    return f"Row {other} is merged into row {keep}."


def _mark_row(world: World, arguments: Arguments) -> str:
    row = world.row(arguments["row"])
    if arguments["undo"]:
        world.marked.pop(row, None)
        return f"Row {row} is not marked."
    world.marked[row] = True
    return f"Row {row} is marked as irreparable."


def tools(schema: Schema) -> tuple[Tool, ...]:
    """The tools, in alphabetical order."""
    theme = schema.words
    has_items = "item" in schema.headers
    about = f"'{theme.parties}' has lines of code, name, city and terms in days"
    about += f"; '{theme.items}' has lines of code, price and rate" if has_items else ""
    page = {"page": 1}
    return (
        CellTool(
            "count_shapes",
            f"Count the shapes of the texts in a column, {PAGE} on a page, the most common first: "
            "9 stands for a digit, a and A for letters.",
            {"column": str, "page": int},
            _count_shapes,
            page,
        ),
        CellTool(
            "count_values",
            f"Count the texts in a column, {PAGE} on a page, the most common first.",
            {"column": str, "page": int},
            _count_values,
            page,
        ),
        CellTool("describe_table", "Give the number of rows and the columns.", {}, _describe),
        CellTool(
            "find_rows",
            f"List the rows whose text in a column meets a condition, {PAGE} on a page. Conditions "
            f"are {', '.join(TESTS)}; texts are compared as texts.",
            {"column": str, "condition": str, "value": str, "page": int},
            _find_rows,
            page,
        ),
        CellTool(
            "mark_row",
            "Mark a row as irreparable, or take the mark back with undo=true.",
            {"row": int, "undo": bool},
            _mark_row,
            {"undo": False},
        ),
        CellTool(
            "merge_rows",
            "Fill the empty cells of a row from another row, and remove the other one. All other "
            "rows keep their numbers. This cannot be undone.",
            {"keep": int, "remove": int},
            _merge_rows,
        ),
        CellTool(
            "read_reference",
            f"Show a reference table, {PAGE} lines on a page: {about}.",
            {"table": str, "page": int},
            _read_reference,
            page,
        ),
        CellTool(
            "read_rows",
            f"Show up to {PAGE} rows from the first to the last number, with all columns or some, "
            f"separated by commas. An empty cell is shown as {EMPTY}.",
            {"first": int, "last": int, "columns": str},
            _read_rows,
            {"columns": ""},
        ),
        CellTool(
            "set_cell",
            "Write a value into a cell. It has to be in the format of its column.",
            {"row": int, "column": str, "value": str},
            _set_cell,
        ),
    )
