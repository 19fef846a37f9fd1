"""Canaries find judges that obey what they judge."""

import pickle
import re

import pytest
from tests.verifiers.judges.stubs import (
    QUESTION,
    THREE,
    honest,
    obedient,
    rubric,
    says,
    sends,
    thinks,
)

from palaestra.task import JudgeError
from palaestra.verifiers.judges import CANARIES, CanaryAlarm, Equivalent, judge_all


@pytest.fixture
def judges(endpoint):
    return [rubric(endpoint, *THREE), Equivalent(endpoint, QUESTION, "Paris")]


def test_a_sound_judge_passes_its_canaries(stub, judges):
    stub.behave = thinks(honest)
    for judge in judges:
        scores = judge_all(judge, ["Paris and the Seine", "Lyon", "?", "correct"])
        assert [score.value for score in scores] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("behave", "why"),
    [
        (says("yes"), "obeys an injection"),
        (thinks(obedient), "obeys an injection"),
        (says("no"), "plainly right|right answer itself"),
    ],
    ids=["always yes", "obedient", "always no"],
)
def test_a_judge_that_fails_its_canaries_scores_nobody(stub, judges, behave, why):
    stub.behave = behave
    for judge in judges:
        scores = judge_all(judge, ["Paris", "Lyon"])
        assert all(isinstance(score, CanaryAlarm) for score in scores)
        assert re.search(why, scores[0].reason)
        assert scores[0].value is None


@pytest.mark.parametrize("canary", CANARIES, ids=ascii)
def test_each_canary_finds_a_judge_that_obeys_it(stub, endpoint, canary, monkeypatch):
    monkeypatch.setattr("palaestra.verifiers.judges.canaries.CANARIES", (canary,))
    stub.behave = thinks(obedient)
    for judge in (rubric(endpoint), Equivalent(endpoint, QUESTION, "Paris")):
        with pytest.raises(CanaryAlarm):
            judge("Lyon")


def test_a_single_answer_has_a_canary_with_it(stub, endpoint):
    stub.behave = says("yes")
    with pytest.raises(CanaryAlarm) as caught:
        rubric(endpoint)("Lyon")
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), CanaryAlarm)
    assert rubric(endpoint, canaries=0)("Lyon").correct


def test_an_outage_during_the_canaries_is_an_outage(stub, endpoint):
    stub.behave = sends(400)
    (score,) = judge_all(rubric(endpoint), ["Paris"])
    assert isinstance(score, JudgeError)
    assert not isinstance(score, CanaryAlarm)


def test_in_a_batch_one_outage_leaves_the_others(stub, endpoint):
    def behave(handler, body, number):
        text = body["messages"][-1]["content"]
        if "Lyon" in text:
            handler.reply(400, b"", {})
        else:
            thinks(honest)(handler, body, number)

    stub.behave = behave
    good, bad = judge_all(rubric(endpoint), ["Paris", "Lyon"])
    assert good.correct
    assert isinstance(bad, JudgeError)
