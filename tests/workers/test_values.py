"""What goes to a worker and comes back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.workers.processes import alive

from palaestra.workers import worker
from palaestra.workers.pool import Failed, Lost, Workers

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    # Half a surrogate pair is a character that a model can say.
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)  # fmt: skip


@pytest.fixture(scope="module")
def steady():
    with Workers(1) as pool:
        yield pool


@settings(deadline=None, max_examples=50)
@given(VALUES)
def test_values_come_back_as_they_went(steady, value):
    assert steady.call("copy:copy", value) == value
    assert repr(steady.call("copy:copy", value)) == repr(value)


def test_tuples_come_back_as_lists(steady):
    assert steady.call("copy:copy", (1, (2,))) == [1, [2]]


@pytest.mark.parametrize("length", [0, 1, 1 << 16, 5_000_000])
def test_what_is_huge_goes_both_ways(steady, length):
    assert steady.call("copy:copy", "x" * length) == "x" * length


def test_what_is_too_huge_is_a_failure_on_either_side(deeds, pool, monkeypatch):
    monkeypatch.setattr(worker, "FRAME", 1_000)  # here, not over there
    with pytest.raises(Failed, match=r"ValueError: \d+ bytes"):
        pool.call("copy:copy", "x" * 1_000)
    with pytest.raises(Lost, match="out of turn"):
        pool.call(f"{deeds}:text", 2_000)
    monkeypatch.undo()


def test_a_result_over_the_limit_is_a_failure(deeds):
    with Workers(1, wall_s=30) as pool, pytest.raises(Failed, match=r"ValueError: \d+ bytes"):
        pool.call(f"{deeds}:text", worker.FRAME)


def test_what_a_function_prints_or_reads_is_nothing(deeds, pool, capfd):
    assert pool.call(f"{deeds}:chatter", "\1\2v\3") == ""
    assert alive(pool)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("how", "type_", "message"),
    [
        ("plain", "ValueError", "no"),
        ("loud", "Loud", "!" * worker.MESSAGE),
        ("mute", "Mute", "(telling it raised SystemExit)"),
        ("odd", "Odd", "\ud800 is half a pair"),
        ("exit", "SystemExit", "bye"),
        ("interrupt", "KeyboardInterrupt", ""),
        ("generator", "GeneratorExit", ""),
        ("deep", "RecursionError", "maximum recursion depth exceeded"),
    ],
)
def test_what_a_function_raises_is_told(how, type_, message, deeds, pool):
    pid = pool.call("os:getpid")
    with pytest.raises(Failed) as caught:
        pool.call(f"{deeds}:fail", how)
    assert (caught.value.type, caught.value.message) == (type_, message)
    assert pool.call("os:getpid") == pid, "the worker goes on"


@pytest.mark.parametrize(
    ("what", "type_"),
    [
        ("nan", "ValueError"),
        ("inf", "ValueError"),
        ("set", "TypeError"),
        ("bytes", "TypeError"),
        ("object", "TypeError"),
        ("long", "ValueError"),
        ("loop", "ValueError"),
        ("deep", "RecursionError"),
        ("keys", "TypeError"),
    ],
)
def test_what_is_no_json_is_a_failure(what, type_, deeds, pool):
    with pytest.raises(Failed) as caught:
        pool.call(f"{deeds}:strange", what)
    assert caught.value.type == type_
    assert alive(pool)


@pytest.mark.parametrize(
    "argument", [{1}, b"x", object(), float("nan"), 10**5_000], ids=lambda each: type(each).__name__
)
def test_arguments_that_are_no_json_are_a_failure(argument, pool):
    with pytest.raises(Failed, match=r"^(TypeError|ValueError): "):
        pool.call("copy:copy", argument)


@pytest.mark.parametrize("name", ["math:nothing", "no_such_module:x", "math:", ":x"])
def test_functions_that_are_not_there(name, steady):
    with pytest.raises(Failed):
        steady.call(name)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="is 'package"):
        Workers().call("math.gcd", 1, 2)
    for options in (
        {"wall_s": 0},
        {"wall_s": float("inf")},
        {"cpu_s": -1},
        {"cpu_s": float("nan")},
    ):
        with pytest.raises(ValueError, match="number of seconds"):
            Workers(**options)
    with pytest.raises(ValueError, match="number of seconds"):
        Workers().call("math:gcd", 1, 2, wall_s=float("nan"))
    for options in ({"size": 0}, {"memory_mb": 0}):
        with pytest.raises(ValueError, match="one worker at least"):
            Workers(**options)
