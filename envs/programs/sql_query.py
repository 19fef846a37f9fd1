"""Writing SQL, the language of D. Chamberlin and R. Boyce, "SEQUEL" (1974), from questions."""

import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import Self

from palaestra.generators.programs.sql_query import (
    Question,
    Theme,
    database,
    databases,
    random_question,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.sql.results import SqlResult


class SqlQuery(Puzzle):
    """Write the SQL query that answers a question, for databases that are not shown."""

    version = 2
    tags = {"sandboxed", "code", "sql", "databases"}
    answer_type = "code"
    hidden = {"seed"}
    expensive = True

    class Knobs(Puzzle.Knobs):
        depth: int = ladder(1, 2, 3, 4, 5, 6)  # of the query
        rows: int = ladder(9, 9, 12, 13, 14, 15, low=8, high=20)  # of the smaller tables, about

    theme: Theme
    question: Question
    rows: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        theme, question = random_question(rng, knobs.depth)
        return cls(theme=theme, question=question, rows=knobs.rows, seed=rng.randrange(2**32))

    def is_valid(self) -> bool:
        """Some databases tell the query from all that are nearly the same."""
        return bool(databases(self.question.query, self.theme, self.rows, self.seed))

    def canonical(self) -> str:
        return self.question.query

    def prompt(self) -> str:
        t = self.theme
        shown = self.phrase(
            "A SQLite database has these tables:", "These are the tables of a SQLite database:"
        )
        ask = self.phrase("Write one query that finds this:", "Give one SQL query for this:")
        return (
            f"{shown}\n\n{t.schema()}\n\nEvery {t.one_link} belongs to one {t.one_who} and one "
            f"{t.one_what}: {t.links}.{t.one_who}_id is an id in {t.who}, and "
            f"{t.links}.{t.one_what}_id an id in {t.what}. Names may occur several times, and "
            f"there may be {t.who} and {t.what} without any {t.one_link}. Only "
            f"{t.who}.{t.who_number} and {t.links}.{t.link_number} may be NULL, which means that "
            "the number is unknown. An unknown number is neither greater than another number nor "
            "at most as large. Totals, averages, largest and smallest values are those of the "
            "known numbers, and NULL if no number is known, unless stated otherwise.\n\n"
            f"{ask} {self.question.text}.\n\nReturn the columns in the order in which they are "
            "named here; their names do not matter. The order of the rows matters only if the "
            "question states one, and no row may be repeated unless that follows from the "
            "question. The query is run on several databases. Answer with the query alone, such as "
            f"'SELECT COUNT(*) FROM {t.links}'."
        )

    def answer(self) -> str:
        return self.question.query

    def verify(self, answer: str) -> Score:
        scripts = databases(self.question.query, self.theme, self.rows, self.seed)
        return SqlResult(self.question.query, scripts)(answer)

    def audit(self, answer: str) -> bool:
        """Whether it finds the right rows in other and larger databases."""
        rng = Random(self.question.query)
        scripts = tuple(database(rng, self.theme, self.rows + 6) for _ in range(10))
        return SqlResult(self.question.query, scripts)(answer).correct

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who count or list the rows of the table that the question names first, all of
        them or those with the first text that it quotes.
        """
        t, text = self.theme, self.question.text
        named = {t.one_who: (t.who, "a"), t.one_what: (t.what, "b"), t.one_link: (t.links, "l")}
        table, short = named[min((word for word in named if word in text), key=text.find)]
        joined = (
            f"FROM {t.links} l JOIN {t.who} a ON a.id = l.{t.one_who}_id "
            f"JOIN {t.what} b ON b.id = l.{t.one_what}_id"
        )
        quoted = re.search(r"(\w+) ('\w+')", text)
        column = {t.who_text: f"a.{t.who_text}", t.what_text: f"b.{t.what_text}"}
        condition = (
            f" WHERE {column[quoted[1]]} = {quoted[2]}" if quoted and quoted[1] in column else ""
        )
        return {
            "number of rows": f"SELECT COUNT(*) FROM {table}",
            "all ids": f"SELECT id FROM {table}",
            "number of joined rows": f"SELECT COUNT(*) {joined}{condition}",
            "ids of joined rows": f"SELECT DISTINCT {short}.id {joined}{condition}",
            "joined rows by id": (
                f"SELECT {short}.id, COUNT(*) {joined}{condition} GROUP BY {short}.id"
            ),
        }

    def difficulty(self) -> float:
        """The words and signs of the query."""
        return float(len(self.question.query.replace("(", " ").split()))

    def shortcuts(self) -> Iterable[str]:
        t = self.theme
        for table in (t.who, t.what, t.links):
            yield f"SELECT id FROM {table}"
            yield f"SELECT id, name FROM {table}"
            yield f"SELECT * FROM {table}"
