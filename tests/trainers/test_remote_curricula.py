"""Curricula of the service, used by processes that share nothing but a URL."""

import subprocess
import sys

import pytest

from palaestra.address import Address
from palaestra.client import Client, ServiceError
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings
from palaestra.trainers import remote_curricula
from palaestra.trainers.remote_curricula import RemoteCurriculum, means, named

PUZZLE, GAME = "logic/knights_and_knaves", "games/mastermind"


@pytest.fixture(scope="module")
def url():
    with background_server(build(Settings(("sesame",)))) as where:
        yield where


@pytest.fixture
def curriculum(url):
    with Client(url, "sesame") as client:
        yield RemoteCurriculum.begin(
            client, {PUZZLE: 1.0, GAME: 3.0}, {PUZZLE: [0, 1]}, seed=1, unlock=0.5, least=4
        )


def by_url(url, curriculum):
    return f"{url.replace('//', '//any:sesame@')}/v1/curricula/{curriculum.name}"


def test_tasks_are_drawn_and_results_are_learnt(curriculum):
    first = curriculum.sample(40)
    assert {address.env for address in first} == {PUZZLE, GAME}
    assert {address.level for address in first} == {0}
    curriculum.update((address, 1.0) for address in first)
    assert {address.level for address in curriculum.sample(80)} == {0, 1}
    state = curriculum.state()
    assert state["sampled"] == 120
    assert state["mixture"][0]["levels"] == [0, 1]
    assert [each["weight"] for each in state["mixture"]] == [1, 3]


def test_more_than_a_request_holds_is_asked_for_in_several(curriculum, monkeypatch):
    monkeypatch.setattr(remote_curricula, "MOST", 7)
    addresses = curriculum.sample(20)
    assert len({*map(str, addresses)}) == 20
    curriculum.update((address, 0.0) for address in addresses)
    known = curriculum.state()["state"]
    assert sum(known["counts"]) == 20
    assert curriculum.sample(0) == []
    curriculum.update([])


def test_results_beyond_their_range_and_faults_do_no_harm(curriculum):
    one, other = curriculum.sample(2)
    curriculum.update([(one, 1.7), (str(other), None)])
    assert sum(curriculum.state()["state"]["counts"]) == 1


def test_a_curriculum_is_known_by_its_url(url, curriculum):
    with RemoteCurriculum.at(by_url(url, curriculum)) as same:
        same.sample(3)
        assert curriculum.state()["sampled"] == 3
        curriculum.end()
        with pytest.raises(ServiceError, match="no such curriculum"):
            same.sample(1)


@pytest.mark.parametrize(
    "wrong", ["", "127.0.0.1:8000/v1/curricula/x", "http://host/v1/curricula/", "http://host/x"]
)
def test_what_is_no_url_of_a_curriculum_is_refused(wrong):
    with pytest.raises(ValueError, match="such as http://127"):
        RemoteCurriculum.at(wrong)


ELSEWHERE = """
from palaestra.trainers.remote_curricula import named
print(*named().sample(2), sep="\\n")
"""


def test_processes_name_it_by_the_environment(url, curriculum, monkeypatch):
    monkeypatch.delenv("PALAESTRA_CURRICULUM", raising=False)
    with pytest.raises(ValueError, match="set PALAESTRA_CURRICULUM"):
        named()
    monkeypatch.setenv("PALAESTRA_CURRICULUM", by_url(url, curriculum))
    assert named() is named()
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=True
    )
    addresses = done.stdout.split()
    assert len(addresses) == 2
    assert all(Address.parse(address) for address in addresses)
    with named() as same:
        assert same.state()["sampled"] == 2


def test_options_that_are_none_are_refused(url):
    with Client(url, "sesame") as client:
        with pytest.raises(ServiceError, match="frontier has no"):
            RemoteCurriculum.begin(client, {PUZZLE: 1.0}, steps=3)
        with pytest.raises(ServiceError):
            RemoteCurriculum.begin(client, {PUZZLE: 1.0}, {PUZZLE: [99]})


def test_means_are_by_task():
    assert means([("a", 1.0), ("b", 0.5), ("a", 0.0), ("c", None)]) == [("a", 0.5), ("b", 0.5)]


def test_success_rates_to_start_from(url):
    with Client(url, "sesame") as client:
        begun = RemoteCurriculum.begin(
            client, {PUZZLE: 1.0}, strategy="saturn", prior={PUZZLE: {0: 0.9, 1: 0.2}}
        )
        assert {address.level for address in begun.sample(10)} == {1}
        with pytest.raises(ServiceError, match="no profile of 'org/model'"):
            RemoteCurriculum.begin(client, {PUZZLE: 1.0}, prior="org/model")
