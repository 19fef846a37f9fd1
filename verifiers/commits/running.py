"""Running the tests of a repository in the sandbox, which has no network.

The code under test and its tests share one process there, as tests of repositories need it, so the
integrity of the outcome is weak: code that is written for it could forge what is reported. Three
things stand against that: the mark of a report is new with each run, a patch must not touch tests,
their settings and what runs them, and tests of our own that have to fail are among the others.
"""

import base64
import io
import json
import secrets
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import files, packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from palaestra.task import JudgeError
from palaestra.verifiers.commits.history import Tree
from palaestra.verifiers.sandbox import Limits, MissingTool, Sandbox, SandboxUnavailable

Result = Literal["passed", "failed", "skipped"]

PROGRAM = Path(__file__).with_name("in_jail.py")

SENTINELS = {
    "def test_{}():\n    assert 2 + 2 == 5\n": "failed",
    "def test_{}():\n    raise ValueError\n": "failed",
    "def test_{}():\n    assert [1, 2] != [1, 3]\n": "passed",
}
"""Tests of our own and their outcomes, which nothing in the repository may change."""


class Forged(Exception):
    """The outcomes of tests are not to be believed."""


class Unfinished(Exception):
    """The tests did not run to their end."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the tests of a repository are run.

    ``packages`` are installed here and shown to the jail, read-only: packages in folders, and
    modules of one file. Tests run by pytest where ``pytest`` is among them, with these
    ``options``, and by themselves otherwise. ``paths`` are folders of the repository from which
    modules are imported, ``without`` those that are left out.
    """

    packages: tuple[str, ...] = ()
    options: tuple[str, ...] = ("--import-mode=importlib",)
    paths: tuple[str, ...] = ("", "src")
    without: tuple[str, ...] = ()
    cpu_s: float = 60.0
    memory_mb: int = 2_048

    def as_json(self) -> dict[str, object]:
        """The settings as plain data."""
        return {
            "packages": list(self.packages), "options": list(self.options),
            "paths": list(self.paths), "without": list(self.without), "cpu_s": self.cpu_s,
            "memory_mb": self.memory_mb,
        }  # fmt: skip

    @classmethod
    def of(cls, data: Mapping[str, object]) -> "Settings":
        """The settings from plain data. Raises ``TypeError`` for unknown ones."""
        values = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}
        return cls(**values)  # type: ignore[arg-type]


def with_pytest() -> tuple[str, ...]:
    """The packages that pytest needs, as far as they are installed here."""
    names = ("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments")
    return tuple(name for name in names if find_spec(name) is not None)


def shown(names: Sequence[str]) -> list[Path]:
    """The folders and files of installed packages, with the libraries that they link to and their
    metadata.

    Raises ``ValueError`` for one that is not installed.
    """
    paths: list[Path] = []
    owners = packages_distributions() if names else {}
    for name in names:
        spec = find_spec(name) if name.isidentifier() else None
        folders = spec.submodule_search_locations if spec else None
        if spec is None or not (folders or spec.origin):
            raise ValueError(f"the package {name[:40]!r} is not installed")
        path = Path(folders[0] if folders else str(spec.origin)).resolve()
        described = [_metadata(owner) for owner in owners.get(name, ())]
        more = (path, path.with_name(f"{name}.libs"), *filter(None, described))
        paths += [each for each in more if each.exists() and each not in paths]
    return paths


def _metadata(distribution: str) -> Path | None:
    """The folder of the metadata of an installed distribution, if it is in one."""
    for file in files(distribution) or ():
        if file.name == "METADATA" and file.parent.suffix == ".dist-info":
            return Path(str(file.locate())).resolve().parent
    return None


@dataclass
class SuiteRunner:
    """Runs tests with the same settings, one tree after another. It is a context manager."""

    settings: Settings
    sandbox: Sandbox | None = field(default=None)
    error: str = ""
    """Why tests of the last run could not be collected, in one line."""

    def __enter__(self) -> "SuiteRunner":
        self.sandbox = Sandbox(slots=1, minimum="namespaces")
        binds = {str(path): f"/packages/{path.name}" for path in shown(self.settings.packages)}
        self.sandbox._changes = {"binds": binds, "packages": ["/packages"]}
        return self

    def __exit__(self, *_: object) -> None:
        if self.sandbox is not None:
            self.sandbox.close()

    def results(self, tree: Tree, files: Sequence[str], whole: bool = False) -> dict[str, Result]:
        """The outcomes of all tests in some files, by their names; those that did not end are
        missing.

        Raises :class:`Forged` where tests that have to fail pass, :class:`JudgeError` where the
        sandbox fails, and :class:`Unfinished` where the ``whole`` is wanted and not all tests end,
        or none begins.
        """
        mark, own = secrets.token_hex(16), f"test_{secrets.token_hex(8)}.py"
        names = [secrets.token_hex(8) for _ in SENTINELS]
        sentinels = "".join(text.format(n) for text, n in zip(SENTINELS, names, strict=True))
        job = {
            "tree": packed(tree, {own: sentinels}),
            "paths": list(self.settings.paths),
            "pytest": "pytest" in self.settings.packages,
            "options": list(self.settings.options),
            "files": [*files, own],
            "mark": mark,
        }
        outcomes = self._outcomes(json.dumps(job), mark)
        ended = outcomes.pop("end", None) is not None
        if whole and not ended:
            raise Unfinished("its tests do not end within the limits")
        if whole and not any(f"{own}::test_{name}" in outcomes for name in names):
            raise Unfinished(f"the tests cannot be run: {self.error or 'none begins'}")
        for name, wanted in zip(names, SENTINELS.values(), strict=True):
            if outcomes.pop(f"{own}::test_{name}", None if ended else wanted) != wanted:
                raise Forged("tests that have to fail do not")
        return outcomes

    def _outcomes(self, job: str, mark: str) -> dict[str, Result]:
        """What the jail reports. A test that is named twice has failed."""
        assert self.sandbox is not None
        limits = Limits(
            cpu_s=self.settings.cpu_s, memory_mb=self.settings.memory_mb, output_kb=4_096
        )
        try:
            outcome = self.sandbox.run(PROGRAM.read_text("utf-8"), stdin=job, limits=limits)
        except (SandboxUnavailable, MissingTool) as fault:
            raise JudgeError(f"no test can be run: {fault}") from None
        if outcome.status == "JUDGE_ERROR":
            raise JudgeError(f"the sandbox failed: {outcome.reason}")
        outcomes: dict[str, Result] = {}
        self.error = ""
        for line in outcome.text.split("\n"):
            head, _, rest = line.partition(" ")
            result, _, name = rest.partition(" ")
            if head == mark and result in {"passed", "failed", "skipped"}:
                test = json.loads(name)
                outcomes[test] = "failed" if test in outcomes else result  # type: ignore[assignment]
            elif head == mark and result == "error":
                self.error = self.error or json.loads(name)
        return outcomes


def packed(tree: Tree, more: Mapping[str, str]) -> str:
    """A tree as a compressed archive in text."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=1) as tar:
        for path, entry in sorted(tree.items()):
            member = tarfile.TarInfo(path)
            member.mode = 0o644
            if entry.link:
                member.type, member.linkname = tarfile.SYMTYPE, entry.content.decode()
                tar.addfile(member)
            else:
                member.size = len(entry.content)
                tar.addfile(member, io.BytesIO(entry.content))
        for path, text in more.items():
            member = tarfile.TarInfo(path)
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return base64.b64encode(stream.getvalue()).decode()
