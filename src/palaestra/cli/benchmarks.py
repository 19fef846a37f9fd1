"""The bench commands: environments, reasoning-gym, verifiers."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from typer.core import TyperGroup

import palaestra
from palaestra.cli import terminal
from palaestra.cli.options import Names, Out


class Draws(TyperGroup):
    """A group whose command ``draws`` may be left out."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in the name of the command where it is left out."""
        if not args or args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["draws", *args]
        return super().parse_args(ctx, args)


bench = typer.Typer(cls=Draws, help="Benchmark environments (draws) or verifiers.")


@bench.command()
def draws(
    names: Names = None,
    level: Annotated[int | None, typer.Option(help="Level; default: the middle one.")] = None,
    seconds: Annotated[float, typer.Option(help="Seconds to time each environment.")] = 0.2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Measure tasks generated and replies judged per second, compared with reasoning-gym."""
    from palaestra.bench import rates, summarise

    rows = []
    for name in names or palaestra.names():
        rows.append(rates(name, level, seconds))
        if as_json:
            print(json.dumps(rows[-1]))
    if as_json:
        return
    table = Table("environment", "level", "draws/s", "verdicts/s", "theirs", "draws/s", "ratio")
    for rate in rows:
        theirs = [rate["peer"], f"{rate['peer_draws']:,.0f}", f"{rate['ratio']:.1f}"]
        ours = [
            rate["env"],
            str(rate["level"]),
            f"{rate['draws']:,.0f}",
            f"{rate['verdicts']:,.0f}",
        ]
        table.add_row(*ours, *(theirs if rate["peer"] else ["", "", ""]))
    Console(width=None if terminal.out.is_terminal else 120).print(table)
    print(summarise(rows))


@bench.command("reasoning-gym")
def reasoning_gym(
    names: Names = None,
    seconds: Annotated[float, typer.Option(help="Seconds to time each rate.")] = 0.2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    file: Out = None,
) -> None:
    """Compare rates and scores without skill with reasoning-gym, for families that both have."""
    from palaestra.peer_bench import beside, families, least_draw, page

    titles = families(names or ())
    rows = []
    try:
        for name in track(titles, console=terminal.err, disable=not terminal.err.is_terminal):
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
    cases: Annotated[Path | None, typer.Option(help="Folder with cases as JSON lines.")] = None,
    patience: Annotated[float, typer.Option(help="Time limit of a case, in seconds.")] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print tables in Markdown.")
    ] = False,
    wrong: Annotated[
        bool, typer.Option(help="Also list the cases that were judged wrongly.")
    ] = False,
) -> None:
    """Measure graders of answers on labelled cases: errors, crashes, hangs and speed."""
    from palaestra import verifier_bench as bench_

    labelled = bench_.load_cases(cases)
    wanted = [bench_.candidate(name) for name in candidates or bench_.CANDIDATES]
    judging = track(wanted, "judging", console=terminal.err, disable=not terminal.err.is_terminal)
    reports = [bench_.measure(each, labelled, patience) for each in judging]
    if as_json:
        print("\n".join(map(json.dumps, bench_.compared(reports))))
    elif as_markdown:
        print(bench_.markdown(reports))
    else:
        for heads, rows in bench_.tables(reports):
            table = Table(*heads)
            for row in rows:
                table.add_row(*row)
            Console(width=None if terminal.out.is_terminal else 160).print(table)
    if wrong:
        print("\n".join(bench_.mistakes(reports)))
