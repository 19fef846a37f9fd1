"""Tiers of tests: measured with mutants, and the weighted shares that they give."""

from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.generators.mutants.changes import mutated
from palaestra.verifiers.sandbox.judging import Case, IoTest, judge_calls, judge_io, verdict_of
from palaestra.verifiers.sandbox.outcomes import Test as Tried
from palaestra.verifiers.sandbox.tiers import passed_shares, tier, weighted, weights, with_tiers

MEDIAN = """
def median(numbers):
    if not numbers:
        return None
    row = sorted(numbers)
    middle = len(row) // 2
    if len(row) % 2 == 1:
        return row[middle]
    return (row[middle - 1] + row[middle]) / 2
"""
CASES = [
    Case([[]], None),
    Case([[5]], 5),
    Case([[2, 2, 2]], 2),
    Case([[3, 1, 2]], 2),
    Case([[4, 1]], 2.5),
    Case([[9, 1, 4, 2]], 3.0),
]


def verdict(passes):
    return verdict_of([Tried("PASS" if good else "WA") for good in passes], "none")


def judged(text):
    """A verdict of a text such as ``+-+``, in which a test passes or fails at each sign."""
    return verdict([sign == "+" for sign in text])


def test_shares_are_of_programs_that_pass_some_tests():
    programs = ["++-", "+--", "+-+", "-+-", "+++", "---"]
    assert passed_shares(judged, programs, 3) == (0.75, 0.5, 0.25)
    with pytest.raises(ValueError, match="no wrong program"):
        passed_shares(judged, ["+++", "---"], 3)
    with pytest.raises(ValueError, match="2 tests, not 3"):
        passed_shares(judged, ["+-"], 3)


def test_a_judge_that_fails_measures_nothing():
    failure = verdict_of([Tried("JUDGE_ERROR")], "none")
    with pytest.raises(RuntimeError, match="JUDGE_ERROR"):
        passed_shares(lambda source: failure, ["x"], 1)
    assert with_tiers(failure, [0.5]) == failure


def test_weights():
    assert weights((1.0, 0.75, 0.5, 0.25, 0.0)) == (1, 2, 4, 8, 8)
    cases = weighted(CASES[:2], (1.0, 0.0))
    assert [case.weight for case in cases] == [1, 8]
    assert weighted([IoTest("a", "b")], [0.5])[0] == IoTest("a", "b", 4)
    for shares in ((), (1.5,), (-0.1,), (float("nan"),)):
        with pytest.raises(ValueError, match="between 0 and 1"):
            weights(shares)
    with pytest.raises(ValueError, match="2 tests, and shares of 1"):
        weighted(CASES[:2], [0.5])


def test_parts_of_a_verdict():
    result = with_tiers(judged("++-"), (1.0, 0.4, 0.1))
    assert result.parts == {"tier_0": 1, "tier_2": 1, "tier_3": 0, "weighted": 5 / 13}
    assert (result.fraction, result.passed, result.status) == (5 / 13, 2, "WA")
    assert with_tiers(verdict_of([Tried("RE")], "none"), (1.0, 0.4)).fraction == 0
    assert with_tiers(judged("+++"), (1.0, 0.4, 0.1)).fraction == 1
    with pytest.raises(ValueError, match="1 tests, and shares of 2"):
        with_tiers(judged("+"), (1.0, 0.4))


SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@given(SHARES, st.data())
def test_another_test_that_passes_never_pays_less(shares, data):
    passes = data.draw(st.lists(st.booleans(), min_size=len(shares), max_size=len(shares)))
    before = with_tiers(verdict(passes), shares)
    number = data.draw(st.integers(0, len(shares) - 1))
    passes[number] = True
    after = with_tiers(verdict(passes), shares)
    assert all(0 <= before.parts[name] <= after.parts[name] <= 1 for name in before.parts)
    assert before.fraction <= after.fraction
    assert (after.fraction == 1) == all(passes)


@given(st.floats(0, 1), st.floats(0, 1))
def test_fewer_wrong_programs_make_no_lower_tier(one, other):
    low, high = sorted((one, other))
    assert tier(low) >= tier(high)


def test_mutants_of_a_program(jail):
    rng = Random(4)
    mutants = sorted({mutated(MEDIAN, rng) for _ in range(40)})
    judge = partial(_judge, jail, CASES)
    shares = passed_shares(judge, mutants, len(CASES))
    assert shares[5] < shares[1]  # four different numbers show more than one number does
    cases = weighted(CASES, shares)
    odd_only = MEDIAN.replace("(row[middle - 1] + row[middle]) / 2", "row[middle]")
    score = judge(odd_only)
    assert score.fraction == pytest.approx(4 / 6)
    tiers = with_tiers(score, shares)
    assert tiers.fraction == pytest.approx(_judge(jail, cases, odd_only).fraction)
    assert tiers.fraction < score.fraction
    assert with_tiers(judge(MEDIAN), shares).fraction == 1


def _judge(jail, cases, source):
    return judge_calls(jail, source, "median", cases, fresh=True, patience=len(cases))


def test_programs_that_print(jail):
    tests = [IoTest("1\n", "2\n"), IoTest("0\n", "0\n")]
    sources = [f"n = int(input())\nprint({text})" for text in ("n", "n * n", "n + 1", "2 * n")]
    shares = passed_shares(lambda source: judge_io(jail, source, tests, patience=2), sources, 2)
    assert shares == (1 / 3, 2 / 3)
    result = judge_io(jail, sources[0], weighted(tests, shares))
    assert result.fraction == pytest.approx(2 / 6)
