"""Patches of a player: a unified diff, or whole files as a JSON object. Both are data, never run.

A patch may change, add and delete text files of the repository, and nothing else: no tests, no
settings of the tests, no links, nothing outside.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from palaestra.task import InvalidAnswer
from palaestra.verifiers.commits.history import Entry, Tree

LONGEST = 400_000
"""The maximum number of characters of a patch."""

LARGEST = 1_000_000
"""The maximum number of characters of a file that a patch leaves."""

Edits = Mapping[str, str | None]
"""The new texts of files by path; ``None`` for those that are deleted."""

SETTINGS = frozenset({
    "conftest.py", "pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini",
    "pytest.toml", ".pytest.toml", "sitecustomize.py", "usercustomize.py",
})  # fmt: skip
"""Files that decide what is run, wherever they stand."""

RUNNERS = frozenset({"pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"})

_FENCE = re.compile(r"^(`{3,}|~{3,})([\w+-]*)[ \t]*$", re.MULTILINE)
_HUNK = re.compile(r"@@ -(\d{1,7})(?:,(\d{1,7}))? \+(\d{1,7})(?:,(\d{1,7}))? @@(?: .*)?", re.ASCII)
_HEADS = ("diff --git ", "index ", "similarity index ", "dissimilarity index ")
_MODES = ("new file mode ", "deleted file mode ", "old mode ", "new mode ")


def is_test(path: str) -> bool:
    """Whether a file is one of the tests, or helps them.

    >>> is_test("tests/data/a.json"), is_test("src/test_a.py"), is_test("src/latest.py")
    (True, True, False)
    """
    *folders, name = path.split("/")
    named = name.startswith("test_") or name.endswith("_test.py") or name in {"test.py", "tests.py"}
    return named or not {"test", "tests", "testing"}.isdisjoint(folders[:1]) or "tests" in folders


def protected(path: str) -> bool:
    """Whether a patch must leave a path as it is: tests, and what decides how they run."""
    return is_test(path) or path.rpartition("/")[2] in SETTINGS or path.endswith(".pth")


def check_path(path: str, tree: Tree) -> None:
    """Raises :class:`InvalidAnswer` for a path that a patch must not touch."""
    parts = path.split("/")
    if not path or len(path) > 240 or not path.isprintable() or "\\" in path or ":" in parts[0]:
        raise InvalidAnswer(f"no path of a file: {path[:60]!r}")
    if PurePosixPath(path).is_absolute() or not {"", ".", ".."}.isdisjoint(parts):
        raise InvalidAnswer(f"a path lies below the repository, not at {path[:60]!r}")
    if ".git" in {part.casefold() for part in parts}:
        raise InvalidAnswer("the folder .git is not part of a patch")
    for length in range(1, len(parts) + 1):
        entry = tree.get("/".join(parts[:length]))
        if entry is not None and entry.link:
            raise InvalidAnswer(f"{path[:60]!r} is or lies behind a link")
        if entry is not None and length < len(parts):
            raise InvalidAnswer(f"{'/'.join(parts[:length])[:60]!r} is a file and no folder")
    if any(other.startswith(f"{path}/") for other in tree):
        raise InvalidAnswer(f"{path[:60]!r} is a folder")
    if protected(path):
        raise InvalidAnswer(f"a patch must not change tests and their settings: {path[:60]!r}")
    if path not in tree and _shadows(parts):
        raise InvalidAnswer(f"a new file must not hide a module of Python: {path[:60]!r}")


def _shadows(parts: Sequence[str]) -> bool:
    """Whether a new file would be imported in the place of a module of Python or of the runner."""
    names = {part.removesuffix(".py") for part in parts[:2]}
    return parts[-1].endswith(".py") and bool(names & (RUNNERS | sys.stdlib_module_names))


def read_patch(reply: str, tree: Tree) -> dict[str, str | None]:
    """What a reply changes in a tree.

    Raises :class:`InvalidAnswer` where the reply holds no patch, or one that does not fit the tree
    or must not be applied.
    """
    if len(reply) > LONGEST:
        raise InvalidAnswer(f"a patch has at most {LONGEST} characters", "limit")
    text = _block(_without_thoughts(reply).replace("\r\n", "\n"))
    edits = _files(text) if text.lstrip().startswith("{") else dict(_diff(text, tree))
    if not edits:
        raise InvalidAnswer("there is no unified diff, and no JSON object of files", "no_answer")
    for path, content in edits.items():
        check_path(path, tree)
        if content is not None:
            _check_text(path, content)
    return edits


def _without_thoughts(reply: str) -> str:
    """What stands after the first thought of a reply. Marks of thoughts in a patch are its text."""
    start = reply.lstrip()
    if start.startswith(("{", "--- ", "diff --git ", "```", "~~~")):
        return reply
    thought, closing, rest = reply.partition("</think>")
    return rest if closing else "" if start.startswith("<think>") else thought


def _check_text(path: str, content: str) -> None:
    if len(content) > LARGEST:
        raise InvalidAnswer(f"{path[:60]!r} would have more than {LARGEST} characters", "limit")
    if "\0" in content or any("\ud800" <= sign <= "\udfff" for sign in content):
        raise InvalidAnswer(f"{path[:60]!r} would be no text")


def _block(text: str) -> str:
    """The last fenced block of a reply that is no code of another language, or the whole reply."""
    fences = [*_FENCE.finditer(text)]
    blocks = [
        text[opening.end() + 1 : closing.start()]
        for opening, closing in zip(fences[::2], fences[1::2], strict=False)
        if opening[2].casefold() in {"", "diff", "patch", "json", "udiff"}
    ]
    return blocks[-1] if blocks else text


def _files(text: str) -> dict[str, str | None]:
    """The files of a JSON object. Raises :class:`InvalidAnswer` for any other JSON."""
    try:
        files = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidAnswer("the JSON object cannot be read") from None
    if isinstance(files, dict) and files.keys() == {"files"}:
        files = files["files"]
    if not isinstance(files, dict) or not all(
        isinstance(content, str | None) for content in files.values()
    ):
        raise InvalidAnswer("files are an object of paths with texts, or null for a deleted file")
    return files


def _diff(text: str, tree: Tree) -> Iterator[tuple[str, str | None]]:
    """The files that a unified diff leaves."""
    lines = text.split("\n")
    at, seen = 0, set()
    while at < len(lines):
        line = lines[at]
        if line.startswith(_MODES) and not line.rstrip().endswith(("100644", "100755")):
            raise InvalidAnswer("a patch has no links, folders and modules of git")
        if line.startswith(("rename ", "copy ", "GIT binary patch", "Binary files ")):
            raise InvalidAnswer("a patch has no renamed and no binary files")
        opens = line.startswith("--- ") and at + 1 < len(lines)
        if not opens or not lines[at + 1].startswith("+++ "):
            at += 1
            continue
        old, new = _name(line), _name(lines[at + 1])
        hunks, at = _hunks(lines, at + 2)
        path = old if new == "/dev/null" else new
        if path in seen or (old != new and "/dev/null" not in {old, new}):
            raise InvalidAnswer(f"a file is renamed, or changed twice: {path[:60]!r}")
        seen.add(path)
        check_path(path, tree)
        before = "" if old == "/dev/null" else _text(path, tree)
        if old == "/dev/null" and path in tree:
            raise InvalidAnswer(f"{path[:60]!r} is there already")
        after = _patched(before, hunks, path)
        yield path, None if new == "/dev/null" else after


def _name(line: str) -> str:
    """The path in a line that opens a file."""
    name = line[4:].partition("\t")[0].strip()
    return name if name == "/dev/null" else re.sub(r"^[ab]/", "", name)


def _text(path: str, tree: Tree) -> str:
    """A file of the tree as a text. Raises :class:`InvalidAnswer` where there is none."""
    entry = tree.get(path)
    if entry is None:
        raise InvalidAnswer(f"there is no file {path[:60]!r}")
    try:
        return entry.content.decode()
    except UnicodeDecodeError:
        raise InvalidAnswer(f"{path[:60]!r} is no text") from None


Hunk = tuple[int, list[str], list[str]]
"""The first line of a hunk in the old file, its old lines and its new ones, with their ends."""


def _hunks(lines: Sequence[str], at: int) -> tuple[list[Hunk], int]:
    """The hunks that begin at a line, and the line after them."""
    hunks: list[Hunk] = []
    while at < len(lines) and (head := _HUNK.fullmatch(lines[at])):
        counts = [int(head[n]) if head[n] else 1 for n in (2, 4)]
        old: list[str] = []
        new: list[str] = []
        at += 1
        while len(old) < counts[0] or len(new) < counts[1]:
            line = lines[at] if at < len(lines) else "@"
            sign = line[:1] or " "
            if sign not in " +-\\":
                raise InvalidAnswer("a hunk is shorter than its header states")
            if sign == "\\":
                _without_end(old, new, lines[at - 1])
            if sign in " -":
                old.append(f"{line[1:]}\n")
            if sign in " +":
                new.append(f"{line[1:]}\n")
            at += 1
        if (len(old), len(new)) != tuple(counts):
            raise InvalidAnswer("a hunk is longer than its header states")
        if at < len(lines) and lines[at].startswith("\\"):
            _without_end(old, new, lines[at - 1])
            at += 1
        rest = lines[at] if at < len(lines) else ""
        if rest.startswith(("+", "-", " ")) and not rest.startswith(("--- ", "-- ")):
            raise InvalidAnswer("a hunk is longer than its header states")
        hunks.append((int(head[1]), old, new))
    if not hunks:
        raise InvalidAnswer("a file has no hunk")
    return hunks, at


def _without_end(old: list[str], new: list[str], line: str) -> None:
    """The last line has no end, as git says below it."""
    for lines, signs in ((old, " -"), (new, " +")):
        if lines and (line[:1] or " ") in signs:
            lines[-1] = lines[-1].removesuffix("\n")


def _patched(text: str, hunks: Sequence[Hunk], path: str) -> str:
    """A text after its hunks, each of which stands where it says or in one other spot."""
    lines = text.splitlines(keepends=True) if text.count("\r") == 0 else _lines(text)
    result: list[str] = []
    done = 0
    for start, old, new in hunks:
        spot = _spot(lines, old, done, max(start - 1, 0) if old else start, path)
        result += [*lines[done:spot], *new]
        done = spot + len(old)
    return "".join([*result, *lines[done:]])


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _spot(lines: Sequence[str], old: Sequence[str], least: int, stated: int, path: str) -> int:
    """Where the old lines of a hunk stand."""
    if not old:
        if not least <= stated <= len(lines):
            raise InvalidAnswer(f"a hunk lies outside {path[:60]!r}")
        return stated
    if stated >= least and list(lines[stated : stated + len(old)]) == list(old):
        return stated
    first = old[0]
    spots = [
        n
        for n in range(least, len(lines) - len(old) + 1)
        if lines[n] == first and list(lines[n : n + len(old)]) == list(old)
    ]
    if len(spots) != 1:
        raise InvalidAnswer(f"a hunk fits {path[:60]!r} in {len(spots)} places")
    return spots[0]


def applied(tree: Tree, edits: Edits) -> dict[str, Entry]:
    """A tree after some edits."""
    result = dict(tree)
    for path, content in edits.items():
        if content is None:
            result.pop(path, None)
        else:
            result[path] = Entry(content.encode())
    return result
