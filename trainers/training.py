"""``palaestra train``: a run of the reference trainer with a progress bar and a live table, which
leaves a log, plots, a manifest, a checkpoint and a report, and goes on where it was stopped.
"""

import json
import os
import platform
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from inspect import Parameter
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from rich.box import SIMPLE
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from palaestra import __version__
from palaestra.trainers.evaluation.attempts import Attempt, problem_of
from palaestra.trainers.evaluation.reports import percent, report, write
from palaestra.trainers.grpo.config import Config, explained

if TYPE_CHECKING:
    from palaestra.trainers.grpo.rollouts import Rollout
    from palaestra.trainers.grpo.trainer import Report, Trainer

SHOWN = 8
"""Steps in the live table."""

MANIFEST, PLOTS = "manifest.json", "curves.png"

COLUMNS = {
    "step": "{:d}", "reward": "{:.3f}", "correct": "{:.3f}", "flat": "{:.2f}", "length": "{:.1f}",
    "loss": "{:.4f}", "entropy": "{:.3f}", "norm": "{:.2f}", "play_s": "{:.2f}",
    "learn_s": "{:.2f}", "evaluation": "{:.3f}",
}  # fmt: skip

TITLES = {"correct": "right", "evaluation": "held out", "entropy": "nats", "play_s": "play",
          "learn_s": "learn"}  # fmt: skip
"""Shorter names, so that a row fits into 80 columns."""

NEEDED = "training needs torch: pip install 'palaestra[train]'"


def run(config: Config, console: Console, *, fresh: bool = False) -> "Trainer":
    """Trains, evaluates and writes all that is kept into ``config.out``, if that is given.

    Goes on from the checkpoint there unless it is to be ``fresh``. Raises ``ValueError`` where that
    is one of another run, ``ModuleNotFoundError`` without torch.
    """
    try:
        from palaestra.trainers.grpo.trainer import CHECKPOINT, LOG, Trainer
    except ModuleNotFoundError as missing:
        if missing.name != "torch":
            raise
        raise ModuleNotFoundError(NEEDED, name="torch") from None
    folder = Path(config.out) if config.out else None
    trainer, start = Trainer(config), perf_counter()
    with Screen(console, config) as screen:
        kept = folder / CHECKPOINT if folder else None
        if kept is not None and kept.exists() and not fresh:
            trainer.restore(kept)
        else:
            trainer.warm_up(screen.warming)
        if folder is not None:
            _write_lines(folder / LOG, trainer.log)
        board = _board(folder)
        screen.begin(trainer.step)
        with _interruptions() as asked:

            def told(step: "Report") -> None:
                screen.stepped(step)
                for name, value in vars(step).items() if board is not None else ():
                    if isinstance(value, int | float):
                        board.add_scalar(name, value, step.step)
                if asked:
                    if kept is not None:
                        trainer.save(kept)
                        console.print(f"stopped after step {step.step}; the same command goes on")
                    raise KeyboardInterrupt

            trainer.train(told)
    if folder is not None:
        _finish(trainer, folder, perf_counter() - start, console)
    return trainer


@contextmanager
def _interruptions() -> Iterator[list[int]]:
    """Fills when a key asks for the end, which comes after a step, when all is in order; a second
    time it comes at once.
    """
    asked: list[int] = []

    def ask(number: int, _: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)
        with suppress(OSError):  # past the console, which may be in the midst of a line
            os.write(2, b"stopping after this step\n")

    if current_thread() is not main_thread():
        yield asked
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


class Screen:
    """A progress bar and the last steps, where there is a terminal; a line a step where not."""

    def __init__(self, console: Console, config: Config) -> None:
        self.console, self.rows = console, deque[Mapping[str, Any]](maxlen=SHOWN)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
        self.bar = Progress(*columns, TimeRemainingColumn(), console=console)
        self.warmed = self.bar.add_task("supervised", total=config.warmup_steps)
        self.taken = self.bar.add_task("steps", total=config.steps)
        self.live = Live(self.bar, console=console, refresh_per_second=4)

    def __enter__(self) -> "Screen":
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.console.is_terminal:
            self.live.stop()

    def warming(self, step: int, loss: float) -> None:
        """After a supervised step."""
        self.bar.update(self.warmed, completed=step + 1, description=f"supervised {loss:.3f}")

    def begin(self, step: int) -> None:
        """Before the first step, which need not be the first of the run."""
        self.bar.update(self.warmed, visible=False)
        self.bar.update(self.taken, completed=step)

    def stepped(self, told: "Report") -> None:
        """After a step."""
        self.rows.append(vars(told))
        self.bar.update(self.taken, completed=told.step)
        if self.console.is_terminal:
            self.live.update(Group(table(self.rows), self.bar))
            return
        shown = [f"{name} {cell}" for name, cell in _cells(self.rows[-1]) if cell]
        self.console.print(" ".join(shown), highlight=False, soft_wrap=True)


def _cells(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, "" if row[name] is None else form.format(row[name]))
        for name, form in COLUMNS.items()
    ]


def table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Steps as a table."""
    made = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for name in COLUMNS:
        made.add_column(TITLES.get(name, name), justify="right", no_wrap=True)
    for row in rows:
        made.add_row(*(cell for _, cell in _cells(row)))
    return made


def _write_lines(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """The log up to here: what was written after the checkpoint is done, and written, again."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _board(folder: Path | None) -> Any:
    """Where TensorBoard looks, if it is installed."""
    if folder is None:
        return None
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder / "tensorboard"))


# ------------------------------------------------------------------ options


def parameters() -> list[Parameter]:
    """An option of the command for each option of a run."""
    import typer

    told = []
    for name, default, about in explained():
        kind = type(default) if type(default) in {int, float, bool} else str
        flag = "--" + name.replace(".", "-").replace("_", "-")
        shown = "none" if default is None or default == "" else json.dumps(default)
        option = typer.Option(
            flag, help=f"{about[0].upper()}{about[1:]}. [{shown}]", show_default=False,
            rich_help_panel="The loss" if "." in name else "The run",
        )  # fmt: skip
        told.append(
            Parameter(
                name.replace(".", "__"), Parameter.KEYWORD_ONLY, default=None,
                annotation=Annotated[kind | None, option],
            )
        )  # fmt: skip
    return told


def changes(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given on the command line, as :meth:`Config.read` takes it.

    >>> changes({"loss__beta": 0.1, "environments": "a/b=2,c/d", "levels": "0,1", "seed": None})
    {'loss': {'beta': 0.1}, 'environments': {'a/b': 2.0, 'c/d': 1.0}, 'levels': [0, 1]}
    """
    told: dict[str, Any] = {}
    for name, value in given.items():
        head, inside, rest = name.rpartition("__")
        if value is None:
            continue
        if inside:
            told.setdefault(head, {})[rest] = value
        elif name == "environments":
            told[name] = dict(_weight(part) for part in value.split(","))
        elif name in {"levels", "warmup_levels"}:
            told[name] = [int(part) for part in value.split(",")]
        elif name == "curriculum_options":
            told[name] = dict(json.loads(value))
        else:
            told[name] = value
    return told


def _weight(text: str) -> tuple[str, float]:
    name, equals, weight = text.strip().partition("=")
    return name, float(weight) if equals else 1.0


# ------------------------------------------------------------------ what is left at the end


def _finish(trainer: "Trainer", folder: Path, seconds: float, console: Console) -> None:
    config = trainer.config
    manifest = {
        **trainer.manifest(),
        "python": platform.python_version(),
        "device": trainer.device,
        "seconds": round(seconds, 1),
        "rollouts": config.groups * config.group_size * trainer.step,
        "tokens": sum(row["tokens"] for row in trainer.log),
        "judging": _share(trainer.log),
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    if trainer.log and plot(trainer.log, folder / PLOTS) is None:
        console.print("no plots: pip install matplotlib", highlight=False)
    if config.model:
        trainer.model.save_pretrained(folder / "model")
    trainer.tokenizer.save(folder / "model")
    for name, heat, samples in (("greedy", 0.0, 1), ("sampled", None, config.evaluate_samples)):
        told = evaluated(trainer, heat, samples, name)
        write(told, folder / name)
        console.print(f"{name}: {_line(told)}", highlight=False, soft_wrap=True)
    console.print(f"{folder}", highlight=False, markup=False, soft_wrap=True)


def _share(log: Sequence[Mapping[str, Any]]) -> float:
    """The share of the steps' time that went into judging."""
    whole = sum(row["play_s"] + row["learn_s"] for row in log)
    return round(sum(row["judge_s"] for row in log) / whole, 4) if whole else 0.0


def _line(told: Mapping[str, Any]) -> str:
    parts = [f"{env['env']} {percent(env['success']['value'])}" for env in told["environments"]
             if env["success"]]  # fmt: skip
    return ", ".join(parts)


def evaluated(
    trainer: "Trainer", temperature: float | None, samples: int, name: str
) -> dict[str, Any]:
    """A report, as of ``palaestra eval``, on the policy as it is; ``temperature`` is that of the
    run unless given, 0 for the likeliest tokens.
    """
    played = trainer.reserved(None, temperature, samples)
    attempts = [attempt(one, place % samples) for place, one in enumerate(played)]
    heat = trainer.temperature if temperature is None else temperature
    manifest = {
        "same": {
            "model": trainer.config.model or "decoder",
            "suite": "",
            "settings": {"temperature": heat, "after step": trainer.step},
        },
        "suite": ", ".join(trainer.config.environments),
        "base_url": "",
        "samples": samples,
        "palaestra": __version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return report(manifest, attempts, len(attempts), "")


def attempt(one: "Rollout", sample: int) -> Attempt:
    """A rollout as an evaluation keeps it."""
    level = one.address.level or 0
    judged = one.score
    return Attempt(
        address=str(one.address), env=one.address.env, level=level, cell=f"level {level}",
        sample=sample, problem=problem_of(one.address), score=one.value,
        status=judged.status if judged is not None and one.value is not None else "unscored",
        replies=(one.reply,), rewards=tuple(one.rewards), parts=dict(one.parts),
        turns=len(one.turns), finish_reasons=("length" if one.truncated else "stop",),
        prompt_tokens=len(one.ids) - one.length, completion_tokens=one.length,
    )  # fmt: skip


def plot(log: Sequence[Mapping[str, Any]], file: Path) -> Path | None:
    """Curves of a run as a PNG; none where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    figure = Figure(figsize=(11, 6.5), layout="constrained")
    panels = {
        "reward": ("reward", "correct"), "held out": ("evaluation",), "entropy": ("entropy",),
        "groups of one mind": ("flat",), "tokens of a reply": ("length",),
        "seconds": ("play_s", "learn_s", "judge_s"),
    }  # fmt: skip
    for place, (title, names) in enumerate(panels.items(), 1):
        axes = figure.add_subplot(2, 3, place, title=title, xlabel="step")
        for name in names:
            points = [(row["step"], row[name]) for row in log if row[name] is not None]
            marker = "o" if len(points) < 30 else None
            axes.plot(*zip(*points) if points else ((), ()), label=name, marker=marker, lw=1.6)
        if title in {"reward", "held out", "groups of one mind"}:
            axes.set_ylim(-0.02, 1.02)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        if len(names) > 1:
            axes.legend(frameon=False)
    figure.savefig(file, dpi=110)
    return file
