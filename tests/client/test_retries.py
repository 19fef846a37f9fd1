"""Retries, their pauses and their end."""

import json
from contextlib import contextmanager
from email.utils import formatdate
from time import time

import httpx2 as httpx
import msgspec
import pytest
from tests.client.examples import (
    ADDRESS,
    KNIGHTS,
    MASTERMIND,
    MOVES,
    RIGHT,
    TOKEN,
    Steps,
    number,
    over,
    scored,
)

from palaestra import JudgeError, Score, client
from palaestra.client import (
    Client,
    DeadlinePassed,
    ServiceError,
    effects,
    sync_client,
)


def test_it_tries_again_with_jitter(pauses, monkeypatch):
    spans = []
    monkeypatch.setattr("random.uniform", lambda low, high: spans.append((low, high)) or low)
    faults = [429, 503, 504, httpx.ConnectError("refused"), httpx.ReadError("reset"), 503, 503]
    handler = Steps(*faults, scored)
    assert over(handler).score(ADDRESS, RIGHT) == Score(1)
    assert [high for _, high in spans] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]
    assert pauses == [low for low, _ in spans] == [high / 2 for _, high in spans]
    assert len({request.content for request in handler.requests}) == 1


def test_it_waits_as_long_as_it_is_asked_to(pauses):
    soon = formatdate(time() + 9, usegmt=True)
    headers = [{"retry-after": delay} for delay in ("2", soon, "never", "-1")]
    handler = Steps(*((503, each) for each in headers), scored)
    assert over(handler).score(ADDRESS, RIGHT) == Score(1)
    assert 2 <= pauses[0] <= 2.1
    assert 7 <= pauses[1] <= 9.2
    assert all(0 <= pause <= 0.8 for pause in pauses[2:])


def test_it_does_not_wait_beyond_its_patience(pauses):
    handler = Steps((503, {"retry-after": "31"}))
    with pytest.raises(ServiceError, match="gave up after 1 tries: it answers 503") as caught:
        over(handler).score(ADDRESS, RIGHT)
    assert (caught.value.status, pauses) == (503, [])
    assert not isinstance(caught.value, DeadlinePassed)
    handler = Steps(httpx.ConnectError("refused"))
    with pytest.raises(ServiceError, match="gave up after 1 tries: refused") as caught:
        over(handler, patience_s=0).tasks(KNIGHTS)
    assert caught.value.status is None


def test_other_refusals_are_final(pauses):
    for status in (401, 403, 404, 500, 502):
        for made in (over(Steps(status)), over(Steps(status))):
            with pytest.raises(ServiceError, match=f"{status}: ") as caught:
                made.score(ADDRESS, RIGHT)
            assert caught.value.status == status
        with pytest.raises(ServiceError, match=f"{status}: "):
            over(Steps(status, status)).score_many([(ADDRESS, RIGHT)] * 2)
    assert pauses == []


def busy(request):
    """Is too busy for the second item."""
    results = [{"value": 1.0, "index": 0}, {"value": None, "index": 1, "error": "overloaded"}]
    assert "ndjson" in request.headers["accept"]
    return httpx.Response(
        200, content=b"".join(json.dumps(one).encode() + b"\n" for one in results)
    )


def test_only_what_was_not_answered_is_asked_again(pauses):
    def broken(request):
        def lines():
            yield b'{"value": 1, "index": 2}\n{"value": 1, "ind'
            raise httpx.ReadError("reset")

        return httpx.Response(200, content=lines())

    handler = Steps(broken, busy, scored)
    assert over(handler).score_many([(ADDRESS, RIGHT)] * 3) == [Score(1)] * 3
    assert [number(request) for request in handler.requests] == [3, 2, 1]
    assert len(pauses) == 2


def test_it_is_patient_as_long_as_something_comes_of_it(monkeypatch):
    """Forty rounds with a tenth of a second between them, though patience is for one second."""
    now = [0.0]
    monkeypatch.setattr(effects, "monotonic", lambda: now[0])
    monkeypatch.setattr(sync_client, "sleep", lambda s: now.__setitem__(0, now[0] + s))
    monkeypatch.setattr("random.uniform", lambda low, high: high)

    def one_at_a_time(request):
        results = [{"value": 1.0, "index": 0}]
        results += [
            {"value": None, "index": n, "error": "overloaded"} for n in range(1, number(request))
        ]
        return httpx.Response(200, text="\n".join(map(json.dumps, results)))

    with over(Steps(*[one_at_a_time] * 39, scored), patience_s=1) as made:
        assert made.score_many([(ADDRESS, RIGHT)] * 40) == [Score(1)] * 40
    assert now[0] == pytest.approx(3.9)
    all_busy = {"value": None, "index": 0, "error": "overloaded", "reason": "too many"}
    made = over(Steps(*[lambda _: httpx.Response(200, json=all_busy)] * 9), patience_s=1)
    with pytest.raises(ServiceError, match="too many"):
        made.score_many([(ADDRESS, RIGHT)] * 2)


def test_a_group_is_scored_as_a_whole(pauses):
    def group(error):
        results = [{"value": None, "error": error, "reason": "wait"}, {"value": 1.0}]
        return lambda _: httpx.Response(200, json={"results": results})

    scores = over(Steps(group("overloaded"), group("internal"))).score_group(ADDRESS, ["", RIGHT])
    assert [score.value for score in scores.scores] == [None, 1]
    assert len(pauses) == 1


@pytest.mark.parametrize("bombs", [1, 2])
def test_what_kills_workers_is_not_tried_for_ever(pauses, bombs):
    died = {"value": None, "error": "worker-lost", "reason": "it died"}
    problem = {"type": "urn:palaestra:problem:worker-lost", "detail": "it died"}

    def handler(request):
        wish = msgspec.msgpack.decode(request.content)
        requests.append(wish)
        if "items" not in wish:
            return httpx.Response(503, json=problem)
        lines = [
            json.dumps((died if item["replies"] == "bomb" else {"value": 1.0}) | {"index": n})
            for n, item in enumerate(wish["items"])
        ]
        return httpx.Response(200, text="\n".join(lines))

    requests = []
    with over(handler) as made:
        scores = made.score_many([(ADDRESS, "bomb")] * bombs + [(ADDRESS, RIGHT)] * (bombs - 1))
        for score in scores[:bombs]:
            assert (score.value, score.reason) == (None, "it died")
        assert scores[bombs:] == [Score(1)] * (bombs - 1)
        assert len(requests) == client.LOSSES
        with pytest.raises(JudgeError, match="it died"):
            made.score(ADDRESS, "bomb")


@contextmanager
def losing(service, path):
    """A client to whom the first answer from a path is lost."""
    lost, asked = [], []

    class Transport(httpx.HTTPTransport):
        def handle_request(self, request):
            response = super().handle_request(request)
            asked.append(request)
            if request.url.path.endswith(path) and not lost:
                lost.append(response)
                response.close()
                raise httpx.ReadError("reset")
            return response

    with Client(service.url, TOKEN) as made:
        made._http = httpx.Client(
            transport=Transport(), base_url=service.url, headers=made._settings["headers"]
        )
        made.asked, made.lost = asked, lost
        yield made


def test_sessions_are_opened_once_though_the_answer_is_lost(service):
    with losing(service, "/v1/sessions") as made:
        before = len(service.sessions.active)
        session = made.open(MASTERMIND)
        assert made.lost
        assert len(service.sessions.active) == before + 1
        first, second = (request.headers["idempotency-key"] for request in made.asked)
        assert first == second
        assert made.open(MASTERMIND).id != session.id
        mine = [made.open(MASTERMIND, key="mine").id for _ in range(2)]
        assert mine[0] == mine[1]
        with pytest.raises(ServiceError, match="used for another request"):
            made.open(ADDRESS, key="mine")


@pytest.mark.parametrize("path", ["/step", "/rewind", ""])
def test_moves_are_made_once_though_the_answer_is_lost(service, path):
    with losing(service, path or "nothing") as made:
        session = made.open(MASTERMIND)
        session.step(MOVES[0])
        session.rewind(0)
        session.step("<answer>113</answer>")
        assert bool(made.lost) == bool(path)
        assert (session.refresh().steps, len(session.messages())) == (1, 3)
