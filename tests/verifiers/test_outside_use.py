"""Each verifier is used by an environment, or the documentation lists it as one for own tasks."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import palaestra
import palaestra.verifiers
from palaestra.verifiers.verifier import Verifier

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "verifiers.md"


def public_verifiers() -> set[str]:
    """The names of all classes of verifiers that can be imported."""
    for module in pkgutil.walk_packages(palaestra.verifiers.__path__, "palaestra.verifiers."):
        importlib.import_module(module.name)

    def below(cls: type) -> Iterator[type]:
        for each in cls.__subclasses__():
            yield each
            yield from below(each)

    return {
        each.__name__
        for each in below(Verifier)
        if each.__module__.startswith("palaestra.verifiers.")
        and not inspect.isabstract(each)
        and not each.__name__.startswith("_")
    }


def imported_by_environments() -> set[str]:
    """What environments, their generators and the judges of their categories import."""
    categories = {name.partition("/")[0] for name in palaestra.names()}
    folders = ["envs", "generators", *(f"verifiers/{each}" for each in sorted(categories))]
    names = set()
    for file in (file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "palaestra.verifiers."
            ):
                names |= {alias.name for alias in node.names}
    return names


def test_the_page_lists_the_verifiers_that_no_environment_uses():
    section = PAGE.read_text("utf-8").partition("## For your own tasks\n")[2].partition("\n## ")[0]
    listed = set(re.findall(r"`(\w+)`", section))
    verifiers = public_verifiers()
    assert len(verifiers) > 50
    assert listed == verifiers - imported_by_environments()
