"""``palaestra train``: a run of the reference trainer with a progress bar and a live table, which
leaves a log, plots, a manifest, a checkpoint and a report, and goes on where it was stopped.
"""

import json
import os
import platform
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
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
from palaestra.trainers.evaluation.formatting import percent
from palaestra.trainers.evaluation.reports import report, write
from palaestra.trainers.grpo.config import Config, explained

if TYPE_CHECKING:
    from palaestra.trainers.grpo.reports import Report
    from palaestra.trainers.grpo.rollouts import Rollout
    from palaestra.trainers.grpo.trainer import Trainer

SHOWN = 8
"""Steps in the live table."""

MANIFEST, PLOTS = "manifest.json", "curves.png"

COLUMNS = {
    "step": "{:d}", "reward": "{:.3f}", "success": "{:.3f}", "zero_std": "{:.2f}",
    "masked": "{:.2f}", "length": "{:.1f}", "loss": "{:.4f}", "entropy": "{:.3f}",
    "grad_norm": "{:.2f}", "rollout_s": "{:.2f}", "learn_s": "{:.2f}", "eval_score": "{:.3f}",
}  # fmt: skip

TITLES = {"eval_score": "held out", "grad_norm": "norm", "rollout_s": "play", "learn_s": "learn",
          "zero_std": "0 std"}  # fmt: skip
"""Shorter names, so that a row fits into 80 columns."""

LISTS = {"levels", "warmup_levels", "log_to"}
"""Options that are written with commas on the command line."""

OBJECTS = {"curriculum_options", "chat_template_options", "reward_options", "reward_recipe"}
"""Options that are written as JSON there."""

ENDED = 128 + signal.SIGTERM
"""The exit status of what was ended by SIGTERM, as shells have it."""

NEEDED = "training needs torch: pip install 'palaestra[train]'"


def run(config: Config, console: Console, *, fresh: bool = False) -> "Trainer":
    """Trains, evaluates and writes all that is kept into ``config.out``, if that is given.

    Goes on from the checkpoint there unless it is to be ``fresh``. Raises ``ValueError`` where that
    is one of another run, ``ModuleNotFoundError`` without torch.
    """
    try:
        from palaestra.trainers.grpo.checkpoints import CHECKPOINT, manifest
        from palaestra.trainers.grpo.trainer import LOG, Trainer
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
        screen.begin(trainer.step)
        with _interruptions() as signals, _loggers(config) as loggers:

            def progress(report: "Report") -> None:
                screen.stepped(report.row())
                for log in loggers:
                    log(report.row())
                if signals:
                    if kept is not None:
                        trainer.save(kept)
                        console.print(f"stopped after step {report.step}; the same command goes on")
                    raise KeyboardInterrupt if signals[0] == signal.SIGINT else SystemExit(ENDED)

            trainer.train(progress)
    if folder is not None:
        _finish(trainer, folder, perf_counter() - start, manifest(trainer), console)
    return trainer


@contextmanager
def _interruptions() -> Iterator[list[int]]:
    """Fills with the signal when Ctrl-C or SIGTERM asks for the end, which comes after a step, when
    all is in order; a second time it comes at once.
    """
    signals: list[int] = []

    def ask(number: int, _: object) -> None:
        if signals:
            raise KeyboardInterrupt
        signals.append(number)
        with suppress(OSError):  # past the console, which may be in the midst of a line
            os.write(2, b"stopping after this step\n")

    if current_thread() is not main_thread():
        yield signals
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _loggers(config: Config) -> Iterator[list[Callable[[Mapping[str, Any]], None]]]:
    """What takes the rows of the log besides its file, by ``log_to``.

    Raises ``ModuleNotFoundError`` for what is not installed.
    """
    folder = config.out or "."
    loggers: list[Callable[[Mapping[str, Any]], None]] = []
    with ExitStack() as stack:
        if "tensorboard" in config.log_to:
            try:
                from torch.utils.tensorboard import SummaryWriter
            except ModuleNotFoundError:
                raise ModuleNotFoundError(
                    "log_to: tensorboard needs pip install tensorboard", name="tensorboard"
                ) from None
            writer = stack.enter_context(SummaryWriter(str(Path(folder, "tensorboard"))))
            loggers.append(partial(_add_scalars, writer))
        if "wandb" in config.log_to:
            try:
                import wandb
            except ModuleNotFoundError:
                raise ModuleNotFoundError(
                    "log_to: wandb needs pip install wandb", name="wandb"
                ) from None
            # The name of the folder makes the run known again where it goes on.
            run = stack.enter_context(
                wandb.init(
                    project="palaestra", dir=folder, name=Path(folder).name, config=config.plain(),
                    resume="allow", id=_run_id(Path(folder)),
                )
            )  # fmt: skip
            loggers.append(lambda row: run.log(dict(row), step=row["step"]))
        yield loggers


def _add_scalars(writer: Any, row: Mapping[str, Any]) -> None:
    for name, value in row.items():
        writer.add_scalar(name, value, row["step"])


def _run_id(folder: Path) -> str:
    """A name for a run in this folder, the same whenever it goes on."""
    return sha256(str(folder.resolve()).encode()).hexdigest()[:16]


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

    def stepped(self, row: Mapping[str, Any]) -> None:
        """After a step, with its row of the log."""
        self.rows.append(row)
        self.bar.update(self.taken, completed=row["step"])
        if self.console.is_terminal:
            self.live.update(Group(table(self.rows), self.bar))
            return
        shown = [f"{name} {cell}" for name, cell in _cells(self.rows[-1]) if cell]
        self.console.print(" ".join(shown), highlight=False, soft_wrap=True)


def _cells(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, form.format(row[name]) if name in row else "") for name, form in COLUMNS.items()]


def table(rows: Iterable[Mapping[str, Any]]) -> Table:
    """Steps as a table."""
    layout = Table(box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for name in COLUMNS:
        layout.add_column(TITLES.get(name, name), justify="right", no_wrap=True)
    for row in rows:
        layout.add_row(*(cell for _, cell in _cells(row)))
    return layout


def _write_lines(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """The log up to here: what was written after the checkpoint is done, and written, again."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


# ------------------------------------------------------------------ options


def parameters() -> list[Parameter]:
    """An option of the command for each option of a run."""
    import typer

    fields = []
    for name, default, description in explained():
        type_ = type(default) if type(default) in {int, float, bool} else str
        flag = "--" + name.replace(".", "-").replace("_", "-")
        shown = "none" if default is None or default == "" else json.dumps(default)
        option = typer.Option(
            flag, help=f"{description}. [{shown}]", show_default=False,
            rich_help_panel="The loss" if "." in name else "The run",
        )  # fmt: skip
        fields.append(
            Parameter(
                name.replace(".", "__"), Parameter.KEYWORD_ONLY, default=None,
                annotation=Annotated[type_ | None, option],
            )
        )  # fmt: skip
    return fields


def changes(values: Mapping[str, Any]) -> dict[str, Any]:
    """What was given on the command line, as :meth:`Config.read` takes it.

    >>> changes({"loss__kl_coef": 0.1, "environments": "a/b=2,c/d", "levels": "0,1", "seed": None})
    {'loss': {'kl_coef': 0.1}, 'environments': {'a/b': 2.0, 'c/d': 1.0}, 'levels': ['0', '1']}
    """
    nested: dict[str, Any] = {}
    for name, value in values.items():
        head, inside, rest = name.rpartition("__")
        if value is None:
            continue
        if inside:
            nested.setdefault(head, {})[rest] = value
        elif name == "environments":
            nested[name] = dict(_weight(part) for part in value.split(","))
        elif name in LISTS:
            nested[name] = [part.strip() for part in value.split(",")]
        elif name in OBJECTS:
            nested[name] = _object(name, value)
        else:
            nested[name] = value
    return nested


def _object(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name} is a JSON object, such as '{{\"key\": 1}}': {error}") from None


def _weight(text: str) -> tuple[str, float]:
    name, equals, weight = text.strip().partition("=")
    return name, float(weight) if equals else 1.0


# ------------------------------------------------------------------ what is left at the end


def _finish(
    trainer: "Trainer", folder: Path, seconds: float, manifest: dict[str, Any], console: Console
) -> None:
    config, steps = trainer.config, [row for row in trainer.log if "tokens" in row]
    manifest = {
        **manifest,
        "python": platform.python_version(),
        "device": trainer.device,
        "seconds": round(seconds, 1),
        "rollouts": sum(row["rollouts"] for row in steps),
        "tokens": sum(row["tokens"] for row in steps),
        "judging": _share_of_judging(steps),
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    if steps and plot(trainer.log, folder / PLOTS) is None:
        console.print("no plots: pip install matplotlib", highlight=False)
    if config.model:
        trainer.model.save_pretrained(folder / "model")
    trainer.tokenizer.save(folder / "model")
    for name, temperature, samples in (
        ("greedy", 0.0, 1),
        ("sampled", None, config.eval_samples),
    ):
        report = evaluated(trainer, temperature, samples, name)
        write(report, folder / name)
        console.print(f"{name}: {_line(report)}", highlight=False, soft_wrap=True)
    console.print(f"{folder}", highlight=False, markup=False, soft_wrap=True)


def _share_of_judging(log: Sequence[Mapping[str, Any]]) -> float:
    """The share of the steps' time that went into judging."""
    whole = sum(row["rollout_s"] + row["learn_s"] for row in log)
    return round(sum(row["judge_s"] for row in log) / whole, 4) if whole else 0.0


def _line(report: Mapping[str, Any]) -> str:
    parts = [f"{env['env']} {percent(env['success']['value'])}" for env in report["environments"]
             if env["success"]]  # fmt: skip
    return ", ".join(parts)


def evaluated(
    trainer: "Trainer", temperature: float | None, samples: int, name: str
) -> dict[str, Any]:
    """A report, as of ``palaestra eval``, on the policy as it is; ``temperature`` is that of the
    run unless given, 0 for the likeliest tokens.
    """
    played = trainer.rollouts_on_reserved_seeds(None, temperature, samples)
    attempts = [attempt(one, number % samples) for number, one in enumerate(played)]
    used = trainer.temperature if temperature is None else temperature
    manifest = {
        "same": {
            "model": trainer.config.model or "decoder",
            "suite": "",
            "settings": {"temperature": used, "after step": trainer.step},
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
        replies=tuple(one.replies), rewards=tuple(one.rewards), parts=dict(one.parts),
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
        "reward": ("reward", "success"), "held out": ("eval_score",), "entropy": ("entropy",),
        "groups of equal rewards": ("zero_std",), "tokens of a rollout": ("length",),
        "seconds": ("rollout_s", "learn_s", "judge_s"),
    }  # fmt: skip
    for number, (title, names) in enumerate(panels.items(), 1):
        axes = figure.add_subplot(2, 3, number, title=title, xlabel="step")
        for name in names:
            points = [(row["step"], row[name]) for row in log if name in row]
            marker = "o" if len(points) < 30 else None
            axes.plot(*zip(*points) if points else ((), ()), label=name, marker=marker, lw=1.6)
        if title in {"reward", "held out", "groups of equal rewards"}:
            axes.set_ylim(-0.02, 1.02)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        if len(names) > 1:
            axes.legend(frameon=False)
    figure.savefig(file, dpi=110)
    return file
