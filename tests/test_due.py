"""Which test files a run of the whole suite leaves out."""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from palaestra.testing.record import Plan, enter, listed
from tests import due

FILES = {
    "tests/conftest.py": "",
    "tests/envs/test_sudoku.py": "NAME = 'grids/sudoku+retry(3)?level=1&seed=7'\n",
    "tests/envs/test_nest.py": "NAME = 'word_problem+nest(arithmetic.game_of_24)'\n",
    "tests/envs/test_helped.py": "from tests.envs.helping import answer\n",
    "tests/envs/helping.py": "answer = 42\n",
    "tests/envs/test_all.py": "import palaestra\nNAMES = palaestra.names()\n",
    "tests/envs/test_page.py": "from pathlib import Path\nPAGE = Path(__file__).parent\n",
    "tests/envs/test_started.py": "import subprocess\n",
    "tests/test_layout.py": "",
    "tests/test_environments.py": "",
    "tests/workers/test_pool.py": "",
    "tests/verifiers/sandbox/test_jails.py": "",
}


WHOLE = {"test_page", "test_started", "test_layout"}
"""Those that depend on every file of the repository."""


@pytest.fixture
def digests(tmp_path):
    """Writes the test files, and returns the digest of each."""

    def written(changes=()):
        for path, text in (FILES | dict(changes)).items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        sources = due.TestSources(tmp_path)
        return {path: sources.digest_of_file(path) for path in FILES if "test_" in path}

    return written


def test_files_that_depend_on_the_machine_always_run(digests):
    always = {Path(path).stem for path, digest in digests().items() if digest is None}
    assert always == {"test_environments", "test_pool", "test_jails"}


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        ("tests/envs/test_sudoku.py", {"test_sudoku"}),
        ("tests/envs/helping.py", {"test_helped"}),
        ("tests/conftest.py", {"test_sudoku", "test_nest", "test_helped", "test_all"}),
        ("docs/new_page.md", set()),
        ("docs/new/page.md", set()),
        (".ci/run", set()),
    ],
)
def test_a_change_makes_new_digests_of_what_depends_on_it(digests, path, changed):
    """Tests that read pages, that start programs and that are of the whole repository depend on
    every file of it.
    """
    before = digests()
    after = digests({path: FILES.get(path, "") + "# changed\n"})
    assert {Path(each).stem for each in before if before[each] != after[each]} == changed | WHOLE


@pytest.mark.parametrize(
    "path",
    [
        "checks.txt",
        "passed.txt",
        ".venv/lib/new.py",
        "tests/__pycache__/new.pyc",
        "src/palaestra/catalog.json",
    ],
)
def test_records_and_generated_files_are_no_part_of_the_digests(digests, path):
    assert digests() == digests({path: "changed"})


def test_environments_are_reached_by_name(digests, tmp_path):
    digests()
    sources = due.TestSources(tmp_path)
    sudoku, game = "palaestra.envs.grids.sudoku", "palaestra.envs.arithmetic.game_of_24"

    def reached(stem):
        return sources.reached([f"tests.envs.{stem}"])

    assert sudoku in reached("test_sudoku")
    assert game in reached("test_nest")
    assert not {sudoku, game} & reached("test_helped")


def test_the_record_is_no_part_of_the_digests(digests, tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "due.py").write_text(Path(due.__file__).read_text("utf-8"))
    assert not due.RECORD.is_relative_to(due.ROOT / "tests")
    importing = {"tests/conftest.py": "from tests import due"}
    before = digests(importing)
    (tmp_path / due.RECORD.name).write_text("tests/envs/test_sudoku.py 0123456789abcdef")
    (tmp_path / "tests" / "envs" / "test_new.py").write_text("x = 1")
    after = digests(importing)
    assert {Path(each).stem for each in before if before[each] != after[each]} == WHOLE


def test_combinators_are_part_of_the_digests_of_tests_that_use_them(digests, tmp_path):
    digests()
    sources = due.TestSources(tmp_path)
    combinators = "palaestra.combinators.nest"
    assert combinators in sources.reached(["palaestra.registry"])
    assert combinators not in sources.without_combinators.reached(["palaestra.registry"])
    plain, combined = (
        due._COMBINED.search(text)
        for text in ("grids/sudoku@1?level=2&seed=3", "grids/sudoku+choices(4)@1?seed=3")
    )
    assert combined
    assert not plain


SOURCES = pytest.Config.ArgsSource


def config(**changes):
    option = SimpleNamespace(keyword="", markexpr="", lf=False)
    known = {"option": option, "args": ["tests"], "args_source": SOURCES.TESTPATHS}
    return SimpleNamespace(**known | changes)


def test_only_runs_without_a_selection_are_whole():
    assert due.is_whole(config())
    assert not due.is_whole(config(args_source=SOURCES.ARGS))
    for name, value in (("keyword", "sudoku"), ("markexpr", "not slow"), ("lf", True)):
        option = SimpleNamespace(**{"keyword": "", "markexpr": "", "lf": False, name: value})
        assert not due.is_whole(config(option=option))


@pytest.mark.parametrize("whole", [True, False])
def test_listed_files_are_left_out_of_whole_runs(whole):
    names = [f"tests/envs/test_{n}.py" for n in range(200)]
    current = Plan({}, {**dict.fromkeys(names, "listed"), "tests/test_b.py": "new"}, "a commit")
    source = SOURCES.TESTPATHS if whole else SOURCES.ARGS
    chosen = config(stash={due._PLAN: current}, args_source=source)

    def ignored(path):
        return due.pytest_ignore_collect(due.ROOT / path, chosen)

    left_out = {name for name in names if ignored(name)}
    assert left_out == {
        name for name in names if whole and not current.samples(name, due.one_in(current))
    }
    assert 170 < len(left_out) < 200 or not whole
    others = ("tests/test_b.py", "tests/test_new.py", "tests/envs", "/elsewhere/test_0.py")
    assert {ignored(path) for path in others} == {None}


def test_modules_without_examples_are_not_imported():
    chosen = config(stash={due._PLAN: Plan({}, {}, "a commit")})
    source = due.ROOT / "src" / "palaestra"
    assert due.pytest_ignore_collect(source / "testing" / "sampling.py", chosen)
    assert due.pytest_ignore_collect(source / "testing" / "record.py", chosen) is None
    named = config(args_source=SOURCES.ARGS)
    assert due.pytest_ignore_collect(source / "testing" / "sampling.py", named) is None


def test_the_record_keeps_its_comments(tmp_path):
    file, digest = tmp_path / "passed.txt", "0123456789abcdef"
    file.write_text("# Written by the tests.\n# Do not edit.\n")
    enter(file, {"tests/envs/test_a.py": digest}, ["tests/envs/test_a.py"])
    assert listed(file) == {"tests/envs/test_a.py": {digest}}
    assert file.read_text("utf-8").startswith("# Written by the tests.\n# Do not edit.\n")


@pytest.mark.parametrize("is_cut_off", [False, True])
def test_files_of_a_run_that_is_cut_off_are_not_known_to_pass(monkeypatch, tmp_path, is_cut_off):
    plan = Plan({"tests/a.py": "0" * 16, "tests/b.py": "1" * 16}, {})
    outcomes = due.Outcomes(config(stash={due._PLAN: plan}, getoption=lambda _: True))
    monkeypatch.setattr(due, "RECORD", tmp_path / "passed.txt")
    monkeypatch.setattr(due, "digests", lambda: plan.digests)
    nodeids = ["tests/a.py::test", "tests/b.py::test[0]", "tests/b.py::test[1]"]
    outcomes.pytest_xdist_node_collection_finished(nodeids)
    for nodeid in nodeids[: 2 if is_cut_off else 3]:
        for when in ("setup", "call", "teardown"):
            outcomes.pytest_runtest_logreport(
                SimpleNamespace(nodeid=nodeid, when=when, outcome="passed")
            )
    outcomes.pytest_xdist_node_collection_finished(nodeids)  # by a worker that replaces another
    reporter = SimpleNamespace(section=lambda _: None, write_line=lambda _: None)
    outcomes.pytest_terminal_summary(reporter, pytest.ExitCode.TESTS_FAILED)
    passed = ["tests/a.py"] if is_cut_off else ["tests/a.py", "tests/b.py"]
    assert [*listed(tmp_path / "passed.txt")] == passed


def test_files_with_tests_that_are_skipped_stay_in_the_record_as_they_are(monkeypatch, tmp_path):
    """The trainer's tests pass where torch is installed, and are skipped elsewhere."""
    names = [f"tests/{name}.py" for name in ("failed", "listed", "new", "passed")]
    plan = Plan({name: str(number) * 16 for number, name in enumerate(names)}, {})
    outcomes = due.Outcomes(config(stash={due._PLAN: plan}, getoption=lambda _: True))
    file = tmp_path / "passed.txt"
    enter(file, plan.digests, ["tests/failed.py", "tests/listed.py"])
    monkeypatch.setattr(due, "RECORD", file)
    monkeypatch.setattr(due, "digests", lambda: plan.digests)
    for name, outcome in zip(names, ("failed", "skipped", "skipped", "passed")):
        for nodeid, how in ((f"{name}::test_a", outcome), (f"{name}::test_b", "passed")):
            outcomes.pytest_runtest_logreport(
                SimpleNamespace(nodeid=nodeid, when="teardown", outcome=how)
            )
    reporter = SimpleNamespace(section=lambda _: None, write_line=lambda _: None)
    outcomes.pytest_terminal_summary(reporter, pytest.ExitCode.TESTS_FAILED)
    assert [*listed(file)] == ["tests/listed.py", "tests/passed.py"]


def test_only_whole_files_are_entered():
    named = {"args_source": SOURCES.ARGS}
    assert due.has_whole_files(config(**named, args=["tests/envs", "tests/core/test_b.py"]))
    assert not due.has_whole_files(config(**named, args=["tests/core/test_b.py::test[a]"]))
    some = SimpleNamespace(keyword="sudoku", markexpr="", lf=False)
    assert not due.has_whole_files(config(**named, option=some))


def test_files_that_are_due_are_printed(monkeypatch, capsys):
    names = [f"tests/trainers/test_{n}.py" for n in range(40)]
    current = Plan({}, {**dict.fromkeys(names, "listed"), "tests/trainers/test_b.py": "new"}, "key")
    monkeypatch.setattr(due, "_worked_out", lambda: current)
    asked_for = [*names, "tests/trainers/test_b.py", "tests/test_always.py"]
    monkeypatch.setattr(sys, "argv", ["due", *asked_for])
    due.main()
    sampled = [name for name in names if current.samples(name, due.one_in(current))]
    assert capsys.readouterr().out.split() == [*sampled, *asked_for[-2:]]
    assert len(sampled) < 25


def test_digests_are_the_same_in_the_program(monkeypatch):
    """This module is named ``__main__`` there, and is no part of the digests either way."""
    monkeypatch.setattr(sys, "argv", ["due"])
    program = runpy.run_path(due.__file__, run_name="__main__")
    path = "tests/core/test_syntax.py"
    digest = due.TestSources().digest_of_file(path)
    assert digest
    assert program["TestSources"]().digest_of_file(path) == digest


def test_installed_packages_named_tests_are_not_taken_for_these(tmp_path):
    """Some packages, verl's dependencies among them, install a package ``tests``."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").touch()
    imported = subprocess.run(
        [sys.executable, "-c", "import tests.due"],
        cwd=Path(__file__).parents[1], env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert imported.returncode == 0, imported.stderr


def test_what_reaches_the_catalog_depends_on_its_rows(tmp_path, monkeypatch):
    """The service shows cards of environments that its tests do not name."""
    sources = {
        "tests/conftest.py": "",
        "tests/server/test_app.py": "import palaestra.server.app\n",
        "tests/envs/test_sudoku.py": "NAME = 'grids/sudoku'\n",
    }
    for path, text in sources.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(due, "ROOT", tmp_path)

    def digests(catalog):
        (tmp_path / "catalog.yaml").write_text(catalog)
        files = due.TestSources(tmp_path)
        return {path: files.digest_of_file(path) for path in sources if "test_" in path}

    before, after = digests("one: row"), digests("other: row")
    assert [path for path in before if before[path] != after[path]] == ["tests/server/test_app.py"]
