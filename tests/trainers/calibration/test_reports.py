"""The report of a calibration: verdicts, files, words and plots."""

import json
import sys

import pytest
import yaml
from pydantic import ValidationError
from tests.trainers.calibration.ladders import KNIGHTS, LETTERS, MASTERMIND

from palaestra import Address
from palaestra.trainers.calibration import Calibration, Mixture, read
from palaestra.trainers.calibration.plots import plot
from palaestra.trainers.calibration.reports import (
    MIXTURE,
    PAGE,
    REPORT,
    markdown,
    rows,
    spanned,
    summary,
)
from palaestra.trainers.calibration.tokens import Usage
from palaestra.trainers.evaluation import Attempt


def manifest(levels, tasks=24, limit=None):
    same = {
        "model": "org/model", "target": [0.3, 0.7], "width": 1.0, "levels": levels,
        "answer_format": "tags", "settings": {"temperature": 0.7}, "fingerprints": {},
    }  # fmt: skip
    return {
        "same": same, "tasks": tasks, "max_tokens_total": limit, "base_url": "http://x/v1",
        "palaestra": "0", "started": "2026-01-01T00:00:00+00:00",
    }  # fmt: skip


def attempts(env, level, *, right=0, wrong=0, partial=0, unscored=0):
    scores = [1.0] * right + [0.0] * wrong + [0.5] * partial + [None] * unscored
    return tuple(
        Attempt(
            str(Address.of(env, n, level)), env, level, f"level {level}", 0, str(n), score,
            "scored" if score is not None else "infra_error", "" if score is not None else "gone",
            prompt_tokens=10, completion_tokens=5,
        )
        for n, score in enumerate(scores)
    )  # fmt: skip


def calibration(outcomes, levels=None, **options):
    """A calibration with some outcomes by environment and level."""
    every = tuple(each for env, own in outcomes.items() for level, counts in own.items()
                  for each in attempts(env, level, **counts))  # fmt: skip
    levels = levels or {env: [*own] for env, own in outcomes.items()}
    return Calibration(manifest(levels, **options), every, Usage(100, 50, 9, 1))


def verdict(*counts):
    """The verdict on outcomes (right, wrong) at the lowest levels of an environment."""
    outcomes = {level: {"right": r, "wrong": w} for level, (r, w) in enumerate(counts)}
    (environment,) = calibration({KNIGHTS: outcomes}).report().environments
    return environment.verdict


def test_verdicts():
    assert verdict((9, 0), (9, 0), (9, 0)) == "too easy"
    assert verdict((0, 9), (0, 9), (0, 9)) == "too hard"
    assert verdict((9, 0), (5, 4), (0, 9)) == "suitable"
    assert verdict((40, 0), (40, 0), (0, 40), (0, 40)) == "too steep"
    assert verdict((4, 0), (4, 0)) == "undecided"  # at least nine attempts are needed
    assert verdict((0, 0), (0, 0)) == "undecided"
    report = calibration({KNIGHTS: {0: {"unscored": 3}}}).report()
    assert report.environments[0].verdict == "unscored"


def test_partial_credit_is_no_success():
    (environment,) = calibration({KNIGHTS: {0: {"partial": 9}}}).report().environments
    (level,) = environment.levels
    assert (level.right, level.scored, level.score) == (0, 9, 0.5)
    assert level.success.value < 0.1
    assert environment.verdict == "too hard"


def test_what_is_unscored_changes_no_estimate():
    plain = calibration({KNIGHTS: {0: {"right": 3, "wrong": 2}}}).report().environments[0]
    more = calibration({KNIGHTS: {0: {"right": 3, "wrong": 2, "unscored": 7}}}).report()
    assert more.environments[0].levels[0].success == plain.levels[0].success
    assert more.environments[0].levels[0].raw == plain.levels[0].raw
    assert (more.environments[0].unscored, more.unscored) == (7, 7)
    assert more.faults[0].model_dump() == {"reason": "gone", "attempts": 7}


SEVERAL = {
    KNIGHTS: {0: {"right": 9}, 1: {"right": 5, "wrong": 4}, 2: {"wrong": 9}},
    MASTERMIND: {0: {"right": 9}, 1: {"right": 9}},
    LETTERS: {0: {"right": 1}, 1: {"unscored": 1}},
}


def test_weights_are_the_probabilities_of_the_target():
    report = calibration(SEVERAL).report()
    mixture = report.mixture()
    (suitable,) = (each for each in report.environments if each.verdict == "suitable")
    assert suitable.env == KNIGHTS
    assert mixture.levels == {KNIGHTS: (1,)}
    assert mixture.environments == {KNIGHTS: pytest.approx(suitable.levels[1].in_target, abs=1e-3)}
    assert calibration({MASTERMIND: {0: {"right": 9}}}).report().mixture() is None


def test_the_file_is_typed_and_versioned(tmp_path):
    done = calibration(SEVERAL, limit=500)
    report, _ = done.write(tmp_path)
    assert read(tmp_path) == report
    held = json.loads((tmp_path / REPORT).read_text())
    assert held["format"] == 1
    assert held["tokens"] == {
        "prompt": 100, "completion": 50, "requests": 9, "estimated": 1, "limit": 500,
    }  # fmt: skip
    for change in ({"format": 2}, {"target": "wide"}, {"more": 1}):
        (tmp_path / REPORT).write_text(json.dumps(held | change))
        with pytest.raises(ValidationError):
            read(tmp_path)


def test_a_mixture_that_is_no_longer_there_is_removed(tmp_path):
    calibration(SEVERAL).write(tmp_path)
    file = tmp_path / MIXTURE
    assert yaml.safe_load(file.read_text())["levels"] == {KNIGHTS: [1]}
    assert Mixture.load(file).levels == {KNIGHTS: (1,)}
    assert file.read_text().startswith('# Levels at which "org/model" probably succeeds')
    calibration({MASTERMIND: {0: {"right": 9}}}).write(tmp_path)
    assert not file.exists()


def test_in_words(tmp_path):
    report, _ = calibration(SEVERAL, limit=500).write(tmp_path)
    page = (tmp_path / PAGE).read_text()
    assert page == markdown(report)
    assert "1 suitable, 1 too easy, 1 undecided" in summary(report)
    assert "150 of 500, 1 requests estimated" in page
    assert "**Not complete. 2 of 3 environments are unfinished.**" in page
    assert "- 1 × gone" in page
    lines = rows(report)
    assert [line[0] for line in lines] == [KNIGHTS, MASTERMIND, LETTERS]
    assert lines[0][1:4] == ["suitable", "1", "1.1 [0.7, 1.5]"]
    assert lines[2][1:] == ["undecided, unfinished", "–", lines[2][3], lines[2][4], "2, 1 unscored"]
    assert spanned(None) == "–"


def test_names_of_models_cannot_write_the_page():
    done = calibration(SEVERAL)
    done.manifest["same"]["model"] = "a | b <script>\n# c"
    assert "<script" not in markdown(done.report())
    comment = done.report().mixture().text("x\ny")
    assert comment.startswith("# x\n# y\n")


def test_crossings_beyond_the_ladder_have_no_number():
    easy = calibration({MASTERMIND: {level: {"right": 9} for level in range(6)}}).report()
    assert rows(easy)[0][3].startswith("above")
    few = calibration({MASTERMIND: {0: {"right": 1}, 5: {"wrong": 1}}}).report()
    assert rows(few)[0][3] == "unknown"
    zigzag = {0: {"right": 9}, 1: {"wrong": 9}, 2: {"right": 9}, 3: {"wrong": 9}}
    report = calibration({KNIGHTS: zigzag}).report()
    assert rows(report)[0][3] == "irregular"
    assert report.environments[0].curve is None
    assert report.environments[0].levels[2].success.value > 0.8


def test_plots(tmp_path):
    pytest.importorskip("matplotlib", reason="needs palaestra[train]")
    report = calibration(SEVERAL).report()
    files = plot(report, tmp_path)
    assert [file.name for file in files] == ["logic.png", "games.png", "strings.png"]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_there_are_no_plots_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert plot(calibration(SEVERAL).report(), tmp_path) == []
    assert not [*tmp_path.iterdir()]
