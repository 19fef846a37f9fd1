"""Rows as JSON lines, Parquet files and saved datasets."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from palaestra.cli.options import ExportFormat, Format


def write(rows: Iterator[dict[str, Any]], form: Format | ExportFormat, file: Path | None) -> None:
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
    from palaestra.trainers.parquet import dataset_of, write_parquet

    if form == Format.parquet:
        write_parquet(list(rows), file)
        return
    dataset_of(list(rows)).save_to_disk(str(file))
