"""The ``palaestra`` command: its commands in the order of its help, and what it says of errors."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import palaestra
from palaestra.cli import (
    audits,
    benchmarks,
    calibrating,
    commits,
    development,
    exporting,
    generating,
    importing,
    listing,
    pairs,
    profiling,
    ranking,
    sandbox,
    service,
    tasks,
    terminal,
    tour,
    training,
    verifying,
)
from palaestra.cli.commands import Application, Late
from palaestra.extras import MissingExtra, UnsupportedPlatform


class Training(TyperGroup):
    """The commands; ``train``, whose options take long to import, is built when it is called."""

    def get_command(self, ctx: Any, name: str) -> Any:
        """A command by its name."""
        if name == "train" and name not in self.commands:
            self.commands[name] = Late(name, training.train.__doc__ or "", _train)
        return super().get_command(ctx, name)

    def list_commands(self, ctx: Any) -> list[str]:
        """All names."""
        names = super().list_commands(ctx)
        return names if "train" in names else [*names, "train"]


def _train() -> Any:
    single = Application(add_completion=False)
    single.command("train")(training.with_options(training.train))
    return typer.main.get_command(single)


app = Application(
    cls=Training,
    help=(
        "Procedurally generated reinforcement learning environments and verifiers for language "
        "models."
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def program(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            "-V",
            is_eager=True,
            callback=tour.print_version,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """The options of the program itself."""


app.command("list")(listing.list_)
app.command()(listing.show)
app.command()(tasks.combinators)
app.command()(tasks.sample)
app.command()(exporting.export)
app.command()(generating.generate)
app.command()(tasks.play)
app.command()(tasks.score)
app.command()(verifying.verify)
app.command()(development.check)
app.command()(development.new)
app.command("catalog")(development.catalog_)
app.command()(service.serve)
app.command()(service.replay)
app.command("export-pairs")(pairs.export_pairs)
app.command("import")(importing.import_)
app.command()(audits.audit)
app.command("check-data")(audits.check_data)
app.command("eval", cls=training.WithComparison)(training.eval_)
app.command()(calibrating.calibrate)
app.command()(ranking.ladder)
app.command()(tour.quickstart)
app.command()(tour.version)
app.add_typer(profiling.profiles, name="profiles", no_args_is_help=True)
app.add_typer(benchmarks.bench, name="bench")
app.add_typer(sandbox.sandbox, name="sandbox", no_args_is_help=True)
app.add_typer(commits.commits, name="commits", no_args_is_help=True)

UNAVAILABLE = (MissingExtra, UnsupportedPlatform)


def main(argv: list[str] | None = None) -> None:
    """Run the command; what is wrong with its arguments is said in a line, not a traceback."""
    try:
        with own_environments(Path("envs")):
            app(argv)
    except (LookupError, ValueError, *UNAVAILABLE, palaestra.NoValidTask) as error:
        terminal.print_error(error)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()  # the reader has seen enough
        sys.exit(141)


@contextmanager
def own_environments(folder: Path) -> Iterator[None]:
    """Have the environments in a folder found, unless they are those of this installation."""
    ours = Path(palaestra.__file__).with_name("envs")
    if "PALAESTRA_ENVS" in os.environ or not folder.is_dir() or folder.resolve() == ours.resolve():
        yield
        return
    os.environ["PALAESTRA_ENVS"] = str(folder.resolve())
    try:
        yield
    finally:
        del os.environ["PALAESTRA_ENVS"]
