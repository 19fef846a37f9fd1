"""Packages of templates of prompts: a module for each environment, in the folder of its category.

The package ``translations`` puts prompts into other languages, and ``stories`` into stories.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from palaestra.environment_files import OURS, without_family
from palaestra.task import Task


@cache
def names(package: str) -> tuple[str, ...]:
    """The environments that a package has templates for, in alphabetical order."""
    path = import_module(package).__path__
    categories = [module.name for module in iter_modules(path) if module.ispkg]
    return tuple(
        sorted(
            f"{category}/{module.name}"
            for category in categories
            for module in iter_modules([f"{folder}/{category}" for folder in path])
        )
    )


def name_of(environment: type[Task]) -> str:
    """The name of an environment of this distribution."""
    return without_family(environment.__module__).removeprefix(f"{OURS}.").replace(".", "/")


def module_of(package: str, environment: type[Task]) -> ModuleType:
    """The templates for an environment.

    Raises ``ImportError`` for an environment without any, which :func:`names` leaves out.
    """
    return import_module(f"{package}.{name_of(environment).replace('/', '.')}")
