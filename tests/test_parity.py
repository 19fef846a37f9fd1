"""The page that sets our environments beside those of other collections."""

import runpy
from pathlib import Path

import pytest

import palaestra

ROOT = Path(__file__).parents[1]
MADE = runpy.run_path(str(ROOT / "benchmarks/parity.py"))
HELD = MADE["families"]()


def test_the_page_is_what_the_data_say():
    assert (ROOT / "docs/parity.md").read_text("utf-8") == MADE["page"](HELD)


def test_what_is_named_exists_and_what_is_missing_has_a_reason():
    names = set(palaestra.names())
    assert len({row["family"] for row in HELD}) == len(HELD) > 150
    for row in HELD:
        assert set(row["ours"]) <= names, row["family"]
        assert row["ours"] or row.get("note"), row["family"]
        assert row["peers"], row["family"]
        assert set(row["peers"]) <= MADE["PEERS"].keys()


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
