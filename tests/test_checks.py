"""Which checks are made in a run: digests, the record, the sample and the part of pytest."""

import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import palaestra
from palaestra.registry import module_name
from palaestra.testing import (
    CHEAP,
    CHECKS,
    COSTLY,
    check_unskilled,
    due_checks,
    plugin,
    record,
)
from palaestra.testing.digests import CHECKS as PACKAGE
from palaestra.testing.digests import Digests, Sources

DIGEST = "0123456789abcdef"


# ------------------------------------------------------------------------------------------ digests

FILES = {
    "envs/__init__.py": "",
    "envs/sums.py": "from pack.craft.numbers import pair\nimport random\n",
    "envs/words.py": "from pack.craft import texts\n",
    "envs/late.py": "def f():\n    from pack.craft.numbers import pair\n",
    "envs/worker.py": "JUDGE = 'pack.craft.numbers:pair'\n",
    "envs/typed.py": "if TYPE_CHECKING:\n    from pack.craft.numbers import pair\n",
    "craft/__init__.py": "",
    "craft/numbers.py": "from pack.base import one\ndef pair(): return one, one\n",
    "craft/texts.py": "from pathlib import Path\nP = Path(__file__).with_name('words.txt')\n",
    "craft/words.txt": "one two",
    "craft/other.txt": "three",
    "base.py": "one = 1\n",
}


@pytest.fixture
def tree(tmp_path):
    """Writes the files of a package, and gives the digest of each of its environments."""

    def digests(changes=()):
        for path, text in (FILES | dict(changes)).items():
            file = tmp_path / path
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, newline="")
        sources = Sources({"pack": tmp_path})
        names = ("sums", "words", "late", "worker", "typed")
        return {name: sources.digest([f"pack.envs.{name}"]) for name in names}

    return digests


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        ("envs/sums.py", {"sums"}),
        ("craft/numbers.py", {"sums", "late", "worker"}),
        ("base.py", {"sums", "late", "worker"}),
        ("craft/__init__.py", {"sums", "late", "worker", "words"}),
        ("envs/__init__.py", {"sums", "late", "worker", "words", "typed"}),
        ("craft/words.txt", {"words"}),
        ("craft/other.txt", set()),
    ],
)
def test_a_digest_changes_with_what_is_reached(path, changed, tree):
    before = tree()
    after = tree({path: FILES[path] + "\n# A comment.\n"})
    assert {name for name in before if before[name] != after[name]} == changed


def test_a_digest_does_not_depend_on_times_or_line_ends(tree, tmp_path):
    before = tree()
    for file in tmp_path.rglob("*.py"):
        os.utime(file, (1, 1))
    assert tree() == before
    assert tree({"base.py": "one = 1\r\n"}) == before


def test_a_new_module_with_the_name_of_an_attribute_counts(tree, tmp_path):
    """``from pack.craft import texts`` may mean a module that was not there before."""
    before = tree({"envs/words.py": "from pack.craft import letters\n"})
    after = tree({"envs/words.py": "from pack.craft import letters\n", "craft/letters.py": ""})
    assert before["words"] != after["words"]


def test_relative_imports_are_followed(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "inner" / "__init__.py").write_text("from . import near\nfrom ..far import x\n")
    (tmp_path / "inner" / "near.py").write_text("from .. import top\n")
    for name in ("far", "top", "apart"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    reached = Sources({"pack": tmp_path}).reached(["pack.inner"])
    assert reached == {"pack", "pack.inner", "pack.inner.near", "pack.far", "pack.top"}


def test_a_module_without_a_file(tree, tmp_path):
    with pytest.raises(ModuleNotFoundError, match=r"pack\.envs\.none"):
        Sources({"pack": tmp_path}).digest(["pack.envs.none"])


@pytest.fixture(scope="module")
def digests():
    return Digests()


def test_the_checks_depend_on_no_way_in(digests):
    """So that a change of the command line or of the server makes no digest new."""
    reached = digests.sources.reached([PACKAGE])
    rooms = {name.split(".")[1] for name in reached if "." in name}
    assert not rooms & {"cli", "catalog", "server", "trainers", "client", "gym", "envs"}
    assert {"palaestra.task", "palaestra.episode", "palaestra.scoring"} < reached


def test_what_is_left_out_is_no_part_of_a_digest(tree, tmp_path):
    """As the combinators are, which the registry reaches."""
    tree({"craft/numbers.py": "from pack.base import one\n"})
    [folder] = {each.parent.parent for each in tmp_path.rglob("craft/numbers.py")}
    reached = Sources({"pack": folder}, ("pack.craft",)).reached(["pack.envs.sums"])
    assert "pack.envs.sums" in reached
    assert not any(name.startswith("pack.craft") for name in reached)


def test_an_environment_reaches_no_combinator(digests):
    reached = digests.sources.reached([PACKAGE, *map(module_name, palaestra.names())])
    assert not any(name.startswith("palaestra.combinat") for name in reached)


def test_environments_have_digests_of_their_own(digests):
    each = {name: digests[name] for name in palaestra.names()}
    assert len(set(each.values())) == len(each)


@pytest.mark.parametrize("name", ["logic/knights_and_knaves", "tools/meeting_desk"])
def test_no_module_runs_that_a_digest_does_not_cover(name, digests):
    code = (
        "import sys; from palaestra.testing import transcript, check_mutants, check_hidden\n"
        "transcript(sys.argv[1]), check_mutants(sys.argv[1]), check_hidden(sys.argv[1])\n"
        "print(*sys.modules)"
    )
    command = [sys.executable, "-c", code, name]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ran = {module for module in out.split() if digests.sources.file(module)}
    assert ran <= digests.sources.reached([module_name(name), PACKAGE])


# --------------------------------------------------------------------------- the record, the plan


def test_each_check_is_cheap_or_costly():
    assert set(CHECKS) == set(CHEAP) | COSTLY
    assert not set(CHEAP) & COSTLY


def test_a_record_lists_what_passed(tmp_path):
    file = tmp_path / "checks.txt"
    now = {"a/b": DIGEST, "a/c": DIGEST[::-1], "a/d": DIGEST}
    assert record.enter(file, now, ["a/c", "a/b"]) == ["a/b", "a/c"]
    assert record.listed(file) == {"a/b": {DIGEST}, "a/c": {DIGEST[::-1]}}
    lines = file.read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        f"a/b {DIGEST}",
        f"a/c {DIGEST[::-1]}",
    ]


def test_a_record_drops_what_failed_what_changed_and_what_is_gone(tmp_path):
    file = tmp_path / "checks.txt"
    record.enter(
        file, dict.fromkeys(["a/b", "a/c", "a/d", "a/e"], DIGEST), ["a/b", "a/c", "a/d", "a/e"]
    )
    now = {"a/b": DIGEST, "a/c": DIGEST[::-1], "a/d": DIGEST}
    assert record.enter(file, now, [], failed=["a/d"]) == ["a/b"]


def test_what_is_edited_during_a_run_is_left_out(tmp_path):
    file = tmp_path / "checks.txt"
    before = record.plan({"a/b": DIGEST, "a/c": DIGEST}, {})
    now = {"a/b": DIGEST, "a/c": DIGEST[::-1]}
    sentence = record.conclude(file, before, now, ["a/b", "a/c"], [])
    assert "edited during the run and left out: a/c" in sentence
    assert record.listed(file).keys() == {"a/b"}


def test_both_lines_of_a_merge_hold(tmp_path):
    """``.gitattributes`` has Git keep the lines of both sides; one of them is current, or none."""
    file = tmp_path / "checks.txt"
    file.write_text(f"a/b {DIGEST}\na/b {DIGEST[::-1]}\n")
    for digest in (DIGEST, DIGEST[::-1]):
        assert record.plan({"a/b": digest}, record.listed(file)).of("new") == []
    assert record.plan({"a/b": "f" * 16}, record.listed(file)).of("new") == ["a/b"]
    record.enter(file, {"a/b": DIGEST}, [])
    assert record.listed(file) == {"a/b": {DIGEST}}


@pytest.mark.parametrize(
    "line", ["a/b", f"a {DIGEST}", f"a/b {DIGEST[1:]}", f"a/b  {DIGEST}", "<<<<<<< HEAD"]
)
def test_a_line_that_the_checks_did_not_write(line, tmp_path):
    (tmp_path / "checks.txt").write_text(f"# A comment\n{line}\n")
    with pytest.raises(ValueError, match=r"checks\.txt, line 2"):
        record.listed(tmp_path / "checks.txt")


def test_the_committed_record_can_be_read():
    file = Path(__file__).parents[1] / record.FILE
    assert file.exists()
    assert record.listed(file).keys() <= set(palaestra.names())


def test_a_forged_record_is_found_by_the_samples_of_some_commits():
    """Each costly check of an environment is in the sample of about one commit in sixteen."""
    name = "logic/knights_and_knaves"
    forged = {name: frozenset([DIGEST])}
    times = dict.fromkeys(CHECKS, 0)
    for commit in range(320):
        plan = record.plan({name: DIGEST}, forged, key=f"commit {commit}")
        for check in due_checks(name, plan):
            times[check] += 1
    assert {times[check] for check in CHEAP} == {320}
    sampled = [times[check] for check in COSTLY]
    assert min(sampled) >= 5
    assert 0.8 < sum(sampled) / (len(sampled) * 320 / record.SAMPLE) < 1.2


@pytest.mark.parametrize("number", [1, 20, 350, 1_100])
def test_the_sample_does_not_grow_with_the_number_of_environments(number):
    names = [f"a/b{n}" for n in range(number)]
    listed = {name: frozenset([DIGEST]) for name in names}
    plan = record.plan(dict.fromkeys(names, DIGEST), listed, key="a commit")
    checks = [check for name in names for check in plugin.checks_of(name, plan)]
    costly = [check for check in checks if check in COSTLY]
    assert len(checks) - len(costly) == number * len(CHEAP)
    expected = min(plugin.SAMPLED, number * len(COSTLY) / record.SAMPLE)
    assert abs(len(costly) - expected) <= 4 * expected**0.5 + 0.1 * expected
    new = record.plan({"a/b": DIGEST}, {}, key="a commit")
    assert plugin.checks_of("a/b", new) == CHECKS


def test_the_samples_of_environments_differ():
    """Else some run would make a check of all environments, and most runs of none."""
    names = [f"a/b{n}" for n in range(200)]
    listed = {name: frozenset([DIGEST]) for name in names}
    plan = record.plan(dict.fromkeys(names, DIGEST), listed, key="a commit")
    sampled = sum(plan.samples(f"{name} check_varied") for name in names)
    assert 4 <= sampled <= 24
    assert {name for name in names if plan.samples(f"{name} check_varied")} != {
        name for name in names if plan.samples(f"{name} check_ladder")
    }


@given(st.text(max_size=20))
def test_every_environment_is_checked_in_full_or_listed(key):
    now = {f"a/b{n}": DIGEST for n in range(30)}
    known = {name: frozenset([DIGEST]) for name in list(now)[:20]}
    made = record.plan(now, known, key=key)
    assert made.of("new") == list(now)[20:]
    assert sorted(made.of("listed")) == sorted(known)
    assert record.plan(now, known, everything=True, key=key).of("all") == list(now)


def git(folder, *command):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", folder, *who, *command], check=True, capture_output=True)


def test_the_sample_follows_the_commit(tmp_path):
    file = tmp_path / "checks.txt"
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "One")
    first = record.sample_key(tmp_path, file)
    assert len(first) == 40
    file.write_text("# changed\n")
    assert record.sample_key(tmp_path, file) == first
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Two")
    assert record.sample_key(tmp_path, file) != first


def test_the_sample_of_an_archive_follows_the_record(tmp_path):
    """An unpacked archive may lie in a repository, whose commits have nothing to do with it."""
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "One")
    archive = tmp_path / "unpacked"
    archive.mkdir()
    without = record.sample_key(archive, archive / "checks.txt")
    assert without != record.sample_key(tmp_path, archive / "checks.txt")
    (archive / "checks.txt").write_text(f"a/b {DIGEST}\n")
    assert record.sample_key(archive, archive / "checks.txt") != without


@given(st.lists(st.integers(), max_size=40), st.integers(1, 9))
def test_shards_make_up_the_whole(items, parts):
    shards = [record.shard(items, f"{n}/{parts}") for n in range(1, parts + 1)]
    assert sorted(item for part in shards for item in part) == sorted(items)
    assert record.shard(items, "") == items


@pytest.mark.parametrize(
    "part", ["0/8", "9/8", "2", "2/", "/8", "2/8/9", "-1/8", "2/0", "a/b", "²/8"]
)
def test_a_wrong_shard(part):
    with pytest.raises(ValueError, match="SHARD is a part of a whole"):
        record.shard([1, 2], part)


@pytest.mark.parametrize("value", ["al", "ALL", "none", "all ", "1"])
def test_a_wrong_word_for_the_checks(value):
    with pytest.raises(ValueError, match="CHECKS is 'all'"):
        record.everything(value)


# ------------------------------------------------------------------------------------- under pytest

ENVIRONMENT = '''"""A puzzle of these tests."""

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integer


class Product(Puzzle):
    """Multiply two numbers."""

    tags = {"arithmetic"}

    class Knobs(Puzzle.Knobs):
        digits: int = ladder(3, 4, 5)

    left: int
    right: int

    @classmethod
    def generate(cls, rng, knobs):
        top = 10**knobs.digits
        return cls(left=rng.randrange(top // 10, top), right=rng.randrange(top // 10, top))

    def prompt(self):
        return f"What is {self.left} times {self.right}? An answer looks like '12'."

    def answer(self):
        return str(self.left * self.right)

    def verify(self, answer):
        good = answer == "more" or integer(answer) == self.left * self.right
        return Score(good, "" if good else "that is not the product")
'''

TESTS = '''"""The environments of a distribution, held to every check that is due."""

import os

import pytest

from palaestra.testing.record import shard


@pytest.mark.parametrize("name", shard(["demo/good", "demo/bad"], os.environ.get("SHARD", "")))
def test_environment(name, check_environment):
    check_environment(name)
'''


class Project:
    """A distribution with two environments, one of which accepts 7 for whatever is asked."""

    def __init__(self, folder):
        self.folder = folder
        self.record = folder / "checks.txt"
        (folder / "pytest.ini").write_text("[pytest]\n")
        for part in ("demo_envs", "tests", "demo-1.0.dist-info"):
            (folder / part).mkdir()
        info = folder / "demo-1.0.dist-info"
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[palaestra.envs]\ndemo = demo_envs\n")
        (folder / "demo_envs" / "__init__.py").write_text('"""Environments of a test."""\n')
        self.write("good", '"more"')
        self.write("bad", '"7"')
        (folder / "tests" / "conftest.py").write_text(
            'pytest_plugins = ["palaestra.testing.plugin"]\n'
        )
        (folder / "tests" / "test_demo.py").write_text(TESTS)

    def write(self, name, accepted):
        source = ENVIRONMENT.replace("Product", name.title()).replace('"more"', accepted)
        (self.folder / "demo_envs" / f"{name}.py").write_text(source)

    def pytest(self, *options, **variables):
        env = os.environ | {"PYTHONPATH": str(self.folder), "PYTEST_ADDOPTS": ""} | variables
        env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # half of what pytest takes to start
        env = {key: value for key, value in env.items() if not key.startswith("PYTEST_XDIST")}
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "xdist.plugin"]
        return subprocess.run(
            [*command, "tests", *options],
            cwd=self.folder, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def lists(self):
        return {name.removeprefix("demo/") for name in record.listed(self.record)}


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def test_what_passes_is_entered_and_what_fails_is_not(project):
    run = project.pytest("--record", "-n", "2")
    assert run.returncode == 1, run.stdout
    assert "check_unskilled" in run.stdout
    assert "the player 'constant' earns" in run.stdout
    assert "2 environments: all checks, because checks.txt does not list" in run.stdout
    assert project.lists() == {"good"}

    again = project.pytest("-n", "2")
    assert (
        "1 environments: all checks, because checks.txt does not list the digest (demo/bad)"
        in again.stdout
    )

    project.write("bad", '"less"')
    mended = project.pytest("--record")
    assert mended.returncode == 0, mended.stdout
    assert project.lists() == {"good", "bad"}


def test_a_run_without_the_option_writes_no_record(project):
    project.write("bad", '"less"')
    assert project.pytest().returncode == 0
    assert not project.record.exists()


def forge(project, sampled):
    """List the bad environment as if it had passed, where the sample has what it fails or has none
    of its checks.
    """
    sys.path.insert(0, str(project.folder))
    try:
        sources = Digests().sources
        sources.packages["demo_envs"] = project.folder / "demo_envs"
        digest = sources.digest(["demo_envs.bad", PACKAGE])
    finally:
        sys.path.remove(str(project.folder))
    for number in count():
        project.record.write_text(f"# {number}\ndemo/bad {digest}\n")
        key = record.sample_key(project.folder, project.record)
        items = {check: f"demo/bad {check.__name__}" for check in COSTLY}
        costly = {check for check, item in items.items() if record.is_sampled(item, key)}
        if check_unskilled in costly if sampled else not costly:
            return


def test_a_forged_line_is_found_by_the_sample_and_struck(project):
    forge(project, sampled=True)
    run = project.pytest("-k", "bad")
    assert run.returncode == 1, run.stdout
    assert "check_unskilled" in run.stdout
    assert "1 environments: the cheap checks, and " in run.stdout
    assert "of the others, a sample of one in 16 (demo/bad)" in run.stdout
    assert project.pytest("-k", "bad", "--record").returncode == 1
    assert project.lists() == set()


def test_all_checks_are_made_of_all_environments_where_that_is_asked_for(project):
    forge(project, sampled=False)
    cheap = project.pytest("-k", "bad")
    assert cheap.returncode == 0, cheap.stdout
    assert "1 environments: the cheap checks, and 0 of the others" in cheap.stdout
    run = project.pytest("-k", "bad", CHECKS="all")
    assert run.returncode == 1
    assert "1 environments: all checks, because CHECKS=all (demo/bad)" in run.stdout


def test_a_shard_takes_its_part(project):
    assert "demo/good" not in project.pytest("--collect-only", "-q", SHARD="2/2").stdout
    assert "demo/good" in project.pytest("--collect-only", "-q", SHARD="1/2").stdout


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"CHECKS": "al"}, "CHECKS is 'all', or 'due' for what has changed, not 'al'"),
        ({"SHARD": "9/8"}, "SHARD is a part of a whole such as '2/8', not '9/8'"),
    ],
)
def test_near_misses_of_options_are_refused(variables, message, project):
    run = project.pytest(**variables)
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in run.stderr


def test_environments_that_a_run_leaves_open_are_not_entered(tmp_path):
    """A run that is interrupted has made some checks of the environments it was at."""
    names = ("a/whole", "b/begun", "c/failed")
    plan = record.Plan(dict.fromkeys(names, DIGEST), dict.fromkeys(names, "new"))
    stash = pytest.Stash()
    stash[plugin._PLAN], stash[plugin._RESULTS] = plan, {}
    collector = plugin._Collector(SimpleNamespace(stash=stash, rootpath=tmp_path))

    def report(name, when, passed=True):
        properties = [(plugin.PROPERTY, (name, "new", 0))]
        collector.pytest_runtest_logreport(
            SimpleNamespace(user_properties=properties, when=when, passed=passed)
        )

    for name in names:
        report(name, "call")
        report(name, "call", passed=name != "c/failed")
    for name in ("a/whole", "c/failed"):
        report(name, "teardown")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plugin, "all_digests", lambda: plan.digests)
        assert "1 from this run" in collector._recorded()
    assert record.listed(tmp_path / plugin.FILE) == {"a/whole": {DIGEST}}
