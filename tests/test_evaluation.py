"""Evaluation: what it measures, and that it neither loses nor repeats anything."""

import asyncio
import dataclasses
import itertools
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean, pstdev

import pytest
import typer
import yaml
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from palaestra import Address, Episode, UnknownEnvironment
from palaestra.cli import app, main
from palaestra.episode import BARE, AnswerFormat
from palaestra.trainers.evaluation import (
    Attempt,
    BadSuite,
    BrokenLog,
    Cell,
    ChatClient,
    EndpointError,
    Evaluation,
    OtherEvaluation,
    Refused,
    Suite,
    evaluate,
    evaluate_endpoint,
)
from palaestra.trainers.evaluation import client as client_module
from palaestra.trainers.evaluation.attempts import ATTEMPTS, MANIFEST, Log, attempts_in
from palaestra.trainers.evaluation.command import folder_of, sampling_of
from palaestra.trainers.evaluation.figures import figures, ks_of
from palaestra.trainers.evaluation.intervals import beta_quantile, interval
from palaestra.trainers.evaluation.oracle import Oracle, build, serving
from palaestra.trainers.evaluation.reports import markdown, report

ROOT = Path(__file__).parents[1]
KNIGHTS = "logic/knights_and_knaves"
SMALL = Suite(
    (Cell(KNIGHTS, 2, 12), Cell("games/mastermind", 1, 4), Cell("tools/meeting_desk", 0, 4))
)


class Endpoint:
    """An oracle that has moods: ``mood(key, tries)`` may answer in its place.

    A key is the opening, the seed and the number of messages of a request.
    """

    def __init__(self, suite, errors=0.0, mood=lambda key, tries: None, delay=0.0):
        self.oracle = Oracle(suite, errors)
        self.mood, self.delay = mood, delay
        self.asked = Counter()
        self.headers = []
        self.times = []
        self.busy = self.busiest = 0
        self.held = lambda: False
        """Whether answers are held back for now."""

    async def answer(self, request):
        wish = await request.json()
        self.headers.append(dict(request.headers))
        opening = next(m["content"] for m in wish["messages"] if m["role"] == "user")
        key = (opening, wish.get("seed"), len(wish["messages"]))
        self.asked[key] += 1
        self.times.append((key, time.monotonic()))
        self.busy += 1
        self.busiest = max(self.busy, self.busiest)
        try:
            await asyncio.sleep(self.delay)
            while self.held():
                await asyncio.sleep(0.01)
            told = self.mood(key, self.asked[key])
            if asyncio.iscoroutine(told):
                told = await told
            return told or JSONResponse(self.oracle.completion(wish))
        finally:
            self.busy -= 1

    def serving(self):
        route = Route("/v1/chat/completions", self.answer, methods=["POST"])
        return serving(Starlette(routes=[route]))


def run(url, suite, model="oracle", *, client=None, **options):
    """An evaluation of what answers at a URL."""

    async def go():
        settings = {"timeout_s": 20, "retries": 3, "backoff_s": 0.01, **(client or {})}
        async with ChatClient(url, **settings) as line:
            return await evaluate_endpoint(line, model, suite, **options)

    return asyncio.run(go())


def command(*argv):
    """The exit code of a command."""
    try:
        main(list(argv))
    except SystemExit as end:
        return end.code or 0
    return 0


def keys_in(folder):
    return [each.key for each in attempts_in(folder)]


# ------------------------------------------------------------------ what it measures


@pytest.mark.parametrize("errors", [0.0, 0.3, 0.9, 1.0])
def test_it_finds_the_error_rate_of_an_oracle(errors, tmp_path):
    suite = Suite.of(
        [KNIGHTS, "counting/dice_probability", "games/mastermind", "tools/meeting_desk"], [1], 30
    )
    endpoint = Endpoint(suite, errors)
    with endpoint.serving() as url:
        done = run(url, suite, out=tmp_path, concurrency=16)
    told = done.report()
    success = told["overall"]["success"]
    assert success["low"] <= 1 - errors <= success["high"]
    assert success["high"] - success["low"] < 0.2
    wrong = {opening for opening in endpoint.oracle.known if endpoint.oracle.errs(opening)}
    for attempt in done.attempts:
        opening = Episode(Address.parse(attempt.address).task()).observation
        assert attempt.score is not None
        assert (attempt.score == 1) is (opening not in wrong)
    assert told["complete"]
    assert told["overall"]["attempts"] == suite.tasks == 120
    assert {env["env"] for env in told["environments"]} == {cell.env for cell in suite.cells}
    turns = {env["env"]: env["turns"] for env in told["environments"]}
    assert turns[KNIGHTS] == 1 < turns["games/mastermind"]
    assert all(Address.parse(each.address).split == "eval" for each in done.attempts)


def test_samples_differ_by_their_seed_and_give_pass_at_k(tmp_path):
    suite = Suite.of([KNIGHTS, "games/mastermind"], [2], 25)
    endpoint = Endpoint(suite, 0.4)
    with endpoint.serving() as url:
        done = run(url, suite, samples=4, seed=7, concurrency=16)
    told = done.report()["overall"]
    assert {seed for _, seed, _ in endpoint.asked} == {7, 8, 9, 10}
    assert [*told["pass_at_k"]] == ["1", "2", "4"]
    for k, share in told["pass_at_k"].items():
        assert share["low"] <= 1 - 0.4 ** int(k) <= share["high"]
    assert told["pass_at_k"]["1"]["value"] == told["success"]["value"]
    assert told["success"]["value"] < told["pass_at_k"]["2"]["value"]
    without = run_unseeded(suite)
    assert without["pass_at_k"]["4"]["value"] == without["pass_at_k"]["1"]["value"]


def run_unseeded(suite):
    """The same without a seed: an oracle then says the same each time."""
    with Endpoint(suite, 0.4).serving() as url:
        return run(url, suite, samples=4).report()["overall"]


def test_what_is_sent():
    endpoint = Endpoint(SMALL)
    options = {"temperature": 0.5, "max_tokens": 9, "extra_body": {"top_k": 3}}
    seen = []

    async def keep(request):
        seen.append(await request.json())
        return await endpoint.answer(request)

    route = Route("/v1/chat/completions", keep, methods=["POST"])
    with serving(Starlette(routes=[route])) as url:
        done = run(url, SMALL, system="Think.", **options)
    assert all(wish["temperature"] == 0.5 and wish["top_k"] == 3 for wish in seen)
    assert all("extra_body" not in wish and "seed" not in wish for wish in seen)
    assert {wish["messages"][0]["content"] for wish in seen} == {"Think."}
    assert done.report()["settings"] == options | {"system": "Think."}


@pytest.mark.parametrize("concurrency", [1, 5])
def test_no_more_at_a_time_than_asked_for(concurrency):
    endpoint = Endpoint(SMALL, delay=0.01)
    with endpoint.serving() as url:
        run(url, SMALL, concurrency=concurrency)
    assert endpoint.busiest == concurrency


# ------------------------------------------------------------------ an endpoint with moods


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
    return 2 if mood == "hang" else 20


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
        times = [moment for asked, moment in endpoint.times if asked == key]
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
    moods, told = FOR_GOOD[mood]
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
    assert all(told in each.reason for each in done.attempts if each.score is None)
    assert told in json.dumps(done.report()["faults"])
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
    said = dict(zip(Endpoint(suite).oracle.known, GARBAGE))

    def answer(key, _):
        told = {"choices": [{"message": {"content": said[key[0]]}, "finish_reason": "length"}]}
        return Response(json.dumps(told).encode())

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

    def told(done, planned, attempt):
        healthy[0] = done < 6

    with endpoint.serving() as url:
        options = {"out": tmp_path, "concurrency": 2, "give_up_after": 5, "client": {"retries": 0}}
        first = run(url, SMALL, progress=told, **options)
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
    drawn = Address.task

    def task(self):
        if str(self) == broken:
            raise ZeroDivisionError("in generate")
        return drawn(self)

    with Endpoint(suite).serving() as url:
        monkeypatch.setattr(Address, "task", task)
        done = run(url, suite)
    found = {each.address: (each.score, each.status) for each in done.attempts}
    assert found.pop(broken) == (None, "gold_error")
    assert {*found.values()} == {(1, "scored")}


# ------------------------------------------------------------------ the client


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"base_url": "localhost:8000"}, "http"),
        ({"base_url": "http://user:pass@host/v1"}, "no user"),
        ({"base_url": "http://host/v1?key=1"}, "query"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"timeout_s": float("nan")}, "timeout_s"),
        ({"retries": -1}, "retries"),
        ({"backoff_s": 1e9}, "backoff_s"),
    ],
)
def test_settings_that_cannot_work(settings, told):
    with pytest.raises(ValueError, match=told):
        ChatClient(**{"base_url": "http://localhost/v1", **settings})


def test_no_one_there():
    async def go():
        async with ChatClient("http://127.0.0.1:9/v1", retries=1, backoff_s=0) as client:
            await client.chat.completions.create(model="m", messages=[])

    with pytest.raises(EndpointError, match=r"ConnectError\) \(2 tries\)") as fault:
        asyncio.run(go())
    assert fault.value.status_code is None


def test_the_key_is_sent_and_kept_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("STUB_KEY", "sesame-opens")
    endpoint = Endpoint(SMALL)
    with endpoint.serving() as url:
        run(url, SMALL, out=tmp_path, client={"api_key_env": "STUB_KEY"}).write(tmp_path)
        assert {each["authorization"] for each in endpoint.headers} == {"Bearer sesame-opens"}
        endpoint.headers.clear()
        run(url, SMALL, client={"api_key_env": "NO_SUCH_KEY"})
        assert not any("authorization" in each for each in endpoint.headers)
        monkeypatch.setenv("STUB_KEY", "se\nsame")
        odd = run(url, SMALL, client={"api_key_env": "STUB_KEY"}, give_up_after=0)
    assert {each.score for each in odd.attempts} == {None}
    assert all("sesame" not in file.read_text() for file in tmp_path.iterdir())


# ------------------------------------------------------------------ keeping and going on


@pytest.fixture
def suite_file(tmp_path):
    file = tmp_path / "small.yaml"
    cells = [{"env": c.env, "levels": c.level, "tasks": c.tasks} for c in SMALL.cells]
    file.write_text(yaml.safe_dump(cells))
    return file


def started(url, suite_file, out, *more):
    argv = [
        "eval",
        "--base-url",
        url,
        "--model",
        "m",
        "--suite",
        str(suite_file),
        "--out",
        str(out),
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "palaestra", *argv, "--samples", "3", "--seed", "1", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def written(out):
    file = out / ATTEMPTS
    return file.read_bytes().count(b"\n") if file.exists() else 0


def wait_for(out, lines, process, endpoint):
    """Wait until so many attempts are written; the endpoint holds its answers back then, so that
    no more are made than were under way.
    """
    endpoint.held = lambda: written(out) >= lines
    for _ in range(12_000):
        if written(out) >= lines:
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    raise AssertionError("nothing is written")


def test_killed_and_started_again_it_loses_nothing_and_repeats_nothing(tmp_path, suite_file):
    planned = 3 * SMALL.tasks
    endpoint = Endpoint(SMALL, 0.3, delay=0.03)
    out = tmp_path / "out"
    with endpoint.serving() as url:
        kept = b""
        for lines in (5, 20, 35):
            process = started(url, suite_file, out, "--concurrency", "4")
            wait_for(out, lines, process, endpoint)
            process.kill()
            process.communicate()
            now = (out / ATTEMPTS).read_bytes()
            assert now.startswith(kept)
            kept = now[: now.rfind(b"\n") + 1]
            with (out / ATTEMPTS).open("wb") as file:  # as if it had died while it wrote
                file.write(kept + b'{"address": "logic/kni')
        asked = endpoint.asked.copy()
        endpoint.held = lambda: False
        last = started(url, suite_file, out, "--concurrency", "4")
        shown, told = last.communicate(timeout=300)
        assert last.returncode == 0, told
    now = (out / ATTEMPTS).read_bytes()
    assert now.startswith(kept)
    keys = keys_in(out)
    assert len(keys) == len(set(keys)) == planned
    left = planned - kept.count(b"\n")
    assert f"{left} attempts made" in shown
    done = {Attempt.read(line).key for line in kept.splitlines()}
    for address, _, sample in done:  # what was kept was not asked for again
        opening = Episode(Address.parse(address).task()).observation
        for key, times in endpoint.asked.items():
            if key[:2] == (opening, 1 + sample):
                assert times == asked[key]
    # Each kill may only have cost what was under way.
    assert sum(max(0, times - 1) for key, times in endpoint.asked.items() if key[2] == 1) <= 3 * 4
    whole = json.loads((out / "report.json").read_text())
    assert (whole["complete"], whole["overall"]["attempts"]) == (True, planned)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_says_where_it_stands(sign, tmp_path, suite_file):
    endpoint = Endpoint(SMALL, delay=0.05)
    out = tmp_path / "out"
    with endpoint.serving() as url:
        process = started(url, suite_file, out)
        wait_for(out, 8, process, endpoint)
        process.send_signal(sign)
        shown, told = process.communicate(timeout=300)
        assert process.returncode == 130, told
        assert "interrupted" in told
        assert "Traceback" not in told
        part = json.loads((out / "report.json").read_text())
        assert not part["complete"]
        assert 8 <= part["overall"]["attempts"] < part["planned"] == 60
        assert "Not complete" in (out / "report.html").read_text()
        endpoint.held = lambda: False
        again = started(url, suite_file, out)
        shown, told = again.communicate(timeout=300)
    assert again.returncode == 0
    assert "60 of 60 attempts" in shown
    assert "Not complete" not in (out / "report.html").read_text()


def attempt(n, **more):
    told = {"score": 1.0, "status": "scored", "problem": str(n), **more}
    address = str(Address.of(KNIGHTS, n, 1, "eval"))
    return Attempt(address, KNIGHTS, 1, "level 1", 0, **told)


def manifest(**more):
    same = {"model": "m", "suite": "s", "settings": {}}
    base = {"suite": "s", "tasks": 3, "samples": 1, "base_url": "", "palaestra": "0"}
    return {"same": same, **base, "started": "2026-01-01T00:00:00+00:00", **more}


def test_a_torn_line_is_dropped_wherever_it_is_torn(tmp_path):
    with Log(tmp_path, manifest()) as log:
        for n in range(3):
            log.add(attempt(n, reason="ü" * 40))
    file = tmp_path / ATTEMPTS
    whole = file.read_bytes()
    last = whole[: whole[:-1].rfind(b"\n") + 1]
    for end in range(len(last), len(whole) + 1):
        file.write_bytes(whole[:end])
        with Log(tmp_path, manifest()) as log:
            held = len(log.held)
            log.add(attempt(7))
        kept = whole if end >= len(whole) - 1 else last
        assert held == kept.count(b"\n"), end
        assert file.read_bytes() == kept + attempt(7).line().encode()


@pytest.mark.parametrize("junk", [b"\n", b"{}\n", b"[" * 9_000 + b"\n", b"\xff\n", b'{"sample": 1'])
def test_a_line_that_is_none(junk, tmp_path):
    with Log(tmp_path, manifest()) as log:
        log.add(attempt(1))
    file = tmp_path / ATTEMPTS
    file.write_bytes(file.read_bytes() + junk + (b"" if b"\n" not in junk else b"x\n"))
    if b"\n" not in junk:
        with Log(tmp_path, manifest()) as log:
            assert len(log.held) == 1
        return
    with pytest.raises(BrokenLog, match=f"line 2 of .*{ATTEMPTS}"):
        Log(tmp_path, manifest())


def test_long_lines_are_repaired_too(tmp_path):
    with Log(tmp_path, manifest()) as log:
        log.add(attempt(1, replies=("x" * 300_000,)))
    file = tmp_path / ATTEMPTS
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:-100_000])
    with Log(tmp_path, manifest()) as log:
        assert len(log.held) == 1
    assert file.read_bytes() == whole


def test_an_attempt_is_read_as_it_was_written():
    one = attempt(1, replies=("a", "\ud800\u2028"), parts={"x": 0.5}, finish_reasons=("stop", None))
    assert Attempt.read(one.line()) == one
    assert one.line().count("\n") == 1
    for odd in ("3", "{}", "null", one.line().replace('"score": 1.0', '"score": 7'),
                one.line().replace('"sample": 0', '"sample": "0"')):  # fmt: skip
        with pytest.raises(ValueError, match=r"attempt|score"):
            Attempt.read(odd)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"model": "other"}, "model 'oracle', not 'other'"),
        ({"suite": Suite.of(KNIGHTS, [1], 3)}, "suite"),
        ({"temperature": 1.0}, "settings"),
        ({"seed": 5}, "settings"),
        ({"system": "Think."}, "system '', not 'Think.'"),
        ({"answer_format": "boxed"}, "answer_format None, not 'boxed'"),
        ({"max_turns": 9}, "max_turns 256, not 9"),
        ({"tools": "text"}, "tools 'auto', not 'text'"),
    ],
)
def test_a_folder_holds_one_evaluation(change, told, tmp_path):
    endpoint = Endpoint(SMALL)
    with endpoint.serving() as url:
        run(url, SMALL, out=tmp_path)
        before = (tmp_path / ATTEMPTS).read_bytes()
        asked = sum(endpoint.asked.values())
        change = {"suite": SMALL, **change}
        with pytest.raises(OtherEvaluation, match=re.escape(told)):
            run(url, out=tmp_path, **change)
    assert (tmp_path / ATTEMPTS).read_bytes() == before
    assert sum(endpoint.asked.values()) == asked


def test_more_samples_go_on_and_fewer_take_nothing_away(tmp_path):
    endpoint = Endpoint(SMALL)
    with endpoint.serving() as url:
        run(url, SMALL, out=tmp_path)
        first = keys_in(tmp_path)
        more = run(url, SMALL, out=tmp_path, samples=3, concurrency=3)
        assert keys_in(tmp_path)[: len(first)] == first
        assert len(keys_in(tmp_path)) == 3 * SMALL.tasks
        asked = sum(endpoint.asked.values())
        fewer = run(url, SMALL, out=tmp_path, samples=1)
    assert sum(endpoint.asked.values()) == asked
    assert more.report()["overall"] == fewer.report()["overall"]


def test_one_process_at_a_time(tmp_path):
    with Log(tmp_path, manifest()):
        code = f"""
from pathlib import Path
from palaestra.trainers.evaluation.attempts import Log, OtherEvaluation
try:
    Log(Path({str(tmp_path)!r}), {manifest()!r})
except OtherEvaluation as fault:
    print(fault)
"""
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
    assert "another process" in out.stdout
    Log(tmp_path, manifest()).close()


def test_folders_that_are_something_else(tmp_path):
    with pytest.raises(OtherEvaluation, match="holds no evaluation"):
        Evaluation.load(tmp_path)
    (tmp_path / ATTEMPTS).write_text(attempt(1).line())
    with pytest.raises(OtherEvaluation, match=f"no {MANIFEST}"):
        Log(tmp_path, manifest())
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(OtherEvaluation, match="not an evaluation's"):
        Log(tmp_path, manifest())


def test_what_is_kept_can_be_judged_again(tmp_path, suite_file):
    with Endpoint(SMALL, 0.4).serving() as url:
        run(url, SMALL, out=tmp_path)
    lines = (tmp_path / ATTEMPTS).read_text()
    out = subprocess.run(
        [sys.executable, "-m", "palaestra", "score"],
        input=lines, capture_output=True, text=True, check=True,
    )  # fmt: skip
    again = [json.loads(line) for line in out.stdout.splitlines()]
    kept = [json.loads(line) for line in lines.splitlines()]
    assert [each["value"] for each in again] == [each["score"] for each in kept]
    assert {each["score"] == 1 for each in kept} == {True, False}


# ------------------------------------------------------------------ without an endpoint


def test_anything_that_replies_can_be_evaluated(tmp_path):
    asked = []

    async def ask(messages, tools):
        asked.append(messages)
        await asyncio.sleep(0)
        return "<answer>?</answer>" if len(asked) % 2 else "I pass"

    heard = []
    done = asyncio.run(
        evaluate(
            ask, SMALL, model="mine", samples=2, out=tmp_path, settings={"temperature": 0.0},
            progress=lambda *each: heard.append(each),
        )
    )  # fmt: skip
    told = done.write(tmp_path)
    assert (told["model"], told["settings"]) == ("mine", {"temperature": 0.0})
    assert told["overall"]["attempts"] == 2 * SMALL.tasks == told["planned"]
    assert told["overall"]["success"]["value"] == 0
    assert told["overall"]["pass_at_k"]["2"]["value"] == 0
    assert heard[0] == (0, 40, None)
    assert [each[0] for each in heard[1:]] == list(range(1, 41))


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
    told = done.report()
    assert told["overall"]["success"] is None
    assert told["overall"]["unscored"] == SMALL.tasks
    assert told["overall"]["success_if_unscored"] == [0, 1]
    for text in (markdown(told), done_page(told)):
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


# ------------------------------------------------------------------ suites


def test_suites_are_read():
    suite = Suite.read(
        [
            "matches/tic_tac_toe",
            {"environments": "logic/*", "levels": [0, 2], "tasks": 3},
            {
                "env": "games/mastermind",
                "levels": "0-1",
                "knobs": {"length": 3},
                "answer_format": "boxed",
            },
        ]
    )
    cells = [(cell.env, cell.name, cell.tasks) for cell in suite.cells]
    assert ("matches/tic_tac_toe", "level 5", 20) in cells
    assert (KNIGHTS, "level 2", 3) in cells
    assert (KNIGHTS, "level 1", 3) not in cells
    assert cells[-1] == ("games/mastermind", "level 1, length=3, boxed", 20)
    first = [cell for cell, _ in itertools.islice(suite.rounds(), len(suite.cells))]
    assert first == [*suite.cells]
    assert len([*suite.rounds()]) == suite.tasks
    turned = Suite(suite.cells[::-1])
    assert turned.digest() == suite.digest()
    assert Suite(suite.cells[1:]).digest() != suite.digest()
    assert all(a.split == "eval" for cell in suite.cells for a in cell.addresses())


def test_the_suite_that_is_shipped():
    suite = Suite.load(ROOT / "examples/suite.yaml")
    assert {"games/mastermind", "tools/meeting_desk", KNIGHTS} <= {c.env for c in suite.cells}
    assert 100 < suite.tasks < 2_000


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        (["logi/*"], "did you mean logic/\\*"),
        (["logic/knights"], "did you mean logic/knights_and_knaves"),
        (["logic/zz*"], "logic has logic/"),
        (["zz*"], "categories are"),
        ([{"env": KNIGHTS, "task": 3}], "did you mean tasks"),
        ([{"env": KNIGHTS, "levels": [99]}], "has levels 0 to"),
        ([{"env": "logic/*", "levels": 99}], "one of the levels"),
        ([{"env": KNIGHTS, "levels": "high"}], "'levels' is all"),
        ([{"env": KNIGHTS, "levels": [True]}], "'levels' is all"),
        ([{"env": KNIGHTS, "tasks": 0}], "from 1 to"),
        ([{"env": KNIGHTS, "tasks": "many"}], "from 1 to"),
        ([{"env": KNIGHTS, "seed": -1}], "from 0 to"),
        ([{"env": KNIGHTS, "knobs": {"people": 99}}], "from 2 to 10"),
        ([{"env": KNIGHTS, "knobs": {"peopel": 3}}], "did you mean people"),
        ([{"env": KNIGHTS, "knobs": [3]}], "'knobs' are"),
        ([{"env": KNIGHTS, "answer_format": "xml"}], "an answer format is one of"),
        ([{"levels": 1}], "'environments' is"),
        ([{"env": 3}], "'environments' is"),
        ([7], "an entry is"),
        ([KNIGHTS, KNIGHTS], "twice"),
        ([], "one environment at least"),
        ({"a": 1}, "a list of entries"),
        (None, "a list of entries"),
    ],
)
def test_suites_that_cannot_be(plain, told, tmp_path, capsys):
    with pytest.raises((BadSuite, UnknownEnvironment), match=told):
        Suite.read(plain)
    file = tmp_path / "suite.yaml"
    file.write_text(yaml.safe_dump(plain))
    argv = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--suite", str(file)]
    assert command("eval", *argv, "--out", str(tmp_path / "x")) == 2
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert not (tmp_path / "x").exists()
    assert re.search(told, err)


@pytest.mark.parametrize("text", ["- [", "\x00", "{" * 3_000, "!!python/object:os.system x"])
def test_files_that_are_no_suite(text, tmp_path):
    file = tmp_path / "suite.yaml"
    file.write_text(text)
    with pytest.raises(BadSuite, match=r"suite\.yaml"):
        Suite.load(file)


# ------------------------------------------------------------------ figures


@pytest.mark.parametrize(
    ("tasks", "samples", "a", "b"),
    [
        (20, 1, 1, 1),
        (20, 4, 0.5, 0.5),
        (50, 4, 0.3, 1.5),
        (12, 8, 1, 1),
        (12, 1, 0.02, 0.38),  # hard ones, with 5 % or less of successes
        (50, 8, 0.047, 2.29),
        (20, 8, 0.116, 2.22),
        (100, 8, 0.01, 0.99),
    ],
)
def test_intervals_hold_what_they_promise(tasks, samples, a, b):
    """Of many evaluations whose truth is known, 95 % have it in their interval at least."""
    rng, held = random.Random(5), 0
    for _ in range(400):
        chances = [rng.betavariate(a, b) for _ in range(tasks)]
        shares = [fmean(rng.random() < c for _ in range(samples)) for c in chances]
        _, low, high = interval(shares)
        held += low <= a / (a + b) <= high
    assert held / 400 >= 0.95


@pytest.mark.parametrize(
    ("tasks", "widest", "score"),
    [
        (100, 1.35, lambda rng: rng.betavariate(6, 4)),
        (100, 1.25, lambda rng: rng.random()),
        (20, 1.35, lambda rng: rng.random()),
        (100, 1.6, lambda rng: 0.0 if rng.random() < 0.05 else rng.uniform(0.4, 0.6)),
    ],
)
def test_intervals_of_partial_credit_are_as_wide_as_scores_differ(tasks, widest, score):
    rng = random.Random(7)
    drawn = [[score(rng) for _ in range(tasks)] for _ in range(300)]
    widths = [high - low for _, low, high in map(interval, drawn)]
    assert 1 <= fmean(widths) / (2 * 1.96 * pstdev(map(fmean, drawn))) <= widest


def test_intervals_at_their_ends():
    assert interval([0.0] * 10)[:2] == (0, 0)
    assert interval([1.0] * 10)[2] == 1
    _, low, high = interval([0.0] * 3 + [1.0] * 7)
    _, low_too, high_too = interval([1.0] * 3 + [0.0] * 7)
    assert (low, high) == pytest.approx((1 - high_too, 1 - low_too))
    for values in ([0.5], [0.0], [1.0], [1e-300] * 3, [1 - 1e-16] * 9, [0.5] * 10_000):
        mean, low, high = interval(values)
        assert 0 <= low <= mean <= high <= 1
        assert high - low > 0
    with pytest.raises(ValueError, match="no value"):
        interval([])


@given(st.integers(0, 200), st.integers(1, 200))
def test_intervals_of_successes_lie_within_those_of_clopper_and_pearson(right, wrong):
    scipy_stats = pytest.importorskip("scipy.stats")
    number = right + wrong
    _, low, high = interval([1.0] * right + [0.0] * wrong)
    exact = scipy_stats.binomtest(right, number).proportion_ci(0.95, "exact")
    assert exact.low - 1e-9 <= low <= right / number <= high <= exact.high + 1e-9
    assert high - low > 0.8 * (exact.high - exact.low)


@given(st.floats(0.001, 0.999), st.floats(-2, 4.5), st.floats(-2, 4.5))
def test_quantiles_of_the_beta_distribution(share, a, b):
    scipy_stats = pytest.importorskip("scipy.stats")
    known = scipy_stats.beta(10**a, 10**b)
    value = beta_quantile(share, 10**a, 10**b)
    assert value == pytest.approx(known.ppf(share), rel=1e-6, abs=1e-9)


def test_pass_at_k_is_the_share_of_choices_with_a_success():
    outcomes = {"a": [1, 0, 0, 0.5], "b": [0, 0, 0, 0], "c": [1, 1, None, 0]}
    made = [
        dataclasses.replace(attempt(n), problem=name, sample=m, score=score)
        for n, (name, scores) in enumerate(outcomes.items())
        for m, score in enumerate(scores)
    ]
    told = figures(made, (1, 2, 3, 4))["pass_at_k"]
    for k, share in told.items():
        each = [
            fmean(any(s == 1 for s in some) for some in itertools.combinations(known, int(k)))
            for known in ([s for s in scores if s is not None] for scores in outcomes.values())
            if len(known) >= int(k)
        ]
        assert share["value"] == pytest.approx(fmean(each), abs=1e-6)
        assert share["tasks"] == len(each)
    assert figures(made[:2], (8,))["pass_at_k"]["8"] is None


def test_figures_leave_out_what_was_not_scored():
    made = [attempt(n, score=score) for n, score in enumerate([1.0, 0.5, 0.0, None, None])]
    made[3] = dataclasses.replace(made[3], status="infra_error", completion_tokens=10**6)
    told = figures(made)
    assert (told["tasks"], told["scored"], told["unscored"]) == (5, 3, 2)
    assert told["success"]["value"] == pytest.approx(1 / 3, abs=1e-6)
    assert told["score"]["value"] == 0.5
    assert told["success_if_unscored"] == [0.2, 0.6]
    assert told["endings"] == {"solved": 1, "partial": 1, "wrong": 1, "unscored": 2}
    assert told["tokens"]["completion"] == 0


def test_seeds_that_give_the_same_problem_are_one_task():
    made = [dataclasses.replace(attempt(n), problem="same") for n in range(4)]
    told = figures(made, ks_of(1))
    assert (told["tasks"], told["attempts"]) == (1, 4)
    assert told["success"]["low"] < 0.3


# ------------------------------------------------------------------ reports


class Reader(HTMLParser):
    """Holds a page to having every element closed, and nothing from elsewhere."""

    void = {"meta", "wbr"}

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.words = [], Counter(), ""

    def handle_starttag(self, tag, attrs):
        self.seen[tag] += 1
        for name, value in attrs:
            assert name not in {"href", "src", "onload", "onclick"}, (name, value)
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen[tag] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def done_page(told):
    from palaestra.trainers.evaluation.pages import page

    return page(told)


HOSTILE = "<script>alert(1)</script>\"'&|`*\n# x"


def test_reports_are_whole_and_quote_what_is_hostile(tmp_path):
    with Endpoint(SMALL, 0.5).serving() as url:
        done = run(url, SMALL, model=HOSTILE, samples=2, seed=1, temperature=0.5)
    made = [dataclasses.replace(each) for each in done.attempts]
    made[0] = dataclasses.replace(made[0], score=None, status="infra_error", reason=HOSTILE)
    done = dataclasses.replace(done, attempts=tuple(made), stopped=HOSTILE)
    told = done.write(tmp_path)
    held = json.loads((tmp_path / "report.json").read_text(), parse_constant=pytest.fail)
    assert held == json.loads(json.dumps(told))
    text = (tmp_path / "report.html").read_text()
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert "script" not in reader.seen
    assert "<script>alert(1)</script>" in reader.words
    assert "default-src 'none'" in text
    assert not re.search(r"https?://(?!127\.0\.0\.1)", text)
    for heading in ("Success by environment", "Success by level", "pass@k", "How attempts ended",
                    "Tokens", "All figures", "JudgeError", "What the numbers mean"):  # fmt: skip
        assert heading in reader.words
    written = (tmp_path / "report.md").read_text()
    assert "<script>" not in written
    lines = written.splitlines()
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in lines if line.startswith("|")]
    assert len(set(widths)) <= 3  # one for each of three tables
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "report.html", "report.json", "report.md",
    ]  # fmt: skip


def test_a_report_says_how_its_numbers_come_about():
    told = report(manifest(tasks=1), [attempt(1)], 1)
    assert "Clopper and Pearson" in told["method"]["interval"]
    assert "Chen et al. 2021" in told["method"]["pass@k"]
    level = told["environments"][0]["levels"][0]
    assert 0 <= level["no_skill"] < 0.5
    by_hand = report(
        manifest(tasks=1),
        [
            attempt(
                1,
            ),
            dataclasses.replace(attempt(2), cell="level 1, people=9"),
        ],
        1,
    )
    assert [each["no_skill"] for each in by_hand["environments"][0]["levels"]][1] is None
    empty = report(manifest(), [], 3)
    assert empty["overall"] is None
    Reader().feed(done_page(empty))
    assert "0 of 3" in markdown(empty)


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (360, "dark")])
def test_the_page_fits_the_screen(width, scheme, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if browser is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with Endpoint(SMALL, 0.5).serving() as url:
        run(url, SMALL, model="m" * 90, samples=4, seed=1).write(tmp_path)
    said = []
    with playwright.sync_playwright() as web:
        chromium = web.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.on("console", lambda message: said.append(message.text))
        page.goto((tmp_path / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        narrow = "[...document.querySelectorAll('.plot svg')].map(e => e.clientWidth)"
        assert min(page.evaluate(narrow)) > 100
        chromium.close()
    assert said == []


# ------------------------------------------------------------------ the command


def options():
    held = typer.main.get_command(app).commands["eval"]
    return [each for each in held.params if each.name != "help"]


@pytest.mark.parametrize("option", options(), ids=lambda option: option.name)
def test_every_option_is_explained(option, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert command("eval", "--help") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert option.opts[0] in out
    assert len(option.help) > 10
    assert option.help.split(":")[0] in out


def test_options_in_json():
    assert sampling_of(None, temperature=None, max_tokens=5) == {"max_tokens": 5}
    assert sampling_of('{"top_k": 2}', temperature=1.0) == {"top_k": 2, "temperature": 1.0}
    for odd in ("{", "3", "[1]", "[" * 9_000):
        with pytest.raises(ValueError, match="--extra is a JSON object"):
            sampling_of(odd)
    for taken in ('{"n": 2}', '{"model": "x"}', '{"temperature": 1}', '{"seed": 1}'):
        with pytest.raises(ValueError, match="set elsewhere"):
            sampling_of(taken, temperature=0.5)


def test_folders_have_names():
    assert folder_of("../../etc", Path("x.yaml")) == Path("evaluations/etc-x")
    assert folder_of("a b/c", Path("s/t.yaml")) == Path("evaluations/a-b-c-t")


def test_the_command_says_when_something_is_unscored(tmp_path, suite_file, capsys):
    bad = {*[*Endpoint(SMALL).oracle.known][:2]}
    endpoint = Endpoint(SMALL, mood=lambda key, _: Response(b"", 400) if key[0] in bad else None)
    with endpoint.serving() as url:
        argv = ["eval", "--base-url", url, "--model", "m", "--suite", str(suite_file)]
        argv += ["--out", str(tmp_path / "out")]
        assert command(*argv) == 1
        shown = capsys.readouterr()
        assert "20 of 20 attempts, 2 of them unscored" in shown.out
        assert "--retry-unscored" in shown.err
        assert command(*argv, "--model", "other") == 2
        assert "choose another folder" in capsys.readouterr().err
        bad.clear()
        assert command(*argv, "--retry-unscored") == 0
        assert "100 % [" in capsys.readouterr().out


def test_a_bar_for_a_person(monkeypatch, tmp_path, suite_file):
    import io

    from rich.console import Console

    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=150)
    monkeypatch.setattr("palaestra.cli.err", console)
    with Endpoint(SMALL, delay=0.05).serving() as url:
        argv = ["eval", "--base-url", url, "--model", "m", "--suite", str(suite_file)]
        assert command(*argv, "--out", str(tmp_path / "out"), "--concurrency", "2") == 0
    assert "m on small.yaml" in screen.getvalue()
    assert "solved" in screen.getvalue()


# ------------------------------------------------------------------ the page of the documentation


def test_the_commands_of_the_page_run_as_written(tmp_path):
    text = (ROOT / "docs/evaluation.md").read_text()
    lines = [
        line
        for block in re.findall(r"```sh\n(.*?)```", text.replace("\\\n", " "), re.DOTALL)
        for line in block.splitlines()
        if line.strip() and not line.startswith("#")
    ]
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    few = yaml.safe_load((tmp_path / "examples/suite.yaml").read_text())
    for entry in few:  # the same with fewer tasks, for time's sake
        entry["tasks"] = 3
    (tmp_path / "examples/suite.yaml").write_text(yaml.safe_dump(few))
    port = free_port()
    folder = str(Path(sys.executable).parent)
    env = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    served, ran = None, []
    try:
        for line in lines:
            words = line.replace("8001", str(port)).strip()
            if words.endswith("&"):
                argv = shlex.split(words.removesuffix("&"))
                served = subprocess.Popen(argv, cwd=tmp_path, env=env)
                wait_for_port(port, served)
            elif words.startswith(("palaestra", "python")):
                done = subprocess.run(
                    words, shell=True, cwd=tmp_path, env=env, capture_output=True, text=True,
                    check=False,
                )  # fmt: skip
                assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
                ran.append(words)
    finally:
        if served is not None:
            served.terminate()
            served.wait(300)
    assert sum("palaestra eval" in words for words in ran) >= 2
    assert [*tmp_path.glob("evaluations/*/report.html")]


def free_port():
    import socket

    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return line.getsockname()[1]


def wait_for_port(port, process):
    import socket

    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        assert process.poll() is None, "the oracle has ended"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the oracle does not answer")


def test_the_page_names_every_option():
    text = (ROOT / "docs/evaluation.md").read_text()
    for option in options():
        assert f"`{option.opts[0]}" in text, option.opts[0]


def test_the_oracle_answers_only_for_its_tasks():
    import httpx2 as httpx

    with serving(build(Oracle(SMALL))) as url:
        chats = ([{"role": "user", "content": "hi"}], [], [{"role": "user", "content": {}}], 7)
        bodies = [json.dumps({"messages": chat}).encode() for chat in chats]
        for body in (b"{}", b"[", b"3", *bodies):
            assert httpx.post(f"{url}/chat/completions", content=body).status_code == 400
        assert httpx.get(f"{url}/models").json()["data"][0]["id"] == "oracle"
    with pytest.raises(ValueError, match="between 0 and 1"):
        Oracle(SMALL, 2)
    assert threading.active_count() < 50
