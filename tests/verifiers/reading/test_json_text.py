"""Tests of palaestra.verifiers.reading.json_text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.json_text import json_text

VALUES = st.recursive(
    st.text() | st.booleans() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_values_without_numbers_are_those_of_the_usual_reader(value):
    assert json_text(json.dumps(value)) == value


def test_numbers_and_constants_stay_as_they_are_written():
    assert json_text("[1, 2.50, -0, 1e3, NaN]") == ["1", "2.50", "-0", "1e3", "NaN"]


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[[{"b": {"a": 1, "c": 2, "a": 3}}]]'])
def test_keys_with_two_values_are_refused(text):
    with pytest.raises(InvalidAnswer, match="'a' has two values"):
        json_text(text)


def test_other_texts_raise_as_usual():
    with pytest.raises(ValueError, match="Expecting value"):
        json_text("a")
    with pytest.raises(RecursionError):
        json_text("[" * 100_000)
