"""What the store records, and its replay."""

import json

import httpx2 as httpx
import pytest
from tests.server.examples import CODE, KNIGHTS, MOVES, RIGHT, ask, connected
from typer.testing import CliRunner

from palaestra import cli
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings


@pytest.fixture
def recorded(tmp_path):
    """A store with rollouts of every route that scores."""
    url = f"sqlite:///{tmp_path / 'kept'}"
    item = {"address": str(KNIGHTS), "replies": RIGHT}
    with background_server(build(Settings(store=url, record=True))) as where:
        with httpx.Client(base_url=where, timeout=60) as http:
            assert http.post("/v1/score", json=item).json()["value"] == 1
            wrong = item | {"replies": "no"}
            http.post("/v1/score/batch", json={"items": [item, wrong, {**item, "address": "x"}]})
            group = {"address": str(KNIGHTS), "responses": [RIGHT, [RIGHT]]}
            http.post("/v1/score/group", json=group)
            long = {**item, "replies": "y" * 50_000 + RIGHT}
            assert http.post("/v1/score", json=long).json()["value"] == 1
            lines = {"accept": "application/x-ndjson"}
            http.post("/v1/score/batch", json={"items": [item]}, headers=lines)
            (one,) = http.post("/v1/sessions", json={"address": str(CODE)}).json()["sessions"]
            for n, move in enumerate(MOVES):
                http.post(f"/v1/sessions/{one['session']}/step", json={"step": n, "move": move})
        with connected(where) as line:
            ask(line, op="score", **item)
    return url


def _replay(*arguments):
    return CliRunner().invoke(cli.app, ["replay", *arguments])


def test_recorded_rollouts_are_scored_anew(recorded):
    result = _replay("--store", recorded)
    assert result.exit_code == 0, result.output
    assert "9 the same, 0 differ" in result.output
    result = _replay("games/mastermind", "--store", recorded)
    assert "1 the same, 0 differ" in result.output


def test_rewards_that_differ_are_said(recorded, monkeypatch):
    from palaestra.envs.logic.knights_and_knaves import KnightsAndKnaves
    from palaestra.task import Score

    monkeypatch.setattr(KnightsAndKnaves, "verify", lambda *_: Score(0.25, "stricter now"))
    result = _replay("--store", recorded)
    assert result.exit_code == 1
    assert result.output.count("1 (scored), now 0.25 (scored)") == 7
    assert "2 the same, 7 differ" in result.output


def test_rollouts_of_other_versions_are_scored_by_the_installed_one(recorded, monkeypatch):
    from palaestra.address import _parsed
    from palaestra.envs.games.deduction.mastermind import Mastermind

    monkeypatch.setattr(Mastermind, "version", 2)
    _parsed.cache_clear()
    result = _replay("games/mastermind", "--store", recorded)
    _parsed.cache_clear()
    assert "as games/mastermind@2?" in result.output  # another task, where the old moves are wrong
    assert "0 the same, 1 differ" in result.output


def test_rollouts_of_what_is_gone_are_said(recorded, monkeypatch):
    def gone(text):
        raise LookupError(f"{text} is gone")

    monkeypatch.setattr("palaestra.replay.Address.parse", gone)
    result = _replay("--store", recorded)
    assert result.exit_code == 1
    assert "0 the same, 0 differ, 9 cannot be scored any more" in result.output


def test_rollouts_are_written_as_lines_and_parquet(recorded, tmp_path):
    lines = tmp_path / "rollouts.jsonl"
    assert _replay("--store", recorded, "--no-score", "--out", str(lines)).exit_code == 0
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert len(rows) == 9
    assert rows[0]["address"] == str(KNIGHTS)
    assert rows[0]["replies"] == [RIGHT]
    assert rows[0]["prompt"][0]["role"] == "user"
    assert [row["value"] for row in rows] == [1, 1, 0, 1, 1, 1, 1, 1, 1]
    datasets = pytest.importorskip("datasets")
    file = tmp_path / "rollouts.parquet"
    result = _replay("--store", recorded, "--format", "parquet", "--out", str(file))
    assert result.exit_code == 0, result.output
    read = datasets.Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache"))
    assert read.num_rows == 9
    assert [*read["value"]] == [*read["value_now"]]
    assert all(read["same"])


def test_nothing_is_recorded_unless_asked(tmp_path):
    url = f"sqlite:///{tmp_path / 'kept'}"
    with background_server(build(Settings(store=url))) as where:
        httpx.post(f"{where}/v1/score", json={"address": str(KNIGHTS), "replies": RIGHT})
    assert "0 the same" in _replay("--store", url).output
