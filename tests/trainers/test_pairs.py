"""Attempts as preferences and demonstrations."""

import dataclasses
import json

import pytest

from palaestra import Address, Episode
from palaestra.cli import main
from palaestra.trainers.evaluation.attempts import ATTEMPTS, MANIFEST, Attempt
from palaestra.trainers.pairs import (
    SHAPES,
    HeldOutAttempts,
    PairCounts,
    PairOptions,
    exported_pairs,
)

KNIGHTS, GAME = "logic/knights_and_knaves", "games/mastermind"


def attempt(seed, reply, score, *, env=KNIGHTS, split="train", sample=0, **more):
    replies = (reply,) if isinstance(reply, str) else tuple(reply)
    address = str(Address.of(env, seed, split=split))
    fields = {"address": address, "env": env, "level": 0, "cell": "level 0", "sample": sample}
    return Attempt(
        **fields, problem=str(seed), score=score, status="scored", replies=replies, **more
    )


@pytest.fixture
def folder(tmp_path):
    """Writes attempts as `palaestra calibrate` and `palaestra eval` keep them."""

    def write(*attempts, system="", content="a calibration", name="calibration", **same):
        folder = tmp_path / name
        folder.mkdir()
        numbered = [each.line() for each in attempts]
        (folder / ATTEMPTS).write_text("".join(numbered))
        manifest = {"same": {"system": system, **same}}
        manifest |= {"content": content} if content else {}
        (folder / MANIFEST).write_text(json.dumps(manifest))
        return folder

    return write


def opening(seed):
    return Episode(Address.of(KNIGHTS, seed).task()).observation


def test_wins_are_paired_with_losses_at_the_same_task(folder):
    attempts = [
        attempt(1, "right", 1.0),
        attempt(1, "wrong", 0.0, sample=1),
        attempt(2, "wrong", 0.0),
        attempt(2, "right", 1.0, sample=1),
        attempt(3, "alone", 1.0),
    ]
    counts = PairCounts()
    rows = list(exported_pairs([folder(*attempts)], "dpo", counts=counts))
    assert rows == [
        {
            "prompt": [{"role": "user", "content": opening(seed)}],
            "chosen": [{"role": "assistant", "content": "right"}],
            "rejected": [{"role": "assistant", "content": "wrong"}],
        }
        for seed in (1, 2)
    ]
    assert (counts.attempts, counts.rows) == (5, 2)
    assert +counts.skipped == {"unpaired": 1}


def test_kto_rows_have_labels_and_sft_rows_the_whole_chat(folder):
    file = folder(
        attempt(1, "right", 1.0), attempt(1, "wrong", 0.0, sample=1), system="Think first."
    )
    rows = list(exported_pairs([file], "kto"))
    system = {"role": "system", "content": "Think first."}
    assert [(row["completion"][0]["content"], row["label"]) for row in rows] == [
        ("right", True), ("wrong", False),
    ]  # fmt: skip
    assert all(row["prompt"][0] == system for row in rows)
    (row,) = exported_pairs([file], "sft")
    assert [message["role"] for message in row["messages"]] == ["system", "user", "assistant"]


def test_episodes_of_several_turns_are_demonstrations_but_no_pairs(folder):
    moves = [
        "no guess",
        *(f"<answer>{move}</answer>" for move in Address.of(GAME, 1).task().solve()),
    ]
    file = folder(attempt(1, moves, 1.0, env=GAME), attempt(1, "0", 0.0, env=GAME, sample=1))
    counts = PairCounts()
    assert list(exported_pairs([file], "dpo", counts=counts)) == []
    assert counts.skipped == {"turns": 1, "unpaired": 1}
    counts = PairCounts()
    (row,) = exported_pairs([file], "sft", counts=counts)
    assert +counts.skipped == {"lost": 1}
    spoken = [each["content"] for each in row["messages"] if each["role"] == "assistant"]
    assert spoken == moves
    assert len(row["messages"]) == 2 * len(moves)


def test_attempts_that_no_row_can_hold_are_counted(folder):
    file = folder(
        attempt(1, "unscored", None),
        attempt(1, "half", 0.5, sample=1),
        attempt(1, "cut", 1.0, sample=2, cut=True),
        attempt(1, "tools", 1.0, sample=3, native_tools=True),
        attempt(1, "right", 1.0, sample=4),
        attempt(1, "right", 1.0, sample=5),
        attempt(1, "wrong", 0.0, sample=6),
        dataclasses.replace(attempt(1, "old", 0.0), address=f"{KNIGHTS}@999?seed=1"),
    )
    counts = PairCounts()
    assert len(list(exported_pairs([file], "dpo", counts=counts))) == 1
    assert counts.skipped == {
        "unscored": 1, "between": 1, "cut": 1, "tools": 1, "repeated": 1, "stale": 1,
        "unpaired": 0,
    }  # fmt: skip
    half = PairOptions(win=0.5, lose=0.2)
    (row,) = exported_pairs([file], "dpo", half)
    assert row["chosen"][0]["content"] == "half"


def test_a_retried_attempt_counts_once_and_a_task_has_a_bounded_number_of_rows(folder):
    wins = [attempt(1, f"right {n}", 1.0, sample=n) for n in range(9)]
    file = folder(*wins, attempt(1, "later", 1.0, sample=0))
    rows = list(exported_pairs([file], "sft"))
    assert [row["messages"][-1]["content"] for row in rows] == [
        "later", "right 1", "right 2", "right 3",
    ]  # fmt: skip
    assert len(list(exported_pairs([file], "sft", PairOptions(per_task=7)))) == 7


def test_wins_do_not_crowd_out_the_losses_of_a_task(folder):
    wins = [attempt(1, f"right {n}", 1.0, sample=n) for n in range(6)]
    losses = [attempt(1, f"wrong {n}", 0.0, sample=6 + n) for n in range(2)]
    file, counts = folder(*wins, *losses), PairCounts()
    rows = list(exported_pairs([file], "kto", counts=counts))
    assert [row["label"] for row in rows] == [True, False, True, False]
    assert +counts.skipped == {"beyond": 4}
    counts = PairCounts()
    assert len(list(exported_pairs([file], "dpo", PairOptions(per_task=1), counts))) == 1
    assert +counts.skipped == {"beyond": 2, "unpaired": 4}


@pytest.mark.parametrize("observation", ["image", "both"])
def test_attempts_at_images_are_in_no_row(folder, observation):
    attempts = attempt(1, "right", 1.0), attempt(1, "wrong", 0.0, sample=1)
    counts = PairCounts()
    file = folder(*attempts, observation=observation)
    assert list(exported_pairs([file], "dpo", counts=counts)) == []
    assert +counts.skipped == {"images": 2}


def test_held_out_attempts_are_refused_unless_they_are_allowed(folder):
    file = folder(attempt(1, "right", 1.0, split="eval"), content="", name="evaluation")
    with pytest.raises(HeldOutAttempts, match="is held out"):
        list(exported_pairs([file], "sft"))
    assert len(list(exported_pairs([file], "sft", PairOptions(allow_held_out=True)))) == 1


@pytest.mark.parametrize("options", [(1.0, 1.0), (0.5, 0.6), (1.5, 0), (1.0, -0.1)])
def test_thresholds_that_are_no_order_are_refused(options):
    with pytest.raises(ValueError, match="scores of losses lie from 0"):
        PairOptions(*options)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_command_writes_rows_and_states_what_is_left_out(folder, shape, capsys, tmp_path):
    file = folder(attempt(1, "right", 1.0), attempt(1, "wrong", 0.0, sample=1))
    argv = ["export-pairs", str(file), "--for", shape, "--out", str(tmp_path / "rows.jsonl")]
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert not end.value.code
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    columns = {"dpo": {"prompt", "chosen", "rejected"}, "kto": {"prompt", "completion", "label"}}
    assert rows
    assert all(row.keys() == columns.get(shape, {"messages"}) for row in rows)
    assert f"{len(rows)} rows of 2 attempts" in capsys.readouterr().err


def test_folders_of_something_else_are_refused(tmp_path, capsys):
    (tmp_path / "other").mkdir()
    with pytest.raises(SystemExit) as end:
        main(["export-pairs", str(tmp_path / "other")])
    assert end.value.code == 2
    assert "holds no evaluation" in capsys.readouterr().err
