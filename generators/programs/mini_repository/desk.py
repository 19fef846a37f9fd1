"""The tools for repairing a repository: read, search, edit, run the tests."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from palaestra.generators.programs.mini_repository.trials import Trial, files_of_tests, named
from palaestra.task import InvalidAnswer
from palaestra.toolbox import World, tool
from palaestra.verifiers.programs.mini_repository import outcomes

LONGEST = 16_000
"""The maximum number of characters of a file."""

LISTED = 30
"""The maximum number of lines that a search shows."""

FAILURES = 6
"""The number of failing tests that are shown with details."""


class RepositoryDesk(World):
    """Editable modules, and tests that can be read and run."""

    def __init__(self, files: Mapping[str, str], trials: Sequence[Trial]) -> None:
        self.start = dict(files)
        self.files = dict(files)
        self.tests = files_of_tests(trials)
        self.trials = trials

    @tool
    def read(self, file: str) -> str:
        """Show a file, a module or a file of tests."""
        return self._text(file).rstrip("\n")

    @tool
    def search(self, text: str) -> str:
        """List all lines of all files that have a text in them, each with its file and number."""
        if not text.strip():
            raise InvalidAnswer("there is nothing to search for")
        lines = [
            f"{file}:{number}: {line}"
            for file, whole in (self.files | self.tests).items()
            for number, line in enumerate(whole.splitlines(), 1)
            if text in line
        ]
        if len(lines) > LISTED:
            return "\n".join([*lines[:LISTED], f"and {len(lines) - LISTED} more lines"])
        return "\n".join(lines) or "no line"

    @tool
    def edit(self, file: str, old: str, new: str) -> str:
        """Replace an old text by a new one. The old text must occur in the module exactly once,
        spaces and line breaks included. Tests cannot be edited.
        """
        if file in self.tests:
            raise InvalidAnswer("tests cannot be edited")
        text = self._text(file)
        times = text.count(old) if old else 0
        if times != 1:
            raise InvalidAnswer(f"the old text occurs {times} times in {file}, not once")
        changed = text.replace(old, new)
        if len(changed) > LONGEST:
            raise InvalidAnswer(f"a file has at most {LONGEST} characters")
        self.files[file] = changed
        first = text[: text.index(old)].count("\n") + 1
        return f"done; the new text begins in line {first} of {file}"

    @tool
    def run_tests(self) -> str:
        """Run all tests, and list those that fail and how."""
        calls = [((c.module, c.function, c.args), wanted) for c, wanted in self.trials]
        results = outcomes(self.files, calls)
        violations = [
            f"{file} {name}: {call.shown()}: {violation}"
            for (file, name, (call, _)), violation in zip(named(self.trials), results)
            if violation
        ]
        lines = [
            f"{len(results) - len(violations)} of {len(results)} tests pass",
            *violations[:FAILURES],
        ]
        if len(violations) > FAILURES:
            lines.append(f"and {len(violations) - FAILURES} more tests fail")
        return "\n".join(lines)

    def _text(self, file: str) -> str:
        everything = self.files | self.tests
        if file not in everything:
            raise InvalidAnswer(f"there is no file {file[:40]!r}; there is {', '.join(everything)}")
        return everything[file]

    def state(self) -> str:
        changed = (
            f"{file} {blake2b(text.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
            for file, text in self.files.items()
            if text != self.start[file]
        )
        return "; ".join(changed)
