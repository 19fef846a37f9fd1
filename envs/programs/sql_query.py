"""Writing SQL, the language of D. Chamberlin and R. Boyce, "SEQUEL" (1974), from questions."""

from collections.abc import Iterable
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

    def difficulty(self) -> float:
        """The words and signs of the query."""
        return float(len(self.question.query.replace("(", " ").split()))

    def shortcuts(self) -> Iterable[str]:
        t = self.theme
        for table in (t.who, t.what, t.links):
            yield f"SELECT id FROM {table}"
            yield f"SELECT id, name FROM {table}"
            yield f"SELECT * FROM {table}"
