"""How much of the code one has to read to understand one environment.

A task of each level is sampled, solved and judged while the functions that run are recorded. What
counts are the environment's own file and those modules of ``generators/`` and ``verifiers/`` that
it imports, directly or through others, and of which a function runs. The core, which every
environment shares, and what runs inside a jail are left out. The second count leaves out the
readers of answers as well (``verifiers/reading/``, and ``verifiers/replies.py``, which takes the
wrapping off for them): nearly all environments use them, and ``integer`` or ``pairs`` can be used
without having read them.

    python benchmarks/reading.py           # medians
    python benchmarks/reading.py --all     # a line for each environment
"""

import ast
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

import palaestra
from palaestra import Address
from palaestra.episode import BARE
from palaestra.registry import load, module_name

ROOMS = ("envs", "generators", "verifiers")
PACKAGE = Path(palaestra.__file__).parent


def imported(file: Path) -> Iterator[Path]:
    """The modules of the three rooms that a file imports."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            top, *parts = name.split(".")
            if top == "palaestra" and parts and parts[0] in ROOMS:
                path = PACKAGE.joinpath(*parts)
                yield from (
                    p for p in (path.with_suffix(".py"), path / "__init__.py") if p.exists()
                )


@cache
def reached(file: Path) -> frozenset[Path]:
    """A file and all that it imports, directly or through others."""
    modules: set[Path] = set()
    waiting = [file]
    while waiting:
        file = waiting.pop()
        if file not in modules:
            modules.add(file)
            waiting += imported(file)
    return frozenset(modules)


def run(name: str) -> set[Path]:
    """The files whose functions run while tasks of all levels are sampled, solved and judged."""
    files: set[str] = set()

    def record(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    for level in range(load(name).Knobs.levels()):
        sys.setprofile(record)
        try:
            task = Address.of(name, seed=1 + level, level=level).task()
            palaestra.score(task, task.solve(), BARE)
        finally:
            sys.setprofile(None)
    return {Path(file) for file in files}


def is_reader(file: Path) -> bool:
    """Whether a file reads answers for nearly all environments."""
    return file.parent.name == "reading" or file == PACKAGE / "verifiers" / "replies.py"


def size(files: set[Path]) -> tuple[int, int]:
    """The number of files, and of the lines in them."""
    return len(files), sum(len(file.read_text("utf-8").splitlines()) for file in files)


def main() -> None:
    """Print the medians, and on demand every environment."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="print a line for each environment")
    each = parser.parse_args().all
    rows: list[tuple[int, int, int, int, str]] = []
    for name in palaestra.names():
        own = Path(str(import_module(module_name(name)).__file__))
        files = {own} | (run(name) & reached(own))
        rows.append((*size(files), *size({f for f in files if not is_reader(f)}), name))
    if each:
        for number, lines, fewer, fewer_lines, name in sorted(rows):
            counts = f"{number:3} files {lines:5} lines, {fewer:3} files {fewer_lines:5} lines"
            print(f"{counts} without readers  {name}")
    for what, column in (("with the readers of answers", 0), ("without them", 2)):
        numbers = [row[column] for row in rows]
        print(
            f"{len(rows)} environments, {what}: {median(numbers):g} files and "
            f"{median(row[column + 1] for row in rows):g} lines in the median, "
            f"at most {max(numbers)} files"
        )


if __name__ == "__main__":
    main()
