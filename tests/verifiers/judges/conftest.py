"""An endpoint of the tests, on a free port of loopback."""

from threading import Thread

import pytest
from tests.verifiers.judges.stubs import Stub

from palaestra.verifiers.judges import Endpoint


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server = Stub()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.end.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def endpoint(stub):
    return Endpoint(stub.url, "judge", timeout_s=60, retries=2, backoff_s=0.001)
