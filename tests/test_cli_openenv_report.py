"""Reports of OpenEnv's validation, printed by ``palaestra check --json``."""

import json
from pathlib import Path

import pytest

from palaestra import testing
from palaestra.catalog import catalog
from palaestra.cli import main
from palaestra.cli import openenv_report as reports
from palaestra.testing import CHECKS, record
from palaestra.testing.digests import all_digests

ROOT = Path(__file__).parents[1]
PUZZLE = "logic/knights_and_knaves"
NAMES = {check.__name__ for check in CHECKS}


def ran(*command):
    """The exit code of a command."""
    try:
        return main([*command]) or 0
    except SystemExit as ended:
        return ended.code or 0


def results(report):
    return {each["check_id"]: each for each in report["results"]}


def test_each_id_is_decided_or_skipped():
    assert not reports.DECIDED.keys() & reports.SKIPPED.keys()
    ids = reports.DECIDED.keys() | reports.SKIPPED.keys()
    assert len(ids) == 46
    assert ids >= reports.WARNINGS
    own = {check for checks in reports.DECIDED.values() for check in checks}
    assert own - {reports.DECLARED, reports.FINGERPRINT} <= NAMES


def test_the_page_lists_what_decides_each_id():
    page = (ROOT / "docs/openenv_validation.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert len(rows) == len(reports.DECIDED) + len(reports.SKIPPED)
    for check_id, checks in reports.DECIDED.items():
        (line,) = (line for line in rows if f"`{check_id}`" in line)
        assert all(check in line for check in checks)
    for check_id, reason in reports.SKIPPED.items():
        assert f"| `{check_id}` | skipped | {reason} |" in rows


def test_a_check_that_fails_fails_the_ids_that_it_decides():
    done = results(reports.report(PUZZLE, {"check_ladder": "level 2 is no harder"}))
    failed = {check_id for check_id, each in done.items() if each["status"] == "fail"}
    assert failed == {"statistical.difficulty_separation"}
    assert done["statistical.difficulty_separation"]["evidence"] == [
        "check_ladder: level 2 is no harder"
    ]
    report = reports.report(PUZZLE, {"check_ladder": "level 2 is no harder"})
    assert report["verdict"] == "fail"
    assert reports.report(PUZZLE, {"check_baselines": "too much"})["verdict"] == "warn"


def test_a_fingerprint_of_other_tasks_fails(monkeypatch):
    changed = {**catalog(), PUZZLE: {**catalog()[PUZZLE], "fingerprint": "0" * 12}}
    monkeypatch.setattr(reports, "catalog", lambda: changed)
    done = results(reports.report(PUZZLE, {}))
    for check_id in ("static.task_distribution_pinning", "hub.immutable_versioning"):
        assert done[check_id]["status"] == "fail"
        assert "not 000000000000" in done[check_id]["evidence"][0]


def test_the_command_makes_the_checks_and_prints_a_line_for_each(monkeypatch, capsys):
    made = []

    def check_oracle(name):
        made.append(name)
        assert name != "games/mastermind", "the perfect player scores 0.5"

    monkeypatch.setattr(testing, "CHECKS", (check_oracle,))
    assert ran("check", PUZZLE, "games/mastermind", "--json") == 1
    good, bad = map(json.loads, capsys.readouterr().out.splitlines())
    assert made == [good["target"], bad["target"]] == [PUZZLE, "games/mastermind"]
    assert good["verdict"] == "warn"
    assert results(good)["semantic.oracle_max"]["status"] == "pass"
    assert results(bad)["semantic.oracle_max"]["status"] == "fail"
    assert "scores 0.5" in results(bad)["semantic.oracle_max"]["evidence"][0]
    assert good["source_digest"] == all_digests()[PUZZLE]


def test_what_is_recorded_needs_no_checks(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(testing, "CHECKS", ())
    monkeypatch.chdir(tmp_path)
    command = ["check", PUZZLE, "--json", "--recorded"]
    assert ran(*command) == 2
    assert "checks.txt, which is not in this folder" in capsys.readouterr().err
    record.enter(Path(record.FILE), all_digests(), [PUZZLE])
    assert ran(*command) == 0
    done = json.loads(capsys.readouterr().out)
    assert results(done)["semantic.oracle_max"]["status"] == "pass"
    assert "as recorded" in results(done)["semantic.oracle_max"]["evidence"][0]
    Path(record.FILE).write_text(f"{PUZZLE} 0123456789abcdef\n")
    assert ran(*command) == 2
    assert f"does not list {PUZZLE} as it is now" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--recorded"], ["--json", "--record"]])
def test_options_that_do_not_go_together_are_refused(options, capsys):
    assert ran("check", PUZZLE, *options) == 2
    assert "--json goes with --recorded or alone" in capsys.readouterr().err
