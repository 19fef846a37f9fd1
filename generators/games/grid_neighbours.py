"""The neighbours of cells of a board, which are numbered row by row."""

from functools import lru_cache


@lru_cache(maxsize=32)
def neighbours(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each cell, above, to the left, to the right and below."""
    return tuple(
        tuple(
            r * columns + c
            for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
            if 0 <= r < rows and 0 <= c < columns
        )
        for row in range(rows)
        for column in range(columns)
    )
