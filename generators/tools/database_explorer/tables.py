"""The tables that data are put into, with their documentation."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.database_explorer.data import Data, Record, Sizes, Theme
from palaestra.generators.vocabulary import words

Cell = str | int | float | None

DOCUMENTATION = "what tables and columns mean"
"""The comment on the table with the documentation, which is always there."""

FORMATS: tuple[Callable[[date], str], ...] = (
    date.isoformat,
    lambda day: f"{day.day:02}.{day.month:02}.{day.year}",
    lambda day: f"{day.year}{day.month:02}{day.day:02}",
)
"""The formats of days, of which the first one is the usual one."""

DELETED = (
    "1 if the row is deleted, otherwise 0",
    "N if the row is deleted, Y if it is valid",
    "day of the deletion, NULL if the row is not deleted",
)
"""What marks of deletion mean."""

DOMAINS = ("region", "group", "status")

NONSENSE = (
    "settings of the printer",
    "words of the menu",
    "versions of the program",
    "colours of the screens",
    "sessions of the last week",
)
"""What tables without use are about."""


class Column(NamedTuple):
    """A column; ``text`` is its documentation."""

    name: str
    type: str
    text: str


class Table(NamedTuple):
    """A table; ``text`` is its documentation, which is in comments where ``is_commented``."""

    name: str
    text: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_commented: bool

    def statement(self) -> str:
        """The statement that creates it, with comments."""
        lines = [f"CREATE TABLE {self.name} ("]
        if self.is_commented:
            lines[0] += f" -- {self.text}"
        for number, column in enumerate(self.columns, 1):
            comma = "," if number < len(self.columns) else ""
            comment = f" -- {column.text}" if self.is_commented and column.text else ""
            lines.append(f"  {column.name} {column.type}{comma}{comment}")
        return "\n".join([*lines, ")"])

    def script(self) -> str:
        """The statements that create and fill it."""
        rows = ",\n".join(f"({', '.join(map(literal, row))})" for row in self.rows)
        return f"{self.statement()};\n" + (
            f"INSERT INTO {self.name} VALUES\n{rows};\n" if rows else ""
        )


def literal(cell: Cell) -> str:
    """A value in SQL.

    >>> literal("Ulor's "), literal(2.5), literal(None)
    ("'Ulor''s '", '2.5', 'NULL')
    """
    if cell is None:
        return "NULL"
    return "'" + cell.replace("'", "''") + "'" if isinstance(cell, str) else str(cell)


def documentation(theme: Theme, owned: bool) -> dict[str, dict[str, str]]:
    """For each table, what it and its columns mean; the table's own text is under no name.

    The texts on codes and on marks of deletion are not among them, for they differ.
    """
    owner, party, item, record, amount = theme
    belongs = {"owner": f"number of the {owner} that it belongs to"} if owned else {}
    region = {"region": "code of the region"}
    tables = {
        "party": {
            "": f"one row for each {party}",
            "key": f"key of the {party}",
            "name": f"name of the {party}",
            **(belongs or region),
        },
        "item": {
            "": f"one row for each {item}",
            "number": f"number of the {item}",
            "name": f"name of the {item}",
            "group": "code of the group",
        },
        "record": {
            "": f"one row for each {record}",
            "number": "running number",
            "party": f"key of the {party}",
            "item": f"number of the {item}",
            "day": f"day of the {record}",
            "amount": f"{amount}, in the unit of the row",
            "unit": "code of the unit",
            "status": "code of the status",
        },
        "unit": {
            "": "units",
            "code": "code of the unit",
            "name": "name of the unit",
            "factor": "how many of the smallest unit it is",
        },
        "code": {"": "codes", "code": "code", "meaning": "what the code means"},
    }
    if owned:
        tables["owner"] = {
            "": f"one row for each {owner}",
            "number": f"number of the {owner}",
            "name": f"name of the {owner}",
            **region,
        }
    return tables


def random_tables(seed: int, data: Data, sizes: Sizes) -> tuple[Table, ...]:
    """The tables of a seed, always the same, in the order of their names."""
    return tuple(sorted(_Tables(Random(f"tables {seed}"), data, sizes).all_tables()))


class _Tables:
    def __init__(self, rng: Random, data: Data, sizes: Sizes) -> None:
        self.rng, self.data, self.sizes = rng, data, sizes
        names = rng.sample(range(10, 100), 8 + sizes.decoys)
        self.names = iter([f"{rng.choice('tqx')}{number}" for number in names])
        self.documents = documentation(data.theme, sizes.owned)
        self.codes = {domain: self.random_codes(domain) for domain in DOMAINS}
        self.units = [f"{rng.choice('uvw')}{n}" for n in rng.sample(range(1, 10), len(data.units))]

    def random_codes(self, domain: str) -> list[Cell]:
        """Different codes of a domain, in one style."""
        number = len(self.meanings(domain))
        numbers = self.rng.sample(range(1, 60), number)
        letter = self.rng.choice("ABCEFGHJK")
        return [*numbers] if domain == "status" else [f"{letter}{each}" for each in numbers]

    def meanings(self, domain: str) -> Sequence[str]:
        """What the codes of a domain mean."""
        data = self.data
        return {"region": data.regions, "group": data.groups, "status": data.statuses}[domain]

    def all_tables(self) -> list[Table]:
        """All tables, with the one of documentation."""
        data, rng = self.data, self.rng
        tables = [self.code_table(), self.unit_table()]
        if data.owners:
            rows = [
                [n, each.name, self.codes["region"][each.region]]
                for n, each in enumerate(data.owners, 1)
            ]
            tables.append(self.table("owner", rows, [each.deleted for each in data.owners]))
        last = [
            each.owner + 1 if data.owners else self.codes["region"][each.region]
            for each in data.parties
        ]
        rows = [[each.key, each.name, value] for each, value in zip(data.parties, last)]
        tables.append(self.table("party", rows, [each.deleted for each in data.parties]))
        rows = [
            [n, each.name, self.codes["group"][each.group]] for n, each in enumerate(data.items, 1)
        ]
        tables.append(self.table("item", rows, [each.deleted for each in data.items]))
        tables.append(self.record_table(data.records, data.twice if "twice" in data.traps else ()))
        tables += [self.decoy(n) for n in range(self.sizes.decoys)]
        undocumented = [table for table in tables if not table.is_commented]
        if undocumented:
            rng.shuffle(undocumented)
            tables.append(self.document_table(undocumented))
        return tables

    def table(self, role: str, rows: Iterable[list[Cell]], deleted: Sequence[bool] = ()) -> Table:
        """A table with its columns behind the first one in random order, marks of deletion among
        them if there are any.
        """
        rng, texts = self.rng, [*self.documents[role].values()]
        filled = [*rows]
        if deleted:
            style = rng.randrange(len(DELETED))
            texts.append(DELETED[style])
            for row, is_deleted in zip(filled, deleted):
                row.append(self.mark(style, is_deleted))
        order = [0, *rng.sample(range(1, len(texts) - 1), len(texts) - 2)]
        numbers = rng.sample(range(1, 30), len(order))
        letter = rng.choice("cfkv")
        columns = tuple(
            Column(f"{letter}{number}", _type(filled, n), texts[n + 1])
            for n, number in zip(order, numbers)
        )
        is_commented = rng.random() * 100 >= self.sizes.documented
        cells = tuple(tuple(row[n] for n in order) for row in filled)
        return Table(next(self.names), texts[0], columns, cells, is_commented)

    def mark(self, style: int, is_deleted: bool) -> Cell:
        """A mark of deletion in one of the styles."""
        if style == 0:
            return int(is_deleted)
        if style == 1:
            return "N" if is_deleted else "Y"
        day = date(2064, self.rng.randint(1, 12), self.rng.randint(1, 28))
        return day.isoformat() if is_deleted else None

    def code_table(self) -> Table:
        """All codes of all domains in one table, with a letter for each domain."""
        letters = self.rng.sample("PQRSTU", len(DOMAINS))
        rows: list[list[Cell]] = [
            [str(code), meaning, letter]
            for letter, domain in zip(letters, DOMAINS)
            for code, meaning in zip(self.codes[domain], self.meanings(domain))
        ]
        self.rng.shuffle(rows)
        meaning = ", ".join(f"{letter}: {domain}" for letter, domain in zip(letters, DOMAINS))
        self.documents["code"]["domain"] = f"what it is a code of ({meaning})"
        return self.table("code", rows)

    def unit_table(self) -> Table:
        """The units."""
        units = zip(self.units, self.data.units)
        return self.table("unit", [[code, name, factor] for code, (name, factor) in units])

    def record_table(self, records: Sequence[Record], twice: Sequence[int]) -> Table:
        """The records in random order, some of them twice."""
        rng = self.rng
        shown = [(self.record_row(record), record.deleted) for record in records]
        shown += [([*shown[n][0]], shown[n][1]) for n in twice]
        rng.shuffle(shown)
        numbered = [[number, *row] for number, (row, _) in enumerate(shown, 1)]
        return self.table("record", numbered, [is_deleted for _, is_deleted in shown])

    def record_row(self, record: Record) -> list[Cell]:
        """A record with its irregularities."""
        draw, data = self.rng.random, self.data
        key = data.parties[record.party].key
        if "spaces" in data.traps and draw() < 0.15:
            key += " " * (1 + int(draw() * 3))
        if "case" in data.traps and draw() < 0.15:
            key = key.lower()
        irregular = "dates" in data.traps and draw() < 0.4
        style = 1 + int(draw() * 2) if irregular else 0
        day = FORMATS[style](date.fromordinal(record.day))
        amount = record.amount / data.units[record.unit][1]
        shown = int(amount) if amount.is_integer() else amount
        status = self.codes["status"][record.status]
        return [key, record.item + 1, day, shown, self.units[record.unit], status]

    def decoy(self, number: int) -> Table:
        """A table without use: the first one is an old copy of the records, with other amounts."""
        rng = self.rng
        if number == 0:
            step = 3 * max(r.amount for r in self.data.records)
            old = [r._replace(amount=step - r.amount) for r in self.data.records if r.day % 3]
            table = self.record_table(old, ())
            return table._replace(
                text=f"former copy of the {self.data.theme.record} rows, not kept"
            )
        about = NONSENSE[number % len(NONSENSE)]
        columns = tuple(
            Column(f"z{n}", each, about)
            for n, each in zip(rng.sample(range(1, 30), 3), ("INTEGER", "TEXT", "INTEGER"))
        )
        texts = words(rng, rng.randint(4, 12), 4, 8)
        rows = tuple((n, text, rng.randint(1, 500)) for n, text in enumerate(texts, 1))
        is_commented = rng.random() * 100 >= self.sizes.documented
        return Table(next(self.names), about, columns, rows, is_commented)

    def document_table(self, tables: Sequence[Table]) -> Table:
        """The documentation of tables: of each one and of its columns."""
        rows: list[tuple[Cell, ...]] = []
        for table in tables:
            rows.append((table.name, None, table.text))
            rows += [(table.name, column.name, column.text) for column in table.columns]
        names = [f"d{n}" for n in self.rng.sample(range(1, 30), 3)]
        columns = tuple(
            Column(name, "TEXT", text)
            for name, text in zip(names, ("table", "column, NULL for the table itself", "meaning"))
        )
        return Table(next(self.names), DOCUMENTATION, columns, tuple(rows), is_commented=True)


def _type(rows: Sequence[Sequence[Cell]], column: int) -> str:
    """The type of a column by its values."""
    types = {type(row[column]) for row in rows} - {type(None)}
    if types <= {int}:
        return "INTEGER"
    return "REAL" if types <= {int, float} else "TEXT"
