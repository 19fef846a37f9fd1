"""The commands that judge a data set again, and look for held-out tasks in a corpus."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from palaestra.cli import terminal
from palaestra.cli.options import Split

SHOWN = 20
"""How many findings are printed in full."""


def audit(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="A .jsonl, .csv or .parquet file.")
    ],
    split: Annotated[
        Split, typer.Option(help="What the rows are for; in train, held-out tasks are leaks.")
    ] = Split.train,
    against: Annotated[
        list[Path] | None,
        typer.Option(exists=True, dir_okay=False, help="Held-out data whose prompts are leaks."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a line of JSON for each row with findings.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Audit a data set: find unparsable, duplicate, contradictory, wrong and leaked rows.

    The exit code is 0 for a clean file, 1 if a row has a fault, and 2 for a file that is not a
    data set.
    """
    from palaestra.trainers.audits import FAULTS, Audit, audit_file, rows_of

    under_way = Audit(training=split == Split.train)
    for other in against or ():
        under_way.hold_out(rows_of(other))
    shown: list[str] = []
    lines = None if report is None else report.open("w", encoding="utf-8")
    try:
        for row, findings in audit_file(file, under_way):
            if findings and lines is not None:
                faults = [
                    {"fault": each.fault, "detail": each.detail, "earlier": each.earlier}
                    for each in findings
                ]
                lines.write(json.dumps({"row": row.number, "findings": faults}) + "\n")
            room = SHOWN - len(shown)
            shown += [f"row {one.row}: {one.fault}: {one.detail}" for one in findings[:room]]
    finally:
        if lines is not None:
            lines.close()
    summary = under_way.summary()
    if as_json:
        print(json.dumps({"file": str(file), **summary}))
    else:
        table = Table("fault", "rows", "meaning")
        for fault, meaning in FAULTS.items():
            table.add_row(fault, f"{summary[fault]:,}", meaning)
        for line in shown:
            terminal.out.print(
                line.encode("utf-8", "replace").decode(),
                soft_wrap=True,
            )  # fmt: skip
        terminal.out.print(table)
        terminal.out.print(f"{summary['faulty']:,} of {summary['rows']:,} rows have faults")
    if summary["faulty"]:
        raise typer.Exit(1)


def check_data(
    files: Annotated[
        list[Path],
        typer.Argument(exists=True, dir_okay=False, help="Files of JSON lines, tables or text."),
    ],
    env: Annotated[
        list[str] | None,
        typer.Option(help="Recognise texts of its tasks: a name, or a pattern such as logic/*."),
    ] = None,
    tasks: Annotated[
        int, typer.Option(min=1, help="So many held-out tasks of each level are recognised.")
    ] = 100,
    report: Annotated[
        Path | None, typer.Option(help="Write a line of JSON for each task that is found.")
    ] = None,
) -> None:
    """Say which rows of any corpus contain held-out tasks.

    All held-out tasks are recognised by their addresses. With --env, the first ones of these
    environments are recognised by their texts as well. The exit code is 1 if there are any.
    """
    from palaestra.trainers.audits import Reserve
    from palaestra.trainers.evaluation.suites import matching

    reserve = Reserve()
    cells = [cell for pattern in env or () for cell in matching(pattern, None, "--env")]
    for name, level in terminal.tracked(cells, "levels"):
        reserve.add(name, level, tasks)
    matches = list[dict[str, Any]]()
    for file in files:
        for match in reserve.search(file):
            matches.append({"file": str(file), **match._asdict()})
            line = f"{file}:{match.row}: {match.address} ({match.by})"
            terminal.out.print(line.encode("utf-8", "replace").decode(), soft_wrap=True)
    if report is not None:
        report.write_text("".join(json.dumps(each) + "\n" for each in matches), "utf-8")
    for name, number in reserve.short.items():
        terminal.note(f"{number:,} tasks of {name} are too short to be recognised by their texts")
    if not cells:
        terminal.note("tasks were recognised by their addresses alone; --env adds texts")
    count = len({(each["file"], each["row"]) for each in matches})
    terminal.out.print(f"{count:,} of {reserve.rows:,} rows contain held-out tasks")
    if matches:
        raise typer.Exit(1)
