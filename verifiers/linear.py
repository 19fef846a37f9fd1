"""Systems of linear equations with integer coefficients, solved exactly.

A row contains the coefficients of an equation, and then its right side.
"""

from collections.abc import Sequence
from fractions import Fraction

Row = tuple[int, ...]


def determinant(matrix: Sequence[Sequence[int]]) -> int:
    """The determinant of a whole matrix, in whole numbers throughout (Bareiss, 1968).

    >>> determinant([[2, 1], [4, 5]])
    6
    """
    rows = [list(row) for row in matrix]
    sign, previous = 1, 1
    for k in range(len(rows) - 1):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            sign = -sign
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, len(rows)):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // previous
        previous = rows[k][k]
    return sign * rows[-1][-1]


def solved(system: Sequence[Row]) -> tuple[Fraction, ...]:
    """The one solution of a square system with a determinant other than 0.

    Eliminates in whole numbers (Bareiss, 1968): each division is exact, and in the end each row
    reads ``determinant * x = right side``.

    >>> [str(value) for value in solved([(1, 1, 3), (1, -1, 2)])]
    ['5/2', '1/2']
    """
    rows = [list(row) for row in system]
    previous = 1
    for k in range(len(rows)):
        pivot = next(i for i in range(k, len(rows)) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        top = rows[k]
        scale = top[k]
        for i, row in enumerate(rows):
            if i != k:
                lead = row[k]
                rows[i] = [(scale * a - lead * b) // previous for a, b in zip(row, top)]
        previous = scale
    return tuple(Fraction(row[-1], previous) for row in rows)


def cramer(system: Sequence[Row]) -> tuple[Fraction, ...]:
    """The same by Cramer's rule (1750).

    >>> cramer([(1, 1, 3), (1, -1, 2)]) == solved([(1, 1, 3), (1, -1, 2)])
    True
    """
    whole = determinant([row[:-1] for row in system])
    return tuple(
        Fraction(determinant([(*row[:k], row[-1], *row[k + 1 : -1]) for row in system]), whole)
        for k in range(len(system))
    )


def holds(row: Row, values: Sequence[Fraction]) -> bool:
    """Whether values satisfy an equation.

    >>> holds((2, -1, 3), [Fraction(1), Fraction(-1)])
    True
    """
    return sum(c * value for c, value in zip(row, values)) == row[-1]
