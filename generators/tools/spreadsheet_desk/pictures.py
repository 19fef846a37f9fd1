"""The sheet that a player has read or edited last, as far as results have shown its cells."""

from collections.abc import Iterable, Mapping
from typing import Any

from palaestra.generators.tools.sightings import UNSEEN, around, shortened, table
from palaestra.generators.tools.spreadsheet_desk.formulas import EMPTY, cell_of, letter
from palaestra.scenes import Cell, Panels
from palaestra.verifiers.calls.reading import Call

ROWS, COLUMNS = 8, 8
"""The size of a sheet of which nothing is known."""

MOST = 18
"""How many rows are drawn at most, besides the first."""

Spot = tuple[int, int]
"""A row and a column, from 1."""


class Seen:
    """The texts of cells by sheet: values, or what is typed where no value has been shown."""

    def __init__(self) -> None:
        self.sheet = ""
        self.texts: dict[str, dict[Spot, str]] = {}
        self.ends: dict[str, Spot] = {}
        """The last row and column of each sheet, as they were listed."""
        self.last: tuple[Spot, ...] = ()

    def cells(self, sheet: str) -> dict[Spot, str]:
        """The known texts of a sheet."""
        return self.texts.setdefault(sheet, {})

    def put(self, sheet: str, texts: Mapping[Spot, str]) -> None:
        """The player has written these texts."""
        self.cells(sheet).update(texts)
        self.look(sheet, texts)

    def look(self, sheet: str, cells: Iterable[Spot]) -> None:
        """The player has read or written cells of a sheet."""
        self.sheet, self.last = sheet, tuple(cells)

    def move(self, sheet: str, row: int, by: int) -> None:
        """Rows from this one on have moved down by one, or up over the one before them."""
        known = self.cells(sheet)
        self.texts[sheet] = {
            (r + by if r >= row else r, c): text
            for (r, c), text in known.items()
            if not (by < 0 and r == row - 1)
        }

    def forget(self, sheet: str, rows: Iterable[int]) -> None:
        """The texts of rows have changed, and no result has shown them."""
        gone = {*rows}
        known = self.cells(sheet)
        self.texts[sheet] = {cell: text for cell, text in known.items() if cell[0] not in gone}


def note(seen: Seen, call: Call, result: str) -> None:
    """Remember what the result of a call shows."""
    arguments = call.arguments
    sheet = str(arguments.get("sheet", ""))
    match call.name:
        case "list_sheets":
            for line in result.splitlines():
                name, _, used = line.rpartition(": ")
                seen.ends[name] = cell_of(used.partition(":")[2])
        case "read_range":
            _note_range(seen, sheet, result)
        case "find_text":
            _note_hits(seen, result)
        case "set_cell":
            text = result.partition(" is now ")[2].removesuffix(".")
            empty = text == "empty" and arguments["content"].strip() != "empty"
            seen.put(sheet, {cell_of(arguments["cell"]): "" if empty else text})
        case "set_row":
            row, column = cell_of(arguments["cell"])
            texts = [_content(text.strip()) for text in arguments["contents"].split("|")]
            seen.put(sheet, {(row, column + n): text for n, text in enumerate(texts)})
        case _:
            _note_rows(seen, call.name, sheet, arguments)


def _content(text: str) -> str:
    """A text of a cell, which is empty for how an empty cell is shown."""
    return "" if text == EMPTY else text


def _note_range(seen: Seen, sheet: str, result: str) -> None:
    """Remember the values or the formulas of a range."""
    head, *lines = (
        line.split(" | ") for line in result.splitlines() if not line.startswith("(the used cells")
    )
    columns = [cell_of(f"{name}1")[1] for name in head[1:]]
    texts = {
        (int(row), column): _content(text)
        for row, *cells in lines
        for column, text in zip(columns, cells, strict=True)
    }
    known = seen.cells(sheet)
    # A value that is known says more in a picture than the formula that gives it.
    values = {cell for cell, text in known.items() if text and not text.startswith("=")}
    known.update(
        (cell, text)
        for cell, text in texts.items()
        if not (text.startswith("=") and cell in values)
    )
    seen.look(sheet, sorted(texts)[:1])


def _note_hits(seen: Seen, result: str) -> None:
    """Remember the cells that a search lists."""
    for line in result.splitlines():
        name, _, text = line.partition(": ")
        sheet, _, cell = name.rpartition("!")
        if sheet:
            seen.put(sheet, {cell_of(cell): text})


def _note_rows(seen: Seen, tool: str, sheet: str, arguments: Mapping[str, Any]) -> None:
    """Remember that formulas or rows have been copied, moved or sorted."""
    match tool:
        case "copy_formula":
            # Nobody has seen yet what the formulas are here, and what they give.
            seen.put(sheet, dict.fromkeys(_cells(arguments["target"]), "="))
        case "copy_row":
            row = int(arguments["to_row"])
            seen.forget(arguments["to_sheet"], [row])
            seen.look(arguments["to_sheet"], [(row, 1)])
        case "insert_row":
            row = int(arguments["row"])
            seen.move(sheet, row, 1)
            columns = sorted({column for _, column in seen.cells(sheet)})
            seen.put(sheet, {(row, column): "" for column in columns})
        case "delete_row":
            row = int(arguments["row"])
            seen.move(sheet, row + 1, -1)
            seen.look(sheet, [(row, 1)])
        case "sort_rows":
            first, last = int(arguments["first_row"]), int(arguments["last_row"])
            seen.forget(sheet, range(first, last + 1))
            seen.look(sheet, [(first, 1)])


def _cells(text: str) -> list[Spot]:
    """The cells of a cell or a range, from any of its corners to the opposite one."""
    first, _, last = text.partition(":")
    (top, left), (bottom, right) = cell_of(first), cell_of(last or first)
    rows = range(min(top, bottom), max(top, bottom) + 1)
    return [
        (row, column) for row in rows for column in range(min(left, right), max(left, right) + 1)
    ]


def picture(seen: Seen) -> Panels:
    """The sheet that was read or edited last, around its cells that were."""
    known = seen.texts.get(seen.sheet, {})
    listed = seen.ends.get(seen.sheet, (ROWS, COLUMNS) if not known else (1, 1))
    last_row = max([listed[0], *(row for row, _ in known)])
    last_column = max([listed[1], *(column for _, column in known)])
    rows = [*around(seen.last[0][0] if seen.last else 1, last_row, MOST)]
    rows = rows if rows[0] == 1 else [1, *rows]
    columns = range(1, last_column + 1)
    cells = [
        [
            Cell(shortened(known[row, column])) if (row, column) in known else UNSEEN
            for column in columns
        ]
        for row in rows
    ]
    marked = [(rows.index(row), column - 1) for row, column in seen.last if row in rows]
    view = table([letter(column) for column in columns], [str(row) for row in rows], cells, marked)
    return Panels((view,), (seen.sheet or "No sheet has been read",))
