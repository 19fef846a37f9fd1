"""Graders of OpenAI's fine-tuning give the scores of the environments, without this package."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from palaestra.address import Address
from palaestra.cli import main
from palaestra.episode import ANSWER_FORMATS
from palaestra.registry import UnknownEnvironment
from palaestra.scoring import score
from palaestra.trainers import openai_graders
from palaestra.trainers.exports import exported
from palaestra.trainers.openai_graders import MOST_BYTES, python_grader

PUZZLES = ["logic/knights_and_knaves", "grids/sudoku"]
RUN = """
import json, sys
grader, cases = json.load(sys.stdin)
scope = {}
exec(compile(grader["source"], "grader", "exec"), scope)
import msgspec, palaestra
values = []
for sample, item in cases:
    try:
        values.append(scope["grade"](sample, item))
    except Exception as error:
        values.append(type(error).__name__)
print(json.dumps([palaestra.__file__, msgspec.__file__, scope["FOLDER"], values]))
"""


def graded(grader, cases):
    """What a grader gives in a process of its own, from nothing but its source."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUN], input=json.dumps([grader, cases]),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    package, stand_in, folder, values = json.loads(done.stdout)
    assert package.startswith(folder)
    assert stand_in.startswith(folder)
    assert not Path(folder).exists()
    return values


@pytest.mark.slow
def test_scores_are_those_of_the_package():
    cases, expected = [], []
    for name in PUZZLES:
        for row in exported(name, range(2), 1, answer_format="boxed", trainer="openai"):
            assert set(row) == {"messages", "address", "answer_format"}
            answer = Address.parse(row["address"]).task().answer()
            right = ANSWER_FORMATS["boxed"].write(answer)
            assert answer not in json.dumps(row)
            for reply in (right, r"\boxed{?}", f"<answer>{answer}</answer>", "", f"{right} \ud800"):
                cases.append(({"output_text": reply, "choices": []}, row))
                expected.append(score(row["address"], reply, "boxed").value)
    assert {0, 1} <= set(expected)
    row = {**cases[0][1], "address": "logic/knights_and_knaves@99?seed=1"}
    cases += [({}, cases[0][1]), ({"output_text": None}, cases[0][1]), ({}, row)]
    assert graded(python_grader(PUZZLES), cases) == [*expected, 0, 0, "StaleVersion"]


def test_a_grader_is_a_small_object_without_answers():
    grader = python_grader(["logic/knights_and_knaves"], "knights")
    assert (grader["type"], grader["name"]) == ("python", "knights")
    assert len(grader["source"].encode()) < MOST_BYTES
    assert "Environments: logic/knights_and_knaves." in grader["source"]
    assert "def grade(sample, item):" in grader["source"]
    assert grader == python_grader(["logic/knights_and_knaves"] * 2, "knights")


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ([], "one environment at least"),
        (["games/mastermind"], "several turns"),
        (["programs/sql_query"], "runs programs"),
        (["grids/sudoku+wording(1)"], "is a combination"),
        (["language/constrained_text"], "requires pydantic 2.11"),
        (["programs/regex_for_examples"], "requires libraries"),
    ],
)
def test_what_a_grader_cannot_contain_is_refused(names, reason):
    with pytest.raises(ValueError, match=reason):
        python_grader(names)


def test_other_refusals(monkeypatch):
    with pytest.raises(UnknownEnvironment, match="knights_and_knaves"):
        python_grader(["logic/knights_and_knave"])
    with pytest.raises(ValueError, match="project reads files"):
        openai_graders._files(["tools/failing_build"])
    monkeypatch.setattr(openai_graders, "MOST_BYTES", 1_000)
    with pytest.raises(ValueError, match="at most 1000 are taken; train on fewer"):
        python_grader(["logic/knights_and_knaves"])
    monkeypatch.setattr(openai_graders, "is_ours", lambda _: False)
    with pytest.raises(ValueError, match="of another distribution"):
        python_grader(["logic/knights_and_knaves"])


def test_the_command_writes_rows_and_the_grader(tmp_path, capsys):
    grader, rows = tmp_path / "grader.json", tmp_path / "rows.jsonl"
    export = ["export", "logic/knights_and_knaves", "-n", "2"]
    with pytest.raises(SystemExit) as end:
        main([*export, "--trainer", "openai", "--grader", str(grader), "-o", str(rows)])
    assert not end.value.code
    assert json.loads(grader.read_text()) == python_grader(["logic/knights_and_knaves"])
    for line in rows.read_text().splitlines():
        row = json.loads(line)
        assert row["messages"][-1]["role"] == "user"
        assert row["address"].startswith("logic/knights_and_knaves@")
    with pytest.raises(SystemExit) as end:
        main([*export, "--grader", str(grader)])
    assert end.value.code == 2
    assert "--grader requires --trainer openai" in capsys.readouterr().err
