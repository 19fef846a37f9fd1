"""Tests of programs/trace_variable."""

from palaestra.envs.programs.trace_variable import TraceVariable


def test_a_trace_is_of_values_at_that_time():
    source = (
        "def f(n):\n    row = []\n    for i in range(n):\n        row = row + [i]\n    return row"
    )
    task = TraceVariable(source=source, call="f(3)", line=4, variable="row")
    assert task.answer() == "[[0], [0, 1], [0, 1, 2]]"
    assert task.verify("[[0], [0, 1]]").reason == "the line is executed more times"
    assert task.verify("[[0], [1], [0, 1, 2]]").reason == "value 2 of the list is wrong"


def test_a_long_trace_can_be_answered():
    """More than fits on a line of a program."""
    source = "def f(n):\n    t = 'abc' * 9\n    for i in range(n):\n        t += 'a'\n    return t"
    task = TraceVariable(source=source, call="f(12)", line=4, variable="t")
    assert len(task.answer()) > 300
    assert task.verify(task.answer()).value == 1


def test_a_trace_does_not_end_with_an_exception():
    source = (
        "def f(n):\n    t = 0\n    for i in range(n):\n        t += 7 * i // (3 - i)\n    return t"
    )
    for call, values in (("f(3)", ("0", "3", "17")), ("f(9)", ())):
        task = TraceVariable(source=source, call=call, line=4, variable="t")
        assert task.values() == values
        assert task.lively(3) == bool(values)
