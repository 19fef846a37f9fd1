"""Tests of palaestra.verifiers.reading.answer_lines, and of the environments that use it."""

import json
import re

import pytest

from palaestra.address import Address
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.answer_lines import (
    answer_lines,
    exact,
    listed,
    number_lines,
    number_list,
    without,
)

LINES = {
    "reading/definition_chase": "item",
    "reading/log_correlation": "question",
    "reading/long_execution": "value",
    "reading/many_documents": "question",
    "rules/statute_application": "Case",
    "databases/schema_validation": "Document",
    "critique/counterexample": "Claim",
    "critique/first_wrong_step": "Solution",
    "critique/uniqueness": "System",
    "following/quoted_instructions": "Question",
    "physics/kinematics": "Question",
    "physics/unit_conversion": "Question",
}
"""Environments with one line for each question, and what their questions call these."""

ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def layouts(values, noun):
    """The same values in other formats."""
    numbered = [*enumerate(values, 1)]
    yield "\n".join(rf"{n}: \boxed{{{value}}}" for n, value in numbered)
    yield "\n".join(f"{n}: ${value}$" for n, value in numbered)
    yield "\n".join(f"#{n}: {value}" for n, value in numbered)
    yield "\n".join(f"{noun} {n}: {value}" for n, value in numbered)
    yield "\n".join(f"**{noun} {n}:** {value}" for n, value in numbered)
    yield "\n".join(f"({n}): {value}" for n, value in numbered)
    yield " and ".join(f"{n}: {value}" for n, value in numbered)
    yield "; ".join(f"{n}: {value}" for n, value in numbered)
    yield "\n".join(values)
    yield json.dumps(values)
    yield json.dumps({str(n): value for n, value in numbered})
    yield "\n".join(reversed([f"{n}: {value}" for n, value in numbered]))


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("seed", [101, 102])
def test_lines_in_other_formats(name, seed):
    task = Address.of(name, seed, 3).task()
    values = [line.split(": ", 1)[1] for line in task.answer().splitlines()]
    for text in layouts(values, LINES[name]):
        assert task.verify(text).value == 1, text
    arabic = re.sub(r"(?m)^\d+", lambda match: match[0].translate(ARABIC), task.answer())
    assert task.verify(arabic).value == 1
    assert task.verify(task.answer().translate(ARABIC)).value == 1


def reward(task, text):
    try:
        return task.verify(text).value
    except InvalidAnswer:
        return 0


@pytest.mark.parametrize("name", LINES)
def test_wrong_lines_stay_wrong(name):
    task = Address.of(name, 101, 3).task()
    values = [line.split(": ", 1)[1] for line in task.answer().splitlines()]
    swapped = [*values[1:], values[0]]
    if swapped != values:
        for text in layouts(swapped, LINES[name]):
            assert reward(task, text) == 0, text
    for text in (task.answer() + "\n9: 1", "\n".join(values[:-1]), "", task.answer() * 2):
        assert reward(task, text) == 0, text


def numbers_of(name, level=3):
    task = Address.of(name, 101, level).task()
    return task, [re.findall(r"-?\d+", line)[1:] for line in task.answer().splitlines()]


@pytest.mark.parametrize(
    ("name", "head", "before"),
    [("rules/statute_application", " coins", "§"), ("reading/many_documents", "", "Document ")],
)
def test_numbers_with_words(name, head, before):
    task, rows = numbers_of(name)
    for form in (
        lambda first, rest: f"{first}{head}, {', '.join(before + each for each in rest)}",
        lambda first, rest: f"{first}{head} ({', '.join(rest)})",
        lambda first, rest: f"[{', '.join([first, *rest])}]",
        lambda first, rest: f"{first}, {' and '.join(rest)}",
        lambda first, rest: f"{first}, {' -> '.join(rest)}",
        lambda first, rest: f"{first}, {before}{', '.join(rest)}",
    ):
        text = "\n".join(f"{n}: {form(row[0], row[1:])}" for n, row in enumerate(rows, 1))
        assert task.verify(text.replace(" ()", "").replace(", \n", "\n")).value == 1, text


def test_units_that_questions_name():
    task = Address.of("reading/definition_chase", 101, 3).task()
    assert task.verify(re.sub(r"$", " grains", task.answer(), flags=re.MULTILINE)).value == 1
    assert exact("61 1/4 m") == "245/4 m"
    assert exact("-1 1/4") == "-5/4"
    assert exact("245/4 m ≈ 61.25 m") == "245/4 m"
    assert exact("1/3 ≈ 0.34") == "1/3 ≈ 0.34"


def test_quantities_in_objects():
    task = Address.of("physics/kinematics", 101, 3).task()
    rows = [line.split(": ")[1].split() for line in task.answer().splitlines()]
    values = {str(n): {"value": v, "unit": u} for n, (v, u) in enumerate(rows, 1)}
    assert task.verify(json.dumps(values)).value == 1
    approximate = "\n".join(f"{n}: {v} {u} ≈ {v} {u}" for n, (v, u) in enumerate(rows, 1))
    assert task.verify(approximate).value == 1


@pytest.mark.parametrize("text", ["", "1: a", "1: a\n1: b", "a\nb\nc", "1: a\nb", "3: a\n1: b"])
def test_there_is_one_line_for_each_number(text):
    with pytest.raises(InvalidAnswer):
        answer_lines(text, 2)


def test_parts():
    assert answer_lines("The answers are:\n1: a\n2: b", 2) == ["a", "b"]
    assert answer_lines("1 - a\n2 - b", 2) == ["a", "b"]
    assert answer_lines("1: a, b and 2: c", 2) == ["a, b", "c"]
    assert listed("[root.a, root.b[0]]") == "root.a, root.b[0]"
    assert listed("a and b and c") == "a, b, c"
    assert number_list("1339 (6189 -> 8977)") == [1339, 6189, 8977]
    assert number_lines("1: 35 words\n2: 7", 2, ["word"]) == {"1": 35, "2": 7}
    assert without("words 3", ["word"]) == "3"
    with pytest.raises(InvalidAnswer):
        number_list("1, 2 or not 3")


@pytest.mark.parametrize(
    "name", [*LINES, "following/revised_request", "physics/dimensionless_groups"]
)
def test_long_answers(name):
    task = Address.of(name, 101, 3).task()
    first, *rest = task.answer().split("\n")
    for sign in (" ", ", ", "*", "(", "and ", "\u2248", "= ", "1 ", "$", "x_"):
        text = "\n".join([f"{first} {sign * (100_000 // len(sign))}z", *rest])
        assert reward(task, text) == 0


def test_long_texts_are_refused():
    for sign in ("1", "1: ", "(", "[", "and ", "# ", "a, ", " ", "$", "\n1: 1"):
        with pytest.raises(InvalidAnswer):
            number_lines(sign * (100_000 // len(sign)), 3, ["word"])


def is_right(name, seed, level, change):
    task = Address.of(name, seed, level).task()
    text = change(task.answer())
    return reward(task, text) == 1


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (
            "critique/uniqueness",
            lambda text: re.sub(r"([A-Z])$", r"\1 are true", text, flags=re.MULTILINE),
        ),
        ("critique/uniqueness", lambda text: text.replace(", ", "")),
        ("critique/first_wrong_step", lambda text: text.replace("none", "no step is wrong")),
        ("critique/first_wrong_step", lambda text: text.replace(", ", ", x = ")),
        ("critique/counterexample", lambda text: re.sub(r"([A-Z])-([A-Z])", r"\1\2", text)),
        ("critique/counterexample", lambda text: re.sub(r"(\d): ([A-Z]-)", r"\1: edges \2", text)),
        ("databases/schema_validation", lambda text: text.replace(", ", " and ")),
        (
            "databases/schema_validation",
            lambda text: re.sub(r"(root.*)$", r"[\1]", text, flags=re.MULTILINE),
        ),
        ("following/revised_request", lambda text: f"Final list: {text}"),
        ("following/revised_request", lambda text: f"**The final list is:** {text}"),
        (
            "following/self_describing_text",
            lambda text: json.dumps({str(n): int(x) for n, x in enumerate(text.split(", "), 1)}),
        ),
        (
            "following/self_describing_text",
            lambda text: ", ".join(f"[{n}]: {x}" for n, x in enumerate(text.split(", "), 1)),
        ),
        (
            "physics/dimensional_analysis",
            lambda text: re.sub(r"^(?!hold)(\w+):", r"unit of \1:", text, flags=re.MULTILINE),
        ),
        (
            "physics/dimensional_analysis",
            lambda text: re.sub(r"^(?!hold)(\w+):", r"[\1] =", text, flags=re.MULTILINE),
        ),
        ("physics/dimensional_analysis", lambda text: text.replace("hold:", "Formulas that hold:")),
        (
            "physics/dimensionless_groups",
            lambda text: re.sub(r"^", "π1 = ", text, flags=re.MULTILINE),
        ),
        (
            "physics/dimensionless_groups",
            lambda text: re.sub(r"^", "Pi_1 = ", text, flags=re.MULTILINE),
        ),
        (
            "physics/dimensionless_groups",
            lambda text: re.sub(r"^(.*)$", r"$\\Pi_1 = \1$", text, flags=re.MULTILINE),
        ),
        (
            "physics/dimensionless_groups",
            lambda text: re.sub(r"$", " = 1", text, flags=re.MULTILINE),
        ),
        ("physics/dimensionless_groups", lambda text: text.replace("\n", ", ")),
    ],
    ids=[f"format {n}" for n in range(20)],
)
def test_other_formats(name, change):
    assert all(is_right(name, seed, 3, change) for seed in (101, 102, 103))


@pytest.mark.parametrize(
    "name",
    [*LINES, "databases/query_result", "following/self_describing_text",
     "physics/dimensional_analysis", "physics/dimensionless_groups"],
)  # fmt: skip
def test_digits_of_any_script(name):
    assert is_right(name, 101, 3, lambda text: text.translate(ARABIC))


@pytest.mark.parametrize("label", ["06", "0", "7", "6.5"])
def test_labels_are_the_numbers_of_the_lines(label):
    for name in ("reading/long_execution", "critique/first_wrong_step"):
        assert not is_right(name, 101, 3, lambda text: re.sub(r"^1:", f"{label}:", text))


@pytest.mark.parametrize(
    "text", ['{"1": "A, B", "1": "C", "2": "D"}', '[{"a": "1", "a": "2"}, "3"]']
)
def test_a_key_with_two_values_is_refused(text):
    """The usual reader of JSON would take the last one."""
    with pytest.raises(InvalidAnswer, match="two values"):
        answer_lines(text, 2)
