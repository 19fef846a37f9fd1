"""``palaestra eval``: an evaluation with a progress bar, which can be stopped and started again."""

import asyncio
import json
import re
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from palaestra.trainers.evaluation.attempts import Attempt
from palaestra.trainers.evaluation.client import ChatClient
from palaestra.trainers.evaluation.formatting import percent
from palaestra.trainers.evaluation.reports import summary
from palaestra.trainers.evaluation.runner import Refused
from palaestra.trainers.evaluation.running import Evaluation, evaluate_endpoint
from palaestra.trainers.evaluation.suites import Suite

INTERRUPTED = 130
"""The exit code of a process that was told to stop from the keyboard."""

_TAKEN = {"model", "messages", "tools", "n", "stream", "seed"}


def folder_of(model: str, suite: Path) -> Path:
    """Where an evaluation is kept unless told otherwise.

    >>> folder_of("org/Model 7B", Path("examples/suite.yaml")).as_posix()
    'evaluations/org-Model-7B-suite'
    """
    return Path("evaluations", name_of(f"{model}-{suite.stem}"))


def name_of(text: str) -> str:
    """A text as the name of a folder.

    >>> name_of("org/Model 7B")
    'org-Model-7B'
    """
    return re.sub(r"[^\w.-]+", "-", text).strip("-.") or "model"


def sampling_of(extra: str | None, **options: Any) -> dict[str, Any]:
    """What goes into each request: the options that are given, and JSON for all others.

    Raises ``ValueError`` where that is no JSON object, or has what an option is for.
    """
    sampling = {name: value for name, value in options.items() if value is not None}
    if extra is None:
        return sampling
    try:
        more = dict(json.loads(extra))
    except (ValueError, TypeError, RecursionError):
        raise ValueError(f"--extra is a JSON object, not {extra[:60]!r}") from None
    if taken := (sampling.keys() | _TAKEN) & more.keys():
        raise ValueError(f"--extra has no {min(taken)!r}, which is set elsewhere")
    return sampling | more


def run(  # noqa: PLR0913, PLR0917
    client: ChatClient,
    model: str,
    suite: Suite,
    out: Path,
    consoles: tuple[Console, Console],
    options: Mapping[str, Any],
) -> int:
    """Evaluate, write the report and say what came out; gives the exit code.

    It is 0 for a complete evaluation in which everything was scored, 1 where something was not or
    the endpoint failed, and 130 where it was interrupted.
    """
    say, err = consoles
    code, start = 0, perf_counter()
    bar = _Bar(err, f"{model} on {suite.name}")
    try:
        with bar:
            done = asyncio.run(_play(client, model, suite, out, bar, options))
    except (KeyboardInterrupt, asyncio.CancelledError):
        code, done = INTERRUPTED, Evaluation.load(out, "it was interrupted")
    except Refused as fault:
        code, done = 1, Evaluation.load(out, str(fault))
    report = done.write(out)
    unscored = report["overall"]["unscored"] if report["overall"] else 0
    say.print(summary(report), highlight=False, markup=False, soft_wrap=True)
    say.print(f"{out / 'report.html'}", highlight=False, markup=False, soft_wrap=True)
    say.print(f"{bar.attempts:,} attempts made in {perf_counter() - start:.1f} s", highlight=False)
    if done.stopped:
        err.print(f"stopped: {done.stopped}", style="red", highlight=False, markup=False)
        err.print("the same command goes on from here", highlight=False)
    elif unscored:
        err.print(
            f"{unscored:,} attempts are unscored; --retry-unscored makes them again",
            style="yellow",
            highlight=False,
        )
    return code or int(bool(done.stopped or unscored))


async def _play(  # noqa: PLR0913, PLR0917
    client: ChatClient, model: str, suite: Suite, out: Path, bar: "_Bar",
    options: Mapping[str, Any],
) -> Evaluation:  # fmt: skip
    cancel_on_sigterm()
    async with client:
        return await evaluate_endpoint(
            client, model, suite, out=out, progress=bar.update, **options
        )


def cancel_on_sigterm() -> None:
    """Has SIGTERM cancel the current task, so that what is open is closed."""
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # there are no such handlers on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


def progress_bar(console: Console) -> Progress:
    """A bar with the field ``text`` behind it; nothing if the console is no terminal."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[text]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


class _Bar:
    """A bar of the attempts, with what came of them so far; nothing where nobody looks."""

    def __init__(self, console: Console, title: str) -> None:
        self.progress = progress_bar(console)
        self.title = title
        self.bar: TaskID | None = None
        self.attempts = self.solved = self.unscored = 0

    def __enter__(self) -> "_Bar":
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def update(self, done: int, planned: int, attempt: Attempt | None) -> None:
        """Moves on."""
        if self.bar is None:
            self.bar = self.progress.add_task(self.title, total=planned, text="")
        if attempt is not None:
            self.attempts += 1
            self.solved += attempt.score == 1
            self.unscored += attempt.score is None
        scored = self.attempts - self.unscored
        text = f"{percent(self.solved / scored)} solved" if scored else ""
        text += f", {self.unscored} unscored" if self.unscored else ""
        self.progress.update(self.bar, completed=done, text=text)
