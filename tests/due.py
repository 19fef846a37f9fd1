"""The part of pytest that leaves out test files of which nothing has changed since they passed.

It works as the checks of environments do (see :mod:`palaestra.testing.record`).
``passed.txt`` lists test files with a digest of all that they depend on, at which all of
their tests passed. A run of the whole suite leaves out the files that are listed, except for a
sample of files that the commit's hash determines. They are not even imported: to read all tests
takes each worker half a minute. Whoever names a file or a folder, or sets ``CHECKS=all``, gets
every test of it. ``python -m tests.due FILES`` prints those that are due of some files.

The digest of a test file covers the modules that it reaches. Tests that read other files of the
repository or start programs of their own, and those of the repository as a whole, depend on every
file of it: they are left out only where none has changed.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import pytest

import palaestra
from palaestra.registry import module_name
from palaestra.testing import record
from palaestra.testing.digests import COMBINATORS, DIGITS, Sources

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "passed.txt"

FOLDERS = (
    "client",
    "combinators",
    "core",
    "envs",
    "generators",
    "scenes",
    "server",
    "trainers",
    "verifiers",
)
"""The folders of ``tests/`` whose files may be left out, beside the files in ``tests/`` itself."""

BY_ENVIRONMENT = "tests/test_environments.py"
"""The tests that are due by environment, see :mod:`palaestra.testing.record`."""

DEVELOPMENT = frozenset((".ci", ".github"))
GENERATED = frozenset(("__pycache__", "build", "dist", "site", "catalog.json", "profiles.json"))
"""Folders and files, by name, that are and that are not part of the repository."""

SAMPLED = 10
"""About how many of the files that are listed are run all the same."""

MACHINE = "verifiers/sandbox"
"""A folder whose tests depend on the machine: its kernel, its users and its limits."""

THIS = "tests.due"
"""The name of this module, also where it is run as a program."""

PLUGIN = "palaestra.testing.plugin"
CONFTEST = "tests.conftest"
CATALOG = "palaestra.catalog"
"""What reads the catalog. What reaches it may show any of its rows, as the service does."""

_ENVIRONMENT = re.compile(r"\b([a-z]{4,20})[/.]([a-z0-9_]{2,60})\b")
_EVERY = re.compile(
    r"palaestra\.names\b|registry import [^\n]*\bnames\b|palaestra import [^\n]*\bnames\b"
    r"|\bcatalog\b|\benvironments_of\b|\blisting\("
)
"""How a test reaches environments that it does not name."""

_COMBINED = re.compile(r"combin|\+[a-z_]{4,20}\b")
"""How a test reaches combinators, which are no part of the digests of others."""

_OUTSIDE = re.compile(r"__file__|\bsubprocess\b|sys\.executable|\bpopen\b")
"""What a test uses that depends on more than the modules that it imports: on the whole tree."""

PLAN = "due"
"""The key under which a worker of pytest-xdist gets the plan."""

_PLAN = pytest.StashKey[record.Plan]()


class TestSources(Sources):
    """The modules of the tests and of the package, with the environments that texts name."""

    __test__ = False

    def __init__(self, root: Path = ROOT, without: tuple[str, ...] = ()) -> None:
        packages = {"palaestra": Path(palaestra.__file__).parent, "tests": root / "tests"}
        # These two decide what is run and not what comes of it, and reach all checks.
        super().__init__(packages, (THIS, PLUGIN, *without))
        self.root = root

    @cached_property
    def environments(self) -> dict[str, str]:
        """The module of each environment, by its name."""
        return {name: module_name(name) for name in palaestra.names()}

    def named(self, texts: Iterable[str]) -> set[str]:
        """The environments in addresses, and in arguments of combinators."""
        pairs = {"/".join(pair) for text in texts for pair in _ENVIRONMENT.findall(text)}
        return {self.environments[pair] for pair in pairs & self.environments.keys()}

    @cached_property
    def without_combinators(self) -> "TestSources":
        """The same modules, of which none reaches combinators."""
        return TestSources(self.root, COMBINATORS)

    @cached_property
    def digest_of_tree(self) -> str:
        """The digest of all files of the repository but the records of what passed."""
        digest = blake2b(digest_size=DIGITS // 2)
        for file in sorted(_files_below(self.root)):
            path = file.relative_to(self.root).as_posix()
            if path not in {RECORD.name, record.FILE}:
                digest.update(f"{path}\0".encode() + blake2b(file.read_bytes()).digest())
        return digest.hexdigest()

    def digest_of_file(self, path: str) -> str | None:
        """The digest of a test file, by its path. None for one that always runs."""
        folder, *parts = Path(path).with_suffix("").parts
        if path == BY_ENVIRONMENT or path.startswith(f"{folder}/{MACHINE}/"):
            return None
        if len(parts) == 1:
            return self.digest_of_tree
        if parts[0] not in FOLDERS:
            return None
        module = ".".join([folder, *parts])
        own = {name for name in self.reached([module]) if name.startswith("tests.")}
        files = [file for name in own if (file := self.file(name))]
        sources = [file.read_text("utf-8") for file in files]
        if any(map(_OUTSIDE.search, sources)):
            return self.digest_of_tree
        every = any(map(_EVERY.search, sources))
        if every:
            rest = [*self.environments.values(), *_modules_below("palaestra.combinators")]
            digest = self.digest([module, CONFTEST, *rest])
        else:
            combined = any(map(_COMBINED.search, sources))
            digest = (self if combined else self.without_combinators).digest([module, CONFTEST])
        if not every and CATALOG not in self.reached([module]):
            return digest
        catalog = (ROOT / "catalog.yaml").read_bytes()
        return blake2b(digest.encode() + catalog, digest_size=DIGITS // 2).hexdigest()


def _modules_below(package: str) -> Iterable[str]:
    """All modules of a package, which may be imported by names that are put together."""
    folder = Path(palaestra.__file__).parents[1]
    for file in sorted(folder.joinpath(*package.split(".")).rglob("*.py")):
        parts = file.relative_to(folder).with_suffix("").parts
        yield ".".join(parts).removesuffix(".__init__")


def _files_below(folder: Path) -> Iterator[Path]:
    """The files of a repository that are neither hidden nor generated. Links are not followed."""
    for entry in os.scandir(folder):
        if entry.name in GENERATED or entry.name.endswith(".gz"):
            continue
        if entry.is_file(follow_symlinks=False):
            yield Path(entry)
        elif entry.is_dir(follow_symlinks=False) and (
            entry.name in DEVELOPMENT or not entry.name.startswith(".")
        ):
            yield from _files_below(Path(entry))


def digests() -> dict[str, str]:
    """The digest of each test file that may be left out, as the files are now."""
    sources = TestSources()
    paths = [file.relative_to(ROOT).as_posix() for file in (ROOT / "tests").rglob("test_*.py")]
    known = {path: sources.digest_of_file(path) for path in sorted(paths)}
    return {path: digest for path, digest in known.items() if digest is not None}


def is_whole(config: pytest.Config) -> bool:
    """Whether a run is of the whole suite: no path, expression or earlier failure selects tests."""
    source = config.args_source
    return has_whole_files(config) and source == pytest.Config.ArgsSource.TESTPATHS


def has_whole_files(config: pytest.Config) -> bool:
    """Whether a run has all tests of each of its files, whichever they are."""
    chosen = config.option.keyword or config.option.markexpr or getattr(config.option, "lf", False)
    return not chosen and not any("::" in argument for argument in config.args)


def plan(config: pytest.Config) -> record.Plan:
    """Which test files are due. A worker has the plan from the controller."""
    if _PLAN not in config.stash:
        sent = getattr(config, "workerinput", {}).get(PLAN)
        config.stash[_PLAN] = record.Plan(*sent) if sent else _worked_out()
    return config.stash[_PLAN]


def _worked_out() -> record.Plan:
    run_all = record.everything(os.environ.get("CHECKS", ""))
    key = record.sample_key(ROOT, RECORD)
    return record.plan(digests(), record.listed(RECORD), run_all, key)


def is_left_out(path: str, current: record.Plan) -> bool:
    """Whether a test file is listed, and not in the sample."""
    return current.reasons.get(path) == "listed" and not current.samples(path, one_in(current))


def one_in(current: record.Plan) -> int:
    """Of how many listed files one is run, which a hash of the commit determines."""
    return max(1, len(current.of("listed")) // SAMPLED)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Tell a worker of pytest-xdist the plan."""
    if is_whole(node.config):
        node.workerinput[PLAN] = tuple(plan(node.config))


def pytest_configure(config):
    config.pluginmanager.register(Outcomes(config), "outcomes-of-test-files")


def pytest_ignore_collect(collection_path, config):
    """Leave out files that are listed, but for a sample, and modules without examples, which would
    be imported for nothing. None leaves others to other plugins.
    """
    whole = PLAN in config.workerinput if hasattr(config, "workerinput") else is_whole(config)
    if not whole or collection_path.suffix != ".py" or not collection_path.is_relative_to(ROOT):
        return None
    if collection_path.is_relative_to(ROOT / "src"):
        return b">>> " not in collection_path.read_bytes() or None
    return is_left_out(collection_path.relative_to(ROOT).as_posix(), plan(config)) or None


def _path(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class Outcomes:
    """Notes how the tests of each file end, says what was left out, and writes the record."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.passed: set[str] = set()
        self.failed: set[str] = set()
        self.skipped: set[str] = set()
        """The files of which a test was skipped here. They are not known to pass; where they are
        listed, they passed where nothing was missing.
        """
        self.waiting: set[str] | None = None
        """The tests that have not ended; those of a run that is cut off are not known to pass."""

    def pytest_collection_finish(self, session):
        self._expect(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids):
        self._expect(ids)

    def _expect(self, nodeids):
        """Note the tests of a run once; all workers collect them, and those that replace others."""
        if self.waiting is None:
            self.waiting = {*nodeids} or None

    def pytest_runtest_logreport(self, report):
        outcomes = {"passed": self.passed, "failed": self.failed, "skipped": self.skipped}
        outcomes[report.outcome].add(_path(report.nodeid))
        if report.when == "teardown" and self.waiting:
            self.waiting.discard(report.nodeid)

    def pytest_sessionstart(self):
        if self._records():
            plan(self.config)  # of the files as they are before the tests are run

    def _records(self) -> bool:
        """Whether what passes is entered: by the controller, in a run of whole files."""
        is_controller = not hasattr(self.config, "workerinput")
        return is_controller and self.config.getoption("--record") and has_whole_files(self.config)

    def pytest_terminal_summary(self, terminalreporter, exitstatus):
        whole = not hasattr(self.config, "workerinput") and is_whole(self.config)
        if not whole and not self._records():
            return
        current = plan(self.config)
        terminalreporter.section("test files")
        if whole:
            listed = current.of("listed")
            run = sum(not is_left_out(path, current) for path in listed)
            terminalreporter.write_line(
                f"{len(listed)} test files are listed in {RECORD.name} as they are; of these, a "
                f"sample of {run} was run"
            )
        ended = exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        if self._records() and ended:
            waiting = {_path(nodeid) for nodeid in self.waiting or ()}
            passed = self.passed - self.failed - self.skipped - waiting
            passed, failed = (each & current.digests.keys() for each in (passed, self.failed))
            terminalreporter.write_line(record.conclude(RECORD, current, digests(), passed, failed))


def main() -> None:
    """Print those of the files in the arguments that are due."""
    current = _worked_out()
    sys.stdout.writelines(f"{path}\n" for path in sys.argv[1:] if not is_left_out(path, current))


if __name__ == "__main__":
    main()
