"""Redundant code: unnecessary names, functions, conditions, operations and copies."""

from collections.abc import Callable

from palaestra.generators.programs.mini_python.parse.subset import PASSING
from palaestra.generators.programs.mini_python.rewriting import swapped
from palaestra.generators.programs.mini_python.syntax import (
    Assign,
    Augment,
    Binary,
    Call,
    Compare,
    Comprehension,
    Conditional,
    Const,
    Def,
    Do,
    Else,
    Expr,
    For,
    If,
    Jump,
    Method,
    Name,
    Node,
    Return,
    Slice,
    Unary,
    nodes,
)
from palaestra.generators.programs.minimise_program.sheet import (
    FUNCTIONS,
    INDENT,
    NoFittingRow,
    Row,
    Sheet,
    binds,
    last,
    names,
    numeric,
    pad,
    pure,
)

OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def _valued(row: Row) -> bool:
    """Whether the only effect of a row is a value that is worth a name."""
    head = row.head
    simple = isinstance(head, Assign | Return) or (
        isinstance(head, Augment) and isinstance(head.target, Name)
    )
    return simple and pure(head) and not isinstance(head.value, Const | Name | None)


def _operand(sheet: Sheet, fits: Callable[[Expr], bool]) -> tuple[int, Node]:
    """A random fitting expression and the index of its row."""
    fitting = {
        index: parts
        for index, row in enumerate(sheet.rows)
        if not row.needless and (parts := [part for part in _expressions(row) if fits(part)])
    }
    if not fitting:
        raise NoFittingRow
    index = sheet.rng.choice(list(fitting))
    return index, sheet.rng.choice(fitting[index])


def _expressions(row: Row) -> list[Expr]:
    """All expressions of a row that have a value."""
    match row.head:
        case Assign(value=value) | Augment(value=value) | Return(value) | Do(value):
            return [] if value is None else _values(value)
        case If(_, test):
            return _values(test)
        case For(_, iterable):
            return _values(iterable)
        case _:
            return []


def _values(node: Expr) -> list[Expr]:
    targets = [part.target for part in nodes(node) if isinstance(part, Comprehension)]
    bound = {id(part) for target in targets for part in nodes(target)}
    return [part for part in nodes(node) if id(part) not in bound]


@pad(0)
def _unfolded(sheet: Sheet) -> None:
    """A constant written as a calculation."""
    index, constant = _operand(sheet, lambda part: isinstance(part, Const) and numeric(part))
    rng, number = sheet.rng, constant.value
    k = rng.randint(1, 9)
    ways = [("+", number - k, k)] if number > k else []
    ways += [("-", number + k, k)]
    ways += [("*", number // k, k)] if k > 1 and number % k == 0 else []
    sign, left, right = rng.choice(ways)
    _swap(sheet, index, constant, Binary(sign, Const(left), Const(right)))


@pad(0)
def _neutral(sheet: Sheet) -> None:
    """An operation that changes nothing."""
    index, number = _operand(sheet, lambda part: numeric(part) and not isinstance(part, Const))
    sign, other = sheet.rng.choice((("+", 0), ("-", 0), ("*", 1), ("//", 1)))
    _swap(sheet, index, number, Binary(sign, number, Const(other)))


@pad(1)
def _doubled(sheet: Sheet) -> None:
    """A function applied to a value that it does not change."""
    index, part = _operand(sheet, lambda part: bool(_second_helpings(part)))
    _swap(sheet, index, part, sheet.rng.choice(_second_helpings(part)))


def _second_helpings(part: Expr) -> list[Expr]:
    """Calls that return their argument unchanged."""
    match part:
        case Call("sorted", (_,)):
            return [Call("sorted", (part,)), Call("list", (part,))]
        case Call("abs" | "str" | "int" as function):
            return [Call(function, (part,))]
        case Call("max" | "min" as function, (one, _)) if pure(part):
            return [Call(function, (one, part))]
        case Method(_, "upper" | "lower" as method):
            return [Method(part, method, ())]
        case Comprehension():
            return [Call("list", (part,))]
        case _:
            return [Call("int", (part,))] if isinstance(part, Binary) and numeric(part) else []


@pad(1)
def _named(sheet: Sheet) -> None:
    """A name for a value that is used once."""
    index = sheet.statement(_valued)
    head, name = sheet.rows[index].head, Name(sheet.fresh())
    _swap(sheet, index, head.value, name)
    sheet.insert(index, Assign(name, head.value), needless=False)


@pad(1)
def _flag(sheet: Sheet) -> None:
    """A name for the result of a test."""
    index = sheet.statement(lambda row: isinstance(row.head, If) and row.head.word == "if")
    test, flag = sheet.rows[index].head.test, Name(sheet.fresh())
    _swap(sheet, index, test, flag)
    sheet.insert(index, Assign(flag, test), needless=False)


@pad(1)
def _either_way(sheet: Sheet) -> None:
    """Two identical branches."""
    index = sheet.statement(
        lambda row: isinstance(row.head, Assign | Augment | Do | Return), main=True
    )
    depth, head, _ = sheet.rows[index]
    sheet.insert(index, If("if", sheet.test(None)))
    sheet.deepen(index + 1, index + 2)
    sheet.insert(index + 2, head, depth=depth + INDENT, needless=False)
    sheet.insert(index + 2, Else(), depth=depth)


@pad(1)
def _certain(sheet: Sheet) -> None:
    """A test that always holds."""
    index = sheet.statement(lambda row: not isinstance(row.head, Return | Jump), main=True)
    end = sheet.whole(index)
    sheet.insert(index, If("if", sheet.test(True)))
    sheet.deepen(index + 1, end + 1)


@pad(1)
def _roundabout(sheet: Sheet) -> None:
    """A condition in a longer equivalent form."""
    index, test = _operand(sheet, lambda part: isinstance(part, Compare))
    ways: list[Expr] = [
        Binary("and", test, Const(True)),
        Binary("or", test, Const(False)),
        Compare(("==",), (test, Const(True))),
        Conditional(Const(True), test, Const(False)),
        Unary("not", Unary("not", test)),
    ]
    if len(test.signs) == 1 and test.signs[0] in OPPOSITE:
        ways.append(Unary("not", Compare((OPPOSITE[test.signs[0]],), test.operands)))
    _swap(sheet, index, test, sheet.rng.choice(ways))


@pad(2)
def _function(sheet: Sheet) -> None:
    """A function for an expression that occurs once."""
    index, value = _operand(
        sheet,
        lambda part: (
            isinstance(part, Binary | Conditional | Call)
            and not (isinstance(part, Call) and part.function in PASSING)
            and pure(part)
            and not binds(part)
            and 0 < len(names(part)) <= 3
        ),
    )
    name, parameters = sheet.fresh(FUNCTIONS), names(value)
    _swap(sheet, index, value, Call(name, tuple(map(Name, parameters))))
    sheet.insert(0, Def(name, tuple(parameters)), depth=0)
    sheet.insert(1, Return(value), depth=INDENT, needless=False)


@pad(2)
def _otherwise(sheet: Sheet) -> None:
    """An ``else`` after a branch that always leaves the block."""
    ends = [
        end
        for index, (depth, head, _) in enumerate(sheet.rows)
        if isinstance(head, If) and head.word == "if"
        if last(sheet.rows[(end := sheet.end(index)) - 1])
        and sheet.rows[end - 1].depth == depth + INDENT
        and end < len(sheet.rows)
        and sheet.rows[end].depth == depth
        and not sheet.continues(end, depth)
    ]
    if not ends:
        raise NoFittingRow
    end = sheet.rng.choice(ends)
    depth, stop = sheet.rows[end].depth, end
    while stop < len(sheet.rows) and sheet.rows[stop].depth >= depth:
        stop += 1
    sheet.deepen(end, stop)
    sheet.insert(end, Else(), depth=depth)


@pad(2)
def _copied(sheet: Sheet) -> None:
    """A copy of an argument."""
    lists = {
        parameter.name for parameter in sheet.function.signature if parameter.type_name != "number"
    }
    index, source = _operand(sheet, lambda part: isinstance(part, Name) and part.name in lists)
    copy = Slice(source, None, None, None)
    _swap(sheet, index, source, sheet.rng.choice((copy, Slice(copy, None, None, Const(1)))))


def _swap(sheet: Sheet, index: int, part: Expr, other: Expr) -> None:
    """Replace an expression of a row with another."""
    row = sheet.rows[index]
    sheet.rows[index] = row._replace(head=swapped(row.head, part, other))
