"""Random workbooks, and requests about them that can be fulfilled."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.tools.spreadsheet_desk.formulas import Formula, letter
from palaestra.generators.tools.spreadsheet_desk.requests import (
    Action,
    Condition,
    Layout,
    Operator,
    Request,
    Table,
    fulfil,
)
from palaestra.generators.tools.spreadsheet_desk.themes import THEMES, Theme
from palaestra.generators.tools.spreadsheet_desk.workbook import Content, Inputs, Sheet, Workbook
from palaestra.generators.tools.spreadsheet_desk.world import are_alike, fingerprints

TRIES = 60
"""How many requests of an action are drawn for one that suits."""

MOST_ROWS = 4
"""How many rows a request changes, moves or deletes at most."""

TEXTS = 5
"""How many texts a column of codes has at most."""

RANDOM_TEXTS = 2
"""How many scenarios have random texts in each row."""

HIGH, LOW = 1e6, 1e-4
"""Numbers that make a row the largest or the smallest one in every computed column."""

HIGH_ITEM, LOW_ITEM = 2, 4
"""The numbers of the items that only the row with the largest and that with the smallest numbers
have, where other rows have the first item. The item after each of these has the same rate, as the
faults of the column with rates make a formula use the rate after the right one.
"""

SURNAMES = ("Abbot", "Brandt", "Costa", "Dahl", "Egger", "Fox", "Grant", "Haas", "Ito", "Jansen")

FORMULA_ACTIONS: tuple[Action, ...] = ("repair", "total", "column", "insert")
"""The actions that need a formula, of which every task has one."""

OTHER_ACTIONS: tuple[Action, ...] = ("set", "move", "delete", "sort")

REVERSIBLE: tuple[Action, ...] = ("set", "delete", "sort")
"""The actions whose changes a later request may make needless: the same cells are set once more,
rows are deleted by other conditions, or sorted by another column. Nothing overwrites or deletes
what the others change.
"""


class Settings(NamedTuple):
    """How large a workbook is and how hard the requests are."""

    sheets: int
    rows: int
    formulas: int
    """1 if rates are numbers, 2 if they are looked up, 3 with a column that depends on another."""
    conditions: int
    requests: int
    faults: int
    """How many wrong formulas there are that no request is about."""


class Draft(NamedTuple):
    """A workbook at the start, requests about it, and the workbook when they are fulfilled."""

    sheets: tuple[Sheet, ...]
    layout: Layout
    requests: tuple[Request, ...]


def random_draft(rng: Random, settings: Settings) -> Draft | None:
    """A workbook with requests, or None where some request does not come about."""
    return _Drawing(rng, settings).draft()


def pattern_of(book: Workbook, layout: Layout, request: Request) -> Formula | None:
    """The formula that most rows have in the column of a repair."""
    if request.action != "repair":
        return None
    table = Table(book, layout, request.sheet)
    contents = [table.content(row, request.column) for row in table.rows]
    formulas = Counter(each for each in contents if isinstance(each, Formula))
    return formulas.most_common(1)[0][0]


def _is_usual(table: Table, row: int) -> bool:
    """Whether every column with formulas has in a row the formula that it has in most rows."""
    for column in table.columns:
        contents = [table.content(each, column) for each in table.rows]
        formulas = Counter(each for each in contents if isinstance(each, Formula))
        if formulas and table.content(row, column) != formulas.most_common(1)[0][0]:
            return False
    return True


class _Drawing:
    """Draws a workbook and requests, which it fulfils one after the other."""

    def __init__(self, rng: Random, settings: Settings) -> None:
        self.rng, self.settings = rng, settings
        self.theme: Theme = rng.choice(THEMES)
        self.roles = self._roles()
        names = tuple(rng.sample(self.theme.sheets, settings.sheets))
        header_row = rng.choice((1, 1, 3)) if settings.sheets > 1 else 1
        self.layout = Layout(
            tuple(self.roles.values()),
            header_row,
            rng.choice((1, 1, 2)) if settings.sheets > 1 else 1,
            (*names, self.theme.archive),
            self.theme.rates,
            "Summary",
        )
        self.people = self._people()
        self.items = tuple(rng.sample(self.theme.items, min(8, 4 + settings.formulas)))
        self.keys = sorted(rng.sample(range(100, 1000), 60 + settings.sheets * settings.rows))
        self.labels: list[str] = []
        self.used: set[tuple[str, str]] = set()
        self.kept: set[str] = set()
        """The keys of rows that no request deletes, because another one would be needless then."""
        self.totalled: set[str] = set()
        """The sheets of totals. Their first and last rows stay, because a formula that leaves them
        out would have the right rows in the end.
        """

    def _roles(self) -> dict[str, str]:
        """The header of each role, in the order of the columns."""
        roles = ["person", "category", "status", "quantity", "rate", "amount", "charge", "tier"]
        if self.settings.formulas > 1:
            roles.append("item")
        if self.settings.formulas > 2:
            roles.append("gross")
        self.rng.shuffle(roles)
        return {role: self.rng.choice(self.theme.headers[role]) for role in ("key", *roles)}

    def _people(self) -> list[str]:
        surnames = self.rng.sample(SURNAMES, 5)
        first = self.rng.sample([*NAMES, *MORE_NAMES], 6 + self.settings.rows // 3)
        return [f"{name} {self.rng.choice(surnames)}" for name in first]

    # -------------------------------------------------------------- workbook

    def patterns(self, row: int) -> dict[str, str]:
        """The formulas of a row by role."""
        layout = self.layout
        cells = {
            role: f"{letter(layout.first_column + n)}{row}" for n, role in enumerate(self.roles)
        }
        patterns = {"amount": f"={cells['quantity']}*{cells['rate']}"}
        if self.settings.formulas > 1:
            last = len(self.items) + 1
            patterns["rate"] = (
                f"=XLOOKUP({cells['item']}, {layout.rates}!$A$2:$A${last}, "
                f"{layout.rates}!$B$2:$B${last})"
            )
        if self.settings.formulas > 2:
            patterns["gross"] = (
                f"=IF({cells['quantity']}>=Summary!$B$2, {cells['amount']}*0.9, "
                f"{cells['amount']})+{cells['charge']}"
            )
        return patterns

    def literals(self) -> dict[str, str]:
        """Random values of a row by role, without the key."""
        rng, theme = self.rng, self.theme
        values = {
            "person": rng.choice(self.people),
            "category": rng.choice(theme.categories),
            "status": rng.choice(theme.states),
            "quantity": str(rng.randint(1, 60)),
            "rate": str(rng.randint(3, 90)),
            "charge": str(rng.randint(2, 40)),
            "tier": rng.choice(theme.tiers),
            "item": rng.choice(self.items),
        }
        return {role: values[role] for role in self.roles if role in values}

    def row(self, key: int) -> list[str]:
        """The texts of a row, in which a formula is a number."""
        formulas = {role: f"={n}" for n, role in enumerate(self.patterns(1))}
        values = {"key": self.key_text(key), **self.literals(), **formulas}
        return [values[role] for role in self.roles]

    def key_text(self, key: int) -> str:
        """A key with its prefix."""
        return f"{self.theme.prefix}-{key}"

    def table(self, name: str, rows: int) -> Sheet:
        """A sheet with a table, below a title where there is room for it."""
        layout = self.layout
        blank = [""] * (layout.first_column - 1)
        lines: list[list[str]] = [[] for _ in range(layout.header_row - 1)]
        if lines:
            lines[0] = [f"{self.theme.title} {name}"]
        lines.append([*blank, *layout.columns])
        chosen = sorted(self.rng.sample(range(len(self.keys)), rows))
        keys = [self.keys[n] for n in chosen]
        for n in reversed(chosen):
            del self.keys[n]
        first = len(lines) + 1
        lines += [[*blank, *self.row(key)] for key in keys]
        return Sheet(name, tuple(map(tuple, lines)), self._formulas(first))

    def _formulas(self, row: int) -> tuple[tuple[str, int, int], ...]:
        """The formulas of a table, as they are in a row."""
        first, order = self.layout.first_column, [*self.roles]
        return tuple(
            (text, row, first + order.index(role)) for role, text in self.patterns(row).items()
        )

    def sheets(self) -> list[Sheet]:
        """All sheets at the start, before faults."""
        low = max(7, self.settings.rows * 3 // 4)
        tables = [
            self.table(name, self.rng.randint(low, max(low, self.settings.rows)))
            for name in self.layout.tables[:-1]
        ]
        archive = self.table(self.theme.archive, self.rng.randint(2, 5))
        summary = self._summary(tables)
        if self.settings.formulas == 1:
            return [*tables, archive, summary]
        header = ("item", "rate")
        lines = [tuple(self.roles[role] for role in header)]
        lines += [(item, str(self.rng.randint(3, 90))) for item in self.items]
        return [*tables, archive, Sheet(self.layout.rates, tuple(lines)), summary]

    def _summary(self, tables: Sequence[Sheet]) -> Sheet:
        """The summary: a limit, totals that exist, and labels with empty cells beside them."""
        amount = letter(self.layout.first_column + [*self.roles].index("amount"))
        lines: list[tuple[str, ...]] = [("Figure", "Value")]
        lines.append(("Limit", str(self.rng.randint(15, 45))))
        first = self.layout.header_row + 1
        formulas: list[tuple[str, int, int]] = []
        for n, sheet in enumerate(tables):
            cells = f"{sheet.name}!{amount}{first}:{amount}{len(sheet.rows)}"
            lines.append((f"{self.roles['amount']} {sheet.name}", f"={n}"))
            formulas.append((f"=SUM({cells})", len(lines), 2))
        numbers = self.rng.sample(range(10, 100), 4 + self.settings.requests)
        self.labels = [f"Figure {number}" for number in numbers]
        lines += [(label, "") for label in self.labels]
        self.rng.shuffle(self.labels)
        return Sheet("Summary", tuple(lines), tuple(formulas))

    # -------------------------------------------------------------- requests

    def draft(self) -> Draft | None:
        """A workbook with requests; those for repairs come first."""
        sheets = self.sheets()
        actions = self._actions()
        requests: list[Request] = []
        for _ in range(actions.count("repair")):
            repair = self._repair()
            sheets = self._with_fault(sheets, repair.sheet, repair.column, True)
            requests.append(repair)
        pairs = self.settings.sheets * self.settings.formulas
        for _ in range(min(self.settings.faults, pairs - len(requests))):
            other = self._repair()
            sheets = self._with_fault(sheets, other.sheet, other.column, False)
        start = Workbook.of(sheets)
        book = start.copy()
        for request in requests:
            fulfil(book, self.layout, request, pattern_of(book, self.layout, request))
        if len(fingerprints(start, book)) < len(requests):
            return None
        others = self._others(book, [each for each in actions if each != "repair"])
        if others is None:
            return None
        return Draft(tuple(sheets), self.layout, (*requests, *others))

    def _others(self, book: Workbook, actions: Sequence[Action]) -> list[Request] | None:
        """Requests besides the repairs, which are fulfilled; None where one does not come about or
        is needless.
        """
        requests: list[Request] = []
        before: list[Workbook] = []
        for action in actions:
            new = self._suitable(book, action)
            if new is None:
                return None
            before.append(Workbook(book.sheets))
            fulfil(book, self.layout, new, None)
            requests.append(new)
        is_needless = any(
            self._is_needless(before[n], requests[n + 1 :], book)
            for n, request in enumerate(requests)
            if request.action in REVERSIBLE
        )
        return None if is_needless else requests

    def _is_needless(self, book: Workbook, later: Sequence[Request], final: Workbook) -> bool:
        """Whether later requests alone lead from a workbook, which changes, to the final one."""
        try:
            for request in later:
                fulfil(book, self.layout, request, None)
        except LookupError:
            return False
        return are_alike(final, book)

    def _actions(self) -> list[Action]:
        """What the requests are to do; at least one of them needs a formula."""
        rng = self.rng
        actions = [rng.choice(FORMULA_ACTIONS)]
        while len(actions) < self.settings.requests:
            actions.append(rng.choice((*FORMULA_ACTIONS, *OTHER_ACTIONS)))
        pairs = self.settings.sheets * self.settings.formulas
        repairs = min(actions.count("repair"), pairs)
        others: list[Action] = [each for each in actions if each != "repair"]
        others += ["total"] * (len(actions) - repairs - len(others))
        rng.shuffle(others)
        first: list[Action] = ["repair"] * repairs
        return [*first, *others]

    def _repair(self) -> Request:
        """A repair of a column of a sheet that has none yet."""
        pairs = [
            (sheet, self.roles[role])
            for sheet in self.layout.tables[:-1]
            for role in self.patterns(1)
            if (sheet, self.roles[role]) not in self.used
        ]
        sheet, column = self.rng.choice(pairs)
        self.used.add((sheet, column))
        return Request("repair", sheet, column)

    def _with_fault(
        self, sheets: Sequence[Sheet], name: str, header: str, is_any: bool
    ) -> list[Sheet]:
        """The sheets with a wrong formula in a column, which may refer to another row if any may
        be wrong.
        """
        number = next(n for n, sheet in enumerate(sheets) if sheet.name == name)
        sheet, order = sheets[number], [*self.roles.values()]
        rows, formulas = list(sheet.rows), sheet.formulas
        at = self.rng.randrange(self.layout.header_row + 2, len(rows) - 1)
        role = [*self.roles][order.index(header)]
        faults = list(self._faults(role, at + 1))
        text = self.rng.choice(faults if is_any else faults[:2])
        column = self.layout.first_column - 1 + order.index(header)
        if text.startswith("="):
            formulas = (*formulas, (text, at + 1, column + 1))
            text = f"={len(formulas) - 1}"
        rows[at] = (*rows[at][:column], text, *rows[at][column + 1 :])
        self.kept.add(rows[at][self.layout.first_column - 1])
        changed = list(sheets)
        changed[number] = Sheet(name, tuple(rows), formulas)
        return changed

    def _faults(self, role: str, row: int) -> Iterator[str]:
        """Wrong contents in the place of a formula: a number, one of another sign or with values
        that begin a row too late, and one of a row next to it. None of them gives an error, which
        would hide in totals whether these have the right rows.
        """
        text = self.patterns(row)[role]
        yield str(self.rng.randint(20, 900))
        if "*" in text:
            yield text.replace("*", "+", 1)
        else:
            last = len(self.items) + 1
            yield text.replace(f"$B$2:$B${last}", f"$B$3:$B${last + 1}")
        yield self.patterns(row + self.rng.choice((1, -1)))[role]

    def _suitable(self, book: Workbook, action: Action) -> Request | None:
        for _ in range(TRIES):
            request = self._request(book, action)
            if request is not None:
                return request
        return None

    def _request(self, book: Workbook, action: Action) -> Request | None:
        sheet = self.rng.choice(self.layout.tables[:-1])
        table = Table(book, self.layout, sheet)
        if action == "total":
            return self._total(table)
        if action == "column":
            return self._column(table)
        if action == "insert":
            return self._insert(table)
        if action == "sort":
            return self._sort(table)
        return self._rows(table, action)

    def _total(self, table: Table) -> Request:
        rng, sheet = self.rng, table.sheet
        number = self.roles[rng.choice(self._numeric())]
        role = rng.choice(("category", "status"))
        sheets: tuple[str, ...] = (sheet,)
        others = [each for each in self.layout.tables[:-1] if each != sheet]
        function = rng.choice(("SUM", "AVERAGE", "MAX", "MIN", "COUNTIF", "SUMIF", "SUMIF"))
        if others and function != "AVERAGE" and rng.random() < 0.3:
            sheets = (sheet, rng.choice(others))
        conditions: tuple[Condition, ...] = ()
        if function in ("COUNTIF", "SUMIF"):
            value = table.value(rng.choice(table.rows), self.roles[role])
            conditions = (Condition(self.roles[role], "is", value),)
        self.totalled |= {*sheets}
        return Request(
            "total",
            sheet,
            number,
            conditions,
            label=self.labels.pop(),
            function=function,
            sheets=sheets,
        )

    def _numeric(self) -> list[str]:
        roles = ("quantity", "charge", "amount", "gross", "rate")
        return [role for role in roles if role in self.roles]

    def _column(self, table: Table) -> Request | None:
        rng = self.rng
        if ("column", table.sheet) in self.used:
            return None
        header = rng.choice([each for each in self.theme.more if each not in table.columns])
        first, second = (self.roles[role] for role in rng.sample(self._numeric(), 2))
        self.used.add(("column", table.sheet))
        if rng.random() < 0.4:
            values = [table.raw(row, first) for row in table.rows]
            numbers = sorted(each for each in values if isinstance(each, float))
            limit = str(int(numbers[len(numbers) // 2]) + 1)
            words = rng.choice(("large/small", "high/low", "yes/no", "check/fine"))
            request = Request("column", table.sheet, header, function="IF", value=words)
            return request._replace(operands=(first, limit))
        sign = rng.choice("+-*")
        return Request("column", table.sheet, header, function=sign, operands=(first, second))

    def _insert(self, table: Table) -> Request | None:
        """A new row; the one above it has the formulas of all rows, so that it may be copied."""
        above = self.rng.choice(table.rows[:-1])
        if not _is_usual(table, above):
            return None
        key = self.keys.pop(self.rng.randrange(len(self.keys)))
        self.kept.add(self.key_text(key))
        formulas = self.patterns(1)
        values = {role: text for role, text in self.literals().items() if role not in formulas}
        row = [(self.roles["key"], self.key_text(key))]
        row += [(self.roles[role], text) for role, text in values.items()]
        name = table.value(above, self.roles["key"])
        return Request("insert", table.sheet, key=name, row=tuple(row))

    def _sort(self, table: Table) -> Request | None:
        column = self.roles[self.rng.choice(("key", "person", "quantity", "charge", "amount"))]
        values = [table.value(row, column) for row in table.rows]
        descending = self.rng.random() < 0.5
        request = Request("sort", table.sheet, column, descending=descending)
        is_sorted = values in (sorted(values), sorted(values, reverse=True))
        is_sorted = is_sorted and column == self.roles["key"] and values == sorted(values)
        return None if is_sorted is not descending and is_sorted else request

    def _rows(self, table: Table, action: Action) -> Request | None:
        sheet = table.sheet
        target = self.layout.tables[-1] if action == "move" else ""
        if action == "move" and ("column", sheet) in self.used:
            return None
        column, value = self._new_value() if action == "set" else ("", "")
        done = {row for row in table.rows if column and table.value(row, column) == value}
        conditions = self._conditions(table, [row for row in table.rows if row not in done])
        rows = table.matching(conditions)
        if not conditions or len(table.rows) - len(rows) < 5:
            return None
        if action == "delete" and self._keeps(table, rows):
            return None
        ends = {table.rows[0], table.rows[-1]}
        if action != "set" and sheet in self.totalled and not ends.isdisjoint(rows):
            return None
        return Request(action, sheet, column, conditions, value, target=target)

    def _new_value(self) -> tuple[str, str]:
        """The header of a column, and a value that rows are to have there."""
        role = self.rng.choice(("tier", "status", "quantity", "charge"))
        pool = {"tier": self.theme.tiers, "status": self.theme.states}
        value = self.rng.choice(pool[role]) if role in pool else str(self.rng.randint(1, 60))
        return self.roles[role], value

    def _keeps(self, table: Table, rows: Sequence[int]) -> bool:
        """Whether one of these rows must stay."""
        return any(table.value(row, self.roles["key"]) in self.kept for row in rows)

    def _conditions(self, table: Table, rows: Sequence[int]) -> tuple[Condition, ...]:
        """Conditions that one to :data:`MOST_ROWS` rows meet, each of which rules out another one
        of these rows; none if there are no such conditions.
        """
        known = self._known_conditions(table, self.rng.choice(table.rows))
        meeting = {
            each: {row for row in rows if each.fits(table.value(row, each.column))}
            for each in known
        }
        groups = [*combinations(known, self.settings.conditions)]
        self.rng.shuffle(groups)
        for group in groups:
            number = len(_common(rows, [meeting[each] for each in group]))
            fewer = combinations(group, len(group) - 1)
            if 1 <= number <= MOST_ROWS and all(
                len(_common(rows, [meeting[each] for each in some])) > number for some in fewer
            ):
                return tuple(self.rng.sample(group, len(group)))
        return ()

    def _known_conditions(self, table: Table, row: int) -> list[Condition]:
        """Conditions that a row meets, one for each column that may have one."""
        rng = self.rng
        words = ["person", "category", "status", *(["item"] if "item" in self.roles else [])]
        conditions: list[Condition] = []
        for role in (*words, *self._numeric()):
            column = self.roles[role]
            value = table.value(row, column)
            if role in words:
                conditions.append(Condition(column, "is", value))
            elif value.replace(".", "", 1).replace("-", "", 1).isdecimal():
                high = rng.random() < 0.5
                limit = int(float(value)) + (0 if high else 1 + rng.randint(0, 3))
                limit -= rng.randint(0, 3) if high else 0
                operator: Operator = "at least" if high else "less than"
                conditions.append(Condition(column, operator, str(max(0, limit))))
        return conditions


def _common(rows: Sequence[int], sets: Sequence[set[int]]) -> set[int]:
    """The rows that are in all sets."""
    return {*rows}.intersection(*sets)


class _Case(NamedTuple):
    """What the inputs of a scenario are; without any of this, they are random."""

    text: int | None = None
    """The number of the text that all rows have in each column of texts."""
    number: float | None = None
    """The number that all cells with numbers have."""
    rate: float | None = None
    """The number that all cells of the sheet with rates have."""
    high: tuple[str, int] | None = None
    """The sheet and the row with the largest numbers."""
    low: tuple[str, int] | None = None
    """The sheet and the row with the smallest numbers."""


def scenarios(
    seed: int, book: Workbook, layout: Layout, requests: Sequence[Request]
) -> list[Inputs]:
    """Other inputs for a workbook.

    Where a total is a largest or a smallest number, each row has it in one of them, so that a
    formula over fewer rows is noticed. All rows meet the condition of a total in one of them. The
    limit of a new column is the value of a column in one of them, so that ``>`` in the place of
    ``>=`` is noticed; what is computed of rates has it by the rates 1 and 0.
    """
    inputs = _Scenarios(book, layout, requests)
    return [
        inputs.sampled(Random(f"{seed} {number}"), case)
        for number, case in enumerate(inputs.cases())
    ]


class _Scenarios:
    """Draws other inputs for a workbook."""

    def __init__(self, book: Workbook, layout: Layout, requests: Sequence[Request]) -> None:
        self.book, self.layout, self.requests = book, layout, requests
        rates = book.sheets.get(layout.rates, {})
        self.items = [
            text for (row, column), text in sorted(rates.items())
            if row > 1 and column == 1 and isinstance(text, str)
        ]  # fmt: skip
        self.pools = {name: self._pools(name) for name in book.sheets}

    def cases(self) -> list[_Case]:
        """What the scenarios are about."""
        cases = [_Case()] * RANDOM_TEXTS
        cases += [_Case(text) for text in range(max(TEXTS, len(self.items)))]
        cases += [_Case(0, HIGH, HIGH), _Case(1, LOW, LOW)]
        limits = [float(each.operands[1]) for each in self.requests if each.function == "IF"]
        cases += [_Case(2, limit, rate) for limit in limits for rate in (1.0, 0.0, limit)]
        rows = self._rows()
        following = [*rows[1:], *rows[:1]]
        cases += [
            _Case(n, high=one, low=other) for n, (one, other) in enumerate(zip(rows, following))
        ]
        return cases

    def _rows(self) -> list[tuple[str, int]]:
        """The rows of the sheets whose largest or smallest number is requested."""
        extremes = [each for each in self.requests if each.function in ("MAX", "MIN")]
        sheets = dict.fromkeys(sheet for each in extremes for sheet in each.sheets)
        first = self.layout.header_row + 1
        return [
            (name, row) for name in sheets for row in range(first, self.book.last_row(name) + 1)
        ]

    def _inner(self, name: str) -> list[tuple[tuple[int, int], Content]]:
        """The cells of a sheet besides titles, headers, keys and labels, which stay."""
        layout = self.layout
        is_table = name in layout.tables
        top, key = (layout.header_row, layout.first_column) if is_table else (1, 1)
        cells = self.book.sheets[name].items()
        return [each for each in cells if each[0][0] > top and each[0][1] > key]

    def _pools(self, name: str) -> dict[int, list[str]]:
        """The texts that the columns of a sheet may have: those that they have, those that a total
        is about, and all items where there are some.
        """
        pools: dict[int, set[str]] = {}
        for (_, column), content in self._inner(name):
            if type(content) is str:
                pools.setdefault(column, set()).add(content)
        first, columns = self.layout.first_column, self.layout.columns
        for request in self.requests:
            for each in request.conditions if name in request.sheets else ():
                pools.setdefault(first + columns.index(each.column), set()).add(each.value)
        items = {*self.items}
        return {
            column: self.items if pool <= items else sorted(pool) for column, pool in pools.items()
        }

    def sampled(self, rng: Random, case: _Case) -> Inputs:
        """The inputs of a scenario, with random numbers where the case has none."""
        inputs = dict[str, dict[tuple[int, int], Content]]()
        for name in self.book.sheets:
            own = inputs[name] = {}
            for (row, column), content in self._inner(name):
                if type(content) is str:
                    own[row, column] = self._text(rng, case, name, row, column)
                elif type(content) is float:
                    common = float(1 + int(rng.random() * (2 * abs(content) + 10)))
                    own[row, column] = self._number(case, name, row, common)
        return inputs

    def _text(self, rng: Random, case: _Case, name: str, row: int, column: int) -> str:
        """The text of a cell. The rows with the largest and the smallest numbers have items of
        their own, so that their rates are the largest and the smallest ones.
        """
        pool = self.pools[name][column]
        if case.text is None:
            return pool[int(rng.random() * len(pool))]
        if case.high and pool is self.items:
            own = {case.high: HIGH_ITEM, case.low: LOW_ITEM}
            return pool[own.get((name, row), 0)]
        return pool[case.text % len(pool)]

    def _number(self, case: _Case, name: str, row: int, common: float) -> float:
        """The number of a cell, which may be a ``common`` one."""
        if name == self.layout.rates:
            if case.rate is None and case.high:
                return {HIGH_ITEM: HIGH, LOW_ITEM: LOW}.get((row - 2) // 2 * 2, common)
            return common if case.rate is None else case.rate
        if case.number is not None:
            return case.number
        return HIGH if (name, row) == case.high else LOW if (name, row) == case.low else common
