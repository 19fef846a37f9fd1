"""Commands for authors of environments: check, new, catalog."""

import re
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from json import dumps
from keyword import iskeyword
from multiprocessing import active_children, get_context
from pathlib import Path
from threading import Timer, get_ident
from time import perf_counter
from typing import Annotated, Any

import typer

import palaestra
from palaestra.cli import terminal
from palaestra.cli.options import Name, Names
from palaestra.cli.terminal import print_faults

TEMPLATE = '''"""TODO: name the source: the inventor, paper or book, with the year."""

from random import Random
from typing import Self

from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integer


class {class_name}(Puzzle):
    """TODO: state in one sentence what the player does."""

    tags = {{"TODO"}}

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


TAKEN = {"Puzzle", "Random", "Score", "Self"}
"""Names of the template that a class cannot have."""


def check(
    names: Names = None,
    record: Annotated[
        bool, typer.Option(help="List what passes in checks.txt; without names, check what is new.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print a report of OpenEnv's validation for each.")
    ] = False,
    recorded: Annotated[
        bool,
        typer.Option(
            "--recorded", help="With --json, read checks.txt in place of making the checks."
        ),
    ] = False,
    jobs: Annotated[
        int, typer.Option(min=1, max=256, help="Number of environments to check at once.")
    ] = 1,
) -> None:
    """Run the conformance checks on environments.

    --json prints a report for each environment in one line, with the check ids, the schema and the
    severity policy of OpenEnv's validation (RFC 008).
    """
    from palaestra.testing import CHECKS
    from palaestra.testing.digests import all_digests
    from palaestra.testing.record import FILE, conclude, listed, plan

    file = Path(FILE)
    if json or recorded:
        if jobs > 1:
            raise ValueError("--jobs does not go with --json and --recorded")
        _print_reports(names or palaestra.names(), file, record, json, recorded)
        return
    due = plan(all_digests(), listed(file)) if record else None
    good, bad = list[str](), list[str]()
    chosen = names or (due.of("new") if due else palaestra.names())
    for name in chosen:
        palaestra.load(name)
    results = _all_faults(chosen, jobs)
    summary = ""
    for name, faults in terminal.tracked(results, "checking", len(chosen), also_prints=True):
        passed = len(CHECKS) - len(faults)
        lines = [f"{name}: {passed} of {len(CHECKS)} checks passed", *faults]
        print("\n  ".join(lines), flush=True)
        (bad if faults else good).append(name)
        if due:  # after each one, so that a run that is interrupted has lost nothing
            summary = conclude(file, due, all_digests(), good, bad)
    if due:
        print(summary or conclude(file, due, all_digests(), good, bad))
    if bad or (not names and print_faults()):
        raise typer.Exit(1)


def _all_faults(names: Sequence[str], jobs: int) -> Iterator[tuple[str, list[str]]]:
    """Environments and what the checks find wrong with them. In one process they come in their
    order, in several as they are finished.
    """
    if jobs == 1 or len(names) < 2:
        for name in names:
            yield name, _list_of_faults(name)
        return
    # Spawned: a fork of a process that has threads, as the progress bar does, may never go on.
    pool = ProcessPoolExecutor(min(jobs, len(names)), get_context("spawn"))
    try:
        futures = {pool.submit(_list_of_faults, name): name for name in names}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BaseException:  # an interrupt, above all: nobody waits for the checks that run
        for worker in active_children():
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _list_of_faults(name: str) -> list[str]:
    from palaestra.testing import CHECKS

    return list(_faults(name, CHECKS))


def _print_reports(
    names: Sequence[str], file: Path, record: bool, json: bool, recorded: bool
) -> None:
    """Print the report of each environment as a line of JSON. Exits with 1 for one that fails."""
    from palaestra.cli.openenv_report import report
    from palaestra.testing.digests import all_digests
    from palaestra.testing.record import listed

    if record or not json:
        raise ValueError("--json goes with --recorded or alone, and --recorded with --json")
    if recorded and not file.exists():
        raise ValueError(f"--recorded reads {file}, which is not in this folder")
    digests, passed = all_digests(), listed(file) if recorded else {}
    for name in names:
        palaestra.load(name)
    for name in names if recorded else ():
        if digests.get(name) not in passed.get(name, ()):
            raise ValueError(f"{file} does not list {name} as it is now; make its checks")
    failed = False
    for name in terminal.tracked(names, "checking", also_prints=True):
        faults, seconds = ({}, {}) if recorded else _timed_faults(name)
        done = report(name, faults, digests.get(name, ""), seconds, recorded)
        print(dumps(done), flush=True)
        failed |= done["verdict"] == "fail"
    if failed:
        raise typer.Exit(1)


def _timed_faults(name: str) -> tuple[dict[str, str], dict[str, float]]:
    """What each check finds wrong with an environment, and the seconds that it takes."""
    from palaestra.testing import CHECKS

    faults, seconds = {}, {}
    for check in CHECKS:
        start = perf_counter()
        try:
            with _watched(name, check.__name__):
                check(name)
        except AssertionError as fault:
            faults[check.__name__] = str(fault)
        seconds[check.__name__] = round(perf_counter() - start, 3)
    return faults, seconds


def _faults(name: str, checks: Sequence[Any]) -> Iterator[str]:
    """What the checks find wrong with an environment."""
    hidden = len(checks) < 2 or not terminal.out.is_terminal
    for check in checks if hidden else terminal.tracked(checks, name):
        try:
            with _watched(name, check.__name__):
                check(name)
        except AssertionError as fault:
            yield f"{check.__name__}: {fault}"


SLOW_S = 120.0
"""After how many seconds a check that has not ended is named."""


@contextmanager
def _watched(name: str, check: str) -> Iterator[None]:
    """Says on standard error where a check is that takes long: ``generate`` may never end for some
    knobs within their bounds.
    """
    thread = get_ident()

    def warn() -> None:
        frames = traceback.extract_stack(sys._current_frames()[thread])
        own = [frame for frame in frames if f"/{name.partition('/')[0]}/" in frame.filename]
        where = own[-1] if own else frames[-1]
        print(
            f"{name}: {check} has not ended after {SLOW_S:.0f} s. It is at {where.filename}, line "
            f"{where.lineno}, in {where.name}.",
            file=sys.stderr, flush=True,
        )  # fmt: skip

    timer = Timer(SLOW_S, warn)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def new(name: Name) -> None:
    """Create an environment from a template: a file in the folder envs, to be completed.

    All commands find the environments in ./envs, so the new one can be played at once.
    """
    from palaestra.registry import class_name

    if not re.fullmatch("[a-z][a-z0-9_]*/[a-z][a-z0-9_]*", name):
        raise ValueError(f"a name has the form category/name in lower case, not {name!r}")
    if iskeyword(name.partition("/")[2]) or class_name(name) in TAKEN:
        raise ValueError(f"{name.partition('/')[2]!r} is a word of Python or of the template")
    file = Path("envs", f"{name}.py")
    if file.exists():
        raise ValueError(f"{file} already exists")
    if name in palaestra.names():
        raise ValueError(f"{name} is an environment already; choose another name")
    file.parent.mkdir(parents=True, exist_ok=True)
    if not (file.parent / "__init__.py").exists():
        (file.parent / "__init__.py").write_text('"""Describe this category."""\n')
    file.write_text(TEMPLATE.format(class_name=class_name(name)))
    print(
        f"Created {file}, which palaestra play {name} plays.\n"
        f"Complete what is marked TODO, write your rules, then run: palaestra check {name}"
    )


def catalog_(
    names: Names = None,
    write: Annotated[bool, typer.Option("--write", help="Update catalog.yaml.")] = False,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure", help="Measure in full, and also environments whose tasks are unchanged."
        ),
    ] = False,
    unreleased: Annotated[
        bool,
        typer.Option(
            "--unreleased",
            help="Allow tasks to change without a new version (only before the first release).",
        ),
    ] = False,
    release: Annotated[
        bool,
        typer.Option(
            "--release", help="Record this release as the latest with the current versions."
        ),
    ] = False,
) -> None:
    """Check that catalog.yaml is up to date, or update it.

    With names, only these environments are read and measured. Where the tasks of an environment are
    unchanged, its figures are kept. Named environments that changed are measured on few tasks, in
    seconds, and their cards say so; --measure measures in full, and so does --release.
    """
    from palaestra.catalog import Row, catalog, dump, row

    if write:
        dump({})  # which states what is not installed, before anything is measured
    old, chosen = catalog(), names or palaestra.names()
    fresh: dict[str, Row] = {name: old[name] for name in old if name not in chosen and names}
    unmeasured: list[str] = []
    for name in terminal.tracked(chosen, "reading"):
        fresh[name] = row(name)
        was = old.get(name, {})
        changed = fresh[name]["fingerprint"] != was.get("fingerprint")
        if was and changed and fresh[name]["version"] <= was["version"] and not unreleased:
            raise ValueError(f"{name}: its seeds give other tasks; increase its version")
        fresh[name]["measured"] = was.get("measured", {})
        kept = was.get("measured") and not (release and "tasks" in was["measured"])
        if write and (changed or measure or not kept):
            unmeasured.append(name)
        now = {str(fresh[name]["version"]): palaestra.__version__} if release else {}
        if releases := was.get("releases", {}) | now:
            fresh[name]["releases"] = releases
    _measure(unmeasured, fresh, is_quick=bool(names) and not (measure or release))
    if write:
        unchanged = len(chosen) - len(unmeasured)
        print(f"{len(unmeasured)} measured; figures of {unchanged} with unchanged tasks kept")
    fresh = {name: fresh[name] for name in sorted(fresh)}
    if write:
        Path("catalog.yaml").write_text(dump(fresh), "utf-8")
    elif fresh != old:
        stale = [name for name in fresh.keys() | old if fresh.get(name) != old.get(name)]
        raise ValueError(f"out of date: {', '.join(sorted(stale))}; run palaestra catalog --write")


def _measure(names: Sequence[str], rows: Mapping[str, Any], is_quick: bool) -> None:
    """Enter the measured figures of some environments into their rows."""
    from palaestra.measurements import FULL, QUICK, all_measured

    with terminal.progress() as bar:
        task = bar.add_task("measuring", visible=bool(names))

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        figures = all_measured(names, advance, QUICK if is_quick else FULL)
        for name, row in zip(names, figures, strict=True):
            rows[name]["measured"] = row
            if is_quick:
                print(f"{name}: measured on {row['tasks']} tasks of each level; see --measure")
