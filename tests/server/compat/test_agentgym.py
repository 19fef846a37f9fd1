"""AgentGym over a real port."""

import pytest
from fastapi.testclient import TestClient
from tests.server.compat.examples import CALLS, GAME, GUESSES, WORLD, earned

from palaestra.server.app import build


def test_agentgym(http):
    base = "/compat/agentgym/games.mastermind@1:level=1"
    made = http.post(f"{base}/create")
    assert made.status_code == 200
    me = {"id": made.json()["id"]}
    for seed in (4, 3):
        result = http.post(f"{base}/reset", json=me | {"data_idx": seed}).json()
        assert (result["reward"], result["done"]) == (0, False)
    assert http.get(f"{base}/observation", params=me).json() == result["observation"]
    results = [http.post(f"{base}/step", json=me | {"action": guess}).json() for guess in GUESSES]
    assert results[0]["observation"] != result["observation"]
    assert [result["done"] for result in results] == [False] * (len(GUESSES) - 1) + [True]
    assert results[-1]["reward"] == results[-1]["score"] == earned(GAME, GUESSES)[0] == 1
    assert http.post(f"{base}/step", json=me | {"action": "111"}).status_code == 409
    assert http.post(f"{base}/reset", json=me | {"data_idx": 9}).json()["done"] is False
    assert http.post(f"{base}/close", json=me).json() == me | {"closed": True}
    assert http.post(f"{base}/step", json=me | {"action": "111"}).status_code == 404
    assert http.get(f"{base}/observation").status_code == 422


def test_agentgyms_reward_is_what_was_earned_so_far(http):
    """Its controllers take that of the last step for that of the episode."""
    base = "/compat/agentgym/tools.meeting_desk@2"
    me = {"id": http.post(f"{base}/create").json()["id"]}
    http.post(f"{base}/reset", json=me | {"data_idx": 1})
    results = [http.post(f"{base}/step", json=me | {"action": move}).json() for move in CALLS]
    rewards = earned(WORLD, CALLS)[1]
    assert [one["reward"] for one in results] == pytest.approx(
        [sum(rewards[: n + 1]) for n in range(len(rewards))]
    )
    assert results[-1]["reward"] == 1


@pytest.mark.usefixtures("broken")
def test_agentgym_gives_no_reward_for_a_fault_of_ours():
    client = TestClient(build(), raise_server_exceptions=False)
    base = "/compat/agentgym/games.mastermind@1"
    me = {"id": client.post(f"{base}/create").json()["id"]}
    assert client.post(f"{base}/step", json=me | {"action": "11"}).status_code == 500
