"""Rewards that recipes shape, over HTTP."""

import json

import pytest
from tests.server.examples import JSON, KNIGHTS, RIGHT, ask, connected, problem

RECIPE = "Truth(right=1, wrong=-1, partial=0) + 0.5 * SoftOverlong(limit=100, buffer=50)"


def test_a_recipe_makes_a_reward_of_a_score(url, http):
    """The score stays what it is; the reward stands beside it."""
    long = {**(item := {"address": str(KNIGHTS), "replies": RIGHT}), "replies": "y" * 9_000 + RIGHT}
    asked = {"recipe": RECIPE, "transcript": {"tokens": 75}}
    for body in (item, long, item | {"replies": ["not read", RIGHT][1:]}):
        response = http.post("/v1/score", json=body | asked).json()
        assert (response["value"], response["reward"]) == (1, 0.75)
    wrong = http.post("/v1/score", json=item | asked | {"replies": "no"}).json()
    assert (wrong["value"], wrong["reward"]) == (0, -1.25)
    assert "reward" not in http.post("/v1/score", json=item).json()
    gate = {"recipe": "Format() * Truth(partial=0)"}
    assert http.post("/v1/score", json=item | gate).json()["reward"] == 0
    thought = {"replies": f"<think>so</think>{RIGHT}"}
    assert http.post("/v1/score", json=item | gate | thought).json()["reward"] == 1
    with connected(url) as line:
        assert ask(line, op="score", **item, **asked)["result"]["reward"] == 0.75


def test_a_group_is_paid_by_a_recipe(http):
    group = {
        "address": str(KNIGHTS), "responses": [RIGHT, RIGHT, "no", RIGHT], "recipe": RECIPE,
        "transcripts": [{"tokens": 50}, {"tokens": [1] * 100}, {"tokens": 5}, None],
        "transforms": ["mean", "leave_one_out", "pass@1", "majority"],
    }  # fmt: skip
    response = http.post("/v1/score/group", json=group).json()
    *paid, lost = response["results"]
    assert [one["reward"] for one in paid] == [1, 0.5, -1]
    assert (lost["value"], lost["error"]) == (None, "bad-recipe")  # it wants to know of tokens
    made = response["transforms"]
    assert made["mean"] == pytest.approx(0.5 / 3)
    assert made["leave_one_out"] == pytest.approx([1.25, 0.5, -1.75, None])
    assert made["pass@1"] == pytest.approx(2 / 3)
    plain = http.post("/v1/score/group", json={**group, "recipe": None}).json()
    assert not any("reward" in one for one in plain["results"])
    assert plain["transforms"]["mean"] == 0.75
    refused = http.post("/v1/score/group", json={**group, "recipe": "NGramRepetition(n=2.5)"})
    problem(refused, 422, "bad-recipe")
    short = http.post("/v1/score/group", json={**group, "transcripts": [None]})
    assert "as many transcripts" in problem(short, 422, "invalid-request")["detail"]


def test_a_session_ends_with_the_reward_of_its_recipe(url, http):
    wish = {"address": str(KNIGHTS), "recipe": RECIPE, "n": 3}
    keyed = {"idempotency-key": "of a recipe"}
    (one, two, three) = http.post("/v1/sessions", json=wish, headers=keyed).json()["sessions"]
    path = f"/v1/sessions/{one['session']}"
    step = {"step": 0, "move": RIGHT}
    problem(http.post(f"{path}/step", json=step), 422, "bad-recipe")  # which was no move, then
    assert http.get(path).json()["step"] == 0
    for _ in range(2):
        result = http.post(f"{path}/step", json=step | {"transcript": {"tokens": 75}}).json()
        assert (result["score"]["value"], result["score"]["reward"], result["reward"]) == (
            1,
            0.75,
            1,
        )
    assert "reward" not in http.get(path).json()["score"]
    items = [{"session": two["session"], **step, "transcript": {"tokens": 100}}]
    (result,) = http.post("/v1/sessions/step", json={"items": items}).json()["results"]
    assert result["score"]["reward"] == 0.5
    with connected(url) as line:
        wish_too = {"address": str(KNIGHTS), "recipe": "Format() * Truth(partial=0)"}
        (own,) = ask(line, op="open", **wish_too)["result"]["sessions"]
        result = ask(line, op="step", session=own["session"], **step)["result"]
        assert result["score"]["reward"] == 0
        result = ask(line, op="get", session=own["session"])["result"]
        assert result["score"]["reward"] == 0  # which its reply alone says
        three_ = {"session": three["session"], **step, "transcript": {"tokens": 1}}
        assert ask(line, op="step", **three_)["result"]["score"]["reward"] == 1
    other = http.post("/v1/sessions", json={**wish, "recipe": None}, headers=keyed)
    problem(other, 409, "idempotency-conflict")
    problem(http.post("/v1/sessions", json={**wish, "recipe": "Truth("}), 422, "bad-recipe")


def test_recipes_in_a_batch_fail_by_themselves(http):
    item = {"address": str(KNIGHTS), "replies": RIGHT}
    items = [
        item | {"recipe": RECIPE},  # which wants to know of tokens
        item,
        item | {"recipe": "Truth("},
        item | {"recipe": "Truth()", "address": "no/thing"},
        item | {"recipe": "Truth()", "transcript": {"tokens": [1.0, 2, 3]}},
    ]
    results = http.post("/v1/score/batch", json={"items": items}).json()["results"]
    errors = ["bad-recipe", None, "bad-recipe", "unknown-environment", None]
    assert [one["error"] for one in results] == errors
    assert [one.get("reward", "none") for one in results] == ["none"] * 4 + [1]


@pytest.mark.parametrize(
    "recipe",
    [
        "", "1", "Truth", "Truth()()", "print()", "__import__('os').system('true')", "Truth(**{})",
        "Truth() + 1", "'x' * 1000000000", "(1, 2) * 1000000000", "9 ** 9 ** 9", "Truth(right='x')",
        "Truth(right=1e999)", "Truth() + SoftOverlong(limit=9)", "-Truth()", "Truth(partial=2)",
        "[Truth() for _ in 'x']", "(lambda: 1)()", "Truth().check", "(" * 400 + ")" * 400,
        "-" * 900 + "1", "Clip(" * 40 + "Truth()" + ", 0, 1)" * 40,
        "Truth(right=10 ** 9)", "0 * Truth()", "\x00", "\ud800", "Reward(Reward(Truth()))",
        "Format(tags=3)", "Format(tags=(3,)) * Truth()", "Confidence(rule='x')", "1" * 900,
        "NGramRepetition(n=0)", "Truth(1, 0, 0, 0)", "f'{1}'", "Truth(); Truth()",
        "NGramRepetition(n=2.5)", "CosineLength(right=(1, 2, 3))", "Format(tags='ab')",
        "Clip(Truth(), 'a', 1)", "SoftOverlong(limit=True)", "CosineLength(exceed='x')",
        "Confidence(rule=('brier',))", "Reward(Truth(), 1)", "L1Max(target=1" + "0" * 300 + ")",
        "Format(tags=('\\d',))", "1or 2", "0x1for x in y", "Truth(right=1if 1else 2)",
    ],
)  # fmt: skip
def test_recipes_that_cannot_be_are_refused(http, recipe):
    body = json.dumps({"address": str(KNIGHTS), "replies": RIGHT, "recipe": recipe})
    problem(http.post("/v1/score", content=body, headers=JSON), 422, "bad-recipe")


def test_a_recipe_that_changes_the_order_has_to_say_so(http):
    item = {"address": str(KNIGHTS), "replies": RIGHT, "transcript": {"tokens": 9}}
    careless = "Truth() + SoftOverlong(limit=8, buffer=2)"
    problem(http.post("/v1/score", json=item | {"recipe": careless}), 422, "bad-recipe")
    recipe = f"Reward({careless}, allow_order_change=True)"
    assert http.post("/v1/score", json=item | {"recipe": recipe}).json()["reward"] == 0
