"""The sandbox commands: report, run, bench, attack."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track
from rich.table import Table

from palaestra.cli import terminal
from palaestra.cli.commands import Application

sandbox = Application(help="Run programs in the sandbox, and test its isolation and speed.")


@sandbox.command()
def report() -> None:
    """Print the level of isolation on this machine and the available languages."""
    from palaestra.verifiers.sandbox import SandboxUnavailable
    from palaestra.verifiers.sandbox import sandbox as shared

    try:
        print(json.dumps(shared().report(), indent=2))
    except SandboxUnavailable as fault:
        raise ValueError(str(fault)) from None


@sandbox.command("run")
def run_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The program.")],
    language: Annotated[
        str | None, typer.Option(help="Language; default: by the suffix of the file.")
    ] = None,
    cpu_s: Annotated[float, typer.Option(help="Limit on processor time, in seconds.")] = 10.0,
    memory_mb: Annotated[int, typer.Option(help="Limit on memory, in megabytes.")] = 512,
) -> None:
    """Run a program in the sandbox with standard input, and return its exit code."""
    from palaestra.verifiers.sandbox import Limits, MissingTool, SandboxUnavailable
    from palaestra.verifiers.sandbox import sandbox as shared
    from palaestra.verifiers.sandbox.languages import by_suffix

    stdin = "" if sys.stdin.isatty() else sys.stdin.read()
    try:
        limits = Limits(cpu_s=cpu_s, memory_mb=memory_mb)
        outcome = shared().run(
            file.read_text("utf-8", "surrogateescape"),
            language=language or by_suffix(file.suffix),
            stdin=stdin,
            limits=limits,
        )
    except (MissingTool, SandboxUnavailable) as fault:
        raise ValueError(str(fault)) from None
    sys.stdout.write(outcome.text)
    sys.stderr.write(outcome.stderr.decode("utf-8", "replace"))
    if outcome.status != "PASS":
        print(f"{outcome.status}: {outcome.reason}", file=sys.stderr)
        code = outcome.exit_code or 1
        raise typer.Exit(code if 0 < code < 126 else 1)


@sandbox.command("bench")
def bench_(
    programs: Annotated[
        int, typer.Option("-n", min=10, help="Number of programs for each method.")
    ] = 300,
    soak: Annotated[
        int, typer.Option(min=0, help="Number of mixed programs to run to detect drift.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Time programs in the sandbox, compared with a subprocess, bubblewrap and docker exec."""
    from palaestra import sandbox_bench
    from palaestra.verifiers.sandbox import sandbox as shared

    rows = list(sandbox_bench.rows(programs))
    whole: dict[str, float] = sandbox_bench.problems(shared())
    if soak:
        whole |= sandbox_bench.soak(shared(), soak)
    if as_json:
        print("\n".join(json.dumps(row) for row in (*rows, whole)))
        return
    table = Table("way", "p50 ms", "p99 ms", "CPU ms", "programs/s")
    for way, *numbers in (row.values() for row in rows):
        table.add_row(way, *(f"{number:.2f}" for number in numbers))
    terminal.print_table(table)
    for name, value in whole.items():
        print(f"{name}: {value:.1f}")


@sandbox.command("attack")
def attack_(
    families: Annotated[list[str] | None, typer.Argument(help="Only these families.")] = None,
    backend: Annotated[str, typer.Option(help="native, native-restricted, docker, …")] = "auto",
    folder: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Folder with another corpus.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Attack the sandbox with the corpus of exploits; list results, and fail on any success."""
    from palaestra.verifiers.sandbox import Sandbox, SandboxUnavailable
    from palaestra.verifiers.sandbox.attack import attack, brief, table
    from palaestra.verifiers.sandbox.exploits import corpus, shipped

    programs = corpus(folder or shipped())
    known = sorted({program.family for program in programs})
    if unknown := sorted({*(families or known)} - {*known}):
        raise ValueError(f"no family {', '.join(unknown)}; the families are {', '.join(known)}")
    chosen = [program for program in programs if program.family in (families or known)]
    try:
        with Sandbox(backend) as attacked:
            results = attack(attacked, chosen)
            outcomes = list(track(results, "", len(chosen), console=terminal.err, transient=True))
    except SandboxUnavailable as fault:
        raise ValueError(str(fault)) from None
    print("\n".join(json.dumps(brief(r)) for r in outcomes) if as_json else table(outcomes))
    if not all(result.safe for result in outcomes):
        raise typer.Exit(1)
