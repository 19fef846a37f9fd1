"""Rows of a curriculum for veRL, without veRL."""

from pathlib import Path

import pytest

from palaestra.address import Address
from palaestra.trainers.curricula import cells, make
from palaestra.trainers.verl_curricula import LiveRows, live_rows, outcomes_of

PUZZLE, GAME = "logic/knights_and_knaves", "games/mastermind"
MIXTURE = f"""
environments: {{{PUZZLE}: 1, {GAME}: 3}}
levels: {{{PUZZLE}: [0, 1], {GAME}: [1]}}
answer_format: boxed
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "mixture.yaml").write_text(MIXTURE)
    return tmp_path / "mixture.yaml"


def levels(rows):
    return {Address.parse(rows[n]["address"]).level for n in range(len(rows))}


def test_rows_are_those_of_the_mixture(file):
    rows = live_rows(file, {"tasks": 64, "strategy": "uniform", "seed": 3})
    assert len(rows) == 64
    envs = [rows[n]["env"] for n in range(64)]
    assert {*envs} == {PUZZLE, GAME}
    assert envs.count(GAME) > envs.count(PUZZLE)
    assert rows[5] == rows[5]
    assert rows[5]["extra_info"]["index"] == 5
    assert rows[5]["prompt"][0]["content"].endswith("\\boxed{}.")
    assert {frozenset(rows[n]) for n in range(64)} == {frozenset(rows[0])}
    assert live_rows(file, {"tasks": 1}, answer_format="tags")[0]["answer_format"] == "tags"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "best"}, "a curriculum is uniform, "),
        ({"unlocks": 1}, "frontier has no unlocks; it has"),
        ({"tasks": 0}, "one task at least, not 0"),
    ],
)
def test_options_that_are_none_are_refused(file, options, message):
    with pytest.raises(ValueError, match=message):
        live_rows(file, options)


def test_the_rows_after_a_batch_follow_what_was_learnt(file):
    rows = live_rows(file, {"tasks": 32, "unlock": 0.5, "least": 4})
    assert {Address.parse(row["address"]).level for row in _of(rows, PUZZLE)} == {0}
    before = list(rows.addresses)
    rows.learn((str(address), 1.0) for address in before for _ in range(4))
    assert rows.addresses != before
    assert len(rows) == 32
    assert {Address.parse(row["address"]).level for row in _of(rows, PUZZLE)} == {0, 1}


def _of(rows, env):
    return [rows[n] for n in range(len(rows)) if rows[n]["env"] == env]


def test_a_curriculum_learns_from_the_mean_of_a_group_and_nothing_from_faults():
    curriculum = make("frontier", cells({PUZZLE: 1.0}))
    rows = LiveRows(curriculum, 2)
    one, other = map(str, rows.addresses)
    rows.learn([(one, 1.0), (one, 0.0), (one, None), (other, None)])
    assert curriculum.counts[0] == 1
    assert curriculum.rates[0] == 0.5


def test_a_state_brings_back_rows_and_curriculum(file):
    rows = live_rows(file, {"tasks": 8})
    rows.learn((str(address), 1.0) for address in rows.addresses)
    state, kept = rows.state(), list(rows.addresses)
    other = live_rows(file, {"tasks": 8, "seed": 9})
    other.restore(state)
    assert other.addresses == kept
    rows.learn([])
    other.learn([])
    assert other.addresses == rows.addresses


def test_prompts_that_do_not_fit_are_replaced_by_others_of_their_level(file):
    curriculum = make("fixed", cells({PUZZLE: 1.0}), level=1)
    seen = []
    rows = LiveRows(curriculum, 4, fits=lambda row: len(seen) % 3 == 2 or seen.append(row))
    first = rows.addresses[0]
    row = rows[0]
    assert row["address"] != str(first)
    assert row["address"] == str(rows.addresses[0])
    assert Address.parse(row["address"]).level == 1
    with pytest.raises(ValueError, match=r"none has a prompt within data\.max_prompt_length"):
        LiveRows(curriculum, 1, fits=lambda row: False)[0]


def test_outcomes_are_read_from_the_columns_of_a_batch():
    truths = [{"ground_truth": "a"}, {"ground_truth": "b"}]
    columns = {"reward_model": truths, "acc": [1.0, 0.0], "unscored": [0.0, 1.0]}
    assert outcomes_of(columns) == [("a", 1.0), ("b", None)]
    with pytest.raises(ValueError, match="the batch has no acc"):
        outcomes_of({"reward_model": truths})


def test_the_recipe_has_the_files_of_one():
    folder = Path(__file__).parents[2] / "examples/verl"
    readme = (folder / "README.md").read_text()
    for name in (file.name for file in folder.iterdir() if file.name != "README.md"):
        assert f"`{name}`" in readme, name
    rows = live_rows(folder / "mixture.yaml", {"tasks": 3})
    assert len({*map(str, rows.addresses)}) == 3
