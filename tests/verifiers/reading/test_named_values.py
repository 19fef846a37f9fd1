"""Answers that give values to names, and lists of names."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import named_values


def test_lists_of_names_may_come_in_any_order_but_not_twice() -> None:
    assert named_values.name_set("Bo; ada", ["Ada", "Bo", "Cleo"]) == {"Ada", "Bo"}
    for wrong in ("Ada, Ada", "Ada, Zoe", "", ","):
        with pytest.raises(InvalidAnswer):
            named_values.name_set(wrong, ["Ada", "Bo"])


@pytest.mark.parametrize(
    "answer", ["1. uncle\n2. Bo and Ada", "**1**: Uncle.\n2) ada, BO.", "2 = Bo; Ada\n1: uncle"]
)
def test_answers_may_be_written_as_lists_and_sentences(answer: str) -> None:
    read = named_values.by_name(answer, ["1", "2"])
    assert read["1"].casefold() == "uncle"
    assert named_values.name_set(read["2"], ["Ada", "Bo", "Cleo"]) == {"Ada", "Bo"}


def test_lists_must_name_each_question_once() -> None:
    for wrong in ("1. a", "1. a\n1: a\n2. b", "1. a\n2. b\n3. c", "1.a\n2.b", "1: 1. a"):
        with pytest.raises(InvalidAnswer):
            named_values.by_name(wrong, ["1", "2"])
