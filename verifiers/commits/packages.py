"""Finding the installed packages that a repository needs: those that its files import, those that
its ``pyproject.toml`` names, and what both require.
"""

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from importlib.util import find_spec
from io import BytesIO

from palaestra.verifiers.commits.history import Tree

_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))", re.MULTILINE)
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?")
_EXTRA = re.compile(r"""\bextra\s*==\s*["']([^"']+)""")

Requirement = tuple[str, str]
"""A distribution, and one of its extras or nothing."""


def needed(tree: Tree, paths: Sequence[str] = ("", "src")) -> tuple[str, ...]:
    """The names of the installed packages that a tree imports or names in ``pyproject.toml``, with
    the packages that these require.

    Modules of Python, and modules that the tree has below one of ``paths``, are left out.
    """
    own = {name for path in paths for name in _top(tree, path)}
    names = _imported(tree) - own - sys.stdlib_module_names
    modules = _closure(names, _declared(tree)) - own
    return tuple(sorted(name for name in modules if _installed(name)))


def _top(tree: Tree, folder: str) -> Iterator[str]:
    """The modules that the tree has in a folder."""
    start = f"{folder}/" if folder else ""
    for path in tree:
        if path.startswith(start):
            yield path[len(start) :].partition("/")[0].removesuffix(".py")


def _imported(tree: Tree) -> set[str]:
    """The first parts of the names of all modules that are imported somewhere."""
    contents = [each.content for path, each in tree.items() if path.endswith(".py")]
    names = set[str]()
    for match in (match for content in contents for match in _IMPORT.finditer(content)):
        words = [match[1]] if match[1] else match[2].split(b",")
        names |= {word.decode("ascii", "ignore").strip().partition(".")[0] for word in words}
    return {name.split()[0] for name in names if name.strip()}


def _declared(tree: Tree) -> Iterator[Requirement]:
    """The distributions that ``pyproject.toml`` names, for whatever purpose."""
    file = tree.get("pyproject.toml")
    try:
        settings = tomllib.load(BytesIO(file.content)) if file else {}
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return
    project = settings.get("project", {})
    extras = project.get("optional-dependencies", {}).values()
    groups = settings.get("dependency-groups", {}).values()
    for lines in (project.get("dependencies", []), *extras, *groups):
        for line in lines:
            if isinstance(line, str):
                yield from _read(line)


def _closure(modules: set[str], declared: Iterable[Requirement]) -> set[str]:
    """The modules, those of the declared distributions, and those of all that both require."""
    distributions = packages_distributions()
    contents = defaultdict[str, set[str]](set)
    for module, owners in distributions.items():
        for owner in owners:
            contents[_canonical(owner)].add(module)
    todo = [(_canonical(owner), "") for each in modules for owner in distributions.get(each, ())]
    todo += declared
    seen = set[Requirement]()
    while todo:
        if (requirement := todo.pop()) not in seen:
            seen.add(requirement)
            todo += _required(*requirement)
    return modules.union(*(contents[name] for name, _ in seen))


def _required(distribution: str, extra: str) -> Iterator[Requirement]:
    """What an extra of a distribution requires; without one, what it requires in any case."""
    try:
        lines = requires(distribution) or []
    except PackageNotFoundError:
        return
    for line in lines:
        marker = _EXTRA.search(line)
        if (_canonical(marker[1]) if marker else "") == extra:
            yield from _read(line)


def _read(line: str) -> Iterator[Requirement]:
    """A line such as ``uvicorn[standard]>=0.31``: the distribution without and with its extras."""
    if match := _REQUIREMENT.match(line):
        extras = ["", *(match[2] or "").split(",")]
        yield from ((_canonical(match[1]), _canonical(extra.strip())) for extra in extras)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _installed(name: str) -> bool:
    """Whether a module is installed here as a file or a folder."""
    spec = find_spec(name) if name.isidentifier() else None
    return spec is not None and bool(spec.submodule_search_locations or spec.has_location)
