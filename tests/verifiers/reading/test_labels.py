"""Labelled values: every layout is read, and what is ambiguous is refused."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.words import name_set

RIGHT = {"Ada": "knight", "Bo": "knave"}


@pytest.mark.parametrize(
    "text",
    [
        "Ada: knight\nBo: knave",
        "Here is the result:\nAda: knight\nBo: knave",
        "**Result:**\n- Ada: knight\n- Bo: knave",
        "Ada is knight\nBo is knave.",
        "Ada - knight\nBo \u2013 knave",
        "{'Ada': 'knight', 'Bo': 'knave'}",
        "{Ada: knight, Bo: knave}",
        "| name | value |\n| --- | :-: |\n| Ada | knight |\n| **Bo** | knave |",
        "| Ada | knight |\n| Bo | knave |",
        "| Ada | knight |\n|---|---|\n| Bo | knave |",
    ],
)
def test_each_layout_of_names_and_values(text):
    assert pairs(text, list(RIGHT), ["knight", "knave"]) == RIGHT


@pytest.mark.parametrize(
    "text",
    [
        "Ada: knight\nBo: knave\nBo: knight",
        "Ada: knight\nCleo: knave",
        "Ada is knight or Bo is knave",
        "| Ada | knight | knave |\n| Bo | knave | knight |",
        "| Ada | knight |\n| Cleo | knave |",
        "Ada: knight:\nBo: knave",
        "{'Ada': 'knight', 'Bo': 'knave'",
        "Ada:\nknight\nBo:\nknave",
    ],
)
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidAnswer):
        pairs(text, list(RIGHT), ["knight", "knave"])


def test_a_dash_before_a_digit_may_be_a_minus_sign():
    assert pairs("x is 3\ny is -2", "xy") == {"x": "3", "y": "-2"}
    for text in ("x - 3\ny - 2", "x -3\ny -2"):
        with pytest.raises(InvalidAnswer):
            pairs(text, "xy")


def test_a_time_is_no_label():
    names = ["earliest", "latest"]
    right = {"earliest": "Monday 06:15", "latest": "Tuesday 21:05"}
    for text in (
        "earliest is Monday 06:15\nlatest is Tuesday 21:05",
        "\n".join(map(": ".join, right.items())),
    ):
        assert pairs(text, names) == right


@pytest.mark.parametrize(
    "answer", ["1. uncle\n2. Bo and Ada", "**1**: Uncle.\n2) ada, BO.", "2 = Bo; Ada\n1: uncle"]
)
def test_answers_may_be_written_as_lists_and_sentences(answer: str) -> None:
    read = pairs(answer, ["1", "2"])
    assert read["1"].casefold() == "uncle"
    assert name_set(read["2"], ["Ada", "Bo", "Cleo"]) == {"Ada", "Bo"}


def test_lists_must_name_each_question_once() -> None:
    for wrong in ("1. a", "1. a\n1: a\n2. b", "1. a\n2. b\n3. c", "1.a\n2.b", "1: 1. a"):
        with pytest.raises(InvalidAnswer):
            pairs(wrong, ["1", "2"])


def test_named_values():
    names, values = ["Ada", "Bo-2"], ["red", "dark blue"]
    for text in (
        "Ada: red\nBo-2: dark blue",
        "- bo-2 = Dark Blue\n\n* ADA: RED",
        "'Ada: red'\n`bo-2: dark blue`",
    ):
        assert pairs(text, names, values) == {"Ada": "red", "Bo-2": "dark blue"}
    assert pairs("Ada: 3 = 3\nBo-2: x", names)["Ada"] == "3 = 3"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ada: red",
        "Ada: red\nAda: red",
        "Ada red\nBo-2 red",
        "Ada: red\nBo: red",
        "Ada: red\nBo-2: pink",
    ],
)
def test_no_named_values(text):
    with pytest.raises(InvalidAnswer):
        pairs(text, ["Ada", "Bo-2"], ["red", "dark blue"])


@pytest.mark.parametrize("noun", ["node", "Vertex", "claim", "Question", "walk"])
def test_a_noun_may_stand_before_each_label(noun):
    text = "\n".join(f"{noun} {name}: {value}" for name, value in RIGHT.items())
    assert pairs(text, RIGHT) == RIGHT


@pytest.mark.parametrize("word", ["not", "non", "no", "anti", "the opposite of"])
def test_another_word_before_a_label_is_refused(word):
    with pytest.raises(InvalidAnswer):
        pairs(f"{word} Ada: knight\nBo: knave", RIGHT)


def test_a_noun_that_belongs_to_a_label_stays():
    values = {"node A": "1", "A": "2"}
    assert pairs("node A: 1\nA: 2", values) == values


def test_labels_may_have_several_spellings():
    names, spellings = ["A", "centre"], {"center": "centre", "centre of the graph": "centre"}
    for label in ("centre", "Center", "**centre of the graph**"):
        text = f"A: 1\n{label}: B"
        assert pairs(text, names, spellings=spellings) == {"A": "1", "centre": "B"}
    with pytest.raises(InvalidAnswer):
        pairs("A: 1\ncentre: B\ncenter: B", names, spellings=spellings)


@pytest.mark.parametrize(
    "text",
    [
        "centroid: x = 1, y = 2",
        "centroid: x = 1, y = 2\nfoot: x = 3, y = 4",
        "centroid: x = 1, y = 2, foot: x = 3, y = 4",
        "**centroid:** x: 1, y: 2; **foot:** x: 3, y: 4",
        "centroid: (x, y) = (1, 2); point foot: (x, y) = (3, 4)",
    ],
)
def test_a_value_on_one_line_may_have_names_of_its_own(text):
    names = ["centroid", "foot"] if "foot" in text else ["centroid"]
    read = pairs(text, names)
    for name, point in zip(names, ([1, 2], [3, 4])):
        assert integers(read[name], names="xy") == point


def test_a_label_of_its_own_that_is_not_known_stays_in_the_value():
    assert pairs("Ada: knight, Zoe: knave; Bo: knave", RIGHT)["Ada"] == "knight, Zoe: knave"
    with pytest.raises(InvalidAnswer):
        pairs("Ada: knight, Zoe: knave; Bo: knave", RIGHT, ["knight", "knave"])


@pytest.mark.parametrize(
    "text",
    [
        "Final answer\na: 1\nb: 2",
        "## Answer\na: 1\nb: 2",
        "**The values are**\na: 1\nb: 2",
        "name | value\n--- | ---\na | 1\nb | 2",
        "a | 1\nb | 2",
        "| a | 1\n| b | 2",
    ],
)
def test_headings_and_tables_in_other_forms(text):
    assert pairs(text, ["a", "b"]) == {"a": "1", "b": "2"}


@pytest.mark.parametrize("text", ["no answer\na: 1\nb: 2", "a | 1 | 2\nb | 2 | 3", "c | 1\nb | 2"])
def test_what_is_no_heading_and_no_table(text):
    with pytest.raises(InvalidAnswer):
        pairs(text, ["a", "b"])


def test_a_label_may_be_called_answer():
    assert pairs("answer: 1\nvalue: 2", ["answer", "value"]) == {"answer": "1", "value": "2"}
    assert pairs("a: x | y\nb: z | w", ["a", "b"]) == {"a": "x | y", "b": "z | w"}
