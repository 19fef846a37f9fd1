"""Commands that evaluate and train models."""

import json
from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from palaestra.cli import terminal
from palaestra.cli.commands import Application
from palaestra.cli.options import (
    ApiKeyEnv,
    BaseUrl,
    Concurrency,
    Extra,
    GiveUpAfter,
    ImageSize,
    MaxContext,
    MaxTokens,
    MaxTurns,
    Model,
    Observation,
    Observed,
    Retries,
    RetryUnscored,
    System,
    Temperature,
    Timeout,
    ToolMode,
    Tools,
    TopP,
    TraceFormat,
    UserApiKeyEnv,
    UserBaseUrl,
    UserModel,
    UserPersona,
)


def compare(
    first: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="Folder of an evaluation.")
    ],
    second: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="Folder of another one.")
    ],
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    allow_changed: Annotated[
        bool,
        typer.Option("--allow-changed", help="Compare even if environments have changed."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare two evaluations task by task: pass@k, coverage, distinct right answers, support.

    The exit code is 2 if no task is in both, or if environments have changed in between.
    """
    from palaestra.trainers.evaluation import comparison
    from palaestra.trainers.evaluation.running import Evaluation

    both = comparison.compare(
        Evaluation.load(first), Evaluation.load(second), seed=seed, allow_changed=allow_changed
    )
    text = json.dumps(both, indent=1) if as_json else comparison.markdown(both)
    typer.echo(text)


class WithComparison(TyperCommand):
    """The command ``eval``, of which ``eval compare`` is a command of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """The context of this command, or of ``compare`` where that is the first argument."""
        if args[:1] != ["compare"]:
            return super().make_context(info_name, args, parent, **extra)
        single = Application(add_completion=False)
        single.command("compare")(compare)
        command = typer.main.get_command(single)
        return command.make_context(f"{info_name} compare", args[1:], parent, **extra)


def eval_(
    base_url: BaseUrl,
    model: Model,
    suite: Annotated[
        Path, typer.Option(exists=True, dir_okay=False, help="A YAML list of environments.")
    ],
    samples: Annotated[
        int, typer.Option("--samples", "-k", min=1, help="Attempts at each task, for pass@k.")
    ] = 1,
    concurrency: Concurrency = 16,
    file: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for attempts and report; default: evaluations/…"),
    ] = None,
    api_key_env: ApiKeyEnv = "OPENAI_API_KEY",
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    max_turns: MaxTurns = 256,
    max_context: MaxContext = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed sent with requests, plus the index of the sample.")
    ] = None,
    system: System = "",
    tools: Tools = ToolMode.auto,
    observation: Observed = Observation.text,
    image_size: ImageSize = 448,
    extra: Extra = None,
    timeout: Timeout = 600.0,
    retries: Retries = 5,
    retry_unscored: RetryUnscored = False,
    give_up_after: GiveUpAfter = 32,
    user_base_url: UserBaseUrl = None,
    user_model: UserModel = None,
    user_api_key_env: UserApiKeyEnv = "OPENAI_API_KEY",
    user_persona: UserPersona = "",
    traces: Annotated[
        TraceFormat | None,
        typer.Option(help="Write trajectories in this format to the folder traces of --out."),
    ] = None,
) -> None:
    """Evaluate a model behind an endpoint on held-out tasks, and write a report.

    `palaestra eval compare A B` compares the evaluations in two folders.

    Attempts are stored as they finish: after an interruption, the same command resumes. The exit
    code is 1 if attempts could not be scored, which never counts as a failure of the model.
    """
    from palaestra.trainers.evaluation import ChatClient, Suite
    from palaestra.trainers.evaluation.command import folder_of, run, sampling_of
    from palaestra.trainers.spoken_users import Speaker

    speaker = Speaker.of(
        user_base_url,
        user_model,
        api_key_env=user_api_key_env,
        persona=user_persona,
        concurrency=concurrency,
    )
    client = ChatClient(base_url, api_key_env=api_key_env, timeout_s=timeout, retries=retries)
    options = sampling_of(extra, temperature=temperature, top_p=top_p, max_tokens=max_tokens)
    options |= {"samples": samples, "concurrency": concurrency, "system": system, "seed": seed}
    options |= {"tools": tools.value, "max_turns": max_turns, "max_context": max_context}
    options |= {"retry_unscored": retry_unscored, "give_up_after": give_up_after}
    options |= {"speaker": speaker, "observation": observation.value, "image_size": image_size}
    folder = file or folder_of(model, suite)
    code = run(client, model, Suite.load(suite), folder, (terminal.out, terminal.err), options)
    if traces:
        _write_traces(folder)
    if code:
        raise typer.Exit(code)


def _write_traces(folder: Path) -> None:
    """Write the attempts that a folder holds as trajectories."""
    from palaestra.trainers.evaluation.running import Evaluation
    from palaestra.trainers.evaluation.trajectories import write

    done = Evaluation.load(folder)
    count = write(done.attempts, done.manifest, folder / "traces")
    terminal.note(f"{count:,} trajectories in {folder / 'traces'}")


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
        terminal.err.print(str(missing))
        raise typer.Exit(2) from None
    except FloatingPointError as fault:  # no argument is wrong, but the run cannot go on
        terminal.err.print(str(fault), soft_wrap=True)
        raise typer.Exit(1) from None


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each option of a run in the place of its keywords."""
    from palaestra.trainers.training import parameters

    @wraps(command)
    def called(*args: Any, **options: Any) -> None:
        command(*args, **options)

    usual = signature(command).parameters.values()
    every = [*(each for each in usual if each.kind != each.VAR_KEYWORD), *parameters()]
    for each in every:
        for about in getattr(each.annotation, "__metadata__", ()):
            if about.help:  # a word that is longer than its column of the help would be cut
                about.help = about.help.replace("see palaestra.trainers.", "see trainers.")
    called.__signature__ = Signature(every)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in every}
    return called
