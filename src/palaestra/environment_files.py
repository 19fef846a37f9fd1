"""The files of environments in the package of a category.

Where a category has many environments, the folders inside it are families, which are no part of
an environment's name: ``envs/games/cards/blackjack.py`` is ``games/blackjack``.
"""

from collections.abc import Iterator
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pkgutil import iter_modules

OURS = "palaestra.envs"
"""The package of the categories of this distribution."""


@cache
def modules_of(package: str) -> dict[str, str]:
    """The module of each environment in the package of a category, by the name of its file.

    Raises ``ImportError`` where the package, or one that it is in, does not exist. Of two files
    with one name the one that stands outside of families counts, or else that of the first family;
    see :func:`repeated`.
    """
    modules: dict[str, str] = {}
    for module in _modules(package):
        modules.setdefault(module.rpartition(".")[2], module)
    return modules


def repeated(package: str) -> list[str]:
    """The modules that do not count, as another file of the category has the same name."""
    return [module for module in _modules(package) if module not in modules_of(package).values()]


def _modules(package: str) -> Iterator[str]:
    """The modules of a category: its own, then those of its families."""
    spec = find_spec(package)
    if spec is None:
        raise ModuleNotFoundError(f"no package {package}", name=package)
    folders = spec.submodule_search_locations or []
    for entry in sorted(iter_modules(folders), key=lambda entry: entry.ispkg):
        module = f"{package}.{entry.name}"
        if not entry.ispkg:
            yield module
            continue
        family = PathFinder.find_spec(
            module, folders
        )  # which imports no package, as find_spec does
        for each in iter_modules(family.submodule_search_locations if family else []):
            yield f"{module}.{each.name}"


def without_family(module: str) -> str:
    """The module that an environment of this distribution would have outside of families. That is
    what tasks may depend on, so that an environment can move from one family to another.

    >>> without_family("palaestra.envs.games.deduction.mastermind")
    'palaestra.envs.games.mastermind'
    """
    if not module.startswith(f"{OURS}."):
        return module
    category, *_, file = module.removeprefix(f"{OURS}.").split(".")
    return f"{OURS}.{category}.{file}"
