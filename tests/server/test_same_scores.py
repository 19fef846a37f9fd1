"""One player, who calls functions, plays worlds through every door: an evaluation of an endpoint,
the environment class for TRL's tool loop, and a client of the Model Context Protocol.
"""

import asyncio
import json
from types import SimpleNamespace

import pytest
import yaml
from tests.trainers.evaluation.endpoints import command

from palaestra import Address, Episode
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.trainers import trl
from palaestra.trainers.evaluation import Suite
from palaestra.trainers.evaluation.attempts import attempts_in
from palaestra.trainers.evaluation.oracle import Oracle, serving
from palaestra.trainers.evaluation.oracle import build as endpoint
from palaestra.verifiers.calls.reading import read_calls

WORLDS = ("tools/bank_desk", "tools/smart_home", "tools/conflicting_sources")
LEVEL = 1

HABITS = (
    lambda calls: calls,
    lambda calls: calls[:-1],
    lambda calls: calls[: len(calls) // 2],
    lambda calls: [],
    lambda calls: [*calls[:2], *calls],
)
"""What the player does with a perfect one's calls: all, not the last, half, none, two twice."""


@pytest.fixture(scope="module")
def suite_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("suite") / "worlds.yaml"
    cells = [{"env": world, "levels": LEVEL, "tasks": len(HABITS)} for world in WORLDS]
    file.write_text(yaml.safe_dump(cells))
    return file


@pytest.fixture(scope="module")
def scripts(suite_file):
    """The calls of the player at each address."""
    calls_at = {}
    for cell in Suite.load(suite_file).cells:
        for habit, address in zip(HABITS, cell.addresses(), strict=True):
            moves = [move for move in address.task().solve() if move != "done"]
            calls_at[address] = habit([call for move in moves for call in read_calls(move)])
    return calls_at


@pytest.fixture(scope="module")
def by_evaluation(suite_file, scripts, tmp_path_factory):
    """The scores that `palaestra eval` measures at an endpoint which answers with calls."""
    player = Oracle(Suite.load(suite_file))
    for address, calls in scripts.items():
        moves = [json.dumps({"tool": c.name, "args": dict(c.arguments)}) for c in calls]
        opening = Episode(address.task()).observation
        script = SimpleNamespace(solve=lambda moves=moves: [*moves, "done"])
        player.known[opening] = player.known[opening]._replace(task=script)
    out = tmp_path_factory.mktemp("out")
    with serving(endpoint(player)) as url:
        argv = ["eval", "--base-url", url, "--model", "m", "--suite", str(suite_file)]
        assert command(*argv, "--out", str(out)) == 0
    attempts = list(attempts_in(out))
    assert all(attempt.native_tools for attempt in attempts)
    return {Address.parse(each.address): (each.score, dict(each.parts)) for each in attempts}


def test_an_evaluation_and_a_client_of_the_protocol_score_alike(by_evaluation, scripts):
    pytest.importorskip("mcp")
    with background_server(build()) as url:
        by_protocol = asyncio.run(_all_by_protocol(url, scripts))
    assert by_protocol == by_evaluation
    assert {value for value, _ in by_protocol.values()} == {0, 1}


def test_an_evaluation_and_the_environment_class_for_trl_score_alike(by_evaluation, scripts):
    scores = {}
    for address, calls in scripts.items():
        played = trl.environment(address.env)()
        played.reset(address=str(address))
        for call in calls:
            getattr(played, call.name)(**call.arguments)
        scores[address] = played.get_reward()
    assert scores == {address: value for address, (value, _) in by_evaluation.items()}


async def _all_by_protocol(url, scripts):
    return {address: await _by_protocol(url, address, calls) for address, calls in scripts.items()}


async def _by_protocol(url, address, calls):
    import httpx2 as httpx
    from mcp import Client

    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        opened = await http.post("/v1/sessions", json={"address": str(address)})
        (session,) = opened.json()["sessions"]
        async with Client(f"{url}/v1/sessions/{session['session']}/mcp") as client:
            await client.list_tools()
            for call in calls:
                await client.call_tool(call.name, dict(call.arguments))
            ended = await client.call_tool("answer", {"text": "done"})
        score = ended.meta["palaestra/standing"]["score"]
        return score["value"], score["parts"]
