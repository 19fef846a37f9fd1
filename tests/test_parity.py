"""The page that sets our environments beside those of other collections."""

import runpy
from pathlib import Path

import pytest

import palaestra

ROOT = Path(__file__).parents[1]
MADE = runpy.run_path(str(ROOT / "benchmarks/parity.py"))
HELD = MADE["families"]()


def test_the_pages_are_what_the_data_say():
    for name, text in MADE["pages"]().items():
        assert (ROOT / "docs" / name).read_text("utf-8") == text, name


def test_what_is_named_exists_and_what_is_missing_has_a_reason():
    names = set(palaestra.names())
    assert len({row["family"] for row in HELD}) == len(HELD) > 150
    for row in HELD:
        assert set(row["ours"]) <= names, row["family"]
        assert row["kind"] in MADE["KINDS"], row["family"]
        assert bool(row["ours"]) == (row["kind"] in {"full", "partial"}), row["family"]
        assert row["kind"] in {"full", "missing"} or row.get("note"), row["family"]
        assert row["peers"], row["family"]
        assert set(row["peers"]) <= MADE["PEERS"].keys()


def test_all_families_of_the_large_collections_are_judged():
    counts = {peer: sum(peer in row["peers"] for row in HELD) for peer in MADE["PEERS"]}
    assert counts == {
        "reasoning_gym": 104,
        "synlogic": 36,
        "enigmata": 34,
        "korgym": 45,
        "internbootcamp": 83,
        "rlve": 391,
        "reasoning_core": 892,
    }


def test_every_game_has_an_environment_or_a_reason():
    names, games = set(palaestra.names()), MADE["families"]("parity_games.yaml")
    assert len({row["family"] for row in games}) == len(games) == 131
    for row in games:
        assert set(row["ours"]) <= names, row["family"]
        assert row["kind"] in MADE["KINDS"], row["family"]
        assert bool(row["ours"]) == (row["kind"] in {"full", "partial"}), row["family"]
        assert row["kind"] == "full" or row.get("note"), row["family"]
        assert set(row["peers"]) <= MADE["GAMES"].keys(), row["family"]
    assert {peer for row in games for peer in row["peers"]} == MADE["GAMES"].keys()


METHODS = {row["method"]: row for row in MADE["methods"]()}


def test_the_named_papers_have_a_counterpart():
    named = {"MathIF", "Unary feedback", "RLCR", "TTRL", "Hint ladders", "Composition"}
    assert named <= METHODS.keys()


@pytest.mark.parametrize("method", METHODS)
def test_the_address_of_a_method_is_a_task_whose_oracle_scores_1(method):
    task = palaestra.Address.parse(METHODS[method]["address"]).task()
    episode = palaestra.Episode(task, "bare")
    for move in task.solve():
        episode.step(move)
    assert episode.score.value == 1
