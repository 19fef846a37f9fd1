"""The command that exports attempts as preferences and demonstrations."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from palaestra.cli import terminal
from palaestra.cli.datasets import write
from palaestra.cli.options import Format


class Shape(StrEnum):
    """What the rows are for."""

    dpo = "dpo"
    kto = "kto"
    sft = "sft"


def export_pairs(
    folders: Annotated[
        list[Path],
        typer.Argument(
            exists=True, file_okay=False, help="Folders of evaluations or calibrations."
        ),
    ],
    shape: Annotated[
        Shape, typer.Option("--for", help="The columns of TRL's trainer of this name.")
    ] = Shape.dpo,
    win: Annotated[float, typer.Option(help="The least score of a win.")] = 1.0,
    lose: Annotated[float, typer.Option(help="The greatest score of a loss.")] = 0.0,
    per_task: Annotated[int, typer.Option(min=1, help="Rows of each task, at most.")] = 4,
    allow_held_out: Annotated[
        bool, typer.Option("--allow-held-out", help="Export attempts at held-out tasks as well.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="Format of the rows.")] = Format.jsonl,
    file: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write to this file instead of the terminal.")
    ] = None,
) -> None:
    """Export attempts that were kept as pairs of wins and losses, or as demonstrations.

    `palaestra calibrate` plays tasks of the training split. `palaestra eval` plays held-out tasks,
    on which a model should not be trained; --allow-held-out exports them all the same.
    """
    from palaestra.trainers.pairs import SKIPPED, PairCounts, PairOptions, exported_pairs

    counts = PairCounts()
    options = PairOptions(win, lose, per_task, allow_held_out)
    write(exported_pairs(folders, shape.value, options, counts), form, file)
    for reason, number in counts.skipped.items():
        if number:
            terminal.note(f"{number:,} attempts {SKIPPED[reason]}")
    terminal.note(f"{counts.rows:,} rows of {counts.attempts:,} attempts")
