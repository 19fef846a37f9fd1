"""Named verifiers through both clients: the same results and errors as in process."""

import pytest

from palaestra.client import AsyncClient, Client, InvalidRequest, ServiceError
from palaestra.task import JudgeError
from palaestra.verification import Verification, listing, verify, verify_many
from palaestra.verifiers.named import BadField, UnknownVerifier

ITEMS = [
    Verification("answer", "1/2", r"so $\boxed{0.5}$"),
    Verification("quantity", "90 km/h", "<answer>25 m/s</answer>", {"digits": 2}, "tags"),
    ("number", "x", "1"),
    ("nubmer", "1", "1"),
    ("number", "2", "3"),
    ("json_equal", 10**30, str(10**30)),
    ("exact", "a\ud800", "b"),
]


def test_verdicts_are_those_in_process(either):
    for item in (ITEMS[0], ITEMS[1], ITEMS[4], ITEMS[5]):
        assert either.verify(*item) == verify(*item)
    here, there = verify_many(ITEMS), either.verify_many(ITEMS)
    assert [one.value for one in there] == [one.value for one in here]
    assert [type(one) for one in there] == [type(one) for one in here]
    assert [one.reason for one in there[:3]] == [one.reason for one in here[:3]]
    assert [one.status for one in there] == [one.status for one in here]
    assert either.verifiers() == listing()
    assert either.verify_many([]) == []


@pytest.mark.parametrize(
    ("arguments", "error_type", "pointer"),
    [
        (("number", "x", "1"), BadField, "/gold"),
        (("number", 1, "1", {"digits": 0}), BadField, "/options/digits"),
        (("path", {"nodes": ["A"]}, "1"), BadField, "/gold/edges"),
        (("number", float("nan"), "1"), BadField, "/gold"),
        (("format", ["a"], "1", None, "tags"), BadField, "/answer_format"),
        (("nubmer", 1, "1"), UnknownVerifier, None),
        (("exact", "a", "x" * ((1 << 20) + 1)), InvalidRequest, None),
    ],
)
def test_errors_are_those_in_process(either, arguments, error_type, pointer):
    with pytest.raises(error_type) as caught:
        either.verify(*arguments)
    if pointer is not None:
        assert caught.value.pointer == pointer


def test_verdicts_asked_for_together_share_requests(service, there):
    before = len(service.asked)
    done = there.verify_many([("number", n, "7") for n in range(300)])
    assert [one.value for one in done] == [n == 7 for n in range(300)]
    assert service.asked[before:] in ([("POST", "/v1/verify")] * n for n in (2, 3))


def test_one_that_is_refused_does_not_hinder_the_others(either):
    done = either.verify_many([("number", 1, "1"), ("exact", "a", "x" * ((1 << 20) + 1))])
    assert done[0].correct
    assert isinstance(done[1], JudgeError)


def test_a_token_without_the_scope_is_told_so(service):
    with Client(service.url, "reader") as client, pytest.raises(ServiceError, match="'score'"):
        client.verify("number", 1, "1")


def test_both_clients_have_the_same_methods():
    for name in ("verify", "verify_many", "verifiers"):
        assert getattr(Client, name).__doc__ == getattr(AsyncClient, name).__doc__
