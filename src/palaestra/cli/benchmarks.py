"""The bench commands: environments, reasoning-gym, verifiers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from typer.core import TyperGroup

import palaestra
from palaestra.cli import terminal
from palaestra.cli.commands import Application
from palaestra.cli.options import Names, Out

if TYPE_CHECKING:
    from palaestra.verifier_bench import Candidate, Case, Report


class Draws(TyperGroup):
    """A group whose command ``draws`` may be left out."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in the name of the command where it is left out."""
        if not args or args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["draws", *args]
        return super().parse_args(ctx, args)


bench = Application(cls=Draws, help="Benchmark environments (draws) or verifiers.")


@bench.command()
def draws(
    names: Names = None,
    level: Annotated[
        int | None, typer.Option(min=0, help="Level; default: the middle one.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Seconds to time each environment.")
    ] = 0.2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Measure tasks generated and replies judged per second, compared with reasoning-gym."""
    from palaestra.bench import rates, summarise

    rows = []
    for name in names or ():
        palaestra.load(name)  # an unknown one is refused before the first is timed
    for name in terminal.tracked(names or palaestra.names(), "timing", also_prints=as_json):
        rows.append(rates(name, level, seconds))
        if as_json:
            print(json.dumps(rows[-1]), flush=True)
    if as_json:
        return
    table = Table(
        "environment", "level", "tasks/s", "verdicts/s", "reasoning-gym", "its tasks/s", "ratio"
    )
    for rate in rows:
        theirs = [rate["peer"], f"{rate['peer_draws']:,.0f}", f"{rate['ratio']:.1f}"]
        ours = [
            rate["env"],
            str(rate["level"]),
            f"{rate['draws']:,.0f}",
            f"{rate['verdicts']:,.0f}",
        ]
        table.add_row(*ours, *(theirs if rate["peer"] else ["", "", ""]))
    terminal.print_table(table)
    terminal.print_text(summarise(rows))


@bench.command("reasoning-gym")
def reasoning_gym(
    names: Names = None,
    seconds: Annotated[float, typer.Option(min=0.001, help="Seconds to time each rate.")] = 0.2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    file: Out = None,
) -> None:
    """Compare rates and scores without skill with reasoning-gym, for families that both have."""
    from palaestra.peer_bench import beside, families, least_draw, page

    titles = families(names or ())
    rows = []
    try:
        for name in terminal.tracked(titles, "comparing", also_prints=as_json):
            rows.append(beside(name, seconds))
            if as_json:
                print(json.dumps(rows[-1]), flush=True)
    except ModuleNotFoundError:
        terminal.err.print("this requires reasoning-gym: pip install reasoning-gym")
        raise typer.Exit(2) from None
    if file is not None:
        file.write_text(page(rows, least_draw()), "utf-8")
    elif not as_json:
        print(page(rows, least_draw()), end="")


@bench.command()
def verifiers(
    candidates: Annotated[
        list[str] | None,
        typer.Option(
            "--candidate", "-c", help="A grader by name or module:function; default: all."
        ),
    ] = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            help="Folder with cases as JSON lines, or a file (JSON, JSON lines or Parquet) with "
            "replies that people have labelled."
        ),
    ] = None,
    patience: Annotated[
        float, typer.Option(min=0.001, help="Time limit of a case, in seconds.")
    ] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print tables in Markdown.")
    ] = False,
    wrong: Annotated[
        bool, typer.Option(help="Also list the cases that were judged wrongly.")
    ] = False,
) -> None:
    """Measure graders of answers on labelled cases: errors, crashes, hangs and speed.

    With a file of replies that people have labelled, report for each type of answer how far each
    grader agrees with them.
    """
    from palaestra import verifier_bench as bench_

    if cases is not None and not cases.is_dir():
        labelled: Sequence[Case] = _of_people(cases)
        rows_of, tables_of = bench_.agreement_rows, bench_.agreement_tables
        markdown_of, wrong_of = bench_.agreement_markdown, bench_.disagreements
    else:
        labelled = bench_.load_cases(cases)
        rows_of, tables_of = bench_.compared, bench_.tables
        markdown_of, wrong_of = bench_.markdown, bench_.mistakes
    wanted = [bench_.candidate(name) for name in candidates or bench_.CANDIDATES]
    reports = _measured(wanted, labelled, patience)
    if as_json:
        print("\n".join(map(json.dumps, rows_of(reports))))
    elif as_markdown:
        print(markdown_of(reports))
    else:
        for heads, rows in tables_of(reports):
            table = Table(*heads)
            for row in rows:
                table.add_row(*row)
            terminal.print_table(table)
    if wrong:
        print("\n".join(wrong_of(reports)))
    absent = [f"{report.name}: {report.absent}" for report in reports if report.absent]
    if (candidates and absent) or len(absent) == len(reports):
        raise ValueError(f"not measured: {'; '.join(absent)}")


def _of_people(file: Path) -> "Sequence[Case]":
    """The replies of a file that people have labelled, with a note on what was read."""
    from palaestra.verifier_bench import load_labelled

    labelled = load_labelled(file)
    left_out = f"; {labelled.skipped} without a person's label" if labelled.skipped else ""
    terminal.note(f"{len(labelled.cases)} replies in the layout {labelled.layout}{left_out}")
    return labelled.cases


def _measured(
    candidates: Sequence["Candidate"], cases: Sequence["Case"], patience: float
) -> list["Report"]:
    """A report of each candidate, with a progress bar over all cases."""
    from palaestra.verifier_bench import NothingMeasured, Report, measure

    counts = [sum(map(each.takes, cases)) for each in candidates]
    reports = []
    with terminal.progress() as bar:
        task = bar.add_task("judging", total=sum(counts))
        for number, each in enumerate(candidates):
            bar.update(task, completed=sum(counts[:number]), description=each.name)
            try:
                report = measure(each, cases, patience, lambda: bar.advance(task))
            except NothingMeasured as why:
                report = Report(each.name, absent=str(why).removeprefix(f"{each.name}: "))
            reports.append(report)
    return reports
