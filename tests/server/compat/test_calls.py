"""Texts that are no calls of tools, in every protocol."""

import pytest
from fastapi.testclient import TestClient
from tests.server.compat.examples import Ors, rpc

from palaestra import Address
from palaestra.server.app import build
from palaestra.server.compat.nemo_gym import row
from palaestra.server.service import Settings

NO_CALLS = [
    ("games.mastermind@1", "dance", {}, "no tool 'dance'"),
    ("games.mastermind@1", "answer", {}, "needs 'text'"),
    ("games.mastermind@1", "answer", {"text": 111}, "'text'"),
    ("games.mastermind@1", "answer", {"text": "111", "x": 1}, "not 'x'"),
    ("tools.meeting_desk@2", "agenda", {}, "needs 'person'"),
    ("tools.meeting_desk@2", "agenda", {"person": "Ada", "x": 1}, "not 'x'"),
]


def asked_by_openenv(http, env, tool, arguments):
    base = f"/openenv/{env}"
    place = http.post(f"{base}/reset", json={"seed": 1}).json()["metadata"]["session_id"]
    action = {"type": "call_tool", "tool_name": tool, "arguments": arguments}
    response = http.post(f"{base}/step", json={"action": action, "session_id": place})
    assert response.status_code == 422
    steps = http.get(f"{base}/state", params={"session_id": place}).json()["step_count"]
    return response.json()["detail"], steps


def asked_by_json_rpc(http, env, tool, arguments):
    base = f"/openenv/{env}"
    place = http.post(f"{base}/reset", json={"seed": 1}).json()["metadata"]["session_id"]
    response = rpc(http, base, "tools/call", name=tool, arguments=arguments, session_id=place)
    steps = http.get(f"{base}/state", params={"session_id": place}).json()["step_count"]
    assert response["error"]["code"] == -32602
    return response["error"]["message"], steps


def asked_by_ors(_, env, tool, arguments):
    client = TestClient(build(Settings(protocol="ors")))
    session = Ors(client, env, split="train", index=3)
    result = session.call(tool, **arguments)
    assert result["ok"] is False
    right = session.call("answer", text="1")["output"]
    return result["error"], right["metadata"]["step"] - 1


def asked_by_nemo_gym(_, env, tool, arguments):
    client = TestClient(build(Settings(protocol="nemo-gym")))
    client.post("/seed_session", json=row(Address.of(env.partition("@")[0].replace(".", "/"), 3)))
    result = client.post(f"/{tool}", json=arguments).json()
    assert result["done"] is False
    (live,) = client.app.state.service.sessions.active.values()
    return result["observation"], len(live.replies)


@pytest.mark.parametrize(
    "asked", [asked_by_openenv, asked_by_json_rpc, asked_by_ors, asked_by_nemo_gym]
)
@pytest.mark.parametrize("no_call", NO_CALLS)
def test_a_call_that_no_tool_can_take_is_no_move_in_any_protocol(http, asked, no_call):
    env, tool, arguments, why = no_call
    message, steps = asked(http, env, tool, arguments)
    assert why in message
    assert steps == 0
