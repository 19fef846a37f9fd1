"""Rows as JSON lines, Parquet files and saved datasets."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from palaestra.cli.options import Format
from palaestra.extras import needs


def write(rows: Iterator[dict[str, Any]], form: Format, file: Path | None) -> None:
    """Write rows as JSON lines, a Parquet file or a saved ``datasets`` Dataset."""
    if form == Format.jsonl:
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        if file is None:
            for line in lines:
                print(line)
        else:
            with file.open("w", encoding="utf-8") as stream:
                stream.writelines(f"{line}\n" for line in lines)
        return
    if file is None:
        raise ValueError(f"--format {form} requires --out")
    if form == Format.parquet:
        write_parquet(list(rows), file)
        return
    dataset_of(list(rows)).save_to_disk(str(file))


def write_parquet(rows: list[dict[str, Any]], file: Path) -> None:
    """Write rows as a Parquet file; a row without a column that others have is null there."""
    if any("images" in row for row in rows):
        dataset_of(rows).to_parquet(str(file))
        return
    with needs("parquet", "PyArrow"):
        import pyarrow
        from pyarrow.parquet import write_table

    columns = dict.fromkeys(name for row in rows for name in row)
    write_table(pyarrow.table({name: [row.get(name) for row in rows] for name in columns}), file)


def dataset_of(rows: list[dict[str, Any]]) -> Any:
    """Rows as a Dataset, whose column ``images``, if there is one, holds images."""
    with needs("data", "datasets"):
        from datasets import Dataset, Image, Sequence

    dataset = Dataset.from_list(rows)
    if "images" in dataset.column_names:
        return dataset.cast_column("images", Sequence(Image()))
    return dataset
