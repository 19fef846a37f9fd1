"""What a right project builds, computed from its texts without running any of them."""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import isqrt

from palaestra.generators.tools.failing_build.project import Files

Row = tuple[str, int]


def reference(files: Mapping[str, str]) -> Files:
    """The artefacts of a right project by their paths."""
    _, *parts = files["build.cfg"].strip().split("\n\n")
    left = [dict(line.split(" = ", 1) for line in part.splitlines()[1:]) for part in parts]
    built: Files = {}
    while left:
        step = next(step for step in left if _is_ready(step["input"].split(), built))
        built[step["output"]] = _output(files, step, built)
        left.remove(step)
    return built


def _is_ready(inputs: Sequence[str], built: Files) -> bool:
    return all(path in built or not path.startswith("out/") for path in inputs)


def _output(files: Mapping[str, str], step: Mapping[str, str], built: Files) -> str:
    inputs = step["input"].split()
    if step["run"] == "tools/extract.py":
        return _extracted(files[inputs[0]], step["flags"].split())
    if step["run"] == "tools/pack.py":
        parts = "".join(f"[{path}]\n{built[path]}\n" for path in inputs)
        return f"{step['flags'].split()[1]}\n{parts}"
    rows = [_row(line) for path in inputs for line in built[path].splitlines()]
    text = files[f"src/{step['run'].replace('.', '/')}.py"]
    match = re.search(r"names, (\w+)\((\w+)\(values", text)
    assert match
    values = [value for _, value in rows]
    for helper in (match[2], match[1]):
        package = step["run"].partition(".")[0]
        values = _applied(helper, values, _number(files, package, helper))
    return "".join(f"{name} {value}\n" for (name, _), value in zip(rows, values))


def _extracted(table: str, flags: Sequence[str]) -> str:
    head, *rows = [line.split(",") for line in table.splitlines()]
    number = head.index(flags[1])
    pairs = [(row[0], row[number]) for row in rows]
    return "".join(f"{name} {value}\n" for name, value in pairs if int(value) >= int(flags[3]))


def _row(line: str) -> Row:
    name, _, value = line.rpartition(" ")
    return name, int(value)


def _number(files: Mapping[str, str], package: str, helper: str) -> int:
    """The number in a helper, or in the settings that it uses; 0 where there is none."""
    module = "settings" if helper == "clip" else helper
    match = re.search(r"(?:LIMIT =|\*|%) (\d+)", files[f"src/{package}/{module}.py"])
    return int(match[1]) if match else 0


def _applied(helper: str, values: Sequence[int], number: int) -> list[int]:
    if helper == "running":
        return list(accumulate(values))
    if helper == "gaps":
        return [after - before for before, after in zip([0, *values], values)]
    ordered = sorted(values)
    functions: dict[str, Callable[[int], int]] = {
        "clip": lambda value: min(value, number),
        "roots": lambda value: isqrt(abs(value)),
        "scale": lambda value: value * number,
        "parity": lambda value: value if value % number else 0,
        "ranks": lambda value: bisect_left(ordered, value),
        "residues": lambda value: value % number,
    }
    return [functions[helper](value) for value in values]
