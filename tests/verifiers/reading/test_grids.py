"""The reader of grids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.verifiers.reading.grids import grid
from palaestra.verifiers.replies import unwrapped


@given(st.lists(st.lists(st.sampled_from("123"), min_size=3, max_size=3), min_size=2, max_size=4))
def test_grids(rows):
    for between in (" ", "", ", ", " | "):
        text = "\n".join(between.join(row) for row in rows)
        assert grid(text, len(rows), 3, "123") == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12", "expected 2 rows, got 1"),
        ("12\n1", "expected 2 cells in row 2, got 1"),
        ("12\n13", "row 2: expected each cell to be one of 1 2"),
    ],
)
def test_no_grid(text, message):
    with pytest.raises(InvalidAnswer, match=message):
        grid(text, 2, 2, "12")


def test_grids_of_long_signs():
    assert grid("10 2\n2 10", 2, 2, ["2", "10"]) == [["10", "2"], ["2", "10"]]


def test_stars_at_both_ends_are_cells_and_not_bold():
    for text in ("**##\n##**", "**#**\n#####"):
        rows = text.split("\n")
        cells = grid(unwrapped(text), 2, len(rows[0]), "#-*")
        assert cells == [[*row] for row in rows]


@on_hostile_texts
def test_hostile_text_is_refused(text):
    with pytest.raises(InvalidAnswer):
        grid(text, 2, 2, "12")
