"""The program that runs tests in the jail. It is sent there as text, with the tree on its input.

It prints a line for each test: a mark that nobody else knows, the outcome and the test's name.
With pytest it runs whatever pytest runs, otherwise functions and ``unittest`` classes.
"""

import base64
import importlib.util
import io
import json
import os
import sys
import tarfile
import unittest
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

ROOT = "/tmp/repository"


def lay_out(job: Mapping[str, Any]) -> None:
    """Write the tree, whose paths the judge has checked, and go there."""
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(job["tree"]))) as tar:
        tar.extractall(ROOT)
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    sys.path[:0] = [f"{ROOT}/{path}" if path else ROOT for path in job["paths"]]


class Lines:
    """Reports outcomes on a copy of standard output, which no test has captured."""

    def __init__(self, mark: str) -> None:
        self.mark, self.stream = mark, os.dup(1)

    def say(self, outcome: str, name: str) -> None:
        """Print a line of its own."""
        os.write(self.stream, f"\n{self.mark} {outcome} {json.dumps(name)}\n".encode())

    def error(self, text: str) -> None:
        """Print the last line of an error that is no outcome of a test, if there is one."""
        if rows := text.strip().splitlines():
            self.say("error", rows[-1].removeprefix("E").strip()[:300])


class Plugin:
    """Reports each test of pytest once: whether all of its phases passed."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.phases: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take note of a phase, and report after the last one."""
        if report.outcome == "failed":
            self.phases[report.nodeid] = "failed"
        elif report.outcome == "skipped" or hasattr(report, "wasxfail"):
            self.phases.setdefault(report.nodeid, "skipped")
        if report.when == "teardown":
            self.lines.say(self.phases.get(report.nodeid, "passed"), report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        """Report a file that cannot be imported."""
        if report.outcome == "failed":
            self.lines.say("failed", report.nodeid or "collection")
            self.lines.error(str(report.longrepr))


def with_pytest(job: Mapping[str, Any], lines: Lines) -> None:
    """Run files of tests by pytest, with the plugins of the packages that are shown."""
    import pytest

    options = ["-q", "-p", "no:cacheprovider", "--rootdir=.", "--tb=no", "-o", "addopts="]
    options += ["--continue-on-collection-errors", *job["options"]]
    with redirect_stderr(io.StringIO()) as errors:
        pytest.main([*options, *job["files"]], plugins=[Plugin(lines)])
    lines.error(errors.getvalue())


class Result(unittest.TestResult):
    """Reports each test of ``unittest``."""

    def __init__(self, lines: Lines, file: str) -> None:
        super().__init__()
        self.lines, self.file = lines, file

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802  unittest's name
        """Report a test whose errors have been noted before."""
        bad = [*self.failures, *self.errors]
        failed = any(each is test or getattr(each, "test_case", None) is test for each, _ in bad)
        skipped = any(each is test for each, _ in self.skipped)
        outcome = "failed" if failed or test in self.unexpectedSuccesses else "passed"
        name = test.id().partition(".")[2]
        self.lines.say("skipped" if skipped and not failed else outcome, f"{self.file}::{name}")


def without_pytest(job: Mapping[str, Any], lines: Lines) -> None:
    """Run files of tests by themselves."""
    for number, file in enumerate(job["files"]):
        name = f"tests_{number}"
        spec = importlib.util.spec_from_file_location(name, f"{ROOT}/{file}")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            with redirect_stdout(io.StringIO()):
                spec.loader.exec_module(module)
        except BaseException as error:  # noqa: BLE001
            lines.say("failed", file)
            lines.error(f"{type(error).__name__}: {error}")
            continue
        unittest.defaultTestLoader.loadTestsFromModule(module).run(Result(lines, file))
        for test, function in list(vars(module).items()):
            own = getattr(function, "__module__", "") == name and not isinstance(function, type)
            if own and test.startswith("test") and callable(function):
                lines.say("passed" if succeeds(function) else "failed", f"{file}::{test}")


def succeeds(function: Callable[[], object]) -> bool:
    """Whether a function ends without an exception, whatever else it does."""
    try:
        with redirect_stdout(io.StringIO()):
            function()
    except BaseException:  # noqa: BLE001
        return False
    return True


def main() -> None:
    """Lay the tree out, and run the tests."""
    job = json.loads(sys.stdin.read())
    lines = Lines(job["mark"])
    lay_out(job)
    (with_pytest if job["pytest"] else without_pytest)(job, lines)
    lines.say("passed", "end")


if __name__ == "__main__":
    main()
