"""Rows of files: what is audited, what becomes tasks, and how these are judged."""

import json
from pathlib import Path

import pytest

import palaestra
from palaestra.address import StaleVersion
from palaestra.importers.rows import RowsEnvironment, oracle, row_addresses
from palaestra.importers.rows.audit import FAULTS, audited
from palaestra.importers.rows.files import BadColumn, fields_of
from palaestra.importers.rows.presets import PRESETS, BadRow, Fields, judge_of
from palaestra.importers.rows.tables import Table, cells
from palaestra.task import InvalidAnswer, KnobError, NoValidTask
from palaestra.trainers.mixtures import Mixture
from palaestra.trainers.rows import selected_rows
from palaestra.verifiers.verifier import GoldError

SUMS = [{"question": f"What is {n} + {n * n}?", "answer": str(n + n * n)} for n in range(2, 42)]


def audit_of(file, preset="maths", columns=None):
    from pathlib import Path

    return audited(Path(file), preset, columns)


# ------------------------------------------------------------------------------------------- audit


def test_the_audit_states_the_fault_of_each_row(rows):
    file = rows(
        {"question": "What is 6 * 7?", "answer": "42"},
        {"question": "What is 6 * 7?", "answer": "42"},
        {"question": "what is  6 * 7?", "answer": "43"},
        {"question": "Nothing?", "answer": " "},
        {"question": "", "answer": "3"},
        {"question": "Broken?", "answer": "\\frac{1}{0}"},
        "not json",
        {"question": "One half?", "answer": "It is \\boxed{0.5}."},
    )
    audit = audit_of(file)
    assert [(each.row, each.fault) for each in audit.faults] == [
        (2, "duplicate"),
        (3, "contradictory"),
        (4, "no answer"),
        (5, "no question"),
        (6, "unreadable"),
        (7, "unreadable"),
    ]
    assert (audit.rows, audit.accepted, audit.last) == (8, 2, 8)
    assert {each.fault for each in audit.faults} <= FAULTS.keys()


def test_a_gold_that_its_own_verifier_refuses_is_left_out(rows):
    failing = {"question": "Double it.", "tests": [{"input": "2", "output": "4"}]}
    file = rows(
        failing | {"question": "Double a number.", "solution": "print(2 * int(input()))"},
        failing | {"solution": "print(int(input()))"},
        failing | {"question": "Without a solution."},
    )
    audit = audit_of(file, "code-io")
    assert [(each.row, each.fault) for each in audit.faults] == [(2, "refused")]
    assert (audit.accepted, audit.unproved) == (2, 1)


def test_tests_that_all_expect_one_output_are_guessable(rows):
    tests = {"inputs": ["1", "2"], "outputs": ["yes", "yes"]}
    audit = audit_of(rows({"question": "Say yes.", "tests": tests}), "code-io")
    assert [each.fault for each in audit.faults] == ["guessable"]


def test_a_constant_that_is_often_right_is_stated(rows):
    answers = ["B"] * 12 + ["A", "C", "D"] * 4
    file = rows(
        *(
            {"question": f"Question {n}?", "answer": answer, "options": ["w", "x", "y", "z"]}
            for n, answer in enumerate(answers)
        )
    )
    assert audit_of(file, "choice").constants["B"] == 0.5
    assert audit_of(rows(*SUMS)).constants == {}


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_tables_are_read_as_json_lines_are(folder, name):
    if name.endswith("csv"):
        (folder / name).write_text('question,answer\n"What, 1 + 1?",2\nAnd 2 + 2?,4\n')
    else:
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        table = pyarrow.table({"question": ["What, 1 + 1?", "And 2 + 2?"], "answer": ["2", "4"]})
        parquet.write_table(table, folder / name)
    assert audit_of(name).accepted == 2


def test_columns_of_other_names_are_chosen_and_unknown_ones_refused(rows):
    file = rows({"exercise": "1 + 1?", "key": "2"})
    chosen = {"question": "exercise", "answer": "key"}
    assert audit_of(file, columns=chosen).accepted == 1
    with pytest.raises(BadColumn, match=r"no column 'exercize'.*did you mean exercise"):
        audit_of(file, columns={"question": "exercize"})
    with pytest.raises(BadColumn, match="no field 'prompt'"):
        audit_of(file, columns={"prompt": "exercise"})


# ----------------------------------------------------------------------------------------- presets


def right(preset, reply, **fields):
    return judge_of(preset, Fields("?", **fields))(reply).correct


def test_science_has_units_and_options():
    assert right("science", "27.8 m/s", answer="100 km/h")
    assert not right("science", "27.8", answer="100 km/h")  # the unit is part of the answer
    assert not right("science", "27.8 kg", answer="100 km/h")
    options = ["Rome", "Paris"]
    for gold in ("B", "(b)", "Paris", 1):
        assert right("science", "B", answer=gold, options=options)
        assert right("science", "Paris", answer=gold, options=options)
        assert not right("science", "A", answer=gold, options=options)
    assert right("science", "x^2", answer="x*x")


def test_options_may_be_a_mapping_or_json_text():
    for options in ({"text": ["w", "x"], "label": ["A", "B"]}, {"A": "w", "B": "x"}, '["w", "x"]'):
        assert right("choice", "x", answer="B", options=options)
    for bad in (["w"], "w", None):
        with pytest.raises(BadRow, match="options"):
            judge_of("choice", Fields("?", answer="A", options=bad))
    with pytest.raises(BadRow, match="no option"):
        judge_of("choice", Fields("?", answer="y", options=["w", "x"]))


def test_the_type_of_a_row_selects_its_preset():
    assert right("maths", "the Thames", answer="Thames", type="text")
    assert right("text", "1/2", answer="0.5", type="number")


def test_programs_run_in_the_sandbox():
    tests = {"inputs": ["2", "5"], "outputs": ["4", "10"]}
    double = "```python\nprint(2 * int(input()))\n```"
    assert right("code-io", double, tests=tests)
    assert right("code-io", double, tests=json.dumps(tests))
    score = judge_of("code-io", Fields("?", tests=tests))("print(4)")
    assert (score.value, score.reason) == (0, "1 of 2 tests fail (WA)")
    asserts = ["assert double(2) == 4", "assert double(5) == 10"]
    program = "def double(x):\n    return 2 * x"
    assert right("code-asserts", program, tests=asserts)
    assert not right("code-asserts", program.replace("2 *", "3 *"), tests=asserts)
    hack = "import sys\nclass Any:\n    def __eq__(self, other): return True\n"
    assert not right("code-asserts", f"{hack}def double(x): return Any()", tests=asserts)


@pytest.mark.parametrize("preset", ["code-io", "code-asserts"])
@pytest.mark.parametrize("tests", [None, [], "", {"inputs": ["1"], "outputs": []}, 3])
def test_tests_that_are_none_are_refused(preset, tests):
    with pytest.raises(BadRow):
        judge_of(preset, Fields("?", tests=tests))


def test_tables_are_compared_cell_by_cell():
    gold = "name,age\nAda,36\nBo,1200"
    right_ones = (
        "| Name | AGE |\n|:--|--:|\n| ada | 36.0 |\n| Bo | 1,200 |",
        '[{"name": "Ada", "age": 36}, {"name": "Bo", "age": 1200}]',
        "name\tage\nAda\t36\nBo\t1200",
    )
    for text in right_ones:
        assert right("table", text, answer=gold), text
    wrong = gold.replace("36", "37")
    assert Table(gold)(wrong).reason == "row 1 is wrong"
    assert not Table(gold)("name,age\nBo,1200\nAda,36").correct
    assert Table(gold, ordered=False)("name,age\nBo,1200\nAda,36").correct
    with pytest.raises(GoldError, match="no rows"):
        Table("name,age")


@pytest.mark.parametrize("text", ["", "[1, 2]", "[{", "a,b\n1", '[{"a": [1]}]', "[" * 50_000])
def test_texts_that_are_no_tables_are_refused(text):
    with pytest.raises(InvalidAnswer):
        cells(text)


@pytest.mark.parametrize("preset", PRESETS)
def test_hostile_answers_are_wrong(preset):
    fields = Fields(
        "?",
        answer="a,b\n1,2" if preset == "table" else "B",
        options=["x", "y"] if preset in {"choice", "science"} else None,
        tests="assert f() == 1" if preset == "code-asserts" else [{"input": "1", "output": "7"}],
    )
    judge = judge_of(preset, fields)
    for text in ("", " ", "nan", "|" * 19_000, "- " * 9_000, "9" * 19_000, "\ud800", "[[" * 9_000):
        assert judge(text).value == 0, text[:20]


# ------------------------------------------------------------------------------------ environments


@pytest.fixture
def sums(command, rows):
    """An environment of forty questions."""
    code, out, err = command("import", rows(*SUMS, name="sums.jsonl"), "--preset", "maths")
    assert code == 0, err
    assert "40 of 40 rows are accepted" in out
    return "rows/sums"


def test_a_task_is_a_question_without_its_answer(sums):
    task = palaestra.Address.parse(f"{sums}?row=3").task()
    assert isinstance(task, RowsEnvironment)
    assert json.loads(task.model_dump_json()) == {
        "wording": task.wording,
        "row": 3,
        "question": SUMS[2]["question"],
    }
    assert type(task).model_validate_json(task.model_dump_json()) == task
    answer = SUMS[2]["answer"]
    assert palaestra.score(task, f"<answer>{answer}</answer>").correct
    assert palaestra.score(f"{sums}?row=3&seed=9", f"<answer>{answer}</answer>").correct
    assert not palaestra.score(task, "<answer>1</answer>").correct
    assert list(task.solve()) == [answer]


def test_rows_are_held_out_by_a_digest_of_their_question(sums):
    train, held_out = (list(row_addresses(sums, split)) for split in ("train", "eval"))
    rows = [address.knobs.row for address in (*train, *held_out)]
    assert sorted(rows) == list(range(1, 41))
    assert 1 <= len(held_out) <= 15
    assert all(address.task().row == address.knobs.row for address in (*train, *held_out))
    drawn = {palaestra.Address.of(sums, seed).task().row for seed in range(100)}
    assert drawn <= {address.knobs.row for address in train}
    assert len(drawn) > 20
    reserved = {palaestra.Address.of(sums, seed, split="eval").task().row for seed in range(60)}
    assert reserved <= {address.knobs.row for address in held_out}
    with pytest.raises(NoValidTask, match=r"is for evaluation"):
        palaestra.Address.of(sums, row=held_out[0].knobs.row).task()
    with pytest.raises(KnobError):
        palaestra.Address.of(sums, row=41)
    with pytest.raises(ValueError, match="no rows of a file"):
        row_addresses("logic/knights_and_knaves")


def test_a_file_without_rows_of_a_split_says_so(command, rows):
    name = rows({"question": "What is 1 + 1?", "answer": "2"}, name="single.jsonl")
    command("import", name, "--preset", "maths")
    sides = []
    for split in ("train", "eval"):
        try:
            palaestra.Address.of("rows/single", split=split).task()
        except NoValidTask as error:
            sides.append(str(error))
    assert len(sides) == 1
    assert "none of the rows of single.jsonl is for" in sides[0]


def test_a_file_that_changes_is_refused_until_it_is_imported_again(sums, command, rows, folder):
    before = palaestra.Address.of(sums)
    before.task()
    rows(*SUMS[1:], name="sums.jsonl")
    with pytest.raises(StaleVersion, match=r"sums\.jsonl has changed"):
        palaestra.Address.of(sums, seed=1).task()
    code, _, err = command("import", "sums.jsonl", "--preset", "maths")
    assert code == 2
    assert "already exists; --replace writes over it" in err
    assert command("import", "sums.jsonl", "--preset", "maths", "--replace")[0] == 0
    assert "    version = 2\n" in (folder / "envs/rows/sums.py").read_text()
    (folder / "sums.jsonl").unlink()
    code, _, err = command("sample", sums, "--seed", "5")
    assert code == 2
    assert "sums.jsonl cannot be read" in err


def test_rows_are_scored_over_http(sums):
    from fastapi.testclient import TestClient

    from palaestra.server.app import build

    with TestClient(build()) as client:
        wish = {"env": sums, "seeds": [0, 1], "split": "train"}
        tasks = client.post("/v1/tasks", json=wish).json()["tasks"]
        for task in tasks:
            row = palaestra.Address.parse(task["address"]).task().row
            answer = SUMS[row - 1]["answer"]
            body = {"address": task["address"], "replies": [f"<answer>{answer}</answer>"]}
            assert client.post("/v1/score", json=body).json()["value"] == 1
            assert answer not in json.dumps(task["messages"]).replace(SUMS[row - 1]["question"], "")
        missing = client.post("/v1/score", json={"address": f"{sums}?row=99", "replies": ["1"]})
        assert missing.status_code == 422


def test_rows_are_selected_by_trainers_and_mixtures(sums):
    mixture = Mixture({sums: 1.0}, {sums: (0,)})
    (selection,) = mixture.selections(4)
    rows = list(selected_rows(selection))
    assert len(rows) == 4
    for row in rows:
        task = palaestra.Address.parse(row["label"]).task()
        assert task.question in row["prompt"][0]["content"]
    answers = {row["answer"] for row in SUMS}
    assert not answers & {str(value) for row in rows for value in row.values()}


def test_programs_of_a_file_are_tasks(command, rows):
    file = rows(
        {
            "question": "Print twice the number on standard input.",
            "tests": {"inputs": ["2", "7"], "outputs": ["4", "14"]},
            "solution": "print(2 * int(input()))",
        },
        name="programs.jsonl",
    )
    assert command("import", file, "--preset", "code-io")[0] == 0
    task_type = palaestra.load("rows/programs")
    assert "sandboxed" in task_type.tags
    split = "train" if task_type.rows("train") else "eval"
    (address,) = row_addresses("rows/programs", split)
    reply = "<answer>```python\nprint(int(input()) * 2)\n```</answer>"
    assert palaestra.score(address, reply).correct
    assert not palaestra.score(address, "<answer>print(4)</answer>").correct
    assert palaestra.score(address, f"<answer>{address.task().answer()}</answer>").correct


# ----------------------------------------------------------------------------------------- command


def test_the_command_reports_and_writes(command, rows, folder):
    file = rows(*SUMS[:3], {"question": "?", "answer": ""})
    code, out, _ = command(
        "import", file, "--preset", "maths", "--json", "--report", "faults.jsonl", "--name", "few"
    )
    summary = json.loads(out)
    assert (code, summary["environment"], summary["rows"], summary["accepted"]) == (
        0, "rows/few", 4, 3,
    )  # fmt: skip
    (fault,) = map(json.loads, (folder / "faults.jsonl").read_text().splitlines())
    assert (fault["row"], fault["fault"]) == (4, "no answer")
    assert "left_out = frozenset([4])" in (folder / "envs/rows/few.py").read_text()
    code, out, _ = command("show", "rows/few")
    assert "3 questions of questions.jsonl, judged by the preset maths." in out


def test_a_dry_run_writes_nothing(command, rows, folder):
    assert command("import", rows(*SUMS), "--preset", "maths", "--dry-run")[0] == 0
    assert not (folder / "envs").exists()


def test_a_file_without_usable_rows_fails(command, rows, folder):
    code, out, _ = command("import", rows({"question": "?"}), "--preset", "maths")
    assert code == 1
    assert "0 of 1 rows are accepted" in out
    assert not (folder / "envs").exists()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["none.jsonl", "--preset", "maths"], "there is no file 'none.jsonl'"),
        (["reasoning_gym"], "did you mean reasoning-gym?"),
        (["questions.jsonl"], "a file needs --preset"),
        (["questions.jsonl", "--preset", "math"], "did you mean maths?"),
        (["questions.jsonl", "--preset", "maths", "--category", "logic"], "is one of palaestra"),
        (["questions.jsonl", "--preset", "maths", "--category", "../x"], "a category is a name"),
        (["questions.jsonl", "--preset", "maths", "--name", "A b"], "a name is in lower case"),
        (["questions.jsonl", "--preset", "maths", "--only", "x"], "--only and --argument are for"),
        (["questions.jsonl", "--preset", "maths", "--column", "x"], "as name=value"),
        (["reasoning-gym", "--preset", "maths"], "options for files do not apply"),
    ],
)
def test_what_is_wrong_with_a_command_is_one_line(command, rows, argv, message):
    rows(*SUMS)
    code, _, err = command("import", *argv)
    assert code == 2
    assert message in err
    assert err.startswith("palaestra: ")
    assert len(err.splitlines()) == 1


def test_names_with_quotes_and_backslashes_make_valid_files(command, rows):
    name = rows({"question": "1 + 1?", "answer": "2"}, name='odd"\\name.jsonl')
    assert command("import", name, "--preset", "maths")[0] == 0
    assert palaestra.load("rows/odd_name").preset == "maths"


# ------------------------------------------------------------------ published problems

PUBLISHED = {
    "HumanEval": {
        "prompt": 'def double(x):\n    """Return twice x."""\n',
        "canonical_solution": "    return 2 * x\n",
        "test": "def check(candidate):\n    assert candidate(5) == 10",
        "entry_point": "double",
    },
    "MBPP": {
        "prompt": "Write a function double.",
        "code": "import math\ndef double(x):\n    return 2 * x",
        "test_list": ["assert double(2) == 4", "assert math.isclose(double(0.5), 1)"],
        "test_imports": ["import math"],
    },
    "APPS": {
        "question": "Print twice the number.",
        "solutions": json.dumps(["print(2 * int(input()))"]),
        "input_output": json.dumps({"inputs": ["2\n", "5\n"], "outputs": ["4\n", "10\n"]}),
    },
    "APPS with a function": {
        "question": "Write double.",
        "solution": "class Solution:\n    def double(self, x):\n        return 2 * x",
        "input_output": json.dumps({"fn_name": "double", "inputs": [[2], [5]], "outputs": [4, 10]}),
    },
    "LiveCodeBench": {
        "question": "Write double.",
        "solution": "class Solution:\n    def double(self, x):\n        return 2 * x",
        "public_test_cases": json.dumps(
            [
                {"input": "2", "output": "4", "testtype": "functional"},
                {"input": "5", "output": "10", "testtype": "functional"},
            ]
        ),
        "metadata": json.dumps({"func_name": "double"}),
    },
    "DeepCoder": {
        "problem": "Write double.",
        "solution": "def double(x):\n    return 2 * x",
        "tests": json.dumps(
            [
                {"type": "function_call", "fn_name": "double", "input": [2], "output": 4},
                {"type": "function_call", "fn_name": "double", "input": [5], "output": 10},
            ]
        ),
    },
}


@pytest.mark.parametrize("form", PUBLISHED)
def test_published_problems_are_judged_by_their_own_tests(rows, form):
    row = PUBLISHED[form]
    file = rows(row)
    audit = audit_of(file, "code")
    assert (audit.accepted, audit.faults) == (1, [])
    assert audit.unproved == 0  # its solution was run
    ((_, fields, _),) = fields_of(Path(file), preset="code")
    judge = judge_of("code", fields)
    assert judge(oracle(fields, "code")).value == 1
    wrong = {
        "APPS": "print(int(input()) ** 2)",
        "LiveCodeBench": "class Solution:\n    def double(self, x): return x * x",
    }.get(form, "import math\ndef double(x): return x * x")
    assert judge(wrong).value == 0
    assert judge("").value == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"test": "def check(candidate):\n    assert candidate(2) == 4", "entry_point": "f(); x"},
        {"test": "def check(candidate):\n    assert candidate(2) == 4"},
        {"tests": "nothing to see"},
        {"tests": [{"input": "2"}]},
        {"tests": [3, "x"]},
        {"tests": {"inputs": ["2"], "outputs": []}},
        {"tests": [{"input": "[", "output": "4", "testtype": "functional"}], "fn_name": "f"},
        {"tests": [{"input": "2", "output": "4", "testtype": "functional"}]},
    ],
)
def test_tests_of_no_known_form_are_refused(rows, changes):
    audit = audit_of(rows({"question": "Double it.", **changes}), "code")
    assert (audit.accepted, audit.faults[0].fault) == (0, "unreadable")
