"""Endpoints that fail, refuse and cut replies."""

import asyncio
import itertools
import json
from collections import Counter

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from tests.trainers.evaluation.endpoints import (
    KNIGHTS,
    SMALL,
    Endpoint,
    command,
    keys_in,
    run,
)

from palaestra import Address
from palaestra.trainers.evaluation import (
    ChatClient,
    Evaluation,
    Refused,
    Suite,
)
from palaestra.trainers.evaluation import client as client_module
from palaestra.trainers.evaluation.attempts import ATTEMPTS, attempts_in
from palaestra.trainers.evaluation.oracle import serving
from palaestra.trainers.evaluation.reports import markdown


def cut_off(_):
    async def pieces():
        yield b'{"choices": [{"message"'
        raise ConnectionResetError

    return StreamingResponse(pieces(), media_type="application/json")


async def hang():
    await asyncio.sleep(4)


def patient_with(mood):
    """How long a client waits: not long where that is the matter, and where it is not, long enough
    for a busy machine.
    """
    return 2 if mood == "hang" else 120


ONCE = {
    "429": lambda: JSONResponse({"error": "slow down"}, 429, {"retry-after": "0.2"}),
    "500": lambda: Response(b"<h1>oops</h1>", 500),
    "503": lambda: Response(b"", 503, {"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}),
    "hang": hang,
    "truncated": lambda: Response(b'{"choices": [{"message": {"con', media_type="application/json"),
    "nothing": lambda: Response(b""),
    "no completion": lambda: JSONResponse({"choices": []}),
    "deep": lambda: Response(b"[" * 200_000),
    "not JSON": lambda: Response(b"\xff\xfe\x00"),
}


@pytest.mark.parametrize("mood", ONCE)
def test_what_passes_is_tried_again(mood):
    suite = Suite.of(KNIGHTS, [1], 4)
    endpoint = Endpoint(suite, mood=lambda key, tries: ONCE[mood]() if tries == 1 else None)
    with endpoint.serving() as url:
        done = run(url, suite, client={"timeout_s": patient_with(mood)})
    assert [each.score for each in done.attempts] == [1] * 4
    assert set(endpoint.asked.values()) == {2}


def test_a_pause_that_is_asked_for_is_made():
    suite = Suite.of(KNIGHTS, [1], 2)
    endpoint = Endpoint(
        suite,
        mood=lambda key, tries: Response(b"", 429, {"retry-after": "1"}) if tries < 3 else None,
    )
    with endpoint.serving() as url:
        done = run(url, suite)
    assert [each.score for each in done.attempts] == [1, 1]
    for key in endpoint.asked:
        times = [moment for request, moment in endpoint.times if request == key]
        assert all(later - sooner >= 1 for sooner, later in itertools.pairwise(times))


def test_pauses():
    client = ChatClient("http://localhost/v1", backoff_s=1, longest_pause_s=20)
    for tried in range(8):
        pauses = [client.pause(tried) for _ in range(50)]
        assert min(2**tried, 20) / 2 <= min(pauses) < max(pauses) <= min(2**tried, 20)
    assert 30 <= client.pause(0, retry_after_s=30) <= 31
    assert client.pause(0, retry_after_s=10**9) <= 601


FOR_GOOD = {
    "500": (lambda: Response(b"<b>oops</b>", 500), "answers 500: <b>oops</b> (3 tries)"),
    "400": (lambda: JSONResponse({"error": {"message": "odd"}}, 400), "odd"),
    "413": (lambda: Response(b"", 413), "answers 413"),
    "hang": (hang, "no whole answer in 2 s (3 tries)"),
    "enormous": (lambda: Response(b"x" * 300_000), "more than 200,000 bytes"),
    "compressed": (
        lambda: Response(b"x", headers={"content-encoding": "gzip"}),
        "compressed, unasked",
    ),
    "no text": (lambda: JSONResponse({"choices": [{"message": {"content": 5}}]}), "no text"),
}


@pytest.mark.parametrize("mood", FOR_GOOD)
def test_what_does_not_pass_is_unscored_and_never_0(mood, monkeypatch, tmp_path):
    monkeypatch.setattr(client_module, "LARGEST", 200_000)
    suite = Suite.of(KNIGHTS, [1], 8)
    moods, reason = FOR_GOOD[mood]
    openings = [*Endpoint(suite).oracle.known]
    bad = set(openings[:3])
    endpoint = Endpoint(suite, mood=lambda key, tries: moods() if key[0] in bad else None)
    with endpoint.serving() as url:
        done = run(url, suite, out=tmp_path, client={"timeout_s": patient_with(mood), "retries": 2})
    overall = done.report()["overall"]
    assert (overall["attempts"], overall["scored"], overall["unscored"]) == (8, 5, 3)
    assert overall["success"]["value"] == 1
    assert overall["success_if_unscored"] == [0.625, 1.0]
    assert overall["endings"] == {"solved": 5, "unscored": 3}
    assert {each.score for each in done.attempts} == {1, None}
    assert all(reason in each.reason for each in done.attempts if each.score is None)
    assert reason in json.dumps(done.report()["faults"])
    assert len([*attempts_in(tmp_path)]) == 8


GARBAGE = [
    "",
    "no idea",
    "<answer></answer>",
    "x" * 2_000_000,
    "<answer>1</answer><answer>2</answer>",
    "\ud800\x00",
]


def test_garbage_is_the_models_own_doing(tmp_path):
    suite = Suite.of(KNIGHTS, [1], len(GARBAGE))
    replies = dict(zip(Endpoint(suite).oracle.known, GARBAGE))

    def answer(key, _):
        body = {"choices": [{"message": {"content": replies[key[0]]}, "finish_reason": "length"}]}
        return Response(json.dumps(body).encode())

    with Endpoint(suite, mood=answer).serving() as url:
        done = run(url, suite, out=tmp_path)
    overall = done.report()["overall"]
    assert (overall["scored"], overall["unscored"]) == (len(GARBAGE), 0)
    assert (overall["success"]["value"], overall["truncated"]) == (0, len(GARBAGE))
    assert overall["tokens"]["per_attempt"] is None
    assert (tmp_path / ATTEMPTS).stat().st_size < 1_200_000
    assert [each.cut for each in attempts_in(tmp_path)].count(True) == 1


def test_functions_are_not_offered_again_once_refused():
    suite = Suite.of("tools/meeting_desk", [0], 12)
    offered = []
    endpoint = Endpoint(suite)

    async def unwilling(request):
        wish = await request.json()
        offered.append("tools" in wish)
        if "tools" in wish:
            return JSONResponse({"error": "tool calls need --enable-auto-tool-choice"}, 400)
        return await endpoint.answer(request)

    route = Route("/v1/chat/completions", unwilling, methods=["POST"])
    with serving(Starlette(routes=[route])) as url:
        done = run(url, suite, concurrency=2)
        assert [each.score for each in done.attempts] == [1] * 12
        assert not any(each.native_tools for each in done.attempts)
        assert offered.count(True) <= 2
        native = run(url, suite, tools="native")
    assert [each.score for each in native.attempts] == [None] * 12


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_endpoint_that_refuses_everything_stops_it(status, tmp_path, capsys, suite_file):
    endpoint = Endpoint(SMALL, mood=lambda key, tries: JSONResponse({"error": "no!"}, status))
    with endpoint.serving() as url:
        with pytest.raises(Refused, match=f"answers {status}"):
            run(url, SMALL, out=tmp_path / "a", concurrency=3)
        argv = ["--base-url", url, "--model", "m", "--suite", str(suite_file)]
        assert command("eval", *argv, "--out", str(tmp_path / "b")) == 1
    assert sum(endpoint.asked.values()) <= 3 + 16
    assert keys_in(tmp_path / "a") == keys_in(tmp_path / "b") == []
    shown = capsys.readouterr()
    assert f"answers {status}" in shown.err
    assert "Traceback" not in shown.err
    assert "nothing was attempted" in shown.out
    assert (tmp_path / "b" / "report.html").exists()


def test_a_chat_that_is_refused_stops_nothing():
    bad = {[*Endpoint(SMALL).oracle.known][5]}
    endpoint = Endpoint(SMALL, mood=lambda key, _: Response(b"", 403) if key[0] in bad else None)
    with endpoint.serving() as url:
        done = run(url, SMALL, concurrency=1)
    assert done.complete
    assert [each.score for each in done.attempts].count(None) == 1


def test_an_endpoint_that_goes_away_stops_it_and_leaves_no_trace(tmp_path):
    endpoint = Endpoint(SMALL)
    healthy = [True]
    endpoint.mood = lambda key, tries: None if healthy[0] else Response(b"", 502)

    def show_progress(done, planned, attempt):
        healthy[0] = done < 6

    with endpoint.serving() as url:
        options = {"out": tmp_path, "concurrency": 2, "give_up_after": 5, "client": {"retries": 0}}
        first = run(url, SMALL, progress=show_progress, **options)
        assert "5 requests in a row failed" in first.stopped
        assert "502" in first.stopped
        assert len(first.attempts) < SMALL.tasks
        assert all(each.score is not None for each in first.attempts)
        assert "Not complete" in markdown(first.report())
        healthy[0] = True
        second = run(url, SMALL, **options)
    assert second.complete
    assert second.stopped == ""
    assert {each.score for each in second.attempts} == {1}
    assert Counter(keys_in(tmp_path)).most_common(1)[0][1] == 1


def test_single_failures_are_kept_with_those_around_them(tmp_path):
    suite = Suite.of(KNIGHTS, [2], 12)
    bad = {*[*Endpoint(suite).oracle.known][::3]}
    endpoint = Endpoint(suite, mood=lambda key, _: Response(b"", 500) if key[0] in bad else None)
    with endpoint.serving() as url:
        options = {"out": tmp_path, "concurrency": 1, "client": {"retries": 0}}
        done = run(url, suite, give_up_after=2, **options)
        assert done.complete
        assert [each.score for each in done.attempts].count(None) == 4
        bad.clear()
        again = run(url, suite, **options)
        assert [each.score for each in again.attempts].count(None) == 4
        mended = run(url, suite, retry_unscored=True, **options)
    assert {each.score for each in mended.attempts} == {1}
    assert len(keys_in(tmp_path)) == 16
    assert mended.report()["overall"]["attempts"] == 12
    assert Evaluation.load(tmp_path).report()["overall"]["unscored"] == 0


def test_a_task_that_cannot_be_drawn_ends_no_evaluation(monkeypatch):
    suite = Suite.of(KNIGHTS, [1], 5)
    broken = str([*suite.cells[0].addresses()][2])
    task_of = Address.task

    def task(self):
        if str(self) == broken:
            raise ZeroDivisionError("in generate")
        return task_of(self)

    with Endpoint(suite).serving() as url:
        monkeypatch.setattr(Address, "task", task)
        done = run(url, suite)
    outcomes = {each.address: (each.score, each.status) for each in done.attempts}
    assert outcomes.pop(broken) == (None, "gold_error")
    assert {*outcomes.values()} == {(1, "scored")}
