"""The service under clients of every kind: sockets, agents, curricula, and those that mean harm."""

import asyncio
import gzip
import io
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import zlib
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread

import httpx2 as httpx
import msgspec
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from palaestra import cli, scoring, zstd
from palaestra.address import Address
from palaestra.episode import TAGS, Episode
from palaestra.server import curricula as served
from palaestra.server import http_protocol, judging, metering, sockets, targets
from palaestra.server.app import build
from palaestra.server.auth import Keys, parsed
from palaestra.server.launcher import OPTIONS, background_server
from palaestra.server.service import Settings
from palaestra.toolbox import call
from palaestra.trainers import curricula
from palaestra.workers.pool import workers

CODE = Address.of("games/mastermind", seed=1, level=2)
MOVES = [TAGS.write(move) for move in CODE.task().solve()]
KNIGHTS = Address.of("logic/knights_and_knaves", seed=5, level=2)
RIGHT = TAGS.write(KNIGHTS.task().answer())
TOKENS = (
    "sesame name=all",
    "reader scopes=read name=reader",
    "scorer scopes=score name=scorer",
    "slow name=slow per_minute=5",
)


@pytest.fixture(scope="module")
def url():
    app = build()
    app.state.service.judge.lanes["worker"].size = 64  # tests have more under way than workers
    with background_server(app) as where:
        yield where


@pytest.fixture(scope="module")
def guarded():
    with background_server(build(Settings(TOKENS))) as where:
        yield where


@pytest.fixture
def http(url):
    with httpx.Client(base_url=url, timeout=60) as made:
        yield made


def problem(response, status, slug):
    assert response.status_code == status, response.text[:500]
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert told["type"] == f"urn:palaestra:problem:{slug}"
    assert told["status"] == status
    assert told["request_id"]
    assert ("retry-after" in response.headers) is told["retryable"]
    assert int(response.headers.get("retry-after", 1)) >= 1
    return told


# ------------------------------------------------------------------ sockets


@contextmanager
def connected(url, **headers):
    from websockets.sync.client import connect

    where = url.replace("http://", "ws://") + "/v1/ws"
    with connect(where, additional_headers=headers, max_size=None) as line:
        yield line


def ask(line, **frame):
    line.send(json.dumps(frame))
    return json.loads(line.recv())


def test_sessions_are_played_over_a_socket_and_outlive_it(url, http):
    with connected(url) as line:
        told = ask(line, id=1, op="open", address=str(CODE), n=2)
        assert told["id"] == 1
        first, second = (one["session"] for one in told["result"]["sessions"])
        told = ask(line, id="two", op="step", session=first, step=0, move=MOVES[0])
        assert (told["id"], told["result"]["step"]) == ("two", 1)
        assert ask(line, op="get", session=first)["result"]["messages"]
        (fork,) = ask(line, op="fork", session=first)["result"]["sessions"]
        assert ask(line, op="rewind", session=first, step=0)["result"]["step"] == 0
        assert ask(line, op="delete", session=second) == {"id": None, "result": None}
        assert ask(line, op="get", session=second)["problem"]["status"] == 404
        told = ask(line, op="score", address=str(KNIGHTS), replies=RIGHT)
        assert told["result"]["value"] == 1
    assert http.get(f"/v1/sessions/{fork['session']}").json()["step"] == 1
    assert 'palaestra_requests_total{route="/v1/ws",status="404"}' in http.get("/metrics").text
    with connected(url) as line:
        for n, move in enumerate(MOVES):
            told = ask(line, op="step", session=first, step=n, move=move)["result"]
        assert told["score"]["value"] == 1


def test_many_frames_are_answered_by_their_names(url):
    with connected(url) as line:
        opened = ask(line, op="open", env="games/mastermind", level=2, seed=1, n=200)
        names = [one["session"] for one in opened["result"]["sessions"]]
        for name in names:
            frame = {"id": name, "op": "step", "session": name, "step": 0, "move": MOVES[0]}
            line.send(json.dumps(frame))
        told = [json.loads(line.recv()) for _ in names]
        assert {one["id"] for one in told} == {*names}
        assert all(one["result"]["session"] == one["id"] for one in told)


@pytest.mark.parametrize(
    ("frame", "status"),
    [
        ("", 400),
        ("[" * 100_000, 422),
        ("[]", 422),
        ("{}", 422),
        ('{"op": "fly"}', 422),
        ('{"op": "step"}', 422),
        ('{"op": "get", "session": "a\\u0000b"}', 404),
        ('{"op": "get", "session": "../x"}', 404),
        ('{"op": "get", "session": "\\ud800"}', 404),
        ('{"op": "step", "session": "x", "step": 0, "move": "m", "more": 1}', 422),
        ('{"op": "open"}', 422),
        ('{"op": "open", "env": "no/thing"}', 404),
        ('{"op": "open", "address": "x", "n": 513}', 422),
        (
            '{"op": "score", "address": "logic/sudoku", "replies": "x", "answer_format": 1}',
            422,
        ),
    ],
)
def test_frames_that_are_wrong_are_problems_and_the_socket_stays(url, frame, status):
    with connected(url) as line:
        line.send(frame)
        told = json.loads(line.recv())
        assert (told["id"], told["problem"]["status"]) == (None, status)
        assert ask(line, id=7, op="score", address=str(KNIGHTS), replies=RIGHT)["id"] == 7


def test_a_wrong_frame_is_answered_by_its_name(url):
    with connected(url) as line:
        assert ask(line, id="x", op="fly")["id"] == "x"
        assert ask(line, id="x" * 81, op="fly")["id"] is None


def test_binary_frames_and_monsters_end_a_socket(url):
    from websockets.exceptions import ConnectionClosed

    with connected(url) as line:
        line.send(b"\x80")
        with pytest.raises(ConnectionClosed) as closed:
            line.recv()
        # The word of why may be lost where the client is still sending.
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1003
    with connected(url) as line:
        with suppress(ConnectionClosed):
            line.send("x" * (17 << 20))
        with pytest.raises(ConnectionClosed) as closed:
            line.recv()
    assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    with connected(url) as line:  # and nobody else's
        assert ask(line, op="score", address=str(KNIGHTS), replies=RIGHT)["result"]["value"] == 1


def test_tokens_scopes_and_quotas_hold_for_sockets(guarded):
    from websockets.exceptions import InvalidStatus

    for headers in ({}, {"x-api-key": "no"}):
        with pytest.raises(InvalidStatus) as refused, connected(guarded, **headers):
            pass
        assert refused.value.response.status_code == 403
    score = {"op": "score", "address": str(KNIGHTS), "replies": RIGHT}
    with connected(guarded, authorization="Bearer reader") as line:
        assert ask(line, **score)["problem"]["type"].endswith("forbidden")
        assert ask(line, op="open", address=str(CODE))["problem"]["status"] == 403
    with connected(guarded, authorization="Bearer scorer") as line:
        assert ask(line, **score)["result"]["value"] == 1
        assert ask(line, op="get", session="x")["problem"]["status"] == 403
    with connected(guarded, **{"x-api-key": "slow"}) as line:
        told = [ask(line, **score), *(ask(line, op="fly") for _ in range(4)), ask(line, **score)]
        assert "result" in told[0]
        assert told[-1]["problem"]["type"].endswith("too-many-requests")
        assert told[-1]["problem"]["retryable"]


def test_pages_of_other_sites_open_no_socket(url):
    """A browser would let them, and a service on loopback asks for no token."""
    from websockets.exceptions import InvalidStatus

    with connected(url, origin=url) as line:
        assert ask(line, op="score", address=str(KNIGHTS), replies=RIGHT)["result"]["value"] == 1
    with pytest.raises(InvalidStatus), connected(url, origin="https://example.org"):
        pass


def test_only_so_much_of_frames_is_held_for_a_socket(url, slow_judge):
    """A million characters of them wait for an answer, and one that has more alone."""
    sizes = (400_000, 400_000, 400_000, 10, 10)
    with connected(url) as line:
        frames = [
            json.dumps({"op": "score", "address": slow_judge.address, "replies": "x" * size})
            for size in sizes
        ]
        sending = threading.Thread(target=lambda: [line.send(frame) for frame in frames])
        sending.start()
        slow_judge.wait_for(3)
        time.sleep(0.2)
        assert slow_judge.begun == 3
        slow_judge.let_go.set()
        sending.join()
        assert len([json.loads(line.recv()) for _ in frames]) == 5


def test_a_socket_that_is_left_gives_up_what_it_asked_for(url, slow_judge):
    with connected(url) as line:
        for _ in range(3):
            line.send(json.dumps({"op": "score", "address": slow_judge.address, "replies": "x"}))
        slow_judge.wait_for(3)
    slow_judge.wait_for_given_up(3)


def test_only_so_many_frames_of_a_socket_are_under_way(url, slow_judge, monkeypatch):
    monkeypatch.setattr(sockets, "AT_ONCE", 4)
    with connected(url) as line:
        for _ in range(10):
            line.send(json.dumps({"op": "score", "address": slow_judge.address, "replies": "x"}))
        slow_judge.wait_for(4)
        time.sleep(0.2)
        assert slow_judge.begun == 4
        slow_judge.let_go.set()
        assert len([json.loads(line.recv()) for _ in range(10)]) == 10


# ------------------------------------------------------------------ what takes long


class SlowJudge:
    """Verdicts that are never reached unless they are let go."""

    address = str(Address.of("logic/knights_and_knaves", seed=2, level=0))

    def __init__(self):
        self.begun = self.given_up = 0
        self.let_go = threading.Event()

    async def acall(self, metered, work, arguments, *, wall_s):
        self.begun += 1
        try:
            while not self.let_go.is_set():
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return metering.metered(work, arguments)

    def wait_for(self, number):
        _until(lambda: self.begun >= number)

    def wait_for_given_up(self, number):
        _until(lambda: self.given_up >= number)


def _until(true, patience_s=120):
    deadline = time.monotonic() + patience_s
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def slow_judge(monkeypatch):
    """Every verdict is waited for, by what a test controls."""
    made = SlowJudge()
    monkeypatch.setattr(targets.Target, "executor_for", lambda *_: "worker")
    monkeypatch.setattr(
        judging.Workers, "acall", lambda _, *told, **options: made.acall(*told, **options)
    )
    yield made
    made.let_go.set()


def test_a_client_that_leaves_gives_up_its_verdicts(url, slow_judge):
    item = {"address": slow_judge.address, "replies": "x"}
    batch = json.dumps({"items": [item] * 4})
    lines = "\n".join([json.dumps(item)] * 4)
    group = json.dumps({"address": slow_judge.address, "responses": ["x"] * 4})
    ndjson = "accept: application/x-ndjson\r\n"
    both = f"{ndjson}content-type: application/x-ndjson\r\n"
    plain = "content-type: application/json\r\n"
    wishes = [
        ("/v1/score", plain, json.dumps(item), 1),
        ("/v1/score/batch", plain, batch, 4),
        ("/v1/score/batch", plain + ndjson, batch, 4),
        ("/v1/score/batch", both, lines, 4),
        ("/v1/score/group", plain, group, 4),
    ]  # fmt: skip
    expected = 0
    for path, headers, body, number in wishes:
        expected += number
        with line_to(url) as line:
            about = f"host: x\r\n{headers}content-length: {len(body)}\r\n\r\n"
            line.sendall(f"POST {path} HTTP/1.1\r\n{about}{body}".encode())
            slow_judge.wait_for(expected)
        slow_judge.wait_for_given_up(expected)
    assert slow_judge.given_up == slow_judge.begun


def test_what_is_over_its_deadline_is_not_begun(url, slow_judge, monkeypatch):
    body = {"address": slow_judge.address, "replies": "x"}
    with httpx.Client(base_url=url) as http:
        problem(
            http.post("/v1/score", json=body, headers={"x-deadline-ms": "0"}),
            504, "deadline-passed",
        )  # fmt: skip
        assert slow_judge.begun == 0
        for wrong in ("soon", "-1", "1e3", "9" * 10):
            told = http.post("/v1/score", json=body, headers={"x-deadline-ms": wrong})
            problem(told, 422, "invalid-request")
        (result,) = http.post(
            "/v1/score/batch", json={"items": [body]}, headers={"x-deadline-ms": "0"}
        ).json()["results"]
        assert (result["value"], result["error"]) == (None, "deadline-passed")


def test_a_deadline_passes_while_a_turn_is_waited_for(slow_judge):
    app = build()
    app.state.service.judge.lanes["worker"].size = 1
    body = {"address": slow_judge.address, "replies": "x"}
    with background_server(app) as url, httpx.Client(base_url=url, timeout=30) as http:
        first = threading.Thread(target=http.post, args=("/v1/score",), kwargs={"json": body})
        first.start()
        slow_judge.wait_for(1)
        late = http.post("/v1/score", json=body, headers={"x-deadline-ms": "100"})
        problem(late, 504, "deadline-passed")
        assert slow_judge.begun == 1
        slow_judge.let_go.set()
        first.join()


def test_a_service_with_too_much_to_do_says_so(slow_judge, monkeypatch):
    monkeypatch.setattr(judging, "WAITING", 2)
    app = build()
    judge = app.state.service.judge
    judge.lanes["worker"].size = 1
    body = {"address": slow_judge.address, "replies": "x"}
    with background_server(app) as url, httpx.Client(base_url=url, timeout=30) as http:
        asking = [
            threading.Thread(target=http.post, args=("/v1/score",), kwargs={"json": body})
            for _ in range(3)
        ]
        for each in asking:
            each.start()
        _until(lambda: judge.waiting == 2)
        assert problem(http.post("/v1/score", json=body), 503, "overloaded")["retryable"]
        told = http.post("/v1/score/batch", json={"items": [body]})
        problem(told, 503, "overloaded")
        assert http.get("/livez").status_code == 200
        slow_judge.let_go.set()
        for each in asking:
            each.join()
        assert http.post("/v1/score", json=body).status_code == 200


def test_a_key_that_asks_too_often_is_told_when_to_come_back(guarded):
    with httpx.Client(base_url=guarded, headers={"x-api-key": "slow"}) as http:
        told = [http.get("/v1") for _ in range(6)]
    problem(told[-1], 429, "too-many-requests")


# ------------------------------------------------------------------ the loop


class Lag:
    """How late the event loop of a server comes to what is due, how long it works at a time, and in
    which thread it runs; and how late any thread comes, since the machine may be busy.
    """

    def __init__(self):
        self.worst, self.busiest, self.usual, self.thread = 0.0, 0.0, 0.0, None

    async def watch(self):
        self.thread = current_thread()
        while True:
            start, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(0.005)
            self.worst = max(self.worst, time.perf_counter() - start - 0.005)
            self.busiest = max(self.busiest, time.thread_time() - worked)

    def compare(self, enough):
        while not enough.is_set():
            start = time.perf_counter()
            time.sleep(0.005)
            self.usual = max(self.usual, time.perf_counter() - start - 0.005)


@pytest.mark.slow
@pytest.mark.usefixtures("little_to_collect")
def test_the_loop_goes_on_while_what_is_slow_is_judged(monkeypatch):
    """What takes long is judged where it holds nobody up: elsewhere, and so the loop never works
    for long at a time, and comes hardly later than any other thread.
    """
    lag, places, on_loop, enough = Lag(), {}, [], threading.Event()

    def noted(task, replies, answer_format):
        if current_thread() is lag.thread:
            on_loop.append(task)
        return scoring.judged_at(task, replies, answer_format)

    async def sent(self, metered, work, arguments, *, wall_s):
        places[arguments[0]] = "worker"
        return await acall(self, metered, work, arguments, wall_s=wall_s)

    acall = judging.Workers.acall
    monkeypatch.setattr(judging, "judged_at", noted)
    monkeypatch.setattr(judging.Workers, "acall", sent)
    rows = judging.catalog()
    slow = [
        str(Address.of(name, seed=1, level=rows[name]["levels"] - 1))
        for name in rows
        if rows[name]["measured"]["verify_us"] > 1_000 or targets.load(name).expensive
    ]
    extreme = [text for name in rows if (text := _extreme(name))][:12]
    app = build()
    app.state.service._sweep = lag.watch
    items = [{"address": text, "replies": "x" * 2_000, "timeout_ms": 5_000} for text in slow]
    items += [{"address": text, "replies": "x", "timeout_ms": 5_000} for text in extreme]
    items.append({"address": str(KNIGHTS), "replies": "y" * (1 << 20)})
    comparing = threading.Thread(target=lag.compare, args=(enough,))
    with background_server(app) as url:
        comparing.start()
        told = httpx.post(f"{url}/v1/score/batch", json={"items": items}, timeout=300).json()
        enough.set()
        comparing.join()
    assert len(told["results"]) == len(items)
    assert len(slow) > 2
    assert len(extreme) > 5
    assert on_loop == []
    assert places[str(KNIGHTS)] == "worker"
    assert {*extreme} <= {*places}
    assert lag.busiest < 0.25
    assert lag.worst < 0.5 + lag.usual


def _extreme(name):
    """An address with the largest number of each knob."""
    knobs = targets.load(name).Knobs.model_json_schema()["properties"]
    told = "&".join(
        f"{knob}={schema['maximum']}" for knob, schema in knobs.items() if "maximum" in schema
    )
    try:
        address = Address.parse(f"{name}?{told}&seed=1")
    except ValueError:  # a knob of words beside it goes with others only
        return None
    return None if address.level is not None else str(address)


def test_a_batch_of_cheap_verdicts_lets_others_have_their_turn(monkeypatch):
    """While one is judged, others are answered."""
    between = []
    app = build()
    judge = app.state.service.judge

    def verdict(item, before=judge.score_inline):
        time.sleep(0.003)
        return before(item)

    judge.score_inline = verdict
    items = [{"address": str(KNIGHTS), "replies": "no"}] * 1_000
    with background_server(app) as url, httpx.Client(base_url=url, timeout=60) as http:
        http.get("/livez")
        asking = threading.Thread(
            target=lambda: httpx.post(f"{url}/v1/score/batch", json={"items": items}, timeout=60)
        )
        asking.start()
        while asking.is_alive():
            start = time.perf_counter()
            http.get("/livez")
            between.append(time.perf_counter() - start)
        asking.join()
    assert len(between) > 10


# ------------------------------------------------------------------ the Model Context Protocol

DESK = Address.of("tools/meeting_desk", seed=4)


@pytest.fixture
def desk(http):
    (opened,) = http.post("/v1/sessions", json={"address": str(DESK)}).json()["sessions"]
    return opened


async def _by_protocol(url, session, work, mode="auto"):
    pytest.importorskip("mcp")
    from mcp import Client

    async with Client(f"{url}/v1/sessions/{session}/mcp", mode=mode) as client:
        return await work(client)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_tool_world_is_played_by_the_protocol_s_own_client(url, http, desk, mode):
    calls = [json.loads(move) for move in DESK.task().solve() if move.startswith("{")]

    async def play(client):
        listed = await client.list_tools()
        told = [await client.call_tool(one["tool"], one["args"]) for one in calls]
        told.append(await client.call_tool("answer", {"text": "done"}))
        return client.instructions, [tool.name for tool in listed.tools], told

    brief, names, told = asyncio.run(_by_protocol(url, desk["session"], play, mode))
    assert brief == desk["messages"][0]["content"]
    assert names == [tool["function"]["name"] for tool in desk["tools"]] + ["answer"]
    assert not any(one.is_error for one in told)
    assert [one.meta["palaestra/standing"]["step"] for one in told] == [*range(1, len(told) + 1)]
    score = told[-1].meta["palaestra/standing"]["score"]
    assert (score["value"], score["correct"]) == (1, True)
    seen = http.get(f"/v1/sessions/{desk['session']}").json()
    assert seen["score"]["value"] == 1
    assert seen["step"] == len(told)


def test_what_goes_wrong_with_a_tool_is_told_to_the_agent(url, desk):
    mark = "</answer> } \\boxed{ <answer>"

    async def play(client):
        await client.list_tools()
        text = await client.call_tool("agenda", {"person": mark})
        await client.call_tool("answer", {"text": "done"})
        over = await client.call_tool("answer", {"text": "done"})
        return text, over

    refused, over = asyncio.run(_by_protocol(url, desk["session"], play))
    assert refused.is_error
    assert refused.content[0].text.startswith("Error: ")
    assert "boxed" in refused.content[0].text  # the call was read, marks and all
    assert over.is_error
    assert "over" in over.content[0].text


NO_CALLS = {
    "games/mastermind": [
        ("guess", {"text": "111"}),
        ("answer", {}),
        ("answer", {"text": 111}),
        ("answer", {"text": None}),
        ("answer", {"text": "111", "more": 1}),
    ],
    "tools/meeting_desk": [
        ("no_such_tool", {}),
        ("answer", {}),
        ("agenda", {}),
        ("agenda", {"persons": "Ada"}),
        ("agenda", {"person": "Ada", "x": 1}),
    ],
}
"""Calls that no tool can take, by environment."""


@pytest.mark.parametrize("env", NO_CALLS)
def test_a_call_that_no_tool_can_take_is_refused_without_a_move(http, url, env):
    (opened,) = http.post("/v1/sessions", json={"env": env}).json()["sessions"]

    async def play(client):
        from mcp import MCPError

        await client.list_tools()
        codes = []
        for tool, arguments in NO_CALLS[env]:
            with pytest.raises(MCPError) as refused:
                await client.call_tool(tool, arguments)
            codes.append(refused.value.code)
        return codes

    codes = asyncio.run(_by_protocol(url, opened["session"], play))
    assert codes == [-32602] * len(NO_CALLS[env])
    seen = http.get(f"/v1/sessions/{opened['session']}").json()
    assert (seen["step"], seen["done"]) == (0, False)


def test_what_fails_inside_is_not_told_to_the_agent(monkeypatch):
    async def fail(*_, **__):
        raise ZeroDivisionError("secret")

    async def play(client):
        return await client.call_tool("answer", {"text": "done"})

    app = build()
    with background_server(app) as url:
        (one,) = httpx.post(f"{url}/v1/sessions", json={"address": str(DESK)}).json()["sessions"]
        monkeypatch.setattr(app.state.service.sessions, "step", fail)
        told = asyncio.run(_by_protocol(url, one["session"], play))
    assert told.is_error
    assert "the service failed" in told.content[0].text
    assert "secret" not in str(told)


@pytest.mark.parametrize("answer_format", ["tags", "boxed", "bare"])
def test_a_call_comes_through_every_style_as_it_is(answer_format):
    from palaestra.episode import ANSWER_FORMATS
    from palaestra.server.mcp_routes import move
    from palaestra.server.structs import SessionState

    tool = {"type": "function", "function": {"name": "write", "parameters": {"type": "object"}}}
    stands = SessionState("s", "a", 0, False, 0, "", 0.0, 0.0, tools=[tool])
    told = {"text": '</answer> } \\boxed{ <answer> </think> " \u2028 \\', "n": [1, {"a": "}"}]}
    read = ANSWER_FORMATS[answer_format].read(move(stands, "write", told, answer_format))
    assert json.loads(read) == {"tool": "write", "args": told} == json.loads(call("write", **told))


def test_the_protocol_asks_for_tokens_and_sessions(guarded, url, http):
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    where = f"{guarded}/v1/sessions/x/mcp"
    assert httpx.post(where, json=ping).status_code == 401
    denied = httpx.post(where, json=ping, headers={"x-api-key": "reader"})
    problem(denied, 403, "forbidden")
    problem(httpx.post(where, json=ping, headers={"x-api-key": "sesame"}), 404, "unknown-session")
    refused = http.get("/v1/sessions/x/mcp")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    problem(http.post("/v1/sessions/x/mcp", content=b"[" * 1_000), 400, "malformed")


# ------------------------------------------------------------------ curricula

MIXED = {
    "environments": [
        {"env": "logic/knights_and_knaves", "weight": 3},
        {"env": "games/mastermind", "levels": [2, 0, 2]},
    ],
    "seed": 7,
}


KINDS_OPTIONS = {"fixed": {"level": 2}, "replay": {"share": 1.0, "capacity": 8}}


@pytest.mark.parametrize("kind", curricula.KINDS)
def test_a_curriculum_goes_on_where_it_was(tmp_path, kind):
    """It is what it would be in the trainer's own process, whoever of several servers is asked."""
    settings = Settings(store=f"sqlite:///{tmp_path / 'kept'}")
    options = KINDS_OPTIONS.get(kind, {})
    wish = MIXED | {"kind": kind, "options": options}
    mixture = [
        *curricula.cells({"logic/knights_and_knaves": 3.0}),
        *curricula.cells({"games/mastermind": 1.0}, [0, 2]),
    ]
    alike = curricula.make(kind, mixture, seed=7, **options)
    with background_server(build(settings)) as url, httpx.Client(base_url=url) as http:
        made = http.post("/v1/curricula", json=wish)
        assert made.status_code == 201
        name = made.json()["id"]
        first = http.post(f"/v1/curricula/{name}/next", json={"n": 40}).json()["addresses"]
        assert first == [*map(str, alike.sample(40))]
        values = [(text, n % 3 / 2) for n, text in enumerate(first)] + [(first[0], None)]
        values.append((str(CODE), 1.0) if CODE.level not in {0, 2} else (str(DESK), 1.0))
        results = [{"address": text, "value": value} for text, value in values]
        told = http.post(f"/v1/curricula/{name}/feedback", json={"results": results})
        assert told.json() == {"used": 40}
        alike.update(values)
    with background_server(build(settings)) as url, background_server(build(settings)) as other:
        for where in (url, other, url):
            path = f"{where}/v1/curricula/{name}"
            seen = httpx.get(path).json()
            assert seen["state"] == json.loads(json.dumps(alike.state()))
            assert (seen["kind"], seen["drawn"]) == (kind, alike.drawn)
            later = httpx.post(f"{path}/next", json={"n": 40}).json()["addresses"]
            assert later == [*map(str, alike.sample(40))]
            assert all(Address.parse(text).split == "train" for text in later)
        assert httpx.delete(f"{url}/v1/curricula/{name}").status_code == 204
        problem(httpx.get(f"{other}/v1/curricula/{name}"), 404, "unknown-curriculum")


def test_every_kind_of_curriculum_is_offered(http):
    schemas = http.get("/openapi.json").json()["components"]["schemas"]
    fields = (told.get("properties", {}) for told in schemas.values())
    wish = next(told for told in fields if {"kind", "environments"} <= {*told})
    assert {*wish["kind"]["enum"]} == {*curricula.KINDS}
    options = {name for kind in curricula.KINDS.values() for name in curricula._options(kind)}
    assert {*served.CurriculumOptions.model_fields} == options - {"split"}


@pytest.mark.parametrize("kind", curricula.KINDS)
def test_options_at_their_bounds_break_no_curriculum(http, kind):
    """Divisions by nothing, numbers beyond all bounds: none of them is let in."""
    schema = served.CurriculumOptions.model_json_schema()["properties"]
    own = curricula._options(curricula.KINDS[kind]) - {"split"}
    for bound in ("minimum", "maximum"):
        options = {name: _bounds_of(schema[name])[bound] for name in own}
        made = http.post("/v1/curricula", json=MIXED | {"kind": kind, "options": options})
        assert made.status_code == 201, made.text
        path = f"/v1/curricula/{made.json()['id']}"
        for value in (0.0, 1.0, 0.5, None):
            drawn = http.post(f"{path}/next", json={"n": 30}).json()["addresses"]
            results = [{"address": text, "value": value} for text in drawn]
            assert http.post(f"{path}/feedback", json={"results": results}).status_code == 200
        assert http.get(path).status_code == 200


def _bounds_of(schema):
    return next(one for one in schema["anyOf"] if "minimum" in one)


def test_many_ask_a_curriculum_at_once(url, http):
    name = http.post("/v1/curricula", json=MIXED).json()["id"]

    async def ask_all():
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            path = f"/v1/curricula/{name}/next"
            return await asyncio.gather(*(client.post(path, json={"n": 5}) for _ in range(60)))

    told = [text for one in asyncio.run(ask_all()) for text in one.json()["addresses"]]
    assert len(told) == len({*told}) == 300
    assert http.get(f"/v1/curricula/{name}").json()["drawn"] == 300


def test_two_servers_change_a_curriculum_at_once(tmp_path):
    settings = Settings(store=f"sqlite:///{tmp_path / 'kept'}")
    with background_server(build(settings)) as left, background_server(build(settings)) as right:
        name = httpx.post(f"{left}/v1/curricula", json=MIXED).json()["id"]

        async def ask_all():
            async with httpx.AsyncClient(timeout=60) as client:
                paths = [f"{url}/v1/curricula/{name}/next" for url in (left, right)] * 15
                return await asyncio.gather(*(client.post(path, json={}) for path in paths))

        told = [one.json()["addresses"][0] for one in asyncio.run(ask_all())]
        assert len({*told}) == 30
        assert httpx.get(f"{right}/v1/curricula/{name}").json()["drawn"] == 30


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"environments": []}, 422),
        ({"environments": ["no/thing"]}, 404),
        ({"environments": [{"env": "games/mastermind", "levels": [99]}]}, 422),
        ({"environments": ["games/mastermind"], "kind": "wild"}, 422),
        ({"environments": ["games/mastermind"], "seed": -1}, 422),
        ({"environments": ["games/mastermind"] * 2}, 422),
        ({"environments": [{"env": "games/mastermind", "weight": 0}]}, 422),
        ({"environments": ["games/mastermind"], "options": {"level": 1}}, 422),
        ({"environments": ["games/mastermind"], "kind": "sec", "options": {"rate": 2}}, 422),
        ({"environments": ["games/mastermind"], "kind": "sec", "options": {"rat": 0}}, 422),
    ],
)
def test_wishes_for_curricula_that_cannot_be(http, wish, status):
    assert http.post("/v1/curricula", json=wish).status_code == status


def test_a_curriculum_is_its_owner_s(guarded):
    keys = {"headers": {"x-api-key": "sesame"}}, {"headers": {"x-api-key": "slow"}}
    with httpx.Client(base_url=guarded) as http:
        name = http.post("/v1/curricula", json=MIXED, **keys[0]).json()["id"]
        assert http.get(f"/v1/curricula/{name}", **keys[0]).status_code == 200
        assert http.get(f"/v1/curricula/{name}", **keys[1]).status_code in {404, 429}
        told = {"results": [{"address": str(CODE), "value": 7}]}
        refused = http.post(f"/v1/curricula/{name}/feedback", json=told, **keys[0])
        problem(refused, 422, "invalid-request")


# ------------------------------------------------------------------ rewards by recipes

RECIPE = "Truth(right=1, wrong=-1, partial=0) + 0.5 * SoftOverlong(limit=100, buffer=50)"


def test_a_recipe_makes_a_reward_of_a_score(url, http):
    """The score stays what it is; the reward stands beside it."""
    long = {**(item := {"address": str(KNIGHTS), "replies": RIGHT}), "replies": "y" * 9_000 + RIGHT}
    asked = {"recipe": RECIPE, "transcript": {"tokens": 75}}
    for body in (item, long, item | {"replies": ["not read", RIGHT][1:]}):
        told = http.post("/v1/score", json=body | asked).json()
        assert (told["value"], told["reward"]) == (1, 0.75)
    wrong = http.post("/v1/score", json=item | asked | {"replies": "no"}).json()
    assert (wrong["value"], wrong["reward"]) == (0, -1.25)
    assert "reward" not in http.post("/v1/score", json=item).json()
    gate = {"recipe": "Format() * Truth(partial=0)"}
    assert http.post("/v1/score", json=item | gate).json()["reward"] == 0
    thought = {"replies": f"<think>so</think>{RIGHT}"}
    assert http.post("/v1/score", json=item | gate | thought).json()["reward"] == 1
    with connected(url) as line:
        assert ask(line, op="score", **item, **asked)["result"]["reward"] == 0.75


def test_a_group_is_paid_by_a_recipe(http):
    group = {
        "address": str(KNIGHTS), "responses": [RIGHT, RIGHT, "no", RIGHT], "recipe": RECIPE,
        "transcripts": [{"tokens": 50}, {"tokens": [1] * 100}, {"tokens": 5}, None],
        "transforms": ["mean", "leave_one_out", "pass@1", "majority"],
    }  # fmt: skip
    told = http.post("/v1/score/group", json=group).json()
    *paid, lost = told["results"]
    assert [one["reward"] for one in paid] == [1, 0.5, -1]
    assert (lost["value"], lost["error"]) == (None, "bad-recipe")  # it wants to know of tokens
    made = told["transforms"]
    assert made["mean"] == pytest.approx(0.5 / 3)
    assert made["leave_one_out"] == pytest.approx([1.25, 0.5, -1.75, None])
    assert made["pass@1"] == pytest.approx(2 / 3)
    plain = http.post("/v1/score/group", json={**group, "recipe": None}).json()
    assert not any("reward" in one for one in plain["results"])
    assert plain["transforms"]["mean"] == 0.75
    refused = http.post("/v1/score/group", json={**group, "recipe": "NGramRepetition(n=2.5)"})
    problem(refused, 422, "bad-recipe")
    short = http.post("/v1/score/group", json={**group, "transcripts": [None]})
    assert "as many transcripts" in problem(short, 422, "invalid-request")["detail"]


def test_a_session_ends_with_the_reward_of_its_recipe(url, http):
    wish = {"address": str(KNIGHTS), "recipe": RECIPE, "n": 3}
    keyed = {"idempotency-key": "of a recipe"}
    (one, two, three) = http.post("/v1/sessions", json=wish, headers=keyed).json()["sessions"]
    path = f"/v1/sessions/{one['session']}"
    step = {"step": 0, "move": RIGHT}
    problem(http.post(f"{path}/step", json=step), 422, "bad-recipe")  # which was no move, then
    assert http.get(path).json()["step"] == 0
    for _ in range(2):
        told = http.post(f"{path}/step", json=step | {"transcript": {"tokens": 75}}).json()
        assert (told["score"]["value"], told["score"]["reward"], told["reward"]) == (1, 0.75, 1)
    assert "reward" not in http.get(path).json()["score"]
    items = [{"session": two["session"], **step, "transcript": {"tokens": 100}}]
    (told,) = http.post("/v1/sessions/step", json={"items": items}).json()["results"]
    assert told["score"]["reward"] == 0.5
    with connected(url) as line:
        wish_too = {"address": str(KNIGHTS), "recipe": "Format() * Truth(partial=0)"}
        (own,) = ask(line, op="open", **wish_too)["result"]["sessions"]
        told = ask(line, op="step", session=own["session"], **step)["result"]
        assert told["score"]["reward"] == 0
        told = ask(line, op="get", session=own["session"])["result"]
        assert told["score"]["reward"] == 0  # which its reply alone says
        three_ = {"session": three["session"], **step, "transcript": {"tokens": 1}}
        assert ask(line, op="step", **three_)["result"]["score"]["reward"] == 1
    other = http.post("/v1/sessions", json={**wish, "recipe": None}, headers=keyed)
    problem(other, 409, "idempotency-conflict")
    problem(http.post("/v1/sessions", json={**wish, "recipe": "Truth("}), 422, "bad-recipe")


def test_recipes_in_a_batch_fail_by_themselves(http):
    item = {"address": str(KNIGHTS), "replies": RIGHT}
    items = [
        item | {"recipe": RECIPE},  # which wants to know of tokens
        item,
        item | {"recipe": "Truth("},
        item | {"recipe": "Truth()", "address": "no/thing"},
        item | {"recipe": "Truth()", "transcript": {"tokens": [1.0, 2, 3]}},
    ]
    told = http.post("/v1/score/batch", json={"items": items}).json()["results"]
    errors = ["bad-recipe", None, "bad-recipe", "unknown-environment", None]
    assert [one["error"] for one in told] == errors
    assert [one.get("reward", "none") for one in told] == ["none"] * 4 + [1]


@pytest.mark.parametrize(
    "recipe",
    [
        "", "1", "Truth", "Truth()()", "print()", "__import__('os').system('true')", "Truth(**{})",
        "Truth() + 1", "'x' * 1000000000", "(1, 2) * 1000000000", "9 ** 9 ** 9", "Truth(right='x')",
        "Truth(right=1e999)", "Truth() + SoftOverlong(limit=9)", "-Truth()", "Truth(partial=2)",
        "[Truth() for _ in 'x']", "(lambda: 1)()", "Truth().check", "(" * 400 + ")" * 400,
        "-" * 900 + "1", "Clip(" * 40 + "Truth()" + ", 0, 1)" * 40,
        "Truth(right=10 ** 9)", "0 * Truth()", "\x00", "\ud800", "Reward(Reward(Truth()))",
        "Format(tags=3)", "Format(tags=(3,)) * Truth()", "Confidence(rule='x')", "1" * 900,
        "NGramRepetition(n=0)", "Truth(1, 0, 0, 0)", "f'{1}'", "Truth(); Truth()",
        "NGramRepetition(n=2.5)", "CosineLength(right=(1, 2, 3))", "Format(tags='ab')",
        "Clip(Truth(), 'a', 1)", "SoftOverlong(limit=True)", "CosineLength(exceed='x')",
        "Confidence(rule=('brier',))", "Reward(Truth(), 1)", "L1Max(target=1" + "0" * 300 + ")",
        "Format(tags=('\\d',))", "1or 2", "0x1for x in y", "Truth(right=1if 1else 2)",
    ],
)  # fmt: skip
def test_recipes_that_cannot_be_are_refused(http, recipe):
    body = json.dumps({"address": str(KNIGHTS), "replies": RIGHT, "recipe": recipe})
    problem(http.post("/v1/score", content=body, headers=JSON), 422, "bad-recipe")


def test_a_recipe_that_changes_the_order_has_to_say_so(http):
    item = {"address": str(KNIGHTS), "replies": RIGHT, "transcript": {"tokens": 9}}
    careless = "Truth() + SoftOverlong(limit=8, buffer=2)"
    problem(http.post("/v1/score", json=item | {"recipe": careless}), 422, "bad-recipe")
    said = f"Reward({careless}, allow_order_change=True)"
    assert http.post("/v1/score", json=item | {"recipe": said}).json()["reward"] == 0


# ------------------------------------------------------------------ recording and replaying


@pytest.fixture
def recorded(tmp_path):
    """A store with rollouts of every route that scores."""
    url = f"sqlite:///{tmp_path / 'kept'}"
    item = {"address": str(KNIGHTS), "replies": RIGHT}
    with background_server(build(Settings(store=url, record=True))) as where:
        with httpx.Client(base_url=where, timeout=60) as http:
            assert http.post("/v1/score", json=item).json()["value"] == 1
            wrong = item | {"replies": "no"}
            http.post("/v1/score/batch", json={"items": [item, wrong, {**item, "address": "x"}]})
            group = {"address": str(KNIGHTS), "responses": [RIGHT, [RIGHT]]}
            http.post("/v1/score/group", json=group)
            long = {**item, "replies": "y" * 50_000 + RIGHT}
            assert http.post("/v1/score", json=long).json()["value"] == 1
            lines = {"accept": "application/x-ndjson"}
            http.post("/v1/score/batch", json={"items": [item]}, headers=lines)
            (one,) = http.post("/v1/sessions", json={"address": str(CODE)}).json()["sessions"]
            for n, move in enumerate(MOVES):
                http.post(f"/v1/sessions/{one['session']}/step", json={"step": n, "move": move})
        with connected(where) as line:
            ask(line, op="score", **item)
    return url


def _replay(*arguments):
    return CliRunner().invoke(cli.app, ["replay", *arguments])


def test_recorded_rollouts_are_scored_anew(recorded):
    told = _replay("--store", recorded)
    assert told.exit_code == 0, told.output
    assert "9 the same, 0 differ" in told.output
    told = _replay("games/mastermind", "--store", recorded)
    assert "1 the same, 0 differ" in told.output


def test_rewards_that_differ_are_said(recorded, monkeypatch):
    from palaestra.envs.logic.knights_and_knaves import KnightsAndKnaves
    from palaestra.task import Score

    monkeypatch.setattr(KnightsAndKnaves, "verify", lambda *_: Score(0.25, "stricter now"))
    told = _replay("--store", recorded)
    assert told.exit_code == 1
    assert told.output.count("1 (scored), now 0.25 (scored)") == 7
    assert "2 the same, 7 differ" in told.output


def test_rollouts_of_other_versions_are_scored_by_the_installed_one(recorded, monkeypatch):
    from palaestra.address import _parsed
    from palaestra.envs.games.mastermind import Mastermind

    monkeypatch.setattr(Mastermind, "version", 2)
    _parsed.cache_clear()
    told = _replay("games/mastermind", "--store", recorded)
    _parsed.cache_clear()
    assert "as games/mastermind@2?" in told.output  # another task, where the old moves are wrong
    assert "0 the same, 1 differ" in told.output


def test_rollouts_of_what_is_gone_are_said(recorded, monkeypatch):
    def gone(text):
        raise LookupError(f"{text} is gone")

    monkeypatch.setattr("palaestra.replay.Address.parse", gone)
    told = _replay("--store", recorded)
    assert told.exit_code == 1
    assert "0 the same, 0 differ, 9 cannot be scored any more" in told.output


def test_rollouts_are_written_as_lines_and_parquet(recorded, tmp_path):
    lines = tmp_path / "rollouts.jsonl"
    assert _replay("--store", recorded, "--no-score", "--out", str(lines)).exit_code == 0
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert len(rows) == 9
    assert rows[0]["address"] == str(KNIGHTS)
    assert rows[0]["replies"] == [RIGHT]
    assert rows[0]["prompt"][0]["role"] == "user"
    assert [row["value"] for row in rows] == [1, 1, 0, 1, 1, 1, 1, 1, 1]
    datasets = pytest.importorskip("datasets")
    file = tmp_path / "rollouts.parquet"
    told = _replay("--store", recorded, "--format", "parquet", "--out", str(file))
    assert told.exit_code == 0, told.output
    read = datasets.Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache"))
    assert read.num_rows == 9
    assert [*read["value"]] == [*read["value_now"]]
    assert all(read["same"])


def test_nothing_is_recorded_unless_asked(tmp_path):
    url = f"sqlite:///{tmp_path / 'kept'}"
    with background_server(build(Settings(store=url))) as where:
        httpx.post(f"{where}/v1/score", json={"address": str(KNIGHTS), "replies": RIGHT})
    assert "0 the same" in _replay("--store", url).output


# ------------------------------------------------------------------ clients that mean harm

GET_ROUTES = ["/v1/environments", "/v1/sessions/x", "/livez"]
FRAMEWORK = [
    "/v1/tasks",
    "/v1/score/group",
    "/v1/sessions",
    "/v1/sessions/x/fork",
    "/v1/sessions/x/rewind",
    "/v1/programs",
    "/v1/curricula",
    "/v1/curricula/x/next",
    "/v1/curricula/x/feedback",
    "/v1/sessions/x/mcp",
]
HOT = ["/v1/score", "/v1/score/batch", "/v1/sessions/step", "/v1/sessions/x/step"]
JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("path", FRAMEWORK + HOT)
def test_bodies_have_a_limit_everywhere(http, path):
    told = http.post(path, content=b" " * ((32 << 20) + 1), headers=JSON)
    problem(told, 413, "too-large")


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
@pytest.mark.parametrize("path", ["/v1/score", "/v1/tasks"])
def test_bombs_are_not_opened(http, path, encoding):
    blank = bytes(64 << 20)
    bomb = gzip.compress(blank) if encoding == "gzip" else zstd.compress(blank, 19)
    assert len(bomb) < 100_000
    told = http.post(path, content=bomb, headers=JSON | {"content-encoding": encoding})
    problem(told, 413, "too-large")


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_compressed_bodies_are_read_and_have_to_be_whole(http, encoding):
    body = json.dumps({"address": str(KNIGHTS), "replies": RIGHT}).encode()
    packed = {"gzip": gzip.compress, "zstd": zstd.compress}[encoding](body)
    headers = JSON | {"content-encoding": encoding}
    assert http.post("/v1/score", content=packed, headers=headers).json()["value"] == 1
    for broken in (packed[:-5], packed + b"x", b"x" + packed, b""):
        problem(http.post("/v1/score", content=broken, headers=headers), 400, "malformed")
    headers["content-encoding"] = "deflate"
    refused = http.post("/v1/score", content=zlib.compress(body), headers=headers)
    problem(refused, 415, "unsupported-encoding")


@pytest.mark.parametrize("path", FRAMEWORK + HOT)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 1_000_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"env": ' + b"[" * 65 + b"]" * 65 + b"}",
        b"[" + b"[]," * 300_000 + b"[]]",
        b'{"address": "x", "replies": ' + b"[" * 70 + b"]" * 70 + b"}",
    ],
)
def test_deep_json_is_refused_everywhere(http, path, body):
    told = http.post(path, content=body, headers=JSON)
    assert told.status_code in {400, 422}
    assert told.headers["content-type"] == "application/problem+json"
    if path in FRAMEWORK:
        problem(told, 400, "malformed")


def test_brackets_in_texts_are_no_depth(http):
    wish = {"address": str(KNIGHTS), "responses": ["[{" * 50_000, '"[' * 200, RIGHT]}
    told = http.post("/v1/score/group", json=wish).json()
    assert [one["value"] for one in told["results"]] == [0, 0, 1]


@contextmanager
def line_to(url, patience_s=120):
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=patience_s) as line:
        yield line


def _heard(line):
    told = b""
    while piece := line.recv(1 << 16):
        told += piece
    return told


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("palaestra.server.app.BodyLimitMiddleware", _impatient)
    with background_server(build()) as url, line_to(url) as line:
        line.sendall(
            b"POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nconnection: close\r\n\r\n{"
        )
        told = _heard(line)
    assert told.startswith(b"HTTP/1.1 408 ")
    assert b"urn:palaestra:problem:slow-body" in told


def _impatient(app, most, is_shared):
    from palaestra.server.request_bodies import BodyLimitMiddleware

    return BodyLimitMiddleware(app, most, 0.2, is_shared)


def test_bodies_that_come_at_once_have_a_limit_together(monkeypatch):
    """Ten thousand clients with thirty megabytes each would be more than there is."""
    monkeypatch.setattr("palaestra.server.request_bodies.HELD", 1 << 20)
    item = json.dumps({"address": str(KNIGHTS), "replies": "x" * 600_000 + RIGHT}).encode()

    def asked(url):
        return httpx.post(f"{url}/v1/score", content=item, headers=JSON, timeout=60)

    with background_server() as url:
        assert asked(url).json()["value"] == 1
        with line_to(url) as line:
            head = b"POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n"
            line.sendall(head + b" " * 900_000)
            _until(lambda: asked(url).status_code == 503)
            assert problem(asked(url), 503, "overloaded")["retryable"]
        _until(lambda: asked(url).status_code == 200)
        for _ in range(5):  # none of them is forgotten there
            assert asked(url).json()["value"] == 1


def test_a_head_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(http_protocol, "HEAD_S", 0.3)
    with background_server() as url:
        for start in (b"", b"\r\n", b"POST /v1", b"POST /v1/score HTTP/1.1\r\nx: y"):
            with line_to(url) as line:
                line.sendall(start)
                assert b" 408 " in _heard(line)
        with line_to(url) as line:  # drop by drop is no better
            request = b"GET /livez HTTP/1.1\r\nhost: x\r\n" + b"x: y\r\n" * 9
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                _drip(line, request)


def _drip(line, told):
    for n in range(1_000):
        line.sendall(told[n % len(told) :][:1])
        time.sleep(0.01)


def test_a_body_that_nobody_reads_is_not_waited_for(monkeypatch):
    """The answer is there, and what is left of the request drips in for ever."""
    monkeypatch.setattr(http_protocol, "LINGERING_S", 0.3)
    with background_server() as url, line_to(url) as line:
        line.sendall(b"GET /livez HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n")
        told = b""
        while b"ok" not in told:
            told += line.recv(1 << 16)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            _drip(line, b"x")


def test_what_stands_around_a_body_is_bounded(url):
    """Trailers and extensions of chunks are nothing that anybody reads."""
    head = b"POST /v1/score HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    trailers = b"0\r\n" + b"x: y\r\n" * 500_000
    extensions = b"".join(b"1;%s\r\nx\r\n" % (b"y" * 1_000) for _ in range(3_000))
    for flood in (trailers, extensions, b"0\r\nx: " + b"y" * 3_000_000):
        with line_to(url) as line, suppress(BrokenPipeError, ConnectionResetError):
            line.sendall(head + flood)
            assert not _heard(line).startswith(b"HTTP/1.1 200")
    body = json.dumps({"address": str(KNIGHTS), "replies": RIGHT}).encode()
    chunks = b"".join(b"1\r\n%c\r\n" % sign for sign in body) + b"0\r\nx: y\r\n\r\n"
    with line_to(url) as line:
        line.sendall(head + chunks)
        told = b""
        while b"fingerprint" not in told:
            told += line.recv(1 << 16)
        assert told.startswith(b"HTTP/1.1 200 ")


def test_floods_of_headers_are_refused(url):
    many = b"".join(b"x-%d: y\r\n" % n for n in range(200))
    long = b"x: " + b"y" * (80 << 10) + b"\r\n"
    endless = b"x: " + b"y" * (512 << 10)
    for flood in (many + b"\r\n", long + b"\r\n", endless, b"x: y\r\n" * 50_000):
        with line_to(url) as line:
            try:
                line.sendall(b"GET /livez HTTP/1.1\r\nhost: x\r\n" + flood)
                told = _heard(line)
            except ConnectionError:
                continue  # it had hung up before we were through
            assert told.startswith(b"HTTP/1.1 431 "), told[:200]
    with line_to(url) as line:
        line.sendall(b"GET /" + b"x" * (100 << 10) + b" HTTP/1.1\r\nhost: x\r\n\r\n")
        assert _heard(line).startswith(b"HTTP/1.1 431 ")


def test_large_bodies_in_one_piece_are_no_flood(url):
    """What comes with a head counts for it only as long as the head goes on."""
    body = json.dumps({"address": str(KNIGHTS), "replies": "x" * 200_000 + RIGHT}).encode()
    head = b"POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body)
    with line_to(url) as line:
        for _ in range(2):
            line.sendall(head + body)
            told = b""
            while b"fingerprint" not in told:
                told += line.recv(1 << 16)
            assert told.startswith(b"HTTP/1.1 200 ")
        get = b"GET /livez HTTP/1.1\r\nhost: x\r\n"
        line.sendall(get + b"\r\n" + get + b"connection: close\r\n\r\n")
        assert _heard(line).count(b"HTTP/1.1 200 ") == 2


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e", "a%00b", "%ed%a0%80", "a/b",
     "x" * 65, "x;y", "%0d%0aset-cookie:x", "{session}", "💥", "'--", "*"],
)  # fmt: skip
def test_names_are_no_paths(http, name):
    for path in (f"/v1/sessions/{name}", f"/v1/curricula/{name}", f"/v1/environments/{name}"):
        told = http.get(path)
        assert told.status_code in {404, 405, 422}, (path, told.status_code)
        assert "set-cookie" not in told.headers
        assert told.headers["content-type"] == "application/problem+json"
    step = {"step": 0, "move": "x"}
    assert http.post(f"/v1/sessions/{name}/step", json=step).status_code in {404, 405, 422}
    items = {"items": [step | {"session": name[:64]}]}
    (told,) = http.post("/v1/sessions/step", json=items).json()["results"]
    assert told["error"] == "unknown-session"


def test_tokens_are_compared_in_the_same_time_whichever_they_are(monkeypatch):
    compared = []

    def compare(shown, token):
        compared.append((shown, token))
        return shown == token

    monkeypatch.setattr("palaestra.server.auth.compare_digest", compare)
    keys = Keys(map(parsed, ("first", "second", "third")))
    assert keys.find(b"first").name != keys.find(b"third").name
    assert keys.find(b"") is None
    tried = [shown for shown, _ in compared]
    assert [tried.count(shown) for shown in (b"first", b"third", b"")] == [3, 3, 3]


def test_a_token_is_in_no_name():
    """Names are logged, and own sessions: so two tokens that begin alike are two owners."""
    left, right = parsed("abcdefgh1")[1].name, parsed("abcdefgh2")[1].name
    assert left != right
    assert "abcd" not in left


@pytest.mark.parametrize("path", [*FRAMEWORK, *HOT, "/metrics", "/", "/openapi.json"])
@pytest.mark.parametrize("shown", ["", "no", "sesame2", "sesam", "Bearer sesame", "\xff" * 3, "é"])
def test_wrong_tokens_open_nothing(guarded, path, shown):
    told = httpx.post(guarded + path, headers={"x-api-key": shown.encode("latin-1")}, content=b"{")
    problem(told, 401, "unauthorised")
    bearer = {"authorization": f"Bearer {shown}x".encode("latin-1")}
    problem(httpx.get(guarded + path, headers=bearer), 401, "unauthorised")


STRANGE = 'a\x00b \ud800 \udfff\ud83d \U0001f600 \u2028 \\ " <answer>1</answer>'
MENDED = STRANGE.replace("\ud800", "\ufffd").replace("\udfff", "\ufffd").replace("\ud83d", "\ufffd")


def test_halves_of_surrogate_pairs_and_nulls_are_text(url, http):
    """Texts of models hold such things; they are no reason to refuse a batch."""
    item = {"address": str(KNIGHTS), "replies": STRANGE}
    assert http.post("/v1/score", content=json.dumps(item), headers=JSON).json()["value"] == 0
    batch = json.dumps(
        {"items": [item, item | {"replies": STRANGE + RIGHT, "answer_format": "bare"}]}
    )
    told = http.post("/v1/score/batch", content=batch, headers=JSON).json()["results"]
    assert told[1]["extracted"] == MENDED + RIGHT
    group = json.dumps(
        {"address": str(KNIGHTS), "responses": [STRANGE], "transforms": ["majority"]}
    )
    assert http.post("/v1/score/group", content=group, headers=JSON).json()["results"]
    (one,) = http.post("/v1/sessions", json={"address": str(CODE)}).json()["sessions"]
    step = json.dumps({"step": 0, "move": STRANGE})
    path = f"/v1/sessions/{one['session']}"
    for _ in range(2):
        assert http.post(f"{path}/step", content=step, headers=JSON).json()["step"] == 1
    assert http.get(path).json()["messages"][1]["content"] == MENDED
    with connected(url) as line:
        assert ask(line, op="rewind", session=one["session"], step=0)["result"]["step"] == 0
        told = ask(line, op="step", session=one["session"], step=0, move=STRANGE)
        assert told["result"]["step"] == 1


def test_strange_names_are_answered(http):
    for text in (
        "\x00",
        "\ud800",
        "logic/\x00",
        "x" * 2_000,
        "?" * 500,
        "logic/knights_and_knaves?seed=\ud800",
    ):
        body = json.dumps({"address": text, "replies": "x"})
        told = http.post("/v1/score", content=body, headers=JSON)
        assert told.status_code in {404, 422}
        wish = json.dumps({"env": text, "knobs": {"\ud800": "\x00"}})
        assert http.post("/v1/tasks", content=wish, headers=JSON).status_code in {404, 422}
        opened = http.post("/v1/sessions", content=wish, headers=JSON)
        assert opened.status_code in {404, 422}


def test_replies_of_a_megabyte_and_no_more(http):
    item = {"address": str(KNIGHTS), "replies": "x" * ((1 << 20) - len(RIGHT)) + RIGHT}
    assert http.post("/v1/score", json=item).json()["value"] == 1
    longer = {**item, "replies": "x" * ((1 << 20) + 1)}
    problem(http.post("/v1/score", json=longer), 422, "invalid-request")
    (one,) = http.post("/v1/sessions", json={"address": str(CODE)}).json()["sessions"]
    move = {"step": 0, "move": "é" * (1 << 20)}
    told = http.post(f"/v1/sessions/{one['session']}/step", json=move)
    assert told.json()["step"] == 1


@pytest.mark.parametrize("sign", ["x", "é", "\U0001f600"])
def test_transcripts_of_four_million_characters_and_no_more(http, sign):
    """Whatever they are in bytes: the longest are sent to a worker process as any others are."""
    item = {"address": str(CODE), "replies": [sign * (1 << 20)] * 4}
    body = json.dumps(item, ensure_ascii=False)
    told = http.post("/v1/score", content=body, headers=JSON)
    assert (told.status_code, told.json()["value"]) == (200, 0)
    item["replies"].append("x")
    body = json.dumps(item, ensure_ascii=False)
    problem(http.post("/v1/score", content=body, headers=JSON), 422, "invalid-request")
    (one,) = http.post("/v1/score/batch", content=f'{{"items": [{body}]}}', headers=JSON).json()[
        "results"
    ]
    assert one["error"] == "invalid-request"


def test_batches_of_so_many_and_no_more(http):
    item = {"address": str(KNIGHTS), "replies": RIGHT}
    told = http.post("/v1/score/batch", json={"items": [item] * 1_024}).json()["results"]
    assert [one["value"] for one in told] == [1] * 1_024
    assert [one["index"] for one in told] == [*range(1_024)]
    problem(http.post("/v1/score/batch", json={"items": [item] * 1_025}), 422, "invalid-request")
    lines = "\n".join([json.dumps(item)] * 1_025)
    ndjson = {"content-type": "application/x-ndjson"}
    problem(http.post("/v1/score/batch", content=lines, headers=ndjson), 422, "invalid-request")


def test_broken_lines_fail_by_themselves(http):
    good = json.dumps({"address": str(KNIGHTS), "replies": RIGHT})
    lines = [
        good,
        "{",
        "",
        good[:-1],
        "[" * 1_000,
        "null",
        '{"address": 1}',
        good,
        "\x00",
        good + good,
    ]
    ndjson = {"content-type": "application/x-ndjson"}
    told = http.post("/v1/score/batch", content="\n".join(lines), headers=ndjson).json()["results"]
    assert [one["value"] for one in told] == [1, None, None, None, None, None, 1, None, None]
    assert {one["error"] for one in told if one["value"] is None} == {
        "malformed",
        "invalid-request",
    }
    streamed = http.post(
        "/v1/score/batch", content=b"\xff\n" + "\r\n".join(lines).encode(),
        headers=ndjson | {"accept": "application/x-ndjson"},
    )  # fmt: skip
    values = [json.loads(line)["value"] for line in streamed.text.splitlines()]
    assert values == [None, 1, None, None, None, None, None, 1, None, None]


@pytest.mark.parametrize(
    "body",
    [
        b"\xdd\xff\xff\xff\xff",  # an array of four thousand million
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\x91" * 1_000_000,
        b"\x81\xa1a" * 300_000,
        b"\xc7\xff\x00",
        b"\xc1",
        b"",
        b"\x80" * 2,
        msgspec.msgpack.encode({"items": [{"address": "x", "replies": b"\xff"}]}),
        b"\x82\xa7address\xa1x\xa7replies\xa2\xff\xfe",
    ],
)
@pytest.mark.parametrize("path", HOT)
def test_bombs_of_messagepack(http, path, body):
    told = http.post(path, content=body, headers={"content-type": "application/msgpack"})
    assert told.status_code in {400, 422}
    assert told.headers["content-type"] == "application/problem+json"


def test_messagepack_both_ways(http):
    item = {"address": str(KNIGHTS), "replies": RIGHT}
    headers = {"content-type": "application/msgpack", "accept": "application/msgpack"}
    told = http.post("/v1/score", content=msgspec.msgpack.encode(item), headers=headers)
    assert msgspec.msgpack.decode(told.content)["value"] == 1


@pytest.mark.slow
def test_thousands_of_idle_sessions_and_connections_cost_little(tmp_path):
    """What is held for those who do nothing is bounded, and others are served meanwhile."""
    import tracemalloc

    app = build(Settings(store=f"sqlite:///{tmp_path / 'kept'}"))
    kept = app.state.service.sessions
    with background_server(app) as url, httpx.Client(base_url=url, timeout=120) as http:
        http.post("/v1/sessions", json={"address": str(CODE), "n": 512})
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            assert (
                http.post("/v1/sessions", json={"address": str(CODE), "n": 512}).status_code == 201
            )
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        assert len(kept.active) == 8_192
        assert grown < 30 << 20
        lines = [line_to(url) for _ in range(300)]
        for line in lines:
            line.__enter__().sendall(b"GET /livez HTTP/1.1\r\n")
        assert http.get("/livez").status_code == 200
        for line in lines:
            line.__exit__(None, None, None)


def test_what_the_service_fails_at_is_told_without_its_inside(monkeypatch, caplog):
    def fail(*_, **__):
        raise ZeroDivisionError("secret")

    app = build()
    with background_server(app) as url, httpx.Client(base_url=url) as http:
        monkeypatch.setattr(app.state.service.sessions, "get", fail)
        told = http.get("/v1/sessions/x", headers={"x-request-id": "mine"})
    assert problem(told, 500, "internal")["request_id"] == "mine"
    assert "secret" not in told.text
    assert "mine" in caplog.text  # whoever runs it can find out


def test_a_store_out_of_reach_is_a_matter_of_trying_again(monkeypatch):
    from sqlalchemy.exc import OperationalError

    def gone():
        raise OperationalError("", {}, sqlite3.OperationalError("unable to open database file"))

    app = build()
    with background_server(app) as url, httpx.Client(base_url=url) as http:
        monkeypatch.setattr(app.state.service.store, "line", None)
        monkeypatch.setattr(app.state.service.store.engine, "raw_connection", gone)
        problem(http.post("/v1/sessions", json={"address": str(CODE)}), 503, "store-unavailable")
        item = {"address": str(KNIGHTS), "replies": RIGHT}
        assert http.post("/v1/score", json=item).json()["value"] == 1


# ------------------------------------------------------------------ what else is promised


def test_a_pool_that_was_closed_is_replaced(url, http):
    """Workers are shared by all of a process, and whoever closes them does so for others too."""
    item = {"address": str(KNIGHTS), "replies": "x" * 50_000 + RIGHT}
    for _ in range(2):
        assert http.post("/v1/score", json=item).json()["value"] == 1
        workers().close()
    assert http.get("/readyz").status_code == 200


def test_the_last_board_is_told_when_a_game_is_over(http):
    """As in process, it is the one that the last move was made on."""
    address = Address.of("games/game_2048", seed=3, level=0)
    episode = Episode(address.task(), "bare", address.task().solve())
    (one,) = http.post(
        "/v1/sessions", json={"address": str(address), "answer_format": "bare"}
    ).json()["sessions"]
    path = f"/v1/sessions/{one['session']}"
    for n, move in enumerate(episode.replies):
        told = http.post(f"{path}/step", json={"step": n, "move": move}).json()
    assert told["done"]
    assert told["moves"] is None
    assert told["state"] == episode.turn.state
    assert http.get(path).json()["state"] == episode.turn.state


@pytest.mark.parametrize(
    "address",
    [
        "games/game_2048?level=0&seed=3",
        "games/minesweeper?level=5&seed=3",
        "games/game_2048?power=5&tiles=6&seed=3",
    ],
)
def test_pictures_of_boards(http, address):
    """They are those that a player in process would see, also where worlds are played elsewhere."""
    image = pytest.importorskip("PIL.Image")
    numpy = pytest.importorskip("numpy")
    task = Address.parse(address).task()
    episode = Episode(task, "bare")
    (one,) = http.post("/v1/sessions", json={"address": address, "answer_format": "bare"}).json()[
        "sessions"
    ]
    path = f"/v1/sessions/{one['session']}"
    for n, move in enumerate([*task.solve()][:3]):
        seen = http.get(f"{path}/image")
        assert seen.headers["content-type"] == "image/png"
        assert seen.headers["cache-control"] == "no-store"
        assert numpy.array_equal(
            numpy.asarray(image.open(io.BytesIO(seen.content))), episode.turn.image()
        )
        http.post(f"{path}/step", json={"step": n, "move": move})
        episode.step(move)


def test_what_has_no_picture_says_so(http, guarded, monkeypatch):
    (one,) = http.post("/v1/sessions", json={"address": str(CODE)}).json()["sessions"]
    assert http.get(f"/v1/sessions/{one['session']}/image").status_code == 204
    board = {"address": "games/game_2048?level=0&seed=3"}
    (one,) = http.post("/v1/sessions", json=board).json()["sessions"]
    monkeypatch.setitem(sys.modules, "PIL", None)
    problem(http.get(f"/v1/sessions/{one['session']}/image"), 501, "no-images")
    problem(http.get("/v1/sessions/nobody/picture"), 404, "unknown-session")
    told = httpx.get(f"{guarded}/v1/sessions/x/image", headers={"x-api-key": "reader"})
    problem(told, 403, "forbidden")


def test_deadlines_hold_for_all_that_is_waited_for(http):
    late = {"x-deadline-ms": "0"}
    away = "games/mastermind?length=4&digits=6&guesses=9&seed=1"
    (one,) = http.post("/v1/sessions", json={"address": away}).json()["sessions"]
    wishes = {
        "/v1/programs": {"source": "print(1)", "stdin": ""},
        "/v1/tasks": {"env": "games/mastermind", "knobs": {"length": 4}},
        "/v1/sessions": {"address": away},
        f"/v1/sessions/{one['session']}/fork": {},
        f"/v1/sessions/{one['session']}/rewind": {"step": 0},
        f"/v1/sessions/{one['session']}/step": {"step": 0, "move": "x"},
    }
    for path, body in wishes.items():
        problem(http.post(path, json=body, headers=late), 504, "deadline-passed")
    problem(http.get(f"/v1/sessions/{one['session']}", headers=late), 504, "deadline-passed")
    group = {"address": away, "responses": ["x", "y"]}
    told = http.post("/v1/score/group", json=group, headers=late).json()["results"]
    assert {one["error"] for one in told} == {"deadline-passed"}
    for path, body in wishes.items():
        told = http.post(path, json=body, headers={"x-deadline-ms": "soon"})
        problem(told, 422, "invalid-request")


def test_perfect_players_that_think_for_long_hold_up_nobody(monkeypatch):
    """They may search for as long as they like, so they do it where they can be stopped."""
    wish = {"address": str(Address.of("games/game_2048", seed=1, level=5))}
    path = "/v1/environments/games.game_2048/oracle"
    asking = {"headers": {"x-api-key": "all"}, "params": wish, "timeout": 60}
    with background_server(build(Settings(("all scopes=answers",)))) as url:
        monkeypatch.setattr(judging, "SOLVING_S", 1e-4)
        problem(httpx.get(url + path, **asking), 500, "unscored")
        late = asking | {"headers": asking["headers"] | {"x-deadline-ms": "0"}}
        problem(httpx.get(url + path, **late), 504, "deadline-passed")
        monkeypatch.undo()
        moves = httpx.get(url + path, **asking).json()["moves"]
        assert moves == [*Address.parse(wish["address"]).task().solve()]


def test_a_stream_of_tasks_that_breaks_off_says_why(monkeypatch):
    app = build()
    judge = app.state.service.judge
    opened = judge.opened

    async def breaking(address, answer_format, deadline=None):
        if address.seed == 6:
            raise judging.JudgeError("it was too hard")
        return await opened(address, answer_format, deadline)

    monkeypatch.setattr(judge, "opened", breaking)
    wish = {"env": KNIGHTS.env, "seeds": {"start": 0, "count": 20}}
    with background_server(app) as url:
        told = httpx.post(
            f"{url}/v1/tasks", json=wish, headers={"accept": "application/x-ndjson"}
        ).text.splitlines()
    *tasks, last = map(json.loads, told)
    assert [Address.parse(one["address"]).seed for one in tasks] == [0, 1, 2, 3]
    assert last["problem"]["type"].endswith(":unscored")


def test_limits_are_told_as_they_are(http):
    limits = http.get("/v1").json()["limits"]
    assert limits["json_depth"] == 64
    assert (limits["body_s"], limits["head_s"]) == (30, 15)
    assert (limits["verdict_ms"], limits["drawing_ms"]) == (60_000, 10_000)
    assert (limits["waiting"], limits["head_bytes"]) == (4_096, 64 << 10)


def test_a_card_tells_what_an_environment_needs(http):
    card = http.get("/v1/environments/games.mastermind").json()
    assert (card["needs"], card["turn_limit"]) == ([], 500)
    card = http.get("/v1/environments/logic.knights_and_knaves").json()
    assert (card["needs"], card["turn_limit"]) == ([], 1)
    card = http.get("/v1/environments/programs.stdin_story").json()
    assert "sandbox" in card["needs"]
    card = http.get("/v1/environments/programs.translate_program").json()
    assert card["needs"] == ["sandbox", "c", "javascript"]


def test_what_no_parser_reads_is_a_problem_too(url):
    for flaw in (b"\x00\x01\r\n\r\n", b"GET /livez HTTP/1.1\r\nhost x\r\n\r\n", b"GET\r\n\r\n"):
        with line_to(url) as line:
            line.sendall(flaw)
            told = _heard(line)
        assert told.startswith(b"HTTP/1.1 400 "), told
        head, _, body = told.partition(b"\r\n\r\n")
        assert b"application/problem+json" in head
        assert json.loads(body)["status"] == 400


def test_too_many_connections_are_told_to_come_back(monkeypatch):
    monkeypatch.setitem(OPTIONS, "limit_concurrency", 1)
    with background_server() as url, line_to(url):
        problem(httpx.get(f"{url}/livez"), 503, "overloaded")


# ------------------------------------------------------------------ the document


PACKING = """
import msgspec
import schemathesis


def packable(value):
    if isinstance(value, dict):
        return {name: packable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [*map(packable, value)]
    is_vast = type(value) is int and not -(2**63) <= value < 2**63
    return float(value) if is_vast else value


@schemathesis.serializer("application/msgpack")
def pack(_, value):
    return msgspec.msgpack.encode(packable(value))


@schemathesis.deserializer("application/msgpack")
def unpack(_, response):
    return msgspec.msgpack.decode(response.content)
"""
WITH_422 = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "403", "404", "405", "409", "422"]
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paths", "settings"),
    [
        ("^/", WITH_422),
        ("^/$|^/livez|^/version|^/v1/(score/batch|sessions/step|environments)$", ""),
    ],
    ids=["whole", "to the letter"],
)
def test_the_service_is_as_its_document_says(tmp_path, paths, settings):
    """Schemathesis asks for what the document allows and for what it does not, and finds nothing.

    What is well formed and still means nothing (levels that an environment does not have) is
    refused with 422, which no schema can say; where schemas say all, not even that is let pass.
    """
    command = Path(sys.executable).with_name("schemathesis")
    if not command.exists():
        pytest.skip("no schemathesis here: pip install schemathesis")
    (tmp_path / "packing.py").write_text(PACKING)
    (tmp_path / "settings.toml").write_text(settings)
    with background_server(build(Settings(store=f"sqlite:///{tmp_path / 'kept'}"))) as url:
        told = subprocess.run(
            [command, "--config-file", "settings.toml", "run", f"{url}/openapi.json",
             "--include-path-regex", paths, "--max-examples", "15", "--seed", "20",
             "--generation-database", "none", "--request-timeout", "600",
             "--phases", "examples,coverage,fuzzing,stateful" if settings else "coverage,fuzzing"],
            capture_output=True, text=True, cwd=tmp_path, timeout=1_100, check=False,
            env=os.environ | {"SCHEMATHESIS_HOOKS": "packing", "PYTHONPATH": str(tmp_path)},
        )  # fmt: skip
    assert told.returncode == 0, told.stdout[-9_000:] + told.stderr[-2_000:]
    assert "validation skipped" not in told.stdout, told.stdout[-9_000:]


def test_both_readers_take_what_the_document_allows(http):
    """Whole numbers may be written like floats, and a batch is not refused for one of its moves."""
    item = {"address": str(KNIGHTS), "replies": RIGHT, "timeout_ms": 5000.0}
    assert http.post("/v1/score", json=item).json()["value"] == 1
    told = http.post("/v1/score", json=item | {"timeout_ms": 5000.5})
    assert problem(told, 422, "invalid-request")["errors"][0]["pointer"] == "/timeout_ms"
    opened = http.post("/v1/sessions", json={"address": str(CODE), "n": 2.0}).json()["sessions"]
    first, second = (one["session"] for one in opened)
    items = [{"session": name, "step": 0.0, "move": MOVES[0]} for name in (first, second, first)]
    told = http.post("/v1/sessions/step", json={"items": items}).json()["results"]
    assert [one["error"] for one in told] == ["step-conflict", None, None]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/tasks", {"env": "games/mastermind", "seeds": {"start": True}}),
        ("/v1/tasks", {"env": "games/mastermind", "seeds": ["1"]}),
        ("/v1/tasks", {"env": "games/mastermind", "level": False}),
        ("/v1/tasks", {"env": "games/mastermind", "level": 1.5}),
        ("/v1/sessions", {"address": str(CODE), "n": "2"}),
        ("/v1/curricula", {"environments": [{"env": "games/mastermind", "levels": [True]}]}),
        ("/openenv/games.mastermind/reset", {"seed": True}),
        ("/compat/agentgym/games.mastermind/reset", {"id": "x", "data_idx": True}),
    ],
)
def test_what_is_no_number_is_taken_for_none(http, path, body):
    problem(http.post(path, json=body), 422, "invalid-request")


def test_methods_that_a_path_has_are_told(http):
    refused = http.put("/v1/sessions/x", json={})
    assert (refused.status_code, refused.headers["allow"]) == (405, "DELETE, GET")


# ------------------------------------------------------------------ requests by their names


def test_every_response_has_the_name_of_its_request(url, http):
    told = [
        http.get("/livez"), http.post("/livez"), http.get("/v1/environments"), http.get("/nowhere"),
        http.post("/v1/score", json={"address": str(KNIGHTS), "replies": RIGHT}),
        http.post("/v1/score", content=b"{"), http.get("/v1/score"), http.get("/play"),
        http.post("/v1/tasks", json={"env": "logic/knights_and_knaves"}),
    ]  # fmt: skip
    names = [one.headers["x-request-id"] for one in told]
    assert len({*names}) == len(names)
    assert all(len(name) == 32 for name in names)
    mine = http.get("/livez", headers={"x-request-id": "mine"})
    assert mine.headers["x-request-id"] == "mine"
    with line_to(url) as line:
        line.sendall(b"no request\r\n\r\n")
        assert b"x-request-id: " in _heard(line)


def test_time_is_not_set():
    """Sessions go by a clock that goes on where somebody sets that of the system."""
    from palaestra.server import clock, sessions, store
    from palaestra.server.compat import episodes, ors

    assert {one.time for one in (sessions, store, ors, episodes)} == {clock.time}
    before = clock.time()
    assert abs(before - time.time()) < 3_600


def test_a_session_outlives_a_clock_that_is_set_forward(monkeypatch):
    with TestClient(build()) as http:
        (opened,) = http.post("/v1/sessions", json={"address": str(CODE)}).json()["sessions"]
        monkeypatch.setattr(time, "time", lambda: 4e9)
        path = f"/v1/sessions/{opened['session']}"
        assert http.post(f"{path}/step", json={"step": 0, "move": MOVES[0]}).status_code == 200
        assert http.get(path).status_code == 200
