"""The tools for working on a repository: list, read, search, edit, run the tests, history."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from palaestra.generators.tools.engine import Changes, Tool, ToolWorld
from palaestra.generators.tools.repository_issue.jail import outcomes
from palaestra.generators.tools.repository_issue.mending import Repair, goal_of, mended
from palaestra.generators.tools.repository_issue.trials import Trial, named, path_of_tests
from palaestra.task import InvalidAnswer

LONGEST = 20_000
"""The maximum number of characters of a file."""

LINES = 300
"""The maximum number of lines that one call shows."""

HITS = 40
"""The maximum number of lines that a search shows."""

FAILURES = 8
"""The number of failing tests that are shown."""


class Commit(NamedTuple):
    """An entry of the history: its name, its message and the files that it changed."""

    name: str
    message: str
    paths: tuple[str, ...]


class Workplace(ToolWorld):
    """The files of a repository as a player edits them."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        files: Mapping[str, str],
        visible: Sequence[Trial],
        history: Sequence[Commit],
        package: str,
        item: str,
        repairs: Sequence[Repair],
        seed: int = 0,
        busy: int = 0,
    ) -> None:
        super().__init__(TOOLS, seed, busy)
        self.repairs, self.goal = repairs, goal_of(repairs)
        self.opened: set[str] = set()
        self.start, self.files = dict(files), dict(files)
        self.visible, self.history = visible, history
        self.package, self.item = package, item

    def changes(self) -> Changes:
        """What of the goal is reached, and the damage that is seen without running anything."""
        changes = mended(self.repairs, self.files)
        changes |= {("opened", path): True for path in self.opened}
        return changes | {("damage", path): True for path in self.edited_tests()}

    def state(self) -> str:
        return f"changed {sorted(self.edits().items())}, seen {sorted(self.seen)}"

    def edits(self) -> dict[str, str]:
        """A short name of the new text of each file that has one."""
        return {
            path: blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
            for path, text in self.files.items()
            if text != self.start[path]
        }

    def edited_tests(self) -> list[str]:
        """The files of tests that are not as they were."""
        return [path for path in self.edits() if path.startswith("tests/")]

    def outcomes(self, trials: Sequence[Trial]) -> list[str]:
        """What is wrong with each call; nothing where it gives what is wanted."""
        return outcomes(self.files, trials, self.package, self.item)

    def text(self, path: str) -> str:
        """A file. Raises :class:`InvalidAnswer` where there is none."""
        if path not in self.files:
            raise InvalidAnswer(f"there is no file {path[:80]!r}; list_files shows those there are")
        return self.files[path]

    def write(self, path: str, text: str) -> None:
        """Let a file have another text. Raises :class:`InvalidAnswer` where it is too long."""
        if len(text) > LONGEST:
            raise InvalidAnswer(f"a file has at most {LONGEST} characters")
        self.files[path] = text


def _list_files(world: Workplace, arguments: Mapping[str, Any]) -> str:
    return "\n".join(
        f"{path} ({text.count(chr(10))} lines)" for path, text in sorted(world.files.items())
    )


def _read_file(world: Workplace, arguments: Mapping[str, Any]) -> str:
    path, start, end = arguments.values()
    lines = world.text(path).split("\n")
    last = min(end or len(lines), len(lines), start + LINES - 1)
    if not 1 <= start <= last:
        raise InvalidAnswer(f"{path} has the lines 1 to {len(lines)}")
    world.opened |= {path} & {each.path for each in world.repairs}
    shown = "\n".join(f"{n}: {lines[n - 1]}" for n in range(start, last + 1))
    return shown if last == len(lines) or end else f"{shown}\n({len(lines) - last} more lines)"


def _search(world: Workplace, arguments: Mapping[str, Any]) -> str:
    text, below = arguments.values()
    if not text.strip():
        raise InvalidAnswer("there is nothing to search for")
    hits = [
        f"{path}:{number}: {line}"
        for path, whole in sorted(world.files.items())
        if path.startswith(below) and text in whole
        for number, line in enumerate(whole.split("\n"), 1)
        if text in line
    ]
    more = [f"({len(hits) - HITS} more lines)"] if len(hits) > HITS else []
    return "\n".join([*hits[:HITS], *more]) or "no line"


def _edit(world: Workplace, arguments: Mapping[str, Any]) -> str:
    path, old, new = arguments.values()
    text = world.text(path)
    times = text.count(old) if old else 0
    if times != 1:
        raise InvalidAnswer(f"the old text occurs {times} times in {path}, not once")
    world.write(path, text.replace(old, new))
    return f"done; the new text begins in line {text[: text.index(old)].count(chr(10)) + 1}"


def _replace_lines(world: Workplace, arguments: Mapping[str, Any]) -> str:
    path, start, end, text = arguments.values()
    lines = world.text(path).split("\n")
    if not 1 <= start <= end <= len(lines):
        raise InvalidAnswer(f"{path} has the lines 1 to {len(lines)}")
    world.write(path, "\n".join([*lines[: start - 1], *text.split("\n"), *lines[end:]]))
    return f"done; {path} has {world.files[path].count(chr(10)) + 1} lines"


def _run_tests(world: Workplace, arguments: Mapping[str, Any]) -> str:
    (path,) = arguments.values()
    tests = [
        (name, trial)
        for name, trial in named(world.visible)
        if not path or path_of_tests(trial.module) == path
    ]
    if not tests:
        raise InvalidAnswer(f"there are no tests in {path[:80]!r}")
    results = world.outcomes([trial for _, trial in tests])
    failures = [
        f"{path_of_tests(trial.module)} {name}: {why}"
        for (name, trial), why in zip(tests, results, strict=True)
        if why
    ]
    more = [f"({len(failures) - FAILURES} more)"] if len(failures) > FAILURES else []
    passed = f"{len(tests) - len(failures)} of {len(tests)} tests pass"
    return "\n".join([passed, *failures[:FAILURES], *more])


def _show_history(world: Workplace, arguments: Mapping[str, Any]) -> str:
    (path,) = arguments.values()
    commits = [each for each in world.history if not path or path in each.paths]
    lines = [f"{each.name} {each.message} ({', '.join(each.paths)})" for each in commits]
    return "\n".join(lines[:LINES]) or "no commit"


def _tool(
    run: Callable[[Workplace, Mapping[str, Any]], str],
    description: str,
    parameters: Mapping[str, type],
    optional: Mapping[str, Any] | None = None,
) -> Tool:
    return Tool(run.__name__.removeprefix("_"), description, parameters, run, optional or {})


TOOLS = (
    _tool(_list_files, "All files of the repository.", {}),
    _tool(
        _read_file,
        "The lines of a file with their numbers, from start to end; without an end, up to "
        f"{LINES} lines.",
        {"path": str, "start": int, "end": int},
        {"start": 1, "end": 0},
    ),
    _tool(
        _search,
        "The lines that have a text in them, in files whose path begins with below.",
        {"text": str, "below": str},
        {"below": ""},
    ),
    _tool(
        _edit,
        "Replace an old text of a file, which occurs in it exactly once, by a new one.",
        {"path": str, "old": str, "new": str},
    ),
    _tool(
        _replace_lines,
        "Replace the lines from start to end of a file by a text.",
        {"path": str, "start": int, "end": int, "text": str},
    ),
    _tool(
        _run_tests,
        "Run the tests in tests/, or in one file of them, as they were committed.",
        {"path": str},
        {"path": ""},
    ),
    _tool(
        _show_history,
        "The commits, or those that changed a file, the newest first.",
        {"path": str},
        {"path": ""},
    ),
)
"""The tools of a workplace."""
