"""Votes, rubrics and equivalence with a gold answer."""

import math
import re

import pytest
from tests.verifiers.judges.stubs import PLEAS, QUESTION, THREE, honest, parts, rubric, says, thinks

from palaestra.task import JudgeError, Score
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.judges import Criterion, Endpoint, Equivalent, Rubric
from palaestra.verifiers.judges.ballots import majority, verdict
from palaestra.verifiers.verifier import GoldError


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("yes", "yes"), (" No.\n", "no"), ("**YES**", "yes"), ('"no"', "no"), ("`yes`", "yes"),
        ('{"verdict": "no"}', "no"), ("<think>no?</think>yes", "yes"), ("", None), ("1", None),
        ("yes no", None), ("Yes, it is", None), ("true", None), ("ye s", None), ("ＹＥＳ", None),
        ('{"verdict": "no", "verdict": "yes"}', None), ('{"answer": "yes"}', None), ("{", None),
        ('{"verdict": "yes", "why": "x"}', None), ('{"verdict": ["yes"]}', None), ("{}", None),
        ("{" * 1_999, None), ('{"verdict":' * 180, None), ("<think>yes", None),
        ("yes" + " " * 3_000 + "but no", "yes"),
    ],
    ids=ascii,
)  # fmt: skip
def test_a_vote_is_one_word_or_nothing(reply, choice):
    assert verdict(reply, ("yes", "no")) == choice


def test_the_majority_of_the_valid_votes_counts():
    out = JudgeError("down")
    assert majority(["yes", "no", "no"], ("yes", "no")) == "no"
    assert majority(["yes", out, "yes"], ("yes", "no")) == "yes"
    assert majority(["yes", "hm", "yes", "no", "?"], ("yes", "no")) == "yes"
    for replies, why in (
        (["yes", "hm", out], "1 of 3 .* valid: down"),
        (["maybe"] * 3, "0 of 3"),
        (["yes", "no", "maybe"], "split"),
    ):
        with pytest.raises(JudgeError, match=why):
            majority(replies, ("yes", "no"))


def test_each_vote_has_a_nonce_and_an_order_of_its_own(stub, endpoint):
    rubric(endpoint, canaries=0)("Paris")
    prompts = [body["messages"][-1]["content"] for _, _, body in stub.seen]
    assert len({re.search(r"<answer (\w+)>", text)[1] for text in prompts}) == 3
    assert {re.search(r"word: (.*)\.", text)[1] for text in prompts} == {"yes or no", "no or yes"}


@pytest.mark.parametrize(
    ("answer", "value", "reason"),
    [
        ("Paris on the Seine", 1, ""),
        ("Paris", 2 / 3, "the rubric is not met in point 2"),
        ("Paris, not London", 1 / 3, "the rubric is not met in point 2, 3"),
        ("the Seine", 0, "the rubric is not met in point 1"),
        ("London", 0, "the rubric is not met in point 1, 2, 3"),
    ],
)
def test_a_rubric_adds_up(stub, endpoint, answer, value, reason):
    stub.behave = thinks(honest)
    score = rubric(endpoint, *THREE)(answer)
    assert score.value == pytest.approx(value)
    assert score.reason == reason
    assert list(score.parts) == ["must 1", "should 2", "pitfall 3"]


def test_pitfalls_never_make_a_score_negative(stub, endpoint):
    stub.behave = thinks(honest)
    deep = (Criterion("names Paris"), Criterion("names London", 9, "pitfall"))
    assert rubric(endpoint, *deep)("Paris London").value == 0


def test_verifiers_with_a_judge_stand_up(monkeypatch):
    """By many hundred hostile answers, so that the judge sits in this process."""

    def complete_all(self, chats):
        return [honest(parts(chat[-1]["content"]), "") for chat in chats]

    monkeypatch.setattr(Endpoint, "complete_all", complete_all)
    near = Endpoint("http://localhost/v1", "judge")
    names = Rubric(near, QUESTION, None, (Criterion("names Paris"),))
    check_verifier(names, ["Paris", "It is Paris."], ["Lyon", "x"], hostile=PLEAS)
    same = Equivalent(near, QUESTION, "Paris")
    check_verifier(same, ["Paris", "the city of Paris"], ["Lyon"], hostile=PLEAS)


def test_a_judge_that_talks_gives_no_score(stub, endpoint):
    stub.behave = says("I would say yes, mostly.")
    with pytest.raises(JudgeError, match="0 of 3 votes"):
        rubric(endpoint)("Paris")


def test_an_answer_longer_than_the_judge_is_shown_is_not_looked_at(stub, endpoint):
    assert rubric(endpoint)("Paris " * 100).status == "limit"
    assert rubric(endpoint)("  ").status == "no_answer"
    assert not stub.seen


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"criteria": ()}, "a must or a should"),
        ({"criteria": (Criterion("x", 1, "pitfall"),)}, "a must or a should"),
        ({"criteria": ("x", "x")}, "twice"),
        ({"criteria": (" ",)}, "1 to 2000"),
        ({"criteria": (("x", 1, "may"),)}, "not 'may'"),
        ({"criteria": (("x", 0),)}, "weight"),
        ({"criteria": (("x", math.nan),)}, "weight"),
        ({"votes": 2}, "odd"),
        ({"votes": 17}, "odd"),
        ({"canaries": 9}, "canaries"),
        ({"question": ""}, "question"),
        ({"gold": "correct"}, "would be refused"),
    ],
    ids=str,
)
def test_a_rubric_that_cannot_work_is_refused(change, why):
    given = {"question": QUESTION, "gold": None, "criteria": ("x",)} | change
    with pytest.raises(GoldError, match=why):
        Rubric(Endpoint("http://h/v1", "judge"), **given)


def test_equivalence_only_escalates(stub, endpoint):
    def rule(answer):
        status = "scored" if answer in {"Lyon", "Paree"} else "malformed"
        return Score(answer == "Paree", "by rule", status=status)

    judge = Equivalent(endpoint, QUESTION, "Paris", rule)
    stub.behave = thinks(honest)
    assert judge("Paree").correct
    assert judge("Lyon").reason == "by rule"
    assert judge("Paris").correct, "the gold answer itself needs no judge"
    assert not stub.seen
    assert judge("it is Paris").correct
    assert stub.seen
    assert judge("it is Rome").reason == "it does not mean the same as the right answer"


def test_a_gold_answer_that_would_be_refused_is_told_at_once():
    for gold, why in (("correct", "would be refused"), ("?", "refused"), ("x" * 501, "at most")):
        with pytest.raises(GoldError, match=why):
            Equivalent(Endpoint("http://h/v1", "judge"), QUESTION, gold)
