"""NeMo Gym takes our rows, and its agents play them against both of our resources servers."""

import asyncio
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest
from fastapi.testclient import TestClient

from palaestra import Address, JudgeError, Score, names
from palaestra.cli import main
from palaestra.episode import TAGS
from palaestra.server.app import build
from palaestra.server.service import Settings
from palaestra.trainers import nemo_gym
from palaestra.trainers.exports import exported
from palaestra.trainers.generation import Corpus
from palaestra.trainers.mixtures import Mixture
from palaestra.trainers.nemo_gym import UNSCORED, Rollout, nemo_gym_row, verdict

FOLDER = Path(__file__).parents[2] / "examples/nemo_gym"
SERVER = FOLDER / "resources_servers/palaestra"
PUZZLE, GAME, WORLD = "logic/knights_and_knaves", "games/mastermind", "tools/meeting_desk"

real = pytest.mark.package("nemo_gym")


# ------------------------------------------------------------------ rows, without NeMo Gym


def test_rows_name_the_agent_that_plays_them_and_hold_no_answer():
    agents = {PUZZLE: "simple", GAME: "gymnasium", WORLD: "gymnasium"}
    for env, agent in agents.items():
        (row,) = exported(env, [3], 1, trainer="nemo-gym", answer_format="boxed")
        address = str(Address.of(env, 3, 1))
        named = {"address": address, "answer_format": "boxed", "env": env, "level": 1}
        assert row["verifier_metadata"] == named
        assert row["agent_ref"]["name"] == f"palaestra_{agent}_agent"
        assert set(row) == {"agent_ref", "responses_create_params", "verifier_metadata"}
        (message,) = row["responses_create_params"]["input"]
        assert message["content"].endswith("\\boxed{}.")
    tools = {tool["name"] for tool in row["responses_create_params"]["tools"]}
    assert {"agenda", "answer"} <= tools


def test_the_command_writes_json_lines_only(tmp_path, capsys):
    file = tmp_path / "rows.jsonl"
    arguments = ["export", PUZZLE, "-n", "2", "--trainer", "nemo-gym", "-o", str(file)]
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert not end.value.code
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert rows == list(exported(PUZZLE, range(2), trainer="nemo-gym"))
    with pytest.raises(SystemExit):
        main([*arguments, "--format", "parquet"])
    assert "are JSON lines" in capsys.readouterr().err
    with pytest.raises(ValueError, match="are JSON lines"):
        Corpus(Mixture({PUZZLE: 1.0}, {PUZZLE: (0,)}), 2, trainer="nemo-gym", form="parquet")


def test_the_example_is_what_its_script_writes(tmp_path):
    runpy.run_path(str(SERVER / "create_examples.py"))["write"](tmp_path)
    for file in filter(Path.is_file, tmp_path.rglob("*")):
        committed = SERVER / file.relative_to(tmp_path)
        assert committed.read_text() == file.read_text(), "run create_examples.py again"


def test_a_failure_of_the_judge_is_no_reward():
    fields = verdict(JudgeError("away", "gold_error"))
    assert (fields["failure_reason"], fields["mask_sample"]) == ("away", True)
    assert (fields["status"], fields[UNSCORED]) == ("gold_error", "verifier_error")


def test_a_rollout_plays_calls_or_a_text():
    rollout = Rollout(str(Address.of(WORLD, 1)))
    calls = [
        {"type": "function_call", "call_id": "a", "name": "list_rooms", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "dance", "arguments": "["},
        {"type": "function_call", "call_id": "c", "name": "list_rooms", "arguments": None},
        {"type": "function_call", "call_id": "d", "name": "answer", "arguments": '{"text": 1}'},
    ]
    played = rollout.play(calls)
    outputs = [one["output"] for one in played.info["tool_outputs"]]
    assert [one["call_id"] for one in played.info["tool_outputs"]] == ["a", "b", "c", "d"]
    assert outputs[0] != outputs[1]
    assert not played.terminated
    for junk in ([], [{"type": "message", "content": [{"type": "refusal"}, 7]}], [{"x": 1}]):
        assert rollout.play(junk).observation
    done = {"type": "message", "content": [{"type": "output_text", "text": TAGS.write("done")}]}
    end = rollout.play([done])
    assert (end.terminated, end.observation) == (True, None)
    assert end.info["status"] == "scored"


# ------------------------------------------------------------------ against NeMo Gym


@real
def test_requests_of_every_category_are_what_nemo_gym_takes():
    from nemo_gym.base_resources_server import BaseRunRequest

    firsts = {env.partition("/")[0]: env for env in names()}
    for env in firsts.values():
        row = nemo_gym_row(Address.of(env, 1))
        taken = BaseRunRequest.model_validate(row).responses_create_params
        assert taken.input[0].content == row["responses_create_params"]["input"][0]["content"]


@real
def test_the_tests_of_the_resources_server_pass():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=SERVER, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert not done.returncode, done.stdout[-3000:] + done.stderr[-2000:]


@real
def test_its_command_takes_our_configuration(tmp_path):
    for name in ("resources_servers", "environments"):
        (tmp_path / name).symlink_to(FOLDER / name)
    gym = str(Path(sys.executable).parent / "gym")
    done = subprocess.run(
        [gym, "env", "validate", "--environment", "palaestra"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    assert "Config is valid" in done.stdout


@real
def test_its_preparation_of_data_takes_our_rows(tmp_path):
    """What ``gym dataset collate`` and ``gym eval run`` do with a file, in this process."""
    from nemo_gym.rollout_collection import RolloutCollectionConfig, RolloutCollectionHelper
    from nemo_gym.train_data_utils import compute_sample_metrics

    file = SERVER / "data/example_turns.jsonl"
    for line in file.read_text().splitlines():
        metrics, is_refused = compute_sample_metrics(line)
        assert (metrics.number_of_examples, is_refused) == (1, False)
    config = RolloutCollectionConfig(
        input_jsonl_fpath=str(file), output_jsonl_fpath=str(tmp_path / "out.jsonl"), num_repeats=2
    )
    rows = RolloutCollectionHelper()._preprocess_rows_from_config(config)
    assert len(rows) == 6
    assert {row["agent_ref"]["name"] for row in rows} == {"palaestra_gymnasium_agent"}


@real
def test_its_collection_writes_what_could_not_be_scored_to_the_file_of_failures(tmp_path):
    from nemo_gym.rollout_collection import RolloutCollectionConfig, RolloutCollectionHelper

    class Helper(RolloutCollectionHelper):
        def run_examples(self, examples, head_server_config=None, semaphore=None):
            async def run(row, score):
                return row, row | verdict(score)

            scores = [Score(1), JudgeError("away"), Score(0)]
            return [run(row, score) for row, score in zip(examples, scores, strict=True)]

    output = tmp_path / "out.jsonl"
    config = RolloutCollectionConfig(
        input_jsonl_fpath=str(SERVER / "data/example.jsonl"), output_jsonl_fpath=str(output),
        limit=3, disable_aggregation=True, upload_rollouts_to_wandb=False,
    )  # fmt: skip
    asyncio.run(Helper().run_from_config(config))
    results = [json.loads(line) for line in output.read_text().splitlines()]
    assert [result["reward"] for result in results] == [1, 0]
    (failure,) = (tmp_path / "out_failures.jsonl").read_text().splitlines()
    assert json.loads(failure)["failure_reason"] == "away"


class Client:
    """Stands between the servers of NeMo Gym as its own client does, without ports."""

    def __init__(self, **servers):
        self.servers = servers

    async def post(self, server_name, url_path, json=None, cookies=None):
        body = json.model_dump(mode="json") if hasattr(json, "model_dump") else json
        known = self.servers[server_name]
        if server_name == "policy_model":
            return _answer(200, known(body), {})
        known.cookies.clear()
        known.cookies.update({name: _value(each) for name, each in (cookies or {}).items()})
        answer = await asyncio.to_thread(known.post, url_path, json=body)
        return _answer(answer.status_code, answer.content, dict(answer.cookies))


def _value(cookie):
    return getattr(cookie, "value", cookie)


def _answer(status, content, cookies):
    async def read():
        return content if isinstance(content, bytes) else json.dumps(content).encode()

    def refuse():
        raise RuntimeError(f"{status}: {content!r}")

    return SimpleNamespace(
        ok=status < 400, status=status, cookies=cookies, read=read,
        content=SimpleNamespace(read=read), raise_for_status=refuse,
    )  # fmt: skip


def model(replies):
    """A model that gives these replies in turn, as messages or as calls of tools."""
    left = iter(replies)

    def respond(request):
        reply = next(left)
        item = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
        item |= {"content": [{"type": "output_text", "text": reply, "annotations": []}]}
        if reply.startswith("{"):
            wish = json.loads(reply)
            item = {"type": "function_call", "call_id": "c", "name": wish["tool"]}
            item |= {"arguments": json.dumps(wish["args"])}
        return {
            "id": "r", "created_at": 0, "model": "m", "object": "response", "output": [item],
            "parallel_tool_calls": False, "tool_choice": "auto", "tools": [],
        }  # fmt: skip

    return respond


@pytest.fixture(params=["example", "service"])
def resources(request):
    """Our two resources servers: that of the example, and ``palaestra serve``."""
    if request.param == "service":
        with TestClient(build(Settings(protocol="nemo-gym"))) as client:
            yield client
        return
    yield example_server()


def example_server():
    """A client of the example's server, which runs in this process."""
    from nemo_gym.server_utils import ServerClient

    app = runpy.run_path(str(SERVER / "app.py"), run_name="app")
    settings = {"host": "127.0.0.1", "port": 1, "entrypoint": "app.py", "domain": "other"}
    server = app["PalaestraResourcesServer"](
        config=app["PalaestraResourcesServerConfig"](name="palaestra", **settings),
        server_client=MagicMock(spec=ServerClient),
    )
    return TestClient(server.setup_webserver())


def played(row, replies, resources):
    """A row as NeMo Gym's own agent plays it."""
    from nemo_gym.server_utils import ServerClient
    from responses_api_agents.gymnasium_agent.app import GymnasiumAgent, GymnasiumAgentConfig
    from responses_api_agents.simple_agent.app import SimpleAgent, SimpleAgentConfig

    name = row["agent_ref"]["name"]
    kinds = {
        "palaestra_simple_agent": (SimpleAgent, SimpleAgentConfig),
        "palaestra_gymnasium_agent": (GymnasiumAgent, GymnasiumAgentConfig),
    }
    agent, settings = kinds[name]
    config = settings(
        host="127.0.0.1", port=2, entrypoint="app.py", name=name,
        resources_server={"type": "resources_servers", "name": "palaestra"},
        model_server={"type": "responses_api_models", "name": "policy_model"},
    )  # fmt: skip
    made = agent(config=config, server_client=MagicMock(spec=ServerClient))
    http = TestClient(made.setup_webserver())
    servers = {"palaestra": resources, "policy_model": model(replies)}
    own = {name: TestClient(made.setup_webserver())}  # which asks itself for a response
    object.__setattr__(made, "server_client", Client(**servers, **own))
    answer = http.post("/run", json=row)
    assert answer.status_code == 200, answer.text
    return answer.json()


@real
def test_its_agents_pay_a_perfect_player(resources):
    for env in (PUZZLE, GAME):
        row = nemo_gym_row(Address.of(env, 3, 1), "boxed")
        moves = Address.of(env, 3, 1).task().solve()
        result = played(row, [f"so \\boxed{{{move}}}" for move in moves], resources)
        assert result["reward"] == 1.0
    world = Address.of(WORLD, 1)
    *calls, last = world.task().solve()
    assert played(nemo_gym_row(world), [*calls, TAGS.write(last)], resources)["reward"] == 1.0


@real
def test_its_agents_pay_nothing_for_nothing(resources):
    row = nemo_gym_row(Address.of(PUZZLE, 3, 1))
    result = played(row, ["I do not know."], resources)
    assert (result["reward"], result["status"], result["correct"]) == (0.0, "no_answer", False)
    row = nemo_gym_row(Address.of(GAME, 3, 1))
    assert played(row, ["I do not know."] * 20, resources)["reward"] == 0.0


@real
def test_what_could_not_be_scored_says_so_through_its_agent(monkeypatch):
    monkeypatch.setattr(nemo_gym, "score_many", lambda items: [JudgeError("the judge is away")])
    row = nemo_gym_row(Address.of(PUZZLE, 3, 1))
    result = played(row, ["anything"], example_server())
    assert (result["mask_sample"], result["failure_reason"]) == (True, "the judge is away")
    assert result[UNSCORED] == "verifier_error"
