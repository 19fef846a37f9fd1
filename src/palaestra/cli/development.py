"""Commands for authors of environments: check, new, catalog."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.progress import track

import palaestra
from palaestra.cli import terminal
from palaestra.cli.options import Name, Names
from palaestra.cli.terminal import print_faults

Item = TypeVar("Item")

TEMPLATE = '''"""Where the puzzle comes from: its inventor, paper or book, with the year."""

from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integer


class {class_name}(Puzzle):
    """Say in one sentence what the player does."""

    tags = {{"arithmetic"}}

    class Knobs(Puzzle.Knobs):
        size: int = ladder(2, 3, 4, 5, 6, high=20)

    numbers: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        return cls(numbers=tuple(rng.randrange(100, 1000) for _ in range(knobs.size)))

    def prompt(self) -> str:
        numbers = ", ".join(map(str, self.numbers))
        return self.phrase(
            f"What is the sum of {{numbers}}? Answer with a number, such as '7'.",
            f"Add up {{numbers}}. The answer is a number, such as '7'.",
        )

    def answer(self) -> str:
        return str(sum(self.numbers))

    def verify(self, answer: str) -> Score:
        return Score(1) if integer(answer) == sum(self.numbers) else Score(0, "another sum")
'''


def check(
    names: Names = None,
    record: Annotated[
        bool, typer.Option(help="List what passes in checks.txt; without names, check what is new.")
    ] = False,
) -> None:
    """Run the conformance checks on environments."""
    from palaestra.testing import CHECKS
    from palaestra.testing.digests import all_digests
    from palaestra.testing.record import FILE, conclude, listed, plan

    file = Path(FILE)
    due = plan(all_digests(), listed(file)) if record else None
    passed: dict[str, bool] = {}
    for name in names or (due.of("new") if due else palaestra.names()):
        faults = []
        for each in track(
            CHECKS, name, console=terminal.err, transient=True, disable=not terminal.err.is_terminal
        ):
            try:
                each(name)
            except AssertionError as fault:
                faults.append(f"  {each.__name__}: {fault}")
        summary = f"{len(CHECKS) - len(faults)} of {len(CHECKS)} checks passed"
        print("\n".join([f"{name}: {summary}", *faults]))
        passed[name] = not faults
    if due:
        good, bad = ([name for name in passed if passed[name] is each] for each in (True, False))
        print(conclude(file, due, all_digests(), good, bad))
    if not all(passed.values()) or (not names and print_faults()):
        raise typer.Exit(1)


def new(name: Name) -> None:
    """Create an environment from a template that passes all checks."""
    from palaestra.registry import class_name

    category, slash, title = name.partition("/")
    if not (slash and category.isidentifier() and title.isidentifier()):
        raise ValueError(f"a name has the form category/name in lower case, not {name!r}")
    file = Path("envs", f"{name}.py")
    if file.exists():
        raise ValueError(f"{file} already exists")
    file.parent.mkdir(parents=True, exist_ok=True)
    if not (file.parent / "__init__.py").exists():
        (file.parent / "__init__.py").write_text('"""Describe this category."""\n')
    file.write_text(TEMPLATE.format(class_name=class_name(name)))
    print(f"Created {file}. Edit it, then run: palaestra check {name}")


def catalog_(
    write: Annotated[bool, typer.Option(help="Update catalog.yaml.")] = False,
    measure: Annotated[
        bool, typer.Option(help="Measure every environment, not only changed ones.")
    ] = False,
    unreleased: Annotated[
        bool,
        typer.Option(
            help="Allow tasks to change without a new version (only before the first release)."
        ),
    ] = False,
    release: Annotated[
        bool, typer.Option(help="Record this release as the latest with the current versions.")
    ] = False,
) -> None:
    """Check that catalog.yaml is up to date, or update it."""
    from palaestra.catalog import Row, catalog, dump, row
    from palaestra.measurements import all_measured

    old, fresh, unmeasured = catalog(), dict[str, Row](), list[str]()
    for name in _tracked("reading", palaestra.names()):
        fresh[name] = row(name)
        was = old.get(name, {})
        changed = fresh[name]["fingerprint"] != was.get("fingerprint")
        if was and changed and fresh[name]["version"] <= was["version"] and not unreleased:
            raise ValueError(f"{name}: its seeds give other tasks; increase its version")
        fresh[name]["measured"] = was.get("measured", {})
        if write and (changed or measure or not was.get("measured")):
            unmeasured.append(name)
        now = {str(fresh[name]["version"]): palaestra.__version__} if release else {}
        if releases := was.get("releases", {}) | now:
            fresh[name]["releases"] = releases
    for name, figures in zip(unmeasured, _tracked("measuring", all_measured(unmeasured))):
        fresh[name]["measured"] = figures
    if write:
        Path("catalog.yaml").write_text(dump(fresh), "utf-8")
    elif fresh != old:
        stale = [name for name in fresh.keys() | old if fresh.get(name) != old.get(name)]
        raise ValueError(f"out of date: {', '.join(sorted(stale))}; run palaestra catalog --write")


def _tracked(what: str, items: Iterable[Item]) -> Iterable[Item]:
    """Items with a progress bar, where standard error is a terminal."""
    return track(items, what, console=terminal.err, disable=not terminal.err.is_terminal)
