"""A task from a commit: an issue, the tree before it, and the tests that judge a patch."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.commits.history import Entry, History
from palaestra.verifiers.commits.patching import applied, protected, read_patch
from palaestra.verifiers.commits.running import Forged, Settings, SuiteRunner

SHOWN = 60_000
"""How many characters of files a prompt shows at most."""

LISTED = 2_000
"""How many paths a prompt lists at most."""


@dataclass(frozen=True, slots=True)
class CommitTask:
    """What a commit of a repository has solved, to be solved again.

    ``failing`` and ``passing`` are the names of tests in ``files`` that fail and pass before; all
    of them pass after.
    """

    repository: str
    commit: str
    parent: str
    issue: str
    changed: tuple[str, ...]
    files: tuple[str, ...]
    failing: tuple[str, ...]
    passing: tuple[str, ...]
    settings: Settings

    @property
    def name(self) -> str:
        """The task's name."""
        return f"{Path(self.repository).name}@{self.commit[:12]}"

    def start(self, history: History) -> dict[str, Entry]:
        """The tree before the commit with the tests, and their settings, of after."""
        before = history.tree(self.parent, self.settings.without)
        after = history.tree(self.commit, self.settings.without)
        return with_tests(before, after, self.changed)

    def gold(self, history: History) -> dict[str, Entry]:
        """The tree after the commit."""
        return history.tree(self.commit, self.settings.without)

    def prompt(self, history: History, show: bool = True) -> str:
        """The issue, the paths and, with ``show``, the files that the commit has changed.

        Showing these files tells which ones they are. Without them a player needs other means of
        reading the repository.
        """
        start = self.start(history)
        paths = [path for path in start if not protected(path)]
        listed = "\n".join(paths[:LISTED])
        parts = [f"A repository has this issue:\n\n{self.issue}\n\nIts files:\n{listed}"]
        left = SHOWN
        for path in self.changed if show else ():
            entry = start.get(path)
            if entry is not None and not entry.link and not protected(path):
                text = entry.content.decode("utf-8", "replace")
                left -= len(text)
                if left >= 0:
                    parts.append(f"{path}:\n````\n{text}\n````")
        return "\n\n".join([*parts, _ASKED_FOR])

    def score(self, reply: str, history: History, runner: SuiteRunner) -> Score:
        """1 if the tests of the issue and those that passed before pass, otherwise 0.

        The parts are the shares of both that pass. Raises :class:`JudgeError` where the sandbox
        fails.
        """
        start = self.start(history)
        try:
            tree = applied(start, read_patch(reply, start))
        except InvalidAnswer as error:
            return Score(0, str(error), status=error.status)
        try:
            results = runner.results(tree, self.files)
        except Forged as error:
            return Score(0, str(error))
        failing = [name for name in self.failing if results.get(name) != "passed"]
        passing = [name for name in self.passing if results.get(name) != "passed"]
        parts = {
            "fail_to_pass": 1 - len(failing) / len(self.failing),
            "pass_to_pass": 1 - len(passing) / len(self.passing) if self.passing else 1.0,
        }
        if failing or passing:
            reason = f"tests that still fail: {len(failing)}; that fail now: {len(passing)}"
            return Score(0, reason, parts)
        return Score(1, parts=parts)

    def as_json(self) -> dict[str, Any]:
        """The task as plain data."""
        return {
            "id": self.name, "repository": self.repository, "commit": self.commit,
            "parent": self.parent, "issue": self.issue, "changed": list(self.changed),
            "files": list(self.files), "failing": list(self.failing),
            "passing": list(self.passing), "settings": self.settings.as_json(),
        }  # fmt: skip

    @classmethod
    def of(cls, row: dict[str, Any]) -> "CommitTask":
        """The task from plain data. Raises ``ValueError`` where something is missing."""
        try:
            return cls(
                str(row["repository"]), str(row["commit"]), str(row["parent"]), str(row["issue"]),
                tuple(row["changed"]), tuple(row["files"]), tuple(row["failing"]),
                tuple(row["passing"]), Settings.of(row["settings"]),
            )  # fmt: skip
        except (KeyError, TypeError) as fault:
            raise ValueError(f"no task of a commit: {fault}") from None


_ASKED_FOR = (
    "Reply with a unified diff against these files, or with a JSON object of whole files by path, "
    "with null for a deleted file. Tests and their settings must stay as they are; hidden tests "
    "judge the result."
)


def with_tests(
    before: dict[str, Entry], after: dict[str, Entry], changed: Iterable[str]
) -> dict[str, Entry]:
    """A tree with the tests, and their settings, of another one."""
    tree = dict(before)
    for path in changed:
        if protected(path):
            if path in after:
                tree[path] = after[path]
            else:
                tree.pop(path, None)
    return tree


def read_tasks(file: Path) -> Iterator[CommitTask]:
    """The tasks of a file of JSON lines. Raises ``ValueError`` for a line that is none."""
    for line in file.read_text("utf-8").splitlines():
        if line.strip():
            yield CommitTask.of(json.loads(line))
