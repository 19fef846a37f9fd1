"""Dead code: unused results, unreachable statements, and repeated operations."""

from palaestra.generators.programs.mini_python.parse import head
from palaestra.generators.programs.mini_python.syntax import (
    Assign,
    Augment,
    Binary,
    Const,
    Do,
    For,
    If,
    Jump,
    Name,
    Return,
)
from palaestra.generators.programs.minimise_program.sheet import (
    INDENT,
    NoFittingRow,
    Row,
    Sheet,
    last,
    names,
    numeric,
    pad,
    pure,
)


def _simple(row: Row) -> bool:
    return isinstance(row.head, Assign | Augment | Do)


def _loop(row: Row) -> bool:
    return isinstance(row.head, For) or (isinstance(row.head, If) and row.head.word == "while")


def _sets(row: Row) -> bool:
    """Whether a row assigns a value to one variable that depends on other variables only."""
    head = row.head
    return (
        isinstance(head, Assign)
        and isinstance(head.target, Name)
        and pure(head.value)
        and head.target.name not in names(head.value)
    )


@pad(0)
def _unused(sheet: Sheet) -> None:
    """An unused variable whose value the program computes anyway."""
    index = sheet.statement(
        lambda row: (
            isinstance(row.head, Assign | Augment | Return)
            and pure(row.head)
            and not isinstance(row.head.value, Const | None)
        )
    )
    value = sheet.rows[index].head.value
    if numeric(value):
        value = Binary(sheet.rng.choice("+-*"), value, Const(sheet.rng.randint(2, 9)))
    sheet.insert(index, Assign(Name(sheet.fresh()), value))


@pad(0)
def _overwritten(sheet: Sheet) -> None:
    """A value that is replaced before it is used."""
    index = sheet.statement(_sets)
    head = sheet.rows[index].head
    other = sheet.rng.randint(1, 9) if numeric(head.value) else None
    sheet.insert(index, Assign(head.target, Const(other)))


@pad(0)
def _idle(sheet: Sheet) -> None:
    """A statement without effect."""
    sheet.insert(sheet.statement(_simple), Jump("pass"))


@pad(0)
def _goes_on(sheet: Sheet) -> None:
    """A ``continue`` at the end of a loop body."""
    index = sheet.statement(_loop)
    end, depth = sheet.end(index), sheet.rows[index + 1].depth
    if last(sheet.rows[end - 1]) and sheet.rows[end - 1].depth == depth:
        raise NoFittingRow
    sheet.insert(end, Jump("continue"), depth=depth)


@pad(1)
def _impossible(sheet: Sheet) -> None:
    """A branch that is never taken."""
    index = sheet.statement(_simple, main=True)
    target = sheet.rows[sheet.statement(_sets, main=True)].head.target
    body = sheet.rng.choice((Assign(target, Const(0)), Return(target)))
    sheet.insert(index, If("if", sheet.test(False)), body)
    sheet.deepen(index + 1, index + 2)


@pad(1)
def _again(sheet: Sheet) -> None:
    """A repeated assignment."""
    index = sheet.statement(_sets)
    sheet.insert(index, sheet.rows[index].head)


@pad(1)
def _unreachable(sheet: Sheet) -> None:
    """A statement after one that always leaves the block."""
    index, copied = sheet.statement(last), sheet.statement(_simple)
    sheet.insert(index + 1, sheet.rows[copied].head, depth=sheet.rows[index].depth)


@pad(2)
def _dead_loop(sheet: Sheet) -> None:
    """A loop over an argument whose result is unused."""
    index = sheet.statement(lambda row: row.depth == INDENT, main=True)
    parameter, out, item = sheet.rng.choice(sheet.function.signature), sheet.fresh(), sheet.fresh()
    source, number = parameter.name, item
    match parameter.type_name:
        case "number":
            source = f"range({source})"
        case "word":
            number = f"ord({item})"
        case "words":
            number = f"len({item})"
    k = sheet.rng.randint(3, 9)
    change = sheet.rng.choice((f"{out} += {number}", f"{out} = max({out}, {number} % {k})"))
    sheet.insert(index, head(change), depth=2 * INDENT)
    sheet.insert(index, head(f"{out} = 0"), head(f"for {item} in {source}:"), depth=INDENT)


@pad(2)
def _dead_count(sheet: Sheet) -> None:
    """An unused loop counter."""
    index = sheet.statement(lambda row: isinstance(row.head, For))
    out, counted = sheet.fresh(), names(sheet.rows[index].head.target)[0]
    change = sheet.rng.choice((f"{out} += 1", f"{out} = {counted}", f"{out} = ({out} + 3) % 10"))
    sheet.insert(index + 1, head(change))
    sheet.insert(index, head(f"{out} = 0"))
