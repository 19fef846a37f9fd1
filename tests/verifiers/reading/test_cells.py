"""Readers of cells: every usual form, and no cell that is not written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.testing import cell_formats
from palaestra.verifiers.reading.cells import cell, cell_name, cell_pair, cell_pairs, cells
from palaestra.verifiers.replies import unwrapped

CELL = st.tuples(st.integers(0, 11), st.integers(0, 11))
pytestmark = pytest.mark.hypothesis


@pytest.mark.parametrize(
    "text",
    [
        *("r2c5", "R2C5", "r2 c5", "R2, C5", "r02c05", "(r2, c5)", "r2c5.", "cell r2c5"),
        *("row 2 column 5", "Row 2, Column 5", "row 2, col 5", "Row 2: Column 5", "row=2, col=5"),
        *("column 5, row 2", "row 2 and column 5", "(2, 5)", "(2,5)", "[2, 5]", "[[2, 5]]"),
        *("2, 5", "2 5", "2,5.", "**r2c5**", "`(2, 5)`", '"r2c5"', '["r2c5"]', "- r2c5"),
        *('{"row": 2, "column": 5}', "1. r2c5", "the cell at row 2, column 5"),
    ],
)
def test_forms_of_a_cell(text):
    assert cell(text, 5, 5) == (1, 4)
    assert cells(text, 5, 5) == [(1, 4)]


@pytest.mark.parametrize(
    "text",
    [
        *("", "25", "2", "(5)", "2.5", "(2.0, 5)", "-2 5", "(2, -5)", "(2, 5, 1)", "2, 5, 1"),
        *("r2", "c5", "r2c", "r2 r5", "x2y5", "r2c5r1", "r2c5 or r1c1", "not r2c5", "r2c5 -> r1c1"),
        *("r2c5-r1c1", "row two column five", "r1234c1", "b3", "2/5", "r-2c5", "~r2c5"),
    ],
)
def test_no_cell(text):
    with pytest.raises(InvalidAnswer, match="expected one cell, such as r2c5"):
        cell(text, 5, 5)


def test_the_reason_shows_the_form_of_the_prompt_and_the_grid():
    with pytest.raises(InvalidAnswer, match="expected one cell, such as 1 2"):
        cell("left", 3, 3, "1 2")
    for text in ("(0, 1)", "r4c1", "1, 4"):
        with pytest.raises(InvalidAnswer, match=r"outside the grid \(3 rows, 3 columns\)"):
            cell(text, 3, 3)


def test_the_row_is_first():
    assert cell("(2, 1)", 5, 5) == cell("r2c1", 5, 5) != cell("(1, 2)", 5, 5)
    assert cell("column 1, row 2", 5, 5) == (1, 0)


@given(st.lists(CELL, min_size=1, max_size=7, unique=True))
def test_lists_are_read_in_every_form(squares):
    names = [cell_name(*each) for each in squares]
    for form, text in cell_formats.listed(names):
        assert cells(unwrapped(text), 12, 12) == squares, f"{form}: {text!r}"


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=7))
def test_pairs_are_read_in_every_form(pairs):
    names = [f"{cell_name(*one)}-{cell_name(*other)}" for one, other in pairs]
    for form, text in cell_formats.paired(names):
        assert cell_pairs(unwrapped(text), 12, 12) == pairs, f"{form}: {text!r}"
        if len(pairs) == 1:
            assert cell_pair(unwrapped(text), 12, 12) == pairs[0]


def test_no_cells():
    for text in ("none", "None", "[]", "", "()"):
        assert cells(text, 3, 3) == []
    for text in ("1, 2, 3, 3", "[1, 2, 3, 3]", "1 2 3 3", "r1c1, r2", "r1c1 to r1c3", "none, r1c1"):
        with pytest.raises(InvalidAnswer, match="expected a list of cells such as r2c5, or 'none'"):
            cells(text, 3, 3)
    with pytest.raises(InvalidAnswer, match="listed twice"):
        cells("r1c1, (1, 1)", 3, 3)


@pytest.mark.parametrize(
    "text",
    [
        *("r1c1", "r1c1-r1c2-r1c3", "r1c1, r1c2, r1c3, r2c1", "r1c1-", "-r1c1", "r1c1 from r1c2"),
        *("1 1 2 2", "1, 1, 2, 2", "r1c1-r1c2, r1c3", "r1c1 r1c2 - r1c3 r2c1", ""),
    ],
)
def test_no_pairs(text):
    with pytest.raises(InvalidAnswer, match="expected two cells"):
        cell_pairs(text, 3, 3)


def refusal(reader, *arguments):
    """The reason for which a reader refuses a text, or what it reads, as text."""
    try:
        return repr(reader(*arguments))
    except InvalidAnswer as refused:
        return str(refused)


@on_hostile_texts
def test_hostile_text_is_read_or_refused(text):
    for reader in (cell, cells, cell_pair, cell_pairs):
        assert 0 < len(refusal(reader, text, 5, 5)) < 200


@pytest.mark.parametrize("reader", [cell, cells, cell_pair, cell_pairs])
@pytest.mark.parametrize(
    "text", ["r", "( ", "r1 ", "1 ", "1,", "-", "[[", "r1c1 ", "r1c1-", "(1, 1)", "row ", "\n"]
)
def test_long_texts_end(reader, text):
    with pytest.raises(InvalidAnswer):
        reader(f"r1c1{text * (100_000 // len(text))}x", 5, 5)


@pytest.mark.parametrize("sign", [":", "-", "->", "to ", ": ", "..", "=>", "\u2192 "])
def test_a_sign_between_two_cells_does_not_stand_before_the_first(sign):
    with pytest.raises(InvalidAnswer):
        cell(f"{sign}r2c2", 3, 3)
    with pytest.raises(InvalidAnswer):
        cells(f"{sign}r2c2, r1c1", 3, 3)


def test_one_cell_may_have_a_bullet():
    assert cell("- r2c2", 3, 3) == (1, 1)
    assert cells("* r2c2", 3, 3) == [(1, 1)]


def test_the_error_of_a_pair_asks_for_one_pair():
    for text in ("r1c1", "r1c1-r1c2, r2c1-r2c2", "up"):
        with pytest.raises(InvalidAnswer, match=r"^expected two cells, such as r1c2-r3c3$"):
            cell_pair(text, 5, 5)
