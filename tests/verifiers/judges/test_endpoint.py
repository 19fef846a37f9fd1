"""Requests to an endpoint: retries, outages, limits, processes."""

import asyncio
import math
import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from threading import Barrier

import pytest
from tests.verifiers.judges.stubs import JSON, completion, in_turn, rubric, says, sends

from palaestra.backoff import retry_after
from palaestra.task import JudgeError
from palaestra.verifiers.judges import Endpoint
from palaestra.verifiers.judges.endpoint import LARGEST
from palaestra.verifiers.verifier import GoldError


def test_a_request_is_one_that_every_endpoint_takes(stub, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", " secret\n")
    endpoint = Endpoint(stub.url + "/", "judge", key_env="JUDGE_KEY", extra={"max_tokens": 5})
    messages = [{"role": "user", "content": "\ud800 漢"}]
    assert endpoint.complete(messages) == "yes"
    path, headers, body = stub.seen[0]
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer secret"
    assert body == {"model": "judge", "messages": messages, "stream": False, "max_tokens": 5}


def test_the_key_is_in_no_copy(monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "secret")
    endpoint = Endpoint("http://localhost/v1", "judge", "JUDGE_KEY")
    assert "secret" not in repr(endpoint)
    assert b"secret" not in pickle.dumps(endpoint)
    assert pickle.loads(pickle.dumps(endpoint)) == endpoint
    assert hash(endpoint) == hash(pickle.loads(pickle.dumps(endpoint)))


def test_without_a_key_none_is_sent(stub, endpoint):
    endpoint.complete([])
    assert "authorization" not in {name.lower() for name in stub.seen[0][1]}


@pytest.mark.parametrize("key", ["a\nb", "ключ"], ids=["two lines", "not ascii"])
def test_a_key_that_cannot_be_sent_is_our_fault(stub, endpoint, monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(JudgeError, match="key in OPENAI_API_KEY"):
        endpoint.complete([])
    assert not stub.seen


def hangs(handler, body, number):
    handler.server.end.wait(120)


def drips_headers(handler, body, number):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server.end.wait(0.02):
        handler.wfile.write(b"X: y\r\n")


def drips_body(handler, body, number):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.end.wait(0.02):
        handler.wfile.write(b" ")


def drops(handler, body, number):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(completion("yes")[:20])
    handler.close_connection = True


def hangs_up(handler, body, number):
    handler.close_connection = True


def floods(handler, body, number):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Connection", "close")
    handler.end_headers()
    for _ in range(LARGEST // 50_000 + 5):
        handler.wfile.write(b" " * 50_000)
    handler.close_connection = True


COMPLETION = "not a chat completion"
OUTAGES = {
    "500": (sends(500), "it answers 500"),
    "503": (sends(503), "it answers 503"),
    "429": (sends(429, headers={"Retry-After": "0"}), "it answers 429"),
    "hangs": (hangs, "no whole answer in 0.1 s"),
    "drips headers": (drips_headers, "no whole answer in 0.1 s"),
    "drips its body": (drips_body, "no whole answer in 0.1 s"),
    "drops the body": (drops, "the connection fails"),
    "hangs up": (hangs_up, "the connection fails"),
    "huge": (floods, "more than 1000000 bytes"),
    "half a JSON": (sends(body=b'{"choices": [{"message"'), COMPLETION),
    "no choices": (sends(body=b'{"choices": []}'), COMPLETION),
    "no object": (sends(body=b"null"), COMPLETION),
    "deep": (sends(body=b"[" * 100_000), COMPLETION),
    "long number": (sends(body=b'{"choices": ' + b"9" * 5_000 + b"}"), COMPLETION),
    "no text at all": (sends(body=b"\xff\xfe\x00"), COMPLETION),
    "null content": (sends(body=completion(None)), "holds no text"),
    "content of parts": (sends(body=completion({"verdict": "yes"})), "holds no text"),
    "HTML": (sends(body=b"<p>yes</p>", headers={"Content-Type": "text/html"}), "than JSON"),
    "of no type": (sends(body=completion("yes"), headers={}), "than JSON"),
    "compressed": (sends(body=b"x", headers=JSON | {"Content-Encoding": "gzip"}), "compressed"),
}


@pytest.mark.parametrize(("behave", "why"), OUTAGES.values(), ids=list(OUTAGES))
def test_an_outage_is_tried_again_and_then_unscored(stub, behave, why):
    timeout = 0.1 if why.endswith(" s") else 60
    endpoint = Endpoint(stub.url, "judge", timeout_s=timeout, retries=1, backoff_s=0.001)
    stub.behave = behave
    with pytest.raises(JudgeError, match=why) as caught:
        endpoint.complete([{"role": "user", "content": "?"}])
    assert caught.value.status == "infra_error"
    stub.wait_for(2)
    assert len(stub.seen) == 2
    with pytest.raises(JudgeError, match=f"0 of 1 votes.*{why}"):
        rubric(endpoint, votes=1, canaries=0)("Paris")


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 422])
def test_a_refusal_is_final(stub, endpoint, status):
    stub.behave = sends(status, headers={"Location": "/v1/elsewhere"})
    with pytest.raises(JudgeError, match=f"it answers {status}"):
        endpoint.complete([])
    assert len(stub.seen) == 1


def test_nobody_listening_is_unscored(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(JudgeError, match="the connection fails"):
        Endpoint("http://127.0.0.1:1/v1", "judge", retries=0).complete([])


@pytest.mark.parametrize(
    "fault",
    [sends(500), sends(429, headers={"Retry-After": "0"}), drops, sends(body=b"{")],
    ids=["500", "429", "dropped", "half a JSON"],
)
def test_a_fault_that_passes_does_no_harm(stub, endpoint, fault):
    stub.behave = in_turn(fault, fault, says("yes"))
    assert endpoint.complete([]) == "yes"
    assert len(stub.seen) == 3


def test_pauses_between_tries_are_bounded_and_differ():
    endpoint = Endpoint("http://localhost/v1", "judge", backoff_s=0.5, longest_pause_s=3)
    for tries, longest in enumerate([0.5, 1, 2, 3, 3]):
        pauses = {endpoint.pause(tries) for _ in range(20)}
        assert longest / 2 <= min(pauses) < max(pauses) <= longest
    assert 2.75 <= endpoint.pause(0, retry_after_s=2.5) <= 3
    assert 3.25 <= endpoint.pause(0, retry_after_s=86_400) <= 3.5


def test_pauses_that_are_asked_for_are_made(stub, monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    endpoint = Endpoint(stub.url, "judge", retries=2, longest_pause_s=7)
    stub.behave = in_turn(
        sends(429, headers={"Retry-After": "3"}),
        sends(503, headers={"Retry-After": "900"}),
        says("yes"),
    )
    with monkeypatch.context() as patch:
        patch.setattr("palaestra.verifiers.judges.endpoint.asyncio.sleep", sleep)
        assert endpoint.complete([]) == "yes"
    assert slept == [pytest.approx(3.375, abs=0.126), pytest.approx(7.75, abs=0.251)]


def test_retry_after_is_read_in_both_forms():
    assert retry_after("12") == 12
    assert retry_after(formatdate(time.time() + 100, usegmt=True)) == pytest.approx(100, abs=5)
    assert [retry_after(text) for text in ("", "-1", "nan", "1e9", "9" * 99, "Thu, 99")] == [
        None
    ] * 6


def test_one_that_fails_never_fails_the_others(stub, endpoint):
    def behave(handler, body, number):
        handler.reply(*((400, b"", {}) if body["messages"] else (200, completion("ok"), JSON)))

    stub.behave = behave
    replies = endpoint.complete_all([[], [{"role": "user", "content": "x"}], []])
    assert [replies[0], replies[2]] == ["ok", "ok"]
    assert isinstance(replies[1], JudgeError)


def test_asynchronous_callers_get_the_same(stub, endpoint):
    async def both():
        one = await endpoint.acomplete([])
        # A synchronous call inside a running loop works as well.
        return one, endpoint.complete([]), await endpoint.acomplete_all([[], []])

    assert asyncio.run(both()) == ("yes", "yes", ["yes", "yes"])
    stub.behave = sends(400)
    with pytest.raises(JudgeError):
        asyncio.run(endpoint.acomplete([]))


def test_requests_under_way_are_bounded(stub):
    endpoint = Endpoint(stub.url, "judge", concurrency=3)
    three = Barrier(3, timeout=120)

    def behave(handler, body, number):
        three.wait()  # none is answered before three are there
        handler.reply(200, completion("yes"), JSON)

    stub.behave = behave
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda _: endpoint.complete_all([[]] * 6), range(4)))
    assert replies == [["yes"] * 6] * 4
    assert stub.most_under_way == 3


FORKED = """
import os, sys
from palaestra.verifiers.judges import Endpoint

endpoint = Endpoint(sys.argv[1], "judge", timeout_s=60, retries=0)
assert endpoint.complete([]) == "yes"  # the line of this process is open
child = os.fork()
assert endpoint.complete([]) == "yes"
if child:
    sys.exit(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_process_that_was_forked_off_has_a_line_of_its_own(stub):
    run = [sys.executable, "-W", "ignore", "-c", FORKED, stub.url]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(stub.seen) == 3


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"base_url": "localhost:8000"}, "base_url is http"),
        ({"base_url": "http://u:p@h/v1"}, "no user, password"),
        ({"model": " "}, "no name"),
        ({"timeout_s": 0}, "timeout_s is from"),
        ({"timeout_s": math.nan}, "timeout_s is from"),
        ({"retries": 11}, "retries is from 0 to 10"),
        ({"retries": 1.5}, "whole numbers"),
        ({"concurrency": 0}, "concurrency is from 1"),
        ({"extra": {"messages": []}}, "no 'messages'"),
        ({"extra": {"x": {1}}}, "JSON"),
        ({"extra": {"x": math.inf}}, "JSON"),
    ],
    ids=str,
)
def test_settings_that_cannot_work_are_refused(settings, why):
    with pytest.raises(GoldError, match=why):
        Endpoint(**({"base_url": "http://h/v1", "model": "judge"} | settings))
