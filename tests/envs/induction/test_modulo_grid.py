"""Tests of induction/modulo_grid."""

from palaestra.generators.induction import modulo_grid
from palaestra.registry import load


def test_marks_by_remainders() -> None:
    masks = modulo_grid.masks("lines", 3, 2, 2)
    diagonal = 0b1001  # (r + c) mod 2 = 0
    assert diagonal in masks
    assert modulo_grid.grid_text(diagonal, [], 2, 2) == "xo\nox"


def test_a_rule_of_zeros_marks_all_cells() -> None:
    """Where only marks are shown, all cells may be marked: n = 0*r + 0*c leaves 0."""
    shown_all, board = (1 << 25) - 1, sum(1 << n for n in range(0, 25, 2))
    assert shown_all in modulo_grid.masks("lines", 3, 5, 5)
    task = load("induction/modulo_grid")(
        rows=5,
        columns=5,
        marked=board,
        hidden_cells=tuple(range(1, 25, 2)),
        modulus=3,
        rules="lines",
    )
    assert sorted(task.outcomes()) == [board, shown_all]  # type: ignore[attr-defined]
