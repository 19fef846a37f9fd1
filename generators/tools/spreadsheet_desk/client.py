"""A player that edits a workbook by what it reads."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from palaestra.generators.tools.engine import BUSY
from palaestra.generators.tools.spreadsheet_desk.formulas import EMPTY
from palaestra.generators.tools.spreadsheet_desk.requests import Condition, Request

Use = Callable[[str, dict[str, int | str | bool]], str]
"""A function from a tool and its arguments to the result that a player reads."""

ROWS = 40
"""How many rows the documentation lets a call read."""

_REFERENCE = re.compile(r"(?<![A-Z$!])(\$?[A-Z])(\$?)(\d+)", re.ASCII)


class Grid(NamedTuple):
    """A table as it is read: the rows below the header by number, each with its texts by header."""

    letters: dict[str, str]
    header_row: int
    last_letter: str
    rows: dict[int, dict[str, str]]


class Client:
    """Knows the documentation and the requests, and calls tools.

    With ``typed`` it writes the values of formulas in their place, as a player does who does not
    care about formulas.
    """

    def __init__(self, use: Use, typed: bool = False) -> None:
        self.use, self.typed = use, typed
        self.sizes: dict[str, str] = {}

    def fulfil(self, requests: Sequence[Request]) -> None:
        """Carry out the requests one after the other."""
        for request in requests:
            self.sizes = self._sizes()
            if request.action == "total":
                self._total(request)
                continue
            grid = self.read(request.sheet)
            if request.action == "repair":
                self._repair(request, grid)
            elif request.action == "column":
                self._column(request, grid)
            elif request.action == "insert":
                self._insert(request, grid)
            elif request.action == "sort":
                self._sort(request, grid)
            else:
                self._rows(request, grid)

    def call(self, tool: str, **arguments: int | str | bool) -> str:
        """The result of a call, which is repeated while the service is busy."""
        result = BUSY
        while result == BUSY:
            result = self.use(tool, arguments)
        return result

    def _sizes(self) -> dict[str, str]:
        """The last cell of each sheet by name."""
        lines = self.call("list_sheets").splitlines()
        return {line.partition(": ")[0]: line.rpartition(":")[2] for line in lines}

    def _lines(self, sheet: str, formulas: bool = False) -> dict[int, list[str]]:
        """The texts of each row of a sheet, by its number."""
        last = self.sizes[sheet]
        letter, bottom = last[0], int(last[1:])
        rows: dict[int, list[str]] = {}
        for top in range(1, bottom + 1, ROWS):
            area = f"A{top}:{letter}{min(bottom, top + ROWS - 1)}"
            more: dict[str, int | str | bool] = {"formulas": True} if formulas else {}
            lines = self.call("read_range", sheet=sheet, range=area, **more).split("\n")
            for line in lines[1:]:
                number, *texts = line.split(" | ")
                rows[int(number)] = ["" if text == EMPTY else text for text in texts]
        return rows

    def read(self, sheet: str, formulas: bool = False) -> Grid:
        """The table on a sheet; its header is the first row with several texts."""
        lines = self._lines(sheet, formulas)
        top = next(row for row, texts in lines.items() if sum(map(bool, texts)) > 1)
        letters = {text: chr(65 + n) for n, text in enumerate(lines[top]) if text}
        rows = {
            row: {name: texts[ord(letter) - 65] for name, letter in letters.items()}
            for row, texts in lines.items()
            if row > top and any(texts)
        }
        return Grid(letters, top, max(letters.values()), rows)

    def _write(self, sheet: str, cell: str, content: str) -> None:
        """Type a content into a cell, or its value where formulas are of no interest."""
        result = self.call("set_cell", sheet=sheet, cell=cell, content=content)
        if self.typed and content.startswith("="):
            value = result.partition(" is now ")[2].removesuffix(".")
            self.call("set_cell", sheet=sheet, cell=cell, content=value)

    def _repair(self, request: Request, grid: Grid) -> None:
        letter = grid.letters[request.column]
        formulas = self.read(request.sheet, formulas=True).rows
        shapes = {row: _shape(texts[request.column], row) for row, texts in formulas.items()}
        usual = Counter(shapes.values()).most_common(1)[0][0]
        source = next(row for row, shape in shapes.items() if shape == usual)
        for row in [row for row, shape in shapes.items() if shape != usual]:
            self._copy(request.sheet, f"{letter}{source}", f"{letter}{row}")

    def _copy(self, sheet: str, cell: str, target: str) -> None:
        self.call("copy_formula", sheet=sheet, cell=cell, target=target)
        if self.typed:
            area = f"{target}:{target}" if ":" not in target else target
            lines = self.call("read_range", sheet=sheet, range=area).split("\n")
            for line in lines[1:]:
                row, value = line.split(" | ")
                self.call("set_cell", sheet=sheet, cell=f"{target[0]}{row}", content=value)

    def _total(self, request: Request) -> None:
        lines = self.call("find_text", text=request.label).splitlines()
        row = next(
            line.partition(": ")[0].rpartition("A")[2]
            for line in lines
            if line.endswith(f": {request.label}")
        )
        grids = {sheet: self.read(sheet) for sheet in request.sheets}

        def area(sheet: str, column: str) -> str:
            grid = grids[sheet]
            letter = grid.letters[column]
            return f"{sheet}!{letter}{min(grid.rows)}:{letter}{max(grid.rows)}"

        parts = []
        for sheet in request.sheets:
            amounts = area(sheet, request.column)
            for column, _, value in request.conditions:
                keys = f'{area(sheet, column)},"{value}"'
                amounts = f"{keys},{amounts}" if request.function == "SUMIF" else keys
            parts.append(amounts)
        name = request.function
        if request.conditions:
            formula = "+".join(f"{name}({part})" for part in parts)
        else:
            formula = f"{name}({','.join(parts)})"
        self._write("Summary", f"B{row}", f"={formula}")

    def _column(self, request: Request, grid: Grid) -> None:
        letter = chr(ord(grid.last_letter) + 1)
        sheet = request.sheet
        self.call(
            "set_cell", sheet=sheet, cell=f"{letter}{grid.header_row}", content=request.column
        )
        top, bottom = min(grid.rows), max(grid.rows)
        first, second = (
            f"{grid.letters[each]}{top}" if each in grid.letters else each
            for each in request.operands
        )
        if request.function == "IF":
            high, low = request.value.split("/")
            content = f'=IF({first}>={second},"{high}","{low}")'
        else:
            content = f"={first}{request.function}{second}"
        self.call("set_cell", sheet=sheet, cell=f"{letter}{top}", content=content)
        self._copy(sheet, f"{letter}{top}", f"{letter}{top}:{letter}{bottom}")

    def _insert(self, request: Request, grid: Grid) -> None:
        sheet = request.sheet
        above = _row_of(grid, request.key)
        contents = self.read(sheet, formulas=True).rows[above]
        self.call("insert_row", sheet=sheet, row=above + 1)
        values = dict(request.row)
        for name, letter in grid.letters.items():
            if name in values:
                cell = f"{letter}{above + 1}"
                self.call("set_cell", sheet=sheet, cell=cell, content=values[name])
        for name, letter in grid.letters.items():
            if name not in values and contents[name].startswith("="):
                self._copy(sheet, f"{letter}{above}", f"{letter}{above + 1}")

    def _sort(self, request: Request, grid: Grid) -> None:
        more: dict[str, int | str | bool] = {"descending": True} if request.descending else {}
        self.call(
            "sort_rows",
            sheet=request.sheet,
            first_row=min(grid.rows),
            last_row=max(grid.rows),
            column=grid.letters[request.column],
            **more,
        )

    def _rows(self, request: Request, grid: Grid) -> None:
        """Set a value in the rows that meet the conditions, move them or delete them."""
        sheet = request.sheet
        rows = [
            row
            for row, texts in grid.rows.items()
            if all(_fits(each, texts[each.column]) for each in request.conditions)
        ]
        if request.action == "set":
            for row in rows:
                cell = f"{grid.letters[request.column]}{row}"
                self.call("set_cell", sheet=sheet, cell=cell, content=request.value)
            return
        if request.action == "move":
            end = int(self.sizes[request.target][1:])
            for n, row in enumerate(rows, 1):
                self.call("copy_row", sheet=sheet, row=row, to_sheet=request.target, to_row=end + n)
        for row in reversed(rows):
            self.call("delete_row", sheet=sheet, row=row)


def _row_of(grid: Grid, key: str) -> int:
    """The row with a text in it, which is a key; the last row if there is none, as for a player who
    has passed over the request for it.
    """
    rows = (row for row, texts in grid.rows.items() if key in texts.values())
    return next(rows, max(grid.rows))


def _fits(condition: Condition, text: str) -> bool:
    if condition.operator == "is":
        return text == condition.value
    try:
        number = float(text)
    except ValueError:
        return False
    limit = float(condition.value)
    return number >= limit if condition.operator == "at least" else number < limit


def _shape(formula: str, row: int) -> str:
    """A formula with its moving rows relative to its own: equal for copies of it."""

    def relative(match: re.Match[str]) -> str:
        column, fixed, number = match.groups()
        return match[0] if fixed else f"{column}[{int(number) - row}]"

    return _REFERENCE.sub(relative, formula)
