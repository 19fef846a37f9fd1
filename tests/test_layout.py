"""Where a module of ``generators/`` or ``verifiers/`` stands: the lowest folder of all its users.

What serves one environment has the environment's own path, as a module or as a package; what serves
several environments of a category stands in the category's folder; what serves several categories
stands at the top. A package counts as one module. The imports are read from the syntax tree.
"""

import ast
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("envs", "generators", "verifiers")
APART = {"jail-app", "filters"}
"""Parts of the sandbox that are not modules of the package."""

Unit = tuple[str, ...]
"""A module or a whole package: its path in parts, such as ``("generators", "grids", "pencil")``."""


def python_files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*.py") if not APART & set(file.parts)]


FILES = {
    file.relative_to(ROOT).with_suffix("").parts: file
    for room in ROOMS
    for file in python_files(ROOT / room)
}
OUTSIDE = [
    file
    for folder in ("src/palaestra", "server", "trainers")
    for file in python_files(ROOT / folder)
    if not any((ROOT / "src" / "palaestra" / room) in file.parents for room in ROOMS)
]
ENVIRONMENTS = {parts[1:] for parts in FILES if parts[0] == "envs" and parts[-1] != "__init__"}
DOCUMENTATION = "\n".join(
    page.read_text("utf-8") for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
)


def unit_of(parts: Unit) -> Unit:
    """The outermost package that a module belongs to, or the module itself."""
    if parts[0] != "envs":
        for length in range(2, len(parts)):
            if (*parts[:length], "__init__") in FILES:
                return parts[:length]
    return parts


def home(unit: Unit) -> Unit:
    """The folder that a unit serves, without the room: an environment's path is one, too."""
    return unit[1:] if unit[1:] in ENVIRONMENTS else unit[1:-1]


def imported(file: Path) -> Iterator[Unit]:
    """The units of ``generators`` and ``verifiers`` that a file imports."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = tuple(name.split(".")[1:])
            if name.startswith("palaestra.") and parts[0] in ROOMS[1:]:
                yield unit_of(longest_module(parts))


def longest_module(parts: Unit) -> Unit:
    """The module that a dotted name begins with; the rest are names inside it."""
    for length in range(len(parts), 1, -1):
        if parts[:length] in FILES or (*parts[:length], "__init__") in FILES:
            return parts[:length] if parts[:length] in FILES else (*parts[:length], "__init__")
    raise AssertionError(f"no module: {'.'.join(parts)}")


UNITS = sorted({unit_of(parts) for parts in FILES if parts[0] != "envs"})


@cache  # all files are read and parsed, and only where these tests run
def users() -> dict[Unit, set[Unit]]:
    """For each unit the homes of the others that import it; the core's home is the top."""
    homes: dict[Unit, set[Unit]] = {unit: set() for unit in UNITS}
    for parts, file in FILES.items():
        user = unit_of(parts)
        for unit in imported(file):
            if unit != user:
                homes[unit].add(home(user))
    for file in OUTSIDE:
        for unit in imported(file):
            homes[unit].add(())
    return homes


def shared(homes: set[Unit]) -> Unit:
    """The lowest folder that holds all of them."""
    levels = zip(*homes, strict=False)
    return tuple(names[0] for names in takewhile(lambda names: len({*names}) == 1, levels))


def documented(unit: Unit) -> bool:
    """Whether the documentation offers it to users, whoever imports it here."""
    return f"palaestra.{'.'.join(unit)}" in DOCUMENTATION


def misplaced(unit: Unit) -> str:
    """What is wrong with where a module stands, or nothing."""
    if len(unit) == 2 and unit[0] == "verifiers" and documented(unit):
        return ""
    if not users()[unit]:
        return "nobody imports it, and no page of the documentation names it"
    lowest = shared(users()[unit])
    where = "/".join(lowest) or "at the top"
    return "" if home(unit) == lowest else f"its users share the folder {where}"


def test_a_module_stands_in_the_lowest_folder_of_its_users():
    faults = {"/".join(unit): misplaced(unit) for unit in UNITS}
    assert {unit: fault for unit, fault in faults.items() if fault} == {}


def test_the_rule_sees_modules_that_stand_too_high_or_too_low():
    assert home(("generators", "planning", "sokoban")) == ("planning", "sokoban")
    assert home(("generators", "games", "boards", "capture_go"))[-2:] == ("boards", "capture_go")
    assert home(("generators", "grids", "pencil")) == ("grids",)
    assert home(("generators", "search")) == ()
    assert unit_of(("generators", "programs", "mini_python", "run"))[-1] == "mini_python"
    path = ("games", "boards", "circle_the_cat")
    assert path in users()["generators", *path]
