"""Answers that are matrices of numbers: reading them, and comparing them with the right one."""

from collections.abc import Sequence

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import plain


def rows_of_integers(text: str) -> list[list[int]]:
    r"""Read a list of whole numbers from each line that is not empty.

    >>> rows_of_integers("1 2\n3, 4")
    [[1, 2], [3, 4]]
    """
    rows = layout.grid_rows(plain(text))
    if len(rows) > 1_000:
        raise InvalidAnswer(f"expected at most 1000 lines, got {len(rows)}")
    return [integers(row.replace("|", " ")) for row in rows]


def grid_score(answer: str, right: Sequence[Sequence[int]]) -> Score:
    r"""1 for the right grid; otherwise 0, the share of right cells, and the first wrong row.

    >>> grid_score("1 2\n3 5", [[1, 2], [3, 4]]).reason
    'row 2 is wrong'
    """
    rows = rows_of_integers(answer)
    sizes = [len(row) for row in right]
    if [len(row) for row in rows] != sizes:
        raise InvalidAnswer(f"expected {len(sizes)} rows of {sizes[0]} numbers")
    wrong = [n for n, (row, other) in enumerate(zip(rows, right), 1) if row != [*other]]
    if not wrong:
        return Score(1)
    cells = [a == b for row, other in zip(rows, right) for a, b in zip(row, other)]
    return Score(0, f"row {wrong[0]} is wrong", {"cells": sum(cells) / len(cells)})
