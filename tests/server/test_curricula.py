"""Curricula of the service against those in process."""

import asyncio
import json

import httpx2 as httpx
import pytest
from tests.server.examples import CODE, DESK, problem

from palaestra.address import Address
from palaestra.server import curricula as served
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings
from palaestra.trainers import curricula

MIXED = {
    "environments": [
        {"env": "logic/knights_and_knaves", "weight": 3},
        {"env": "games/mastermind", "levels": [2, 0, 2]},
    ],
    "seed": 7,
}

OPTIONS = {"fixed": {"level": 2}, "replay": {"share": 1.0, "capacity": 8}}


@pytest.mark.parametrize("strategy", curricula.STRATEGIES)
def test_a_curriculum_goes_on_where_it_was(tmp_path, strategy):
    """It is what it would be in the trainer's own process, whoever of several servers is asked."""
    settings = Settings(store=f"sqlite:///{tmp_path / 'kept'}")
    options = OPTIONS.get(strategy, {})
    wish = MIXED | {"strategy": strategy, "options": options}
    mixture = [
        *curricula.cells({"logic/knights_and_knaves": 3.0}),
        *curricula.cells({"games/mastermind": 1.0}, [0, 2]),
    ]
    alike = curricula.make(strategy, mixture, seed=7, **options)
    with background_server(build(settings)) as url, httpx.Client(base_url=url) as http:
        made = http.post("/v1/curricula", json=wish)
        assert made.status_code == 201
        name = made.json()["id"]
        first = http.post(f"/v1/curricula/{name}/next", json={"n": 40}).json()["addresses"]
        assert first == [*map(str, alike.sample(40))]
        values = [(text, n % 3 / 2) for n, text in enumerate(first)] + [(first[0], None)]
        values.append((str(CODE), 1.0) if CODE.level not in {0, 2} else (str(DESK), 1.0))
        results = [{"address": text, "value": value} for text, value in values]
        response = http.post(f"/v1/curricula/{name}/feedback", json={"results": results})
        assert response.json() == {"used": 40}
        alike.update(values)
    with background_server(build(settings)) as url, background_server(build(settings)) as other:
        for where in (url, other, url):
            path = f"{where}/v1/curricula/{name}"
            seen = httpx.get(path).json()
            assert seen["state"] == json.loads(json.dumps(alike.state()))
            assert (seen["strategy"], seen["sampled"]) == (strategy, alike.sampled)
            later = httpx.post(f"{path}/next", json={"n": 40}).json()["addresses"]
            assert later == [*map(str, alike.sample(40))]
            assert all(Address.parse(text).split == "train" for text in later)
        assert httpx.delete(f"{url}/v1/curricula/{name}").status_code == 204
        problem(httpx.get(f"{other}/v1/curricula/{name}"), 404, "unknown-curriculum")


def test_every_kind_of_curriculum_is_offered(http):
    schemas = http.get("/openapi.json").json()["components"]["schemas"]
    fields = (schema.get("properties", {}) for schema in schemas.values())
    wish = next(schema for schema in fields if {"strategy", "environments"} <= {*schema})
    assert {*wish["strategy"]["enum"]} == {*curricula.STRATEGIES}
    options = {
        name for strategy in curricula.STRATEGIES.values() for name in curricula._options(strategy)
    }
    assert {*served.CurriculumOptions.model_fields} == options - {"split"}


@pytest.mark.parametrize("strategy", curricula.STRATEGIES)
def test_options_at_their_bounds_break_no_curriculum(http, strategy):
    """Divisions by nothing, numbers beyond all bounds: none of them is let in."""
    schema = served.CurriculumOptions.model_json_schema()["properties"]
    own = curricula._options(curricula.STRATEGIES[strategy]) - {"split"}
    for bound in ("minimum", "maximum"):
        options = {name: _bounds_of(schema[name])[bound] for name in own}
        made = http.post("/v1/curricula", json=MIXED | {"strategy": strategy, "options": options})
        assert made.status_code == 201, made.text
        path = f"/v1/curricula/{made.json()['id']}"
        for value in (0.0, 1.0, 0.5, None):
            drawn = http.post(f"{path}/next", json={"n": 30}).json()["addresses"]
            results = [{"address": text, "value": value} for text in drawn]
            assert http.post(f"{path}/feedback", json={"results": results}).status_code == 200
        assert http.get(path).status_code == 200


def _bounds_of(schema):
    return next(one for one in schema["anyOf"] if "minimum" in one)


def test_many_ask_a_curriculum_at_once(url, http):
    name = http.post("/v1/curricula", json=MIXED).json()["id"]

    async def ask_all():
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            path = f"/v1/curricula/{name}/next"
            return await asyncio.gather(*(client.post(path, json={"n": 5}) for _ in range(60)))

    addresses = [text for one in asyncio.run(ask_all()) for text in one.json()["addresses"]]
    assert len(addresses) == len({*addresses}) == 300
    assert http.get(f"/v1/curricula/{name}").json()["sampled"] == 300


def test_two_servers_change_a_curriculum_at_once(tmp_path):
    settings = Settings(store=f"sqlite:///{tmp_path / 'kept'}")
    with background_server(build(settings)) as left, background_server(build(settings)) as right:
        name = httpx.post(f"{left}/v1/curricula", json=MIXED).json()["id"]

        async def ask_all():
            async with httpx.AsyncClient(timeout=60) as client:
                paths = [f"{url}/v1/curricula/{name}/next" for url in (left, right)] * 15
                return await asyncio.gather(*(client.post(path, json={}) for path in paths))

        addresses = [one.json()["addresses"][0] for one in asyncio.run(ask_all())]
        assert len({*addresses}) == 30
        assert httpx.get(f"{right}/v1/curricula/{name}").json()["sampled"] == 30


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"environments": []}, 422),
        ({"environments": ["no/thing"]}, 404),
        ({"environments": [{"env": "games/mastermind", "levels": [99]}]}, 422),
        ({"environments": ["games/mastermind"], "strategy": "wild"}, 422),
        ({"environments": ["games/mastermind"], "seed": -1}, 422),
        ({"environments": ["games/mastermind"] * 2}, 422),
        ({"environments": [{"env": "games/mastermind", "weight": 0}]}, 422),
        ({"environments": ["games/mastermind"], "options": {"level": 1}}, 422),
        ({"environments": ["games/mastermind"], "strategy": "sec", "options": {"rate": 2}}, 422),
        ({"environments": ["games/mastermind"], "strategy": "sec", "options": {"rat": 0}}, 422),
    ],
)
def test_wishes_for_curricula_that_cannot_be(http, wish, status):
    assert http.post("/v1/curricula", json=wish).status_code == status


def test_a_curriculum_is_its_owner_s(guarded):
    keys = {"headers": {"x-api-key": "sesame"}}, {"headers": {"x-api-key": "slow"}}
    with httpx.Client(base_url=guarded) as http:
        name = http.post("/v1/curricula", json=MIXED, **keys[0]).json()["id"]
        assert http.get(f"/v1/curricula/{name}", **keys[0]).status_code == 200
        assert http.get(f"/v1/curricula/{name}", **keys[1]).status_code in {404, 429}
        strange = {"results": [{"address": "games/mastermint?seed=1", "value": 1}]}
        document = problem(
            http.post(f"/v1/curricula/{name}/feedback", json=strange, **keys[0]),
            422, "invalid-request",
        )  # fmt: skip
        assert document["errors"][0]["pointer"] == "/results/0/address"
        assert "games/mastermind" in document["detail"]
        feedback = {"results": [{"address": str(CODE), "value": 7}]}
        refused = http.post(f"/v1/curricula/{name}/feedback", json=feedback, **keys[0])
        problem(refused, 422, "invalid-request")


def test_a_curriculum_starts_from_success_rates(tmp_path):
    """The same as in process; a name is that of a model, never of a file of the server."""
    prior = {"logic/knights_and_knaves": {"0": 0.95, "1": 0.5}}
    file = tmp_path / "profiles.yaml"
    file.write_text("format: 1\nprofiles: []\n")
    alike = curricula.make(
        "adarft", curricula.cells({"logic/knights_and_knaves": 1.0}), seed=7,
        prior={"logic/knights_and_knaves": {0: 0.95, 1: 0.5}},
    )  # fmt: skip
    body = {"strategy": "adarft", "environments": ["logic/knights_and_knaves"], "seed": 7}
    with background_server(build(Settings())) as url, httpx.Client(base_url=url) as http:
        begun = http.post("/v1/curricula", json={**body, "prior": prior}).json()
        state = http.get(f"/v1/curricula/{begun['id']}").json()["state"]
        assert state == json.loads(json.dumps(alike.state()))
        knights = "logic/knights_and_knaves"
        for wrong in ({knights: {"0": 2}}, {knights: {"-1": 0.5}}, {"games/chess": {"0": 0.5}}, 3):
            response = http.post("/v1/curricula", json={**body, "prior": wrong})
            assert "/prior" in str(problem(response, 422, "invalid-request")["errors"])
        response = http.post("/v1/curricula", json={**body, "profile": str(file)})
        assert "no profile of" in str(problem(response, 422, "invalid-request"))
        both = http.post("/v1/curricula", json={**body, "prior": prior, "profile": "x"})
        assert "or from a profile" in str(problem(both, 422, "invalid-request"))
        uniform = http.post("/v1/curricula", json={**body, "strategy": "uniform", "prior": prior})
        detail = str(problem(uniform, 422, "invalid-request"))
        assert "does not start from success rates" in detail
