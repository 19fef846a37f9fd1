"""Reading a local git repository: its commits and the files at each of them. Nothing is changed."""

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

LONGEST_S = 120
"""How long git may take for an answer, in seconds."""


class Entry(NamedTuple):
    """What a tree has at a path: the content of a file, or the target of a link."""

    content: bytes
    link: bool = False


Tree = Mapping[str, Entry]
"""Files and links by path."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit with one parent, and the paths that it changes."""

    name: str
    parent: str
    message: str
    changed: tuple[str, ...]


class History:
    """The history of a repository. Raises ``ValueError`` where there is none at the path."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        try:
            self._git("rev-parse", "--git-dir")
        except (OSError, subprocess.SubprocessError) as fault:
            raise ValueError(f"no git repository at {path}") from fault

    def _git(self, *words: str) -> bytes:
        """What git answers. No hook, pager or setting of the machine plays a part."""
        command = ["git", "--no-optional-locks", "-c", "core.hooksPath=/dev/null", "-C"]
        environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C.UTF-8",
        }
        output = subprocess.run(
            [*command, str(self.path), *words],
            check=True,
            capture_output=True,
            timeout=LONGEST_S,
            env=environment,
        )
        return output.stdout

    def commits(self, most: int, start: str = "HEAD") -> Iterator[Commit]:
        """The last commits with one parent, the newest first; up to so many are looked at."""
        words = ["log", "--max-parents=1", "--min-parents=1", f"--max-count={most}", "-z"]
        for record in (
            self._git(*words, "--format=%H %P%n%B", start).decode("utf-8", "replace").split("\0")
        ):
            head, _, message = record.partition("\n")
            if head.count(" ") == 1:
                name, parent = head.split(" ")
                yield Commit(name, parent, message.strip(), self.changed(parent, name))

    def changed(self, parent: str, name: str) -> tuple[str, ...]:
        """The paths at which two commits differ."""
        words = ("diff-tree", "-r", "-z", "--no-renames", "--name-only", parent, name)
        return tuple(self._git(*words).decode("utf-8", "replace").split("\0")[:-1])

    def tree(self, name: str, without: Sequence[str] = ()) -> dict[str, Entry]:
        """The files of a commit, but for those below some folders."""
        archive = io.BytesIO(self._git("archive", "--format=tar", name))
        entries: dict[str, Entry] = {}
        with tarfile.open(fileobj=archive) as tar:
            for member in tar:
                if any(member.name == w or member.name.startswith(f"{w}/") for w in without):
                    continue
                if member.issym():
                    entries[member.name] = Entry(member.linkname.encode(), link=True)
                elif member.isfile():
                    file = tar.extractfile(member)
                    entries[member.name] = Entry(file.read() if file else b"")
        return entries
