"""Combinations over HTTP: sampled, scored and played like any other environment."""

from palaestra import Address
from palaestra.catalog import recorded_fingerprint
from palaestra.combinators import COMBINATORS
from palaestra.registry import load

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


def test_cards_list_the_combinators_that_apply(http):
    card = http.get("/v1/environments/arithmetic.long_multiplication").json()
    listed = {each["name"]: each for each in card["combinators"]}
    base = load(BASE)
    assert set(listed) == {name for name, each in COMBINATORS.items() if not each().refusal(base)}
    assert {"retry", "batch", "tools"} <= set(listed) < set(COMBINATORS)
    tries, feedback = listed["retry"]["arguments"]
    assert (tries["name"], tries["minimum"], tries["maximum"], tries["default"]) == (
        "tries",
        2,
        10,
        3,
    )
    assert feedback["enum"] == ["none", "verdict", "reason"]
    assert http.get("/v1/environments/games.minesweeper").json()["combinators"] == []


def test_a_combination_has_a_card(http):
    card = http.get("/v1/environments/arithmetic.long_multiplication+retry(2)").json()
    assert card["name"] == f"{BASE}+retry(2,verdict)"
    assert (card["kind"], card["combinators"]) == ("task", [])
    assert card["fingerprint"] == recorded_fingerprint(card["name"])
    base = http.get("/v1/environments/arithmetic.long_multiplication").json()
    assert card["knobs_schema"] == base["knobs_schema"]
    assert card["levels"] == base["levels"]
    assert http.get(f"/v1/environments/{card['slug']}").json() == card


def test_combinators_are_listed_with_their_environments(http):
    listed = {row["name"]: row for row in http.get("/v1/combinators").json()["combinators"]}
    assert list(listed) == list(COMBINATORS)
    assert BASE in listed["choices"]["environments"]
    assert "games/minesweeper" not in listed["batch"]["environments"]
    assert listed["retry"]["default"] == "retry(3,verdict)"


def test_a_combinator_with_the_name_of_an_environment(http):
    name = f"{BASE}+branch(arithmetic.word_problem,2,0)"
    card = http.get(f"/v1/environments/{name.replace('/', '.')}").json()
    assert card["name"] == name
    assert http.get(f"/v1/environments/{card['slug']}").json() == card
    request = {"env": f"{BASE}+branch(arithmetic/word_problem)", "seeds": [3], "split": "train"}
    row = http.post("/v1/tasks", json=request).json()["tasks"][0]
    assert row["address"] == str(Address.of(name, 3))
    (answer,) = Address.of(name, 3).task().solve()
    item = {"address": row["address"], "replies": f"<answer>{answer}</answer>"}
    assert http.post("/v1/score", json=item).json()["value"] == 1
    (session,) = http.post("/v1/sessions", json={"address": row["address"]}).json()["sessions"]
    assert session["address"] == row["address"]
