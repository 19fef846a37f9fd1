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
from palaestra.cli import main
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


SUITE = """
- environments: games/mastermind
  levels: [0, 1]
  tasks: 2
- environments: tools/meeting_desk
  levels: 0
  tasks: 1
"""
SELECTION = "games/mastermind?level=1&seeds=2:5"


@pytest.fixture
def suite(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(SUITE)
    return str(file)


def serving(*served):
    return TestClient(build(Settings(protocol="ors", served=served)))


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
        assert response == {"task": {"address": str(address)}, "env_name": env}
    response = ors.post(f"/{env}/task_range", json={"split": "train", "start": -2}).json()
    tasks = [{"address": str(Address.of(MASTERMIND, 2**31 - n))} for n in (2, 1)]
    assert response == {"tasks": tasks, "env_name": env}
    response = ors.post(f"/{env}/task_range", json={"split": "train", "start": 3, "stop": 3}).json()
    assert response == {"tasks": [], "env_name": env}


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
    credit = [result["metadata"]["earned"] for result in results]
    assert credit == earned(GAME, GUESSES)[1]
    assert [result["reward"] for result in results] == [0.0] * (len(GUESSES) - 1) + [1.0]
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
    assert [*rewards, result["reward"]] == [0.0] * len(rewards) + [1.0]


def test_credit_on_the_way_is_no_reward_of_its_own(ors):
    """So that the sum of the rewards and the last one are the score, whichever a client takes."""
    address = Address.of("games/minesweeper", 3, 1)
    moves = ["", *address.task().solve()]
    value, credit = earned(address, moves)
    assert any(0 < each < 1 for each in credit[:-1])
    session = Ors(ors, "hub", task_spec={"address": str(address)})
    results = [session.call("answer", text=move)["output"] for move in moves]
    assert [result["metadata"]["earned"] for result in results] == credit
    assert [result["reward"] for result in results] == [0.0] * (len(moves) - 1) + [value]


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
        ({"env_name": "mastermind", "split": "train", "index": 0}, 404),
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


# ------------------------------------------------------------------ paths without a name


class Bare(Ors):
    """A session of a client that names no environment in its paths."""

    def __init__(self, http, **wish):
        super().__init__(http, "", **{"env_name": None, **wish})

    def get(self, what):
        return self.http.get(f"/{what}", headers=self.headers).json()

    def raw(self, tool, **more):
        return self.http.post("/call", json={"name": tool, **more}, headers=self.headers)


def names_of(response):
    return [tool["name"] for tool in response["tools"]]


@pytest.mark.parametrize("name", ["games.mastermind@1:level=1", "games/mastermind:level=1"])
def test_paths_without_a_name_mean_the_first_environment_named(name):
    client = serving(name, "tools/meeting_desk")
    assert {"name": "train", "type": "train"} in client.get("/splits").json()
    assert names_of(client.get("/tools").json()) == ["answer"]
    assert client.post("/num_tasks", json={"split": "train"}).json() == {"num_tasks": 2**31}
    task = client.post("/task", json={"split": "train", "index": 3}).json()
    assert task == {"task": {"address": str(GAME)}, "env_name": name.replace("/", ".")}
    session = Bare(client, split="train", index=3)
    assert session.created.status_code == 200
    assert session.get("prompt")[0]["text"] == Episode(GAME.task(), "bare").observation
    assert names_of(session.get("task_tools")) == ["answer"]
    results = [session.call("answer", text=guess)["output"] for guess in GUESSES]
    assert results[-1]["reward"] == 1


def test_paths_without_a_name_mean_the_hub_where_no_environment_comes_first(suite):
    client = serving(suite, SELECTION, "games/mastermind")
    names = [split["name"] for split in client.get("/splits").json()]
    assert names == ["mine", SELECTION, "train", "test"]
    types = {split["name"]: split["type"] for split in client.get("/hub/splits").json()}
    assert (types["mine"], types[SELECTION]) == ("test", "train")
    assert names_of(client.get("/tools").json()) == ["answer"]
    listed = client.post("/tasks", json={"split": "mine"}).json()
    addresses = [Address.parse(task["address"]) for task in listed["tasks"]]
    assert listed["env_name"] == "hub"
    assert client.post("/num_tasks", json={"split": "mine"}).json() == {"num_tasks": 5}
    assert {address.env for address in addresses} == {MASTERMIND, "tools/meeting_desk"}
    assert all(address.split == "eval" for address in addresses)
    for index, address in enumerate(addresses):
        session = Bare(client, split="mine", index=index)
        moves = [*address.task().solve()]
        has_tools = "agenda" in names_of(session.get("task_tools"))
        assert has_tools == (address.env == "tools/meeting_desk")
        output = {}
        for move in moves:
            if move.startswith("{"):
                call = json.loads(move)
                output = session.call(call["tool"], **call["args"])["output"]
            else:
                output = session.call("answer", text=move)["output"]
        assert (output["finished"], output["reward"]) == (True, 1.0)


def test_any_selection_is_a_split_of_the_hub(ors):
    assert ors.post("/num_tasks", json={"split": SELECTION}).json() == {"num_tasks": 3}
    expected = [{"address": str(Address.of(MASTERMIND, seed, 1))} for seed in (2, 3, 4)]
    assert ors.post("/tasks", json={"split": SELECTION}).json()["tasks"] == expected
    task = ors.post("/task", json={"split": SELECTION, "index": -1}).json()
    assert task == {"task": expected[-1], "env_name": "hub"}
    refused = ors.post("/task", json={"split": SELECTION, "index": 3})
    assert "there are 3" in refused.json()["detail"]
    for split, words in (
        ("dev", "selections such as"),
        ("games/mastermnd?seeds=0:3", "did you mean games/mastermind"),
        ("games/mastermind?seeds=3:3", "seeds are FROM:TO"),
        ("games/mastermind?levl=3&seeds=3:4", "levl"),
    ):
        refused = ors.post("/num_tasks", json={"split": split})
        assert 400 <= refused.status_code < 500
        assert words in refused.json()["detail"]


def test_a_selection_is_a_split_of_its_own_environment_too(ors):
    env = "games.mastermind@1"
    assert ors.post(f"/{env}/num_tasks", json={"split": SELECTION}).json() == {"num_tasks": 3}
    refused = ors.post("/tools.meeting_desk/num_tasks", json={"split": SELECTION})
    assert "of games/mastermind, not of tools/meeting_desk" in refused.json()["detail"]


def test_the_hub_goes_through_all_environments(ors):
    names = list(catalog())
    for index, seed in ((0, 0), (1, 0), (len(names) - 1, 0), (len(names) + 1, 1)):
        task = ors.post("/task", json={"split": "test", "index": index}).json()["task"]
        assert task == {"address": str(Address.of(names[index % len(names)], seed, 0, "eval"))}


def test_the_header_of_the_client_names_an_environment(ors):
    for header in ("games.mastermind@1:level=1", "games/mastermind@1:level=1"):
        headers = {"x-deployment": header}
        task = ors.post("/task", json={"split": "train", "index": 3}, headers=headers).json()
        assert task["task"] == {"address": str(GAME)}
    for header in ("env", ""):  # as TRL has it where no name was given
        assert len(ors.get("/splits", headers={"x-deployment": header}).json()) == 2
    game = serving("games/mastermind")
    for header in ("hub", "env", "tools.meeting_desk@2"):
        splits = game.get("/splits", headers={"x-deployment": header}).json()
        assert (len(splits) == 2) == (header == "hub")
    for header in ("games.mastermnd", "games/../v1/environments", "v1/score"):
        refused = ors.get("/tools", headers={"x-deployment": header})
        assert refused.status_code == 404
        assert "no environment is called" in refused.json()["detail"]


@pytest.mark.parametrize("env", ["hub", "env", None, "tools.meeting_desk@2"])
def test_the_address_of_a_task_decides_its_environment(ors, env):
    session = Bare(ors, task_spec={"address": str(WORLD)}, env_name=env)
    assert session.created.status_code == 200
    assert "agenda" in names_of(session.get("task_tools"))
    for name in ("hub", "tools.meeting_desk@2"):
        response = ors.get(f"/{name}/prompt", headers=session.headers)
        assert response.json() == session.get("prompt")


@pytest.mark.parametrize(
    ("served", "words"),
    [
        (["games/mastermnd"], "did you mean games/mastermind"),
        (["games/mastermind:level=99"], "level"),
        (["games/mastermind?seed=1"], "seeds=FROM:TO"),
        (["nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_a_service_does_not_start_with_tasks_that_there_are_not(served, words, capsys):
    with pytest.raises(SystemExit) as raised:
        main(["serve", "--protocol", "ors", *served])
    assert raised.value.code == 2
    assert words in capsys.readouterr().err


def test_only_clients_of_the_standard_are_served_tasks_without_a_name(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "games/mastermind"])
    assert "--protocol ors only" in capsys.readouterr().err
