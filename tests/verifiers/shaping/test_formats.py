"""Formats of replies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.shaping.samples import RIGHT, WRONG, paid

from palaestra.testing import HOSTILE, MONSTERS
from palaestra.verifiers.shaping import Format, RecipeError, Transcript, Truth


class TestFormat:
    @pytest.mark.parametrize(
        "reply",
        [
            "<think>a</think><answer>b</answer>",
            "\n<think>\na\n</think>\n\n<answer> b </answer>\n",
            "<think>1 < 2 > 0 and <b>bold</b></think><answer>x<y</answer>",
            "<think>I answer: thinking helps</think><answer>b</answer>",
            "<think>é</think><answer>漢</answer>",
            "<think>a <thinker> of <answers></think><answer>b</answer>",
        ],
    )
    def test_right_forms(self, reply):
        assert Format().violation(reply) == ""
        assert paid(Format(), WRONG, reply=reply) == 1

    @pytest.mark.parametrize(
        "reply",
        [
            "",
            "b",
            "<answer>b</answer>",
            "<answer>b</answer><think>a</think>",
            "<think>a</think><answer>b",
            "<think>a<answer>b</answer></think>",
            "<think>a</think><answer>b</answer><answer>b</answer>",
            "<think>a</think><think>a</think><answer>b</answer>",
            "<think>a</think><answer>b</answer>c",
            "so <think>a</think><answer>b</answer>",
            "<think>a</think> so <answer>b</answer>",
            "<think>a</think><answer></answer>",
            "<think> \n</think><answer>b</answer>",
            "<think>a</think><answer>\u200b\u2060</answer>",
            "<think>a</think><answer>\u3164\u2800</answer>",
            "<think>a</think><answer>b</answer>\u200b",
            "<Think>a</Think><answer>b</answer>",
            "<think>a</think><answer>b</answer ><answer>b</answer>",
            "<think>a</think><answer><ANSWER>c</ANSWER></answer>",
            "<think>a</think><answer id=1>b</answer>",
            "<think>a <answer>0</answer></think><answer>b</answer>",
            "<think>a</ think></think><answer>b</answer>",
            "< think>a</think><answer>b</answer>",
            "<think>a< /think></think><answer>b</answer>",
            "<think>a <answer id=1></think><answer>b</answer>",
            "</think><think>a</think><answer>b</answer>",
        ],
    )
    def test_wrong_forms(self, reply):
        assert Format().violation(reply)
        assert paid(Format(), RIGHT, reply=reply) == 0
        assert paid(Format() * Truth(), RIGHT, reply=reply) == 0

    def test_options(self):
        around = "First: <think>a</think> then <answer>b</answer>."
        assert Format(outside=True).opens(Transcript(around))
        assert not Format().opens(Transcript(around))
        rest = "a</think><answer>b</answer>"
        assert Format(opened=True).opens(Transcript(rest))
        assert not Format(opened=True).opens(Transcript("<think>" + rest))
        assert Format(tags=("answer",)).opens(Transcript("<answer>b</answer>"))
        nested = Format(tags=["think", "thinking"])
        assert nested.opens(Transcript("<think>a</think><thinking>b</thinking>"))

    @pytest.mark.parametrize("tags", [(), ("",), ("a b",), ("a", "A"), ("<a>",), ("a" * 50,)])
    def test_tags_that_cannot_work(self, tags):
        with pytest.raises(RecipeError):
            Format(tags=tags)

    def test_hostile_replies_do_not_pass(self):
        for reply in (*HOSTILE, *MONSTERS, "<" + " " * 10_000, "<think" + " " * 10_000):
            assert not Format().opens(Transcript(reply))

    @given(st.text("<>/thinkanswer ", max_size=60))
    def test_a_passing_reply_is_its_blocks(self, reply):
        if Format().opens(Transcript(reply)):
            inside = reply.split("<think>")[1].split("</think>")[0]
            answer = reply.split("<answer>")[1].split("</answer>")[0]
            assert (
                reply.replace(f"<think>{inside}</think>", "")
                .replace(f"<answer>{answer}</answer>", "")
                .strip()
                == ""
            )
