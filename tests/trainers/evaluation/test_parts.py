"""Figures from the parts of scores."""

import dataclasses
import random

import pytest
from tests.trainers.evaluation.endpoints import Endpoint, attempt, done_page, manifest, run

from palaestra.trainers.evaluation import Cell, Suite
from palaestra.trainers.evaluation.parts import calibration, rates
from palaestra.trainers.evaluation.reports import markdown, report, summary

MULTIPLICATION = "arithmetic/long_multiplication"


def stated(n, confidence, correct):
    parts = {"confidence": confidence, "correct": correct, "brier": (confidence - correct) ** 2}
    return attempt(n, score=float(correct), parts=parts)


def test_the_error_of_calibration_is_that_of_a_case_worked_by_hand():
    """One of two is right at 90 %, and none at 10 % and 20 %."""
    some = [stated(1, 0.9, 1), stated(2, 0.9, 0), stated(3, 0.1, 0), stated(4, 0.2, 0)]
    figures = calibration(some)
    assert figures["error"] == pytest.approx((2 * 0.4 + 0.1 + 0.2) / 4)
    assert figures["brier"]["value"] == pytest.approx((0.01 + 0.81 + 0.01 + 0.04) / 4)
    assert [row["attempts"] for row in figures["bins"]] == [1, 1, 2]
    assert [row["low"] for row in figures["bins"]] == [0.1, 0.2, 0.9]


def test_whoever_is_certain_is_in_the_last_bin():
    figures = calibration([stated(1, 1.0, 1), stated(2, 0.0, 0)])
    assert [row["low"] for row in figures["bins"]] == [0, 0.9]
    assert figures["error"] == 0


def test_an_honest_player_is_calibrated_and_a_boastful_one_is_not():
    rng = random.Random(3)
    chances = [rng.random() for _ in range(2_000)]
    rights = [rng.random() < chance for chance in chances]
    honest = [stated(n, p, float(r)) for n, (p, r) in enumerate(zip(chances, rights))]
    boastful = [stated(n, 0.99, float(r)) for n, r in enumerate(rights)]
    assert calibration(honest)["error"] < 0.05
    assert calibration(boastful)["error"] > 0.4
    assert calibration(honest)["brier"]["value"] < calibration(boastful)["brier"]["value"]


def test_attempts_without_a_confidence_or_a_score_do_not_count():
    silent, failed = attempt(3, score=0.0), attempt(4, score=None, status="infra_error")
    figures = calibration([stated(1, 0.5, 1), silent, failed])
    assert (figures["stated"], figures["unstated"]) == (1, 1)
    assert calibration([silent, failed]) is None


def test_an_attempt_without_a_text_counts_as_none_that_keeps_the_rules():
    parts = {"answer": 1.0, "text": 1.0, "rules": 1.0}
    half = {"answer": 1.0, "text": 0.0, "rules": 0.5}
    some = [
        attempt(1, parts=parts),
        attempt(2, score=0.0, parts=half),
        attempt(3, score=0.0, status="malformed"),
        attempt(4, score=0.0, parts={"answer": 0.0, "text": 1.0, "rules": 1.0}),
    ]
    figures = rates(some)
    values = {name: figures[name]["value"] for name in ("answer", "text", "rules", "both")}
    assert values == {"answer": 0.5, "text": 0.5, "rules": 0.625, "both": 0.25}
    assert rates([attempt(1)]) is None


def test_reports_have_calibration_and_rates_in_all_three_forms():
    suite = Suite(
        (
            Cell(f"{MULTIPLICATION}+confidence", 1, 6),
            Cell(f"{MULTIPLICATION}+constrain(2,0,0)", 1, 6),
            Cell(MULTIPLICATION, 1, 2),
        )
    )
    with Endpoint(suite, 0.5).serving() as url:
        done = run(url, suite, samples=2, seed=1)
    figures = report(manifest(samples=2), done.attempts, 28)
    by_name = {env["env"].partition("+")[2]: env for env in figures["environments"]}
    assert by_name["confidence"]["calibration"]["stated"] > 0
    assert by_name["confidence"]["constrained"] is None
    assert by_name["constrain(2,0,0)"]["constrained"]["attempts"] == 12
    assert by_name[""]["calibration"] is None
    both = by_name["constrain(2,0,0)"]["constrained"]["both"]
    assert both == by_name["constrain(2,0,0)"]["success"]
    text, html = markdown(figures), done_page(figures)
    for form in (text, html):
        assert "Calibration" in form
        assert "Answers with a text" in form
        assert "Naeini" in form
    assert "calibration error" in summary(figures)
    plain = report(manifest(), [attempt(1)], 1)
    assert "Calibration" not in markdown(plain) + done_page(plain) + str(plain["method"])


def test_attempts_of_older_logs_have_no_parts():
    bare = dataclasses.replace(attempt(1), parts={})
    assert calibration([bare]) is None
