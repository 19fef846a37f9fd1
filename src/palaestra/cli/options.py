"""Arguments and options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Name = Annotated[str, typer.Argument(help="An environment, such as logic/knights_and_knaves.")]

Names = Annotated[list[str] | None, typer.Argument(help="Environments; default: all.")]

Level = Annotated[int, typer.Option(help="Level of difficulty, from 0.")]

Seed = Annotated[int, typer.Option(help="Seed of the task, or of the first task.")]

Knob = Annotated[list[str] | None, typer.Option("--knob", "-k", help="Set a knob by hand: size=7.")]

Count = Annotated[int, typer.Option("--count", "-n", help="Number of tasks.")]

Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Write to this file instead of the terminal.")
]


class Split(StrEnum):
    """Training or evaluation seeds."""

    train = "train"
    eval = "eval"


class AnswerFormat(StrEnum):
    """How an answer is marked in a reply."""

    tags = "tags"
    tags_last = "tags-last"
    tags_truncated = "tags-truncated"
    tags_last_truncated = "tags-last-truncated"
    boxed = "boxed"
    boxed_same = "boxed-same"
    boxed_truncated = "boxed-truncated"
    boxed_same_truncated = "boxed-same-truncated"
    bare = "bare"


class Format(StrEnum):
    """The format of rows."""

    jsonl = "jsonl"
    parquet = "parquet"
    datasets = "datasets"


class ToolMode(StrEnum):
    """How tools are offered to a model."""

    auto = "auto"
    native = "native"
    text = "text"


class Protocol(StrEnum):
    """Whose clients look for their routes at the root of a server."""

    ors = "ors"
    nemo_gym = "nemo-gym"


def chosen(pairs: list[str] | None) -> dict[str, str]:
    """Knobs as they are given on the command line."""
    parted = [pair.partition("=") for pair in pairs or []]
    if bad := [name for name, equals, _ in parted if not equals]:
        raise ValueError(f"write a knob as name=value, not {bad[0]!r}")
    return {name: value for name, _, value in parted}
