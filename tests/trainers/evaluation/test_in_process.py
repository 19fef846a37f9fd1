"""Evaluation without an endpoint."""

import asyncio

import pytest
from tests.trainers.evaluation.endpoints import KNIGHTS, SMALL, done_page, run

from palaestra import Episode
from palaestra.episode import BARE, AnswerFormat
from palaestra.trainers.evaluation import (
    Suite,
    evaluate,
)
from palaestra.trainers.evaluation.reports import markdown


def test_anything_that_replies_can_be_evaluated(tmp_path):
    requests = []

    async def ask(messages, tools):
        requests.append(messages)
        await asyncio.sleep(0)
        return "<answer>?</answer>" if len(requests) % 2 else "I pass"

    progress = []
    done = asyncio.run(
        evaluate(
            ask, SMALL, model="mine", samples=2, out=tmp_path, settings={"temperature": 0.0},
            progress=lambda *each: progress.append(each),
        )
    )  # fmt: skip
    report = done.write(tmp_path)
    assert (report["model"], report["settings"]) == ("mine", {"temperature": 0.0})
    assert report["overall"]["attempts"] == 2 * SMALL.tasks == report["planned"]
    assert report["overall"]["success"]["value"] == 0
    assert report["overall"]["pass_at_k"]["2"]["value"] == 0
    assert progress[0] == (0, 40, None)
    assert [each[0] for each in progress[1:]] == list(range(1, 41))


def test_styles_of_ones_own():
    silent = AnswerFormat("silent", "", BARE.read, BARE.write)
    suite = Suite.of(KNIGHTS, [1], 6)
    known = {Episode(a.task(), silent).observation: a.task() for a in suite.cells[0].addresses()}

    async def ask(messages, tools):
        return known[messages[-1]["content"]].answer()

    done = asyncio.run(evaluate(ask, suite, answer_format=silent))
    assert [each.score for each in done.attempts] == [1] * 6
    assert {each.answer_format for each in done.attempts} == {"silent"}


def test_what_it_raises_is_unscored():
    async def ask(messages, tools):
        raise MemoryError("out of it")

    done = asyncio.run(evaluate(ask, SMALL, give_up_after=0))
    assert done.complete
    report = done.report()
    assert report["overall"]["success"] is None
    assert report["overall"]["unscored"] == SMALL.tasks
    assert report["overall"]["success_if_unscored"] == [0, 1]
    for text in (markdown(report), done_page(report)):
        assert "out of it" in text
    stopped = asyncio.run(evaluate(ask, SMALL, give_up_after=4))
    assert "4 requests in a row" in stopped.stopped
    assert stopped.attempts == ()


def test_slips_of_the_caller_are_raised():
    async def ask(messages):
        return ""

    with pytest.raises(TypeError):
        asyncio.run(evaluate(ask, SMALL))
    for odd in ({"samples": 0}, {"concurrency": 0}, {"give_up_after": -1}, {"tools": "x"},
                {"model": " "}, {"answer_format": "fancy"}):  # fmt: skip
        with pytest.raises(ValueError, match=r"samples|concurrency|give_up|tools|model|format"):
            asyncio.run(evaluate(ask, SMALL, **odd))
    with pytest.raises(ValueError, match="stream"):
        run("http://localhost/v1", SMALL, stream=True)
