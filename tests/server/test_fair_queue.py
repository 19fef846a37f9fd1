"""Slow work: whose turn it is, where it is done, and what it may cost."""

import asyncio
import json
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest

from palaestra.address import Address
from palaestra.server import judging, programs, targets
from palaestra.server.app import build
from palaestra.server.auth import Key, TokenBucket, parsed
from palaestra.server.fair_queue import FairQueue
from palaestra.server.launcher import background_server
from palaestra.server.problems import DeadlineExceeded, Overloaded, TooManyRequests
from palaestra.server.service import Settings
from palaestra.workers.pool import Late

# ------------------------------------------------------------------ lanes


class Work:
    """Work in a lane, each piece of which goes on until it is let go."""

    def __init__(self, lane):
        self.lane = lane
        self.begun = []
        self.ends = {}
        self.tasks = {}

    async def _work(self, piece, name, by_hand, deadline):
        async with self.lane.turn(name, by_hand, deadline):
            self.begun.append(piece)
            await self.ends[piece].wait()

    async def ask(self, piece, name="", by_hand=False, deadline=None):
        self.ends[piece] = asyncio.Event()
        self.tasks[piece] = asyncio.create_task(self._work(piece, name, by_hand, deadline))
        await asyncio.sleep(0)

    async def end(self, piece):
        self.ends[piece].set()
        await self.tasks[piece]
        await asyncio.sleep(0)

    async def in_order(self):
        """The order in which all begin, where one ends as the next begins."""
        done = []
        while left := [piece for piece in self.begun if piece not in done]:
            await self.end(left[0])
            done.append(left[0])
        return done


def played(scene):
    asyncio.run(scene())


def test_keys_take_turns():
    async def scene():
        work = Work(FairQueue(1, 100))
        for n in range(5):
            await work.ask(f"a{n}", "a")
        for n in range(2):
            await work.ask(f"b{n}", "b")
        await work.ask("c0", "c")
        assert await work.in_order() == ["a0", "a1", "b0", "c0", "a2", "b1", "a3", "a4"]

    played(scene)


def test_levels_go_before_knobs_set_by_hand():
    async def scene():
        work = Work(FairQueue(1, 100))
        await work.ask("first")
        for n in range(3):
            await work.ask(f"knobs{n}", "a", by_hand=True)
        for n in range(3):
            await work.ask(f"level{n}", "a" if n % 2 else "b")
        order = await work.in_order()
        assert order == ["first", "level0", "level1", "level2", "knobs0", "knobs1", "knobs2"]

    played(scene)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_one_place_is_free_of_knobs_set_by_hand(size):
    async def scene():
        work = Work(FairQueue(size, 100))
        for n in range(9):
            await work.ask(n, by_hand=True)
        assert len(work.begun) == max(1, size - 1)  # a lane of one place cannot keep one free
        await work.ask("level", "other")
        assert ("level" in work.begun) is (size > 1)
        await work.end(0)
        assert ("level" in work.begun) is True
        assert len(await work.in_order()) == 10
        assert work.lane.busy == work.lane.by_hand == 0

    played(scene)


@pytest.mark.parametrize("moments", range(6))
def test_what_is_given_up_takes_no_turn(moments):
    async def scene():
        work = Work(FairQueue(1, 100))
        for piece in "abcd":
            await work.ask(piece)
        work.tasks["b"].cancel()
        work.ends["a"].set()
        for _ in range(moments):  # "c" is given up before, as or after it is given its turn
            await asyncio.sleep(0)
        work.tasks["c"].cancel()
        await asyncio.wait([work.tasks[piece] for piece in "abc"])
        await asyncio.sleep(0)
        assert work.begun[-1] == "d"
        await work.end("d")
        assert (work.lane.busy, work.lane.waiting.total()) == (0, 0)

    played(scene)


def test_a_deadline_passes_in_the_line():
    async def scene():
        work = Work(FairQueue(1, 100))
        await work.ask("a")
        await work.ask("b", deadline=time.monotonic() + 0.05)
        with pytest.raises(DeadlineExceeded):
            await work.tasks["b"]
        await work.ask("c", deadline=time.monotonic() - 1)
        with pytest.raises(DeadlineExceeded):
            await work.tasks["c"]
        assert await work.in_order() == ["a"]
        assert work.lane.waiting.total() == 0

    played(scene)


def test_one_key_cannot_fill_the_line():
    async def scene():
        for is_shared, most in ((True, 50), (False, 100)):
            lane = FairQueue(1, 100, is_shared)
            work = Work(lane)
            await work.ask("busy", "a")
            for n in range(most):
                await work.ask(n, "a")
            with pytest.raises(Overloaded):
                lane.check_capacity("a")
            if is_shared:
                lane.check_capacity("b", 25)
                with pytest.raises(Overloaded):
                    lane.check_capacity("b", 26)
            for task in work.tasks.values():
                task.cancel()
            await asyncio.gather(*work.tasks.values(), return_exceptions=True)
            assert (lane.busy, lane.waiting.total()) == (0, 0)

    played(scene)


def test_who_is_refused_is_told_how_long_the_line_is():
    async def scene():
        lane = FairQueue(2, 10)
        lane.usual_s = 3.0
        work = Work(lane)
        for n in range(12):
            await work.ask(n)
        with pytest.raises(Overloaded) as refused:
            lane.check_capacity("")
        assert refused.value.retry_after_s == 15
        for task in work.tasks.values():
            task.cancel()
        await asyncio.gather(*work.tasks.values(), return_exceptions=True)

    played(scene)


# ------------------------------------------------------------------ over HTTP

HEAVY = Address.of("logic/knights_and_knaves", seed=5, level=0)
BY_HAND = {"env": "logic/knights_and_knaves", "knobs": {"people": 5}}
PROGRAM = Address.of("programs/stdin_story", seed=1, level=0)
TOKENS = ("sesame name=one", "simsim name=two", "frugal name=three cpu_per_minute=6")


class Held:
    """Worker processes in which work begins and does not end before it is let go."""

    def __init__(self):
        self.begun = []
        self.let_go = threading.Event()
        self.cpu_s = 0.0
        self.fault = None

    async def acall(self, metered, *call, wall_s=None):
        if "metered" not in metered:  # a probe
            return 3
        work, arguments = call
        if self.fault is not None:
            raise self.fault
        self.begun.append(work)
        name, function = work.split(":")
        while "opened_at" in work and not self.let_go.is_set():
            await asyncio.sleep(0.01)
        value = getattr(__import__(name, fromlist=[function]), function)(*arguments)
        return {"value": value, "cpu_s": self.cpu_s}


@pytest.fixture
def held(monkeypatch):
    made = Held()
    monkeypatch.setattr(judging.Workers, "acall", made.acall)
    monkeypatch.setattr(targets.Target, "executor_for", lambda *_: "worker")
    yield made
    made.let_go.set()


def until(holds, patience_s=300):
    deadline = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.01)


@contextmanager
def asked_at_once(url, number, token, wish):
    """So many requests for tasks, all of them under way."""
    asking = [
        threading.Thread(
            target=httpx.post,
            args=(f"{url}/v1/tasks",),
            kwargs={"json": wish, "headers": {"x-api-key": token}, "timeout": 300},
        )
        for _ in range(number)
    ]
    for each in asking:
        each.start()
    try:
        yield
    finally:
        for each in asking:
            each.join()


def score(url, token, address=HEAVY):
    body = {"address": str(address), "replies": "x"}
    return httpx.post(f"{url}/v1/score", json=body, headers={"x-api-key": token}, timeout=300)


@pytest.mark.parametrize("token", ["sesame", "simsim"])
def test_slow_draws_by_hand_hold_up_no_score(held, token):
    """Sixteen of them are under way, and neither their own key nor another waits for one."""
    app = build(Settings(TOKENS))
    lane = app.state.service.judge.lanes["worker"]
    lane.size = 2
    with background_server(app) as url, asked_at_once(url, 16, "sesame", BY_HAND):
        until(lambda: lane.waiting["one"] == 15)
        assert score(url, token).status_code == 200
        assert lane.waiting["one"] == 15
        held.let_go.set()


def test_slow_work_of_one_key_goes_on_in_turn_with_that_of_another(held):
    app = build(Settings(TOKENS))
    lane = app.state.service.judge.lanes["worker"]
    sandboxed = app.state.service.judge.lanes["sandbox"]
    lane.size = sandboxed.size = 1
    wish = {"env": "programs/stdin_story", "level": 1}
    responses = []
    with background_server(app) as url, asked_at_once(url, 8, "sesame", wish):
        until(lambda: sandboxed.waiting["one"] + sandboxed.busy >= 8)
        other = threading.Thread(target=lambda: responses.append(score(url, "simsim", PROGRAM)))
        other.start()
        until(lambda: sandboxed.waiting["two"] == 1)
        before = sandboxed.waiting["one"]
        held.let_go.set()
        other.join()
    index = next(n for n, work in enumerate(held.begun) if "judged_at" in work)
    assert index <= 2 < before
    assert responses[0].status_code == 200


def test_a_key_has_so_much_processor_time_a_minute(held):
    held.let_go.set()
    held.cpu_s = 60.0
    with background_server(build(Settings(TOKENS))) as url:
        assert score(url, "frugal").status_code == 200
        refused = score(url, "frugal")
        assert refused.status_code == 429
        assert 500 < int(refused.headers["retry-after"]) <= 541  # 54 s are owed, at 6 a minute
        assert score(url, "sesame").status_code == 200
        assert httpx.get(f"{url}/v1", headers={"x-api-key": "frugal"}).status_code == 200


@pytest.mark.parametrize(
    "fault", [Late("stopped after 10 s"), judging.OutOfMemory("out of memory, with 2048 MB")]
)
def test_draws_over_their_budget_are_refused_where_knobs_are_set_by_hand(held, fault):
    held.fault = fault
    late = isinstance(fault, Late)
    level = {"env": "programs/stdin_story"}
    with background_server(build()) as url, httpx.Client(base_url=url, timeout=300) as http:
        response = http.post("/v1/tasks", json=BY_HAND)
        assert (response.status_code, response.json()["title"]) == (422, "bad knobs")
        response = http.post("/v1/tasks", json=level)
        wanted = (500, "unscored") if late else (503, "worker lost")
        assert (response.status_code, response.json()["title"]) == wanted
        response = http.post("/v1/sessions", json=BY_HAND)
        assert (response.status_code, response.json()["title"]) == (422, "bad knobs")


# ------------------------------------------------------------------ quotas


def test_a_bucket_fills_up_again(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("palaestra.server.auth.monotonic", lambda: now[0])
    bucket = TokenBucket(60)
    bucket.spend(90)
    assert bucket.wait_s(1) == 31
    now[0] += 31
    assert bucket.wait_s(1) == 0
    now[0] += 1_000
    assert bucket.fill() == 60
    without = TokenBucket(0)
    without.spend(1e9)
    assert without.wait_s(1) == 0


def test_keys_are_told_what_they_have_left():
    key = Key("x", per_minute=2, cpu_per_minute=1)
    key.spend()
    key.spend()
    with pytest.raises(TooManyRequests) as refused:
        key.spend()
    assert 29 < refused.value.retry_after_s <= 30
    key.demand_time()
    key.cpu.spend(2)
    with pytest.raises(TooManyRequests) as refused:
        key.demand_time()
    assert 59 < refused.value.retry_after_s <= 61
    _, read = parsed("token per_minute=3 cpu_per_minute=4")
    assert (read.per_minute, read.cpu_per_minute) == (3, 4)
    with pytest.raises(ValueError, match="cpu_per_minute="):
        parsed("token cpu_per_minute=-1")


def test_limits_stand_on_every_answer():
    with background_server(build(Settings(("slow per_minute=3", "free")))) as url:
        responses = [httpx.get(f"{url}/v1", headers={"x-api-key": "slow"}) for _ in range(4)]
        assert [one.status_code for one in responses] == [200, 200, 200, 429]
        for left, one in zip((2, 1, 0, 0), responses):
            assert one.headers["ratelimit-policy"] == '"requests";q=3;w=60'
            assert one.headers["ratelimit"].startswith(f'"requests";r={left};t=')
        assert 15 <= int(responses[3].headers["retry-after"]) <= 20
        assert "ratelimit" not in httpx.get(f"{url}/v1", headers={"x-api-key": "free"}).headers
        assert "ratelimit" not in httpx.get(f"{url}/livez").headers


# ------------------------------------------------------------------ programs


@pytest.fixture(scope="module")
def url():
    with background_server() as where:
        until(lambda: httpx.get(f"{where}/readyz").status_code == 200)
        yield where


def about(process, file):
    """What the system tells of a process; nothing of one that is gone."""
    try:
        return Path(f"/proc/{process}/{file}").read_text()
    except OSError:
        return ""


def jails(process):
    """The processes of jails that descend from one, which are known by their command line."""
    there = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]
    stats = {each: about(each, "stat").rpartition(")")[2].split() for each in there}
    parents = {each: int(words[1]) for each, words in stats.items() if words}
    processes = set()
    for one in parents:
        chain = one
        while chain in parents and chain != process:
            chain = parents[chain]
        if chain == process and "jail-app" in about(one, "cmdline"):
            processes.add(one)
    return processes


def is_there(process):
    """Whether a process has not ended yet."""
    words = about(process, "stat").rpartition(")")[2].split()
    return bool(words) and words[0] != "Z"


def test_tasks_of_programs_are_drawn_and_judged_in_other_processes(monkeypatch, url):
    here = []
    draw = Address.task
    monkeypatch.setattr(Address, "task", lambda one: here.append(one) or draw(one))
    with httpx.Client(base_url=url, timeout=300) as http:
        right = [*PROGRAM.task().solve()]
        here.clear()
        body = {"address": str(PROGRAM), "replies": "<answer>print(1)</answer>"}
        assert http.post("/v1/score", json=body).json()["status"] != "infra_error"
        body["replies"] = f"<answer>{right[0]}</answer>"
        assert http.post("/v1/score", json=body).json()["value"] == 1
        (opened,) = http.post("/v1/sessions", json={"address": str(PROGRAM)}).json()["sessions"]
        path = f"/v1/sessions/{opened['session']}/step"
        response = http.post(path, json={"step": 0, "move": body["replies"]}).json()
        assert response["score"]["value"] == 1
        assert http.post("/v1/programs", json={"source": "print(6*7)"}).json()["stdout"] == "42\n"
    assert here == []


ENDLESS = "<answer>\nimport sys, time\nsys.stdin.read()\nwhile time.time(): pass\n</answer>"
"""By a clock, or it would be proved endless, and ended, before the client has left."""


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (
            "/v1/programs",
            {"source": "import time\nwhile time.time(): pass", "limits": {"cpu_s": 30}},
        ),
        ("/v1/programs", {"source": "import time\ntime.sleep(60)", "limits": {"wall_s": 60}}),
        (
            "/v1/programs",
            {
                "source": "import time\ndef f():\n while time.time(): pass",
                "limits": {"cpu_s": 30},
                "calls": {"entry": "f", "cases": [{"args": []}]},
            },
        ),
        ("/v1/sessions/{}/step", {"step": 0, "move": ENDLESS}),
        ("/openenv/programs.stdin_story/step", {"action": {"reply": ENDLESS}, "session_id": ""}),
    ],
)
def test_a_program_ends_when_its_client_hangs_up(path, body, url):
    if "{}" in path:
        (opened,) = httpx.post(f"{url}/v1/sessions", json={"address": str(PROGRAM)}).json()[
            "sessions"
        ]
        path = path.format(opened["session"])
    if "openenv" in path:
        begun = httpx.post(f"{url}{path.replace('/step', '/reset')}", json={"seed": 1}).json()
        body = body | {"session_id": begun["metadata"]["session_id"]}
    text = json.dumps(body).encode()
    about = f"host: x\r\ncontent-type: application/json\r\ncontent-length: {len(text)}"
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=300) as line:
        line.sendall(f"POST {path} HTTP/1.1\r\n{about}\r\n\r\n".encode() + text)
        until(lambda: busy() and jails(busy()[0]))
        (worker,) = busy()
        held = jails(worker)
    until(lambda: not any(map(is_there, {worker, *held})))
    assert httpx.post(f"{url}/v1/programs", json={"source": "print(1)"}).json()["stdout"] == "1\n"


def busy():
    """The worker processes that run programs now."""
    pool = judging.sandboxed_workers()
    return [each.process.pid for each in pool._supervisor._workers if each.call is not None]


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("sign", ["\0", "\\xff", "a", "\U0001f600"])
def test_the_answer_of_a_program_that_prints_much_is_bounded(url, stream, sign):
    source = f"import sys\nsys.{stream}.buffer.write({sign.encode()!r} * (12 << 20))"
    if sign == "\\xff":
        source = f"import sys\nsys.{stream}.buffer.write(b'\\xff' * (12 << 20))"
    body = {"source": source, "limits": {"output_kb": 16_384, "cpu_s": 10}}
    response = httpx.post(f"{url}/v1/programs", json=body, timeout=120)
    assert response.status_code == 200
    assert len(response.content) < 2 * programs.OUTPUT_BYTES + 10_000
    answer = response.json()
    assert programs.TRUNCATED in answer["reason"]
    assert len(answer[stream]) > programs.OUTPUT_BYTES / 7
    assert len(set(answer[stream])) == 1


def test_what_a_program_prints_is_whole_where_there_is_room(url):
    body = {"source": "print('é' * 1_000_000)", "limits": {"output_kb": 4_096}}
    response = httpx.post(f"{url}/v1/programs", json=body, timeout=120).json()
    assert response["stdout"] == "é" * 1_000_000 + "\n"
    assert not response["reason"]


@pytest.mark.parametrize(
    "body",
    [
        {"source": "def f(): raise ValueError('\\ud800')", "calls": {"entry": "f", "cases": [{}]}},
        {"source": "def f(): raise ValueError('\\ud800')", "suite": "assert f() == 1"},
        {"source": "print('\\udc80')", "outputs": [{"stdout": "x"}]},
        {"source": "raise ValueError('\\ud800')"},
    ],
)
def test_half_characters_in_a_reason_are_answered(url, body):
    response = httpx.post(f"{url}/v1/programs", json=body, timeout=120)
    assert response.status_code == 200
    assert response.json()["status"] in {"RE", "WA"}
