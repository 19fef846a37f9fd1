"""The command line, as a person and as a pipe use it."""

import http.client
import io
import json
import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest
import yaml

import palaestra
from palaestra import Address, measurements, sandbox_bench
from palaestra.catalog import catalog, dump, row
from palaestra.cli import development, main
from palaestra.combinators import COMBINATORS
from palaestra.episode import TAGS
from palaestra.server.app import SETTINGS_VARIABLE
from palaestra.testing.record import listed
from palaestra.trainers.parquet import write_parquet

KNIGHTS = "logic/knights_and_knaves"
ADDRESS = Address.of(KNIGHTS, seed=5, level=2)


def run(*argv):
    """The exit code of a command."""
    try:
        main(list(argv))
    except SystemExit as end:
        return end.code or 0
    return 0


@pytest.fixture
def say(monkeypatch):
    """Puts text where a command reads it."""
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_list(capsys):
    assert run("list") == 0
    assert capsys.readouterr().out.split() == list(catalog())
    run("list", "matches", "--tag", "search", "-q", "connect")
    assert capsys.readouterr().out.split() == ["matches/connect_four"]
    run("list", "games", "matches")
    both = capsys.readouterr().out.split()
    assert both == [n for n in palaestra.names() if n.startswith(("games/", "matches/"))]
    run("list", "--json", "matches")
    lines = capsys.readouterr().out.splitlines()
    assert {json.loads(line)["kind"] for line in lines} == {"match"}


def test_list_names_categories_that_are_near(capsys):
    assert run("list", "tool") == 2
    assert "there is no category 'tool'; did you mean tools?" in capsys.readouterr().err


def test_list_for_a_person(monkeypatch):
    from rich.console import Console

    screen = io.StringIO()
    monkeypatch.setattr(
        "palaestra.cli.terminal.out", Console(file=screen, force_terminal=True, width=150)
    )
    assert run("list", "--kind", "match") == 0
    assert "get four in a line" in screen.getvalue()


def test_a_reader_that_has_seen_enough(monkeypatch):
    def stop(*_):
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", stop)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert run("version") == 141


def test_combinators_are_listed_with_their_environments(capsys):
    assert run("combinators", "--json") == 0
    rows = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert list(rows) == list(COMBINATORS)
    assert KNIGHTS in rows["batch"]["environments"]
    assert "games/mastermind" not in rows["batch"]["environments"]
    assert rows["hint"]["arguments"][0]["name"] == "rung"
    run("show", KNIGHTS)
    assert "combinators: batch, " in capsys.readouterr().out


def test_show(capsys):
    assert run("show", KNIGHTS, "--level", "1", "--seed", "3") == 0
    out = capsys.readouterr().out
    task = Address.of(KNIGHTS, 3, 1).task()
    assert task.prompt() in out
    assert task.answer() in out


def test_sample(capsys, tmp_path):
    run("sample", KNIGHTS, "-n", "2", "--seed", "4", "--level", "1", "--split", "eval")
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Address.parse(row["address"]).seed for row in rows] == [2**31 + 4, 2**31 + 5]
    run(
        "sample",
        KNIGHTS,
        "-k",
        "people=9",
        "--answer-format",
        "boxed",
        "-o",
        str(tmp_path / "rows.jsonl"),
    )
    (row,) = map(json.loads, (tmp_path / "rows.jsonl").read_text().splitlines())
    assert "people=9" in row["address"]
    assert "boxed" in row["messages"][0]["content"]
    run("sample", "tools/meeting_desk")
    assert json.loads(capsys.readouterr().out)["tools"]


def test_export(capsys):
    run("export", KNIGHTS, "-n", "1", "--level", "2")
    row = json.loads(capsys.readouterr().out)
    address = row["address"]
    assert row["label"] == row["ground_truth"] == row["reward_model"]["ground_truth"] == address
    assert (row["seed"], row["level"], row["env"]) == (0, 2, KNIGHTS)
    assert Address.parse(address).task().answer() not in json.dumps(row)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["parquet", "datasets"])
def test_other_formats(form, tmp_path, capsys):
    datasets = pytest.importorskip("datasets")
    file = tmp_path / "rows"
    assert run("sample", KNIGHTS, "-n", "3", "--format", form, "-o", str(file)) == 0
    made = (
        datasets.Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache"))
        if form == "parquet"
        else datasets.load_from_disk(str(file))
    )
    assert [Address.parse(address).seed for address in made["address"]] == [0, 1, 2]


def test_formats_ask_for_what_they_need(capsys, tmp_path, monkeypatch):
    assert run("sample", KNIGHTS, "--format", "parquet") == 2
    assert "requires --out" in capsys.readouterr().err
    for form, module, extra in (
        ("parquet", "pyarrow", "parquet"),
        ("datasets", "datasets", "data"),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        assert run("sample", KNIGHTS, "--format", form, "-o", str(tmp_path / "x")) == 2
        assert f"palaestra[{extra}]" in capsys.readouterr().err


def test_parquet_needs_no_datasets(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setitem(sys.modules, "datasets", None)
    file = tmp_path / "rows"
    rows = [{"address": "a", "messages": [{"role": "user", "content": "é"}]}, {"tools": ["t"]}]
    write_parquet(rows, file)
    assert parquet.read_table(file).to_pylist() == [
        {"address": "a", "messages": [{"role": "user", "content": "é"}], "tools": None},
        {"address": None, "messages": None, "tools": ["t"]},
    ]


def test_play(say, capsys):
    say(ADDRESS.task().answer().replace("\n", "\\n") + "\n")
    run("play", KNIGHTS, "--seed", "5", "--level", "2")
    out = capsys.readouterr().out
    assert str(ADDRESS) in out
    assert "score 1" in out
    say("")
    run("play", KNIGHTS)
    assert "unfinished" in capsys.readouterr().out


def test_a_call_of_a_tool_is_played_as_it_is_written(say, capsys):
    """In JSON a backslash and an n are a line break already."""
    say('{"tool": "python", "args": {"code": "x = 6\\nprint(x * 7)"}}\n1\n')
    assert run("play", "arithmetic/long_multiplication+tools(python,1)") == 0
    assert "42\n\nNo calls are left" in capsys.readouterr().out


def test_score(say, capsys):
    right = {"address": str(ADDRESS), "replies": TAGS.write(ADDRESS.task().answer())}
    boxed = right | {"replies": f"\\boxed{{{ADDRESS.task().answer()}}}", "answer_format": "boxed"}
    say("\n".join(json.dumps(row) for row in (right, boxed, right | {"replies": ["x"]})) + "\n\n")
    assert run("score") == 0
    assert [json.loads(line)["value"] for line in capsys.readouterr().out.splitlines()] == [1, 1, 0]


def test_score_loses_no_line(say, capsys):
    lines = ['{"address": "nothing/here", "replies": "x"}', "{", "[]", "3", "[" * 5_000, "{}"]
    say("\n".join([*lines, json.dumps({"address": str(ADDRESS), "replies": "x"})]))
    assert run("score") == 1
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [result["value"] for result in results] == [None] * len(lines) + [0]
    assert all(result["reason"] for result in results)


def test_list_names_the_distributions_whose_categories_clash(capsys, other_distribution):
    other_distribution("logic", {"twin": ""}, "intruder")
    with pytest.raises(SystemExit) as ended:
        main(["list", "logic"])
    listed = capsys.readouterr()
    assert ended.value.code == 1
    assert "logic/knights_and_knaves" in listed.out
    assert "claimed by palaestra and by intruder 1.0" in listed.err


def test_check(capsys, monkeypatch, other_distribution):
    def check_fine(name):
        """Nothing."""

    def check_odd(name):
        """Nothing is even."""
        raise AssertionError("it is odd")

    monkeypatch.setattr("palaestra.testing.CHECKS", (check_fine,))
    assert run("check", KNIGHTS) == 0
    assert capsys.readouterr().out == f"{KNIGHTS}: 1 of 1 checks passed\n"
    monkeypatch.setattr("palaestra.testing.CHECKS", (check_fine, check_odd))
    assert run("check", KNIGHTS) == 1
    assert "check_odd: it is odd" in capsys.readouterr().out


def test_check_records_what_passes(capsys, monkeypatch, tmp_path):
    def check_odd(name):
        """Everything but one environment is fine."""
        assert name != KNIGHTS, "it is odd"

    inverse = "numbers/modular_inverse"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("palaestra.testing.CHECKS", (check_odd,))
    monkeypatch.setattr("palaestra.testing.digests.names", lambda: (KNIGHTS, inverse))
    assert run("check", "--record") == 1
    out = capsys.readouterr().out
    assert "check_odd: it is odd" in out
    assert "checks.txt lists 1 of 2, 1 from this run" in out
    assert [line.split()[0] for line in Path("checks.txt").read_text().splitlines()[2:]] == [
        inverse
    ]
    assert run("check", "--record") == 1
    assert inverse not in capsys.readouterr().out  # it is not new any more
    monkeypatch.setattr("palaestra.testing.CHECKS", ())
    assert run("check", "--record", KNIGHTS) == 0
    assert "checks.txt lists 2 of 2, 1 from this run" in capsys.readouterr().out


def test_an_interrupted_check_has_recorded_what_has_passed(monkeypatch, tmp_path):
    inverse = "numbers/modular_inverse"

    def check_interrupted(name):
        """The second environment is never finished."""
        if name == inverse:
            raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("palaestra.testing.CHECKS", (check_interrupted,))
    monkeypatch.setattr("palaestra.testing.digests.names", lambda: (KNIGHTS, inverse))
    with pytest.raises(KeyboardInterrupt):
        development.check([KNIGHTS, inverse], record=True)
    assert [*listed(Path("checks.txt"))] == [KNIGHTS]


def test_environments_are_checked_by_several_processes(capsys):
    short, sums = "strings/letter_counting", "arithmetic/bit_counting"
    assert run("check", short, sums, "--jobs", "2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.partition(":")[0] for line in lines) == [sums, short]
    assert all(line.endswith("checks passed") for line in lines)
    assert run("check", short, "--jobs", "0") == 2
    assert run("check", short, "--jobs", "2", "--json") == 2
    assert "--jobs does not go with --json" in capsys.readouterr().err


def test_an_interrupt_ends_the_processes_that_check(monkeypatch):
    workers = []

    def interrupted(futures):
        workers.extend(active_children())
        raise KeyboardInterrupt

    monkeypatch.setattr(development, "as_completed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(development._all_faults([KNIGHTS, "matches/chess"], 2))
    assert len(workers) == 2
    assert {worker.exitcode for worker in workers} == {-signal.SIGTERM}


def test_a_completed_template_passes_all_checks(capsys, monkeypatch, tmp_path, other_distribution):
    monkeypatch.chdir(tmp_path)
    assert run("new", "mathematics/sum_of_numbers") == 0
    source = Path("envs/mathematics/sum_of_numbers.py").read_text()
    source = source.replace("TODO: name the source", "Folklore").replace("TODO: state", "State")
    source = source.replace("TODO", "arithmetic")
    assert Path("envs/mathematics/__init__.py").exists()
    assert run("new", "mathematics/sum_of_numbers") == 2
    assert "already exists" in capsys.readouterr().err
    assert run("new", "../x/y") == 2
    assert run("new", "Mathematics/Sum") == 2
    assert run("new", "mathematics/lambda") == 2
    assert run("new", "mathematics/puzzle") == 2
    capsys.readouterr()
    assert run("new", KNIGHTS) == 2
    assert "is an environment already" in capsys.readouterr().err
    other_distribution("mathematics", {"sum_of_numbers": source})
    from palaestra.testing import CHECKS, check_processes

    for check in CHECKS:
        if check is not check_processes:  # it would have to know of the test's distribution
            check("mathematics/sum_of_numbers")


def test_catalog(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(palaestra, "names", lambda: (KNIGHTS,))
    held = catalog()[KNIGHTS]
    stale = {KNIGHTS: held | {"summary": "Another."}}
    monkeypatch.setattr("palaestra.catalog.catalog", lambda: {KNIGHTS: held})
    assert run("catalog") == 0
    monkeypatch.setattr("palaestra.catalog.catalog", lambda: stale)
    assert run("catalog") == 2
    assert f"out of date: {KNIGHTS};" in capsys.readouterr().err
    assert run("catalog", "--write") == 0
    assert Path("catalog.yaml").read_text() == dump({KNIGHTS: held})
    assert run("catalog", "--write", KNIGHTS) == 0
    assert Path("catalog.yaml").read_text() == dump({KNIGHTS: held})
    changed = {KNIGHTS: held | {"fingerprint": "0"}}
    monkeypatch.setattr("palaestra.catalog.catalog", lambda: changed)
    assert run("catalog", "--write") == 2
    assert "increase its version" in capsys.readouterr().err
    monkeypatch.setattr(
        "palaestra.measurements.all_measured", lambda names, *_: [{"floor": [0.5]}] * len(names)
    )
    assert run("catalog", "--write", "--unreleased") == 0
    assert "floor: [0.5]" in Path("catalog.yaml").read_text()


def test_named_environments_are_measured_quickly_and_in_full_for_a_release(
    capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    held = catalog()[KNIGHTS]
    budgets = []

    def measure(names, _, budget):
        budgets.append((list(names), budget))
        return [{"floor": [0.5], "tasks": budget.players}] * len(names)

    monkeypatch.setattr("palaestra.measurements.all_measured", measure)
    rows = {KNIGHTS: held | {"measured": {"tasks": 12}}}
    monkeypatch.setattr("palaestra.catalog.catalog", lambda: rows)
    monkeypatch.setattr(palaestra, "names", lambda: (KNIGHTS,))
    assert run("catalog", "--write", KNIGHTS) == 0
    assert "0 measured; figures of 1 with unchanged tasks kept" in capsys.readouterr().out
    for options in (("--measure", KNIGHTS), ("--release",)):
        assert run("catalog", "--write", *options) == 0
    rows[KNIGHTS] = held | {"measured": {}}
    assert run("catalog", "--write", KNIGHTS) == 0
    assert f"{KNIGHTS}: measured on 12 tasks of each level" in capsys.readouterr().out
    full, quick = measurements.FULL, measurements.QUICK
    assert budgets == [([], quick), ([KNIGHTS], full), ([KNIGHTS], full), ([KNIGHTS], quick)]


def test_quick_figures_are_of_fewer_tasks_where_these_are_slow_to_draw(monkeypatch):
    tasks = []
    for seconds in (0.0, 1.0):
        monkeypatch.setattr(measurements, "_draw_s", lambda name, seconds=seconds: seconds)
        (figures,) = measurements.all_measured([KNIGHTS], budget=measurements.QUICK)
        tasks.append(figures["tasks"])
    assert tasks == [measurements.QUICK.players, measurements.SLOW.players]


def test_full_figures_are_of_fewer_tasks_where_these_take_too_long(monkeypatch):
    assert "tasks" not in measurements.measured("strings/letter_counting", seeds=30)
    monkeypatch.setattr(measurements, "LEVEL_S", 0.0)
    assert measurements.measured("strings/letter_counting", seeds=30)["tasks"] == 12


def test_the_catalog_states_which_release_contains_an_earlier_version(
    capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(palaestra, "names", lambda: (KNIGHTS,))
    held = catalog()[KNIGHTS]
    version = held["version"]
    monkeypatch.setattr("palaestra.catalog.catalog", lambda: {KNIGHTS: held})
    monkeypatch.setattr(palaestra, "__version__", "0.1.0")
    assert run("catalog", "--write", "--release") == 0
    (first,) = yaml.safe_load(Path("catalog.yaml").read_text()).values()
    assert first == held | {"releases": {str(version): "0.1.0"}}

    monkeypatch.setattr("palaestra.catalog.catalog", lambda: {KNIGHTS: first})
    assert run("catalog") == 0
    monkeypatch.setattr("palaestra.catalog.row", lambda name: row(name) | {"version": version + 1})
    monkeypatch.setattr(palaestra, "__version__", "0.3.0")
    assert run("catalog", "--write", "--release") == 0
    (second,) = yaml.safe_load(Path("catalog.yaml").read_text()).values()
    assert second["releases"] == {str(version): "0.1.0", str(version + 1): "0.3.0"}

    monkeypatch.setattr("palaestra.catalog.catalog", lambda: {KNIGHTS: second})
    capsys.readouterr()
    assert run("show", KNIGHTS) == 0
    assert f"version {version}: latest in palaestra 0.1.0" in capsys.readouterr().out


def test_bench(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "reasoning_gym", None)
    assert run("bench", KNIGHTS, "--seconds", "0.01", "--json") == 0
    rate = json.loads(capsys.readouterr().out)
    assert rate["draws"] > 0
    assert rate["peer"] == ""
    assert run("bench", KNIGHTS, "matches/connect_four", "--seconds", "0.01", "--level", "0") == 0
    out = capsys.readouterr().out
    assert "not installed" in out
    assert "median over 2" in out


def test_bench_beside_a_peer(capsys, monkeypatch):
    from types import SimpleNamespace

    peer = SimpleNamespace(create_dataset=lambda title, **_: [title] * 500)
    monkeypatch.setitem(sys.modules, "reasoning_gym", peer)
    assert run("bench", KNIGHTS, "--seconds", "0.01") == 0
    out = capsys.readouterr().out
    assert "knights_knaves" in out
    assert "times reasoning-gym's rate" in out


def test_sandbox(say, capsys, tmp_path):
    say("21")
    file = tmp_path / "program.py"
    file.write_text("print(int(input()) * 2)")
    assert run("sandbox", "run", str(file)) == 0
    assert capsys.readouterr().out == "42\n"
    file.write_text("raise SystemExit(3)")
    assert run("sandbox", "run", str(file)) == 3
    assert "exit code 3" in capsys.readouterr().err
    assert run("sandbox", "run", str(file), "--language", "cobol") == 2
    assert "a language is python" in capsys.readouterr().err
    assert run("sandbox", "report") == 0
    assert json.loads(capsys.readouterr().out)["isolation"] in {"namespaces", "landlock"}


def test_sandbox_bench(capsys):
    assert run("sandbox", "bench", "-n", "10", "--soak", "12", "--json") == 0
    *rows, whole = map(json.loads, capsys.readouterr().out.splitlines())
    assert "subprocess" in {row["way"] for row in rows}
    assert (whole["programs"], whole["wrong"]) == (12, 0)


def test_output_that_docker_sends_with_its_headers_is_not_lost(monkeypatch):
    if not sandbox_bench.contained("docker"):
        pytest.skip("no container engine")
    begin = http.client.HTTPResponse.begin

    def late(response):
        time.sleep(0.5)  # until all has arrived; a client that reads sooner loses nothing either
        begin(response)

    with sandbox_bench._container() as execute:
        monkeypatch.setattr(http.client.HTTPResponse, "begin", late)
        assert execute(["python3", "-I", "-c", sandbox_bench.PROGRAM]) == 0
        monkeypatch.undo()


def test_serve_stays_on_this_machine_unless_told(capsys, monkeypatch, tmp_path):
    calls = []

    def noted(app, host, **_):
        calls.append(
            (host, json.loads(Path(os.environ[SETTINGS_VARIABLE]).read_text())["neighbours"])
        )

    monkeypatch.setenv(SETTINGS_VARIABLE, "{}")
    monkeypatch.setattr("uvicorn.run", noted)
    monkeypatch.setattr("palaestra.cli.service.refuse_taken", lambda host, port: None)
    assert run("serve") == 0
    assert run("serve", "--host", "0.0.0.0") == 2
    assert "--token-file" in capsys.readouterr().err
    tokens = tmp_path / "tokens"
    tokens.write_text("sesame\n")
    assert run("serve", "--host", "0.0.0.0", "--token-file", str(tokens)) == 0
    assert run("serve", "--host", "0.0.0.0", "--insecure-no-auth") == 0
    assert run("serve", "--insecure-no-auth") == 0
    assert calls == [
        ("127.0.0.1", True), ("0.0.0.0", False), ("0.0.0.0", False), ("127.0.0.1", False)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["show", "logic/knights"], "did you mean logic/knights_and_knaves"),
        (["sample", KNIGHTS, "-k", "people"], "name=value"),
        (["sample", KNIGHTS, "-k", "people=99"], "from 2 to 10"),
        (["sample", KNIGHTS, "--level", "99"], "levels go from 0"),
        (["sample", KNIGHTS, "-n", "0"], "greater than or equal to 1"),
        (["export", KNIGHTS, "-n", "-1"], "greater than or equal to 1"),
        (["show", KNIGHTS, "--level", "-1"], "greater than or equal to 0"),
        (["serve", "--port", "65536"], "less than or equal to 65535"),
        (["serve", "--host", "no-such-host.invalid"], "nothing can listen on port 8000"),
        (["list", "--tag", "dedution"], "no tag 'dedution'; did you mean deduction"),
        (["list", "--tag", "qqq"], "see `palaestra list --tags`"),
        (["list", "qqq"], "the categories are algebra, "),
        (["list", "--kind", "puzle"], "'puzzle', 'task', 'match'"),
        (["list", KNIGHTS], f"see `palaestra show {KNIGHTS}`"),
        (["list", "--tags", "--categories"], "exclude each other"),
        (["bench", KNIGHTS, "nothing/here", "--seconds", "0.01"], "no environment"),
        (["bench", KNIGHTS, "--seconds", "0"], "greater than or equal to 0.001"),
        (["lst"], "did you mean 'list'?"),
        (["bench", "nothing/here"], "no environment"),
    ],
)
def test_mistakes_are_told_in_a_line(argv, message, capsys):
    assert run(*argv) == 2
    err = capsys.readouterr().err
    assert message.casefold() in " ".join(err.replace("│", " ").split()).casefold()
    assert "Traceback" not in err


def test_version_and_help(capsys):
    for spelling in ("version", "--version", "-V"):
        assert run(spelling) == 0
        assert capsys.readouterr().out.strip() == palaestra.__version__
    assert run("--help") == 0
    out = capsys.readouterr().out
    verbs = "list show sample play score check new catalog serve export bench quickstart"
    for verb in verbs.split():
        assert verb in out


def test_quickstart(capsys):
    assert run("quickstart") == 0
    out = capsys.readouterr().out
    assert "with the same scores" in out
    assert "games/mastermind@" in out
    for face in ("Gymnasium", "HTTP", "trainers"):
        assert face in out


def test_quickstart_says_when_scores_differ(capsys, monkeypatch):
    from palaestra.client import Client

    monkeypatch.setattr(Client, "score_many", lambda self, items: [])
    assert run("quickstart") == 1
    assert "OTHER scores" in capsys.readouterr().out


def test_the_command_is_installed():
    out = subprocess.run(
        [sys.executable, "-m", "palaestra", "version"], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == palaestra.__version__
