"""The measurement of the lowest levels, with a budget of a second."""

import json
import runpy
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("torch", reason="needs palaestra[train]")

ROOT = Path(__file__).parents[2]
BENCH = SimpleNamespace(**runpy.run_path(str(ROOT / "benchmarks/lowest_levels.py")))
NAMES = ["algorithms/sort_six", "games/mastermind"]


def result(env, right, **changes):
    settings = asdict(BENCH.Settings())
    plain = BENCH.Result(env, 1, settings, 50, 0.001, 1_000_000, 100, right, right, 0.5)
    return replace(plain, **changes)


@pytest.mark.slow
def test_a_run_measures_what_is_missing_and_writes_the_page(tmp_path):
    file, table = tmp_path / "results.jsonl", tmp_path / "page.md"

    def run(*names):
        command = [
            sys.executable, "-m", "benchmarks.lowest_levels", *names, "--seconds", "1",
            "--tasks", "8", "--jobs", "2", "--results", str(file), "--page", str(table),
        ]  # fmt: skip
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout

    run(NAMES[0])
    written = file.read_text("utf-8")
    assert [each.env for each in BENCH.load_results(file)] == NAMES[:1]
    assert NAMES[1] in run(*NAMES)
    assert file.read_text("utf-8").startswith(written)
    results = BENCH.load_results(file)
    assert [each.env for each in results] == NAMES
    for each in results:
        assert each.steps > 0
        assert 500_000 < each.parameters < 1_500_000
        assert 0 <= each.right <= each.score <= 1
    assert run(*NAMES) == ""
    text = table.read_text("utf-8")
    assert all(f"| {name} | " in text for name in NAMES)


@pytest.mark.slow
def test_the_decoder_learns():
    before, after = (
        BENCH.measure(NAMES[0], BENCH.Settings(seconds=seconds, tasks=50)) for seconds in (0.01, 8)
    )
    assert before.right == 0
    assert before.steps == 1
    assert after.steps > 10
    assert after.loss < 0.8 * before.loss


def test_episodes_longer_than_the_context_are_reported():
    one = BENCH.measure(NAMES[0], BENCH.Settings(seconds=1, tasks=4, context=20))
    assert one.tokens > 20
    assert (one.right, one.steps) == (None, 0)
    assert json.loads(json.dumps(asdict(one))) == asdict(one)


def test_the_page_sorts_and_separates():
    results = [
        result("a/beyond", 0.02), result("a/worse", 0.3), result("a/best", 0.9),
        result("a/chance", 0.27, random_baseline=0.25),
        result("a/long", None, steps=0, tokens=5000),
    ]  # fmt: skip
    text = BENCH.page(results)
    order = [text.index(mark) for mark in (
        "## Within reach", "a/best", "a/worse", "## Beyond reach", "a/chance", "a/beyond",
        "## Too long", "a/long",
    )]  # fmt: skip
    assert order == sorted(order)
    assert "Of 4 environments, 2 are within reach.\n" in text
    assert "2 are within reach. 7 others are not measured yet.\n" in BENCH.page(results, 7)


def test_the_learning_rate_rises_and_falls():
    settings = BENCH.Settings()
    rates = [BENCH.learning_rate(settings, n / 100) for n in range(101)]
    top = rates.index(max(rates))
    assert top == round(100 * BENCH.RISING)
    assert rates[top] == settings.learning_rate
    assert rates[: top + 1] == sorted(rates[: top + 1])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert rates[-1] < 0.03 * settings.learning_rate
