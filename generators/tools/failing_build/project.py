"""Projects whose builds succeed: packages of small modules, steps between files, and documents."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

NAMES = (
    "amber", "birch", "cedar", "delta", "ember", "flint", "grove", "haven", "iris", "jade", "lotus",
    "maple", "onyx", "pearl", "quartz", "slate", "tulip", "umber", "willow", "zephyr",
)  # fmt: skip
TABLES = (
    "stations", "orders", "rivers", "trains", "parcels", "meters", "harbours", "bridges", "fields",
    "lamps", "wells", "routes", "tanks", "barns", "mills", "docks",
)  # fmt: skip
COLUMNS = (
    "length", "height", "depth", "weight", "count", "price", "age", "speed", "load", "width",
)  # fmt: skip
STEPS = (
    "totals", "ranking", "summary", "levels", "digest", "balance", "profile", "survey", "outline",
    "index", "forecast", "review", "ledger", "extent", "margins", "trend",
)  # fmt: skip
CITIES = (
    "Oslo", "Lima", "Bonn", "Kobe", "Turin", "Porto", "Quito", "Dakar", "Perth", "Cusco", "Malmo",
    "Izmir", "Varna", "Tampa", "Leeds", "Basel", "Natal", "Hanoi", "Accra", "Davos",
)  # fmt: skip

HELPERS: Mapping[str, tuple[str, str, str]] = {
    "clip": ("from {package}.settings import LIMIT", "min(value, LIMIT) for value in values", ""),
    "running": ("from itertools import accumulate", "*accumulate(values)", ""),
    "roots": ("from math import isqrt", "isqrt(abs(value)) for value in values", ""),
    "scale": ("", "value * {number} for value in values", ""),
    "gaps": ("", "b - a for a, b in zip([0, *values], values)", ""),
    "parity": ("", "value if value % {number} else 0 for value in values", ""),
    "ranks": (
        "from bisect import bisect_left",
        "bisect_left(ordered, value) for value in values",
        "    ordered = sorted(values)\n",
    ),
    "residues": ("", "value % {number} for value in values", ""),
}
"""For each helper an import that it needs, what its list has, and lines before."""

Files = dict[str, str]
"""The texts of files by their paths."""


class Step(NamedTuple):
    """A section of the configuration: a script or module that makes a file of others."""

    name: str
    run: str
    inputs: tuple[str, ...]
    output: str
    needs: tuple[str, ...] = ()
    flags: str = ""

    def section(self) -> str:
        """The step in the configuration."""
        lines = [f"[step {self.name}]", f"run = {self.run}", f"input = {' '.join(self.inputs)}"]
        lines += [f"flags = {self.flags}"] if self.flags else []
        lines += [f"needs = {' '.join(self.needs)}"] if self.needs else []
        return "\n".join([*lines, f"output = {self.output}"])


class Project(NamedTuple):
    """A project as it should be; the ``files`` do not include the configuration."""

    package: str
    version: str
    steps: tuple[Step, ...]
    files: Files

    def whole(self) -> Files:
        """All files."""
        return {**self.files, "build.cfg": self.configuration()}

    def configuration(self) -> str:
        """The text of the file build.cfg."""
        head = f"[project]\npackage = {self.package}\nversion = {self.version}"
        return "\n\n".join([head, *(step.section() for step in self.steps)]) + "\n"


def random_project(rng: Random, steps: int, rows: int) -> Project:
    """A project with so many steps between extracting tables and packing, and tables with so many
    rows, 20 at most.
    """
    package = rng.choice(NAMES)
    version = f"{rng.randint(0, 9)}.{rng.randint(0, 19)}.{rng.randint(0, 19)}"
    helpers = ["clip", *rng.sample(sorted(HELPERS.keys() - {"clip"}), min(7, steps))]
    extracts, files = _extracts(rng, rng.sample(TABLES, 1 + steps // 2), rows)
    chain = list(extracts)
    for n, name in enumerate(rng.sample(STEPS, steps)):
        sources = [chain[-1] if n else extracts[0]]
        others = [step for step in chain if step not in sources]
        if others and rng.random() < 0.6:
            sources.append(rng.choice(others))
        used = [helpers[n % len(helpers)], rng.choice(helpers)]
        files[f"src/{package}/{name}.py"] = _module(package, name, used)
        chain.append(_joined(name, f"{package}.{name}", sources, f"out/{name}.txt"))
    packed = [step for step in chain if not any(step.name in other.needs for other in chain)]
    title = f"{package}-{version}"
    release = _joined("release", "tools/pack.py", packed, f"dist/{title}.txt")
    chain.append(release._replace(flags=f"--title {title}"))
    files |= _helpers(rng, package, helpers)
    files |= _fixed(package, version, helpers)
    files["docs/BUILD.md"] = _document(rng, package, chain)
    rng.shuffle(chain)
    return Project(package, version, tuple(chain), files)


def _joined(name: str, run: str, sources: Sequence[Step], output: str) -> Step:
    """A step that reads the output of others."""
    inputs = tuple(step.output for step in sources)
    return Step(name, run, inputs, output, tuple(step.name for step in sources))


def _extracts(rng: Random, tables: Sequence[str], rows: int) -> tuple[list[Step], Files]:
    """The steps that read tables, and the tables, each beside another that no step reads."""
    files: Files = {}
    steps = []
    for table in tables:
        columns = rng.sample(COLUMNS, 3)
        spare = f"{table}-{rng.choice(('old', 'copy', '2019'))}"
        for name in (table, spare):
            files[f"data/{name}.csv"] = random_table(rng, columns, rows)
        flags = f"--column {rng.choice(columns)} --at-least {rng.randint(5, 40)}"
        inputs = (f"data/{table}.csv",)
        steps.append(Step(table, "tools/extract.py", inputs, f"out/{table}.txt", (), flags))
    return steps, files


def _fixed(package: str, version: str, helpers: Sequence[str]) -> Files:
    """The files that are much the same in all projects."""
    return {
        "VERSION": f"{version}\n",
        f"src/{package}/__init__.py": f'"""The package."""\n\n__version__ = "{version}"\n',
        f"src/{package}/lines.py": template("lines"),
        "build.py": template("build"),
        "tools/extract.py": template("extract"),
        "tools/pack.py": template("pack"),
        "tests/test_data.py": template("test_data"),
        "tests/test_helpers.py": _tests(package, helpers),
    }


@cache
def template(name: str) -> str:
    """The text of a file that is the same in all projects."""
    return Path(__file__).with_name(f"{name}.txt").read_text("utf-8")


def random_table(rng: Random, columns: Sequence[str], rows: int, edges: Sequence[int] = ()) -> str:
    """A table of places with values, of which all columns have the ``edges``."""
    lines = [",".join(["name", *columns])]
    for n, name in enumerate(rng.sample(CITIES, max(rows, len(edges)))):
        values = [edges[n] if n < len(edges) else rng.randint(1, 99) for _ in columns]
        lines.append(",".join([name, *map(str, values)]))
    return "\n".join(lines) + "\n"


def _module(package: str, name: str, used: Sequence[str]) -> str:
    first, second = used
    lines = [
        f'"""The step {name}: {second} of {first} of the values."""',
        "",
        *(f"from {package}.{helper} import {helper}" for helper in dict.fromkeys(sorted(used))),
        f"from {package}.lines import read_lines, write_lines",
        "",
        "",
        "def main(inputs, output):",
        f'    """Write {name}."""',
        "    names, values = read_lines(inputs)",
        f"    write_lines(output, names, {second}({first}(values)))",
    ]
    return "\n".join(lines) + "\n"


def _helpers(rng: Random, package: str, helpers: Sequence[str]) -> Files:
    files: Files = {}
    for helper in helpers:
        needed, value, before = HELPERS[helper]
        number = rng.randint(2, 9)
        head = f'"""The helper {helper}."""\n\n'
        head += f"{needed.format(package=package)}\n\n\n" if needed else "\n"
        files[f"src/{package}/{helper}.py"] = (
            f'{head}def {helper}(values):\n    """A list of as many values."""\n'
            f"{before}    return [{value.format(number=number)}]\n"
        )
    files[f"src/{package}/settings.py"] = (
        f'"""Settings, and what they look like."""\n\nLIMIT = {rng.randint(40, 90)}\n\n\n'
        'def preview(values):\n    """The first values, clipped."""\n'
        f"    from {package}.clip import clip\n\n    return clip(values)[:3]\n"
    )
    return files


def _tests(package: str, helpers: Sequence[str]) -> str:
    lines = [f"from {package}.{helper} import {helper}" for helper in sorted(helpers)]
    lines += [f"from {package}.settings import preview", "", ""]
    for helper in sorted(helpers):
        lines += [f"def test_{helper}():", f"    assert len({helper}([3, 1, 2])) == 3", "", ""]
    lines += ["def test_preview():", "    assert len(preview([1, 2, 3, 4])) == 3"]
    return "\n".join(lines) + "\n"


def _document(rng: Random, package: str, steps: Sequence[Step]) -> str:
    """What each step does, in words."""
    lines = [
        f"# Building {package}",
        "",
        (
            "`python3 build.py` builds everything from nothing, as it is done for a release. The "
            "file "
            "VERSION has the version that counts. The steps are listed in build.cfg, where a step "
            "names all steps whose output it reads. This is what they do:"
        ),
        "",
    ]
    for step in rng.sample(list(steps), len(steps)):
        inputs = " and ".join(step.inputs)
        if step.run == "tools/extract.py":
            _, column, _, least = step.flags.split()
            frames = (
                f"takes the column {column} from {inputs}, without values below {least}",
                f"reads {inputs} and writes the column {column}, where it is {least} or more",
            )
            text = rng.choice(frames)
        elif step.run == "tools/pack.py":
            text = f"packs {inputs} under the title {step.flags.split()[1]}"
        else:
            text = f"runs the module {step.run} on {inputs}"
        lines.append(f"- {step.name} {text}. Its output is {step.output}.")
    lines += [
        "",
        (
            "Scripts are in tools, modules in src. Tables in data have fields that are separated "
            "by "
            "commas; the first row with a name counts, and later rows with the same name are "
            "mistakes. "
            "Of two modules that need each other, one must import the other within the function "
            "that "
            "needs it."
        ),
    ]
    return "\n".join(lines) + "\n"
