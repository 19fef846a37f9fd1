"""Held-out tasks in a corpus are found by their addresses and by their texts."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.cli import main
from palaestra.episode import Episode
from palaestra.trainers.audits import Reserve, held_out_addresses
from palaestra.trainers.audits import reserve as reserves
from palaestra.trainers.rows import task_row

KNIGHTS, CODE = "logic/knights_and_knaves", "games/mastermind"
COUNTS = "strings/letter_counting"
EVAL = str(Address.of(KNIGHTS, 3, 1, "eval"))
TRAIN = str(Address.of(KNIGHTS, 3, 1))


def opening(seed, split="eval", level=2, name=KNIGHTS):
    return Episode(Address.of(name, seed, level, split).task(), reserves.SILENT).observation.strip()


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
        f"{TRAIN},{EVAL}",
        f'"{TRAIN};{EVAL}"',
        f"|{TRAIN}|{EVAL}|",
        rf"{TRAIN}\n{EVAL}",
        f"https://example.org/play?task={EVAL}#top",
        "games/mastermind+retry(2,verdict)@1?guesses=8&seed=2147483648",
        "games/mastermind@1?seed=4294967295&guesses=8",
        "games/mastermind?level=1%26seed=2147483648",
        "games/mastermind?level=1&amp;seed=2147483648",
        r"games/mastermind?level=1\u0026seed=2147483648",
        r"logic/knights\_and\_knaves@1?people=2&seed=2147483649",
        r"games\/mastermind?seed=2147483649",
        "Games/Mastermind?seed=2147483649",
        f"games/mastermind?{'x' * 5_000}=1&seed=2147483649",
        "games/mastermind?level=1&split=eval&seeds=0:100",
        "games/mastermind?level=1&split=eval.",
        "(games/mastermind?split=eval)",
    ],
)
def test_addresses_of_held_out_tasks(text):
    (address,) = held_out_addresses(text)
    assert re.match(r"(games/mastermind|logic/knights_and_knaves)[+@?]", address, re.IGNORECASE)
    assert re.search(r"(seed=\d{10}|split=eval|:100|guesses=8)$", address)


@pytest.mark.parametrize(
    "text",
    [
        TRAIN,
        "games/mastermind?seed=2147483647",
        "games/mastermind?seed=99999999999",
        "games/mastermind?seed=21474836480000",
        "seed=2147483648",
        "https://example.org/a?seed=7&myseed=2147483648",
        "games/mastermind?seeds=0:3000000000",
        "games/mastermind?split=evaluation",
        "games/mastermind seed=2147483648",
    ],
)
def test_other_texts(text):
    assert [*held_out_addresses(text)] == []


@given(st.text(alphabet="a/?&=@+ %2seed18\\_;n", max_size=200))
def test_any_text_can_be_read(text):
    assert all("/" in address for address in held_out_addresses(text))


def test_texts_of_held_out_tasks_are_recognised(reserve):
    for seed in range(20):
        text = opening(seed)
        framed = f"Solve this.\n\n{text}\n\nGood luck!"
        for variant in (text, framed, " ".join(text.split()), f"Now: {text}\n".encode()):
            (match,) = reserve.look({"messages": [{"content": variant}]}, 7)
            assert match == (7, str(Address.of(KNIGHTS, seed, 2, "eval")), "text")


@pytest.mark.parametrize(
    "name",
    [
        CODE, "strings/binary_alternation", "tools/small_shop", "planning/blocksworld",
        "graphs/bridges_and_articulation_points", "logic/common_time_slot", "tools/log_analysis",
        "language/corrupted_table", "matches/othello", "programs/predict_output",
    ],
)  # fmt: skip
def test_exported_tasks_are_recognised_and_training_tasks_are_not(name):
    known = Reserve()
    for level in (0, 2):
        known.add(name, level, 15)
    for level in (0, 2):
        for seed in range(15):
            address = Address.of(name, seed, level, "eval")
            matches = known.look(task_row(address)["messages"])
            assert str(address) in {match.address for match in matches}
            openings = {Episode(Address.parse(each.address).task()).observation for each in matches}
            assert len(openings) == 1  # of tasks that look alike, all are named
            assert known.look(task_row(Address.of(name, seed, level))["messages"]) == []


def test_a_task_that_goes_on_is_another_one():
    known = Reserve()
    known.add(COUNTS, 0, 10)
    texts = [opening(seed, level=0, name=COUNTS) for seed in range(10)]
    for text in texts:
        assert known.look(text)
        assert not known.look(text[:-1])
    (text, *_) = (text for text in texts if text[-1].isalnum())
    assert not known.look(f"{text}e")
    assert not known.look(f"{text} 7")
    assert known.look(f"{text}\n7")


def test_other_tasks_are_not_taken_for_held_out_ones(reserve):
    texts = [opening(seed, "train") for seed in range(60)]
    texts += [opening(seed) for seed in range(20, 60)]
    texts += [opening(seed)[: len(opening(seed)) // 2] for seed in range(20)]
    assert [match for text in texts for match in reserve.look(text)] == []


def test_an_address_counts_before_a_text(reserve):
    (match,) = reserve.look(task_row(Address.of(KNIGHTS, 3, 2, "eval")))
    assert match.by == "address"


def test_tasks_that_are_too_short_are_counted(monkeypatch):
    monkeypatch.setattr(reserves, "ANCHOR", 2_000)
    known = Reserve()
    known.add(KNIGHTS, 0, 10)
    assert known.short == {KNIGHTS: 10}


def test_all_texts_of_a_value_are_looked_at():
    deep = EVAL
    for _ in range(3_000):
        deep = [deep]
    assert [each.address for each in Reserve().look({"a": {EVAL: [0, None, deep]}})] == [EVAL]


ESCAPED = EVAL.replace("&", r"\u0026")
FILES = {
    "a.jsonl": (f'{{"a": ["{EVAL}"]}}\nbroken {EVAL}\n[1]\n', [1, 2]),
    "keys.jsonl": (f'{{"a": "{EVAL}", "a": 1}}\n', [1]),
    "bom.jsonl": (f'\ufeff{{"a": "{ESCAPED}"}}', [1]),
    "text_in_text.jsonl": (json.dumps(f'{{"a": "{ESCAPED}"}}'), [1]),
    "pretty.json": (f'{{\n "a": [\n  "{ESCAPED}"\n ]\n}}\n', [1]),
    "lines.json": (f'{{"a": 1}}\n{{"a": "{EVAL}"}}', [2]),
    "b.csv": (f"address,x\n{TRAIN},1\n{EVAL},2\n", [3]),
    "ragged.csv": (f"a,b\n1,2,{EVAL}\n", [2]),
    "header.csv": (f"{EVAL}\n", [1]),
    "c.tsv": (f"a\ta\n{EVAL}\t2\n", [2]),
    "d.txt": (f"\n{TRAIN}\n{EVAL}\n", [3]),
    "e.html": (f"<p>{EVAL.replace('&', '&amp;')}</p>", [1]),
    "none.txt": ("", []),
}


@pytest.mark.parametrize("name", FILES)
def test_files_of_any_sort(tmp_path, name):
    file, (content, rows) = tmp_path / name, FILES[name]
    file.write_text(content, "utf-8")
    assert [match.row for match in Reserve().search(file)] == rows
    if not content.startswith("\ufeff"):
        file.write_text(content, "utf-16")
        assert [match.row for match in Reserve().search(file)] == rows
    if file.suffix in {".csv", ".tsv", ".txt", ".html"}:
        file.write_bytes(b"\xff\xfd\0" + content.encode())
        assert [match.row for match in Reserve().search(file)] == rows


def test_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    file = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"a": [TRAIN, EVAL], "b": [b"x", EVAL.encode()]}), file)
    assert [match.row for match in Reserve().search(file)] == [2]


@pytest.mark.parametrize("before", [0, 1, 3, 497, 498, 499, 500, 501, 1_200])
def test_a_task_on_several_lines_of_a_text(reserve, tmp_path, before):
    file, text = tmp_path / "page.txt", opening(4)
    assert text.count("\n") > 3
    file.write_text("word\n" * before + f"{text}\n" + "word\n" * 700, "utf-8")
    address = str(Address.of(KNIGHTS, 4, 2, "eval"))
    assert [*reserve.search(file)] == [(before + 1, address, "text")]


def test_lines_are_counted_in_each_file(reserve, tmp_path):
    known = Reserve()
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"word\n{EVAL}\n")
        assert [match.row for match in known.search(tmp_path / name)] == [2]
    assert known.rows == 4


def test_few_anchors_of_long_openings_are_compared():
    """There are openings of a million characters."""
    assert len([*reserves._anchors("ab " * 300_000)]) <= 2 * reserves.ANCHORS


def test_the_command(tmp_path, capsys):
    file, report = tmp_path / "corpus.txt", tmp_path / "report.jsonl"
    file.write_text(f"{TRAIN}\n{EVAL}\n{opening(5, level=1)}\n")
    arguments = ["check-data", str(file), "--report", str(report)]
    assert code(*arguments) == 1
    shown = capsys.readouterr()
    assert "1 of " in shown.out
    assert "recognised by their addresses alone; --env" in " ".join(shown.err.split())
    assert code(*arguments, "--env", "logic/knights_*", "--tasks", "10") == 1
    shown = capsys.readouterr()
    assert f"{file}:3: {Address.of(KNIGHTS, 5, 1, 'eval')} (text)" in shown.out
    assert "addresses alone" not in shown.err
    (first, second) = map(json.loads, report.read_text().splitlines())
    assert (first["row"], first["by"], second["row"], second["by"]) == (2, "address", 3, "text")
    file.write_text(f"{TRAIN}\n")
    assert code(*arguments) == 0
    assert code(*arguments, "--env", "logic/knigths") == 2
    rows = tmp_path / "surrogates.jsonl"
    rows.write_text('{"a": "games/mastermind+\\ud800@1?seed=2147483648"}\n' + json.dumps(EVAL))
    assert code("check-data", str(rows)) == 1
    assert "2 of 2 rows" in capsys.readouterr().out


def code(*arguments):
    with pytest.raises(SystemExit) as end:
        main([*arguments])
    return end.value.code
