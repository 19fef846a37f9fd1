"""Tokens and scopes in every protocol."""

from itertools import cycle

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.server.compat.examples import BASE, GUESSES, PUZZLE, RIGHT, written

from palaestra.server.app import build
from palaestra.server.compat.nemo_gym import row
from palaestra.server.service import Settings

TOKENS = ("scorer scopes=score", "player scopes=read,sessions", "idle scopes=programs")


@pytest.mark.parametrize(
    ("method", "path", "body", "scope"),
    [
        ("POST", "/compat/slime/all", {"response": "", "label": str(PUZZLE)}, "score"),
        ("POST", "/compat/openrlhf/all/get_reward", {"query": [], "labels": []}, "score"),
        ("POST", f"{BASE}/reset", {}, "sessions"),
        ("GET", f"{BASE}/state", None, "sessions"),
        ("POST", f"{BASE}/mcp", {}, "sessions"),
        ("GET", f"{BASE}/schema", None, "sessions"),
        ("POST", "/compat/agentgym/games.mastermind@1/create", {}, "sessions"),
        ("POST", "/create_session", {}, "sessions"),
        ("GET", "/games.mastermind@1/splits", None, "sessions"),
    ],
)
def test_scopes_are_demanded(method, path, body, scope):
    client = TestClient(build(Settings(TOKENS, protocol="ors")))
    good, bad = ("scorer", "player") if scope == "score" else ("player", "scorer")
    for token, status in ((good, 200), (bad, 403), ("idle", 403), ("none", 401)):
        response = client.request(method, path, json=body, headers={"x-api-key": token})
        assert response.status_code == status, token


def test_nemo_gym_demands_scopes():
    client = TestClient(build(Settings(TOKENS, protocol="nemo-gym")))
    for path, good, bad in (("seed_session", "player", "scorer"), ("verify", "scorer", "player")):
        body = row(PUZZLE) | written(RIGHT)
        for token, status in ((good, 200), (bad, 403)):
            response = client.post(f"/{path}", json=body, headers={"x-api-key": token})
            assert response.status_code == status


def test_places_are_found_by_their_owners_only():
    client = TestClient(build(Settings(("one name=one", "two name=two"))))
    mine, theirs = ({"x-api-key": token} for token in ("one", "two"))
    opened = client.post(f"{BASE}/reset", json={"seed": 3}, headers=mine).json()
    name = {"session_id": opened["metadata"]["session_id"]}
    client.cookies.clear()
    assert client.get(f"{BASE}/state", params=name, headers=mine).status_code == 200
    assert client.get(f"{BASE}/state", params=name, headers=theirs).status_code == 404
    for token, code in (("one", None), ("two", "SESSION_ERROR")):
        path = f"{BASE}/ws?session_id={name['session_id']}"
        with client.websocket_connect(path, headers={"x-api-key": token}) as ws:
            ws.send_json({"type": "state"})
            assert ws.receive_json()["data"].get("code") == code
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{BASE}/ws"):
        pass


def test_every_message_of_a_socket_counts():
    client = TestClient(build(Settings(("one per_minute=3",))))
    with client.websocket_connect(f"{BASE}/ws", headers={"x-api-key": "one"}) as ws:
        kinds = []
        for _ in range(4):
            ws.send_json({"type": "state"})
            kinds.append(ws.receive_json()["type"])
    assert kinds == ["state", "state", "error", "error"]


def test_sockets_are_not_opened_without_end(monkeypatch):
    monkeypatch.setattr("palaestra.server.compat.openenv.SOCKETS", 1)
    client = TestClient(build())
    with client.websocket_connect(f"{BASE}/ws") as first:
        with client.websocket_connect(f"{BASE}/ws") as second:
            assert second.receive_json()["data"]["code"] == "CAPACITY_REACHED"
        first.send_json({"type": "state"})
        assert first.receive_json()["type"] == "state"
    with client.websocket_connect(f"{BASE}/ws") as third:
        third.send_json({"type": "state"})
        assert third.receive_json()["type"] == "state"


def test_tokens_stand_in_urls_too():
    client = TestClient(build(Settings(("sesame",))))
    body = {"response": RIGHT, "label": str(PUZZLE)}
    for auth, status in ((("any", "sesame"), 200), (("sesame", ""), 401), (("", "no"), 401)):
        assert client.post("/compat/slime/all", json=body, auth=auth).status_code == status
    for header in ("Basic", "Basic ä", "Basic %%%"):
        headers = {"authorization": header.encode("latin-1")}
        assert client.post("/compat/slime/all", json=body, headers=headers).status_code == 401


def test_places_outlive_a_server(tmp_path):
    settings = Settings(store=f"sqlite:///{tmp_path / 'kept.sqlite'}")
    base = "/compat/agentgym/games.mastermind@1:level=1"
    with TestClient(build(settings)) as client:
        me = {"id": client.post(f"{base}/create").json()["id"]}
        client.post(f"{base}/reset", json=me | {"data_idx": 3})
        for guess in GUESSES[:-1]:
            client.post(f"{base}/step", json=me | {"action": guess})
    with TestClient(build(settings)) as client:
        response = client.post(f"{base}/step", json=me | {"action": GUESSES[-1]}).json()
    assert (response["reward"], response["done"]) == (1, True)


def test_two_servers_agree_on_a_place(tmp_path):
    """A reset at one of them is not missed by the other, which has the old episode in play."""
    settings = Settings(store=f"sqlite:///{tmp_path / 'kept.sqlite'}")
    base = "/compat/agentgym/games.mastermind@1:level=1"
    with TestClient(build(settings)) as one, TestClient(build(settings)) as two:
        me = {"id": one.post(f"{base}/create").json()["id"]}
        one.post(f"{base}/step", json=me | {"action": "111"})
        two.post(f"{base}/reset", json=me | {"data_idx": 3})
        for server, guess in zip(cycle((one, two)), GUESSES):
            response = server.post(f"{base}/step", json=me | {"action": guess}).json()
    assert (response["reward"], response["done"]) == (1, True)
