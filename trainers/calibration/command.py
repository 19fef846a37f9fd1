"""``palaestra calibrate``: a calibration with a progress bar, which can be interrupted."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.progress import TaskID
from rich.table import Table
from rich.text import Text

from palaestra.trainers.calibration.reports import HEADS, MIXTURE, PAGE, Report, rows, summary
from palaestra.trainers.calibration.running import Calibration, Progress, calibrate_endpoint
from palaestra.trainers.evaluation.client import ChatClient
from palaestra.trainers.evaluation.command import (
    INTERRUPTED,
    cancel_on_sigterm,
    name_of,
    progress_bar,
)
from palaestra.trainers.evaluation.runner import Refused

NO_PLOTS = "no plots: matplotlib is not installed: pip install matplotlib, or 'palaestra[train]'"


def folder_of(model: str) -> Path:
    """Return the default folder of a calibration.

    >>> folder_of("org/Model 7B").as_posix()
    'calibrations/org-Model-7B'
    """
    return Path("calibrations", name_of(model))


def run(  # noqa: PLR0913, PLR0917
    client: ChatClient,
    model: str,
    environments: Mapping[str, Sequence[int]],
    out: Path,
    consoles: tuple[Console, Console],
    options: Mapping[str, Any],
) -> int:
    """Calibrate, write the report, print a table, and return the exit code.

    It is 0 if all environments are finished and all attempts are scored, 130 after an interruption,
    and otherwise 1.
    """
    say, err = consoles
    code, bar = 0, _Bar(err, model)
    try:
        with bar.progress:
            done = asyncio.run(_play(client, model, environments, out, bar, options))
    except (KeyboardInterrupt, asyncio.CancelledError):
        code, done = INTERRUPTED, Calibration.load(out, "it was interrupted")
    except Refused as fault:
        code, done = 1, Calibration.load(out, str(fault))
    report, plots = done.write(out)
    say.print(_table(report))
    _print(say, summary(report))
    if report.mixture() is None:
        _print(say, "no level is probably in the target, so there is no mixture")
    else:
        _print(say, f"{out / MIXTURE}")
    _print(say, f"{out / PAGE}")
    if not plots and any(each.attempts > each.unscored for each in report.environments):
        _print(err, NO_PLOTS)
    _remarks(report, err)
    return code or int(not report.complete or report.unscored > 0)


async def _play(  # noqa: PLR0913, PLR0917
    client: ChatClient, model: str, environments: Mapping[str, Sequence[int]], out: Path,
    bar: "_Bar", options: Mapping[str, Any],
) -> Calibration:  # fmt: skip
    cancel_on_sigterm()
    async with client:
        return await calibrate_endpoint(
            client, model, environments, out=out, progress=bar.update, **options
        )


def _remarks(report: Report, err: Console) -> None:
    """Print what is left undone, and what could not be scored."""
    if report.stopped:
        _print(err, f"stopped: {report.stopped}", "red")
    if report.left:
        shown = ", ".join(report.left[:8]) + (", …" if len(report.left) > 8 else "")
        _print(err, f"unfinished: {len(report.left)} of {len(report.environments)}: {shown}")
        limited = report.tokens.limit is not None
        how = "the same command with a higher --max-tokens-total" if limited else "the same command"
        _print(err, f"{how} continues from here")
    if report.unscored:
        _print(
            err,
            f"{report.unscored:,} attempts are unscored; --retry-unscored repeats them",
            "yellow",
        )


def _table(report: Report) -> Table:
    """The environments, suitable ones first."""
    layout = Table(*HEADS, box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for row in rows(report):
        layout.add_row(*map(Text, row))  # brackets are no markup
    return layout


def _print(console: Console, text: str, style: str = "") -> None:
    console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)


class _Bar:
    """A bar of finished environments, with the attempts and tokens so far."""

    def __init__(self, console: Console, title: str) -> None:
        self.progress = progress_bar(console)
        self.title = title
        self.bar: TaskID | None = None
        self.attempts = 0

    def update(self, step: Progress) -> None:
        """Shows how far the calibration is."""
        if self.bar is None:
            self.bar = self.progress.add_task(self.title, total=step.environments, text="")
        self.attempts += step.attempt is not None
        text = f"{self.attempts:,} attempts, {step.usage.total:,} tokens"
        self.progress.update(self.bar, completed=step.finished, text=text)
