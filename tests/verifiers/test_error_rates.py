"""Verifiers make no errors on cases that are generated without their code."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2]))  # benchmarks are no part of what is installed
pytest.importorskip("duckdb", reason="needs palaestra[sql]")
RATES = import_module("benchmarks.error_rates.__main__")


@pytest.mark.parametrize("verifier", RATES.KINDS)
def test_a_verifier_agrees_with_an_independent_referee(verifier: str) -> None:
    cases, errors = RATES.mistakes(verifier, 1, 24 if verifier == "SQL queries" else 120)
    assert len({case.right for case in cases}) == 2
    assert [(case.form, case.answer, case.right) for case in errors] == []


def test_the_bound_of_a_rate_without_errors() -> None:
    """1 - 0.025 ** (1 / n), by the definition of Clopper and Pearson."""
    assert RATES.at_most(0, 50) == pytest.approx(1 - 0.025 ** (1 / 50))
    assert RATES.at_most(3, 3) == 1
