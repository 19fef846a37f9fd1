"""Readers of answers: what is taken for the same, what is refused, and never a crash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_texts import on_hostile_texts

from palaestra import InvalidAnswer
from palaestra.verifiers.reading import values as reading
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.replies import boxed, spoken, tagged, unwrapped


def test_lists_have_an_end():
    with pytest.raises(InvalidAnswer, match="at most 10000 items, got 10001"):
        reading.items("1 " * 10_001)


def test_choices():
    assert reading.choice(" NOT  known ", ["not known", "known"]) == "not known"
    with pytest.raises(InvalidAnswer, match="expected one of yes, no"):
        reading.choice("perhaps", ["yes", "no"])


READERS = [
    reading.plain, reading.items, lambda text: reading.choice(text, ["a", "b"]),
    lambda text: pairs(text, ["a", "b"]),
    spoken, tagged, boxed, unwrapped,
]  # fmt: skip


@on_hostile_texts
def test_readers_read_or_refuse_anything(text):
    for read in READERS:
        try:
            read(text)
        except InvalidAnswer as error:
            message = str(error)
            assert 0 < len(message) < 500, message[:80]


@given(st.text())
def test_unwrapping_is_done_once(text):
    assert unwrapped(unwrapped(text)) == unwrapped(text) or len(text) > 20


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("$$x$$", "x"), ("\\(x\\)", "x"), ("**x**", "x"), ("```python\nx\ny\n```", "x\ny"),
        ("x...", "x..."), ("$1 and $2", "$1 and $2"), ("'it's'", "'it's'"),
        ("```", "```"), ("", ""),
    ],
)  # fmt: skip
def test_wrappings(text, bare):
    assert unwrapped(text) == bare


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("a<think>b</think>c", "ac"),
        ("b</think>c", "c"),
        ("a<think>b", "a"),
        ("<thinking>b</thinking>c", "c"),
        ("<think>a<think>b</think>c", "c"),
        ("a</think>b</think>c", "c"),
        ("I think so", "I think so"),
    ],
)
def test_thoughts_do_not_count(reply, left):
    assert spoken(reply) == left
