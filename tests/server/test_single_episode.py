"""The server of one episode: an agent plays it, and learns nothing of its address or reward."""

import asyncio
import json
import subprocess
import sys

import pytest

pytest.importorskip("mcp")
import httpx2 as httpx
import uvicorn
from tests.server.examples import DESK

import palaestra
from palaestra.address import Address
from palaestra.server import single_episode
from palaestra.server.launcher import background_server
from palaestra.server.single_episode import OVER, SingleEpisode, application

GAME = Address.of("games/mastermind", 12_345)


@pytest.fixture
def log(tmp_path):
    return tmp_path / "episode.json"


def replies(log):
    return json.loads(log.read_text())["replies"]


async def _played(url, work):
    from mcp import Client

    async with Client(f"{url}/mcp") as client:
        return await work(client)


def play(address, log, work):
    with background_server(application(address, log)) as url:
        return asyncio.run(_played(url, work))


def test_a_game_is_played_and_logged(log):
    moves = list(GAME.task().solve())

    async def work(client):
        assert replies(log) == []
        listed = await client.list_tools()
        results = [await client.call_tool("answer", {"text": move}) for move in moves]
        return [tool.name for tool in listed.tools], results

    names, results = play(GAME, log, work)
    assert names == ["answer"]
    assert results[-1].content[0].text == OVER
    assert replies(log) == moves
    assert palaestra.score(GAME, replies(log), "bare").value == 1


def test_a_tool_world_is_played_by_its_tools(log):
    calls = [json.loads(move) for move in DESK.task().solve() if move.startswith("{")]

    async def work(client):
        for one in calls:
            await client.call_tool(one["tool"], one["args"])
        await client.call_tool("answer", {"text": "done"})

    play(DESK, log, work)
    assert palaestra.score(DESK, replies(log), "bare").value == 1


@pytest.mark.parametrize("is_solved", [True, False])
def test_nothing_states_the_address_or_the_reward(is_solved, log):
    """Not even the end, which is the same for an episode that is solved and one that is not."""
    moves = list(GAME.task().solve()) if is_solved else ["12"] * 20

    async def work(client):
        seen = [repr(await client.list_tools()), client.instructions]
        for move in moves:
            result = await client.call_tool("answer", {"text": move})
            seen += [repr(result), repr(result.meta)]
            if result.content[0].text == OVER:
                break
        else:
            raise AssertionError("it does not end")
        return seen

    for text in play(GAME, log, work):
        for word in ("12345", "seed", GAME.env, "reward", "standing", "score"):
            assert word not in text


def test_no_step_is_taken_after_the_end_or_back(log):
    moves = list(GAME.task().solve())

    async def work(client):
        for move in moves:
            await client.call_tool("answer", {"text": move})
        return await client.call_tool("answer", {"text": moves[0]})

    result = play(GAME, log, work)
    assert result.is_error
    assert "over" in result.content[0].text
    assert replies(log) == moves
    with background_server(application(GAME, log)) as url:
        for path in ("/", "/v1/sessions", "/v1/score", "/mcp/rewind", "/docs", "/openapi.json"):
            assert httpx.get(url + path).status_code == 404
            assert httpx.post(url + path, json={}).status_code == 404
        assert httpx.get(f"{url}/mcp").status_code == 405
        assert httpx.post(f"{url}/mcp", content=b"x" * (6 << 20)).status_code == 413


def test_calls_at_the_same_time_are_steps_one_after_the_other(log):
    episode = SingleEpisode(GAME, log)

    async def work():
        await asyncio.gather(*(episode.play("answer", {"text": f"{n}{n}"}) for n in range(1, 5)))

    asyncio.run(work())
    assert sorted(replies(log)) == ["11", "22", "33", "44"]


def test_a_step_that_fails_is_not_taken(log, monkeypatch):
    episode = SingleEpisode(GAME, log)
    real = type(episode.episode).step

    def step(self, reply):
        real(self, reply)
        if reply == "22":
            raise MemoryError("of the judge")
        return 0.0

    monkeypatch.setattr(type(episode.episode), "step", step)
    asyncio.run(episode.play("answer", {"text": "11"}))
    with pytest.raises(MemoryError) as fault:
        asyncio.run(episode.play("answer", {"text": "22"}))
    assert "judge" not in single_episode._detail(fault.value)
    monkeypatch.undo()
    asyncio.run(episode.play("answer", {"text": "33"}))
    assert replies(log) == ["11", "33"]


def test_an_episode_has_a_maximum_length(log, monkeypatch):
    monkeypatch.setattr(single_episode, "TRANSCRIPT", 6)
    episode = SingleEpisode(GAME, log)
    asyncio.run(episode.play("answer", {"text": "1234"}))
    with pytest.raises(single_episode.EpisodeFull, match="characters"):
        asyncio.run(episode.play("answer", {"text": "1234"}))


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "No such file"), ("{", "task.json"), ('{"address": "no/such?seed=1"}', "no/such")],
)
def test_a_file_without_a_task(text, message, tmp_path, log, monkeypatch):
    monkeypatch.setattr(uvicorn, "run", lambda *_, **__: pytest.fail("it starts"))
    if text is not None:
        (tmp_path / "task.json").write_text(text)
    with pytest.raises(SystemExit, match=message):
        single_episode.main([str(tmp_path / "task.json"), "--log", str(log)])


def test_the_module_is_a_command():
    command = [sys.executable, "-m", "palaestra.server.single_episode", "--help"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "--log" in ran.stdout
