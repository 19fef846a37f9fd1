"""The command line, and the page of the documentation."""

import io
import re
import shlex
import sys

import pytest
import typer
from rich.console import Console
from starlette.responses import Response
from tests.trainers.calibration.ladders import KNIGHTS, LETTERS, MASTERMIND, endpoint
from tests.trainers.evaluation.endpoints import ROOT, command

from palaestra.cli import app
from palaestra.trainers.calibration import Mixture, read
from palaestra.trainers.calibration.command import NO_PLOTS
from palaestra.trainers.calibration.oracle import curve
from palaestra.trainers.grpo.config import Config

PAGE = (ROOT / "docs/calibration.md").read_text()

FEW = {KNIGHTS: (0, 1, 2, 3), LETTERS: (0, 1, 2, 3)}

NAMES = [KNIGHTS, LETTERS, "--levels", "0-3"]


def options():
    held = typer.main.get_command(app).commands["calibrate"]
    return [each for each in held.params if each.name not in {"help", "names"}]


def argv(url, out, *more):
    return ["calibrate", "--base-url", url, "--model", "m", "--out", str(out), *more]


def test_the_page_names_every_option():
    assert len(options()) > 20
    for option in options():
        assert f"`{option.opts[0]}" in PAGE, option.opts[0]


def test_a_calibration_from_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("palaestra.cli.terminal.out", Console(width=160))
    by_level = curve(1.0, 2.0)
    with endpoint(FEW, lambda env, level: by_level(level)).serving() as url:
        assert command(*argv(url, tmp_path, *NAMES)) == 0
        shown = capsys.readouterr()
        assert command(*argv(url, tmp_path, *NAMES, "--target", "0.2-0.8")) == 2
        errors = capsys.readouterr().err
        assert "holds a calibration with target [0.3, 0.7], not [0.2, 0.8]" in errors
    report = read(tmp_path)
    assert report.complete
    assert [each.env for each in report.environments] == [KNIGHTS, LETTERS]
    assert all(len(each.levels) == 4 for each in report.environments)
    assert "m: 2 environments: 2 suitable; " in shown.out
    assert "success by level" in shown.out
    for environment in report.environments:  # brackets of intervals are no markup
        assert re.search(rf"{environment.env} .*\[\S+, \S+\]", shown.out), shown.out
    mixture = Mixture.load(tmp_path / "mixture.yaml")
    assert mixture == report.mixture()
    assert Config.load(tmp_path / "mixture.yaml").levels == mixture.levels


def test_without_matplotlib_the_extra_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with endpoint(FEW).serving() as url:
        assert command(*argv(url, tmp_path, *NAMES, "--budget-tasks", "2")) == 0
    assert NO_PLOTS in capsys.readouterr().err.replace("\n", "")
    assert "palaestra[train]" in NO_PLOTS


def test_a_limit_says_what_is_left_undone(tmp_path, capsys):
    limited = ["--max-tokens", "32", "--max-tokens-total"]
    with endpoint(FEW).serving() as url:
        assert command(*argv(url, tmp_path, *NAMES, *limited, "900")) == 1
        errors = capsys.readouterr().err
        assert "stopped: the limit of tokens is reached" in errors
        assert "unfinished: 2 of 2: logic/" in errors
        assert "a higher --max-tokens-total" in errors
        assert read(tmp_path).tokens.limit == 900
        assert command(*argv(url, tmp_path, *NAMES, *limited, "100000")) == 0
    assert read(tmp_path).complete


def test_what_is_unscored_is_said(tmp_path, capsys):
    scripted = endpoint(FEW)
    bad = {[*scripted.oracle.known][1]}
    scripted.mood = lambda key, _: Response(b"", 400) if key[0] in bad else None
    with scripted.serving() as url:
        assert command(*argv(url, tmp_path, *NAMES)) == 1
        assert "1 attempts are unscored; --retry-unscored" in capsys.readouterr().err
        bad.clear()
        assert command(*argv(url, tmp_path, *NAMES, "--retry-unscored")) == 0


def test_a_refusing_endpoint_leaves_a_report(tmp_path, capsys):
    scripted = endpoint(FEW)
    scripted.mood = lambda key, _: Response(b"", 401)
    with scripted.serving() as url:
        assert command(*argv(url, tmp_path, *NAMES)) == 1
    assert "401" in capsys.readouterr().err
    assert not (tmp_path / "mixture.yaml").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [(["logik"], "did you mean the category logic"),
     (["games/mastermnd"], "did you mean games/mastermind"),
     ([MASTERMIND, "--levels", "0-9"], "levels 0 to 5, not 6"),
     ([MASTERMIND, "--levels", "high"], "levels are all, or numbers and spans"),
     ([MASTERMIND, "--target", "0.9"], "a target is LOW-HIGH"),
     ([MASTERMIND, "--target", "0.9-0.1"], "between 0 and 1, such as 0.3-0.7"),
     ([MASTERMIND, "--width", "0"], "a width is above 0"),
     ([MASTERMIND, "--extra", '{"n": 2}'], "--extra has no 'n'"),
     ([MASTERMIND, "--base-url", "x"], "a base URL is http"),
     ([MASTERMIND, "--answer-format", "loud"], "'loud'")],
)  # fmt: skip
def test_wrong_options_are_named(more, message, tmp_path, capsys):
    assert command(*argv("http://127.0.0.1:9/v1", tmp_path / "out", *more)) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out").exists()


def test_a_bar_for_a_person(monkeypatch, tmp_path):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=150)
    monkeypatch.setattr("palaestra.cli.terminal.err", console)
    with endpoint(FEW, delay=0.02).serving() as url:
        assert command(*argv(url, tmp_path, *NAMES, "-c", "2")) == 0
    assert re.search(r"\d+ attempts, [\d,]+ tokens", screen.getvalue())


def test_the_commands_of_the_page_have_options_that_exist():
    known = {opt for option in options() for opt in (*option.opts, *option.secondary_opts)}
    text = PAGE.replace("\\\n", " ")
    commands = re.findall(r"^(?:\$ )?(palaestra calibrate .*)$", text, re.MULTILINE)
    assert len(commands) == 4
    for line in commands:
        words = [word.partition("=")[0] for word in shlex.split(line, comments=True)]
        assert {word for word in words if word.startswith("-")} <= known, line
