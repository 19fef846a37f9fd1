"""Workbooks: sheets of cells that share what no edit has changed, and their values."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import ne
from typing import NamedTuple

from palaestra.generators.tools.cells import number_text
from palaestra.generators.tools.spreadsheet_desk.formulas import (
    EMPTY,
    LONGEST,
    ROWS,
    Error,
    Formula,
    FormulaError,
    Lost,
    Node,
    Range,
    Reference,
    Value,
    as_number,
    parsed,
    shifted,
)
from palaestra.task import InvalidAnswer

LARGEST = 30_000
"""How many cells all formulas of a workbook may name together."""

Content = float | str | Formula
"""What is typed into a cell: a number, a text or a formula."""

Cells = Mapping[tuple[int, int], Content]
"""The contents of a sheet by row and column; cells that are not there are empty."""

Cell = tuple[str, int, int]
"""A sheet, a row and a column."""

Inputs = Mapping[str, Cells]
"""Contents by sheet that stand in the place of others."""


class Sheet(NamedTuple):
    """A sheet as a task keeps it."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    """The rows from the first on, each with a text for every cell. A copy of the formula with a
    number is ``=`` and that number.
    """
    formulas: tuple[tuple[str, int, int], ...] = ()
    """Formulas, each with the row and the column of the cell in which it has this text."""


def content_of(text: str, row: int, column: int) -> Content | None:
    """What a text puts into a cell; None for an empty one, or for how an empty cell is shown.

    Raises :class:`InvalidAnswer` for a formula that cannot be read and for what no cell may have.
    """
    text = text.strip()
    if len(text) > LONGEST or "|" in text or not text.isprintable():
        raise InvalidAnswer(f"a cell has up to {LONGEST} printable characters and no '|'")
    if not text or text == EMPTY:
        return None
    if text.startswith("="):
        return parsed(text, row, column)
    number = as_number(text)
    return text if number is None else number


def shown(value: Value) -> str:
    """A value as a player reads it."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    return value.name if isinstance(value, Error) else number_text(float(value))


class Workbook:
    """Sheets by name. An edit replaces the cells of a sheet and leaves the others as they are."""

    def __init__(self, sheets: Mapping[str, Cells]) -> None:
        self.sheets = dict(sheets)
        self.values = Values(self.sheets, Readers())
        self.touched: set[Cell] | None = set()
        """The cells whose content or value has changed since somebody emptied this; None where
        rows have moved, so that all may have.
        """
        self._ends: dict[str, tuple[int, int]] = {}
        self._sizes: dict[str, int] = {}

    @classmethod
    def of(cls, sheets: Sequence[Sheet]) -> "Workbook":
        """The workbook that a task keeps."""
        return cls({sheet.name: _cells_of(sheet) for sheet in sheets})

    def copy(self) -> "Workbook":
        """A workbook with the same contents, which knows the values that are known here."""
        book = Workbook(self.sheets)
        book.values = self.values.copy()
        book._ends, book._sizes = {**self._ends}, {**self._sizes}
        return book

    def cells(self, sheet: str) -> Cells:
        """The cells of a sheet. Raises :class:`InvalidAnswer` if there is none."""
        return self.sheets[sheet if sheet in self.sheets else self.sheet_name(sheet)]

    def last_row(self, sheet: str) -> int:
        """The last row with a cell that is not empty, or 0."""
        return self._end(sheet)[0]

    def last_column(self, sheet: str) -> int:
        """The last column with a cell that is not empty, or 0."""
        return self._end(sheet)[1]

    def _end(self, sheet: str) -> tuple[int, int]:
        if sheet not in self._ends:
            cells = self.cells(sheet)
            last_row = max((row for row, _ in cells), default=0)
            self._ends[sheet] = last_row, max((column for _, column in cells), default=0)
        return self._ends[sheet]

    def put(self, sheet: str, contents: Mapping[tuple[int, int], Content | None]) -> None:
        """Replace the contents of some cells. Raises :class:`InvalidAnswer` where they are too
        many, or name a sheet that does not exist.
        """
        cells = {**self.cells(sheet)}
        sheet = self.sheet_name(sheet)
        size, ends_change = self._size(sheet), False
        for cell, content in contents.items():
            old = cells.pop(cell, None)
            ends_change |= (old is None) is not (content is None)
            size -= old.size if type(old) is Formula else 0
            if content is not None:
                known = cells[cell] = self._known(content, *cell)
                size += known.size if type(known) is Formula else 0
        self._check_size(self._size_of_all() - self._size(sheet) + size)
        self.sheets, self._sizes[sheet] = {**self.sheets, sheet: cells}, size
        if ends_change:
            self._ends.pop(sheet, None)
        changed = self.values.edited(self.sheets, [(sheet, *cell) for cell in contents])
        if self.touched is not None:
            self.touched |= changed

    def sheet_name(self, name: str) -> str:
        """The name of a sheet, for which upper and lower case are equal. Raises
        :class:`InvalidAnswer` if there is none.
        """
        if name in self.sheets:
            return name
        for each in self.sheets:
            if each.casefold() == name.strip().casefold():
                return each
        raise InvalidAnswer(f"there is no sheet {name[:40]!r}; there are {', '.join(self.sheets)}")

    def _known(self, content: Content, row: int, column: int) -> Content:
        """The content. Raises :class:`InvalidAnswer` if it names a sheet or a cell that does not
        exist.
        """
        if not isinstance(content, Formula):
            return content
        names = {sheet: self.sheet_name(sheet) for sheet in content.sheets}
        if not content.fits(row, column):
            raise InvalidAnswer("a reference of the formula would leave the sheet")
        return content.renamed(names) if any(map(ne, names, names.values())) else content

    def _size(self, sheet: str) -> int:
        """How many cells the formulas of a sheet name together."""
        if sheet not in self._sizes:
            contents = self.sheets[sheet].values()
            self._sizes[sheet] = sum([each.size for each in contents if type(each) is Formula])
        return self._sizes[sheet]

    def _size_of_all(self) -> int:
        return sum(map(self._size, self.sheets))

    def _check_size(self, size: int) -> None:
        if size > LARGEST:
            raise InvalidAnswer("the formulas of the workbook would name too many cells")

    def _replace(self, sheets: Mapping[str, Cells]) -> None:
        """Replace whole sheets in which rows have moved."""
        before, sizes = self.sheets, self._sizes
        self.sheets = {**before, **sheets}
        self._sizes = {name: size for name, size in sizes.items() if name not in sheets}
        try:
            self._check_size(self._size_of_all())
        except InvalidAnswer:
            self.sheets, self._sizes = before, sizes
            raise
        self.values = Values(self.sheets, Readers())
        self.touched = None
        self._ends = {name: end for name, end in self._ends.items() if name not in sheets}

    def insert_row(self, sheet: str, row: int) -> None:
        """Insert an empty row; those from there on move down, and references with them."""
        if self.last_row(sheet) >= ROWS:
            raise InvalidAnswer("the sheet is full")
        self._shift(sheet, row, 1)

    def delete_row(self, sheet: str, row: int) -> None:
        """Delete a row; those below move up, and references with them."""
        cells = {cell: each for cell, each in self.cells(sheet).items() if cell[0] != row}
        self.sheets = self.sheets | {sheet: cells}
        self._ends.pop(sheet, None)
        self._shift(sheet, row, -1)

    def _shift(self, sheet: str, row: int, by: int) -> None:
        """Move the rows of a sheet from one on, and references to them in all sheets."""
        after: dict[str, Cells] = {}
        for name, cells in self.sheets.items():
            is_own = name == sheet
            changed: dict[tuple[int, int], Content] = {}
            for (number, column), content in cells.items():
                new = number + by if is_own and number >= row else number
                if type(content) is Formula and (
                    sheet in content.sheets or (is_own and not content.is_local)
                ):
                    move = partial(_after_shift, home=name, sheet=sheet, row=row, by=by)
                    changed[new, column] = shifted(content, move, (number, column), new)
                elif is_own:
                    changed[new, column] = content
            if is_own:
                after[name] = changed
            elif changed:
                after[name] = {**cells, **changed}
        self._replace(after)

    def sort_rows(
        self, sheet: str, rows: Sequence[int], column: int, descending: bool = False
    ) -> None:
        """Sort rows by their values in a column: numbers, then texts, then empty cells. Formulas
        go with their rows, as if they were copied. Equal rows keep their order.
        """
        values = {row: self.values.of(sheet, row, column) for row in rows}
        filled = [row for row in rows if values[row] is not None]
        empty = [row for row in rows if values[row] is None]
        order = sorted(filled, key=lambda row: _rank(values[row]), reverse=descending)
        if descending:
            order = _stable(order, values)
        cells = self.cells(sheet)
        contents: dict[tuple[int, int], Content | None] = {}
        width = self.last_column(sheet)
        for target, source in zip(rows, [*order, *empty]):
            for each in range(1, width + 1):
                contents[target, each] = cells.get((source, each))
        self.put(sheet, contents)


def _rank(value: Value) -> tuple[int, float, str]:
    if isinstance(value, float):
        return 0, value, ""
    return 1, 0.0, shown(value).casefold()


def _stable(order: Sequence[int], values: Mapping[int, Value]) -> list[int]:
    """Rows in their order, where rows with equal values are in ascending order."""
    groups: list[list[int]] = []
    for row in order:
        if groups and _rank(values[groups[-1][0]]) == _rank(values[row]):
            groups[-1].append(row)
        else:
            groups.append([row])
    return [row for group in groups for row in sorted(group)]


def _cells_of(sheet: Sheet) -> Cells:
    formulas = [parsed(*each) for each in sheet.formulas]
    cells: dict[tuple[int, int], Content] = {}
    for row, texts in enumerate(sheet.rows, 1):
        for column, text in enumerate(texts, 1):
            if text.startswith("="):
                cells[row, column] = formulas[int(text[1:])]
            elif text:
                number = as_number(text)
                cells[row, column] = text if number is None else number
    return cells


def _after_shift(each: Reference | Range, home: str, sheet: str, row: int, by: int) -> Node:
    """What becomes of a reference where rows of a sheet move."""
    if isinstance(each, Reference):
        if (each.sheet or home) != sheet or each.row < row:
            return each
        return Lost() if by < 0 and each.row == row else _in_sheet(each, by)
    first, last = each
    if (first.sheet or home) != sheet:
        return each
    start = first.row + (by if first.row > row or (by > 0 and first.row == row) else 0)
    end = last.row + (by if last.row >= row else 0)
    if end < start:
        return Lost()
    return Range(first._replace(row=start), last._replace(row=min(ROWS, end)))


def _in_sheet(cell: Reference, by: int) -> Node:
    return cell._replace(row=cell.row + by) if cell.row + by <= ROWS else Lost()


class _TooDeep(Exception):
    """Ends an evaluation that needs too many cells one after the other; its argument is one."""


class Readers:
    """Which formulas name which cells, so that it is known what an edit changes."""

    def __init__(self) -> None:
        self._of_cell: dict[Cell, set[Cell]] = {}
        self._of_area: dict[tuple[str, int, int, int, int], set[Cell]] = {}
        self._new: list[tuple[Cell, Formula]] = []
        """Those that have been added and that nobody has wanted to know of yet."""

    def copy(self) -> "Readers":
        """The same readers, to be added to."""
        other = Readers()
        other._of_cell = {cell: {*each} for cell, each in self._of_cell.items()}
        other._of_area = {area: {*each} for area, each in self._of_area.items()}
        other._new = [*self._new]
        return other

    def add(self, cell: Cell, formula: Formula) -> None:
        """Note that a cell has a formula."""
        self._new.append((cell, formula))

    def _look(self, cell: Cell, formula: Formula) -> None:
        """Note what the formula in a cell names."""
        home, row, column = cell
        for each in formula.references:
            first, last = each if isinstance(each, Range) else (each, each)
            sheet, one, left, *_ = first.at(row, column)
            if first is last:
                self._of_cell.setdefault((sheet or home, one, left), set()).add(cell)
                continue
            _, other, right, *_ = last.at(row, column)
            area = (sheet or home, min(one, other), max(one, other), min(left, right),
                    max(left, right))  # fmt: skip
            self._of_area.setdefault(area, set()).add(cell)

    def of(self, cell: Cell) -> Iterator[Cell]:
        """The cells whose formulas name a cell."""
        for each in self._new:
            self._look(*each)
        self._new = []
        yield from self._of_cell.get(cell, ())
        sheet, row, column = cell
        for (name, top, bottom, left, right), readers in self._of_area.items():
            if name == sheet and top <= row <= bottom and left <= column <= right:
                yield from readers


class Values:
    """The values of the cells of sheets, worked out where they are wanted, and again where an edit
    changes them if there are ``readers``.
    """

    def __init__(self, sheets: Mapping[str, Cells], readers: Readers | None = None) -> None:
        self.sheets, self.readers = sheets, readers
        self.known: dict[Cell, Value] = {}
        self.lookups: dict[str, Callable[[str, int, int], Value]] = {}
        self.depth = 0

    @classmethod
    def with_inputs(cls, sheets: Mapping[str, Cells], inputs: Inputs) -> "Values":
        """The values with contents that stand in the place of others."""
        return cls({name: {**cells, **inputs.get(name, {})} for name, cells in sheets.items()})

    def copy(self) -> "Values":
        """The same values, of which those of edited cells may change."""
        other = Values(self.sheets, self.readers.copy() if self.readers else None)
        other.known = {**self.known}
        return other

    def edited(self, sheets: Mapping[str, Cells], cells: Iterable[Cell]) -> set[Cell]:
        """Forget the values that depend on edited cells, and return those cells and the formulas
        that depend on them.
        """
        assert self.readers is not None
        self.sheets, self.lookups = sheets, {}
        changed = {*cells}
        waiting = [*changed]
        for cell in waiting:
            self.known.pop(cell, None)
        while waiting:
            for reader in self.readers.of(waiting.pop()):
                if reader in self.known:
                    del self.known[reader]
                    changed.add(reader)
                    waiting.append(reader)
        return changed

    def of(self, sheet: str, row: int, column: int) -> Value:
        """The value of a cell; ``#CYCLE!`` where it depends on itself."""
        content = self.sheets[sheet].get((row, column))
        if type(content) is not Formula:
            return content
        cell = (sheet, row, column)
        return self.known[cell] if cell in self.known else self.formula(*cell, content)

    def formula(self, sheet: str, row: int, column: int, formula: Formula) -> Value:
        """The value that a formula has in a cell, whatever the cell has.

        Cells that are needed one after the other, too many for a recursion, are worked out first.
        """
        goal = (sheet, row, column)
        is_there = self.sheets[sheet].get((row, column)) is formula
        waiting: list[Cell] = []
        while True:
            try:
                if not waiting:
                    return self._cell(goal) if is_there else self._evaluated(goal, formula)
                self._cell(waiting[-1])
                waiting.pop()
            except _TooDeep as error:
                cell: Cell = error.args[0]
                self._forget()
                if cell in waiting:
                    self._know(cell, CYCLE)
                else:
                    waiting.append(cell)

    def _forget(self) -> None:
        """Drop what an evaluation that has ended early left behind."""
        self.depth = 0
        self.known = {cell: value for cell, value in self.known.items() if value is not OPEN}

    def _cell(self, cell: Cell) -> Value:
        """The value of a cell with a formula, by recursion."""
        if cell in self.known:
            value = self.known[cell]
            return CYCLE if value is OPEN else value
        if self.depth >= DEEPEST:
            raise _TooDeep(cell)
        content = self.sheets[cell[0]][cell[1], cell[2]]
        assert isinstance(content, Formula)
        self.known[cell] = OPEN
        return self._know(cell, self._evaluated(cell, content))

    def _know(self, cell: Cell, value: Value) -> Value:
        """Keep the value of a cell with a formula until an edit changes what the formula names."""
        if self.readers is not None:
            content = self.sheets[cell[0]][cell[1], cell[2]]
            assert isinstance(content, Formula)
            self.readers.add(cell, content)
        self.known[cell] = value
        return value

    def _evaluated(self, cell: Cell, formula: Formula) -> Value:
        home, row, column = cell
        self.depth += 1
        try:
            value: Value = formula.program(self._lookup(home), row, column)
        except FormulaError as error:
            value = error.args[0]
        self.depth -= 1
        return 0.0 if value is None else value

    def _lookup(self, home: str) -> Callable[[str, int, int], Value]:
        """A function from a cell as formulas on a sheet name it to its value."""
        if home in self.lookups:
            return self.lookups[home]
        sheets, evaluate = self.sheets, self._cell

        def value(sheet: str, row: int, column: int) -> Value:
            content = sheets[sheet or home].get((row, column))
            if type(content) is Formula:
                return evaluate((sheet or home, row, column))
            return content

        self.lookups[home] = value
        return value


DEEPEST = 25
"""How many formulas need each other in one recursion at most."""

CYCLE, OPEN = Error("#CYCLE!"), Error("#OPEN!")
"""The value of a cell that depends on itself, and the mark of one that is being worked out."""
