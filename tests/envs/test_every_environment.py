"""Every environment is named by a test of its category.

A test names an environment by its address, by an import of its module, or, in the folder of its
category, by its bare name. What a docstring says does not count.
"""

import ast
import re
from pathlib import Path

import palaestra

FOLDER = Path(__file__).parent
ADDRESS = re.compile(r"\b[a-z]+/[a-z0-9_]+\b")
CATEGORIES = {name.partition("/")[0] for name in palaestra.names()}


def named_in(source: str, category: str) -> set[str]:
    """The environments that the code of a test names, in the folder of a category or in none."""
    tree = ast.parse(source)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("palaestra.envs."):
            home, *inside = str(node.module).split(".")[2:]
            names |= {f"{home}/{end}" for end in inside[-1:] or [each.name for each in node.names]}
        elif isinstance(node, ast.Constant) and id(node) not in statements:
            text = str(node.value)
            names |= {f"{category}/{text}", *ADDRESS.findall(text)}
    return names


def test_every_environment_is_named_by_a_test():
    named: set[str] = set()
    for file in FOLDER.rglob("*.py"):
        category = file.relative_to(FOLDER).parts[0]
        named |= named_in(file.read_text(), category if category in CATEGORIES else "")
    assert set(palaestra.names()) - named == set()


def test_what_names_an_environment():
    for source in (
        "from palaestra.envs.grids.no_such_loops import Loops",
        "from palaestra.envs.grids.latin.no_such_loops import Loops",
        "from palaestra.envs.grids import no_such_loops",
        "NAMES = ['no_such_loops']",
        "task = Address.parse('grids/no_such_loops@1?size=4#1')",
    ):
        assert "grids/no_such_loops" in named_in(source, "grids"), source
    for source in (
        '"""Tests of grids/no_such_loops."""',
        "# grids/no_such_loops",
        "no_such_loops = 1",
    ):
        assert "grids/no_such_loops" not in named_in(source, "grids"), source
    assert "grids/no_such_loops" not in named_in("NAMES = ['no_such_loops']", "logic")
