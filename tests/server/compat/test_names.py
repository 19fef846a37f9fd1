"""Names of environments in URLs of other protocols."""

import os

import pytest
from fastapi.testclient import TestClient
from tests.server.compat.examples import MASTERMIND, PUZZLE, RIGHT

import palaestra
from palaestra import Address
from palaestra.cli import main
from palaestra.server import compat
from palaestra.server.app import SETTINGS_VARIABLE, build, from_environment, settings_in_environment
from palaestra.server.compat.names import parse_environment
from palaestra.server.problems import InvalidRequest
from palaestra.server.service import Settings


def test_names_say_all_that_can_be_chosen():
    chosen = parse_environment(
        "games.mastermind@1:level=2:split=eval:answer_format=boxed:guesses=9"
    )
    assert chosen.address(7) == Address.of(MASTERMIND, 7, 2, "eval", guesses=9)
    assert (chosen.answer_format, chosen.slug) == ("boxed", "games.mastermind@1")
    assert parse_environment("games.mastermind").address(0) == Address.of(MASTERMIND)
    assert parse_environment("games.mastermind", "bare").answer_format == "bare"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("games.masterminds", palaestra.UnknownEnvironment),
        ("", palaestra.UnknownEnvironment),
        ("games.mastermind@9", palaestra.StaleVersion),
        ("games.mastermind:level=99", palaestra.KnobError),
        ("games.mastermind:guesses=none", palaestra.KnobError),
        ("games.mastermind:gusses=9", palaestra.KnobError),
        ("games.mastermind:level=x", InvalidRequest),
        ("games.mastermind:split=test", InvalidRequest),
        ("games.mastermind:answer_format=loud", InvalidRequest),
        ("games.mastermind:level", InvalidRequest),
        ("games.mastermind:level=1:level=1", InvalidRequest),
    ],
)
def test_names_that_name_nothing(text, error):
    with pytest.raises(error):
        parse_environment(text)


def test_protocols_are_told_of(http, nemo):
    assert {*compat.EVERYWHERE} <= {*http.get("/v1").json()["protocols"]}
    assert "nemo-gym" in nemo.get("/v1").json()["protocols"]
    with pytest.raises(ValueError, match="ors or nemo-gym"):
        build(Settings(protocol="gopher"))


def test_documented_routes_refuse_in_problem_documents(http):
    paths = http.get("/openapi.json").json()["paths"]
    routes = {
        path: methods_of_path
        for path, methods_of_path in paths.items()
        if path.startswith(("/compat", "/openenv"))
    }
    assert len(routes) >= 14
    for methods in routes.values():
        for method in methods.values():
            assert [*method["responses"]["404"]["content"]] == ["application/problem+json"]
    assert len(
        {m["operationId"] for methods_of_path in paths.values() for m in methods_of_path.values()}
    ) == sum(map(len, paths.values()))


@pytest.mark.parametrize("protocol", ["ors", "nemo-gym"])
def test_routes_at_the_root_leave_ours_alone(protocol):
    client = TestClient(build(Settings(protocol=protocol)))
    assert client.post("/v1/score", json={"address": str(PUZZLE), "replies": RIGHT}).json()["value"]
    assert client.get("/livez").json() == {"status": "ok"}
    assert client.get("/v1/environments", params={"limit": 1}).json()["environments"]


def test_a_protocol_is_chosen_on_the_command_line(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "palaestra.server.launcher.serve",
        lambda *arguments, **_: seen.append(arguments[2].protocol),
    )
    for options in ([], ["--protocol", "ors"], ["--protocol", "nemo-gym"]):
        with pytest.raises(SystemExit) as end:
            main(["serve", "--store", "sqlite://", *options])
        assert not end.value.code
    assert seen == ["", "ors", "nemo-gym"]
    with settings_in_environment(Settings(protocol="ors")):
        assert "/create_session" in from_environment().openapi()["paths"]
        assert SETTINGS_VARIABLE not in os.environ
