"""Finding environments. The name is the path: ``logic/sudoku`` is ``envs/logic/sudoku.py``.

Nothing registers itself and nothing is imported before it is asked for, so a thousand
environments cost a directory listing. Another distribution adds a category of its own by naming
a package of such files under the entry point group ``palaestra.envs``.
"""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import palaestra.envs

if TYPE_CHECKING:  # which brings pydantic, and listing names needs none of that
    from palaestra.task import Task


class UnknownEnvironment(LookupError):
    """A name that no environment has; the message gives near ones."""


@cache
def packages() -> dict[str, str]:
    """The package that each category's files are in."""
    folders = (folder for room in palaestra.envs.__path__ for folder in Path(room).iterdir())
    ours = {f.name: f"palaestra.envs.{f.name}" for f in folders if (f / "__init__.py").exists()}
    return ours | {point.name: point.value for point in entry_points(group="palaestra.envs")}


@cache
def names() -> tuple[str, ...]:
    """Every environment's name, in order."""
    found = []
    for category, package in packages().items():
        spec = find_spec(package)
        places = spec.submodule_search_locations if spec else None
        found += [f"{category}/{module.name}" for module in iter_modules(places or [])]
    return tuple(sorted(found))


def is_ours(name: str) -> bool:
    """Whether an environment belongs to this distribution."""
    return packages()[name.partition("/")[0]].startswith("palaestra.envs.")


@cache
def _known() -> frozenset[str]:
    return frozenset(names())


def class_name(name: str) -> str:
    """The class that a file holds.

    >>> class_name("logic/knights_and_knaves")
    'KnightsAndKnaves'
    """
    return name.rpartition("/")[2].title().replace("_", "")


def near(name: str) -> list[str]:
    """The names that someone may have meant by another one, the likeliest first.

    >>> near("logic/knights_and_knave")[0]
    'logic/knights_and_knaves'
    """
    wanted = name[:80].casefold().replace("-", "_")
    by_file: dict[str, str] = {known.rpartition("/")[2]: known for known in names()}
    file = wanted.rpartition("/")[2]
    if file in by_file:  # only its category is missing or wrong, so nothing else is meant
        return [known for known in names() if known.rpartition("/")[2] == file][:3]
    files = get_close_matches(file, by_file, 3, 0.5)
    inside = [known for known in names() if len(wanted) > 2 and wanted in known]
    whole = get_close_matches(wanted, names(), 3, 0.6)
    return list(dict.fromkeys([*whole, *(by_file[file] for file in files), *inside]))[:3]


@cache
def load(name: str) -> "type[Task]":
    """The environment of that name. Raises :class:`UnknownEnvironment` if there is none."""
    if name not in _known():
        hints = near(name)
        hint = f"did you mean {' or '.join(hints)}?" if hints else "see `palaestra list`"
        raise UnknownEnvironment(f"no environment is called {name[:80]!r}; {hint}")
    category, _, file = name.partition("/")
    module = import_module(f"{packages()[category]}.{file}")
    kind: type[Task] = getattr(module, class_name(name))
    return kind
