"""What an evaluation measures, against an oracle."""

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from tests.trainers.evaluation.endpoints import KNIGHTS, SMALL, Endpoint, run

from palaestra import Address, Episode
from palaestra.trainers.evaluation import (
    Suite,
)
from palaestra.trainers.evaluation.oracle import serving


@pytest.mark.parametrize("errors", [0.0, 0.3, 0.9, 1.0])
def test_it_finds_the_error_rate_of_an_oracle(errors, tmp_path):
    suite = Suite.of(
        [KNIGHTS, "counting/dice_probability", "games/mastermind", "tools/meeting_desk"], [1], 30
    )
    endpoint = Endpoint(suite, errors)
    with endpoint.serving() as url:
        done = run(url, suite, out=tmp_path, concurrency=16)
    report = done.report()
    success = report["overall"]["success"]
    assert success["low"] <= 1 - errors <= success["high"]
    assert success["high"] - success["low"] < 0.2
    wrong = {opening for opening in endpoint.oracle.known if endpoint.oracle.errs(opening)}
    for attempt in done.attempts:
        opening = Episode(Address.parse(attempt.address).task()).observation
        assert attempt.score is not None
        assert (attempt.score == 1) is (opening not in wrong)
    assert report["complete"]
    assert report["overall"]["attempts"] == suite.tasks == 120
    assert {env["env"] for env in report["environments"]} == {cell.env for cell in suite.cells}
    turns = {env["env"]: env["turns"] for env in report["environments"]}
    assert turns[KNIGHTS] == 1 < turns["games/mastermind"]
    assert all(Address.parse(each.address).split == "eval" for each in done.attempts)


def test_samples_differ_by_their_seed_and_give_pass_at_k(tmp_path):
    suite = Suite.of([KNIGHTS, "games/mastermind"], [2], 25)
    endpoint = Endpoint(suite, 0.4)
    with endpoint.serving() as url:
        done = run(url, suite, samples=4, seed=7, concurrency=16)
    overall = done.report()["overall"]
    assert {seed for _, seed, _ in endpoint.asked} == {7, 8, 9, 10}
    assert [*overall["pass_at_k"]] == ["1", "2", "4"]
    for k, share in overall["pass_at_k"].items():
        assert share["low"] <= 1 - 0.4 ** int(k) <= share["high"]
    assert overall["pass_at_k"]["1"]["value"] == overall["success"]["value"]
    assert overall["success"]["value"] < overall["pass_at_k"]["2"]["value"]
    without = run_unseeded(suite)
    assert without["pass_at_k"]["4"]["value"] == without["pass_at_k"]["1"]["value"]


def run_unseeded(suite):
    """The same without a seed: an oracle then says the same each time."""
    with Endpoint(suite, 0.4).serving() as url:
        return run(url, suite, samples=4).report()["overall"]


def test_what_is_sent():
    endpoint = Endpoint(SMALL)
    options = {"temperature": 0.5, "max_tokens": 9, "extra_body": {"top_k": 3}}
    seen = []

    async def keep(request):
        seen.append(await request.json())
        return await endpoint.answer(request)

    route = Route("/v1/chat/completions", keep, methods=["POST"])
    with serving(Starlette(routes=[route])) as url:
        done = run(url, SMALL, system="Think.", **options)
    assert all(wish["temperature"] == 0.5 and wish["top_k"] == 3 for wish in seen)
    assert all("extra_body" not in wish and "seed" not in wish for wish in seen)
    assert {wish["messages"][0]["content"] for wish in seen} == {"Think."}
    assert done.report()["settings"] == options | {"system": "Think."}


@pytest.mark.parametrize("concurrency", [1, 5])
def test_no_more_at_a_time_than_asked_for(concurrency):
    endpoint = Endpoint(SMALL, delay=0.01)
    with endpoint.serving() as url:
        run(url, SMALL, concurrency=concurrency)
    assert endpoint.busiest == concurrency
