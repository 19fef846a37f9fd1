"""Queries as steps, each of which makes a relation of earlier ones: their SQL and their results.

The rules are those of SQL: comparisons with NULL are unknown, a condition keeps the rows for which
it is true, aggregates leave out NULL, and groups and set operations take NULLs for equal. Like
SQLite, an order has NULL before all values.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

Value = int | str | None
Row = dict[str, Value]

Operator = Literal["=", "<>", "<", ">", "<=", ">=", "IS NULL", "IS NOT NULL", "IN", "NOT IN"]
Function = Literal[
    "column", "sum", "coalesce",
    "COUNT(*)", "COUNT", "COUNT DISTINCT", "SUM", "MIN", "MAX",
    "ROW_NUMBER", "RANK", "DENSE_RANK", "LAG",
]  # fmt: skip
AGGREGATES: tuple[Function, ...] = ("COUNT(*)", "COUNT", "COUNT DISTINCT", "SUM", "MIN", "MAX")
UNSORTED: tuple[Function, ...] = ("ROW_NUMBER", "LAG")
"""Window functions whose result depends on the order of rows with equal sort keys."""


class Ambiguous(Exception):
    """The result depends on an order that the query does not state."""


class Comparison(NamedTuple):
    """A comparison of a column with a value, a list, another column, or the column of a table."""

    column: str
    operator: Operator
    values: tuple[Value, ...] = ()
    other: str = ""
    table: str = ""
    """Where not empty, the right side is the column ``other`` of this relation."""


class Clause(NamedTuple):
    """Tests with OR between them, perhaps with NOT in front."""

    tests: tuple[Comparison, ...]
    negated: bool = False


Condition = tuple[Clause, ...]
"""Clauses with AND between them."""


class Window(NamedTuple):
    """What a window function sees: rows of the same part, in an order, perhaps within a frame."""

    part: str = ""
    order: str = ""
    descending: bool = False
    before: int = -1
    """Rows before the current one in the frame; -1 for all."""
    behind: int = 0
    frame: bool = False
    """Whether there is a frame of rows; else all rows up to the last with an equal sort key."""


class Output(NamedTuple):
    """A column of a result: its name, and the function and columns that give it."""

    name: str
    function: Function
    columns: tuple[str, ...] = ()
    number: int = 0
    """The second argument of COALESCE."""


class Step(NamedTuple):
    """A query of one or two relations."""

    operation: Literal["select", "join", "left join", "group", "window", "union", "union all",
                       "except", "intersect"]  # fmt: skip
    source: str
    outputs: tuple[Output, ...]
    other: str = ""
    """The second relation of a join or a set operation."""
    on: tuple[str, str] = ("", "")
    """The columns that a join compares; columns of joins are qualified, as in ``t.x``."""
    on_condition: Condition = ()
    condition: Condition = ()
    keys: tuple[str, ...] = ()
    """The columns of GROUP BY."""
    having: Condition = ()
    window: Window = Window()


class Relation(NamedTuple):
    """Named columns and rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def dicts(self, prefix: str = "") -> list[Row]:
        """Each row by the names of its columns, with a prefix."""
        return [dict(zip([prefix + name for name in self.columns], row)) for row in self.rows]


Relations = Mapping[str, Relation]


# Three-valued logic


def negation(truth: bool | None) -> bool | None:
    """NOT."""
    return None if truth is None else not truth


def disjunction(truths: Iterable[bool | None]) -> bool | None:
    """OR."""
    values = {*truths}
    return True if True in values else None if None in values else False


def conjunction(truths: Iterable[bool | None]) -> bool | None:
    """AND."""
    return negation(disjunction(map(negation, truths)))


def compared(operator: Operator, left: Value, right: Value) -> bool | None:
    """A comparison, which is unknown with NULL on either side.

    >>> compared("<", 3, 5), compared("<>", None, 5)
    (True, None)
    """
    if left is None or right is None:
        return None
    if operator in {"=", "<>"}:
        return (left == right) == (operator == "=")
    one, other = order_key(left), order_key(right)
    smaller, equal = one < other, one == other
    return {
        "<": smaller, ">": not smaller and not equal,
        "<=": smaller or equal, ">=": not smaller,
    }[operator]  # fmt: skip


def order_key(value: Value) -> tuple[int, int, str]:
    """A key that sorts NULL before numbers, and these before texts."""
    if value is None:
        return 0, 0, ""
    return (1, value, "") if isinstance(value, int) else (2, 0, value)


class Logic(NamedTuple):
    """How conditions are evaluated: in SQL's way, or as a player does who does not know NULL."""

    two_valued: bool = False

    def test(self, test: Comparison, row: Row, relations: Relations) -> bool | None:
        """The truth of a test."""
        left = row[test.column]
        if test.operator in {"IS NULL", "IS NOT NULL"}:
            return (left is None) == (test.operator == "IS NULL")
        if test.operator in {"IN", "NOT IN"}:
            listed: Sequence[Value] = test.values
            if test.table:
                listed = [each[test.other] for each in relations[test.table].dicts()]
            truth = disjunction(self.compare("=", left, each) for each in listed)
            return truth if test.operator == "IN" else negation(truth)
        right = row[test.other] if test.other else test.values[0]
        return self.compare(test.operator, left, right)

    def compare(self, operator: Operator, left: Value, right: Value) -> bool | None:
        """A comparison; in two-valued logic, NULL is a value that differs from all others."""
        truth = compared(operator, left, right)
        if truth is None and self.two_valued:
            return (left is right) == (operator == "=") if operator in {"=", "<>"} else False
        return truth

    def holds(self, condition: Condition, row: Row, relations: Relations) -> bool:
        """Whether a condition is true, which is neither false nor unknown."""
        truths = list[bool | None]()
        for clause in condition:
            truth = disjunction(self.test(test, row, relations) for test in clause.tests)
            truths.append(negation(truth) if clause.negated else truth)
        return conjunction(truths) is True


# Evaluation


def evaluated(steps: Iterable[tuple[str, Step]], tables: Relations, logic: Logic) -> Relation:
    """The result of the last of some steps, of which each may use the ones before by name.

    Raises :class:`Ambiguous` where it depends on an order that is not stated.
    """
    relations = dict(tables)
    result = Relation((), ())
    for name, step in steps:
        result = relations[name] = result_of(step, relations, logic)
    return result


def result_of(step: Step, relations: Relations, logic: Logic) -> Relation:
    """The relation that a step makes."""
    columns = tuple(output.name for output in step.outputs)
    if step.operation in {"union", "union all", "except", "intersect"}:
        return Relation(columns, _combined(step, relations))
    rows = _source_rows(step, relations, logic)
    rows = [row for row in rows if logic.holds(step.condition, row, relations)]
    if step.operation == "group":
        results = _grouped(step, rows)
        results = [row for row in results if logic.holds(step.having, row, relations)]
    elif step.operation == "window":
        results = _windowed(step, rows)
    else:
        results = [{out.name: scalar(out, row) for out in step.outputs} for row in rows]
    return Relation(columns, tuple(tuple(row[name] for name in columns) for row in results))


def _source_rows(step: Step, relations: Relations, logic: Logic) -> list[Row]:
    if not step.operation.endswith("join"):
        return relations[step.source].dicts()
    left, right = step.on
    rows = list[Row]()
    others = relations[step.other]
    empty: Row = {f"{step.other}.{name}": None for name in others.columns}
    for row in relations[step.source].dicts(f"{step.source}."):
        partners = [
            row | other
            for other in others.dicts(f"{step.other}.")
            if logic.compare("=", row[left], other[right])
            and logic.holds(step.on_condition, row | other, relations)
        ]
        rows += partners or ([row | empty] if step.operation == "left join" else [])
    return rows


def _combined(step: Step, relations: Relations) -> tuple[tuple[Value, ...], ...]:
    names = tuple(output.columns[0] for output in step.outputs)
    left, right = (
        [tuple(row[name] for name in names) for row in relations[each].dicts()]
        for each in (step.source, step.other)
    )
    if step.operation == "union all":
        return (*left, *right)
    if step.operation == "union":
        return tuple(dict.fromkeys([*left, *right]))
    both = step.operation == "intersect"
    return tuple(row for row in dict.fromkeys(left) if (row in right) == both)


def scalar(output: Output, row: Row) -> Value:
    """A column, a sum of two, or a column with a number in place of NULL."""
    values = [row[name] for name in output.columns]
    if output.function == "sum":
        one, other = values
        return one + other if isinstance(one, int) and isinstance(other, int) else None
    if output.function == "coalesce":
        return output.number if values[0] is None else values[0]
    return values[0]


def aggregate(function: Function, rows: Sequence[Row], column: str) -> Value:
    """An aggregate of a column, which leaves out NULL."""
    if function == "COUNT(*)":
        return len(rows)
    values = [row[column] for row in rows if row[column] is not None]
    if function == "COUNT":
        return len(values)
    if function == "COUNT DISTINCT":
        return len({*values})
    if not values:
        return None
    if function == "SUM":
        return sum(value for value in values if isinstance(value, int))
    return (min if function == "MIN" else max)(values, key=order_key)


def _grouped(step: Step, rows: Sequence[Row]) -> list[Row]:
    groups: dict[tuple[Value, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in step.keys), []).append(row)
    return [
        {
            output.name: aggregate(output.function, group, *output.columns[:1] or ("",))
            if output.function in AGGREGATES
            else group[0][output.columns[0]]
            for output in step.outputs
        }
        for group in groups.values()
    ]


def _windowed(step: Step, rows: Sequence[Row]) -> list[Row]:
    window, results = step.window, [dict[str, Value]() for _ in rows]
    parts: dict[Value, list[int]] = {}
    for n, row in enumerate(rows):
        parts.setdefault(row[window.part] if window.part else None, []).append(n)
    for output in step.outputs:
        for part in parts.values():
            order = part
            if window.order:
                order = sorted(part, key=lambda n: order_key(rows[n][window.order]))
                order = order[::-1] if window.descending else order
            for position, n in enumerate(order):
                in_order = [rows[each] for each in order]
                results[n][output.name] = _window_value(output, window, in_order, position)
    return results


def _window_value(output: Output, window: Window, rows: list[Row], position: int) -> Value:
    """The value of a window function in the row at a position of its part, which is in order."""
    function, column = output.function, (*output.columns, "")[0]
    if function in {"column", "sum", "coalesce"}:
        return scalar(output, rows[position])
    keys = [row[window.order] for row in rows] if window.order else []
    if window.order and (function in UNSORTED or window.frame) and len({*keys}) < len(keys):
        raise Ambiguous
    if function == "ROW_NUMBER":
        return position + 1
    if function == "LAG":
        return rows[position - 1][column] if position else None
    if function == "RANK":
        return keys.index(keys[position]) + 1
    if function == "DENSE_RANK":
        return len({*keys[: position + 1]})
    if not window.order:
        return aggregate(function, rows, column)
    start = max(0, position - window.before) if window.before >= 0 else 0
    end = position + window.behind
    if not window.frame:
        start, end = 0, len(keys) - 1 - keys[::-1].index(keys[position])
    return aggregate(function, rows[start : end + 1], column)


def ordered(relation: Relation, keys: Sequence[tuple[str, bool]]) -> Relation:
    """A relation in the order of columns, each of which may be descending.

    Raises :class:`Ambiguous` where rows that differ have equal keys.
    """
    rows = relation.dicts()
    for name, descending in reversed(keys):
        rows.sort(key=lambda row: order_key(row[name]), reverse=descending)
    seen: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    values = [tuple(row.values()) for row in rows]
    for row, all_values in zip(rows, values):
        if seen.setdefault(tuple(row[name] for name, _ in keys), all_values) != all_values:
            raise Ambiguous
    return Relation(relation.columns, tuple(values))


def same_rows(one: Sequence[object], other: Sequence[object]) -> bool:
    """Whether two lists contain the same rows equally often."""
    return Counter(one) == Counter(other)
