"""Replies that people have labelled: the layouts of published files, and agreement by type."""

import json

import pytest

from palaestra.cli import main
from palaestra.extras import MissingExtra
from palaestra.verifier_bench import (
    Case,
    NothingMeasured,
    Report,
    Ruling,
    agreement_markdown,
    agreement_rows,
    agreement_tables,
    agreements,
    disagreements,
    labelled,
    load_labelled,
)
from palaestra.verifier_bench.agreement import wilson

VERIFIERBENCH = [
    {"question": "How much is half of 11/8?", "gold_answer": r"\frac{11}{16}",
     "llm_response": r"It is \boxed{0.6875}.", "gold_judgment": "A", "data_source": "made up",
     "domain": "Math", "answer_type": "Numerical"},
    {"question": "Which?", "gold_answer": "['C']", "llm_response": r"So \boxed{B}.",
     "gold_judgment": "B", "data_source": "made up", "domain": "Knowledge",
     "answer_type": "Multiple Choice"},
    {"question": "Which?", "gold_answer": "C", "llm_response": "It is, it is, it is",
     "gold_judgment": "C", "data_source": "made up", "domain": "Knowledge",
     "answer_type": "Multiple Choice"},
]  # fmt: skip
XVERIFY = [
    {"setting": "0_shot", "model_name": "some model", "dataset": "made up", "question": "6 * 7?",
     "key_answer_type": "math", "llm_output": "The answer is 42.", "correct_answer": "42",
     "GPT_4o_final_judgment_result": "Correct", "human_judgment_result": "Correct"},
    {"setting": "0_shot", "model_name": "some model", "dataset": "made up", "question": "6 * 8?",
     "key_answer_type": "math", "llm_output": "The answer is 42.", "correct_answer": 48,
     "GPT_4o_final_judgment_result": "Correct", "human_judgment_result": "Incorrect"},
    {"setting": "0_shot", "model_name": "some model", "dataset": "made up", "question": "6 * 9?",
     "key_answer_type": "math", "llm_output": "The answer is 54.", "correct_answer": "54",
     "GPT_4o_final_judgment_result": "Correct"},
]  # fmt: skip
PLAIN = [
    {"gold": "1/2", "reply": r"\boxed{0.5}", "correct": True, "type": "fraction", "id": "half"},
    {"gold": ["Paris", "Lutetia"], "reply": r"\boxed{Rome}", "correct": False},
    {"gold": "5 km", "reply": r"\boxed{5}", "correct": False, "policy": {"units": "required"}},
]
OWN = [
    {"id": "a", "class": "sums", "kind": "same", "gold": "1", "text": "2", "correct": False,
     "why": "two"},
]  # fmt: skip
SETS = {"verifierbench": VERIFIERBENCH, "xverify": XVERIFY, "plain": PLAIN, "cases": OWN}


def written(folder, rows, suffix):
    file = folder / f"set{suffix}"
    if suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet", reason="no pyarrow here")
        import pyarrow

        parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    elif suffix == ".json":
        file.write_text(json.dumps(rows))
    else:
        file.write_text("\n".join([*map(json.dumps, rows), ""]))
    return file


# ------------------------------------------------------------------ reading


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".parquet"])
@pytest.mark.parametrize("layout", ["verifierbench", "xverify"])
def test_published_layouts_are_recognised_in_every_format(tmp_path, layout, suffix):
    rows = SETS[layout]
    if suffix == ".parquet":
        rows = [row | {"correct_answer": str(row.get("correct_answer"))} for row in rows]
        rows = rows if layout == "xverify" else SETS[layout]
    read = load_labelled(written(tmp_path, rows, suffix))
    assert read.layout == layout
    assert [case.correct for case in read.cases] == [True, False, False][: len(read.cases)]
    assert all(case.kind == "judge" for case in read.cases)
    if layout == "verifierbench":
        assert read.skipped == 0
        assert [case.gold for case in read.cases] == [r"\frac{11}{16}", "C", "C"]
        assert [case.group for case in read.cases] == ["Numerical", *["Multiple Choice"] * 2]
    else:
        assert (read.skipped, len(read.cases)) == (1, 2)
        assert [case.gold for case in read.cases] == ["42", "48"]
        assert {case.group for case in read.cases} == {"math"}


def test_our_own_layouts(tmp_path):
    read = load_labelled(written(tmp_path, PLAIN, ".jsonl"))
    assert read.layout == "plain"
    assert [case.id for case in read.cases] == ["half", "row-2", "row-3"]
    assert [case.group for case in read.cases] == ["fraction", "untyped", "untyped"]
    assert read.cases[1].golds == ("Paris", "Lutetia")
    assert read.cases[2].policy == {"units": "required"}
    (case,) = load_labelled(written(tmp_path, OWN, ".jsonl")).cases
    assert (case.id, case.group, case.kind, case.why) == ("a", "sums", "same", "two")


def test_rows_may_stand_in_an_object(tmp_path):
    file = tmp_path / "x.json"
    file.write_text(json.dumps({"info": {}, "results": PLAIN}))
    assert len(load_labelled(file).cases) == 3


@pytest.mark.parametrize(
    ("gold", "read"),
    [("['C']", "C"), ('["C"]', "C"), ("['A', 'B']", "['A', 'B']"), ("[1]", "[1]"), ("[", "["),
     ("[__import__('os')]", "[__import__('os')]"), ("[" * 500 + "]" * 500, "[" * 500 + "]" * 500),
     ("['" + "x" * 2_000 + "']", "['" + "x" * 2_000 + "']")],
)  # fmt: skip
def test_golds_that_are_lists_of_one(gold, read):
    assert labelled.unlisted(gold) == read


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("x.jsonl", "", "there are no cases in x.jsonl: it is empty"),
        ("x.jsonl", "{", "x.jsonl, line 1 is not JSON"),
        ("x.jsonl", "[1]", "x.jsonl, row 1 is not an object"),
        ("x.jsonl", '{"gold": 1}', "the columns of no layout that is known"),
        ("x.jsonl", '{"gold": 1}', "it has gold"),
        ("x.json", "5", "no list of rows"),
        ("x.json", '{"rows": []}', "no list of rows"),
        ("x.json", "[" * 100_000, "x.json is not JSON"),
        ("x.parquet", "PAR1", "is no Parquet file"),
        ("x.jsonl", '{"gold": {}, "reply": "x", "correct": true}', "row 1: {} is not a text"),
        ("x.jsonl", '{"gold": "1", "reply": null, "correct": true}', "row 1: None is not a text"),
        ("x.jsonl", '{"gold": "1", "reply": "1", "correct": 1}', "correct is true or false, not 1"),
        ("x.jsonl", json.dumps(VERIFIERBENCH[0] | {"gold_judgment": "D"}), "one of A, B, C, not"),
        ("x.jsonl", json.dumps(XVERIFY[0] | {"human_judgment_result": "?"}), "Correct, Incorrect"),
        ("x.jsonl", json.dumps(XVERIFY[2]), "none of its 1 rows has the label of a person"),
        ("x.jsonl", json.dumps(PLAIN[0]) + '\n{"gold": "1"}', "row 2: it has no 'correct'"),
        ("x.jsonl", json.dumps(OWN[0] | {"kind": "other"}), "row 1: 'kind' is same or judge"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, text, reason):
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow", reason="no pyarrow here")
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        load_labelled(file)
    assert reason in str(caught.value)


def test_files_that_are_not_there_or_no_text(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        load_labelled(tmp_path / "x.json")
    (tmp_path / "x.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="not UTF-8"):
        load_labelled(tmp_path / "x.jsonl")


def test_parquet_names_the_extra_that_it_needs(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    (tmp_path / "x.parquet").write_bytes(b"")
    with pytest.raises(MissingExtra, match="parquet"):
        load_labelled(tmp_path / "x.parquet")


# ------------------------------------------------------------------ agreement


def ruling(correct, label, group="sums", status="scored", *, error="", text="text"):
    case = Case(f"{group}-{label}", group, "judge", "gold", text, label)
    return Ruling(case, correct, status, error, 0.0, 0.0)


REPORT = Report(
    "some",
    (
        ruling(True, True),
        ruling(False, True, status="no_answer", text="x" * 500),
        ruling(True, False),
        ruling(False, False, "words"),
        ruling(False, True, "words", "gold_error"),
        ruling(None, False, "words", "", error="ValueError: no"),
    ),
)


def test_false_accepts_and_rejects_are_counted_by_type():
    read = agreements(REPORT)
    assert list(read) == ["all", "sums", "words"]
    assert read["all"].rates() == {
        "agreement": (2, 4), "false_accepts": (1, 2), "false_rejects": (1, 2),
    }  # fmt: skip
    assert read["words"].rates() == {
        "agreement": (1, 1), "false_accepts": (0, 1), "false_rejects": (0, 0),
    }  # fmt: skip
    assert [each.unscored for each in read.values()] == [2, 0, 2]
    (row,) = agreement_rows([REPORT])
    assert row["types"]["all"]["cases"] == 6
    assert row["types"]["words"]["false_rejects"] == {
        "count": 0, "of": 0, "rate": None, "low": 0, "high": 1,
    }  # fmt: skip
    with pytest.raises(NothingMeasured):
        agreements(Report("none"))


def test_tables_have_a_row_for_each_type_and_say_who_is_absent():
    ((heads, rows),) = agreement_tables([REPORT, Report("other", absent="not installed: x")])
    assert [row[:3] for row in rows[:3]] == [
        ["some", "all", "6"], ["some", "sums", "3"], ["some", "words", "3"],
    ]  # fmt: skip
    assert rows[0][3] == "2/4 50.0% (15.0% to 85.0%)"
    assert rows[2][5] == "none"
    assert rows[3][:2] == ["other", "not installed"]
    assert all(len(row) == len(heads) for row in rows)
    assert agreement_markdown([REPORT]).count("\n") == 4
    assert agreement_rows([Report("other", absent="x")]) == [{"candidate": "other", "absent": "x"}]


def test_disagreements_are_listed_with_the_end_of_the_reply():
    lines = list(disagreements([REPORT]))
    assert lines == [
        f"some sums-True (sums): false reject, no_answer: 'gold' and '…{'x' * 200}'",
        "some sums-False (sums): false accept: 'gold' and 'text'",
        "some words-True (words): unscored (gold_error), gold_error: 'gold' and 'text'",
        "some words-False (words): unscored (ValueError: no): 'gold' and 'text'",
    ]


def test_intervals_are_wilson_s():
    # The values of R's prop.test without correction.
    for count, number, low, high in (
        (0, 10, 0, 0.2775),
        (10, 10, 0.7225, 1),
        (15, 50, 0.1910, 0.4375),
    ):
        assert wilson(count, number) == pytest.approx((low, high), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


# ------------------------------------------------------------------ the command


def bench(capsys, *argv):
    try:
        main(["bench", "verifiers", "-c", "palaestra", *argv])
        code = 0
    except SystemExit as end:
        code = end.code or 0
    return code, capsys.readouterr()


@pytest.mark.slow
def test_the_command_reports_agreement(tmp_path, capsys):
    file = str(written(tmp_path, VERIFIERBENCH, ".json"))
    code, shown = bench(capsys, "--cases", file, "--json", "--wrong")
    assert code == 0
    figures = json.loads(shown.out.splitlines()[0])["types"]
    assert figures["all"]["agreement"]["rate"] == 1
    assert set(figures) == {"all", "Numerical", "Multiple Choice"}
    assert "3 replies in the layout verifierbench" in shown.err
    code, shown = bench(capsys, "--cases", str(written(tmp_path, XVERIFY, ".jsonl")), "--markdown")
    assert "| palaestra | math | 2 | 2/2 100.0%" in shown.out
    assert "2 replies in the layout xverify; 1 without a person's label" in shown.err
    code, shown = bench(capsys, "--cases", str(tmp_path / "nothing.json"))
    assert code == 2
    assert "there is no file" in shown.err
