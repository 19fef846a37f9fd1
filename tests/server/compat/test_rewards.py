"""Reward endpoints of OpenRLHF and slime."""

import pytest
from fastapi.testclient import TestClient
from tests.server.compat.examples import GAME, KNIGHTS, PUZZLE, RIGHT, written

from palaestra import Address
from palaestra.episode import TAGS
from palaestra.server.app import build
from palaestra.server.compat.nemo_gym import row
from palaestra.server.service import Settings
from palaestra.trainers.queries import PromptNotFound, reply_in


def openrlhf(prompt, reply, label):
    return {"query": [prompt + reply], "prompts": [prompt], "labels": [label]}


def test_openrlhf_reads_numbers(http):
    path = "/compat/openrlhf/logic.knights_and_knaves@2/get_reward"
    result = http.post(path, json=openrlhf("Say <answer>x</answer>.", RIGHT, str(PUZZLE))).json()
    assert result == {
        "rewards": [1], "scores": [1], "extra_logs": {"correct": [1], "answered": [1]}
    }  # fmt: skip
    result = http.post(path, json=openrlhf("Say <answer>x</answer>.", "hm", str(PUZZLE))).json()
    assert result["rewards"] == [0]
    assert result["extra_logs"] == {"correct": [0], "answered": [0]}
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
    result = http.post(path, json=body, params=recipe).json()
    assert result["rewards"] == result["scores"] == [1, -1, -2]
    assert result["extra_logs"]["correct"] == [1, 0, 0]
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
    answer = http.post("/compat/slime/logic.knights_and_knaves@2", json=body)
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
    result = http.post(f"/compat/openrlhf/{name}/get_reward", json=batch).json()
    assert result["rewards"][0] == result["extra_logs"]["correct"][0] == reward
    if name in {"all", "all:answer_format=tags"}:
        assert result["rewards"][1] == 1


@pytest.mark.parametrize(
    ("name", "label", "status"),
    [
        ("all", "logic/nothing", 404),
        ("all", "nothing?seed=1", 404),
        ("all", " ", 422),
        ("all", "?", 422),
        ("all:answer_format=bare", r"\frac{1}{0}", 422),
        ("logic.knights_and_knaves@2", "42", 404),
        ("all", f"{KNIGHTS}?people=99", 422),
        ("arithmetic.game_of_24@2", str(PUZZLE), 422),
        ("all", str(GAME), 422),
        ("logic.nothing", str(PUZZLE), 404),
        ("logic.knights_and_knaves@7", str(PUZZLE), 409),
        ("all:answer_format=loud", str(PUZZLE), 422),
        ("all:level=1", str(PUZZLE), 422),
    ],
)
def test_labels_that_cannot_be_scored_are_no_zeros(http, name, label, status):
    body = {"response": RIGHT, "label": label}
    response = http.post(f"/compat/slime/{name}", json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    response = http.post(f"/compat/openrlhf/{name}/get_reward", json=openrlhf("", RIGHT, label))
    assert response.status_code == status


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
        response = client.post("/compat/openrlhf/all/get_reward", json=body)
        assert response.status_code == 500
        assert "gone" in response.json()["detail"]
    nemo = TestClient(build(Settings(protocol="nemo-gym")), raise_server_exceptions=False)
    assert nemo.post("/verify", json=row(PUZZLE) | written(RIGHT)).status_code == 500
