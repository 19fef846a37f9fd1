"""The ``palaestra`` command: its commands in the order of its help, and what it says of errors."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

import palaestra
from palaestra.cli import benchmarks, development, sandbox, service, tasks, terminal, tour, training
from palaestra.extras import MissingExtra, UnsupportedPlatform


class Training(TyperGroup):
    """The commands; ``train``, whose options take long to import, is built on first use."""

    def get_command(self, ctx: Any, name: str) -> Any:
        """A command by its name."""
        if name == "train" and name not in self.commands:
            single = typer.Typer(add_completion=False)
            single.command("train")(training.with_options(training.train))
            self.commands[name] = typer.main.get_command(single)
        return super().get_command(ctx, name)

    def list_commands(self, ctx: Any) -> list[str]:
        """All names."""
        return [*super().list_commands(ctx), "train"]


app = typer.Typer(
    cls=Training,
    help=(
        "Procedurally generated reinforcement learning environments and verifiers for language "
        "models."
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("list")(tasks.list_)
app.command()(tasks.show)
app.command()(tasks.combinators)
app.command()(tasks.sample)
app.command()(tasks.export)
app.command()(tasks.play)
app.command()(tasks.score)
app.command()(development.check)
app.command()(development.new)
app.command("catalog")(development.catalog_)
app.command()(service.serve)
app.command()(service.replay)
app.command("eval")(training.eval_)
app.command()(tour.quickstart)
app.command()(tour.version)
app.add_typer(benchmarks.bench, name="bench")
app.add_typer(sandbox.sandbox, name="sandbox", no_args_is_help=True)

UNAVAILABLE = (MissingExtra, UnsupportedPlatform)


def main(argv: list[str] | None = None) -> None:
    """Run the command; what is wrong with its arguments is said in a line, not a traceback."""
    try:
        app(argv)
    except (LookupError, ValueError, *UNAVAILABLE, palaestra.NoValidTask) as error:
        terminal.err.print(
            f"palaestra: {error}", style="red", highlight=False, soft_wrap=True, markup=False
        )
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()  # the reader has seen enough
        sys.exit(141)
