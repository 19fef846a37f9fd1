"""Answering questions from a database with unhelpful names, an original environment.

InterCode (J. Yang and others, "InterCode: Standardizing and Benchmarking Interactive Coding with
Execution Feedback", 2023) has a player explore databases by SQL queries. BIRD (J. Li and others,
"Can LLM Already Serve as A Database Interface? A BIg Bench for Large-Scale Database Grounded
Text-to-SQLs", 2023) adds dirty values and knowledge from outside, and BIRD-Interact (N. Huo and
others, "BIRD-INTERACT: Re-imagining Text-to-SQL Evaluation for Large Language Models via Lens of
Dynamic Interactions", 2025) several turns. Here the database is new with each task, and what its
tables mean has to be found out.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.tools.data_questions import (
    SUBMIT,
    DataTask,
    Form,
    Moves,
    Use,
    acting,
)
from palaestra.generators.tools.database_explorer.client import Client
from palaestra.generators.tools.database_explorer.data import Data, Sizes, Theme, random_data
from palaestra.generators.tools.database_explorer.questions import (
    ANSWERS,
    Question,
    random_questions,
)
from palaestra.generators.tools.database_explorer.tables import random_tables
from palaestra.generators.tools.database_explorer.wording import article, in_words
from palaestra.generators.tools.database_explorer.world import TOOLS, Database, World
from palaestra.generators.tools.engine import Tool, scripted
from palaestra.generators.vocabulary import plural
from palaestra.task import Policy, Task, ladder
from palaestra.toolbox import call

CONVENTIONS = """\
- What tables and columns mean is stated in comments, or in a table of the database.
- Regions, groups, statuses and units have codes; questions name what the codes mean.
- A row that is marked as deleted does not count, and neither does a row that refers to one.
- What is in the database counts by what it stands for, not by how it is written.
- {record} that was entered twice, so that rows differ in the running number alone, counts once.
- Amounts are converted into the unit that a question names. Both days of a period are included."""
"""What counts."""


class DatabaseExplorer(DataTask):
    """Answer questions from a database whose tables and columns have names that say nothing."""

    tags = {"tool-use", "sandboxed", "sql", "databases", "hidden-state"}
    expensive = True

    class Knobs(Task.Knobs):
        records: int = ladder(40, 80, 140, 220, 350, 500, 700, high=1_000)
        parties: int = ladder(6, 8, 10, 14, 20, 26, 34, high=60)
        items: int = ladder(5, 6, 8, 10, 12, 15, 18, high=40)
        codes: int = ladder(3, 3, 4, 4, 5, 6, 7, high=12)  # of regions, and of groups
        owned: int = ladder(0, 0, 0, 1, 1, 1, 1)  # whether regions are those of owners
        traps: int = ladder(0, 1, 1, 2, 3, 4, 4)  # types of irregularities
        documented: int = ladder(0, 20, 40, 60, 80, 100, 100)  # percentage of tables, in a table
        decoys: int = ladder(0, 1, 1, 2, 3, 4, 6, high=10)  # tables without use
        conditions: int = ladder(1, 2, 2, 2, 3, 3, 3)
        questions: int = ladder(1, 2, 2, 2, 2, 3, 4, high=5)
        busy: int = ladder(0, 0, 0, 3, 5, 8, 10, high=30)  # percentage of calls that fail

    sizes: Sizes
    theme: Theme
    questions: tuple[Question, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        seed = rng.getrandbits(48)
        sizes = Sizes(
            knobs.records,
            knobs.parties,
            knobs.items,
            knobs.codes,
            bool(knobs.owned),
            knobs.traps,
            knobs.documented,
            knobs.decoys,
        )
        data = _data(seed, sizes)
        pairs = random_questions(rng, data, knobs.questions, knobs.conditions)
        is_full = len(pairs) == knobs.questions
        return cls(
            seed=seed,
            sizes=sizes,
            busy=knobs.busy,
            calls=_calls(knobs),
            theme=data.theme,
            questions=tuple(question for question, _ in pairs) if is_full else (),
            answers=tuple(answer for _, answer in pairs) if is_full else (),
        )

    @classmethod
    def readers(cls) -> Sequence[Tool]:
        return TOOLS

    @property
    def forms(self) -> Sequence[Form]:
        return [ANSWERS[question.form] for question in self.questions]

    def world(self) -> World:
        return World(lambda: _database(self.seed, self.sizes), self.forms, self.seed, self.busy)

    def answer_all(self, use: Use) -> None:
        Client(use, self.theme).answer(self.questions)

    def opening(self) -> str:
        work = self.phrase(
            "Answer questions from a database whose names say nothing.",
            "There is a SQLite database with unhelpful names. Answer questions from it.",
            "You have to answer questions from a database that nobody has tidied up.",
        )
        theme = self.theme
        return (
            f"{work} It is about {plural(theme.record)}, each with {article(theme.party)} and "
            f"{article(theme.item)}."
        )

    def conventions(self) -> str:
        return CONVENTIONS.format(record=article(self.theme.record).capitalize())

    def words(self) -> Sequence[str]:
        numbered = enumerate(self.questions)
        return [in_words(self.theme, each, self.wording + 7 * n) for n, each in numbered]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, submit the same answer, or what the largest table shows first."""
        return {
            "do nothing": scripted([]),
            "answer 5": self.always("5"),
            "answer 12": self.always("12"),
            "number of rows": acting(self._rows(rng)),
            "random cells": acting(self._cells(rng)),
        }

    def _rows(self, rng: Random) -> Moves:
        """For each question the number of the rows of some table."""
        result = yield call("list_tables")
        lines = result.splitlines()
        for number in range(1, len(self.questions) + 1):
            yield call(SUBMIT, question=number, answer=rng.choice(lines).split()[1])

    def _cells(self, rng: Random) -> Moves:
        """For each question a cell of the sample of some table."""
        result = yield call("list_tables")
        names = [line.partition(":")[0] for line in result.splitlines()]
        for number in range(1, len(self.questions) + 1):
            result = yield call("sample_rows", table=rng.choice(names), number=10)
            rows = result.splitlines()[1:]
            cell = rng.choice(rng.choice(rows or ["1"]).split(" | "))
            yield call(SUBMIT, question=number, answer=cell)

    def difficulty(self) -> float:
        """The characters that the oracle writes."""
        return float(sum(map(len, self.solution)))


def _calls(knobs: DatabaseExplorer.Knobs) -> int:
    """A number of calls that is enough to look at each table and to try several queries."""
    tables = 8 + knobs.decoys
    calls = (20 + 3 * tables + 8 * knobs.questions) * 100 // (100 - knobs.busy)
    return -(-calls // 10) * 10


@lru_cache(maxsize=64)
def _data(seed: int, sizes: Sizes) -> Data:
    return random_data(seed, sizes)


@lru_cache(maxsize=16)
def _database(seed: int, sizes: Sizes) -> Database:
    return Database(random_tables(seed, _data(seed, sizes), sizes))
