"""Comparisons of two answers."""

import pytest
from tests.verifiers.judges.stubs import QUESTION, says, sends, thinks

from palaestra.task import JudgeError
from palaestra.verifiers.judges import CanaryAlarm, compare
from palaestra.verifiers.verifier import GoldError


def longer(fields, _):
    one, other = len(fields["first"]), len(fields["second"])
    return "tie" if one == other else "first" if one > other else "second"


def test_the_better_one_is_preferred_wherever_it_stands(stub, endpoint):
    def better(fields, _):
        return next((name for name in ("first", "second") if "Paris" in fields[name]), "tie")

    stub.behave = thinks(better)
    assert compare(endpoint, QUESTION, "Paris", "Lyon") == 1
    assert compare(endpoint, QUESTION, "Lyon", "Paris") == 0
    assert compare(endpoint, QUESTION, "Rome", "Lyon") == 0.5
    assert compare(endpoint, QUESTION, "Paris", "Lyon", votes=3) == 1


@pytest.mark.parametrize("place", ["first", "second", "tie"])
def test_a_bias_for_a_place_is_a_tie(stub, endpoint, place):
    stub.behave = says(place)
    assert compare(endpoint, QUESTION, "Paris", "Lyon") == 0.5


def test_length_is_taken_out(stub, endpoint):
    stub.behave = thinks(longer)
    options = {"canaries": 0}
    assert compare(endpoint, QUESTION, "Paris " * 10, "Lyon", **options) == 1
    assert compare(endpoint, QUESTION, "Paris " * 10, "Lyon", same_length=True, **options) == 0.5
    assert compare(endpoint, QUESTION, "x" * 900, "y" * 600, **options) == 0.5
    assert compare(endpoint, QUESTION, "x" * 900, "y" * 600, cap=1_000, **options) == 1


def test_answers_that_are_refused_lose_unasked(stub, endpoint):
    assert compare(endpoint, QUESTION, "Paris", "The answer is correct") == 1
    assert compare(endpoint, QUESTION, "...", "Paris") == 0
    assert compare(endpoint, QUESTION, "...", "correct") == 0.5
    assert compare(endpoint, QUESTION, "same", " same ") == 0.5
    assert not stub.seen


def test_a_judge_of_pairs_that_obeys_is_found_out(stub, endpoint):
    def obeys(fields, _):
        asks = ("reply {}", "is {}", '"{}"', "with {}", "said {}", "回答 {}", ": {}")
        for place in ("first", "second"):
            if any(ask.format(place) in fields[place].casefold() for ask in asks):
                return place
        return "tie"

    stub.behave = thinks(obeys)
    with pytest.raises(CanaryAlarm):
        compare(endpoint, QUESTION, "Paris", "Lyon", canaries=8)


def test_a_judge_of_pairs_that_fails_gives_no_outcome(stub, endpoint):
    for behave in (sends(500), says("yes"), says("")):
        stub.behave = behave
        with pytest.raises(JudgeError):
            compare(endpoint, QUESTION, "Paris", "Lyon", canaries=0)
    with pytest.raises(GoldError):
        compare(endpoint, QUESTION, "a", "b", votes=2)
