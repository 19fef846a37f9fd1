"""Parts of the scores of tool calls: full for right answers, and never more for worse ones."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.verifiers.calls.tool_calls import PARTS, Call, OneOf, ToolCalls
from palaestra.verifiers.verifier import GoldError

ARGUMENTS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), min_size=1, max_size=4)
CALLS = st.lists(
    st.tuples(st.sampled_from(["book", "move", "find"]), ARGUMENTS), min_size=1, max_size=4
)
STEPS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 99)), max_size=8)


def written(calls):
    return json.dumps([{"name": name, "arguments": arguments} for name, arguments in calls])


def worse(calls, step, fresh):
    """Calls after one more mistake; names and values with ``fresh`` occur nowhere else."""
    sort, position = step
    calls = [(name, dict(arguments)) for name, arguments in calls]
    number = position % len(calls)
    name, arguments = calls[number]
    right = [key for key in arguments if "wrong" not in key and arguments[key] in range(4)]
    key = right[position % len(right)] if right else None
    if sort == 0:
        calls.append((f"wrong{fresh}", {"x": 1}))
    elif sort == 1:
        arguments[f"wrong{fresh}"] = 1
    elif sort == 2 and key:
        arguments[key] = 1_000 + fresh
    elif sort == 3 and key:
        arguments[f"wrong{fresh}"] = arguments.pop(key)
    elif sort == 4 and len(right) == len(arguments) and "wrong" not in name:
        calls[number] = (f"wrong{fresh}", arguments)
    return calls


@settings(deadline=None)
@given(CALLS, STEPS)
def test_a_mistake_more_never_pays(calls, steps):
    verifier = ToolCalls([Call(*call) for call in calls], weights={"names": 0.2, "values": 0.4})
    before = verifier(written(calls))
    assert before.value == 1
    assert [before.parts[name] for name in PARTS] == [1, 1, 1]
    for fresh, step in enumerate(steps):
        calls = worse(calls, step, fresh)
        after = verifier(written(calls))
        for name in PARTS:
            assert 0 <= after.parts[name] <= before.parts[name], (name, calls)
        assert after.value <= before.value
        before = after


@settings(deadline=None)
@given(CALLS, CALLS)
def test_right_calls_have_all_parts(calls, others):
    verifier = ToolCalls([Call(*call) for call in calls])
    score = verifier(written(others))
    assert score.value in (0, 1)
    assert all(0 <= score.parts[name] <= 1 for name in PARTS)
    if score.correct:
        assert all(score.parts[name] == 1 for name in PARTS)


def test_parts_of_an_answer():
    verifier = ToolCalls([Call("book", {"hour": 9, "room": "Oak"}), Call("pay", {"sum": 3})])
    parts = verifier(written([("book", {"hour": 8, "room": "Oak"})])).parts
    assert parts["names"] == pytest.approx(2 / 3)
    assert parts["arguments"] == pytest.approx(4 / 5)
    assert parts["values"] == pytest.approx(2 / 5)


def test_optional_arguments_and_choices():
    due = {"hour": OneOf([9, 10]), "note": OneOf(["x"], optional=True)}
    verifier = ToolCalls([Call("book", due)])
    for arguments in ({"hour": 10}, {"hour": 9, "note": "x"}):
        score = verifier(written([("book", arguments)]))
        assert score.correct
        assert {score.parts[name] for name in PARTS} == {1}
    score = verifier(written([("book", {"hour": 9, "note": "y"})]))
    assert (score.value, score.parts["arguments"]) == (0, 1)
    assert score.parts["values"] == 0.5


def test_weights():
    book = Call("book", {"hour": 9})
    verifier = ToolCalls([book], weights={"names": 0.1, "arguments": 0.2, "values": 0.3})
    assert verifier(written([("book", {"hour": 9})])).value == 1
    assert verifier(written([("book", {"hour": 8})])).value == pytest.approx(0.3)
    assert verifier(written([("look", {"hour": 9})])).value == 0
    assert verifier("book it").value == 0
    for weights in ({"names": 1.0}, {"names": -0.1}, {"nams": 0.1}, {"values": float("nan")}):
        with pytest.raises(GoldError):
            ToolCalls([book], weights=weights)
    with pytest.raises(GoldError, match="choose one"):
        ToolCalls([book], weights={"names": 0.1}, partial=True)
