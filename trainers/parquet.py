"""Rows of data sets as Parquet files and as ``datasets``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from palaestra.extras import needs


def write_parquet(
    rows: Sequence[dict[str, Any]], file: Path, columns: Sequence[str] | None = None
) -> None:
    """Write rows as a Parquet file; a row without a column that others have is null there.

    ``columns`` are those of the file, also where no row has them; by default those of the rows.
    A column of nothing but nulls is one of texts, as in other files of the same data set.
    """
    if any("images" in row for row in rows):
        dataset_of(rows).to_parquet(str(file))
        return
    with needs("parquet", "PyArrow"):
        import pyarrow
        from pyarrow.parquet import write_table

    names = columns or [*dict.fromkeys(name for row in rows for name in row)]
    arrays = {name: pyarrow.array([row.get(name) for row in rows]) for name in names}
    for name, array in arrays.items():
        if pyarrow.types.is_null(array.type):
            arrays[name] = array.cast(pyarrow.string())
    write_table(pyarrow.table(arrays), file)


def dataset_of(rows: Sequence[dict[str, Any]]) -> Any:
    """Rows as a Dataset, whose column ``images``, if there is one, holds images."""
    with needs("data", "datasets"):
        from datasets import Dataset, Image, Sequence

    dataset = Dataset.from_list(list(rows))
    if "images" in dataset.column_names:
        return dataset.cast_column("images", Sequence(Image()))
    return dataset
