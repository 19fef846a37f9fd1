"""Repairing a dirty table through tools that profile and edit it.

After V. Raman and J. Hellerstein, "Potter's Wheel: An Interactive Data Cleaning System" (2001),
where a user sees the shapes of values and repairs them step by step, and M. Eltabakh and others,
"RetClean: Retrieval-Based Data Cleaning Using Foundation Models and Data Lakes" (2023), where
repairs come from reference tables. Here the redundancy of the table determines each repair.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.engine import Changes, judged, manual, scripted
from palaestra.generators.tools.table_repair.client import Client, Use
from palaestra.generators.tools.table_repair.dirt import Settings, random_draft
from palaestra.generators.tools.table_repair.schema import Reference, Schema
from palaestra.generators.tools.table_repair.wording import task_in_words
from palaestra.generators.tools.table_repair.world import World, tools
from palaestra.task import Play, Policy, Task, ladder
from palaestra.toolbox import call


class TableRepair(Task):
    """Repair the cells of a dirty table, merge its duplicates and mark what is lost."""

    tags = {"tool-use", "data-cleaning", "tables", "hidden-state"}
    version = 2
    hidden = {"reference", "rows", "clean", "merged", "lost", "seed"}

    class Knobs(Task.Knobs):
        groups: int = ladder(1, 2, 3, 3, 3, 3, 3)  # of columns that determine each other
        rows: int = ladder(10, 14, 18, 26, 40, 56, 76, high=120)
        errors: int = ladder(2, 3, 4, 6, 8, 11, 15, high=40)  # rows with wrong cells
        duplicates: int = ladder(1, 1, 2, 2, 3, 4, 5, high=10)
        lost: int = ladder(0, 1, 1, 2, 2, 3, 4, high=10)  # rows that cannot be repaired
        near: int = ladder(0, 1, 2, 3, 5, 7, 10, high=20)  # rows that are almost duplicates
        double: int = ladder(0, 0, 10, 20, 30, 40, 50, high=100)  # percentage with two errors
        busy: int = ladder(0, 0, 0, 3, 5, 7, 9, high=30)  # percentage of calls that fail

    table_schema: Schema
    reference: Reference
    rows: tuple[tuple[str, ...], ...]
    clean: tuple[tuple[str, ...], ...]
    merged: tuple[tuple[int, int], ...]
    lost: tuple[int, ...]
    calls: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        settings = Settings(
            groups=knobs.groups,
            rows=knobs.rows,
            errors=knobs.errors,
            duplicates=min(knobs.duplicates, knobs.rows // 4),
            lost=knobs.lost,
            near=min(knobs.near, knobs.rows // 4),
            double=knobs.double,
        )
        draft = random_draft(rng, settings)
        return cls(
            table_schema=draft.schema,
            reference=draft.reference,
            rows=draft.rows,
            clean=draft.clean,
            merged=draft.merged,
            lost=draft.lost,
            calls=40 + knobs.rows + 3 * (knobs.errors + knobs.duplicates),
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def is_valid(self) -> bool:
        """Whether some cell is wrong."""
        return self.rows != self.clean

    @cached_property
    def goal(self) -> Changes:
        """The cells to repair, the rows to merge and those to mark."""
        roles = self.table_schema.roles
        goal: Changes = {
            ("cell", str(number), role): text
            for number, (before, after) in enumerate(zip(self.rows, self.clean), 1)
            for role, old, text in zip(roles, before, after)
            if old != text
        }
        goal |= {("removed", str(number)): into for number, into in self.merged}
        return goal | {("marked", str(number)): True for number in self.lost}

    def world(self, busy: int | None = None) -> World:
        """The world at its start."""
        chosen = self.busy if busy is None else busy
        return World(self.table_schema, self.reference, self.rows, self.seed, chosen)

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the documentation, the constraints and results alone."""
        return self._calls()

    def _calls(self, only_formats: bool = False, busy: int | None = None) -> tuple[str, ...]:
        world, calls = self.world(busy), list[str]()

        def use(tool: str, arguments: dict[str, int | str]) -> str:
            calls.append(call(tool, **arguments))
            return world.use(calls[-1])[0]

        self.client(use, only_formats).repair()
        return tuple(calls)

    def client(self, use: Use, only_formats: bool = False) -> Client:
        """A client that knows what the prompt says."""
        words = self.table_schema.words
        names = (words.parties, words.items)
        return Client(use, self.table_schema.headers, words.states, names, only_formats)

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, self.goal)
        return judged(world.changes(), self.goal)

    def brief(self) -> str:
        """The task, the constraints and the documentation."""
        task = task_in_words(self.table_schema, self.wording)
        return f"{task}\n\n{manual(tools(self.table_schema), self.calls)}"

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, repair formats and misspelt codes alone, mark every row with an
        empty cell, fill empty cells with the commonest value, or call tools by chance.
        """
        columns = self.table_schema.columns
        empty = [
            (number, header)
            for number, row in enumerate(self.rows, 1)
            for text, (_, header) in zip(row, columns)
            if not text
        ]
        return {
            "do nothing": scripted([]),
            "formats alone": scripted(self._calls(only_formats=True, busy=0)),
            "mark rows with gaps": scripted(call("mark_row", row=row) for row, _ in empty),
            "fill gaps": scripted(
                call("set_cell", row=row, column=header, value="1") for row, header in empty
            ),
            "random calls": scripted(self.random_calls(rng, 40)),
        }

    def random_calls(self, rng: Random, number: int) -> Iterable[str]:
        """Calls of tools drawn by chance, with sensible arguments."""
        headers = self.table_schema.headers
        for _ in range(number):
            tool = rng.choice(tools(self.table_schema))
            row = rng.randint(1, len(self.rows))
            values: dict[str, int | str] = {
                "column": rng.choice([*headers.values()]),
                "columns": "",
                "condition": "is",
                "value": rng.choice(rng.choice(self.rows)),
                "table": self.table_schema.words.parties,
                "page": 1,
                "first": row,
                "last": row,
                "undo": False,
            }
            chosen = {
                each: values.get(each, rng.randint(1, len(self.rows))) for each in tool.parameters
            }
            yield call(tool.name, **chosen)

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in tools(self.table_schema)]

    def difficulty(self) -> float:
        """The number of calls of the oracle, where nothing is busy."""
        return float(len(self._calls(busy=0)))
