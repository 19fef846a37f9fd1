"""Building tasks from commits: their tests must fail before and pass after, every time."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from palaestra.task import InvalidAnswer, JudgeError
from palaestra.verifiers.commits.history import Commit, Entry, History, Tree
from palaestra.verifiers.commits.patching import applied, is_test, protected, read_patch
from palaestra.verifiers.commits.running import Forged, Result, Settings, SuiteRunner, Unfinished
from palaestra.verifiers.commits.tasks import CommitTask, with_tests

Outcomes = dict[str, Result]
"""The outcome of each test, by its name."""


@dataclass
class Report:
    """How many commits were tried, and why some of them gave no task."""

    tried: int = 0
    tasks: int = 0
    flaky: int = 0
    """How many tests were dropped because their outcomes differed."""

    dropped: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        reasons = "".join(f"\n  {count}: {why}" for why, count in self.dropped.most_common())
        flaky = f"; {self.flaky} tests were dropped as flaky" if self.flaky else ""
        return f"{self.tasks} tasks from {self.tried} commits{flaky}{reasons}"


class Unfit(Exception):
    """A commit that gives no task. It says why."""


class Builder:
    """Builds tasks from the commits of a repository.

    Each tree is tested ``repeats`` times. ``most_files`` is how many changed files of source a
    commit may have, and ``related`` how many files of tests that it did not change, but which name
    a changed module, are run as well.
    """

    def __init__(
        self,
        history: History,
        settings: Settings,
        *,
        repeats: int = 3,
        most_files: int = 20,
        related: int = 0,
    ) -> None:
        if repeats < 1:
            raise ValueError("tests are run once at least")
        self.history, self.settings = history, settings
        self.repeats, self.most_files, self.related = repeats, most_files, related
        self.report = Report()

    def tasks(
        self, commits: Iterator[Commit], note: Callable[[Commit, str], None] = lambda *_: None
    ) -> Iterator[CommitTask]:
        """The tasks of some commits. ``note`` is called with each commit and why it gives none."""
        with SuiteRunner(self.settings) as runner:
            for commit in commits:
                self.report.tried += 1
                try:
                    task = self._task(commit, runner)
                except Unfit as why:
                    self.report.dropped[str(why)] += 1
                    note(commit, str(why))
                else:
                    self.report.tasks += 1
                    note(commit, "")
                    yield task

    def _task(self, commit: Commit, runner: SuiteRunner) -> CommitTask:
        """The task of a commit. Raises :class:`Unfit` where it gives none."""
        _check(commit, self.most_files)
        before = self.history.tree(commit.parent, self.settings.without)
        after = self.history.tree(commit.name, self.settings.without)
        start = with_tests(before, after, commit.changed)
        after = applied(start, _edits(commit, start, after))
        files = [path for path in commit.changed if path in after and _has_tests(path)]
        if not files:
            raise Unfit("its tests are not in files named test_*.py or *_test.py")
        files += self._related(commit.changed, after, files)
        failing, passing = self._compared(runner, (start, after), files)
        return CommitTask(
            str(self.history.path), commit.name, commit.parent, commit.message, commit.changed,
            tuple(files), tuple(failing), tuple(passing), self.settings,
        )  # fmt: skip

    def _compared(
        self, runner: SuiteRunner, trees: tuple[Tree, Tree], files: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """The tests that fail in the first tree, and those that pass; all pass in the second."""
        try:
            then, now = self._runs(runner, trees, files)
        except Unfinished as why:
            raise Unfit(str(why)) from None
        except (Forged, JudgeError) as fault:
            raise Unfit(f"the tests cannot be run: {str(fault)[:80]}") from None
        good = self._stable(now, "passed")
        if not good:
            raise Unfit(_why("no test passes after the commit every time", runner.error))
        passing = [name for name in good if all(r.get(name) == "passed" for r in then)]
        failing = [n for n in good if all(run.get(n, "failed") == "failed" for run in then)]
        self.report.flaky += sum(len({run.get(name) for run in then}) > 1 for name in good)
        if not failing:
            flaky = len(passing) < len(good)
            raise Unfit(
                "its tests fail at times only" if flaky else "no test fails before and passes after"
            )
        return failing, passing

    def _runs(
        self, runner: SuiteRunner, trees: tuple[Tree, Tree], files: Sequence[str]
    ) -> tuple[list[Outcomes], list[Outcomes]]:
        """The outcomes of all runs of both trees. Each is run once if that shows that there is no
        task.
        """
        start, after = trees
        now = [runner.results(after, files, whole=True)]
        if "passed" not in now[0].values():
            raise Unfit(_why("no test passes after the commit", runner.error))
        then = [runner.results(start, files, whole=True)]
        failing = {name for name, result in now[0].items() if result == "passed"}
        if all(then[0].get(name, "failed") != "failed" for name in failing):
            raise Unfit("no test fails before and passes after")
        for _ in range(self.repeats - 1):
            now.append(runner.results(after, files, whole=True))
            then.append(runner.results(start, files, whole=True))
        return then, now

    def _stable(self, runs: Sequence[Outcomes], wanted: Result) -> list[str]:
        """The tests that have the same outcome in all runs."""
        names = {name: None for run in runs for name in run}
        good = [name for name in names if all(run.get(name) == wanted for run in runs)]
        self.report.flaky += sum(len({run.get(name) for run in runs}) > 1 for name in names)
        return good

    def _related(
        self, changed: Sequence[str], after: dict[str, Entry], files: Sequence[str]
    ) -> list[str]:
        """Files of tests that name a changed module."""
        if not self.related:
            return []
        stems = {path.removesuffix(".py").rpartition("/")[2] for path in changed}
        names = [stem.encode() for stem in stems if not stem.startswith(("test", "_"))]
        others = [
            path
            for path, entry in sorted(after.items())
            if _has_tests(path) and path not in files and any(n in entry.content for n in names)
        ]
        return others[: self.related]


def _check(commit: Commit, most_files: int) -> None:
    """Raises :class:`Unfit` for a commit that gives no task by what it changes."""
    source = [path for path in commit.changed if not protected(path)]
    if not any(map(is_test, commit.changed)):
        raise Unfit("it changes no tests")
    if not any(path.endswith(".py") for path in source):
        raise Unfit("it changes no source in Python")
    if len(source) > most_files:
        raise Unfit("it changes too many files")
    if not commit.message:
        raise Unfit("it has no message")


def _edits(
    commit: Commit, start: dict[str, Entry], after: dict[str, Entry]
) -> dict[str, str | None]:
    """What a player has to change to do as the commit did. Raises :class:`Unfit` where a patch must
    not do so.
    """
    source = [path for path in commit.changed if not protected(path)]
    if any(after[path].link for path in source if path in after):
        raise Unfit("it changes a link")
    try:
        files = {path: after[path].content.decode() if path in after else None for path in source}
        return read_patch(json.dumps(files), start)
    except UnicodeDecodeError:
        raise Unfit("it changes a file that is no text") from None
    except InvalidAnswer as error:
        raise Unfit(f"no patch may do the same: {str(error).partition(':')[0]}") from None


def _why(reason: str, error: str) -> str:
    """A reason, with the error that explains it where there is one."""
    return f"{reason}: {error}" if error else reason


def _has_tests(path: str) -> bool:
    """Whether a file is one that tests are collected from."""
    name = path.rpartition("/")[2]
    return name.endswith("_test.py") or (name.startswith("test") and name.endswith(".py"))
