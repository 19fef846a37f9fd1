"""Layouts of answers: every form of a right answer is read, and other texts stay what they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer
from palaestra.testing import formats
from palaestra.verifiers.reading import labels, layout, matrices, numbers, values
from palaestra.verifiers.reading.grids import grid
from palaestra.verifiers.reading.labels import labelled
from palaestra.verifiers.replies import unwrapped

NUMBERS = st.integers(-999, 999).map(str)
WORDS = st.text("abcdefgh", min_size=2, max_size=6).filter(lambda word: word != "and")
pytestmark = pytest.mark.hypothesis


@given(st.lists(NUMBERS, min_size=2, max_size=8))
def test_a_list_of_numbers_is_the_same_in_every_layout(row):
    right = [int(number) for number in row]
    for form, text in formats.listed(row):
        assert numbers.integers(unwrapped(text)) == right, form


@given(st.lists(WORDS, min_size=2, max_size=8))
def test_a_list_of_words_is_the_same_in_every_layout(words):
    for form, text in formats.listed(words):
        assert values.items(unwrapped(text)) == words, form


@given(st.integers(2, 5), st.integers(2, 5), st.data())
def test_a_grid_is_the_same_in_every_layout(rows, columns, data):
    row = st.lists(st.sampled_from("#-*"), min_size=columns, max_size=columns)
    cells = data.draw(st.lists(row, min_size=rows, max_size=rows))
    for form, text in formats.grid(cells):
        assert grid(unwrapped(text), rows, columns, "#-*") == cells, form


@given(st.integers(2, 5), st.integers(2, 5), st.data())
def test_a_matrix_is_the_same_in_every_layout(rows, columns, data):
    row = st.lists(NUMBERS, min_size=columns, max_size=columns)
    cells = data.draw(st.lists(row, min_size=rows, max_size=rows))
    right = [[int(cell) for cell in each] for each in cells]
    for form, text in formats.grid(cells):
        assert matrices.rows_of_integers(unwrapped(text)) == right, form


@given(st.dictionaries(WORDS, NUMBERS, min_size=2, max_size=6))
def test_labelled_values_are_the_same_in_every_layout(pairs):
    for form, text in formats.labelled([*pairs.items()]):
        assert labels.pairs(unwrapped(text), list(pairs)) == pairs, form


@given(st.lists(WORDS, min_size=2, max_size=6))
def test_values_by_number_are_the_same_in_every_layout(words):
    pairs = {str(number): word for number, word in enumerate(words, 1)}
    for form, text in formats.labelled([*pairs.items()]):
        assert labels.pairs(unwrapped(text), list(pairs)) == pairs, form


@given(st.lists(st.tuples(WORDS, WORDS).map(" ".join), min_size=2, max_size=6))
def test_the_lines_of_a_plan_are_the_same_in_every_layout(moves):
    for form, text in formats.steps(moves):
        assert layout.lines(unwrapped(text)) == moves, form


@given(st.one_of(NUMBERS, WORDS))
def test_every_wrapping_of_one_value_comes_off(value):
    for form, text in formats.wrapped(value):
        assert unwrapped(text) == value, form


@pytest.mark.parametrize(
    "text",
    [
        "-267",  # not 267
        "2 + 3 = 5",
        "\\boxed{3} \\boxed{4}",
        "\\text{a} or \\text{b}",
        "'a' and 'b'",
        "answer 5",
        "- * -\n* - *",
        "*--*",
        "1...",
    ],
)
def test_what_is_no_wrapping_stays(text):
    assert unwrapped(text) == text


@pytest.mark.parametrize(
    "text", ["- 3", "1. 5", "x = y = 3", "3 = 4", "x - 3", "x == 3", "{3}", "3 or 4", "=-", "x ="]
)
def test_what_is_no_integer_in_another_form_is_refused(text):
    with pytest.raises(InvalidAnswer):
        numbers.integer(unwrapped(text))


def test_markers_that_do_not_count_all_lines_stay():
    assert layout.lines("1. a\n3. b") == ["1. a", "3. b"]
    assert layout.lines("- a\nb") == ["- a", "b"]


def test_a_cell_that_is_missing_is_not_made_up():
    with pytest.raises(InvalidAnswer):
        grid("# #\n#", 2, 2, "#-")
    assert grid(unwrapped("# .\n# ."), 2, 2, "#-") == [["#", "-"], ["#", "-"]]


@pytest.mark.parametrize(
    "unit",
    [
        " ",
        "-",
        "[",
        "{",
        "*",
        "=",
        "a: ",
        "a = ",
        ", ",
        "1. ",
        "\n",
        "- \n",
        "|",
        "---|",
        "**",
        "the answer is ",
        "\\boxed{",
        "\\begin{matrix}",
        "\\end{matrix}",
        '"',
        "$",
        "and ",
        " and",
        "\t",
        "so, ",
        "step 1: ",
        "| a ",
        "a is ",
        "a - ",
        "{a: ",
        "a:\n",
    ],
)
def test_reading_is_linear_in_the_length_of_the_text(unit, linear):
    def read(text):
        for reader in (
            unwrapped,
            layout.lines,
            layout.parts,
            layout.list_text,
            labelled,
            layout.grid_rows,
        ):
            reader(text)

    linear(read, unit)


def test_an_array_of_numbers_is_one_row_and_an_array_of_texts_are_rows():
    assert matrices.rows_of_integers("[13, -1]") == [[13, -1]]
    assert matrices.rows_of_integers('["13 -1", "2 3"]') == [[13, -1], [2, 3]]
    assert grid('["#-", "-#"]', 2, 2, "#-") == [["#", "-"], ["-", "#"]]


def test_an_object_with_a_value_that_cannot_be_read_is_refused():
    for text in ('{"a": 1, "z": null}', '{"a": 1, "z": {"b": 2}}', '{"a": 1, "a": 2}'):
        with pytest.raises(InvalidAnswer):
            labels.pairs(text, ["a"])
    assert labels.pairs('{"a": 1}', ["a"]) == {"a": "1"}


def test_counted_parts_and_paths_are_labels():
    for text in ("Part 1: a\nPart 2: b", "path 1: a\npath 2: b"):
        assert layout.lines(text) == ["a", "b"]
