"""Services that speak other protocols."""

import httpx2 as httpx
import pytest

from palaestra import JudgeError
from palaestra.episode import Episode
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings


@pytest.fixture(scope="module")
def url():
    with background_server() as where:
        yield where


@pytest.fixture(scope="module")
def nemo_url():
    with background_server(build(Settings(protocol="nemo-gym"))) as where:
        yield where


@pytest.fixture
def http(url):
    with httpx.Client(base_url=url) as made:
        yield made


@pytest.fixture
def nemo(nemo_url):
    with httpx.Client(base_url=nemo_url) as made:
        yield made


@pytest.fixture
def broken(monkeypatch):
    """Has every judge fail, as for want of a sandbox; nothing of it may become a reward."""

    def fail(*_, **__):
        raise JudgeError("the sandbox is gone")

    def verdict(*_):
        verdict = dict.fromkeys(("value", "correct", "extracted"))
        return verdict | {
            "status": "infra_error", "reason": "gone", "parts": {}, "micros": 1, "error": "unscored"
        }  # fmt: skip

    monkeypatch.setattr("palaestra.server.judging.judged_at", verdict)
    monkeypatch.setattr(Episode, "step", fail)
