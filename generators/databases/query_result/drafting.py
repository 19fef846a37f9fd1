"""Random tables, and random queries in steps whose conditions keep some of the rows."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.databases.query_result.relations import (
    Ambiguous,
    Clause,
    Comparison,
    Condition,
    Function,
    Logic,
    Output,
    Relation,
    Relations,
    Row,
    Step,
    Value,
    Window,
    evaluated,
    order_key,
    result_of,
    same_rows,
)

TABLES = (
    ("boats", "boat"), ("ports", "port"), ("sailors", "sailor"), ("shops", "shop"),
    ("clubs", "club"), ("farms", "farm"), ("trails", "trail"), ("towers", "tower"),
)  # fmt: skip
TEXTS = {
    "colour": ("red", "blue", "green", "white"),
    "city": ("oslo", "rome", "lima", "cairo"),
    "shape": ("round", "square", "oval"),
    "season": ("spring", "summer", "winter"),
}
NUMBERS = ("age", "size", "weight", "price", "score", "stock", "height", "speed")

SETS: tuple[Literal["union", "union all", "except", "intersect"], ...] = (
    "union",
    "union all",
    "except",
    "intersect",
)
STEP_NAMES = "abcdefghij"
DRAWS = 12
"""Conditions or steps that are tried before the next best is taken."""

REDRAWS = 4
"""Conditions that are tried for a step that has none."""

Windows = Literal["none", "ranks", "frames"]
Steps = list[tuple[str, Step]]


class Form(NamedTuple):
    """How hard queries are."""

    depth: int
    """Steps of a query."""
    windows: Windows
    nulls: bool
    """Whether lists may contain NULL."""


# Tables


def random_tables(rng: Random, number: int, size: int, null_rate: float) -> dict[str, Relation]:
    """Tables, each of which but the first refers to the one before, if the number is not NULL."""
    tables = dict[str, Relation]()
    previous = ("", 0)
    for name, noun in rng.sample(TABLES, number):
        rows = size + rng.randint(-1, 1)
        text, other_text = rng.sample([*TEXTS], 2)
        numbers = rng.sample(NUMBERS, 2)
        columns = ["id", text, *numbers]
        columns += [f"{previous[0]}_id"] if previous[0] else [other_text]

        def cell(column: str, previous: tuple[str, int] = previous) -> Value:
            if rng.random() < null_rate:
                return None
            if column in TEXTS:
                return rng.choice(TEXTS[column])
            if column.endswith("_id"):
                return rng.randint(1, previous[1] + 1)  # the last one may refer to no row
            return rng.randint(1, 30)

        body = [(n, *map(cell, columns[1:])) for n in rng.sample(range(1, rows + 1), rows)]
        tables[name] = Relation(tuple(columns), tuple(body))
        previous = (noun, rows)
    return tables


def noun_of(table: str) -> str:
    """The singular of the name of a table; the name itself for the result of a step."""
    return dict(TABLES).get(table, table)


# Conditions


def random_condition(
    rng: Random, rows: Sequence[Row], relations: Relations, form: Form, columns: Sequence[str]
) -> Condition:
    """A condition on some columns that keeps some of the rows and drops others, if possible.

    With NULLs, it keeps other rows than it would if comparisons with NULL were false, if possible.
    """
    best: Condition = ()
    for _ in range(DRAWS):
        clauses = list[Clause]()
        for _ in range(rng.choice((1, 1, 2))):
            number = rng.choice((1, 1, 2)) if form.depth > 1 else 1
            tests = [
                _random_test(rng, rows, relations, form, rng.choice(columns)) for _ in range(number)
            ]
            negated = form.depth > 1 and rng.random() < 0.4
            clauses.append(Clause(tuple(dict.fromkeys(tests)), negated))
        kept = [Logic().holds(tuple(clauses), row, relations) for row in rows]
        if not max(3, 0.5 * len(rows)) <= sum(kept) < max(4, len(rows)):
            continue
        best = tuple(clauses)
        careless = Logic(two_valued=True)
        if not form.nulls or kept != [careless.holds(best, row, relations) for row in rows]:
            break
    return best


def _random_test(
    rng: Random, rows: Sequence[Row], relations: Relations, form: Form, column: str
) -> Comparison:
    values = sorted({row[column] for row in rows} - {None}, key=order_key)
    if form.nulls and rng.random() < 0.15:
        return Comparison(column, rng.choice(("IS NULL", "IS NOT NULL")))
    if not values:
        return Comparison(column, "IS NULL")
    if len(values) > 2 and rng.random() < 0.3:
        listed: list[Value] = [*rng.sample(values, 2)]
        if form.nulls and rng.random() < 0.3:
            listed.append(None)
        return Comparison(column, rng.choice(("IN", "NOT IN")), tuple(listed))
    if form.depth > 2 and rng.random() < 0.2:
        sources = [
            (name, other)
            for name, table in relations.items()
            for other in table.columns
            if other == column and name in dict(TABLES)
        ]
        if sources:
            table, other = rng.choice(sources)
            return Comparison(column, rng.choice(("IN", "NOT IN")), other=other, table=table)
    value = rng.choice(values)
    if isinstance(value, str):
        return Comparison(column, rng.choice(("=", "<>")), (value,))
    others = [
        each for each in rows[0] if each != column and isinstance(rows[0][each], int)
        and not each.endswith("id")
    ]  # fmt: skip
    if form.depth > 1 and others and rng.random() < 0.25 and not column.endswith("id"):
        return Comparison(column, rng.choice(("<", ">", ">=")), other=rng.choice(others))
    return Comparison(column, rng.choice(("<", ">", "<=", ">=", "<>")), (value,))


# Steps


class Drafting:
    """Draws one step after another, and knows the relations that they make."""

    def __init__(self, rng: Random, tables: Relations, form: Form) -> None:
        self.rng = rng
        self.form = form
        self.tables = tables
        self.relations = dict(tables)
        self.steps: Steps = []
        self.current = rng.choice([*tables])

    def draft(self) -> Steps:
        """Steps that together are a query; the last one makes two columns at least."""
        rng, form = self.rng, self.form
        while len(self.steps) < form.depth:
            left = form.depth - len(self.steps)
            options = ["select"]
            columns = self.relations[self.current].columns
            is_table = self.current in self.tables
            if self.group_keys():
                options += ["group"] * (3 if left < 3 else 1)
            if [*self.partners()] and left > 1:
                options += ["join"] * 4
            if form.windows != "none" and len(columns) > 1:
                options += ["window"] * (2 if len(self.steps) > 0 else 1)
            if left > 2 and is_table and form.depth > 3:
                options += ["set"] * 2
            if self.steps and self.steps[-1][1].operation in {"group", "window"}:
                options = [each for each in options if each != self.steps[-1][1].operation]
            operation = rng.choice(options)
            if operation == "set":
                self.combine()
            else:
                self.add(self.step(operation))
        return self.steps

    def step(self, operation: str) -> Step:
        """A step whose result has several rows and depends on no order, if there is one."""
        draw = {
            "select": self.select, "group": self.group, "join": self.join, "window": self.window,
        }[operation]  # fmt: skip
        for _ in range(DRAWS):
            step = draw()
            try:
                if len(result_of(step, self.relations, Logic()).rows) > 2:
                    return step
            except Ambiguous:
                continue
        return self.select()

    def add(self, step: Step) -> None:
        """Take a step, whose result is the source of the next."""
        name = STEP_NAMES[len(self.steps)]
        self.steps.append((name, step))
        self.relations[name] = result_of(step, self.relations, Logic())
        self.current = name

    def columns_of(self, sort: type) -> list[str]:
        """The columns of the current relation with values of a type, but no ids."""
        rows = self.relations[self.current].dicts()
        return [
            name
            for name in self.relations[self.current].columns
            if any(isinstance(row[name], sort) for row in rows) and not name.endswith("id")
        ]

    def group_keys(self) -> list[str]:
        """Columns in which some value is repeated, and others differ."""
        relation = self.relations[self.current]
        keys = list[str]()
        for n, name in enumerate(relation.columns):
            different = len({row[n] for row in relation.rows})
            if name != "id" and 1 < different < len(relation.rows):
                keys.append(name)
        return keys

    def outputs(self, columns: Sequence[str]) -> tuple[Output, ...]:
        return tuple(Output(name, "column", (name,)) for name in columns)

    def select(self) -> Step:
        """Some rows and all columns but one or so, perhaps with a computed one."""
        rng, relation = self.rng, self.relations[self.current]
        columns = [*relation.columns]
        if len(columns) > 3:
            columns = sorted(rng.sample(columns, len(columns) - 1), key=columns.index)
        outputs = [*self.outputs(columns)]
        numbers = self.columns_of(int)
        if self.form.depth > 1 and numbers and rng.random() < 0.5:
            if len(numbers) > 1 and rng.random() < 0.5:
                outputs.append(Output("total", "sum", tuple(rng.sample(numbers, 2))))
            else:
                column = rng.choice(numbers)
                if self.form.nulls:
                    outputs.append(Output(f"{column}_or_zero", "coalesce", (column,)))
        named = {output.name: output for output in outputs}
        rows = relation.dicts()
        condition = (
            random_condition(rng, rows, self.relations, self.form, relation.columns) if rows else ()
        )
        return Step("select", self.current, tuple(named.values()), condition=condition)

    def partners(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Tables to join with the current relation, each with the two columns to compare."""
        relation = self.relations[self.current]
        for name, table in self.tables.items():
            if name == self.current:
                continue
            reference = f"{noun_of(name)}_id"
            if reference in relation.columns:
                yield name, (reference, "id")
            back = f"{noun_of(self.current)}_id"
            if "id" in relation.columns and back in table.columns:
                yield name, ("id", back)

    def join(self) -> Step:
        """The current relation with a table that it refers to, or that refers to it."""
        rng = self.rng
        other, (left, right) = rng.choice([*self.partners()])
        here, there = self.relations[self.current], self.relations[other]
        outer = rng.random() < 0.6
        outputs = [
            Output(name, "column", (f"{self.current}.{name}",))
            for name in here.columns
            if name != left or name == "id"
        ]
        known = {output.name for output in outputs}
        for name in there.columns:
            new = f"{noun_of(other)}_{name}" if name in known or name == "id" else name
            if new not in known:
                outputs.append(Output(new, "column", (f"{other}.{name}",)))
        if len(outputs) > 6:
            # References stay, so that further joins are possible.
            optional = [each for each in outputs if not each.name.endswith("id")]
            dropped = set(rng.sample(optional, min(len(optional), len(outputs) - 6)))
            outputs = [each for each in outputs if each not in dropped]
        condition: Condition = ()
        if outer and rng.random() < 0.6:
            rows = there.dicts(f"{other}.")
            columns = [f"{other}.{name}" for name in there.columns if name != right]
            form = self.form._replace(depth=1)
            condition = random_condition(rng, rows, self.relations, form, columns)[:1]
            condition = tuple(clause._replace(tests=clause.tests[:1]) for clause in condition)
        return Step(
            "left join" if outer else "join",
            self.current,
            tuple(outputs),
            other,
            (f"{self.current}.{left}", f"{other}.{right}"),
            on_condition=condition,
        )

    def group(self) -> Step:
        """Aggregates of groups, perhaps of some groups only."""
        rng = self.rng
        keys = self.group_keys()
        texts = [key for key in keys if key in self.columns_of(str)]
        key = rng.choice(texts or keys)
        outputs = [Output(key, "column", (key,))]
        columns = [name for name in self.relations[self.current].columns if name != key]
        numbers = [name for name in self.columns_of(int) if name != key]
        functions: list[Function] = ["COUNT(*)", "COUNT"]
        functions += ["SUM", "MAX", "MIN", "COUNT DISTINCT", "SUM"] if numbers else []
        most = 2 if self.form.depth < 3 else min(3, len(functions))
        for function in rng.sample(functions, rng.randint(most - 1, most)):
            column = rng.choice(numbers if function in {"SUM", "MAX", "MIN"} else columns)
            name = f"{function.split('(')[0].split()[0].lower()}_{column}"
            arguments = () if function == "COUNT(*)" else (column,)
            name = name if arguments else "number"
            if name not in {output.name for output in outputs}:
                outputs.append(Output(name, function, arguments))
        condition: Condition = ()
        rows = self.relations[self.current].dicts()
        if self.form.depth < 3 or rng.random() < 0.5:
            condition = random_condition(rng, rows, self.relations, self.form, columns)
        step = Step("group", self.current, tuple(outputs), condition=condition, keys=(key,))
        if rng.random() < 0.3 and self.form.depth > 1:
            groups = result_of(step, self.relations, Logic()).dicts()
            if len(groups) > 3:
                form = self.form._replace(depth=1)
                names = [output.name for output in outputs[1:]]
                having = random_condition(rng, groups, self.relations, form, names)
                step = step._replace(having=having)
        return step

    def window(self) -> Step:
        """The current columns with a window function."""
        rng, relation = self.rng, self.relations[self.current]
        numbers = self.columns_of(int)
        parts = [name for name in self.group_keys() if name in self.columns_of(str)]
        part = rng.choice(parts) if parts and rng.random() < 0.7 else ""
        functions: list[Function] = ["RANK", "DENSE_RANK", "SUM"]
        if self.form.windows == "frames":
            functions += ["SUM", "COUNT", "MAX", "LAG", "ROW_NUMBER"]
        if not numbers:
            functions = ["RANK", "DENSE_RANK"]
        function = rng.choice(functions)
        sorts = numbers or list(relation.columns)
        if function in {"LAG", "ROW_NUMBER"} and "id" in relation.columns:
            sorts = [*sorts, "id", "id"]
        order = rng.choice(sorts)
        column = rng.choice(numbers) if numbers else ""
        window = Window(part, order, rng.random() < 0.5)
        if function in {"SUM", "COUNT", "MAX"}:
            if self.form.windows == "ranks" and part:
                window = Window(part)
            elif self.form.windows == "frames" and rng.random() < 0.6:
                window = window._replace(
                    frame=True, before=rng.choice((-1, 1, 2)), behind=rng.choice((0, 1))
                )
        arguments = () if function in {"RANK", "DENSE_RANK", "ROW_NUMBER"} else (column,)
        name = {"ROW_NUMBER": "position", "LAG": "previous", "SUM": "running"}.get(
            function, function.lower().removesuffix("_rank")
        )
        name = "placing" if name in {"rank", "dense"} else name
        columns = [each for each in relation.columns if each != name]
        outputs = (*self.outputs(columns), Output(name, function, arguments))
        return Step("window", self.current, outputs, window=window)

    def combine(self) -> None:
        """Two selections of the same columns of a table, and what both or one of them contain."""
        rng, source = self.rng, self.current
        relation = self.relations[source]
        columns = rng.sample([name for name in relation.columns if name != "id"], 2)
        for _ in range(2):
            rows = relation.dicts()
            form = self.form._replace(depth=2)
            condition = random_condition(rng, rows, self.relations, form, relation.columns)
            self.add(Step("select", source, self.outputs(columns), condition=condition))
        one, other = (name for name, _ in self.steps[-2:])
        operation = rng.choice(SETS)
        self.add(Step(operation, one, self.outputs(columns), other))


def random_query(rng: Random, tables: Relations, form: Form) -> Steps:
    """A random query in steps."""
    return Drafting(rng, tables, form).draft()


def used(steps: Sequence[tuple[str, Step]]) -> set[str]:
    """The relations that the last step depends on, directly or not."""
    needed = {steps[-1][0]}
    for name, step in reversed(steps):
        if name in needed:
            needed |= {step.source, step.other}
    return needed


def result_or_none(steps: Steps, tables: Relations, logic: Logic) -> Relation | None:
    """The result of a query; None where it depends on an order that is not stated."""
    try:
        return evaluated(steps, tables, logic)
    except Ambiguous:
        return None


Field = Literal["condition", "on_condition", "having"]

CLAUSES: tuple[Field, ...] = ("condition", "on_condition", "having")
"""The fields of a step that hold conditions."""


def with_clause(step: Step, field: Field, condition: Condition) -> Step:
    """A step with another condition."""
    if field == "condition":
        return step._replace(condition=condition)
    if field == "having":
        return step._replace(having=condition)
    return step._replace(on_condition=condition)


def without_idle(steps: Steps, tables: Relations) -> Steps:
    """A query without the conditions, and parts of these, that change nothing in its result.

    They are left out one after another, so that each of those that stay is needed.
    """
    result = result_or_none(steps, tables, Logic())
    if result is None:
        return steps
    while shorter := _shorter(steps, tables, result):
        steps = shorter
    return steps


def _shorter(steps: Steps, tables: Relations, result: Relation) -> Steps | None:
    """A query that has the same result without a condition or a part of it; None without one."""
    for n, (name, step) in enumerate(steps):
        for field in CLAUSES:
            for less in _parts(getattr(step, field)):
                changed = [*steps]
                changed[n] = (name, with_clause(step, field, less))
                other = result_or_none(changed, tables, Logic())
                if other is not None and same_rows(other.rows, result.rows):
                    return changed
    return None


def _parts(condition: Condition) -> Iterator[Condition]:
    """A condition without each of its clauses, or without one of the tests of a clause."""
    for n in range(len(condition)):
        yield (*condition[:n], *condition[n + 1 :])
    for n, clause in enumerate(condition):
        for m in range(len(clause.tests) if len(clause.tests) > 1 else 0):
            less = clause._replace(tests=(*clause.tests[:m], *clause.tests[m + 1 :]))
            yield (*condition[:n], less, *condition[n + 1 :])


def with_conditions(rng: Random, steps: Steps, tables: Relations, form: Form) -> Steps:
    """A query in whose steps without a condition there is one that changes the result, if it can.

    At least four rows of the result are left, and half of them.
    """
    result = result_or_none(steps, tables, Logic())
    numbers = [n for n, (_, step) in enumerate(steps) if step.operation in {"select", "group"}]
    for n in rng.sample(numbers, len(numbers)):
        name, step = steps[n]
        relations = _made(steps[:n], tables)
        if result is None or step.condition or len(relations[step.source].rows) < 3:
            continue
        rows = relations[step.source].dicts()
        for _ in range(REDRAWS):
            condition = random_condition(rng, rows, relations, form, [*rows[0]])
            changed = [*steps]
            changed[n] = (name, step._replace(condition=condition))
            other = result_or_none(changed, tables, Logic())
            least = max(4, len(result.rows) // 2)
            if other and len(other.rows) >= least and not same_rows(other.rows, result.rows):
                steps, result = changed, other
                break
    return steps


def _made(steps: Steps, tables: Relations) -> dict[str, Relation]:
    """The tables and what steps make of them."""
    relations = dict(tables)
    for name, step in steps:
        relations[name] = result_of(step, relations, Logic())
    return relations
