"""The reward service and its client, over a real port."""

import asyncio
import json
import os

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import palaestra
from palaestra import Address, JudgeError, Score, scoring
from palaestra.catalog import slug
from palaestra.client import AsyncClient, Client, ServiceError
from palaestra.episode import TAGS
from palaestra.server.app import build
from palaestra.server.launcher import background_server, is_loopback, read_tokens
from palaestra.server.service import Settings

KNIGHTS = "logic/knights_and_knaves"
ADDRESS = Address.of(KNIGHTS, seed=5, level=2)
RIGHT = TAGS.write(ADDRESS.task().answer())


@pytest.fixture(scope="module")
def url():
    with background_server() as where:
        yield where


@pytest.fixture
def client(url):
    with Client(url, patience_s=5) as made:
        yield made


@pytest.fixture
def http(url):
    with httpx.Client(base_url=url) as made:
        yield made


# ------------------------------------------------------------------ the same in process and over it


def test_scores_are_the_same_as_in_process(client):
    items = [(ADDRESS, RIGHT), (str(ADDRESS), ["no"]), ("games/mastermind", ["<answer>1</answer>"])]
    for item in items:
        assert client.score(*item) == scoring.score(*item)
    assert client.score_many(items) == scoring.score_many(items)


def test_tasks_are_the_same_as_in_process(client):
    for env in (KNIGHTS, "tools/meeting_desk"):
        assert client.tasks(env, [3, 1], 2, "eval", "boxed") == scoring.tasks(
            env, [3, 1], 2, "eval", "boxed"
        )
    assert "people=6" in client.tasks(KNIGHTS, people=6)[0].address


def test_groups_are_the_same_as_in_process(client):
    wish = (ADDRESS, [RIGHT, "no", [RIGHT]], "tags", ["pass@2", "leave_one_out"])
    assert client.score_group(*wish) == scoring.score_group(*wish)


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("logic/knights", palaestra.UnknownEnvironment),
        (f"{KNIGHTS}@9", palaestra.StaleVersion),
        (f"{KNIGHTS}?people=99", palaestra.KnobError),
        (f"{KNIGHTS}?seed=x", palaestra.BadAddress),
    ],
)
def test_errors_are_the_same_as_in_process(client, address, error):
    with pytest.raises(error) as there:
        client.score(address, RIGHT)
    with pytest.raises(error) as here:
        palaestra.score(address, RIGHT)
    assert str(there.value) == str(here.value)
    with pytest.raises(palaestra.EpisodeOver):
        client.score(ADDRESS, [RIGHT, RIGHT])


def test_a_failing_item_does_not_fail_the_batch(client, http):
    results = client.score_many([(ADDRESS, RIGHT), ("nothing/here", RIGHT)])
    assert results[0] == Score(1)
    assert isinstance(results[1], JudgeError)
    items = [{"address": "nothing/here", "replies": "x"}, {"address": str(ADDRESS), "replies": ""}]
    first, second = http.post("/v1/score/batch", json={"items": items}).json()["results"]
    assert (first["value"], first["error"]) == (None, "unknown-environment")
    assert (second["value"], second["error"]) == (0, None)


def test_multi_turn_episodes_by_their_replies(client):
    address = Address.of("games/mastermind", seed=3)
    moves = [TAGS.write(move) for move in address.task().solve()]
    scores = [client.score(address, moves[:n]).value for n in range(len(moves) + 1)]
    assert scores == [0] * len(moves) + [1]


def test_batches_are_cut_to_what_the_service_takes(client):
    assert len(client.score_many([(ADDRESS, RIGHT)] * 1_030)) == 1_030


def test_the_asynchronous_client(url):
    async def run():
        async with AsyncClient(url) as client:
            cards = await client.environments(category="logic")
            drawn = await client.tasks(KNIGHTS, range(2))
            one = await client.score(ADDRESS, RIGHT)
            many = await client.score_many([(ADDRESS, RIGHT), (ADDRESS, "no")])
            group = await client.score_group(ADDRESS, [RIGHT])
            with pytest.raises(palaestra.UnknownEnvironment):
                await client.score("nothing/here", "")
            return cards, drawn, one, many, group

    cards, drawn, one, many, group = asyncio.run(run())
    assert {card["category"] for card in cards} == {"logic"}
    assert drawn == scoring.tasks(KNIGHTS, range(2))
    assert one == many[0] == group.scores[0] == Score(1)
    assert many[1].value == 0


# ----------------------------------------------------------------------------------- what it serves


def test_the_catalog_is_paged_and_searched(client, http):
    assert [card["name"] for card in client.environments()] == list(palaestra.names())
    assert client.environments(category="logic") == palaestra.environments(category="logic")
    page = http.get("/v1/environments", params={"limit": 2}).json()
    assert [card["name"] for card in page["environments"]] == list(palaestra.names()[:2])
    following = http.get("/v1/environments", params={"limit": 2, "cursor": page["next"]}).json()
    assert following["environments"][0]["name"] == palaestra.names()[2]
    assert {card["kind"] for card in client.environments(kind="match")} == {"match"}
    assert KNIGHTS in {card["name"] for card in client.environments(q="KNAVES")}
    assert all("deduction" in card["tags"] for card in client.environments(tag="deduction"))


def test_the_catalog_has_a_tag(http):
    first = http.get("/v1/environments")
    again = http.get("/v1/environments", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_card(http):
    card = http.get(f"/v1/environments/{slug('games/mastermind', 1)}").json()
    assert card["knobs_schema"]["properties"]["length"]["type"] == "integer"
    assert Address.parse(card["example"])
    assert http.get("/v1/environments/tools.meeting_desk").json()["tools"]
    assert http.get("/v1/environments/tools.nothing").status_code == 404
    assert http.get("/v1/environments/games.mastermind@77").status_code == 409


def test_tasks_as_a_stream(http):
    wish = {"env": KNIGHTS, "seeds": {"start": 4, "count": 3}}
    lines = http.post("/v1/tasks", json=wish, headers={"accept": "application/x-ndjson"}).text
    addresses = [json.loads(line)["address"] for line in lines.splitlines()]
    assert addresses == [str(Address.of(KNIGHTS, seed)) for seed in (4, 5, 6)]


def test_a_score_tells_what_was_read_and_how_long_it_took(http):
    body = {"address": f"{KNIGHTS}?level=2&seed=5", "replies": RIGHT}
    result = http.post("/v1/score", json=body).json()
    assert result["value"] == 1
    assert result["correct"] is True
    assert result["address"] == str(ADDRESS)
    assert result["extracted"] == ADDRESS.task().answer()
    assert result["micros"] > 0
    assert result["fingerprint"]


def test_service_document_and_liveness(http):
    assert http.get("/livez").json() == {"status": "ok"}
    assert http.get("/").json() == http.get("/v1").json()
    paths = http.get("/openapi.json").json()["paths"]
    assert {"/v1/environments", "/v1/tasks", "/v1/score", "/v1/score/batch", "/livez"} <= set(paths)


def test_problems_are_documented(http):
    for path, methods in http.get("/openapi.json").json()["paths"].items():
        for method in methods.values() if path.startswith("/v1/") else ():
            assert list(method["responses"]["422"]["content"]) == ["application/problem+json"]


def test_no_answer_goes_over_the_wire(http):
    wish = {"env": "games/mastermind", "level": 3, "seeds": [1]}
    (task,) = http.post("/v1/tasks", json=wish).json()["tasks"]
    assert task.keys() == {"address", "messages", "tools"}
    assert Address.parse(task["address"]).task().code not in json.dumps(task)


# -------------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("path", "body", "status", "pointer"),
    [
        ("/v1/score", {"address": 3, "replies": "x"}, 422, "/address"),
        ("/v1/score", {"replies": "x"}, 422, "/address"),
        ("/v1/score", {"address": "x", "replies": "x", "more": 1}, 422, "/more"),
        ("/v1/score", {"address": "x", "replies": ["x"] * 501}, 422, None),
        ("/v1/score", {"address": "x" * 2_001, "replies": "x"}, 422, "/address"),
        (
            "/v1/score",
            {"address": "x", "replies": "x", "answer_format": "loud"},
            422,
            "/answer_format",
        ),
        ("/v1/score/batch", {"items": [{"address": "x"}]}, 422, "/items/0/replies"),
        ("/v1/score/batch", {"items": [{"address": "x", "replies": ""}] * 1_025}, 422, "/items"),
        ("/v1/tasks", {"env": KNIGHTS, "level": -1}, 422, "/level"),
        ("/v1/tasks", {"env": KNIGHTS, "level": 99}, 422, None),
        ("/v1/tasks", {"env": KNIGHTS, "knobs": {"people": [1]}}, 422, None),
        ("/v1/tasks", {"env": KNIGHTS, "seeds": []}, 422, None),
        ("/v1/tasks", {"env": "logic/nights"}, 404, None),
        ("/v1/score/group", {"address": str(ADDRESS), "responses": []}, 422, "/responses"),
        (
            "/v1/score/group",
            {"address": str(ADDRESS), "responses": ["x"], "transforms": ["y"]},
            422,
            None,
        ),
    ],
)
def test_problems_say_what_and_where(http, path, body, status, pointer):
    response = http.post(path, json=body, headers={"x-request-id": "mine"})
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["detail"]
    assert problem["request_id"] == response.headers["x-request-id"] == "mine"
    assert problem["retryable"] is False
    if pointer:
        assert pointer in {error["pointer"] for error in problem["errors"]}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"address": NaN}',
        b"\xff\xfe",
        b'"\\ud800"',
        b"nul",
        b"1" * 10_000,
    ],
)
def test_what_is_no_json_is_a_problem(http, body):
    response = http.post("/v1/score", content=body, headers={"content-type": "application/json"})
    assert response.status_code in {400, 422}
    assert response.headers["content-type"] == "application/problem+json"


def test_bodies_have_a_limit(http):
    response = http.post("/v1/score", content=b"x" * ((32 << 20) + 1))
    assert response.status_code == 413

    def pieces():
        for _ in range(33):
            yield b"x" * (1 << 20)

    assert http.post("/v1/score", content=pieces()).status_code == 413


def test_unknown_paths_and_methods_are_problems(http):
    assert http.get("/nothing").json()["status"] == 404
    refused = http.get("/v1/score")
    assert refused.json()["status"] == 405
    assert refused.headers["allow"] == "POST"


def test_faults_of_ours_are_problems_without_their_inside(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("palaestra.server.judging.judged_at", fail)
    client = TestClient(build(), raise_server_exceptions=False)
    body = {"address": str(ADDRESS), "replies": "x"}
    response = client.post("/v1/score", json=body)
    assert response.status_code == 500
    assert "secret" not in response.text
    (result,) = client.post("/v1/score/batch", json={"items": [body]}).json()["results"]
    assert result["value"] is None
    assert result["status"] == "infra_error"
    assert "secret" not in result["reason"]


@pytest.mark.slow
def test_heavy_environments_are_judged_by_worker_processes(expensive):
    address = Address.of(expensive, seed=4)
    body = {"address": str(address), "replies": address.task().answer(), "answer_format": "bare"}
    result = TestClient(build()).post("/v1/score", json=body).json()
    assert result["value"] == 1
    assert result["reason"] != f"judged by {os.getpid()}"


# ------------------------------------------------------------------------------------ who may ask


def test_tokens(tmp_path):
    file = tmp_path / "tokens"
    file.write_text("# keys\n\nsesame\nother\n")
    tokens = read_tokens(file)
    assert tokens == ("sesame", "other")
    client = TestClient(build(Settings(tokens)))
    assert client.get("/livez").status_code == 200
    assert client.get("/v1").status_code == 401
    assert client.get("/v1", headers={"authorization": "Bearer no"}).status_code == 401
    assert client.get("/v1", headers={"authorization": "Bearer sesame"}).status_code == 200
    refused = client.get("/v1", headers={"x-api-key": "öther".encode()})
    assert refused.headers["www-authenticate"] == "Bearer"
    assert client.get("/v1", headers={"x-api-key": "other"}).status_code == 200
    file.write_text("# none\n")
    with pytest.raises(ValueError, match="no token"):
        read_tokens(file)


def test_the_client_shows_its_token():
    with background_server(build(frozenset({"sesame"}))) as url:
        with Client(url, token="sesame") as client:
            assert client.score(ADDRESS, RIGHT) == Score(1)
        with Client(url) as client, pytest.raises(ServiceError, match="401"):
            client.score(ADDRESS, RIGHT)


HERE = "http://127.0.0.1:8000"


@pytest.fixture
def neighbours():
    return TestClient(build(Settings(neighbours=True)), base_url=HERE)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:9"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"origin": HERE}, 200),
        ({"host": "play.example.org"}, 403),
        ({"host": "localhost.example.org:8000"}, 403),
        ({"host": "127.0.0.1.example.org", "origin": "http://127.0.0.1.example.org"}, 403),
        ({"host": "[::1"}, 403),
        ({"host": "user@example.org"}, 403),
        ({"origin": "http://example.org"}, 403),
        ({"origin": "http://127.0.0.1:9000"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_without_tokens_no_page_of_elsewhere_is_heard(neighbours, headers, status):
    item = {"address": str(ADDRESS), "replies": "x"}
    for response in (
        neighbours.get("/livez", headers=headers),
        neighbours.post("/v1/score", json=item, headers=headers),
        neighbours.get("/play", headers=headers),
    ):
        assert response.status_code == status
        assert status == 200 or "this machine alone" in response.json()["detail"]


def test_nor_over_a_socket(neighbours):
    with neighbours.websocket_connect("/v1/ws", headers={"host": "localhost:8000"}):
        pass
    page = {"host": "example.org", "origin": "http://example.org"}
    with pytest.raises(WebSocketDisconnect), neighbours.websocket_connect("/v1/ws", headers=page):
        pass


def test_what_is_loopback():
    assert [is_loopback(h) for h in ("127.0.0.1", "::1", "localhost")] == [True] * 3
    assert [is_loopback(h) for h in ("0.0.0.0", "example.org", "")] == [False] * 3


def test_the_client_gives_up_in_the_end():
    client = Client("http://127.0.0.1:9", patience_s=0.3)
    with pytest.raises(ServiceError, match="gave up after"):
        client.score(ADDRESS, RIGHT)
    with pytest.raises(TypeError, match="by its address"):
        client.score(ADDRESS.task(), RIGHT)


def test_the_client_waits_for_a_busy_service():
    answers = iter([429, 503, 200])

    def handler(request):
        status = next(answers)
        body = {"value": 1, "reason": "", "parts": {}, "status": "scored"}
        return httpx.Response(status, json=body, headers={"retry-after": "0"})

    client = Client("http://service", patience_s=5)
    client._http = httpx.Client(transport=httpx.MockTransport(handler), base_url="http://service")
    assert client.score(ADDRESS, RIGHT) == Score(1)


def test_the_client_reads_what_is_no_problem_document():
    transport = httpx.MockTransport(lambda request: httpx.Response(502, text="<h1>Bad gateway"))
    client = Client("http://service")
    client._http = httpx.Client(transport=transport, base_url="http://service")
    with pytest.raises(ServiceError, match="502: <h1>Bad gateway") as caught:
        client.score(ADDRESS, RIGHT)
    assert caught.value.status == 502


def test_an_unscored_reply_is_raised_by_the_client():
    body = {"value": None, "reason": "gone", "parts": {}, "status": "infra_error"}
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=body))
    client = Client("http://service")
    client._http = httpx.Client(transport=transport, base_url="http://service")
    with pytest.raises(JudgeError, match="gone"):
        client.score(ADDRESS, RIGHT)
