# Copyright (c) 2026 the contributors of Palaestra
# SPDX-License-Identifier: Apache-2.0
"""The resources server over its routes, and its verifier against the fixtures."""

import asyncio
import json
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from app import (
    PalaestraResourcesServer,
    PalaestraResourcesServerConfig,
    PalaestraVerifier,
    PalaestraVerifyRequest,
)
from fastapi.testclient import TestClient
from nemo_gym.server_utils import ServerClient
from pydantic import ValidationError

from palaestra import Address, JudgeError, Score
from palaestra.episode import TAGS
from palaestra.trainers import nemo_gym

FOLDER = Path(__file__).parents[1]


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


CASES = {case["name"]: case for case in lines("tests/verifier_cases.jsonl")}
PUZZLE = CASES["logic_knights_and_knaves_full"]["request"]


@pytest.fixture
def server():
    config = PalaestraResourcesServerConfig(
        host="127.0.0.1", port=8080, entrypoint="app.py", name="palaestra", domain="other",
        max_sessions=2,
    )  # fmt: skip
    return PalaestraResourcesServer(config=config, server_client=MagicMock(spec=ServerClient))


@pytest.fixture
def client(server):
    return TestClient(server.setup_webserver())


def verified(request):
    return asyncio.run(PalaestraVerifier().verify(PalaestraVerifyRequest.model_validate(request)))


@pytest.mark.parametrize("name", CASES)
def test_fixtures(name):
    case = CASES[name]
    if case["kind"] == "malformed":
        with pytest.raises(ValidationError, match=case["expected_error"]) as raised:
            verified(case["request"])
        assert type(raised.value).__name__ == case["expected_error_type"]
        return
    for _ in range(2 if case["kind"] == "determinism" else 1):
        assert verified(case["request"]).reward == case["expected_reward"]


def test_verify_answers_with_what_it_was_asked_and_why(client):
    row = CASES["arithmetic_game_of_24_wrong"]["request"] | {"uuid": "7"}
    answer = client.post("/verify", json=row)
    assert answer.status_code == 200
    verdict = answer.json()
    assert (verdict["reward"], verdict["correct"], verdict["status"]) == (0, False, "scored")
    assert verdict["reason"]
    assert (verdict["uuid"], verdict["failure_reason"]) == ("7", None)
    assert verdict["verifier_metadata"] == row["verifier_metadata"]
    assert client.post("/verify", json=CASES["without_response"]["request"]).status_code == 422


def test_parts_of_a_score_are_components_of_the_reward(client, monkeypatch):
    score = Score(0.5, "half of it", {"progress": 0.5, "steps": 3})
    monkeypatch.setattr(nemo_gym, "score_many", lambda items: [score])
    verdict = client.post("/verify", json=PUZZLE).json()
    assert verdict["reward"] == 0.5
    assert verdict["reward_components"] == {"progress": 0.5, "steps": 3.0}


def test_a_failure_of_the_judge_is_masked_and_no_part_of_the_figures(client, monkeypatch):
    good = client.post("/verify", json=PUZZLE).json()
    monkeypatch.setattr(nemo_gym, "score_many", lambda items: [JudgeError("the judge is away")])
    bad = client.post("/verify", json=PUZZLE).json()
    assert (bad["mask_sample"], bad["failure_reason"]) == (True, "the judge is away")
    assert bad[nemo_gym.UNSCORED] == bad["failure_kind"] == "verifier_error"
    answers = [
        one | {"_ng_task_index": 0, "_ng_rollout_index": n} for n, one in enumerate([good, bad])
    ]
    figures = client.post("/aggregate_metrics", json={"verify_responses": answers}).json()
    assert figures["agent_metrics"]["mean/reward"] == 1.0
    assert figures["agent_metrics"]["unscored"] == 1


def test_reasoning_is_no_answer(client):
    row = json.loads(json.dumps(PUZZLE))
    part = row["response"]["output"][0]["content"][0]
    part["text"] = f"<think>perhaps <answer>nobody</answer></think>\n{part['text']}"
    assert client.post("/verify", json=row).json()["reward"] == 1.0


# ------------------------------------------------------------------ turn by turn


def reply(text):
    message = json.loads(json.dumps(PUZZLE["response"]))
    message["output"][0]["content"][0]["text"] = text
    return message


def called(*moves):
    output = [
        {
            "type": "function_call",
            "call_id": f"call_{n}",
            "name": json.loads(move)["tool"],
            "arguments": json.dumps(json.loads(move)["args"]),
        }
        for n, move in enumerate(moves)
    ]
    return PUZZLE["response"] | {"output": output}


def turns(env):
    (row,) = (
        row for row in lines("data/example_turns.jsonl") if row["verifier_metadata"]["env"] == env
    )
    return row, list(Address.parse(row["verifier_metadata"]["address"]).task().solve())


def test_a_game_is_played_turn_by_turn(client):
    row, moves = turns("games/mastermind")
    assert client.post("/reset", json=row).json() == {"observation": None, "info": {}}
    steps = [
        client.post("/step", json=row | {"response": reply(TAGS.write(move))}).json()
        for move in moves
    ]
    assert [step["terminated"] for step in steps] == [False] * (len(moves) - 1) + [True]
    assert all(step["observation"] for step in steps[:-1])
    assert sum(step["reward"] for step in steps) == pytest.approx(1)
    assert steps[-1]["info"]["correct"] is True
    again = client.post("/step", json=row | {"response": reply("one more")})
    assert (again.status_code, "reset first" in again.text) == (409, True)


def test_tools_are_called_as_functions_or_in_writing(client):
    row, moves = turns("tools/meeting_desk")
    *calls, last = moves
    client.post("/reset", json=row)
    step = client.post("/step", json=row | {"response": called(*calls)}).json()
    assert [one["call_id"] for one in step["info"]["tool_outputs"]] == [
        f"call_{n}" for n in range(len(calls))
    ]
    assert not step["terminated"]
    end = client.post("/step", json=row | {"response": reply(TAGS.write(last))}).json()
    assert step["reward"] + end["reward"] == pytest.approx(1)
    client.post("/reset", json=row)
    steps = [
        client.post("/step", json=row | {"response": reply(TAGS.write(move))}).json()
        for move in moves
    ]
    assert sum(each["reward"] for each in steps) == pytest.approx(1)


def test_a_judge_that_fails_in_the_middle_is_an_error(client, monkeypatch):
    row, _ = turns("games/mastermind")
    client.post("/reset", json=row)

    def fail(self, reply):
        raise JudgeError("the judge is away")

    monkeypatch.setattr("palaestra.episode.Episode.step", fail)
    answer = client.post("/step", json=row | {"response": reply("12")})
    assert (answer.status_code, "away" in answer.text) == (500, True)


def test_the_oldest_rollouts_are_given_up(server):
    row, _ = turns("games/mastermind")
    app = server.setup_webserver()
    clients = [TestClient(app) for _ in range(3)]
    for client in clients:
        client.post("/reset", json=row)
    answers = [
        client.post("/step", json=row | {"response": reply("12")}).status_code for client in clients
    ]
    assert answers == [409, 200, 200]


def test_verify_refuses_tasks_of_several_replies(client):
    row, _ = turns("games/mastermind")
    answer = client.post("/verify", json=row | {"response": reply("12")})
    assert (answer.status_code, "palaestra_gymnasium_agent" in answer.text) == (422, True)


def test_rows_hold_no_answer():
    for row in lines("data/example.jsonl"):
        metadata = row["verifier_metadata"]
        for move in Address.parse(metadata["address"]).task().solve():
            assert move not in json.dumps(metadata)
        assert set(metadata) == {"address", "answer_format", "env", "level"}
