"""Tests of tools/tabular_learning."""

import json
from random import Random
from statistics import fmean, median

import pytest
from tests.envs.tools.playing import score

from palaestra.address import Address
from palaestra.envs.tools.tabular_learning import TabularLearning
from palaestra.episode import BARE, Episode
from palaestra.generators.tools.tabular_learning import fitter
from palaestra.generators.tools.tabular_learning.linear import (
    linear_predictions,
    single_predictions,
    solution,
)
from palaestra.generators.tools.tabular_learning.process import mean_squared_error
from palaestra.testing.baselines import followed
from palaestra.toolbox import call

NAME = "tools/tabular_learning"


def instance(seed: int, level: int, **knobs: int) -> TabularLearning:
    task = Address.of(NAME, seed, level, **knobs).task()
    assert isinstance(task, TabularLearning)
    return task


def submitted(values: list[float] | tuple[float, ...]) -> str:
    return call("submit_predictions", values=", ".join(map(str, values)))


@pytest.mark.parametrize("level", range(7))
def test_the_oracle_wins(level: int) -> None:
    for seed in range(3):
        task = instance(seed, level)
        result = score(task, *task.solve())
        assert result.value == 1, result
        assert result.parts["progress"] == 1


@pytest.mark.parametrize("level", range(7))
def test_the_method_of_the_oracle_suffices(level: int) -> None:
    """Here it runs in this process, which is quicker; it sees the training table alone."""
    for seed in range(100, 110):
        task = instance(seed, level)
        rows = [dict(zip((*task.columns, task.target), row)) for row in task.training_rows]
        predict = fitter.fit(rows, task.target, [task.leak])
        tests = [dict(zip(task.columns, row)) for row in task.tables[1].rows]
        share = task.share([predict(row) for row in tests])
        assert 100 * share >= task.required, seed


@pytest.mark.parametrize("level", range(7))
def test_the_lowest_error_and_the_baseline_are_what_the_prompt_says(level: int) -> None:
    for seed in range(5):
        task = instance(seed, level)
        _, test = task.tables
        assert task.share(test.expected) == pytest.approx(1, abs=1e-3)
        predictions = linear_predictions(*task.public, task.numeric)
        assert task.share(predictions) == pytest.approx(0, abs=1e-3)
        assert task.judge(test.expected).value == 1
        observation = Episode(task, BARE).observation
        assert f"{task.baseline:g}" in observation
        assert f"{task.best:g}" in observation
        variance = mean_squared_error([fmean(test.results)] * task.tests, test.results)
        assert task.best < task.baseline < 1.3 * variance


def test_noise_is_what_remains() -> None:
    """The residuals of the expected values are noise: small, without a trend."""
    task = instance(3, 5)
    training, _ = task.tables
    residuals = [y - mean for y, mean in zip(training.results, training.expected)]
    assert abs(fmean(residuals)) < 0.8
    spread = mean_squared_error(training.results, training.expected) ** 0.5
    assert spread == pytest.approx(10 * task.process.noise, rel=0.15)


def test_equations_are_solved() -> None:
    assert solution([[4.0, 2.0], [2.0, 3.0]], [10.0, 8.0]) == pytest.approx([1.75, 1.5])
    terms = [[1.0, x, x * x % 7] for x in map(float, range(30))]
    weights = fitter.least_squares(terms, [3 + 2 * x - y for _, x, y in terms])
    assert weights == pytest.approx([3, 2, -1], abs=1e-2)


def test_trees_learn_a_corner() -> None:
    rng = Random(1)
    rows = []
    for _ in range(300):
        x, y, code = rng.random(), rng.random(), rng.choice("abc")
        result = 5 * (x > 0.5 and code == "b") + y
        rows.append({"x": f"{x:.3f}", "y": f"{y:.3f}", "code": code, "r": f"{result:.3f}"})
    predict = fitter.fit(rows, "r", [])
    errors = [(predict(row) - float(row["r"])) ** 2 for row in rows]
    assert fmean(errors) < 0.1
    assert predict({"x": "", "y": "oops", "code": "new"}) == pytest.approx(1, abs=3)


def test_the_column_that_misleads_is_near_the_results_of_training_alone() -> None:
    task = instance(2, 4)
    training, test = task.tables
    for table, is_near in ((training, True), (test, False)):
        leaks = [float(row[-1]) for row in table.rows]
        assert (mean_squared_error(leaks, table.results) < 8) is is_near


def test_weak_players_earn_nothing_at_the_upper_levels() -> None:
    for level in (3, 6):
        for seed in range(4):
            task = instance(seed, level, busy=0)
            for name, policy in task.baselines(Random(seed)).items():
                result = followed(task, policy).score
                assert result is not None
                assert result.value == 0, name
                assert result.parts["progress"] < 1


@pytest.mark.parametrize("level", range(3))
def test_players_who_do_not_learn_earn_nothing(level: int) -> None:
    """Constants, copied results of training rows, and the groups of a single column."""
    for seed in range(15):
        task = instance(seed, level, busy=0)
        rows, results, others = task.public
        mean = fmean(results)
        for predictions in (
            [mean] * task.tests,
            [median(results)] * task.tests,
            [results[n % len(results)] for n in range(task.tests)],
            [rank * task.best**0.5 for rank in range(task.tests)],
            single_predictions(rows, results, others, task.numeric),
            linear_predictions(rows, results, others, task.numeric),
        ):
            assert task.judge(predictions).value == 0


def test_a_program_sees_its_tables_alone() -> None:
    """Neither this project nor other files are in the sandbox."""
    code = (
        "import importlib.util, os, sys\n"
        "print(os.listdir('.'), importlib.util.find_spec('palaestra'))\n"
        "print([*sys._getframe(1).f_globals['job']])"
    )
    result = instance(4, 2, busy=0).world().use(call("run_python", code=code))[0]
    files, job, *_ = result.splitlines()
    assert files in ("['test.csv', 'train.csv'] None", "['train.csv', 'test.csv'] None")
    assert job == "['train', 'test', 'rows', 'code']"


def test_rewards_add_up_and_tell_nothing_before_the_end() -> None:
    task = instance(5, 3, busy=0)
    _, test = task.tables
    for values in (test.expected, (50.0,) * task.tests):
        episode = Episode(task, BARE)
        rewards = [episode.step(move) for move in (submitted(values), "done")]
        assert rewards[0] == 0
        assert sum(rewards) == episode.score.value


def test_the_last_submission_counts() -> None:
    task = instance(5, 3, busy=0)
    good, bad = submitted(task.tables[1].expected), submitted((50.0,) * task.tests)
    assert score(task, bad, good).value == 1
    assert score(task, good, bad).value == 0
    assert score(task).value == 0


def test_predictions_in_sensible_forms() -> None:
    task = instance(5, 1, busy=0)
    values = [round(each, 2) for each in task.tables[1].expected]
    for text in (
        ",".join(map(str, values)), "\n".join(map(str, values)), str(values),
        "; ".join(map(str, values)), " ".join(f"{each:.2f}" for each in values),
    ):  # fmt: skip
        assert score(task, call("submit_predictions", values=text)).value == 1


def test_programs_run_beside_the_tables() -> None:
    task = instance(4, 2, busy=0)
    world = task.world()
    code = "import csv\nrows = list(csv.DictReader(open('train.csv')))\nprint(len(rows))"
    assert world.use(call("run_python", code=code))[0] == f"{task.rows}\n(5 runs left)"
    fenced = "```python\nprint(open('test.csv').readline().strip())\n```"
    assert world.use(call("run_python", code=fenced))[0].startswith(",".join(task.columns))
    result = world.use(call("run_python", code="print(1)\nraise KeyError('x')"))[0]
    assert "Error" in result
    assert "KeyError" in result
    assert world.runs == 3
    world.use(call("submit_program", code="def predict(row):\n    return 50"))
    assert world.submission == (50.0,) * task.tests
    for _ in range(3):
        result = world.use(call("run_python", code="print(2)"))[0]
    assert result == "Error: no runs are left"


def test_results_of_the_test_table_are_not_in_the_sandbox() -> None:
    task = instance(4, 2, busy=0)
    files = task.world().files
    header = files.test.partition("\n")[0].split(",")
    assert task.target not in header
    assert tuple(header) == task.columns
    assert all(len(row) == len(task.columns) for row in files.rows)


@pytest.mark.parametrize(
    "code",
    [
        "predict = 3",
        "def predict(row):\n    return 'x'",
        "def predict(row):\n    return float('nan')",
        "def predict(row):\n    return None",
        "def predict(row):\n    raise ValueError",
        "import sys\nsys.exit(0)",
        "def predict(row:",
        "import json, os\nos.write(1, b'[1]')\nos._exit(0)",
    ],
)
def test_programs_without_predictions_are_refused(code: str) -> None:
    world = instance(4, 2, busy=0).world()
    assert world.use(call("submit_program", code=code))[0].startswith("Error")
    assert not world.submission


HOSTILE = (
    call("show_rows", table="secrets"),
    call("show_rows", table="train", first=0),
    call("show_rows", table="train", first=1, count=10**6),
    call("submit_predictions", values=""),
    call("submit_predictions", values="1,2,3"),
    call("submit_predictions", values="nan," * 400),
    call("submit_predictions", values="1e999," * 400),
    call("submit_predictions", values="x" * 9_000),
    call("submit_predictions", values=[1, 2]),
    call("run_python", code=7),
    call("no_such_tool"),
    "what now?",
    "{" * 10_000,
)


@pytest.mark.parametrize("move", HOSTILE, ids=range(len(HOSTILE)))
def test_errors_change_nothing(move: str) -> None:
    world = instance(2, 4, busy=0).world()
    result, number = world.use(move)
    assert number == 1
    assert result.startswith("Error")
    assert len(result) < 400
    assert not world.changes()
    assert world.runs == 5


def test_calls_in_any_dialect_do_the_same() -> None:
    task = instance(4, 2)
    arguments = {"table": "train", "first": 3, "count": 2}
    named = json.dumps({"name": "show_rows", "arguments": arguments})
    forms = [
        call("show_rows", **arguments),
        named,
        f"<tool_call>\n{named}\n</tool_call>",
        "show_rows('train', 3, 2)",
        f"Action: show_rows\nAction Input: {json.dumps(arguments)}",
        f"```json\n{named}\n```",
    ]
    results = {task.world().use(form)[0] for form in forms}
    assert len(results) == 1
    assert next(iter(results)).splitlines()[0] == ",".join((*task.columns, task.target))


def test_a_replay_has_the_same_states() -> None:
    task = instance(4, 4)
    episodes = [Episode(task, BARE) for _ in range(2)]
    for move in (call("describe_tables"), call("show_rows", table="test"), submitted((1.0,) * 400)):
        states = []
        for episode in episodes:
            episode.step(move)
            states.append(episode.turn.state)
        assert states[0] == states[1]
