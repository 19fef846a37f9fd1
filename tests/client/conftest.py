"""Both clients, and a service for them."""

import asyncio

import pytest
from tests.client.examples import TOKEN, Counting, Waiting

from palaestra.client import (
    AsyncClient,
    Client,
    sync_client,
)
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings


@pytest.fixture(scope="module")
def service():
    scopes = "read,score,sessions,programs,answers"
    app = build(Settings((f"{TOKEN} scopes={scopes}", "reader scopes=read")))
    counting = Counting(app)
    counting.sessions = app.state.service.sessions
    with background_server(counting) as counting.url:
        yield counting


@pytest.fixture
def there(service):
    with Client(service.url, TOKEN, patience_s=5) as client:
        yield client


@pytest.fixture(params=["threads", "asynchronous"])
def either(request, service):
    """Both clients in turn."""
    if request.param == "threads":
        with Client(service.url, TOKEN, patience_s=5) as client:
            yield client
        return
    with asyncio.Runner() as runner:
        client = AsyncClient(service.url, TOKEN, patience_s=5)
        yield Waiting(runner, client)
        runner.run(client.close())


@pytest.fixture
def pauses(monkeypatch):
    """Does not really wait; keeps for how long it was to be."""
    slept = []
    monkeypatch.setattr(sync_client, "sleep", slept.append)
    return slept
