"""Reading tables of whole numbers, written as lines, as lists of lists or with `|` between."""

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.matrices import rows_of_integers


def table(text: str, rows: int, columns: int) -> list[list[int]]:
    r"""A table of so many rows and columns.

    >>> table("[[1, 20],\n [3, 4]]", rows=2, columns=2), table("| 1 | 20 |", rows=1, columns=2)
    ([[1, 20], [3, 4]], [[1, 20]])
    """
    table_rows = rows_of_integers(text)
    if len(table_rows) != rows or any(len(row) != columns for row in table_rows):
        raise InvalidAnswer(f"expected {rows} lines of {columns} numbers")
    return table_rows
