"""A player that finds out what tables mean and answers questions by queries."""

import ast
import re
from collections.abc import Sequence
from typing import Any

from palaestra.generators.tools.data_questions import SUBMIT, Use
from palaestra.generators.tools.database_explorer.data import Theme
from palaestra.generators.tools.database_explorer.questions import Question
from palaestra.generators.tools.database_explorer.tables import (
    DELETED,
    DOCUMENTATION,
    documentation,
)

_CREATE = re.compile(r"CREATE TABLE (\w+) \((?: -- (.*))?", re.ASCII)
_COLUMN = re.compile(r"  (\w+) \w+,?(?: -- (.*))?", re.ASCII)
_DOMAIN = re.compile(r"what it is a code of \((.*)\)", re.ASCII)

ALIVE = ("{} = 0", "{} = 'Y'", "{} IS NULL")
"""The conditions that a row is not deleted, for each way to mark it."""

Row = Sequence[Any]


def _rows(result: str) -> list[Row]:
    """The rows of a result. Texts with the separator of columns do not occur."""
    return [[_value(cell) for cell in line.split(" | ")] for line in result.splitlines()[1:]]


def _value(text: str) -> Any:
    return None if text == "NULL" else ast.literal_eval(text)


class Client:
    """Knows the documentation and the questions, and calls tools.

    ``columns`` has the name of each column, and the table's own under no name, by what the table
    and the column are about.
    """

    def __init__(self, use: Use, theme: Theme) -> None:
        self.use, self.theme = use, theme
        self.columns: dict[str, dict[str, str]] = {}
        self.alive: dict[str, str] = {}
        self.domains: dict[str, str] = {}

    def answer(self, questions: tuple[Question, ...]) -> None:
        """Find the answers out and submit them."""
        self.explore()
        for number, question in enumerate(questions, 1):
            rows = _rows(self.use("run_query", sql=self.query(question)))
            text = ", ".join(str(row[0]) for row in rows)
            self.use(SUBMIT, question=number, answer=text)

    def explore(self) -> None:
        """Find out what each table and column is about."""
        texts: dict[str, dict[str, str]] = {}
        for line in self.use("list_tables").splitlines():
            name = line.partition(":")[0]
            head, *columns = self.use("describe_table", table=name).splitlines()
            table = _CREATE.fullmatch(head)
            assert table
            texts[name] = {"": table[2] or ""}
            for match in map(_COLUMN.fullmatch, columns):
                if match:
                    texts[name][match[1]] = match[2] or ""
        document = next((name for name in texts if texts[name][""] == DOCUMENTATION), "")
        if document:
            self.read_documentation(document, texts)
        for name, table_texts in texts.items():
            self.understand(name, table_texts)

    def read_documentation(self, document: str, texts: dict[str, dict[str, str]]) -> None:
        """Add what the table of documentation says, page by page."""
        names = {text: name for name, text in texts[document].items()}
        table, meaning = names["table"], names["meaning"]
        column = names["column, NULL for the table itself"]
        rows, page = list[Row](), 0
        while page == 0 or len(rows) == 50 * page:
            sql = (
                f"SELECT {table}, {column}, {meaning} FROM {document} "
                f"ORDER BY rowid LIMIT 50 OFFSET {50 * page}"
            )
            rows += [row for row in _rows(self.use("run_query", sql=sql)) if len(row) == 3]
            page += 1
        for name, column_name, text in rows:
            texts[name][column_name or ""] = text

    def understand(self, name: str, texts: dict[str, str]) -> None:
        """Keep what a table is about if it is of use."""
        for owned in (True, False):
            for role, meanings in documentation(self.theme, owned).items():
                if meanings[""] != texts[""]:
                    continue
                known = {text: column for column, text in meanings.items()}
                self.columns.setdefault(role, {}).update(
                    {known[text]: column for column, text in texts.items() if text in known}
                )
                self.columns[role][""] = name
        role = next((role for role, each in self.columns.items() if each[""] == name), "")
        for column, text in texts.items():
            if role and text in DELETED:
                self.alive[role] = ALIVE[DELETED.index(text)].format(f"{role}.{column}")
            if match := _DOMAIN.fullmatch(text):
                self.columns["code"]["domain"] = column
                pairs = (each.split(": ") for each in match[1].split(", "))
                self.domains = {domain: letter for letter, domain in pairs}

    def name(self, role: str, column: str) -> str:
        """A column of a table as a query names it."""
        return f"{role}.{self.columns[role][column]}"

    def query(self, question: Question) -> str:
        """The query that answers a question."""
        owned = "owner" in self.columns
        head = "region" if not owned else "owner"
        tables = [f"{self.columns[role]['']} {role}" for role in ("party", "item", "unit")]
        conditions = [
            f"r.party = upper(trim({self.name('party', 'key')}))",
            f"r.item = {self.name('item', 'number')}",
            f"r.unit = {self.name('unit', 'code')}",
            *(self.alive[role] for role in ("party", "item")),
        ]
        if owned:
            tables.append(f"{self.columns['owner']['']} owner")
            conditions += [
                f"{self.name('party', head)} = {self.name('owner', 'number')}",
                self.alive["owner"],
            ]
        region = self.name("owner" if owned else "party", "region")
        wanted = {
            "region": (region, question.region),
            "group": (self.name("item", "group"), question.group),
            "status": ("r.status", question.status),
        }
        conditions += [
            f"CAST({column} AS TEXT) = {self.code(domain, meaning)}"
            for domain, (column, meaning) in wanted.items()
            if meaning
        ]
        if question.start:
            conditions.append(f"r.day BETWEEN '{question.start}' AND '{question.end}'")
        amount = f"r.amount * {self.name('unit', 'factor')}"
        return (
            f"WITH r AS ({self.records()}) SELECT {self.output(question, amount)[0]} "
            f"FROM r, {', '.join(tables)} WHERE {' AND '.join(conditions)}"
            f"{self.output(question, amount)[1]}"
        )

    def output(self, question: Question, amount: str) -> tuple[str, str]:
        """What a query selects, and what stands behind its conditions."""
        columns = self.columns["unit"]
        factor = (
            f"(SELECT {columns['factor']} FROM {columns['']} "
            f"WHERE {columns['name']} = '{question.unit}')"
        )
        party, item = self.name("party", "name"), self.name("item", "name")
        return {
            "total": (f"SUM({amount}) * 1.0 / {factor}", ""),
            "mean": (f"AVG({amount}) / {factor}", ""),
            "records": ("COUNT(*)", ""),
            "parties": ("COUNT(DISTINCT r.party)", ""),
            "top": (party, f" GROUP BY r.party ORDER BY SUM({amount}) DESC LIMIT 1"),
            "items": (
                item,
                f" GROUP BY r.item HAVING SUM({amount}) > {question.least} * {factor} - 0.5",
            ),
        }[question.form]

    def code(self, domain: str, meaning: str) -> str:
        """A query for the code that means something."""
        columns = self.columns["code"]
        return (
            f"(SELECT CAST({columns['code']} AS TEXT) FROM {columns['']} "
            f"WHERE {columns['domain']} = '{self.domains[domain]}' "
            f"AND {columns['meaning']} = '{meaning}')"
        )

    def records(self) -> str:
        """A query for the records without irregularities."""
        columns = self.columns["record"]
        day = f"record.{columns['day']}"
        iso = (
            f"CASE WHEN {day} LIKE '%.%' "
            f"THEN substr({day}, 7) || '-' || substr({day}, 4, 2) || '-' || substr({day}, 1, 2) "
            f"WHEN {day} LIKE '%-%' THEN {day} "
            f"ELSE substr({day}, 1, 4) || '-' || substr({day}, 5, 2) || '-' || substr({day}, 7) END"
        )
        plain = [
            f"record.{columns[name]} AS {name}" for name in ("item", "amount", "unit", "status")
        ]
        return (
            f"SELECT DISTINCT upper(trim(record.{columns['party']})) AS party, {iso} AS day, "
            f"{', '.join(plain)} FROM {columns['']} record WHERE {self.alive['record']}"
        )
