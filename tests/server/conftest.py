"""Fixtures of the tests of the service."""

import httpx2 as httpx
import pytest
from tests.server.examples import TOKENS, SlowJudge

from palaestra.server import judging, targets
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings


@pytest.fixture(scope="module")
def url():
    app = build()
    app.state.service.judge.lanes["worker"].size = 64  # tests have more under way than workers
    with background_server(app) as where:
        yield where


@pytest.fixture(scope="module")
def guarded():
    with background_server(build(Settings(TOKENS))) as where:
        yield where


@pytest.fixture
def http(url):
    with httpx.Client(base_url=url, timeout=60) as made:
        yield made


@pytest.fixture
def slow_judge(monkeypatch):
    """Every verdict is waited for, by what a test controls."""
    made = SlowJudge()
    monkeypatch.setattr(targets.Target, "executor_for", lambda *_: "worker")
    monkeypatch.setattr(
        judging.Workers, "acall", lambda _, *arguments, **options: made.acall(*arguments, **options)
    )
    yield made
    made.let_go.set()
