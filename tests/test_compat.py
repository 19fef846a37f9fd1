"""Others' protocols over a real port: their contracts through httpx, and their real clients.

The real clients need packages that are no dependency of ours. Each is looked for in the interpreter
that ``PALAESTRA_CLIENTS`` names, then in this one, and else put into an environment of its own.
"""

import asyncio
import json
import os
import subprocess
import sys
from itertools import cycle
from textwrap import dedent

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect

import palaestra
from palaestra import Address, JudgeError
from palaestra.catalog import catalog
from palaestra.cli import main
from palaestra.episode import TAGS, Episode
from palaestra.server import compat, mcp_routes
from palaestra.server.app import SETTINGS_VARIABLE, build, from_environment, settings_in_environment
from palaestra.server.compat.names import parse_environment
from palaestra.server.compat.nemo_gym import row
from palaestra.server.launcher import background_server
from palaestra.server.problems import InvalidRequest
from palaestra.server.service import Settings
from palaestra.server.sessions import Sessions
from palaestra.toolbox import call
from palaestra.trainers.queries import PromptNotFound, reply_in

KNIGHTS, MASTERMIND, DESK = "logic/knights_and_knaves", "games/mastermind", "tools/meeting_desk"
PUZZLE = Address.of(KNIGHTS, seed=5, level=2)
RIGHT = TAGS.write(PUZZLE.task().answer())
GAME = Address.of(MASTERMIND, seed=3, level=1)
GUESSES = ["111", "112", *GAME.task().solve()]
WORLD = Address.of(DESK, seed=1)
CALLS = [*WORLD.task().solve()]


@pytest.fixture(scope="module")
def url():
    with background_server() as where:
        yield where


@pytest.fixture(scope="module")
def ors_url():
    with background_server(build(Settings(protocol="ors"))) as where:
        yield where


@pytest.fixture(scope="module")
def nemo_url():
    with background_server(build(Settings(protocol="nemo-gym"))) as where:
        yield where


@pytest.fixture
def http(url):
    with httpx.Client(base_url=url) as made:
        yield made


@pytest.fixture
def ors(ors_url):
    with httpx.Client(base_url=ors_url) as made:
        yield made


@pytest.fixture
def nemo(nemo_url):
    with httpx.Client(base_url=nemo_url) as made:
        yield made


@pytest.fixture
def broken(monkeypatch):
    """Has every judge fail, as for want of a sandbox; nothing of it may become a reward."""

    def fail(*_, **__):
        raise JudgeError("the sandbox is gone")

    def verdict(*_):
        told = dict.fromkeys(("value", "correct", "extracted"))
        return told | {
            "status": "infra_error", "reason": "gone", "parts": {}, "micros": 1, "error": "unscored"
        }  # fmt: skip

    monkeypatch.setattr("palaestra.server.judging.judged_at", verdict)
    monkeypatch.setattr(Episode, "step", fail)


def earned(address, moves):
    """What an episode gives in process: the score, and the reward of each reply."""
    episode = Episode(address.task(), "bare", moves)
    return episode.result().value, episode.rewards


# ------------------------------------------------------------------ what a URL names


def test_names_say_all_that_can_be_chosen():
    chosen = parse_environment(
        "games.mastermind@1:level=2:split=eval:answer_format=boxed:guesses=9"
    )
    assert chosen.address(7) == Address.of(MASTERMIND, 7, 2, "eval", guesses=9)
    assert (chosen.answer_format, chosen.slug) == ("boxed", "games.mastermind@1")
    assert parse_environment("games.mastermind").address(0) == Address.of(MASTERMIND)
    assert parse_environment("games.mastermind", "bare").answer_format == "bare"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("games.masterminds", palaestra.UnknownEnvironment),
        ("", palaestra.UnknownEnvironment),
        ("games.mastermind@9", palaestra.StaleVersion),
        ("games.mastermind:level=99", palaestra.KnobError),
        ("games.mastermind:guesses=none", palaestra.KnobError),
        ("games.mastermind:gusses=9", palaestra.KnobError),
        ("games.mastermind:level=x", InvalidRequest),
        ("games.mastermind:split=test", InvalidRequest),
        ("games.mastermind:answer_format=loud", InvalidRequest),
        ("games.mastermind:level", InvalidRequest),
        ("games.mastermind:level=1:level=1", InvalidRequest),
    ],
)
def test_names_that_name_nothing(text, error):
    with pytest.raises(error):
        parse_environment(text)


def test_protocols_are_told_of(http, nemo):
    assert {*compat.EVERYWHERE} <= {*http.get("/v1").json()["protocols"]}
    assert "nemo-gym" in nemo.get("/v1").json()["protocols"]
    with pytest.raises(ValueError, match="ors or nemo-gym"):
        build(Settings(protocol="gopher"))


def test_documented_routes_refuse_in_problem_documents(http):
    paths = http.get("/openapi.json").json()["paths"]
    found = {path: told for path, told in paths.items() if path.startswith(("/compat", "/openenv"))}
    assert len(found) >= 14
    for methods in found.values():
        for method in methods.values():
            assert [*method["responses"]["404"]["content"]] == ["application/problem+json"]
    assert len({m["operationId"] for told in paths.values() for m in told.values()}) == sum(
        map(len, paths.values())
    )


@pytest.mark.parametrize("protocol", ["ors", "nemo-gym"])
def test_routes_at_the_root_leave_ours_alone(protocol):
    client = TestClient(build(Settings(protocol=protocol)))
    assert client.post("/v1/score", json={"address": str(PUZZLE), "replies": RIGHT}).json()["value"]
    assert client.get("/livez").json() == {"status": "ok"}
    assert client.get("/v1/environments", params={"limit": 1}).json()["environments"]


def test_a_protocol_is_chosen_on_the_command_line(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "palaestra.server.launcher.serve", lambda *told, **_: seen.append(told[2].protocol)
    )
    for options in ([], ["--protocol", "ors"], ["--protocol", "nemo-gym"]):
        with pytest.raises(SystemExit) as end:
            main(["serve", "--store", "sqlite://", *options])
        assert not end.value.code
    assert seen == ["", "ors", "nemo-gym"]
    with settings_in_environment(Settings(protocol="ors")):
        assert "/create_session" in from_environment().openapi()["paths"]
        assert SETTINGS_VARIABLE not in os.environ


# ------------------------------------------------------------------ trainers that want a number


def openrlhf(prompt, reply, label):
    return {"query": [prompt + reply], "prompts": [prompt], "labels": [label]}


def test_openrlhf_reads_numbers(http):
    path = "/compat/openrlhf/logic.knights_and_knaves@1/get_reward"
    told = http.post(path, json=openrlhf("Say <answer>x</answer>.", RIGHT, str(PUZZLE))).json()
    assert told == {
        "rewards": [1], "scores": [1], "extra_logs": {"correct": [1], "answered": [1]}
    }  # fmt: skip
    told = http.post(path, json=openrlhf("Say <answer>x</answer>.", "hm", str(PUZZLE))).json()
    assert told["rewards"] == [0]
    assert told["extra_logs"] == {"correct": [0], "answered": [0]}
    assert http.post(path, json={"query": [], "prompts": [], "labels": []}).json()["rewards"] == []


def test_openrlhf_scores_many_of_any_environment(http):
    other = Address.of("arithmetic/game_of_24", seed=1)
    body = {
        "query": [f"P{RIGHT}<|im_end|>", f"Q{TAGS.write(other.task().answer())}", "Qno"],
        "prompts": ["P", "Q", "Q"],
        "labels": [str(PUZZLE), str(other), str(other)],
    }
    assert http.post("/compat/openrlhf/all/get_reward", json=body).json()["rewards"] == [1, 1, 0]


def test_recipes_shape_what_trainers_are_paid_over_http(http):
    recipe = {"recipe": "Gated(Format(['answer'], True), Truth(wrong=-1), -2)"}
    body = {
        "query": ["P" + RIGHT, "P<answer>no</answer>", "Phm"],
        "prompts": ["P"] * 3,
        "labels": [str(PUZZLE)] * 3,
    }
    path = "/compat/openrlhf/all/get_reward"
    told = http.post(path, json=body, params=recipe).json()
    assert told["rewards"] == told["scores"] == [1, -1, -2]
    assert told["extra_logs"]["correct"] == [1, 0, 0]
    plus = {"recipe": "Truth(partial=0) + 0.5 * Confidence()"}
    assert http.post(path, json=body, params=plus).json()["rewards"] == [0.5, -0.5, -0.5]
    slime = {"response": RIGHT, "label": str(PUZZLE)}
    assert http.post("/compat/slime/all", json=slime, params=recipe).text == "1.0"
    for refused in ("Truth() + Confidence()", "Truths()", "Truth(partial=0) + LaserStep()"):
        answer = http.post(path, json=body, params={"recipe": refused})
        assert answer.status_code == 422
        assert "recipe" in answer.json()["type"]


def test_slime_reads_a_bare_number(http):
    body = {"prompt": [{"role": "user", "content": "?"}], "response": RIGHT, "label": str(PUZZLE)}
    answer = http.post("/compat/slime/logic.knights_and_knaves@1", json=body)
    assert answer.headers["content-type"] == "application/json"
    assert (answer.text, answer.json()) == ("1.0", 1)
    boxed = body | {"response": f"\\boxed{{{PUZZLE.task().answer()}}}</s>"}
    assert http.post("/compat/slime/all:answer_format=boxed", json=boxed).text == "1.0"
    assert http.post("/compat/slime/all", json=boxed).text == "0.0"


@pytest.mark.parametrize(
    ("gold", "reply", "name", "reward"),
    [
        ("42", r"It is \boxed{42}.", "all", 1),
        ("42", "Answer: 42</s>", "all", 1),
        ("42", "It is 42.", "all", 0),
        ("x/y", r"\boxed{\frac{x}{y}}", "all", 1),
        ("1/2", "<answer>0.5</answer>", "all:answer_format=tags", 1),
        ("1/2", "<answer>0.5</answer>", "all:answer_format=boxed", 0),
        (r"Half of 84 is \boxed{42}.", "42", "all:answer_format=bare", 1),
    ],
)
def test_labels_may_be_plain_gold_answers(http, gold, reply, name, reward):
    """Beside addresses in the same batch."""
    body = {"response": reply, "label": gold}
    assert http.post(f"/compat/slime/{name}", json=body).json() == reward
    shaped = http.post(f"/compat/slime/{name}?recipe=Truth(wrong=-1)", json=body).json()
    assert shaped == (1 if reward else -1)
    batch = {
        "query": [f"6 * 7? {reply}<|im_end|>", f"P{RIGHT}"],
        "prompts": ["6 * 7? ", "P"],
        "labels": [gold, str(PUZZLE)],
    }
    told = http.post(f"/compat/openrlhf/{name}/get_reward", json=batch).json()
    assert told["rewards"][0] == told["extra_logs"]["correct"][0] == reward
    if name in {"all", "all:answer_format=tags"}:
        assert told["rewards"][1] == 1


@pytest.mark.parametrize(
    ("name", "label", "status"),
    [
        ("all", "logic/nothing", 404),
        ("all", "nothing?seed=1", 404),
        ("all", " ", 422),
        ("all", "?", 422),
        ("all:answer_format=bare", r"\frac{1}{0}", 422),
        ("logic.knights_and_knaves@1", "42", 404),
        ("all", f"{KNIGHTS}?people=99", 422),
        ("arithmetic.game_of_24@1", str(PUZZLE), 422),
        ("all", str(GAME), 422),
        ("logic.nothing", str(PUZZLE), 404),
        ("logic.knights_and_knaves@7", str(PUZZLE), 409),
        ("all:answer_format=loud", str(PUZZLE), 422),
        ("all:level=1", str(PUZZLE), 422),
    ],
)
def test_labels_that_cannot_be_scored_are_no_zeros(http, name, label, status):
    body = {"response": RIGHT, "label": label}
    told = http.post(f"/compat/slime/{name}", json=body)
    assert told.status_code == status
    assert told.headers["content-type"] == "application/problem+json"
    told = http.post(f"/compat/openrlhf/{name}/get_reward", json=openrlhf("", RIGHT, label))
    assert told.status_code == status


def test_queries_and_labels_go_together(http):
    path = "/compat/openrlhf/all/get_reward"
    assert http.post(path, json={"query": ["x"], "prompts": [], "labels": []}).status_code == 422
    bad = {"query": ["x"], "prompts": ["", ""], "labels": [str(PUZZLE)]}
    assert http.post(path, json=bad).status_code == 422
    assert http.post(path, json={"query": ["x"], "labels": [None]}).status_code == 422
    assert http.post(path, json=openrlhf("asked", RIGHT, str(PUZZLE)) | {"prompts": ["other"]})
    lost = {"query": [RIGHT], "prompts": ["What is it?"], "labels": [str(PUZZLE)]}
    assert http.post(path, json=lost).status_code == 422


RULE = "Solve this riddle , please . Put what you find between <answer> and </answer> ."


@pytest.mark.parametrize(
    ("query", "prompt"),
    [
        (RULE + "it is 4", RULE),
        (RULE.replace(" .", ".").replace(" ,", ",") + "it is 4", RULE),  # blanks were tidied up
        ("<s> " + RULE + "it is 4", "<s>" + RULE),
        (RULE[20:] + "it is 4", RULE),  # a long prompt lost its start
        (RULE[20:].replace(" ", "\n") + "it is 4<|endoftext|><|endoftext|>", RULE),
        ("ab" * 60 + "it is 4", "ab" * 80),
        ("x" * 300_000 + " it is 4", "y " + "x" * 400_000),
        ("it is 4", ""),
    ],
)
def test_the_reply_is_what_follows_the_prompt(query, prompt):
    assert reply_in(query, prompt).strip() == "it is 4"


def test_a_reply_that_cannot_be_told_from_its_prompt_is_refused():
    for query in ("it is 4", RULE[-30:] + "it is 4", "x" + RULE):
        with pytest.raises(PromptNotFound, match="begin with its prompt"):
            reply_in(query, RULE)


@pytest.mark.usefixtures("broken")
def test_what_could_not_be_scored_is_an_error_and_no_number():
    client = TestClient(build(), raise_server_exceptions=False)
    body = {"response": RIGHT, "label": str(PUZZLE)}
    assert client.post("/compat/slime/all", json=body).status_code == 500
    for labels in ([str(PUZZLE)], [str(PUZZLE)] * 3):
        body = {"query": [RIGHT] * len(labels), "labels": labels}
        told = client.post("/compat/openrlhf/all/get_reward", json=body)
        assert told.status_code == 500
        assert "gone" in told.json()["detail"]
    nemo = TestClient(build(Settings(protocol="nemo-gym")), raise_server_exceptions=False)
    assert nemo.post("/verify", json=row(PUZZLE) | written(RIGHT)).status_code == 500


# ------------------------------------------------------------------ OpenEnv


BASE = "/openenv/games.mastermind@1:level=1:answer_format=bare"


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
    assert [told["reward"] for told in results] == rewards
    assert [told["done"] for told in results] == [False] * (len(GUESSES) - 1) + [True]
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
    told = {"session_id": opened["metadata"]["session_id"]}
    action = {"action": {"reply": "111"}}
    assert httpx.post(f"{url}{BASE}/step", json=action | told).json()["observation"]["step"] == 1
    assert httpx.get(f"{url}{BASE}/state", params=told).json()["step_count"] == 1
    assert httpx.post(f"{url}{BASE}/step", json=action).status_code == 422  # who is it?
    other = "/openenv/games.mastermind@1"
    assert httpx.post(f"{url}{other}/step", json=action | told).status_code == 404
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
    told = http.post(f"{BASE}/{path}", json=body)
    assert told.status_code == 422
    assert told.headers["content-type"] == "application/problem+json"
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
        told = ask(ws, type="reset", data={"seed": 3, "episode_id": "e", "render": True})
        assert (told["type"], told["data"]["observation"]["address"]) == ("observation", str(GAME))
        rewards = []
        for number, guess in enumerate(GUESSES, 1):
            told = ask(ws, type="step", data={"reply": guess})
            rewards.append(told["data"]["reward"])
            state = ask(ws, type="state")["data"]
            assert (state["episode_id"], state["step_count"]) == ("e", number)
        assert (rewards, told["data"]["done"]) == (earned(GAME, GUESSES)[1], True)
        place = state["session_id"]
        told = ask(ws, type="step", data={"reply": "111"})
        assert (told["type"], told["data"]["code"]) == ("error", "EXECUTION_ERROR")
        assert ask(ws, type="reset", data={})["data"]["done"] is False
        ws.send(json.dumps({"type": "close"}))
        with pytest.raises(Exception, match="1000"):
            ws.recv(30)
    told = httpx.get(f"{url}{BASE}/state", params={"session_id": place})
    assert told.status_code == 404  # nobody else is to find it


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
            told = json.loads(ws.recv(30))
            assert (told["type"], told["data"]["code"]) == ("error", code), sent
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
        told = ws.receive_json()
    assert told == {
        "type": "error", "data": {"message": "the sandbox is gone", "code": "EXECUTION_ERROR"}
    }  # fmt: skip


def rpc(client, base, method, **params):
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    return client.post(f"{base}/mcp", json=body).json()


def test_openenvs_tools_by_json_rpc(http, url):
    base = "/openenv/tools.meeting_desk@1"
    listed = rpc(http, base, "tools/list")["result"]["tools"]
    assert {"find_customer", "book"} & {tool["name"] for tool in listed}
    assert all(tool["inputSchema"]["type"] == "object" for tool in listed)
    place = rpc(http, base, "openenv/session/create")["result"]["session_id"]
    assert rpc(http, base, "tools/call", name="agenda", session_id=place)["error"]["code"] == -32602
    with connect(f"{url.replace('http', 'ws', 1)}{base}/ws?session_id={place}") as ws:
        assert ask(ws, type="reset", data={"seed": 1})["type"] == "observation"
        for move in CALLS[:-1]:
            wish = json.loads(move)
            told = rpc(
                http, base, "tools/call", session_id=place, name=wish["tool"],
                arguments=wish["args"],
            )  # fmt: skip
            assert told["result"]["data"]
        told = ask(
            ws, type="step",
            data={"type": "call_tool", "tool_name": "answer", "arguments": {"text": "done"}},
        )  # fmt: skip
        assert told["data"]["done"]
        assert told["data"]["observation"]["tool_name"] == "answer"
        assert ask(ws, type="state")["data"]["step_count"] == len(CALLS)
        nested = {"jsonrpc": "2.0", "id": "a", "method": "tools/list", "params": {}}
        assert ask(ws, type="mcp", data=nested)["data"]["result"]["tools"] == listed
        other = rpc(http, base, "openenv/session/create")["result"]["session_id"]
        close = {"method": "openenv/session/close", "params": {"session_id": other}}
        assert ask(ws, type="mcp", data=nested | close)["data"]["result"]["closed"]
        assert ask(ws, type="state")["data"]["session_id"] == place  # which is another one
        told = ask(ws, type="step", data={"type": "list_tools"})
        assert told["data"]["observation"]["tools"] == listed
    assert told["data"]["done"] is False
    assert rpc(http, base, "openenv/session/close", session_id=place)["result"]["closed"]
    assert rpc(http, base, "openenv/session/close", session_id=place)["error"]["code"] == -32602
    assert rpc(http, base, "dance")["error"]["code"] == -32601
    assert http.post(f"{base}/mcp", content="{").json()["error"]["code"] == -32700
    assert http.post(f"{base}/mcp", json={}).json()["error"]["code"] == -32600


# ------------------------------------------------------------------ AgentGym


def test_agentgym(http):
    base = "/compat/agentgym/games.mastermind@1:level=1"
    made = http.post(f"{base}/create")
    assert made.status_code == 200
    me = {"id": made.json()["id"]}
    for seed in (4, 3):
        told = http.post(f"{base}/reset", json=me | {"data_idx": seed}).json()
        assert (told["reward"], told["done"]) == (0, False)
    assert http.get(f"{base}/observation", params=me).json() == told["observation"]
    results = [http.post(f"{base}/step", json=me | {"action": guess}).json() for guess in GUESSES]
    assert results[0]["observation"] != told["observation"]
    assert [told["done"] for told in results] == [False] * (len(GUESSES) - 1) + [True]
    assert results[-1]["reward"] == results[-1]["score"] == earned(GAME, GUESSES)[0] == 1
    assert http.post(f"{base}/step", json=me | {"action": "111"}).status_code == 409
    assert http.post(f"{base}/reset", json=me | {"data_idx": 9}).json()["done"] is False
    assert http.post(f"{base}/close", json=me).json() == me | {"closed": True}
    assert http.post(f"{base}/step", json=me | {"action": "111"}).status_code == 404
    assert http.get(f"{base}/observation").status_code == 422


def test_agentgyms_reward_is_what_was_earned_so_far(http):
    """Its controllers take that of the last step for that of the episode."""
    base = "/compat/agentgym/tools.meeting_desk@1"
    me = {"id": http.post(f"{base}/create").json()["id"]}
    http.post(f"{base}/reset", json=me | {"data_idx": 1})
    told = [http.post(f"{base}/step", json=me | {"action": move}).json() for move in CALLS]
    rewards = earned(WORLD, CALLS)[1]
    assert [one["reward"] for one in told] == pytest.approx(
        [sum(rewards[: n + 1]) for n in range(len(rewards))]
    )
    assert told[-1]["reward"] == 1


@pytest.mark.usefixtures("broken")
def test_agentgym_gives_no_reward_for_a_fault_of_ours():
    client = TestClient(build(), raise_server_exceptions=False)
    base = "/compat/agentgym/games.mastermind@1"
    me = {"id": client.post(f"{base}/create").json()["id"]}
    assert client.post(f"{base}/step", json=me | {"action": "11"}).status_code == 500


# ------------------------------------------------------------------ the Open Reward Standard


def events(response):
    """The events of a stream, read as its client reads them."""
    assert response.headers["content-type"].startswith("text/event-stream")
    found, kind, data = [], "", []
    for line in response.text.splitlines():
        if not line:
            found += [(kind, "".join(data))] if kind else []
            kind, data = "", []
        elif not line.startswith(":"):
            field, value = line.split(":", 1)
            if field == "event":
                kind = value.lstrip()
            else:
                data.append(value.lstrip())
    return found


class Ors:
    """A session of the Open Reward Standard."""

    def __init__(self, http, env, **wish):
        self.http, self.env = http, env
        (task, name), _ = events(http.post("/create_session"))
        assert task == "task_id"
        self.headers = {"x-session-id": name}
        self.created = http.post("/create", headers=self.headers, json={"env_name": env} | wish)

    def get(self, what):
        return self.http.get(f"/{self.env}/{what}", headers=self.headers).json()

    def raw(self, tool, **more):
        body = {"name": tool, **more}
        return self.http.post(f"/{self.env}/call", json=body, headers=self.headers)

    def call(self, tool, **arguments):
        found = events(self.raw(tool, input=arguments))
        assert found[0][0] == "task_id"
        return json.loads("".join(data for kind, data in found if kind in {"chunk", "end"}))


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
        told = ors.post(f"/{env}/task", json={"split": split, "index": index}).json()
        assert told == {"task": {"address": str(address)}}
    told = ors.post(f"/{env}/task_range", json={"split": "train", "start": -2}).json()["tasks"]
    assert told == [{"address": str(Address.of(MASTERMIND, 2**31 - n))} for n in (2, 1)]
    told = ors.post(f"/{env}/task_range", json={"split": "train", "start": 3, "stop": 3}).json()
    assert told == {"tasks": []}


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
    assert [told["reward"] for told in results] == earned(GAME, GUESSES)[1]
    assert [told["finished"] for told in results] == [False] * (len(GUESSES) - 1) + [True]
    assert results[-1]["metadata"]["score"] == 1
    assert session.get("prompt") == [block]
    told = session.call("answer", text="111")
    assert (told["ok"], told["error"]) == (False, "the episode is over")
    assert ors.post("/ping", headers=session.headers).json() == {"status": "ok"}
    for _ in range(2):
        assert ors.post("/delete", headers=session.headers).status_code == 200
    assert ors.post("/delete_session", headers=session.headers).status_code == 200
    assert ors.post("/ping", headers=session.headers).status_code == 404


def test_ors_plays_worlds_by_their_own_tools(ors):
    session = Ors(ors, "tools.meeting_desk@1", task_spec={"address": str(WORLD)})
    names = [tool["name"] for tool in session.get("task_tools")["tools"]]
    assert {"agenda", "book", "answer"} <= {*names}
    rewards = []
    for move in CALLS[:-1]:
        wish = json.loads(move)
        rewards.append(session.call(wish["tool"], **wish["args"])["output"]["reward"])
    told = session.call("answer", text="done")["output"]
    assert told["finished"]
    assert sum(rewards) + told["reward"] == pytest.approx(1)


def test_what_is_no_call_is_no_move(ors):
    session = Ors(ors, "games.mastermind@1", task_spec={"address": str(GAME)})
    for tool, arguments in (("dance", {}), ("answer", {}), ("answer", {"text": 3})):
        told = session.call(tool, **arguments)
        assert told["ok"] is False
    assert session.call("answer", text="111")["output"]["metadata"]["step"] == 1


def test_a_call_that_was_cut_off_is_asked_for_again(ors):
    session = Ors(ors, "games.mastermind@1", task_spec={"address": str(GAME)})
    first = events(session.raw("answer", input={"text": "111"}))
    task = first[0][1]
    assert events(session.raw("answer", input={"text": "111"}, task_id=task)) == first
    told = events(session.raw("answer", input={"text": "222"}, task_id=task))
    assert json.loads(told[-1][1])["ok"] is False
    assert session.call("answer", text="111")["output"]["metadata"]["step"] == 2


def test_long_answers_come_in_pieces(ors, monkeypatch):
    monkeypatch.setattr("palaestra.server.compat.ors._cut.__defaults__", (40,))
    session = Ors(ors, "tools.meeting_desk@1", task_spec={"address": str(WORLD)})
    whole = session.get("prompt")[0]["text"]
    assert "  " in whole or " " in whole
    told = session.call("agenda", person="Ada")["output"]
    expected = Episode(WORLD.task(), "bare", [call("agenda", person="Ada")]).observation
    assert told["blocks"][0]["text"] == expected
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
    assert ors.get("/tools.small_shop@1/prompt", headers=session.headers).status_code == 422
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
    told = session.raw("answer", input={"text": "111"})
    assert events(told) == [("task_id", "0"), ("error", "the sandbox is gone")]
    assert told.text.count(": still at it") >= 2  # lest the client takes us for dead


# ------------------------------------------------------------------ NeMo Gym


def written(*texts):
    return {
        "response": {
            "output": [
                {"type": "message", "role": "assistant",
                 "content": [{"type": "output_text", "text": text}]}
                for text in texts
            ]
        }
    }  # fmt: skip


def used(*moves, last=None):
    """A response in which tools were called, as an agent writes it down."""
    items = []
    for number, move in enumerate(moves):
        wish = json.loads(move)
        items += [
            {"type": "message", "role": "assistant", "content": "let me see"},
            {"type": "function_call", "call_id": f"c{number}", "name": wish["tool"],
             "arguments": json.dumps(wish["args"])},
            {"type": "function_call_output", "call_id": f"c{number}", "output": "{}"},
        ]  # fmt: skip
    if last is not None:
        items += written(last)["response"]["output"]
    return {"response": {"output": items, "usage": {"output_tokens": 7}}}


def test_nemo_gym_scores_rows_of_any_environment(nemo):
    for address in (PUZZLE, Address.of("arithmetic/game_of_24", seed=1)):
        asked = row(address)
        assert nemo.post("/seed_session", json=asked | {"agent_ref": {"name": "a"}}).json() == {}
        assert not nemo.cookies
        right = TAGS.write(address.task().answer())
        told = nemo.post("/verify", json=asked | {"id": 9} | written("hm", right)).json()
        assert (told["reward"], told["correct"], told["id"]) == (1, True, 9)
        assert told["responses_create_params"] == asked["responses_create_params"]
        told = nemo.post("/verify", json=asked | written("hm")).json()
        assert (told["reward"], told["status"]) == (0, "no_answer")
    below = {"verifier_metadata": {"address": str(PUZZLE)}, "answer_format": "bare"}
    told = nemo.post("/verify", json=below | written(PUZZLE.task().answer())).json()
    assert told["reward"] == 1


def test_nemo_gym_plays_by_tools(nemo):
    asked = row(WORLD)
    names = [tool["name"] for tool in asked["responses_create_params"]["tools"]]
    assert {"agenda", "answer"} <= {*names}
    nemo.post("/seed_session", json=asked)
    for move in CALLS[:-1]:
        wish = json.loads(move)
        told = nemo.post(f"/{wish['tool']}", json=wish["args"])
        assert told.json()["done"] is False
        assert "palaestra_session" in told.cookies  # agents keep those of the last answer only
    told = nemo.post("/dance", json={})
    assert told.json()["observation"].startswith("Error: there is no tool 'dance'")
    assert "palaestra_session" in told.cookies
    told = nemo.post("/agenda", content="[")
    assert (told.status_code, "palaestra_session" in told.cookies) == (422, True)
    for _ in range(2):  # which may be asked for again
        told = nemo.post("/verify", json=asked | used(last="All is booked.")).json()
        assert (told["reward"], told["status"]) == (1, "scored")
    told = nemo.post("/list_rooms", json={}).json()
    assert told == {"observation": "Error: the episode is over", "done": False}


def test_nemo_gym_plays_games_by_a_tool_for_answers(nemo):
    asked = row(GAME)
    nemo.post("/seed_session", json=asked)
    told = [nemo.post("/answer", json={"text": guess}).json() for guess in GUESSES]
    assert [one["done"] for one in told] == [False] * (len(GUESSES) - 1) + [True]
    assert nemo.post("/verify", json=asked | used(last="I won")).json()["reward"] == 1
    nemo.post("/seed_session", json=asked)
    nemo.post("/answer", json={"text": "111"})
    told = nemo.post("/verify", json=asked | used(last=TAGS.write(GUESSES[-1]))).json()
    assert (told["reward"], told["status"]) == (0, "no_answer")  # it stopped in the middle


def test_nemo_gym_reads_what_was_played_where_it_forgot(nemo):
    told = nemo.post("/verify", json=row(WORLD) | used(*CALLS[:-1], last="Done!")).json()
    assert told["reward"] == 1
    told = nemo.post("/verify", json=row(WORLD) | used(*CALLS[:-2], call("dance"))).json()
    assert told["reward"] < 1
    told = nemo.post("/verify", json=row(GAME) | written(*map(TAGS.write, GUESSES), "ha")).json()
    assert told["reward"] == 1
    moves = [call("answer", text=guess) for guess in GUESSES]
    assert nemo.post("/verify", json=row(GAME) | used(*moves, last="hm")).json()["reward"] == 1
    lost = {"cookies": {"palaestra_session": "gone"}}
    client = httpx.Client(base_url=nemo.base_url, **lost)
    assert client.post("/verify", json=row(GAME) | used(*moves)).json()["reward"] == 1
    client.close()


def test_nemo_gym_turn_by_turn(nemo):
    asked = row(GAME)
    told = nemo.post("/reset", json=asked).json()
    assert told == {"observation": None, "info": {}}  # the row has it already
    assert nemo.post("/reset", json={"address": str(GAME)}).json()["observation"]
    told = [nemo.post("/step", json=asked | written(TAGS.write(guess))).json() for guess in GUESSES]
    assert [one["reward"] for one in told] == earned(GAME, GUESSES)[1]
    assert [one["terminated"] for one in told] == [False] * (len(GUESSES) - 1) + [True]
    assert told[0]["observation"]
    assert told[-1]["observation"] is None
    asked = row(WORLD)
    nemo.post("/reset", json=asked)
    told = nemo.post("/step", json=asked | used(*CALLS[:-1], call("dance"))).json()
    outputs = told["info"]["tool_outputs"]
    assert [one["call_id"] for one in outputs] == [f"c{n}" for n in range(len(CALLS))]
    assert outputs[-1]["output"].startswith("Error: there is no tool 'dance'")
    last = nemo.post("/step", json=asked | written("<answer>done</answer>")).json()
    assert told["reward"] + last["reward"] == pytest.approx(1)
    assert last["terminated"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("seed_session", {}, 422),
        ("seed_session", {"address": "games/nothing"}, 404),
        ("verify", {"address": str(PUZZLE)}, 422),
        ("verify", {"address": str(PUZZLE), "response": {}, "answer_format": "loud"}, 422),
        ("agenda", {}, 422),
        ("step", {"address": str(GAME), "response": {}}, 422),
    ],
)
def test_nemo_gym_refuses(nemo_url, path, body, status):
    assert httpx.post(f"{nemo_url}/{path}", json=body).status_code == status


def test_nemo_gym_figures(nemo):
    verdicts = [
        {"_ng_task_index": 1, "_ng_rollout_index": n, "reward": reward, "correct": reward == 1}
        | used() | ({"mask_sample": True} if n == 3 else {})
        for n, reward in enumerate((0.0, 0.5, 1.0, 1.0))
    ]  # fmt: skip
    verdicts.append({"_ng_task_index": 0, "reward": 1.0, "correct": True, "note": "fine"})
    told = nemo.post("/aggregate_metrics", json={"verify_responses": verdicts}).json()
    first, second = told["group_level_metrics"]
    assert (first["_ng_task_index"], first["mean/reward"], first["std/reward"]) == (0, 1, 0)
    assert (second["mean/reward"], second["median/reward"]) == (0.5, 0.5)
    assert (second["max/reward"], second["min/reward"], second["std/reward"]) == (1, 0, 0.5)
    assert second["mean/correct"] == pytest.approx(1 / 3)
    assert second["mean/output_tokens"] == 7
    assert told["agent_metrics"]["mean/reward"] == pytest.approx(2.5 / 4)
    assert {*told["key_metrics"]} == {"mean/reward", "mean/correct", "mean/output_tokens",
                                      "mean/mask_sample"} - {"mean/mask_sample"}  # fmt: skip
    none = nemo.post("/aggregate_metrics", json={"verify_responses": []}).json()
    assert none == {"group_level_metrics": [], "agent_metrics": {}, "key_metrics": {}}
    assert nemo.get("/reverify_mode").json() == "stateless"


@pytest.mark.usefixtures("broken")
def test_nemo_gym_gives_no_reward_for_a_fault_of_ours():
    client = TestClient(build(Settings(protocol="nemo-gym")), raise_server_exceptions=False)
    asked = row(GAME)
    client.post("/seed_session", json=asked)
    told = client.post("/answer", json={"text": "111"})
    assert (told.status_code, "palaestra_session" in told.cookies) == (500, True)
    assert client.post("/verify", json=asked | written("hm")).status_code == 500


def test_tools_are_called_like_no_route_of_ours():
    routes = {"seed_session", "verify", "aggregate_metrics", "reset", "step", "reverify_mode"}
    for name, card in catalog().items():
        if card["kind"] != "puzzle":
            own = {tool["function"]["name"] for tool in Address.of(name).task().tools()}
            assert not own & (routes | {mcp_routes.ANSWER}), name


# ------------------------------------------------------------------ what is no call

NO_CALLS = [
    ("games.mastermind@1", "dance", {}, "no tool 'dance'"),
    ("games.mastermind@1", "answer", {}, "needs 'text'"),
    ("games.mastermind@1", "answer", {"text": 111}, "'text'"),
    ("games.mastermind@1", "answer", {"text": "111", "x": 1}, "not 'x'"),
    ("tools.meeting_desk@1", "agenda", {}, "needs 'person'"),
    ("tools.meeting_desk@1", "agenda", {"person": "Ada", "x": 1}, "not 'x'"),
]


def asked_by_openenv(http, env, tool, arguments):
    base = f"/openenv/{env}"
    place = http.post(f"{base}/reset", json={"seed": 1}).json()["metadata"]["session_id"]
    action = {"type": "call_tool", "tool_name": tool, "arguments": arguments}
    told = http.post(f"{base}/step", json={"action": action, "session_id": place})
    assert told.status_code == 422
    steps = http.get(f"{base}/state", params={"session_id": place}).json()["step_count"]
    return told.json()["detail"], steps


def asked_by_json_rpc(http, env, tool, arguments):
    base = f"/openenv/{env}"
    place = http.post(f"{base}/reset", json={"seed": 1}).json()["metadata"]["session_id"]
    told = rpc(http, base, "tools/call", name=tool, arguments=arguments, session_id=place)
    steps = http.get(f"{base}/state", params={"session_id": place}).json()["step_count"]
    assert told["error"]["code"] == -32602
    return told["error"]["message"], steps


def asked_by_ors(_, env, tool, arguments):
    client = TestClient(build(Settings(protocol="ors")))
    session = Ors(client, env, split="train", index=3)
    told = session.call(tool, **arguments)
    assert told["ok"] is False
    right = session.call("answer", text="1")["output"]
    return told["error"], right["metadata"]["step"] - 1


def asked_by_nemo_gym(_, env, tool, arguments):
    client = TestClient(build(Settings(protocol="nemo-gym")))
    client.post("/seed_session", json=row(Address.of(env.partition("@")[0].replace(".", "/"), 3)))
    told = client.post(f"/{tool}", json=arguments).json()
    assert told["done"] is False
    (live,) = client.app.state.service.sessions.active.values()
    return told["observation"], len(live.replies)


@pytest.mark.parametrize(
    "asked", [asked_by_openenv, asked_by_json_rpc, asked_by_ors, asked_by_nemo_gym]
)
@pytest.mark.parametrize("no_call", NO_CALLS)
def test_a_call_that_no_tool_can_take_is_no_move_in_any_protocol(http, asked, no_call):
    env, tool, arguments, why = no_call
    told, steps = asked(http, env, tool, arguments)
    assert why in told
    assert steps == 0


# ------------------------------------------------------------------ who may ask


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
        told = client.request(method, path, json=body, headers={"x-api-key": token})
        assert told.status_code == status, token


def test_nemo_gym_demands_scopes():
    client = TestClient(build(Settings(TOKENS, protocol="nemo-gym")))
    for path, good, bad in (("seed_session", "player", "scorer"), ("verify", "scorer", "player")):
        body = row(PUZZLE) | written(RIGHT)
        for token, status in ((good, 200), (bad, 403)):
            told = client.post(f"/{path}", json=body, headers={"x-api-key": token})
            assert told.status_code == status


def test_places_are_found_by_their_owners_only():
    client = TestClient(build(Settings(("one name=one", "two name=two"))))
    mine, theirs = ({"x-api-key": token} for token in ("one", "two"))
    told = client.post(f"{BASE}/reset", json={"seed": 3}, headers=mine).json()
    name = {"session_id": told["metadata"]["session_id"]}
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
    for told in ("Basic", "Basic ä", "Basic %%%"):
        headers = {"authorization": told.encode("latin-1")}
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
        told = client.post(f"{base}/step", json=me | {"action": GUESSES[-1]}).json()
    assert (told["reward"], told["done"]) == (1, True)


def test_two_servers_agree_on_a_place(tmp_path):
    """A reset at one of them is not missed by the other, which has the old episode in play."""
    settings = Settings(store=f"sqlite:///{tmp_path / 'kept.sqlite'}")
    base = "/compat/agentgym/games.mastermind@1:level=1"
    with TestClient(build(settings)) as one, TestClient(build(settings)) as two:
        me = {"id": one.post(f"{base}/create").json()["id"]}
        one.post(f"{base}/step", json=me | {"action": "111"})
        two.post(f"{base}/reset", json=me | {"data_idx": 3})
        for server, guess in zip(cycle((one, two)), GUESSES):
            told = server.post(f"{base}/step", json=me | {"action": guess}).json()
    assert (told["reward"], told["done"]) == (1, True)


# ------------------------------------------------------------------ the real clients


def interpreter(tmp_path, module, *packages):
    """A Python that has a client: one that is named, this one, or a new one."""
    find = f"import sys, importlib.util as u; sys.exit(u.find_spec({module!r}) is None)"
    for known in filter(None, (os.environ.get("PALAESTRA_CLIENTS"), sys.executable)):
        if subprocess.run([known, "-c", find], capture_output=True, check=False).returncode == 0:
            return known
    made = tmp_path / "client"
    python = made / ("Scripts" if os.name == "nt" else "bin") / "python"
    # The pip at hand serves for it as well, and what is not imported need not be compiled.
    steps = [[sys.executable, "-m", "venv", "--without-pip", made]]
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-compile"]
    steps += [[*pip, *package.split()] for package in packages]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"NO REAL CLIENT: {' and '.join(packages)}: {done.stderr[-500:]}")
    return str(python)


def run(python, script, *arguments):
    """What a script prints as its last line, in JSON."""
    done = subprocess.run(
        [python, "-c", dedent(script), *arguments],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4_000:]
    return json.loads(done.stdout.splitlines()[-1])


OPENRLHF = """
    import asyncio, importlib.util, json, sys, types
    from pathlib import Path

    # Its package imports torch and much else, which its actors' own module does not need.
    root = Path(importlib.util.find_spec("openrlhf").submodule_search_locations[0])
    for name in ("openrlhf", "openrlhf.utils"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(root.joinpath(*name.split(".")[1:]))]
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    good, closed, label, reply = sys.argv[1:]


    class Tokens(list):
        def tolist(self):
            return list(self)


    class Tokenizer:
        def __call__(self, text, **_):
            return {"input_ids": [Tokens(map(ord, text))]}

        def decode(self, tokens, **_):
            return "".join(map(chr, tokens))


    class Engine:
        def __init__(self, reply):
            self.reply = reply

        async def generate(self, *_, **__):
            told = list(map(ord, self.reply))
            made = types.SimpleNamespace(token_ids=told, finish_reason="stop", logprobs=None)
            return types.SimpleNamespace(outputs=[made])


    async def rollout(url, label, reply):
        params = types.SimpleNamespace(max_tokens=100, logprobs=None)
        prompt = "Put it between <answer> and </answer>."
        made = await SingleTurnAgentExecutor([url]).execute(
            prompt, label, params, 4096, Tokenizer(), Engine(reply)
        )
        return made["reward"], made["scores"], made["extra_logs"]


    async def main():
        return await asyncio.gather(
            rollout(good, label, reply + "<|im_end|>"),
            rollout(good, label, "no"),
            rollout(good, "logic/nothing", reply),
            rollout(closed, label, reply),
        )


    print()
    print(json.dumps(asyncio.run(main())))
"""


@pytest.mark.slow
def test_the_client_of_openrlhf(tmp_path):
    python = interpreter(tmp_path, "openrlhf", "aiohttp", "--no-deps openrlhf>=0.8")
    with background_server(build(Settings(("sesame",)))) as url:
        path = "compat/openrlhf/logic.knights_and_knaves@1/get_reward"
        good = f"{url.replace('//', '//trainer:sesame@')}/{path}"
        told = run(python, OPENRLHF, good, f"{url}/{path}", str(PUZZLE), RIGHT)
    right, wrong, unknown, closed = told
    assert right == [[1], [1], {"correct": [1], "answered": [1]}]
    assert wrong == [[0], [0], {"correct": [0], "answered": [0]}]
    assert unknown == closed == [None, None, {}]  # which is no reward, and no 0


ORS = """
    import json, sys
    from ors.client import ORS
    from ors.client._types import ToolCallError

    url, env, guesses, world, calls = sys.argv[1:]
    client = ORS(base_url=url, api_key="sesame")
    game = client.environment(env)
    told = {
        "splits": game.list_splits(),
        "number": game.num_tasks("train-1"),
        "range": [task.task_spec["address"] for task in game.get_task_range("train", 2, 4)],
        "tools": [tool.name for tool in game.list_tools()],
        "openai": game.list_tools(format="openai")[0]["parameters"]["required"],
    }
    task = game.get_task("train-1", 3)
    told["address"] = task.task_spec["address"]
    with game.session(task=task) as session:
        told["prompt"] = session.get_prompt()[0].text
        told["task_tools"] = [tool.name for tool in session.list_tools()]
        results = [session.call_tool("answer", {"text": g}) for g in json.loads(guesses)]
        told["rewards"] = [one.reward for one in results]
        told["finished"] = [one.finished for one in results]
        try:
            session.call_tool("dance", {})
        except ToolCallError as flaw:
            told["flaw"] = str(flaw)
    desk = client.environment("tools.meeting_desk@1")
    from ors.client._types import Task
    with desk.session(task=Task("tools.meeting_desk@1", {"address": world})) as session:
        rewards = []
        for call in json.loads(calls):
            one = session.call_tool(call["tool"], call["args"])
            rewards.append(one.reward)
        one = session.call_tool("answer", {"text": "done"})
        told["world"] = [sum(rewards) + one.reward, one.finished, one.metadata["score"]]
    client.close()
    print()
    print(json.dumps(told))
"""


@pytest.mark.slow
def test_the_client_of_the_open_reward_standard(tmp_path):
    python = interpreter(tmp_path, "ors.client.session", "ors-sdk>=0.1,<0.2")
    calls = json.dumps([json.loads(move) for move in CALLS[:-1]])
    with background_server(build(Settings(("sesame",), protocol="ors"))) as url:
        told = run(python, ORS, url, "games.mastermind@1", json.dumps(GUESSES), str(WORLD), calls)
    assert {"train", "test", "train-1"} <= {*told["splits"]}
    assert told["number"] == 2**31
    assert told["range"] == [str(Address.of(MASTERMIND, n)) for n in (2, 3)]
    assert told["tools"] == told["task_tools"] == ["answer"]
    assert told["openai"] == ["text"]
    assert told["address"] == str(GAME)
    assert told["prompt"] == Episode(GAME.task(), "bare").observation
    assert told["rewards"] == earned(GAME, GUESSES)[1]
    assert told["finished"] == [False] * (len(GUESSES) - 1) + [True]
    assert "no tool 'dance'" in told["flaw"]
    assert told["world"] == [pytest.approx(1), True, 1]


OPENENV = """
    import asyncio, json, sys
    from types import SimpleNamespace

    from openenv.core.generic_client import GenericEnvClient
    from openenv.core.mcp_client import MCPToolClient

    url, guesses, calls = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
    base = f"{url}/openenv/games.mastermind@1:level=1:answer_format=bare"
    desk = "tools.meeting_desk@1"
    wish = {
        "headers": {"Authorization": "Bearer sesame"},
        "connect_timeout_s": 300, "message_timeout_s": 300, "websocket_ping_timeout_s": None,
    }
    told = {}
    with GenericEnvClient(base_url=base, **wish).sync() as env:
        first = env.reset(seed=3, episode_id="mine")
        told["address"] = first.observation["address"]
        results = [env.step({"reply": guess}) for guess in guesses]
        told["rewards"] = [one.reward for one in results]
        told["done"] = [one.done for one in results]
        told["score"] = results[-1].observation["score"]["value"]
        told["state"] = [env.state()[name] for name in ("episode_id", "step_count")]
        try:
            env.step({"reply": "111"})
        except RuntimeError as flaw:
            told["flaw"] = str(flaw)
        told["again"] = env.reset(seed=4).done


    async def tools():
        async with MCPToolClient(base_url=f"{url}/openenv/{desk}", **wish) as env:
            await env.reset(seed=1)
            names = [tool.name for tool in await env.list_tools()]
            for call in calls:
                said = await env.call_tool(call["tool"], **call["args"])
                assert isinstance(said, str), said
            await env.call_tool("answer", text="done")
            return names, (await env.state()).step_count


    told["tools"] = asyncio.run(tools())
    print()
    print(json.dumps(told))
"""

VALIDATION = """
    import json, subprocess, sys
    from types import SimpleNamespace

    from openenv.validation.graders.runtime import basic
    from openenv.validation.graders.runtime.basic import (
        ObservationSchemaGrader, RewardWellFormedGrader, StateContractGrader,
    )
    from openenv.validation.runtime.collector import collect_runtime_evidence
    from openenv.validation.runtime.contracts import RuntimePlan, RuntimeReset

    # The grader of observations gives the process that it starts five seconds to end.
    patient = lambda command, **options: subprocess.run(command, **options | {"timeout": 300})
    basic.subprocess = SimpleNamespace(run=patient, TimeoutExpired=subprocess.TimeoutExpired)

    url, guesses = sys.argv[1], json.loads(sys.argv[2])
    plan = RuntimePlan(
        plan_schema_version="1", reset=RuntimeReset(episode_id="mine", seed=3),
        actions=[{"reply": guess} for guess in guesses],
    )
    found = collect_runtime_evidence(url, plan, episode_timeout_s=300)
    manifest = SimpleNamespace(reward=SimpleNamespace(range=(0, 1)))
    subject = SimpleNamespace(runtime_evidence=found, manifest=manifest)
    told = {"failure": found.failure_reason, "exchanges": len(found.exchanges)}
    for grader in (ObservationSchemaGrader(), RewardWellFormedGrader(), StateContractGrader()):
        result = grader.run(subject)
        told[result.check_id] = [result.status.value, result.evidence]
    print()
    print(json.dumps(told))
"""


@pytest.mark.slow
def test_the_clients_and_the_validator_of_openenv(tmp_path, url):
    python = interpreter(tmp_path, "openenv.core.generic_client", "openenv>=0.10,<0.11")
    calls = json.dumps([json.loads(move) for move in CALLS[:-1]])
    with background_server(build(Settings(("sesame",)))) as guarded:
        told = run(python, OPENENV, guarded, json.dumps(GUESSES), calls)
    assert told["address"] == str(GAME)
    assert told["rewards"] == earned(GAME, GUESSES)[1]
    assert told["done"] == [False] * (len(GUESSES) - 1) + [True]
    assert told["score"] == 1
    assert told["state"] == ["mine", len(GUESSES)]
    assert "the episode is over" in told["flaw"]
    assert told["again"] is False
    names, steps = told["tools"]
    assert {"agenda", "book", "answer"} <= {*names}
    assert steps == len(CALLS)

    told = run(python, VALIDATION, f"{url}{BASE}", json.dumps(GUESSES))
    assert told.pop("failure") is None
    assert told.pop("exchanges") == 2 * (len(GUESSES) + 1)
    verdicts = {name: verdict for name, (verdict, _) in told.items()}
    assert verdicts == dict.fromkeys(told, "pass"), told
    assert len(told) == 3

    command = [python, "-m", "openenv.cli", "validate", "--json", "--url", f"{url}{BASE}"]
    command += ["--timeout", "300"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["passed"]
    assert report["mode"] == "simulation"
    assert report["standard_profile"] == "openenv-http/1.x"
    assert not report["summary"]["failed_criteria"]
