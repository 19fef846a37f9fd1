"""The Model Context Protocol: worlds as tools."""

import asyncio
import json

import httpx2 as httpx
import pytest
from tests.server.examples import DESK, problem

from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.toolbox import call


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
        results = [await client.call_tool(one["tool"], one["args"]) for one in calls]
        results.append(await client.call_tool("answer", {"text": "done"}))
        return client.instructions, [tool.name for tool in listed.tools], results

    brief, names, outcomes = asyncio.run(_by_protocol(url, desk["session"], play, mode))
    assert brief == desk["messages"][0]["content"]
    assert names == [tool["function"]["name"] for tool in desk["tools"]] + ["answer"]
    assert not any(one.is_error for one in outcomes)
    assert [one.meta["palaestra/standing"]["step"] for one in outcomes] == [
        *range(1, len(outcomes) + 1)
    ]
    score = outcomes[-1].meta["palaestra/standing"]["score"]
    assert (score["value"], score["correct"]) == (1, True)
    seen = http.get(f"/v1/sessions/{desk['session']}").json()
    assert seen["score"]["value"] == 1
    assert seen["step"] == len(outcomes)


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
        result = asyncio.run(_by_protocol(url, one["session"], play))
    assert result.is_error
    assert "the service failed" in result.content[0].text
    assert "secret" not in str(result)


@pytest.mark.parametrize("answer_format", ["tags", "boxed", "bare"])
def test_a_call_comes_through_every_style_as_it_is(answer_format):
    from palaestra.episode import ANSWER_FORMATS
    from palaestra.server.mcp_routes import move
    from palaestra.server.structs import SessionState

    tool = {"type": "function", "function": {"name": "write", "parameters": {"type": "object"}}}
    stands = SessionState("s", "a", 0, False, 0, "", 0.0, 0.0, tools=[tool])
    arguments = {"text": '</answer> } \\boxed{ <answer> </think> " \u2028 \\', "n": [1, {"a": "}"}]}
    read = ANSWER_FORMATS[answer_format].read(move(stands, "write", arguments, answer_format))
    assert (
        json.loads(read)
        == {"tool": "write", "args": arguments}
        == json.loads(call("write", **arguments))
    )


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
