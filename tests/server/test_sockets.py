"""Sessions over a socket: frames, order, limits, and who may ask."""

import json
import threading
import time
from contextlib import suppress

import pytest
from tests.server.examples import CODE, KNIGHTS, MOVES, RIGHT, ask, connected

from palaestra.server import sockets


def test_sessions_are_played_over_a_socket_and_outlive_it(url, http):
    with connected(url) as line:
        frame = ask(line, id=1, op="open", address=str(CODE), n=2)
        assert frame["id"] == 1
        first, second = (one["session"] for one in frame["result"]["sessions"])
        frame = ask(line, id="two", op="step", session=first, step=0, move=MOVES[0])
        assert (frame["id"], frame["result"]["step"]) == ("two", 1)
        assert ask(line, op="get", session=first)["result"]["messages"]
        (fork,) = ask(line, op="fork", session=first)["result"]["sessions"]
        assert ask(line, op="rewind", session=first, step=0)["result"]["step"] == 0
        assert ask(line, op="delete", session=second) == {"id": None, "result": None}
        assert ask(line, op="get", session=second)["problem"]["status"] == 404
        frame = ask(line, op="score", address=str(KNIGHTS), replies=RIGHT)
        assert frame["result"]["value"] == 1
    assert http.get(f"/v1/sessions/{fork['session']}").json()["step"] == 1
    assert 'palaestra_requests_total{route="/v1/ws",status="404"}' in http.get("/metrics").text
    with connected(url) as line:
        for n, move in enumerate(MOVES):
            frame = ask(line, op="step", session=first, step=n, move=move)["result"]
        assert frame["score"]["value"] == 1


def test_many_frames_are_answered_by_their_names(url):
    with connected(url) as line:
        opened = ask(line, op="open", env="games/mastermind", level=2, seed=1, n=200)
        names = [one["session"] for one in opened["result"]["sessions"]]
        for name in names:
            frame = {"id": name, "op": "step", "session": name, "step": 0, "move": MOVES[0]}
            line.send(json.dumps(frame))
        frames = [json.loads(line.recv()) for _ in names]
        assert {one["id"] for one in frames} == {*names}
        assert all(one["result"]["session"] == one["id"] for one in frames)


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
        response = json.loads(line.recv())
        assert (response["id"], response["problem"]["status"]) == (None, status)
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
        frames = [ask(line, **score), *(ask(line, op="fly") for _ in range(4)), ask(line, **score)]
        assert "result" in frames[0]
        assert frames[-1]["problem"]["type"].endswith("too-many-requests")
        assert frames[-1]["problem"]["retryable"]


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
