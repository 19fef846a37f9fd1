"""Matrices in every layout."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra import InvalidAnswer
from palaestra.verifiers.reading.matrices import grid_score, rows_of_integers


@given(st.lists(st.lists(st.integers(-99, 99), min_size=3, max_size=3), min_size=2, max_size=4))
def test_layouts(rows):
    def written(cells, between, left="", right=""):
        return between.join(left + cells.join(map(str, row)) + right for row in rows)

    latex = written(" & ", " \\\\ ")
    for text in (
        *(
            written(" ", "\n"),
            written(", ", "\n"),
            written(" ", "; "),
            written(" | ", "\n", "| ", " |"),
        ),
        *(f"[{written(', ', ', ', '[', ']')}]", f"({written(', ', ', ', '(', ')')})"),
        *(f"{{{written(', ', ', ', '{', '}')}}}", f"[{written(' ', '; ')}]", latex),
        *(f"[{written(', ', '; ')}]", written(" ", "\n", "|", "|"), written(" ", "\n", "[", "]")),
        f"\\begin{{pmatrix}} {latex} \\end{{pmatrix}}",
        f"AB = \\begin{{bmatrix}} {latex.replace(' & ', '&')} \\end{{bmatrix}}",
        f"\\left[\\begin{{array}}{{ccc}} {latex} \\end{{array}}\\right]",
        f"C = [{written(', ', ', ', '[', ']')}]",
        f"A =\n{written(' ', chr(10))}",
        written(" ", "\n", "\u23a2", "\u23a5"),
        written(" & ", " \\\\[4pt] "),
    ):
        assert rows_of_integers(text) == rows, text
        assert grid_score(text, rows).correct
    assert not grid_score(written(" ", "\n"), [[100, *row[1:]] for row in rows]).correct


@pytest.mark.parametrize("text", ["1 2 | x", "[[1, 2], [3, 4.5]]", "((1, 2), (3, a))", "1 2 = 3 4"])
def test_no_matrix(text):
    with pytest.raises(InvalidAnswer):
        rows_of_integers(text)
