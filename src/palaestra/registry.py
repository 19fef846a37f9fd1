"""Finding environments. The name is the path: ``logic/sudoku`` is ``envs/logic/sudoku.py``. The
families that a large category has as folders are no part of it.

Nothing registers itself and nothing is imported before it is asked for, so a thousand
environments cost a directory listing. Another distribution adds a category of its own by naming
a package of such files under the entry point group ``palaestra.envs``. It cannot take one that is
there: see :func:`clashes`.

A folder of such files that belongs to no distribution, such as that of an author who writes a new
one, is named by the environment variable ``PALAESTRA_ENVS``. The command line sets it to
``./envs``.
"""

import os
import sys
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from importlib.util import module_from_spec
from pathlib import Path
from typing import TYPE_CHECKING

import palaestra.envs
from palaestra.environment_files import OURS, modules_of, repeated

if TYPE_CHECKING:  # which brings pydantic, and listing names needs none of that
    from palaestra.task import Task


FOLDER = "PALAESTRA_ENVS"
"""The environment variable that names a folder of environments, for this process and those that it
starts.
"""

LOCAL = "palaestra_local_envs"
"""The package that the environments of that folder are imported from."""


class UnknownEnvironment(LookupError):
    """A name that no environment has; the message gives near ones."""


class CategoryClash(UnknownEnvironment):
    """Two distributions bring a category of the same name; the message names both."""


@cache
def _ours() -> dict[str, str]:
    """The package of each category of this distribution."""
    folders = (folder for room in palaestra.envs.__path__ for folder in Path(room).iterdir())
    return {f.name: f"{OURS}.{f.name}" for f in folders if (f / "__init__.py").exists()}


@cache
def _claims() -> dict[str, dict[str, str]]:
    """Which packages other distributions name for a category, and who names each first."""
    claims: dict[str, dict[str, str]] = {}
    for point in entry_points(group="palaestra.envs"):
        who = f"{point.dist.name} {point.dist.version}" if point.dist else f"who has {point.value}"
        claims.setdefault(point.name, {}).setdefault(point.value, who)
    return claims


@cache
def clashes() -> dict[str, str]:
    """The categories that more than one distribution brings, and a sentence that names these.

    A category of this distribution stays as it is, so that no other one can score its addresses.
    Of any other, nothing is loaded: which distribution an address means would depend on the order
    of installation.
    """
    messages = {}
    for category, packages_by in _claims().items():
        claimants = ["palaestra"] * (category in _ours()) + list(packages_by.values())
        if len(claimants) > 1:
            which = "that of palaestra is used" if category in _ours() else "none is used"
            messages[category] = (
                f"the category {category!r} is claimed by {' and by '.join(claimants)}; {which}"
            )
    return messages


@cache
def packages() -> dict[str, str]:
    """The package that each category's files are in."""
    theirs = {category: next(iter(claim)) for category, claim in _claims().items()}
    return _ours() | {name: theirs[name] for name in theirs if name not in clashes()}


@cache
def names() -> tuple[str, ...]:
    """Every environment's name, in order."""
    return tuple(sorted(_installed() | local().keys()))


@cache
def _installed() -> frozenset[str]:
    return frozenset(f"{category}/{file}" for category in packages() for file in _files(category))


@cache
def local() -> dict[str, str]:
    """The module of each environment in the folder that ``PALAESTRA_ENVS`` names, by its name.

    A category is a package there too, and its files mention palaestra, so that a folder of other
    things is taken for none. An environment that is installed cannot be replaced. There are no
    families there.
    """
    folder = os.environ.get(FOLDER, "")
    if not folder or not Path(folder).is_dir():
        return {}
    _mount(folder)
    files = (
        file
        for init in Path(folder).glob("*/__init__.py")
        for file in init.parent.glob("*.py")
        if file != init and file.stem.isidentifier() and b"palaestra" in file.read_bytes()
    )
    modules = {f"{file.parent.name}/{file.stem}": file for file in files}
    return {
        name: f"{LOCAL}.{name.replace('/', '.')}"
        for name in sorted(modules)
        if name not in _installed() and name.partition("/")[0] not in clashes()
    }


def _mount(folder: str) -> None:
    """Have the modules of a folder imported from the package ``LOCAL``."""
    if LOCAL not in sys.modules:
        spec = ModuleSpec(LOCAL, None, is_package=True)
        spec.submodule_search_locations = []
        sys.modules[LOCAL] = module_from_spec(spec)
    sys.modules[LOCAL].__path__[:] = [folder]


def _files(category: str) -> dict[str, str]:
    """The module of each environment of an installed category, by the name of its file."""
    try:
        return modules_of(packages()[category])
    except ImportError:  # which `faults` reports; the other categories are none the worse
        return {}


def faults() -> list[str]:
    """What is wrong with categories, a sentence for each: clashes, packages without environments,
    and files of one name in two families.
    """
    bare = [
        f"the category {category!r} of {who}: the package {package} has no environments"
        for category, claim in _claims().items()
        for package, who in claim.items()
        if category not in clashes() and not _files(category)
    ]
    twice = [
        f"{module} is not used, as {package} has another file of this name"
        for category, package in packages().items()
        if _files(category)
        for module in repeated(package)
    ]
    return [*clashes().values(), *bare, *twice]


def is_ours(name: str) -> bool:
    """Whether an environment belongs to this distribution."""
    return name.partition("/")[0] in _ours() and name not in local()


@cache
def _known() -> frozenset[str]:
    return frozenset(names())


def class_name(name: str) -> str:
    """The class that a file holds.

    >>> class_name("logic/knights_and_knaves")
    'KnightsAndKnaves'
    """
    return name.rpartition("/")[2].title().replace("_", "")


def summary(task_type: type) -> str:
    """The first line of the docstring of an environment or a combinator."""
    return (task_type.__doc__ or "").partition("\n")[0]


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


def load(name: str) -> "type[Task]":
    """The environment of that name, which may be that of a combination, as in
    ``games/mastermind+retry(3)``. Raises :class:`UnknownEnvironment` if there is none, and
    :class:`CategoryClash` where that is because several distributions bring its category.
    """
    return _combination(canonical(name)) if "+" in name else _environment(name)


def canonical(name: str) -> str:
    """An environment's name, with all arguments of its combinators.

    Raises :class:`UnknownEnvironment` for a combinator that does not exist.

    >>> canonical("games/mastermind+retry(2)")
    'games/mastermind+retry(2,verdict)'
    """
    return _canonical(name) if "+" in name else name


@lru_cache(maxsize=4_096)
def _canonical(name: str) -> str:
    from palaestra.combination import BadCombination
    from palaestra.combinators import split

    try:
        base, combinators = split(name)
    except BadCombination as error:
        raise UnknownEnvironment(f"{_shown(name)}: {error}") from None
    return "+".join([base, *map(str, combinators)])


@lru_cache(maxsize=1_024)  # anybody can ask for one combination more
def _combination(name: str) -> "type[Task]":
    from palaestra.combination import BadCombination
    from palaestra.combinators import combine, split

    try:
        *_, combinator = split(name)[1]
        base = name.rpartition("+")[0]
        return combine(load(base), combinator, name)
    except BadCombination as error:
        raise UnknownEnvironment(f"{_shown(name)}: {error}") from None


def _shown(name: str) -> str:
    """The beginning of a name on one line, with escapes for what is not printable."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in name[:200])


@cache
def _environment(name: str) -> "type[Task]":
    """The environment in the file of that name."""
    task_type: type[Task] = getattr(import_module(module_name(name)), class_name(name))
    return task_type


def module_name(name: str) -> str:
    """The module of an environment, which is not imported. Raises what :func:`load` does.

    >>> module_name("logic/knights_and_knaves")
    'palaestra.envs.logic.knights_and_knaves'
    """
    if name not in _known():
        if (clash := clashes().get(name.partition("/")[0])) is not None:
            raise CategoryClash(f"no environment is called {name[:80]!r}; {clash}")
        hints = near(name)
        hint = f"did you mean {' or '.join(hints)}?" if hints else "see `palaestra list`"
        raise UnknownEnvironment(f"no environment is called {name[:80]!r}; {hint}")
    if name in local():
        return local()[name]
    category, _, file = name.partition("/")
    return _files(category)[file]


def source_path(name: str) -> str:
    """The file of an environment in the repository, or in what its distribution installs. Raises
    what :func:`load` does.

    >>> source_path("games/mastermind")
    'envs/games/deduction/mastermind.py'
    """
    return f"{module_name(name).removeprefix('palaestra.').replace('.', '/')}.py"
