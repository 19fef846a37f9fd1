"""Faults of rows that an import finds, and rows that are not what they seem to be."""

import json
from pathlib import Path

import pytest

import palaestra
from palaestra.importers.rows import row_addresses
from palaestra.importers.rows.audit import audited
from palaestra.importers.rows.guesses import same_value, stub
from palaestra.importers.rows.presets import BadRow, Fields, judge_of, question_of
from palaestra.importers.rows.tables import Table, cells
from palaestra.trainers.audits import UnusableFile
from palaestra.trainers.audits.audit import names_answer

ADD = "def add(a, b):\n    return a + b"


def faults_of(file, preset="maths"):
    return [(each.row, each.fault) for each in audited(Path(file), preset).faults]


# ------------------------------------------------------------------------------- questions


def test_options_that_the_question_lacks_are_shown(command, rows):
    options = ["Rome", "Paris", "Oslo", "Bern"]
    file = rows(
        *({"question": f"Capital {n}?", "options": options, "answer": "B"} for n in range(9)),
        {
            "question": "Capital? A) Rome\n(B) Paris C. Oslo D: Bern",
            "options": options,
            "answer": 1,
        },
    )
    assert command("import", file, "--preset", "science")[0] == 0
    shown = [
        address.task().question
        for split in ("train", "eval")
        for address in row_addresses("rows/questions", split)
    ]
    assert "Capital 0?\n\nA. Rome\nB. Paris\nC. Oslo\nD. Bern" in shown
    assert "Capital? A) Rome\n(B) Paris C. Oslo D: Bern" in shown  # has them already


def test_the_same_question_with_other_options_is_another_one(rows):
    file = rows(
        {"question": "Which is true?", "options": ["1 < 2", "2 < 1"], "answer": "A"},
        {"question": "Which is true?", "options": ["3 < 2", "2 < 3"], "answer": "B"},
        {"question": "Which is true?", "options": ["3 < 2", "2 < 3"], "answer": 1},
    )
    assert faults_of(file, "choice") == [(3, "duplicate")]


def test_answers_name_options_by_their_own_labels():
    numbered = {"text": ["wood", "iron"], "label": ["1", "2"]}
    turned = {"text": ["wood", "iron"], "label": ["B", "A"]}
    for answer, options in (("2", numbered), (2, numbered), ("A", turned), (1, ["wood", "iron"])):
        judge = judge_of("choice", Fields("Metal?", answer=answer, options=options))
        assert judge("iron").correct, (answer, options)
        assert judge("B").correct, (answer, options)
    many = {str(n): f"metal {n}" for n in range(1, 13)}
    assert judge_of("choice", Fields("?", answer="10", options=many))("J").correct
    with pytest.raises(BadRow, match="the label of one option and the text of another"):
        judge_of("choice", Fields("Letter?", answer="A", options=["C", "B", "A"]))


@pytest.mark.parametrize(
    ("chat", "question"),
    [
        ([("system", "Be brief."), ("user", "2 + 2?")], "2 + 2?"),
        ([("user", "2 + 2?"), ("assistant", "4")], "2 + 2?"),
        ([("user", "2?"), ("assistant", "4"), ("user", "And 3?")], ""),
        ([("assistant", "4")], ""),
    ],
)
def test_the_question_of_a_chat_is_not_its_answer(rows, chat, question):
    from palaestra.importers.rows.files import fields_of

    messages = [{"role": role, "content": text} for role, text in chat]
    ((_, fields, _),) = fields_of(Path(rows({"messages": messages, "answer": "4"})))
    assert fields.question == question


# ------------------------------------------------------------------------------- faults


def test_rows_of_other_types_are_audited_by_their_own_presets(command, rows):
    program = {"tests": {"inputs": ["2", "3"], "outputs": ["4", "6"]}, "type": "code-io"}
    file = rows(
        {"question": "1 + 1?", "answer": "2"},
        {"question": "Table?", "answer": [{"a": 1, "b": 2}], "type": "table"},
        {"question": "Double.", "solution": "print(2 * int(input()))", **program},
        {"question": "Double it.", **program},
        {"question": "Which?", "answer": 1, "options": ["x", "y"], "type": "mcq"},
    )
    audit = audited(Path(file), "maths")
    assert (audit.faults, audit.unproved, audit.programs) == ([], 1, 2)
    assert command("import", file, "--preset", "maths")[0] == 0
    task_type = palaestra.load("rows/questions")
    assert "sandboxed" in task_type.tags
    replies = {
        address.task().row: list(address.task().solve())
        for split in ("train", "eval")
        for address in row_addresses("rows/questions", split)
    }
    program = "print(2 * int(input()))"
    assert replies == {1: ["2"], 2: ['[{"a": 1, "b": 2}]'], 3: [program], 4: [], 5: ["B"]}


def test_equal_answers_in_other_forms_are_duplicates(rows):
    questions = [("1/2", "One half?"), ("0.5", "one half?"), ("0.6", "One  half?")]
    file = rows(*({"question": text, "answer": answer} for answer, text in questions))
    assert faults_of(file) == [(2, "duplicate"), (3, "contradictory")]


@pytest.mark.parametrize(
    ("question", "answer", "is_leaked"),
    [
        ("What is 6 * 7? Answer: 42", "42", True),
        ("The answer is 42. What was the question? Answer: 42.", "42", True),
        (r"Compute 6 * 7. Solution: \boxed{42}", "42", True),
        ("6 * 7?\n#### 42", "42", True),
        ("Is 42 the product of 6 and 7? Put it into \\boxed{}.", "42", False),
        ("What is 4.5 - 0.5? Answer: 4.5 less 0.5", "4", False),
        ("Choose the correct answer: a b c", "a", False),
        ("The answer is between 40 and 50. Which is it?", "42", False),
        ("Which is a capital? Answer:\n1. Paris\n2. Lyon", "1", False),
        ("Answer:\n1) Lyon\n2. Paris", "2", False),
    ],
)
def test_questions_that_state_their_answers_are_left_out(rows, question, answer, is_leaked):
    assert names_answer(question, answer) == is_leaked
    file = rows({"question": question, "answer": answer})
    assert faults_of(file) == ([(1, "leaked")] if is_leaked else [])


def test_a_program_in_its_question_is_a_leak(rows):
    tests = ["assert add(1, 2) == 3", "assert add(2, 2) == 4"]
    file = rows({"question": f"Write this:\n{ADD}", "tests": tests, "solution": ADD})
    assert faults_of(file, "code-asserts") == [(1, "leaked")]


@pytest.mark.parametrize(
    ("tests", "fault"),
    [
        ("assert True", "guessable"),
        ("try:\n    assert add(1, 2) == 3\nexcept Exception:\n    pass", "guessable"),
        ("assert add(1, 2)\nassert add(2, 3)", "guessable"),
        ("assert not add(1, 2)\nassert not add(2, 3)", "guessable"),
        ("assert add(1, 2) == [3]\nassert add(2, 1) == [3]", "guessable"),
        ("assert add(1, 2) ==", "unreadable"),
        ("(" * 300 + "assert add(1, 2) == 3", "unreadable"),
        ("assert add(1, 2) == 3\nassert add(2, 2) == 4", None),
        ("assert add(1, 2) == 3", None),
        ("assert add(1, -1) == 0\nassert add(-1, 1) == 0.0\nassert add(1, 1) == 2", None),
    ],
)
def test_assertions_have_to_tell_programs_apart(rows, tests, fault):
    faults = faults_of(rows({"question": "Add.", "tests": tests}), "code-asserts")
    assert faults == ([(1, fault)] if fault else [])


def test_calls_of_published_records_have_to_differ(rows):
    def record(*outputs):
        calls = {"fn_name": "add", "inputs": [[1, 2], [2, 2]], "outputs": list(outputs)}
        return {"question": "Add.", "input_output": json.dumps(calls), "solution": ADD}

    assert faults_of(rows(record(3, 4)), "code") == []
    same = record(3, 3) | {"solution": ""}
    assert faults_of(rows(same), "code") == [(1, "guessable")]


def test_tests_that_contradict_each_other_are_unsolvable(rows):
    tests = {"inputs": ["1", "2", "1"], "outputs": ["2", "3", "4"]}
    assert faults_of(rows({"question": "?", "tests": tests}), "code-io") == [(1, "unsolvable")]


def test_suites_are_read_without_being_run():
    import ast

    suite = "import solution\nfrom math import pi\nx = 1\nassert solution.f(x, pi) == len([g(2)])"
    assert stub(ast.parse(suite)).splitlines() == [
        "def f(*values, **named): return None",
        "def g(*values, **named): return None",
    ]
    assert same_value(ast.parse("assert f(1) == x\nassert f(2) == x")) == ""


def test_expressions_of_questions_that_are_right_are_counted(command, rows):
    sums = [{"question": f"What is {n} + {n}?", "answer": str(2 * n)} for n in range(2, 12)]
    words = [{"question": f"What is twice {n}?", "answer": str(2 * n)} for n in range(2, 12)]
    audit = audited(Path(rows(*sums, *words)), "maths")
    assert (audit.accepted, audit.restated) == (20, 10)
    code, out, _ = command("import", "questions.jsonl", "--preset", "maths")
    assert "an expression of the question is right for 10 rows" in out
    code, out, _ = command("show", "rows/questions")
    assert (code, "expression of the question is right for 50%" in " ".join(out.split())) == (
        0,
        True,
    )


# ------------------------------------------------------------------------------- files


def test_a_column_that_no_row_has_is_named(command, folder):
    (folder / "semicolons.csv").write_text("question;answer\n1 + 1?;2\n")
    code, _, err = command("import", "semicolons.csv", "--preset", "maths")
    assert code == 1
    assert "no row has a column for the question (prompt, problem, question" in err
    assert "--column question=NAME" in err


def test_files_that_cannot_be_rows_are_refused(folder):
    (folder / "array.json").write_text('[{"question": "1 + 1?", "answer": "2"}]')
    (folder / "twice.csv").write_text("question,answer,question\na,1,b\n")
    with pytest.raises(UnusableFile, match=r"array\.json is a JSON array"):
        audited(folder / "array.json", "maths")
    with pytest.raises(UnusableFile, match=r"twice\.csv has two columns 'question'"):
        audited(folder / "twice.csv", "maths")


# ------------------------------------------------------------------------------- tables


def test_tables_are_read_in_the_forms_that_models_write():
    gold = Table("name,share\na | b,1000\nc,0.25")
    for text in (
        "```csv\nname,share\na | b,1000\nc,0.25\n```",
        "| name | share |\n|---|---|\n| a \\| b | 1e3 |\n| c | 2.5E-1 |",
        "| name | share\n| --- | ---\n| a \\| b | 1,000\n| c | .25",
    ):
        assert gold(text).correct, text
    assert cells("| a | |\n|---|---|\n| 1 | |") == (("a", ""), ("1", ""))
    assert not gold("name,share\na | b,1000\nc,0.26").correct


# ------------------------------------------------------------------------------- programs


def test_rows_without_a_solution_have_no_perfect_player(command, rows, folder):
    tests = {"inputs": ["2", "3"], "outputs": ["4", "6"]}
    file = rows(*({"question": f"Double {n}.", "tests": tests} for n in range(12)))
    assert command("import", file, "--preset", "code-io")[0] == 0
    code, out, err = command("show", "rows/questions")
    assert (code, err) == (0, "")
    assert "There is no solution" in out
    code, _, err = command(
        "export", "rows/questions", "-n", "3", "--solutions", "answers", "--out", "rows.jsonl"
    )
    assert code == 0, err
    assert "3 tasks have no solution" in err
    assert (folder / "rows.solutions.jsonl").read_text() == ""
    code, _, err = command(
        "export", "rows/questions", "-n", "1", "--format", "harbor", "--out", "tasks"
    )
    assert code == 2
    assert "has no solution, which a task for Harbor contains" in err


def test_question_of_other_presets_is_untouched():
    fields = Fields("What?", answer="a", options=["a", "b"])
    assert question_of("text", fields) == "What?"
