"""Commands that evaluate and train models."""

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from palaestra.cli import terminal
from palaestra.cli.options import ToolMode


def eval_(
    base_url: Annotated[
        str, typer.Option(help="URL of an OpenAI-compatible endpoint: http://host:8000/v1.")
    ],
    model: Annotated[str, typer.Option(help="Name of the model at the endpoint.")],
    suite: Annotated[
        Path, typer.Option(exists=True, dir_okay=False, help="A YAML list of environments.")
    ],
    samples: Annotated[
        int, typer.Option("--samples", "-k", min=1, help="Attempts at each task, for pass@k.")
    ] = 1,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", min=1, help="Number of concurrent episodes.")
    ] = 16,
    file: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for attempts and report; default: evaluations/…"),
    ] = None,
    api_key_env: Annotated[
        str, typer.Option(help="Environment variable that contains the API key.")
    ] = "OPENAI_API_KEY",
    temperature: Annotated[
        float | None,
        typer.Option(min=0, help="Sampling temperature; default: that of the endpoint."),
    ] = None,
    top_p: Annotated[
        float | None, typer.Option(min=0, max=1, help="Probability mass for nucleus sampling.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Maximum length of a reply, in tokens.")
    ] = None,
    max_turns: Annotated[
        int, typer.Option(min=1, help="Maximum number of turns in an episode.")
    ] = 256,
    max_context: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of tokens in the chat of an episode.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed sent with requests, plus the index of the sample.")
    ] = None,
    system: Annotated[str, typer.Option(help="System message for each chat.")] = "",
    tools: Annotated[
        ToolMode,
        typer.Option(help="How to offer tools; auto uses native unless the endpoint refuses it."),
    ] = ToolMode.auto,
    extra: Annotated[
        str | None, typer.Option(help='JSON to merge into requests: {"top_k": 20}.')
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.001, help="Time limit of a request, in seconds.")
    ] = 600.0,
    retries: Annotated[
        int,
        typer.Option(min=0, help="Retries after a failed request (429, 5xx, incomplete answer)."),
    ] = 5,
    retry_unscored: Annotated[
        bool, typer.Option("--retry-unscored", help="Repeat unscored attempts.")
    ] = False,
    give_up_after: Annotated[
        int, typer.Option(min=0, help="Stop after this many consecutive failures; 0 for never.")
    ] = 32,
) -> None:
    """Evaluate a model behind an endpoint on held-out tasks, and write a report.

    Attempts are stored as they finish: after an interruption, the same command resumes. The exit
    code is 1 if attempts could not be scored, which never counts as a failure of the model.
    """
    from palaestra.trainers.evaluation import ChatClient, Suite
    from palaestra.trainers.evaluation.command import folder_of, run, sampling_of

    client = ChatClient(base_url, api_key_env=api_key_env, timeout_s=timeout, retries=retries)
    options = sampling_of(extra, temperature=temperature, top_p=top_p, max_tokens=max_tokens)
    options |= {"samples": samples, "concurrency": concurrency, "system": system, "seed": seed}
    options |= {"tools": tools.value, "max_turns": max_turns, "max_context": max_context}
    options |= {"retry_unscored": retry_unscored, "give_up_after": give_up_after}
    folder = file or folder_of(model, suite)
    if code := run(client, model, Suite.load(suite), folder, (terminal.out, terminal.err), options):
        raise typer.Exit(code)


def train(
    file: Annotated[
        Path | None, typer.Argument(exists=True, dir_okay=False, help="Options as YAML.")
    ] = None,
    *,
    template: Annotated[
        bool, typer.Option("--template", help="Print all options as YAML and exit.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Discard a stored run and start again.")
    ] = False,
    **keywords: Any,
) -> None:
    """Train a model on environments by group-relative policy optimisation.

    Options come from a YAML file, from the command line, or from both. A run with --out resumes
    from its checkpoint when the same command is repeated.
    """
    from palaestra.trainers.grpo import config as configuration
    from palaestra.trainers.training import changes, run

    if template:
        print(configuration.template(), end="")
        return
    options = changes(keywords)
    reader = configuration.Config
    config = reader.load(file, options) if file else reader.read(options)
    try:
        run(config, terminal.out, fresh=fresh)
    except ModuleNotFoundError as missing:
        terminal.err.print(str(missing), markup=False, highlight=False)
        raise typer.Exit(2) from None
    except FloatingPointError as fault:  # no argument is wrong, but the run cannot go on
        terminal.err.print(str(fault), markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each option of a run in the place of its keywords."""
    from palaestra.trainers.training import parameters

    @wraps(command)
    def called(*args: Any, **options: Any) -> None:
        command(*args, **options)

    usual = signature(command).parameters.values()
    every = [*(each for each in usual if each.kind != each.VAR_KEYWORD), *parameters()]
    called.__signature__ = Signature(every)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in every}
    return called
