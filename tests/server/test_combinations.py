"""Combinations over HTTP: sampled, scored and played like any other environment."""

from palaestra import Address
from palaestra.catalog import recorded_fingerprint

BASE = "arithmetic/long_multiplication"


def test_a_combination_is_sampled_and_scored(http):
    request = {"env": f"{BASE}+batch(2)", "seeds": [3], "level": 2, "split": "train"}
    row = http.post("/v1/tasks", json=request).json()["tasks"][0]
    address = Address.of(f"{BASE}+batch(2)", 3, 2)
    assert row["address"] == str(address)
    assert "Task 2:" in row["messages"][0]["content"]
    (answer,) = address.task().solve()
    item = {"address": row["address"], "replies": f"<answer>{answer}</answer>"}
    result = http.post("/v1/score", json=item).json()
    assert result["value"] == 1
    assert result["fingerprint"] == recorded_fingerprint(address.env)
    wrong = http.post("/v1/score", json=item | {"replies": "<answer>Task 1: 1</answer>"}).json()
    assert (wrong["value"], wrong["status"]) == (0, "malformed")


def test_an_episode_of_several_tries_is_a_session(http):
    address = str(Address.of(f"{BASE}+retry(2,reason)", 3, 2))
    (session,) = http.post("/v1/sessions", json={"address": address}).json()["sessions"]
    path = f"/v1/sessions/{session['session']}/step"
    first = http.post(path, json={"step": 0, "move": "<answer>1, 2, 3, 4</answer>"}).json()
    assert not first["done"]
    assert "Try again" in first["observation"]
    (answer,) = Address.parse(address).task().solve()
    last = http.post(path, json={"step": 1, "move": f"<answer>{answer}</answer>"}).json()
    assert last["done"]
    assert last["score"]["value"] == 0.5


def test_what_cannot_be_combined_is_refused_with_a_sentence(http):
    for env, word in ((f"{BASE}+bach(2)", "batch"), ("games/minesweeper+batch(2)", "one reply")):
        response = http.post("/v1/tasks", json={"env": env, "seeds": [0]})
        assert response.status_code == 404
        assert word in response.json()["detail"]
    guessable = {"address": "logic/knights_and_knaves+retry(3)", "replies": "no"}
    response = http.post("/v1/score", json=guessable)
    assert response.status_code == 422, response.text
    assert "chance" in response.json()["detail"]
