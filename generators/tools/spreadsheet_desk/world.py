"""The tools of a spreadsheet, and the workbook that they act on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from palaestra.generators.tools.cells import CellTool, typed
from palaestra.generators.tools.engine import Arguments, Changes
from palaestra.generators.tools.sightings import PicturedWorld, Sightings
from palaestra.generators.tools.spreadsheet_desk.formulas import (
    ARGUMENTS,
    EMPTY,
    Formula,
    cell_of,
    letter,
)
from palaestra.generators.tools.spreadsheet_desk.pictures import Seen, note, picture
from palaestra.generators.tools.spreadsheet_desk.workbook import (
    Cell,
    Content,
    Inputs,
    Values,
    Workbook,
    content_of,
    shown,
)
from palaestra.scenes import Panels
from palaestra.task import InvalidAnswer
from palaestra.verifiers.calls.reading import Call

PAGE = 40
"""How many rows a call reads at most."""

FILLED = 100
"""How many cells a call fills with a formula at most."""

MATCHES = 10
"""How many cells a search lists at most."""

NO_TEXT = '""'
"""How the value of a formula that gives an empty text is shown where cells are listed."""

SHEETS = ("sheet", "to_sheet")
"""The parameters that are names of sheets."""

GRAMMAR = (
    "A formula begins with = and has numbers, texts in double quotes, cells such as C7 or $C$7, "
    "ranges such as C7:D9, those of other sheets such as North!C7:C9, + - * /, comparisons with "
    "= <> < <= > >=, which give 1 or 0, brackets, and the functions "
    f"{', '.join(ARGUMENTS)}. They work as in other spreadsheets; a criterion of COUNTIF and SUMIF "
    'is a value or a text such as ">=5", and XLOOKUP(key, keys, values) and VLOOKUP find exact '
    "matches."
)
"""The documentation of formulas."""


class World(PicturedWorld):
    """A workbook that tools change."""

    def __init__(self, start: Workbook, seed: int = 0, busy: int = 0) -> None:
        super().__init__(TOOLS, seed, busy)
        self.start, self.book = start, start.copy()
        self.sightings = Sightings(Seen, note)
        self._changes: Changes = {}
        self._texts: dict[tuple[str, ...], str] = {}
        self._changed = ""

    def result(self, call: Call) -> str:
        """The result of a call, in which numbers may stand for texts and texts for numbers."""
        return super().result(call._replace(arguments=self._typed(call)))

    def picture(self, number: int) -> Panels:
        """The sheet that was read or edited last, as far as it has been seen."""
        return picture(self.sightings.after(number))

    def _typed(self, call: Call) -> Mapping[str, Any]:
        sheets = {
            name: self._sheet(value)
            for name, value in call.arguments.items()
            if name in SHEETS and isinstance(value, str)
        }
        return typed(self.tools.get(call.name), {**call.arguments, **sheets})

    def _sheet(self, name: str) -> str:
        """The sheet of a name in upper or lower case; the same name if there is none."""
        names = (each for each in self.book.sheets if each.casefold() == name.strip().casefold())
        return next(names, name)

    def changes(self) -> Changes:
        """The :func:`fingerprints` of the workbook with its own inputs."""
        touched, self.book.touched = self.book.touched, set()
        if touched is None:
            self._changes = fingerprints(self.start, self.book)
            self._texts = _texts(self._changes)
        elif touched:
            self._update(touched)
        if touched != set():
            self._changed = ", ".join(sorted(self._texts.values()))
        return self._changes

    def _update(self, touched: Iterable[Cell]) -> None:
        """Replace the changes of some cells."""
        changes = {**self._changes}
        for path in map(path_of, touched):
            changes.pop(path, None)
            self._texts.pop(path, None)
        new = fingerprints_of(touched, self.start, self.book)
        self._changes = changes | new
        self._texts |= _texts(new)

    def state(self) -> str:
        """As in every world; the text of the changes is kept until there are others."""
        self.changes()
        return f"changed {self._changed}, seen {sorted(self.seen)}"


def _texts(changes: Changes) -> dict[tuple[str, ...], str]:
    """The text of each change by its path, in the order of the texts."""
    texts = ((f"{sheet}!{cell} {value}", path) for path, value in changes.items()
             for _, sheet, cell in [path])  # fmt: skip
    return {path: text for text, path in sorted(texts)}


def path_of(cell: Cell) -> tuple[str, str, str]:
    """The path of a cell in the changes of a workbook."""
    sheet, row, column = cell
    return "cell", sheet, f"{letter(column)}{row}"


def fingerprints(start: Workbook, book: Workbook, scenarios: Sequence[Inputs] = ()) -> Changes:
    """The contents of all cells that differ from the start, by ``("cell", sheet, cell)``.

    That of a formula is the tuple of its values, with the inputs as they are and with those of each
    scenario, so that it does not matter how it is written.
    """
    return fingerprints_of(_cells_of_both(start, book), start, book, scenarios)


def fingerprints_of(
    cells: Iterable[Cell], start: Workbook, book: Workbook, scenarios: Sequence[Inputs] = ()
) -> Changes:
    """The :func:`fingerprints` of some cells."""
    before, after = _Prints(start, scenarios), _Prints(book, scenarios)
    return {
        path_of(cell): after.of(cell, book.sheets[cell[0]].get(cell[1:]))
        for cell in cells
        if before.differ(after, cell)
    }


def are_alike(one: Workbook, other: Workbook) -> bool:
    """Whether workbooks with the same sheets have no different :func:`fingerprints`."""
    before, after = _Prints(one, ()), _Prints(other, ())
    return not any(before.differ(after, cell) for cell in _cells_of_both(one, other))


def _cells_of_both(one: Workbook, other: Workbook) -> Iterator[Cell]:
    """The cells of the sheets of which one may differ."""
    for name, contents in other.sheets.items():
        old = one.sheets[name]
        if contents is not old:
            yield from ((name, *each) for each in contents)
            yield from ((name, *each) for each in old if each not in contents)


class _Prints:
    """The contents of the cells of a workbook by the values that they have in scenarios."""

    def __init__(self, book: Workbook, scenarios: Sequence[Inputs]) -> None:
        self.book, self.scenarios = book, scenarios

    @cached_property
    def values(self) -> list[Values]:
        """The values with the inputs as they are, and with those of each scenario."""
        others = (Values.with_inputs(self.book.sheets, each) for each in self.scenarios)
        return [self.book.values, *others]

    def of(self, cell: Cell, content: Content | None) -> str | tuple[str, ...]:
        """What a content is in a cell."""
        if isinstance(content, Formula):
            return tuple([shown(each.formula(*cell, content)) for each in self.values])
        return shown(content)

    def differ(self, after: "_Prints", cell: Cell) -> bool:
        """Whether a cell has another content after; only where the values as they are agree, those
        in the scenarios decide.
        """
        sheet, row, column = cell
        one = self.book.sheets[sheet].get((row, column))
        other = after.book.sheets[sheet].get((row, column))
        if one is other or (type(one) is type(other) and one == other):
            return False
        if not (isinstance(one, Formula) and isinstance(other, Formula)):
            return self.of(cell, one) != after.of(cell, other)
        values = shown(self.book.values.formula(*cell, one))
        if values != shown(after.book.values.formula(*cell, other)):
            return True
        return bool(self.scenarios) and self.of(cell, one) != after.of(cell, other)


def _cells(text: str) -> tuple[int, int, int, int]:
    """The rows and the columns of a cell or a range, first and last."""
    first, _, last = text.partition(":")
    (top, left), (bottom, right) = cell_of(first), cell_of(last or first)
    return min(top, bottom), max(top, bottom), min(left, right), max(left, right)


def _row(world: World, sheet: str, row: int) -> int:
    last = world.book.last_row(sheet)
    if not 1 <= row <= last:
        raise InvalidAnswer(f"the rows of {sheet} go from 1 to {last}")
    return row


def _list_sheets(world: World, arguments: Arguments) -> str:
    book = world.book
    return "\n".join(
        f"{name}: A1:{letter(max(1, book.last_column(name)))}{max(1, book.last_row(name))}"
        for name in book.sheets
    )


def _read_range(world: World, arguments: Arguments) -> str:
    sheet, book = arguments["sheet"], world.book
    cells = book.cells(sheet)
    top, bottom, left, right = _cells(arguments["range"])
    if bottom - top >= PAGE:
        raise InvalidAnswer(f"a call reads at most {PAGE} rows")
    view = _typed_text if arguments["formulas"] else _value_text
    last_row, last_column = max(1, book.last_row(sheet)), max(1, book.last_column(sheet))
    columns = range(left, min(right, last_column) + 1)
    lines = [" | ".join(["row", *map(letter, columns)])]
    for row in range(top, min(bottom, last_row) + 1 if columns else top):
        contents = [(column, cells.get((row, column))) for column in columns]
        texts = [
            view(book, (sheet, row, column), each) or NO_TEXT
            if isinstance(each, Formula)
            else shown(each) or EMPTY
            for column, each in contents
        ]
        lines.append(" | ".join([str(row), *texts]))
    if bottom > last_row or right > last_column:
        used = f"A1:{letter(last_column)}{last_row}"
        lines.append(f"(the used cells of {sheet} are {used}; all others are empty)")
    return "\n".join(lines)


def _typed_text(book: Workbook, cell: Cell, formula: Formula) -> str:
    """What is typed into a cell with a formula."""
    return formula.text(*cell[1:])


def _value_text(book: Workbook, cell: Cell, formula: Formula) -> str:
    """The value of a cell with a formula, as it is shown."""
    return shown(book.values.of(*cell))


def _find_text(world: World, arguments: Arguments) -> str:
    wanted = arguments["text"].strip().casefold()
    if not 0 < len(wanted) <= 80:
        raise InvalidAnswer("a text to find has up to 80 characters")
    hits = [
        f"{name}!{letter(column)}{row}: {content}"
        for name, cells in world.book.sheets.items()
        for (row, column), content in sorted(cells.items())
        if isinstance(content, str) and wanted in content.casefold()
    ]
    more = f"\nand {len(hits) - MATCHES} more" if len(hits) > MATCHES else ""
    return "\n".join(hits[:MATCHES]) + more if hits else "No cell has this text."


def _cell(world: World, sheet: str, text: str) -> tuple[int, int]:
    world.book.cells(sheet)
    return cell_of(text)


def _set_cell(world: World, arguments: Arguments) -> str:
    sheet = arguments["sheet"]
    row, column = _cell(world, sheet, arguments["cell"])
    world.book.put(sheet, {(row, column): content_of(arguments["content"], row, column)})
    value = shown(world.book.values.of(sheet, row, column))
    return f"{sheet}!{letter(column)}{row} is now {value or 'empty'}."


def _set_row(world: World, arguments: Arguments) -> str:
    sheet, texts = arguments["sheet"], arguments["contents"].split("|")
    row, column = _cell(world, sheet, arguments["cell"])
    if column + len(texts) - 1 > 26:
        raise InvalidAnswer("the contents would go beyond the column Z")
    contents = {
        (row, column + n): content_of(text, row, column + n) for n, text in enumerate(texts)
    }
    world.book.put(sheet, contents)
    last = letter(column + len(texts) - 1)
    return f"{sheet}!{letter(column)}{row}:{last}{row} is set."


def _copy_formula(world: World, arguments: Arguments) -> str:
    sheet = arguments["sheet"]
    source = _cell(world, sheet, arguments["cell"])
    top, bottom, left, right = _cells(arguments["target"])
    content = world.book.cells(sheet).get(source)
    if not isinstance(content, Formula):
        raise InvalidAnswer("the cell has no formula")
    if (bottom - top + 1) * (right - left + 1) > FILLED:
        raise InvalidAnswer(f"a call fills at most {FILLED} cells")
    world.book.put(
        sheet,
        {
            (row, column): content
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
        },
    )
    return f"The formula is copied to {sheet}!{arguments['target'].upper()}."


def _copy_row(world: World, arguments: Arguments) -> str:
    sheet, target, book = arguments["sheet"], arguments["to_sheet"], world.book
    row, to_row = _row(world, sheet, arguments["row"]), arguments["to_row"]
    last = min(200, book.last_row(target) + 1)
    if not 1 <= to_row <= last:
        raise InvalidAnswer(f"the row to copy to goes from 1 to {last} on {target}")
    width = max(book.last_column(sheet), book.last_column(target))
    cells = book.cells(sheet)
    book.put(target, {(to_row, each): cells.get((row, each)) for each in range(1, width + 1)})
    return f"Row {row} of {sheet} is copied to row {to_row} of {target}."


def _insert_row(world: World, arguments: Arguments) -> str:
    sheet = arguments["sheet"]
    row = _row(world, sheet, arguments["row"])
    world.book.insert_row(sheet, row)
    return f"Row {row} of {sheet} is new and empty."


def _delete_row(world: World, arguments: Arguments) -> str:
    sheet = arguments["sheet"]
    row = _row(world, sheet, arguments["row"])
    world.book.delete_row(sheet, row)
    return f"Row {row} of {sheet} is deleted."


def _sort_rows(world: World, arguments: Arguments) -> str:
    sheet = arguments["sheet"]
    first, last = (_row(world, sheet, arguments[each]) for each in ("first_row", "last_row"))
    if first > last:
        raise InvalidAnswer("the first row comes after the last one")
    _, column = cell_of(f"{arguments['column']}1")
    rows = range(first, last + 1)
    world.book.sort_rows(sheet, rows, column, descending=arguments["descending"])
    return f"Rows {first} to {last} of {sheet} are sorted by column {letter(column)}."


TOOLS = (
    CellTool(
        "list_sheets", "List the sheets, each with the range of its used cells.", {}, _list_sheets
    ),
    CellTool(
        "read_range",
        f"Show the cells of a range such as A1:D9, of up to {PAGE} rows: their values, or what is "
        "typed into them with formulas=true. Rows and columns after the last used ones are left "
        f"out; an empty cell before them is shown as {EMPTY}.",
        {"sheet": str, "range": str, "formulas": bool},
        _read_range,
        {"formulas": False},
    ),
    CellTool(
        "find_text",
        f"List cells whose content has a text in it, up to {MATCHES}. Upper and lower case are "
        "equal; results of formulas are not searched.",
        {"text": str},
        _find_text,
    ),
    CellTool(
        "set_cell",
        f"Type a number, a text or a formula into a cell. An empty text or {EMPTY} empties it.",
        {"sheet": str, "cell": str, "content": str},
        _set_cell,
    ),
    CellTool(
        "set_row",
        "Type contents, separated by |, into a cell and those to its right.",
        {"sheet": str, "cell": str, "contents": str},
        _set_row,
    ),
    CellTool(
        "copy_formula",
        "Copy the formula of a cell to a cell or a range of the same sheet. References without $ "
        "move along.",
        {"sheet": str, "cell": str, "target": str},
        _copy_formula,
    ),
    CellTool(
        "copy_row",
        "Copy a row over another one, on the same sheet or another. References without $ and "
        "without a sheet move along, and are then to the other sheet.",
        {"sheet": str, "row": int, "to_sheet": str, "to_row": int},
        _copy_row,
    ),
    CellTool(
        "insert_row",
        "Insert an empty row before this row. References move along, and ranges around it grow.",
        {"sheet": str, "row": int},
        _insert_row,
    ),
    CellTool(
        "delete_row",
        "Delete a row; the rows below move up. References move along.",
        {"sheet": str, "row": int},
        _delete_row,
    ),
    CellTool(
        "sort_rows",
        "Sort rows by a column such as D; rows with equal values keep their order. Formulas stay "
        "with their rows, as if they were copied.",
        {"sheet": str, "first_row": int, "last_row": int, "column": str, "descending": bool},
        _sort_rows,
        {"descending": False},
    ),
)
"""The tools, which are the same for all workbooks."""
