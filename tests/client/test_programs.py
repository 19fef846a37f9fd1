"""Programs judged through the client."""

from dataclasses import fields

import pytest
from tests.client.examples import TOKEN, finished

from palaestra.client import (
    AsyncClient,
)
from palaestra.server.programs import LimitsRequest
from palaestra.verifiers.sandbox import Limits, SandboxUnavailable, sandbox
from palaestra.verifiers.sandbox.judging import Case, IoTest


@pytest.fixture
def isolated():
    try:
        return sandbox()
    except SandboxUnavailable as why:
        pytest.skip(str(why))


def verdict(result):
    return result.status, result.fraction, result.passed, [test.status for test in result.per_test]


def test_programs_run_as_in_the_sandbox_of_this_machine(there, isolated):
    double = "print(int(input()) * 2)"
    limits = Limits(cpu_s=2)
    here = isolated.run(double, stdin="21", limits=limits)
    away = there.run(double, stdin="21", limits=limits)
    assert (here.status, here.text, here.exit_code) == (away.status, away.text, away.exit_code)
    assert away.text == "42\n"
    for judge in ("judge_io", "judge_calls", "judge_asserts"):
        arguments = {
            "judge_io": (double, [("1", "2"), IoTest("3", "5", 3.0)]),
            "judge_calls": (
                "def f(x, y=1): return x + y",
                "f",
                [([1], 2), Case((1,), 3, 2.0, {"y": 2}), (["a"], "b")],
            ),
            "judge_asserts": ("def f(): return 1", "assert f() == 1\nassert f() == 2"),
        }[judge]
        result = getattr(there, judge)(*arguments, limits=limits)
        assert verdict(result) == verdict(getattr(isolated, judge)(*arguments, limits=limits))
        assert 0 <= result.fraction < 1


def test_asynchronous_programs(service, isolated):
    async def run():
        async with AsyncClient(service.url, TOKEN) as client:
            return (
                await client.run("print(1)"),
                await client.judge_io("print(1)", [("", "1")]),
                await client.judge_calls("def f(): return 1", "f", [([], 1)]),
                await client.judge_asserts("x = 1", "assert x == 1"),
            )

    ran, *verdicts = finished(run())
    assert ran.text == "1\n"
    assert [verdict.fraction for verdict in verdicts] == [1, 1, 1]


@pytest.mark.parametrize("value", [(1,), {1}, {1: 2}, float("nan"), [float("inf")], b"x", object()])
def test_values_that_would_change_on_their_way_are_refused(there, value):
    for case in ([[value], 1], [[], value], Case([], 1, 1.0, {"x": [value]})):
        with pytest.raises(TypeError, match="that JSON knows"):
            there.judge_calls("", "f", [case])


def test_the_service_takes_every_limit_but_two():
    names = {field.name for field in fields(Limits)}
    assert names - LimitsRequest.model_fields.keys() == {"file_mb", "stack_mb"}


def test_what_programs_cannot_be_told_over_http(there):
    with pytest.raises(ValueError, match="no limit stack_mb"):
        there.run("", limits=Limits(stack_mb=1))
    with pytest.raises(ValueError, match="no arguments"):
        there.judge_io("", [IoTest("", "", 1.0, ("x",))])
    with pytest.raises(ValueError, match="cpu_s"):
        there.run("", limits=Limits(cpu_s=300))
