"""NeMo Gym over a real port."""

import json

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from tests.server.compat.examples import CALLS, GAME, GUESSES, PUZZLE, WORLD, earned, written

from palaestra import Address, score
from palaestra.catalog import catalog
from palaestra.episode import TAGS
from palaestra.server import mcp_routes
from palaestra.server.app import build
from palaestra.server.compat.nemo_gym import row
from palaestra.server.service import Settings
from palaestra.toolbox import call
from palaestra.trainers.nemo_gym import nemo_gym_row


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
        verdict = nemo.post("/verify", json=asked | {"id": 9} | written("hm", right)).json()
        assert (verdict["reward"], verdict["correct"], verdict["id"]) == (1, True, 9)
        assert verdict["responses_create_params"] == asked["responses_create_params"]
        verdict = nemo.post("/verify", json=asked | written("hm")).json()
        assert (verdict["reward"], verdict["status"]) == (0, "no_answer")
    below = {"verifier_metadata": {"address": str(PUZZLE)}, "answer_format": "bare"}
    verdict = nemo.post("/verify", json=below | written(PUZZLE.task().answer())).json()
    assert verdict["reward"] == 1


def test_nemo_gym_takes_the_rows_that_are_exported(nemo):
    address = Address.of("strings/word_ladder", seed=1)
    asked = nemo_gym_row(address, "bare")
    assert nemo.post("/seed_session", json=asked).json() == {}
    verdict = nemo.post("/verify", json=asked | written(*address.task().solve())).json()
    assert (verdict["reward"], verdict["reward_components"]["progress"]) == (1, 1)
    assert verdict["verifier_metadata"] == asked["verifier_metadata"]
    tagged = asked | written(TAGS.write(next(iter(address.task().solve()))))
    assert nemo.post("/verify", json=tagged).json()["reward"] < 1
    asked["verifier_metadata"]["answer_format"] = "loud"
    assert nemo.post("/seed_session", json=asked).status_code == 422


def test_nemo_gym_plays_by_tools(nemo):
    asked = row(WORLD)
    names = [tool["name"] for tool in asked["responses_create_params"]["tools"]]
    assert {"agenda", "answer"} <= {*names}
    nemo.post("/seed_session", json=asked)
    for move in CALLS[:-1]:
        wish = json.loads(move)
        response = nemo.post(f"/{wish['tool']}", json=wish["args"])
        assert response.json()["done"] is False
        assert "palaestra_session" in response.cookies  # agents keep those of the last answer only
    response = nemo.post("/dance", json={})
    assert response.json()["observation"].startswith("Error: there is no tool 'dance'")
    assert "palaestra_session" in response.cookies
    response = nemo.post("/agenda", content="[")
    assert (response.status_code, "palaestra_session" in response.cookies) == (422, True)
    for _ in range(2):  # which may be asked for again
        response = nemo.post("/verify", json=asked | used(last="All is booked.")).json()
        assert (response["reward"], response["status"]) == (1, "scored")
    response = nemo.post("/list_rooms", json={}).json()
    assert response == {"observation": "Error: the episode is over", "done": False}


def test_nemo_gym_plays_games_by_a_tool_for_answers(nemo):
    asked = row(GAME)
    nemo.post("/seed_session", json=asked)
    responses = [nemo.post("/answer", json={"text": guess}).json() for guess in GUESSES]
    assert [one["done"] for one in responses] == [False] * (len(GUESSES) - 1) + [True]
    assert nemo.post("/verify", json=asked | used(last="I won")).json()["reward"] == 1
    nemo.post("/seed_session", json=asked)
    nemo.post("/answer", json={"text": "111"})
    responses = nemo.post("/verify", json=asked | used(last=TAGS.write(GUESSES[-1]))).json()
    assert (responses["reward"], responses["status"]) == (
        0,
        "no_answer",
    )  # it stopped in the middle


def test_nemo_gym_reads_what_was_played_where_it_forgot(nemo):
    verdict = nemo.post("/verify", json=row(WORLD) | used(*CALLS[:-1], last="Done!")).json()
    assert verdict["reward"] == 1
    verdict = nemo.post("/verify", json=row(WORLD) | used(*CALLS[:-2], call("dance"))).json()
    assert verdict["reward"] < 1
    verdict = nemo.post("/verify", json=row(GAME) | written(*map(TAGS.write, GUESSES), "ha")).json()
    assert verdict["reward"] == 1
    moves = [call("answer", text=guess) for guess in GUESSES]
    assert nemo.post("/verify", json=row(GAME) | used(*moves, last="hm")).json()["reward"] == 1
    lost = {"cookies": {"palaestra_session": "gone"}}
    client = httpx.Client(base_url=nemo.base_url, **lost)
    assert client.post("/verify", json=row(GAME) | used(*moves)).json()["reward"] == 1
    client.close()


def test_nemo_gym_takes_the_answer_after_calls_from_the_text(nemo):
    address = Address.of("arithmetic/word_problem+tools(calculator,2)", 1, 2)
    (answer,) = address.task().solve()
    calls = [call("calculator", expression="6 * 7")]
    asked, written_answer = row(address), TAGS.write(answer)
    names = [tool["name"] for tool in asked["responses_create_params"]["tools"]]
    assert names == ["calculator", "answer"]
    for last, value in ((written_answer, 1), (TAGS.write("-7"), 0), ("done", 0)):
        nemo.post("/seed_session", json=asked)
        response = nemo.post("/calculator", json={"expression": "6 * 7"}).json()
        assert response["observation"].startswith("42\n")
        assert nemo.post("/verify", json=asked | used(*calls, last=last)).json()["reward"] == value
        nemo.cookies.clear()  # where it forgot, it plays what is written
        assert nemo.post("/verify", json=asked | used(*calls, last=last)).json()["reward"] == value
    nemo.post("/seed_session", json=asked)
    assert nemo.post("/answer", json={"text": answer}).json()["done"]
    assert nemo.post("/verify", json=asked | used(*calls, last="I am sure.")).json()["reward"] == 1


def test_nemo_gym_turn_by_turn(nemo):
    asked = row(GAME)
    responses = nemo.post("/reset", json=asked).json()
    assert responses == {"observation": None, "info": {}}  # the row has it already
    assert nemo.post("/reset", json={"address": str(GAME)}).json()["observation"]
    responses = [
        nemo.post("/step", json=asked | written(TAGS.write(guess))).json() for guess in GUESSES
    ]
    assert [one["reward"] for one in responses] == earned(GAME, GUESSES)[1]
    assert [one["terminated"] for one in responses] == [False] * (len(GUESSES) - 1) + [True]
    ended = {"correct": True, "status": "scored", "reason": "", "address": str(GAME)}
    assert responses[-1]["info"].items() >= ended.items()
    whole = score(GAME, [TAGS.write(guess) for guess in GUESSES])
    assert responses[-1]["info"]["reward_components"] == whole.parts
    assert "correct" not in responses[0]["info"]
    assert responses[0]["observation"]
    assert responses[-1]["observation"] is None
    asked = row(WORLD)
    nemo.post("/reset", json=asked)
    responses = nemo.post("/step", json=asked | used(*CALLS[:-1], call("dance"))).json()
    outputs = responses["info"]["tool_outputs"]
    assert [one["call_id"] for one in outputs] == [f"c{n}" for n in range(len(CALLS))]
    assert outputs[-1]["output"].startswith("Error: there is no tool 'dance'")
    last = nemo.post("/step", json=asked | written("<answer>done</answer>")).json()
    assert responses["reward"] + last["reward"] == pytest.approx(1)
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
    metrics = nemo.post("/aggregate_metrics", json={"verify_responses": verdicts}).json()
    first, second = metrics["group_level_metrics"]
    assert (first["_ng_task_index"], first["mean/reward"], first["std/reward"]) == (0, 1, 0)
    assert (second["mean/reward"], second["median/reward"]) == (0.5, 0.5)
    assert (second["max/reward"], second["min/reward"], second["std/reward"]) == (1, 0, 0.5)
    assert second["mean/correct"] == pytest.approx(1 / 3)
    assert second["mean/output_tokens"] == 7
    assert metrics["agent_metrics"]["mean/reward"] == pytest.approx(2.5 / 4)
    assert {*metrics["key_metrics"]} == {"mean/reward", "mean/correct", "mean/output_tokens",
                                      "mean/mask_sample"} - {"mean/mask_sample"}  # fmt: skip
    none = nemo.post("/aggregate_metrics", json={"verify_responses": []}).json()
    assert none == {"group_level_metrics": [], "agent_metrics": {}, "key_metrics": {}}
    assert nemo.get("/reverify_mode").json() == "stateless"


@pytest.mark.usefixtures("broken")
def test_nemo_gym_gives_no_reward_for_a_fault_of_ours():
    client = TestClient(build(Settings(protocol="nemo-gym")), raise_server_exceptions=False)
    asked = row(GAME)
    client.post("/seed_session", json=asked)
    response = client.post("/answer", json={"text": "111"})
    assert (response.status_code, "palaestra_session" in response.cookies) == (500, True)
    assert client.post("/verify", json=asked | written("hm")).status_code == 500


def test_tools_are_called_like_no_route_of_ours():
    routes = {"seed_session", "verify", "aggregate_metrics", "reset", "step", "reverify_mode"}
    for name, card in catalog().items():
        if card["kind"] != "puzzle":
            own = {tool["function"]["name"] for tool in Address.of(name).task().tools()}
            assert not own & (routes | {mcp_routes.ANSWER}), name
