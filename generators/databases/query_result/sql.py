"""The SQL of queries in steps."""

from collections.abc import Sequence

from palaestra.generators.databases.query_result.relations import (
    AGGREGATES,
    Comparison,
    Condition,
    Output,
    Relation,
    Relations,
    Step,
    Value,
    Window,
)

INDENT = "    "


def literal(value: Value) -> str:
    """A value as SQL.

    >>> literal("red"), literal(None), literal(3)
    ("'red'", 'NULL', '3')
    """
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)


def query(steps: Sequence[tuple[str, Step]], order: Sequence[tuple[str, bool]], limit: int) -> str:
    """The text of a query: all steps but the last by name in a WITH clause."""
    text = lines(steps[-1][1])
    if order:
        keys = ", ".join(name + " DESC" * descending for name, descending in order)
        text += f"\nORDER BY {keys}"
    if limit:
        text += f"\nLIMIT {limit}"
    if len(steps) == 1:
        return text
    earlier = [
        f"{name} AS (\n{INDENT}" + lines(step).replace("\n", f"\n{INDENT}") + "\n)"
        for name, step in steps[:-1]
    ]
    return f"WITH {', '.join(earlier)}\n{text}"


def lines(step: Step) -> str:
    """The SELECT of a step."""
    if step.operation in {"union", "union all", "except", "intersect"}:
        names = ", ".join(output.columns[0] for output in step.outputs)
        return (
            f"SELECT {names} FROM {step.source}\n{step.operation.upper()}\n"
            f"SELECT {names} FROM {step.other}"
        )
    outputs = ", ".join(_output(output, step.window) for output in step.outputs)
    parts = [f"SELECT {outputs}", f"FROM {step.source}"]
    if step.other:
        joined = f"{step.operation.upper()} {step.other} ON {step.on[0]} = {step.on[1]}"
        parts.append(joined + (f" AND {condition(step.on_condition)}" if step.on_condition else ""))
    if step.condition:
        parts.append(f"WHERE {condition(step.condition)}")
    if step.keys:
        parts.append(f"GROUP BY {', '.join(step.keys)}")
    if step.having:
        parts.append(f"HAVING {condition(step.having)}")
    return "\n".join(parts)


def condition(clauses: Condition) -> str:
    """A condition as SQL."""
    texts = list[str]()
    for clause in clauses:
        text = " OR ".join(map(_test, clause.tests))
        if clause.negated:
            text = f"NOT ({text})"
        elif len(clause.tests) > 1 and len(clauses) > 1:
            text = f"({text})"
        texts.append(text)
    return " AND ".join(texts)


def _test(test: Comparison) -> str:
    if test.operator in {"IS NULL", "IS NOT NULL"}:
        return f"{test.column} {test.operator}"
    if test.table:
        return f"{test.column} {test.operator} (SELECT {test.other} FROM {test.table})"
    if test.operator in {"IN", "NOT IN"}:
        return f"{test.column} {test.operator} ({', '.join(map(literal, test.values))})"
    return f"{test.column} {test.operator} {test.other or literal(test.values[0])}"


def _output(output: Output, window: Window) -> str:
    """A column of a SELECT with its name."""
    column = (*output.columns, "")[0]
    match output.function:
        case "column":
            text = column
        case "sum":
            text = " + ".join(output.columns)
        case "coalesce":
            text = f"COALESCE({column}, {output.number})"
        case "COUNT(*)":
            text = "COUNT(*)"
        case "COUNT DISTINCT":
            text = f"COUNT(DISTINCT {column})"
        case function:
            text = f"{function}({column})"
    if window != Window() and output.function not in {"column", "sum", "coalesce"}:
        text += f" OVER ({_window(window, output)})"
    return text if text == output.name else f"{text} AS {output.name}"


def _window(window: Window, output: Output) -> str:
    parts = [f"PARTITION BY {window.part}"] if window.part else []
    if window.order:
        parts.append(f"ORDER BY {window.order}{' DESC' * window.descending}")
    if window.frame and output.function in AGGREGATES:
        before = "UNBOUNDED" if window.before < 0 else str(window.before)
        behind = f"{window.behind} FOLLOWING" if window.behind else "CURRENT ROW"
        parts.append(f"ROWS BETWEEN {before} PRECEDING AND {behind}")
    return " ".join(parts)


def script(tables: Relations) -> str:
    """What sets a database up in SQLite."""
    statements = list[str]()
    for name, relation in tables.items():
        statements.append(f"CREATE TABLE {name} ({', '.join(relation.columns)});")
        for row in relation.rows:
            statements.append(f"INSERT INTO {name} VALUES ({', '.join(map(literal, row))});")
    return "\n".join(statements)


def as_table(name: str, relation: Relation) -> str:
    """A table with its name, as a player sees it."""
    rows = [relation.columns, *(tuple(map(shown, row)) for row in relation.rows)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(relation.columns))]
    body = (" | ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows)
    return "\n".join([f"{name}:", *(line.rstrip() for line in body)])


def shown(value: Value) -> str:
    """A value as a cell."""
    return "NULL" if value is None else str(value)
