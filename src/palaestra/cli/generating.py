"""The command that generates data sets of any size."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from palaestra.cli import terminal
from palaestra.cli.options import AnswerFormat, Solutions, Split


class Form(StrEnum):
    """The format of the files with rows."""

    jsonl = "jsonl"
    parquet = "parquet"


def generate(
    mixture: Annotated[
        Path,
        typer.Argument(
            exists=True, dir_okay=False, help="A YAML file with environments, weights and levels."
        ),
    ],
    *,
    rows: Annotated[int, typer.Option("--rows", "-n", min=1, help="Number of rows.")],
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder of the data set.")],
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processes; default: one a processor.")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="First seed of each environment, within the split.")
    ] = 0,
    split: Split = Split.train,
    answer_format: Annotated[
        AnswerFormat | None, typer.Option(help="How answers are marked; default: the mixture's.")
    ] = None,
    trainer: Annotated[
        str, typer.Option(help="Only the columns of this trainer, such as verl.")
    ] = "all",
    form: Annotated[Form, typer.Option("--format", help="Format of the rows.")] = Form.jsonl,
    shard_rows: Annotated[int, typer.Option(min=1, help="Rows of a file.")] = 10_000,
    solutions: Annotated[
        Solutions,
        typer.Option(help="Write the oracle's answers, chats or traces to files of their own."),
    ] = Solutions.none,
    card: Annotated[
        bool, typer.Option("--card", help="Write a dataset card for the Hugging Face Hub, too.")
    ] = False,
) -> None:
    """Generate a data set of any size from a mixture of environments.

    The rows do not depend on the number of processes, no task occurs twice, and none is held out
    unless --split is eval. If the command is interrupted, or --rows is raised, run it again with
    the same options: it continues the data set in the folder.
    """
    from palaestra.registry import load
    from palaestra.trainers.generation import Corpus, shortfalls
    from palaestra.trainers.generation import generate as generate_corpus
    from palaestra.trainers.mixtures import Mixture
    from palaestra.trainers.traces import require

    if card and solutions != Solutions.none:
        raise ValueError("a data set with --solutions is not for the Hub: leave out --card")
    mixed = Mixture.load(mixture)
    if solutions == Solutions.traces:
        require(map(load, mixed.environments))
    corpus = Corpus(
        mixed,
        rows,
        seed=seed,
        split=split.value,
        answer_format=answer_format.value if answer_format else "",
        trainer=trainer,
        form=form.value,
        shard_rows=shard_rows,
        solutions=solutions.value,
    )
    with terminal.progress() as bar:
        shown = bar.add_task("rows", total=rows)
        manifest = generate_corpus(
            corpus, folder, workers, lambda done, total: bar.update(shown, completed=done)
        )
    if card:
        from palaestra.trainers.hub import write_card

        write_card(folder, manifest)
    terminal.print_table(_table(manifest))
    for sentence in shortfalls(manifest):
        terminal.note(sentence)
    terminal.print_text(f"{manifest['rows']:,} rows in {folder}")


def _table(manifest: dict[str, Any]) -> Table:
    table = Table("environment")
    for column in ("level", "rows", "duplicates left out"):
        table.add_column(column, justify="right")
    for cell in manifest["cells"]:
        numbers = f"{cell['rows']:,}", f"{cell['duplicates']:,}"
        table.add_row(cell["env"], str(cell["level"]), *numbers)
    return table
