"""The OpenAPI document against what the routes do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.examples import CODE, KNIGHTS, MOVES, RIGHT, problem

from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings

PACKING = """
import msgspec
import schemathesis


def packable(value):
    if isinstance(value, dict):
        return {name: packable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [*map(packable, value)]
    is_vast = type(value) is int and not -(2**63) <= value < 2**63
    return float(value) if is_vast else value


@schemathesis.serializer("application/msgpack")
def pack(_, value):
    return msgspec.msgpack.encode(packable(value))


@schemathesis.deserializer("application/msgpack")
def unpack(_, response):
    return msgspec.msgpack.decode(response.content)
"""

WITH_422 = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "403", "404", "405", "409", "422"]
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paths", "settings"),
    [
        ("^/", WITH_422),
        ("^/$|^/livez|^/version|^/v1/(score/batch|sessions/step|environments)$", ""),
    ],
    ids=["whole", "to the letter"],
)
def test_the_service_is_as_its_document_says(tmp_path, paths, settings):
    """Schemathesis asks for what the document allows and for what it does not, and finds nothing.

    What is well formed and still means nothing (levels that an environment does not have) is
    refused with 422, which no schema can say; where schemas say all, not even that is let pass.
    """
    command = Path(sys.executable).with_name("schemathesis")
    if not command.exists():
        pytest.skip("no schemathesis here: pip install schemathesis")
    (tmp_path / "packing.py").write_text(PACKING)
    (tmp_path / "settings.toml").write_text(settings)
    with background_server(build(Settings(store=f"sqlite:///{tmp_path / 'kept'}"))) as url:
        result = subprocess.run(
            [command, "--config-file", "settings.toml", "run", f"{url}/openapi.json",
             "--include-path-regex", paths, "--max-examples", "15", "--seed", "20",
             "--generation-database", "none", "--request-timeout", "600",
             "--phases", "examples,coverage,fuzzing,stateful" if settings else "coverage,fuzzing"],
            capture_output=True, text=True, cwd=tmp_path, timeout=1_100, check=False,
            env=os.environ | {"SCHEMATHESIS_HOOKS": "packing", "PYTHONPATH": str(tmp_path)},
        )  # fmt: skip
    assert result.returncode == 0, result.stdout[-9_000:] + result.stderr[-2_000:]
    assert "validation skipped" not in result.stdout, result.stdout[-9_000:]


def test_both_readers_take_what_the_document_allows(http):
    """Whole numbers may be written like floats, and a batch is not refused for one of its moves."""
    item = {"address": str(KNIGHTS), "replies": RIGHT, "timeout_ms": 5000.0}
    assert http.post("/v1/score", json=item).json()["value"] == 1
    response = http.post("/v1/score", json=item | {"timeout_ms": 5000.5})
    assert problem(response, 422, "invalid-request")["errors"][0]["pointer"] == "/timeout_ms"
    opened = http.post("/v1/sessions", json={"address": str(CODE), "n": 2.0}).json()["sessions"]
    first, second = (one["session"] for one in opened)
    items = [{"session": name, "step": 0.0, "move": MOVES[0]} for name in (first, second, first)]
    response = http.post("/v1/sessions/step", json={"items": items}).json()["results"]
    assert [one["error"] for one in response] == ["step-conflict", None, None]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/tasks", {"env": "games/mastermind", "seeds": {"start": True}}),
        ("/v1/tasks", {"env": "games/mastermind", "seeds": ["1"]}),
        ("/v1/tasks", {"env": "games/mastermind", "level": False}),
        ("/v1/tasks", {"env": "games/mastermind", "level": 1.5}),
        ("/v1/sessions", {"address": str(CODE), "n": "2"}),
        ("/v1/curricula", {"environments": [{"env": "games/mastermind", "levels": [True]}]}),
        ("/openenv/games.mastermind/reset", {"seed": True}),
        ("/compat/agentgym/games.mastermind/reset", {"id": "x", "data_idx": True}),
    ],
)
def test_what_is_no_number_is_taken_for_none(http, path, body):
    problem(http.post(path, json=body), 422, "invalid-request")


def test_methods_that_a_path_has_are_told(http):
    refused = http.put("/v1/sessions/x", json={})
    assert (refused.status_code, refused.headers["allow"]) == (405, "DELETE, GET")
