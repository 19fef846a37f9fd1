"""Rows of a file as an environment.

``palaestra import FILE --preset NAME`` writes a subclass of :class:`RowsEnvironment` that names
the file, its digest, the preset that judges, and the rows that the audit accepts. A task is a
function of the digest and a row. Its answer stays in the file: a task holds the question alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NamedTuple, Self

from palaestra.address import SEEDS, Address, Split, StaleVersion
from palaestra.importers.rows.files import digest_of, fields_of
from palaestra.importers.rows.presets import (
    PROGRAMS,
    BadRow,
    Fields,
    judge_of,
    preset_of,
    question_of,
    right_letter,
    table_text,
)
from palaestra.labels import gold_of
from palaestra.registry import load
from palaestra.task import JudgeError, KnobError, NoValidTask, Puzzle, Score, ladder
from palaestra.verifiers.verifier import Judge

ANY_ROW = 0
"""The value of the knob ``row`` that selects a row by the seed."""


class _Entry(NamedTuple):
    """A row of a file with its verifier."""

    question: str
    fields: Fields
    judge: Judge


class RowsEnvironment(Puzzle):
    """Questions of a file. Subclasses name the file and the preset.

    The knob ``row`` selects a row by its number, which counts from 1. With 0, the seed selects one
    of the rows of its split: questions are held out for evaluation by a digest of their text, so
    that rows with the same question are in the same split.
    """

    file: ClassVar[str]
    """The path of the file, relative to the folder of the module of the subclass."""

    digest: ClassVar[str]
    """What :func:`palaestra.importers.rows.files.digest_of` returns for the file."""

    preset: ClassVar[str]
    """A name in :data:`palaestra.importers.rows.presets.PRESETS`."""

    columns: ClassVar[Mapping[str, str]] = {}
    """The columns of fields that have other names."""

    left_out: ClassVar[frozenset[int]] = frozenset()
    """The numbers of the rows that are not used."""

    longest: ClassVar[int] = 100_000
    verbatim: ClassVar[bool] = True  # verifiers take wrappings off themselves

    class Knobs(Puzzle.Knobs):
        row: int = ladder(ANY_ROW)

    row: int
    question: str

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The task of a row."""
        return cls._at(knobs.row or rng.choice(sorted(_entries(cls))))

    @classmethod
    def sample(
        cls, rng: Random, knobs: Any, held_out: bool | None = None, tries: int = 10_000
    ) -> Self:
        """The task of a row of the split.

        Raises :class:`~palaestra.task.KnobError` for a row that is not used,
        :class:`~palaestra.task.NoValidTask` where no row is in the split, and
        :class:`~palaestra.address.StaleVersion` where the file has changed.
        """
        rows = _rows(cls, held_out)
        if knobs.row:
            if knobs.row not in _entries(cls):
                raise KnobError(f"row {knobs.row} of {Path(cls.file).name} is not used")
            if knobs.row not in rows:
                side = "training" if held_out else "evaluation"
                raise NoValidTask(f"row {knobs.row} of {Path(cls.file).name} is for {side}")
        elif not rows:
            side = "evaluation" if held_out else "training"
            raise NoValidTask(f"none of the rows of {Path(cls.file).name} is for {side}")
        return cls._at(knobs.row or rng.choice(rows))

    @classmethod
    def _at(cls, row: int) -> Self:
        return cls(row=row, question=_entries(cls)[row].question)

    @classmethod
    def rows(cls, split: Split) -> tuple[int, ...]:
        """The numbers of the rows of a split, in order."""
        return _rows(cls, split == "eval")

    def canonical(self) -> str:
        """The question without regard to case and spaces."""
        return normal(self.question)

    def prompt(self) -> str:
        """The question as it is in the file, with its options."""
        return self.question

    def answer(self) -> str:
        """The answer of the row, or the solution where answers are programs.

        Raises :class:`~palaestra.task.JudgeError` where it has none.
        """
        text = oracle(self._entry().fields, self.preset)
        if not text:
            raise JudgeError(f"row {self.row} of {Path(self.file).name} has no solution")
        return text

    def solve(self) -> Iterable[str]:
        """The answer of the row, or nothing where it has none."""
        answer = oracle(self._entry().fields, self.preset)
        return [answer] if answer else []

    def verify(self, answer: str) -> Score:
        """Judge by the verifier of the row."""
        return self._entry().judge(answer)

    def _entry(self) -> _Entry:
        entry = _entries(type(self)).get(self.row)
        if entry is None:
            raise JudgeError(f"row {self.row} of {Path(self.file).name} is not used", "gold_error")
        return entry


def row_addresses(env: str, split: Split = "train") -> Iterator[Address]:
    """The address of each row of a split, once and in the order of the file.

    Raises ``ValueError`` for an environment that has no rows.
    """
    task_type = load(env)
    if not issubclass(task_type, RowsEnvironment):
        raise ValueError(  # noqa: TRY004  a name of another environment, not a value of another type
            f"{env} has no rows of a file"
        )
    seed = SEEDS[split].start
    return (Address.of(env, seed, row=row) for row in task_type.rows(split))


def normal(question: str) -> str:
    """A question without regard to case and spaces."""
    return " ".join(question.split()).casefold()


def oracle(fields: Fields, preset: str) -> str:
    """The right answer of a row as a player would write it; empty where the row has none."""
    preset = preset_of(preset, fields)
    if preset in PROGRAMS:
        return _program(fields)
    if preset == "choice":
        return right_letter(fields)
    if preset == "table":
        return table_text(fields.answer)
    return gold_of(fields.answer).gold[0]


def _program(fields: Fields) -> str:
    """The solution of a row; one that is the body of a function alone follows its head, which is
    the question (as in HumanEval).
    """
    solution = fields.solution
    if solution[:1].isspace() and solution.strip() and "def " in fields.question:
        return f"{fields.question}\n{solution.lstrip(chr(10))}"
    return solution


def path_of(task_type: type[RowsEnvironment]) -> Path:
    """The file of an environment."""
    import sys

    module = sys.modules.get(task_type.__module__)
    folder = Path(getattr(module, "__file__", None) or ".").parent
    return (folder / task_type.file).resolve()


def _entries(task_type: type[RowsEnvironment]) -> Mapping[int, _Entry]:
    """The rows of an environment by their numbers.

    Raises :class:`~palaestra.address.StaleVersion` where the file has changed or is missing.
    """
    path = path_of(task_type)
    try:
        digest = digest_of(path)
    except OSError as error:
        raise StaleVersion(f"{path.name} cannot be read: {error.strerror}") from None
    if digest != task_type.digest:
        raise StaleVersion(
            f"{path.name} has changed since it was imported; "
            f"run `palaestra import {path.name} --replace`"
        )
    columns = tuple(sorted(task_type.columns.items()))
    return _loaded(path, digest, task_type.preset, columns, task_type.left_out)


@lru_cache(maxsize=16)
def _loaded(
    path: Path,
    digest: str,
    preset: str,
    columns: tuple[tuple[str, str], ...],
    left_out: frozenset[int],
) -> Mapping[int, _Entry]:
    entries = {}
    for number, fields, error in fields_of(path, dict(columns), preset):
        if number not in left_out and not error:
            try:
                judge = judge_of(preset, fields)
                entries[number] = _Entry(question_of(preset, fields), fields, judge)
            except BadRow as bad:
                raise StaleVersion(f"row {number} of {path.name}: {bad}; import it again") from None
    return entries


@lru_cache(maxsize=32)
def _rows(task_type: type[RowsEnvironment], held_out: bool | None) -> tuple[int, ...]:
    """The rows of a side of the split, or all of them."""
    return tuple(
        row
        for row in sorted(_entries(task_type))
        if held_out is None or task_type._at(row).held_out() == held_out
    )
