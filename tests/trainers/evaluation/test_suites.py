"""Suites."""

import itertools
import re

import pytest
import yaml
from tests.trainers.evaluation.endpoints import KNIGHTS, ROOT, command

from palaestra import UnknownEnvironment
from palaestra.trainers.evaluation import (
    BadSuite,
    Suite,
)


def test_suites_are_read():
    suite = Suite.read(
        [
            "matches/tic_tac_toe",
            {"environments": "logic/*", "levels": [0, 2], "tasks": 3},
            {
                "env": "games/mastermind",
                "levels": "0-1",
                "knobs": {"length": 3},
                "answer_format": "boxed",
            },
        ]
    )
    cells = [(cell.env, cell.name, cell.tasks) for cell in suite.cells]
    assert ("matches/tic_tac_toe", "level 5", 20) in cells
    assert (KNIGHTS, "level 2", 3) in cells
    assert (KNIGHTS, "level 1", 3) not in cells
    assert cells[-1] == ("games/mastermind", "level 1, length=3, boxed", 20)
    first = [cell for cell, _ in itertools.islice(suite.rounds(), len(suite.cells))]
    assert first == [*suite.cells]
    assert len([*suite.rounds()]) == suite.tasks
    turned = Suite(suite.cells[::-1])
    assert turned.digest() == suite.digest()
    assert Suite(suite.cells[1:]).digest() != suite.digest()
    assert all(a.split == "eval" for cell in suite.cells for a in cell.addresses())


def test_the_suite_that_is_shipped():
    suite = Suite.load(ROOT / "examples/suite.yaml")
    assert {"games/mastermind", "tools/meeting_desk", KNIGHTS} <= {c.env for c in suite.cells}
    assert 100 < suite.tasks < 5_000


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        (["logi/*"], "did you mean logic/\\*"),
        (["logic/knights"], "did you mean logic/knights_and_knaves"),
        (["logic/zz*"], "logic has logic/"),
        (["zz*"], "categories are"),
        ([{"env": KNIGHTS, "task": 3}], "did you mean tasks"),
        ([{"env": KNIGHTS, "levels": [99]}], "has levels 0 to"),
        ([{"env": "logic/*", "levels": 99}], "one of the levels"),
        ([{"env": KNIGHTS, "levels": "high"}], "'levels' is all"),
        ([{"env": KNIGHTS, "levels": [True]}], "'levels' is all"),
        ([{"env": KNIGHTS, "tasks": 0}], "from 1 to"),
        ([{"env": KNIGHTS, "tasks": "many"}], "from 1 to"),
        ([{"env": KNIGHTS, "seed": -1}], "from 0 to"),
        ([{"env": KNIGHTS, "knobs": {"people": 99}}], "from 2 to 10"),
        ([{"env": KNIGHTS, "knobs": {"peopel": 3}}], "did you mean people"),
        ([{"env": KNIGHTS, "knobs": [3]}], "'knobs' are"),
        ([{"env": KNIGHTS, "answer_format": "xml"}], "an answer format is one of"),
        ([{"levels": 1}], "'environments' is"),
        ([{"env": 3}], "'environments' is"),
        ([7], "an entry is"),
        ([KNIGHTS, KNIGHTS], "twice"),
        ([], "one environment at least"),
        ({"a": 1}, "a list of entries"),
        (None, "a list of entries"),
    ],
)
def test_suites_that_cannot_be(plain, message, tmp_path, capsys):
    with pytest.raises((BadSuite, UnknownEnvironment), match=message):
        Suite.read(plain)
    file = tmp_path / "suite.yaml"
    file.write_text(yaml.safe_dump(plain))
    argv = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--suite", str(file)]
    assert command("eval", *argv, "--out", str(tmp_path / "x")) == 2
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert not (tmp_path / "x").exists()
    assert re.search(message, err)


@pytest.mark.parametrize("text", ["- [", "\x00", "{" * 3_000, "!!python/object:os.system x"])
def test_files_that_are_no_suite(text, tmp_path):
    file = tmp_path / "suite.yaml"
    file.write_text(text)
    with pytest.raises(BadSuite, match=r"suite\.yaml"):
        Suite.load(file)
