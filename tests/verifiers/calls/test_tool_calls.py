"""Tool calls: reading them in every syntax, and matching them with those expected."""

import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.tools.meeting_desk import Desk
from palaestra.task import InvalidAnswer
from palaestra.testing.verifiers import check_verifier
from palaestra.toolbox import call, schemas
from palaestra.verifiers.calls.reading import CALLS, Call, read_calls
from palaestra.verifiers.calls.tool_calls import OneOf, ToolCalls
from palaestra.verifiers.json.reading import same_json
from palaestra.verifiers.verifier import GoldError

WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer", "default": 1, "minimum": 1},
                "metric": {"type": "boolean", "default": True},
                "height": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": None},
            },
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
SEARCH = {"name": "search", "parameters": {"type": "object", "properties": {"q": {}}}}
CLOCK = {"name": "clock"}
TOOLS = [WEATHER, SEARCH, CLOCK]
OSLO, RIGA = Call("weather", {"city": "Oslo"}), Call("weather", {"city": "Riga", "days": 3})

literals = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab\"'", max_size=3), inner)
    ),
    max_leaves=6,
)


# Reading


@pytest.mark.parametrize(
    "answer",
    [
        call("f", a=1, b=["x"]),
        '{"name": "f", "arguments": {"a": 1, "b": ["x"]}}',
        '{"name": "f", "parameters": {"b": ["x"], "a": 1.0}}',
        '{"name": "f", "arguments": "{\\"a\\": 1, \\"b\\": [\\"x\\"]}"}',
        '[{"tool": "f", "args": {"a": 1, "b": ["x"]}}]',
        (
            '{"id": "1", "type": "function", "function": '
            '{"name": "f", "arguments": "{\\"a\\": 1, \\"b\\": [\\"x\\"]}"}}'
        ),
        '{"tool_calls": [{"function": {"name": "f", "arguments": {"a": 1, "b": ["x"]}}}]}',
        'I call it.\n<tool_call>\n{"name": "f", "arguments": {"a": 1, "b": ["x"]}}\n</tool_call>',
        '```json\n{"tool": "f", "args": {"a": 1, "b": ["x"]}}\n```',
        'f(a=1, b=["x"])',
        "[f(a=1, b=('x',))]",
        "```python\nf(\n  a=1,\n  b=['x'],\n)\n```",
    ],
)
def test_one_call_is_read_in_every_syntax(answer):
    (parsed,) = read_calls(answer)
    assert parsed.name == "f"
    assert same_json(dict(parsed.arguments), {"a": 1, "b": ["x"]})


@pytest.mark.parametrize(
    "answer",
    [
        '[{"tool": "f"}, {"tool": "g.h", "args": {"x": 2}}]',
        (
            '<tool_call>{"name": "f"}</tool_call> <tool_call>{"name": "g.h", "arguments": {"x": 2}}'
            "</tool_call>"
        ),
        "f()\ng.h(x=2)",
        "[f(), g.h(x=+2)]",
    ],
)
def test_several_calls_are_read_in_order(answer):
    assert read_calls(answer) == [Call("f", {}), Call("g.h", {"x": 2})]


@given(st.dictionaries(st.sampled_from(["a", "b", "c_1"]), literals, max_size=3))
@settings(deadline=None)
def test_python_and_json_say_the_same(arguments):
    def escaped(value):
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            return f"[{', '.join(map(escaped, value))}]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{escaped(k)}: {escaped(v)}" for k, v in value.items()) + "}"
        return repr(value)

    keywords = ", ".join(f"{name}={escaped(value)}" for name, value in arguments.items())
    (parsed,) = read_calls(f"f({keywords})")
    assert same_json(dict(parsed.arguments), arguments)
    assert parsed == read_calls(call("f", **arguments))[0]


@pytest.mark.parametrize(
    "answer",
    [
        "f(1)",
        "f(a=1, a=2)",
        'f(**{"a": 1})',
        "f(*[1])",
        "f(a=__import__('os').system('true'))",
        "f(a=g())",
        "f(a=x)",
        "f(a=nan)",
        "f(a=1e999)",
        "f(a=1 + 1)",
        "f(a=2**9)",
        "f(a=--1)",
        "f(a=- - 1)",
        "f(a=-True)",
        "f(a=not True)",
        "f(a=1j)",
        "f(a=0x10)",
        "f(a=...)",
        "f(a=[x for x in y])",
        "f(a={1, 2})",
        "f(a={1: 2})",
        "f(a={'k': 1, 'k': 2})",
        "f(a={'k': 1, **{}})",
        "f(a=b'x')",
        "f(a=f'x')",
        "f(a='\\d')",
        "f(a='\\N{BULLET}')",
        "f(a=[1, 2][0])",
        "f(a=(lambda: 1))",
        "f(a:=1)",
        "f(a='x'  # no\n)",
        "x = f()",
        "f(); g()",
        "f",
        "f()()",
        "f().g()",
        "import os",
        "while True: f()",
        "[f(), [g()]]",
        "{f()}",
        "ｆ(a=1)",
        "f(a=１)",
        "f(a=" + "1" * 400 + ")",
        "f(a=1\0)",
        "true",
        "[]",
        "done",
        '{"tool": "f", "args": []}',
        '{"tool": "f", "args": {}, "also": 1}',
        '{"tool": "f", "name": "g"}',
        '{"tool": 1}',
        '{"args": {}}',
        '{"name": "f", "arguments": "nothing"}',
        '{"name": "f", "arguments": "[1]"}',
        '{"tool": "f"} {"tool": "g"}',
        '{"tool": "f", "args": {"a": 1, "a": 2}}',
        '{"tool": "f", "args": {"a": NaN}}',
        '<tool_call>{"tool": "f"}',
        "<tool_call><tool_call></tool_call>",
        '<tool_call>{"tool": "f"}</tool_call></tool_call>',
    ],
)
def test_what_is_no_call_is_refused(answer):
    with pytest.raises(InvalidAnswer):
        read_calls(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "f(a=" + "[" * 9_000,
        "f(a=" + "(" * 9_000 + ")" * 9_000 + ")",
        "f(a=" + "f(a=" * 4_000 + ")" * 4_000,
        "f(a=" + "-" * 19_000 + "1)",
        "f(a=" + "- " * 9_000 + "1)",
        "f(a=" + "not " * 4_500 + "True)",
        "f(a=" + "lambda:" * 2_000 + "1)",
        "f" + "()" * 9_000,
        "f" + "[0]" * 6_000,
        "f" + ".a" * 9_000 + "()",
        "f(a=" + "''" * 9_000,
        "f(a='" + "\\" * 9_001,
        '{"tool": "f", "args": {"a":' * 700,
    ],
)
def test_deep_answers_are_refused_even_on_a_small_stack(answer):
    scores = []
    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=lambda: scores.append(ToolCalls([OSLO])(answer)))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert scores[0].value == 0


def test_too_many_calls_are_not_looked_at():
    assert len(read_calls("f()\n" * CALLS)) == CALLS
    assert ToolCalls([Call("f", {})])("f()\n" * (CALLS + 1)).status == "limit"


# Matching


def test_calls_are_matched():
    check_verifier(
        ToolCalls([OSLO, RIGA], TOOLS),
        right=[
            'weather(city="Oslo")\nweather(city="Riga", days=3)',
            'weather("Riga", 3)\nweather("Oslo", metric=True)',
            (
                '[{"tool": "weather", "args": {"city": "Oslo", "days": 1.0, "height": null}}, '
                '{"tool": "weather", "args": {"city": "Riga", "days": 3}}]'
            ),
        ],
        wrong=[
            'weather(city="Oslo")',
            'weather(city="Riga", days=3)\nweather(city="Riga", days=3)',
            'weather(city="Oslo")\nweather(city="Riga", days=3)\nclock()',
            'weather(city="Oslo")\nweather(city="Oslo")\nweather(city="Riga", days=3)',
            'weather(city="Oslo")\nweather(city="Riga")',
            'weather(city="Oslo")\nweather(city="Riga", days="3")',
            'weather(city="Oslo", metric=1)\nweather(city="Riga", days=3)',
            'weather(city="oslo")\nweather(city="Riga", days=3)',
            'weather(city="Oslo", unit="C")\nweather(city="Riga", days=3)',
            'weather(city="\u041eslo")\nweather(city="Riga", days=3)',
            'forecast(city="Oslo")\nweather(city="Riga", days=3)',
            "weather()\nweather()",
        ],
        hostile=["weather(city='Oslo')" * 2, "weather(city=__import__('os'))"],
    )


def test_without_tools_arguments_are_compared_as_they_stand():
    check_verifier(
        ToolCalls([Call("f", {"a": 1, "b": {"c": [1, 2]}})]),
        right=["f(a=1.0, b={'c': [1, 2]})"],
        wrong=[
            "f(a=1)",
            "f(a='1', b={'c': [1, 2]})",
            "f(a=True, b={'c': [1, 2]})",
            "f(a=1, b={'c': [2, 1]})",
            "f(a=1, b={'c': [1, 2]}, d=None)",
            "g(a=1, b={'c': [1, 2]})",
        ],
    )


def test_the_tools_of_this_project_are_known():
    verifier = ToolCalls(
        [Call("book", {"room": "Oak", "day": "Mon", "start": "09:00"})], schemas(Desk)
    )
    assert verifier(call("book", room="Oak", day="Mon", start="09:00")).correct
    assert verifier('book("Oak", "Mon", "09:00")').correct
    assert not verifier(call("book", room="Oak", day="Mon", start="09:30")).correct
    assert "no tool" in verifier(call("boook", room="Oak")).reason


def test_defaults_count_only_where_the_schema_has_them():
    one = ToolCalls([Call("weather", {"city": "Oslo", "days": 1})], TOOLS)
    assert one('weather(city="Oslo")').correct
    two = ToolCalls([Call("weather", {"city": "Oslo", "days": 2})], TOOLS)
    assert not two('weather(city="Oslo")').correct
    assert not ToolCalls([Call("weather", {"city": "Oslo", "days": 1})])(
        "weather(city='Oslo')"
    ).value


def test_arguments_may_have_alternatives():
    verifier = ToolCalls(
        [Call("weather", {"city": OneOf(["Oslo", "Oslo, Norway"]), "height": OneOf([0], True)})],
        TOOLS,
    )
    assert verifier('weather(city="Oslo")').correct
    assert verifier('weather(city="Oslo, Norway", height=0)').correct
    assert not verifier('weather(city="Oslo, Norway", height=1)').correct
    assert not verifier("weather(height=0)").correct
    required = ToolCalls([Call("f", {"a": OneOf([1, 2])})])
    assert required("f(a=2)").correct
    assert not required("f()").correct


def test_coercion_is_asked_for_and_follows_the_schema():
    wanted = [Call("weather", {"city": "7", "days": 3, "metric": False, "height": 2.5})]
    answer = 'weather(city=7, days="3", metric="False", height="2.5")'
    assert not ToolCalls(wanted, TOOLS)(answer).correct
    verifier = ToolCalls(wanted, TOOLS, coerce=True)
    assert verifier(answer).correct
    assert not verifier('weather(city="7", days="three", metric="False", height="2.5")').correct
    assert not verifier('weather(city="7", days="3.5", metric="False", height="2.5")').correct
    assert not verifier('weather(city="7", days=3, metric=0, height="5/2")').correct
    assert not verifier(f'weather(city="7", days=3, metric=False, height="{"9" * 400}.5")').correct


def test_order_matters_where_it_is_given():
    first_oslo, first_riga = (
        "weather('Oslo')\nweather('Riga', 3)",
        "weather('Riga', 3)\nweather('Oslo')",
    )
    given_order = ToolCalls([OSLO, RIGA], TOOLS, order="given")
    assert given_order(first_oslo).correct
    assert not given_order(first_riga).correct
    assert ToolCalls([OSLO, RIGA], TOOLS)(first_riga).correct


def test_extra_calls_of_other_tools_pass_where_allowed():
    verifier = ToolCalls([OSLO], TOOLS, extra="allow")
    assert verifier("clock()\nsearch(q='Oslo')\nweather('Oslo')").correct
    assert not ToolCalls([OSLO], TOOLS)("clock()\nweather('Oslo')").correct
    # Guessing is no extra call, and neither is a call of a tool that there is not.
    assert not verifier("weather('Riga')\nweather('Oslo')").correct
    assert not verifier("clok()\nweather('Oslo')").correct
    assert not verifier("clock()\nclock()").correct


def test_pairs_are_not_made_greedily():
    wanted = [Call("f", {"a": OneOf([1, 2])}), Call("f", {"a": 1})]
    assert ToolCalls(wanted)("f(a=1)\nf(a=2)").correct
    assert ToolCalls(wanted)("f(a=2)\nf(a=1)").correct
    assert not ToolCalls(wanted)("f(a=2)\nf(a=2)").correct


def test_partial_credit_weighs_precision_and_recall():
    verifier = ToolCalls([OSLO, RIGA], TOOLS, partial=True)
    half = verifier("weather('Oslo')")
    assert half.value == pytest.approx(2 / 3)
    shares = {"precision": 1.0, "recall": 0.5, "progress": pytest.approx(2 / 3)}
    assert {name: half.parts[name] for name in shares} == shares
    assert verifier("weather('Oslo')\nweather('Bergen')").value == 0.5
    assert verifier("clock()").value == 0
    spam = "\n".join(f"weather('Oslo', {n})" for n in range(1, 41))
    assert verifier(spam).value < 0.05
    assert verifier("weather('Oslo')\nweather('Riga', 3)\nclock()").value < 1
    assert verifier("weather('Oslo')\nweather('Riga', 3)").value == 1


@given(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=5),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6),
)
@settings(deadline=None)
def test_partial_credit_agrees_with_its_definition(wanted, names):
    from collections import Counter
    from itertools import combinations

    calls = [Call(name, {}) for name in wanted]
    answer = "\n".join(f"{name}()" for name in names)
    common = sum((Counter(wanted) & Counter(names)).values())
    score = ToolCalls(calls, partial=True)(answer)
    assert score.value == pytest.approx(2 * common / (len(wanted) + len(names)))
    assert score.correct == (Counter(wanted) == Counter(names)) == ToolCalls(calls)(answer).correct
    rows = {row for size in range(len(names) + 1) for row in combinations(names, size)}
    longest = max(
        len(row)
        for size in range(len(wanted) + 1)
        for row in combinations(wanted, size)
        if row in rows
    )
    ordered = ToolCalls(calls, order="given", partial=True)(answer)
    assert ordered.value == pytest.approx(2 * longest / (len(wanted) + len(names)))
    assert ordered.correct == (wanted == names)


def test_the_reason_does_not_tell_what_is_right():
    verdict = ToolCalls([Call("f", {"a": "secret"})])("f(a='guess')")
    assert verdict.reason
    assert "secret" not in verdict.reason


@pytest.mark.parametrize(
    "options",
    [
        {"expected": []},
        {"expected": [OSLO], "order": "some"},
        {"expected": [OSLO], "extra": "some"},
        {"expected": [Call("forecast", {})], "tools": TOOLS},
        {"expected": [Call("weather", {})], "tools": TOOLS},
        {"expected": [Call("weather", {"city": 1})], "tools": TOOLS},
        {"expected": [Call("weather", {"city": OneOf(["Oslo", 1])})], "tools": TOOLS},
        {"expected": [Call("f", {"a": OneOf([])})]},
        {"expected": [Call("f", {"a": float("nan")})]},
        {"expected": [Call("f", {"a": {1}})]},
        {"expected": [OSLO], "tools": [WEATHER, WEATHER]},
        {"expected": [OSLO], "tools": [{"parameters": {}}]},
        {"expected": [OSLO], "tools": [{"name": "weather", "parameters": {"type": "text"}}]},
    ],
)
def test_expectations_that_cannot_work_are_refused(options):
    with pytest.raises(GoldError):
        ToolCalls(**options)


HOURS = '{"hour": 9, "vip": true}'
WRITTEN = [
    '{{"function": "{0}", "arguments": {1}}}',
    '{{"function_call": {{"name": "{0}", "arguments": {1}}}}}',
    '{{"type": "tool_use", "id": "a", "name": "{0}", "input": {1}}}',
    '{{"tool_name": "{0}", "args": {1}}}',
    '{{"action": "{0}", "action_input": {1}}}',
    '<function_call>{{"name": "{0}", "args": {1}}}</function_call>',
    "{0}(hour=9, vip=true)",
    "{0}(hour=9, vip=True);",
    "`{0}(hour=9, vip=True)`",
    '`{{"name": "{0}", "arguments": {1}}}`',
]


@pytest.mark.parametrize("form", WRITTEN)
def test_calls_as_other_frameworks_write_them(form):
    judge = ToolCalls([Call("book", {"hour": 9, "vip": True})])
    text = form.format("book", HOURS)
    assert judge(text).correct
    assert not judge(form.format("cook", HOURS)).correct
    assert not judge(text.replace("9", "8")).correct
    assert not judge(text.replace("true", "1").replace("True", "1")).correct


@pytest.mark.parametrize(
    "answer",
    [
        '{"name": "book", "function": "book", "arguments": {"hour": 9}}',
        '{"name": "book", "arguments": {"hour": 9}, "input": {"hour": 9}}',
        '{"function_call": {"name": "book", "arguments": {"hour": 9}}, "tool_calls": []}',
        '{"name": "book", "arguments": {"hour": 9.0000000000000000001}}',
        '{"name": "book", "arguments": {"hour": 8.9999999999999999999}}',
        "book(hour=nine)", "book(hour=9); book(hour=9)", "book(hour=undefined)",
    ],
)  # fmt: skip
def test_what_is_not_one_right_call(answer):
    assert not ToolCalls([Call("book", {"hour": 9})])(answer).correct


@pytest.mark.parametrize(
    "text",
    [
        '[TOOL_CALLS] [{"name": "f", "arguments": {"a": 1}}]',
        'functools[{"name": "f", "arguments": {"a": 1}}]',
        '<|python_tag|>{"name": "f", "parameters": {"a": 1}}',
        '{"functionCall": {"name": "f", "args": {"a": 1}}}',
        'Action: f\nAction Input: {"a": 1}',
    ],
)
def test_calls_in_the_notations_of_chat_templates(text: str) -> None:
    assert read_calls(text) == [Call("f", {"a": 1})]


def test_an_invented_observation_is_not_part_of_a_call() -> None:
    with pytest.raises(InvalidAnswer):
        read_calls('Action: f\nAction Input: {"a": 1}\nObservation: 5')
