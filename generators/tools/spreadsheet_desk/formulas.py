"""Formulas of a workbook: their grammar, how they move with their cells, and their values.

A value is a number, a text, or None for an empty cell. An error such as ``#DIV/0!`` is an
:class:`Error`, which every formula that needs the cell has, too.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import NamedTuple, final

from palaestra.generators.tools.cells import number_text
from palaestra.task import InvalidAnswer

ROWS = 200
"""How many rows a sheet has."""

COLUMNS = 26
"""How many columns a sheet has, from A to Z."""

LARGEST_RANGE = 2_000
"""How many cells the ranges of one formula may have together."""

EMPTY = "(empty)"
"""How a cell without content is shown where cells are listed."""

LONGEST = 300
"""How many characters the content of a cell may have."""

DEEPEST = 12
"""How many brackets a formula may have within each other."""


@final
class Error(NamedTuple):
    """The value of a cell whose formula has none."""

    name: str


Value = float | str | Error | None


class FormulaError(Exception):
    """Ends the evaluation of a formula; its argument is the error that is its value."""


class Reference(NamedTuple):
    """A reference to a cell. The sheet is empty where it is that of the formula.

    A row or a column that is not fixed is relative to that of the formula, so that copies of a
    formula are equal.
    """

    sheet: str
    row: int
    column: int
    fixed_row: bool = False
    fixed_column: bool = False

    def at(self, row: int, column: int) -> "Reference":
        """The reference with the row and the column that it has in a formula there."""
        sheet, own_row, own_column, fixed_row, fixed_column = self
        return Reference(
            sheet,
            own_row if fixed_row else row + own_row,
            own_column if fixed_column else column + own_column,
            fixed_row,
            fixed_column,
        )


class Range(NamedTuple):
    """A rectangle of cells, by its first and its last one. Both are on the sheet of the first."""

    first: Reference
    last: Reference


class Operation(NamedTuple):
    """An operator with its operands; a minus may have one."""

    operator: str
    operands: "tuple[Node, ...]"


class Function(NamedTuple):
    """A function with its arguments."""

    name: str
    arguments: "tuple[Node, ...]"


class Lost(NamedTuple):
    """A reference to a cell that has been deleted."""


Node = float | str | Reference | Range | Operation | Function | Lost

Move = Callable[[Reference | Range], Node]
"""What becomes of a reference or a range."""

Cells = Callable[[str, int, int], "Value"]
"""The value of the cell on a sheet, in a row and a column."""

Program = Callable[[Cells, int, int], "float | str | None"]
"""Works out the value of a formula, or a part of one, in a row and a column."""


@final
class Formula:
    """A formula, independent of the cell that it is in.

    ``sheets`` are the sheets that it names, and ``is_local`` says that it stays the same where its
    row moves: the cells that it names are in its own row, or in fixed ones of those sheets.
    """

    __slots__ = ("_program", "_text", "is_local", "references", "sheets", "size", "tree")

    def __init__(self, tree: Node) -> None:
        self.tree = tree
        self.references = tuple(_references(tree))
        self.size = sum(_cells(each) for each in self.references)
        cells = [cell for each in self.references for cell in _corners(each)]
        self.sheets = tuple(dict.fromkeys(cell.sheet for cell in cells if cell.sheet))
        self.is_local = all(
            cell.fixed_row if cell.sheet else cell.row == 0 and not cell.fixed_row for cell in cells
        )
        self._program: Program | None = None
        self._text: tuple[str | Reference, ...] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and (self is other or self.tree == other.tree)

    def __hash__(self) -> int:
        return hash(self.tree)

    @property
    def program(self) -> Program:
        """What works out its value."""
        if self._program is None:
            self._program = compiled(self.tree)
        return self._program

    def text(self, row: int, column: int) -> str:
        """The text that it has in a cell."""
        if self._text is None:
            self._text = tuple(_joined(_pieces(self.tree)))
        parts = [
            each if isinstance(each, str) else _place_text(each, row, column) for each in self._text
        ]
        return f"={''.join(parts)}"

    def at(self, row: int, column: int) -> Node:
        """Its tree with the rows and columns that it names from a cell."""
        return _moved(self.tree, lambda each: _map(each, lambda cell: cell.at(row, column)))

    def renamed(self, names: Mapping[str, str]) -> "Formula":
        """The formula with other names for the sheets."""

        def rename(cell: Reference) -> Reference:
            return cell._replace(sheet=names[cell.sheet]) if cell.sheet else cell

        return Formula(_moved(self.tree, lambda each: _map(each, rename)))

    def fits(self, row: int, column: int) -> bool:
        """Whether all cells that it names from a cell are on a sheet."""
        cells = (cell.at(row, column) for each in self.references for cell in _corners(each))
        return all(1 <= cell.row <= ROWS and 1 <= cell.column <= COLUMNS for cell in cells)


def relative(tree: Node, row: int, column: int) -> Formula:
    """The formula of a tree whose rows and columns are those that it names from a cell."""

    def back(cell: Reference) -> Reference:
        return cell._replace(
            row=cell.row - (0 if cell.fixed_row else row),
            column=cell.column - (0 if cell.fixed_column else column),
        )

    return Formula(_moved(tree, lambda each: _map(each, back)))


def _map(each: Reference | Range, change: Callable[[Reference], Reference]) -> Reference | Range:
    if isinstance(each, Range):
        return Range(change(each.first), change(each.last))
    return change(each)


def _corners(each: Reference | Range) -> tuple[Reference, ...]:
    return (each.first, each.last) if isinstance(each, Range) else (each,)


def _cells(reference: Reference | Range) -> int:
    """How many cells there are, or a bound for ranges with an end that is fixed and one that is
    not.
    """
    if isinstance(reference, Reference):
        return 1
    first, last = reference
    rows = last.row - first.row + 1 if first.fixed_row == last.fixed_row else ROWS
    columns = last.column - first.column + 1
    if first.fixed_column != last.fixed_column:
        columns = COLUMNS
    return rows * columns


def _references(tree: Node) -> Iterator[Reference | Range]:
    if isinstance(tree, Reference | Range):
        yield tree
    elif isinstance(tree, Operation | Function):
        for each in tree[1]:
            yield from _references(each)


def _moved(tree: Node, move: Move) -> Node:
    if isinstance(tree, Reference | Range):
        return move(tree)
    if isinstance(tree, Operation):
        return Operation(tree.operator, tuple(_moved(each, move) for each in tree.operands))
    if isinstance(tree, Function):
        return Function(tree.name, tuple(_moved(each, move) for each in tree.arguments))
    return tree


def shifted(formula: Formula, move: Move, before: tuple[int, int], after: int) -> Formula:
    """The formula of a cell ``before`` that moves to the row ``after``, when what it names moves,
    too.
    """
    row, column = before
    tree = _moved(formula.at(row, column), move)
    new = relative(tree, after, column)
    return formula if new == formula else new


# ------------------------------------------------------------------ text

_LEVELS = {"=": 1, "<>": 1, "<": 1, "<=": 1, ">": 1, ">=": 1, "+": 2, "-": 2, "*": 3, "/": 3}
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)


def letter(column: int) -> str:
    """The letter of a column, which count from 1."""
    return chr(64 + column)


def sheet_text(name: str) -> str:
    """The name of a sheet as formulas have it."""
    return name if _PLAIN.fullmatch(name) else f"'{name}'"


def _pieces(tree: Node, level: int = 0) -> Iterator[str | Reference]:
    """The canonical text in pieces, in brackets where the operator around it binds more tightly.

    A reference is the text of its column and its row, without its sheet.
    """
    if isinstance(tree, str):
        yield f'"{tree}"'
    elif isinstance(tree, Reference):
        yield f"{sheet_text(tree.sheet)}!" if tree.sheet else ""
        yield tree
    elif isinstance(tree, Range):
        yield from _pieces(tree.first)
        yield ":"
        yield tree.last
    elif isinstance(tree, Lost):
        yield "#REF!"
    elif isinstance(tree, Function):
        yield f"{tree.name}("
        for number, each in enumerate(tree.arguments):
            yield ", " if number else ""
            yield from _pieces(each)
        yield ")"
    elif isinstance(tree, Operation):
        yield from _operation(tree, level)
    else:
        yield number_text(tree)


def _operation(tree: Operation, level: int) -> Iterator[str | Reference]:
    if len(tree.operands) == 1:
        yield "-"
        yield from _pieces(tree.operands[0], 4)
        return
    own = _LEVELS[tree.operator]
    left, right = tree.operands
    yield "(" if own < level else ""
    yield from _pieces(left, own)
    yield tree.operator
    yield from _pieces(right, own + 1)
    yield ")" if own < level else ""


def _joined(pieces: Iterator[str | Reference]) -> Iterator[str | Reference]:
    """The pieces with texts that follow each other in one, and references that do not move as
    texts.
    """
    text = ""
    for each in pieces:
        if isinstance(each, Reference) and not (each.fixed_row and each.fixed_column):
            yield text
            yield each
            text = ""
        else:
            text += f"${letter(each.column)}${each.row}" if isinstance(each, Reference) else each
    yield text


def _place_text(cell: Reference, row: int, column: int) -> str:
    """The column and the row of a reference that is named from a cell."""
    _, own_row, own_column, fixed_row, fixed_column = cell
    name = f"${letter(own_column)}" if fixed_column else letter(column + own_column)
    return f"{name}${own_row}" if fixed_row else f"{name}{row + own_row}"


# ------------------------------------------------------------------ grammar

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d{1,12}(?:\.\d{1,8})?)|(?P<text>\"[^\"]*\")"
    r"|(?P<range>(?:(?:'[^']{1,40}'|[A-Za-z][A-Za-z0-9_]{0,39})!)?\$?[A-Za-z]\$?\d{1,4}"
    r"(?::\$?[A-Za-z]\$?\d{1,4})?(?![A-Za-z0-9_(!]))"
    r"|(?P<function>[A-Za-z]{1,20})\s*\(|(?P<sign><>|<=|>=|[-+*/=<>(),]))",
    re.ASCII,
)

_CELL = re.compile(r"(\$?)([A-Za-z])(\$?)(\d{1,4})", re.ASCII)

ARGUMENTS = {
    "SUM": (1, 10),
    "AVERAGE": (1, 10),
    "COUNT": (1, 10),
    "MIN": (1, 10),
    "MAX": (1, 10),
    "COUNTIF": (2, 2),
    "SUMIF": (2, 3),
    "IF": (2, 3),
    "XLOOKUP": (3, 3),
    "VLOOKUP": (3, 4),
    "ROUND": (2, 2),
    "ABS": (1, 1),
}
"""The functions, each with how many arguments it has at least and at most."""


def cell_of(text: str) -> tuple[int, int]:
    """The row and the column of a cell such as C7. Raises :class:`InvalidAnswer` for another."""
    match = _CELL.fullmatch(text.strip())
    if match is None:
        raise InvalidAnswer(f"a cell is a letter with a row, such as C7, not {text[:40]!r}")
    row, column = int(match[4]), ord(match[2].upper()) - 64
    if not 1 <= row <= ROWS:
        raise InvalidAnswer(f"rows go from 1 to {ROWS}")
    return row, column


def _reference(sheet: str, text: str) -> Reference:
    row, column = cell_of(text)
    match = _CELL.fullmatch(text)
    assert match
    return Reference(sheet, row, column, bool(match[3]), bool(match[1]))


def _range(text: str) -> Reference | Range:
    sheet, _, cells = text.rpartition("!")
    first, _, last = cells.partition(":")
    start = _reference(sheet.strip("'"), first)
    if not last:
        return start
    end = _reference(start.sheet, last)
    rows, columns = sorted((start.row, end.row)), sorted((start.column, end.column))
    return Range(
        start._replace(row=rows[0], column=columns[0]),
        end._replace(row=rows[1], column=columns[1]),
    )


class _Parser:
    """Reads a formula by recursive descent."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position = 0
        text = text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise InvalidAnswer(f"the formula cannot be read from {text[position:][:20]!r} on")
            group = str(match.lastgroup)
            self.tokens.append((group, match[group]))
            position = match.end()
        self.tokens.reverse()
        self.depth = 0

    def formula(self) -> Node:
        """The tree of all tokens."""
        tree = self._comparison()
        if self.tokens:
            raise InvalidAnswer(f"the formula does not go on with {self.tokens[-1][1][:20]!r}")
        return tree

    def _sign(self, *signs: str) -> str:
        """The next token where it is one of these signs, otherwise nothing."""
        if self.tokens and self.tokens[-1][0] == "sign" and self.tokens[-1][1] in signs:
            return self.tokens.pop()[1]
        return ""

    def _need(self, sign: str) -> None:
        if not self._sign(sign):
            raise InvalidAnswer(f"the formula lacks a {sign!r}")

    def _comparison(self) -> Node:
        tree = self._sum()
        if sign := self._sign("=", "<>", "<", "<=", ">", ">="):
            tree = Operation(sign, (tree, self._sum()))
        return tree

    def _sum(self) -> Node:
        tree = self._product()
        while sign := self._sign("+", "-"):
            tree = Operation(sign, (tree, self._product()))
        return tree

    def _product(self) -> Node:
        tree = self._factor()
        while sign := self._sign("*", "/"):
            tree = Operation(sign, (tree, self._factor()))
        return tree

    def _factor(self) -> Node:
        minus = False
        while sign := self._sign("-", "+"):
            minus ^= sign == "-"
        tree = self._single()
        return Operation("-", (tree,)) if minus else tree

    def _single(self) -> Node:
        if not self.tokens:
            raise InvalidAnswer("the formula ends too early")
        group, text = self.tokens.pop()
        if group == "number":
            return float(text)
        if group == "text":
            return text[1:-1]
        if group == "range":
            return _range(text)
        if group == "function":
            return self._function(text.upper())
        if text != "(":
            raise InvalidAnswer(f"the formula does not go on with {text!r}")
        self._enter()
        tree = self._comparison()
        self._need(")")
        self.depth -= 1
        return tree

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InvalidAnswer(f"a formula has at most {DEEPEST} brackets within each other")

    def _function(self, name: str) -> Node:
        if name not in ARGUMENTS:
            raise InvalidAnswer(f"there is no function {name}; there are {', '.join(ARGUMENTS)}")
        self._enter()
        arguments = [self._comparison()]
        while self._sign(","):
            arguments.append(self._comparison())
        self._need(")")
        self.depth -= 1
        least, most = ARGUMENTS[name]
        if not least <= len(arguments) <= most:
            raise InvalidAnswer(f"{name} has {least} to {most} arguments")
        return Function(name, tuple(arguments))


@lru_cache(maxsize=5_000)
def parsed(text: str, row: int, column: int) -> Formula:
    """The formula that a text beginning with = is in a cell. Raises :class:`InvalidAnswer` for
    another text.
    """
    formula = relative(_Parser(text[1:]).formula(), row, column)
    if formula.size > LARGEST_RANGE:
        raise InvalidAnswer(f"the ranges of a formula have at most {LARGEST_RANGE} cells")
    return formula


# ------------------------------------------------------------------ values

_COMPARISONS = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}

_CRITERION = re.compile(r"(<>|<=|>=|[=<>])?(.*)", re.DOTALL)

List = Callable[[Cells, int, int], "list[Value]"]
"""Works out the values of the cells of a range, row by row."""


def compiled(tree: Node) -> Program:
    """What works out the value of a tree. It raises :class:`FormulaError` where there is none."""
    if isinstance(tree, Reference):
        return _compiled_reference(tree)
    if isinstance(tree, Operation):
        return _compiled_operation(tree)
    if isinstance(tree, Function):
        return _FUNCTIONS[tree.name](tree.arguments)
    if isinstance(tree, Range | Lost):
        error = "#VALUE!" if isinstance(tree, Range) else "#REF!"

        def fail(cells: Cells, row: int, column: int) -> float:
            raise _error(error)

        return fail
    return lambda cells, row, column: tree


def _compiled_reference(cell: Reference) -> Program:
    sheet, own_row, own_column, fixed_row, fixed_column = cell

    def look(cells: Cells, row: int, column: int) -> float | str | None:
        value = cells(
            sheet,
            own_row if fixed_row else row + own_row,
            own_column if fixed_column else column + own_column,
        )
        if type(value) is Error:
            raise FormulaError(value)
        return value

    return look


def _compiled_number(tree: Node) -> Callable[[Cells, int, int], float]:
    """Works out a number; an empty cell is 0."""
    program = compiled(tree)

    def number(cells: Cells, row: int, column: int) -> float:
        value = program(cells, row, column)
        if type(value) is float:
            return value
        if value is None:
            return 0.0
        raise _error("#VALUE!")

    return number


def _divided(left: float, right: float) -> float:
    if right == 0:
        raise _error("#DIV/0!")
    return left / right


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": _divided,
}


def _compiled_operation(tree: Operation) -> Program:
    sign = tree.operator
    if sign in _COMPARISONS:
        one, other = map(compiled, tree.operands)
        return lambda cells, row, column: float(
            _compared(sign, one(cells, row, column), other(cells, row, column))
        )
    numbers = [_compiled_number(each) for each in tree.operands]
    first = numbers[0]
    if len(numbers) == 1:
        return lambda cells, row, column: -first(cells, row, column)
    second, apply = numbers[1], _ARITHMETIC[sign]
    return lambda cells, row, column: _finite(
        apply(first(cells, row, column), second(cells, row, column))
    )


def _list(tree: Node) -> List:
    """Works out the values of a range or of the cell of a reference."""
    if isinstance(tree, Lost):
        raise_lost = compiled(tree)
        return lambda cells, row, column: [raise_lost(cells, row, column)]
    if not isinstance(tree, Range | Reference):
        fail = compiled(Range(Reference("", 0, 0), Reference("", 0, 0)))
        return lambda cells, row, column: [fail(cells, row, column)]
    first, last = (tree, tree) if isinstance(tree, Reference) else tree
    sheet, area = first.sheet, _area(first, last)

    def values(cells: Cells, row: int, column: int) -> list[Value]:
        rows, columns = area(row, column)
        if len(columns) == 1:
            left = columns[0]
            return [cells(sheet, each, left) for each in rows]
        return [cells(sheet, each, number) for each in rows for number in columns]

    return values


def _area(first: Reference, last: Reference) -> Callable[[int, int], tuple[range, range]]:
    """Gives the rows and columns of a range that is named in a row and a column."""
    _, top, left, is_top_fixed, is_left_fixed = first
    _, bottom, right, is_bottom_fixed, is_right_fixed = last

    def area(row: int, column: int) -> tuple[range, range]:
        one = top if is_top_fixed else row + top
        other = bottom if is_bottom_fixed else row + bottom
        start = left if is_left_fixed else column + left
        end = right if is_right_fixed else column + right
        rows = range(one, other + 1) if one <= other else range(other, one + 1)
        return rows, range(start, end + 1) if start <= end else range(end, start + 1)

    return area


def _numbers(arguments: Sequence[Node]) -> Callable[[Cells, int, int], list[float]]:
    """Works out all numbers among arguments; texts in cells do not count."""
    lists = [_list(tree) for tree in arguments if isinstance(tree, Range | Reference | Lost)]
    singles = [
        _compiled_number(tree)
        for tree in arguments
        if not isinstance(tree, Range | Reference | Lost)
    ]

    def numbers(cells: Cells, row: int, column: int) -> list[float]:
        values = [value for each in lists for value in each(cells, row, column)]
        result = [value for value in map(_valid, values) if type(value) is float]
        return result + [single(cells, row, column) for single in singles]

    return numbers


def _aggregate_of(name: str) -> Callable[[Sequence[Node]], Program]:
    def compile_aggregate(arguments: Sequence[Node]) -> Program:
        numbers = _numbers(arguments)
        return lambda cells, row, column: _aggregate(name, numbers(cells, row, column))

    return compile_aggregate


def _if(arguments: Sequence[Node]) -> Program:
    condition = _compiled_number(arguments[0])
    then = compiled(arguments[1])
    otherwise = compiled(arguments[2] if len(arguments) > 2 else 0.0)

    def choose(cells: Cells, row: int, column: int) -> float | str | None:
        chosen = then if condition(cells, row, column) != 0 else otherwise
        return chosen(cells, row, column)

    return choose


def _countif(arguments: Sequence[Node]) -> Program:
    keys, criterion = _list(arguments[0]), compiled(arguments[1])

    def count(cells: Cells, row: int, column: int) -> float:
        wanted = criterion(cells, row, column)
        return float(sum(_meets(each, wanted) for each in keys(cells, row, column)))

    return count


def _sumif(arguments: Sequence[Node]) -> Program:
    keys, criterion = _list(arguments[0]), compiled(arguments[1])
    values = _list(arguments[2] if len(arguments) > 2 else arguments[0])

    def total(cells: Cells, row: int, column: int) -> float:
        wanted = criterion(cells, row, column)
        tests, amounts = keys(cells, row, column), values(cells, row, column)
        if len(tests) != len(amounts):
            raise _error("#VALUE!")
        chosen = [_valid(each) for test, each in zip(tests, amounts) if _meets(test, wanted)]
        return _summed([each for each in chosen if isinstance(each, float)])

    return total


def _xlookup(arguments: Sequence[Node]) -> Program:
    key = compiled(arguments[0])
    test_range, result_range = arguments[1:]
    if not (isinstance(test_range, Range) and isinstance(result_range, Range)):
        return compiled(Range(Reference("", 0, 0), Reference("", 0, 0)))
    tests, results = _area(*test_range), _area(*result_range)
    test_sheet, result_sheet = test_range.first.sheet, result_range.first.sheet

    def look_up(cells: Cells, row: int, column: int) -> float | str | None:
        wanted = key(cells, row, column)
        if type(wanted) is str:
            wanted = wanted.casefold()
        rows, columns = tests(row, column)
        result_rows, result_columns = results(row, column)
        if len(columns) > 1 or len(result_columns) > 1 or len(rows) != len(result_rows):
            raise _error("#VALUE!")
        left, right = columns[0], result_columns[0]
        for test_row, result_row in zip(rows, result_rows):
            test = cells(test_sheet, test_row, left)
            if (test.casefold() if type(test) is str else test) == wanted and test is not None:
                return _valid(cells(result_sheet, result_row, right))
        raise _error("#N/A")

    return look_up


def _vlookup(arguments: Sequence[Node]) -> Program:
    table, number = arguments[1], _compiled_number(arguments[2])
    if not isinstance(table, Range):
        return compiled(Range(Reference("", 0, 0), Reference("", 0, 0)))
    first, last = table
    width = last.column - first.column + 1

    def look_up(cells: Cells, row: int, column: int) -> float | str | None:
        offset = int(number(cells, row, column)) - 1
        if not 0 <= offset < width:
            raise _error("#REF!")
        own = first.column + offset
        values = Range(first._replace(column=own), last._replace(column=own, fixed_column=first[4]))
        keys = Range(first, last._replace(column=first.column, fixed_column=first.fixed_column))
        return _xlookup((arguments[0], keys, values))(cells, row, column)

    return look_up


def _round(arguments: Sequence[Node]) -> Program:
    number, digits = map(_compiled_number, arguments)
    return lambda cells, row, column: _rounded(
        number(cells, row, column), int(max(-9, min(9, digits(cells, row, column))))
    )


def _absolute(arguments: Sequence[Node]) -> Program:
    number = _compiled_number(arguments[0])
    return lambda cells, row, column: abs(number(cells, row, column))


_FUNCTIONS: dict[str, Callable[[Sequence[Node]], Program]] = {
    **{name: _aggregate_of(name) for name in ("SUM", "AVERAGE", "COUNT", "MIN", "MAX")},
    "COUNTIF": _countif,
    "SUMIF": _sumif,
    "IF": _if,
    "XLOOKUP": _xlookup,
    "VLOOKUP": _vlookup,
    "ROUND": _round,
    "ABS": _absolute,
}


def _error(name: str) -> FormulaError:
    return FormulaError(Error(name))


def _valid(value: Value) -> float | str | None:
    if isinstance(value, Error):
        raise FormulaError(value)
    return value


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise _error("#NUM!")
    return number


def _rounded(number: float, digits: int) -> float:
    """Rounded half away from zero, as spreadsheets do."""
    scale = 10.0**digits
    scaled = _finite(abs(number) * scale)
    return math.copysign(math.floor(scaled + 0.5 + 1e-9) / scale, number)


def _aggregate(name: str, numbers: Sequence[float]) -> float:
    if name == "COUNT":
        return float(len(numbers))
    if name == "AVERAGE":
        if not numbers:
            raise _error("#DIV/0!")
        return _finite(_summed(numbers) / len(numbers))
    if name == "SUM":
        return _summed(numbers)
    if not numbers:
        return 0.0
    return max(numbers) if name == "MAX" else min(numbers)


def _summed(numbers: Sequence[float]) -> float:
    try:
        return _finite(math.fsum(numbers))
    except OverflowError:
        raise _error("#NUM!") from None


def _compared(sign: str, left: float | str | None, right: float | str | None) -> bool:
    """A comparison; upper and lower case are equal, and an empty cell is 0 or an empty text.

    A number and a text are different, and in no order.
    """
    left = ("" if isinstance(right, str) else 0.0) if left is None else left
    right = ("" if isinstance(left, str) else 0.0) if right is None else right
    if isinstance(left, str) and isinstance(right, str):
        return bool(_COMPARISONS[sign](left.casefold(), right.casefold()))
    if isinstance(left, str) or isinstance(right, str):
        return sign == "<>"
    return bool(_COMPARISONS[sign](left, right))


def _meets(value: Value, criterion: float | str | None) -> bool:
    """Whether a cell meets a criterion such as ">=5", "open" or 3."""
    if isinstance(value, Error):
        return False
    if not isinstance(criterion, str):
        return value is not None and _compared("=", value, criterion)
    match = _CRITERION.fullmatch(criterion.strip())
    assert match
    sign, operand = match[1] or "=", as_number(match[2])
    if value is None and sign != "<>":
        return False
    return _compared(sign, value, match[2] if operand is None else operand)


_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,8})?", re.ASCII)
_GROUPED = re.compile(r"-?\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,8})?", re.ASCII)


def as_number(text: str) -> float | None:
    """The number that a text is, also with commas between thousands, or None.

    >>> as_number("1,250.5"), as_number("12 May")
    (1250.5, None)
    """
    text = text.strip()
    if not text or (text[0] not in "-0123456789"):
        return None
    if _NUMBER.fullmatch(text) or _GROUPED.fullmatch(text):
        return float(text.replace(",", ""))
    return None
