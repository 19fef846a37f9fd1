r"""Answers that are matrices of numbers: reading them, and comparing them with the right one.

Rows are lines, or are separated by semicolons, or by ``\\`` as in LaTeX. They may be arrays in an
array (``[[1, 2], [3, 4]]``, also with round brackets or braces), have bars, brackets or a border
around them, and a name before the whole (``A = ``). Cells are separated by spaces, commas, bars or
``&``; each is a number as :mod:`~palaestra.verifiers.reading.numbers` reads it.
"""

import re
from collections.abc import Sequence

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.numbers import integers, unnamed
from palaestra.verifiers.reading.values import plain

_NESTED = re.compile(r"([({])\s?\1[^\[\]]*[)}]\s?[)}]")
_BRACKETS = str.maketrans("(){}", "[][]")
_LARGE = str.maketrans("", "", "⎡⎢⎣⎤⎥⎦⎛⎜⎝⎞⎟⎠")
_ROW_GAP = re.compile(r"\\\\\[[^\]\n]{0,12}\]")


def rows_of_integers(text: str) -> list[list[int]]:
    r"""Read a list of whole numbers from each line that is not empty.

    >>> rows_of_integers("1 2\n3, 4")
    [[1, 2], [3, 4]]
    """
    rows = layout.grid_rows(_laid_out(plain(text)))
    if len(rows) > 1_000:
        raise InvalidAnswer(f"expected at most 1000 lines, got {len(rows)}")
    return [integers(row.replace("|", " ")) for row in rows]


def lists_of_integers(text: str, inputs: Sequence[str] = ()) -> list[list[int]]:
    r"""Read lists of whole numbers, one per line, which may have different lengths.

    Numbers, bullets and names that count the lines go, and so do the ``inputs`` that the lists are
    the results for, where each line repeats its own.

    >>> lists_of_integers("Job 1: 1, 2\nJob 2: 3"), lists_of_integers("[1] -> [2, 3]", ["[1]"])
    ([[1, 2], [3]], [[2, 3]])
    """
    body = layout.without_inputs(plain(text), inputs)
    return rows_of_integers("\n".join(layout.lines(body)) if "\n" in body else body)


def _laid_out(text: str) -> str:
    r"""A matrix in one of the layouts of a grid, without its name.

    >>> _laid_out("A = {{1, 2}, {3, 4}}"), _laid_out("[1 2; 3 4]"), _laid_out(r"1 & 2 \\ 3 & 4")
    ('[[1, 2], [3, 4]]', '1 2; 3 4', '1   2 \n 3   4')
    """
    body = unnamed(text) if "=" in text else text
    if _NESTED.fullmatch(body):
        return body.translate(_BRACKETS)
    if not body.isascii():
        body = body.translate(_LARGE)
    if "\\\\" in body:
        body = _ROW_GAP.sub(r"\\\\", body)
        if "\\begin" not in body:
            body = body.replace("\\\\", "\n").replace("&", " ")
    if ";" in body and body[:1] == "[" and body[-1:] == "]" and "[" not in body[1:]:
        return body[1:-1]
    return body


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
        return Score(1, parts={"progress": 1})
    cells = [a == b for row, other in zip(rows, right) for a, b in zip(row, other)]
    return Score(0, f"row {wrong[0]} is wrong", {"progress": sum(cells) / len(cells)})
