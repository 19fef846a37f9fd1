"""Tests of verifiers/modelling/language: reading models, and putting numbers into them."""

import pytest

from palaestra.task import InvalidAnswer
from palaestra.verifiers.modelling.language import (
    LINES,
    TOKENS,
    VARIABLES,
    instance,
    parse,
)

CAPS = {"cap": 7, "share": 3}


def read(text):
    return instance(parse(text, CAPS), CAPS)


def row(text):
    """The coefficients and the bound of one constraint in x and y."""
    only = read(f"continuous x, y\n{text}").rows[0]
    return dict(only.coefficients), only.relation, only.bound


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + y <= cap", ({"x": 1, "y": 1}, "<=", 7)),
        ("2x - 3*y >= 1", ({"x": 2, "y": -3}, ">=", 1)),
        ("x = y", ({"x": 1, "y": -1}, "=", 0)),
        ("label: share*(x + 2*(y - 1)) <= -x", ({"x": 4, "y": 6}, "<=", 6)),
        ("x/2 ≤ 0.5*cap", ({"x": 0.5}, "<=", 3.5)),
        ("-(x - y) * -2 == 3", ({"x": 2, "y": -2}, "=", 3)),
        ("x − x + y => 1  # a remark", ({"y": 1}, ">=", 1)),
        ("3(x + y) <= cap*share/3", ({"x": 3, "y": 3}, "<=", 7)),
    ],
)
def test_constraints(text, expected):
    assert row(text) == expected


@pytest.mark.parametrize(
    "objective",
    ["maximize z = 2*x + y", "Maximize z: 2*x + y", "Objective: max 2*x + y", "max: z = 2x + y",
     "maximize\n2*x + y", "maximize 2*x +\ny", "Objective:\nmaximize z == 2*x + y"],
)  # fmt: skip
def test_objectives_with_names(objective):
    program = read(f"continuous x, y\n{objective}\nConstraints:\nx + y <= cap")
    assert program.names == ("x", "y")
    assert (program.sense, program.objective) == ("maximize", {"x": 2, "y": 1})
    assert len(program.rows) == 1


def test_the_name_of_an_objective_may_be_a_variable():
    program = read("maximize z = 2*x + 1\ncontinuous x, z")
    assert program.objective == {"x": 2}
    assert [(dict(each.coefficients), each.relation, each.bound) for each in program.rows] == [
        ({"z": 1, "x": -2}, "=", 1)
    ]
    with pytest.raises(InvalidAnswer, match="the name cap is taken"):
        read("continuous x\nmaximize cap = x")
    with pytest.raises(InvalidAnswer, match="no variable or quantity 'z'"):
        read("continuous x\nmaximize z = x\nz <= 3")


@pytest.mark.parametrize(
    "declarations",
    ["continuous: x, y", "continuous variables x, y", "Continuous variables: x, y",
     "Variables:\n// two of them\ncontinuous `x`, `y`", "continuous: x\ncontinuous: y",
     "$continuous x, y$"],
)  # fmt: skip
def test_ways_to_declare(declarations):
    program = read(f"{declarations}\nx + y <= cap\nend")
    assert program.names == ("x", "y")
    assert len(program.rows) == 1


def test_labels_may_be_words_of_the_language():
    program = read("continuous real, x\ninteger: x + real <= cap\nreal <= 3\nbinary: x <= 1")
    assert program.names == ("real", "x")
    assert [each.bound for each in program.rows] == [7, 3, 1]


def test_labels_and_headings_of_several_words():
    program = read(
        "Decision variables and their bounds:\ncontinuous x\nInteger variables:\ninteger y\n"
        "Total profit: maximize x + y\nCapacity limits:\nRow 1: x <= cap\nhalf of it: 2*x <= cap"
    )
    assert program.names == ("x", "y")
    assert program.objective == {"x": 1, "y": 1}
    assert [dict(each.coefficients) for each in program.rows] == [{"x": 1}, {"x": 2}]
    with pytest.raises(InvalidAnswer, match="unexpected ':'"):
        read("continuous x\nx + 1: x <= cap")


def test_several_constraints_with_one_bound():
    program = read("continuous x, y\nx, 2*y >= 1")
    assert [(dict(each.coefficients), each.bound) for each in program.rows] == [
        ({"x": 1}, 1), ({"y": 2}, 1),
    ]  # fmt: skip
    with pytest.raises(InvalidAnswer, match="unexpected ','"):
        read("continuous x, y\nx <= 1, y <= 2")


@pytest.mark.parametrize(
    "text", [r"2 \cdot x \le cap", r"$2 \times x \leq cap$", "2*`x` <= `cap`", r"-2x \geq -cap"]
)
def test_signs_of_latex_and_markdown(text):
    program = read(f"continuous x\n{text}")
    assert {(abs(each.coefficients["x"]), abs(each.bound)) for each in program.rows} == {(2, 7)}


def test_a_division_is_no_remark():
    with pytest.raises(InvalidAnswer, match="not '/'"):
        read("continuous x\nx <= cap // 2")


def test_chains_are_several_constraints():
    program = read("continuous x\n1 <= x <= cap\nsubject to:\n\nx >= 2")
    assert [(each.relation, abs(each.bound)) for each in program.rows] == [
        ("<=", 1), ("<=", 7), (">=", 2),
    ]  # fmt: skip


def test_declarations():
    program = read("integer n, m >= 2 <= cap + 1\nbinary b\nreal x >= -3\nmaximise: n + b + 1")
    assert program.names == ("n", "m", "b", "x")
    assert program.integers == (True, True, True, False)
    assert program.lows == (2, 2, 0, -3)
    assert program.highs == (8, 8, 1, None)
    assert program.sense == "maximize"
    assert (dict(program.objective), program.constant) == ({"n": 1, "b": 1}, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "declares no variables"),
        ("continuous x\nx + z <= 1", "no variable or quantity 'z'"),
        ("continuous x\nx * x <= 1", "not linear"),
        ("continuous x\n1/x <= 1", "not linear"),
        ("continuous x\nx/(cap - 7) <= 1", "division by 0"),
        ("continuous x\nx < 1", "not < or >"),
        ("continuous x\nx + 1", "expected a declaration"),
        ("continuous x\n(x <= 1", "bracket"),
        ("continuous x\nx <= 1)", "unexpected"),
        ("continuous x\nx ** 2 <= 1", "expected a number or a name"),
        ("continuous x\nx <=", "the line ends"),
        ("continuous x\nx <= 1; import os", "cannot be read at"),
        ("continuous x\nx <= '1'", "cannot be read at"),
        ("continuous x, x", "is taken"),
        ("continuous cap", "is taken"),
        ("binary x <= 2", "binary variables"),
        ("continuous x <= y\ncontinuous y", "a bound in a declaration has the variable y"),
        ("continuous x\nmaximize x\nminimize x", "second objective"),
        ("integer 3", "expected the name"),
        ("continuous x\nx <= ٣", "cannot be read at"),
    ],
)
def test_reasons(text, reason):
    with pytest.raises(InvalidAnswer, match=reason.replace("(", r"\(")):
        read(text)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("continuous x\n" * (LINES + 1), "limit"),
        ("continuous " + ", ".join(f"x{n}" for n in range(VARIABLES + 1)), "limit"),
        ("continuous x\n" + "+".join("x" for _ in range(TOKENS)) + " <= 1", "limit"),
        ("continuous x\n" + "(" * 5_000 + "x" + ")" * 5_000 + " <= 1", "limit"),
        ("continuous x\nx <= " + "9" * 100, "limit"),
        ("continuous x\nx <= " + "*".join(["999999999999"] * 50), "limit"),
        ("continuous " + "a" * 1_000, "limit"),
        ("continuous x\n" + "-" * 7_000 + "x <= 1", "scored"),
    ],
)
def test_limits(text, status):
    if status == "scored":  # many signs are odd but harmless
        assert read(text).rows
        return
    with pytest.raises(InvalidAnswer) as raised:
        read(text)
    assert raised.value.status == status


def test_the_line_is_named():
    with pytest.raises(InvalidAnswer, match=r"^line 3: "):
        read("continuous x\nx <= 1\nx < 2")
