"""The Open Reward Standard over a real port."""

import asyncio
import json

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from tests.server.compat.examples import (
    CALLS,
    GAME,
    GUESSES,
    MASTERMIND,
    PUZZLE,
    WORLD,
    Ors,
    earned,
    events,
)

from palaestra import Address, JudgeError
from palaestra.catalog import catalog
from palaestra.episode import Episode
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings
from palaestra.server.sessions import Sessions
from palaestra.toolbox import call


@pytest.fixture(scope="module")
def ors_url():
    with background_server(build(Settings(protocol="ors"))) as where:
        yield where


@pytest.fixture
def ors(ors_url):
    with httpx.Client(base_url=ors_url) as made:
        yield made


def test_ors_tasks_are_asked_for_by_number(ors):
    names = ors.get("/list_environments").json()
    assert "games.mastermind@1" in names
    assert len(names) == len(catalog())
    env = "games.mastermind@1"
    splits = {one["name"]: one["type"] for one in ors.get(f"/{env}/splits").json()}
    assert {"train": "train", "test": "test", "train-2": "train", "test-0": "test"}.items() <= (
        splits.items()
    )
    assert ors.post(f"/{env}/num_tasks", json={"split": "train"}).json() == {"num_tasks": 2**31}
    for split, index, address in (
        ("train", 5, Address.of(MASTERMIND, 5)),
        ("train-2", 5, Address.of(MASTERMIND, 5, 2)),
        ("test-1", 0, Address.of(MASTERMIND, 0, 1, "eval")),
        ("test", -1, Address.of(MASTERMIND, 2**31 - 1, 0, "eval")),
    ):
        response = ors.post(f"/{env}/task", json={"split": split, "index": index}).json()
        assert response == {"task": {"address": str(address)}}
    response = ors.post(f"/{env}/task_range", json={"split": "train", "start": -2}).json()["tasks"]
    assert response == [{"address": str(Address.of(MASTERMIND, 2**31 - n))} for n in (2, 1)]
    response = ors.post(f"/{env}/task_range", json={"split": "train", "start": 3, "stop": 3}).json()
    assert response == {"tasks": []}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("games.mastermind@1/task_range", {"split": "train"}, 422),
        ("games.mastermind@1/tasks", {"split": "train"}, 422),
        ("games.mastermind@1/task", {"split": "dev", "index": 0}, 422),
        ("games.mastermind@1/task", {"split": "train-x", "index": 0}, 422),
        ("games.mastermind@1/task", {"split": "train-77", "index": 0}, 422),
        ("games.mastermind@1/task", {"split": "train", "index": 2**31}, 422),
        ("games.mastermind@1/num_tasks", {"split": "dev"}, 422),
        ("games.nothing/num_tasks", {"split": "train"}, 404),
        ("games.mastermind@1/call", {"name": "answer", "input": {"text": "1"}}, 422),
        ("ping", None, 422),
    ],
)
def test_ors_refuses(ors, path, body, status):
    assert ors.post(f"/{path}", json=body).status_code == status


def test_ors_plays_by_tools(ors):
    env = "games.mastermind@1"
    session = Ors(ors, env, split="train-1", index=3)
    assert session.created.json() == {"sid": session.headers["x-session-id"]}
    (block,) = session.get("prompt")
    assert block["type"] == "text"
    assert "guess" in block["text"]
    assert session.get("task_tools") == ors.get(f"/{env}/tools").json()
    results = [session.call("answer", text=guess)["output"] for guess in GUESSES]
    assert [result["reward"] for result in results] == earned(GAME, GUESSES)[1]
    assert [result["finished"] for result in results] == [False] * (len(GUESSES) - 1) + [True]
    assert results[-1]["metadata"]["score"] == 1
    assert session.get("prompt") == [block]
    result = session.call("answer", text="111")
    assert (result["ok"], result["error"]) == (False, "the episode is over")
    assert ors.post("/ping", headers=session.headers).json() == {"status": "ok"}
    for _ in range(2):
        assert ors.post("/delete", headers=session.headers).status_code == 200
    assert ors.post("/delete_session", headers=session.headers).status_code == 200
    assert ors.post("/ping", headers=session.headers).status_code == 404


def test_ors_plays_worlds_by_their_own_tools(ors):
    session = Ors(ors, "tools.meeting_desk@2", task_spec={"address": str(WORLD)})
    names = [tool["name"] for tool in session.get("task_tools")["tools"]]
    assert {"agenda", "book", "answer"} <= {*names}
    rewards = []
    for move in CALLS[:-1]:
        wish = json.loads(move)
        rewards.append(session.call(wish["tool"], **wish["args"])["output"]["reward"])
    result = session.call("answer", text="done")["output"]
    assert result["finished"]
    assert sum(rewards) + result["reward"] == pytest.approx(1)


def test_what_is_no_call_is_no_move(ors):
    session = Ors(ors, "games.mastermind@1", task_spec={"address": str(GAME)})
    for tool, arguments in (("dance", {}), ("answer", {}), ("answer", {"text": 3})):
        result = session.call(tool, **arguments)
        assert result["ok"] is False
    assert session.call("answer", text="111")["output"]["metadata"]["step"] == 1


def test_a_call_that_was_cut_off_is_asked_for_again(ors):
    session = Ors(ors, "games.mastermind@1", task_spec={"address": str(GAME)})
    first = events(session.raw("answer", input={"text": "111"}))
    task = first[0][1]
    assert events(session.raw("answer", input={"text": "111"}, task_id=task)) == first
    stream = events(session.raw("answer", input={"text": "222"}, task_id=task))
    assert json.loads(stream[-1][1])["ok"] is False
    assert session.call("answer", text="111")["output"]["metadata"]["step"] == 2


def test_long_answers_come_in_pieces(ors, monkeypatch):
    monkeypatch.setattr("palaestra.server.compat.ors._cut.__defaults__", (40,))
    session = Ors(ors, "tools.meeting_desk@2", task_spec={"address": str(WORLD)})
    whole = session.get("prompt")[0]["text"]
    assert "  " in whole or " " in whole
    output = session.call("agenda", person="Ada")["output"]
    expected = Episode(WORLD.task(), "bare", [call("agenda", person="Ada")]).observation
    assert output["blocks"][0]["text"] == expected
    assert len(events(session.raw("agenda", input={"person": "Ada"}))) > 3


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"env_name": None, "split": "train", "index": 0}, 422),
        ({"split": "train"}, 422),
        ({"split": "train", "index": -1}, 422),
        ({"task_spec": {}}, 422),
        ({"task_spec": {"address": str(PUZZLE)}}, 422),
        ({"task_spec": {"address": "games/mastermind?seed=x"}}, 422),
    ],
)
def test_ors_sessions_are_of_tasks(ors, wish, status):
    session = Ors(ors, "games.mastermind@1", **wish)
    assert session.created.status_code == status
    assert ors.post("/ping", headers=session.headers).status_code == 404


def test_ors_names_are_used_once(ors):
    session = Ors(ors, "games.mastermind@1", task_spec={"address": str(GAME)})
    again = ors.post("/create", headers=session.headers, json={"task_spec": {"address": str(GAME)}})
    assert again.status_code == 409
    assert ors.get("/tools.small_shop@4/prompt", headers=session.headers).status_code == 422
    elsewhere = {"x-session-id": "../../x"}
    assert ors.post("/ping", headers=elsewhere).status_code == 422


@pytest.mark.usefixtures("broken")
def test_ors_gives_no_reward_for_a_fault_of_ours():
    client = TestClient(build(Settings(protocol="ors")), raise_server_exceptions=False)
    session = Ors(client, "games.mastermind@1", task_spec={"address": str(GAME)})
    assert session.raw("answer", input={"text": "111"}).status_code == 500


def test_ors_tells_of_a_late_fault_in_its_stream(monkeypatch):
    app, beats, beaten = build(Settings(protocol="ors")), [], asyncio.Event()

    async def slow(*_, **__):
        await asyncio.wait_for(beaten.wait(), 300)
        raise JudgeError("the sandbox is gone")

    async def noted(scope, receive, send):
        async def passed(message):
            await send(message)
            beats.extend([message] * message.get("body", b"").count(b": still at it"))
            if len(beats) >= 2:
                beaten.set()

        await app(scope, receive, passed)

    client = TestClient(noted, raise_server_exceptions=False)
    session = Ors(client, "games.mastermind@1", task_spec={"address": str(GAME)})
    monkeypatch.setattr(Sessions, "step", slow)
    monkeypatch.setattr("palaestra.server.compat.ors.GRACE_S", 0.01)
    monkeypatch.setattr("palaestra.server.compat.ors.BEAT_S", 0.02)
    response = session.raw("answer", input={"text": "111"})
    assert events(response) == [("task_id", "0"), ("error", "the sandbox is gone")]
    assert response.text.count(": still at it") >= 2  # lest the client takes us for dead
