"""Audits of data sets: each fault, each format, hostile rows, the command."""

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trainers.evaluation.endpoints import command

from palaestra.address import Address
from palaestra.trainers.audits import Audit, Row, UnusableFile, audit_file, rows_of
from palaestra.trainers.audits.audit import states_answer
from palaestra.trainers.audits.files import LONGEST

CLIQUE, FRACTIONS = "graphs/maximum_clique", "arithmetic/fraction_arithmetic"


def faults(*rows, **options):
    audit = Audit(**options)
    return [
        [finding.fault for finding in audit.look(Row(number, values))]
        for number, values in enumerate(rows, 1)
    ]


def row(name, seed=0, split="train"):
    address = Address.of(name, seed, 1, split)
    return {
        "address": str(address),
        "prompt": address.task().prompt(),
        "answer": address.task().answer(),
    }


def test_right_rows_have_no_faults():
    rows = [row(CLIQUE), row(FRACTIONS), {"prompt": "6 * 7?", "answer": 42}]
    rows.append({"problem": "Half of 1?", "answer": "0.5", "gold": r"\frac{1}{2}"})
    rows.append({"prompt": [{"role": "user", "content": "3 + 4?"}], "solution": "7"})
    assert faults(*rows) == [[], [], [], [], []]


def test_wrong_answers_by_the_rules_and_by_the_gold():
    right = row(CLIQUE)
    one = right["answer"].split(", ")[0]
    assert faults({**right, "answer": one}) == [["wrong"]]
    assert faults({**right, "answer": f"<answer>{one}</answer>"}) == [["wrong"]]
    turned = ", ".join(reversed(right["answer"].split(", ")))
    assert faults({**right, "answer": f"So <answer>{turned}</answer>"}) == [[]]
    assert faults({"prompt": "6 * 7?", "answer": "41", "gold": "42"}) == [["wrong"]]
    assert faults({"prompt": "6 * 7?", "response": "Answer: 42", "gold": "42"}) == [[]]


def test_unparsable_rows():
    right = row(CLIQUE)
    assert faults({}, {"prompt": "a?"}, {"answer": "b"}) == [["unparsable"]] * 3
    assert faults({**right, "address": "logic/no_such?seed=1"}) == [["unparsable"]]
    assert faults({**right, "address": "graphs/maximum_clique?nodes=9999999&seed=1"})[0] == [
        "unparsable"
    ]
    assert faults({**row(FRACTIONS), "answer": "no idea whatever"}) == [["unparsable"]]


def test_duplicates_and_contradictions_by_the_reader():
    first = {"prompt": "What is 1/2 as a number?", "answer": "1/2"}
    again = {"prompt": " what is 1/2  as a number?", "answer": "0.5"}
    other = {"prompt": "What is 1/2 as a number?", "answer": "0.6"}
    assert faults(first, first, again, other) == [
        [], ["duplicate"], ["duplicate"], ["contradictory"],
    ]  # fmt: skip
    right = row(CLIQUE)
    turned = {**right, "answer": ", ".join(reversed(right["answer"].split(", ")))}
    assert turned != right
    assert faults(right, turned) == [[], ["duplicate"]]


def test_held_out_tasks_leak_into_training_sets_alone():
    held_out = row(CLIQUE, 5, "eval")
    assert faults(held_out) == [["leaked"]]
    assert faults(held_out, training=False) == [[]]
    audit = Audit()
    audit.hold_out([Row(1, held_out), Row(2, {"prompt": "Who won?", "answer": "Ada"})])
    prompt_alone = {"prompt": held_out["prompt"].upper(), "answer": "x"}
    assert [one.fault for one in audit.look(Row(1, prompt_alone))] == ["leaked"]
    assert [one.fault for one in audit.look(Row(2, {"prompt": "who WON?", "answer": "B"}))] == [
        "leaked"
    ]


@pytest.mark.parametrize(
    ("prompt", "answer", "states"),
    [
        ("Who won?\nAnswer: Ada.", "Ada", True),
        ("2 + 2?\n#### 4", "4", True),
        ("Repeat: the cat sat down", "the cat sat down", True),
        ("Did Ada or Bo win?", "Ada", False),
        ("What is 12 + 30?", "30", False),
        ("Which is right? A) yes B) no", "A", False),
        ("Give the answer as a number.", "5", False),
    ],
)
def test_answers_within_prompts(prompt, answer, states):
    assert states_answer(prompt, answer) is states
    assert faults({"prompt": prompt, "answer": answer}) == [["leaked"] if states else []]


HOSTILE = [
    b"\xff\xfe broken\n",
    b"[" * 100_000 + b"\n",
    b'{"prompt": "a", "answer": ' + b"[" * 5_000 + b"]" * 5_000 + b"}\n",
    b"[1, 2]\n",
    b"{\n",
    b'{"prompt": "\\ud800", "answer": "\\udfff"}\n',
    b'{"prompt": {"a": {"b": []}}, "answer": null, "address": 5}\n',
    b'{"prompt": "n?", "answer": ' + b"9" * 10_000 + b"}\n",
    b'{"prompt": "n?", "answer": 1e999, "gold": NaN}\n',
    b'{"address": "graphs/maximum_clique?seed=1", "answer": "' + b"(" * 90_000 + b'"}\n',
    b'{"prompt": "' + b"answer: " * 20_000 + b'", "answer": "answer: answer: x"}\n',
    b"x" * (LONGEST + 5) + b"\n",
]


def test_hostile_rows_end_nothing(tmp_path):
    file = tmp_path / "rows.jsonl"
    good = json.dumps({"prompt": "6 * 7?", "answer": "42"}).encode() + b"\n"
    file.write_bytes(b"".join(HOSTILE) + good)
    audit = Audit()
    results = [(row.number, findings) for row, findings in audit_file(file, audit)]
    assert results[-1] == (len(HOSTILE) + 1, [])
    assert audit.rows == len(HOSTILE) + 1
    unreadable = [number for number, each in results if "unparsable" in {f.fault for f in each}]
    assert {1, 2, 4, 5, 7, 12} <= {*unreadable}


@given(st.dictionaries(
    st.sampled_from(["prompt", "answer", "gold", "address", "messages", "label", "env", "seed"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=6,
    ),
))  # fmt: skip
def test_any_row_is_looked_at(values):
    audit = Audit()
    audit.look(Row(1, values))
    audit.look(Row(2, values))
    assert audit.rows == 2


def test_the_formats_hold_the_same_rows(tmp_path):
    rows = [{"prompt": f"{n} + 1?", "answer": str(n + 1)} for n in range(5)]
    rows += [{"prompt": 'a "quoted",\nbroken line', "answer": "é"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, ["prompt", "answer"])
        table.writeheader()
        table.writerows(rows)
    names = ["a.jsonl", "a.csv"]
    if pyarrow := pytest.importorskip("pyarrow"):
        from pyarrow.parquet import write_table

        write_table(pyarrow.Table.from_pylist(rows), tmp_path / "a.parquet")
        names.append("a.parquet")
    for name in names:
        assert [dict(each.values) for each in rows_of(tmp_path / name)] == rows


def test_broken_tables(tmp_path):
    file = tmp_path / "a.csv"
    file.write_bytes(b"prompt,answer\na,b,c\nd\n\xff,x\nlast?,y\n")
    errors = [each.error for each in rows_of(file)]
    assert [bool(error) for error in errors] == [True, True, True, False]
    broken = tmp_path / "a.parquet"
    broken.write_bytes(b"PAR1 nothing")
    with pytest.raises(UnusableFile):
        list(rows_of(broken))
    with pytest.raises(UnusableFile):
        rows_of(tmp_path / "a.xlsx")


def test_the_command(tmp_path, capsys):
    clean, faulty, report = (tmp_path / name for name in ("c.jsonl", "f.jsonl", "r.jsonl"))
    clean.write_text(json.dumps(row(CLIQUE)) + "\n")
    assert command("audit", str(clean)) == 0
    assert "0 of 1 rows have faults" in capsys.readouterr().out
    rows = [row(CLIQUE, 1), row(CLIQUE, 1), {"prompt": "a?"}, row(CLIQUE, 2, "eval")]
    faulty.write_text("".join(json.dumps(each) + "\n" for each in rows) + "{\n")
    assert command("audit", str(faulty), "--report", str(report)) == 1
    assert "row 2: duplicate: the same prompt as row 1" in capsys.readouterr().out
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    assert [line["row"] for line in lines] == [2, 3, 4, 5]
    assert lines[0]["findings"][0]["earlier"] == 1
    assert command("audit", str(faulty), "--json") == 1
    summary = json.loads(capsys.readouterr().out)
    expected = {"rows": 5, "faulty": 4, "duplicate": 1, "unparsable": 2, "leaked": 1, "wrong": 0}
    assert summary.items() >= expected.items()
    assert command("audit", str(clean), "--against", str(clean)) == 1
    assert command("audit", str(tmp_path / "x.txt")) == 2
