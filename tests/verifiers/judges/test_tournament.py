"""Tournaments, and the strengths that follow from their results."""

import math
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.task import JudgeError
from palaestra.verifiers.judges import CanaryAlarm, bradley_terry, tournament
from palaestra.verifiers.verifier import GoldError


def stronger(skill, one, other):
    return 0.5 if skill[one] == skill[other] else float(skill[one] > skill[other])


@settings(max_examples=40, deadline=None)
@given(st.permutations("abcdefg"), st.sampled_from([None, 3]))
def test_the_order_of_the_players_does_not_matter(names, rounds):
    skill = {name: -ord(name) // 2 for name in "abcdefg"}
    match = partial(stronger, skill)
    usual = tournament("abcdefg", match, rounds)
    assert tournament(names, match, rounds) == usual
    assert list(tournament(names, match, rounds).strengths) == list(usual.strengths)
    assert next(iter(usual.strengths)) in "ab"


def test_a_round_robin_ranks_by_skill():
    skill = {f"p{number}": number for number in range(9)}
    table = tournament(skill, partial(stronger, skill), workers=4)
    assert list(table.strengths) == [f"p{number}" for number in reversed(range(9))]
    assert len(table.results) == 36
    assert all(math.isfinite(strength) and strength > 0 for strength in table.strengths.values())


@pytest.mark.parametrize("players", [2, 3, 7, 16])
def test_a_swiss_tournament_finds_the_best_with_few_comparisons(players):
    skill = {f"{number:02}": number * 7 % players for number in range(players)}
    rounds = math.ceil(math.log2(players)) + 1
    table = tournament(skill, partial(stronger, skill), rounds)
    assert next(iter(table.strengths)) == max(skill, key=skill.get)
    assert len(table.results) <= rounds * (players // 2)
    pairs = [{first, second} for first, second, _ in table.results]
    assert all(one != other for one, other in combinations(pairs, 2)), "nobody meets twice"


def test_a_match_that_cannot_be_judged_counts_for_nobody():
    def match(one, other):
        if "c" in {one, other}:
            raise JudgeError("down")
        return 1.0

    table = tournament("abc", match)
    assert table.unscored == (("a", "c"), ("b", "c"))
    assert table.strengths["c"] == pytest.approx(1)
    with pytest.raises(JudgeError, match="no comparison"):
        tournament("cd", match)


def test_an_alarm_ends_a_tournament():
    def match(one, other):
        raise CanaryAlarm("it obeys")

    with pytest.raises(CanaryAlarm):
        tournament("abc", match)


def test_tournaments_that_cannot_work_are_refused():
    def match(*_):
        return 1.0

    for players in ("", "a", "aa"):
        with pytest.raises(GoldError, match="two players"):
            tournament(players, match)
    with pytest.raises(GoldError, match="allowed"):
        tournament(map(str, range(100)), match)
    with pytest.raises(GoldError, match="allowed"):
        tournament("ab", match, rounds=0)
    with pytest.raises(GoldError, match="cannot end 2"):
        tournament("ab", lambda *_: 2.0)
    with pytest.raises(GoldError, match="prior"):
        bradley_terry([], "ab", prior=0)


RESULTS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("efgh"), st.sampled_from([0, 0.5, 1])),
    max_size=25,
)


@settings(max_examples=25, deadline=None)
@given(RESULTS)
def test_strengths_are_the_likeliest_ones(results):
    """SciPy finds the same by climbing."""
    from scipy.optimize import minimize

    names = "abcdefgh"
    strengths = bradley_terry(results, names, prior=0.5)
    assert all(math.isfinite(math.log(strength)) for strength in strengths.values())

    def unlikeliness(logs):
        log = dict(zip(names, logs))
        total = sum(
            outcome * math.log1p(math.exp(log[two] - log[one]))
            + (1 - outcome) * math.log1p(math.exp(log[one] - log[two]))
            for one, two, outcome in results
        )
        return total + sum(0.5 * (math.log1p(math.exp(-x)) + math.log1p(math.exp(x))) for x in logs)

    best = minimize(unlikeliness, [0.0] * 8, tol=1e-10)
    ours = [math.log(strengths[name]) for name in names]
    assert ours == pytest.approx(list(best.x), abs=1e-3)


def test_an_undefeated_player_stays_finite():
    strengths = bradley_terry([("a", "b", 1)] * 1_000)
    assert 100 < strengths["a"] / strengths["b"] < 1e6
