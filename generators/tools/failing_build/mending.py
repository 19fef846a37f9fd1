"""How much of a project has been mended, by what stands where its faults are; nothing is run."""

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from palaestra.generators.tools.engine import Changes
from palaestra.generators.tools.failing_build.judging import damaged, snapshot_of
from palaestra.generators.tools.shell.busy import BusyShell
from palaestra.generators.tools.shell.trees import Tree
from palaestra.syntax import parse

Features = Changes
"""What matters of a file, by its path and the part of it."""


LONGEST = 20_000
"""How long a module may be that is looked at."""


@lru_cache(maxsize=4_096)
def features(path: str, text: str) -> Features:
    """What matters of a file of a project: the values of a configuration, the imports and the
    version of a module, the rows of a table.

    >>> features("src/a/b.py", "from math import isqrt")
    {('src/a/b.py', 'imports'): (('', 'math', 'isqrt'),), ('src/a/b.py', 'version'): None}
    """
    if path == "build.cfg":
        return {(path, *where): words for where, words in _settings(text)}
    if not path.endswith(".py"):
        return {(path, "rows"): text.rstrip()}
    module = _parsed(text)
    if module is None:
        return {(path, "imports"): "unreadable", (path, "version"): "unreadable"}
    return {(path, "imports"): _imports(module), (path, "version"): _version(module)}


def _parsed(text: str) -> ast.Module | None:
    try:
        return parse(text) if len(text) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _settings(text: str) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    """The words of each value by its section and key; the order of needed steps has no meaning."""
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
        key, equals, value = line.partition("=")
        if equals and not line.startswith(("#", ";")):
            words = tuple(value.split())
            name = key.strip()
            yield (section, name), tuple(sorted(words)) if name == "needs" else words


def _imports(module: ast.Module) -> tuple[tuple[str, str, str], ...]:
    """The function, the module and the name of each import from a module."""
    functions = [each for each in module.body if isinstance(each, ast.FunctionDef)]
    bodies = [("", module.body), *((each.name, each.body) for each in functions)]
    return tuple(
        sorted(
            (where, node.module or "", each.name)
            for where, body in bodies
            for node in body
            if isinstance(node, ast.ImportFrom)
            for each in node.names
        )
    )


def _version(module: ast.Module) -> object:
    """The version that a module states, if it does."""
    for node in module.body:
        match node:
            case ast.Assign([ast.Name("__version__")], ast.Constant(version)):
                return version
    return None


def mended(files: Mapping[str, str], repaired: Mapping[str, str]) -> Changes:
    """What has to stand where a faulty project differs from the repaired one."""
    goal: Changes = {}
    for path, text in repaired.items():
        if text != files[path]:
            before = features(path, files[path])
            right = features(path, text)
            goal |= {key: value for key, value in right.items() if before.get(key) != value}
    return goal


class FaultyProject(BusyShell):
    """A shell on a project with faults, whose changes are those that mend them, and damage."""

    def __init__(
        self, files: Mapping[str, str], repaired: Mapping[str, str], seed: int, busy: int
    ) -> None:
        super().__init__(snapshot_of(files), seed, busy)
        self.repaired = repaired
        self.goal = mended(files, repaired)
        self.places = sorted({path for path, *_ in self.goal})

    def changes(self) -> Changes:
        """What stands by now where the faults are, if it is new, and the damage."""
        now, before = self._features(self.now.tree), self._features(self.start.tree)
        harm = {("damage", path): "" for path in damaged(self.repaired, self.now.tree)}
        return harm | {key: now.get(key) for key in self.goal if now.get(key) != before.get(key)}

    def _features(self, tree: Tree) -> Features:
        files = {path: tree[path] for path in self.places if path in tree}
        texts = {path: each.text for path, each in files.items() if each.category == "file"}
        return {key: value for each in texts.items() for key, value in features(*each).items()}

    def state(self) -> str:
        files = sorted(super().changes().items())
        return f"in {self.directory!r}, changed {files}, seen {sorted(self.seen)}"
