"""The command that measures which environments and levels suit a model."""

from pathlib import Path
from typing import Annotated, Any

import typer

from palaestra.cli import terminal
from palaestra.cli.completion import complete_name
from palaestra.cli.options import (
    AnswerFormat,
    ApiKeyEnv,
    BaseUrl,
    Concurrency,
    Extra,
    GiveUpAfter,
    MaxContext,
    MaxTokens,
    MaxTurns,
    Model,
    Retries,
    RetryUnscored,
    System,
    Temperature,
    Timeout,
    ToolMode,
    Tools,
    TopP,
)


def calibrate(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Environments, categories or patterns such as logic/*; default: all.",
            autocompletion=complete_name,
        ),
    ] = None,
    *,
    base_url: BaseUrl,
    model: Model,
    file: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for the results; default: calibrations/…"),
    ] = None,
    target: Annotated[
        str, typer.Option(help="Range of success rates that suits training.")
    ] = "0.3-0.7",
    levels: Annotated[
        str, typer.Option(help="Levels to try: all, or numbers and spans as in 0-2,5.")
    ] = "all",
    budget_tasks: Annotated[
        int, typer.Option(min=1, max=10_000, help="Maximum number of tasks of an environment.")
    ] = 24,
    width: Annotated[
        float,
        typer.Option(help="Width in levels of the crossing's interval at which to stop earlier."),
    ] = 1.0,
    max_tokens_total: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of tokens, of prompts and replies together."),
    ] = None,
    answer_format: Annotated[
        AnswerFormat, typer.Option(help="How answers are marked.")
    ] = AnswerFormat.tags,
    concurrency: Concurrency = 16,
    api_key_env: ApiKeyEnv = "OPENAI_API_KEY",
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    max_turns: MaxTurns = 256,
    max_context: MaxContext = None,
    seed: Annotated[int | None, typer.Option(help="Seed sent with requests.")] = None,
    system: System = "",
    tools: Tools = ToolMode.auto,
    extra: Extra = None,
    timeout: Timeout = 600.0,
    retries: Retries = 5,
    retry_unscored: RetryUnscored = False,
    give_up_after: GiveUpAfter = 32,
) -> None:
    """Measure success by level on few training tasks, and write a mixture that suits the model.

    Attempts are stored as they finish: after an interruption, the same command resumes. The exit
    code is 1 if environments are unfinished or attempts could not be scored.
    """
    from palaestra.trainers.calibration import Design, Target, selected
    from palaestra.trainers.calibration.command import folder_of, run
    from palaestra.trainers.calibration.ladders import levels_of
    from palaestra.trainers.evaluation import ChatClient
    from palaestra.trainers.evaluation.command import sampling_of

    design = Design(Target.parse(target), budget_tasks, width)
    environments = selected(names or (), levels_of(levels))
    sampling = sampling_of(extra, temperature=temperature, top_p=top_p, max_tokens=max_tokens)
    options: dict[str, Any] = {
        "design": design,
        "answer_format": answer_format.value,
        "concurrency": concurrency,
    }
    options |= {"sampling": sampling, "seed": seed, "system": system, "tools": tools.value}
    options |= {"max_turns": max_turns, "max_context": max_context}
    options |= {"max_tokens_total": max_tokens_total}
    options |= {"retry_unscored": retry_unscored, "give_up_after": give_up_after}
    client = ChatClient(base_url, api_key_env=api_key_env, timeout_s=timeout, retries=retries)
    folder, consoles = file or folder_of(model), (terminal.out, terminal.err)
    if code := run(client, model, environments, folder, consoles, options):
        raise typer.Exit(code)
