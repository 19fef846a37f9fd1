"""The rows of a file, under the names of :class:`~palaestra.importers.rows.presets.Fields`."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.importers.rows.presets import PROGRAMS, Fields, preset_of
from palaestra.labels import COLUMNS
from palaestra.trainers.audits.files import rows_of
from palaestra.trainers.rows import QUESTIONS

NAMES: Mapping[str, tuple[str, ...]] = {
    "question": QUESTIONS,
    "answer": COLUMNS,
    "type": ("type", "answer_type", "question_type"),
    "tests": ("tests", "test_cases", "input_output", "test_list", "test", "public_test_cases"),
    "source": ("source", "data_source", "dataset"),
    "options": ("options", "choices"),
    "solution": ("solution", "solutions", "canonical_solution", "code"),
    "entry": ("entry_point", "fn_name", "func_name", "metadata"),
    "setup": ("test_setup_code", "test_imports"),
}
"""For each field, the columns that are taken for it, in this order."""


class BadColumn(ValueError):
    """A column that does not exist, or a field that has none."""


class NumberedFields(NamedTuple):
    """A row by its number, which counts from 1, or what is wrong with it."""

    number: int
    fields: Fields
    error: str = ""


def fields_of(
    file: Path, columns: Mapping[str, str] | None = None, preset: str = ""
) -> Iterator[NumberedFields]:
    """The rows of a ``.jsonl``, ``.csv``, ``.tsv`` or ``.parquet`` file.

    ``columns`` names the column of a field; any other field is the first of :data:`NAMES` that a
    row fills. Where answers are programs, by the type of a row or the ``preset`` of the file,
    ``solution`` is not taken for an answer. Raises
    :class:`BadColumn` for a column that the first row lacks, and what
    :func:`palaestra.trainers.audits.files.rows_of` does.
    """
    chosen = dict(columns or {})
    if odd := sorted(chosen.keys() - NAMES.keys()):
        raise BadColumn(f"there is no field {odd[0]!r}; fields are {', '.join(NAMES)}")
    is_checked = False
    for row in rows_of(file):
        if row.error:
            yield NumberedFields(row.number, Fields(""), row.error)
            continue
        if not is_checked:
            _check(chosen, row.values, file)
            is_checked = True
        is_program = preset_of(preset, _typed(row.values, chosen)) in PROGRAMS
        values = {name: _value(row.values, name, chosen, is_program) for name in NAMES}
        question = _question(values["question"])
        texts = {name: _text(values[name]) for name in ("type", "source", "solution")}
        fields = Fields(
            question=question,
            answer=values["answer"],
            tests=values["tests"],
            options=values["options"],
            entry=values["entry"],
            setup=values["setup"],
            **texts,
        )
        yield NumberedFields(row.number, fields)


def _typed(values: Mapping[str, Any], chosen: Mapping[str, str]) -> Fields:
    return Fields("", type=_text(_value(values, "type", chosen, False)))


def _check(chosen: Mapping[str, str], values: Mapping[str, Any], file: Path) -> None:
    for name, column in chosen.items():
        if column not in values:
            near = get_close_matches(column, list(map(str, values)), 3, 0.5)
            known = ", ".join(map(str, values))[:200]
            hint = f"did you mean {' or '.join(near)}?" if near else f"its columns are {known}"
            raise BadColumn(f"{file.name} has no column {column!r} for the {name}; {hint}")


def _value(values: Mapping[str, Any], name: str, chosen: Mapping[str, str], program: bool) -> Any:
    if name in chosen:
        return values.get(chosen[name])
    for column in NAMES[name]:
        if name == "answer" and column == "solution" and program:
            continue
        value = values.get(column)
        if value is not None and not (isinstance(value, str) and not value.strip()):
            return value
    return None


def _question(value: Any) -> str:
    """The text of a question, or of the last message of a chat before its answer.

    Nothing for a chat in which a model has replied before the question, which cannot be understood
    without that.
    """
    if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
        chat = value[:-1] if _is_reply(value[-1]) else value
        replied = any(map(_is_reply, chat))
        value = None if replied or not chat else chat[-1].get("content", chat[-1].get("value"))
    return value.strip() if isinstance(value, str) else ""


def _is_reply(message: Mapping[str, Any]) -> bool:
    return message.get("role", message.get("from")) in {"assistant", "model", "gpt"}


def _text(value: Any) -> str:
    """A text, or the first of several, which may be in JSON."""
    if isinstance(value, str) and value.lstrip().startswith('["'):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    if isinstance(value, list) and value and isinstance(value[0], str):
        value = value[0]
    return value if isinstance(value, str) else ""


def digest_of(file: Path) -> str:
    """A digest of the content of a file. Raises ``OSError`` where there is none."""
    state = file.stat()
    return _digest(str(file.resolve()), state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=256)
def _digest(path: str, size: int, changed: int) -> str:
    digest = blake2b(digest_size=16)
    with Path(path).open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
