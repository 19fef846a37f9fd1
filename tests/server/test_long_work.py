"""Slow work: workers, deadlines, clients that disconnect, and an event loop that stays free."""

import asyncio
import json
import threading
import time
from threading import current_thread

import httpx2 as httpx
import pytest
from tests.server.examples import KNIGHTS, _until, line_to, problem

from palaestra import scoring
from palaestra.address import Address
from palaestra.catalog import catalog
from palaestra.server import judging, targets
from palaestra.server.app import build
from palaestra.server.launcher import background_server


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
            response = http.post("/v1/score", json=body, headers={"x-deadline-ms": wrong})
            problem(response, 422, "invalid-request")
        (result,) = http.post(
            "/v1/score/batch", json={"items": [body]}, headers={"x-deadline-ms": "0"}
        ).json()["results"]
        assert (result["value"], result["error"]) == (None, "deadline-passed")


def test_a_deadline_passes_while_a_turn_is_waited_for(slow_judge):
    app = build()
    app.state.service.judge.lanes["worker"].size = 1
    body = {"address": slow_judge.address, "replies": "x"}
    with background_server(app) as url, httpx.Client(base_url=url, timeout=300) as http:
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
    with background_server(app) as url, httpx.Client(base_url=url, timeout=300) as http:
        asking = [
            threading.Thread(target=http.post, args=("/v1/score",), kwargs={"json": body})
            for _ in range(3)
        ]
        for each in asking:
            each.start()
        _until(lambda: judge.waiting == 2)
        assert problem(http.post("/v1/score", json=body), 503, "overloaded")["retryable"]
        response = http.post("/v1/score/batch", json={"items": [body]})
        problem(response, 503, "overloaded")
        assert http.get("/livez").status_code == 200
        slow_judge.let_go.set()
        for each in asking:
            each.join()
        assert http.post("/v1/score", json=body).status_code == 200


def test_a_key_that_asks_too_often_is_told_when_to_come_back(guarded):
    with httpx.Client(base_url=guarded, headers={"x-api-key": "slow"}) as http:
        responses = [http.get("/v1") for _ in range(6)]
    problem(responses[-1], 429, "too-many-requests")


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
    rows = catalog()
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
        response = httpx.post(f"{url}/v1/score/batch", json={"items": items}, timeout=300).json()
        enough.set()
        comparing.join()
    assert len(response["results"]) == len(items)
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
    query = "&".join(
        f"{knob}={schema['maximum']}" for knob, schema in knobs.items() if "maximum" in schema
    )
    try:
        address = Address.parse(f"{name}?{query}&seed=1")
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
