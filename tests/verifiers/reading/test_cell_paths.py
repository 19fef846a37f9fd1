"""Paths of cells: the forms in which they are written, and what is refused."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.cell_paths import cell_path

NUMBERED = {7: (1, 4), 14: (3, 2), 21: (5, 0)}


@pytest.mark.parametrize(
    "text",
    [
        "r6c1-r4c3-r2c5", "R6C1 - R4C3 - R2C5", "r6c1xr4c3xr2c5", "r6c1 \u2192 r4c3 \u2192 r2c5",
        "r6c1 \u2013 r4c3 \u2013 r2c5", "r6c1->r4c3->r2c5", "r6c1 to r4c3 to r2c5",
        "(6, 1) -> (4, 3) -> (2, 5)", "[6, 1], [4, 3], [2, 5]", "r6c1, r4c3, r2c5",
        "r6c1\nr4c3\nr2c5", '["r6c1", "r4c3", "r2c5"]', "**r6c1-r4c3-r2c5**", "`r6c1-r4c3-r2c5`",
        "1. r6c1-r4c3-r2c5", "- r6c1-r4c3-r2c5.", "I move from r6c1 to r4c3, then r2c5",
        "row 6, column 1 to row 4, column 3 to row 2, column 5", "21x14x7", "21-14-7",
        "21 to 14 to 7", r"$r6c1 \to r4c3 \to r2c5$",
    ],
)  # fmt: skip
def test_forms(text):
    assert cell_path(text, 8, 8, NUMBERED) == [(5, 0), (3, 2), (1, 4)]


def test_a_path_may_come_back():
    assert cell_path("r2c5-r4c3-r2c5", 8, 8) == [(1, 4), (3, 2), (1, 4)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "r6c1",
        "r6c1-",
        "-r6c1",
        "r6c1-r9c1",
        "up",
        "21x13",
        "21x",
        "r6c1-r4c3?",
        "6 1 4 3",
        "x" * 9_000,
    ],
)
def test_what_is_refused(text):
    with pytest.raises(InvalidAnswer):
        cell_path(text, 8, 8, NUMBERED)


def test_numbers_count_only_where_cells_have_them():
    with pytest.raises(InvalidAnswer):
        cell_path("21x14", 8, 8)


@pytest.mark.parametrize("unit", ["r1c1-", " ", "x", "to ", "1. ", "- ", "r1c1, "])
def test_the_time_is_linear(linear, unit):
    def read(text):
        with pytest.raises(InvalidAnswer):
            cell_path(text, 8, 8)

    linear(read, unit)
