"""Simple predictors, which serve as a baseline: least squares, and others that are weaker."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import mul
from statistics import fmean, median

Rows = Sequence[Sequence[str]]


Column = Callable[[Sequence[str]], list[list[float]]]
"""The terms of a column, each with a value for every row."""


class Design:
    """The terms of a linear model: a number for each numeric column, in which the median stands for
    empty cells, and one for each code of a column but the first.
    """

    def __init__(self, rows: Rows, is_numeric: Sequence[bool]) -> None:
        self.columns: list[Column] = []
        for texts, numeric in zip(zip(*rows), is_numeric):
            self.columns.append(_numbers(texts) if numeric else _codes(texts))

    def terms(self, rows: Rows) -> list[list[float]]:
        """The terms of rows, each with a value for every row, the constant first."""
        columns = zip(self.columns, zip(*rows))
        return [[1.0] * len(rows), *(term for column, texts in columns for term in column(texts))]


def _numbers(texts: Sequence[str]) -> Column:
    values = [float(text) for text in texts if text]
    middle = median(values) if values else 0.0
    spread = max(values, default=1.0) - min(values, default=0.0) or 1.0
    return lambda own: [[(float(text) - middle) / spread if text else 0.0 for text in own]]


def _codes(texts: Sequence[str]) -> Column:
    codes = sorted({*texts})[1:]
    return lambda own: [[float(text == code) for text in own] for code in codes]


def solution(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of symmetric positive definite equations, by elimination."""
    lines = [[*line, value] for line, value in zip(matrix, right)]
    for n, pivot in enumerate(lines):
        for m in range(n + 1, len(lines)):
            factor = lines[m][n] / pivot[n]
            if factor:
                lines[m] = [a - factor * b for a, b in zip(lines[m], pivot)]
    result = [0.0] * len(lines)
    for n in reversed(range(len(lines))):
        rest = sum(lines[n][m] * result[m] for m in range(n + 1, len(lines)))
        result[n] = (lines[n][-1] - rest) / lines[n][n]
    return result


def linear_predictions(
    training: Rows, results: Sequence[float], test: Rows, is_numeric: Sequence[bool]
) -> list[float]:
    """The predictions of least squares for the rows of a test table."""
    design = Design(training, is_numeric)
    terms = design.terms(training)
    matrix = [[0.0] * len(terms) for _ in terms]
    for n, one in enumerate(terms):
        for m in range(n, len(terms)):
            matrix[n][m] = matrix[m][n] = sum(map(mul, one, terms[m]))
        matrix[n][n] += 1e-6
    weights = solution(matrix, [sum(map(mul, one, results)) for one in terms])
    return [sum(map(mul, weights, own)) for own in zip(*design.terms(test))]


def neighbour_predictions(
    training: Rows,
    results: Sequence[float],
    test: Rows,
    is_numeric: Sequence[bool],
    number: int = 8,
) -> list[float]:
    """The mean result of the nearest training rows."""
    design = Design(training, is_numeric)
    known = [*zip(zip(*design.terms(training)), results)]
    predictions = []
    for own in zip(*design.terms(test)):
        near = sorted(
            (sum((a - b) * (a - b) for a, b in zip(own, terms)), result) for terms, result in known
        )
        predictions.append(fmean(result for _, result in near[:number]))
    return predictions


def single_predictions(
    training: Rows, results: Sequence[float], test: Rows, is_numeric: Sequence[bool]
) -> list[float]:
    """The mean result of the group of a row, by the column whose groups differ most: codes, or
    eight ranges of a number.
    """
    best, mean = -1.0, fmean(results)
    chosen = [mean] * len(test)
    for n, numeric in enumerate(is_numeric):
        group = _ranges([row[n] for row in training]) if numeric else str
        sums: dict[str, list[float]] = {}
        for row, result in zip(training, results):
            sums.setdefault(group(row[n]), []).append(result)
        score = sum(sum(own) ** 2 / len(own) for own in sums.values())
        if score > best:
            means = {name: fmean(own) for name, own in sums.items()}
            best, chosen = score, [means.get(group(row[n]), mean) for row in test]
    return chosen


def _ranges(texts: Sequence[str]) -> Callable[[str], str]:
    values = sorted(float(text) for text in texts if text)
    limits = [values[len(values) * n // 8] for n in range(1, 8)]
    return lambda text: str(bisect_right(limits, float(text))) if text else "empty"
