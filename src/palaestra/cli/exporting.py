"""The command that exports tasks: rows for trainers, and folders for the Hub, a harness, agents."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from palaestra.cli import terminal
from palaestra.cli.datasets import write
from palaestra.cli.options import (
    AnswerFormat,
    Count,
    ExportFormat,
    ImageSize,
    Knob,
    Level,
    Name,
    Observation,
    Observed,
    Out,
    Seed,
    Solutions,
    Split,
    chosen,
)

if TYPE_CHECKING:
    from palaestra.address import Address

ALL = "all"

FOLDERS = {ExportFormat.hub, ExportFormat.lm_eval, ExportFormat.harbor}
"""The formats that are written to a folder."""


def export(
    name: Name,
    count: Count = 1000,
    level: Level = 0,
    seed: Seed = 0,
    split: Split = Split.train,
    answer_format: Annotated[
        AnswerFormat | None,
        typer.Option(help="How answers are marked; default: tags. Not for --format harbor."),
    ] = None,
    knob: Knob = None,
    trainer: Annotated[
        str, typer.Option(help="Only the columns of this trainer, such as verl.")
    ] = ALL,
    observation: Observed = Observation.text,
    image_size: ImageSize = 448,
    grader: Annotated[
        Path | None,
        typer.Option(help="With --trainer openai: write the grader of the tasks to this file."),
    ] = None,
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="Format of the rows, or hub, lm-eval or harbor for a folder that these read.",
        ),
    ] = ExportFormat.jsonl,
    solutions: Annotated[
        Solutions,
        typer.Option(
            help="Write the oracle's answers, chats or traces to a file beside that of --out."
        ),
    ] = Solutions.none,
    package: Annotated[
        str | None, typer.Option(help="What images install for Harbor; default: this version.")
    ] = None,
    image: Annotated[
        str | None, typer.Option(help="Image that those for Harbor begin with, with Python.")
    ] = None,
    no_network: Annotated[
        bool, typer.Option("--no-network", help="For Harbor, agents have no network.")
    ] = False,
    file: Out = None,
) -> None:
    """Write a dataset whose rows have the columns that common trainers expect.

    With --observation image or both, rows have a column of images; --format is parquet, datasets
    or hub. With --format hub, --out is a folder with Parquet files and a dataset card for the
    Hugging Face Hub; with lm-eval, one with a task of lm-evaluation-harness; with harbor, one to
    which a folder for each task is added.
    """
    from palaestra.scoring import addresses

    if form in FOLDERS and file is None:
        raise ValueError(f"--format {form} requires --out, the name of a folder")
    if grader is not None and trainer != "openai":
        raise ValueError("--grader requires --trainer openai")
    _require_solutions(name, solutions, file if form not in FOLDERS else None)
    seeds, knobs = range(seed, seed + count), chosen(knob)
    first, _ = addresses(name, (seeds[0], seeds[-1]), level, split.value, **knobs)
    if form == ExportFormat.harbor:
        if trainer != ALL or observation != Observation.text or answer_format is not None:
            raise ValueError("--format harbor has no --trainer, --observation and --answer-format")
        tasks = addresses(name, seeds, level, split.value, **knobs)
        _harbor(tasks, file or Path(), package=package, image=image, is_offline=no_network)
        return
    if package is not None or image is not None or no_network:
        raise ValueError("--package, --image and --no-network require --format harbor")
    answer_format = answer_format or AnswerFormat.tags
    if form == ExportFormat.lm_eval:
        if trainer != ALL or observation != Observation.text:
            raise ValueError("--format lm-eval has neither a --trainer nor images")
        with _writing(file):
            _harness_task(first, seeds, split, answer_format, file or Path())
        return

    from palaestra.trainers.exports import exported, needs_json_lines

    if form != ExportFormat.jsonl and needs_json_lines(trainer):
        raise ValueError(f"rows for {trainer} are JSON lines: leave out --format {form}")
    if observation != Observation.text and form == ExportFormat.jsonl:
        raise ValueError("images require --format parquet, datasets or hub")
    rows = exported(
        name,
        seeds,
        level,
        split.value,
        answer_format.value,
        trainer=trainer,
        observation=observation.value,
        image_size=image_size,
        **knobs,
    )
    if grader is not None:
        with _writing(grader):
            _write_grader(name, grader)
    if solutions != Solutions.none:
        tasks = addresses(name, seeds, level, split.value, **knobs)
        _write_solutions(tasks, solutions, answer_format, (file or Path()))
    with _writing(file):
        if form != ExportFormat.hub:
            write(rows, form, file)
            return

        from palaestra.trainers.hub import write_hub

        options = {"answer_format": answer_format.value, "trainer": trainer}
        manifest = write_hub(rows, file or Path(), first, seeds, split=split.value, **options)
    terminal.print_text(f"{manifest['rows']:,} rows and a dataset card in {file}")


def _require_solutions(name: str, solutions: Solutions, file: Path | None) -> None:
    """Raise ``ValueError`` for solutions that there are not, or no file beside theirs."""
    if solutions == Solutions.none:
        return
    if file is None:
        raise ValueError("--solutions requires --out, the name of a file")
    from palaestra.registry import load
    from palaestra.trainers.traces import require

    if solutions == Solutions.traces:
        require([load(name)])


def _write_solutions(
    tasks: Iterable["Address"], solutions: Solutions, answer_format: AnswerFormat, rows: Path
) -> None:
    """Write what the oracle does to a file of its own, so that no row contains an answer."""
    from palaestra.trainers.generation.rows import solution_of

    file = rows.with_name(f"{rows.stem}.solutions.jsonl")
    count = traced = missing = 0
    with _writing(file), file.open("w", encoding="utf-8") as lines:
        for address in tasks:
            record = solution_of(address, answer_format.value, solutions.value)
            if record is None:
                missing += 1
                continue
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
            traced += bool(record.get("trace"))
    if missing:
        terminal.note(f"{missing:,} tasks have no solution")
    if solutions == Solutions.traces:
        terminal.note(f"{traced:,} of {count:,} tasks have a trace")


def _write_grader(name: str, file: Path) -> None:
    """Write the grader of an environment's tasks for OpenAI's fine-tuning."""
    from palaestra.trainers.openai_graders import python_grader

    file.write_text(json.dumps(python_grader([name]), indent=2) + "\n", "utf-8")


@contextmanager
def _writing(file: Path | None) -> Iterator[None]:
    """Raise ``ValueError`` for a file or folder that cannot be written to."""
    try:
        yield
    except OSError as error:
        if file is None:
            raise
        raise ValueError(f"{file} cannot be written to: {error.strerror or error}") from None


def _harbor(tasks: Iterable["Address"], folder: Path, **options: Any) -> None:
    """Write tasks for Harbor into a folder, with the options that are set."""
    from palaestra.trainers.harbor import Options, export

    chosen_options = {name: value for name, value in options.items() if value is not None}
    names = export(tasks, folder, Options(**chosen_options))
    terminal.print_text(f"{len(names):,} tasks in {folder}")


def _harness_task(
    first: Any, seeds: range, split: Split, answer_format: AnswerFormat, folder: Path
) -> None:
    """Write a task of lm-evaluation-harness into a folder, which may hold others."""
    from palaestra.trainers.lm_eval import task_name, task_yaml

    text = task_yaml(first, seeds, split.value, answer_format.value)
    folder.mkdir(parents=True, exist_ok=True)
    task = task_name(first.env, first.level, split.value)
    (folder / f"{task}.yaml").write_text(text, encoding="utf-8")
    terminal.print_text(f"lm_eval --include_path {folder} --tasks {task}")
    if split == Split.train:
        terminal.note("these are tasks for training; --split eval has those that are held out")
