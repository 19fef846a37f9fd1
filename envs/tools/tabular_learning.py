"""Learning from a table in a sandbox, to predict the results of another one.

After D. Nathani and others, "MLGym: A New Framework and Benchmark for Advancing AI Research Agents"
(2025), R. Qiang and others, "MLE-Dojo: Interactive Environments for Empowering LLM Agents in
Machine Learning Engineering" (2025), and J. Chan and others, "MLE-bench: Evaluating Machine
Learning Agents on Machine Learning Engineering" (2024). The tables are small here, and come from
processes whose lowest possible error is known.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Self

from palaestra.generators.tools.engine import BUSY, manual, scripted
from palaestra.generators.tools.tabular_learning import fitter
from palaestra.generators.tools.tabular_learning.jail import Files, csv_text
from palaestra.generators.tools.tabular_learning.linear import (
    linear_predictions,
    neighbour_predictions,
    single_predictions,
)
from palaestra.generators.tools.tabular_learning.process import (
    Generator,
    Process,
    Table,
    mean_squared_error,
    random_process,
)
from palaestra.generators.tools.tabular_learning.wording import opening
from palaestra.generators.tools.tabular_learning.world import GOAL, TOOLS, World
from palaestra.generators.vocabulary import words
from palaestra.task import Play, Policy, Score, Task, ladder
from palaestra.toolbox import call

TESTS = 400
"""How many rows are to be predicted."""

GAP = 3.0
"""How many times as large as the lowest possible error that of the baseline is at least."""


class TabularLearning(Task):
    """Predict the results of a test table better than a linear model, by programs in a sandbox."""

    tags = {"tool-use", "sandboxed", "machine-learning", "code", "hidden-state"}
    hidden = {"process", "seed"}
    expensive = True

    class Knobs(Task.Knobs):
        features: int = ladder(4, 5, 6, 7, 8, 9, 10, low=4, high=14)
        terms: int = ladder(2, 3, 3, 4, 4, 5, 5, low=1, high=7)  # of the result
        interactions: int = ladder(0, 1, 2, 2, 3, 4, 5, high=7)  # terms of two features
        missing: int = ladder(0, 4, 5, 6, 8, 10, 12, high=25)  # percentage of empty cells
        noise: float = ladder(0.25, 0.3, 0.35, 0.35, 0.4, 0.4, 0.4, low=0.1, high=0.6)
        leak: bool = ladder(False, False, True, True, True, True, True)  # a column that misleads
        rows: int = ladder(220, 280, 340, 400, 480, 560, 640, low=200, high=1_000)
        runs: int = ladder(6, 6, 6, 5, 5, 4, 4, low=2, high=10)  # of programs
        required: int = ladder(25, 30, 30, 35, 35, 35, 40, low=10, high=60)  # percent of the gap
        busy: int = ladder(0, 0, 0, 3, 5, 7, 9, high=30)  # percentage of calls that fail

    process: Process
    columns: tuple[str, ...]
    target: str
    leak: str
    rows: int
    tests: int
    baseline: float
    best: float
    required: int
    runs: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        process = random_process(
            rng,
            features=knobs.features,
            terms=knobs.terms,
            interactions=min(knobs.interactions, knobs.terms),
            missing=knobs.missing,
            noise=knobs.noise,
            has_leak=knobs.leak,
        )
        names = tuple(feature.name for feature in process.features)
        task = cls(
            process=process,
            columns=(*names, process.leak) if process.leak else names,
            target=words(rng, 1, 8, 8)[0],
            leak=process.leak,
            rows=knobs.rows,
            tests=TESTS,
            baseline=1,
            best=1,
            required=knobs.required,
            runs=knobs.runs,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )
        _, test = task.tables
        predictions = linear_predictions(*task.public, task.numeric)
        baseline = mean_squared_error(predictions, test.results)
        best = mean_squared_error(test.expected, test.results)
        return task.model_copy(update={"baseline": round(baseline, 3), "best": round(best, 3)})

    def is_valid(self) -> bool:
        """Whether there is much that neither a linear model nor a single column tells."""
        if self.baseline < GAP * self.best:
            return False
        return not self.judge(single_predictions(*self.public, self.numeric)).correct

    @cached_property
    def tables(self) -> tuple[Table, Table]:
        """The training table and the test table."""
        generator = Generator(self.process, Random(self.seed))
        return generator.table(self.rows, True), generator.table(self.tests, False)

    @property
    def public(self) -> tuple[Sequence[Sequence[str]], Sequence[float], Sequence[Sequence[str]]]:
        """The training rows, their results and the test rows, without the column that misleads."""
        training, test = self.tables
        width = len(self.process.features)
        return (
            [row[:width] for row in training.rows],
            training.results,
            [row[:width] for row in test.rows],
        )

    @property
    def numeric(self) -> list[bool]:
        """Whether each column is numeric."""
        return [feature.form != "code" for feature in self.process.features]

    @cached_property
    def training_rows(self) -> list[tuple[str, ...]]:
        """The training rows as texts, with their results."""
        training, _ = self.tables
        return [(*row, f"{result:g}") for row, result in zip(training.rows, training.results)]

    def world(self, busy: int | None = None) -> World:
        """The world at its start."""
        _, test = self.tables
        files = Files(
            csv_text((*self.columns, self.target), self.training_rows),
            csv_text(self.columns, test.rows),
            test.rows,
            self.columns,
        )
        chosen = self.busy if busy is None else busy
        rows = self.training_rows
        return World(files, rows, test.rows, self.runs, seed=self.seed, busy=chosen)

    @property
    def calls(self) -> int:
        """How many calls there are."""
        return 20 + 2 * self.runs

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, GOAL)
        return self.judge(world.submission)

    def share(self, predictions: Sequence[float]) -> float:
        """The share of the gap that predictions close, below 0 where they are worse than the
        baseline.
        """
        error = mean_squared_error(predictions, self.tables[1].results)
        return (self.baseline - error) / (self.baseline - self.best)

    def judge(self, predictions: Sequence[float]) -> Score:
        """1 where predictions close the required share of the gap, otherwise 0.

        The part ``share`` is what they close, from -1 to 1; ``progress`` is that part of what is
        required, and 1 exactly if it is reached.
        """
        if not predictions:
            return Score(0, "nothing is submitted", {"share": 0.0, "progress": 0.0})
        share = max(-1.0, min(1.0, self.share(predictions)))
        if 100 * share >= self.required:
            return Score(1, parts={"share": share, "progress": 1.0})
        progress = max(0.0, 100 * share / self.required)
        reason = f"the predictions close {100 * share:.0f} % of the gap"
        return Score(0, reason, {"share": share, "progress": progress})

    def brief(self) -> str:
        """The task and the documentation."""
        others = f"columns but '{self.leak}'" if self.leak else "columns"
        return (
            f"{opening(self.target, self.leak, self.wording)} The training table has {self.rows} "
            f"rows and the test table {self.tests}. The other columns are "
            f"{', '.join(self.columns)}: numbers or codes, with empty cells in some. Some of them "
            f"have no influence on {self.target}, which depends on the others by additive terms, "
            "limits and combinations of two, with noise.\n\nPredictions are judged by their mean "
            f"squared error on the test table. A linear model of all {others} has "
            f"{self.baseline:g} there, and the lowest error that the noise allows is "
            f"{self.best:g}. You have to close at least {self.required} percent of the gap, so "
            f"that the error is at most {self.largest:g}. The results of the test table are never "
            "shown, and nothing tells how good a submission is. There are "
            f"{self.runs} runs of programs.\n\n"
            f"{manual(TOOLS, self.calls)}"
        )

    @property
    def largest(self) -> float:
        """The largest error that suffices."""
        return round(self.baseline - self.required / 100 * (self.baseline - self.best), 3)

    def solve(self) -> Iterable[str]:
        """Submit a program that learns from the training table, as often as the service is busy."""
        moves = [call("describe_tables"), call("submit_program", code=self.program())]
        world = self.world()
        for move in moves:
            yield move
            while world.use(move)[0] == BUSY:
                yield move
        yield "done"

    def program(self) -> str:
        """A program that learns by a general method, written from the prompt alone."""
        source = Path(str(fitter.__file__)).read_text("utf-8")
        return (
            f"{source}\n\nimport csv\n\nwith open('train.csv', newline='') as file:\n"
            f"    ROWS = [*csv.DictReader(file)]\npredict = fit(ROWS, {self.target!r}, "
            f"{[self.leak]!r})\n"
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, or predict the mean, the column that misleads, by the best single
        column, by least squares, or by the nearest rows.
        """
        _, test = self.tables
        rows, results, others = self.public
        mean = fmean(results)
        few = rows[:150], results[:150]
        predictions = {
            "mean": [mean] * self.tests,
            "one column": single_predictions(*self.public, self.numeric),
            "least squares": linear_predictions(rows, results, others, self.numeric),
            "nearest rows": neighbour_predictions(*few, others, self.numeric),
            "random": [rng.gauss(mean, 10) for _ in range(self.tests)],
        }
        if self.leak:
            predictions["leak"] = [float(row[-1]) for row in test.rows]
        players = {
            name: scripted([_submitted(values), _submitted(values)])
            for name, values in predictions.items()
        }
        return {"do nothing": scripted([]), **players}

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in TOOLS]

    def difficulty(self) -> float:
        """How many cells there are to learn from, for each percent that is required."""
        return float(self.rows * len(self.columns) * self.required)


def _submitted(values: Sequence[float]) -> str:
    """The call that submits predictions."""
    return call("submit_predictions", values=",".join(f"{value:.3f}" for value in values))
