"""Named verifiers on replies: what is read, what comes of errors, and work in chunks."""

import json

import pytest

from palaestra import verification
from palaestra.extras import MissingExtra
from palaestra.task import JudgeError, Score
from palaestra.verification import Verification, judged_chunk, listing, verify, verify_many
from palaestra.verifiers.named import BadField, UnknownVerifier, entries


def group(verifier, gold, *replies, options=None, answer_format=None):
    return {
        "verifier": verifier, "gold": json.dumps(gold), "options": json.dumps(options or {}),
        "answer_format": answer_format, "replies": list(replies),
    }  # fmt: skip


# ------------------------------------------------------------------ reading


def test_the_answer_reader_reads_whole_replies_unless_a_format_is_named():
    assert verify("answer", "1/2", r"First \boxed{1}, no: $\boxed{0.5}$.").correct
    assert verify("answer", "1/2", "It is 0.5").status == "no_answer"
    assert verify("answer", "1/2", "<answer>0.5</answer>", None, "tags").correct
    assert verify("answer", "1/2", r"\boxed{0.5}", None, "tags").status == "no_answer"
    strict = {"mode": "strict", "mark": "tag"}
    assert verify("answer", "1/2", r"\boxed{0.5}", strict).status == "no_answer"


def test_other_verifiers_take_the_reply_without_its_reasoning():
    assert verify("number", "4", "<think>2 + 2 is 5</think> 4").correct
    assert verify("number", "4", "<think>4").status == "no_answer"
    assert verify("number", "4", "Yes: <answer>4</answer>", answer_format="tags").correct
    assert verify("number", "4", "4", answer_format="tags").status == "no_answer"


def test_shapes_are_those_of_the_reply_as_it_is():
    reply = "<think>6 * 7</think><answer>42</answer>"
    assert verify("format", ["think", "answer"], reply).correct
    with pytest.raises(BadField, match="judges replies as they are") as caught:
        verify("format", ["think", "answer"], reply, answer_format="tags")
    assert caught.value.pointer == "/answer_format"


def test_what_cannot_be_is_raised():
    with pytest.raises(UnknownVerifier, match="did you mean number"):
        verify("nubmer", 1, "1")
    for wrong, pointer in (
        ({"gold": object()}, "/gold"),
        ({"gold": float("nan")}, "/gold"),
        ({"gold": 1, "options": {"digits": {1, 2}}}, "/options"),
        ({"gold": 1, "answer_format": "tag"}, "/answer_format"),
    ):
        with pytest.raises(BadField) as caught:
            verify("number", reply="1", **wrong)
        assert caught.value.pointer == pointer


def test_a_failing_item_never_fails_the_others(monkeypatch):
    def missing(*_, **__):
        raise MissingExtra("sql", "DuckDB")

    monkeypatch.setitem(entries.ENTRIES, "exact", None)
    done = verify_many(
        [
            Verification("number", "1", "1"),
            ("number", "x", "1"),
            ("nubmer", "1", "1"),
            ("exact", "a", "a"),
            ("number", "1", "2", {"relative": 0.5}),
        ]
    )
    assert [one.value for one in done] == [1, None, None, None, 0]
    assert (done[1].status, done[1].reason[:6]) == ("gold_error", "/gold:")
    assert done[2].reason.startswith("UnknownVerifier: there is no verifier 'nubmer'")
    assert isinstance(done[3], JudgeError)
    monkeypatch.setattr(verification, "built", missing)
    (one,) = verify_many([("number", "1", "1")])
    assert "palaestra[sql]" in one.reason


def test_the_list_has_each_once():
    rows = listing()
    assert len({row["name"] for row in rows}) == len(rows) > 50
    json.dumps(rows)


# ------------------------------------------------------------------ in chunks


def test_a_chunk_gives_a_verdict_for_each_reply_in_order():
    done = judged_chunk(
        [
            group("answer", "1/2", r"\boxed{0.5}", r"\boxed{2}"),
            group("number", "x", "1", "2"),
            group("nubmer", "1", "1"),
            group("number", "3", "<answer>3</answer>", answer_format="tags"),
        ],
        60,
    )
    assert [one["value"] for one in done] == [1, 0, None, None, None, 1]
    assert [one.get("extracted") for one in done] == ["0.5", "2", None, None, None, "3"]
    assert [one.get("error") for one in done[2:5]] == ["bad-gold", "bad-gold", "unknown-verifier"]
    assert [one.get("pointer") for one in done[2:5]] == ["/gold", "/gold", "/verifier"]


def test_a_chunk_ends_when_its_time_is_over_but_not_before_one_verdict():
    assert len(judged_chunk([group("number", "1", "1", "2", "3")], -1.0)) == 1


def test_what_hinders_a_judge_is_no_verdict(monkeypatch):
    def judge(failure):
        def fails(_):
            raise failure

        monkeypatch.setattr(verification, "built", lambda *_, **__: fails)
        return judged_chunk([group("number", "1", "1")], 60)[0]

    done = judge(JudgeError("the gold is wrong", "gold_error"))
    assert (done["value"], done["error"], done["status"]) == (None, "unscored", "gold_error")
    done = judge(ZeroDivisionError("secret"))
    assert (done["value"], done["error"]) == (None, "internal")
    assert "secret" not in done["reason"]
    assert judge(MissingExtra("smt", "Z3"))["error"] == "not-installed"
    with pytest.raises(MemoryError):
        judge(MemoryError())


def test_long_texts_are_shown_by_their_start():
    (done,) = judged_chunk([group("exact", "a", "b" * 5_000)], 60)
    assert len(done["extracted"]) == verification.SHOWN
    assert isinstance(verify("exact", "a", "b" * 5_000), Score)
