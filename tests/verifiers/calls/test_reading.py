"""Tests of reading tool calls in replies."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer
from palaestra.verifiers.calls.reading import Call, read_calls

BOOK = Call("book", {"hour": 9, "room": "Oak"})


@pytest.mark.parametrize(
    "text",
    [
        'Thought: it is free.\nAction: book\nAction Input: {"hour": 9, "room": "Oak"}',
        'Thought: it is,\nso go.\n\nAction: book\nAction Input: {"hour": 9, "room": "Oak"}',
        '<function=book>{"hour": 9, "room": "Oak"}</function>',
        (
            "<function=book>\n<parameter=hour>\n9\n</parameter>\n<parameter=room>\nOak\n</parameter>\n"
            "</function>"
        ),
        (
            "<tool_call>\n<function=book>\n<parameter=hour>\n9\n</parameter>\n<parameter=room>\n"
            "Oak\n</parameter>\n</function>\n</tool_call>"
        ),
        (
            "So:\n<function=book><parameter=hour>9</parameter><parameter=room>Oak</parameter>"
            "</function>"
        ),
    ],
)
def test_a_call_is_read_in_the_form_of_an_agent(text: str) -> None:
    assert read_calls(text) == [BOOK]


def test_tags_within_an_argument_are_a_part_of_it() -> None:
    note = Call("note", {"text": "<function=book>"})
    assert read_calls('{"name": "note", "arguments": {"text": "<function=book>"}}') == [note]
    assert read_calls('note(text="<function=book>")') == [note]


def test_objects_on_lines_of_their_own_are_calls() -> None:
    line = '{"name": "book", "arguments": {"hour": 9, "room": "Oak"}}'
    assert read_calls(f"{line}\n\n{line}") == [BOOK, BOOK]
    assert read_calls(f"<function=book>{{}}</function>{'<function=book></function>'}") == [
        Call("book", {}),
        Call("book", {}),
    ]


BODY = '{"hour": 9, "room": "Oak"}'


@pytest.mark.parametrize(
    "text",
    [
        f"[TOOL_CALLS]book[ARGS]{BODY}[TOOL_CALLS]book[ARGS]{BODY}",
        f'<|python_tag|>{{"name": "book", "args": {BODY}}}; {{"name": "book", "args": {BODY}}}',
        f"Action: book\nAction Input: {BODY}\nAction: book\nAction Input: {BODY}",
        (
            f"Thought: one\nAction: book\nAction Input: {BODY}\n\nThought: two\nAction: book\n"
            f"Action Input: {BODY}"
        ),
    ],
)
def test_two_calls_are_read_in_the_form_of_a_template(text: str) -> None:
    assert read_calls(text) == [BOOK, BOOK]


@pytest.mark.parametrize("content", [None, ""])
def test_the_message_of_an_assistant_is_its_calls(content: str | None) -> None:
    function = {"name": "book", "arguments": BODY}
    message = {
        "role": "assistant",
        "content": content,
        "tool_calls": [{"id": "1", "type": "function", "function": function}],
    }
    assert read_calls(json.dumps(message)) == [BOOK]
    with pytest.raises(InvalidAnswer):
        read_calls(json.dumps(message | {"content": "or rather not"}))


def test_signs_within_an_argument_are_a_part_of_it() -> None:
    for text in ("};{", "};\n{", "[TOOL_CALLS]a[ARGS]{}", "Action: a\nAction Input: {}"):
        written = json.dumps({"name": "note", "arguments": {"text": text}})
        assert read_calls(written) == [Call("note", {"text": text})]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "book"}; or {"name": "cancel"}; {"name": "book"}',
        '{"name": "book"} {"name": "cancel"}; {"name": "book"}',
        '{"name": "book"}; {"name": ',
        "[TOOL_CALLS]book[ARGS]{} or so",
        "[TOOL_CALLS]book[ARGS]{}[TOOL_CALLS]cancel",
        "Action: book\nAction Input: {}\nAction: cancel",
        (
            'Thought: x\nAction: book\nAction Input: {"hour": 9}\nObservation: done\nAction: book\n'
            'Action Input: {"hour": 10}'
        ),
        'Look:\nAction: book\nAction Input: {"hour": 9}',
        "<function=book>",
        "<function=>{}</function>",
        "<function=book>hour 9</function>",
        "<function=book><parameter=hour>9</function>",
        "<function=book><parameter=hour>9</parameter><parameter=hour>8</parameter></function>",
        "<function=book><parameter=hour>9</parameter> or 8</function>",
        '{"name": "book"}\nor\n{"name": "cancel"}',
        '{"name": "book"}\n{"name": ',
    ],
)
def test_what_may_mean_several_things_is_no_call(text: str) -> None:
    with pytest.raises(InvalidAnswer):
        read_calls(text)


PIECES = ["<function=", "<parameter=", ">", "</function>", "</parameter>", "Thought: ", "Action: "]
PIECES += ["Action Input:", "{", "}", '"a"', ":", "1", "\n", "a", "(", ")", "[", "]", ","]
PIECES += ["[TOOL_CALLS]", "[ARGS]", ";", '"role": "assistant"', "Action: a\nAction Input: {}"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        calls = read_calls(text)
    except InvalidAnswer:
        return
    assert calls
    assert all(isinstance(call, Call) for call in calls)


def test_many_tags_take_no_time() -> None:
    for text in (
        "<function=" * 2_000,
        "<function=a><parameter=" * 900,
        "Thought:\nAction:" * 1_200,
        "Action: a\nAction Input: {" * 1_000,
        "[TOOL_CALLS]a[ARGS]" * 1_000,
        '{"a": 1};' * 2_000,
        "{" + "};{" * 5_000,
    ):
        with pytest.raises(InvalidAnswer):
            read_calls(text)
