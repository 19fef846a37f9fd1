"""Data sets of any size from a mixture: the same rows however many processes make them, without
duplicates, in files that a run which is cut off is continued from.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, pairwise
from multiprocessing import cpu_count, get_context, parent_process
from multiprocessing.process import BaseProcess
from operator import add
from pathlib import Path
from random import Random
from threading import Thread
from time import process_time
from typing import Any, Literal

import msgspec

import palaestra
from palaestra.address import SEEDS, Address, Split
from palaestra.episode import answer_format_of
from palaestra.registry import load
from palaestra.task import NoValidTask
from palaestra.trainers.exports import ALL, columns_of, needs_json_lines
from palaestra.trainers.generation.quotas import Cell, allocated, cells_of
from palaestra.trainers.generation.rows import Row, Solutions, Span, rows_of
from palaestra.trainers.generation.state import BadFolder, Progress, Shard, State
from palaestra.trainers.manifests import cell_entry, described, write_manifest, write_whole
from palaestra.trainers.mixtures import Mixture
from palaestra.trainers.parquet import write_parquet

SHARD_ROWS = 10_000
"""Rows of a file, unless another number is chosen."""

BARREN = 1_000
"""A cell is exhausted once so many seeds in a row gave no new task."""

SPAN_S = 0.5
"""Seconds that a process should spend on the seeds that it is sent at a time."""

SPANS = range(1, 1_001)
"""How many seeds a process is sent at a time."""

Advance = Callable[[int, int], object]
"""Is called with the number of rows that are written, and of all."""


@dataclass(frozen=True)
class Corpus:
    """A data set to generate.

    ``seed`` is the first seed of every cell, within ``split``. ``answer_format`` is that of the
    mixture unless another one is given. ``trainer`` chooses columns, see
    :data:`palaestra.trainers.exports.TRAINERS`. ``solutions`` puts replies or whole chats of the
    oracle into files of their own. Raises ``ValueError`` for numbers, names and formats that are
    out of range or not known.
    """

    mixture: Mixture
    rows: int
    seed: int = 0
    split: Split = "train"
    answer_format: str = ""
    trainer: str = ALL
    form: Literal["jsonl", "parquet"] = "jsonl"
    shard_rows: int = SHARD_ROWS
    solutions: Solutions = "none"
    cells: Sequence[Cell] = field(init=False)

    def __post_init__(self) -> None:
        if self.rows < 1 or self.shard_rows < 1:
            raise ValueError("a data set has at least one row, and so has each of its files")
        columns_of(self.trainer)
        if self.form != "jsonl" and needs_json_lines(self.trainer):
            raise ValueError(f"rows for {self.trainer} are JSON lines, not {self.form}")
        written = answer_format_of(self.answer_format or self.mixture.answer_format).name
        object.__setattr__(self, "answer_format", written)
        object.__setattr__(self, "cells", cells_of(self.mixture))
        for cell in self.cells:
            Address.of(cell.env, self.seed, cell.level, self.split)

    def settings(self) -> dict[str, Any]:
        """What the rows depend on, apart from their number."""
        return {
            "seed": self.seed,
            "split": self.split,
            "answer_format": self.answer_format,
            "trainer": self.trainer,
            "format": self.form,
            "shard_rows": self.shard_rows,
            "solutions": self.solutions,
            "cells": [list(cell) for cell in self.cells],
            "versions": {cell.env: load(cell.env).version for cell in self.cells},
        }

    def span(self, cell: Cell, first: int, count: int) -> Span:
        """The order for some seeds of a cell."""
        return Span(
            cell.env,
            cell.level,
            self.split,
            first,
            count,
            self.answer_format,
            self.trainer,
            self.solutions,
        )

    def sizes(self) -> list[int]:
        """How many rows each file should have."""
        whole, rest = divmod(self.rows, self.shard_rows)
        return [self.shard_rows] * whole + [rest] * bool(rest)


def generate(
    corpus: Corpus,
    folder: Path,
    workers: int | None = None,
    advance: Advance = lambda done, total: None,
) -> dict[str, Any]:
    """Generate a data set in a folder, and give its manifest, which is written there as well.

    Where the folder has a part of this data set, from a run that was cut off or had fewer rows,
    it is continued; all rows but those of a last file that was not full stay as they are.
    ``workers`` is the number of processes, by default that of the processors. Raises
    :class:`~palaestra.trainers.generation.state.BadFolder` for a folder with anything else.
    """
    for cell in corpus.cells:
        if "+" in cell.env:  # of a combination, a level may have no task
            _first(corpus, cell)
    with State.open(folder, corpus.settings()) as state:
        try:
            written = _intact(corpus, folder, state)
            advance(sum(shard.rows for shard in written), corpus.rows)
            if len(written) < len(corpus.sizes()):
                for shard in _shards(corpus, folder, state, written, workers or cpu_count()):
                    written.append(shard)
                    advance(sum(each.rows for each in written), corpus.rows)
            manifest = _manifest(corpus, written)
            write_manifest(folder, manifest)
        except OSError as error:
            raise BadFolder(f"{folder} cannot be written to: {error}") from None
    return manifest


def _intact(corpus: Corpus, folder: Path, state: State) -> list[Shard]:
    """The shards that stay; others, from a missing or unfinished file on, are forgotten."""
    sizes, written = corpus.sizes(), state.shards()
    if (rows := sum(shard.wanted for shard in written)) > corpus.rows:
        raise BadFolder(f"{folder} is for {rows:,} rows already, more than {corpus.rows:,}")
    for shard, size in zip(written, sizes):
        same = all(
            (folder / name).is_file() and described(folder / name, file["rows"]) == file
            for name, file in shard.files.items()
        )
        if shard.wanted != size or not same:
            state.cut(shard.number)
            return written[: shard.number]
    return written


def _shards(
    corpus: Corpus, folder: Path, state: State, written: Sequence[Shard], workers: int
) -> Iterator[Shard]:
    """Write the files that are missing, one after the other."""
    cells, columns = corpus.cells, _columns(corpus)
    start = written[-1].cells if written else [Progress(corpus.seed, 0, 0, 0)] * len(cells)
    numbers = {env: n for n, env in enumerate(dict.fromkeys(cell.env for cell in cells))}
    nothing = [0] * len(cells)
    with ProcessPoolExecutor(workers, get_context("spawn"), _end_with_parent) as pool:
        with _uninterrupted():  # processes inherit it: the interrupt is this process's to handle
            pool.submit(int).result()
        streams = [
            _Stream(corpus, cell, progress, pool)
            for cell, progress in zip(cells, start, strict=True)
        ]
        try:
            quotas = chain(_quotas(corpus, len(written)), [nothing])
            for number, (quota, following) in enumerate(pairwise(quotas), len(written)):
                for stream, rows, more in zip(streams, quota, following, strict=True):
                    stream.order(rows + more)
                state.begin()
                shard_rows = [
                    row
                    for stream, rows in zip(streams, quota, strict=True)
                    for row in stream.take(rows, _Seen(state, numbers[stream.cell.env], number))
                ]
                Random(f"{corpus.seed} {number}").shuffle(shard_rows)
                files = _write(corpus, folder, number, shard_rows, columns)
                progress = [stream.progress for stream in streams]
                shard = Shard(number, sum(quota), len(shard_rows), files, progress)
                state.commit(shard)
                yield shard
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _quotas(corpus: Corpus, done: int) -> Iterator[list[int]]:
    """How many rows each cell has in each file, after so many files."""
    sizes = corpus.sizes()
    before = allocated(corpus.cells, [0] * len(corpus.cells), sum(sizes[:done]))
    for size in sizes[done:]:
        quota = allocated(corpus.cells, before, size)
        before = list(map(add, before, quota))
        yield quota


@dataclass(frozen=True)
class _Seen:
    """The canonical forms of an environment that were seen, while a shard is made."""

    state: State
    env: int
    shard: int

    def is_new(self, digest: int) -> bool:
        return self.state.is_new(self.env, digest, self.shard)


class _Stream:
    """The rows of a cell in the order of their seeds, which other processes make ahead."""

    def __init__(
        self, corpus: Corpus, cell: Cell, progress: Progress, pool: ProcessPoolExecutor
    ) -> None:
        self.corpus = corpus
        self.cell = cell
        self.progress = progress
        self._pool = pool
        self._ahead = deque[Row]()
        self._orders = deque[tuple[int, Future[tuple[list[Row], float]]]]()
        self._ordered = progress.next_seed
        """The seeds before this one are used up, ahead or ordered."""
        self._size = 16
        self._backlog = 0
        """Rows that are ahead or ordered, if every seed gives one."""

    @property
    def is_exhausted(self) -> bool:
        return self.progress.barren >= BARREN

    def order(self, rows: int) -> None:
        """Have so many rows made ahead, apart from those that are."""
        missing = 0 if self.is_exhausted else rows - self._backlog
        while missing > 0:
            count = min(missing, self._size, len(SEEDS[self.corpus.split]) - self._ordered)
            if count < 1:
                return
            span = self.corpus.span(self.cell, self._ordered, count)
            self._ordered += count
            self._backlog += count
            missing -= count
            self._orders.append((self._ordered, self._pool.submit(_timed, span)))

    def take(self, rows: int, seen: _Seen) -> Iterator[Row]:
        """The next rows whose tasks are new; fewer where the cell is exhausted."""
        for left in range(rows, 0, -1):
            row = self._next(seen, left)
            if row is None:
                return
            yield row

    def _next(self, seen: _Seen, left: int) -> Row | None:
        while not self.is_exhausted:
            if not self._ahead and not self._receive(left):
                continue
            row = self._ahead.popleft()
            self._backlog -= 1
            self._pass(row.seed)
            if self.is_exhausted:
                return None
            next_seed, rows, duplicates, barren = self.progress
            if seen.is_new(row.digest):
                self.progress = Progress(next_seed + 1, rows + 1, duplicates, 0)
                return row
            self.progress = Progress(next_seed + 1, rows, duplicates + 1, barren + 1)
        return None

    def _receive(self, left: int) -> bool:
        """Wait for rows; whether there are any."""
        if not self._orders:
            self._backlog = 0
            self.order(left)
        if not self._orders:
            self.progress = self.progress._replace(barren=BARREN)  # there are no more seeds
            return False
        end, future = self._orders.popleft()
        rows, seconds = future.result()
        count = max(1, end - self.progress.next_seed)
        self._size = min(SPANS.stop - 1, max(SPANS.start, int(SPAN_S * count / (seconds or 1e-6))))
        self._ahead.extend(rows)
        if not rows:
            self._pass(end)
        return bool(rows)

    def _pass(self, seed: int) -> None:
        """Go on to a seed over others that give no valid task."""
        passed = seed - self.progress.next_seed
        barren = self.progress.barren + passed
        self.progress = self.progress._replace(next_seed=seed, barren=barren)


def _end_with_parent() -> None:
    """End this process when the one that has started it does, however that ends."""
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back interrupts from the keyboard, where the platform can."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _timed(span: Span) -> tuple[list[Row], float]:
    """The rows of a span, and the seconds of CPU time that they took."""
    start = process_time()
    return rows_of(span), process_time() - start


def _columns(corpus: Corpus) -> list[str] | None:
    """The columns of Parquet files, which are the same for all: those of a task of each cell."""
    if corpus.form != "parquet":
        return None
    firsts = (_first(corpus, cell) for cell in corpus.cells)
    return [*dict.fromkeys(column for row in firsts for column in msgspec.json.decode(row.row))]


def _first(corpus: Corpus, cell: Cell) -> Row:
    """The first row of a cell. Raises :class:`~palaestra.task.NoValidTask` where there is none."""
    reason = ""
    for seed in range(corpus.seed, corpus.seed + BARREN):
        try:
            Address.of(cell.env, seed, cell.level, corpus.split).task()
        except NoValidTask as error:
            reason = str(error)
            continue
        (row,) = rows_of(corpus.span(cell, seed, 1)._replace(solutions="none"))
        return row
    raise NoValidTask(f"{cell.env} has no task at level {cell.level}: {reason}")


def _write(
    corpus: Corpus, folder: Path, number: int, rows: Sequence[Row], columns: list[str] | None
) -> dict[str, Any]:
    """Write the files of a shard, and give their sizes and digests by name."""
    name = f"rows-{number:05}.{corpus.form}"
    if corpus.form == "parquet":
        temporary = folder / f"{name}.part"
        write_parquet([msgspec.json.decode(row.row) for row in rows], temporary, columns)
        temporary.replace(folder / name)
    else:
        write_whole(folder / name, b"".join(row.row + b"\n" for row in rows))
    counts = {name: len(rows)}
    if corpus.solutions != "none":
        lines = [row.solution + b"\n" for row in rows if row.solution]
        counts[f"solutions-{number:05}.jsonl"] = len(lines)
        write_whole(folder / f"solutions-{number:05}.jsonl", b"".join(lines))
    return {each: described(folder / each, count) for each, count in counts.items()}


def _manifest(corpus: Corpus, shards: Sequence[Shard]) -> dict[str, Any]:
    """What the data set contains, and what it was made with."""
    wanted = allocated(corpus.cells, [0] * len(corpus.cells), corpus.rows)
    settings = corpus.settings()
    del settings["cells"], settings["versions"]
    return {
        "palaestra": palaestra.__version__,
        "rows": sum(shard.rows for shard in shards),
        "wanted": corpus.rows,
        **settings,
        "cells": [
            cell_entry(
                cell.env,
                cell.level,
                load(cell.env).Knobs.at(cell.level),
                progress.rows,
                (corpus.seed, progress.next_seed),
                weight=cell.weight,
                wanted=number,
                duplicates=progress.duplicates,
            )
            for cell, number, progress in zip(corpus.cells, wanted, shards[-1].cells, strict=True)
        ],
        "files": {name: file for shard in shards for name, file in shard.files.items()},
    }


def shortfalls(manifest: Mapping[str, Any]) -> list[str]:
    """A sentence on each cell that has fewer rows than it should have."""
    return [
        f"{cell['env']} has only {cell['rows']:,} different tasks at level {cell['level']}, not "
        f"{cell['wanted']:,}"
        for cell in manifest["cells"]
        if cell["rows"] < cell["wanted"]
    ]
