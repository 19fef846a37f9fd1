"""Rows of files, one after the other, and what is wrong with those that cannot be read."""

import csv
import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import IO, Any, NamedTuple

from palaestra.extras import needs

LONGEST = 4 << 20
"""How many bytes a line of JSON, and how many characters a field of a table, may have."""


class UnusableFile(ValueError):
    """A file that is no data set at all."""


class Row(NamedTuple):
    """A row by its number, which counts from 1, or what is wrong with it."""

    number: int
    values: Mapping[str, Any]
    error: str = ""


def rows_of(file: Path) -> Iterator[Row]:
    """The rows of a file of JSON lines (``.jsonl``, ``.json``, ``.ndjson``), ``.csv``, ``.tsv`` or
    ``.parquet``.

    One row is in memory at a time, of Parquet a batch. Raises :class:`UnusableFile` for any other
    name, a JSON array, a table with two columns of one name, and Parquet that is broken.
    """
    match file.suffix.lower():
        case ".jsonl" | ".ndjson" | ".json":
            return _json_lines(file)
        case ".csv":
            return _table(file, ",")
        case ".tsv":
            return _table(file, "\t")
        case ".parquet":
            return _parquet(file)
    raise UnusableFile(f"{file.name} is neither .jsonl, .csv, .tsv nor .parquet")


def _json_lines(file: Path) -> Iterator[Row]:
    with file.open("rb") as stream:
        for number in count(1):
            line = stream.readline(LONGEST + 1)
            if not line:
                return
            if len(line) > LONGEST:
                _skip_line(stream, line)
                yield Row(number, {}, f"a line of more than {LONGEST:,} bytes")
            elif line.strip():
                if number == 1 and line.lstrip(b"\xef\xbb\xbf \t").startswith(b"["):
                    raise UnusableFile(
                        f"{file.name} is a JSON array; write its items as JSON lines, one a line"
                    )
                yield _json_row(number, line)


def _skip_line(stream: IO[bytes], line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(LONGEST)


def _json_row(number: int, line: bytes) -> Row:
    try:
        values = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError:
        return Row(number, {}, "the line is not UTF-8")
    except RecursionError:
        return Row(number, {}, "the JSON is nested too deeply")
    except ValueError as error:
        return Row(number, {}, f"the line is not JSON: {str(error)[:100]}")
    if not isinstance(values, dict):
        return Row(number, {}, "the line is not a JSON object")
    return Row(number, values)


def _table(file: Path, delimiter: str) -> Iterator[Row]:
    previous = csv.field_size_limit(LONGEST)
    try:
        with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
            reader = csv.reader(stream, delimiter=delimiter)
            heads: list[str] | None = None
            for number in count(0):
                try:
                    fields = next(reader)
                except StopIteration:
                    return
                except csv.Error as error:
                    yield Row(max(number, 1), {}, f"the row cannot be read: {error}")
                    continue
                if heads is None:
                    heads = [head.strip() for head in fields]
                    if twice := [head for head in heads if head and heads.count(head) > 1]:
                        raise UnusableFile(f"{file.name} has two columns {twice[0][:60]!r}")
                elif fields:
                    yield _table_row(number, heads, fields)
    finally:
        csv.field_size_limit(previous)


def _table_row(number: int, heads: list[str], fields: list[str]) -> Row:
    if len(fields) != len(heads):
        return Row(number, {}, f"the row has {len(fields)} fields, and the header {len(heads)}")
    if any("\udc80" <= sign <= "\udcff" for field in fields for sign in field):
        return Row(number, {}, "the row is not UTF-8")
    return Row(number, dict(zip(heads, fields)))


def _parquet(file: Path) -> Iterator[Row]:
    with needs("parquet", "PyArrow"):
        import pyarrow
        from pyarrow.parquet import ParquetFile
    number = 0
    try:
        for batch in ParquetFile(file).iter_batches(batch_size=256):
            for values in batch.to_pylist():
                number += 1
                yield Row(number, values)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise UnusableFile(
            f"{file.name} cannot be read after row {number}: {str(error)[:200]}"
        ) from None
