"""Determinants and matrix products, compared with SymPy."""

import pytest
import sympy

from palaestra.address import Address


@pytest.mark.parametrize("level", range(7))
def test_matrices_by_sympy(level):
    task = Address.of("algebra/matrix_product", 4, level).task()
    right = sympy.prod([sympy.Matrix(matrix) for matrix in task.matrices])
    assert task.answer() == "\n".join(" ".join(map(str, row)) for row in right.tolist())
    rows = task.value()
    wrong = "\n".join(" ".join(str(n + (n == rows[0][1])) for n in row) for row in rows)
    assert task.verify(wrong).value == 0
    task = Address.of("algebra/determinant", 4, level).task()
    assert task.answer() == str(sympy.Matrix(task.rows).det())
