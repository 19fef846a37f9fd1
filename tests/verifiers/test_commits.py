"""Tasks from commits, on a tiny repository that is new with each run."""

import json
import os
import shutil
import subprocess
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from palaestra.cli import app
from palaestra.task import InvalidAnswer
from palaestra.verifiers.commits import (
    Builder,
    CommitTask,
    History,
    Settings,
    protected,
    read_patch,
    read_tasks,
)
from palaestra.verifiers.commits.history import Entry
from palaestra.verifiers.commits.packages import needed
from palaestra.verifiers.commits.running import (
    Forged,
    SuiteRunner,
    Unfinished,
    shown,
    with_pytest,
)

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")

WRONG = "def double(n):\n    return n + n + 1\n\n\ndef half(n):\n    return n // 2\n"
RIGHT = WRONG.replace(" + 1", "")
TESTS = (
    "from things.sums import double, half\n\n\n"
    "def test_double():\n    assert double(4) == 8\n\n\n"
    "def test_half():\n    assert half(9) == 4\n"
)
FLAKY = (
    "import os\nfrom things.sums import double\n\n\n"
    "def test_chance():\n    assert os.urandom(1)[0] % 2\n\n\n"
    "def test_luck():\n    assert os.urandom(1)[0] % 2\n\n\n"
    "def test_sure():\n    assert double(1) == 2\n"
)
LUCK = (
    "import os\nfrom things.more import MORE\n\n\n"
    "def test_luck():\n    assert os.urandom(1)[0] % 2\n\n\n"
    "def test_more():\n    assert MORE == 2\n"
)
CLASSES = (
    "import unittest\nfrom things.sums import third\n\n\n"
    "class Thirds(unittest.TestCase):\n"
    "    def test_third(self):\n        self.assertEqual(third(9), 3)\n\n"
    "    def test_other(self):\n        with self.subTest(3):\n            self.assertTrue(third)\n"
)
FIX = (
    "--- a/things/sums.py\n+++ b/things/sums.py\n@@ -1,5 +1,5 @@\n def double(n):\n"
    "-    return n + n + 1\n+    return n + n\n \n \n def half(n):\n"
)
BARE = Settings(options=(), cpu_s=10, memory_mb=512)


class Repository:
    """A git repository that commits are added to."""

    def __init__(self, path):
        self.path = path
        self.git("init", "-q")

    def git(self, *words):
        names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
        environment = os.environ | {f"GIT_{name}": "a@b.example" for name in names}
        command = ["git", "-C", str(self.path), *words]
        run = subprocess.run(command, check=True, capture_output=True, env=environment)
        return run.stdout.decode().strip()

    def commit(self, message, **files):
        for name, text in files.items():
            file = self.path / name.replace("__", "/")
            file = file.with_name(f"{file.name}.py")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    tiny = Repository(tmp_path_factory.mktemp("tiny"))
    (tiny.path / "link").symlink_to("things")
    (tiny.path / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '-x'\n")
    tiny.commit("Begin", things__sums=WRONG, things____init__="")
    tiny.commit("Doubles are one too high", things__sums=RIGHT, tests__test_sums=TESTS)
    tiny.commit("No tests", things__more="MORE = 1\n")
    tiny.commit("Tests alone", tests__test_more="def test_more():\n    assert True\n")
    third = f"{RIGHT}\n\ndef third(n):\n    return n // 3\n"
    tiny.commit("Thirds", things__sums=third, tests__test_thirds=CLASSES)
    tiny.commit("Luck", things__more="MORE = 2\n", tests__test_luck=LUCK)
    tiny.commit("Chance", things__more="MORE = 3\n", tests__test_chance=FLAKY)
    return tiny


@pytest.fixture(scope="module")
def history(repository):
    return History(repository.path)


@pytest.fixture(scope="module")
def built(history):
    """The tasks of all commits by the first line of their message, and the builder's report."""
    builder = Builder(history, BARE, repeats=8)
    tasks = {task.issue: task for task in builder.tasks(history.commits(50))}
    return tasks, builder.report


@pytest.fixture(scope="module")
def fix(built):
    return built[0]["Doubles are one too high"]


@pytest.fixture(scope="module")
def runner():
    with SuiteRunner(BARE) as opened:
        yield opened


def test_commits_with_source_and_tests_become_tasks(built):
    tasks, report = built
    assert {*tasks} == {"Doubles are one too high", "Thirds", "Luck"}
    assert tasks["Doubles are one too high"].failing == ("tests/test_sums.py::test_double",)
    assert tasks["Doubles are one too high"].passing == ("tests/test_sums.py::test_half",)
    assert {*tasks["Thirds"].failing} == {
        "tests/test_thirds.py::Thirds.test_third",
        "tests/test_thirds.py::Thirds.test_other",
    }
    assert tasks["Luck"].failing == ("tests/test_luck.py::test_more",)
    assert tasks["Luck"].passing == ()
    assert (report.tried, report.tasks) == (6, 3)  # the first commit has no parent
    without_source = {"it changes no tests": 1, "it changes no source in Python": 1}
    assert without_source.items() <= report.dropped.items()
    assert report.dropped.total() == 3  # what is said of chance is a matter of chance
    assert report.flaky >= 1
    assert "3 tasks from 6 commits" in str(report)


def test_right_patches_score_1_in_both_forms(fix, history, runner):
    whole = json.dumps({"things/sums.py": RIGHT})
    for reply in (
        FIX,
        f"<think>one too high</think>So:\n```diff\n{FIX}```\nDone.",
        whole,
        f"```json\n{whole}\n```",
        json.dumps({"files": {"things/sums.py": RIGHT, "things/new.py": "A = 1\n"}}),
        FIX.replace("@@ -1,5 +1,5 @@", "@@ -3,5 +3,5 @@"),  # one line off
    ):
        assert fix.score(reply, history, runner).value == 1, reply


def test_wrong_patches_score_0(fix, history, runner):
    nothing = fix.score(json.dumps({"things/sums.py": WRONG}), history, runner)
    assert (nothing.value, nothing.parts["fail_to_pass"]) == (0, 0)
    broken = RIGHT.replace("n // 2", "n / 2")
    result = fix.score(json.dumps({"things/sums.py": broken}), history, runner)
    assert (result.value, result.parts) == (0, {"fail_to_pass": 1, "pass_to_pass": 0})
    for text in ("def double(n: return", "import os\nos._exit(0)\n", "raise SystemExit(0)\n"):
        assert fix.score(json.dumps({"things/sums.py": text}), history, runner).value == 0
    assert fix.score(json.dumps({"things/sums.py": None}), history, runner).value == 0


NO_PATHS = [
    "../outside.py", "things/../../outside.py", "/etc/passwd", "/tmp/repository/x.py", "", ".",
    "things//x.py", "./things/x.py", "things/", "C:/x.py", "things\\x.py", "a\0b.py", "a\nb.py",
    ".git/hooks/pre-commit", "things/.GIT/config", "link", "link/sums.py", "things/sums.py/x.py",
    "things", "x" * 300,
]  # fmt: skip

GUARDED = [
    "tests/test_sums.py", "tests/test_other.py", "tests/helper.py", "things/test_x.py",
    "things/x_test.py", "conftest.py", "things/conftest.py", "pyproject.toml", "pytest.ini",
    "setup.cfg", "tox.ini", "sitecustomize.py", "things/a.pth", "json.py", "pytest.py",
    "pluggy/__init__.py", "src/unittest.py",
]  # fmt: skip


@pytest.mark.parametrize("path", NO_PATHS + GUARDED)
def test_hostile_paths_are_refused_in_both_forms(path, fix, history, runner):
    tree = fix.start(history)
    with pytest.raises(InvalidAnswer):
        read_patch(json.dumps({"things/sums.py": RIGHT, path: "x = 1\n"}), tree)
    with pytest.raises(InvalidAnswer):
        read_patch(json.dumps({path: None}), tree)
    if "\n" not in path:
        diff = f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x = 1\n"
        with pytest.raises(InvalidAnswer):
            read_patch(FIX + diff, tree)
    result = fix.score(json.dumps({"things/sums.py": RIGHT, path: "x = 1\n"}), history, runner)
    assert result.value == 0


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I give up.",
        "{",
        "{}",
        "[1]",
        '{"things/sums.py": 1}',
        '{"files": []}',
        '{"a":' * 5_000,
        '{"things/a.py": "\\u0000"}',
        '{"things/a.py": "\\ud800"}',
        "x" * 500_000,
        "--- a/things/sums.py\n+++ b/things/sums.py\n",
        FIX.replace("-    return n + n + 1", "-    return n + n + 2"),
        FIX.replace("@@ -1,5 +1,5 @@", "@@ -1,9 +1,9 @@"),
        FIX.replace("@@ -1,5 +1,5 @@", "@@ -1,1 +1,1 @@"),
        FIX.replace("@@ -1,5 +1,5 @@", "@@ -999999999999,5 +1,5 @@"),
        FIX + FIX,
        FIX.replace("+++ b/things/sums.py", "+++ b/things/other.py"),
        "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc\n",
        "diff --git a/x b/y\nrename from x\nrename to y\n",
        "--- /dev/null\n+++ b/things/sums.py\n@@ -0,0 +1 @@\n+x\n",
        "--- a/things/none.py\n+++ b/things/none.py\n@@ -1 +1 @@\n-x\n+y\n",
        "--- " * 50_000,
        "```" * 50_000,
    ],
)
def test_what_is_no_patch_is_refused(reply, fix, history, runner):
    with pytest.raises(InvalidAnswer):
        read_patch(reply, fix.start(history))
    assert fix.score(reply, history, runner).value == 0


def test_patches_add_and_delete_files_and_keep_missing_ends():
    tree = {"a.py": Entry(b"one\ntwo"), "b.py": Entry(b"x\n")}
    diff = (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n"
        "+three\n\\ No newline at end of file\n"
        "--- a/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "--- /dev/null\n+++ b/c/d.py\n@@ -0,0 +1,2 @@\n+y\n+z\n"
    )
    assert read_patch(diff, tree) == {"a.py": "one\nthree", "b.py": None, "c/d.py": "y\nz\n"}


def test_thoughts_are_left_out_and_kept_in_patches():
    whole = json.dumps({"a.py": "<think>x</think>"})
    for reply in (whole, f"<think>{{</think>{whole}", f"hm</think>\n```json\n{whole}\n```"):
        assert read_patch(reply, {}) == {"a.py": "<think>x</think>"}
    with pytest.raises(InvalidAnswer):
        read_patch(f"<think>{whole}", {})


def test_patches_of_git_itself_are_read(tmp_path, history):
    """What ``git diff`` says of random edits is applied as git applies it."""
    from random import Random

    rng = Random(5)
    before = tmp_path / "before"
    after = tmp_path / "after"
    for number in range(30):
        lines = [rng.choice("abc") for _ in range(rng.randint(1, 30))]
        changed = [line if rng.random() < 0.8 else rng.choice("abcd") for line in lines]
        del changed[rng.randrange(len(changed))]
        ends = [rng.choice(["", "\n"]) for _ in range(2)]
        texts = ["\n".join(rows) + end for rows, end in zip((lines, changed), ends, strict=True)]
        if texts[0] == texts[1] or not all(texts):
            continue
        before.write_text(texts[0])
        after.write_text(texts[1])
        command = ["git", "diff", "--no-index", "--", str(before), str(after)]
        diff = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        hunks = diff[diff.index("@@ ") :]
        patch = f"--- a/x.txt\n+++ b/x.txt\n{hunks}"
        assert read_patch(patch, {"x.txt": Entry(texts[0].encode())}) == {"x.txt": texts[1]}, number


FORGERIES = [
    "import unittest\nunittest.TestCase.__call__ = lambda self, result: result.stopTest(self)\n",
    "import builtins\nbuiltins.AssertionError = type('E', (BaseException,), {})\n",
    (
        "import sys\nfor name, module in list(sys.modules.items()):\n"
        "    if hasattr(module, 'succeeds'):\n        module.succeeds = lambda function: True\n"
    ),
    "import os\nos.write(1, b'\\n00 passed \"tests/test_sums.py::test_double\"\\n')\nos._exit(0)\n",
]


@pytest.mark.parametrize("text", FORGERIES)
def test_forged_outcomes_earn_nothing(text, fix, history, runner):
    """The tests of our own that have to fail show that outcomes are not to be believed."""
    assert fix.score(json.dumps({"things/sums.py": text + WRONG}), history, runner).value == 0


def test_passing_tests_that_have_to_fail_are_seen(runner):
    text = "import sys\nsys.modules['__main__'].succeeds = lambda function: True\n"
    with pytest.raises(Forged):
        runner.results({"test_a.py": Entry(text.encode())}, ["test_a.py"])


def test_tests_see_no_network_and_none_of_our_packages(runner):
    text = (
        "def test_network():\n    import socket\n"
        "    socket.create_connection(('127.0.0.1', 80), 1)\n\n\n"
        "def test_ours():\n    import palaestra\n"
    )
    results = runner.results({"test_a.py": Entry(text.encode())}, ["test_a.py"])
    assert {*results.values()} == {"failed"}


@pytest.mark.skipif("py" not in with_pytest(), reason="pytest is not installed")
def test_pytest_runs_the_tests_where_it_is_shown(fix, history):
    settings = Settings(packages=with_pytest(), cpu_s=20)
    task = CommitTask.of(fix.as_json() | {"settings": settings.as_json()})
    with SuiteRunner(settings) as opened:
        results = opened.results(task.start(history), task.files)
        assert results == {task.failing[0]: "failed", task.passing[0]: "passed"}
        assert task.score(FIX, history, opened).value == 1
        cheat = (
            "import _pytest.runner\n"
            "_pytest.runner.CallInfo.from_call = classmethod(lambda *a, **k: a[0](None, None, 0, "
            "0, 0, k.get('when', 'call'), _ispytest=True))\n"
        )
        assert task.score(json.dumps({"things/sums.py": cheat + WRONG}), history, opened).value == 0


def test_packages_that_a_repository_imports_are_detected():
    """With what they require, and without the modules of Python and of the repository."""
    text = (
        b"import json, no_such_module\nfrom typer.testing import CliRunner\nimport things.a, src\n"
    )
    tree = {
        "src/things/a.py": Entry(text),
        "src/pydantic/__init__.py": Entry(b""),
        "README.md": Entry(b"import msgspec\n"),
    }
    detected = {*needed(tree)}
    assert {"typer", "rich"} <= detected  # typer requires rich
    assert not {"json", "no_such_module", "src", "things", "pydantic", "msgspec"} & detected
    assert needed({}) == ()


def test_packages_that_a_repository_declares_are_detected():
    """With the extras that it asks for, which need no import."""
    text = (
        b"[project]\ndependencies = ['msgspec>=0.19']\n"
        b"[project.optional-dependencies]\nserver = ['PyDantic[email]>=2 ; python_version>\"3\"']\n"
        b"[dependency-groups]\ntest = ['hypothesis', {include-group = 'other'}]\n"
    )
    detected = {*needed({"pyproject.toml": Entry(text)})}
    assert {"msgspec", "pydantic", "pydantic_core", "hypothesis"} <= detected
    assert "palaestra" not in detected
    for broken in (b"[project", b"\xff"):
        assert needed({"pyproject.toml": Entry(broken)}) == ()


WITH_PACKAGES = Settings(packages=(*with_pytest(), "msgspec"), cpu_s=20)


def test_packages_are_shown_with_their_metadata():
    text = (
        "from importlib.metadata import version\nimport msgspec\n\n\n"
        "def test_version():\n    assert version('msgspec') == msgspec.__version__\n"
    )
    with SuiteRunner(WITH_PACKAGES) as opened:
        results = opened.results({"test_a.py": Entry(text.encode())}, ["test_a.py"])
    assert results == {"test_a.py::test_version": "passed"}


def test_plugins_of_shown_packages_are_loaded():
    """Hypothesis registers its mark, which strict settings require."""
    tree = {
        "pytest.ini": Entry(b"[pytest]\nstrict_markers = true\naddopts = --strict-markers\n"),
        "test_a.py": Entry(b"import pytest\n\n@pytest.mark.hypothesis\ndef test_a():\n    pass\n"),
    }
    names = needed({"test_a.py": Entry(b"import hypothesis, pytest\n")})
    for packages, result in ((names, "passed"), (with_pytest(), "failed")):
        with SuiteRunner(Settings(packages=packages, cpu_s=20)) as opened:
            assert {*opened.results(tree, ["test_a.py"]).values()} == {result}


@pytest.mark.parametrize("settings", [BARE, WITH_PACKAGES], ids=["plain", "pytest"])
def test_errors_of_imports_are_stated(settings):
    tree = {"test_a.py": Entry(b"import no_such_module\n")}
    with SuiteRunner(settings) as opened:
        assert opened.results(tree, ["test_a.py"], whole=True) == {"test_a.py": "failed"}
        assert opened.error == "ModuleNotFoundError: No module named 'no_such_module'"
        opened.results({"test_a.py": Entry(b"")}, ["test_a.py"], whole=True)
        assert not opened.error


def test_a_conftest_that_cannot_be_imported_is_stated():
    tree = {"conftest.py": Entry(b"import no_such_module\n"), "test_a.py": Entry(b"")}
    with (
        SuiteRunner(WITH_PACKAGES) as opened,
        pytest.raises(Unfinished, match=r"cannot be run: .*No module named 'no_such_module'"),
    ):
        opened.results(tree, ["test_a.py"], whole=True)


def test_commits_whose_tests_need_a_missing_package_are_dropped_with_the_error(tmp_path):
    repository = Repository(tmp_path)
    repository.commit("Begin", things__sums=WRONG)
    tests = f"import no_such_module\n{TESTS}"
    repository.commit("Doubles are one too high", things__sums=RIGHT, tests__test_sums=tests)
    history = History(tmp_path)
    builder = Builder(history, BARE, repeats=1)
    assert not [*builder.tasks(history.commits(5))]
    assert "No module named 'no_such_module'" in str(builder.report)


def test_commits_without_a_task_are_run_twice_only(history, monkeypatch):
    """Once after and once before, however often the others are run."""
    trees = []
    results = SuiteRunner.results

    def counted(self, tree, *rest, **options):
        trees.append(tree)
        return results(self, tree, *rest, **options)

    monkeypatch.setattr(SuiteRunner, "results", counted)
    (commit,) = [each for each in history.commits(10) if each.message == "Thirds"]
    unchanged = replace(commit, changed=("things/more.py", "tests/test_sums.py"))
    builder = Builder(history, BARE, repeats=5)
    assert not [*builder.tasks(iter([unchanged]))]
    assert builder.report.dropped == {"no test fails before and passes after": 1}
    assert len(trees) == 2
    assert [*builder.tasks(iter([commit]))]
    assert len(trees) == 12


def test_tasks_are_plain_data(fix):
    assert CommitTask.of(json.loads(json.dumps(fix.as_json()))) == fix
    with pytest.raises(ValueError, match="no task"):
        CommitTask.of({"commit": "x"})


def test_prompts_show_the_issue_and_no_tests(fix, history):
    prompt = fix.prompt(history)
    assert "Doubles are one too high" in prompt
    assert "return n + n + 1" in prompt
    assert "test_sums" not in prompt
    assert "return n + n + 1" not in fix.prompt(history, show=False)


def test_the_command_line_builds_and_scores(repository, tmp_path):
    out = tmp_path / "tasks.jsonl"
    runner = CliRunner()
    command = ["commits", "build", str(repository.path), "--out", str(out), "--no-pytest"]
    result = runner.invoke(app, [*command, "--repeats", "8", "--tasks", "3", "--cpu-s", "10"])
    assert result.exit_code == 0, result.output
    tasks = [*read_tasks(out)]
    assert len(tasks) == 3
    name = next(task.name for task in tasks if task.issue.startswith("Doubles"))
    lines = "\n".join(json.dumps({"id": each, "reply": FIX}) for each in (name, "none"))
    result = runner.invoke(app, ["commits", "score", str(out)], input=lines)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["value"] for row in rows] == [1.0, None]
    assert result.exit_code == 1
    result = runner.invoke(app, ["commits", "prompt", str(out), name])
    assert "Doubles are one too high" in result.stdout


def test_no_repository_and_no_package_are_said(tmp_path):
    with pytest.raises(ValueError, match="no git repository"):
        History(tmp_path)
    with pytest.raises(ValueError, match="not installed"):
        shown(["no_such_package"])


def test_tests_and_settings_are_protected():
    assert all(map(protected, ["tests/a/data.json", "a/conftest.py", "test_x.py", "tox.ini"]))
    assert not any(map(protected, ["src/contest.py", "latest.py", "a/testimony.py", "README.md"]))
