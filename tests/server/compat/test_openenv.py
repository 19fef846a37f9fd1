"""OpenEnv over a real port."""

import json

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from tests.server.compat.examples import BASE, CALLS, GAME, GUESSES, MASTERMIND, PUZZLE, earned, rpc
from websockets.sync.client import connect

from palaestra.catalog import catalog
from palaestra.server.app import build


def test_openenv_over_http_goes_on_where_it_was(http):
    first = http.post(f"{BASE}/reset", json={"seed": 3, "episode_id": "mine"}).json()
    assert first["reward"] is None
    assert first["observation"]["address"] == str(GAME)
    assert not first["done"]
    assert first["metadata"]["episode_id"] == "mine"
    results = [
        http.post(f"{BASE}/step", json={"action": {"reply": guess}}).json() for guess in GUESSES
    ]
    value, rewards = earned(GAME, GUESSES)
    assert [result["reward"] for result in results] == rewards
    assert [result["done"] for result in results] == [False] * (len(GUESSES) - 1) + [True]
    assert results[-1]["observation"]["score"]["value"] == value == 1
    assert http.get(f"{BASE}/state").json() == {
        "episode_id": "mine", "step_count": len(GUESSES), "address": str(GAME), "done": True,
        "session_id": first["metadata"]["session_id"],
    }  # fmt: skip
    again = http.post(f"{BASE}/step", json={"action": {"reply": "111"}})
    assert (again.status_code, again.json()["title"]) == (409, "step conflict")
    second = http.post(f"{BASE}/reset", json={"seed": 4}).json()
    assert second["metadata"]["session_id"] == first["metadata"]["session_id"]
    assert second["metadata"]["session"] != first["metadata"]["session"]
    assert http.get(f"{BASE}/state").json()["step_count"] == 0
    assert http.get(f"/v1/sessions/{first['metadata']['session']}").status_code == 404
    assert http.get(f"/v1/sessions/{second['metadata']['session']}").status_code == 200


def test_openenv_without_cookies_goes_by_the_session(http, url):
    opened = http.post(f"{BASE}/reset", json={"address": str(GAME)}).json()
    session = {"session_id": opened["metadata"]["session_id"]}
    action = {"action": {"reply": "111"}}
    assert httpx.post(f"{url}{BASE}/step", json=action | session).json()["observation"]["step"] == 1
    assert httpx.get(f"{url}{BASE}/state", params=session).json()["step_count"] == 1
    assert httpx.post(f"{url}{BASE}/step", json=action).status_code == 422  # who is it?
    other = "/openenv/games.mastermind@1"
    assert httpx.post(f"{url}{other}/step", json=action | session).status_code == 404
    unknown = {"session_id": "nobody"}
    assert httpx.post(f"{url}{BASE}/reset", json=unknown).status_code == 404
    assert httpx.get(f"{url}{BASE}/state").json() == {
        "episode_id": None, "step_count": 0, "session_id": None, "address": None, "done": False
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("reset", {"seed": -1}),
        ("reset", {"seed": 2**32}),
        ("reset", {"seed": 1, "address": str(GAME)}),
        ("reset", {"address": str(PUZZLE)}),
        ("step", {}),
        ("step", {"action": {}}),
        ("step", {"action": {"reply": "1", "tool_name": "answer"}}),
        ("step", {"action": {"more": 1}}),
        ("step", {"action": {"tool_name": "answer"}}),
        ("step", {"action": {"tool_name": "nothing", "arguments": {}}}),
    ],
)
def test_openenv_says_what_is_wrong(http, path, body):
    http.post(f"{BASE}/reset", json={"seed": 3})
    response = http.post(f"{BASE}/{path}", json=body)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert http.get(f"{BASE}/state").json()["step_count"] == 0


def test_openenv_tells_what_it_is(http):
    assert http.get(f"{BASE}/health").json() == {"status": "healthy"}
    about = http.get(f"{BASE}/metadata").json()
    assert (about["name"], about["version"]) == (MASTERMIND, "1")
    assert about["description"] == catalog()[MASTERMIND]["summary"]
    schemas = http.get(f"{BASE}/schema").json()
    assert {"action", "observation", "state", "reset_observation"} == {*schemas}
    paths = http.get(f"{BASE}/openapi.json").json()["paths"]
    assert {"/reset", "/step", "/state", "/health", "/metadata", "/schema", "/mcp"} == {*paths}
    assert http.get("/openenv/games.nothing/health").status_code == 404
    drawn = [http.post(f"{BASE}/reset").json()["observation"]["address"] for _ in range(3)]
    assert len({*drawn}) == 3  # no seed is any seed


def socket(url, name):
    return connect(f"{url.replace('http', 'ws', 1)}/openenv/{name}/ws")


def ask(ws, **message):
    ws.send(json.dumps(message))
    return json.loads(ws.recv(30))


def test_openenv_over_its_socket(url):
    with socket(url, "games.mastermind@1:level=1:answer_format=bare") as ws:
        assert ask(ws, type="state")["data"]["episode_id"] is None
        assert ask(ws, type="step", data={"reply": "111"})["data"]["code"] == "EXECUTION_ERROR"
        frame = ask(ws, type="reset", data={"seed": 3, "episode_id": "e", "render": True})
        assert (frame["type"], frame["data"]["observation"]["address"]) == (
            "observation",
            str(GAME),
        )
        rewards = []
        for number, guess in enumerate(GUESSES, 1):
            frame = ask(ws, type="step", data={"reply": guess})
            rewards.append(frame["data"]["reward"])
            state = ask(ws, type="state")["data"]
            assert (state["episode_id"], state["step_count"]) == ("e", number)
        assert (rewards, frame["data"]["done"]) == (earned(GAME, GUESSES)[1], True)
        place = state["session_id"]
        frame = ask(ws, type="step", data={"reply": "111"})
        assert (frame["type"], frame["data"]["code"]) == ("error", "EXECUTION_ERROR")
        assert ask(ws, type="reset", data={})["data"]["done"] is False
        ws.send(json.dumps({"type": "close"}))
        with pytest.raises(Exception, match="1000"):
            ws.recv(30)
    frame = httpx.get(f"{url}{BASE}/state", params={"session_id": place})
    assert frame.status_code == 404  # nobody else is to find it


def test_openenvs_socket_says_what_is_wrong(url):
    with socket(url, "games.mastermind@1") as ws:
        for sent, code in (
            ("{", "INVALID_JSON"),
            ("[" * 100_000, "INVALID_JSON"),
            ("[]", "VALIDATION_ERROR"),
            ('{"type": "reset", "data": {"seed": "x"}}', "VALIDATION_ERROR"),
            ('{"type": "reset", "data": null}', "VALIDATION_ERROR"),
            ('{"type": "step"}', "EXECUTION_ERROR"),
            ('{"type": "step", "data": {"value": 1}}', "VALIDATION_ERROR"),
            ('{"type": "dance"}', "UNKNOWN_TYPE"),
            ('{"type": {}}', "UNKNOWN_TYPE"),
            (b"\xff", "INVALID_JSON"),
        ):
            ws.send(sent)
            frame = json.loads(ws.recv(30))
            assert (frame["type"], frame["data"]["code"]) == ("error", code), sent
        assert ask(ws, type="reset", data={"seed": 1})["type"] == "observation"
    for name in ("games.nothing", "games.mastermind@1:level=77"):
        with socket(url, name) as ws:
            assert json.loads(ws.recv(30))["data"]["code"] == "SESSION_ERROR"


@pytest.mark.usefixtures("broken")
def test_openenv_gives_no_reward_for_a_fault_of_ours():
    client = TestClient(build(), raise_server_exceptions=False)
    client.post(f"{BASE}/reset", json={"seed": 3})
    assert client.post(f"{BASE}/step", json={"action": {"reply": "111"}}).status_code == 500
    with client.websocket_connect(f"{BASE}/ws") as ws:
        ws.send_json({"type": "reset", "data": {"seed": 3}})
        assert ws.receive_json()["type"] == "observation"
        ws.send_json({"type": "step", "data": {"reply": "111"}})
        frame = ws.receive_json()
    assert frame == {
        "type": "error", "data": {"message": "the sandbox is gone", "code": "EXECUTION_ERROR"}
    }  # fmt: skip


def test_openenvs_tools_by_json_rpc(http, url):
    base = "/openenv/tools.meeting_desk@2"
    listed = rpc(http, base, "tools/list")["result"]["tools"]
    assert {"find_customer", "book"} & {tool["name"] for tool in listed}
    assert all(tool["inputSchema"]["type"] == "object" for tool in listed)
    place = rpc(http, base, "openenv/session/create")["result"]["session_id"]
    assert rpc(http, base, "tools/call", name="agenda", session_id=place)["error"]["code"] == -32602
    with connect(f"{url.replace('http', 'ws', 1)}{base}/ws?session_id={place}") as ws:
        assert ask(ws, type="reset", data={"seed": 1})["type"] == "observation"
        for move in CALLS[:-1]:
            wish = json.loads(move)
            response = rpc(
                http, base, "tools/call", session_id=place, name=wish["tool"],
                arguments=wish["args"],
            )  # fmt: skip
            assert response["result"]["data"]
        response = ask(
            ws, type="step",
            data={"type": "call_tool", "tool_name": "answer", "arguments": {"text": "done"}},
        )  # fmt: skip
        assert response["data"]["done"]
        assert response["data"]["observation"]["tool_name"] == "answer"
        assert ask(ws, type="state")["data"]["step_count"] == len(CALLS)
        nested = {"jsonrpc": "2.0", "id": "a", "method": "tools/list", "params": {}}
        assert ask(ws, type="mcp", data=nested)["data"]["result"]["tools"] == listed
        other = rpc(http, base, "openenv/session/create")["result"]["session_id"]
        close = {"method": "openenv/session/close", "params": {"session_id": other}}
        assert ask(ws, type="mcp", data=nested | close)["data"]["result"]["closed"]
        assert ask(ws, type="state")["data"]["session_id"] == place  # which is another one
        response = ask(ws, type="step", data={"type": "list_tools"})
        assert response["data"]["observation"]["tools"] == listed
    assert response["data"]["done"] is False
    assert rpc(http, base, "openenv/session/close", session_id=place)["result"]["closed"]
    assert rpc(http, base, "openenv/session/close", session_id=place)["error"]["code"] == -32602
    assert rpc(http, base, "dance")["error"]["code"] == -32601
    assert http.post(f"{base}/mcp", content="{").json()["error"]["code"] == -32700
    assert http.post(f"{base}/mcp", json={}).json()["error"]["code"] == -32600
