"""The command line as a person sees it: help, tables, hints and what the shell completes."""

import io
import json
import os
import re
import socket
import subprocess
import sys

import pytest
from rich.console import Console
from typer.main import get_command

import palaestra
from palaestra.catalog import catalog
from palaestra.cli import app, main, terminal

KNIGHTS = "logic/knights_and_knaves"


def run(*argv):
    """The exit code of a command."""
    try:
        main(list(argv))
    except SystemExit as end:
        return end.code or 0
    return 0


@pytest.fixture
def screen(monkeypatch):
    """What a terminal of 80 columns shows."""
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(terminal, "out", console)
    return shown


# ------------------------------------------------------------------------------------------- help


def commands(group, names=()):
    """The names of each command, with the command."""
    yield list(names), group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*names, name))


EVERY = [*commands(get_command(app)), (["train"], None), (["eval", "compare"], None)]


@pytest.mark.parametrize("names", [names for names, _ in EVERY], ids=" ".join)
def test_help_fits_80_columns_and_cuts_nothing(names, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(*names, "--help") == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if re.search(r"[\w.-]…", line)] == []


def test_paragraphs_of_help_are_wrapped_to_the_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    run("eval", "--help")
    words = " ".join(capsys.readouterr().out.split())
    assert "the same command resumes. The exit code is 1" in words
    monkeypatch.setenv("COLUMNS", "200")
    run("eval", "--help")
    assert "the same command resumes. The exit code is 1" in capsys.readouterr().out


def test_the_list_of_commands_imports_no_trainer():
    code = (
        "import sys\nfrom palaestra.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith('palaestra.trainers')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "│ train " in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


# ------------------------------------------------------------------------------------------- list


def test_a_terminal_shows_a_line_for_each_environment(screen, capsys):
    assert run("list") == 0
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    for name in catalog():
        assert sum(line.split()[:1] == [name] for line in lines) == 1
    assert len([line for line in lines if line.strip()]) == len(catalog()) + 2
    assert f"{len(catalog())} environments in " in capsys.readouterr().err


def test_list_without_a_match_prints_nothing_but_a_note(capsys):
    assert run("list", "-q", "no such words at all") == 0
    listed = capsys.readouterr()
    assert listed.out == ""
    assert listed.err == "no environment matches\n"


@pytest.mark.parametrize(("option", "heading"), [("--categories", "category"), ("--tags", "tag")])
def test_categories_and_tags_are_listed(option, heading, capsys, screen):
    cards = palaestra.environments()
    wanted = (
        {card["category"] for card in cards}
        if heading == "category"
        else {tag for card in cards for tag in card["tags"]}
    )
    assert run("list", option) == 0
    table = [line.split() for line in screen.getvalue().splitlines()]
    assert wanted == {cells[0] for cells in table[3:] if cells}
    assert run("list", option, "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row[heading] for row in rows} == wanted
    assert all(row["environments"] > 0 for row in rows)


def test_categories_elsewhere_are_a_line_each(capsys):
    assert run("list", "--categories") == 0
    assert capsys.readouterr().out.split() == sorted({name.split("/")[0] for name in catalog()})


# ------------------------------------------------------------------------------------------- show


def test_show_states_figures_in_words_and_units(capsys):
    assert run("show", "games/mastermind", "--level", "2", "--seed", "3") == 0
    out = capsys.readouterr().out
    assert "best score without search, %" in out
    assert "search effort, steps" in out
    for name in ("sample_us", "random_baseline", "baseline_player"):
        assert name not in out
    assert " µs" in out
    assert str(palaestra.Address.of("games/mastermind", 3, 2)) in out


def test_show_fits_a_narrow_terminal_level_by_level(screen):
    assert run("show", "logic/first_order_entailment") == 0
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line.split() for line in lines if line.split()[:1] == ["level"]]
    assert [int(level) for head in heads for level in head[1:]] == list(range(9))


def test_show_describes_combinations(capsys):
    assert run("show", f"{KNIGHTS}+retry(2)", "--level", "5") == 0
    out = capsys.readouterr().out
    assert "tags: deduction, retry" in out
    assert "A perfect player replies:" in out


# ---------------------------------------------------------------------------------------- service


def test_a_port_in_use_is_stated(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run("serve", "--port", str(port)) == 2
    assert f"port {port} of 127.0.0.1 is in use" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------ score


def test_score_states_what_it_waits_for_on_a_terminal_alone(capsys, monkeypatch):
    class Keyboard(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Keyboard())
    assert run("score") == 0
    listed = capsys.readouterr()
    assert "standard input" in listed.err
    assert listed.out == ""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    run("score")
    assert capsys.readouterr().err == ""


# --------------------------------------------------------------------------------------- progress


@pytest.mark.parametrize("also_prints", [False, True])
def test_progress_shows_the_time_to_go_where_it_disturbs_nothing(also_prints, screen, monkeypatch):
    shown = io.StringIO()
    monkeypatch.setattr(
        terminal, "err", Console(file=shown, force_terminal=True, width=80, color_system=None)
    )
    assert list(terminal.tracked(["a", "b"], "timing", also_prints=also_prints)) == ["a", "b"]
    assert ("to go" in shown.getvalue()) is not also_prints


# ------------------------------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("palaestra show games/masterm", {"games/mastermind"}),
        ("palaestra check logic/zebra", {"logic/zebra_puzzle"}),
        ("palaestra list logi", {"logic"}),
        ("palaestra list --tag dedu", {"deduction"}),
        ("palaestra list --kind m", {"match"}),
        ("palaestra tra", {"train"}),
    ],
)
def test_the_shell_completes(line, completions):
    env = os.environ | {
        "_PALAESTRA_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    code = "import sys; sys.argv = ['palaestra']; from palaestra.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
    )
    assert set(done.stdout.split()) == completions
