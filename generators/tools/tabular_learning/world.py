"""The tools that show tables, run programs beside them and submit predictions."""

import re
from collections.abc import Sequence

from palaestra.generators.tools.engine import Arguments, Changes, Tool, ToolWorld
from palaestra.generators.tools.tabular_learning.jail import (
    LIMITS,
    Files,
    checked,
    csv_text,
    executed,
    predicted,
)
from palaestra.task import InvalidAnswer

MOST_ROWS = 40
"""How many rows a call shows at most."""

GOAL: Changes = {("submission",): ()}
"""Nothing that can be submitted, so that no reward tells how good a submission is."""


class World(ToolWorld):
    """A training table and a test table without results; the last submission counts."""

    def __init__(  # noqa: PLR0913
        self,
        files: Files,
        training: Sequence[Sequence[str]],
        test: Sequence[Sequence[str]],
        runs: int,
        *,
        seed: int = 0,
        busy: int = 0,
    ) -> None:
        super().__init__(TOOLS, seed, busy)
        self.files, self.tables = files, {"train": training, "test": test}
        self.runs = runs
        self.submission: tuple[float, ...] = ()

    def changes(self) -> Changes:
        return {("submission",): self.submission} if self.submission else {}

    def columns(self, table: str) -> Sequence[str]:
        """The columns of a table."""
        text = self.files.train if table == "train" else self.files.test
        return text.partition("\n")[0].split(",")

    def spend(self) -> None:
        """Count a run. Raises :class:`InvalidAnswer` where none is left."""
        if self.runs <= 0:
            raise InvalidAnswer("no runs are left")
        self.runs -= 1


def _describe(world: World, arguments: Arguments) -> str:
    return "\n".join(
        f"{name}: {len(rows)} rows, columns {', '.join(world.columns(name))}"
        for name, rows in world.tables.items()
    )


def _show_rows(world: World, arguments: Arguments) -> str:
    name, first, count = (arguments[each] for each in ("table", "first", "count"))
    name = name.removesuffix(".csv")
    if name not in world.tables:
        raise InvalidAnswer("the tables are train and test")
    rows = world.tables[name]
    if not 1 <= first <= len(rows):
        raise InvalidAnswer(f"rows go from 1 to {len(rows)}")
    if not 1 <= count <= MOST_ROWS:
        raise InvalidAnswer(f"a call shows 1 to {MOST_ROWS} rows")
    return csv_text(world.columns(name), rows[first - 1 : first - 1 + count]).rstrip()


def _program(text: str) -> str:
    """A program, which may stand in a fence."""
    lines = text.strip().splitlines()
    is_fenced = len(lines) > 1 and lines[0].startswith("```") and lines[-1].strip() == "```"
    return "\n".join(lines[1:-1] if is_fenced else lines)


def _run_python(world: World, arguments: Arguments) -> str:
    code = _program(arguments["code"])
    world.spend()
    return f"{executed(world.files, code)}\n({world.runs} runs left)"


def _submit_predictions(world: World, arguments: Arguments) -> str:
    texts = re.split(r"[\s,;]+", arguments["values"].strip(" \t\r\n,;[]()"))
    try:
        values: list[float] = [float(text) for text in texts]
    except ValueError:
        raise InvalidAnswer("predictions are numbers, separated by commas") from None
    world.submission = checked(values, len(world.files.rows))
    return f"{len(values)} predictions are submitted."


def _submit_program(world: World, arguments: Arguments) -> str:
    code = _program(arguments["code"])
    world.spend()
    world.submission = predicted(world.files, code)
    return f"The predictions of the program are submitted. ({world.runs} runs left)"


TOOLS = (
    Tool("describe_tables", "Give the rows and the columns of both tables.", {}, _describe),
    Tool(
        "show_rows",
        f"Show up to {MOST_ROWS} rows of the table 'train' or 'test' from a row on, as CSV.",
        {"table": str, "first": int, "count": int},
        _show_rows,
        {"first": 1, "count": 20},
    ),
    Tool(
        "run_python",
        "Run a Python program, with the standard library alone, and show what it writes. The files "
        f"train.csv and test.csv are in its directory; it has {LIMITS.cpu_s:g} seconds. Nothing is "
        "kept from one run to the next.",
        {"code": str},
        _run_python,
    ),
    Tool(
        "submit_predictions",
        "Submit predictions as text: one number for each row of the test table, in its order, "
        "separated by commas.",
        {"values": str},
        _submit_predictions,
    ),
    Tool(
        "submit_program",
        "Submit a Python program with a function predict(row), which gets a row of the test table "
        "as a dictionary from column to text and returns a number. The program may read train.csv "
        "and counts as a run.",
        {"code": str},
        _submit_program,
    ),
)
"""The tools, which are the same for all tables. The last submission counts."""
