"""What the service promises besides: limits, metrics, readiness, clocks."""

import io
import json
import sys
import time

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient
from tests.server.examples import CODE, KNIGHTS, MOVES, RIGHT, _heard, line_to, problem

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.scenes.raster import rgb
from palaestra.server import judging
from palaestra.server.app import build
from palaestra.server.launcher import OPTIONS, background_server
from palaestra.server.service import Settings
from palaestra.workers.pool import workers


def test_a_pool_that_was_closed_is_replaced(url, http):
    """Workers are shared by all of a process, and whoever closes them does so for others too."""
    item = {"address": str(KNIGHTS), "replies": "x" * 50_000 + RIGHT}
    for _ in range(2):
        assert http.post("/v1/score", json=item).json()["value"] == 1
        workers().close()
    while http.get("/readyz").status_code != 200:  # a probe may have been in the pool
        time.sleep(0.05)


def test_the_last_board_is_told_when_a_game_is_over(http):
    """As in process, it is the one that the last move was made on."""
    address = Address.of("games/game_2048", seed=3, level=0)
    episode = Episode(address.task(), "bare", address.task().solve())
    (one,) = http.post(
        "/v1/sessions", json={"address": str(address), "answer_format": "bare"}
    ).json()["sessions"]
    path = f"/v1/sessions/{one['session']}"
    for n, move in enumerate(episode.replies):
        result = http.post(f"{path}/step", json={"step": n, "move": move}).json()
    assert result["done"]
    assert result["legal_moves"] is None
    assert result["state"] == episode.turn.state
    assert http.get(path).json()["state"] == episode.turn.state


@pytest.mark.parametrize(
    "address",
    [
        "games/game_2048?level=0&seed=3",
        "games/minesweeper?level=5&seed=3",
        "games/game_2048?power=6&lacking=16&seed=3",
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
            numpy.asarray(image.open(io.BytesIO(seen.content))), rgb(episode.turn.scene())
        )
        http.post(f"{path}/step", json={"step": n, "move": move})
        episode.step(move)


def test_what_has_no_picture_says_so(http, guarded, monkeypatch):
    (one,) = http.post("/v1/sessions", json={"address": str(KNIGHTS)}).json()["sessions"]
    assert http.get(f"/v1/sessions/{one['session']}/image").status_code == 204
    board = {"address": "games/game_2048?level=0&seed=3"}
    (one,) = http.post("/v1/sessions", json=board).json()["sessions"]
    monkeypatch.setitem(sys.modules, "PIL", None)
    problem(http.get(f"/v1/sessions/{one['session']}/image"), 501, "no-images")
    problem(http.get("/v1/sessions/nobody/image"), 404, "unknown-session")
    response = httpx.get(f"{guarded}/v1/sessions/x/image", headers={"x-api-key": "reader"})
    problem(response, 403, "forbidden")


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
    response = http.post("/v1/score/group", json=group, headers=late).json()["results"]
    assert {one["error"] for one in response} == {"deadline-passed"}
    for path, body in wishes.items():
        response = http.post(path, json=body, headers={"x-deadline-ms": "soon"})
        problem(response, 422, "invalid-request")


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

    async def breaking(address, *arguments):
        if address.seed == 6:
            raise judging.JudgeError("it was too hard")
        return await opened(address, *arguments)

    monkeypatch.setattr(judge, "opened", breaking)
    wish = {"env": KNIGHTS.env, "seeds": {"start": 0, "count": 20}}
    with background_server(app) as url:
        lines = httpx.post(
            f"{url}/v1/tasks", json=wish, headers={"accept": "application/x-ndjson"}
        ).text.splitlines()
    *tasks, last = map(json.loads, lines)
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
    for junk in (b"\x00\x01\r\n\r\n", b"GET /livez HTTP/1.1\r\nhost x\r\n\r\n", b"GET\r\n\r\n"):
        with line_to(url) as line:
            line.sendall(junk)
            response = _heard(line)
        assert response.startswith(b"HTTP/1.1 400 "), response
        head, _, body = response.partition(b"\r\n\r\n")
        assert b"application/problem+json" in head
        assert json.loads(body)["status"] == 400


def test_too_many_connections_are_told_to_come_back(monkeypatch):
    monkeypatch.setitem(OPTIONS, "limit_concurrency", 1)
    with background_server() as url, line_to(url):
        problem(httpx.get(f"{url}/livez"), 503, "overloaded")


def test_every_response_has_the_name_of_its_request(url, http):
    responses = [
        http.get("/livez"), http.post("/livez"), http.get("/v1/environments"), http.get("/nowhere"),
        http.post("/v1/score", json={"address": str(KNIGHTS), "replies": RIGHT}),
        http.post("/v1/score", content=b"{"), http.get("/v1/score"), http.get("/play"),
        http.post("/v1/tasks", json={"env": "logic/knights_and_knaves"}),
    ]  # fmt: skip
    names = [one.headers["x-request-id"] for one in responses]
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
