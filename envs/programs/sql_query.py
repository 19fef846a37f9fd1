"""Writing SQL, the language of D. Chamberlin and R. Boyce, "SEQUEL" (1974), from questions."""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.sql_questions import (
    Question,
    Theme,
    asked,
    database,
    is_told_apart,
)
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.sql_results import SqlResult

DATABASES = 4
"""On so many databases a query is judged."""


@lru_cache(maxsize=64)
def databases(theme: Theme, rows: int, seed: int) -> tuple[str, ...]:
    """Databases that a seed makes."""
    rng = Random(f"{seed}")
    return tuple(database(rng, theme, rows) for _ in range(DATABASES))


class SqlQuery(Puzzle):
    """Write the SQL query that answers a question, for databases that are not shown."""

    tags = {"sandboxed", "code", "sql", "databases"}
    hidden = {"seed"}
    heavy = True

    class Knobs(Puzzle.Knobs):
        depth: int = ladder(1, 2, 3, 4, 5, 6)  # of the query
        rows: int = ladder(9, 9, 12, 13, 14, 15, low=8, high=20)  # of the smaller tables, about

    theme: Theme
    question: Question
    rows: int
    seed: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        theme, question = asked(rng, knobs.depth)
        return cls(theme=theme, question=question, rows=knobs.rows, seed=rng.randrange(2**32))

    def fair(self) -> bool:
        return is_told_apart(self.question.query, databases(self.theme, self.rows, self.seed))

    def canonical(self) -> str:
        return self.question.query

    def prompt(self) -> str:
        t = self.theme
        shown = self.phrase(
            "A SQLite database has these tables:", "The tables of a database in SQLite are:"
        )
        ask = self.phrase("Write one query that finds", "Give one SQL query whose result is")
        return (
            f"{shown}\n\n{t.schema()}\n\nEvery {t.one_link} belongs to one {t.one_who} and one "
            f"{t.one_what}: {t.links}.{t.one_who}_id is an id in {t.who}, and "
            f"{t.links}.{t.one_what}_id an id in {t.what}. Names may occur several times, and "
            f"there may be {t.who} and {t.what} without any {t.one_link}. No value is NULL.\n\n"
            f"{ask} {self.question.told}.\n\nThe columns come in the order in which they are named "
            "here; their names do not matter. The order of the rows matters only if one is asked "
            "for, and no row is repeated unless that follows from the question. The query is tried "
            "on several databases. Answer with the query alone, such as "
            f"'SELECT COUNT(*) FROM {t.links}'."
        )

    def answer(self) -> str:
        return self.question.query

    def verify(self, answer: str) -> Score:
        scripts = databases(self.theme, self.rows, self.seed)
        return SqlResult(self.question.query, scripts)(answer)

    def audit(self, answer: str) -> bool:
        """Whether it finds the right rows in other and larger databases."""
        scripts = databases(self.theme, self.rows + 6, self.seed + 1)
        return SqlResult(self.question.query, scripts)(answer).correct

    def effort(self) -> float:
        """The words and signs of the query."""
        return float(len(self.question.query.replace("(", " ").split()))

    def lazy(self) -> Iterable[str]:
        t = self.theme
        for table in (t.who, t.what, t.links):
            yield f"SELECT id FROM {table}"
            yield f"SELECT id, name FROM {table}"
            yield f"SELECT * FROM {table}"
