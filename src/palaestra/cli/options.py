"""Arguments and options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from palaestra.cli.completion import complete_name

Name = Annotated[
    str,
    typer.Argument(
        help="An environment, such as logic/knights_and_knaves.", autocompletion=complete_name
    ),
]

Names = Annotated[
    list[str] | None,
    typer.Argument(help="Environments; default: all.", autocompletion=complete_name),
]

Level = Annotated[int, typer.Option(min=0, help="Level of difficulty, from 0.")]

Seed = Annotated[int, typer.Option(help="Seed of the task, or of the first task.")]

Knob = Annotated[list[str] | None, typer.Option("--knob", "-k", help="Set a knob by hand: size=7.")]

Count = Annotated[int, typer.Option("--count", "-n", min=1, help="Number of tasks.")]

Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Write to this file instead of the terminal.")
]

UserBaseUrl = Annotated[
    str | None,
    typer.Option(help="URL of an endpoint that words what users of tool worlds say."),
]

UserModel = Annotated[str | None, typer.Option(help="Name of the model at that endpoint.")]

UserApiKeyEnv = Annotated[
    str, typer.Option(help="Environment variable that contains the API key of that endpoint.")
]

UserPersona = Annotated[str, typer.Option(help="How users talk: curt, and in a hurry.")]


class Solutions(StrEnum):
    """What is written of the oracle."""

    none = "none"
    answers = "answers"
    chats = "chats"
    traces = "traces"


class Split(StrEnum):
    """Training or evaluation seeds."""

    train = "train"
    eval = "eval"


class Type(StrEnum):
    """How an environment is played."""

    puzzle = "puzzle"
    task = "task"
    match = "match"


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


class ExportFormat(StrEnum):
    """The format of rows, or of a folder with them or with tasks."""

    jsonl = "jsonl"
    parquet = "parquet"
    datasets = "datasets"
    hub = "hub"
    lm_eval = "lm-eval"
    harbor = "harbor"


class TraceFormat(StrEnum):
    """The format of trajectories."""

    atif = "atif"


class ToolMode(StrEnum):
    """How tools are offered to a model."""

    auto = "auto"
    native = "native"
    text = "text"


class Observation(StrEnum):
    """What a player observes."""

    text = "text"
    image = "image"
    both = "both"


Observed = Annotated[
    Observation,
    typer.Option(help="Text, an image of the task, or both; image shortens the text if possible."),
]

ImageSize = Annotated[
    int, typer.Option(min=64, max=1024, help="Width and height of images, in pixels.")
]

BaseUrl = Annotated[
    str, typer.Option(help="URL of an OpenAI-compatible endpoint: http://host:8000/v1.")
]

Model = Annotated[str, typer.Option(help="Name of the model at the endpoint.")]

Concurrency = Annotated[
    int, typer.Option("--concurrency", "-c", min=1, help="Number of concurrent episodes.")
]

ApiKeyEnv = Annotated[str, typer.Option(help="Environment variable that contains the API key.")]

Temperature = Annotated[
    float | None,
    typer.Option(min=0, help="Sampling temperature; default: that of the endpoint."),
]

TopP = Annotated[
    float | None, typer.Option(min=0, max=1, help="Probability mass for nucleus sampling.")
]

MaxTokens = Annotated[int | None, typer.Option(min=1, help="Maximum length of a reply, in tokens.")]

MaxTurns = Annotated[int, typer.Option(min=1, help="Maximum number of turns in an episode.")]

MaxContext = Annotated[
    int | None, typer.Option(min=1, help="Maximum number of tokens in the chat of an episode.")
]

System = Annotated[str, typer.Option(help="System message for each chat.")]

Tools = Annotated[
    ToolMode,
    typer.Option(help="How to offer tools; auto uses native unless the endpoint refuses it."),
]

Extra = Annotated[str | None, typer.Option(help='JSON to merge into requests: {"top_k": 20}.')]

Timeout = Annotated[float, typer.Option(min=0.001, help="Time limit of a request, in seconds.")]

Retries = Annotated[
    int,
    typer.Option(min=0, help="Retries after a failed request (429, 5xx, incomplete answer)."),
]

RetryUnscored = Annotated[bool, typer.Option("--retry-unscored", help="Repeat unscored attempts.")]

GiveUpAfter = Annotated[
    int, typer.Option(min=0, help="Stop after this many consecutive failures; 0 for never.")
]


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
