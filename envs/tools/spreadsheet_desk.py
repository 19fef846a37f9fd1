"""Editing a workbook with formulas through tools.

After Z. Ma and others, "SpreadsheetBench: Towards Challenging Real World Spreadsheet Manipulation"
(2024), which judges by other inputs than those shown, and H. Li and others, "SheetCopilot: Bringing
Software Productivity to the Next Level through Large Language Models" (2023), whose model acts
through a small set of operations. Workbooks, formulas and requests are drawn for each task here.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.engine import Changes, judged, manual, scripted
from palaestra.generators.tools.spreadsheet_desk.client import Client
from palaestra.generators.tools.spreadsheet_desk.drawing import (
    Draft,
    Settings,
    pattern_of,
    random_draft,
    scenarios,
)
from palaestra.generators.tools.spreadsheet_desk.formulas import letter
from palaestra.generators.tools.spreadsheet_desk.requests import Layout, Request, fulfil
from palaestra.generators.tools.spreadsheet_desk.wording import requests_in_words
from palaestra.generators.tools.spreadsheet_desk.workbook import Inputs, Sheet, Workbook
from palaestra.generators.tools.spreadsheet_desk.world import (
    GRAMMAR,
    TOOLS,
    World,
    fingerprints,
)
from palaestra.task import Play, Policy, Task, ladder
from palaestra.toolbox import call

TRIES = 50
"""How many workbooks are drawn for one whose requests come about."""


class SpreadsheetDesk(Task):
    """Bring a workbook to the state that requests want, with formulas that stay right."""

    version = 2
    tags = {"tool-use", "spreadsheets", "formulas", "hidden-state"}
    hidden = {"sheets", "layout", "seed"}

    class Knobs(Task.Knobs):
        sheets: int = ladder(1, 2, 2, 3, 3, 3, 4, high=5)  # with tables, besides the others
        rows: int = ladder(8, 10, 12, 14, 18, 22, 26, high=60)  # of each table, at most
        formulas: int = ladder(1, 2, 2, 3, 3, 3, 3)  # computed columns of each table
        requests: int = ladder(2, 2, 3, 4, 5, 6, 7, low=1, high=8)
        conditions: int = ladder(1, 1, 2, 2, 2, 3, 3)  # of the rows that a request is about
        faults: int = ladder(0, 0, 1, 1, 2, 2, 3)  # wrong formulas that no request is about
        busy: int = ladder(0, 0, 0, 3, 5, 7, 9, high=30)  # percentage of calls that fail

    sheets: tuple[Sheet, ...]
    layout: Layout
    requests: tuple[Request, ...]
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        settings = Settings(
            knobs.sheets, knobs.rows, knobs.formulas, knobs.conditions, knobs.requests, knobs.faults
        )
        draft = next(filter(None, (random_draft(rng, settings) for _ in range(TRIES))), None)
        sheets, layout, requests = draft or Draft((), Layout((), 1, 1, (), "", ""), ())
        return cls(
            sheets=sheets,
            layout=layout,
            requests=requests,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def is_valid(self) -> bool:
        """Whether every request has come about, and no wanted formula gives an error."""
        values = [value for value in self.goal.values() if isinstance(value, tuple)]
        is_error = any(text.startswith("#") for value in values for text in value)
        return bool(self.requests and self.goal) and not is_error

    @cached_property
    def start(self) -> Workbook:
        """The workbook before any change."""
        return Workbook.of(self.sheets)

    @cached_property
    def final(self) -> Workbook:
        """The workbook when all requests are fulfilled."""
        book = self.start.copy()
        for request in self.requests:
            fulfil(book, self.layout, request, pattern_of(book, self.layout, request))
        return book

    @cached_property
    def inputs(self) -> Sequence[Inputs]:
        """The other inputs that formulas are judged with in the end."""
        return scenarios(self.seed, self.final, self.layout, self.requests)

    @cached_property
    def goal(self) -> Changes:
        """What the requests change, with formulas by the inputs as they are."""
        return fingerprints(self.start, self.final)

    @cached_property
    def thorough_goal(self) -> Changes:
        """What the requests change, with formulas by all inputs."""
        return fingerprints(self.start, self.final, self.inputs)

    def world(self, busy: int | None = None) -> World:
        """The world at its start."""
        return World(self.start, self.seed, self.busy if busy is None else busy)

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the documentation, the requests and results alone."""
        return self._calls(self.requests)

    def _calls(
        self, requests: Sequence[Request], typed: bool = False, busy: int | None = None
    ) -> tuple[str, ...]:
        world, calls = self.world(busy), list[str]()

        def use(tool: str, arguments: dict[str, int | str | bool]) -> str:
            calls.append(call(tool, **arguments))
            return world.use(calls[-1])[0]

        Client(use, typed).fulfil(requests)
        return tuple(calls)

    @property
    def calls(self) -> int:
        """How many calls there are, more than enough for reading and writing."""
        return 30 + 30 * len(self.requests)

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, self.goal)
        return judged(fingerprints(self.start, world.book, self.inputs), self.thorough_goal)

    def brief(self) -> str:
        """The documentation and the requests."""
        work = self.phrase(
            "Edit a workbook by requests.",
            "You keep a workbook of several sheets. Here is what has to be done with it.",
            "These are requests to change a workbook.",
        )
        return (
            f"{work} Each table has its headers in one row, and a row for each entry below. Handle "
            "the requests in their order, each by the workbook as it is then, and change nothing "
            "else: no other cell may have another content in the end. Conditions are about the "
            "values of cells. Where a formula is wanted it must stay right when the numbers and "
            "texts of the rows are changed later: it is tested with other numbers and texts, so "
            "that a number typed in its place does not count, and neither does a formula that "
            "names only the rows that meet a condition now. How a formula is written does not "
            "matter. Some other cells of columns with formulas may have a wrong content; leave "
            "them as they are if no request is about them. Rows that move to another sheet keep "
            "their order and their formulas, and leave no empty row behind. Numbers are typed "
            "without units, such as 17 or 0.5.\n\n"
            f"{GRAMMAR}\n\n"
            f"{requests_in_words(self.requests, 'Summary', self.wording)}\n\n"
            f"{manual(TOOLS, self.calls)}"
        )

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, type the values of formulas, fulfil the last request alone, type
        what is quoted into the first cell, or call tools by chance.
        """
        first = self.layout.tables[0]
        typed = [
            call("set_cell", sheet=each.sheet, cell="A2", content=each.value or "=SUM(A1:A9)")
            for each in self.requests
        ]
        return {
            "do nothing": scripted([]),
            "typed values": scripted(self._calls(self.requests, typed=True, busy=0)),
            "last request alone": scripted(self._calls(self.requests[-1:], busy=0)),
            "first cell": scripted(typed),
            "random calls": scripted(random_calls(rng, self.layout.tables, 40)),
            "sort the first sheet": scripted(
                [call("sort_rows", sheet=first, first_row=2, last_row=9, column="A")]
            ),
        }

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in TOOLS]

    def difficulty(self) -> float:
        """The number of calls of the oracle, where nothing is busy."""
        return float(len(self._calls(self.requests, busy=0)))


def random_calls(rng: Random, sheets: Sequence[str], number: int) -> Iterable[str]:
    """Calls of tools drawn by chance, with sensible arguments."""
    for _ in range(number):
        tool = rng.choice(TOOLS)
        cell = f"{letter(rng.randint(1, 10))}{rng.randint(1, 20)}"
        values = {
            "sheet": rng.choice(sheets),
            "to_sheet": rng.choice(sheets),
            "range": f"A1:{cell}",
            "cell": cell,
            "target": cell,
            "content": rng.choice(["=A2+1", "open", "17"]),
            "contents": "1|2",
            "text": "a",
            "column": letter(rng.randint(1, 10)),
            "formulas": True,
            "descending": True,
        }
        yield call(
            tool.name, **{each: values.get(each, rng.randint(2, 20)) for each in tool.parameters}
        )
