"""Held-out tasks in a corpus are found by their addresses and by their texts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.cli import main
from palaestra.episode import BARE, Episode
from palaestra.trainers.audits import Reserve, Row, corpus_rows, held_out_addresses
from palaestra.trainers.rows import task_row

KNIGHTS = "logic/knights_and_knaves"
EVAL = str(Address.of(KNIGHTS, 3, 1, "eval"))
TRAIN = str(Address.of(KNIGHTS, 3, 1))


def opening(seed, split="eval", level=2):
    return Episode(Address.of(KNIGHTS, seed, level, split).task(), BARE).observation


@pytest.fixture(scope="module")
def reserve():
    known = Reserve()
    known.add(KNIGHTS, 2, 20)
    return known


@pytest.mark.parametrize(
    "text",
    [
        EVAL,
        f"See {EVAL}.",
        f'{{"label": "{EVAL}"}}',
        f"({EVAL})",
        f"[{EVAL}](x) and {TRAIN}",
        "games/mastermind+retry(2,verdict)@1?guesses=8&seed=2147483648",
        "games/mastermind@1?seed=4294967295&guesses=8",
        "games/mastermind?level=1%26seed=2147483648",
        "games/mastermind?level=1&split=eval&seeds=0:100",
    ],
)
def test_addresses_of_held_out_tasks(text):
    (address,) = held_out_addresses(text)
    assert address in text
    assert not address.endswith((".", ")", "]"))


@pytest.mark.parametrize(
    "text",
    [
        TRAIN,
        "games/mastermind?seed=2147483647",
        "games/mastermind?seed=99999999999",
        "seed=2147483648",
        "https://example.org/a?seed=7&myseed=2147483648",
        "games/mastermind?seeds=0:3000000000",
        "games/mastermind seed=2147483648",
    ],
)
def test_other_texts(text):
    assert [*held_out_addresses(text)] == []


@given(st.text(alphabet="a/?&=@+ %2seed18", max_size=200))
def test_any_text_can_be_read(text):
    assert all(each in text for each in held_out_addresses(text))


def test_texts_of_held_out_tasks_are_recognised(reserve):
    for seed in range(20):
        text = opening(seed)
        for variant in (
            text,
            f"Solve this.\n\n{text.upper()}\n\nGood luck!",
            " ".join(text.split()),
        ):
            (match,) = reserve.look(Row(7, {"messages": [{"content": variant}]}))
            assert match == (7, str(Address.of(KNIGHTS, seed, 2, "eval")), "text")


def test_other_tasks_are_not_taken_for_held_out_ones(reserve):
    texts = [opening(seed, "train") for seed in range(60)]
    texts += [opening(seed) for seed in range(20, 60)]
    texts += [opening(seed)[: len(opening(seed)) // 2] for seed in range(20)]
    assert [match for text in texts for match in reserve.look(Row(1, {"text": text}))] == []


def test_an_address_counts_before_a_text(reserve):
    row = task_row(Address.of(KNIGHTS, 3, 2, "eval"))
    (match,) = reserve.look(Row(1, row))
    assert match.by == "address"


def test_tasks_that_are_too_short_are_counted():
    known = Reserve()
    known.add("arithmetic/power_digits", 0, 10)
    assert known.similar
    assert known.similar + len(known.addresses) == 10


def test_all_texts_of_a_row_are_looked_at():
    deep = EVAL
    for _ in range(3_000):
        deep = [deep]
    assert [each.address for each in Reserve().look(Row(1, {"a": {EVAL: [0, None, deep]}}))] == [
        EVAL
    ]


def test_files_of_any_sort(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"a": [EVAL]}) + "\nbroken " + EVAL + "\n[1]\n")
    (tmp_path / "b.csv").write_text(f"address,x\n{TRAIN},1\n{EVAL},2\n")
    (tmp_path / "c.txt").write_bytes(b"\xff\xfe\n" + EVAL.encode() + b"\n")
    for name, numbers in (("a.jsonl", [1, 2]), ("b.csv", [2]), ("c.txt", [2])):
        rows = corpus_rows(tmp_path / name)
        assert [row.number for row in rows if Reserve().look(row)] == numbers


def test_the_command(tmp_path, capsys):
    file, report = tmp_path / "corpus.txt", tmp_path / "report.jsonl"
    file.write_text(f"{TRAIN}\n{EVAL}\n{' '.join(opening(5, level=1).split())}\n")
    arguments = ["check-data", str(file), "--report", str(report)]
    assert code(*arguments) == 1
    assert "1 of 3 rows contain held-out tasks" in capsys.readouterr().out
    assert code(*arguments, "--env", "logic/knights_*", "--tasks", "10") == 1
    assert f"{file}:3: {Address.of(KNIGHTS, 5, 1, 'eval')} (text)" in capsys.readouterr().out
    (first, second) = map(json.loads, report.read_text().splitlines())
    assert (first["row"], first["by"], second["row"], second["by"]) == (2, "address", 3, "text")
    file.write_text(f"{TRAIN}\n")
    assert code(*arguments) == 0
    assert code(*arguments, "--env", "logic/knigths") == 2


def code(*arguments):
    with pytest.raises(SystemExit) as end:
        main([*arguments])
    return end.value.code
